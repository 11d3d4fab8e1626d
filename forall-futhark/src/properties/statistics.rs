//! What candidates were like: how many, how long, how large.

use crate::data::{Element, Elements, Value, each};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};
use std::collections::BTreeMap;

/// What candidates were like so far.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    /// Those that the condition does not hold of.
    pub(super) discarded: u64,
    /// Those whose arrays do not have the lengths that the program asks for.
    pub(super) misfits: u64,
    /// Those that the program's generator did not make.
    pub(super) unmade: u64,
    /// Those that the property was asked about.
    pub(super) asked: u64,
    /// The sizes that the program's generator was given.
    sizes: Option<(i64, i64)>,
    looked_at: u64,
    parts: BTreeMap<String, Seen>,
}

/// What a part of candidates was like.
#[derive(Debug, Default)]
struct Seen {
    /// Shortest and longest in each dimension.
    lengths: Vec<(usize, usize)>,
    integers: Option<(i128, i128)>,
    floats: Option<(f64, f64)>,
    /// How often false and true.
    truths: (u64, u64),
    variants: BTreeMap<String, u64>,
}

impl Statistics {
    /// Those that do not count, whatever the reason.
    pub(super) fn left_out(&self) -> u64 {
        self.discarded + self.misfits + self.unmade
    }

    pub(super) fn size(&mut self, size: i64) {
        let (least, most) = self.sizes.unwrap_or((size, size));
        self.sizes = Some((least.min(size), most.max(size)));
    }

    pub(super) fn look_at(&mut self, datum: &Datum, type_name: &str, types: &Types) {
        self.looked_at += 1;
        self.part("", datum, type_name, types);
    }

    fn part(&mut self, path: &str, datum: &Datum, type_name: &str, types: &Types) {
        match (datum, types.structure_of(type_name)) {
            (Datum::Value(value), _) => self.parts.entry(path.to_owned()).or_default().value(value),
            (Datum::Record(parts), Structure::Record(fields)) => {
                for (part, (name, of)) in parts.iter().zip(fields) {
                    self.part(&format!("{path}.{name}"), part, &of, types);
                }
            }
            (Datum::Sum { variant, payload }, Structure::Sum(variants)) => {
                let (name, of) = &variants[*variant];
                *self.parts.entry(path.to_owned()).or_default().variants.entry(name.clone()).or_default() += 1;
                for (number, (part, of)) in payload.iter().zip(of).enumerate() {
                    self.part(&format!("{path}#{name}.{number}"), part, of, types);
                }
            }
            (Datum::Array { shape, elements }, Structure::Array { element, .. }) => {
                self.parts.entry(path.to_owned()).or_default().shape(shape);
                elements.iter().for_each(|one| self.part(&format!("{path}[]"), one, &element, types));
            }
            _ => {}
        }
    }

    /// What is to be said of it, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut first = Vec::new();
        if let Some((least, most)) = self.sizes {
            first.push(format!("sizes {least} to {most}"));
        }
        if self.discarded > 0 {
            first.push(format!("{} discarded", self.discarded));
        }
        if self.misfits > 0 {
            first.push(format!("{} discarded because their sizes do not fit", self.misfits));
        }
        let mut lines = Vec::new();
        for (path, seen) in &self.parts {
            let about = seen.text();
            match &**path {
                _ if about.is_empty() => {}
                "" => first.push(about),
                path => lines.push(format!("{path}: {about}")),
            }
        }
        if !first.is_empty() {
            lines.insert(0, first.join("; "));
        }
        lines
    }
}

impl Seen {
    fn value(&mut self, value: &Value) {
        if !value.shape().is_empty() {
            self.shape(value.shape());
        }
        match value.elements() {
            Elements::Bool(all) => {
                let are_true = all.iter().filter(|one| **one).count() as u64;
                self.truths.0 += all.len() as u64 - are_true;
                self.truths.1 += are_true;
            }
            Elements::F16(all) => all.iter().for_each(|one| self.float(one.to_f64())),
            Elements::F32(all) => all.iter().for_each(|one| self.float((*one).into())),
            Elements::F64(all) => all.iter().for_each(|one| self.float(*one)),
            integers => each!(integers, all => self.integers(all)),
        }
    }

    fn shape(&mut self, shape: &[usize]) {
        if self.lengths.len() != shape.len() {
            self.lengths = shape.iter().map(|length| (*length, *length)).collect();
        }
        for ((shortest, longest), length) in self.lengths.iter_mut().zip(shape) {
            (*shortest, *longest) = ((*shortest).min(*length), (*longest).max(*length));
        }
    }

    fn integers<T: Element>(&mut self, all: &[T]) {
        let mut bytes = Vec::with_capacity(8);
        for one in all {
            bytes.clear();
            one.push_bytes(&mut bytes);
            let is_signed = T::PRIMITIVE.name().starts_with('i');
            let fill = if is_signed && bytes.last().is_some_and(|last| *last >= 0x80) { 0xff } else { 0 };
            let mut wide = [fill; 16];
            wide[..bytes.len()].copy_from_slice(&bytes);
            let one = i128::from_le_bytes(wide);
            let (least, most) = self.integers.unwrap_or((one, one));
            self.integers = Some((least.min(one), most.max(one)));
        }
    }

    fn float(&mut self, one: f64) {
        let (least, most) = self.floats.unwrap_or((one, one));
        self.floats = Some((least.min(one), most.max(one)));
    }

    fn text(&self) -> String {
        let mut parts = Vec::new();
        if !self.lengths.is_empty() {
            let lengths: Vec<String> =
                self.lengths.iter().map(|(shortest, longest)| format!("{shortest} to {longest}")).collect();
            parts.push(format!("length {}", lengths.join(" by ")));
        }
        let what = if self.lengths.is_empty() { "values" } else { "elements" };
        if let Some((least, most)) = self.integers {
            parts.push(format!("{what} {least} to {most}"));
        }
        if let Some((least, most)) = self.floats {
            parts.push(format!("{what} {least:e} to {most:e}"));
        }
        let (are_false, are_true) = self.truths;
        if let Some(percent) = (100 * are_true).checked_div(are_false + are_true) {
            parts.push(format!("{percent}% true"));
        }
        let all: u64 = self.variants.values().sum();
        for (variant, count) in &self.variants {
            parts.push(format!("{}% #{variant}", 100 * count / all));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datum::Native;

    #[test]
    fn lengths_and_ranges_are_told_by_part() {
        let mut statistics = Statistics::default();
        let types = Types::default();
        for (xs, b) in [(vec![-3i32, 4], true), (vec![], false)] {
            statistics.look_at(&(xs, b).into_datum(), "([]i32, bool)", &types);
        }
        assert_eq!(statistics.lines(), [".0: length 0 to 2, elements -3 to 4", ".1: 50% true"]);
        statistics.size(3);
        statistics.size(7);
        assert_eq!(statistics.lines()[0], "sizes 3 to 7");
    }
}
