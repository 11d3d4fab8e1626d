//! The inputs worth varying: the smallest accepted input with each feature, with a preference for rare features.
//!
//! The archive follows MAP-Elites (Mouret and Clune), and the preference for rare features follows Entropic (Böhme,
//! Manès and Cha). Features are hashes, and an archive has a fixed number of cells: features that share a cell count as
//! one.

use crate::choice::{Choice, Enclosing, Item, Random, Sequence, constructor, form, leave};
use crate::generate::Coded;
use std::rc::Rc;

const CELLS: usize = 1 << 12;

/// The least-seen cell is chosen among this many random ones.
const LOOKS: u32 = 8;

/// Choices up to this maximum are alternatives, others are numbers.
pub(super) const ALTERNATIVES: u64 = 15;

/// The largest number of numbers of an input that are compared with each other.
const MOST_COMPARED: usize = 64;

/// Parts are considered together with the parts that enclose them, up to this many levels.
const DEPTH: usize = 6;

/// The elites.
#[derive(Default)]
pub(super) struct Archive {
    cells: Vec<Cell>,
    /// The cells that have an elite.
    taken: Vec<u16>,
}

#[derive(Clone, Default)]
struct Cell {
    /// The number of inputs that had the feature, and how often its elite was chosen.
    seen: u32,
    /// The length of the elite.
    length: u32,
    elite: Option<Rc<Sequence>>,
}

impl Archive {
    pub(super) fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Adds an accepted input. Returns whether it has a new feature.
    pub(super) fn add(&mut self, features: &[u64], input: &Rc<Sequence>) -> bool {
        if self.cells.is_empty() {
            self.cells = vec![Cell::default(); CELLS];
        }
        let before = self.taken.len();
        let length = input.len() as u32;
        for feature in features {
            let at = (feature % CELLS as u64) as usize;
            let cell = &mut self.cells[at];
            cell.seen += 1;
            if cell.elite.is_some() && cell.length <= length {
                continue;
            }
            if cell.elite.is_none() {
                self.taken.push(at as u16);
            }
            (cell.length, cell.elite) = (length, Some(Rc::clone(input)));
        }
        self.taken.len() > before
    }

    /// The elite to vary next. The archive must not be empty.
    pub(super) fn choose(&mut self, random: &mut Random) -> Rc<Sequence> {
        let mut least = self.random_cell(random);
        for _ in 1..LOOKS {
            let other = self.random_cell(random);
            if self.cells[other].seen < self.cells[least].seen {
                least = other;
            }
        }
        self.cells[least].seen += 1;
        self.elite(least)
    }

    /// A random elite. The archive must not be empty.
    pub(super) fn any(&self, random: &mut Random) -> Rc<Sequence> {
        self.elite(self.random_cell(random))
    }

    fn random_cell(&self, random: &mut Random) -> usize {
        usize::from(self.taken[random.up_to(self.taken.len() as u64 - 1) as usize])
    }

    fn elite(&self, cell: usize) -> Rc<Sequence> {
        self.cells[cell].elite.clone().unwrap_or_default()
    }
}

/// Sets `met` to hashes of the pairs of constructors that occur one below the other in an input.
pub(super) fn meetings(input: &Sequence, met: &mut Vec<u64>) {
    let mut path: Vec<Enclosing> = Vec::with_capacity(16);
    met.clear();
    for (place, span) in input.spans.iter().enumerate() {
        leave(&mut path, span.start);
        let constructor = constructor(input, place, span, ALTERNATIVES);
        met.push(constructor);
        let mut chain = constructor;
        for above in path.iter().rev().take(DEPTH) {
            // The two alone, and with everything between them.
            met.push(above.with(above.children, constructor));
            chain = above.with(above.children, chain);
            met.push(chain);
        }
        if let Some(above) = path.last_mut() {
            above.children += 1;
        }
        path.push(Enclosing::new(constructor, span.end));
    }
}

