//! "Compiles when pasted" is a promise: the `let` lines of reports, for every standard instance and for derived types, are
//! pasted into a crate, compiled, run, and make the values that they were printed from.

use forall::choice::Source;
use forall::generate::{Arbitrary, any};
use forall::property::{Binding, Printed};
use forall::report::{Style, let_lines};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::{Debug, Write};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How many values of each type are pasted.
const VALUES: u64 = 12;

/// The program under construction: one function for each value.
#[derive(Default)]
struct Program {
    declarations: &'static str,
    functions: String,
    calls: String,
    count: usize,
}

/// Whether the `Debug` of equal values is equal: not for hash tables, whose order is their own.
#[derive(Clone, Copy, PartialEq)]
enum DebugOrder {
    Fixed,
    Free,
}

impl Program {
    /// Pastes values of `T`, annotated with what becomes of the name that the compiler has for it, or as written.
    fn paste<T: Arbitrary + Debug>(&mut self, type_text: Option<&'static str>, order: DebugOrder) {
        for index in 0..VALUES {
            // From empty to large, on a narrow screen and on a wide one.
            let size = [0, 3, 20, 100][index as usize % 4];
            let value = Source::random(7, index, size).draw(any::<T>());
            let printed = Printed::code(&value);
            assert!(printed.code.is_some(), "{} has no code form: {value:?}", printed.type_name);
            let binding = Binding { name: "value", type_text, printed };
            let style = Style::plain().verbose(true).width(if index % 2 == 0 { 40 } else { 100 });
            let lines = let_lines(&[binding], &style, "");
            let name = format!("value_{}", self.count);
            self.count += 1;
            let check = match order {
                DebugOrder::Fixed => format!("assert_eq!(format!(\"{{value:?}}\"), {:?});", format!("{value:?}")),
                DebugOrder::Free => {
                    format!("assert_eq!(format!(\"{{value:?}}\").len(), {});", format!("{value:?}").len())
                }
            };
            writeln!(self.functions, "fn {name}() {{\n{lines}{check}\n}}").unwrap();
            writeln!(self.calls, "    {name}();").unwrap();
        }
    }

    fn text(&self) -> String {
        // Reports name collections without their path, as code does that imports them.
        let imports = "#[allow(unused_imports)]\nuse std::collections::*;";
        format!("{imports}\n{}\n{}\nfn main() {{\n{}}}\n", self.declarations, self.functions, self.calls)
    }
}

macro_rules! paste_all {
    ($program:ident: $($t:ty),* $(,)?) => { $($program.paste::<$t>(None, DebugOrder::Fixed);)* };
}

#[test]
fn printed_standard_values_compile_and_evaluate_to_the_same_value() {
    let mut program = Program::default();
    paste_all!(program:
        (), bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, Duration, SystemTime,
        std::cmp::Ordering, String, Box<str>, Rc<str>, Arc<str>, Cow<'static, str>, CString, OsString, PathBuf,
        Wrapping<i8>, Saturating<u8>, NonZero<u8>, NonZero<i128>, NonZero<usize>,
        IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6,
        Option<u8>, Option<Option<bool>>, Result<u8, String>, Vec<u8>, Vec<Vec<i64>>, Vec<String>, Vec<f64>, Vec<char>,
        VecDeque<u8>, LinkedList<i8>, BTreeMap<String, Vec<u8>>, BTreeSet<char>, BinaryHeap<u8>,
        Box<u8>, Rc<String>, Arc<Vec<u8>>, Box<[u8]>, Rc<[char]>, Arc<[String]>, Cow<'static, [u8]>, Cell<u8>, RefCell<Vec<u8>>,
        Range<i32>, RangeInclusive<u8>, RangeFrom<u8>, RangeTo<i8>, RangeToInclusive<char>, RangeFull, Bound<u8>,
        PhantomData<u8>, PhantomData<str>, [u8; 0], [bool; 3], [[i16; 2]; 2], (u8,), (u8, String), (i8, (bool, char), [u8; 1]),
        (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8),
        Option<Box<Result<BTreeMap<u8, (f32, String)>, Vec<Option<char>>>>>,
    );
    program.paste::<HashMap<u8, String>>(None, DebugOrder::Free);
    program.paste::<HashSet<i16>>(None, DebugOrder::Free);
    program.paste::<Vec<HashMap<char, Vec<u8>>>>(None, DebugOrder::Free);
    // As `#[forall::test]` and `property!` have it from the source.
    program.paste::<Vec<i32>>(Some("Vec < i32 >"), DebugOrder::Fixed);
    program.paste::<BTreeMap<u8, Cow<'static, str>>>(
        Some("std :: collections :: BTreeMap < u8 , std :: borrow :: Cow < 'static , str > >"),
        DebugOrder::Fixed,
    );
    run(&program.text());
}

