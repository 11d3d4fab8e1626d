//! The server: its entry points, and its commands.
//!
//! Transfer of values is in `values.rs`, the structure of types in `structure.rs`, parts of values in `parts.rs`.

use super::connection::{Connection, Options, unspeakable};
use super::kinds::{Generation, Kind, Parameter};
use super::script::Buffers;
use super::values::Files;
use super::variable::Variable;
use super::{Error, Lost, Why};
use crate::datum::types::Types;
use crate::folder::{Folder, no_place};
use crate::protocol::{MOST_WORDS, join};
use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// The maximum number of live variables on a server. Servers compiled by Futhark 0.25 keep pointers into a table of a
/// hundred entries, which moves when it grows.
pub(super) const MOST_VARIABLES: usize = 96;

/// The error for a server that rejects a variable that it created.
pub(super) const DOES_NOT_HAVE: &str = "it created these variables and does not have them";

pub(super) struct Shared {
    connection: RefCell<Connection>,
    /// Variables without an owner, to be freed.
    pub(super) garbage: RefCell<Garbage>,
    /// The number of the next variable.
    pub(super) next: Cell<u64>,
    /// The number of live variables, including those of pending commands.
    pub(super) live: Cell<usize>,
    /// The number of live variables that cannot be freed.
    pub(super) leaked: Cell<usize>,
    /// The number of times that all variables were freed at once.
    pub(super) epoch: Cell<u64>,
    pub(super) kinds: RefCell<HashMap<String, Kind>>,
    /// The outputs of the entry points called so far.
    outputs: RefCell<Vec<(String, Vec<Parameter>)>>,
    /// The structures of the types seen so far.
    pub(super) known: RefCell<Types>,
    commands: Cell<u64>,
    /// The command that checks that answers match their commands.
    echo: RefCell<Option<Rc<Echo>>>,
    pub(super) files: RefCell<Files>,
    /// The buffers that scripts reuse.
    pub(super) buffers: RefCell<Vec<Buffers>>,
    /// The directory for transferring values; in memory, if the system has such a file system.
    pub(super) directory: Folder,
}

/// The initial capacity of the buffer for the names of freed variables.
const ROOM_FOR_NAMES: usize = 4 * MOST_VARIABLES;

/// Variables without an owner, as the commands that free them.
#[derive(Default)]
pub(super) struct Garbage {
    text: String,
    names: usize,
    lines: usize,
}

impl Garbage {
    /// Adds a variable by its name.
    pub(super) fn push(&mut self, name: &str) {
        if self.names.is_multiple_of(MOST_WORDS - 1) {
            if self.lines == 0 {
                self.text.reserve(ROOM_FOR_NAMES);
            }
            self.text += if self.lines == 0 { "free" } else { "\nfree" };
            self.lines += 1;
        }
        self.names += 1;
        self.text.push(' ');
        self.text += name;
    }

    /// Adds a variable by its number.
    pub(super) fn push_number(&mut self, number: u64) {
        self.push("");
        push_name(&mut self.text, number);
    }
}

/// Appends the name of the variable with this number. Avoids `write!`, which is slow: each candidate has several
/// variables.
pub(super) fn push_name(text: &mut String, number: u64) {
    /// The numbers below 100, which are those of nearly all variables.
    const NUMBERS: &str = "00010203040506070809101112131415161718192021222324252627282930313233343536373839\
                           40414243444546474849505152535455565758596061626364656667686970717273747576777879\
                           8081828384858687888990919293949596979899";
    text.push('v');
    match number {
        0..100 => {
            let at = 2 * number as usize;
            text.push_str(&NUMBERS[at + usize::from(number < 10)..at + 2]);
        }
        // Writing to a `String` cannot fail.
        _ => drop(write!(text, "{number}")),
    }
}

/// A command with a known answer at the end of an exchange. Any other answer shows that the server sent too much or too
/// little.
pub(super) struct Echo {
    /// The line of the command with its line end; empty if the server has no suitable command.
    pub(super) line: String,
    pub(super) expected: Vec<String>,
}

