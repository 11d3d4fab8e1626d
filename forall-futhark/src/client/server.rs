//! What a server offers, by type: entry points, values, and variables that are freed when nobody has them any more.

use super::connection::{Connection, Options};
use super::kinds::{Field, Generation, Kind, Parameter, Variant};
use super::{Error, Why};
use crate::data::{Primitive, Value, read_values};
use crate::datum::Datum;
use crate::datum::print::Sums;
use crate::datum::types::{Structure, Types};
use crate::protocol::{MOST_WORDS, join};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;
use tempfile::TempDir;

/// A value that the server holds.
///
/// When it is dropped, the server is told to free it with the next command; so each is freed exactly once, and never by hand.
///
/// ```no_run
/// # use forall_futhark::{client::{Options, Server}, data::Value};
/// # let server = Server::start("./program", &Options::default()).unwrap();
/// let temporary = server.put(&[Value::scalar(1u8)]).unwrap();
/// drop(temporary);
/// server.put(&[Value::scalar(2u8)]).unwrap(); // Before this, the server frees the one above.
/// ```
pub struct Variable {
    server: Rc<Shared>,
    name: String,
    type_name: String,
    /// Whether a command succeeded that makes it. What a failed one leaves behind may not be freed: servers crash.
    exists: Cell<bool>,
}

impl Variable {
    /// The type that the server says it has.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.put(&[Value::scalar(1u8)]).unwrap()[0].type_name(), "u8");
    /// ```
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// What commands call it.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.put(&[Value::scalar(1u8)]).unwrap()[0].name(), "v0");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Variable {
    fn drop(&mut self) {
        if self.exists.get() {
            self.server.garbage.borrow_mut().push(std::mem::take(&mut self.name));
        }
    }
}

struct Shared {
    connection: RefCell<Connection>,
    garbage: RefCell<Vec<String>>,
    next: Cell<u64>,
    kinds: RefCell<HashMap<String, Kind>>,
    /// What the entry points give that were called.
    outputs: RefCell<HashMap<String, Vec<Parameter>>>,
    /// What the types that came up are made of.
    known: RefCell<Types>,
    commands: Cell<u64>,
    /// Where values travel: in memory, if the machine has a place for that.
    directory: TempDir,
}

/// A server, with what it offers.
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
    shared: Rc<Shared>,
    generation: Generation,
    types: Vec<String>,
    entry_points: Vec<String>,
}

impl Server {
    /// Starts a server and asks what it offers. A server of the older generation ends at the first newer command; it is started
    /// again then.
    ///
    /// ```no_run
    /// use forall_futhark::client::{Generation, Options, Server};
    /// let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.generation(), Generation::Current);
    /// ```
    pub fn start(program: &str, options: &Options) -> Result<Self, Error> {
        let mut connection = Connection::start(program, options)?;
        let generation = match connection.ask(&["kind", "i32"]) {
            Err(Error::Lost(lost)) if lost.why == Why::Ended && lost.stderr.contains("Unknown command") => {
                connection = Connection::start(program, options)?;
                Generation::Legacy
            }
            answer => answer.map(|_| Generation::Current)?,
        };
        let types = connection.ask(&["types"])?;
        let entry_points = connection.ask(&["entry_points"])?;
        let directory =
            directory().map_err(|error| Error::File(format!("no place for the values that travel: {error}")))?;
        let shared = Shared {
            connection: connection.into(),
            garbage: RefCell::default(),
            next: Cell::new(0),
            kinds: RefCell::default(),
            outputs: RefCell::default(),
            known: RefCell::default(),
            commands: Cell::new(0),
            directory,
        };
        Ok(Self { shared: Rc::new(shared), generation, types, entry_points })
    }

    /// Which commands it knows.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// println!("{:?}", server.generation());
    /// ```
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// The types that it knows.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.types().contains(&"bool".to_owned()));
    /// ```
    pub fn types(&self) -> &[String] {
        &self.types
    }

