//! `forall write`: a property to begin with, for functions and types that are there.

mod fit;
mod methods;
mod model;
mod signature;

use crate::Error;
use crate::build::metadata;
use crate::list::shortened;
use clap::{Args, Subcommand};
use methods::Methods;
use serde_json::Value;
use signature::{Function, Parameter};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments of `write`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Write {
    /// What is to hold.
    #[command(subcommand)]
    pub law: Law,
    /// Where the workspace is, if not here
    #[arg(long, value_name = "Cargo.toml", global = true)]
    pub manifest_path: Option<String>,
}

/// What is to hold.
#[derive(Debug, Subcommand)]
pub enum Law {
    /// What one function makes, the other takes back: print and parse, encode and decode
    RoundTrip {
        /// The function that comes first
        there: String,
        /// The function that undoes it
        back: String,
    },
    /// Doing it twice is doing it once: sort, normalise, format
    Idempotence {
        /// The function
        function: String,
    },
    /// Two functions do the same: a fast one and a plain one
    Equivalence {
        /// The function
        function: String,
        /// The one that it is compared with
        other: String,
    },
    /// A type does what a model of it does, whatever its methods are called with
    Model {
        /// The type
        #[arg(value_name = "TYPE")]
        name: String,
    },
    /// It ends without a panic, whatever it is given
    NoPanic {
        /// The function
        function: String,
    },
}

const HELP: &str = "\
Looks functions and types up in the source of the workspace, and writes a #[forall::test] to standard output, with variables of the types
that they take. Put it into your tests and make it say more: beside the function with `use super::*`, or into a file of tests/, with a
`use my_crate::…` of what it calls.

  forall write round-trip encode decode
  forall write idempotence normalise >> tests/properties.rs
  forall write equivalence fast_sort slow_sort
  forall write model RingBuffer        a state machine: the type beside a model whose methods you fill in
  forall write no-panic parse

Types of your own need #[derive(Arbitrary)], from forall::prelude. But for a model, methods are not
looked up: write a function that calls one.

Exit codes: 0 written, 2 there is no such function or type, or its types do not fit.";

/// Writes.
pub fn write(arguments: &Write) -> Result<ExitCode, Error> {
    let sources = sources(&metadata(arguments.manifest_path.as_deref())?);
    // What is to be known of what was found.
    let remarks = RefCell::new(String::new());
    let find = |name: &str| find(&sources, name, &remarks);
    let is_own = |name: &str| is_own(&sources, name);
    let text = match &arguments.law {
        Law::RoundTrip { there, back } => round_trip(&find(there)?, &find(back)?, &is_own)?,
        Law::Idempotence { function } => idempotence(&find(function)?, &is_own)?,
        Law::Equivalence { function, other } => equivalence(&find(function)?, &find(other)?)?,
        Law::Model { name } => model::model(last(name), &find_methods(&sources, last(name), &remarks)?)?,
        Law::NoPanic { function } => no_panic(&find(function)?),
    };
    crate::screen::say(&format!("{}{text}", remarks.into_inner()));
    Ok(ExitCode::SUCCESS)
}

/// The files of the workspace's packages that may have the functions.
fn sources(metadata: &Value) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if let Some(directory) = package["manifest_path"].as_str().and_then(|path| Path::new(path).parent()) {
            walk(&directory.join("src"), &mut files);
        }
    }
    files.sort();
    files
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        // Links may go in circles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, files),
            Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            _ => {}
        }
    }
}

/// A name without its modules.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn find_methods(sources: &[PathBuf], name: &str, remarks: &RefCell<String>) -> Result<Methods, Error> {
    if let Some(mut methods) =
        first(sources, &format!("methods of {name}"), remarks, &|text| Methods::find(text, name))?
    {
        let is_default = |path| std::fs::read_to_string(path).is_ok_and(|text| methods::is_default(&text, name));
        methods.has_default = sources.iter().any(is_default);
        return Ok(methods);
    }
    Err(format!(
        "no `impl {name} {{ … }}` is in the source of this workspace; name a type that has methods, without modules"
    )
    .into())
}

