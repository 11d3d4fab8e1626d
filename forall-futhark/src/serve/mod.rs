//! A server of your own: serves Rust functions over the protocol.
//!
//! A program in any language that implements this small protocol can be tested by `forall futhark test` and by
//! [`client`](crate::client). In Rust, the `main` function looks like this:
//!
//! ```no_run
//! use forall_futhark::serve::Program;
//!
//! fn main() {
//!     Program::new()
//!         .function("double", |x: i64| x * 2)
//!         .function("is_even", |x: i64| x % 2 == 0)
//!         .attribute("is_even", "prop(size(10))")
//!         .serve();
//! }
//! ```
//!
//! The server answers as compiled Futhark servers do, and exits when they exit. Where those servers have bugs (`new`
//! and its swapped numbers, `set` in arrays that are not square, crashes), it follows the protocol.
//!
//! To test clients, the server can [misbehave](Misbehaviour).

mod commands;
mod misbehave;
mod restore;

pub use crate::datum::{Datum, Native};
pub use misbehave::Misbehaviour;

use crate::datum::types::Types;
use crate::protocol::{FAILURE, OK};
use commands::{State, Trouble};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// The failure of an entry point.
///
/// ```
/// use forall_futhark::serve::Fault;
/// let fault = Fault::at("division by zero", "quotient.fut:1:40-44");
/// assert!(matches!(fault, Fault::Error(text) if text.contains("-> #0  quotient.fut:1:40-44")));
/// ```
#[derive(Clone, Debug)]
pub enum Fault {
    /// A run-time error. The server reports it and continues.
    Error(String),
    /// A fatal error. The server exits, with this message on its standard error.
    Fatal(String),
}

impl Fault {
    /// Creates a run-time error at a location in the program, in Futhark's format.
    ///
    /// ```
    /// use forall_futhark::serve::Fault;
    /// assert!(matches!(Fault::at("no", "a.fut:1:1-2"), Fault::Error(text) if text.starts_with("Error: no\n\nBacktrace:\n")));
    /// ```
    pub fn at(message: &str, place: &str) -> Self {
        Self::Error(format!("Error: {message}\n\nBacktrace:\n-> #0  {place}\n"))
    }
}

/// The implementation of an entry point.
type Run = Box<dyn Fn(&[Datum]) -> Result<Datum, Fault>>;

struct Entry {
    inputs: Vec<String>,
    output: String,
    attributes: Vec<String>,
    run: Run,
}

/// The program that a server serves.
///
/// ```
/// use forall_futhark::serve::Program;
/// let program = Program::new().function("double", |x: i64| x * 2);
/// let mut answers = Vec::new();
/// program.answer(&mut &b"inputs double\n"[..], &mut answers).unwrap();
/// assert_eq!(answers, b"%%% OK\ni64\n%%% OK\n");
/// ```
#[derive(Default)]
pub struct Program {
    types: Types,
    entries: BTreeMap<String, Entry>,
    misbehaviour: Option<Misbehaviour>,
}

impl Program {
    /// Creates an empty program.
    ///
    /// ```
    /// let nothing = forall_futhark::serve::Program::new();
    /// # let _ = nothing;
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a named record. Call this before the type is used.
    ///
    /// ```
    /// use forall_futhark::serve::{Datum, Program};
    /// let program = Program::new()
    ///     .record("point", &[("x", "f64"), ("y", "f64")])
    ///     .entry("same", &["point"], "point", |points| Ok(points[0].clone()));
    /// # let _ = program;
    /// ```
    pub fn record(mut self, name: &str, fields: &[(&str, &str)]) -> Self {
        self.types.name_record(name, fields);
        self
    }

    /// Declares a named sum. Call this before the type is used.
    ///
    /// ```
    /// use forall_futhark::serve::Program;
    /// let program = Program::new().sum("shape", &[("circle", &["f32"]), ("nothing", &[])]);
    /// # let _ = program;
    /// ```
    pub fn sum(mut self, name: &str, variants: &[(&str, &[&str])]) -> Self {
        self.types.name_sum(name, variants);
        self
    }

    /// Adds an entry point of any types. `*` before an input type means that the input is consumed.
    ///
    /// ```
    /// use forall_futhark::serve::{Fault, Native, Program};
    /// let program = Program::new().entry("reciprocal", &["f64"], "f64", |inputs| match f64::from_datum(&inputs[0]) {
    ///     Some(0.0) => Err(Fault::at("division by zero", "reciprocal.rs:1:1")),
    ///     x => Ok((1.0 / x.unwrap_or(1.0)).into_datum()),
    /// });
    /// # let _ = program;
    /// ```
    pub fn entry(
        mut self,
        name: &str,
        inputs: &[&str],
        output: &str,
        run: impl Fn(&[Datum]) -> Result<Datum, Fault> + 'static,
    ) -> Self {
        for mentioned in inputs.iter().chain([&output]) {
            self.types.mention(mentioned.trim_start_matches('*'));
        }
        let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
        let entry = Entry { inputs, output: output.to_owned(), attributes: Vec::new(), run: Box::new(run) };
        self.entries.insert(name.to_owned(), entry);
        self
    }