    /// What it can run.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.entry_points().contains(&"main".to_owned()));
    /// ```
    pub fn entry_points(&self) -> &[String] {
        &self.entry_points
    }

    /// When everything is to end; the server is killed then.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.ends_at(Some(std::time::Instant::now() + std::time::Duration::from_secs(300)));
    /// ```
    pub fn ends_at(&self, instant: Option<Instant>) {
        self.shared.connection.borrow_mut().ends_at(instant);
    }

    /// Whether it can still be spoken to.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(server.is_alive());
    /// ```
    pub fn is_alive(&self) -> bool {
        self.shared.connection.borrow().is_alive()
    }

    /// How many commands it was given.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// println!("{} commands", server.commands());
    /// ```
    pub fn commands(&self) -> u64 {
        self.shared.commands.get()
    }

    /// What an entry point takes.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.inputs("double").unwrap()[0].type_name, "i64");
    /// ```
    pub fn inputs(&self, entry_point: &str) -> Result<Vec<Parameter>, Error> {
        Ok(self.ask(&["inputs", entry_point])?.iter().map(|line| Parameter::parse(line)).collect())
    }

    /// What an entry point gives, asked for once: one value, but for servers of the older generation, which give a tuple as its parts.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.outputs("double").unwrap()[0].type_name, "i64");
    /// ```
    pub fn outputs(&self, entry_point: &str) -> Result<Vec<Parameter>, Error> {
        if let Some(known) = self.shared.outputs.borrow().get(entry_point) {
            return Ok(known.clone());
        }
        let command = match self.generation {
            Generation::Current => "output",
            Generation::Legacy => "outputs",
        };
        let outputs: Vec<Parameter> =
            self.ask(&[command, entry_point])?.iter().map(|line| Parameter::parse(line)).collect();
        self.shared.outputs.borrow_mut().insert(entry_point.to_owned(), outputs.clone());
        Ok(outputs)
    }

    /// The attributes of an entry point, without `#[` and `]`. Servers of the older generation do not tell.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.attributes("even").unwrap(), ["prop(size(10))"]);
    /// ```
    pub fn attributes(&self, entry_point: &str) -> Result<Vec<String>, Error> {
        match self.generation {
            Generation::Current => self.ask(&["attributes", entry_point]),
            Generation::Legacy => Err(Error::Impossible("this server does not tell attributes".to_owned())),
        }
    }

    /// What a type is made of. Asks once for each type.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Kind, Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(matches!(server.kind("(i32, bool)").unwrap(), Kind::Record(fields) if fields.len() == 2));
    /// ```
    pub fn kind(&self, type_name: &str) -> Result<Kind, Error> {
        if let Ok(primitive) = type_name.parse() {
            return Ok(Kind::Primitive(primitive));
        }
        if let Some(kind) = self.shared.kinds.borrow().get(type_name) {
            return Ok(kind.clone());
        }
        // To ask for an unknown type ends the server.
        if !self.types.iter().any(|known| known == type_name) {
            return Err(Error::Impossible(format!("the server has no type {type_name}")));
        }
        let kind = match self.generation {
            Generation::Current => self.ask_kind(type_name)?,
            Generation::Legacy => self.guess_kind(type_name)?,
        };
        self.shared.kinds.borrow_mut().insert(type_name.to_owned(), kind.clone());
        Ok(kind)
    }

    fn ask_kind(&self, type_name: &str) -> Result<Kind, Error> {
        let kind = self.ask(&["kind", type_name])?;
        Ok(match kind.first().map(String::as_str) {
            Some("array") => {
                let rank = self.ask(&["rank", type_name])?;
                let element = self.ask(&["elemtype", type_name])?;
                let rank = rank.first().and_then(|rank| rank.parse().ok());
                match (element.first(), rank) {
                    (Some(element), Some(rank)) => Kind::Array { element: element.clone(), rank },
                    _ => Kind::Opaque,
                }
            }
            Some("record") => Kind::Record(fields(&self.ask(&["fields", type_name])?)),
            Some("sum") => Kind::Sum(variants(&self.ask(&["variants", type_name])?)),
            _ => Kind::Opaque,
        })
    }

