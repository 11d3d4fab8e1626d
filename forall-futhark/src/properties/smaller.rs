//! What is smaller than a candidate: by the program's shrinker, or by its type.
//!
//! Both are lists, tried from the front. A shrinker of the program that takes a random number is asked with a few; one that says a status
//! is asked with 0, 1, 2 and so on, its tactics, until it says that it has no more.

use super::candidate::{Candidate, Origin};
use super::random::SplitMix;
use super::testing::Testing;
use super::validate::Shrinking;
use crate::client::{Ended, Script, Server};
use crate::data::{Element, Elements, Value, each};
use crate::datum::{Datum, Native};
use std::cmp::Ordering;
use std::rc::Rc;

/// A program's own shrinker is asked so often for each value.
const SHRINKS: u64 = 64;

/// A shrinker that says a status has no more tactics than this.
const TACTICS: u64 = 64;

/// More is not offered for one value.
const MOST: usize = 2000;

/// What only the program can make is not led further than this by its shrinker: a number for each step is in the server.
const MOST_STEPS: usize = 64;

/// What is remembered of so many candidates.
const REMEMBERED: usize = 4096;

/// The shrinker goes on from what it gave.
const GO_ON: i8 = 0;

/// This tactic gives nothing; the next one may.
const NEXT_TACTIC: i8 = 1;

/// What a shrinker gives for one number: its status and the value, as far as they are asked for.
type Offer = Result<Vec<Vec<Value>>, Ended>;

impl Candidate {
    /// What is smaller.
    pub(super) fn smaller(&self) -> impl Iterator<Item = Self> + use<> {
        let smaller = self.testing.smaller_than(self);
        let testing = self.testing.clone();
        (0..smaller.len()).map(move |at| Self { origin: smaller[at].clone(), testing: testing.clone() })
    }

    /// Whether it came to be in this way. NaN is not equal to itself, but it is the same candidate.
    pub(super) fn is_made_as(&self, origin: &Origin) -> bool {
        self.origin == *origin || self.key() == Self { origin: origin.clone(), testing: self.testing.clone() }.key()
    }

    /// What tells it from all others.
    fn key(&self) -> Vec<u8> {
        match &self.origin {
            Origin::Made { size, seed, steps } => {
                let mut key = [size.to_le_bytes(), seed.to_le_bytes()].concat();
                steps.iter().for_each(|step| key.extend(step.to_le_bytes()));
                key
            }
            _ => self.testing.leaves(self).iter().flat_map(Value::to_bytes).collect(),
        }
    }
}

