//! `forall write`: scaffolds a property for existing functions and types.

mod argument;
mod callee;
mod compiled;
mod fit;
mod laws;
mod methods;
mod model;
mod signature;

use crate::Error;
use crate::build::metadata;
use callee::{Callee, Source};
use clap::{Args, Subcommand};
use compiled::Compiled;
use methods::Methods;
use signature::Function;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// The arguments of `write`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Write {
    /// The law.
    #[command(subcommand)]
    pub law: Law,
    /// The workspace's manifest. By default, that of the current directory
    #[arg(long, value_name = "Cargo.toml", global = true)]
    pub manifest_path: Option<String>,
}

/// The laws.
#[derive(Debug, Subcommand)]
pub enum Law {
    /// One function inverts the other: print and parse, encode and decode
    RoundTrip {
        /// The function that comes first
        there: String,
        /// The function that inverts it
        back: String,
    },
    /// Calling it twice is the same as calling it once: sort, normalise, format
    Idempotence {
        /// The function
        function: String,
    },
    /// Two functions return the same: a fast one and a simple one
    Equivalence {
        /// The function
        function: String,
        /// The function to compare with
        other: String,
    },
    /// A type behaves like a model of it, for any sequence of calls
    Model {
        /// The type
        #[arg(value_name = "TYPE")]
        name: String,
    },
    /// It returns without a panic, for any input
    NoPanic {
        /// The function
        function: String,
    },
}

const HELP: &str = "\
Finds functions, methods (`Type::method`) and types in the sources of the workspace, and prints a #[forall::test] with its `use` lines,
for a file in tests/. It is compiled before it is printed. A property of private items goes into the unit tests beside them.

  forall write round-trip encode decode
  forall write idempotence normalise >> tests/properties.rs
  forall write equivalence fast_sort slow_sort
  forall write no-panic Version::parse
  forall write model RingBuffer        a state machine: the type and a model whose methods you fill in

Type parameters get a type that satisfies their bounds. Types of your own need #[derive(forall::Arbitrary)], or a constructor `new`.

Exit codes: 0 printed, 2 there is no such function or type, its types do not fit, or the property does not compile.";

/// Writes a property.
pub fn write(arguments: &Write) -> Result<ExitCode, Error> {
    let metadata = metadata(arguments.manifest_path.as_deref())?;
    let sources = callee::sources(&metadata);
    // Notes about ambiguous matches, printed above the property.
    let remarks = RefCell::new(String::new());
    let find = |name: &str| find(&sources, name, &remarks);
    let is_own = |name: &str| is_own(&sources, name);
    let (property, callees) = match &arguments.law {
        Law::RoundTrip { there, back } => {
            let (there, back) = (find(there)?, find(back)?);
            (laws::round_trip(&there, &back, &is_own)?, vec![there, back])
        }
        Law::Idempotence { function } => {
            let function = find(function)?;
            (laws::idempotence(&function, &is_own)?, vec![function])
        }
        Law::Equivalence { function, other } => {
            let (function, other) = (find(function)?, find(other)?);
            (laws::equivalence(&function, &other)?, vec![function, other])
        }
        Law::NoPanic { function } => {
            let function = find(function)?;
            (laws::no_panic(&function), vec![function])
        }
        Law::Model { name } => {
            let text = model::model(last(name), &find_methods(&sources, last(name), &remarks)?)?;
            crate::screen::print(&format!("{}{text}", remarks.into_inner()));
            return Ok(ExitCode::SUCCESS);
        }
    };
    let constructor = |of: &str| callee::constructor(&sources, of);
    let text = property.text(&constructor);
    let made = property.parameters.iter().filter_map(|parameter| constructor(&parameter.argument.owned));
    let used: Vec<Callee> = callees.into_iter().chain(made).collect();
    let imports: Option<BTreeSet<String>> = used.iter().map(|callee| callee.import.clone()).collect();
    let Some(imports) = imports else {
        // Private items can be tested only inside their crate.
        let beside =
            used.iter().find(|callee| callee.import.is_none()).map_or(String::new(), |callee| near(&callee.path));
        let place = format!("// For a `#[cfg(test)] mod tests` with `use super::*;` in {beside}. Not compiled.\n");
        crate::screen::print(&format!("{}{place}{text}", remarks.into_inner()));
        return Ok(ExitCode::SUCCESS);
    };
    let of_types = property.parameters.iter().flat_map(|one| callee::imports_of(&sources, &one.argument.owned));
    let named = of_types.filter(|path| text.contains(last(path)));
    let paths: BTreeSet<String> = imports.into_iter().chain(named).collect();
    let crates =
        if compiled::edition(&metadata, &used[0].package) == "2015" { extern_crates(&paths) } else { String::new() };
    let file = format!("{crates}{}\n{text}", use_lines(paths));
    match compiled::compile(&metadata, &used[0].package, &used[0].directory, &file)? {
        Compiled::Yes => {}
        Compiled::Untried(why) => *remarks.borrow_mut() += &format!("// Not compiled: {why}.\n"),
        Compiled::No(errors) => {
            return Err(format!(
                "this property does not compile:\n\n{file}\n{errors}\nWrite it by hand from here: a type of your own needs \
                 #[derive(forall::Arbitrary)] or a generator, and types that cannot be compared need another assertion"
            )
            .into());
        }
    }
    crate::screen::print(&format!("{}{file}", remarks.into_inner()));
    Ok(ExitCode::SUCCESS)
}

