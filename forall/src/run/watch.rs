//! Watches running tests from another thread: shows the progress of slow runs, and names tests that hang or end the
//! process.

use crate::choice::MAX_ITEMS;
use crate::context::{Context, Phase};
use crate::effects::remove_scratch_dirs;
use crate::fact::{Fact, urgent};
use crate::interrupt;
use crate::output::print_uncaptured;
use crate::output::progress::{self, Doing};
use crate::sort::retain;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A test that has run this long is reported, and again each time the duration has doubled.
const LONG: Duration = Duration::from_secs(10);

/// How often the watcher checks: often enough to show progress.
const PERIOD: Duration = Duration::from_millis(200);

/// A run that takes longer has a progress line, if there is a terminal.
const A_WHILE: Duration = Duration::from_secs(1);

struct Watched {
    /// The test of the harness in which it runs, if known.
    test: Option<String>,
    context: Context,
    pulse: (u64, u64),
    since: Instant,
    told: Duration,
    /// Whether to show its progress.
    progress: bool,
    begun: Instant,
}

struct Watch {
    runs: Vec<Watched>,
    thread_is_up: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch { runs: Vec::new(), thread_is_up: false });

/// Watches the run until dropped.
pub(crate) struct Guard {
    context: Context,
}

/// Watches the run with this context, which a test of the harness started, and shows its progress if requested.
pub(crate) fn watch(context: &Context, progress: bool, test: Option<String>) -> Guard {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.runs.push(Watched {
        test,
        context: context.clone(),
        pulse: context.pulse(),
        since: Instant::now(),
        told: LONG / 2,
        progress,
        begun: Instant::now(),
    });
    if !watch.thread_is_up {
        // If no thread can be started, the tests still run, but hanging tests are not reported.
        watch.thread_is_up = std::thread::Builder::new().name("forall-watch".to_owned()).spawn(look_again).is_ok();
        interrupt::watched(watch.thread_is_up);
    }
    Guard { context: context.clone() }
}

impl Drop for Guard {
    fn drop(&mut self) {
        forget(&self.context);
        progress::clear();
    }
}

/// Stops watching a run.
pub(super) fn forget(context: &Context) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    retain(&mut watch.runs, |run| !run.context.is_same(context));
}

fn look_again() {
    let mut told_of_interrupt = false;
    loop {
        std::thread::sleep(PERIOD);
        if let Some(signal) = interrupt::came_again() {
            remove_scratch_dirs();
            interrupt::end(signal);
        }
        let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
        if watch.runs.is_empty() {
            watch.thread_is_up = false;
            interrupt::watched(false);
            return;
        }
        for run in &mut watch.runs {
            let pulse = run.context.pulse();
            if pulse != run.pulse {
                (run.pulse, run.since, run.told) = (pulse, Instant::now(), LONG / 2);
            } else if run.since.elapsed() >= run.told * 2 {
                run.told = run.since.elapsed();
                urgent::announce(run.context.property(), &still_running(run));
            }
        }
        if interrupt::came() && !std::mem::replace(&mut told_of_interrupt, true) {
            print_uncaptured(&format!("forall: {}\n", Fact::WaitsAfterInterrupt));
        }
        show_progress(&watch.runs);
    }
}

/// The message about a run without progress.
fn still_running(Watched { context, test, told, .. }: &Watched) -> Vec<Fact> {
    if context.is_chosen() {
        let (property, index, seed) = (context.property().to_owned(), context.index(), context.seed());
        return vec![Fact::StillAtTest { property, index, seed, taken: *told }];
    }
    let mut facts = vec![still_at_one(context, test.clone(), *told)];
    if context.overran() {
        facts.push(Fact::MayDrawWithoutEnd { limit: MAX_ITEMS as u64 });
    }
    facts
}

fn still_at_one(context: &Context, test: Option<String>, taken: Duration) -> Fact {
    let property = context.property().to_owned();
    if !context.is_in_block() {
        return Fact::StillRunningInput { property, taken };
    }
    let (index, seed, tests) = (context.index(), context.seed(), context.tests());
    Fact::StillRunning { property, test, index, seed, tests, taken }
}

/// Shows the progress of the run that started first.
fn show_progress(runs: &[Watched]) {
    let mut slow = 0;
    let mut first = None;
    for run in runs.iter().filter(|run| run.progress && run.begun.elapsed() >= A_WHILE) {
        slow += 1;
        first.get_or_insert(run);
    }
    let Some(Watched { context, begun, .. }) = first else { return };
    let doing = match context.phase() {
        (Phase::Quoting, _) => Doing::Testing(0, context.tests()),
        (Phase::Testing, _) => Doing::Testing(context.index(), context.tests()),
        (Phase::Shrinking, runs) => Doing::Shrinking(runs, context.steps()),
        (Phase::Explaining, runs) => Doing::Explaining(runs),
    };
    progress::show(&progress::line(context.property(), doing, begun.elapsed(), slow - 1));
}

/// The message if the process ends while tests run, because one of them called `exit`. Returns whether any ran.
pub(crate) fn process_ends() -> bool {
    let Ok(watch) = WATCH.try_lock() else { return false };
    // The thread that called `exit` is this one. If it is not one of ours, any test may have started it.
    let mut is_ours = false;
    for run in &watch.runs {
        is_ours |= run.context.is_current();
    }
    for Watched { context, .. } in &watch.runs {
        if !is_ours || context.is_current() {
            let property = context.property().to_owned();
            let fact = if context.is_in_block() {
                Fact::Exited { property, index: context.index(), seed: context.seed() }
            } else {
                let input = context.at_hand();
                let doing = match context.phase().0 {
                    Phase::Quoting => "a test with literals ran",
                    Phase::Testing if input.is_empty() => "a test ran",
                    Phase::Testing => "a saved failure was replayed",
                    Phase::Shrinking => "a failing input was being shrunk",
                    Phase::Explaining => "a failure was being explained",
                };
                Fact::ExitedWhile { property, doing: doing.to_owned(), input }
            };
            urgent::announce(context.property(), &[fact]);
        }
    }
    !watch.runs.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_test_is_reported_with_the_activity_of_the_run() {
        let context = Context::new("sorts", 7, 0);
        let said = || {
            let (context, test) = (context.clone(), Some("tests::sorts".to_owned()));
            let (pulse, since) = (context.pulse(), Instant::now());
            let run = Watched { test, context, pulse, since, told: LONG, progress: false, begun: since };
            still_running(&run).iter().map(|fact| format!("{fact}\n")).collect::<String>()
        };
        assert!(said().contains("while replaying, shrinking"), "{}", said());
        context.say_in_block(true);
        assert!(said().contains("To run that test alone"), "{}", said());
        {
            let _active = context.activate();
            crate::context::say_overrun();
        }
        let endless = "Earlier tests of this run drew more than 4,194,304 choices, the recording limit";
        assert!(said().contains("To run that test alone") && said().contains(endless), "{}", said());
        context.say_in_block(false);
        context.say_chosen(true);
        assert!(said().contains("the pool or the feedback"), "{}", said());
    }
}
