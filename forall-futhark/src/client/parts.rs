//! Parts of values: fields of records, variants of sums, elements of arrays.

use super::Error;
use super::kinds::Kind;
use super::server::Server;
use super::variable::Variable;

/// The hint at the end of error messages.
const KIND: &str = "`Server::kind` tells what it is made of";

fn is_no(what: &str, variable: &Variable) -> String {
    format!("{} is no {what}; {KIND}", variable.type_name())
}

impl Server {
    /// Returns a field of a record.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pair = server.call("pair", &[]).unwrap();
    /// let first = server.project(&pair, "0").unwrap();
    /// ```
    pub fn project(&self, record: &Variable, field: &str) -> Result<Variable, Error> {
        let Kind::Record(fields) = self.kind(record.type_name())? else {
            return Err(Error::Impossible(is_no("record", record)));
        };
        // A request for an unknown field would end the server.
        let Some(found) = fields.into_iter().find(|known| known.name == field) else {
            return Err(Error::Impossible(format!("{} has no field {field}; {KIND}", record.type_name())));
        };
        self.make(found.type_name, &["project"], &[record.name(), field])
    }

    /// Creates a record from its fields, in the order of [`Kind::Record`].
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

    /// Creates an array of records from one array per field.
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

    /// Creates a value of a sum type.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let radius = server.put(&[Value::scalar(1f32)]).unwrap();
    /// let circle = server.construct("shape", "circle", &[&radius[0]]).unwrap();
    /// ```
    pub fn construct(&self, type_name: &str, variant: &str, payload: &[&Variable]) -> Result<Variable, Error> {
        let mut words = vec![type_name, variant];
        words.extend(payload.iter().map(|part| part.name()));
        self.make(type_name.to_owned(), &["construct"], &words)
    }

    /// Returns the variant of a sum value, and its payload.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let shape = server.call("shape", &[]).unwrap();
    /// let (variant, payload) = server.destruct(&shape).unwrap();
    /// ```
    pub fn destruct(&self, sum: &Variable) -> Result<(String, Vec<Variable>), Error> {
        let Kind::Sum(variants) = self.kind(sum.type_name())? else {
            return Err(Error::Impossible(is_no("sum type", sum)));
        };
        let name = self.ask(&["variant", sum.name()])?.pop().unwrap_or_default();
        let Some(variant) = variants.into_iter().find(|variant| variant.name == name) else {
            return Err(Error::Impossible(format!("{} has no variant {name}", sum.type_name())));
        };
        let payload: Vec<Variable> = variant.payload.into_iter().map(|part| self.variable(part)).collect();
        let mut words = vec!["destruct", sum.name()];
        words.extend(payload.iter().map(|part| part.name()));
        self.ask(&words)?;
        Ok((name, payload.into_iter().map(Variable::made).collect()))
    }

    /// Returns the length of each dimension of an array.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let array = server.put(&[Value::array([1u8, 2])]).unwrap();
    /// assert_eq!(server.shape(&array[0]).unwrap(), [2]);
    /// ```
    pub fn shape(&self, array: &Variable) -> Result<Vec<usize>, Error> {
        Ok(self.ask(&["shape", array.name()])?.iter().filter_map(|line| line.parse().ok()).collect())
    }

    /// Returns an element of an array.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let array = server.put(&[Value::array([1u8, 2])]).unwrap();
    /// let second = server.index(&array[0], &[1]).unwrap();
    /// ```
    pub fn index(&self, array: &Variable, indices: &[usize]) -> Result<Variable, Error> {
        let Kind::Array { element, .. } = self.kind(array.type_name())? else {
            return Err(Error::Impossible(is_no("array", array)));
        };
        let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
        let mut words = vec![array.name()];
        words.extend(indices.iter().map(String::as_str));
        self.make(element, &["index"], &words)
    }

    /// Writes one element of an array in place. Servers up to 0.28 write to the wrong position in multi-dimensional
    /// arrays that are not square.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let values = server.put(&[Value::array([1u8, 2]), Value::scalar(7u8)]).unwrap();
    /// server.set(&values[0], &[1], &values[1]).unwrap();
    /// assert_eq!(server.get(&[&values[0]]).unwrap(), [Value::array([1u8, 7])]);
    /// ```
    pub fn set(&self, array: &Variable, indices: &[usize], element: &Variable) -> Result<(), Error> {
        let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
        let mut words = vec!["set", array.name(), element.name()];
        words.extend(indices.iter().map(String::as_str));
        self.ask(&words).map(drop)
    }

    /// Creates an array from elements on the server, in row-major order.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let elements = server.put(&[Value::scalar(1u8), Value::scalar(2u8)]).unwrap();
    /// let array = server.array("[]u8", &[2], &[&elements[0], &elements[1]]).unwrap();
    /// ```
    pub fn array(&self, type_name: &str, shape: &[usize], elements: &[&Variable]) -> Result<Variable, Error> {
        let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
        let mut words = vec![type_name];
        words.extend(shape.iter().map(String::as_str));
        words.extend(elements.iter().map(|element| element.name()));
        self.make(type_name.to_owned(), &["new_array"], &words)
    }

    /// Returns one array per field of an array of records.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pairs = server.call("pairs", &[]).unwrap();
    /// let columns = server.unzip(&pairs).unwrap();
    /// ```
    pub fn unzip(&self, array: &Variable) -> Result<Vec<Variable>, Error> {
        let not_records = || Error::Impossible(is_no("array of records", array));
        let Kind::Array { element, rank } = self.kind(array.type_name())? else { return Err(not_records()) };
        let Kind::Record(fields) = self.kind(&element)? else { return Err(not_records()) };
        let column = |of: String| self.variable("[]".repeat(rank) + &of);
        let columns: Vec<Variable> = fields.into_iter().map(|field| column(field.type_name)).collect();
        let mut words = vec!["unzip", array.name()];
        words.extend(columns.iter().map(Variable::name));
        self.ask(&words)?;
        Ok(columns.into_iter().map(Variable::made).collect())
    }

    /// Queries the type of a variable from the server.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let one = server.put(&[Value::scalar(1u8)]).unwrap().remove(0);
    /// assert_eq!(server.type_of(&one).unwrap(), "u8");
    /// ```
    pub fn type_of(&self, variable: &Variable) -> Result<String, Error> {
        Ok(self.ask(&["type", variable.name()])?.pop().unwrap_or_default())
    }

    fn composite(&self, command: &str, type_name: &str, parts: &[&Variable]) -> Result<Variable, Error> {
        let mut words = vec![type_name];
        words.extend(parts.iter().map(|part| part.name()));
        self.make(type_name.to_owned(), &[command], &words)
    }
}