impl Testing {
    /// What is smaller than a candidate; found out once, because shrinking asks again and again.
    fn smaller_than(&self, candidate: &Candidate) -> Rc<Vec<Origin>> {
        let key = candidate.key();
        if let Some(known) = self.smaller.borrow().get(&key) {
            return known.clone();
        }
        let found = Rc::new(match self.property.shrinking {
            Shrinking::Remade => Vec::new(),
            Shrinking::ByType => self.smaller_by_type(candidate),
            Shrinking::Entry | Shrinking::EntryWithStatus => self.smaller_by_entry(candidate).unwrap_or_default(),
        });
        let mut known = self.smaller.borrow_mut();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, found.clone());
        found
    }

    fn smaller_by_type(&self, candidate: &Candidate) -> Vec<Origin> {
        self.datum_of(candidate)
            .map_or_else(Vec::new, |datum| by_type(&datum).into_iter().map(Origin::Reduced).collect())
    }

    /// All that the program's shrinker makes of a candidate, in as few exchanges as the server has room for; the smallest first.
    fn smaller_by_entry(&self, candidate: &Candidate) -> Option<Vec<Origin>> {
        if self.shrinker_is_bad.get() {
            return None;
        }
        let says_status = self.property.shrinking == Shrinking::EntryWithStatus;
        let numbers: Vec<u64> = match says_status {
            true => (0..TACTICS).collect(),
            false => (0..SHRINKS).map(|number| SplitMix::new(number).next_u64()).collect(),
        };
        let server = self.server.borrow();
        let is_known = server.learn_all(&self.property.parameters).is_ok();
        if matches!(&candidate.origin, Origin::Made { steps, .. } if steps.len() >= MOST_STEPS && !is_known) {
            return None;
        }
        if let (Origin::Made { size, seed, steps }, false, false) = (&candidate.origin, is_known, says_status) {
            self.shrinker_has_offered.set(true);
            return Some(numbers.iter().map(|number| Origin::longer(*size, *seed, steps, *number)).collect());
        }
        let of = &self.property.type_name;
        let mut all = Vec::new();
        let mut left = &numbers[..];
        'numbers: while !left.is_empty() {
            let (itself, offered) = self.offered(&server, candidate, left, is_known);
            let itself = Datum::from_leaves(of, &mut itself.into_iter(), &server.known()).filter(|_| is_known);
            let (asked, rest) = left.split_at(offered.len());
            left = rest;
            for (number, result) in asked.iter().zip(offered) {
                let mut values = match result {
                    Ok(values) => values.into_iter(),
                    Err(Ended::Unknown) => break 'numbers,
                    Err(ended) => {
                        self.note_shrinker(*number, &ended);
                        continue;
                    }
                };
                let status = if says_status { values.next()?.first()?.get::<i8>()? } else { GO_ON };
                match status {
                    GO_ON => {}
                    NEXT_TACTIC => continue,
                    _ => break 'numbers,
                }
                match (&candidate.origin, is_known) {
                    (Origin::Made { size, seed, steps }, false) => {
                        all.push(Origin::longer(*size, *seed, steps, *number));
                    }
                    _ => {
                        let datum = Datum::from_leaves(of, &mut values.next()?.into_iter(), &server.known())?;
                        // A shrinker that has nothing to offer can only give back what it was given.
                        if itself.as_ref() == Some(&datum) {
                            self.shrinker_gave_back.set(true);
                            continue;
                        }
                        all.push(Origin::Drawn(datum));
                    }
                }
                self.shrinker_has_offered.set(true);
            }
            if !server.is_alive() {
                break;
            }
        }
        // Large steps first; of a shrinker with tactics, in the order of these.
        if !says_status {
            all.sort_by(|one, other| one.weight().partial_cmp(&other.weight()).unwrap_or(Ordering::Equal));
            all.dedup();
        }
        Some(all)
    }

    /// What a candidate is, if it can be looked into, and what the shrinker makes of it with the first of some numbers, as many as fit
    /// into one exchange: its status if it says one, and the value if it can be looked into.
    fn offered(
        &self,
        server: &Server,
        candidate: &Candidate,
        numbers: &[u64],
        is_known: bool,
    ) -> (Vec<Value>, Vec<Offer>) {
        let mut script = Script::new(server);
        let value = candidate.put_whole(&mut script);
        let mut wanted = vec![(0, if is_known { vec![value] } else { Vec::new() })];
        for number in numbers {
            let room = script.room();
            let random = script.put("u64", &number.into_datum());
            script.next_section();
            let (smaller, status) = self.property.shrink(&mut script, value, random);
            let fetched = if is_known { Some(smaller) } else { None };
            wanted.push((wanted.len(), status.into_iter().chain(fetched).collect()));
            // The next one takes as much as this one.
            if script.room() <= room - script.room() {
                break;
            }
        }
        let mut offered = script.run(&wanted);
        match offered.remove(0) {
            Ok(itself) => (itself.concat(), offered),
            // The shrinker was not asked: what becomes of its calls says nothing of it.
            Err(_) => (Vec::new(), vec![Err(Ended::Unknown)]),
        }
    }

    /// The program's shrinker went wrong: that is said, and if it took the server with it, it is not asked again.
    pub(super) fn note_shrinker(&self, number: u64, ended: &Ended) {
        let shrinker = self.property.attribute.shrinker.as_deref().unwrap_or_default();
        let from = match self.made_from.get() {
            Some((size, seed)) => format!(", from size={size} and seed={seed}"),
            None => String::new(),
        };
        let (why, is_lost) = match ended {
            Ended::Refused { refused, .. } => (format!("failed:\n{}", refused.message.join("\n").trim_end()), false),
            Ended::Error { error, .. } => (format!("was given up: {error}"), true),
            Ended::Unknown => return,
        };
        if is_lost {
            self.shrinker_is_bad.set(true);
        }
        let note = format!("shrinker {shrinker} with random={number}{from} {why}");
        let mut notes = self.notes.borrow_mut();
        if notes.is_empty() || is_lost {
            notes.push(note);
        }
    }
}

impl Origin {
    /// One more step of the program's shrinker.
    fn longer(size: i64, seed: u64, steps: &[u64], number: u64) -> Self {
        Self::Made { size, seed, steps: [steps, &[number]].concat() }
    }

    /// How large a value is: by its elements, and by how large these are.
    fn weight(&self) -> (usize, f64) {
        match self {
            Self::Drawn(datum) | Self::Reduced(datum) => (datum.count(), magnitude(datum)),
            _ => (0, 0.0),
        }
    }
}

fn magnitude(datum: &Datum) -> f64 {
    match datum {
        Datum::Value(value) => {
            each!(value.elements(), xs => xs.iter().map(|x| x.magnitude()).sum())
        }
        Datum::Record(parts) | Datum::Sum { payload: parts, .. } | Datum::Array { elements: parts, .. } => {
            parts.iter().map(magnitude).sum()
        }
    }
}

