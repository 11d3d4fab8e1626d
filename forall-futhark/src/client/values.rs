//! Transfer of values in files; in memory, if the system has such a file system.

use super::Error;
use super::pipes::Pipe;
use super::server::Server;
use super::variable::Variable;
use crate::data::{Value, read_values};
use crate::datum::Datum;
use crate::datum::print::Sums;
use crate::protocol::MOST_WORDS;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The files of scripts, which are kept open.
#[derive(Default)]
pub(super) struct Files {
    put: Vec<Put>,
    stored: Vec<Stored>,
    pipes: Vec<Pipe>,
}

/// An input file, which the server reads.
struct Put {
    path: PathBuf,
    file: File,
    length: u64,
}

/// The first byte of a file that was already read. No value begins with it, in either format.
const READ: u8 = 0;

/// An output file, which the server writes.
struct Stored {
    path: PathBuf,
    file: File,
    /// The buffer for reading.
    bytes: Vec<u8>,
    length: usize,
}

impl Stored {
    /// Reads the whole file and returns its length. Returns 0 if the file was already read or was removed, even though
    /// its contents are still readable.
    fn read(&mut self) -> std::io::Result<usize> {
        self.length = 0;
        if self.file.metadata()?.nlink() == 0 {
            return Ok(0);
        }
        self.read_all()?;
        if self.bytes[..self.length].first() == Some(&READ) {
            self.length = 0;
        }
        if self.length > 0 {
            // Cheaper than truncating the file, which the server does before it writes.
            self.file.write_all_at(&[READ], 0)?;
        }
        Ok(self.length)
    }

    fn read_all(&mut self) -> std::io::Result<()> {
        /// More than most exchanges store.
        const PIECE: usize = 1 << 13;
        loop {
            if self.bytes.len() < self.length + PIECE {
                self.bytes.resize(2 * self.length + PIECE, 0);
            }
            let read = self.file.read_at(&mut self.bytes[self.length..], self.length as u64)?;
            self.length += read;
            if self.length < self.bytes.len() {
                return Ok(());
            }
        }
    }
}

impl Server {
    /// Sends values to the server, all in one file.
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

    /// Sends values of any types to the server, all in one file. Records, sums and arrays of them are sent as their
    /// parts, as servers store them.
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

