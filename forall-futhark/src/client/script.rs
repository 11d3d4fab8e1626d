//! Scripts: commands that depend on each other, sent in one exchange.
//!
//! A server executes its commands in order, so a command can name a variable that an earlier command of the same
//! exchange creates. All answers are read at the end: many candidates are generated and tested in one exchange, not in
//! ten exchanges each. Commands that belong together form a *section*: a failure is attributed to its section, and the
//! other sections still return their results.
//!
//! Servers of the older generation treat a variable as initialised once a `new` command names it, even if that command
//! failed, and crash when the variable is used. So every `new` starts another *wave*, which is sent after the commands
//! that create its parts have succeeded.

mod exchange;
mod rounds;
mod wanted;

pub(crate) use wanted::{Got, Wanted, truth};

use super::server::{MOST_VARIABLES, Server, push_name};
use super::{Error, Refused};
use crate::datum::types::{Leaf, Types};
use crate::datum::{Datum, Native};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

/// A handle to one intermediate value of a script: a variable on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made(usize);

/// A list of commands to be sent together.
pub(crate) struct Script<'a> {
    server: &'a Server,
    /// The pending commands, a line each.
    text: String,
    pending: Vec<Line>,
    /// The slots that pending commands need; each [`Line`] has a range of this list.
    needs: Vec<usize>,
    slots: Vec<Slot>,
    /// The distinct types of the script's variables.
    types: Vec<Type>,
    /// The parts of each tuple that an older server returns as several outputs, by the slot of the tuple.
    parts: HashMap<usize, Vec<Made>>,
    /// The pending inputs: the slot of each, and the end of its bytes in `bytes`.
    put: Vec<(usize, usize)>,
    bytes: Vec<u8>,
    /// The number of inputs sent in the current run.
    sent: usize,
    /// The inputs that are sizes, with their handles.
    sizes: Vec<(i64, Made)>,
    sections: Vec<Section>,
    /// The section that new commands belong to.
    current: usize,
    /// The number of the script's first variable.
    first: u64,
    /// The number of live variables that belong to other owners.
    others: usize,
    /// The net number of variables that the commands create, not counting pending inputs; and its maximum at any time.
    /// Negative if pending inputs are freed.
    live: isize,
    peak: isize,
    /// The reason why the script cannot be sent.
    broken: Option<Error>,
    /// A callback that runs while the server works.
    meanwhile: Option<&'a dyn Fn()>,
}

/// A type of the script's variables.
struct Type {
    name: String,
    /// The slots of a stored value; `None` if the type is opaque.
    leaves: OnceCell<Option<Arc<[Leaf]>>>,
}

impl Type {
    fn leaves(&self, known: &Types) -> Option<&[Leaf]> {
        let leaves = || {
            let is_known = known.describes_itself(&self.name) || known.get(&self.name).is_some();
            is_known.then(|| known.leaves(&self.name))
        };
        self.leaves.get_or_init(leaves).as_deref()
    }
}

/// One command.
struct Line {
    /// The range of the line in `text`, including the line end.
    text: Range<usize>,
    makes: Range<usize>,
    needs: Range<usize>,
    /// The range of `needs` whose variables the command frees.
    frees: Range<usize>,
    section: usize,
    /// The index of the call in its section.
    call: Option<usize>,
    wave: usize,
}

/// A variable on the server.
struct Slot {
    number: u64,
    of: usize,
    state: State,
    /// The wave that creates the variable.
    wave: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    ToBeMade,
    Exists,
    /// Already freed, or about to be freed.
    Freed,
    /// Possibly left behind by a failed command. Freeing such a variable crashes servers.
    Leaked,
}

#[derive(Default)]
struct Section {
    calls: usize,
    wave: usize,
    ended: Option<Ended>,
}

/// The failure of a section.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// A call was rejected: its index, and the reason.
    Refused { call: usize, refused: Refused },
    /// The server was lost, or a file cannot be written; with the call, if it is known.
    Error { call: Option<usize>, error: Error },
    /// The server was lost in another section, so the result of this one is unknown.
    Unknown,
}

impl Ended {
    /// The index of the call in its section, if it is known.
    pub(crate) fn call(&self) -> Option<usize> {
        match self {
            Self::Refused { call, .. } => Some(*call),
            Self::Error { call, .. } => *call,
            Self::Unknown => None,
        }
    }
}