/// A running server, with its entry points.
///
/// ```no_run
/// use forall_futhark::client::{Options, Server};
/// use forall_futhark::data::Value;
///
/// let server = Server::start("./program", &Options::default()).unwrap();
/// let inputs = server.put(&[Value::scalar(2i64)]).unwrap();
/// let output = server.call("double", &[&inputs[0]]).unwrap();
/// assert_eq!(server.get(&[&output]).unwrap(), [Value::scalar(4i64)]);
/// ```
pub struct Server {
    pub(super) shared: Rc<Shared>,
    pub(super) generation: Generation,
    pub(super) types: Vec<String>,
    entry_points: Vec<String>,
}

impl Server {
    /// Starts a server and queries its entry points. An older server exits at the first unknown command, or rejects it;
    /// a server that exited is restarted.
    ///
    /// ```no_run
    /// use forall_futhark::client::{Generation, Options, Server};
    /// let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.generation(), Generation::Current);
    /// ```
    pub fn start(program: &str, options: &Options) -> Result<Self, Error> {
        let mut connection = Connection::start(program, options)?;
        let types = connection.ask(&["types"])?;
        // A server in another language may have few types, and may exit when queried for an unknown type.
        let known = types.first().map_or("i32", String::as_str);
        let generation = match connection.ask(&["kind", known]) {
            Err(Error::Lost(lost)) if lost.why == Why::Ended && lost.stderr.contains("Unknown command") => {
                connection = Connection::start(program, options)?;
                Generation::Legacy
            }
            // Servers compiled to Python continue after an unknown command.
            Err(Error::Refused(refused)) if refused.message.iter().any(|line| line.contains("Unknown command")) => {
                Generation::Legacy
            }
            answer => answer.map(|_| Generation::Current)?,
        };
        let entry_points = connection.ask(&["entry_points"])?;
        let directory = directory().map_err(|error| Error::File(no_place("the values that travel", &error)))?;
        let shared = Shared {
            connection: connection.into(),
            garbage: RefCell::default(),
            next: Cell::new(0),
            live: Cell::new(0),
            leaked: Cell::new(0),
            epoch: Cell::new(0),
            kinds: RefCell::default(),
            outputs: RefCell::default(),
            known: RefCell::default(),
            commands: Cell::new(0),
            echo: RefCell::default(),
            files: RefCell::default(),
            buffers: RefCell::default(),
            directory,
        };
        Ok(Self { shared: Rc::new(shared), generation, types, entry_points })
    }

    /// Returns the generation of the server, which determines the commands that it supports.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// println!("{:?}", server.generation());
    /// ```
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// Returns the names of the program's types.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.types().contains(&"bool".to_owned()));
    /// ```
    pub fn types(&self) -> &[String] {
        &self.types
    }

    /// Returns the names of the program's entry points.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.entry_points().contains(&"main".to_owned()));
    /// ```
    pub fn entry_points(&self) -> &[String] {
        &self.entry_points
    }

    /// Sets the deadline of the whole run, at which the server is killed.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.ends_at(Some(std::time::Instant::now() + std::time::Duration::from_secs(300)));
    /// ```
    pub fn ends_at(&self, instant: Option<Instant>) {
        self.shared.connection.borrow_mut().ends_at(instant);
    }

    /// Returns whether the server is alive.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.is_alive());
    /// ```
    pub fn is_alive(&self) -> bool {
        self.shared.connection.borrow().is_alive()
    }

    /// Returns the loss of the server, if it was lost.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.loss().is_none());
    /// ```
    pub fn loss(&self) -> Option<Lost> {
        self.shared.connection.borrow().loss().cloned()
    }

    /// Returns the number of commands sent so far.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// println!("{} commands", server.commands());
    /// ```
    pub fn commands(&self) -> u64 {
        self.shared.commands.get()
    }

    /// Returns the inputs of an entry point.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.inputs("double").unwrap()[0].type_name, "i64");
    /// ```
    pub fn inputs(&self, entry_point: &str) -> Result<Vec<Parameter>, Error> {
        Ok(self.ask(&["inputs", entry_point])?.iter().map(|line| Parameter::parse(line)).collect())
    }