    /// The older generation says only what the fields of records are.
    fn guess_kind(&self, type_name: &str) -> Result<Kind, Error> {
        let element = type_name.trim_start_matches("[]");
        let rank = (type_name.len() - element.len()) / 2;
        if rank > 0 {
            return Ok(match element.parse::<Primitive>() {
                Ok(_) => Kind::Array { element: element.to_owned(), rank },
                Err(_) => Kind::Opaque,
            });
        }
        match self.ask(&["fields", type_name]) {
            Ok(lines) => Ok(Kind::Record(fields(&lines))),
            Err(Error::Refused(_)) => Ok(Kind::Opaque),
            Err(lost) => Err(lost),
        }
    }

    /// Gives the server values, all in one file.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let variables = server.put(&[Value::scalar(1u8), Value::array([true, false])]).unwrap();
    /// assert_eq!(variables[1].type_name(), "[]bool");
    /// ```
    pub fn put(&self, values: &[Value]) -> Result<Vec<Variable>, Error> {
        let mut variables = Vec::with_capacity(values.len());
        for some in values.chunks((MOST_WORDS - 2) / 2) {
            let of: Vec<String> = some.iter().map(Value::type_name).collect();
            let of: Vec<&str> = of.iter().map(String::as_str).collect();
            variables.extend(self.restore(some, &of)?);
        }
        Ok(variables)
    }

    /// Gives the server values of any types, all in one file: records, sums and arrays of them as the values that they are made
    /// of, which is how servers themselves write them.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, datum::Native};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pair = server.put_all(&[("(i32, bool)", (1i32, true).into_datum())]).unwrap();
    /// assert_eq!(pair[0].type_name(), "(i32, bool)");
    /// ```
    pub fn put_all(&self, data: &[(&str, Datum)]) -> Result<Vec<Variable>, Error> {
        for (type_name, _) in data {
            self.learn(type_name)?;
        }
        let mut variables = Vec::with_capacity(data.len());
        for some in data.chunks((MOST_WORDS - 2) / 2) {
            let known = self.shared.known.borrow();
            let values: Vec<Value> = some.iter().flat_map(|(of, datum)| datum.leaves(of, &known)).collect();
            drop(known);
            let of: Vec<&str> = some.iter().map(|(of, _)| *of).collect();
            variables.extend(self.restore(&values, &of)?);
        }
        Ok(variables)
    }

    /// Gives the server variables of these types, made of the values one after the other.
    pub(crate) fn restore_as(&self, values: &[Value], of: &[String]) -> Result<Vec<Variable>, Error> {
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.restore(values, &of)
    }

    fn restore(&self, values: &[Value], of: &[&str]) -> Result<Vec<Variable>, Error> {
        let file = self.file("put");
        self.write(&file, values)?;
        let path = file.to_string_lossy();
        let new: Vec<Variable> = of.iter().map(|of| self.variable((*of).to_owned())).collect();
        let mut words = vec!["restore", &*path];
        words.extend(new.iter().flat_map(|variable| [&*variable.name, &*variable.type_name]));
        self.ask(&words)?;
        Ok(new.into_iter().map(Variable::made).collect())
    }

    /// Reads a value of any type back.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, datum::Native};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pair = server.call("pair", &[]).unwrap();
    /// assert_eq!(server.fetch(&pair).unwrap(), (1i32, true).into_datum());
    /// ```
    pub fn fetch(&self, variable: &Variable) -> Result<Datum, Error> {
        self.learn(&variable.type_name)?;
        let leaves = self.get(&[variable])?;
        let known = self.shared.known.borrow();
        Datum::from_leaves(&variable.type_name, &mut leaves.into_iter(), &known)
            .ok_or_else(|| Error::Impossible(format!("the server stored something that is no {}", variable.type_name)))
    }