/// Values that are simpler than one, by what it is made of.
fn by_type(datum: &Datum) -> Vec<Datum> {
    let mut all = Vec::new();
    shorter_together(datum, &mut all);
    parts(datum, &mut all);
    all.truncate(MOST);
    all
}

/// Arrays of one length may have to have the same: what is removed from one is removed from all that are as long, along the same
/// dimension.
fn shorter_together(datum: &Datum, all: &mut Vec<Datum>) {
    let mut lengths = Vec::new();
    lengths_by_dimension(datum, &mut lengths);
    lengths.sort_unstable();
    lengths.dedup();
    for (dimension, length) in lengths.into_iter().filter(|(_, length)| *length > 0) {
        for (from, to) in cuts(length) {
            all.push(without(datum, &Cut { dimension, length, from, to }));
        }
    }
}

fn lengths_by_dimension(datum: &Datum, lengths: &mut Vec<(usize, usize)>) {
    lengths.extend(datum.shape().iter().copied().enumerate());
    match datum {
        Datum::Record(parts) | Datum::Sum { payload: parts, .. } => {
            parts.iter().for_each(|part| lengths_by_dimension(part, lengths));
        }
        _ => {}
    }
}

/// What is taken out of arrays that are so long along a dimension.
struct Cut {
    dimension: usize,
    length: usize,
    from: usize,
    to: usize,
}

impl Cut {
    /// The shape that is left, if it is about arrays of this one.
    fn shape(&self, shape: &[usize]) -> Option<Vec<usize>> {
        let mut left = shape.to_vec();
        *left.get_mut(self.dimension).filter(|length| **length == self.length)? -= self.to - self.from;
        Some(left)
    }

    /// The elements that are left of an array of this shape.
    fn left<T: Clone>(&self, shape: &[usize], elements: &[T]) -> Vec<T> {
        let row: usize = shape[self.dimension + 1..].iter().product();
        let is_left = |at: usize| !(self.from..self.to).contains(&(at / row.max(1) % self.length));
        elements.iter().enumerate().filter(|(at, _)| is_left(*at)).map(|(_, one)| one.clone()).collect()
    }
}

/// What to take out of so many: all, halves, quarters, and so on to each.
fn cuts(length: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut piece = length;
    while piece > 0 && all.len() < 200 {
        all.extend((0..length).step_by(piece).map(|from| (from, (from + piece).min(length))));
        piece /= 2;
    }
    all
}

/// A value whose arrays of this length lack some elements.
fn without(datum: &Datum, cut: &Cut) -> Datum {
    let all_without = |parts: &[Datum]| parts.iter().map(|part| without(part, cut)).collect();
    match datum {
        Datum::Value(value) => match cut.shape(value.shape()) {
            Some(shape) => {
                let elements = each!(value.elements(), xs => Element::elements(cut.left(value.shape(), xs)));
                Datum::Value(Value::from_elements(elements, &shape).unwrap_or_else(|| value.clone()))
            }
            None => datum.clone(),
        },
        Datum::Array { shape, elements } => match cut.shape(shape) {
            Some(left) => Datum::Array { elements: cut.left(shape, elements), shape: left },
            None => datum.clone(),
        },
        Datum::Record(parts) => Datum::Record(all_without(parts)),
        Datum::Sum { variant, payload } => Datum::Sum { variant: *variant, payload: all_without(payload) },
    }
}

/// One part simpler, all else as it is.
fn parts(datum: &Datum, all: &mut Vec<Datum>) {
    match datum {
        Datum::Value(value) => all.extend(
            each!(value.elements(), xs => simpler_elements(xs))
                .into_iter()
                .filter_map(|elements| Value::from_elements(elements, value.shape()).map(Datum::Value)),
        ),
        Datum::Record(fields) => one_of(fields, all, Datum::Record),
        Datum::Sum { variant, payload } => {
            one_of(payload, all, |payload| Datum::Sum { variant: *variant, payload });
        }
        Datum::Array { shape, elements } => {
            one_of(elements, all, |elements| Datum::Array { shape: shape.clone(), elements });
        }
    }
}

fn one_of(parts_of: &[Datum], all: &mut Vec<Datum>, whole: impl Fn(Vec<Datum>) -> Datum) {
    for (at, part) in parts_of.iter().enumerate() {
        let mut simpler = Vec::new();
        parts(part, &mut simpler);
        for one in simpler {
            let mut changed = parts_of.to_vec();
            changed[at] = one;
            all.push(whole(changed));
            if all.len() > MOST {
                return;
            }
        }
    }
}

fn simpler_elements<T: Element + Simpler>(elements: &[T]) -> Vec<Elements> {
    let mut all = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        for simpler in element.simpler() {
            let mut changed = elements.to_vec();
            changed[at] = simpler;
            all.push(T::elements(changed));
            if all.len() > MOST {
                return all;
            }
        }
    }
    all
}

