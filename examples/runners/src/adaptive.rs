//! A runner that spreads its tests over the inputs: adaptive random testing.

use forall::choice::{Item, Sequence, Source};
use forall::run::{Budget, Found, Report, Session, Tested};

/// The number of random inputs that compete to be the next test, as in the paper.
const CANDIDATES: u64 = 10;

/// Of ten random inputs, runs the one that is farthest from all inputs that ran.
#[forall::runner]
pub fn adaptive(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let mut ran: Vec<Sequence> = Vec::new();
    let (mut index, mut ending) = (0, None);
    while ending.is_none() && !budget.is_spent(&session) {
        let nearest = |input: &Sequence| ran.iter().map(|other| distance(input, other)).fold(f64::MAX, f64::min);
        let candidates = (index * CANDIDATES..(index + 1) * CANDIDATES)
            .map(|candidate| session.tester.choices(candidate, session.size(index)))
            .map(|input| (nearest(&input), input));
        let (_, input) = candidates.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are ten");
        let (case, tested) = budget.run(&mut session, index, Source::replay(&input), &[]);
        match tested {
            Tested::Fail(failure) => ending = Some(session.found(case, failure, Found::Guided { index })),
            Tested::Fault(fault) => ending = Some(session.fault(&case, fault)),
            _ => ran.push(input),
        }
        index += 1;
    }
    budget.finish(session, ending)
}

/// How different two inputs are: each pair of choices differs by a part of its range, each surplus choice by 1.
fn distance(a: &Sequence, b: &Sequence) -> f64 {
    let surplus = a.items.len().abs_diff(b.items.len()) as f64;
    let differ = |(a, b): (&Item, &Item)| match (a, b) {
        (Item::Choice(a), Item::Choice(b)) => a.value.abs_diff(b.value) as f64 / a.max.max(b.max).max(1) as f64,
        _ => f64::from(u8::from(a != b)),
    };
    surplus + a.items.iter().zip(&b.items).map(differ).sum::<f64>()
}