    /// Adds a Rust function as an entry point. Its types determine those of the entry point.
    ///
    /// ```
    /// use forall_futhark::serve::Program;
    /// let program = Program::new().function("larger", |a: i32, b: i32| a.max(b));
    /// # let _ = program;
    /// ```
    pub fn function<P>(self, name: &str, function: impl Function<P>) -> Self {
        let inputs = function.inputs();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let output = function.output();
        self.entry(name, &inputs, &output, move |inputs| {
            function.call(inputs).ok_or_else(|| Fault::Error("Error: a value of another type".to_owned()))
        })
    }

    /// Adds an attribute to an entry point, written without `#[` and `]`.
    ///
    /// ```
    /// use forall_futhark::serve::Program;
    /// let program = Program::new().function("is_even", |x: i64| x % 2 == 0).attribute("is_even", "prop");
    /// # let _ = program;
    /// ```
    pub fn attribute(mut self, entry_point: &str, attribute: &str) -> Self {
        if let Some(entry) = self.entries.get_mut(entry_point) {
            // Attributes are a set: duplicates are ignored.
            if !entry.attributes.iter().any(|known| known == attribute) {
                entry.attributes.push(attribute.to_owned());
                entry.attributes.sort();
            }
        }
        self
    }

    /// Makes the server misbehave.
    ///
    /// ```
    /// use forall_futhark::serve::{Misbehaviour, Program};
    /// let dies = Program::new().misbehave(Misbehaviour::Die { after: 100 });
    /// # let _ = dies;
    /// ```
    pub fn misbehave(mut self, how: Misbehaviour) -> Self {
        self.misbehaviour = Some(how);
        self
    }

    /// Serves on standard input and output until the input ends, then exits the process.
    ///
    /// ```no_run
    /// forall_futhark::serve::Program::new().function("double", |x: i64| x * 2).serve();
    /// ```
    pub fn serve(self) -> ! {
        let mut arguments = std::env::args();
        let name = arguments.next().unwrap_or_default();
        let status = match self.answer(&mut io::stdin().lock(), &mut io::stdout().lock()) {
            Ok(()) => 0,
            Err(why) => {
                eprintln!("{name}: {why}");
                1
            }
        };
        std::process::exit(status)
    }

    /// Answers the commands of an input, until it ends or a command ends the server. Returns the message of that
    /// command as an error.
    ///
    /// ```
    /// use forall_futhark::serve::Program;
    /// let mut answers = Vec::new();
    /// let end = Program::new().answer(&mut &b"what\n"[..], &mut answers);
    /// assert_eq!(end.unwrap_err(), "Unknown command: what");
    /// ```
    pub fn answer(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), String> {
        let mut misbehaving = misbehave::Misbehaving::new(output, self.misbehaviour);
        let output: &mut dyn Write = &mut misbehaving;
        let mut state = State::new(self);
        let gone = |error: io::Error| format!("the client is gone: {error}");
        writeln!(output, "{OK}").and_then(|()| output.flush()).map_err(gone)?;
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).map_err(gone)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let mut says = Vec::new();
            let done = state.command(line.trim_end_matches('\n'), &mut says);
            if matches!(self.misbehaviour, Some(Misbehaviour::Crowd { variables }) if state.variables() as u64 > variables)
            {
                std::process::abort();
            }
            let mut answer = says.join("\n");
            if !answer.is_empty() {
                answer.push('\n');
            }
            match done {
                Ok(()) => {}
                Err(Trouble::Failure(message)) => {
                    answer += &format!("{FAILURE}\n{message}\n");
                }
                Err(Trouble::Fatal(message)) => return Err(message),
            }
            answer += OK;
            answer.push('\n');
            output.write_all(answer.as_bytes()).and_then(|()| output.flush()).map_err(gone)?;
        }
    }
}

/// A Rust function that can be an entry point: up to four parameters, all of them and the result [`Native`].
///
/// ```
/// use forall_futhark::serve::Function;
/// fn types<P>(function: impl Function<P>) -> (Vec<String>, String) {
///     (function.inputs(), function.output())
/// }
/// assert_eq!(types(|x: i32, ys: Vec<f32>| (x, ys.len() as i64)), (vec!["i32".into(), "[]f32".into()], "(i32, i64)".into()));
/// ```
pub trait Function<P>: 'static {
    /// Returns the types of the parameters.
    fn inputs(&self) -> Vec<String>;

    /// Returns the type of the result.
    fn output(&self) -> String;

    /// Calls the function; `None` if an input has another type.
    fn call(&self, inputs: &[Datum]) -> Option<Datum>;
}

macro_rules! functions {
    ($($($T:ident $at:tt)*;)*) => {$(
        impl<F, R: Native, $($T: Native),*> Function<($($T,)*)> for F
        where
            F: Fn($($T),*) -> R + 'static,
        {
            fn inputs(&self) -> Vec<String> {
                vec![$($T::type_name()),*]
            }

            fn output(&self) -> String {
                R::type_name()
            }

            #[allow(unused_variables, reason = "a function without parameters looks at none")]
            fn call(&self, inputs: &[Datum]) -> Option<Datum> {
                Some(self($($T::from_datum(inputs.get($at)?)?),*).into_datum())
            }
        }
    )*};
}

functions! {
    ;
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}
