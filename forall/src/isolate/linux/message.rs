//! Requests of a run to a child process, and their answers.
//!
//! A message is a length in 4 bytes, and that many bytes. Each request is answered before the next one.

use super::values::Sent;
use crate::choice::{Origin, Sequence, Shown};
use crate::context::Said;
use crate::generate::Misuse;
use crate::panic::Caught;
use crate::property::{Binding, Block, ContractBroken, Discarded, Measure, Sizes, Step};
use crate::run::{Statistics, Tested};
use crate::testing::Input;
use crate::wire::{Reader, Writer};
use std::io::{self, Read, Write};

/// The limit on a message's length. The longest input that can be recorded, with its printed values, is below it.
pub(super) const LONGEST: usize = 1 << 30;

/// How to run a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// Whether to record its notes.
    pub(super) notes: bool,
    /// Whether to count its labels.
    pub(super) labels: bool,
    /// Whether it runs even if the run was cancelled.
    pub(super) to_the_end: bool,
    /// Whether its outcome is unknown.
    pub(super) is_one_of_many: bool,
    /// Whether it is a shrinking candidate of a failed test.
    pub(super) is_candidate: bool,
    /// Whether to record the draws of its body.
    pub(super) shows_draws: bool,
    /// Whether to kill it early if it seems to hang.
    pub(super) hurries: bool,
    /// After how many repetitions such tests crashed lately; 0 if unknown.
    pub(super) fails_after: u64,
}

/// A request to a child.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    /// Run a block of tests.
    Block(Block),
    /// Run a test.
    Run { index: u64, manner: Manner, input: Input },
    /// Generate only.
    Generate(Input),
    /// Generate and print.
    Print(Input),
    /// Generate, and count the candidates of a variable.
    Candidates(u32, Input),
    /// Run an explicit example, with notes.
    Example(u32),
}

/// The first byte of a request.
const BLOCK: u8 = 0;
const RUN: u8 = 1;
const GENERATE: u8 = 2;
const PRINT: u8 = 3;
const CANDIDATES: u8 = 4;
const EXAMPLE: u8 = 5;

impl Request {
    /// Whether these bytes are a request to run tests.
    pub(super) fn is_test(bytes: &[u8]) -> bool {
        matches!(bytes.first(), Some(&(BLOCK | RUN | EXAMPLE)))
    }

    pub(super) fn block(block: &Block) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(BLOCK);
        for number in [block.seed, block.indices.start, block.indices.end] {
            writer.number(number);
        }
        for number in block.sizes.to_words() {
            writer.short(number);
        }
        writer.bytes
    }

    pub(super) fn run(index: u64, manner: Manner, origin: &Origin<'_>, steps: &[Step]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(RUN);
        writer.number(index);
        let Manner { notes, labels, to_the_end, is_one_of_many, is_candidate, shows_draws, hurries, fails_after } =
            manner;
        for flag in [notes, labels, to_the_end, is_one_of_many, is_candidate, shows_draws, hurries] {
            writer.flag(flag);
        }
        writer.number(fails_after);
        Input::write(&mut writer, origin, steps);
        writer.bytes
    }

    pub(super) fn generate(origin: &Origin<'_>, steps: &[Step]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(GENERATE);
        Input::write(&mut writer, origin, steps);
        writer.bytes
    }

    pub(super) fn print(origin: &Origin<'_>, steps: &[Step]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(PRINT);
        Input::write(&mut writer, origin, steps);
        writer.bytes
    }

    pub(super) fn candidates(quantifier: u32, origin: &Origin<'_>, steps: &[Step]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(CANDIDATES);
        writer.short(quantifier);
        Input::write(&mut writer, origin, steps);
        writer.bytes
    }

    pub(super) fn example(place: u32) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(EXAMPLE);
        writer.short(place);
        writer.bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(bytes);
        Some(match reader.byte()? {
            BLOCK => {
                let (seed, start, end) = (reader.number()?, reader.number()?, reader.number()?);
                let sizes = Sizes::spread(reader.short()?, reader.short()?, reader.short()?);
                Request::Block(Block { seed, indices: start..end, sizes })
            }
            RUN => {
                let index = reader.number()?;
                let (notes, labels, to_the_end) = (reader.flag()?, reader.flag()?, reader.flag()?);
                let (is_one_of_many, is_candidate, shows_draws) = (reader.flag()?, reader.flag()?, reader.flag()?);
                let (hurries, fails_after) = (reader.flag()?, reader.number()?);
                let manner = Manner {
                    notes,
                    labels,
                    to_the_end,
                    is_one_of_many,
                    is_candidate,
                    shows_draws,
                    hurries,
                    fails_after,
                };
                Request::Run { index, manner, input: Input::read(reader)? }
            }
            GENERATE => Request::Generate(Input::read(reader)?),
            PRINT => Request::Print(Input::read(reader)?),
            CANDIDATES => Request::Candidates(reader.short()?, Input::read(reader)?),
            EXAMPLE => Request::Example(reader.short()?),
            _ => return None,
        })
    }
}

