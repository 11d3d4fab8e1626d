//! Flaky failures: the outcomes of reruns and their frequencies, and shrinking with retries.

use super::found::{Effort, stage_of};
use super::replay::last_part;
use super::{Ending, RETRIES, Session, fails_alike};
use crate::fact::Fact;
use crate::property::{Binding, Failure, FailureKind};
use crate::run::keeping::Stage;
use crate::run::{Case, Counterexample, Found, Reruns, Shrinking, Tested, Verdict};
use crate::shrink::Retries;
use crate::testing::MOST_BESIDE;
use std::time::{Duration, Instant};

/// The number of reruns before a case counts as always failing: an input that fails nineteen times in twenty most
/// likely passes at least once in that many.
const REPEATS: u32 = 100;
/// The same if its body prints: each run adds output before the report.
const REPEATS_PRINTING: u32 = 5;
/// A case is rerun only if a run takes at most this long, so that several runs fit. On a busy machine, a fast one may
/// take a millisecond or two.
const FAST: Duration = Duration::from_millis(5);
/// And only while all reruns together take at most this long.
const REPEATS_TIME: Duration = Duration::from_millis(20);
/// The same for an isolated test: starting a process takes longer than most tests, and each crash starts one.
const REPEATS_TIME_ISOLATED: Duration = Duration::from_millis(200);

/// The limit on runs for a flaky failure, beyond one for each candidate.
const EXTRA_RUNS: u64 = 500;
/// The share of these runs that is reserved for inputs that may be reported, which must fail twice: the first, and a
/// few of the last accepted candidates.
const RESERVED: u64 = 9 * RETRIES as u64;
/// The number of runs within which an input that failed once must fail again. One that fails in a tenth of its runs
/// most likely does.
const UNTIL_IT_FAILS: u32 = 3 * RETRIES;
/// The share of these runs for candidates that crash: one that crashed a used process counts only if it crashes alone
/// as well.
const CONFIRMED: u32 = 60;
/// The limit on runs of a candidate in each of the successive searches. In the last one, an input that fails in half of
/// its runs is missed once in a thousand times.
const SEARCHES: [u32; 4] = [1, 2, 4, RETRIES];
/// The number of accepted candidates to remember: if the last does not fail again, an earlier one is reported.
pub(super) const TRAIL: usize = 64;

/// One part in this many of the shrinking time may be spent on rerunning the same input, so slow inputs are rerun less
/// often.
const SHARE: u32 = 4;

/// The last of several runs of a case.
pub(super) struct LastRun {
    pub(super) tested: Tested,
    /// Its notes.
    pub(super) notes: Vec<String>,
    /// The number of runs before it that failed.
    before: u32,
    /// The number of runs.
    pub(super) runs: u32,
}

