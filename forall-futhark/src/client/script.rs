//! Many commands that depend on each other, sent at once.
//!
//! A server does one thing after the other, so a command may name what the one before it makes. All answers are read at the
//! end: candidates are made, tried and answered in one exchange, not in ten for each. What belongs together is a *section*: when
//! something goes wrong, it is known in which, and the others have their answers all the same.

use super::server::{MOST_VARIABLES, Server};
use super::values::read_file;
use super::variable::Variable;
use super::{Error, Refused};
use crate::data::Value;
use crate::datum::Datum;
use crate::protocol::MOST_WORDS;
use std::collections::HashMap;

/// What a script makes on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made(usize);

/// Commands to be sent.
pub(crate) struct Script<'a> {
    server: &'a Server,
    pending: Vec<Line>,
    variables: Vec<Variable>,
    /// What servers of the older generation give as several outputs.
    parts: HashMap<usize, Vec<Made>>,
    /// What is put, and the values that it is made of.
    put: Vec<(usize, Vec<Value>)>,
    sections: Vec<Section>,
    /// The section that commands belong to now.
    current: usize,
    /// How many variables others have.
    others: usize,
    /// How many are alive after all that is pending, and the most that are at any moment of it, beside what is put.
    live: usize,
    peak: usize,
    /// Why it cannot be sent.
    broken: Option<Error>,
}

/// One command.
struct Line {
    text: String,
    makes: Vec<usize>,
    frees: Option<usize>,
    section: usize,
    /// Which call of its section it is, counted from 0.
    call: Option<usize>,
}

#[derive(Default)]
struct Section {
    calls: usize,
    ended: Option<Ended>,
}

/// How a section ended, other than with its values.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// A call was refused: which, counted from 0, and why.
    Refused { call: usize, refused: Refused },
    /// The server is gone, or a file cannot be written: during which call, if it is known.
    Error { call: Option<usize>, error: Error },
    /// The server was lost in another section, and nothing is known of this one.
    Unknown,
}

impl Ended {
    /// Which call of its section it was, counted from 0, if it is known.
    pub(crate) fn call(&self) -> Option<usize> {
        match self {
            Self::Refused { call, .. } => Some(*call),
            Self::Error { call, .. } => *call,
            Self::Unknown => None,
        }
    }
}

impl<'a> Script<'a> {
    pub(crate) fn new(server: &'a Server) -> Self {
        Self {
            server,
            pending: Vec::new(),
            variables: Vec::new(),
            parts: HashMap::new(),
            put: Vec::new(),
            sections: vec![Section::default()],
            current: 0,
            others: server.shared.live.get(),
            live: 0,
            peak: 0,
            broken: None,
        }
    }

    /// What follows belongs to another section.
    pub(crate) fn next_section(&mut self) {
        self.sections.push(Section::default());
        self.current = self.sections.len() - 1;
    }

    /// The section that commands belong to now.
    pub(crate) fn section(&self) -> usize {
        self.current
    }

    /// What follows belongs to a section that was begun before.
    pub(crate) fn go_on_in(&mut self, section: usize) {
        self.current = section;
    }

    /// A value of any type, given to the server before anything else.
    pub(crate) fn put(&mut self, type_name: &str, datum: &Datum) -> Made {
        let values = datum.leaves(type_name, &self.server.known());
        self.variables.push(self.server.variable(type_name.to_owned()));
        let made = Made(self.variables.len() - 1);
        self.put.push((made.0, values));
        made
    }

    /// How many variables more may be made before something is freed.
    pub(crate) fn room(&self) -> usize {
        MOST_VARIABLES.saturating_sub(self.most())
    }

    /// The most variables that are alive at any moment of what is pending. What is put is there from the beginning.
    fn most(&self) -> usize {
        self.others + self.put.len() + self.peak
    }

    /// Frees what was made, when the commands so far are done.
    pub(crate) fn free(&mut self, made: Made) {
        let text = format!("free {}", self.variables[made.0].name());
        self.pending.push(Line { text, makes: Vec::new(), frees: Some(made.0), section: self.current, call: None });
        self.live = self.live.saturating_sub(1);
    }

    /// How many commands are pending.
    pub(crate) fn commands(&self) -> usize {
        self.pending.len()
    }

    /// Frees all that some of the pending commands make.
    pub(crate) fn free_made_by(&mut self, commands: std::ops::Range<usize>) {
        let made: Vec<usize> = self.pending[commands].iter().flat_map(|line| line.makes.clone()).collect();
        made.into_iter().for_each(|made| self.free(Made(made)));
    }

    /// After a run: everything is freed but what is still needed.
    pub(crate) fn keep(&mut self, needed: &[Made]) {
        for (at, variable) in self.variables.iter().enumerate() {
            if !needed.contains(&Made(at)) {
                variable.release();
            }
        }
        self.live = needed.len();
        self.peak = self.live;
    }

