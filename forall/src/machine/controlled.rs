//! Parallel programs under the controlled scheduler: a search for a schedule that fails, and the replay of one.
//!
//! The caller makes systems and judges runs; the branches run one at a time on the threads of a crew.

use super::misused::misused;
use super::parallel::{Parallel, Ran};
use super::picture::Picture;
use super::program::Program;
use super::repeat::Repeats;
use super::round::{Ended, How, Prepared, Rounds};
use super::schedule::Recorded;
use super::turns::{self, Names};
use super::{Interleaving, Provoke, Shared};
use crate::context;
use crate::linearizability::Order;
use crate::property::{Failure, FailureKind};
use crate::scheduler::{self, Budget, Crew, End, Happened, Job, Plan, Search};
use crate::statistics::{NOT_CONTROLLED, SCHEDULES};
use crate::text::joined;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of random runs of a search per repetition that the tuning asks for: a controlled run takes a fraction of
/// the time of one on real threads. The same number of systematic runs comes first, with one preemption each, if that
/// covers all of them.
const RUNS: u64 = 4;
const SWITCHES: usize = 1;

/// The limits for a program that was written by hand, which is the only one of its test: the number of runs, and of
/// preemptions.
const RUNS_BY_HAND: u64 = 20_000;
const SWITCHES_BY_HAND: usize = 2;

/// The limits of a search that follows a recorded schedule which passes: the number of systematic runs, of random ones, and of
/// runs in one process. The numbers of points change with the commands before them, and with the code: a program with fewer
/// commands, or one that was compiled again, may fail at a point nearby.
const RUNS_NEAR: u64 = 400;
const RANDOM_NEAR: u64 = 50;
const MOST_NEAR: u64 = 40_000;

/// The number of runs of such searches in this process.
static NEAR: AtomicU64 = AtomicU64::new(0);

/// The result of the last search, by its property and seed: the test is generated again to record its choices, and a
/// repeated search could differ, because it depends on the state of the allocator.
static FOUND: Mutex<Option<Found>> = Mutex::new(None);

/// The result of a search.
#[derive(Clone)]
struct Found {
    property: String,
    seed: u64,
    plan: Plan,
    /// The number of schedules until then, of all programs of the property.
    tried: u64,
}

/// The property that searches, and the number of schedules it has tried.
static TRIED: Mutex<(String, u64)> = Mutex::new((String::new(), 0));

/// Adds to the number of schedules that this property has tried; returns their number.
fn tried(more: u64) -> u64 {
    let context = context::context();
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    if tried.0 != context.property() {
        *tried = (context.property().to_owned(), 0);
    }
    tried.1 += more;
    tried.1
}

/// A run that did not pass.
struct Failed {
    ended: Ended,
    happened: Option<Happened>,
}

