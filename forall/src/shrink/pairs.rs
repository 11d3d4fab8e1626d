//! Two numbers that keep their difference, their sum, or their product.
//!
//! Where a bug needs `a - b == 1`, neither can be lowered alone; where it needs `a + b > 1000`, lowering one means
//! raising the other, and the first should be as small as possible. A single step is tried first; only if it succeeds
//! is it determined how far to go. Floats from ranges are changed by their numeric value, in `floats.rs`. If nothing else helps, a
//! number that occurs several times is lowered everywhere while another is raised, as an amount that is also an id, and two numbers
//! keep their exclusive or, as in checksums, their product or quotient, or one is halved while the other, which counts bits, changes
//! by one, as an address and the length of a prefix. Numbers that are far from each other keep their sum. Not covered: other
//! relations of numbers far from each other in the input, and more than two different numbers at once, as where an earlier
//! number is the end of a later one's range and the sum of the later ones matters.

use super::fold::{decode, encode};
use super::lower::{MAX_KIND, bits};
use super::search::Search;
use super::{edit, floats};
use crate::choice::{Choice, Item};

/// Numbers with more numbers than this between them are not looked at together.
const REACH: usize = 4;

/// Up to this value, all of a number is moved to the other even if a part of it could not be.
const SMALL: u64 = 2;

/// The codes of 1 and -1 are no larger than this.
const NEAR_ZERO: u64 = 2;

/// The remaining pairs are skipped after this many runs without an improvement: among thousands of numbers, a few pairs
/// show whether there is anything to gain.
const IN_VAIN: u64 = 512;

/// Calls `act` for pairs of numbers that are near each other, with their places.
fn for_each_pair(search: &mut Search<'_>, act: fn(&mut Search<'_>, usize, usize)) {
    let mut first = 0;
    let mut last = (search.accepted(), search.evaluations());
    while first < search.structure().numbers.len() {
        if search.accepted() > last.0 {
            last = (search.accepted(), search.evaluations());
        }
        if search.evaluations() - last.1 > IN_VAIN {
            return;
        }
        for second in first + 1..=first + REACH {
            let structure = search.structure();
            if let (Some(&a), Some(&b)) = (structure.numbers.get(first), structure.numbers.get(second)) {
                act(search, a, b);
            }
        }
        first += 1;
    }
}

/// Lowers two numbers by the same amount. Signed numbers are changed by their numeric value where their codes do not
/// reflect it: numbers with different signs, and numbers near 0, because 0 is one code step from 1 but not from -1.
pub(super) fn differences(search: &mut Search<'_>) {
    for_each_pair(search, |search, a, b| {
        if floats::differences(search, a, b) {
            return;
        }
        let (x, y) = (search.value(a), search.value(b));
        if is_negative(x) != is_negative(y) && to_zero(search, a, b) {
            return;
        }
        let least = x.min(y);
        if x == y || least == 0 {
            // Of two neighbours, the second may take the value of the first, with the opposite sign.
            if y == 0
                && search.max(a) == search.max(b)
                && search.structure().numbers_in(&(a + 1..b)).is_empty()
                && to_zero(search, a, b)
            {
                far(search, b);
            }
            return;
        }
        let attempt =
            |search: &mut Search<'_>, low: u64| search.consider_values(&[(a, x - least + low), (b, y - least + low)]);
        let stepped = attempt(search, least - 1) || least > 1 && attempt(search, least - 2);
        if !stepped && least <= NEAR_ZERO {
            to_zero(search, a, b);
        }
        if !stepped || attempt(search, 0) {
            return;
        }
        let least = x.min(y).min(search.value(a).min(search.value(b)));
        let sign = least & 1;
        let half = bits(search, least >> 1, &mut |search, half| attempt(search, half << 1 | sign));
        if half > 0 || sign > 0 {
            attempt(search, (half << 1 | sign) - 1);
        }
        to_zero(search, a, b);
    });
}

/// Inputs with fewer numbers need only a few steps from one neighbour to the next.
const MANY: usize = 64;

/// Swaps a number with a zero as far after it as possible: one neighbour at a time, a long input would take as many
/// runs as it has numbers.
fn far(search: &mut Search<'_>, place: usize) {
    let (structure, max) = (search.structure(), search.max(place));
    let later = structure.numbers_in(&(place..search.items().len()));
    if later.len() < MANY {
        return;
    }
    let (mut at, mut step) = (0, later.len() / 2);
    while step > 0 {
        let moved = at + step;
        let is_zero = matches!(later.get(moved), Some(&to) if search.value(to) == 0 && search.max(to) == max);
        if is_zero && search.consider_values(&[(later[at], 0), (later[moved], search.value(later[at]))]) {
            at = moved;
        } else {
            step /= 2;
        }
    }
}

/// Moves two numbers as signed ones, the first to 0.
fn to_zero(search: &mut Search<'_>, a: usize, b: usize) -> bool {
    let (x, y) = (search.value(a), search.value(b));
    x > 0 && matches!(difference(x, y), Some(apart) if search.consider_values(&[(a, 0), (b, apart)]))
}

