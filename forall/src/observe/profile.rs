//! Statistics of a run's inputs beyond its tests: duplicates, and variables that are slow to draw.
//!
//! Test `i` is a function of the seed and of `i`, so its input can be generated again after the run. The tests
//! themselves then cost nothing extra, and run on any number of threads.

use crate::choice::{Shape, Source};
use crate::context::draw_times;
use crate::hash::{Fnv, Set};
use crate::panic::catch;
use crate::protocol::{self, Profiled};
use crate::run::{Session, Verdict};
use crate::settings::GENERATIONAL;
use std::time::{Duration, Instant};

/// The number of inputs to generate again, the first ones of the run.
const INPUTS: u64 = 1000;

/// The time limit.
const TIME: Duration = Duration::from_millis(100);

/// The time for drawing a variable.
struct Draws {
    name: &'static str,
    all: Duration,
    slowest: Duration,
    /// The test with the slowest draw.
    test: u64,
}

/// Reports the inputs of a random run that ends after this many tests, if requested.
pub(crate) fn profile(session: &mut Session<'_>, verdict: &Verdict, tests: u64) {
    let at_random = session.settings.runner == GENERATIONAL && !matches!(verdict, Verdict::Exhausted { .. });
    if !at_random {
        return;
    }
    session.tester.context().count_labels(false);
    let (began, property) = (Instant::now(), session.tester.property());
    let mut by_variable = Vec::new();
    for quantifier in property.outline().quantifiers {
        by_variable.push(Draws { name: quantifier.name, all: Duration::ZERO, slowest: Duration::ZERO, test: 0 });
    }
    let (mut seen, mut inputs, mut duplicates) = (Set::default(), 0, 0);
    for test in 0..tests.min(INPUTS) {
        if began.elapsed() > TIME {
            break;
        }
        let size = session.size(test);
        let times = draw_times::timed(|| {
            // Generated as in the run: a shaped test is recorded on a tape.
            let is_shaped = Shape::is_due(test);
            let mut source = if is_shaped {
                Source::test(session.seed, test, size)
            } else {
                Source::random(session.seed, test, size)
            };
            let _ = catch(|| property.generate(&mut source, &[]).is_ok());
        });
        for (draws, time) in by_variable.iter_mut().zip(times) {
            draws.all += time;
            if time > draws.slowest {
                (draws.slowest, draws.test) = (time, test);
            }
        }
        // An input that a condition discards does not count.
        if let Ok(Ok(bindings)) = catch(|| property.print(&mut Source::test(session.seed, test, size), &[])) {
            let mut text = Fnv::default();
            for binding in &bindings {
                text.bytes(binding.printed.text().as_bytes());
                text.bytes(&[0]);
            }
            inputs += 1;
            duplicates += u64::from(!seen.insert(text.finish()));
        }
    }
    let mut draws = Vec::new();
    for Draws { name, all, slowest, test } in &by_variable {
        let (seconds, slowest) = (all.as_secs_f64(), slowest.as_secs_f64());
        draws.push(protocol::Draws { variable: (*name).to_owned(), seconds, slowest, test: *test });
    }
    session.recorders().record(Profiled { inputs, duplicates, draws });
    session.leave_out(began.elapsed());
}
