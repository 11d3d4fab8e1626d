//! Sending a script and reading its results. Every answer must match its command, and every value its type; otherwise
//! the server violates the protocol and is ended.

use super::{Ended, Got, Line, Made, Script, Slot, State, Wanted};
use crate::client::server::{DOES_NOT_HAVE, push_name};
use crate::client::{Connection, Error};
use crate::data::{Primitive, Value, binary_in, truth_in, values_in};
use crate::datum::types::Leaf;
use crate::protocol::{MOST_WORDS, join};
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

/// The outcome of reading answers.
#[derive(Default)]
pub(super) struct Read {
    /// The error of the first input that could not be sent.
    pub(super) not_put: Option<Error>,
    /// Whether the server was lost. The section that it was executing has the reason.
    pub(super) is_lost: bool,
    /// Whether all requested values are stored.
    pub(super) is_stored: bool,
}

impl<'a> Script<'a> {
    /// Sends the pending commands, wave by wave, and returns the requested values.
    pub(super) fn send(&mut self, wanted: &Wanted) -> Result<Vec<Got>, Error> {
        let echo = self.server.echo()?;
        let file = self.server.file("get");
        let restores = self.restores("put")?;
        let put = self.take_put();
        let last = self.pending.iter().map(|line| line.wave).max().unwrap_or(0);
        let mut stored = false;
        for wave in 0..=last {
            let lines = self.lines_of(wave, last);
            let is_last = wave == last;
            let store = self.store(&file, wanted);
            let mut text: Vec<&str> = Vec::new();
            if wave == 0 {
                text.extend(restores.iter().map(|(line, _)| &**line));
            }
            if last == 0 {
                text.push(&self.text);
            } else {
                text.extend(lines.iter().map(|at| &self.text[self.pending[*at].text.clone()]));
            }
            if is_last {
                text.push(&store);
            }
            text.push(&echo.line);
            let commands = lines.len() + 1 + usize::from(is_last) + if wave == 0 { restores.len() } else { 0 };
            let sent = Instant::now();
            let mut connection = self.server.send(&text, commands, self.meanwhile.filter(|_| wave == 0))?;
            let restores = if wave == 0 { &restores[..] } else { &[] };
            let read = self.read(&mut connection, restores, &put, lines, is_last.then_some(&store))?;
            if read.is_lost {
                return Ok(Vec::new());
            }
            stored = read.is_stored;
            connection.is_echo(&echo)?;
            connection.note_pace(commands, sent.elapsed());
            if let Some(error) = read.not_put {
                self.sections.iter_mut().for_each(|section| section.ended = None);
                return Err(error);
            }
        }
        if !stored && !self.store_what_is_there(&file, wanted)? {
            return Ok(Vec::new());
        }
        self.stored_in(&file, wanted)
    }

    /// Reads the requested values of all sections that have not failed from the file that the server stored.
    pub(super) fn stored_in(&self, file: &Path, wanted: &Wanted) -> Result<Vec<Got>, Error> {
        let got = self.server.read_stored(file, |bytes| match self.plainly_got(wanted, bytes) {
            Some(got) => Ok(got),
            None => {
                let values = values_in(bytes).map_err(|error| Error::File(format!("{}: {error}", file.display())))?;
                self.are_of_their_types(wanted, &values)?;
                Ok(self.taken_apart(wanted, values))
            }
        });
        got.and_then(|got| got).map_err(|error| self.server.distrust(&format!("store {}", file.display()), &error))
    }