    /// A value of any type, as a person would write it. What cannot be looked into is `<opaque:type>`.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let point = server.call("point", &[]).unwrap();
    /// assert_eq!(server.show(&point).unwrap(), "{x = 1.0f64, y = 2.0f64}");
    /// ```
    pub fn show(&self, variable: &Variable) -> Result<String, Error> {
        self.text(variable, Sums::Open)
    }

    pub(crate) fn text(&self, variable: &Variable, sums: Sums) -> Result<String, Error> {
        match self.fetch(variable) {
            Ok(datum) => Ok(datum.text(&variable.type_name, &self.shared.known.borrow(), sums)),
            Err(Error::Impossible(_)) => Ok(format!("<opaque:{}>", variable.type_name)),
            Err(error) => Err(error),
        }
    }

    /// What the types are made of that came up so far.
    pub(crate) fn known(&self) -> std::cell::Ref<'_, Types> {
        self.shared.known.borrow()
    }

    /// Asks what a type is made of, and all that it is made of.
    pub(crate) fn learn(&self, type_name: &str) -> Result<(), Error> {
        if type_name.parse::<Primitive>().is_ok() || self.shared.known.borrow().get(type_name).is_some() {
            return Ok(());
        }
        let structure = match self.kind(type_name)? {
            Kind::Primitive(primitive) => Structure::Primitive(primitive),
            Kind::Array { element, rank } => {
                self.learn(&element)?;
                Structure::Array { element, rank }
            }
            Kind::Record(fields) => {
                for field in &fields {
                    self.learn(&field.type_name)?;
                }
                Structure::Record(fields.into_iter().map(|field| (field.name, field.type_name)).collect())
            }
            Kind::Sum(variants) => {
                for part in variants.iter().flat_map(|variant| &variant.payload) {
                    self.learn(part)?;
                }
                Structure::Sum(variants.into_iter().map(|variant| (variant.name, variant.payload)).collect())
            }
            Kind::Opaque => return Err(Error::Impossible(format!("nobody may look into a {type_name}"))),
        };
        let mut known = self.shared.known.borrow_mut();
        known.name(type_name, structure);
        known.mention(type_name);
        Ok(())
    }

    /// Reads values back, all in one file. Records, tuples and sums come as the values that they are made of.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let variables = server.put(&[Value::scalar(1u8)]).unwrap();
    /// assert_eq!(server.get(&[&variables[0]]).unwrap(), [Value::scalar(1u8)]);
    /// ```
    pub fn get(&self, variables: &[&Variable]) -> Result<Vec<Value>, Error> {
        let mut values = Vec::new();
        for some in variables.chunks(MOST_WORDS - 2) {
            let file = self.file("get");
            self.store(&file, some)?;
            values.extend(read_file(&file)?);
        }
        Ok(values)
    }

    /// Has the server write values to a file, in the binary format.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let variables = server.put(&[Value::scalar(1u8)]).unwrap();
    /// server.store("one.data".as_ref(), &[&variables[0]]).unwrap();
    /// ```
    pub fn store(&self, file: &Path, variables: &[&Variable]) -> Result<(), Error> {
        let path = file.to_string_lossy();
        let mut words = vec!["store", &*path];
        words.extend(variables.iter().map(|variable| &*variable.name));
        self.ask(&words).map(drop)
    }

    /// Runs an entry point that gives one value.
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
        // Servers of the older generation take the outermost tuple apart.
        let types: Vec<&str> = outputs.iter().map(Variable::type_name).collect();
        let tuple = format!("({})", types.join(", "));
        if !self.types.contains(&tuple) {
            return Err(Error::Impossible(format!("{entry_point} gives {tuple}, and this server has no such type")));
        }
        self.record(&tuple, &outputs.iter().collect::<Vec<_>>())
    }

    /// Runs an entry point, for all that it gives.
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
        words.extend(outputs.iter().chain(inputs.iter().copied()).map(|variable| &*variable.name));
        self.ask(&words)?;
        Ok(outputs.into_iter().map(Variable::made).collect())
    }

    /// Part of a record.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pair = server.call("pair", &[]).unwrap();
    /// let first = server.project(&pair, "0").unwrap();
    /// ```
    pub fn project(&self, record: &Variable, field: &str) -> Result<Variable, Error> {
        let Kind::Record(fields) = self.kind(&record.type_name)? else {
            return Err(Error::Impossible(format!("{} is no record", record.type_name)));
        };
        // To ask for an unknown field ends the server.
        let Some(found) = fields.into_iter().find(|known| known.name == field) else {
            return Err(Error::Impossible(format!("{} has no field {field}", record.type_name)));
        };
        self.make(found.type_name, &["project"], &[&record.name, field])
    }

    /// A record of its fields, in the order of [`Kind::Record`].
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let parts = server.put(&[Value::scalar(1i32), Value::scalar(true)]).unwrap();
    /// let pair = server.record("(i32, bool)", &[&parts[0], &parts[1]]).unwrap();
    /// ```
    pub fn record(&self, type_name: &str, fields: &[&Variable]) -> Result<Variable, Error> {
        self.composite("new", type_name, fields)
    }

    /// An array of records of one array for each field.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let parts = server.put(&[Value::array([1i32]), Value::array([true])]).unwrap();
    /// let pairs = server.zip("[](i32, bool)", &[&parts[0], &parts[1]]).unwrap();
    /// ```
    pub fn zip(&self, type_name: &str, arrays: &[&Variable]) -> Result<Variable, Error> {
        self.composite("zip", type_name, arrays)
    }

    /// A value of a sum type.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let radius = server.put(&[Value::scalar(1f32)]).unwrap();
    /// let circle = server.construct("shape", "circle", &[&radius[0]]).unwrap();
    /// ```
    pub fn construct(&self, type_name: &str, variant: &str, payload: &[&Variable]) -> Result<Variable, Error> {
        let mut words = vec![type_name, variant];
        words.extend(payload.iter().map(|part| &*part.name));
        self.make(type_name.to_owned(), &["construct"], &words)
    }

    /// The variant of a sum value, and what it carries.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let shape = server.call("shape", &[]).unwrap();
    /// let (variant, payload) = server.destruct(&shape).unwrap();
    /// ```
    pub fn destruct(&self, sum: &Variable) -> Result<(String, Vec<Variable>), Error> {
        let Kind::Sum(variants) = self.kind(&sum.type_name)? else {
            return Err(Error::Impossible(format!("{} is no sum type", sum.type_name)));
        };
        let name = self.ask(&["variant", &sum.name])?.pop().unwrap_or_default();
        let Some(variant) = variants.into_iter().find(|variant| variant.name == name) else {
            return Err(Error::Impossible(format!("{} has no variant {name}", sum.type_name)));
        };
        let payload: Vec<Variable> = variant.payload.into_iter().map(|part| self.variable(part)).collect();
        let mut words = vec!["destruct", &*sum.name];
        words.extend(payload.iter().map(|part| &*part.name));
        self.ask(&words)?;
        Ok((name, payload.into_iter().map(Variable::made).collect()))
    }

    /// The length of each dimension of an array.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let array = server.put(&[Value::array([1u8, 2])]).unwrap();
    /// assert_eq!(server.shape(&array[0]).unwrap(), [2]);
    /// ```
    pub fn shape(&self, array: &Variable) -> Result<Vec<usize>, Error> {
        Ok(self.ask(&["shape", &array.name])?.iter().filter_map(|line| line.parse().ok()).collect())
    }

    /// An element of an array.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let array = server.put(&[Value::array([1u8, 2])]).unwrap();
    /// let second = server.index(&array[0], &[1]).unwrap();
    /// ```
    pub fn index(&self, array: &Variable, indices: &[usize]) -> Result<Variable, Error> {
        let Kind::Array { element, .. } = self.kind(&array.type_name)? else {
            return Err(Error::Impossible(format!("{} is no array", array.type_name)));
        };
        let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
        let mut words = vec![&*array.name];
        words.extend(indices.iter().map(String::as_str));
        self.make(element, &["index"], &words)
    }

    fn composite(&self, command: &str, type_name: &str, parts: &[&Variable]) -> Result<Variable, Error> {
        let mut words = vec![type_name];
        words.extend(parts.iter().map(|part| &*part.name));
        self.make(type_name.to_owned(), &[command], &words)
    }

    /// Sends a command that makes a variable: its name stands between `before` and `after`.
    fn make(&self, type_name: String, before: &[&str], after: &[&str]) -> Result<Variable, Error> {
        let variable = self.variable(type_name);
        let mut words = before.to_vec();
        words.push(&variable.name);
        words.extend_from_slice(after);
        self.ask(&words)?;
        Ok(variable.made())
    }

    /// A file for values that travel.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.shared.directory.path().join(name)
    }

    pub(super) fn write(&self, file: &Path, values: &[Value]) -> Result<(), Error> {
        write_values(file, values).map_err(|error| cannot(file, &error))
    }

    /// A variable to be made, of a name that no other has.
    pub(super) fn variable(&self, type_name: String) -> Variable {
        let number = self.shared.next.get();
        self.shared.next.set(number + 1);
        Variable { server: self.shared.clone(), name: format!("v{number}"), type_name, exists: Cell::new(false) }
    }

    fn ask(&self, words: &[&str]) -> Result<Vec<String>, Error> {
        let line = join(words).ok_or_else(|| {
            Error::Impossible(format!("the protocol cannot say {words:?}: quotes and line ends have no form in it"))
        })?;
        self.exchange(&[line]).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Sends lines, and before them what frees the variables that nobody has any more.
    pub(super) fn exchange(&self, lines: &[String]) -> Vec<Result<Vec<String>, Error>> {
        let garbage = std::mem::take(&mut *self.shared.garbage.borrow_mut());
        let mut all = Vec::with_capacity(lines.len() + 1);
        for names in garbage.chunks(MOST_WORDS - 1) {
            all.push(format!("free {}", names.join(" ")));
        }
        let frees = all.len();
        all.extend_from_slice(lines);
        self.shared.commands.set(self.shared.commands.get() + all.len() as u64);
        let mut answers = self.shared.connection.borrow_mut().ask_all(&all);
        // A server that is lost while it frees answers nothing else.
        let after = frees.min(answers.len() - 1);
        answers.drain(..after);
        answers
    }
}