/// What is found in the first file that has it. Others that have it, too, are named.
fn first<T>(
    sources: &[PathBuf],
    what: &str,
    remarks: &RefCell<String>,
    find: &dyn Fn(&str) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut found: Option<(T, &Path)> = None;
    for path in sources {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        match (&found, find(&text)) {
            (None, ended) => found = ended?.map(|it| (it, path.as_path())),
            (Some((_, taken)), Ok(Some(_)) | Err(_)) => {
                *remarks.borrow_mut() += &format!(
                    "// The {what} are those of {}. There are others in {}, which are left out here.\n",
                    near(taken),
                    near(path)
                );
            }
            (Some(_), Ok(None)) => {}
        }
    }
    Ok(found.map(|(it, _)| it))
}

/// A path from here on, if it is below.
fn near(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

fn find(sources: &[PathBuf], name: &str, remarks: &RefCell<String>) -> Result<Function, Error> {
    let name = last(name);
    let parameters = format!("parameters of {name}");
    if let Some(function) = first(sources, &parameters, remarks, &|text| Function::find(text, name))? {
        return Ok(function);
    }
    Err(format!(
        "no function `{name}` is in the source of this workspace; names are without modules, and methods are not looked up"
    ).into())
}

/// Whether the name is that of a type of this workspace, which is no other and does not turn into another by itself.
fn is_own(sources: &[PathBuf], name: &str) -> bool {
    let says = |text: &str, what: &str| {
        let declared = format!("{what} {name}");
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&declared).any(|(at, _)| is_end(&text[at + declared.len()..]))
    };
    let texts: Vec<String> = sources.iter().flat_map(std::fs::read_to_string).collect();
    let any = |what: &str| texts.iter().any(|text| says(text, what));
    (any("struct") || any("enum")) && !any("type") && !any("Deref for")
}

fn round_trip(there: &Function, back: &Function, is_own: &dyn Fn(&str) -> bool) -> Result<String, Error> {
    let ([value], [made]) = (&there.parameters[..], &back.parameters[..]) else {
        return Err(format!(
            "{} and {} need one parameter each for that: write functions around them that take one, a tuple perhaps",
            there.name, back.name
        )
        .into());
    };
    let Some(between) = &there.result else {
        return Err(format!(
            "{} returns nothing that {} could take: name the function first that makes what the other reads",
            there.name, back.name
        )
        .into());
    };
    let Some(result) = &back.result else {
        return Err(format!(
            "{} returns nothing that {} could have been given: name one that gives the value back",
            back.name, there.name
        )
        .into());
    };
    if fit::differ(between, &made.type_text, is_own) {
        let (there, back, taken) = (&there.name, &back.name, &made.type_text);
        return Err(format!(
            "{there} returns {between}, and {back} takes {taken}: name the function first whose result the other takes, or write one \
             that fits around it"
        ).into());
    }
    let got = format!("{}({})", back.name, made.passing("made"));
    let (expected, returned) = match fit::held(result) {
        // What is taken may be an `Option` itself.
        Some((holder, inside)) if fit::differ(result, &value.type_text, is_own) => {
            (format!("{holder}({})", value.name), inside)
        }
        _ => (value.name.clone(), &**result),
    };
    if fit::differ(returned, &value.type_text, is_own) {
        let (there, back, taken) = (&there.name, &back.name, &value.type_text);
        return Err(format!(
            "{there} takes {taken}, and {back} returns {result}, which does not take it back: write a function around it that returns \
             {taken}"
        ).into());
    }
    let name = format!("{}_takes_back_{}", back.name, there.name);
    let body =
        format!("    let made = {}({});\n    assert_eq!({got}, {expected});\n", there.name, value.passing_a_copy(),);
    Ok(test(&name, &there.parameters, &body))
}

fn idempotence(function: &Function, is_own: &dyn Fn(&str) -> bool) -> Result<String, Error> {
    let [value] = &function.parameters[..] else {
        return Err(format!(
            "{} needs one parameter for that, and has {}: write a function around it that takes one",
            function.name,
            function.parameters.len()
        )
        .into());
    };
    let name = &function.name;
    let Some(result) = &function.result else {
        return Err(format!(
            "{name} returns nothing; for one that changes its argument, write a function that returns it"
        )
        .into());
    };
    if fit::differ(result, &value.type_text, is_own) {
        return Err(format!(
            "{name} takes {} and returns {result}, which it cannot take again: write a function around it that returns what it takes",
            value.type_text
        ).into());
    }
    let copy = if value.is_borrowed() { String::from("&once") } else { String::from("once.clone()") };
    let body = format!(
        "    let once = {name}({});\n    let twice = {name}({copy});\n    assert_eq!(twice, once);\n",
        value.passing(&value.name)
    );
    Ok(test(&format!("{name}_twice_is_{name}_once"), &function.parameters, &body))
}

