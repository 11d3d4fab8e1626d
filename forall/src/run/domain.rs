//! Domains that are small enough for exhaustive testing, and the order of their inputs.

use super::session::Session;
use super::{Enumeration, Schedule};
use crate::choice::{Rejected, Sequence, Source};
use crate::panic::Unwound;

/// The number of choices that may be drawn to decide whether a domain is small, plus four for each test.
const LEAST_DRAWS: u64 = 10_000;

/// A domain that is small enough for exhaustive testing.
pub(super) struct Domain {
    pub(super) inputs: u64,
    pub(super) size: u32,
    pub(super) depends_on_size: bool,
    /// Its inputs, if they fit in memory.
    pub(super) few: Option<Vec<Sequence>>,
    /// The enumeration before each `STRIDE`-th input, so that threads can begin anywhere.
    pub(super) starts: Vec<Enumeration>,
}

/// Domains of at most this many inputs are held in memory and tested in a shuffled order: otherwise the largest values,
/// whose bytes have their highest bit set, would always come last.
const FEW: u64 = 4096;

/// The distance between inputs from which an enumeration can begin. Reaching the next one takes so many generated inputs
/// at most, and their memory is small beside that of a program.
pub(super) const STRIDE: u64 = 64;

impl Domain {
    /// The inputs, if there are at most `limit`, and the same at every size of the run. Determined by enumerating the
    /// choices of the generator, without running the check. The enumeration is aborted as soon as the choices so far
    /// imply more inputs, which is immediate for most domains; for inputs of growing length, it is aborted after a
    /// limit.
    pub(super) fn of(session: &Session<'_>, limit: u64) -> Option<Self> {
        let schedule = session.settings.size;
        let size = schedule.largest(session.settings.tests);
        let mut domain = Self { inputs: 0, size, depends_on_size: false, few: Some(Vec::new()), starts: Vec::new() };
        let mut enumeration = Enumeration::new(size);
        let mut draws_left = limit.saturating_mul(4).saturating_add(LEAST_DRAWS);
        loop {
            let start = domain.inputs.is_multiple_of(STRIDE).then(|| enumeration.clone());
            let Some(prefix) = enumeration.next() else { break };
            domain.starts.extend(start);
            let mut source = Source::replay(&prefix);
            match session.tester.generate(&mut source, &[]) {
                Ok(_) => {}
                Err(Unwound::Signal(signal)) if signal.is::<Rejected>() => {}
                Err(_) => return None,
            }
            domain.inputs += 1;
            domain.depends_on_size |= source.size_was_read();
            let drawn = source.into_sequence();
            draws_left = draws_left.checked_sub(drawn.len() as u64)?;
            let varies = domain.depends_on_size && !matches!(schedule, Schedule::Constant(_));
            if varies || !enumeration.ran(&drawn) || enumeration.at_least(&drawn) > limit {
                return None;
            }
            match &mut domain.few {
                Some(few) if domain.inputs <= FEW => few.push(drawn),
                _ => domain.few = None,
            }
        }
        Some(domain)
    }
}

/// The inputs of a domain, each once.
pub(super) enum Inputs<'a> {
    /// In order, since each input is derived from the choices of the previous one.
    Upwards(Enumeration),
    /// In memory: with a fixed stride, wrapping around.
    Scattered { few: &'a [Sequence], step: usize, next: u64 },
}

impl<'a> Inputs<'a> {
    pub(super) fn of(domain: &'a Domain) -> Self {
        let Some(few) = &domain.few else { return Self::Upwards(domain.starts[0].clone()) };
        Self::Scattered { few, step: scattering(few.len()), next: 0 }
    }

    pub(super) fn next(&mut self) -> Option<Sequence> {
        match self {
            Self::Upwards(enumeration) => enumeration.next(),
            Self::Scattered { few, next, .. } if *next == few.len() as u64 => None,
            Self::Scattered { few, step, next } => {
                let input = few[scattered(*next, *step, few.len())].clone();
                *next += 1;
                Some(input)
            }
        }
    }

    /// Records the choices of the last input.
    pub(super) fn ran(&mut self, drawn: &Sequence) {
        if let Self::Upwards(enumeration) = self {
            enumeration.ran(drawn);
        }
    }
}

/// The distance between consecutive inputs in the scattered order of `inputs` inputs: their number divided by about the
/// golden ratio, and coprime to their number, so that each input occurs once.
pub(super) fn scattering(inputs: usize) -> usize {
    let mut step = (inputs * 5 / 8).max(1);
    while greatest_common_divisor(step, inputs) != 1 {
        step += 1;
    }
    step
}

/// The position in memory of the input with this index in the scattered order.
pub(super) fn scattered(index: u64, step: usize, inputs: usize) -> usize {
    (index as usize * step) % inputs
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