impl Session<'_> {
    /// Ends with a failure that did not reproduce: the second run of the same input had another outcome. It may be a
    /// race with tests on other threads, or not.
    pub(super) fn flaky(
        &mut self,
        case: Case,
        failure: Failure,
        found: Found,
        bindings: Vec<Binding>,
        second: Tested,
        may_race: bool,
    ) -> Ending {
        if let Tested::Fault(fault) = second {
            self.keep(&case, &bindings, &failure, Stage::Found);
            return self.fault(&case, fault);
        }
        let mut shown = Counterexample::new(case, bindings, failure, found);
        self.look_again(&mut shown);
        let second = LastRun { tested: second, notes: Vec::new(), before: 0, runs: 1 };
        let passes = self.tell_other_runs(&mut shown, second);
        if passes && may_race {
            self.warn(Fact::RaceWithItself { threads: self.settings.threads as u64 });
            // The next run replays it on as many threads: on one it passes.
            self.keeper.beside = self.settings.threads.min(MOST_BESIDE);
        }
        if !self.may_shrink_flaky(&shown) || shown.reruns.failed == 0 {
            self.keep(&shown.case, &shown.bindings, &shown.failure, Stage::Found);
        }
        shown.stored = self.keeper.path();
        self.shrink_if_it_repeats(&mut shown);
        self.advise_on_race(&mut shown);
        (Verdict::Flaky, Some(shown))
    }

    /// Adds what to do about a parallel state machine that is flaky.
    pub(super) fn advise_on_race(&self, shown: &mut Counterexample) {
        if self.is_controlled() {
            shown.caveats.push(Fact::FlakyUnderControl);
        } else if self.repeats_by_itself() {
            shown.caveats.push(Fact::FlakyRace { property: last_part(self.tester.context().property()) });
        }
    }

    /// Whether a scheduler controls the interleaving of the tests: a failure that is confirmed once is no coincidence of threads.
    pub(super) fn is_controlled(&self) -> bool {
        self.workplace.is_controlled && self.repeats_by_itself()
    }

    /// A failure reproduced at first, but its shrunk input does not always fail. `found` is the original input.
    pub(super) fn reconsider(&mut self, shown: &mut Counterexample, found: (Case, Failure)) {
        if !self.may_shrink_flaky(shown) {
            return;
        }
        if shown.reruns.failed == 0
            && let Some(bindings) = shown.original.take()
        {
            let (case, failure) = found;
            let reran = self.rerun(&case, &failure, None);
            self.keep(&case, &bindings, &failure, Stage::Found);
            let Shrinking { evaluations, candidates, time, .. } = shown.shrinking;
            shown.shrinking = Shrinking { evaluations, candidates, time, ..Shrinking::default() };
            (shown.case, shown.bindings, shown.failure) = (case, bindings, failure);
            reran.apply_to(shown);
            shown.stored = self.keeper.path();
        }
        self.shrink_if_it_repeats(shown);
    }

    /// Shrinks a flaky failure if its input failed more than once; otherwise notes that it is not shrunk.
    fn shrink_if_it_repeats(&mut self, shown: &mut Counterexample) {
        match shown.reruns {
            _ if !self.may_shrink_flaky(shown) => {}
            Reruns { failed: 0, runs } => shown.caveats.push(Fact::FlakyAndLost { runs }),
            _ => self.shrink_flaky(shown),
        }
    }

    fn may_shrink_flaky(&self, shown: &Counterexample) -> bool {
        self.settings.shrink_evaluations > 0
            && shown.case.searched_to().is_none()
            && shown.found != Found::Given
            && !self.keeper.is_given_up()
            && !self.repeats_by_itself()
    }

    /// Whether tests repeat themselves and determine how often, as those of parallel state machines do.
    pub(super) fn repeats_by_itself(&self) -> bool {
        if let Some(isolation) = &self.workplace.isolation {
            return isolation.repeats();
        }
        self.tester.context().repeats()
    }

    /// Shrinks an input that failed at least twice, but not always. The reported input failed at least twice as well.
    fn shrink_flaky(&mut self, shown: &mut Counterexample) {
        let mut trail = Vec::new();
        let (first, failure) = (shown.case.clone(), shown.failure.clone());
        let time = self.settings.shrink_time.saturating_sub(shown.shrinking.time) / 2;
        let (mut case, mut failure) = (first.clone(), failure);
        let mut story = std::mem::take(&mut shown.shrinking);
        let was_shrunk = story.evaluations > 0;
        let (mut retries, most) = (Retries::default(), EXTRA_RUNS - RESERVED);
        let most = match &self.workplace.isolation {
            Some(isolation) => {
                isolation.confirm(CONFIRMED);
                most - u64::from(CONFIRMED)
            }
            None => most,
        };
        for runs in SEARCHES {
            if was_shrunk && runs == 1 {
                continue;
            }
            let left = most.saturating_sub(story.retries);
            (retries.runs, retries.most) = (runs, if runs < RETRIES { left / 2 } else { left });
            let evaluations = self.settings.shrink_evaluations.saturating_sub(story.evaluations);
            let effort = Effort { evaluations, time: time.saturating_sub(story.time) };
            let (better, how, more) = self.shrink_by(case, failure, &effort, Some((&mut retries, &mut trail)));
            (case, failure) = (better, how);
            add(&mut story, more);
        }
        for (case, failure) in &std::mem::take(&mut story.others) {
            self.keep_other(case, failure, Stage::Found);
            story.others.push((case.clone(), failure.clone()));
        }
        shown.shrinking = story;
        if case == first {
            self.keep(&case, &shown.bindings, &failure, stage_of(&shown.shrinking));
        } else {
            self.show_what_fails_again(shown, trail);
        }
        shown.caveats.extend_from_slice(&shown.shrinking.faults);
        shown.stored = self.keeper.path();
    }

    /// Reports the last accepted candidate that fails once more; if none does, the reported input stays.
    fn show_what_fails_again(&mut self, shown: &mut Counterexample, mut trail: Vec<(Case, Failure)>) {
        let (mut back, started, time) = (1, Instant::now(), self.settings.shrink_time / SHARE);
        while back <= trail.len() && (back == 1 || started.elapsed() < time) {
            let at = trail.len() - back;
            let reran = self.rerun(&trail[at].0, &trail[at].1, None);
            if reran.reruns.failed == 0 {
                back *= 2;
                continue;
            }
            if back > 1 && shown.shrinking.cut_short.is_none() {
                shown.shrinking.cut_short = Some(Fact::LastFailedTwice);
            }
            let (case, failure) = trail.swap_remove(at);
            let bindings = self.tester.print(&case);
            self.keep(&case, &bindings, &failure, stage_of(&shown.shrinking));
            let again = reran.failure.clone();
            (shown.case, shown.failure) = (case, again.unwrap_or(failure));
            let before = std::mem::replace(&mut shown.bindings, bindings);
            shown.original.get_or_insert(before);
            shown.caveats.clear();
            self.look_again(shown);
            reran.apply_to(shown);
            return;
        }
        if shown.original.is_none() {
            shown.caveats.push(Fact::FlakyWhenSimpler);
        }
        (shown.shrinking.accepted, shown.shrinking.cut_short) = (0, None);
        shown.shrinking.passes.clear();
        self.keep(&shown.case, &shown.bindings, &shown.failure, Stage::Found);
    }

    /// Reruns a failing case as often as the time permits. Returns the run that did not fail in the same way, or else
    /// the first.
    ///
    /// A given input is not repeated; missing a deadline and losing a race vary from run to run.
    pub(super) fn run_repeatedly(&self, shown: &Counterexample) -> LastRun {
        self.begin_anew(&shown.failure);
        let started = Instant::now();
        let (tested, notes) = self.run_with_notes(&shown.case);
        let mut first = LastRun { tested, notes, before: 0, runs: 1 };
        let once = shown.found == Found::Given || shown.failure.kind == FailureKind::Deadline || self.keeper.beside > 1;
        let (fast, time) = match &self.workplace.isolation {
            Some(_) => (REPEATS_TIME_ISOLATED / 4, REPEATS_TIME_ISOLATED),
            None => (FAST, REPEATS_TIME),
        };
        if once || !fails_alike(&first.tested, &shown.failure) || started.elapsed() >= fast {
            return first;
        }
        for before in 1..if self.settings.prints { REPEATS_PRINTING } else { REPEATS } {
            if started.elapsed() >= time || self.tester.context().is_cancelled() {
                break;
            }
            let (tested, notes) = self.run_with_notes(&shown.case);
            first.runs += 1;
            if !fails_alike(&tested, &shown.failure) {
                return LastRun { tested, notes, before, runs: first.runs };
            }
        }
        first
    }

    /// Runs a case and collects its notes.
    pub(super) fn run_with_notes(&self, case: &Case) -> (Tested, Vec<String>) {
        self.tester.context().want_notes(true);
        let (_, tested) = self.tester.run_to_the_end(case);
        let notes = self.tester.context().take_notes();
        self.tester.context().want_notes(false);
        (tested, notes)
    }

    /// Adds the other outcomes of a failing input and their frequencies to the report, after a run that did not fail in
    /// the same way. Returns whether it always passes now.
    pub(super) fn tell_other_runs(&self, shown: &mut Counterexample, other: LastRun) -> bool {
        let reran = self.rerun(&shown.case, &shown.failure, Some(other));
        let passes = reran.passed == reran.reruns.runs;
        reran.apply_to(shown);
        passes
    }

    /// Reruns the input of a failure a few times, and adds the outcomes to the report.
    pub(super) fn tell_reruns(&self, shown: &mut Counterexample) {
        self.rerun(&shown.case, &shown.failure, None).apply_to(shown);
    }

    /// Reruns a failing input a few times, in addition to `other` if that is given, and then until it fails. Slow
    /// inputs are limited to a part of the shrinking time.
    fn rerun(&self, case: &Case, failure: &Failure, other: Option<LastRun>) -> Reran {
        let mut reran = Reran::default();
        if let Some(LastRun { tested, notes, before, .. }) = other {
            reran.other_notes = notes;
            reran.count(tested, 1);
            if before > 0 {
                reran.count(Tested::Fail(failure.clone()), before.into());
                reran.reruns.failed += u64::from(before);
            }
        }
        let started = Instant::now();
        let time = if self.repeats_by_itself() { Duration::MAX } else { self.settings.shrink_time / SHARE };
        let most = if self.repeats_by_itself() { RETRIES } else { UNTIL_IT_FAILS };
        for run in 0..most {
            if run >= RETRIES && reran.reruns.failed > 0 {
                break;
            }
            self.begin_anew(failure);
            let (tested, notes) = self.run_with_notes(case);
            let said = match &tested {
                Tested::Fail(again) if again.same_origin(failure) => {
                    reran.reruns.failed += 1;
                    reran.failure.get_or_insert_with(|| again.clone());
                    &mut reran.notes
                }
                _ => &mut reran.other_notes,
            };
            if said.is_empty() {
                *said = notes;
            }
            reran.count(tested, 1);
            if started.elapsed() >= time || self.tester.context().is_cancelled() {
                break;
            }
        }
        reran
    }
}

