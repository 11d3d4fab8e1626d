//! Test cases: inputs with expected results.

use super::script::{self, Trouble};
use super::{Options, compile};
use crate::blocks::{Case, Expected, Input, Kind};
use crate::client::{self, Error, Refused, Server, Variable};
use crate::data::{Tolerance, Value, differences, read_values};
use crate::properties::SplitMix;
use regex_lite::Regex;
use std::cell::OnceCell;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

/// The failure of a case.
pub(super) enum Ended {
    /// The result differs from the expected one.
    Failed(String),
    /// The server was lost.
    Lost(Error),
}

/// A case of an entry point.
pub(super) struct Running<'a> {
    pub(super) server: &'a Server,
    pub(super) source: &'a Path,
    pub(super) entry_point: &'a str,
    pub(super) case: &'a Case,
    /// The number of the case in its block.
    pub(super) number: usize,
    pub(super) options: &'a Options,
    pub(super) reference: &'a Reference,
}

/// The same program, compiled to sequential C. Its results are the `auto output` for other backends.
#[derive(Default)]
pub(super) struct Reference(OnceCell<Result<Compiled, String>>);

struct Compiled {
    server: Server,
    /// The files of the server, deleted when this is dropped.
    _files: compile::Server,
}

impl Reference {
    fn server(&self, source: &Path, options: &Options) -> Result<&Server, String> {
        let compiled = self.0.get_or_init(|| {
            let options = Options { backend: REFERENCE.to_owned(), coverage: false, ..options.clone() };
            let files = compile::compile(source, &options).map_err(compile::Uncompiled::into_message)?;
            let how = client::Options::default().timeout(options.call_timeout);
            let server = Server::start(&files.executable.display().to_string(), &how);
            Ok(Compiled { server: server.map_err(|error| error.to_string())?, _files: files })
        });
        compiled.as_ref().map(|compiled| &compiled.server).map_err(Clone::clone)
    }
}

/// The reference backend.
const REFERENCE: &str = "c";