/// The result of a block.
#[derive(Debug)]
pub(super) struct BlockRan {
    pub(super) index: u64,
    pub(super) discarded: u64,
    pub(super) stopped_by: Option<Tested>,
    /// The labels of all its tests.
    pub(super) statistics: Statistics,
}

impl Sent for BlockRan {
    fn write(&self, writer: &mut Writer) {
        writer.number(self.index);
        writer.number(self.discarded);
        self.stopped_by.write(writer);
        self.statistics.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (index, discarded, stopped_by) = (reader.number()?, reader.number()?, Option::read(reader)?);
        Some(Self { index, discarded, stopped_by, statistics: Sent::read(reader)? })
    }
}

/// The result of a test.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) tested: Tested,
    pub(super) drawn: Sequence,
    /// The draws of the body, if requested.
    pub(super) shown: Vec<Shown>,
    pub(super) said: Said,
    pub(super) score: Option<f64>,
}

impl Sent for Ran {
    fn write(&self, writer: &mut Writer) {
        self.tested.write(writer);
        self.drawn.write(writer);
        self.shown.write(writer);
        self.said.write(writer);
        self.score.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (tested, drawn) = (Tested::read(reader)?, Sequence::read(reader)?);
        let shown = Vec::read(reader)?;
        Some(Self { tested, drawn, shown, said: Said::read(reader)?, score: Option::read(reader)? })
    }
}

/// How generating ended.
#[derive(Debug)]
pub(super) enum Walk {
    Done,
    Discarded(Discarded),
    NoSuchStep,
    Panicked(Caught),
    /// The source was rejected.
    Rejected,
    ContractBroken(ContractBroken),
    Misused(Misuse),
}

/// The result of generating, and of the additional request.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) drawn: Sequence,
    pub(super) size_was_read: bool,
    pub(super) walk: Walk,
    pub(super) bindings: Vec<Binding>,
    pub(super) measures: Vec<Measure>,
}

impl Sent for Walked {
    fn write(&self, writer: &mut Writer) {
        self.drawn.write(writer);
        writer.flag(self.size_was_read);
        match &self.walk {
            Walk::Done => writer.byte(0),
            Walk::Discarded(discarded) => {
                writer.byte(1);
                discarded.write(writer);
            }
            Walk::NoSuchStep => writer.byte(2),
            Walk::Panicked(caught) => {
                writer.byte(3);
                caught.write(writer);
            }
            Walk::Rejected => writer.byte(4),
            Walk::ContractBroken(broken) => {
                writer.byte(5);
                broken.write(writer);
            }
            Walk::Misused(misuse) => {
                writer.byte(6);
                misuse.write(writer);
            }
        }
        self.bindings.write(writer);
        self.measures.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (drawn, size_was_read) = (Sequence::read(reader)?, reader.flag()?);
        let walk = match reader.byte()? {
            0 => Walk::Done,
            1 => Walk::Discarded(Sent::read(reader)?),
            2 => Walk::NoSuchStep,
            3 => Walk::Panicked(Sent::read(reader)?),
            4 => Walk::Rejected,
            5 => Walk::ContractBroken(Sent::read(reader)?),
            6 => Walk::Misused(Sent::read(reader)?),
            _ => return None,
        };
        Some(Self { drawn, size_was_read, walk, bindings: Sent::read(reader)?, measures: Sent::read(reader)? })
    }
}