    /// Runs an entry point, for a section that was begun before.
    pub(crate) fn call_in(&mut self, section: usize, entry_point: &str, inputs: &[Made]) -> Made {
        let current = std::mem::replace(&mut self.current, section);
        let made = self.call(entry_point, inputs);
        self.current = current;
        made
    }

    /// Runs an entry point.
    pub(crate) fn call(&mut self, entry_point: &str, inputs: &[Made]) -> Made {
        let outputs = match self.server.outputs(entry_point) {
            Ok(outputs) => outputs,
            Err(error) => {
                self.broken.get_or_insert(error);
                Vec::new()
            }
        };
        let made: Vec<Made> = outputs.iter().map(|output| self.variable(&output.type_name)).collect();
        let names = made.iter().chain(inputs).map(|each| self.variables[each.0].name());
        let words: Vec<&str> = ["call", entry_point].into_iter().chain(names).collect();
        let text = crate::protocol::join(&words).unwrap_or_default();
        let section = self.current;
        let call = self.sections[section].calls;
        self.sections[section].calls += 1;
        self.pending.push(Line {
            text,
            makes: made.iter().map(|each| each.0).collect(),
            frees: None,
            section,
            call: Some(call),
        });
        match &*made {
            [one] => *one,
            _ => self.whole(made),
        }
    }

    /// One value of several outputs: a tuple, where the server has a type for it.
    fn whole(&mut self, parts: Vec<Made>) -> Made {
        let types: Vec<&str> = parts.iter().map(|part| self.variables[part.0].type_name()).collect();
        let tuple = format!("({})", types.join(", "));
        let whole = self.variable(&tuple);
        if self.server.types().contains(&tuple) {
            let names: Vec<&str> = parts.iter().map(|part| self.variables[part.0].name()).collect();
            let words = [&["new", self.variables[whole.0].name(), &*tuple], &*names].concat();
            self.command(&words.into_iter().map(str::to_owned).collect::<Vec<_>>(), whole);
        }
        self.parts.insert(whole.0, parts);
        whole
    }

    /// A part of a tuple, of a type that is known.
    pub(crate) fn part(&mut self, tuple: Made, number: usize, type_name: &str) -> Made {
        if let Some(part) = self.parts.get(&tuple.0).and_then(|parts| parts.get(number)) {
            return *part;
        }
        let part = self.variable(type_name);
        let (to, from) = (self.variables[part.0].name().to_owned(), self.variables[tuple.0].name().to_owned());
        self.command(&["project".to_owned(), to, from, number.to_string()], part);
        part
    }

