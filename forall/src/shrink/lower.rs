//! Smaller numbers.
//!
//! A choice is lowered to 0, then to the few smallest values one by one, since small choices often select a variant,
//! and then as a quantity: first by its bit length, then bit by bit, which takes at most as many runs as the number has
//! bits. Signed numbers alternate between positive and negative in the order of simplicity, so quantities are searched
//! in steps of two, and the other sign is tried separately. The probed values depend on where the search ends, not on
//! where it starts: when it is repeated to confirm that nothing can be lowered, the outcomes are already known.
//!
//! A large number that can be neither 0 nor one less is *tight*: it is probably constrained by another number, and is
//! left to other passes until these make no progress; only then is it searched in full. Fractions are rounded first
//! (`floats.rs`). Not covered: numbers that depend on each other. Equal ones are lowered together here, when nothing else helps also two
//! or three of several, which was missed where alternatives are equal to them; see `pairs.rs` for others.

use super::floats::{Digits, is_fraction};
use super::search::Search;
use super::structure::Structure;
use super::{edit, floats, simplify};
use crate::generate::{Coded, is_ranged_float, simplest_wide, stand_ins};

/// The number of smallest values that are tried one by one.
pub(super) const KINDS: u64 = 5;
/// Choices with at most this maximum are considered variants.
pub(super) const MAX_KIND: u64 = 15;

/// Divisors are tried for numbers from this value on, in inputs with at most this many numbers.
const LARGE: u64 = 32;
const FEW: usize = 4;

/// The extent of the search for a smaller number.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// Only 0 and the predecessor.
    Least,
    /// Tight numbers are left alone.
    Quick,
    Full,
}

/// Lowers each number, from left to right: earlier numbers weigh more.
pub(super) fn each(search: &mut Search<'_>) {
    lower_each(search, Effort::Quick);
}

/// The same for tight numbers.
pub(super) fn tight(search: &mut Search<'_>) {
    lower_each(search, Effort::Full);
}

/// The number of values that are tried for all numbers once one was lowered to them.
const SPREAD: usize = 4;

/// After this many equal numbers in a row that could not be lowered, the next ones are probably the same: a search for
/// each would use up all evaluations where there are a thousand.
const ALIKE: u32 = 32;

fn lower_each(search: &mut Search<'_>, effort: Effort) {
    let (mut at, mut spread) = (0, Vec::new());
    // The last number that could not be lowered, and how many equal ones followed it.
    let (mut stuck, mut times) = ((0, 0), 0);
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let (before, accepted) = (search.value(place), search.accepted());
        let number = (before, search.max(place));
        lower(search, &[place], if number == stuck && times >= ALIKE { Effort::Least } else { effort });
        if search.accepted() > accepted {
            times = 0;
        } else if before > 0 {
            times = if number == stuck { times + 1 } else { 1 };
            stuck = number;
        }
        let lowered = (search.value(place), search.max(place));
        if (1..before).contains(&lowered.0) && spread.len() < SPREAD && !spread.contains(&lowered) {
            spread.push(lowered);
            simplify::others_to(search, lowered.0, lowered.1);
        }
    }
}

/// Lowers numbers that are equal together, the largest first: those in the same role, then those with the same maximum,
/// then all equal ones. A key 1, a value 1, a flag `true` and an alternative 1 are the same choice, but usually only
/// the keys must be equal.
pub(super) fn equal(search: &mut Search<'_>) {
    lower_equal(search, |value, max, role| (value, max, role));
    lower_equal(search, |value, max, _| (value, max, 0));
    lower_equal(search, |value, _, _| (value, 0, 0));
}

/// Lowers numbers with the same key together; the key is computed from value (first), maximum and role.
fn lower_equal(search: &mut Search<'_>, key: fn(u64, u64, usize) -> (u64, u64, usize)) {
    let mut below = (u64::MAX, u64::MAX, usize::MAX);
    loop {
        // Each round scans all numbers, and there may be as many distinct values.
        search.stop_at_the_limits();
        let structure = search.structure();
        let items = search.items();
        let roles = roles(&structure, items.len());
        let (mut wanted, mut places) = ((0, u64::MAX, usize::MAX), Vec::new());
        for &place in &structure.numbers {
            let key = key(edit::value(&items[place]), edit::max(&items[place]), roles[place]);
            if wanted < key && key < below {
                wanted = key;
                places.clear();
            }
            if key == wanted {
                places.push(place);
            }
        }
        if wanted.0 == 0 {
            return;
        }
        below = wanted;
        let before = search.accepted();
        if places.len() > 1 {
            lower(search, &places, Effort::Quick);
        }
        // The first may be a count of the others that happens to be equal to them.
        if places.len() > 2 && search.accepted() == before {
            lower(search, &places[1..], Effort::Quick);
        }
    }
}

