//! Candidates: their origin, and the commands that create them in a server.

use super::draw;
use super::stateful::Sequence;
use super::testing::Testing;
use super::validate::{Property, Shrinking};
use crate::client::{Made, Script};
use crate::datum::{Datum, Native};
use std::fmt;
use std::rc::Rc;

/// A candidate of a property.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) origin: Origin,
    pub(super) testing: Rc<Testing>,
}

/// The origin of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// By its type.
    Drawn(Datum),
    /// By the program's generator, followed by this many steps of its shrinker.
    Made { size: i64, seed: u64, steps: Vec<u64> },
    /// By the program's generator, then shrunk by its type.
    Reduced(Datum),
    /// Commands, for a system with state.
    Sequence(Sequence),
}

/// The label of the span in which the library draws the first variable of a test.
const FIRST_VARIABLE: u32 = 1 << 31;

impl Candidate {
    /// The candidate of test `index` of a run, as the library draws it.
    pub(super) fn of_test(testing: &Rc<Testing>, seed: u64, index: u64, size: u32) -> Self {
        let mut source = forall::choice::Source::test_unrecorded(seed, index, size);
        source.span(FIRST_VARIABLE, |source| Self::draw(testing, source))
    }

    pub(super) fn draw(testing: &Rc<Testing>, source: &mut forall::choice::Source) -> Self {
        let property = &testing.property;
        let origin = if let Some(machine) = &property.machine {
            Origin::Sequence(Sequence::draw(machine, testing, source))
        } else if property.attribute.generator.is_some() {
            let size = generator_size(testing, source);
            Origin::Made { size, seed: source.draw(forall::generate::any::<u64>()), steps: Vec::new() }
        } else {
            let server = testing.server.borrow();
            let types = server.known();
            Origin::Drawn(draw::candidate(&property.type_name, &property.lengths, &types, testing.largest_size, source))
        };
        Self { origin, testing: testing.clone() }
    }

    /// The commands that create this candidate in the server: a value for each parameter is added to `made`.
    pub(super) fn put(&self, script: &mut Script<'_>, made: &mut Vec<Made>) {
        let property = &self.testing.property;
        match &self.origin {
            Origin::Drawn(datum) | Origin::Reduced(datum) => match (&*property.parameters, datum) {
                ([_, _, ..], Datum::Record(parts)) => {
                    made.extend(property.parameters.iter().zip(parts).map(|(of, part)| script.put(of, part)));
                }
                _ => made.push(script.put(&property.type_name, datum)),
            },
            Origin::Made { .. } => {
                let whole = self.put_whole(script);
                match &*property.parameters {
                    [_] => made.push(whole),
                    several => made.extend(several.iter().enumerate().map(|(at, of)| script.part(whole, at, of))),
                }
            }
            Origin::Sequence(_) => {}
        }
    }

    /// The commands that create this candidate in the server as one value.
    pub(super) fn put_whole(&self, script: &mut Script<'_>) -> Made {
        let property = &self.testing.property;
        let Origin::Made { size, seed, steps } = &self.origin else {
            return match &self.origin {
                Origin::Drawn(datum) | Origin::Reduced(datum) => script.put(&property.type_name, datum),
                _ => script.put("bool", &false.into_datum()),
            };
        };
        let generator = property.attribute.generator.as_deref().unwrap_or_default();
        let inputs = [script.put_size(*size), script.put("u64", &seed.into_datum())];
        let numbers: Vec<Made> = steps.iter().map(|step| script.put("u64", &step.into_datum())).collect();
        let mut last = script.commands();
        let mut candidate = script.call(generator, &inputs);
        for number in numbers {
            let next = script.commands();
            candidate = property.shrink(script, candidate, number).0;
            // At most two intermediate values are live in the server, however many steps there are.
            script.free_made_by(last..next);
            script.free(number);
            last = next;
        }
        candidate
    }

    /// The number of calls that create it.
    pub(super) fn calls(&self) -> usize {
        match &self.origin {
            Origin::Made { steps, .. } => 1 + steps.len(),
            _ => 0,
        }
    }

    /// The activity during each call that creates or tests it.
    pub(super) fn phase(&self, call: usize, entry_point: &str) -> String {
        let property = &self.testing.property;
        match &self.origin {
            Origin::Made { size, seed, .. } if call == 0 => {
                let generator = property.attribute.generator.as_deref().unwrap_or_default();
                format!("generator {generator} with size={size} and seed={seed}")
            }
            origin => {
                let made_of = match origin {
                    Origin::Made { size, seed, .. } => format!(" with a candidate of size={size} and seed={seed}"),
                    _ => String::new(),
                };
                match entry_point == property.name {
                    true => format!("property {entry_point}{made_of}"),
                    false => format!("{entry_point}, for property {}{made_of}", property.name),
                }
            }
        }
    }
}

/// The size passed to an entry point. It is at least 1, as with `futhark test`, unless the maximum is 0; and it never
/// exceeds the maximum, although the library shrinks at its own size.
pub(super) fn generator_size(testing: &Testing, source: &mut forall::choice::Source) -> i64 {
    let largest = u64::from(testing.largest_size);
    let least = largest.min(1);
    let own = u64::from(source.size()).clamp(least, largest);
    // Most candidates have the size of the test, and some the maximum: otherwise few would reach it.
    let size = source.choice_with(largest - least, |random, _| match random.up_to(7) {
        0 => largest - least,
        1..5 => own - least,
        _ => random.up_to(own - least),
    });
    (least + size) as i64
}

impl Property {
    /// The call of the program's shrinker: its result, and its status, if it returns one.
    pub(super) fn shrink(&self, script: &mut Script<'_>, value: Made, number: Made) -> (Made, Option<Made>) {
        let shrinker = self.attribute.shrinker.as_deref().unwrap_or_default();
        let given = script.call(shrinker, &[value, number]);
        match self.shrinking {
            Shrinking::EntryWithStatus => {
                let smaller = script.part(given, 0, &self.type_name);
                (smaller, Some(script.part(given, 1, "i8")))
            }
            _ => (given, None),
        }
    }
}

/// The value in Futhark syntax, ignoring the program's printer.
impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.testing.written(self))
    }
}