    fn command(&mut self, words: &[String], makes: Made) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let text = crate::protocol::join(&words).unwrap_or_default();
        self.pending.push(Line { text, makes: vec![makes.0], frees: None, section: self.current, call: None });
    }

    fn variable(&mut self, type_name: &str) -> Made {
        self.variables.push(self.server.variable(type_name.to_owned()));
        self.live += 1;
        self.peak = self.peak.max(self.live);
        Made(self.variables.len() - 1)
    }

    /// Sends all that was not sent yet. For each section that something is wanted of, the values of each that is wanted, or how it
    /// ended. What was made stays, for more commands, until the script is dropped.
    pub(crate) fn run(&mut self, wanted: &[(usize, Vec<Made>)]) -> Vec<Result<Vec<Vec<Value>>, Ended>> {
        if let Some(error) = self.broken.take() {
            return wanted.iter().map(|_| Err(Ended::Error { call: None, error: error.clone() })).collect();
        }
        if self.room() == 0 {
            let error = Error::Impossible(format!(
                "{} values would have to be in the server at once; {MOST_VARIABLES} can be",
                self.most()
            ));
            return wanted.iter().map(|_| Err(Ended::Error { call: None, error: error.clone() })).collect();
        }
        let put = self.put.len();
        let stored = match self.send(wanted) {
            Ok(stored) => stored,
            Err(error) => {
                self.end_all(&error);
                false
            }
        };
        self.live += put;
        self.peak = self.live;
        let mut values = Vec::new();
        if stored || self.store_what_is_there(wanted) {
            match read_file(&self.server.file("get")) {
                Ok(read) => values = read,
                Err(error) => self.end_all(&error),
            }
        }
        self.taken_apart(wanted, values)
    }

    /// Sends what is pending and asks for what is wanted; whether that was stored.
    fn send(&mut self, wanted: &[(usize, Vec<Made>)]) -> Result<bool, Error> {
        let mut lines = Vec::with_capacity(self.pending.len() + 2);
        let put = std::mem::take(&mut self.put);
        // One file, unless there are more than one line can name.
        for (number, some) in put.chunks((MOST_WORDS - 2) / 2).enumerate() {
            let file = self.server.file(&format!("put{number}"));
            self.server.write(&file, some.iter().flat_map(|(_, values)| values))?;
            let path = file.to_string_lossy();
            let mut words = vec!["restore", &*path];
            for (at, _) in some {
                words.extend([self.variables[*at].name(), self.variables[*at].type_name()]);
            }
            lines.push(crate::protocol::join(&words).unwrap_or_default());
        }
        let before = lines.len();
        let pending = std::mem::take(&mut self.pending);
        lines.extend(pending.iter().map(|line| line.text.clone()));
        lines.push(self.store(wanted));
        let answers = self.server.exchange(&lines);
        for (at, answer) in answers.into_iter().enumerate() {
            let line = at.checked_sub(before).and_then(|at| pending.get(at));
            match (answer, line) {
                (Ok(_), None) if at < before => {
                    let some = put.chunks((MOST_WORDS - 2) / 2).nth(at).unwrap_or_default();
                    some.iter().for_each(|(made, _)| self.variables[*made].exists());
                }
                (Ok(_), None) => return Ok(true),
                (Ok(_), Some(line)) => {
                    line.makes.iter().for_each(|made| self.variables[*made].exists());
                    line.frees.iter().for_each(|freed| self.variables[*freed].was_freed());
                }
                (Err(error), None) if at < before => return Err(error),
                // Something that is wanted is not there, or the server is gone.
                (Err(Error::Refused(_)), None) if self.sections.iter().any(|section| section.ended.is_some()) => {}
                (Err(error), None) => return Err(error),
                (Err(error), Some(line)) => {
                    // Calls clean up after themselves; what makes values of others does not.
                    if line.call.is_none() && matches!(error, Error::Refused(_)) {
                        line.makes.iter().for_each(|made| self.variables[*made].leaks());
                    }
                    self.end(line, error);
                }
            }
        }
        Ok(false)
    }

    /// A line went wrong; what follows from it in the same section is no news.
    fn end(&mut self, line: &Line, error: Error) {
        let is_lost = !matches!(error, Error::Refused(_));
        let section = &mut self.sections[line.section];
        if section.ended.is_none() {
            section.ended = Some(match (error, line.call) {
                (Error::Refused(refused), Some(call)) => Ended::Refused { call, refused },
                (error, call) => Ended::Error { call, error },
            });
        }
        if is_lost {
            for section in &mut self.sections {
                section.ended.get_or_insert(Ended::Unknown);
            }
        }
    }

    /// Nothing more is known of any section.
    fn end_all(&mut self, error: &Error) {
        let mut is_first = true;
        for section in &mut self.sections {
            if section.ended.is_none() {
                let told = Ended::Error { call: None, error: error.clone() };
                section.ended = Some(if is_first { told } else { Ended::Unknown });
                is_first = false;
            }
        }
    }

    /// Asks again for what is wanted of the sections that went well.
    fn store_what_is_there(&mut self, wanted: &[(usize, Vec<Made>)]) -> bool {
        if wanted.iter().all(|(section, _)| self.sections[*section].ended.is_some()) {
            return false;
        }
        let line = self.store(wanted);
        match self.server.exchange(&[line]).pop() {
            Some(Ok(_)) => true,
            Some(Err(error)) => {
                self.end_all(&error);
                false
            }
            None => false,
        }
    }

    fn store(&self, wanted: &[(usize, Vec<Made>)]) -> String {
        let file = self.server.file("get");
        let path = file.to_string_lossy();
        let mut words = vec!["store", &*path];
        for (section, made) in wanted {
            if self.sections[*section].ended.is_none() {
                words.extend(made.iter().map(|made| self.variables[made.0].name()));
            }
        }
        crate::protocol::join(&words).unwrap_or_default()
    }

    /// Which values of a file belong to what.
    fn taken_apart(&self, wanted: &[(usize, Vec<Made>)], values: Vec<Value>) -> Vec<Result<Vec<Vec<Value>>, Ended>> {
        let known = self.server.known();
        let only_one = wanted.iter().map(|(_, made)| made.len()).sum::<usize>() == 1;
        let mut values = values.into_iter();
        let mut take = |made: &Made| -> Vec<Value> {
            // Nobody may look into some values; whatever they are stored as is all theirs.
            let count = if only_one { usize::MAX } else { known.leaves(self.variables[made.0].type_name()).len() };
            values.by_ref().take(count).collect()
        };
        let section = |(section, made): &(usize, Vec<Made>)| match &self.sections[*section].ended {
            Some(ended) => Err(ended.clone()),
            None => Ok(made.iter().map(&mut take).collect()),
        };
        wanted.iter().map(section).collect()
    }
}