/// The fewest and the most equal numbers of which some are lowered, and the most evaluations.
const FEW_EQUAL: std::ops::RangeInclusive<usize> = 3..=8;
const MAX_SOME: u64 = 150;

/// Lowers two or three of several equal numbers together: others may be alternatives or counts that happen to be equal to them.
pub(super) fn some_equal(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_SOME));
    let mut seen: Vec<(u64, u64)> = Vec::new();
    for &place in &structure.numbers {
        let number = (search.value(place), search.max(place));
        if number.0 == 0 || seen.contains(&number) {
            continue;
        }
        seen.push(number);
        let is_equal = |&other: &usize| (search.value(other), search.max(other)) == number;
        let equal: Vec<usize> = structure.numbers.iter().copied().filter(is_equal).collect();
        if !FEW_EQUAL.contains(&equal.len()) {
            continue;
        }
        for some in 0_u32..1 << equal.len() {
            if !(2..=3).contains(&some.count_ones()) {
                continue;
            }
            let chosen = equal.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
            for lower in [0, number.0 - 1] {
                let changes: Vec<(usize, u64)> = chosen.clone().map(|(_, &place)| (place, lower)).collect();
                if search.spent() >= end || search.consider_values(&changes) {
                    return;
                }
            }
        }
    }
}

/// The role of each choice: its index within the innermost enclosing part.
fn roles(structure: &Structure, count: usize) -> Vec<usize> {
    let mut roles: Vec<usize> = (0..count).collect();
    // Inner parts come later.
    for part in &structure.spans {
        for (role, place) in part.range.clone().enumerate() {
            roles[place] = role;
        }
    }
    roles
}

/// Tries another value, and returns whether the case still fails.
pub(super) type Try<'t> = &'t mut dyn FnMut(&mut Search<'_>, u64) -> bool;

/// Lowers the equal numbers at `places` as far as possible.
fn lower(search: &mut Search<'_>, places: &[usize], effort: Effort) {
    let attempt: Try<'_> = &mut |search, value| {
        let mut changes = Vec::with_capacity(places.len());
        for &place in places {
            changes.push((place, value));
        }
        search.consider_values(&changes)
    };
    let (mut value, max) = (search.value(places[0]), search.max(places[0]));
    if value == 0 || attempt(search, 0) {
        return;
    }
    if effort == Effort::Least {
        if attempt(search, value - 1) {
            lower(search, places, Effort::Quick);
        }
        return;
    }
    // The bug may require a character of exactly this number of bytes.
    for &wide in &simplest_wide(value, max) {
        if attempt(search, wide) {
            value = wide;
            break;
        }
    }
    if is_fraction(search, places[0]) {
        floats::round(search, places[0], if effort == Effort::Full { Digits::All } else { Digits::Few }, attempt);
        value = search.value(places[0]);
        if value == 0 || is_fraction(search, places[0]) {
            return;
        }
    }
    if value > KINDS && max > MAX_KIND {
        let mut step = 1;
        while step <= 2 && !attempt(search, value - step) {
            step += 1;
        }
        let mut again = false;
        if step <= 2 {
            value = lowered(search, places[0], value - step);
            // Two steps, since a single one may just flip the sign.
            again = value >= step && attempt(search, value - step);
            value = if again { lowered(search, places[0], value - step) } else { value };
        }
        if !again && effort == Effort::Quick {
            return;
        }
    }
    for small in 1..value.min(if max > MAX_KIND { KINDS } else { MAX_KIND }) {
        if attempt(search, small) {
            return;
        }
    }
    if value > KINDS {
        let value = quantity(search, value, attempt);
        if effort == Effort::Full {
            holes(search, places, value, max, attempt);
        }
    }
}

/// The number after `value` was accepted for it: a float outside its range is clamped.
fn lowered(search: &Search<'_>, place: usize, value: u64) -> u64 {
    if is_ranged_float(search.max(place)) { search.value(place).min(value) } else { value }
}