/// Encodes a value as a message.
pub(super) fn written(value: &impl Sent) -> Vec<u8> {
    let mut writer = Writer::default();
    value.write(&mut writer);
    writer.bytes
}

/// Decodes a message.
pub(super) fn read<T: Sent>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::new(bytes);
    T::read(&mut reader).filter(|_| reader.rest.is_empty())
}

/// Sends a message.
pub(super) fn send(mut to: impl Write, message: &[u8]) -> io::Result<()> {
    let mut framed = Vec::with_capacity(4 + message.len());
    framed.extend_from_slice(&(message.len() as u32).to_le_bytes());
    framed.extend_from_slice(message);
    to.write_all(&framed)
}

/// Waits for a message; `None` if the connection is closed.
pub(super) fn receive(mut from: impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length).ok()?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return None;
    }
    let mut message = vec![0; length];
    from.read_exact(&mut message).ok()?;
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::prelude::*;
    use crate::property::{Failure, FailureKind, Location, Printed};
    use crate::run::Fault;

    #[test]
    fn decoding_a_message_is_total() {
        let property = property! {
            forall bytes: Vec<u8>;
            check {
                let _ = Request::read(bytes);
                let _ = read::<BlockRan>(bytes);
                let _ = read::<Ran>(bytes);
                let _ = read::<Walked>(bytes);
            }
        };
        forall::check("reading messages", &property);
    }

    #[test]
    fn the_result_of_a_test_is_received_as_sent() {
        let location = Some(Location { file: "src/lib.rs".to_owned(), line: 3, column: 5 });
        let failure = Failure { location, ..Failure::new(FailureKind::Panic, "no") };
        let binding = Binding { name: "n", type_text: Some("u8"), printed: Printed::code(&7u8) };
        let discarded = Discarded { clause: 1, text: "n > 3", bindings: vec![binding.clone()] };
        let maker = crate::property::Maker::Mutator;
        let broken = ContractBroken { quantifier: "n", text: "n > 3", maker, bindings: vec![binding] };
        for tested in [
            Tested::Pass,
            Tested::Discard(None),
            Tested::Discard(Some(discarded)),
            Tested::Fail(failure.clone()),
            Tested::NoSuchStep,
            Tested::Fault(Fault::Contract(broken)),
            Tested::Fault(Fault::Misuse { quantifier: None, text: "empty".to_owned() }),
            Tested::Fault(Fault::TooLarge { quantifier: Some("n") }),
            Tested::Fault(Fault::Panic { quantifier: Some("n"), failure: failure.clone() }),
            Tested::Fault(Fault::ShrinkerPanic { quantifier: Some("n"), failure: failure.clone() }),
            Tested::Fault(Fault::SeveralThreads { quantifier: Some("s") }),
            Tested::Fault(Fault::EndlessDraws { quantifier: Some("s") }),
            Tested::Fault(Fault::NoProcess("none".to_owned())),
        ] {
            assert_eq!(read::<Tested>(&written(&tested)), Some(tested));
        }
    }

    #[test]
    fn a_request_for_a_test_makes_the_same_choices() {
        let manner = Manner {
            notes: true,
            labels: false,
            to_the_end: true,
            is_one_of_many: false,
            is_candidate: true,
            shows_draws: true,
            hurries: false,
            fails_after: 300,
        };
        let mut source = Source::record(7, 3, 50);
        let steps = [Step::Shrink { quantifier: 0, candidate: 3 }];
        let request = Request::run(3, manner, &source.origin(), &steps);
        let Some(Request::Run { index: 3, manner: same, input }) = Request::read(&request) else { panic!("another") };
        assert_eq!((same, &input.steps[..]), (manner, &steps[..]));
        assert_eq!(input.source().draw(vec(any::<u32>())), source.draw(vec(any::<u32>())));
    }
}