/// Whether the code is that of a negative number, if the type is signed: signed numbers are encoded as 0, 1, -1, 2, -2,
/// …
fn is_negative(code: u64) -> bool {
    code > 0 && code.is_multiple_of(2)
}

/// The code of the difference between two signed numbers, given by their codes: what the second is when the first is moved to 0.
fn difference(first: u64, second: u64) -> Option<u64> {
    let signed = |code: u64| if is_negative(code) { -i128::from(code / 2) } else { i128::from(code.div_ceil(2)) };
    let apart = signed(second) - signed(first);
    u64::try_from(if apart > 0 { 2 * apart - 1 } else { -2 * apart }).ok()
}

/// Lowers the first of two numbers and raises the second by as much, at most to its maximum.
pub(super) fn sums(search: &mut Search<'_>) {
    for_each_pair(search, |search, a, b| {
        if floats::sums(search, a, b) {
            return;
        }
        let (x, y) = (search.value(a), search.value(b));
        let max = search.max(b);
        // Two full words next to each other may form one number, in which the first is the high word.
        let wide = b == a + 1 && max == u64::MAX && search.max(a) == max;
        if x == 0 || y == max || y == 0 && x <= SMALL && !wide {
            return;
        }
        // The maximum may depend on the first number: excess is clamped.
        let lower_and_raise = |search: &mut Search<'_>, low: u64, high: u64| {
            let items = edit::with_values(search.items(), &[(a, low)]);
            items.is_some_and(|mut items| {
                // An accepted candidate in between may have shortened the input.
                let Some(item) = items.get_mut(b) else { return false };
                *item = Item::Choice(Choice { value: high, max: u64::MAX });
                search.consider(items)
            })
        };
        // A full word may be the low word of a signed two-word number, whose last bit is the sign.
        let most = |search: &mut Search<'_>, low: u64| {
            lower_and_raise(search, low, u64::MAX) || max == u64::MAX && lower_and_raise(search, low, u64::MAX - 1)
        };
        let raise = |search: &mut Search<'_>, low: u64, by: u64| lower_and_raise(search, low, y.saturating_add(by));
        let attempt = |search: &mut Search<'_>, low: u64| raise(search, low, x - low);
        // A number that can be lowered alone needs no partner; usually it is known that it cannot.
        if search.consider_values(&[(a, x - 1)]) {
            return;
        }
        let stepped = y > 0 && (attempt(search, x - 1) || x > 1 && attempt(search, x - 2));
        if !stepped && most(search, x - 1) {
            // Not an exact sum, but a larger second number helps: other passes lower it again.
            bits(search, x - 1, &mut |search, low| most(search, low));
            return;
        }
        if y == 0 {
            return;
        }
        // As much as there is room for, and more if the room has grown.
        let room = x.saturating_sub(max - y);
        if stepped && room > 0 && attempt(search, room) && search.max(b) <= max {
            return;
        }
        // All of it; for two positive signed numbers this is one more, because of the order 0, 1, -1, 2, -2, …
        let moved = (stepped || x <= SMALL) && (attempt(search, 0) || raise(search, 0, x.saturating_add(1)));
        if stepped && !moved {
            let now = search.value(a);
            let sign = now & 1;
            bits(search, now >> 1, &mut |search, half| attempt(search, half << 1 | sign));
        }
    });
}

/// The most numbers, and the most evaluations, for numbers that occur several times and for exclusive ors.
const MAX_NUMBERS: usize = 32;
const MAX_RARE: u64 = 100;

/// Lowers a number wherever it occurs, and raises another number by as much.
pub(super) fn repeated(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RARE));
    for (at, &place) in structure.numbers.iter().take(MAX_NUMBERS).enumerate() {
        let (value, max) = (search.value(place), search.max(place));
        let is_equal = |&&other: &&usize| search.value(other) == value && search.max(other) == max;
        let equal: Vec<usize> = structure.numbers.iter().filter(is_equal).copied().collect();
        if value == 0 || equal.len() < 2 || structure.numbers[..at].iter().any(|earlier| equal.contains(earlier)) {
            continue;
        }
        for &other in structure.numbers.iter().take(MAX_NUMBERS).filter(|other| !equal.contains(other)) {
            let (before, room) = (search.value(other), search.max(other) - search.value(other));
            let mut lower = |search: &mut Search<'_>, low: u64| {
                let mut changes = vec![(other, before.saturating_add(value - low))];
                changes.extend(equal.iter().map(|&place| (place, low)));
                search.spent() < end && search.consider_values(&changes)
            };
            // Two steps, since a single one of a signed number changes its sign.
            if before > 0 && (lower(search, value - 1) || value > 1 && lower(search, value - 2)) {
                let least = value.saturating_sub(room);
                if !lower(search, least) {
                    let now = search.value(place);
                    bits(search, now, &mut lower);
                }
                return;
            }
        }
    }
}

