//! The implementation of each command.

use super::restore::{Fatal, File};
use super::{Datum, Entry, Fault, Program};
use crate::data::{Primitive, count};
use crate::datum::types::Structure;
use crate::protocol::{MOST_WORDS, split};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

/// The value of a variable; `None` if the command that should have created it failed.
struct Held {
    type_name: String,
    datum: Option<Datum>,
}

/// The state of a server.
pub(super) struct State<'a> {
    program: &'a Program,
    variables: BTreeMap<String, Held>,
}

/// The failure of a command.
pub(super) enum Trouble {
    /// The server continues.
    Failure(String),
    /// The server ends.
    Fatal(String),
}

impl From<Fatal> for Trouble {
    fn from(Fatal(message): Fatal) -> Self {
        Self::Fatal(message)
    }
}

fn failure<T>(message: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Failure(message.into()))
}

fn fatal<T>(message: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Fatal(message.into()))
}

impl<'a> State<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self { program, variables: BTreeMap::new() }
    }

    /// Returns the number of live variables.
    pub(super) fn variables(&self) -> usize {
        self.variables.len()
    }

    /// Executes a command line. Appends the lines of the answer to `says`.
    pub(super) fn command(&mut self, line: &str, says: &mut Vec<String>) -> Result<(), Trouble> {
        let words = split(line);
        if words.len() > MOST_WORDS {
            return fatal("Line too long.");
        }
        let Some((command, words)) = words.split_first() else { return failure("Empty line") };
        let needs = |least: usize| if words.len() < least { fatal("Insufficient command args.") } else { Ok(()) };
        match *command {
            "types" => says.extend(self.program.types.names().map(str::to_owned)),
            "entry_points" => says.extend(self.program.entries.keys().cloned()),
            "inputs" => {
                needs(1)?;
                says.extend(self.entry(words[0])?.inputs.iter().cloned());
            }
            "output" => {
                needs(1)?;
                says.push(self.entry(words[0])?.output.clone());
            }
            "attributes" => {
                needs(1)?;
                says.extend(self.entry(words[0])?.attributes.iter().cloned());
            }
            "tuning_params" => {
                needs(1)?;
                self.entry(words[0])?;
            }
            "call" => {
                needs(1)?;
                self.call(words, says)?;
            }
            "restore" => {
                needs(1)?;
                self.restore(words[0], &words[1..])?;
            }
            "store" => {
                needs(1)?;
                self.store(words[0], &words[1..])?;
            }
            "free" => {
                for name in words {
                    if self.variables.remove(*name).is_none() {
                        return failure(format!("Unknown variable: {name}"));
                    }
                }
            }
            "rename" => {
                needs(2)?;
                self.held(words[0])?;
                self.must_be_new(words[1])?;
                if let Some(held) = self.variables.remove(words[0]) {
                    self.variables.insert(words[1].to_owned(), held);
                }
            }
            "clear" => self.variables.clear(),
            "kind" => {
                needs(1)?;
                says.push(kind_of(&self.structure(words[0])?).to_owned());
            }
            "type" => {
                needs(1)?;
                says.push(self.held(words[0])?.type_name.clone());
            }
            "rank" | "elemtype" => {
                needs(1)?;
                let Structure::Array { element, rank } = self.structure(words[0])? else {
                    return failure("Not an array type");
                };
                says.push(if *command == "rank" { rank.to_string() } else { element });
            }
            "fields" => {
                needs(1)?;
                let Structure::Record(fields) = self.structure(words[0])? else { return failure("Not a record type") };
                says.extend(fields.iter().map(|(name, of)| format!("{name} {of}")));
            }
            "variants" => {
                needs(1)?;
                let Structure::Sum(variants) = self.structure(words[0])? else { return failure("Not a sum type") };
                for (name, payload) in variants {
                    says.push(name);
                    says.extend(payload.iter().map(|part| format!("- {part}")));
                }
            }
            "shape" => {
                needs(1)?;
                let held = self.held(words[0])?;
                self.array(&held.type_name)?;
                says.extend(self.datum(words[0])?.shape().iter().map(usize::to_string));
            }
            "index" => {
                needs(2)?;
                self.index(words[0], words[1], &words[2..])?;
            }
            "set" => {
                needs(2)?;
                self.set(words[0], words[1], &words[2..])?;
            }
            "new_array" => {
                needs(2)?;
                self.new_array(words[0], words[1], &words[2..])?;
            }
            "zip" => {
                needs(2)?;
                self.zip(words[0], words[1], &words[2..])?;
            }
            "unzip" => {
                needs(1)?;
                self.unzip(words[0], &words[1..])?;
            }
            "new" => {
                needs(2)?;
                self.new_record(words[0], words[1], &words[2..])?;
            }
            "project" => {
                needs(3)?;
                self.project(words[0], words[1], words[2])?;
            }
            "variant" => {
                needs(1)?;
                let (variants, variant, _) = self.sum(words[0])?;
                says.push(variants[variant].0.clone());
            }
            "construct" => {
                needs(3)?;
                self.construct(words[0], words[1], words[2], &words[3..])?;
            }
            "destruct" => {
                needs(1)?;
                self.destruct(words[0], &words[1..])?;
            }
            "set_tuning_param" => {
                needs(2)?;
                let number: i64 = words[1].parse().unwrap_or(0);
                return failure(format!("Failed to set tuning parameter {} to {number}", words[0]));
            }
            "tuning_param_class" => {
                needs(1)?;
                return failure(format!("Unknown tuning parameter: {}", words[0]));
            }
            "pause_profiling" | "unpause_profiling" => {}
            "report" => says.push(r#"{"memory":{"default space": 0},"events":[]}"#.to_owned()),
            other => return fatal(format!("Unknown command: {other}")),
        }
        Ok(())
    }

    fn entry(&self, name: &str) -> Result<&'a Entry, Trouble> {
        match self.program.entries.get(name) {
            Some(entry) => Ok(entry),
            None => failure(format!("Unknown entry point: {name}")),
        }
    }

    /// Returns the structure of a type. A query for an unknown type ends the server.
    fn structure(&self, type_name: &str) -> Result<Structure, Trouble> {
        match self.program.types.get(type_name) {
            Some(structure) => Ok(structure),
            None => fatal(format!("Unknown type {type_name}")),
        }
    }

    fn held(&self, name: &str) -> Result<&Held, Trouble> {
        match self.variables.get(name) {
            Some(held) => Ok(held),
            None => failure(format!("Unknown variable: {name}")),
        }
    }

    fn datum(&self, name: &str) -> Result<&Datum, Trouble> {
        match &self.held(name)?.datum {
            Some(datum) => Ok(datum),
            None => failure(format!("{name} has no value: the command that should have created it failed")),
        }
    }

    fn must_be_new(&self, name: &str) -> Result<(), Trouble> {
        if self.variables.contains_key(name) { failure(format!("Variable already exists: {name}")) } else { Ok(()) }
    }

    fn hold(&mut self, name: &str, type_name: &str, datum: Option<Datum>) {
        self.variables.insert(name.to_owned(), Held { type_name: type_name.to_owned(), datum });
    }

    fn array(&self, type_name: &str) -> Result<(String, usize), Trouble> {
        match &*self.program.types.structure_of(type_name) {
            Structure::Array { element, rank } => Ok((element.clone(), *rank)),
            _ => failure("Not an array type"),
        }
    }

    fn call(&mut self, words: &[&str], says: &mut Vec<String>) -> Result<(), Trouble> {
        let entry = self.entry(words[0])?;
        let [_, output, inputs @ ..] = words else { return fatal("Insufficient command args.") };
        if inputs.len() < entry.inputs.len() {
            return fatal("Insufficient command args.");
        }
        let mut arguments = Vec::new();
        for (name, wanted) in inputs.iter().zip(&entry.inputs) {
            let held = self.held(name)?;
            let wanted = wanted.trim_start_matches('*');
            if held.type_name != wanted {
                return failure(format!("Wrong input type.  Expected {wanted}, got {}.", held.type_name));
            }
            arguments.push(self.datum(name)?.clone());
        }
        self.must_be_new(output)?;
        let start = Instant::now();
        let result = (entry.run)(&arguments);
        says.push(format!("runtime: {}", start.elapsed().as_micros()));
        match result {
            Ok(datum) => {
                self.hold(output, entry.output.trim_start_matches('*'), Some(datum));
                Ok(())
            }
            Err(Fault::Error(message)) => failure(message),
            Err(Fault::Fatal(message)) => fatal(message),
        }
    }

    fn restore(&mut self, path: &str, pairs: &[&str]) -> Result<(), Trouble> {
        if pairs.len() % 2 == 1 {
            return fatal("Insufficient command args.");
        }
        let mut file = match std::fs::read(path) {
            Ok(bytes) => File::new(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => File::new(Vec::new()),
            Err(error) => return failure(format!("Failed to open {path}: {}", plain(&error))),
        };
        for pair in pairs.chunks(2) {
            let (name, type_name) = (pair[0], pair[1]);
            self.structure(type_name)?;
            self.must_be_new(name)?;
            match file.value(type_name, &self.program.types)? {
                Some(datum) => self.hold(name, type_name, Some(datum)),
                None => {
                    return failure(format!(
                        "Failed to restore variable {name}.\nPossibly malformed data in {path} (errno: Success)"
                    ));
                }
            }
        }
        if file.is_at_end() {
            Ok(())
        } else {
            failure(format!("Expected EOF after reading {} values from {path}", pairs.len() / 2))
        }
    }

    fn store(&self, path: &str, names: &[&str]) -> Result<(), Trouble> {
        let mut file = match std::fs::File::create(path) {
            Ok(file) => file,
            Err(error) => return failure(format!("Failed to open {path}: {}", plain(&error))),
        };
        let mut bytes = Vec::new();
        for name in names {
            let type_name = &self.held(name)?.type_name;
            for value in self.datum(name)?.leaves(type_name, &self.program.types) {
                bytes.extend(value.to_bytes());
            }
        }
        match file.write_all(&bytes) {
            Ok(()) => Ok(()),
            Err(error) => failure(format!("Failed to write {path}: {}", plain(&error))),
        }
    }

    /// Returns the position of an element, in row-major order.
    fn place(&self, name: &str, indices: &[&str]) -> Result<(String, usize), Trouble> {
        let (element, rank) = self.array(&self.held(name)?.type_name)?;
        if indices.len() != rank {
            return failure(format!("{rank} indices expected but {} values provided.", indices.len()));
        }
        let shape = self.datum(name)?.shape().to_vec();
        let mut place = 0;
        for (dimension, (index, length)) in indices.iter().zip(&shape).enumerate() {
            match index.parse::<usize>() {
                Ok(index) if index < *length => place = place * length + index,
                _ => return failure(format!("Invalid index `{index}` on dimension {}.", dimension + 1)),
            }
        }
        Ok((element, place))
    }

    fn index(&mut self, to: &str, from: &str, indices: &[&str]) -> Result<(), Trouble> {
        self.held(from)?;
        let (element, place) = self.place(from, indices)?;
        self.must_be_new(to)?;
        let datum = self.datum(from)?.element(place);
        self.hold(to, &element, Some(datum));
        Ok(())
    }

    fn set(&mut self, array: &str, value: &str, indices: &[&str]) -> Result<(), Trouble> {
        self.held(array)?;
        self.held(value)?;
        let (element, place) = self.place(array, indices)?;
        let got = &self.held(value)?.type_name;
        if *got != element {
            return failure(format!("Type mismatch: expected element of type {element}, got {got}"));
        }
        let (whole, one) = (self.datum(array)?, self.datum(value)?.clone());
        let shape = whole.shape().to_vec();
        let all = count(&shape).unwrap_or(0);
        let elements = (0..all).map(|at| if at == place { one.clone() } else { whole.element(at) }).collect();
        let datum = Datum::array_of(elements, &element, &shape);
        let type_name = self.held(array)?.type_name.clone();
        self.hold(array, &type_name, Some(datum));
        Ok(())
    }

    /// Registers the name before any check, as real servers do.
    fn begin(&mut self, name: &str, type_name: &str) -> Result<(), Trouble> {
        self.must_be_new(name)?;
        self.hold(name, type_name, None);
        Ok(())
    }

    fn new_array(&mut self, to: &str, type_name: &str, rest: &[&str]) -> Result<(), Trouble> {
        self.structure(type_name)?;
        self.begin(to, type_name)?;
        let (element, rank) = self.array(type_name)?;
        if rest.len() < rank {
            return failure(format!("Expected {rank} dimensions, but got {}.", rest.len()));
        }
        let mut shape = Vec::with_capacity(rank);
        for (dimension, size) in rest[..rank].iter().enumerate() {
            match size.parse::<usize>() {
                Ok(size) => shape.push(size),
                Err(_) => return failure(format!("Invalid size `{size}` of dimension {}.", dimension + 1)),
            }
        }
        let names = &rest[rank..];
        let wanted = count(&shape).unwrap_or(usize::MAX);
        if names.len() != wanted {
            return failure(format!("Expected {wanted} values, but got {}.", names.len()));
        }
        let mut elements = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let got = &self.held(name)?.type_name;
            if *got != element {
                return failure(format!("Value {at} mismatch: expected type {element}, got {got}"));
            }
            elements.push(self.datum(name)?.clone());
        }
        self.hold(to, type_name, Some(Datum::array_of(elements, &element, &shape)));
        Ok(())
    }

    /// Returns the fields of an array's records.
    fn columns(&self, type_name: &str, otherwise: &str) -> Result<(usize, Vec<(String, String)>), Trouble> {
        let (element, rank) = self.array(type_name)?;
        match &*self.program.types.structure_of(&element) {
            Structure::Record(fields) if element.parse::<Primitive>().is_err() => Ok((rank, fields.clone())),
            _ => failure(otherwise),
        }
    }

    fn zip(&mut self, to: &str, type_name: &str, names: &[&str]) -> Result<(), Trouble> {
        self.structure(type_name)?;
        let (rank, fields) = self.columns(type_name, "Cannot zip this array type")?;
        if names.len() != fields.len() {
            return failure(format!("{} arrays expected but {} values provided.", fields.len(), names.len()));
        }
        let mut columns = Vec::new();
        for (name, (field, of)) in names.iter().zip(&fields) {
            let wanted = "[]".repeat(rank) + of;
            let got = &self.held(name)?.type_name;
            if *got != wanted {
                return failure(format!("Field {field} mismatch: expected type {wanted}, got {got}"));
            }
            columns.push((self.datum(name)?.clone(), wanted));
        }
        self.must_be_new(to)?;
        let shape = columns.first().map(|(column, _)| column.shape()[..rank].to_vec()).unwrap_or_default();
        if columns.iter().any(|(column, _)| column.shape()[..rank] != *shape) {
            return failure("Cannot zip arrays with different shapes.");
        }
        let mut leaves = Vec::new();
        for (column, of) in &columns {
            leaves.extend(column.leaves(of, &self.program.types));
        }
        match Datum::from_leaves(type_name, &mut leaves.into_iter(), &self.program.types) {
            Some(datum) => {
                self.hold(to, type_name, Some(datum));
                Ok(())
            }
            None => failure("Cannot zip arrays with different shapes."),
        }
    }

    fn unzip(&mut self, from: &str, names: &[&str]) -> Result<(), Trouble> {
        let type_name = self.held(from)?.type_name.clone();
        let (rank, fields) = self.columns(&type_name, "Cannot unzip this array type")?;
        if names.len() != fields.len() {
            return failure(format!("{} arrays expected but {} values provided.", fields.len(), names.len()));
        }
        for (at, name) in names.iter().enumerate() {
            self.must_be_new(name)?;
            if names[..at].contains(name) {
                return failure(format!("Variable already exists: {name}"));
            }
        }
        let mut leaves = self.datum(from)?.leaves(&type_name, &self.program.types).into_iter();
        for (name, (_, of)) in names.iter().zip(fields) {
            let column = "[]".repeat(rank) + &of;
            let datum = Datum::from_leaves(&column, &mut leaves, &self.program.types);
            self.hold(name, &column, datum);
        }
        Ok(())
    }

    fn new_record(&mut self, to: &str, type_name: &str, names: &[&str]) -> Result<(), Trouble> {
        let structure = self.structure(type_name)?;
        self.begin(to, type_name)?;
        let Structure::Record(fields) = structure else { return failure("Not a record type") };
        if names.len() != fields.len() {
            return failure(format!("{} fields expected but {} values provided.", fields.len(), names.len()));
        }
        let mut parts = Vec::new();
        for (name, (field, wanted)) in names.iter().zip(&fields) {
            let got = &self.held(name)?.type_name;
            if got != wanted {
                return failure(format!("Field {field} mismatch: expected type {wanted}, got {got}"));
            }
            parts.push(self.datum(name)?.clone());
        }
        self.hold(to, type_name, Some(Datum::Record(parts)));
        Ok(())
    }

    fn project(&mut self, to: &str, from: &str, field: &str) -> Result<(), Trouble> {
        let type_name = &self.held(from)?.type_name;
        let structure = self.program.types.structure_of(type_name);
        let Structure::Record(fields) = &*structure else { return failure("Not a record type") };
        let Some(at) = fields.iter().position(|(name, _)| name == field) else {
            return fatal(format!("No such field: {field}"));
        };
        self.must_be_new(to)?;
        let Datum::Record(parts) = self.datum(from)? else { return failure("Not a record type") };
        let part = parts[at].clone();
        self.hold(to, &fields[at].1, Some(part));
        Ok(())
    }

    #[expect(clippy::type_complexity, reason = "the variants of a sum, which of them it is, and what it carries")]
    fn sum(&self, name: &str) -> Result<(Vec<(String, Vec<String>)>, usize, Vec<Datum>), Trouble> {
        let type_name = &self.held(name)?.type_name;
        let structure = self.program.types.structure_of(type_name);
        let Structure::Sum(variants) = &*structure else { return failure("Not a sum type") };
        match self.datum(name)? {
            Datum::Sum { variant, payload } => Ok((variants.clone(), *variant, payload.clone())),
            _ => failure("Not a sum type"),
        }
    }

    fn construct(&mut self, to: &str, type_name: &str, variant: &str, names: &[&str]) -> Result<(), Trouble> {
        let structure = self.structure(type_name)?;
        self.begin(to, type_name)?;
        let Structure::Sum(variants) = structure else { return failure("Not a sum type") };
        let Some(at) = variants.iter().position(|(name, _)| name == variant) else { return failure("No such variant") };
        let wanted = &variants[at].1;
        if names.len() != wanted.len() {
            return failure(format!("{} values expected but {} values provided.", wanted.len(), names.len()));
        }
        let mut payload = Vec::new();
        for (number, (name, wanted)) in names.iter().zip(wanted).enumerate() {
            let got = &self.held(name)?.type_name;
            if got != wanted {
                return failure(format!("Value {number} mismatch: expected type {wanted}, got {got}"));
            }
            payload.push(self.datum(name)?.clone());
        }
        self.hold(to, type_name, Some(Datum::Sum { variant: at, payload }));
        Ok(())
    }

    fn destruct(&mut self, from: &str, names: &[&str]) -> Result<(), Trouble> {
        let (variants, variant, payload) = self.sum(from)?;
        let (name, types) = &variants[variant];
        if names.len() != types.len() {
            let (wanted, got) = (types.len(), names.len());
            return failure(format!("{wanted} variables expected but {got} variables provided.  {name}"));
        }
        for ((name, of), part) in names.iter().zip(types).zip(payload) {
            self.must_be_new(name)?;
            self.hold(name, of, Some(part));
        }
        Ok(())
    }
}

fn kind_of(structure: &Structure) -> &'static str {
    match structure {
        Structure::Primitive(_) => "primitive",
        Structure::Array { .. } => "array",
        Structure::Record(_) => "record",
        Structure::Sum(_) => "sum",
    }
}

/// Returns the system's error message, without the error number that Rust appends.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