impl Running<'_> {
    pub(super) fn run(&self) -> Result<(), Ended> {
        match (self.outputs()?, &self.case.expected) {
            (Ok(outputs), expected) => self.compare(&outputs, expected),
            (Err(refused), Expected::Error(regex)) => self.is_expected(&refused, regex.as_deref()),
            (Err(refused), _) => {
                Err(Ended::Failed(format!("Function failed with error:\n{}\n", refused.message.join("\n"))))
            }
        }
    }

    /// Calls the entry point and returns its outputs.
    fn outputs(&self) -> Result<Result<Vec<Variable>, Refused>, Ended> {
        let wanted = self.server.inputs(self.entry_point).map_err(refused_is_failure)?;
        let wanted: Vec<String> = wanted.into_iter().map(|input| input.type_name).collect();
        let inputs = match &self.case.input {
            Input::Script(script) => self.script(script, &wanted)?,
            _ => self.values(&wanted)?,
        };
        let inputs: Vec<&Variable> = inputs.iter().map(|input| &**input).collect();
        match self.server.call_all(self.entry_point, &inputs) {
            Ok(outputs) => Ok(Ok(outputs)),
            Err(Error::Refused(refused)) => Ok(Err(refused)),
            Err(lost) => Err(Ended::Lost(lost)),
        }
    }

    /// Returns the outputs of the reference.
    fn reference(&self) -> Result<Vec<Value>, Ended> {
        let failed = |why: String| Ended::Failed(format!("Generating reference outputs:\n{why}"));
        let server = self.reference.server(self.source, self.options).map_err(failed)?;
        let outputs = match (Running { server, ..*self }).outputs() {
            Ok(Ok(outputs)) => outputs,
            Ok(Err(refused)) => return Err(failed(refused.message.join("\n"))),
            Err(Ended::Failed(why)) => return Err(failed(why)),
            Err(Ended::Lost(error)) => return Err(failed(error.to_string())),
        };
        let outputs: Vec<&Variable> = outputs.iter().collect();
        server.get(&outputs).map_err(|error| failed(error.to_string()))
    }

    /// Evaluates a script to the inputs.
    fn script(&self, script: &str, wanted: &[String]) -> Result<Vec<Rc<Variable>>, Ended> {
        let folder = self.source.parent().unwrap_or(Path::new(""));
        script::inputs(self.server, folder, script, wanted).map_err(|trouble| match trouble {
            Trouble::Wrong(why) => Ended::Failed(why),
            Trouble::Server(error) => refused_is_failure(error),
        })
    }

    /// Sends the inputs: literal values, values of a file, or random values.
    fn values(&self, wanted: &[String]) -> Result<Vec<Rc<Variable>>, Ended> {
        let values = self.inputs()?;
        let given: Vec<String> = values.iter().map(Value::type_name).collect();
        // Data of a wrong type would end the server.
        let flat = self.leaves(wanted)?;
        if given != flat {
            return Err(Ended::Failed(format!(
                "Expected input of types: {}\nProvided input of types: {}\n",
                wanted.join(" "),
                given.join(" ")
            )));
        }
        let inputs = self.server.restore_as(&values, wanted).map_err(refused_is_failure)?;
        Ok(inputs.into_iter().map(Rc::new).collect())
    }

    /// Returns the types of the inputs' parts.
    fn leaves(&self, types: &[String]) -> Result<Vec<String>, Ended> {
        let mut leaves = Vec::new();
        for of in types {
            match self.server.learn(of) {
                Ok(()) => leaves.extend(self.server.known().leaves(of).iter().map(|leaf| leaf.type_name())),
                Err(Error::Impossible(_)) => leaves.push(of.clone()),
                Err(lost) => return Err(Ended::Lost(lost)),
            }
        }
        Ok(leaves)
    }

    fn inputs(&self) -> Result<Vec<Value>, Ended> {
        match &self.case.input {
            Input::Values(values) => Ok(values.clone()),
            Input::File(file) => self.file(file),
            Input::Random(kinds) => Ok(kinds.iter().map(|kind| random(kind, self.options.seed)).collect()),
            Input::Script(_) => Ok(Vec::new()),
        }
    }

    /// Reads the values of a file beside the program.
    fn file(&self, name: &str) -> Result<Vec<Value>, Ended> {
        let path = self.source.parent().unwrap_or(Path::new("")).join(name);
        let failed = |why: String| Ended::Failed(format!("{}: {why}", path.display()));
        if name.ends_with(".gz") {
            let unpacked = Command::new("gzip").arg("-dc").arg(&path).output();
            let unpacked = unpacked.map_err(|error| {
                failed(format!("cannot unpack it with gzip: {error}; install gzip, or unpack the file"))
            })?;
            if !unpacked.status.success() {
                return Err(failed(String::from_utf8_lossy(&unpacked.stderr).trim_end().to_owned()));
            }
            return read_values(&mut &unpacked.stdout[..]).map_err(|error| failed(error.to_string()));
        }
        let file = std::fs::File::open(&path);
        let file = file.map_err(|error| failed(format!("{error}; files are searched for beside the program")))?;
        read_values(&mut std::io::BufReader::new(file)).map_err(|error| failed(error.to_string()))
    }

    fn compare(&self, outputs: &[Variable], expected: &Expected) -> Result<(), Ended> {
        let expected = match expected {
            Expected::Success => return Ok(()),
            Expected::Auto if self.options.backend == REFERENCE => return Ok(()),
            Expected::Auto => self.reference()?,
            Expected::Values(values) => values.clone(),
            Expected::File(file) => self.file(file)?,
            Expected::Error(regex) => {
                let regex = regex.as_deref().unwrap_or("(any)");
                return Err(Ended::Failed(format!("Expected error:\n  {regex}\nand the program succeeded.\n")));
            }
        };
        let outputs: Vec<&Variable> = outputs.iter().collect();
        let got = self.server.get(&outputs).map_err(refused_is_failure)?;
        let different = differences(&got, &expected, Tolerance::default());
        if different.is_empty() {
            return Ok(());
        }
        let name = format!("{}.{}.{}", self.source.display(), self.entry_point, self.number);
        let (actual, wanted) = (format!("{name}.actual"), format!("{name}.expected"));
        let mut text = format!("{actual} and {wanted} do not match:\n{}", different.join("\n"));
        for (file, values) in [(&actual, &got), (&wanted, &expected)] {
            let bytes: Vec<u8> = values.iter().flat_map(Value::to_bytes).collect();
            if let Err(error) = std::fs::write(file, bytes) {
                text += &format!("\n(cannot write {file}: {error})");
            }
        }
        Err(Ended::Failed(text))
    }

    fn is_expected(&self, refused: &Refused, regex: Option<&str>) -> Result<(), Ended> {
        let Some(regex) = regex else { return Ok(()) };
        let message = refused.message.join("\n");
        match Regex::new(regex) {
            Ok(known) if known.is_match(&message) => Ok(()),
            Ok(_) => Err(Ended::Failed(another_error(regex, &message))),
            Err(error) => Err(Ended::Failed(no_regex(regex, &error))),
        }
    }
}

/// Returns the message for an error other than the expected one.
pub(super) fn another_error(expected: &str, got: &str) -> String {
    let indented = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
    let got: Vec<String> = got.split('\n').map(indented).collect();
    format!("Expected error:\n  {expected}\nGot error:\n{}\n", got.join("\n"))
}

/// Returns the message for an expected error that is not a valid regular expression.
pub(super) fn no_regex(expected: &str, error: &regex_lite::Error) -> String {
    format!("`{expected}` is not a regular expression: {error}. Escape special characters with `\\`")
}

fn refused_is_failure(error: Error) -> Ended {
    match error {
        Error::Refused(_) | Error::Impossible(_) | Error::File(_) => Ended::Failed(error.to_string()),
        lost @ Error::Lost(_) => Ended::Lost(lost),
    }
}

fn random(kind: &Kind, seed: u64) -> Value {
    match kind {
        Kind::Given(value) => value.clone(),
        Kind::Shaped { shape, primitive } => {
            let count = crate::data::count(shape).unwrap_or(0);
            let elements = SplitMix::new(seed).elements(*primitive, count);
            Value::from_elements(elements, shape).unwrap_or_else(|| Value::scalar(false))
        }
    }
}