/// Lowers a number that must keep some pattern: each bit is cleared individually, it is halved, a float is rounded, a
/// character is replaced by ones that programs often treat specially.
fn holes(search: &mut Search<'_>, places: &[usize], mut value: u64, max: u64, attempt: Try<'_>) {
    for bit in (1..u64::BITS).rev() {
        let cleared = value & !(1 << bit);
        if cleared < value && cleared > KINDS && attempt(search, cleared) {
            value = cleared;
        }
    }
    // As a signed number it keeps its sign if its half is odd as well.
    while value >> 1 > KINDS && (attempt(search, value >> 1) || attempt(search, value >> 1 | 1)) {
        value = search.value(places[0]);
    }
    let mut others = stand_ins(value, max);
    if let &[place] = places
        && others.is_empty()
        && search.structure().numbers.len() <= FEW
        && (LARGE..max).contains(&value)
        && !search.fails_with(&[(place, value + 1)])
    {
        others = divisors(value);
    }
    others.extend_from_slice(&rounded(value));
    for &other in &others {
        if other < value && attempt(search, other) {
            return;
        }
    }
}

/// The maximum number of divisors tried, smallest first, and the largest divisor.
const MAX_DIVISORS: usize = 200;
const MAX_DIVISOR: u64 = 1 << 14;

/// The divisors of a number, smallest first, as unsigned and as signed: two numbers that must leave the same remainder
/// still do if their difference is a divisor of the old one. This can take many runs, so it is not done for numbers
/// above which everything fails.
fn divisors(value: u64) -> Vec<u64> {
    let mut divisors = Vec::new();
    let half = value.div_ceil(2);
    for divisor in KINDS..MAX_DIVISOR.min(value) {
        if value.is_multiple_of(divisor) {
            divisors.push(divisor);
        }
        if value % 2 == 1 && half.is_multiple_of(divisor) {
            divisors.push(2 * divisor - 1);
        }
        if divisors.len() >= MAX_DIVISORS {
            break;
        }
    }
    divisors
}

/// If the choice is a non-integral float, or one so large that all are integers: the neighbouring integers, powers of
/// two, and its significand as an integer, since the effect of rounding does not depend on the exponent.
fn rounded(value: u64) -> Vec<u64> {
    let double = f64::decode(value);
    let single = u32::try_from(value).map_or(f64::NAN, |code| f64::from(f32::decode(code)));
    let near = |x: f64| {
        let (exponent, sign) = (x.abs().log2().floor(), x.signum());
        let power = |more: f64| sign * (exponent + more).exp2();
        [sign * digits(x), x.trunc(), x.round(), power(0.0), power(1.0), power(2.0)]
    };
    let rough = |x: f64, places: u32| x.is_finite() && (x.fract() != 0.0 || x.abs() >= f64::from(places).exp2());
    let mut codes = Vec::new();
    if rough(double, f64::MANTISSA_DIGITS) {
        for x in &near(double) {
            codes.push(x.encode());
        }
    }
    if rough(single, f32::MANTISSA_DIGITS) {
        for x in &near(single) {
            codes.push(u64::from((*x as f32).encode()));
        }
    }
    codes
}

/// The odd part of the significand of a float.
fn digits(x: f64) -> f64 {
    let (bits, places) = (x.to_bits(), f64::MANTISSA_DIGITS - 1);
    let mantissa = bits & ((1 << places) - 1) | 1 << places;
    (mantissa >> mantissa.trailing_zeros()) as f64
}

/// Lowers a number that is more than the smallest. Returns the new value.
fn quantity(search: &mut Search<'_>, mut value: u64, attempt: Try<'_>) -> u64 {
    // Closer to zero with the same sign, then with the other one; and again, in case the number has no sign.
    for _ in 0..4 {
        let sign = value & 1;
        let half = bits(search, value >> 1, &mut |search, half| attempt(search, half << 1 | sign));
        value = half << 1 | sign;
        if value <= KINDS || !attempt(search, value - 1) {
            break;
        }
        value -= 1;
    }
    value
}

/// The smallest accepted value, provided that all larger ones are accepted: the number of bits by bisection, then bit
/// by bit. 0 is assumed not to be accepted.
pub(super) fn bits(search: &mut Search<'_>, mut value: u64, attempt: Try<'_>) -> u64 {
    let (mut too_few, mut enough) = (0, u64::BITS);
    while enough - too_few > 1 {
        let middle = (too_few + enough) / 2;
        let probe = (1 << middle) - 1;
        if probe >= value || attempt(search, probe) {
            value = value.min(probe);
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    let mut known: u64 = 1 << too_few;
    for bit in (0..too_few).rev() {
        let probe = known + (1 << bit) - 1;
        if probe >= value || attempt(search, probe) {
            value = value.min(probe);
        } else {
            known += 1 << bit;
        }
    }
    value
}