/// Declares types here, derived, and keeps their declarations as text, for a crate that does not know forall.
macro_rules! declare {
    ($text:ident: $($item:item)*) => {
        $(#[allow(missing_docs)] #[derive(Debug, forall::Arbitrary)] $item)*
        const $text: &str = concat!($("#[derive(Debug)] ", stringify!($item), "\n"),*);
    };
}

declare! {
    DECLARATIONS:

    pub struct Unit;

    pub struct Wrapper(pub u8);

    pub struct Point {
        pub x: i32,
        pub r#type: Option<String>,
    }

    pub struct Pair<A, B> {
        pub first: A,
        pub second: (B, [bool; 2]),
    }

    pub enum Expr {
        Literal(i64),
        Name { text: String },
        Negate(Box<Expr>),
        Call(Box<Expr>, Vec<Expr>),
        Nothing,
    }
}

#[test]
fn printed_derived_values_compile_and_evaluate_to_the_same_value() {
    let mut program = Program { declarations: DECLARATIONS, ..Program::default() };
    paste_all!(program: Unit, Wrapper, Point, Pair<u8, Vec<Point>>, Expr, Option<Vec<Expr>>);
    program.paste::<Pair<Expr, Box<Wrapper>>>(Some("Pair<Expr, Box<Wrapper>>"), DebugOrder::Fixed);
    run(&program.text());
}

/// Types that the test reaches by a path.
mod inner {
    #[derive(Debug, forall::Arbitrary)]
    pub struct Circle<T>(pub T);

    #[derive(Debug, forall::Arbitrary)]
    pub enum Kind {
        Open,
        Closed { by: String },
    }
}

#[test]
fn types_written_as_paths_are_printed_as_paths() {
    let declarations = "mod inner {
        #[derive(Debug)] pub struct Circle<T>(pub T);
        #[derive(Debug)] pub enum Kind { Open, Closed { by: String } }
    }";
    use forall::prelude::*;
    use forall::property::Property;
    let property = property! { forall circle: inner::Circle<Vec<inner::Kind>>; check { let _ = circle; } };
    let mut program = Program { declarations, ..Program::default() };
    for index in 0..VALUES {
        let bindings = property.print(&mut Source::random(7, index, 20), &[]).unwrap();
        let lines = let_lines(&bindings, &Style::plain(), "");
        writeln!(program.functions, "#[allow(unused)]\nfn value_{index}() {{\n{lines}}}").unwrap();
    }
    assert!(program.functions.contains("inner::Kind::Closed { by: "), "{}", program.functions);
    run(&program.text());
}

#[forall::property]
fn takes_lifetimes(text: Cow<'static, str>, bytes: (Cow<'static, [u8]>, u8), letters: [Cow<'static, str>; 2]) {
    let _ = (text, bytes, letters);
}

#[test]
fn types_that_were_written_with_lifetimes_compile() {
    use forall::prelude::*;
    use forall::property::Property;
    let written = property! { forall text: Cow<'static, str>; check text.len() < 1000 };
    let mut program = Program { declarations: "use std::borrow::Cow;", ..Program::default() };
    for (place, property) in [&written as &dyn Property, &takes_lifetimes::property()].into_iter().enumerate() {
        let bindings = property.print(&mut Source::random(7, 1, 20), &[]).unwrap();
        let lines = let_lines(&bindings, &Style::plain(), "");
        assert!(lines.contains("let text: Cow<'static, str> = "), "{lines}");
        writeln!(program.functions, "#[allow(unused)]\nfn value_{place}() {{\n{lines}}}").unwrap();
    }
    run(&program.text());
}

#[test]
fn claims_do_not_break_the_code_of_a_value() {
    use forall::prelude::*;
    use forall::run::{Run, Settings, Store};
    /// The block of code of the report.
    fn block(property: &dyn forall::property::Property, width: usize) -> String {
        let settings = Settings::new().seed(1).store(Store::Off).enumerate(false);
        let report = Run::new("pasted", property).settings(settings).report();
        assert!(!report.counterexample.as_ref().unwrap().explanation.claims.is_empty());
        let text = forall::report::render(&report, &Style::plain().width(width));
        text.split("\n\n").nth(1).unwrap().to_owned()
    }
    let hostile = property! { forall text in elements(["\n*/ }", "//", "\u{202e}"]).map(str::to_owned); check false };
    let point = property! { forall p: Point; forall xs: Vec<(u8, String)>; check xs.len() < 2 };
    let related = property! { forall a: u64; forall b: u64; check a != b };
    let mut program = Program { declarations: DECLARATIONS, ..Program::default() };
    for property in [&hostile as &dyn forall::property::Property, &point, &related] {
        for width in [40, 100] {
            let name = format!("value_{}", program.count);
            program.count += 1;
            let block = block(property, width);
            assert!(block.contains("// "), "{block}");
            writeln!(program.functions, "#[allow(unused)]\nfn {name}() {{\n{block}\n}}").unwrap();
            writeln!(program.calls, "    {name}();").unwrap();
        }
    }
    run(&program.text());
}

/// Compiles the program and runs it.
fn run(text: &str) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("main").replace(':', "-");
    let directory = std::env::temp_dir().join(format!("forall-pasted-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("main.rs");
    std::fs::write(&source, text).unwrap();
    let outcome = compile_and_run(&source, &directory.join("main"));
    let _ = std::fs::remove_dir_all(&directory);
    if let Err(why) = outcome {
        panic!("{why}");
    }
}

fn compile_and_run(source: &Path, program: &Path) -> Result<(), String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    // Values at the ends of their type, and functions that only bind one, are what this is about.
    command.args(["--edition", "2024", "-C", "debuginfo=0", "-A", "dead_code", "-o"]).arg(program).arg(source);
    let Ok(compiled) = command.output() else {
        println!("SKIPPED: there is no rustc to compile with");
        return Ok(());
    };
    if !compiled.status.success() {
        return Err(format!("what was printed does not compile:\n{}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let ran = Command::new(program).output().map_err(|error| format!("the program cannot be run: {error}"))?;
    match ran.status.success() {
        true => Ok(()),
        false => Err(format!("what was printed means something else:\n{}", String::from_utf8_lossy(&ran.stderr))),
    }
}