    /// Returns the outputs of an entry point, queried once: one output, or on older servers one per part of a tuple.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.outputs("double").unwrap()[0].type_name, "i64");
    /// ```
    pub fn outputs(&self, entry_point: &str) -> Result<Vec<Parameter>, Error> {
        self.with_outputs(entry_point, <[Parameter]>::to_vec)
    }

    /// Applies a function to the outputs of an entry point, which are queried once.
    pub(super) fn with_outputs<T>(&self, entry_point: &str, make: impl FnOnce(&[Parameter]) -> T) -> Result<T, Error> {
        // A linear search is fast enough: a run calls few entry points.
        if let Some((_, known)) = self.shared.outputs.borrow().iter().find(|(name, _)| name == entry_point) {
            return Ok(make(known));
        }
        let command = match self.generation {
            Generation::Current => "output",
            Generation::Legacy => "outputs",
        };
        let outputs: Vec<Parameter> =
            self.ask(&[command, entry_point])?.iter().map(|line| Parameter::parse(line)).collect();
        let made = make(&outputs);
        self.shared.outputs.borrow_mut().push((entry_point.to_owned(), outputs));
        Ok(made)
    }

    /// Returns the attributes of an entry point, without `#[` and `]`. Older servers do not report them.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.attributes("even").unwrap(), ["prop(size(10))"]);
    /// ```
    pub fn attributes(&self, entry_point: &str) -> Result<Vec<String>, Error> {
        match self.generation {
            Generation::Current => self.ask(&["attributes", entry_point]),
            Generation::Legacy => Err(Error::Impossible("this server has no command for attributes: it was compiled by a Futhark before 0.26.3; `attributes_in` reads them from the source"
                    .to_owned())),
        }
    }

    /// Calls an entry point with one output.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let input = server.put(&[Value::scalar(2i64)]).unwrap();
    /// let output = server.call("double", &[&input[0]]).unwrap();
    /// ```
    pub fn call(&self, entry_point: &str, inputs: &[&Variable]) -> Result<Variable, Error> {
        let mut outputs = self.call_all(entry_point, inputs)?;
        if outputs.len() == 1 {
            return Ok(outputs.remove(0));
        }
        // Older servers return the outermost tuple as several outputs.
        let types: Vec<&str> = outputs.iter().map(Variable::type_name).collect();
        let tuple = format!("({})", types.join(", "));
        if !self.types.contains(&tuple) {
            return Err(Error::Impossible(format!(
                "{entry_point} gives {tuple}, and this server has no such type; `Server::call_all` has them one by one"
            )));
        }
        self.record(&tuple, &outputs.iter().collect::<Vec<_>>())
    }

    /// Calls an entry point. Returns all outputs.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let both = server.call_all("quotient_and_remainder", &[]).unwrap();
    /// ```
    pub fn call_all(&self, entry_point: &str, inputs: &[&Variable]) -> Result<Vec<Variable>, Error> {
        let outputs: Vec<Variable> =
            self.outputs(entry_point)?.into_iter().map(|output| self.variable(output.type_name)).collect();
        let mut words = vec!["call", entry_point];
        words.extend(outputs.iter().chain(inputs.iter().copied()).map(|variable| variable.name()));
        self.ask(&words)?;
        Ok(outputs.into_iter().map(Variable::made).collect())
    }

    /// Sends a command that creates a variable. The variable's name is inserted between `before` and `after`.
    pub(super) fn make(&self, type_name: String, before: &[&str], after: &[&str]) -> Result<Variable, Error> {
        let variable = self.variable(type_name);
        let mut words = before.to_vec();
        words.push(variable.name());
        words.extend_from_slice(after);
        self.ask(&words)?;
        Ok(variable.made())
    }

    /// Reserves a variable with a unique name.
    pub(super) fn variable(&self, type_name: String) -> Variable {
        Variable::to_be_made(self.shared.clone(), type_name)
    }

    /// Returns whether failed commands have left so many variables behind that the server should be restarted.
    pub(crate) fn is_worn(&self) -> bool {
        self.shared.leaked.get() > MOST_VARIABLES / 2
    }