impl Variable {
    /// The server made it.
    fn made(self) -> Self {
        self.exists();
        self
    }

    pub(super) fn exists(&self) {
        self.exists.set(true);
    }
}

fn fields(lines: &[String]) -> Vec<Field> {
    let field = |line: &String| {
        let (name, type_name) = line.split_once(' ').unwrap_or((line, ""));
        Field { name: name.to_owned(), type_name: type_name.to_owned() }
    };
    lines.iter().map(field).collect()
}

fn variants(lines: &[String]) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for line in lines {
        match (line.strip_prefix("- "), variants.last_mut()) {
            (Some(part), Some(variant)) => variant.payload.push(part.to_owned()),
            _ => variants.push(Variant { name: line.clone(), payload: Vec::new() }),
        }
    }
    variants
}

fn write_values(file: &Path, values: &[Value]) -> std::io::Result<()> {
    let mut to = BufWriter::new(std::fs::File::create(file)?);
    for value in values {
        value.write(&mut to)?;
    }
    to.flush()
}

/// All values of a file.
pub(super) fn read_file(file: &Path) -> Result<Vec<Value>, Error> {
    let mut reader = std::fs::File::open(file).map(BufReader::new).map_err(|error| cannot(file, &error))?;
    read_values(&mut reader).map_err(|error| Error::File(format!("{}: {error}", file.display())))
}

fn cannot(file: &Path, error: &std::io::Error) -> Error {
    Error::File(format!("{}: {error}", file.display()))
}

/// A directory of our own for values that travel, in memory where the machine has a place for that.
fn directory() -> std::io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let own = tempfile::Builder::new().prefix("forall-").tempdir_in(memory);
    own.or_else(|_| tempfile::Builder::new().prefix("forall-").tempdir())
}
