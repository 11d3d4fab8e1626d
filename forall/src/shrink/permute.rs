//! A permutation with fewer inversions.
//!
//! A permutation is drawn as numbers with decreasing maxima: each selects one of the remaining elements. The meaning of
//! a number depends on all numbers before it, so lowering one moves unrelated elements, and the result depends on the
//! starting point. This pass decodes the permutation, exchanges two elements that are out of order, or moves one of
//! them to the place of the other, and encodes the result. It knows two encodings: removing elements from a list, as
//! `shuffle` does, and swapping them, as hand-written shuffles do. Not covered: long permutations, and other codes.

use super::search::Search;

/// Longer permutations are left alone: each element is compared with each.
const MAX_LENGTH: usize = 16;

pub(super) fn permute(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().numbers.len() {
        let structure = search.structure();
        let places = counting_down(search, &structure.numbers[at..]);
        at += places.len().max(1);
        if (2..MAX_LENGTH).contains(&places.len()) {
            while improve(search, places) {}
        }
    }
}

/// The numbers from the first on whose maxima decrease to 1.
fn counting_down<'n>(search: &Search<'_>, numbers: &'n [usize]) -> &'n [usize] {
    let Some(&first) = numbers.first() else { return &[] };
    let length = usize::try_from(search.max(first)).unwrap_or(usize::MAX);
    let Some(places) = numbers.get(..length) else { return &[] };
    for (number, &place) in places.iter().enumerate() {
        if search.max(place) != (length - number) as u64 {
            return &[];
        }
    }
    places
}

/// How a permutation is drawn: the selected element is swapped with the next one, or removed from the list.
#[derive(Clone, Copy, PartialEq)]
enum Drawn {
    Swapped,
    Taken,
}

/// Looks for a permutation that is simpler.
fn improve(search: &mut Search<'_>, places: &[usize]) -> bool {
    for &drawn in &[Drawn::Taken, Drawn::Swapped] {
        let mut codes = Vec::with_capacity(places.len());
        for &place in places {
            codes.push(search.value(place) as usize);
        }
        let order = decode(&codes, drawn);
        for apart in 1..order.len() {
            for first in 0..order.len() - apart {
                let second = first + apart;
                if order[first] < order[second] {
                    continue;
                }
                let (mut swapped, mut moved, mut moved_back) = (order.clone(), order.clone(), order.clone());
                swapped.swap(first, second);
                moved[first..=second].rotate_left(1);
                moved_back[first..=second].rotate_right(1);
                for other in &[swapped, moved, moved_back] {
                    if propose(search, places, &encode(other, drawn)) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

fn propose(search: &mut Search<'_>, places: &[usize], codes: &[usize]) -> bool {
    let mut changes = Vec::with_capacity(places.len());
    for (number, &place) in places.iter().enumerate() {
        changes.push((place, codes[number] as u64));
    }
    search.consider_values(&changes)
}

/// Brings the element at a place to the front of those that are left.
fn choose(left: &mut [usize], chosen: usize, drawn: Drawn) {
    if drawn == Drawn::Swapped {
        left.swap(0, chosen);
    } else {
        left[..=chosen].rotate_right(1);
    }
}

/// The order that is drawn with these numbers.
fn decode(codes: &[usize], drawn: Drawn) -> Vec<usize> {
    let mut order: Vec<usize> = (0..=codes.len()).collect();
    for (at, &code) in codes.iter().enumerate() {
        choose(&mut order[at..], code, drawn);
    }
    order
}

/// The numbers with which an order is drawn.
fn encode(order: &[usize], drawn: Drawn) -> Vec<usize> {
    let mut left: Vec<usize> = (0..order.len()).collect();
    let mut codes = Vec::with_capacity(order.len());
    for at in 0..order.len() - 1 {
        let mut code = 0;
        while left[at + code] != order[at] {
            code += 1;
        }
        choose(&mut left[at..], code, drawn);
        codes.push(code);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_and_decoding_keeps_the_order() {
        for drawn in [Drawn::Swapped, Drawn::Taken] {
            for code in 0..24 {
                let codes = [code / 6, code / 2 % 3, code % 2];
                assert_eq!(encode(&decode(&codes, drawn), drawn), codes);
            }
        }
        assert_eq!(decode(&[2, 0], Drawn::Swapped), [2, 1, 0]);
        assert_eq!(decode(&[2, 0], Drawn::Taken), [2, 0, 1]);
    }
}
