//! The distributions of random mode: favoured values are frequent, every value is reachable, and the bits that select a
//! kind of value are independent of the value. All with fixed seeds, so no test is flaky.

use forall::choice::{Random, Source};
use forall::generate::{Arbitrary, Generator, any, optional, sample_with, string, vec};
use std::collections::{BTreeSet, HashSet};

/// Chi-square of counts against equal shares, per degree of freedom: near 1 when all is well.
fn unevenness(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let share = total as f64 / counts.len() as f64;
    let square: f64 = counts.iter().map(|&count| (count as f64 - share).powi(2) / share).sum();
    square / (counts.len() - 1) as f64
}

fn values<T: Arbitrary>(count: usize, size: u32) -> Vec<T> {
    sample_with(any::<T>(), count, 5, |_| size)
}

/// The share of values that a predicate holds for, in percent.
fn percent<T>(values: &[T], predicate: impl Fn(&T) -> bool) -> f64 {
    100.0 * values.iter().filter(|value| predicate(value)).count() as f64 / values.len() as f64
}

/// A kind of value: its name, what it is, and how often it must come at least, in percent.
type Kind<T> = (&'static str, fn(&T) -> bool, f64);

#[test]
fn selector_bits_are_independent_of_word_bits() {
    // Any eight neighbouring bits of the selector against any eight of the word, within one stream.
    for selector_at in [0, 8, 16, 24] {
        for word_at in [0, 8, 28, 48, 56] {
            let mut counts = vec![0; 1 << 12];
            let mut random = Random::from_key(3);
            for _ in 0..400_000 {
                let draw = random.draw();
                let (s, w) = ((draw.selector >> selector_at) & 63, (draw.word >> word_at) & 63);
                counts[(s << 6 | w as u32) as usize] += 1;
            }
            let unevenness = unevenness(&counts);
            assert!((0.9..1.1).contains(&unevenness), "selector {selector_at}, word {word_at}: {unevenness}");
        }
    }
}

#[test]
fn neighbouring_tests_and_seeds_are_unrelated() {
    for step in [(0, 1), (1, 0), (1, 1)] {
        let mut counts = vec![0; 1 << 8];
        for i in 0..200_000u64 {
            let word = Random::for_test(i * step.0, i * step.1).word();
            counts[(word >> 56) as usize] += 1;
        }
        let unevenness = unevenness(&counts);
        assert!((0.7..1.3).contains(&unevenness), "{step:?}: {unevenness}");
    }
}

#[test]
fn integers_are_often_small_and_often_boundary_values() {
    let numbers = values::<u64>(50_000, 100);
    assert!((25.0..45.0).contains(&percent(&numbers, |n| *n <= 127)));
    assert!((2.0..12.0).contains(&percent(&numbers, |n| n.wrapping_add(2) <= 4)));
    assert!(percent(&numbers, |n| *n > 1 << 60) > 3.0);
    let near_power = |n: &u64| *n > 256 && (0..5).any(|by| (n.wrapping_add(2).wrapping_sub(by)).is_power_of_two());
    assert!(percent(&numbers, near_power) > 1.0);
    let signed = values::<i32>(200_000, 100);
    assert!((35.0..55.0).contains(&percent(&signed, |n| *n < 0)));
    for edge in [0, 1, -1, i32::MAX, i32::MIN, i32::MIN + 1, 1 << 16, (1 << 16) - 1] {
        assert!(signed.contains(&edge), "{edge}");
    }
}

#[test]
fn the_whole_range_of_a_type_is_reached() {
    assert_eq!(values::<u8>(20_000, 10).into_iter().collect::<HashSet<_>>().len(), 256);
    assert_eq!(values::<i8>(20_000, 10).into_iter().collect::<HashSet<_>>().len(), 256);
    for bit in 0..128 {
        assert!(values::<u128>(2000, 10).iter().any(|n| n >> bit & 1 == 1), "bit {bit} set");
        assert!(values::<i128>(2000, 10).iter().any(|n| n >> bit & 1 == 0), "bit {bit} not set");
    }
    for magnitude in 0..64 {
        assert!(values::<u64>(20_000, 0).iter().any(|n| n.checked_ilog2() == Some(magnitude)), "{magnitude} bits");
    }
}

#[test]
fn values_repeat_within_a_test() {
    let lists = sample_with(vec(any::<u64>()).len(20), 2000, 5, |_| 100);
    let large_twice = |list: &Vec<u64>| {
        let large: Vec<&u64> = list.iter().filter(|n| **n > 1 << 20).collect();
        large.iter().collect::<BTreeSet<_>>().len() < large.len()
    };
    assert!(percent(&lists, large_twice) > 25.0);
}

#[test]
fn collections_are_sometimes_empty_single_or_full_of_duplicates() {
    let lists = values::<Vec<u64>>(5000, 50);
    assert!((2.0..25.0).contains(&percent(&lists, |list| list.is_empty())));
    // About a quarter: half of the lengths are spread over the magnitudes, and few of those are 0.
    assert!((15.0..30.0).contains(&percent(&lists, |list| list.len() == 1)));
    assert!(percent(&lists, |list| list.len() > 40) > 5.0);
    let words = values::<Vec<String>>(5000, 50);
    let duplicates = |list: &Vec<String>| {
        let long: Vec<&String> = list.iter().filter(|word| word.chars().count() > 1).collect();
        long.len() > 3 && long.iter().collect::<HashSet<_>>().len() * 2 <= long.len()
    };
    assert!(percent(&words, duplicates) > 0.1);
}

#[test]
fn explicit_lengths_are_uniform_and_do_not_depend_on_the_size() {
    for size in [0, 100] {
        let lists = sample_with(vec(any::<u8>()).len(0..=100), 20_000, 5, |_| size);
        let mut counts = vec![0; 101];
        lists.iter().for_each(|list| counts[list.len()] += 1);
        assert!((0.7..1.3).contains(&unevenness(&counts)));
        let mean = lists.iter().map(Vec::len).sum::<usize>() as f64 / lists.len() as f64;
        assert!((49.0..51.0).contains(&mean), "{mean}");
    }
}

#[test]
fn nested_collections_stay_around_the_size_in_total() {
    for size in [0, 1, 10, 100] {
        let total = |lists: Vec<Vec<Vec<u8>>>| lists.iter().flatten().map(Vec::len).sum::<usize>();
        let totals: Vec<usize> = values::<Vec<Vec<Vec<u8>>>>(2000, size).into_iter().map(total).collect();
        assert!(totals.iter().all(|total| *total <= size as usize), "{size}: {:?}", totals.iter().max());
    }
    assert!(values::<Vec<Vec<u8>>>(2000, 100).iter().any(|lists| lists.iter().any(|list| list.len() > 30)));
}

#[test]
fn narrow_ranges_are_uniform_and_wide_ones_favour_their_ends_and_zero() {
    let mut counts = vec![0; 50];
    sample_with(0..50usize, 100_000, 5, |_| 10).into_iter().for_each(|n| counts[n] += 1);
    assert!((0.6..1.4).contains(&unevenness(&counts)));
    let wide = sample_with(-1_000_000..=1_000_000i32, 50_000, 5, |_| 10);
    assert!(percent(&wide, |n| n.abs() == 1_000_000) > 0.5);
    assert!(percent(&wide, |n| n.abs() <= 10) > 3.0);
    assert!((40.0..60.0).contains(&percent(&wide, |n| *n < 0)));
    assert!((40.0..75.0).contains(&percent(&wide, |n| n.abs() > 250_000)));
    let positive = sample_with(5_000_000_000u64..=9_000_000_000, 20_000, 5, |_| 10);
    assert!(positive.contains(&5_000_000_000) && positive.contains(&9_000_000_000));
}

#[test]
fn floats_include_troublesome_values() {
    let numbers = values::<f64>(50_000, 100);
    let kinds: [Kind<f64>; 9] = [
        ("NaN", |x| x.is_nan(), 0.5),
        ("infinite", |x| x.is_infinite(), 0.5),
        ("-0", |x| *x == 0.0 && x.is_sign_negative(), 0.5),
        ("0", |x| *x == 0.0 && x.is_sign_positive(), 0.1),
        ("subnormal", |x| x.is_subnormal(), 0.5),
        ("an integer", |x| x.fract() == 0.0, 20.0),
        ("between 0 and 1", |x| *x > 0.0 && *x < 1.0, 10.0),
        ("huge", |x| x.abs() > 1e100, 3.0),
        ("tiny", |x| x.abs() < 1e-100 && *x != 0.0, 3.0),
    ];
    for (name, kind, least) in kinds {
        let percent = percent(&numbers, kind);
        assert!(percent > least, "{name}: {percent}");
    }
    let inside = sample_with(-1.0..1e9, 20_000, 5, |_| 100);
    assert!(inside.iter().all(|x| (-1.0..1e9).contains(x)));
    assert!(percent(&inside, |x| *x == -1.0) > 0.5);
    assert!(percent(&inside, |x| *x > 5e8) > 20.0);
    assert!(sample_with(f64::MIN..=f64::MAX, 1000, 5, |_| 100).iter().all(|x| x.is_finite()));
}

#[test]
fn strings_have_characters_of_every_awkward_class() {
    let text: String = sample_with(string(any()).len(100), 500, 5, |_| 100).concat();
    let chars: Vec<char> = text.chars().collect();
    let classes: [Kind<char>; 10] = [
        ("printable ASCII", |c| (' '..='~').contains(c), 70.0),
        ("a letter", |c| c.is_ascii_alphabetic(), 30.0),
        ("NUL", |c| *c == '\0', 0.1),
        ("a control character", |c| c.is_control(), 1.0),
        ("two bytes", |c| c.len_utf8() == 2, 1.0),
        ("three bytes", |c| c.len_utf8() == 3, 1.0),
        ("four bytes", |c| c.len_utf8() == 4, 1.0),
        ("combining", |c| ('\u{300}'..='\u{36f}').contains(c), 0.1),
        ("right to left", |c| ('\u{590}'..='\u{6ff}').contains(c) || *c == '\u{202e}', 0.1),
        ("zero width", |c| ('\u{200b}'..='\u{200f}').contains(c), 0.1),
    ];
    for (name, class, least) in classes {
        let percent = percent(&chars, class);
        assert!(percent > least, "{name}: {percent}");
    }
    assert!(percent(&values::<String>(2000, 50), |text| text.is_empty()) > 2.0);
}

#[test]
fn options_are_some_in_three_quarters_of_cases() {
    let options = sample_with(optional(0..10), 20_000, 5, |_| 0);
    assert!((73.0..77.0).contains(&percent(&options, Option::is_some)));
    assert!((73.0..77.0).contains(&percent(&values::<Option<u8>>(20_000, 0), Option::is_some)));
}

#[test]
fn weights_are_respected() {
    let weighted = forall::frequency![1 => 0..1, 0 => 1..2, 3 => 2..3];
    let mut source = Source::random(5, 0, 0);
    let mut counts = [0; 3];
    for _ in 0..40_000 {
        counts[weighted.generate(&mut source)] += 1u32;
    }
    assert_eq!(counts[1], 0);
    assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
}

#[test]
fn min_and_max_of_every_integer_type_are_common() {
    macro_rules! common {
        ($($t:ident)*) => {$(
            for bound in [$t::MIN, $t::MAX] {
                let hits = (0..20_000).filter(|&index| Source::random(3, index, 50).draw(any::<$t>()) == bound).count();
                assert!(hits > 40, "{bound}: {hits} of 20,000");
            }
        )*};
    }
    common!(i8 i16 i32 i64 u8 u16 u32 u64);
}

/// In how many of 200 runs of 256 tests something comes up.
fn runs_with(comes_up: impl Fn(&mut Source) -> bool) -> usize {
    let size = |index| (index * 100 / 255) as u32;
    (0..200).filter(|&seed| (0..256).any(|index| comes_up(&mut Source::random(seed, index, size(index))))).count()
}

#[test]
fn two_large_bytes_occur_together() {
    let large = runs_with(|source| source.draw(any::<u8>()) >= 200 && source.draw(any::<u8>()) >= 200);
    assert!(large >= 190, "{large}");
    let large = runs_with(|source| source.draw(any::<u16>()) >= 50_000 && source.draw(any::<u16>()) >= 50_000);
    assert!(large >= 140, "{large}");
}

#[test]
fn strings_repeat_within_a_test() {
    let equal = runs_with(|source| {
        let (a, b): (String, String) = (source.draw(any()), source.draw(any()));
        a.len() > 1 && a == b
    });
    assert!(equal >= 190, "{equal}");
    // Also where something else was drawn between them, and where the length is given.
    let equal = runs_with(|source| {
        let a = source.draw(string('a'..='z').len(5));
        let _: u64 = source.draw(any());
        a == source.draw(string('a'..='z').len(5))
    });
    assert!(equal >= 150, "{equal}");
    // Mostly they do not.
    let other = (0..1000).filter(|&index| {
        let mut source = Source::random(3, index, 50);
        let (a, b): (String, String) = (source.draw(any()), source.draw(any()));
        a != b
    });
    assert!((900..).contains(&other.count()));
}