    /// Reads the answers to the `restore` commands, the lines of the script, and the `store` command.
    pub(super) fn read(
        &mut self,
        connection: &mut Connection,
        restores: &[(String, Range<usize>)],
        put: &[(usize, usize)],
        lines: Vec<usize>,
        store: Option<&String>,
    ) -> Result<Read, Error> {
        let mut read = Read::default();
        for (line, some) in restores {
            match connection.is_done(line.trim_end()) {
                Ok(()) => {
                    connection.says_nothing(line.trim_end())?;
                    put[some.clone()].iter().for_each(|(made, _)| self.slots[*made].state = State::Exists);
                }
                // The server still answers the other commands, but their answers are meaningless.
                Err(error @ Error::Refused(_)) => read.not_put = read.not_put.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        for at in lines {
            let line = &self.pending[at];
            // Without the line end.
            let command = &self.text[line.text.start..line.text.end - 1];
            let mut answer = connection.is_done(command);
            if answer.is_ok() && line.call.is_none() {
                answer = connection.says_nothing(command);
            }
            if let (Err(Error::Refused(refused)), false) = (&answer, line.frees.is_empty()) {
                let message = refused.message.clone();
                answer = match read.not_put {
                    // An input that was not sent cannot be freed.
                    Some(_) => Ok(()),
                    None => Err(connection.distrust(command, DOES_NOT_HAVE, message)),
                };
            }
            if let Err(error @ (Error::Lost(_) | Error::Impossible(_) | Error::File(_))) = answer {
                self.end(at, error);
                read.is_lost = true;
                return Ok(read);
            }
            self.answered(at, answer);
        }
        let Some(store) = store else { return Ok(read) };
        match connection.is_done(store.trim_end()) {
            Ok(()) => {
                connection.says_nothing(store.trim_end())?;
                read.is_stored = true;
            }
            // A requested variable does not exist.
            Err(Error::Refused(_))
                if read.not_put.is_some() || self.sections.iter().any(|section| section.ended.is_some()) => {}
            Err(Error::Refused(refused)) => {
                return Err(connection.distrust(&refused.command, DOES_NOT_HAVE, refused.message));
            }
            Err(error) => return Err(error),
        }
        Ok(read)
    }

    /// Takes the inputs that are sent now.
    pub(super) fn take_put(&mut self) -> Vec<(usize, usize)> {
        self.sent += self.put.len();
        std::mem::take(&mut self.put)
    }

    /// Returns the lines of a wave. In later waves, sections that need a missing variable are left out.
    fn lines_of(&mut self, wave: usize, last: usize) -> Vec<usize> {
        if last == 0 {
            return (0..self.pending.len()).collect();
        }
        let mut lines = Vec::new();
        for (at, line) in self.pending.iter().enumerate().filter(|(_, line)| line.wave == wave) {
            let earlier = self.needs[line.needs.clone()].iter().filter(|slot| self.slots[**slot].wave < wave);
            let are_there = earlier.copied().all(|slot| self.slots[slot].state == State::Exists);
            if wave > 0 && !are_there {
                self.sections[line.section].ended.get_or_insert(Ended::Unknown);
            }
            if self.sections[line.section].ended.is_none() {
                lines.push(at);
            }
        }
        lines
    }

    /// Returns the commands that restore the inputs, each with its range of inputs: one command and file, unless one
    /// line cannot name all inputs.
    pub(super) fn restores(&mut self, name: &str) -> Result<Vec<(String, Range<usize>)>, Error> {
        let mut lines = Vec::new();
        let most = (MOST_WORDS - 2) / 2;
        let mut written = 0;
        let quoted: Vec<String> = self.types.iter().map(|of| join(&[&of.name]).unwrap_or_default()).collect();
        for from in (0..self.put.len()).step_by(most) {
            let some = from..self.put.len().min(from + most);
            let file = self.server.file(&format!("{name}{}", lines.len()));
            let end = self.put[some.end - 1].1;
            self.server.write_bytes(&file, &self.bytes[written..end])?;
            written = end;
            let mut line = join(&["restore", &file.to_string_lossy()]).unwrap_or_default();
            line.reserve(16 * some.len());
            for (slot, _) in &self.put[some.clone()] {
                let Slot { number, of, .. } = self.slots[*slot];
                line.push(' ');
                push_name(&mut line, number);
                line.push(' ');
                line += &quoted[of];
            }
            line.push('\n');
            lines.push((line, some));
        }
        self.bytes.clear();
        Ok(lines)
    }

    /// Handles the answer of a server that is still alive.
    fn answered(&mut self, at: usize, answer: Result<(), Error>) {
        let (makes, frees, is_call) = {
            let line = &self.pending[at];
            (line.makes.clone(), line.frees.clone(), line.call.is_some())
        };
        match answer {
            Ok(()) => {
                self.slots[makes].iter_mut().for_each(|slot| slot.state = State::Exists);
                frees.for_each(|at| self.leave(self.needs[at]));
            }
            Err(error) => {
                // Failed calls leave nothing behind; commands that build values from others do.
                if !is_call {
                    self.slots[makes.clone()].iter_mut().for_each(|slot| slot.state = State::Leaked);
                    let leaked = &self.server.shared.leaked;
                    leaked.set(leaked.get() + makes.len());
                }
                self.end(at, error);
            }
        }
    }

    /// Records a failed line. Later failures of the same section are consequences, and ignored.
    fn end(&mut self, at: usize, error: Error) {
        let Line { section, call, .. } = self.pending[at];
        let is_lost = !matches!(error, Error::Refused(_));
        let section = &mut self.sections[section];
        if section.ended.is_none() {
            section.ended = Some(match (error, call) {
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

    /// Records an error: the first unfinished section failed with it, and the results of the others are unknown.
    pub(super) fn end_all(&mut self, error: &Error) {
        let mut is_first = true;
        for section in &mut self.sections {
            if section.ended.is_none() {
                let told = Ended::Error { call: None, error: error.clone() };
                section.ended = Some(if is_first { told } else { Ended::Unknown });
                is_first = false;
            }
        }
    }

    /// Requests the values of the successful sections again. Returns whether there are any.
    fn store_what_is_there(&mut self, file: &Path, wanted: &Wanted) -> Result<bool, Error> {
        for (section, made) in wanted.iter() {
            // Another section should have created the variable.
            if made.iter().any(|made| self.slots[made.0].state != State::Exists) {
                self.sections[section].ended.get_or_insert(Ended::Unknown);
            }
        }
        if wanted.sections().all(|section| self.sections[section].ended.is_some()) {
            return Ok(false);
        }
        let store = self.store(file, wanted);
        let echo = self.server.echo()?;
        let mut connection = self.server.send(&[&store, &echo.line], 2, None)?;
        match connection.is_done(store.trim_end()) {
            Err(Error::Refused(refused)) => {
                return Err(connection.distrust(store.trim_end(), DOES_NOT_HAVE, refused.message));
            }
            done => done?,
        }
        connection.says_nothing(store.trim_end())?;
        connection.is_echo(&echo)?;
        Ok(true)
    }

    /// Returns the command that stores the requested values of all sections that have not failed.
    pub(super) fn store(&self, file: &Path, wanted: &Wanted) -> String {
        let mut line = join(&["store", &file.to_string_lossy()]).unwrap_or_default();
        line.reserve(4 * wanted.len());
        for made in self.wanted_now(wanted).flatten() {
            line.push(' ');
            push_name(&mut line, self.slots[made.0].number);
        }
        line.push('\n');
        line
    }

    /// Returns the requested variables of each section that has not failed.
    fn wanted_now<'w>(&self, wanted: &'w Wanted) -> impl Iterator<Item = &'w [Made]> + use<'w, '_, 'a> {
        wanted.iter().filter(|(section, _)| self.sections[*section].ended.is_none()).map(|(_, made)| made)
    }

    /// Returns the results of all sections that have not failed, if the file contains exactly these in the binary
    /// format. Reads them in place, since most are booleans.
    fn plainly_got(&self, wanted: &Wanted, mut bytes: &[u8]) -> Option<Vec<Got>> {
        let known = self.server.known();
        let leaves_of = |made: Made| self.types[self.slots[made.0].of].leaves(&known);
        let mut got = Vec::with_capacity(wanted.len());
        for made in self.wanted_now(wanted) {
            if let [one] = made
                && let [leaf] = leaves_of(*one)?
                && (leaf.primitive, leaf.rank) == (Primitive::Bool, 0)
            {
                got.push(Got::Truth(truth_in(&mut bytes)?));
                continue;
            }
            let mut values = Vec::with_capacity(made.len());
            for made in made {
                let mut own = Vec::new();
                for leaf in leaves_of(*made)? {
                    let value = binary_in(&mut bytes)?;
                    if (value.primitive(), value.shape().len()) != (leaf.primitive, leaf.rank) {
                        return None;
                    }
                    own.push(value);
                }
                values.push(own);
            }
            got.push(Got::Values(values));
        }
        bytes.is_empty().then_some(got)
    }

    /// Returns whether all requested values are booleans.
    pub(super) fn are_truths(&self, wanted: &Wanted) -> bool {
        let known = self.server.known();
        let is_truth = |leaf: &Leaf| (leaf.primitive, leaf.rank) == (Primitive::Bool, 0);
        let are = |made: &Made| {
            self.types[self.slots[made.0].of].leaves(&known).is_some_and(|leaves| leaves.iter().all(is_truth))
        };
        wanted.iter().flat_map(|(_, made)| made).all(are)
    }

    /// Checks that the values have the number and the types of the requested variables.
    fn are_of_their_types(&self, wanted: &Wanted, values: &[Value]) -> Result<(), Error> {
        let known = self.server.known();
        let mut rest = values.iter();
        for made in self.wanted_now(wanted).flatten() {
            // The number of stored values of an opaque type is unknown.
            let Some(leaves) = self.types[self.slots[made.0].of].leaves(&known) else { return Ok(()) };
            for leaf in leaves {
                let value = rest.next();
                if !value.is_some_and(|value| value.primitive() == leaf.primitive && value.shape().len() == leaf.rank) {
                    let of = self.type_name(*made);
                    let found = value.map_or("nothing".to_owned(), Value::type_name);
                    return Err(Error::File(format!("it has {found} where a {of} should be")));
                }
            }
        }
        match rest.next() {
            None => Ok(()),
            Some(_) => Err(Error::File("it has more values than were asked for".to_owned())),
        }
    }

    /// Assigns the values of a file to the requested variables.
    fn taken_apart(&self, wanted: &Wanted, values: Vec<Value>) -> Vec<Got> {
        let known = self.server.known();
        let only_one = wanted.iter().map(|(_, made)| made.len()).sum::<usize>() == 1;
        let mut values = values.into_iter();
        let mut take = |made: &Made| -> Vec<Value> {
            let of = &self.types[self.slots[made.0].of];
            // The number of stored values of an opaque type is unknown.
            let count = if only_one { usize::MAX } else { of.leaves(&known).map_or(1, <[_]>::len) };
            values.by_ref().take(count).collect()
        };
        self.wanted_now(wanted).map(|made| Got::Values(made.iter().map(&mut take).collect())).collect()
    }

    /// Returns the result or the failure of each requested section.
    pub(super) fn results(&self, wanted: &Wanted, got: Vec<Got>) -> Vec<Result<Got, Ended>> {
        let mut got = got.into_iter();
        let result = |section: usize| match &self.sections[section].ended {
            Some(ended) => Err(ended.clone()),
            None => got.next().ok_or(Ended::Unknown),
        };
        wanted.sections().map(result).collect()
    }
}
