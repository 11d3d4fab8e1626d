//! `forall write`: scaffolds a property for existing functions and types.

mod argument;
mod callee;
mod compiled;
mod convert;
mod fit;
mod laws;
mod methods;
mod model;
mod signature;
mod sources;
mod values;

use crate::Error;
use crate::build::metadata;
use callee::Callee;
use clap::{Args, Subcommand};
use compiled::Compiled;
use laws::Property;
use methods::Methods;
use serde_json::Value;
use signature::Function;
use sources::{Source, Sources};
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

A path selects one of several functions of a name: `bytes::split`, `Trait::method`. Type parameters get a type that satisfies their
bounds. A type without Arbitrary is built by a constructor, its public fields, its variants or its constants.

Exit codes: 0 printed, 2 there is no such function or type, its types do not fit, or the property does not compile.";

/// How many ways to write a property are compiled at most.
const ATTEMPTS: usize = 12;

/// The ways to write a property, or why there is none.
type Properties = Result<Vec<Property>, Error>;

/// A property that may be written, and what it calls.
struct Candidate {
    property: Property,
    callees: Vec<Callee>,
}

/// Writes a property.
pub fn write(arguments: &Write) -> Result<ExitCode, Error> {
    let metadata = metadata(arguments.manifest_path.as_deref())?;
    let mut sources = Sources::read(&metadata);
    let text = match &arguments.law {
        Law::Model { name } => {
            let remarks = RefCell::new(String::new());
            let text = model::model(last(name), &find_methods(&sources, last(name), &remarks)?)?;
            remarks.into_inner() + &text
        }
        law => {
            let first = written(&metadata, &sources, &law.properties(&sources)?)?;
            let is_refuted = first.passes == Some(false) && matches!(law, Law::RoundTrip { .. });
            let others = if is_refuted { first.others } else { 0 };
            // A round trip may hold for some constants only.
            let mut passing = (1..=others).filter_map(|way| {
                sources.constant = way;
                let other = written(&metadata, &sources, &law.properties(&sources).ok()?).ok()?;
                (other.passes == Some(true)).then_some(other)
            });
            passing.next().unwrap_or(first).text
        }
    };
    crate::screen::print(&text);
    Ok(ExitCode::SUCCESS)
}

impl Law {
    /// The ways to write its property; none for a model.
    fn properties(&self, sources: &Sources) -> Result<Vec<Candidate>, Error> {
        let find = |name: &str| callee::find(sources, name);
        match self {
            Self::RoundTrip { there, back } => {
                let (there, back) = (find(there)?, find(back)?);
                of_pairs(&there, &back, &|there, back| laws::round_trip(there, back, sources))
            }
            Self::Idempotence { function } => of_each(&find(function)?, &|one| laws::idempotence(one, sources)),
            Self::Equivalence { function, other } => {
                let (function, other) = (find(function)?, find(other)?);
                of_pairs(&function, &other, &|one, other| Ok(vec![laws::equivalence(one, other)?]))
            }
            Self::NoPanic { function } => of_each(&find(function)?, &|one| Ok(vec![laws::no_panic(one, sources)])),
            Self::Model { .. } => Ok(Vec::new()),
        }
    }
}

/// A property that compiles, or for which that cannot be tried.
struct Written {
    text: String,
    /// How many other ways there are to choose from constants.
    others: usize,
    /// Whether it passed a short run, if there are others.
    passes: Option<bool>,
}

/// The properties of each callee; the error is that of the first.
fn of_each(callees: &[Callee], law: &dyn Fn(&Callee) -> Properties) -> Result<Vec<Candidate>, Error> {
    let each = callees.iter().map(|callee| (law(callee), vec![callee.clone()]));
    candidates(each)
}

/// The properties of each pair: two functions of one module, and the best of their names, come first.
fn of_pairs(
    first: &[Callee],
    second: &[Callee],
    law: &dyn Fn(&Callee, &Callee) -> Properties,
) -> Result<Vec<Candidate>, Error> {
    let mut pairs: Vec<(usize, &Callee, &Callee)> = Vec::new();
    for (at, one) in first.iter().enumerate() {
        pairs.extend(second.iter().enumerate().map(|(other_at, other)| (at + other_at, one, other)));
    }
    let module = |callee: &Callee| callee.full_name.rsplit_once("::").map(|(module, _)| module.to_owned());
    pairs.sort_by_key(|(rank, one, other)| (one.package != other.package, module(one) != module(other), *rank));
    candidates(pairs.into_iter().map(|(_, one, other)| (law(one, other), vec![one.clone(), other.clone()])))
}

