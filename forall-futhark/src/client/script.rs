//! Many commands that depend on each other, sent at once.
//!
//! A server does one thing after the other, so a command may name what the one before it makes. All answers are read at the
//! end: candidates are made, tried and answered in one exchange, not in ten for each. What belongs together is a *section*: when
//! something goes wrong, it is known in which, and the others have their answers all the same.
//!
//! Servers of the older generation take a value for granted once `new` has named it, even if `new` failed, and crash. So what follows a
//! `new` is a *wave* of its own, which is sent when it is known that the one before did its part.

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

/// The intermediate values of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made(usize);

/// Commands to be sent.
pub(crate) struct Script<'a> {
    server: &'a Server,
    /// The pending commands, a line each.
    text: String,
    pending: Vec<Line>,
    /// The variables that pending commands need, by line.
    needs: Vec<usize>,
    slots: Vec<Slot>,
    /// The types that variables have.
    types: Vec<Type>,
    /// Values that older servers return as several outputs.
    parts: HashMap<usize, Vec<Made>>,
    /// What is put, and where the bytes of each end in `bytes`.
    put: Vec<(usize, usize)>,
    bytes: Vec<u8>,
    /// How much of it was sent with the commands that are pending.
    sent: usize,
    /// The sizes among it.
    sizes: Vec<(i64, Made)>,
    sections: Vec<Section>,
    /// The section that commands belong to now.
    current: usize,
    /// The number of its first variable.
    first: u64,
    /// How many variables others have.
    others: usize,
    /// How many more are alive after all that is pending than before it, when everything is put; and the most that are at any moment of it.
    live: isize,
    peak: isize,
    /// Why it cannot be sent.
    broken: Option<Error>,
    /// Called while the server works.
    meanwhile: Option<&'a dyn Fn()>,
}

/// A type of the script's variables.
struct Type {
    name: String,
    /// The slots of a stored value; none if it is opaque.
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
    /// Its range in the text, with the line end.
    text: Range<usize>,
    makes: Range<usize>,
    needs: Range<usize>,
    /// The needed variables that it frees.
    frees: Range<usize>,
    section: usize,
    /// The index of the call in its section.
    call: Option<usize>,
    wave: usize,
}

/// A variable of the server.
struct Slot {
    number: u64,
    of: usize,
    state: State,
    /// It exists after this wave.
    wave: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    ToBeMade,
    Exists,
    /// It was freed, or is about to be.
    Freed,
    /// The possible leftover of a failed command. It must not be freed: servers crash.
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
            // All that had names before is freed before this script is run. Short names are read and written faster.
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

    /// Calls this while the server works on what [`run`](Self::run) sends.
    pub(crate) fn meanwhile(&mut self, work: &'a dyn Fn()) {
        self.meanwhile = Some(work);
    }

    /// Starts another section.
    pub(crate) fn next_section(&mut self) {
        self.sections.push(Section::default());
        self.current = self.sections.len() - 1;
    }

    /// The section that commands belong to now.
    pub(crate) fn section(&self) -> usize {
        self.current
    }

    /// Continues a section that was started before.
    pub(crate) fn go_on_in(&mut self, section: usize) {
        self.current = section;
    }

    /// A value of any type, given to the server before anything else.
    pub(crate) fn put(&mut self, type_name: &str, datum: &Datum) -> Made {
        datum.push_bytes(type_name, &self.server.known(), &mut self.bytes);
        let made = self.slot(type_name);
        self.put.push((made.0, self.bytes.len()));
        made
    }

    /// A size, shared by candidates with the same size.
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

    /// The number of variables that can still be created before some are freed.
    pub(crate) fn room(&self) -> usize {
        MOST_VARIABLES.saturating_sub(self.most())
    }

    /// How many variables more may be made after [`free_put`](Self::free_put).
    pub(crate) fn room_without_put(&self) -> usize {
        MOST_VARIABLES.saturating_sub(self.others.saturating_add_signed(self.live))
    }