/// Edition 2015 has only the crates that a file names.
fn extern_crates(paths: &BTreeSet<String>) -> String {
    let own = paths.iter().filter_map(|path| path.split("::").next());
    let crates: BTreeSet<&str> = own.chain(["forall"]).collect();
    crates.into_iter().map(|name| format!("extern crate {name};\n")).collect()
}

/// `use` lines, with the names of a module in one.
fn use_lines(paths: BTreeSet<String>) -> String {
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths {
        let (module, name) = path.rsplit_once("::").unwrap_or(("", &path));
        modules.entry(module.to_owned()).or_default().push(name.to_owned());
    }
    let line = |(module, names): (String, Vec<String>)| match &names[..] {
        [name] => format!("use {module}::{name};\n"),
        names => format!("use {module}::{{{}}};\n", names.join(", ")),
    };
    modules.into_iter().map(line).collect()
}

/// A name without its modules.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn find_methods(sources: &[Source], name: &str, remarks: &RefCell<String>) -> Result<Methods, Error> {
    if let Some(mut methods) =
        first(sources, &format!("methods of {name}"), remarks, &|text| Methods::find(text, name))?
    {
        let is_default = |source: &Source| methods::is_default(&source.text, name);
        methods.has_default = sources.iter().any(is_default);
        return Ok(methods);
    }
    Err(format!(
        "there is no `impl {name} {{ … }}` in this workspace; name a type that has methods, without its module path"
    )
    .into())
}

/// Searches the files, and notes further files with a match.
fn first<T>(
    sources: &[Source],
    what: &str,
    remarks: &RefCell<String>,
    find: &dyn Fn(&str) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut found: Option<(T, &Path)> = None;
    for Source { path, text, .. } in sources {
        match (&found, find(text)) {
            (None, ended) => found = ended?.map(|it| (it, path.as_path())),
            (Some((_, taken)), Ok(Some(_)) | Err(_)) => *remarks.borrow_mut() += &other_file(what, taken, path),
            (Some(_), Ok(None)) => {}
        }
    }
    Ok(found.map(|(it, _)| it))
}

fn other_file(what: &str, taken: &Path, other: &Path) -> String {
    format!("// Using the {what} from {}; there are others in {}.\n", near(taken), near(other))
}

