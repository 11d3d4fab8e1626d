//! What a tape records, written at once to a place that outlives the process: a test in a child process may draw while its body
//! runs, and may end the process then.
//!
//! The parent reads the events in their order, and records them again on a tape of its own.
//!
//! ```text
//! event = 0 segment (4) value (8) max (8)           a choice
//!       | 1 segment (4) fork (4)                    a fork: the number of its segment
//!       | 2 segment (4) label (4)                   a span begins
//!       | 3 segment (4)                             a span ends
//!       | 4 segment (4) entries (4) spans (4)       all after so many is taken back
//!       | 5 named (1) name text type                a draw of the body, as it is shown
//! ```

use crate::choice::tape::Tape;
use crate::choice::{Sequence, Shown};
use crate::interned::interned;
use crate::wire::{Reader, Writer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const CHOICE: u8 = 0;
const FORK: u8 = 1;
const OPEN: u8 = 2;
const CLOSE: u8 = 3;
const REWIND: u8 = 4;
const SHOW: u8 = 5;

/// Where events are kept.
pub(crate) trait Keep: std::fmt::Debug + Send + Sync {
    /// Appends an event, whole or not at all. Forks may be drawn from on several threads.
    fn keep(&self, event: &[u8]);
}

/// The journal of one segment of a tape, if one is kept.
#[derive(Debug, Default)]
pub(in crate::choice) struct Journal(Option<Open>);

#[derive(Debug)]
struct Open {
    keeper: &'static dyn Keep,
    segment: u32,
    /// How many segments there are.
    segments: Arc<AtomicU32>,
}

impl Journal {
    /// Of the first segment of a tape.
    pub(in crate::choice) fn new(keeper: &'static dyn Keep) -> Self {
        Self(Some(Open { keeper, segment: 0, segments: Arc::new(AtomicU32::new(1)) }))
    }

    #[inline(always)]
    pub(in crate::choice) fn choice(&self, value: u64, max: u64) {
        if let Some(open) = &self.0 {
            open.choice(value, max);
        }
    }

    pub(in crate::choice) fn fork(&self) -> Self {
        let Some(Open { keeper, segments, .. }) = &self.0 else { return Self(None) };
        let segment = segments.fetch_add(1, Ordering::Relaxed);
        self.event(FORK, &[segment]);
        Self(Some(Open { keeper: *keeper, segment, segments: Arc::clone(segments) }))
    }

    #[inline(always)]
    pub(in crate::choice) fn open_span(&self, label: u32) {
        self.event(OPEN, &[label]);
    }

    #[inline(always)]
    pub(in crate::choice) fn close_span(&self) {
        self.event(CLOSE, &[]);
    }

    pub(in crate::choice) fn rewind(&self, entries: usize, spans: usize) {
        self.event(REWIND, &[entries as u32, spans as u32]);
    }

    pub(in crate::choice) fn show(&self, shown: &Shown) {
        if let Some(open) = &self.0 {
            let mut writer = Writer::default();
            writer.byte(SHOW);
            shown.write(&mut writer);
            open.keeper.keep(&writer.bytes);
        }
    }

    #[inline(always)]
    fn event(&self, kind: u8, numbers: &[u32]) {
        if let Some(open) = &self.0 {
            open.event(kind, numbers);
        }
    }
}

impl Open {
    fn choice(&self, value: u64, max: u64) {
        // Without an allocation: this is done for each choice.
        let mut event = [CHOICE; 21];
        event[1..5].copy_from_slice(&self.segment.to_le_bytes());
        event[5..13].copy_from_slice(&value.to_le_bytes());
        event[13..].copy_from_slice(&max.to_le_bytes());
        self.keeper.keep(&event);
    }

    fn event(&self, kind: u8, numbers: &[u32]) {
        let mut writer = Writer::default();
        writer.byte(kind);
        writer.short(self.segment);
        for number in numbers {
            writer.short(*number);
        }
        self.keeper.keep(&writer.bytes);
    }
}

impl Shown {
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.flag(self.name.is_some());
        writer.text(self.name.as_deref().unwrap_or_default());
        writer.text(&self.text);
        writer.text(self.type_name);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (named, name) = (reader.flag()?, reader.text()?);
        let (text, type_name) = (reader.text()?.to_owned(), interned(reader.text()?));
        Some(Self { name: named.then(|| name.to_owned()), text, type_name })
    }
}