    /// The most variables that are alive at any moment of what is pending. What is put is there from the beginning.
    fn most(&self) -> usize {
        (self.others + self.put.len()).saturating_add_signed(self.peak)
    }

    /// Frees what was made, when the commands so far are done.
    pub(crate) fn free(&mut self, made: Made) {
        self.free_all(&[made]);
    }

    /// Frees several, by one command.
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

    /// Frees all that is put, when the commands so far are done. None of it may be freed before.
    pub(crate) fn free_put(&mut self) {
        let put: Vec<Made> = self.put.iter().map(|(slot, _)| Made(*slot)).collect();
        self.free_all(&put);
    }

    /// How long the pending commands are together, without those that put and store.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// How many commands are pending.
    pub(crate) fn commands(&self) -> usize {
        self.pending.len()
    }

    /// Frees all variables that some of the pending commands create.
    pub(crate) fn free_made_by(&mut self, commands: Range<usize>) {
        let made: Vec<usize> = self.pending[commands].iter().flat_map(|line| line.makes.clone()).collect();
        made.into_iter().for_each(|made| self.free(Made(made)));
    }

    /// After a run: frees everything that is no longer needed.
    pub(crate) fn keep(&mut self, needed: &[Made]) {
        for at in 0..self.slots.len() {
            if !needed.contains(&Made(at)) {
                self.release(at);
            }
        }
        self.live = needed.len() as isize;
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

    /// One value of several outputs: a tuple, where the server has a type for it.
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
            // Not before the calls that make the parts have succeeded.
            let wave = 1 + parts.iter().map(|part| self.slots[part.0].wave).max().unwrap_or(0);
            self.end_line(&parts, whole.0..whole.0 + 1, None, wave);
        }
        self.parts.insert(whole.0, parts);
        whole
    }

    /// A part of a tuple with a known type.
    pub(crate) fn part(&mut self, tuple: Made, number: usize, type_name: &str) -> Made {
        if let Some(part) = self.parts.get(&tuple.0).and_then(|parts| parts.get(number)) {
            return *part;
        }
        let wave = self.slots[tuple.0].wave.max(self.sections[self.current].wave);
        let part = self.variable(type_name);
        self.begin("project");
        self.name(part);
        self.name(tuple);
        // Text takes what is written to it.
        let _ = write!(self.text, " {number}");
        self.end_line(&[tuple], part.0..part.0 + 1, None, wave);
        part
    }

    fn begin(&mut self, command: &str) {
        self.text += command;
    }

    fn word(&mut self, word: &str) {
        // Most are the names of entry points.
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

    /// A new variable with a unique name.
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

    /// Releases it: it is freed before the next command.
    fn release(&mut self, at: usize) {
        let slot = &self.slots[at];
        if slot.state == State::Exists {
            self.server.shared.garbage.borrow_mut().push_number(slot.number);
        }
        self.leave(at);
    }

    /// It is no longer live.
    fn leave(&mut self, at: usize) {
        let slot = &mut self.slots[at];
        if matches!(slot.state, State::ToBeMade | State::Exists) {
            slot.state = State::Freed;
            let live = &self.server.shared.live;
            live.set(live.get().saturating_sub(1));
        }
    }

    /// Sends all that was not sent yet. For each section that something is wanted of, the values of each that is wanted, or how it
    /// ended. What was made stays, for more commands, until the script is dropped.
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

    /// Whether it can be sent.
    fn can_run(&mut self) -> Result<(), Error> {
        if self.broken.is_none() && self.room() == 0 {
            self.broken = Some(Error::Impossible(format!(
                "{} values would have to be in the server at once; {MOST_VARIABLES} can be",
                self.most()
            )));
        }
        self.broken.take().map_or(Ok(()), Err)
    }

    /// Nothing is pending any more.
    fn is_sent(&mut self) {
        self.text.clear();
        self.pending.clear();
        self.needs.clear();
        self.sections.iter_mut().for_each(|section| section.wave = 0);
        self.slots.iter_mut().for_each(|slot| slot.wave = 0);
        // What was put is there from now on.
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