/// Lowers a number and changes the same bits of another one.
pub(super) fn exclusive(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RARE));
    let numbers = &structure.numbers[..structure.numbers.len().min(MAX_NUMBERS)];
    for (at, &place) in numbers.iter().enumerate() {
        let value = search.value(place);
        let bits = value.checked_ilog2().unwrap_or(0);
        for &other in numbers[at + 1..].iter().take(REACH) {
            if search.max(place) != search.max(other) || search.max(place) <= MAX_KIND {
                continue;
            }
            for low in [0, 1].into_iter().chain((0..bits).rev().map(|bit| value & ((1 << bit) - 1))) {
                let changed = search.value(other) ^ value ^ low;
                if search.spent() >= end || low < value && search.consider_values(&[(place, low), (other, changed)]) {
                    return;
                }
            }
        }
    }
}

/// The largest number that is divided by, and how many small numbers are tried in the place of a factor.
const MAX_FACTOR: i128 = 64;
const SMALL_FACTORS: i128 = 8;

/// Lowers a number and raises another one so that their product stays the same, or a multiple; or divides both by a number.
pub(super) fn products(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RARE));
    let numbers = &structure.numbers[..structure.numbers.len().min(MAX_NUMBERS)];
    for (at, &a) in numbers.iter().enumerate() {
        for &b in &numbers[at + 1..] {
            let ((x, most_x), (y, most_y)) = ((search.value(a), search.max(a)), (search.value(b), search.max(b)));
            if most_x <= MAX_KIND || most_y <= MAX_KIND {
                continue;
            }
            // A range may begin at 0 or at 1, or be one of signed numbers.
            for (least_x, least_y, signed) in [(0, 0, false), (1, 1, false), (0, 0, true), (0, 1, false), (1, 0, false)]
            {
                let (left, right) = (decode(x, signed) + least_x, decode(y, signed) + least_y);
                let Some(product) = left.checked_mul(right).filter(|product| *product != 0) else { continue };
                let exact = (1..left.min(MAX_FACTOR)).filter(|by| product % by == 0).map(|by| (by, product / by));
                let multiples = (1..left.min(SMALL_FACTORS)).map(|by| (by, product));
                let quotients = (2..=left.min(MAX_FACTOR)).filter(|by| left % by == 0 && right % by == 0);
                for (low, high) in exact.chain(multiples).chain(quotients.map(|by| (left / by, right / by))) {
                    let changed = (encode(low - least_x, most_x, signed), encode(high - least_y, most_y, signed));
                    let (Some(low), Some(high)) = changed else { continue };
                    if search.spent() >= end || search.consider_values(&[(a, low), (b, high)]) {
                        return;
                    }
                }
            }
        }
    }
}

/// Halves or doubles a number, or all of its kind, and moves another one by one: a number of bits, or an exponent.
pub(super) fn shifted(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RARE));
    let numbers = &structure.numbers[..structure.numbers.len().min(MAX_NUMBERS)];
    for &place in numbers {
        let (value, max) = (search.value(place), search.max(place));
        if value < 2 || max <= MAX_KIND {
            continue;
        }
        let alike: Vec<usize> = numbers.iter().copied().filter(|&other| search.max(other) == max).collect();
        for scaled in [std::slice::from_ref(&place), &alike] {
            for &other in numbers.iter().filter(|other| !scaled.contains(other)) {
                let bits = search.value(other);
                for moved in [bits.checked_add(1), bits.checked_sub(1)].into_iter().flatten() {
                    // The last bit may be the one that counts.
                    let halves: fn(u64) -> u64 = |value| value >> 1;
                    let and_last_bit: fn(u64) -> u64 = |value| value >> 1 | value & 1;
                    for by in [halves, and_last_bit, |value| value.saturating_mul(2)] {
                        let mut changes: Vec<(usize, u64)> =
                            scaled.iter().map(|&place| (place, by(search.value(place)))).collect();
                        changes.push((other, moved));
                        if search.spent() >= end || search.consider_values(&changes) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// Lowers a number and raises a later one that is far from it: by as much, by one, or to its maximum.
pub(super) fn far_sums(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RARE));
    let numbers = &structure.numbers[..structure.numbers.len().min(MAX_NUMBERS)];
    for (at, &place) in numbers.iter().enumerate() {
        let (value, max) = (search.value(place), search.max(place));
        for &other in numbers.iter().skip(at + 1 + REACH).filter(|_| value > 0 && max > MAX_KIND) {
            let (before, most) = (search.value(other), search.max(other));
            // Two steps, since a single one of a signed number changes its sign.
            for low in [0, value - 1, value.saturating_sub(2)] {
                for more in [value - low, 1, most - before] {
                    let raised = before.saturating_add(more);
                    if search.spent() >= end || more > 0 && search.consider_values(&[(place, low), (other, raised)]) {
                        return;
                    }
                }
            }
        }
    }
}
