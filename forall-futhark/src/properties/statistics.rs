//! Statistics of candidates: their number, lengths and ranges.

use crate::data::{Elements, Value};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};

/// Statistics of the candidates so far.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    /// The number of discarded candidates.
    pub(super) discarded: u64,
    /// The number of candidates whose array lengths do not match the program's types.
    pub(super) misfits: u64,
    /// The number of candidates that the property was called with.
    pub(super) asked: u64,
    /// The minimum and maximum size passed to the program's generator.
    sizes: Option<(i64, i64)>,
    whole: Part,
}

/// Statistics of one part of all candidates, and of its subparts. The tree mirrors the type, so that counting needs no
/// names; [`Statistics::lines`] adds the names.
#[derive(Debug, Default)]
struct Part {
    seen: Seen,
    /// The fields of a record.
    fields: Vec<Part>,
    /// For each variant of a sum, its number of occurrences and its payload.
    variants: Vec<(u64, Vec<Part>)>,
    /// The elements of an array, if they are not primitive.
    element: Option<Box<Part>>,
}

/// The lengths and ranges seen so far.
#[derive(Debug, Default)]
struct Seen {
    /// The minimum and maximum length of each dimension.
    lengths: Vec<(usize, usize)>,
    integers: Option<(i128, i128)>,
    floats: Option<(f64, f64)>,
    /// The number of `false` and of `true` values.
    truths: (u64, u64),
}

impl Statistics {
    pub(super) fn size(&mut self, size: i64) {
        let (least, most) = self.sizes.unwrap_or((size, size));
        self.sizes = Some((least.min(size), most.max(size)));
    }

    pub(super) fn look_at(&mut self, datum: &Datum) {
        self.whole.look_at(datum);
    }

    /// Returns a line for each part of candidates of this type.
    pub(super) fn lines(&self, type_name: &str, types: &Types) -> Vec<String> {
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
        let mut parts = Vec::new();
        self.whole.lines("", type_name, types, &mut parts);
        let mut lines = Vec::new();
        for (path, about) in parts {
            match &*path {
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

impl Part {
    fn look_at(&mut self, datum: &Datum) {
        match datum {
            Datum::Value(value) => self.seen.value(value),
            Datum::Record(parts) => look_at_all(&mut self.fields, parts),
            Datum::Sum { variant, payload } => {
                if self.variants.len() <= *variant {
                    self.variants.resize_with(variant + 1, Default::default);
                }
                let (times, parts) = &mut self.variants[*variant];
                *times += 1;
                look_at_all(parts, payload);
            }
            Datum::Array { shape, elements } => {
                self.seen.shape(shape);
                let element = self.element.get_or_insert_default();
                elements.iter().for_each(|one| element.look_at(one));
            }
        }
    }

    /// Appends the path and the text of this part and its subparts.
    fn lines(&self, path: &str, type_name: &str, types: &Types, to: &mut Vec<(String, String)>) {
        let structure = types.structure_of(type_name);
        let mut about = self.seen.text();
        if let Structure::Sum(variants) = &*structure {
            let all: u64 = self.variants.iter().map(|(times, _)| times).sum();
            let percent =
                |((times, _), (name, _)): (&(u64, _), &(String, _))| format!("{}% #{name}", 100 * times / all.max(1));
            let seen = self.variants.iter().zip(variants).filter(|((times, _), _)| *times > 0);
            about = seen.map(percent).collect::<Vec<_>>().join(", ");
        }
        to.push((path.to_owned(), about));
        match &*structure {
            Structure::Record(fields) => {
                for (part, (name, of)) in self.fields.iter().zip(fields) {
                    part.lines(&format!("{path}.{name}"), of, types, to);
                }
            }
            Structure::Sum(variants) => {
                for ((_, parts), (name, of)) in self.variants.iter().zip(variants) {
                    for (number, (part, of)) in parts.iter().zip(of).enumerate() {
                        part.lines(&format!("{path}#{name}.{number}"), of, types, to);
                    }
                }
            }
            Structure::Array { element: of, .. } => {
                self.element.iter().for_each(|element| element.lines(&format!("{path}[]"), of, types, to));
            }
            Structure::Primitive(_) => {}
        }
    }
}

fn look_at_all(parts: &mut Vec<Part>, data: &[Datum]) {
    if parts.len() < data.len() {
        parts.resize_with(data.len(), Default::default);
    }
    parts.iter_mut().zip(data).for_each(|(part, datum)| part.look_at(datum));
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
            Elements::I8(all) => self.integers(all),
            Elements::I16(all) => self.integers(all),
            Elements::I32(all) => self.integers(all),
            Elements::I64(all) => self.integers(all),
            Elements::U8(all) => self.integers(all),
            Elements::U16(all) => self.integers(all),
            Elements::U32(all) => self.integers(all),
            Elements::U64(all) => self.integers(all),
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

    fn integers<T: Copy + Ord + Into<i128>>(&mut self, all: &[T]) {
        let Some((first, rest)) = all.split_first() else { return };
        // By value and without branches, so that the compiler vectorises the loop.
        let (least, most) = rest.iter().fold((*first, *first), |(least, most), one| (least.min(*one), most.max(*one)));
        let (least, most) = (least.into(), most.into());
        let (least_before, most_before) = self.integers.unwrap_or((least, most));
        self.integers = Some((least.min(least_before), most.max(most_before)));
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
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datum::Native;

    #[test]
    fn lines_name_lengths_and_ranges_of_each_part() {
        let mut statistics = Statistics::default();
        let types = Types::default();
        let of = "([]i32, bool)";
        for (xs, b) in [(vec![-3i32, 4], true), (vec![], false)] {
            statistics.look_at(&(xs, b).into_datum());
        }
        assert_eq!(statistics.lines(of, &types), [".0: length 0 to 2, elements -3 to 4", ".1: 50% true"]);
        statistics.size(3);
        statistics.size(7);
        assert_eq!(statistics.lines(of, &types)[0], "sizes 3 to 7");
    }

    #[test]
    fn lines_name_variants_and_the_parts_of_arrays_of_records() {
        let mut types = Types::default();
        types.name_sum("shape", &[("circle", &["f32"]), ("square", &["i32"])]);
        let mut statistics = Statistics::default();
        for variant in [1, 1, 0, 1] {
            let payload = if variant == 1 { 7i32.into_datum() } else { 0.5f32.into_datum() };
            statistics.look_at(&Datum::Sum { variant, payload: vec![payload] });
        }
        let expected = ["25% #circle, 75% #square", "#circle.0: values 5e-1 to 5e-1", "#square.0: values 7 to 7"];
        assert_eq!(statistics.lines("shape", &types), expected);
        let mut statistics = Statistics::default();
        let elements = vec![(1i8, true).into_datum(), (-2i8, true).into_datum()];
        statistics.look_at(&Datum::Array { shape: vec![2], elements });
        let expected = ["length 2 to 2", "[].0: values -2 to 1", "[].1: 100% true"];
        assert_eq!(statistics.lines("[](i8, bool)", &types), expected);
    }
}