    pub(super) fn ask(&self, words: &[&str]) -> Result<Vec<String>, Error> {
        let line = join(words).ok_or_else(|| unspeakable(words))?;
        self.exchange(&[line]).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Sends lines, preceded by commands that free the variables without an owner.
    pub(super) fn exchange(&self, lines: &[String]) -> Vec<Result<Vec<String>, Error>> {
        let live = self.shared.live.get();
        if self.generation == Generation::Legacy && live > MOST_VARIABLES {
            let why = format!(
                "{live} variables would be alive at once; servers of this generation end beyond a hundred: drop some before"
            );
            return vec![Err(Error::Impossible(why))];
        }
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text += line;
            text.push('\n');
        }
        let mut answers = Vec::with_capacity(lines.len());
        match self.send(&[&text], lines.len(), None) {
            Ok(mut connection) => {
                for line in lines {
                    let answer = connection.answer(line);
                    let is_lost = matches!(answer, Err(Error::Lost(_)));
                    answers.push(answer);
                    if is_lost {
                        break;
                    }
                }
                connection.done(lines.last().map_or("", String::as_str));
            }
            Err(error) => answers.push(Err(error)),
        }
        answers
    }

    /// Sends pieces of text that together are whole lines, preceded by commands that free the variables without an
    /// owner. Calls `meanwhile` while the server works on them. The caller then reads the answers.
    pub(super) fn send(
        &self,
        lines: &[&str],
        commands: usize,
        meanwhile: Option<&dyn Fn()>,
    ) -> Result<RefMut<'_, Connection>, Error> {
        let garbage = self.shared.garbage.take();
        let all = garbage.lines + commands;
        self.shared.commands.set(self.shared.commands.get() + all as u64);
        let mut connection = self.shared.connection.borrow_mut();
        let sent = Instant::now();
        let end = if garbage.lines == 0 { "" } else { "\n" };
        connection.send([&*garbage.text, end].into_iter().chain(lines.iter().copied()))?;
        if let Some(work) = meanwhile {
            work();
        }
        connection.let_it_work(all, sent);
        for line in garbage.text.lines() {
            match connection.is_done(line) {
                Ok(()) => connection.says_nothing(line)?,
                Err(Error::Refused(refused)) => {
                    return Err(connection.distrust(line, DOES_NOT_HAVE, refused.message));
                }
                Err(lost) => return Err(lost),
            }
        }
        Ok(connection)
    }

    /// Ends the server because it wrote invalid data.
    pub(super) fn distrust(&self, command: &str, why: &Error) -> Error {
        self.shared.connection.borrow_mut().distrust(command, &why.to_string(), Vec::new())
    }

    /// Returns the command that checks that answers match their commands: it queries the inputs of an entry point,
    /// which do not change.
    pub(super) fn echo(&self) -> Result<Rc<Echo>, Error> {
        if let Some(known) = &*self.shared.echo.borrow() {
            return Ok(known.clone());
        }
        let mut echo = Echo { line: String::new(), expected: Vec::new() };
        for entry_point in &self.entry_points {
            let expected = self.ask(&["inputs", entry_point])?;
            if let (false, Some(line)) = (expected.is_empty(), join(&["inputs", entry_point])) {
                echo = Echo { line: line + "\n", expected };
                break;
            }
        }
        let echo = Rc::new(echo);
        *self.shared.echo.borrow_mut() = Some(echo.clone());
        Ok(echo)
    }
}

/// Creates a private directory for transferring values; in memory, if the system has such a file system.
fn directory() -> std::io::Result<Folder> {
    const PREFIX: &str = "forall-values-";
    Folder::new(Path::new("/dev/shm"), PREFIX).or_else(|_| Folder::new(&std::env::temp_dir(), PREFIX))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_variables_are_their_numbers() {
        let named = |number| {
            let mut text = String::new();
            super::push_name(&mut text, number);
            text
        };
        assert!((0..1000).all(|number| named(number) == format!("v{number}")));
    }
}
