//! Where choices come from: random, recorded, replayed, forked.

use forall::choice::{AtEnd, Random, Rejected, Sequence, Source};

#[test]
fn recording_does_not_change_drawn_values() {
    for index in 0..500 {
        let mut random = Source::random(3, index, 40);
        let mut recorded = Source::record(3, index, 40);
        for max in [0, 1, 9, 1 << 40, u64::MAX] {
            assert_eq!(random.choice(max), recorded.choice(max));
            assert_eq!(random.fork().choice(max), recorded.fork().choice(max));
        }
    }
}

#[test]
fn replay_clamps_large_choices_and_fills_up_with_the_simplest() {
    let mut source = Source::replay(&Sequence::from_values(0, &[100, 3]));
    assert_eq!([source.choice(9), source.choice(9), source.choice(9)], [9, 3, 0]);
    let drawn = source.into_sequence();
    assert_eq!(drawn.values().collect::<Vec<_>>(), [9, 3, 0], "what counts is what was drawn");
}

#[test]
fn a_tape_can_continue_at_random() {
    let prefix = Sequence::from_values(0, &[4]);
    let draws = |seed| {
        let mut source = Source::tape(&prefix, AtEnd::Random(seed));
        (source.choice(9), source.choice(u64::MAX))
    };
    assert_eq!(draws(1), draws(1));
    assert_eq!(draws(1).0, 4);
    assert_ne!(draws(1).1, draws(2).1);
}

#[test]
fn values_do_not_depend_on_the_order_of_draws_from_forks() {
    let run = |left_first: bool| {
        let mut source = Source::record(5, 0, 10);
        let (mut left, mut right) = (source.fork(), source.fork());
        let end = source.choice(1000);
        let (l, r) = if left_first {
            let l = left.choice(1000);
            (l, right.choice(1000))
        } else {
            let r = right.choice(1000);
            (left.choice(1000), r)
        };
        ((l, r, end), source.into_sequence())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn forks_replay_even_when_drawn_from_after_the_source_is_gone() {
    let mut source = Source::record(5, 0, 10);
    let mut late = source.fork();
    let first = source.choice(1000);
    let inner = late.choice(1000);
    let deepest = late.fork().choice(1000);
    let sequence = source.into_sequence();

    let mut again = Source::replay(&sequence);
    let mut late = again.fork();
    assert_eq!(again.choice(1000), first);
    drop(again);
    assert_eq!((late.choice(1000), late.fork().choice(1000)), (inner, deepest));
}

#[test]
fn a_misalignment_inside_a_fork_stays_there() {
    let mut source = Source::record(5, 0, 10);
    let mut fork = source.fork();
    fork.choice(9);
    let after = source.choice(1000);
    let sequence = source.into_sequence();

    let mut again = Source::replay(&sequence);
    let mut fork = again.fork();
    assert!((0..50).all(|_| fork.choice(9) <= 9));
    assert_eq!(again.choice(1000), after);
}

#[test]
fn after_a_rejection_draws_are_the_simplest() {
    for mut source in [Source::random(1, 0, 10), Source::record(1, 0, 10)] {
        source.reject();
        assert!(source.is_rejected());
        assert_eq!(source.choice(u64::MAX), 0);
    }
}

#[test]
fn rejecting_at_once_unwinds_quietly() {
    let payload = std::panic::catch_unwind(|| Source::random(1, 0, 10).reject_now()).unwrap_err();
    assert!(payload.is::<Rejected>());
}

#[test]
fn an_endless_test_is_rejected_before_memory_runs_out() {
    let mut source = Source::record(1, 0, 10);
    let mut draws = 0u64;
    while !source.is_rejected() {
        source.choice(1);
        draws += 1;
    }
    assert!(source.is_overrun());
    assert!(draws < 10_000_000);
}

#[test]
fn forks_count_towards_the_recording_limit() {
    let mut source = Source::record(1, 0, 10);
    let forks = std::cell::Cell::new(0u64);
    let draw = std::panic::AssertUnwindSafe(|| {
        loop {
            let mut fork = source.fork();
            (0..1000).for_each(|_| assert!(fork.choice(1) <= 1));
            forks.set(forks.get() + 1);
        }
    });
    let given_up: Result<(), _> = std::panic::catch_unwind(draw);
    assert!(given_up.unwrap_err().is::<Rejected>());
    assert!(forks.get() < 10_000);
}

#[test]
fn spans_contain_their_draws() {
    let mut source = Source::record(1, 0, 10);
    source.choice(1);
    source.span(7, |source| {
        source.choice(1);
        let mut fork = source.fork();
        fork.choice(1);
        source.span(8, |source| source.choice(1));
    });
    let sequence = source.into_sequence();
    let spans: Vec<_> = sequence.spans.iter().map(|span| (span.label, span.start, span.end)).collect();
    assert_eq!(spans, [(7, 1, 5), (8, 4, 5)]);
}

#[test]
fn earlier_words_can_be_computed_again() {
    let mut random = Random::from_key(9);
    let drawn: Vec<_> = (0..10).map(|_| random.draw()).collect();
    for back in 0..10 {
        assert_eq!(random.earlier(back as u64), drawn[9 - back]);
    }
}

#[test]
fn sizes_are_restored() {
    let mut source = Source::random(1, 0, 10);
    assert_eq!(source.with_size(3, |source| source.size()), 3);
    assert_eq!(source.size(), 10);
}
