use super::*;

fn pairs(log: &Log) -> Vec<(u64, u64)> {
    let pair = |compared| match compared {
        Comparison::Numbers { left, right, .. } => Some((left, right)),
        Comparison::Bytes { .. } => None,
    };
    log.comparisons().filter_map(pair).collect()
}

#[test]
fn the_last_pairs_of_each_place_are_kept() {
    let mut log = Log::new();
    log.numbers(0xdead_beef, 5, 4, 0x1000);
    for i in 0..1000 {
        log.numbers(i, 1000, 8, 0x2000);
    }
    log.numbers(0, 7, 4, 0x5000);
    log.numbers(7, 7, 4, 0x3000);
    log.numbers(0, &raw const *log as u64, 8, 0x4000);
    let pairs = pairs(&log);
    assert_eq!(pairs[0], (0xdead_beef, 5), "a loop elsewhere does not drive it out");
    assert_eq!(pairs.len(), 1 + PAIRS, "equal operands, zeros and addresses say nothing");
    assert!((1000 - PAIRS as u64..1000).all(|i| pairs.contains(&(i, 1000))));
}

#[test]
fn a_test_does_not_see_the_comparisons_of_the_one_before() {
    let mut log = Log::new();
    log.numbers(1, 2, 4, 0x1000);
    log.strings(b"left", b"rite", 0x2000);
    log.clear();
    assert_eq!(log.comparisons().count(), 0);
    log.numbers(3, 4, 4, 0x1000);
    assert_eq!(pairs(&log), [(3, 4)]);
}

#[test]
fn any_number_of_places_and_strings_fits() {
    let mut log = Log::new();
    for address in 1..100_000 {
        log.numbers(address as u64, 1 << 40, 8, address);
        log.strings(&address.to_le_bytes(), &[9; 8], 1);
    }
    assert!(log.used > PLACES / 2 && log.used <= PLACES);
    assert_eq!(log.strings_used, STRINGS);
    log.clear();
    let long = [1; 1000];
    log.strings(&long, &[2; 1000], 1);
    log.strings(&long, &[2; 1000], 1);
    let all: Vec<_> = log.comparisons().collect();
    assert_eq!(all, [Comparison::Bytes { left: &long[..STRING], right: &[2; STRING] }]);
}

#[test]
fn a_state_is_two_small_values_in_a_row_and_is_new_until_it_is_accepted() {
    let mut log = Log::new();
    for (row, column, new) in [(1, 1, 2), (1, 1, 0), (1, 2, 1), (2, 1, 2), (2, 2, 1), (2, 1, 0)] {
        log.clear();
        log.state(row, 0x1000);
        log.state(column, 0x2000);
        assert_eq!(log.new_states(), new, "{row} {column}");
        log.accept();
    }
    for value in 0..1_000_000 {
        log.clear();
        log.state(value, 0x3000);
        log.accept();
    }
    log.clear();
    log.state(7_000_000, 0x3000);
    assert_eq!(log.new_states(), 0, "a counter does not go on forever");
}

#[test]
fn large_numbers_of_a_feature_count_by_magnitude() {
    assert_ne!(kind_of("7"), kind_of("8"));
    assert_ne!(kind_of("cheap"), kind_of("dear"));
    assert_eq!(kind_of("1000"), kind_of("1001"));
    assert_ne!(kind_of("1000"), kind_of("-1000"));
    assert_ne!(kind_of("1000"), kind_of("3000"));
}

#[test]
fn features_and_higher_scores_are_new_until_they_are_accepted() {
    let mut log = Log::new();
    let mut announced = |feature, name, score| {
        log.clear();
        log.feature(feature);
        log.score(name, score);
        let announced = log.announced();
        log.accept();
        announced
    };
    assert_eq!(announced(1, 7, 0.5), 2);
    assert_eq!(announced(1, 7, 0.5), 0);
    assert_eq!(announced(2, 7, 0.25), 1);
    assert_eq!(announced(2, 7, 0.75), 1);
    assert_eq!(announced(2, 8, 0.25), 1, "a score of another name");
    assert_eq!(announced(2, 8, f64::NAN), 0);
}

#[test]
fn a_closer_comparison_is_new_until_it_is_accepted() {
    let mut log = Log::new();
    for (operand, nearer) in [(1000, 1), (900, 0), (101, 1), (101, 0), (100_000, 0)] {
        log.clear();
        log.numbers(100, operand, 8, 0x1000);
        assert_eq!(log.nearer(), nearer, "{operand}");
        log.accept();
    }
    for (operand, nearer) in [(b"xxxx", 1), (b"fxxx", 1), (b"yxxx", 0), (b"foxx", 1), (b"foxx", 0)] {
        log.clear();
        log.strings(b"four", operand, 0x2000);
        assert_eq!(log.nearer(), nearer);
        log.accept();
    }
}
