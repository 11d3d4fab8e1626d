//! The campaign: the guided runner, with a corpus on disk and status lines.

use super::status::{Lines, Status};
use super::{Running, running_file};
use crate::Context;
use crate::choice::Random;
use crate::coverage::Coverage;
use crate::fact::Fact;
use crate::guide::guided;
use crate::guide::{Corpus, Directive, Feedback, Guide, Observed, Operands, Pool, Seed, Worth};
use crate::protocol::Phase;
use crate::run::{Ending, Example, Found, Report, Session, Statistics, Tested, Verdict};
use crate::store::Seeds;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Searches for a counterexample until the budget is used up.
pub(crate) fn campaign(mut session: Session<'_>, examples: &[Example]) -> Report {
    let mut coverage = match Coverage::new() {
        Ok(coverage) => coverage,
        Err(why) => {
            return session.finish((Verdict::Misconfigured(why.fact()), None), Statistics::default());
        }
    };
    record_running_input(&mut session);
    // The time is checked here: a campaign that has used all of it was not interrupted.
    let limit = session.settings.max_time.take();
    let progress = Rc::new(RefCell::new(Progress::new(&coverage)));
    progress.borrow_mut().enter(Phase::Replaying);
    if let Some(ending) = session.run_examples(examples).or_else(|| session.replay_first()) {
        return session.finish(ending, Statistics::default());
    }
    coverage.forget();
    let context = session.tester.context().clone();
    let mut feedback = Watched::new(coverage, Rc::clone(&progress), context, limit);
    let mut pool = OnDisk::new(Rc::clone(&progress));
    progress.borrow_mut().enter(Phase::Loading);
    if let Some(ending) = load(&mut session, &mut feedback, &mut pool) {
        return session.finish(ending, Statistics::default());
    }
    progress.borrow_mut().enter(Phase::Searching);
    let report = guided(session, &mut [Guide::new(feedback, pool)]);
    progress.borrow_mut().enter(Phase::Searching);
    report
}

fn record_running_input(session: &mut Session<'_>) {
    let Some(path) = running_file() else { return };
    match Running::open(&path, session.seed) {
        Ok(running) => session.tester.write_down(Box::new(running)),
        Err(error) => {
            let path = path.display().to_string();
            session.warn(Fact::InputNotWritten { path, error: error.to_string() });
        }
    }
}

/// Runs the corpus on disk. Inputs without new coverage are removed. Returns the ending, if an input fails.
fn load(session: &mut Session<'_>, feedback: &mut Watched, pool: &mut OnDisk) -> Option<Ending> {
    let files = session.corpus()?;
    let loaded = files.load();
    for skipped in loaded.skipped {
        session.warn(skipped);
    }
    for (path, case) in loaded.seeds {
        if session.is_over() {
            break;
        }
        // Inputs that an earlier campaign saved for their states stay.
        feedback.coverage.count_states();
        feedback.prepare();
        session.tester.context().say_chosen(true);
        let (case, tested) = session.tester.run(&case);
        session.tester.context().say_chosen(false);
        match tested {
            Tested::Fail(failure) => {
                let ending = session.found(case, failure, Found::Stored(path.display().to_string()));
                if let Some(ending) = session.past(ending) {
                    return Some(ending);
                }
            }
            Tested::Fault(fault) => return Some(session.fault(&case, fault)),
            tested => match feedback.observe(&Observed::new(0, &case, &tested)) {
                Some(Worth { utility, operands }) => pool.invest(Seed { operands, ..Seed::new(case, utility) }),
                None => files.remove(&path),
            },
        }
    }
    files.newer(&mut pool.known);
    pool.files = Some(files);
    None
}

/// The status of a campaign.
struct Progress {
    status: Status,
    lines: Lines,
}

impl Progress {
    fn new(coverage: &Coverage) -> Self {
        let places = coverage.places();
        let status = Status { phase: Phase::Replaying, executions: 0, edges: 0, places, corpus: 0, last_new: None };
        Self { status, lines: Lines::new() }
    }

    fn enter(&mut self, phase: Phase) {
        self.status.phase = phase;
        self.lines.print(&self.status);
    }
}

/// Coverage as feedback, which reports the status of the campaign and ends it.
struct Watched {
    coverage: Coverage,
    progress: Rc<RefCell<Progress>>,
    context: Context,
    limit: Option<Duration>,
    looks: Looks,
}

/// When to read the clock: about once per millisecond, because that takes as long as a small test.
struct Looks {
    /// The clock is read after this many tests, and was read this many tests ago, at this time.
    stride: u32,
    unlooked: u32,
    looked: Duration,
}

const MILLISECOND: Duration = Duration::from_millis(1);

/// The clock is read after at most this many tests: the next ones may be slow, and the campaign would exceed its time limit.
const MOST_UNLOOKED: u32 = 16;

impl Looks {
    fn new() -> Self {
        Self { stride: 1, unlooked: 0, looked: Duration::ZERO }
    }

    /// Counts a test. Returns whether to read the clock.
    fn are_due(&mut self) -> bool {
        self.unlooked += 1;
        self.unlooked >= self.stride
    }

    /// The clock was read.
    fn looked(&mut self, elapsed: Duration) {
        let took = elapsed.saturating_sub(self.looked);
        self.stride = if took < MILLISECOND { (self.stride * 2).min(MOST_UNLOOKED) } else { (self.stride / 2).max(1) };
        (self.unlooked, self.looked) = (0, elapsed);
    }
}