impl<S: Shared, const BRANCHES: usize> Parallel<S, BRANCHES> {
    /// Runs the program under the scheduler. Returns `None` if this build has no scheduler: the branches then run on
    /// real threads. The scheduler runs alone, since what real threads find depends on the load of the machine.
    pub(super) fn controlled(&self, order: Option<Order>) -> Option<Ran> {
        let program = &*self.program;
        if !scheduler::is_available() {
            self.needs_no_scheduler();
            return None;
        }
        if let Some(failure) = self.refused() {
            return Some(Ran { repetitions: 0, failure: Some(failure), picture: None, undecided: 0 });
        }
        let mut controlled =
            Controlled { parallel: self, order, repetitions: 0, undecided: 0, uncontrolled: Vec::new() };
        let mut forks = program.forks.as_ref().map(|forks| forks.lock().unwrap_or_else(PoisonError::into_inner));
        let seed = forks.as_mut().map_or(Some(0), |forks| forks.seed());
        let failed = match (seed, &mut forks) {
            (Some(seed), forks) => {
                let began = forks.as_mut().map(|forks| forks.begin_search(seed));
                let failed = controlled.search(seed, program.by_hand);
                let plan = failed.as_ref().and_then(|failed| failed.happened.as_ref()).map(|happened| &happened.plan);
                if let (Some(forks), Some(began)) = (forks, began) {
                    forks.write(began, plan);
                }
                failed
            }
            (None, Some(forks)) => match (forks.marks(), forks.read()) {
                (marks, Some(Recorded::Schedule(plan))) => {
                    let preemptions = plan.switches.len();
                    let failed = controlled.follow(plan);
                    if failed.is_some() {
                        failed
                    } else {
                        let failed = controlled.search_near(preemptions);
                        if let Some(Failed { happened: Some(happened), .. }) = &failed {
                            forks.rewrite(marks, &happened.plan);
                        }
                        failed
                    }
                }
                (_, Some(Recorded::Search(seed))) => controlled.search(seed, program.by_hand),
                // A candidate of shrinking: no preemption is simpler than some.
                (_, None) if found().is_some() => controlled.follow(Plan::default()),
                // It was recorded on real threads.
                (_, None) => controlled.search(0, program.by_hand),
            },
            (None, None) => None,
        };
        drop(forks);
        if !controlled.uncontrolled.is_empty() {
            context::tabulate(SCHEDULES, format!("{NOT_CONTROLLED}{}", joined(&controlled.uncontrolled, ", ")));
        }
        Some(match failed {
            Some(failed) => controlled.described(failed),
            None => {
                let Controlled { repetitions, undecided, .. } = controlled;
                Ran { repetitions, failure: None, picture: None, undecided }
            }
        })
    }

    /// In a build without the scheduler, stops the test if it needs one.
    fn needs_no_scheduler(&self) {
        let Program { spec, forks, .. } = &*self.program;
        if spec.tuning().interleaving == Interleaving::Controlled {
            misused(format!(
                "controlled interleavings require an instrumented build: run `cargo forall race{}`",
                name()
            ));
        }
        let Some(forks) = forks else { return };
        let mut forks = forks.lock().unwrap_or_else(PoisonError::into_inner);
        if forks.root.has_input() && forks.read().is_some() {
            // The saved failure stays: a pass on real threads says nothing about this schedule.
            context::context().say_it_needs_a_scheduler();
            context::assume(false, "replayable");
        }
    }
}

/// The name of the running property, as a command-line argument.
fn name() -> String {
    let context = context::context();
    let name = context.property().rsplit("::").next().unwrap_or_default();
    if name.is_empty() { String::new() } else { format!(" {name}") }
}

/// Returns what the last search of the running property found: the failure that is being shrunk, if there is one.
fn found() -> Option<Found> {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.as_ref().filter(|found| found.property == context::context().property()).cloned()
}

/// The runs of one program.
struct Controlled<'a, S: Shared, const BRANCHES: usize> {
    parallel: &'a Parallel<S, BRANCHES>,
    order: Option<Order>,
    repetitions: u64,
    undecided: u64,
    /// Threads that blocked where the scheduler cannot see it.
    uncontrolled: Vec<String>,
}

