//! Tests with literals of the code under test, before the random ones. See [`literals`](crate::literals).

use super::Pool;
use crate::choice::Source;
use crate::context::{Context, Phase};
use crate::fact::Fact;
use crate::fact::LITERALS_INDICES;
use crate::property::Property;
use crate::protocol;
use crate::run::runners::Before;
use crate::run::workers::Workers;
use crate::run::{Ending, Found, Session, Settings, environment};
use crate::testing::{Case, Tested, Tester};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::time::Instant;

/// The number of these tests, as a part of the requested ones, and of the time if that is limited.
const SHARE: u64 = 4;

/// How long they run on one thread: starting others would take longer than most need.
const A_WHILE: Duration = Duration::from_millis(1);

/// The variable with a file of literals, or `off`.
const VARIABLE: &str = "FORALL_LITERALS";

inventory::submit! { Before(test_with_literals) }

/// Runs the tests with literals. Returns the ending, if one of them does not pass.
///
/// They are reported to observers, and not counted, neither as tests nor by their labels: requirements apply to random
/// tests. On several threads the first of them, by number, ends the run.
fn test_with_literals(session: &mut Session<'_>) -> Option<Ending> {
    let pool = pool(session);
    let count = pool.tests().min(session.settings.tests / SHARE);
    if count == 0 {
        return None;
    }
    // Their labels are reported, and then dropped.
    session.tester.context().count_labels(session.one_by_one());
    session.tester.context().begin(Phase::Quoting);
    let tests = Quoting { pool, count, until: until(session), settings: session.settings.clone(), seed: session.seed };
    let (stopped, ran) = tests.run(session);
    let complete = stopped.is_none() && !tests.is_over(session.tester.context());
    session.tester.context().begin(Phase::Testing);
    let ending = stopped.and_then(|(number, case, tested)| match tested {
        Tested::Fail(failure) => {
            let found = Found::Literals { number, size: tests.size(number) };
            Some(session.found(case, failure, found))
        }
        Tested::Fault(fault) => Some(session.fault(&case, fault)),
        Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => None,
    });
    session.tester.context().count_labels(true);
    if ran > 0 {
        session.recorders().record(protocol::Quoted { tests: ran, complete });
    }
    ending
}

/// Their time limit, if the run has one: they must leave time for random tests.
fn until(session: &Session<'_>) -> Option<Instant> {
    Instant::now().checked_add(session.settings.max_time? / (SHARE as u32 + 1))
}

/// The tests with literals of a run.
struct Quoting {
    pool: Pool,
    count: u64,
    until: Option<Instant>,
    settings: Settings,
    seed: u64,
}

/// A test that did not pass: its number, its input, and its result.
type Stopped = (u64, Case, Tested);

impl Quoting {
    /// Runs up to the first that does not pass; returns the number of tests. On one thread, and if that takes long, on
    /// all.
    fn run(&self, session: &mut Session<'_>) -> (Option<Stopped>, u64) {
        let (several, begun) = (session.on_several_threads(), Instant::now());
        let mut ran = 0;
        for number in 0..self.count {
            if self.is_over(session.tester.context()) {
                break;
            }
            if !self.is_here(number) {
                continue;
            }
            if let Some(property) = several.filter(|_| begun.elapsed() >= A_WHILE) {
                let (stopped, more) = self.run_on_threads(session, property, number);
                return (stopped, ran + more);
            }
            ran += 1;
            let began = session.one_by_one().then(Instant::now);
            let (case, tested) = self.test(&session.tester, number);
            if let Some(began) = began {
                let (took, size) = (began.elapsed(), self.size(number));
                session.record(number, Some(&case), size, &tested, took, "literals");
                session.emit_test(LITERALS_INDICES + number, size, &tested, took);
                session.tester.context().forget();
            }
            match tested {
                Tested::Fail(_) | Tested::Fault(_) => return (Some((number, case, tested)), ran),
                Tested::Pass => session.remember_passing(LITERALS_INDICES + number, &case),
                Tested::Discard(_) | Tested::NoSuchStep => {}
            }
        }
        (None, ran)
    }

    /// Runs from a number on by all workers: each takes the next, until no more is needed.
    fn run_on_threads(
        &self,
        session: &Session<'_>,
        property: &(dyn Property + Sync),
        start: u64,
    ) -> (Option<Stopped>, u64) {
        let (next, ran, first) = (AtomicU64::new(start), AtomicU64::new(0), Mutex::new(None::<Stopped>));
        let first_number = || first.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(number, ..)| *number);
        let (tester, settings, run) = (&session.tester, &session.settings, session.tester.context().clone());
        let count = usize::try_from(self.count - start).unwrap_or(usize::MAX).min(settings.threads);
        // Missing threads are reported when random tests start.
        let _ = Workers { property, tester, settings, count, counts_labels: false }.work(&|worker| {
            worker.context().begin(Phase::Quoting);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let is_needed = number < self.count && first_number().is_none_or(|first| number < first);
                if !is_needed || self.is_over(worker.context()) {
                    break;
                }
                if !self.is_here(number) {
                    continue;
                }
                ran.fetch_add(1, Ordering::Relaxed);
                let (case, tested) = self.test(worker, number);
                if worker.context().is_cancelled() {
                    run.cancel();
                }
                if let Tested::Fail(_) | Tested::Fault(_) = tested {
                    worker.context().say_last(number);
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(first, ..)| number < *first) {
                        *first = Some((number, case, tested));
                    }
                }
            }
        });
        session.tester.context().forget_last();
        let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Later ones would not have run on one thread.
        let ran = match &first {
            Some((last, ..)) => (start..=*last).filter(|number| self.is_here(*number)).count() as u64,
            None => ran.into_inner(),
        };
        (first, ran)
    }

    fn test(&self, tester: &Tester<'_>, number: u64) -> (Case, Tested) {
        let literals = self.pool.literals_of(number, self.seed);
        tester.run_as(number, Source::with_literals(&literals, self.seed, number, self.size(number)), &[])
    }

    /// As for random tests.
    fn size(&self, number: u64) -> u32 {
        self.settings.size.size(number)
    }

    /// Whether it belongs to this shard.
    fn is_here(&self, number: u64) -> bool {
        self.settings.shard.is_none_or(|shard| shard.has_input(number))
    }

    fn is_over(&self, context: &Context) -> bool {
        context.is_cancelled() || matches!(self.until, Some(until) if Instant::now() >= until)
    }
}

/// The known literals of the property.
fn pool(session: &mut Session<'_>) -> Pool {
    let handed_over = match environment::variable(VARIABLE).filter(|path| !path.is_empty()) {
        None => String::new(),
        Some(off) if off == "off" || off == "0" => return Pool::default(),
        Some(path) => std::fs::read_to_string(&path).unwrap_or_else(|error| {
            let (variable, error) = (VARIABLE.to_owned(), error.to_string());
            session.warn(Fact::LiteralsUnreadable { variable, path, error });
            String::new()
        }),
    };
    let pool = Pool::new(session.tester.property().literals(), &handed_over, session.identity.file);
    if let (Some((line, text)), Some(path)) = (&pool.not_read, environment::variable(VARIABLE)) {
        let (variable, line, text) = (VARIABLE.to_owned(), *line as u64, text.clone());
        session.warn(Fact::NoLiteral { variable, path, line, text });
    }
    pool
}