/// Scalars that are simpler than one: nearer to nothing.
trait Simpler: Sized + Copy {
    fn simpler(self) -> Vec<Self>;

    /// How far from nothing it is; a little more below.
    fn magnitude(self) -> f64;
}

macro_rules! integers {
    ($($T:ty)*) => {$(
        impl Simpler for $T {
            fn simpler(self) -> Vec<Self> {
                let mut all = Vec::new();
                #[allow(unused_comparisons, reason = "also for types without a sign")]
                if self < 0 {
                    all.extend((0 as $T).checked_sub(self));
                }
                // Zero, then half the way back, and so on to the neighbour.
                let mut distance = self;
                while distance != 0 {
                    all.push(self - distance);
                    distance /= 2;
                }
                all
            }

            #[allow(unused_comparisons, reason = "also for types without a sign")]
            fn magnitude(self) -> f64 {
                (self as f64).abs() + if self < 0 { 0.5 } else { 0.0 }
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Simpler for bool {
    fn simpler(self) -> Vec<Self> {
        if self { vec![false] } else { Vec::new() }
    }

    fn magnitude(self) -> f64 {
        if self { 1.0 } else { 0.0 }
    }
}

macro_rules! floats {
    ($($T:ty)*) => {$(
        impl Simpler for $T {
            fn simpler(self) -> Vec<Self> {
                let wide = f64::from(self);
                if wide == 0.0 {
                    return Vec::new();
                }
                let all = [0.0, wide.abs(), wide.trunc(), (wide / 2.0).trunc(), wide - wide.signum()];
                let is_simpler = |one: &f64| {
                    let digits = |x: f64| x.to_string().trim_start_matches('-').len();
                    let (len, own) = (digits(*one), digits(wide));
                    one.is_finite() && (len, one.abs(), *one < 0.0) < (own, wide.abs(), wide < 0.0)
                };
                all.into_iter().filter(is_simpler).map(Self::narrowed).collect()
            }

            fn magnitude(self) -> f64 {
                f64::from(self).abs()
            }
        }
    )*};
}

/// From a wider number.
trait Narrowed {
    fn narrowed(wide: f64) -> Self;
}

impl Narrowed for crate::data::f16 {
    fn narrowed(wide: f64) -> Self {
        Self::from_f64(wide)
    }
}

impl Narrowed for f32 {
    fn narrowed(wide: f64) -> Self {
        wide as Self
    }
}

impl Narrowed for f64 {
    fn narrowed(wide: f64) -> Self {
        wide
    }
}

floats!(crate::data::f16 f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest value that still has a property, by always taking the first smaller one that has it.
    fn smallest(mut datum: Datum, still: impl Fn(&Datum) -> bool) -> Datum {
        while let Some(next) = by_type(&datum).into_iter().find(&still) {
            datum = next;
        }
        datum
    }

    #[test]
    fn values_become_as_small_as_can_be() {
        let big = (vec![5i32, -70, 900, 3], vec![1u8, 2, 3, 4], -3.75f32).into_datum();
        let sum = |datum: &Datum| <(Vec<i32>, Vec<u8>, f32)>::from_datum(datum).unwrap().0.iter().sum::<i32>();
        let found = smallest(big, |datum| sum(datum) >= 100);
        assert_eq!(found, (vec![100i32], vec![0u8], 0.0f32).into_datum(), "arrays of one length stay so");
    }

    #[test]
    fn arrays_become_shorter_along_every_dimension() {
        let elements = i32::elements((0..24).collect());
        let matrix = Datum::Value(Value::from_elements(elements, &[4, 6]).unwrap());
        let found = smallest(matrix, |datum| datum.shape()[0] >= 2 && datum.shape()[1] >= 3);
        assert_eq!((found.shape(), found.count()), (&[2, 3][..], 6));
        let elements = i32::elements((0..6).collect());
        let matrix = Datum::Value(Value::from_elements(elements, &[2, 3]).unwrap());
        let middle = without(&matrix, &Cut { dimension: 1, length: 3, from: 1, to: 2 });
        let elements = i32::elements(vec![0, 2, 3, 5]);
        assert_eq!(middle, Datum::Value(Value::from_elements(elements, &[2, 2]).unwrap()));
    }

    #[test]
    fn integers_lead_to_all_that_are_nearer_to_zero() {
        assert_eq!(7u8.simpler(), [0, 4, 6]);
        assert_eq!((-3i8).simpler(), [3, 0, -2]);
        assert_eq!(i64::MIN.simpler().first(), Some(&0));
        assert!(0i32.simpler().is_empty());
    }
}