impl<S: Shared, const BRANCHES: usize> Controlled<'_, S, BRANCHES> {
    fn branches(&self) -> usize {
        self.parallel.program.branches.len()
    }

    /// Searches for a schedule that fails.
    fn search(&mut self, seed: u64, by_hand: bool) -> Option<Failed> {
        let known = found().filter(|known| known.seed == seed);
        if let Some(Found { plan, .. }) = known
            && let Some(failed) = self.follow(plan)
        {
            return Some(failed);
        }
        let tuning = self.parallel.program.spec.tuning();
        let random = u64::from(tuning.repetitions.max(1)) * RUNS;
        let budget = match by_hand {
            true => Budget { systematic: RUNS_BY_HAND, switches: SWITCHES_BY_HAND, random },
            false => Budget { systematic: random, switches: SWITCHES, random },
        };
        let before = self.repetitions;
        let failed = self.find(seed, budget, by_hand);
        self.remember(seed, failed, tried(self.repetitions - before))
    }

    /// Searches for a plan that fails, in place of a recorded one with this many preemptions, which passes.
    fn search_near(&mut self, switches: usize) -> Option<Failed> {
        if switches == 0 || NEAR.load(Ordering::Relaxed) >= MOST_NEAR {
            return None;
        }
        let is_shrinking = found().is_some();
        let before = self.repetitions;
        let budget = Budget { systematic: RUNS_NEAR, switches: switches.min(SWITCHES_BY_HAND), random: RANDOM_NEAR };
        let failed = self.find(0, budget, false);
        NEAR.fetch_add(self.repetitions - before, Ordering::Relaxed);
        if failed.is_some() && !is_shrinking && context::wants_notes() {
            context::note(turns::moved(&self.uncontrolled));
        }
        failed
    }

    /// Searches within a budget.
    fn find(&mut self, seed: u64, budget: Budget, by_hand: bool) -> Option<Failed> {
        let tuning = self.parallel.program.spec.tuning();
        let is_parallel = self.parallel.program.branches.iter().filter(|branch| !branch.is_empty()).count() > 1;
        // If only one branch has commands, all runs are the same.
        let budget = if is_parallel { budget } else { Budget { systematic: 0, switches: 0, random: 0 } };
        let mut search = Search::new(seed, self.branches(), budget);
        let (rounds, job) = self.rounds();
        let mut crew = crew_of(self.branches());
        let failed = loop {
            if search.is_over() || context::context().is_abandoned() {
                break None;
            }
            let prepared = match self.prepare(&rounds) {
                Ok(prepared) => prepared,
                Err(failed) => break Some(*failed),
            };
            let Ok((happened, left)) = crew.search(&mut search, &job, tuning.hangs_after) else { return None };
            let failed = self.judge(&rounds, &prepared, happened);
            crew = match left {
                Some(crew) => crew,
                None => return failed,
            };
            if failed.is_some() {
                break failed;
            }
        };
        crew.rest();
        if let (None, Some((switches, runs))) = (&failed, search.exhausted().filter(|_| is_parallel)) {
            // A program that was written by hand is the only one of its test, so its number of schedules is of interest.
            let row = if by_hand { turns::exhausted_by(switches, runs) } else { turns::exhausted(switches) };
            context::tabulate(SCHEDULES, row);
        }
        failed
    }

    fn remember(&self, seed: u64, failed: Option<Failed>, tried: u64) -> Option<Failed> {
        if let Some(happened) = failed.as_ref().and_then(|failed| failed.happened.as_ref()) {
            let property = context::context().property().to_owned();
            let found = Found { property, seed, plan: happened.plan.clone(), tried };
            *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        }
        failed
    }

    /// Runs the program once, by this plan.
    fn follow(&mut self, plan: Plan) -> Option<Failed> {
        let hangs_after = self.parallel.program.spec.tuning().hangs_after;
        let (rounds, job) = self.rounds();
        let prepared = match self.prepare(&rounds) {
            Ok(prepared) => prepared,
            Err(failed) => return Some(*failed),
        };
        let crew = crew_of(self.branches());
        let (happened, crew) = crew.follow(plan, &job, hangs_after, context::wants_notes());
        if let Some(crew) = crew {
            crew.rest();
        }
        self.judge(&rounds, &prepared, happened)
    }

    /// Creates a system, and runs the prefix on it: under the scheduler, where a command that never ends is noticed.
    fn prepare(&self, rounds: &Arc<Rounds<S>>) -> Result<Prepared<S>, Box<Failed>> {
        let over = || Box::new(Failed { ended: rounds.ended(), happened: None });
        let Program { spec, prefix, .. } = &*self.parallel.program;
        let model = scheduler::preparing(|| rounds.create()).ok_or_else(over)?;
        if !prefix.is_empty() {
            let leading = Arc::clone(rounds);
            let job: Job = Arc::new(move |_| leading.lead());
            let hangs_after = spec.tuning().hangs_after;
            let (happened, crew) = crew_of(1).follow(Plan::default(), &job, hangs_after, context::wants_notes());
            match crew {
                Some(crew) => crew.rest(),
                None => {
                    let text = format!("before the branches: {}", turns::why_no_end(&happened.end));
                    let ended = never_ended(&happened.end, text, rounds.led_so_far(), &Names::of_prefix(prefix));
                    return Err(Box::new(Failed { ended, happened: None }));
                }
            }
        }
        scheduler::between_runs(|| rounds.prepare_led(model)).ok_or_else(over)
    }

    fn rounds(&self) -> (Arc<Rounds<S>>, Job) {
        let program = &self.parallel.program;
        let lengths: Vec<usize> = program.branches.iter().map(Vec::len).collect();
        let repeats = Repeats::of(&program.spec.tuning(), &lengths);
        let how = How { is_controlled: true, order: self.order, provoke: Provoke::nothing(), repeats };
        let rounds = Arc::new(Rounds::new(Arc::clone(program), how, context::context()));
        let branches = Arc::clone(&rounds);
        (rounds, Arc::new(move |branch| branches.run_controlled(branch)))
    }

    /// The failure of a run; `None` if it passed.
    fn judge(&mut self, rounds: &Rounds<S>, prepared: &Prepared<S>, happened: Happened) -> Option<Failed> {
        self.repetitions += 1;
        for name in &happened.uncontrolled {
            if !self.uncontrolled.contains(name) {
                self.uncontrolled.push(name.clone());
            }
        }
        if happened.end == End::Finished {
            scheduler::between_runs(|| rounds.conclude(&prepared.model, &prepared.prefix));
            let ended = rounds.ended();
            self.undecided += ended.undecided;
            let failed = ended.failure.is_some() || ended.signal.is_some();
            return failed.then_some(Failed { ended, happened: Some(happened) });
        }
        let stuck_in: Vec<(usize, usize)> =
            happened.end.stuck().iter().map(|stuck| (stuck.thread, stuck.command)).collect();
        let picture = rounds.drawn_so_far(&prepared.prefix, &stuck_in);
        let text = turns::why_no_end(&happened.end).to_owned();
        let ended = never_ended(&happened.end, text, picture, &self.names());
        Some(Failed { ended, happened: Some(happened) })
    }

    /// A run that failed, with its schedule as a note.
    fn described(&self, failed: Failed) -> Ran {
        let Failed { ended: Ended { failure, picture, signal, .. }, happened } = failed;
        if let Some(signal) = signal {
            super::misused::go_on(signal);
        }
        let failure = failure.map(|failure| self.parallel.described(failure, picture.as_ref()));
        if let (true, Some(happened)) = (context::wants_notes(), &happened) {
            context::note(self.names().schedule(happened, found().map(|found| found.tried)));
        }
        Ran { repetitions: self.repetitions, failure, picture, undecided: self.undecided }
    }

    /// The names of the branches and their commands in a report.
    fn names(&self) -> Names {
        let branches = &self.parallel.program.branches;
        let shown = |branch: &Vec<S::Command>| branch.iter().map(|command| format!("{command:?}")).collect();
        Names { branches: branches.iter().map(shown).collect(), is_prefix: false }
    }
}

fn crew_of(branches: usize) -> Crew {
    Crew::of(branches).unwrap_or_else(|(branch, error)| misused(super::team::no_thread(branch, &error)))
}

/// The failure of a run that never ends, with its threads as a note.
fn never_ended(end: &End, text: String, picture: Picture, names: &Names) -> Ended {
    if context::wants_notes() {
        context::note(names.waiting(end.stuck()));
    }
    let failure = Some(Failure::new(FailureKind::Error, text));
    Ended { repetitions: 1, failure, picture: Some(picture), ..Ended::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;

    #[test]
    fn the_schedule_of_one_property_is_not_followed_for_another() {
        let found_by = |property| Context::new(property, 0, 0).activate();
        let known = Found { property: "one".to_owned(), seed: 0, plan: Plan::default(), tried: 7 };
        *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        let active = found_by("one");
        assert_eq!(found().map(|found| found.tried), Some(7));
        drop(active);
        let _active = found_by("another");
        assert!(found().is_none());
    }
}