/// The buffers of a script. Servers reuse them: scripts have similar lengths, and growing costs more than writing.
#[derive(Default)]
pub(super) struct Buffers {
    text: String,
    pending: Vec<Line>,
    needs: Vec<usize>,
    slots: Vec<Slot>,
    put: Vec<(usize, usize)>,
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

impl<'a> Script<'a> {
    pub(crate) fn new(server: &'a Server) -> Self {
        let Buffers { text, pending, needs, slots, put, bytes, mut sections } =
            server.shared.buffers.borrow_mut().pop().unwrap_or_default();
        sections.push(Section::default());
        if server.shared.live.get() == 0 {
            // All earlier variables are freed before this script runs, so short names are free again. They are faster
            // to read and to write.
            server.shared.next.set(0);
        }
        Self {
            server,
            text,
            pending,
            needs,
            slots,
            types: Vec::new(),
            parts: HashMap::new(),
            put,
            bytes,
            sent: 0,
            sizes: Vec::new(),
            sections,
            current: 0,
            first: server.shared.next.get(),
            others: server.shared.live.get(),
            live: 0,
            peak: 0,
            broken: None,
            meanwhile: None,
        }
    }

    /// Sets a callback that runs while the server works on the commands that [`run`](Self::run) sends.
    pub(crate) fn meanwhile(&mut self, work: &'a dyn Fn()) {
        self.meanwhile = Some(work);
    }

    /// Starts another section.
    pub(crate) fn next_section(&mut self) {
        self.sections.push(Section::default());
        self.current = self.sections.len() - 1;
    }

    /// Returns the section that new commands belong to.
    pub(crate) fn section(&self) -> usize {
        self.current
    }

    /// Continues an earlier section.
    pub(crate) fn go_on_in(&mut self, section: usize) {
        self.current = section;
    }

    /// Adds an input value of any type. All inputs are sent before the commands.
    pub(crate) fn put(&mut self, type_name: &str, datum: &Datum) -> Made {
        datum.push_bytes(type_name, &self.server.known(), &mut self.bytes);
        let made = self.slot(type_name);
        self.put.push((made.0, self.bytes.len()));
        made
    }

    /// Adds a size as an input. Candidates with the same size share it.
    pub(crate) fn put_size(&mut self, size: i64) -> Made {
        match self.sizes.iter().find(|(known, _)| *known == size) {
            Some((_, made)) => *made,
            None => {
                let made = self.put("i64", &size.into_datum());
                self.sizes.push((size, made));
                made
            }
        }
    }

    /// Returns the number of variables that can still be created before some are freed.
    pub(crate) fn room(&self) -> usize {
        MOST_VARIABLES.saturating_sub(self.most())
    }

    /// Returns the number of variables that can still be created after [`free_put`](Self::free_put).
    pub(crate) fn room_without_put(&self) -> usize {
        MOST_VARIABLES.saturating_sub(self.others.saturating_add_signed(self.live))
    }

    /// Returns the maximum number of live variables during the pending commands. All inputs are live from the
    /// beginning.
    fn most(&self) -> usize {
        (self.others + self.put.len()).saturating_add_signed(self.peak)
    }

    /// Frees a variable after the commands so far.
    pub(crate) fn free(&mut self, made: Made) {
        self.free_all(&[made]);
    }

    /// Frees several variables with one command.
    pub(crate) fn free_all(&mut self, made: &[Made]) {
        let Some(wave) = made.iter().map(|made| self.slots[made.0].wave).max() else { return };
        let wave = wave.max(self.sections[self.current].wave);
        self.begin("free");
        made.iter().for_each(|made| self.name(*made));
        self.end_line(made, 0..0, None, wave);
        if let Some(line) = self.pending.last_mut() {
            line.frees = line.needs.clone();
        }
        self.live -= made.len() as isize;
    }

    /// Frees all inputs after the commands so far. None of them may be freed earlier.
    pub(crate) fn free_put(&mut self) {
        let put: Vec<Made> = self.put.iter().map(|(slot, _)| Made(*slot)).collect();
        self.free_all(&put);
    }

