//! What can be said of the inputs of a run beyond its tests: how many were alike, and which variables take long to draw.
//!
//! Test `i` is a function of the seed and of `i`, so its input can be made once more when the run is over. The tests themselves
//! then cost nothing, and run on as many threads as they like.

use crate::choice::{Shape, Source};
use crate::context::draw_times;
use crate::hash::{Fnv, Set};
use crate::panic::catch;
use crate::protocol::{self, Profiled};
use crate::run::{Session, Verdict};
use std::time::{Duration, Instant};

/// So many inputs are made again, the first ones of the run.
const INPUTS: u64 = 1000;

/// And for no longer than this.
const TIME: Duration = Duration::from_millis(100);

/// How long the draws of a variable took.
struct Draws {
    name: &'static str,
    all: Duration,
    slowest: Duration,
    /// The test with the slowest.
    test: u64,
}

/// Tells of the inputs of a run that ends, if somebody wants to know, and if chance alone chose them. It ran so many tests.
pub(crate) fn profile(session: &mut Session<'_>, verdict: &Verdict, tests: u64) {
    let at_random = session.settings.runner == "generational" && !matches!(verdict, Verdict::Exhausted { .. });
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
            // As the run generates it: a shaped test is on tape.
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
        // What a condition of the property discards is no input.
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
    session.recorders().tell(Profiled { inputs, duplicates, draws });
    session.leave_out(began.elapsed());
}
