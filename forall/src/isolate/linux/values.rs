//! Encoding of test results: outcomes, failures, printed values, choices.
//!
//! Both ends are the same program, so the format has no version. Decoding is total nevertheless: a test that corrupts
//! memory may have written here.

use crate::choice::{Choice, Item, Sequence, Shown, Span};
use crate::context::{Record, Said};
use crate::fact::Fact;
use crate::generate::Misuse;
use crate::interned::interned;
use crate::panic::Caught;
use crate::property::{Binding, ContractBroken, Discarded, Failure, FailureKind, Location, Maker, Measure, Printed};
use crate::run::{ByName, Cover, Fault, Statistics, Tested};
use crate::wire::{Reader, Writer};

/// A value that is sent between the processes.
pub(super) trait Sent: Sized {
    fn write(&self, writer: &mut Writer);
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

impl Sent for &'static str {
    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(interned(reader.text()?))
    }
}

impl Sent for String {
    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.text().map(str::to_owned)
    }
}

impl Sent for u64 {
    fn write(&self, writer: &mut Writer) {
        writer.number(*self);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.number()
    }
}

impl Sent for f64 {
    fn write(&self, writer: &mut Writer) {
        writer.number(self.to_bits());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.number().map(f64::from_bits)
    }
}

impl<T: Sent> Sent for Option<T> {
    fn write(&self, writer: &mut Writer) {
        writer.option(self.as_ref(), |writer, value| value.write(writer));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.option(T::read)
    }
}

impl<T: Sent> Sent for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        writer.short(self.len() as u32);
        for value in self {
            value.write(writer);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        // The declared length is not trusted: memory is allocated only as values are read.
        let mut values = Vec::new();
        for _ in 0..reader.short()? {
            values.push(T::read(reader)?);
        }
        Some(values)
    }
}

impl<A: Sent, B: Sent> Sent for (A, B) {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
        self.1.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some((A::read(reader)?, B::read(reader)?))
    }
}

impl Sent for Shown {
    fn write(&self, writer: &mut Writer) {
        self.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Self::read(reader)
    }
}

impl Sent for Item {
    fn write(&self, writer: &mut Writer) {
        match *self {
            Item::Choice(Choice { value, max }) => {
                writer.byte(0);
                writer.number(value);
                writer.number(max);
            }
            Item::Fork { len } => {
                writer.byte(1);
                writer.short(len);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.byte()? {
            0 => Item::Choice(Choice { value: reader.number()?, max: reader.number()? }),
            1 => Item::Fork { len: reader.short()? },
            _ => return None,
        })
    }
}

impl Sent for Span {
    fn write(&self, writer: &mut Writer) {
        writer.short(self.label);
        writer.short(self.start);
        writer.short(self.end);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Span { label: reader.short()?, start: reader.short()?, end: reader.short()? })
    }
}

impl Sent for Sequence {
    fn write(&self, writer: &mut Writer) {
        writer.short(self.size);
        self.items.write(writer);
        self.spans.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let sequence = Sequence { size: reader.short()?, items: Vec::read(reader)?, spans: Vec::read(reader)? };
        // A span is only used together with its items.
        let within = |span: &Span| span.start <= span.end && span.end as usize <= sequence.items.len();
        sequence.spans.iter().all(within).then_some(sequence)
    }
}

impl Sent for Location {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.file);
        writer.short(self.line);
        writer.short(self.column);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Location { file: String::read(reader)?, line: reader.short()?, column: reader.short()? })
    }
}

const KINDS: [FailureKind; 6] = [
    FailureKind::Falsified,
    FailureKind::Error,
    FailureKind::Panic,
    FailureKind::Deadline,
    FailureKind::Crash,
    FailureKind::Hang,
];

