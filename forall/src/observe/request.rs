//! Requests of tools other than running a property: samples, steps, speed.

use super::stream::values;
use crate::choice::{EARLY_UNTIL, Source};
use crate::property::{Block, Outcome};
use crate::protocol::{self, Sampled};
use crate::run::protocol::{Answering, Request};
use crate::run::{BlockTested, Example, Report, Session, Statistics, Tested, Tester, Verdict};
use std::time::Instant;

inventory::submit! {
    Answering { is_for: |request| matches!(request, Request::Sample { .. } | Request::Bench { .. }), answer }
}

fn answer(session: Session<'_>, request: &Request, _: &[Example]) -> Report {
    match request {
        Request::Bench { count, .. } => bench(session, *count),
        Request::Sample { count, .. } => sample(session, *count),
        _ => session.finish((Verdict::Passed, None), Statistics::default()),
    }
}

/// Generates `count` inputs and reports each. The check is not run.
fn sample(mut session: Session<'_>, count: u64) -> Report {
    let (mut generated, mut told) = (0, 0);
    let most = count.saturating_mul(session.settings.discard_ratio.saturating_add(1));
    while told < count && generated < most && !session.is_over() {
        // The first tests of a run are all large: later ones are more typical.
        let index = EARLY_UNTIL + generated;
        let size = session.settings.size.size(index);
        let bindings = session.tester.print_source(Source::test(session.seed, index, size), &[]);
        let discarded = session.tester.discarding_clause(index, size).is_some();
        told += u64::from(!discarded);
        session.recorders().record(Sampled { index, size: size.into(), values: values(&bindings), discarded });
        generated += 1;
    }
    let statistics = counted(told, generated - told);
    session.finish((Verdict::Passed, None), statistics)
}

/// Runs `count` tests at full speed, and then only generates them, to show where the time goes.
fn bench(mut session: Session<'_>, count: u64) -> Report {
    // Sizes are spread over this many tests, even when a failing one is generated again.
    session.settings.tests = count;
    // The first tests fill caches and tables.
    let warm = measure(&session, count.div_ceil(10), &mut |tester, block| tester.run_block(block));
    let measured = if warm.stopped_by.is_none() {
        measure(&session, count, &mut |tester, block| tester.run_block(block))
    } else {
        warm
    };
    if let Some(tested) = measured.stopped_by {
        return session.stopped_by(tested, measured.tests);
    }
    // Both through the same interpretation of the property, which is not that of the loop: their difference is the time
    // of the check.
    let property = session.tester.property();
    let running = measure(&session, count, &mut |tester, block| {
        tester.run_block_with(block, |source| property.run(source, &[]).unwrap_or(Outcome::Discard))
    });
    let generating = measure(&session, count, &mut |tester, block| {
        tester.run_block_with(block, |source| match property.generate(source, &[]) {
            Ok(()) => Outcome::Pass,
            Err(_) => Outcome::Discard,
        })
    });
    let share = (generating.seconds / running.seconds.max(f64::MIN_POSITIVE)).min(1.0);
    let Measured { tests, discarded, seconds, .. } = measured;
    session.recorders().record(protocol::Measured { tests, seconds, generating: seconds * share });
    session.finish((Verdict::Passed, None), counted(tests - discarded, discarded))
}

struct Measured {
    /// The number of tests that ran, or the index of the one that did not pass.
    tests: u64,
    discarded: u64,
    seconds: f64,
    stopped_by: Option<Tested>,
}

/// Runs the first `count` of the measured tests, in as many blocks as the schedule of sizes requires.
fn measure(session: &Session<'_>, count: u64, run: &mut dyn FnMut(&Tester<'_>, &Block) -> BlockTested) -> Measured {
    let mut measured = Measured { tests: 0, discarded: 0, seconds: 0.0, stopped_by: None };
    while measured.tests < count && measured.stopped_by.is_none() {
        let block = session.settings.size.block(session.seed, measured.tests..count);
        let began = Instant::now();
        let ended = run(&session.tester, &block);
        measured.seconds += began.elapsed().as_secs_f64();
        (measured.tests, measured.stopped_by) = (ended.index, ended.stopped_by);
        measured.discarded += ended.discarded;
    }
    measured
}

fn counted(valid: u64, discarded: u64) -> Statistics {
    let mut statistics = Statistics::default();
    (statistics.valid, statistics.discarded) = (valid, discarded);
    statistics
}

impl Session<'_> {
    /// The report of a run that a test ended.
    fn stopped_by(mut self, tested: Tested, index: u64) -> Report {
        let sequence = self.tester.choices(index, self.size(index));
        let ending = crate::run::stopped(&mut self, tested, index, sequence);
        self.finish(ending, Statistics::default())
    }
}
