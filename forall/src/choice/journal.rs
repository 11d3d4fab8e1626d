//! A journal of a tape that survives a crash: a test in a child process may draw while its body runs, and then crash.
//!
//! The parent reads the events in order, and records them again on its own tape.
//!
//! ```text
//! event = 0 segment (4) value (8) max (8)           a choice
//!       | 1 segment (4) fork (4)                    a fork: the number of its segment
//!       | 2 segment (4) label (4)                   a span begins
//!       | 3 segment (4)                             a span ends
//!       | 4 segment (4) entries (4) spans (4)       everything after this many entries and spans is discarded
//!       | 5 named (1) name text type place          a draw of the body, as it is shown
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

/// Where events are stored.
pub(crate) trait Keep: std::fmt::Debug + Send + Sync {
    /// Appends an event, completely or not at all. Forks may be drawn from on several threads.
    fn keep(&self, event: &[u8]);
}

/// The journal of one segment of a tape, if enabled.
#[derive(Debug, Default)]
pub(in crate::choice) struct Journal(Option<Open>);

#[derive(Debug)]
struct Open {
    keeper: &'static dyn Keep,
    segment: u32,
    /// The number of segments.
    segments: Arc<AtomicU32>,
}

impl Journal {
    /// Creates the journal of a tape's first segment.
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
        // Without an allocation: this runs for each choice.
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
        writer.short(self.place.len() as u32);
        for position in &self.place {
            writer.short(*position);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (named, name) = (reader.flag()?, reader.text()?);
        let (text, type_name) = (reader.text()?.to_owned(), interned(reader.text()?));
        let mut place = Vec::new();
        for _ in 0..reader.short()? {
            place.push(reader.short()?);
        }
        Some(Self { name: named.then(|| name.to_owned()), text, type_name, place })
    }
}

/// The draws of a test according to a journal.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) sequence: Sequence,
    pub(crate) shown: Vec<Shown>,
}

/// Reads the longest valid prefix of a journal, of a test at this size.
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
            // Threads take numbers concurrently, but write one after the other.
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

/// The number of forks that may be numbered before an earlier one is written: the bytes are untrusted.
const MOST_THREADS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{DRAW, Shown, Source};
    use crate::generate::{GeneratorExt, any, vec};
    use crate::prelude::property;
    use std::sync::Mutex;

    /// Stores events in memory.
    #[derive(Debug, Default)]
    struct Kept(Mutex<Vec<u8>>);

    impl Keep for Kept {
        fn keep(&self, event: &[u8]) {
            self.0.lock().unwrap().extend_from_slice(event);
        }
    }

    #[test]
    fn any_prefix_of_a_journal_restores_what_was_recorded() {
        let kept: &'static Kept = Box::leak(Box::default());
        let mut source = Source::record(7, 3, 50);
        source.keep_journal(kept);
        source.show_draws();
        let (mut first, mut second) = (source.fork(), source.fork());
        // Out of order, with spans and with attempts that are discarded.
        let even = vec(any::<u8>().filter(|n| n % 2 == 0));
        source.draw(&even);
        second.span(DRAW, |source| source.draw(&even));
        first.fork().draw(&even);
        first.draw(any::<String>());
        let shown = Shown { name: Some("key".to_owned()), text: "7".to_owned(), type_name: "u8", place: Vec::new() };
        second.show(&mut || shown.clone());
        drop((first, second));
        // In the fork that is the second item.
        let shown = source.shown().take();
        assert_eq!(shown[0].place[0], 1);
        let bytes = kept.0.lock().unwrap().clone();
        let drawn = read(&bytes, 50);
        assert_eq!((drawn.sequence, drawn.shown), (source.into_sequence(), shown));
        for end in 0..bytes.len() {
            read(&bytes[..end], 50);
        }
    }

    #[test]
    fn arbitrary_bytes_are_read_up_to_the_first_invalid_event() {
        let property = property! { forall bytes in vec(0..6u8); check { read(bytes, 10); } };
        forall::check("reading journals", &property);
    }
}