impl Sent for Failure {
    fn write(&self, writer: &mut Writer) {
        writer.byte(KINDS.iter().position(|kind| *kind == self.kind).unwrap_or(0) as u8);
        writer.text(&self.message);
        self.location.write(writer);
        self.backtrace.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let kind = *KINDS.get(usize::from(reader.byte()?))?;
        let message = String::read(reader)?;
        let (location, backtrace) = (Option::read(reader)?, Option::read(reader)?);
        Some(Failure { location, backtrace, ..Failure::new(kind, message) })
    }
}

impl Sent for Caught {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.message);
        self.location.write(writer);
        self.backtrace.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let message = String::read(reader)?;
        Some(Caught { message, location: Option::read(reader)?, backtrace: Option::read(reader)? })
    }
}

impl Sent for Binding {
    fn write(&self, writer: &mut Writer) {
        self.name.write(writer);
        self.type_text.write(writer);
        self.printed.code.write(writer);
        self.printed.debug.write(writer);
        self.printed.type_name.write(writer);
        self.printed.private_to.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (name, type_text) = (Sent::read(reader)?, Option::read(reader)?);
        let (code, debug, type_name) = (Option::read(reader)?, Option::read(reader)?, Sent::read(reader)?);
        let printed = Printed { code, debug, type_name, private_to: Vec::read(reader)?, in_body: false };
        Some(Binding { name, type_text, printed })
    }
}

impl Sent for Discarded {
    fn write(&self, writer: &mut Writer) {
        writer.number(self.clause as u64);
        self.text.write(writer);
        self.bindings.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let clause = usize::try_from(reader.number()?).ok()?;
        Some(Discarded { clause, text: Sent::read(reader)?, bindings: Vec::read(reader)? })
    }
}

const MAKERS: [Maker; 3] = [Maker::Generator, Maker::Shrinker, Maker::Mutator];

impl Sent for ContractBroken {
    fn write(&self, writer: &mut Writer) {
        self.quantifier.write(writer);
        self.text.write(writer);
        writer.byte(MAKERS.iter().position(|maker| *maker == self.maker).unwrap_or(0) as u8);
        self.bindings.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (quantifier, text) = (Sent::read(reader)?, Sent::read(reader)?);
        let maker = *MAKERS.get(usize::from(reader.byte()?))?;
        Some(ContractBroken { quantifier, text, maker, bindings: Vec::read(reader)? })
    }
}

impl Sent for Misuse {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.message);
        writer.flag(self.of_specification);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Misuse { message: String::read(reader)?, of_specification: reader.flag()? })
    }
}