/// A path relative to the current directory, if it is below it.
fn near(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

fn find(sources: &[Source], name: &str, remarks: &RefCell<String>) -> Result<Callee, Error> {
    let (callee, others) = callee::find(sources, name)?;
    for other in others {
        *remarks.borrow_mut() += &other_file(&format!("parameters of {}", callee.name), &callee.path, &other);
    }
    Ok(callee)
}

/// Whether the name is that of a type of this workspace, without an alias or a `Deref`.
fn is_own(sources: &[Source], name: &str) -> bool {
    let says = |text: &str, what: &str| {
        let declared = format!("{what} {name}");
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&declared).any(|(at, _)| is_end(&text[at + declared.len()..]))
    };
    let any = |what: &str| sources.iter().any(|source| says(&source.text, what));
    (any("struct") || any("enum")) && !any("type") && !any("Deref for")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A callee of a source, as in the library `shop`.
    fn of(text: &str, name: &str) -> Callee {
        let package = serde_json::json!({"packages": []});
        assert!(callee::sources(&package).is_empty());
        let source = Source::example(text);
        callee::find(&[source], name).unwrap_or_else(|why| panic!("{why}")).0
    }

    fn shown(property: Result<laws::Property, Error>) -> String {
        property.unwrap_or_else(|why| panic!("{why}")).text(&|_| None)
    }

    #[test]
    fn borrowed_parameters_are_generated_owned() {
        let source = "pub fn encode(text: &str) -> Vec<u8> { todo!() }\npub fn decode(bytes: &[u8]) -> Result<String, Error> { todo!() }";
        assert_eq!(
            shown(laws::round_trip(&of(source, "encode"), &of(source, "decode"), &|_| false)),
            "#[forall::test]\nfn decode_inverts_encode(text: String) {\n    let made = encode(&text);\n    \
             assert_eq!(decode(&made).unwrap(), text);\n}\n"
        );
    }

    #[test]
    fn generic_functions_get_types_and_methods_their_type() {
        let hex = "pub fn encode<T: AsRef<[u8]>>(data: T) -> String { todo!() }\n\
                   pub fn decode<T: AsRef<[u8]>>(data: T) -> Result<Vec<u8>, FromHexError> { todo!() }";
        let text = shown(laws::round_trip(&of(hex, "encode"), &of(hex, "decode"), &|_| false));
        assert!(
            text.contains(
                "(data: Vec<u8>) {\n    let made = encode(&data);\n    assert_eq!(decode(&made).unwrap(), data);"
            ),
            "{text}"
        );
        let version = "pub struct Version;\nimpl Version {\n    pub fn parse(text: &str) -> Result<Self, Error> { todo!() }\n    \
                       pub fn bump(&mut self, by: u64) {}\n}\nimpl std::fmt::Display for Version {}";
        let text = shown(Ok(laws::no_panic(&of(version, "Version::parse"))));
        assert!(text.contains("fn parse_never_panics(text: String) {\n    let _ = Version::parse(&text);"), "{text}");
        let text = shown(Ok(laws::no_panic(&of(version, "bump"))));
        assert!(
            text.contains("(mut version: Version, by: u64) {\n    let _ = Version::bump(&mut version, by);"),
            "{text}"
        );
    }

    #[test]
    fn a_closure_is_reported() {
        let source = Source::example("pub fn each(f: impl Fn(u8)) {}");
        let wrong = callee::find(&[source], "each").unwrap_err().to_string();
        let why = "each cannot be called with generated values: its parameter `f` is a closure. Write a wrapper function that can";
        assert_eq!(wrong, why);
    }

    #[test]
    fn use_lines_have_the_names_of_a_module_together() {
        let paths = ["hex::encode", "hex::decode", "hex::serde::serialize"].map(str::to_owned);
        assert_eq!(use_lines(BTreeSet::from(paths)), "use hex::{decode, encode};\nuse hex::serde::serialize;\n");
    }

    #[test]
    fn values_are_cloned_if_they_are_used_again() {
        let source = "fn sort(xs: Vec<i32>) -> Vec<i32> { xs }\nfn slow(ys: &[i32]) -> Vec<i32> { vec![] }";
        let text = shown(laws::equivalence(&of(source, "sort"), &of(source, "slow")));
        assert!(
            text.contains("fn sort_equals_slow(xs: Vec<i32>) {\n    assert_eq!(sort(xs.clone()), slow(&xs));\n"),
            "{text}"
        );
        let text = shown(laws::idempotence(&of(source, "sort"), &|_| false));
        assert!(text.contains("let once = sort(xs);\n    let twice = sort(once.clone());"), "{text}");
    }

    #[test]
    fn functions_that_do_not_fit_are_reported() {
        let source = "fn two(a: u8, b: u8) -> u8 { a }\nfn none(a: u8) {}\nfn text(a: String) -> u8 { 0 }\nfn byte(a: u8) -> u8 { 0 }";
        let of = |name: &str| of(source, name);
        let back =
            |there: &str, back: &str| laws::round_trip(&of(there), &of(back), &|_| false).unwrap_err().to_string();
        let again = |name: &str| laws::idempotence(&of(name), &|_| false).unwrap_err().to_string();
        let told = [
            back("two", "text"),
            back("none", "text"),
            back("byte", "none"),
            back("byte", "text"),
            back("text", "byte"),
            again("two"),
            again("none"),
            again("text"),
            laws::equivalence(&of("two"), &of("text")).unwrap_err().to_string(),
            model::model("Stack", &Methods::default()).unwrap_err().to_string(),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }
}
