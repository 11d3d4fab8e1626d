//! What is left of an input when its numbers are not looked at, only how they relate.
//!
//! Most programs compare the numbers that they are given and do the same for all that compare alike. Two inputs with the same
//! constructors, in which the same numbers are equal, are therefore likely to be as good as one.

use super::interactions::FEW;
use crate::choice::{Choice, Item, Sequence, form};
use crate::generate::Coded;

/// The shape of an input: its constructors, and which of its numbers are equal; as a hash.
///
/// Told apart are, say, a tree and a key that is in it, a tree and a key that is not, and trees of other forms.
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

/// As the shape, with the order of numbers. Where a number is one of very many, nearly every order would be a new one, so that
/// there only equality counts.
pub(super) fn pattern(input: &Sequence) -> u64 {
    /// A range of more numbers than this is a wide one.
    const NARROW: u64 = 1 << 16;
    let mut sorted = Vec::new();
    for item in &input.items {
        if let Item::Choice(choice) = *item
            && choice.max < NARROW
            && choice.max > FEW
        {
            sorted.push(key(choice));
        }
    }
    sorted.sort_unstable();
    sorted.dedup();
    let mut wide = Vec::new();
    form(&input.items, FEW, |number| match sorted.binary_search(&key(number)) {
        Ok(rank) => Some(rank as u64),
        Err(_) => Some(first_place(&mut wide, number)),
    })
}

/// The order of a number among those of its kind. Numbers around zero alternate between signs in their codes.
fn key(number: Choice) -> (u64, i64) {
    (number.max, i64::decode(number.value))
}

/// The place at which an equal number came first.
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
    fn constructors_are_told_apart_by_value() {
        assert_ne!(shape(&input(&[(0, 3)])), shape(&input(&[(1, 3)])));
        // Where no size is left, fewer constructors are possible; it is the same one all the same.
        assert_eq!(shape(&input(&[(0, 3)])), shape(&input(&[(0, 0)])));
    }
}
