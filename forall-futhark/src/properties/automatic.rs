//! Candidates of any type without a generator in the program, drawn as `futhark test` draws them.

use super::random::SplitMix;
use crate::data::{Primitive, Value, count};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};

/// The maximum number of elements of an array.
const MOST_ELEMENTS: usize = 1 << 28;

/// The reason why there is no candidate.
pub(super) enum NoCandidate {
    /// The type has no automatic generator.
    NotImplemented(String),
    /// Another entry point generates the type, by convention: `gen_` and the name of the type.
    AskGenerator,
}

/// Generates a candidate of this type.
pub(super) fn candidate(type_name: &str, types: &Types, size: i64, seed: u64) -> Result<Datum, NoCandidate> {
    let mut random = SplitMix::new(seed);
    Drawing { types, size: usize::try_from(size).unwrap_or(0) }.datum(type_name, &mut random)
}

struct Drawing<'a> {
    types: &'a Types,
    size: usize,
}

impl Drawing<'_> {
    fn datum(&self, type_name: &str, random: &mut SplitMix) -> Result<Datum, NoCandidate> {
        match &*self.types.structure_of(type_name) {
            Structure::Primitive(primitive) => self.value(*primitive, 0, random).map(Datum::Value),
            Structure::Array { element, rank } => self.array(type_name, element, *rank, random),
            Structure::Record(fields) if fields.is_empty() => Err(NoCandidate::NotImplemented(String::new())),
            Structure::Record(fields) => {
                let fields: Result<Vec<Datum>, NoCandidate> =
                    fields.iter().map(|(_, of)| self.datum(of, random)).collect();
                fields.map(Datum::Record)
            }
            Structure::Sum(_) => Err(NoCandidate::AskGenerator),
        }
    }

    /// Draws an array whose dimensions all have the given size; an array of records is drawn as one array per field.
    fn array(&self, type_name: &str, element: &str, rank: usize, random: &mut SplitMix) -> Result<Datum, NoCandidate> {
        match &*self.types.structure_of(element) {
            Structure::Primitive(primitive) => self.value(*primitive, rank, random).map(Datum::Value),
            Structure::Record(fields) if !fields.is_empty() => {
                let mut leaves = Vec::new();
                for (_, of) in fields {
                    let column = "[]".repeat(rank) + of;
                    leaves.extend(self.datum(&column, random)?.leaves(&column, self.types));
                }
                let array = Datum::from_leaves(type_name, &mut leaves.into_iter(), self.types);
                array.ok_or_else(|| NoCandidate::NotImplemented(type_name.to_owned()))
            }
            _ => {
                let what = format!("Automatic generation not implemented for: {element}");
                Err(NoCandidate::NotImplemented(what))
            }
        }
    }

    fn value(&self, primitive: Primitive, rank: usize, random: &mut SplitMix) -> Result<Value, NoCandidate> {
        let shape = vec![self.size; rank];
        let elements = count(&shape).filter(|elements| *elements <= MOST_ELEMENTS).ok_or_else(|| {
            let what = format!("an array of rank {rank} at size {} has too many elements", self.size);
            NoCandidate::NotImplemented(what)
        })?;
        let mut own = SplitMix::new(random.next_u64());
        let elements = own.elements(primitive, elements);
        Value::from_elements(elements, &shape).ok_or_else(|| NoCandidate::NotImplemented(primitive.to_string()))
    }
}