/// The alternatives of an input, and which of its numbers are equal, as a hash.
pub(super) fn shape(input: &Sequence) -> u64 {
    hash(
        &input.items,
        |number| number,
        |earlier, number| earlier.iter().position(|other| *other == number).unwrap_or(MOST_COMPARED) as u64,
    )
}

/// The alternatives of an input, and how its numbers compare, as a hash.
pub(super) fn pattern(items: &[Item]) -> u64 {
    // Decoded once: each number is compared with all before it.
    let decoded = |number: Choice| (number.max, i64::decode(number.value));
    hash(items, decoded, |earlier, (max, value)| {
        let (mut smaller, mut equal) = (0, 0);
        for &(other_max, other) in earlier {
            smaller += u64::from(other_max == max && other < value);
            equal |= u64::from(other_max == max && other == value);
        }
        smaller << 1 | equal
    })
}

/// Hashes alternatives as they are, and numbers (decoded by `read`) by the result of `compared` with the earlier ones.
fn hash<N: Copy>(items: &[Item], read: impl Fn(Choice) -> N, compared: impl Fn(&[N], N) -> u64) -> u64 {
    let mut numbers = Vec::with_capacity(items.len().min(MOST_COMPARED));
    form(items, ALTERNATIVES, |number| {
        let number = read(number);
        let name = (numbers.len() < MOST_COMPARED).then(|| compared(&numbers, number))?;
        numbers.push(number);
        Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Random, Span};

    fn input(values: &[(u64, u64)]) -> Sequence {
        let items = values.iter().map(|&(value, max)| Item::Choice(Choice { value, max })).collect();
        Sequence { items, ..Sequence::default() }
    }

    #[test]
    fn the_smallest_input_with_a_feature_is_its_elite() {
        let mut archive = Archive::default();
        assert!(archive.add(&[7], &Rc::new(input(&[(1, 9), (2, 9)]))));
        assert!(!archive.add(&[7], &Rc::new(input(&[(3, 9)]))));
        assert!(!archive.add(&[7], &Rc::new(input(&[(4, 9), (5, 9), (6, 9)]))));
        assert_eq!(*archive.choose(&mut Random::from_key(1)), input(&[(3, 9)]));
    }

    #[test]
    fn inputs_with_rare_features_are_chosen_more_often() {
        let mut archive = Archive::default();
        let [common, rare] = [1, 2].map(|value| Rc::new(input(&[(value, 9)])));
        for _ in 0..100 {
            archive.add(&[1], &common);
        }
        archive.add(&[2], &rare);
        let mut random = Random::from_key(1);
        let chosen = (0..50).filter(|_| archive.choose(&mut random) == rare).count();
        assert!(chosen > 40, "{chosen} of 50");
    }

    #[test]
    fn a_shape_has_equal_numbers_and_a_pattern_their_order() {
        let pair = |a: i64, b: i64| input(&[(a.encode(), u64::MAX), (b.encode(), u64::MAX)]);
        assert_eq!(shape(&pair(3, 5)), shape(&pair(30, -1)));
        assert_ne!(shape(&pair(3, 5)), shape(&pair(3, 3)));
        assert_ne!(pattern(&pair(3, 5).items), pattern(&pair(30, -1).items));
        assert_eq!(pattern(&pair(-3, 5).items), pattern(&pair(1, 2).items));
    }

    #[test]
    fn constructors_that_meet_in_another_way_are_another_feature() {
        let span = |label, start, end| Span { label, start, end };
        let nested =
            |outer, inner| Sequence { spans: vec![span(1, 0, 2), span(2, 1, 2)], ..input(&[(outer, 3), (inner, 3)]) };
        let meetings = |input: &Sequence| {
            let mut met = Vec::new();
            meetings(input, &mut met);
            met
        };
        assert_eq!(meetings(&nested(0, 1)).len(), 4);
        assert_ne!(meetings(&nested(0, 1)), meetings(&nested(1, 1)));
        assert_eq!(meetings(&nested(0, 1))[1], meetings(&nested(1, 1))[1], "the inner one alone");
    }
}
