//! Looks after running tests from outside: shows how far those are that take a while, names those that hang, and those that
//! end the process.

use crate::choice::MAX_ITEMS;
use crate::context::{Context, Phase};
use crate::fact::{Fact, urgent};
use crate::output::progress::{self, Doing};
use crate::output::shout;
use crate::sort::retain;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A test that has run this long is named, and again each time it has run twice as long.
const LONG: Duration = Duration::from_secs(10);

/// How often the watcher looks: so often a person sees that something moves.
const PERIOD: Duration = Duration::from_millis(200);

/// A run that takes longer than this is shown, if there is a terminal.
const A_WHILE: Duration = Duration::from_secs(1);

struct Watched {
    /// The test of the harness that it runs in, if that is known.
    test: Option<String>,
    context: Context,
    pulse: (u64, u64),
    since: Instant,
    told: Duration,
    /// Whether it is to be shown how far it is.
    progress: bool,
    begun: Instant,
}

struct Watch {
    runs: Vec<Watched>,
    thread_is_up: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch { runs: Vec::new(), thread_is_up: false });

/// Until dropped, the run is watched.
pub(crate) struct Guard {
    context: Context,
}

/// Watches the run with this context, which is begun by a test of the harness, and shows how far it is if that is wanted.
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
        // Without a thread the tests run all the same; nobody is told when one of them hangs.
        watch.thread_is_up = std::thread::Builder::new().name("forall-watch".to_owned()).spawn(look_again).is_ok();
    }
    Guard { context: context.clone() }
}

impl Drop for Guard {
    fn drop(&mut self) {
        forget(&self.context);
        progress::clear();
    }
}

/// Does not look after a run any more.
pub(super) fn forget(context: &Context) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    retain(&mut watch.runs, |run| !run.context.is_same(context));
}

fn look_again() {
    let mut told_of_interrupt = false;
    loop {
        std::thread::sleep(PERIOD);
        let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
        if watch.runs.is_empty() {
            watch.thread_is_up = false;
            return;
        }
        for run in &mut watch.runs {
            let pulse = run.context.pulse();
            if pulse != run.pulse {
                (run.pulse, run.since, run.told) = (pulse, Instant::now(), LONG / 2);
            } else if run.since.elapsed() >= run.told * 2 {
                run.told = run.since.elapsed();
                urgent::tell(run.context.property(), &still_running(run));
            }
        }
        if crate::interrupt::came() && !std::mem::replace(&mut told_of_interrupt, true) {
            shout(&format!("forall: {}\n", Fact::WaitsAfterInterrupt));
        }
        show_progress(&watch.runs);
    }
}

/// What to say of a run in which nothing has moved for long.
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

/// Shows how far the run is that began first.
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

/// What to say when the process ends while tests run: one of them has called `exit`. Whether any ran.
pub(crate) fn process_ends() -> bool {
    let Ok(watch) = WATCH.try_lock() else { return false };
    // It is the thread that called `exit` which comes here. If it is not one of ours, it may have been started by any test.
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
                    Phase::Testing => "an input that had failed before was run again",
                    Phase::Shrinking => "a failing input was being made smaller",
                    Phase::Explaining => "inputs like one that fails were tried, to explain it",
                };
                Fact::ExitedWhile { property, doing: doing.to_owned(), input }
            };
            urgent::tell(context.property(), &[fact]);
        }
    }
    !watch.runs.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_named_by_what_the_run_is_doing() {
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
        let endless = "Earlier tests of this run drew more than 4,194,304 choices, the most that can be recorded";
        assert!(said().contains("To run that test alone") && said().contains(endless), "{}", said());
        context.say_in_block(false);
        context.say_chosen(true);
        assert!(said().contains("the pool or the feedback"), "{}", said());
    }
}
