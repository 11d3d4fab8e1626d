//! The shape of an input: its structure, with numbers reduced to the relations between them.
//!
//! Most programs only compare the numbers in their input, and behave in the same way if the comparisons have the same
//! outcome. Two inputs with the same constructors and the same equalities between numbers are therefore likely
//! equivalent.

use super::interactions::FEW;
use crate::choice::{Choice, Item, Sequence, form};
use crate::generate::Coded;
use crate::sort::sort_numbers;

/// Returns the shape of an input: its constructors, and which of its numbers are equal; as a hash.
///
/// It distinguishes, for example, a tree and a key that it contains from a tree and a key that it does not contain, and
/// trees of different forms.
///
/// ```
/// use forall::guide::shape;
/// use forall::prelude::*;
/// use forall::run::Tester;
/// let property = property! { forall xs in vec(0..1000u32).len(2); check xs.len() == 2 };
/// let tester = Tester::new("pairs", &property, 7);
/// let shapes: std::collections::HashSet<u64> = (0..100).map(|index| shape(&tester.choices(index, 50))).collect();
/// assert_eq!(shapes.len(), 2, "equal or not");
/// ```
#[doc(hidden)]
pub fn shape(input: &Sequence) -> u64 {
    let mut numbers = Vec::new();
    form(&input.items, FEW, |number| Some(first_place(&mut numbers, number)))
}

/// Ranges larger than this count as wide.
const NARROW: u64 = 1 << 16;

/// As the shape, with the order of numbers. For numbers from wide ranges nearly every order would be new, so only
/// equality counts there.
pub(super) fn pattern(input: &Sequence) -> u64 {
    let mut sorted = Vec::new();
    for item in &input.items {
        if let Item::Choice(choice) = *item
            && choice.max < NARROW
            && choice.max > FEW
        {
            sorted.push(key(choice));
        }
    }
    sort_numbers(&mut sorted);
    sorted.dedup();
    let mut wide = Vec::new();
    form(&input.items, FEW, |number| {
        if number.max < NARROW {
            return Some(sorted.partition_point(|other| *other < key(number)) as u64);
        }
        Some(first_place(&mut wide, number))
    })
}

/// The order of a narrow number: by its range, and among those of its kind. Codes of signed numbers alternate around zero.
fn key(number: Choice) -> u64 {
    number.max * 2 * NARROW + NARROW.wrapping_add_signed(i64::decode(number.value))
}

/// The position of the first equal number.
fn first_place(numbers: &mut Vec<Choice>, number: Choice) -> u64 {
    let place = numbers.iter().position(|other| *other == number).unwrap_or_else(|| {
        numbers.push(number);
        numbers.len() - 1
    });
    place as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(values: &[(u64, u64)]) -> Sequence {
        let items = values.iter().map(|&(value, max)| Item::Choice(Choice { value, max })).collect();
        Sequence { items, ..Sequence::default() }
    }

    #[test]
    fn a_shape_sees_equal_numbers_and_no_order() {
        let of = |a, b| shape(&input(&[(a, 40), (b, 40)]));
        assert_eq!(of(3, 5), of(30, 1));
        assert_ne!(of(3, 5), of(3, 3));
    }

    #[test]
    fn a_pattern_sees_the_order_of_numbers_in_a_narrow_range() {
        let of = |a: i64, b: i64, max| pattern(&input(&[(a.encode(), max), (b.encode(), max)]));
        assert_eq!(of(-3, 5, 40), of(1, 2, 40));
        assert_ne!(of(-3, 5, 40), of(5, -3, 40));
        assert_eq!(of(-3, 5, u64::MAX), of(5, -3, u64::MAX));
        assert_ne!(of(5, 5, u64::MAX), of(5, -3, u64::MAX));
    }

    #[test]
    fn constructors_are_distinguished_by_value() {
        assert_ne!(shape(&input(&[(0, 3)])), shape(&input(&[(1, 3)])));
        // When the size is used up, fewer constructors are possible; it is nevertheless the same one.
        assert_eq!(shape(&input(&[(0, 3)])), shape(&input(&[(0, 0)])));
    }
}