    /// Creates variables of these types on the server from the values, in order.
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
        words.extend(new.iter().flat_map(|variable| [variable.name(), variable.type_name()]));
        self.ask(&words)?;
        Ok(new.into_iter().map(Variable::made).collect())
    }

    /// Reads a value of any type from the server.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, datum::Native};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let pair = server.call("pair", &[]).unwrap();
    /// assert_eq!(server.fetch(&pair).unwrap(), (1i32, true).into_datum());
    /// ```
    pub fn fetch(&self, variable: &Variable) -> Result<Datum, Error> {
        self.learn(variable.type_name())?;
        let leaves = self.get(&[variable])?;
        let known = self.shared.known.borrow();
        Datum::from_leaves(variable.type_name(), &mut leaves.into_iter(), &known).ok_or_else(|| {
            Error::Impossible(format!("the server stored something that is no {}", variable.type_name()))
        })
    }

    /// Returns a value of any type in Futhark syntax. Opaque values are shown as `<opaque:type>`.
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
            Ok(datum) => Ok(datum.text(variable.type_name(), &self.shared.known.borrow(), sums)),
            Err(Error::Impossible(_)) => Ok(format!("<opaque:{}>", variable.type_name())),
            Err(error) => Err(error),
        }
    }

    /// Reads values from the server, all in one file. Records, tuples and sums are returned as their parts.
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

    /// Stores values in a file, in the binary format. The server writes the file.
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
        words.extend(variables.iter().map(|variable| variable.name()));
        self.ask(&words).map(drop)
    }

    /// Returns the path of a file for transferring values.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.shared.directory.path().join(name)
    }

    /// Writes a file and keeps it open: creating a file costs more than writing it.
    pub(super) fn write_bytes(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut files = self.shared.files.borrow_mut();
        let known = files.put.iter().position(|put| put.path.as_os_str() == path.as_os_str());
        let at = match known {
            Some(at) => at,
            None => {
                let file = File::create(path).map_err(|error| cannot(path, &error))?;
                files.put.push(Put { path: path.to_owned(), file, length: 0 });
                files.put.len() - 1
            }
        };
        let put = &mut files.put[at];
        let length = bytes.len() as u64;
        let mut written = put.file.write_all_at(bytes, 0);
        // Servers reject a file with more data than the command requests.
        if written.is_ok() && length < put.length {
            written = put.file.set_len(length);
        }
        put.length = length;
        written.map_err(|error| cannot(path, &error))
    }

    /// Returns the path of a named pipe with this name, which the server writes as it writes a file; `None` if there are
    /// no such pipes. Only for results that fit into a pipe, since they are not read while the server writes.
    pub(super) fn pipe(&self, name: &str) -> Option<PathBuf> {
        let path = self.file(name);
        let mut files = self.shared.files.borrow_mut();
        if !files.pipes.iter().any(|pipe| pipe.is_at(&path)) {
            files.pipes.push(Pipe::create(&path)?);
        }
        Some(path)
    }

    /// Drops the contents of all named pipes: results of a failed exchange.
    pub(super) fn empty_pipes(&self) {
        // A pipe that cannot be read is reported when its next result is read.
        self.shared.files.borrow_mut().pipes.iter_mut().for_each(|pipe| drop(pipe.read()));
    }

    /// Reads a file that the server stored, and invalidates it, so that a later exchange cannot mistake it for its own
    /// result.
    pub(super) fn read_stored<T>(&self, path: &Path, read: impl FnOnce(&[u8]) -> T) -> Result<T, Error> {
        let mut files = self.shared.files.borrow_mut();
        if let Some(at) = files.pipes.iter().position(|pipe| pipe.is_at(path)) {
            if let Some(bytes) = files.pipes[at].read().map_err(|error| cannot(path, &error))? {
                return Ok(read(bytes));
            }
            // The server replaced the pipe by a file.
            files.pipes.remove(at);
        }
        let known = files.stored.iter().position(|stored| stored.path.as_os_str() == path.as_os_str());
        let length = known.map_or(Ok(0), |at| files.stored[at].read()).map_err(|error| cannot(path, &error))?;
        let at = match known {
            Some(at) if length > 0 => at,
            // The file was not opened yet, or the server replaced it.
            _ => {
                files.stored.retain(|stored| stored.path != path);
                let file = File::options().read(true).write(true).open(path).map_err(|error| cannot(path, &error))?;
                let mut stored = Stored { path: path.to_owned(), file, bytes: Vec::new(), length: 0 };
                stored.read().map_err(|error| cannot(path, &error))?;
                files.stored.push(stored);
                files.stored.len() - 1
            }
        };
        let stored = &files.stored[at];
        let bytes = &stored.bytes[..stored.length];
        Ok(read(bytes))
    }

    fn write<'a>(&self, file: &Path, values: impl IntoIterator<Item = &'a Value>) -> Result<(), Error> {
        write_values(file, values).map_err(|error| cannot(file, &error))
    }
}

fn write_values<'a>(file: &Path, values: impl IntoIterator<Item = &'a Value>) -> std::io::Result<()> {
    let mut to = BufWriter::new(std::fs::File::create(file)?);
    for value in values {
        value.write(&mut to)?;
    }
    to.flush()
}

/// Reads all values of a file.
fn read_file(file: &Path) -> Result<Vec<Value>, Error> {
    let mut reader = std::fs::File::open(file).map(BufReader::new).map_err(|error| cannot(file, &error))?;
    read_values(&mut reader).map_err(|error| Error::File(format!("{}: {error}", file.display())))
}

fn cannot(file: &Path, error: &std::io::Error) -> Error {
    Error::File(format!("{}: {error}", file.display()))
}
