//! Properties of strsim: distances are those of plain recursive definitions, and similarities keep their bounds.

use std::cmp::min;

/// Returns a short string over three letters, so that strings share parts.
fn word(bytes: &[u8]) -> String {
    bytes.iter().take(5).map(|byte| char::from(b'a' + byte % 3)).collect()
}

/// Returns the number of edits between two strings; with `swaps`, swapping neighbours is one edit.
fn edits(a: &[char], b: &[char], swaps: bool) -> usize {
    let (Some((last, left)), Some((other, right))) = (a.split_last(), b.split_last()) else { return a.len() + b.len() };
    let mut best = edits(left, right, swaps) + usize::from(last != other);
    best = min(best, min(edits(left, b, swaps), edits(a, right, swaps)) + 1);
    if let ([start @ .., x, y], [begin @ .., v, w], true) = (a, b, swaps)
        && x == w
        && y == v
    {
        best = min(best, edits(start, begin, swaps) + 1);
    }
    best
}

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

crate::properties! {
    fn levenshtein_counts_edits(a: Vec<u8>, b: Vec<u8>) {
        let (a, b) = (word(&a), word(&b));
        assert_eq!(strsim::levenshtein(&a, &b), edits(&chars(&a), &chars(&b), false));
    }

    fn osa_counts_swaps_as_one_edit(a: Vec<u8>, b: Vec<u8>) {
        let (a, b) = (word(&a), word(&b));
        assert_eq!(strsim::osa_distance(&a, &b), edits(&chars(&a), &chars(&b), true));
    }

    fn damerau_levenshtein_is_between_its_bounds(a: String, b: String) {
        let distance = strsim::damerau_levenshtein(&a, &b);
        assert!(distance <= strsim::osa_distance(&a, &b) && strsim::osa_distance(&a, &b) <= strsim::levenshtein(&a, &b));
        assert!(distance >= a.chars().count().abs_diff(b.chars().count()));
        assert_eq!(distance == 0, a == b);
    }

    fn damerau_levenshtein_obeys_the_triangle_inequality(a: Vec<u8>, b: Vec<u8>, c: Vec<u8>) {
        let (a, b, c) = (word(&a), word(&b), word(&c));
        let of = strsim::damerau_levenshtein;
        assert!(of(&a, &c) <= of(&a, &b) + of(&b, &c));
        let own = |a: &str, b: &str| strsim::generic_damerau_levenshtein(&chars(a), &chars(b));
        assert_eq!(of(&a, &b), own(&a, &b));
    }

    fn distances_are_symmetric(a: String, b: String) {
        assert_eq!(strsim::levenshtein(&a, &b), strsim::levenshtein(&b, &a));
        assert_eq!(strsim::osa_distance(&a, &b), strsim::osa_distance(&b, &a));
        assert_eq!(strsim::damerau_levenshtein(&a, &b), strsim::damerau_levenshtein(&b, &a));
    }

    fn hamming_counts_different_positions(a: Vec<u8>, b: Vec<u8>) {
        let (a, b) = (word(&a), word(&b));
        let expected = a.chars().zip(b.chars()).filter(|(a, b)| a != b).count();
        assert_eq!(strsim::hamming(&a, &b).ok(), (a.len() == b.len()).then_some(expected));
    }

    fn normalized_distances_are_shares(a: String, b: String) {
        let longest = a.chars().count().max(b.chars().count()).max(1) as f64;
        let of = |distance: usize| 1.0 - distance as f64 / longest;
        assert!(is_close(strsim::normalized_levenshtein(&a, &b), of(strsim::levenshtein(&a, &b))));
        let damerau = of(strsim::damerau_levenshtein(&a, &b));
        assert!(is_close(strsim::normalized_damerau_levenshtein(&a, &b), damerau));
    }

    fn similarities_are_between_zero_and_one(a: String, b: String) {
        for of in [strsim::jaro, strsim::jaro_winkler, strsim::sorensen_dice] {
            let similarity = of(&a, &b);
            assert!((0.0..=1.0).contains(&similarity), "{similarity}");
            assert!(is_close(of(&a, &a), 1.0));
        }
    }

    fn jaro_winkler_adds_for_a_common_prefix(a: Vec<u8>, b: Vec<u8>) {
        let (a, b) = (word(&a), word(&b));
        let jaro = strsim::jaro(&a, &b);
        let prefix = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).take(4).count() as f64;
        let expected = if jaro > 0.7 { jaro + 0.1 * prefix * (1.0 - jaro) } else { jaro };
        assert!(is_close(strsim::jaro_winkler(&a, &b), expected), "{jaro}");
    }

    fn jaro_follows_its_definition(a: Vec<u8>, b: Vec<u8>) {
        let (left, right) = (chars(&word(&a)), chars(&word(&b)));
        let range = (left.len().max(right.len()) / 2).max(1) - 1;
        let mut taken = vec![false; right.len()];
        let mut matched = Vec::new();
        for (i, x) in left.iter().enumerate() {
            let found = (0..right.len()).find(|j| !taken[*j] && right[*j] == *x && i.abs_diff(*j) <= range);
            if let Some(j) = found {
                taken[j] = true;
                matched.push(*x);
            }
        }
        let others = right.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(x, _)| x);
        let moved = matched.iter().zip(others).filter(|(x, y)| x != y).count() / 2;
        let m = matched.len() as f64;
        let expected = match (left.len(), right.len()) {
            (0, 0) => 1.0,
            _ if m == 0.0 => 0.0,
            (x, y) => (m / x as f64 + m / y as f64 + (m - moved as f64) / m) / 3.0,
        };
        assert!(is_close(strsim::jaro(&word(&a), &word(&b)), expected), "{left:?} {right:?} {expected}");
    }

    fn sorensen_dice_compares_pairs(a: Vec<u8>, b: Vec<u8>) {
        let (a, b) = (word(&a), word(&b));
        let pairs = |text: &str| chars(text).windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
        let (left, mut right) = (pairs(&a), pairs(&b));
        let all = left.len() + right.len();
        let mut common = 0;
        for pair in &left {
            if let Some(at) = right.iter().position(|other| other == pair) {
                right.remove(at);
                common += 1;
            }
        }
        let expected = match () {
            () if a == b => 1.0,
            () if a.len() < 2 || b.len() < 2 => 0.0,
            () => 2.0 * f64::from(common) / all as f64,
        };
        assert!(is_close(strsim::sorensen_dice(&a, &b), expected));
    }

    fn generic_functions_agree_with_those_on_strings(a: String, b: String) {
        let (left, right) = (chars(&a), chars(&b));
        assert_eq!(strsim::generic_levenshtein(&left, &right), strsim::levenshtein(&a, &b));
        assert_eq!(strsim::generic_damerau_levenshtein(&left, &right), strsim::damerau_levenshtein(&a, &b));
        assert!(is_close(strsim::generic_jaro(&left, &right), strsim::jaro(&a, &b)));
        assert!(is_close(strsim::generic_jaro_winkler(&left, &right), strsim::jaro_winkler(&a, &b)));
    }
}
