//! Several commands that depend on each other, sent at once.
//!
//! A server does one thing after the other, so a command may name what the one before it makes. All answers are read at the
//! end: a candidate is made, tried and answered in one exchange, not in ten.

use super::server::Server;
use super::values::read_file;
use super::variable::Variable;
use super::{Error, Refused};
use crate::data::Value;
use crate::datum::Datum;

/// What a script makes on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made(usize);

/// Commands to be sent.
pub(crate) struct Script<'a> {
    server: &'a Server,
    lines: Vec<String>,
    /// How many variables each line makes.
    makes: Vec<usize>,
    variables: Vec<Variable>,
    /// All values that are put, in one file.
    values: Vec<Value>,
    put: Vec<usize>,
}

/// Where a script ended.
pub(crate) enum Ended {
    /// A call was refused: which, counted from 0, and why.
    Refused { call: usize, refused: Refused },
    /// The server is gone, or a file cannot be written: during which call, if it is known.
    Error { call: Option<usize>, error: Error },
}

impl<'a> Script<'a> {
    pub(crate) fn new(server: &'a Server) -> Self {
        Self {
            server,
            lines: Vec::new(),
            makes: Vec::new(),
            variables: Vec::new(),
            values: Vec::new(),
            put: Vec::new(),
        }
    }

    /// A value of any type, given to the server before anything else.
    pub(crate) fn put(&mut self, type_name: &str, datum: &Datum) -> Made {
        self.values.extend(datum.leaves(type_name, &self.server.known()));
        let made = self.variable(type_name);
        self.put.push(made.0);
        made
    }

    /// Runs an entry point.
    pub(crate) fn call(&mut self, entry_point: &str, output: &str, inputs: &[Made]) -> Made {
        let made = self.variable(output);
        let names = inputs.iter().map(|input| self.variables[input.0].name());
        let words: Vec<&str> = ["call", entry_point, self.variables[made.0].name()].into_iter().chain(names).collect();
        self.lines.push(crate::protocol::join(&words).unwrap_or_default());
        self.makes.push(made.0);
        made
    }

    fn variable(&mut self, type_name: &str) -> Made {
        self.variables.push(self.server.variable(type_name.to_owned()));
        Made(self.variables.len() - 1)
    }

    /// Sends all of it; the values of what was asked for, one after the other.
    pub(crate) fn run(self, wanted: &[Made]) -> Result<Vec<Value>, Ended> {
        let error = |error: Error| Ended::Error { call: None, error };
        let (put, get) = (self.server.file("put"), self.server.file("get"));
        let mut lines = Vec::with_capacity(self.lines.len() + 2);
        if !self.put.is_empty() {
            self.server.write(&put, &self.values).map_err(error)?;
            let path = put.to_string_lossy();
            let mut words = vec!["restore", &*path];
            for at in &self.put {
                words.extend([self.variables[*at].name(), self.variables[*at].type_name()]);
            }
            lines.push(crate::protocol::join(&words).unwrap_or_default());
        }
        let before = lines.len();
        lines.extend(self.lines);
        let path = get.to_string_lossy();
        let mut words = vec!["store", &*path];
        words.extend(wanted.iter().map(|made| self.variables[made.0].name()));
        lines.push(crate::protocol::join(&words).unwrap_or_default());
        let answers = self.server.exchange(&lines);
        // What was made is freed when this ends; what was not, never was.
        let mut ended = None;
        for (at, answer) in answers.into_iter().enumerate() {
            let call = at.checked_sub(before).filter(|call| *call < self.makes.len());
            match (answer, call) {
                (Ok(_), None) if at < before => self.put.iter().for_each(|made| self.variables[*made].exists()),
                (Ok(_), None) => {}
                (Ok(_), Some(call)) => self.variables[self.makes[call]].exists(),
                (Err(Error::Refused(refused)), Some(call)) if ended.is_none() => {
                    ended = Some(Ended::Refused { call, refused });
                }
                (Err(error), call) if ended.is_none() => ended = Some(Ended::Error { call, error }),
                (Err(_), _) => {}
            }
        }
        match ended {
            Some(ended) => Err(ended),
            None => read_file(&get).map_err(error),
        }
    }
}