    /// Returns the total length of the pending commands, without the `restore` and `store` commands.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of pending commands.
    pub(crate) fn commands(&self) -> usize {
        self.pending.len()
    }

    /// Frees all variables that a range of the pending commands creates.
    pub(crate) fn free_made_by(&mut self, commands: Range<usize>) {
        let made: Vec<usize> = self.pending[commands].iter().flat_map(|line| line.makes.clone()).collect();
        made.into_iter().for_each(|made| self.free(Made(made)));
    }

    /// Frees all variables except the needed ones. Call this after a run.
    pub(crate) fn keep(&mut self, needed: &[Made]) {
        for at in 0..self.slots.len() {
            if !needed.contains(&Made(at)) {
                self.release(at);
            }
        }
        self.live = needed.len() as isize;
        self.peak = self.live;
    }

    /// Calls an entry point in an earlier section.
    pub(crate) fn call_in(&mut self, section: usize, entry_point: &str, inputs: &[Made]) -> Made {
        let current = std::mem::replace(&mut self.current, section);
        let made = self.call(entry_point, inputs);
        self.current = current;
        made
    }

    /// Calls an entry point in the current section.
    pub(crate) fn call(&mut self, entry_point: &str, inputs: &[Made]) -> Made {
        let first = self.slots.len();
        let server = self.server;
        let found = server.with_outputs(entry_point, |outputs| {
            for output in outputs {
                self.variable(&output.type_name);
            }
        });
        if let Err(error) = found {
            self.broken.get_or_insert(error);
        }
        let made = first..self.slots.len();
        self.begin("call ");
        self.word(entry_point);
        for each in made.clone() {
            self.name(Made(each));
        }
        for input in inputs {
            self.name(*input);
        }
        let section = &mut self.sections[self.current];
        let call = section.calls;
        section.calls += 1;
        let wave = inputs.iter().map(|input| self.slots[input.0].wave).max().unwrap_or(0).max(section.wave);
        self.end_line(inputs, made.clone(), Some(call), wave);
        match made.len() {
            1 => Made(first),
            _ => self.whole(made.map(Made).collect()),
        }
    }

    /// Combines several outputs into one tuple, if the server has a type for it.
    fn whole(&mut self, parts: Vec<Made>) -> Made {
        let types: Vec<&str> = parts.iter().map(|part| self.type_name(*part)).collect();
        let tuple = format!("({})", types.join(", "));
        let whole = self.variable(&tuple);
        if self.server.types().contains(&tuple) {
            self.begin("new");
            self.name(whole);
            self.text.push(' ');
            self.word(&tuple);
            for part in &parts {
                self.name(*part);
            }
            // Sent only after the calls that create the parts have succeeded.
            let wave = 1 + parts.iter().map(|part| self.slots[part.0].wave).max().unwrap_or(0);
            self.end_line(&parts, whole.0..whole.0 + 1, None, wave);
        }
        self.parts.insert(whole.0, parts);
        whole
    }

    /// Returns a part of a tuple. The type of the part must be known.
    pub(crate) fn part(&mut self, tuple: Made, number: usize, type_name: &str) -> Made {
        if let Some(part) = self.parts.get(&tuple.0).and_then(|parts| parts.get(number)) {
            return *part;
        }
        let wave = self.slots[tuple.0].wave.max(self.sections[self.current].wave);
        let part = self.variable(type_name);
        self.begin("project");
        self.name(part);
        self.name(tuple);
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, " {number}");
        self.end_line(&[tuple], part.0..part.0 + 1, None, wave);
        part
    }

    fn begin(&mut self, command: &str) {
        self.text += command;
    }