impl Sent for Fault {
    fn write(&self, writer: &mut Writer) {
        match self {
            Fault::Contract(broken) => {
                writer.byte(0);
                broken.write(writer);
            }
            Fault::Misuse { quantifier, text } => {
                writer.byte(1);
                quantifier.write(writer);
                writer.text(text);
            }
            Fault::TooLarge { quantifier } => {
                writer.byte(2);
                quantifier.write(writer);
            }
            Fault::Panic { quantifier, failure } => {
                writer.byte(3);
                quantifier.write(writer);
                failure.write(writer);
            }
            Fault::ShrinkerPanic { quantifier, failure } => {
                writer.byte(4);
                quantifier.write(writer);
                failure.write(writer);
            }
            Fault::NoProcess(text) => {
                writer.byte(5);
                writer.text(text);
            }
            Fault::NotDecidable => writer.byte(6),
            // Searches are never isolated, so the text is enough.
            Fault::Search(why) => {
                writer.byte(7);
                writer.text(&why.to_string());
            }
            Fault::Specification(text) => {
                writer.byte(10);
                writer.text(text);
            }
            Fault::SeveralThreads { quantifier } => {
                writer.byte(8);
                quantifier.write(writer);
            }
            Fault::EndlessDraws { quantifier } => {
                writer.byte(9);
                quantifier.write(writer);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.byte()? {
            0 => Fault::Contract(ContractBroken::read(reader)?),
            1 => Fault::Misuse { quantifier: Option::read(reader)?, text: String::read(reader)? },
            2 => Fault::TooLarge { quantifier: Option::read(reader)? },
            3 => Fault::Panic { quantifier: Option::read(reader)?, failure: Failure::read(reader)? },
            4 => Fault::ShrinkerPanic { quantifier: Option::read(reader)?, failure: Failure::read(reader)? },
            5 => Fault::NoProcess(String::read(reader)?),
            6 => Fault::NotDecidable,
            7 => Fault::Search(Fact::from(String::read(reader)?)),
            10 => Fault::Specification(String::read(reader)?),
            8 => Fault::SeveralThreads { quantifier: Option::read(reader)? },
            9 => Fault::EndlessDraws { quantifier: Option::read(reader)? },
            _ => return None,
        })
    }
}

impl Sent for Tested {
    fn write(&self, writer: &mut Writer) {
        match self {
            Tested::Pass => writer.byte(0),
            Tested::Discard(by) => {
                writer.byte(1);
                by.write(writer);
            }
            Tested::Fail(failure) => {
                writer.byte(2);
                failure.write(writer);
            }
            Tested::Fault(fault) => {
                writer.byte(3);
                fault.write(writer);
            }
            Tested::NoSuchStep => writer.byte(4),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.byte()? {
            0 => Tested::Pass,
            1 => Tested::Discard(Option::read(reader)?),
            2 => Tested::Fail(Failure::read(reader)?),
            3 => Tested::Fault(Fault::read(reader)?),
            4 => Tested::NoSuchStep,
            _ => return None,
        })
    }
}

impl Sent for Measure {
    fn write(&self, writer: &mut Writer) {
        writer.short(self.size);
        self.magnitude.write(writer);
        self.text.write(writer);
        writer.flag(self.exact);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (size, magnitude) = (reader.short()?, f64::read(reader)?);
        Some(Measure { size, magnitude, text: Option::read(reader)?, exact: reader.flag()? })
    }
}

impl Sent for Record {
    fn write(&self, writer: &mut Writer) {
        match self {
            Record::Label(label) => {
                writer.byte(0);
                writer.text(label);
            }
            Record::Row { table, row } => {
                writer.byte(1);
                writer.text(table);
                writer.text(row);
            }
            Record::Cover { label, percent, hit } => {
                writer.byte(2);
                writer.text(label);
                percent.write(writer);
                writer.flag(*hit);
            }
            Record::Feature { name, value } => {
                writer.byte(3);
                writer.text(name);
                writer.text(value);
            }
            Record::Score { name, score } => {
                writer.byte(4);
                writer.text(name);
                score.write(writer);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.byte()? {
            0 => Record::Label(String::read(reader)?),
            1 => Record::Row { table: String::read(reader)?, row: String::read(reader)? },
            2 => Record::Cover { label: String::read(reader)?, percent: f64::read(reader)?, hit: reader.flag()? },
            3 => Record::Feature { name: String::read(reader)?, value: String::read(reader)? },
            4 => Record::Score { name: String::read(reader)?, score: f64::read(reader)? },
            _ => return None,
        })
    }
}

impl Sent for Said {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Vec::read(reader).map(Said)
    }
}

impl Sent for Cover {
    fn write(&self, writer: &mut Writer) {
        self.percent.write(writer);
        writer.number(self.hits);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Cover { percent: f64::read(reader)?, hits: reader.number()? })
    }
}

impl<T: Sent> Sent for ByName<T> {
    fn write(&self, writer: &mut Writer) {
        writer.short(self.len() as u32);
        for (name, value) in self {
            writer.text(name);
            value.write(writer);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Vec::<(String, T)>::read(reader)?.into_iter().collect())
    }
}

/// Labels, tables, covers and features. The number of valid tests is counted elsewhere.
impl Sent for Statistics {
    fn write(&self, writer: &mut Writer) {
        self.labels.write(writer);
        self.tables.write(writer);
        self.covers.write(writer);
        self.features.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (labels, tables, covers) = (ByName::read(reader)?, ByName::read(reader)?, ByName::read(reader)?);
        let features = ByName::read(reader)?;
        Some(Statistics { labels, tables, covers, features, ..Statistics::default() })
    }
}