impl Watched {
    fn new(coverage: Coverage, progress: Rc<RefCell<Progress>>, context: Context, limit: Option<Duration>) -> Self {
        Self { coverage, progress, context, limit, looks: Looks::new() }
    }

    /// Handles the end of a test: reports the status now and then, and ends the campaign at its time limit.
    fn look_at_the_clock(&mut self, is_new: bool) {
        if !self.looks.are_due() && !is_new {
            return;
        }
        let Progress { status, lines } = &mut *self.progress.borrow_mut();
        let elapsed = lines.elapsed();
        self.looks.looked(elapsed);
        if is_new {
            status.edges = self.coverage.edges();
            status.last_new = Some(elapsed);
        }
        lines.now_and_then(elapsed, status);
        if lines.nobody_listens || self.limit.is_some_and(|limit| elapsed >= limit) {
            self.context.cancel();
        }
    }
}

impl Feedback for Watched {
    fn prepare(&mut self) {
        self.progress.borrow_mut().status.executions += 1;
        self.coverage.prepare();
    }

    // An input counts once, as in the limit on executions.
    fn prepare_again(&mut self) {
        self.coverage.prepare();
    }

    fn needs_discards(&self) -> bool {
        self.coverage.needs_discards()
    }

    fn skip(&mut self) {
        self.progress.borrow_mut().status.executions += 1;
        self.look_at_the_clock(false);
    }

    fn scouts(&self) -> bool {
        self.coverage.scouts()
    }

    fn is_new(&mut self, score: Option<f64>) -> bool {
        let is_new = self.coverage.is_new(score);
        if !is_new {
            self.look_at_the_clock(false);
        }
        is_new
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        let worth = self.coverage.observe(test);
        self.look_at_the_clock(worth.is_some());
        worth
    }

    fn compared(&mut self) -> Operands {
        self.coverage.compared()
    }

    fn broken(&mut self) -> Operands {
        self.coverage.broken()
    }
}

/// How often to check the corpus for new inputs from others.
const LOOK: Duration = Duration::from_secs(1);

/// The clock is read only once per this many tests.
const LOOK_TESTS: u32 = 256;

/// A pool whose seeds are also on disk. Inputs that others add there meanwhile are run: from another campaign, or
/// fetched from other machines.
struct OnDisk {
    pool: Corpus,
    /// `None` while it is being filled from disk.
    files: Option<Seeds>,
    /// The files seen so far.
    known: BTreeSet<OsString>,
    /// Inputs from others that have not run yet.
    others: Vec<Seed>,
    /// The input being run.
    trying: Option<Seed>,
    tests: u32,
    looked: Instant,
    /// Whether a write error was reported.
    complained: bool,
    progress: Rc<RefCell<Progress>>,
}

impl OnDisk {
    fn new(progress: Rc<RefCell<Progress>>) -> Self {
        Self {
            pool: Corpus::new(),
            files: None,
            known: BTreeSet::new(),
            others: Vec::new(),
            trying: None,
            tests: 0,
            looked: Instant::now(),
            complained: false,
            progress,
        }
    }

    /// Checks now and then for inputs from others.
    fn look(&mut self) {
        self.tests = self.tests.wrapping_add(1);
        if self.tests.is_multiple_of(LOOK_TESTS)
            && self.looked.elapsed() >= LOOK
            && let Some(files) = &self.files
        {
            self.looked = Instant::now();
            self.others.extend(files.newer(&mut self.known).into_iter().map(|case| Seed::new(case, 0.0)));
        }
    }
}

impl Pool for OnDisk {
    fn invest(&mut self, seed: Seed) {
        if self.files.is_some() {
            self.known.insert(Seeds::file_name(&seed.case));
        }
        if let Some(files) = &self.files
            && let Err(error) = files.add(&seed.case)
            && !self.complained
        {
            // A campaign continues with a full disk. One warning suffices.
            self.complained = true;
            let problem = format!("the corpus was not saved for the next campaign: {error}");
            self.progress.borrow_mut().lines.complain(&problem);
        }
        self.progress.borrow_mut().status.corpus += 1;
        match self.trying {
            Some(_) => self.pool.invest_shared(seed),
            None => self.pool.invest(seed),
        }
    }

    fn revise(&mut self) {
        self.pool.revise();
    }

    fn sample(&mut self, random: &mut Random) -> Directive<'_> {
        self.look();
        self.trying = self.others.pop();
        match &self.trying {
            Some(seed) => Directive::Try(seed),
            None => self.pool.sample(random),
        }
    }

    fn best(&self) -> Option<&Seed> {
        self.pool.best()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_read_soon_after_tests_become_slow() {
        let (mut looks, mut elapsed) = (Looks::new(), Duration::ZERO);
        let mut run = |takes, tests: u64| {
            let mut read = 0;
            for _ in 0..tests {
                elapsed += takes;
                if looks.are_due() {
                    looks.looked(elapsed);
                    read += 1;
                }
            }
            read
        };
        assert!(run(Duration::from_micros(1), 10_000) < 1000);
        assert!(run(Duration::from_millis(100), 16) > 0, "a limit is exceeded by some slow tests at most");
    }
}