    fn word(&mut self, word: &str) {
        // Fast path: most words are names of entry points.
        if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.text += word;
            return;
        }
        match crate::protocol::join(&[word]) {
            Some(word) => self.text += &word,
            None => {
                let error = super::connection::unspeakable(&[word]);
                self.broken.get_or_insert(error);
            }
        }
    }

    fn name(&mut self, made: Made) {
        self.text.push(' ');
        push_name(&mut self.text, self.slots[made.0].number);
    }

    fn end_line(&mut self, needed: &[Made], makes: Range<usize>, call: Option<usize>, wave: usize) {
        let begin = self.pending.last().map_or(0, |line| line.text.end);
        self.text.push('\n');
        let needs = self.needs.len()..self.needs.len() + needed.len();
        self.needs.extend(needed.iter().map(|made| made.0));
        self.sections[self.current].wave = wave;
        self.slots[makes.clone()].iter_mut().for_each(|slot| slot.wave = wave);
        let text = begin..self.text.len();
        self.pending.push(Line { text, makes, needs, frees: 0..0, section: self.current, call, wave });
    }

    fn variable(&mut self, type_name: &str) -> Made {
        self.live += 1;
        self.peak = self.peak.max(self.live);
        self.slot(type_name)
    }

    /// Reserves a variable with a unique name.
    fn slot(&mut self, type_name: &str) -> Made {
        let known = self.types.iter().position(|known| known.name == type_name);
        let of = known.unwrap_or_else(|| {
            self.types.push(Type { name: type_name.to_owned(), leaves: OnceCell::new() });
            self.types.len() - 1
        });
        let shared = &self.server.shared;
        let number = shared.next.get();
        shared.next.set(number + 1);
        shared.live.set(shared.live.get() + 1);
        self.slots.push(Slot { number, of, state: State::ToBeMade, wave: 0 });
        Made(self.slots.len() - 1)
    }

    fn type_name(&self, made: Made) -> &str {
        &self.types[self.slots[made.0].of].name
    }

    /// Releases a variable: it is freed before the next command.
    fn release(&mut self, at: usize) {
        let slot = &self.slots[at];
        if slot.state == State::Exists {
            self.server.shared.garbage.borrow_mut().push_number(slot.number);
        }
        self.leave(at);
    }

    /// Marks a variable as no longer live.
    fn leave(&mut self, at: usize) {
        let slot = &mut self.slots[at];
        if matches!(slot.state, State::ToBeMade | State::Exists) {
            slot.state = State::Freed;
            let live = &self.server.shared.live;
            live.set(live.get().saturating_sub(1));
        }
    }

    /// Sends all pending commands and returns the result of each requested section: its requested values, or its
    /// failure. The variables stay available to further commands until the script is dropped.
    pub(crate) fn run(&mut self, wanted: &Wanted) -> Vec<Result<Got, Ended>> {
        if let Err(error) = self.can_run() {
            return wanted.sections().map(|_| Err(Ended::Error { call: None, error: error.clone() })).collect();
        }
        let got = self.send(wanted).unwrap_or_else(|error| {
            self.end_all(&error);
            Vec::new()
        });
        self.is_sent();
        self.results(wanted, got)
    }

    /// Returns an error if the script cannot be sent.
    fn can_run(&mut self) -> Result<(), Error> {
        if self.broken.is_none() && self.room() == 0 {
            self.broken = Some(Error::Impossible(format!(
                "{} values would have to be in the server at once; {MOST_VARIABLES} can be",
                self.most()
            )));
        }
        self.broken.take().map_or(Ok(()), Err)
    }

    /// Clears the pending commands after they were sent.
    fn is_sent(&mut self) {
        self.text.clear();
        self.pending.clear();
        self.needs.clear();
        self.sections.iter_mut().for_each(|section| section.wave = 0);
        self.slots.iter_mut().for_each(|slot| slot.wave = 0);
        // The sent inputs are live variables from now on.
        self.live += self.sent as isize;
        self.peak = self.live;
        self.sent = 0;
    }
}

impl Drop for Script<'_> {
    fn drop(&mut self) {
        for at in 0..self.slots.len() {
            self.release(at);
        }
        let mut buffers = Buffers {
            text: std::mem::take(&mut self.text),
            pending: std::mem::take(&mut self.pending),
            needs: std::mem::take(&mut self.needs),
            slots: std::mem::take(&mut self.slots),
            put: std::mem::take(&mut self.put),
            bytes: std::mem::take(&mut self.bytes),
            sections: std::mem::take(&mut self.sections),
        };
        buffers.text.clear();
        buffers.pending.clear();
        buffers.needs.clear();
        buffers.slots.clear();
        buffers.put.clear();
        buffers.bytes.clear();
        buffers.sections.clear();
        self.server.shared.buffers.borrow_mut().push(buffers);
    }
}
