//! Replaces all elements by one with their sum, or two neighbours by one.
//!
//! If a bug needs a particular sum and not just a large one, because it wraps around or must stay within limits, hardly
//! any element can be removed, and lowering one requires raising another. So all numbers are summed at once: as
//! unsigned codes, and as signed numbers, which alternate between positive and negative in the order of simplicity.
//! Sums that are too large for the type wrap around. Floats of ranges are added up as floats. Then pairs of neighbours
//! are summed. If nothing else helps, an element or iteration of any numbers is removed, and one of its numbers is given to another
//! of that kind, as a sum or an exclusive or, or what refers to it by value refers to another one. Not covered: sums of other subsets.

use super::edit;
use super::elements::for_each_group;
use super::lower::MAX_KIND;
use super::random;
use super::search::Search;
use super::structure::{Group, Structure};
use crate::choice::Item;
use crate::generate::{float_code, is_ranged_float, ranged_float};
use std::ops::Range;

/// Fewer elements are left to the passes that try each element.
const LEAST: usize = 4;
/// In collections with fewer elements no neighbours are added up.
const MIN_WITH_NEIGHBOURS: usize = 3;
/// The rest is skipped after this many failed attempts.
const MAX_MISSES: usize = 24;

pub(super) fn fold(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        for &signed in &[false, true] {
            let structure = search.structure();
            let Some(group) = structure.open_group(key) else { return };
            let count = group.elements.len();
            if count >= LEAST {
                let candidate = folded(&structure, search.items(), group, 0..count, signed);
                search.consider_some(candidate);
            }
        }
    });
}

/// Two neighbours as one.
pub(super) fn neighbours(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        let mut first = 0;
        loop {
            let mut gained = false;
            for &signed in &[true, false] {
                let structure = search.structure();
                let Some(group) = structure.open_group(key) else { return };
                let count = group.elements.len();
                if count < MIN_WITH_NEIGHBOURS || first + 1 >= count || first > MAX_MISSES {
                    return;
                }
                let candidate = folded(&structure, search.items(), group, first..first + 2, signed);
                gained = gained || search.consider_some(candidate);
            }
            first += usize::from(!gained);
        }
    });
}

/// The most evaluations, and the most candidates, where an element's number is given to another.
const MAX_GIVEN: u64 = 150;
const MAX_CANDIDATES: u32 = 2000;

/// Removes an element or an iteration, and gives one of its numbers to another number: added, as an exclusive or, or by letting the
/// numbers that are equal to it be equal to the other one.
pub(super) fn given(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_GIVEN));
    let mut left = MAX_CANDIDATES;
    for list in random::lists(search) {
        for (at, element) in list.elements.iter().enumerate() {
            for &place in structure.numbers_in(element) {
                let (value, max) = (search.value(place), search.max(place));
                let is_other = |other: &&usize| !element.contains(other) && search.max(**other) == max;
                let others: Vec<usize> = structure.numbers.iter().filter(is_other).copied().collect();
                for &other in others.iter().filter(|_| max > MAX_KIND) {
                    let taken = search.value(other);
                    let mut refer = Vec::new();
                    for &place in others.iter().filter(|&&place| taken != value && search.value(place) == value) {
                        refer.push((place, taken));
                    }
                    for changes in [refer, vec![(other, taken ^ value)], vec![(other, taken.saturating_add(value))]] {
                        if left == 0 || search.spent() >= end {
                            return;
                        }
                        left -= 1;
                        let given = edit::with_values(search.items(), &changes).filter(|_| !changes.is_empty());
                        if search.consider_some(given.and_then(|items| list.without(&items, &mut |gone| gone == at))) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// The items with only the last of some elements of a group, holding the sum of their numbers; `None` unless each has
/// exactly one number of the same kind.
fn folded(
    structure: &Structure,
    items: &[Item],
    group: &Group,
    positions: Range<usize>,
    signed: bool,
) -> Option<Vec<Item>> {
    let elements = &group.elements[positions.clone()];
    let &[target] = structure.numbers_in(elements.last()?) else { return None };
    // Choices of a variant are not amounts.
    let max = edit::max(&items[target]);
    if max <= MAX_KIND {
        return None;
    }
    let (mut sum, mut float_sum, mut is_zero) = (0, 0.0, true);
    for element in elements {
        let &[place] = structure.numbers_in(element) else { return None };
        if edit::max(&items[place]) != max {
            return None;
        }
        let value = edit::value(&items[place]);
        is_zero = is_zero && value == 0;
        sum += decode(value, signed);
        float_sum += ranged_float(value, max).unwrap_or(0.0);
    }
    // Zeros are removed by other passes, many at a time and in all collections at once.
    if is_zero {
        return None;
    }
    let sum = if is_ranged_float(max) { float_code(max, float_sum)? } else { encode(sum, max, signed)? };
    let raised = edit::with_values(items, &[(target, sum)])?;
    group.without(&raised, positions.start..positions.end - 1)
}

/// The number that a choice encodes: signed numbers are ordered 0, 1, -1, 2, -2, …
pub(super) fn decode(code: u64, signed: bool) -> i128 {
    let code = i128::from(code);
    match (signed, code % 2) {
        (false, _) => code,
        (true, 0) => -code / 2,
        (true, _) => (code + 1) / 2,
    }
}

/// The choice for a number; wraps around if the choices cover all values of a type.
pub(super) fn encode(number: i128, max: u64, signed: bool) -> Option<u64> {
    let values = i128::from(max) + 1;
    let number = if values.count_ones() == 1 { number.rem_euclid(values) } else { number };
    let code = match number {
        _ if !signed => number,
        // Wrapped around, the upper half is negative.
        _ if values.count_ones() == 1 && number > values / 2 => 2 * (values - number),
        _ if number > 0 => 2 * number - 1,
        _ => -2 * number,
    };
    u64::try_from(code).ok().filter(|code| *code <= max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Coded;

    #[test]
    fn signed_sums_wrap_like_the_type() {
        for (a, b) in [(1i16, 2i16), (-5, 3), (-32768, -1), (32767, 1), (20000, 20000), (-4, 4), (-32768, -32768)] {
            let sum = decode(a.encode().into(), true) + decode(b.encode().into(), true);
            assert_eq!(encode(sum, u16::MAX.into(), true), Some(a.wrapping_add(b).encode().into()), "{a} + {b}");
        }
    }

    #[test]
    fn sums_beyond_a_range_are_not_proposed() {
        assert_eq!(encode(decode(900, false) + decode(99, false), 999, false), Some(999));
        assert_eq!(encode(decode(900, false) + decode(100, false), 999, false), None);
    }
}
