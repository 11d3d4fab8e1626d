//! Tests of the plan and of its workers.

use super::*;
use crate::choice::{Random, Sequence};
use crate::prelude::property;
use crate::property::{Failure, FailureKind};
use crate::testing::cores::Sharing;
use std::thread::scope;

/// The first case that may run, from the definition.
fn expected(state: &State) -> Option<u64> {
    let (mut answers, mut ruled_out) = (Vec::new(), Vec::new());
    for job in &state.plan {
        let is_ruled_out = job.after.is_some_and(|(before, fails)| {
            ruled_out.contains(&before) || fails.is_some_and(|fails| answers.contains(&(before, !fails)))
        });
        match &job.stage {
            _ if is_ruled_out => ruled_out.push(job.number),
            Stage::Done(outcome) => answers.push((job.number, outcome.fails())),
            Stage::Waiting => return Some(job.number),
            Stage::Running(_) => {}
        }
    }
    None
}

fn done(fails: bool) -> Stage {
    let (drawn, took) = (case(0), Duration::ZERO);
    let tested = if fails { Tested::Fail(Failure::new(FailureKind::Panic, "")) } else { Tested::Pass };
    Stage::Done(Box::new(Outcome { drawn, tested, retried: false, took }))
}

fn case(number: u64) -> Case {
    Case { sequence: Sequence::from_values(0, &[number]), steps: Vec::new() }
}

/// Changes the state at random. A tree is made by `plan`, a chain by `add`.
fn change(state: &mut State, random: &mut Random, is_tree: bool) {
    let count = state.plan.len() as u64;
    let any = |random: &mut Random| random.up_to(count.saturating_sub(1)) as usize;
    match random.up_to(4) {
        0 | 1 => {
            let fails = [None, Some(true), Some(false)][random.up_to(2) as usize];
            let before = if is_tree && count > 0 { any(random) } else { state.plan.len().wrapping_sub(1) };
            let after = state.plan.get(before).map(|job| (job.number, fails));
            state.branches |= is_tree;
            state.add(case(state.next), 1, after);
        }
        2 => {
            if let Some(place) = state.next_job() {
                let number = state.plan[place].number;
                state.end(number, done(random.up_to(1) == 0));
            }
        }
        3 if count > 0 => {
            let place = any(random);
            state.keep_what_follows(place);
        }
        _ if state.plan.front().is_some_and(Job::is_done) => {
            if let Some(Job { number, stage: Stage::Done(outcome), .. }) = state.take_first() {
                state.settle(number, outcome.fails());
            }
        }
        _ => {}
    }
}

#[test]
fn the_next_case_is_the_first_that_no_outcome_has_ruled_out() {
    for seed in 0..400 {
        let (mut state, mut random) = (State::default(), Random::from_key(seed));
        for _ in 0..60 {
            change(&mut state, &mut random, seed % 2 == 0);
            let wanted = expected(&state);
            let found = state.next_job().map(|place| state.plan[place].number);
            assert_eq!(found, wanted, "seed {seed}");
            assert!(state.waiting() >= usize::from(wanted.is_some()), "seed {seed}");
        }
    }
}

/// Plans some cases that follow the requested one.
fn plan_more(pool: &Pool, requested: &Case, random: &mut Random) {
    let mut plan = vec![Planned { case: requested.clone(), items: 9, after: None }];
    for _ in 0..random.up_to(9) {
        let place = random.up_to(plan.len() as u64 - 1) as usize;
        let fails = [None, Some(true), Some(false)][random.up_to(2) as usize];
        let case = case(random.up_to(30));
        if plan.iter().all(|planned| planned.case != case) {
            plan.push(Planned { case, items: 9, after: Some(After { place, fails }) });
        }
    }
    pool.plan(plan);
}

/// Requests cases of four workers, while this many other properties share the cores.
fn request_cases(others: u64) {
    let property = property! { forall n: u64; check *n % 3 != 0 };
    let tester = Tester::new("pool", &property, 0);
    let _others: Vec<Sharing> = (0..others).map(|_| Sharing::begin(1)).collect();
    let (pool, mut random) = (Pool::new(tester.context().clone()), Random::from_key(others));
    scope(|scope| {
        let _closed = pool.close_when_dropped();
        for number in 0..4 {
            let make = tester.for_candidates(&property);
            pool.start(scope, format!("pool-{number}"), Cwd::Shared, move || make(number)).unwrap();
        }
        for _ in 0..1000 {
            let number = random.up_to(30);
            pool.request(&case(number), 9);
            match random.up_to(2) {
                0 => plan_more(&pool, &case(number), &mut random),
                1 => drop(pool.add(case(100 + number), 9, random.up_to(1) == 0)),
                _ => {}
            }
            let mut patient = random.up_to(1) == 0;
            let outcome = loop {
                match pool.wait(&tester, patient) {
                    Waited::Ran(outcome) => break outcome,
                    Waited::RanOut => patient = true,
                }
            };
            assert_eq!((outcome.drawn.sequence.values().next(), outcome.fails()), (Some(number), number % 3 == 0));
        }
    });
}

#[test]
fn every_requested_case_runs_however_few_cores_are_left() {
    // With a hundred other properties, only the worker that has the core of the search may run.
    for others in [0, 100] {
        let requests = std::thread::spawn(move || request_cases(others));
        // Polls, and not seconds, since each takes longer on a busy machine.
        let is_done = (0..10_000).any(|_| {
            std::thread::sleep(PATIENCE);
            requests.is_finished()
        });
        assert!(is_done, "a requested case does not run");
        requests.join().unwrap();
    }
}