/// What a journal says that a test drew.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) sequence: Sequence,
    pub(crate) shown: Vec<Shown>,
}

/// Reads a journal, of a test at this size, as far as it can be read.
pub(crate) fn read(bytes: &[u8], size: u32) -> Drawn {
    let (mut tapes, mut shown) = (vec![Tape::new(&[], false, size)], Vec::new());
    let mut reader = Reader::new(bytes);
    while read_event(&mut reader, &mut tapes, &mut shown).is_some() {}
    let first = tapes.swap_remove(0);
    Drawn { sequence: first.into_sequence(), shown }
}

fn read_event(reader: &mut Reader<'_>, tapes: &mut Vec<Tape>, shown: &mut Vec<Shown>) -> Option<()> {
    let kind = reader.byte()?;
    if kind == SHOW {
        shown.push(Shown::read(reader)?);
        return Some(());
    }
    let tape = tapes.get_mut(reader.short()? as usize)?;
    match kind {
        CHOICE => {
            tape.record(reader.number()?, reader.number()?);
        }
        FORK => {
            let number = reader.short()? as usize;
            let fork = tape.fork();
            // Threads take numbers at once, and write one after the other.
            while tapes.len() <= number && number - tapes.len() < MOST_THREADS {
                tapes.push(Tape::new(&[], false, 0));
            }
            *tapes.get_mut(number)? = fork;
        }
        OPEN => tape.open_span(reader.short()?),
        CLOSE => tape.close_span(),
        REWIND => tape.rewind_to(reader.short()? as usize, reader.short()? as usize),
        _ => return None,
    }
    Some(())
}

/// So many forks may be numbered before an earlier one is written: the bytes may be anything.
const MOST_THREADS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{DRAW, Shown, Source};
    use crate::generate::{GeneratorExt, any, vec};
    use crate::prelude::property;
    use std::sync::Mutex;

    /// Keeps events in memory.
    #[derive(Debug, Default)]
    struct Kept(Mutex<Vec<u8>>);

    impl Keep for Kept {
        fn keep(&self, event: &[u8]) {
            self.0.lock().unwrap().extend_from_slice(event);
        }
    }

    #[test]
    fn a_journal_tells_what_was_recorded_wherever_it_ends() {
        let kept: &'static Kept = Box::leak(Box::default());
        let mut source = Source::record(7, 3, 50);
        source.keep_journal(kept);
        source.show_draws();
        let (mut first, mut second) = (source.fork(), source.fork());
        // Out of order, with spans and with attempts that are taken back.
        let even = vec(any::<u8>().filter(|n| n % 2 == 0));
        source.draw(&even);
        second.span(DRAW, |source| source.draw(&even));
        first.fork().draw(&even);
        first.draw(any::<String>());
        let shown = Shown { name: Some("key".to_owned()), text: "7".to_owned(), type_name: "u8" };
        second.show(&mut || shown.clone());
        drop((first, second));
        let bytes = kept.0.lock().unwrap().clone();
        let drawn = read(&bytes, 50);
        assert_eq!((drawn.sequence, drawn.shown), (source.into_sequence(), vec![shown]));
        for end in 0..bytes.len() {
            read(&bytes[..end], 50);
        }
    }

    #[test]
    fn any_bytes_are_read_as_far_as_they_are_a_journal() {
        let property = property! { forall bytes in vec(0..6u8); check { read(bytes, 10); } };
        forall::check("reading journals", &property);
    }
}
