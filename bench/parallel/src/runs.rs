//! The compared ways to run a property: the library's runners, and others that are implemented here.

use crate::measure::{cpu_seconds, seconds};
use crate::programs::Program;
use forall::property::Property;
use forall::report::Terminal;
use forall::run::{Report, Run, Settings, Store, Tested, Tester, Verdict, generational_by_workers};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How the library runs a property.
#[derive(Clone, Copy, PartialEq)]
pub enum Path {
    /// The sequential loop.
    Sequential,
    /// The loop of this many workers, possibly one.
    Workers(usize),
}

/// A benchmark with its property, and the number of tests of a run.
pub struct Prepared {
    pub program: Program,
    pub property: Box<dyn Property + Sync>,
    pub tests: u64,
}

/// The seed of runs that do not search for a bug.
const SEED: u64 = 5;

impl Prepared {
    /// Prepares a benchmark with so many tests that a run takes about this long on one thread.
    pub fn new(program: &Program, time: Duration) -> Result<Self, String> {
        let mut prepared = Self { program: *program, property: (program.property)(), tests: 1 };
        loop {
            let mut ran = Ok(());
            let run = || ran = prepared.run(Path::Sequential, false).map(drop);
            // If the time is spent in this process, CPU time is independent of other load on the machine.
            let took = if program.cpu_bound { cpu_seconds(run) } else { seconds(run) };
            ran?;
            if took * 4.0 >= time.as_secs_f64() {
                prepared.tests = (prepared.tests as f64 * time.as_secs_f64() / took).max(1.0) as u64;
                return Ok(prepared);
            }
            prepared.tests *= 2;
        }
    }

    /// Returns the settings of every run.
    pub fn settings(&self) -> Settings {
        let settings = Settings::new().tests(self.tests).seed(SEED).size(self.program.size);
        settings.enumerate(false).store(Store::Off).explain(0)
    }

    /// Runs the tests, all of which pass, with or without the progress line.
    pub fn run(&self, path: Path, progress: bool) -> Result<Report, String> {
        let mut terminal = progress.then(Terminal::new);
        let mut run = Run::named_parallel(forall::run::Identity::new(self.program.name), &*self.property);
        run = match path {
            Path::Sequential => run.settings(self.settings()),
            Path::Workers(workers) => run.settings(self.settings().threads(workers)).runner(generational_by_workers),
        };
        if let Some(terminal) = &mut terminal {
            run = run.observer(terminal);
        }
        let report = run.report();
        match report.verdict {
            Verdict::Passed => Ok(report),
            other => Err(format!("{} does not hold: {other:?}", self.program.name)),
        }
    }

    /// Returns the number of tests of a run, including discarded ones.
    pub fn indices(&self) -> Result<u64, String> {
        let statistics = self.run(Path::Sequential, false)?.statistics;
        Ok(statistics.valid + statistics.discarded)
    }

    fn loose(&self) -> Loose<'_> {
        Loose { program: &self.program, property: &*self.property, seed: SEED }
    }

    /// Runs some tests one after the other.
    fn run_indices(&self, tester: &Tester<'_>, indices: Range<u64>) {
        assert_eq!(self.loose().run_indices(tester, indices), None, "the property holds");
    }

    /// Runs one of `workers` equal shares of `indices` tests.
    pub fn run_share(&self, indices: u64, worker: usize, workers: usize) {
        assert_eq!(self.loose().run_share(indices, worker, workers), None, "the property holds");
    }

    /// Runs the tests on threads that share nothing: the limit of the machine.
    pub fn share_nothing(&self, indices: u64, workers: usize) {
        assert_eq!(self.loose().share_nothing(indices, workers), None, "the property holds");
    }

    /// Runs the tests as QuickerCheck does: each worker has a share, and steals the right to run another test when it
    /// is used up. The tests are a regular sample of all tests, with their sizes; timing determines how many each
    /// worker runs.
    pub fn static_shares(&self, indices: u64, workers: usize) {
        let share = |worker: usize| indices / workers as u64 + u64::from((worker as u64) < indices % workers as u64);
        let left: Vec<AtomicU64> = (0..workers).map(|worker| AtomicU64::new(share(worker))).collect();
        let take =
            |share: &AtomicU64| share.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1)).is_ok();
        let work = |worker: usize| {
            let (loose, mut index) = (self.loose(), worker as u64);
            let tester = loose.tester();
            while (0..workers).any(|other| take(&left[(worker + other) % workers])) {
                self.run_indices(&tester, index..index + 1);
                index += workers as u64;
            }
        };
        thread::scope(|scope| {
            for worker in 0..workers {
                let work = &work;
                scope.spawn(move || work(worker));
            }
        });
    }

    /// Runs the tests on workers that start a new thread per test.
    pub fn fresh_threads(&self, indices: u64, workers: usize) {
        let next = AtomicU64::new(0);
        let work = || loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= indices {
                return;
            }
            thread::scope(|scope| {
                scope.spawn(|| self.run_indices(&self.loose().tester(), index..index + 1));
            });
        };
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(work);
            }
        });
    }
}

/// The tests of a run without its bookkeeping: nothing is counted or reported.
pub struct Loose<'l> {
    pub program: &'l Program,
    pub property: &'l (dyn Property + Sync),
    pub seed: u64,
}

impl Loose<'_> {
    fn tester(&self) -> Tester<'_> {
        Tester::new(self.program.name, self.property, self.seed)
    }

    /// Runs tests one after the other. Returns the first that fails.
    fn run_indices(&self, tester: &Tester<'_>, indices: Range<u64>) -> Option<u64> {
        let mut next = indices.start;
        while next < indices.end {
            let ended = tester.run_block(&self.program.size.block(self.seed, next..indices.end));
            if let Some(Tested::Fail(_) | Tested::Fault(_)) = ended.stopped_by {
                return Some(ended.index);
            }
            next = ended.index;
        }
        None
    }

    /// Runs one of `workers` equal shares of `indices` tests: every n-th block, so that all shares are alike. Returns
    /// the first failing test.
    fn run_share(&self, indices: u64, worker: usize, workers: usize) -> Option<u64> {
        let tester = self.tester();
        let block = (indices / (workers as u64 * 64)).max(1);
        let mut starts = (0..indices).step_by(block as usize).skip(worker).step_by(workers);
        starts.find_map(|start| self.run_indices(&tester, start..indices.min(start + block)))
    }

    /// Runs this many tests on threads that share nothing. Returns the first failing test; no later one runs.
    pub fn share_nothing(&self, indices: u64, workers: usize) -> Option<u64> {
        thread::scope(|scope| {
            let others: Vec<_> =
                (1..workers).map(|worker| scope.spawn(move || self.run_share(indices, worker, workers))).collect();
            let own = self.run_share(indices, 0, workers);
            let failed = others.into_iter().filter_map(|other| other.join().expect("tests are caught when they panic"));
            failed.chain(own).min()
        })
    }
}