fn candidates(each: impl Iterator<Item = (Properties, Vec<Callee>)>) -> Result<Vec<Candidate>, Error> {
    let (mut found, mut error) = (Vec::new(), None);
    for (properties, callees) in each {
        match properties {
            Ok(properties) => {
                found.extend(properties.into_iter().map(|property| Candidate { property, callees: callees.clone() }))
            }
            Err(why) => error = error.or(Some(why)),
        }
    }
    // Those that tests can call are compiled; others are for the case that there are no such.
    let is_public = |candidate: &Candidate| candidate.callees.iter().all(|callee| callee.imports.is_some());
    if found.iter().any(is_public) {
        found.retain(is_public);
    }
    match error {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// The first candidate that compiles, with its `use` lines.
fn written(metadata: &Value, sources: &Sources, candidates: &[Candidate]) -> Result<Written, Error> {
    let mut refused: Option<(String, String)> = None;
    let mut incomparable: Vec<&Candidate> = Vec::new();
    let mut attempts = 0;
    let mut attempt = |candidate: &Candidate, comparison: laws::Comparison| {
        attempts += 1;
        if attempts > ATTEMPTS {
            return Ok(Tried::Refused { is_incomparable: false });
        }
        let tried = candidate.tried(metadata, sources, comparison)?;
        Ok::<_, Error>(match tried {
            Ok(written) => Tried::Written(Written { text: candidate.remarks(candidates) + &written.text, ..written }),
            Err((file, errors, is_incomparable)) => {
                refused.get_or_insert((file, errors));
                Tried::Refused { is_incomparable }
            }
        })
    };
    for candidate in candidates {
        match attempt(candidate, laws::Comparison::Values)? {
            Tried::Written(written) => return Ok(written),
            Tried::Refused { is_incomparable: true } => incomparable.push(candidate),
            Tried::Refused { .. } => {}
        }
    }
    for candidate in incomparable {
        for comparison in laws::Comparison::OTHERS {
            if let Tried::Written(written) = attempt(candidate, comparison)? {
                return Ok(written);
            }
        }
    }
    let (file, errors) = refused.unwrap_or_default();
    Err(format!(
        "this property does not compile:\n\n{file}\n{errors}\nWrite it by hand from here: {}",
        by_hand(&errors)
    )
    .into())
}

/// What became of a way to write a property.
enum Tried {
    Written(Written),
    /// It does not compile.
    Refused {
        is_incomparable: bool,
    },
}

/// What to write where the tool does not know how.
fn by_hand(errors: &str) -> String {
    let lacking = errors.lines().find_map(|line| {
        let rest = line.split_once('`')?.1;
        rest.split_once("` does not implement `Arbitrary`").map(|(of, _)| of.to_owned())
    });
    match lacking {
        Some(of) => format!(
            "`{of}` has no public constructor, constant or default that needs nothing else. Give its parameter a generator that \
             builds it from its parts, as in `#[forall(any::<u32>().map(|n| ...))]` with `use forall::prelude::*`, or add \
             #[derive(forall::Arbitrary)] to the type"
        ),
        None => {
            "replace the type that does not fit, or write a wrapper function with types that do; values that cannot be \
                 compared need another assertion"
                .to_owned()
        }
    }
}

impl Candidate {
    /// The property with its `use` lines if it compiles, or if that cannot be tried. Otherwise the text and the errors, and
    /// whether they are about the comparison.
    fn tried(
        &self,
        metadata: &Value,
        sources: &Sources,
        comparison: laws::Comparison,
    ) -> Result<Result<Written, (String, String, bool)>, Error> {
        let callee = &self.callees[0];
        let text = self.property.text(comparison);
        let made = self.property.parameters.iter().filter_map(|parameter| parameter.made.as_ref());
        let others = made.map(|made| made.others).max().unwrap_or(0);
        let Some(imports) = self.imports(sources, &text) else {
            // Private items can be tested only inside their crate.
            let private = self.callees.iter().find(|callee| callee.imports.is_none()).unwrap_or(callee);
            let place = format!(
                "// For a `#[cfg(test)] mod tests` with `use super::*;` in {}. Not compiled.\n",
                near(&private.path)
            );
            return Ok(Ok(Written { text: place + &text, others, passes: None }));
        };
        let is_old = compiled::edition(metadata, &callee.package) == "2015";
        let crates = if is_old { extern_crates(&imports) } else { String::new() };
        let file = format!("{crates}{}\n{text}", use_lines(imports));
        let remark = manifest_remark(&callee.directory);
        let (package, directory) = (&callee.package, &callee.directory);
        Ok(match compiled::compile(metadata, (package, directory), &file, others > 0)? {
            Compiled::Yes { passes } => Ok(Written { text: remark + &file, others, passes }),
            Compiled::Untried(why) => {
                Ok(Written { text: format!("{remark}// Not compiled: {why}.\n{file}"), others, passes: None })
            }
            Compiled::No { errors, is_incomparable } => Err((file, errors, is_incomparable)),
        })
    }

    /// What tests import; `None` if something is private.
    fn imports(&self, sources: &Sources, text: &str) -> Option<BTreeSet<String>> {
        let mut paths = BTreeSet::new();
        for callee in &self.callees {
            paths.extend(callee.imports.clone()?);
            let Some(source) = callee.source(sources) else { continue };
            let types = callee.parameters.iter().flat_map(|one| sources.imports_of(source, &one.argument.owned));
            let called = sources.imports_of(source, &callee.call);
            paths.extend(types.chain(called).filter(|path| has_word(text, last(path))));
        }
        let made = self.property.parameters.iter().filter_map(|parameter| parameter.made.as_ref());
        paths.extend(made.flat_map(|made| made.imports.iter().cloned()));
        // A method that is called with a dot needs its trait, but not its type.
        let is_trait =
            |path: &String| self.callees.iter().any(|callee| callee.is_dotted) && sources.declares_trait(last(path));
        Some(paths.into_iter().filter(|path| is_trait(path) || has_word(text, last(path))).collect())
    }

    /// Notes above the property: which of several functions was taken, and what says little.
    fn remarks(&self, all: &[Self]) -> String {
        let mut remarks = String::new();
        for (at, callee) in self.callees.iter().enumerate() {
            let names = all.iter().filter_map(|other| other.callees.get(at)).filter(|other| other.imports.is_some());
            let names = names.map(|other| &other.full_name);
            let others: BTreeSet<&String> = names.filter(|name| **name != callee.full_name).collect();
            if !others.is_empty() {
                let others: Vec<String> = others.into_iter().take(3).map(|name| format!("`{name}`")).collect();
                remarks += &format!(
                    "// Using `{}`; for another of this name, write its path: {}.\n",
                    callee.full_name,
                    others.join(", ")
                );
            }
        }
        let made = self.property.parameters.iter().filter_map(|parameter| parameter.made.as_ref());
        for note in made.filter_map(|made| made.note.as_ref()) {
            remarks += &format!("// {note}.\n");
        }
        remarks
    }
}

/// Whether a text has this word.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// A package may list its test files, so that cargo ignores others.
fn manifest_remark(directory: &Path) -> String {
    let manifest = std::fs::read_to_string(directory.join("Cargo.toml")).unwrap_or_default();
    let is_off =
        manifest.lines().any(|line| line.split_whitespace().collect::<String>().starts_with("autotests=false"));
    match is_off {
        true => "// Cargo.toml has `autotests = false`: delete that line, or add a [[test]] with the `name` and `path` of the new file, \
                 or cargo does not run it.\n"
            .to_owned(),
        false => String::new(),
    }
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

fn find_methods(sources: &Sources, name: &str, remarks: &RefCell<String>) -> Result<Methods, Error> {
    if let Some(mut methods) =
        first(sources, &format!("methods of {name}"), remarks, &|text| Methods::find(text, name))?
    {
        let is_default = |source: &Source| methods::is_default(&source.text, name);
        methods.has_default = sources.files().iter().any(is_default);
        return Ok(methods);
    }
    Err(format!(
        "there is no `impl {name} {{ … }}` in this workspace; name a type that has methods, without its module path"
    )
    .into())
}

/// Searches the files, and notes further files with a match.
fn first<T>(
    sources: &Sources,
    what: &str,
    remarks: &RefCell<String>,
    find: &dyn Fn(&str) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut found: Option<(T, &Path)> = None;
    for Source { path, text, .. } in sources.files() {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A callee of a source, as in the library `shop`.
    fn of(text: &str, name: &str) -> Callee {
        callee::find(&Sources::example(text), name).unwrap_or_else(|why| panic!("{why}")).remove(0)
    }

    fn shown(property: &Property) -> String {
        property.text(laws::Comparison::Values)
    }

    /// The best round trip of two functions of a source.
    fn round_trip(text: &str, there: &str, back: &str) -> Result<String, String> {
        let properties = laws::round_trip(&of(text, there), &of(text, back), &Sources::example(text));
        properties.map(|all| shown(&all[0])).map_err(|why| why.to_string())
    }

    #[test]
    fn borrowed_parameters_are_generated_owned() {
        let source = "pub fn encode(text: &str) -> Vec<u8> { todo!() }\npub fn decode(bytes: &[u8]) -> Result<String, Error> { todo!() }";
        assert_eq!(
            round_trip(source, "encode", "decode").unwrap(),
            "#[forall::test]\nfn decode_inverts_encode(text: String) {\n    let made = encode(&text);\n    \
             assert_eq!(decode(&made).unwrap(), text);\n}\n"
        );
    }

    #[test]
    fn generic_functions_get_types_and_methods_their_type() {
        let hex = "pub fn encode<T: AsRef<[u8]>>(data: T) -> String { todo!() }\n\
                   pub fn decode<T: AsRef<[u8]>>(data: T) -> Result<Vec<u8>, FromHexError> { todo!() }";
        let text = round_trip(hex, "encode", "decode").unwrap();
        assert!(
            text.contains(
                "(data: Vec<u8>) {\n    let made = encode(&data);\n    assert_eq!(decode(&made).unwrap(), data);"
            ),
            "{text}"
        );
        let version = "pub struct Version;\nimpl Version {\n    pub fn parse(text: &str) -> Result<Self, Error> { todo!() }\n    \
                       pub fn bump(&mut self, by: u64) {}\n}\nimpl std::fmt::Display for Version {}";
        let text = shown(&laws::no_panic(&of(version, "Version::parse"), &Sources::example(version)));
        assert!(text.contains("fn parse_never_panics(text: String) {\n    let _ = Version::parse(&text);"), "{text}");
        let text = shown(&laws::no_panic(&of(version, "bump"), &Sources::example(version)));
        assert!(text.contains("(mut version: Version, by: u64) {\n    Version::bump(&mut version, by);"), "{text}");
    }

    #[test]
    fn a_closure_is_reported() {
        let sources = Sources::example("pub fn each(f: impl Fn(u8)) {}");
        let wrong = callee::find(&sources, "each").unwrap_err().to_string();
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
        let text = shown(&laws::equivalence(&of(source, "sort"), &of(source, "slow")).unwrap());
        assert!(
            text.contains("fn sort_equals_slow(xs: Vec<i32>) {\n    assert_eq!(sort(xs.clone()), slow(&xs));\n"),
            "{text}"
        );
        let sources = Sources::example(source);
        let text = shown(&laws::idempotence(&of(source, "sort"), &sources).unwrap()[0]);
        assert!(text.contains("let once = sort(xs);\n    let twice = sort(once.clone());"), "{text}");
    }

    #[test]
    fn methods_of_traits_get_a_receiver_of_a_type_that_has_them() {
        let source = "pub trait Case {\n    fn snake(&self) -> String;\n    fn twice(&self) -> Self where Self: Sized { todo!() }\n}\n\
                      impl Case for str { fn snake(&self) -> String { todo!() } }\nimpl Case for u8 { fn snake(&self) -> String { todo!() } }\n\
                      pub struct Version;\nimpl Version { pub fn new(major: u64) -> Self { todo!() } pub fn parse(text: &str) -> Option<Self> { todo!() } }\n\
                      impl std::fmt::Display for Version {}";
        for name in ["snake", "Case::snake"] {
            let callee = of(source, name);
            assert_eq!(callee.imports, Some(BTreeSet::from(["shop::Case".to_owned()])));
            let text = shown(&laws::no_panic(&callee, &Sources::example(source)));
            assert!(text.contains("snake_never_panics(text: String) {\n    let _ = text.snake();"), "{text}");
        }
        let text = shown(&laws::no_panic(&of(source, "u8::snake"), &Sources::example(source)));
        assert!(text.contains("(number: u8) {\n    let _ = number.snake();"), "{text}");
        let text = shown(&laws::no_panic(&of(source, "Case::twice"), &Sources::example(source)));
        assert!(text.contains("(number: u8) {\n    let _ = number.twice();"), "{text}");
        let text = round_trip(source, "Version::to_string", "Version::parse").unwrap();
        assert!(
            text.contains(
                "(major: u64) {\n    let version = Version::new(major);\n    let made = version.to_string();\n    \
                 assert_eq!(Version::parse(&made).unwrap(), version);"
            ),
            "{text}"
        );
    }

    #[test]
    fn what_one_function_returns_is_converted_for_the_other() {
        let source = "use std::time::Duration;\npub struct Shown(Duration);\nimpl std::fmt::Display for Shown {}\n\
                      pub fn show(of: Duration) -> Shown { todo!() }\npub fn parse(text: &str) -> Result<Duration, Error> { todo!() }\n\
                      pub fn quote(text: &str) -> Result<Cow<'_, str>, Error> { todo!() }\npub fn split(text: &str) -> Option<Vec<String>> { todo!() }\n\
                      pub struct Decoder;\nimpl Decoder { pub fn text(self) -> Result<Cow<str>, Error> { todo!() } }\n\
                      pub static SIGNS: Set = todo!();\npub struct Set;\npub fn escape(text: &str, set: &'static Set) -> String { todo!() }\n\
                      pub fn unescape(text: &str) -> Decoder { todo!() }\n\
                      pub fn seal(key: u64, text: &str) -> Vec<u8> { todo!() }\npub fn open(key: u64, bytes: &[u8]) -> Option<String> { todo!() }";
        let texts = [("show", "parse"), ("quote", "split"), ("escape", "unescape"), ("seal", "open")]
            .map(|(there, back)| round_trip(source, there, back).unwrap());
        insta::assert_snapshot!(texts.join("\n"));
    }

    #[test]
    fn values_of_a_type_without_arbitrary_come_from_its_constructors_variants_and_constants() {
        let source = "pub enum Op<'a> { Less, More, At(&'a str) }\npub struct Table;\npub const NARROW: Table = Table;\npub const WIDE: Table = Table;\n\
                      #[derive(Default)]\npub struct Options;\n\
                      pub fn compare(op: Op, table: &Table, options: Options, own: &mut Table) {}";
        let callee = of(source, "compare");
        let candidate =
            Candidate { property: laws::no_panic(&callee, &Sources::example(source)), callees: vec![callee] };
        let text = shown(&candidate.property);
        let imports = candidate.imports(&Sources::example(source), &text).unwrap();
        insta::assert_snapshot!(format!("{}{}{text}", candidate.remarks(&[]), use_lines(imports)));
    }

    #[test]
    fn lazy_results_are_read() {
        let source = "pub struct Words;\nimpl Iterator for Words {}\npub fn words(n: u8) -> Words { todo!() }\n\
                      pub struct Shown;\nimpl std::fmt::Display for Shown {}\npub fn show(n: u8) -> Shown { todo!() }\n\
                      pub struct Builder;\nimpl Builder { pub fn into_text(self) -> String { todo!() } }\n\
                      pub mod encode { pub fn encode(text: &str) -> super::Builder { todo!() } pub fn decode(text: impl AsRef<[u8]>) -> String { todo!() } }";
        let read = |name: &str| shown(&laws::no_panic(&of(source, name), &Sources::example(source)));
        assert!(
            read("words").contains("let _ = words(n).count();")
                && read("show").contains("let _ = show(n).to_string();")
        );
        let properties =
            laws::round_trip(&of(source, "encode"), &of(source, "decode"), &Sources::example(source)).unwrap();
        assert!(
            properties.iter().any(|one| one.statements.contains("let made = encode(&text).into_text().into_bytes();"))
        );
    }

    #[test]
    fn values_are_built_from_what_is_public() {
        let source = "pub struct Size(pub u64);\npub struct Point { pub x: i8, pub size: Size }\npub struct Closed { pub x: Hidden }\npub struct Hidden(u8);\n\
                      pub struct Word(String);\nimpl From<String> for Word {}\npub struct Id(u8);\nimpl Id { pub fn from_name(name: &str) -> Self { todo!() } }\n\
                      pub trait Array { type Item; }\nimpl<T, const N: usize> Array for [T; N] { type Item = T; }\npub struct Few<A: Array>(A);\n\
                      impl<A: Array> FromIterator<A::Item> for Few<A> {}\nimpl<A: Array> Few<A> { pub fn push(&mut self, item: A::Item) {} }\n\
                      pub fn of(point: Point, closed: Closed, word: &Word, id: Id) {}";
        let made = |name: &str| {
            let text = shown(&laws::no_panic(&of(source, name), &Sources::example(source)));
            text.split_once('(').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
        };
        insta::assert_snapshot!(made("of") + &made("Few::push"));
    }

    #[test]
    fn a_path_says_which_of_several_functions_is_meant() {
        let source = "pub mod bytes { pub fn split(bytes: &[u8]) {} }\npub fn split(text: &str) {}\n#[deprecated]\npub fn join(n: u8) {}\n\
                      pub mod lines { pub fn join(n: u16) {} }";
        let taken = |name: &str| of(source, name).full_name;
        assert_eq!(taken("split"), "shop::split");
        for name in ["bytes::split", "crate::bytes::split", "shop::bytes::split"] {
            assert_eq!(taken(name), "shop::bytes::split");
        }
        assert_eq!(taken("join"), "shop::lines::join", "the other one is deprecated");
        let all = callee::find(&Sources::example(source), "split").unwrap();
        let of = |at: usize| Candidate {
            property: laws::no_panic(&all[at], &Sources::example(source)),
            callees: vec![all[at].clone()],
        };
        let remark = "// Using `shop::split`; for another of this name, write its path: `shop::bytes::split`.\n";
        assert_eq!(of(0).remarks(&[of(0), of(1)]), remark);
        let wrong = callee::find(&Sources::example(source), "chars::split").unwrap_err().to_string();
        assert!(wrong.starts_with("there is no function or method `chars::split`"), "{wrong}");
    }

    #[test]
    fn the_names_of_exported_items_are_short() {
        let source = "mod inner { pub fn f() {} pub fn g() {} }\npub use inner::f;\npub mod open { pub use super::inner::*; }\nmod hidden { pub fn h() {} }";
        let source = &format!(
            "{source}\nmod outer {{ mod inner {{ pub fn i() {{}} }} pub use self::inner::*; }}\npub use outer::*;"
        );
        let imports = |name: &str| of(source, name).imports.map(|all| all.into_iter().collect::<Vec<_>>().concat());
        assert_eq!(imports("f").as_deref(), Some("shop::f"));
        assert_eq!(imports("g").as_deref(), Some("shop::open::g"));
        assert_eq!(imports("i").as_deref(), Some("shop::i"), "through two modules");
        assert_eq!(imports("h"), None);
    }

    #[test]
    fn values_without_equality_or_debug_output_are_compared_otherwise() {
        let callee = of("pub fn f(n: u8) -> u8 { n }", "f");
        let property = laws::equivalence(&callee, &callee).unwrap();
        let shown =
            laws::Comparison::OTHERS.map(|comparison| property.text(comparison).lines().nth(2).unwrap().to_owned());
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn functions_that_do_not_fit_are_reported() {
        let source = "fn two(a: u8, b: u8) -> u8 { a }\nfn none(a: u8) {}\nfn text(a: String) -> u8 { 0 }\nfn byte(a: u8) -> u8 { 0 }";
        let of = |name: &str| of(source, name);
        let back = |there: &str, back: &str| round_trip(source, there, back).unwrap_err();
        let sources = Sources::example(source);
        let again = |name: &str| laws::idempotence(&of(name), &sources).unwrap_err().to_string();
        let told = [
            back("text", "two"),
            back("none", "text"),
            back("byte", "none"),
            back("byte", "text"),
            back("text", "byte"),
            again("none"),
            again("text"),
            laws::equivalence(&of("two"), &of("text")).unwrap_err().to_string(),
            model::model("Stack", &Methods::default()).unwrap_err().to_string(),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }
}