fn equivalence(function: &Function, other: &Function) -> Result<String, Error> {
    let types = |function: &Function| -> Vec<String> { function.parameters.iter().map(Parameter::owned).collect() };
    if types(function) != types(other) {
        let (ours, theirs) = (types(function).join(", "), types(other).join(", "));
        return Err(format!(
            "{} takes ({}) and {} takes ({}): write a function that takes the same",
            function.name,
            shortened(&ours, 60),
            other.name,
            shortened(&theirs, 60)
        )
        .into());
    }
    // Both by the names of the first, which keeps the values for the second.
    let first: Vec<String> = function.parameters.iter().map(Parameter::passing_a_copy).collect();
    let both = other.parameters.iter().zip(&function.parameters);
    let second: Vec<String> = both.map(|(parameter, ours)| parameter.passing(&ours.name)).collect();
    let (first, second) = (first.join(", "), second.join(", "));
    let body = format!("    assert_eq!({}({first}), {}({second}));\n", function.name, other.name);
    Ok(test(&format!("{}_is_{}", function.name, other.name), &function.parameters, &body))
}

fn no_panic(function: &Function) -> String {
    let arguments: Vec<String> =
        function.parameters.iter().map(|parameter| parameter.passing(&parameter.name)).collect();
    let body = format!("    let _ = {}({});\n", function.name, arguments.join(", "));
    test(&format!("{}_takes_anything", function.name), &function.parameters, &body)
}

fn test(name: &str, parameters: &[Parameter], body: &str) -> String {
    let variables: Vec<String> =
        parameters.iter().map(|parameter| format!("{}: {}", parameter.name, parameter.owned())).collect();
    format!("#[forall::test]\nfn {name}({}) {{\n{body}}}\n", variables.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(source: &str, name: &str) -> Function {
        Function::find(source, name).unwrap().unwrap()
    }

    #[test]
    fn what_is_borrowed_is_generated_owned() {
        let source = "pub fn encode(text: &str) -> Vec<u8> { todo!() }\npub fn decode(bytes: &[u8]) -> Result<String, Error> { todo!() }";
        assert_eq!(
            round_trip(&function(source, "encode"), &function(source, "decode"), &|_| false).unwrap(),
            "#[forall::test]\nfn decode_takes_back_encode(text: String) {\n    let made = encode(&text);\n    \
             assert_eq!(decode(&made), Ok(text));\n}\n"
        );
    }

    #[test]
    fn what_is_taken_is_cloned_where_it_is_needed_again() {
        let source = "fn sort(xs: Vec<i32>) -> Vec<i32> { xs }\nfn slow(ys: &[i32]) -> Vec<i32> { vec![] }";
        let text = equivalence(&function(source, "sort"), &function(source, "slow")).unwrap();
        assert!(
            text.contains("fn sort_is_slow(xs: Vec<i32>) {\n    assert_eq!(sort(xs.clone()), slow(&xs));\n"),
            "{text}"
        );
        let text = idempotence(&function(source, "sort"), &|_| false).unwrap();
        assert!(text.contains("let once = sort(xs);\n    let twice = sort(once.clone());"), "{text}");
    }

    #[test]
    fn functions_that_do_not_fit_are_told() {
        let source = "fn two(a: u8, b: u8) -> u8 { a }\nfn none(a: u8) {}\nfn text(a: String) -> u8 { 0 }\nfn byte(a: u8) -> u8 { 0 }";
        let of = |name: &str| function(source, name);
        let back = |there: &str, back: &str| round_trip(&of(there), &of(back), &|_| false).unwrap_err().to_string();
        let again = |name: &str| idempotence(&of(name), &|_| false).unwrap_err().to_string();
        let told = [
            back("two", "text"),
            back("none", "text"),
            back("byte", "none"),
            back("byte", "text"),
            back("text", "byte"),
            again("two"),
            again("none"),
            again("text"),
            equivalence(&of("two"), &of("text")).unwrap_err().to_string(),
            model::model("Stack", &Methods::default()).unwrap_err().to_string(),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }
}