/// The outcomes of further runs of an input.
#[derive(Default)]
struct Reran {
    /// Each outcome, and how often it occurred.
    told: Vec<(Tested, u64)>,
    reruns: Reruns,
    /// The number of runs that passed.
    passed: u64,
    /// The failure of the first run that failed in the same way.
    failure: Option<Failure>,
    /// The notes of one of these,
    notes: Vec<String>,
    /// and of one of the others.
    other_notes: Vec<String>,
}

impl Reran {
    fn count(&mut self, tested: Tested, times: u64) {
        self.reruns.runs += times;
        if let Tested::Pass = tested {
            self.passed += times;
        }
        match self.told.iter_mut().find(|(other, _)| is_alike(other, &tested)) {
            Some((_, count)) => *count += times,
            None => self.told.push((tested, times)),
        }
    }

    /// Adds them to the report of the input.
    fn apply_to(self, shown: &mut Counterexample) {
        (shown.other_run, shown.reruns) = (self.told, self.reruns);
        (shown.notes, shown.other_notes) = (self.notes, self.other_notes);
    }
}

/// Whether two runs had the same outcome.
fn is_alike(one: &Tested, other: &Tested) -> bool {
    match (one, other) {
        (Tested::Fail(one), Tested::Fail(other)) => one.same_origin(other),
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Adds the statistics of another search that continued where the first ended.
fn add(story: &mut Shrinking, more: Shrinking) {
    story.accepted += more.accepted;
    story.evaluations += more.evaluations;
    story.retries += more.retries;
    story.candidates += more.candidates;
    story.rejected += more.rejected;
    story.time += more.time;
    story.cut_short = more.cut_short;
    if let Some(Fact::EvaluationsSpent { evaluations }) = &mut story.cut_short {
        *evaluations = story.evaluations;
    }
    story.faults.extend(more.faults);
    for pass in more.passes {
        match story.passes.iter_mut().find(|other| other.name == pass.name) {
            Some(other) => (other.tried, other.accepted) = (other.tried + pass.tried, other.accepted + pass.accepted),
            None => story.passes.push(pass),
        }
    }
    for (case, failure) in more.others {
        if !story.others.iter().any(|(_, other)| other.same_origin(&failure)) {
            story.others.push((case, failure));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shrinking, add};
    use crate::fact::Fact;
    use crate::prelude::*;
    use crate::run::{Found, Report, Run, Settings, Statistics, Store, Tested, Verdict};
    use std::cell::Cell;

    /// The report of a parallel state machine, which fails in some of its runs: the first has number 1.
    fn report(is_controlled: bool, fails: impl Fn(u32) -> bool + 'static) -> Report {
        let runs = Cell::new(0);
        let property = property! { forall n in 0..1000u32; check {
            runs.set(runs.get() + 1);
            *n == 1000 || !fails(runs.get())
        } };
        let settings = Settings::new().store(Store::Off).shrink_evaluations(0).explain(0);
        let mut session = Run::new("races::transfers", &property).settings(settings).session().unwrap();
        session.workplace.is_controlled = is_controlled;
        session.tester.context().say_it_repeats();
        let (case, Tested::Fail(failure)) = session.tester.record(0, 100) else { panic!("the first run fails") };
        let ending = session.found(case, failure, Found::Random { index: 0, size: 100 });
        session.finish(ending, Statistics::default())
    }

    #[test]
    fn every_flaky_race_has_advice_that_fits_races() {
        let race = Fact::FlakyRace { property: "transfers".to_owned() };
        for (is_controlled, advice) in [(false, race), (true, Fact::FlakyUnderControl)] {
            // The failure is not confirmed, or it is lost after that.
            for lost_after in [1, 2] {
                let report = report(is_controlled, move |run| run <= lost_after);
                let caveats = report.counterexample.unwrap().caveats;
                assert_eq!((report.verdict, &caveats[..]), (Verdict::Flaky, std::slice::from_ref(&advice)));
            }
        }
    }

    #[test]
    fn a_failure_that_is_confirmed_under_the_scheduler_fails_even_if_another_run_passes() {
        // It fails when it is found and confirmed, passes once, and fails again.
        let now_and_then = |run| run != 3;
        let controlled = report(true, now_and_then);
        let shown = controlled.counterexample.unwrap();
        assert_eq!((controlled.verdict, &shown.caveats[..]), (Verdict::Failed, &[Fact::FlakyUnderControl][..]));
        assert!(0 < shown.reruns.failed && shown.reruns.failed < shown.reruns.runs);
        assert_eq!(report(false, now_and_then).verdict, Verdict::Flaky);
        // The first replay passes, the next one fails.
        let later = report(true, |run| run != 2);
        assert_eq!(later.verdict, Verdict::Failed);
        assert_eq!(later.counterexample.unwrap().caveats, [Fact::FlakyUnderControl]);
        assert_eq!(
            Fact::FlakyUnderControl.to_string(),
            "The scheduler controls the interleaving, so something else differs from run to run: threads that the system starts before \
             the branches begin, state that outlives a system (a static, a file), addresses, the seed of a hash map, or input from \
             outside."
        );
    }

    #[test]
    fn a_failure_that_is_not_confirmed_under_the_scheduler_is_flaky() {
        assert_eq!(report(true, |run| run == 1).verdict, Verdict::Flaky);
        assert_eq!(report(true, |_| true).verdict, Verdict::Failed);
    }

    #[test]
    fn a_run_that_passes_warns_if_it_was_not_controlled() {
        let warnings = |is_controlled: bool, row: &'static str| {
            let property = property! { forall n in 0..3u32; check {
                crate::context::context().say_it_repeats();
                if *n > 0 {
                    tabulate!("schedules", row);
                }
                true
            } };
            let settings = Settings::new().store(Store::Off);
            let mut session = Run::new("transfers", &property).settings(settings).session().unwrap();
            session.workplace.is_controlled = is_controlled;
            crate::run::generational(session).warnings
        };
        let threads = vec!["branch 1".to_owned(), "branch 2".to_owned()];
        let warning = Fact::NotControlled { tests: 2, threads };
        let warned = warnings(true, "not controlled: branch 1, branch 2");
        assert_eq!(warned, std::slice::from_ref(&warning));
        assert!(warnings(true, "every schedule with up to 1 preemption at instrumented points").is_empty());
        assert!(warnings(false, "not controlled: branch 1, branch 2").is_empty());
        assert_eq!(
            warning.to_string(),
            "2 tests were not fully controlled (branch 1, branch 2): the operating system scheduled these threads, so other \
             interleavings were not tried, and a failure may not replay.\nThe scheduler controls the branches and the threads that \
             commands start. It does not see threads that the system starts before the branches begin, locks of C libraries, input \
             and output."
        );
        let one = Fact::NotControlled { tests: 1, threads: vec!["branch 1".to_owned()] };
        assert!(one.to_string().starts_with("1 test was not fully controlled (branch 1): "), "{one}");
    }

    #[test]
    fn the_limit_of_a_continued_search_counts_all_evaluations() {
        let spent = |evaluations| Some(Fact::EvaluationsSpent { evaluations });
        let mut story = Shrinking { evaluations: 30, cut_short: spent(30), ..Shrinking::default() };
        add(&mut story, Shrinking { cut_short: spent(0), ..Shrinking::default() });
        assert_eq!((story.evaluations, story.cut_short), (30, spent(30)));
    }
}
