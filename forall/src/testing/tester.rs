//! Runs single tests of a property and classifies their results.

mod beside;
mod blocks;
mod drawing;
mod fault;
mod known;
mod printing;
mod workers;

pub(crate) use beside::{Beside, MOST_BESIDE};
pub use blocks::BlockTested;
pub use fault::Fault;

use super::Case;
use super::guest::{self, Relayed, WriteDown};
use crate::choice::{MAX_ITEMS, Overrun, Rejected, Sequence, SeveralThreads, Source};
use crate::context::{Abandoned, Context};
use crate::effects;
use crate::fact::Fact;
use crate::generate::Misuse;
use crate::panic::{self, Guest, Unwound};
use crate::property::{Binding, ContractBroken, Discarded, Failure, FailureKind, Outcome, Property, Step, Stop};
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// A case that draws this many choices beyond its own is rejected, where that is safe: a loop that draws until a
/// condition holds would otherwise draw the simplest choice up to the recording limit.
pub(crate) const MORE: usize = 10_000;

/// A test has to miss its deadline this many times in a row to fail: once may be the machine's fault.
const MISSES: u32 = 3;

/// Runs tests of one property, catches panics, and distinguishes discards, invalid generators and missed deadlines.
///
/// The basic component of runners.
///
/// ```
/// use forall::property::{self, Telescope};
/// use forall::run::{Tested, Tester};
///
/// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| assert!(*n < 5));
/// let tester = Tester::new("small", &property, 1);
/// let (case, tested) = tester.record(0, 100);
/// assert!(matches!(tested, Tested::Pass | Tested::Fail(_)));
/// assert_eq!(format!("{:?}", tester.run(&case).1), format!("{tested:?}"));
/// ```
pub struct Tester<'a> {
    property: &'a dyn Property,
    context: Context,
    deadline: Option<Duration>,
    assumes: bool,
    /// Whether the body draws, once determined.
    draws: OnceLock<bool>,
    /// The last printed case, if the body draws.
    printed: Mutex<Option<(Case, Vec<Binding>)>>,
    /// How each input runs on several threads, if it does.
    beside: Option<Beside<'a>>,
    /// How often inputs were run on several threads.
    runs_beside: Cell<u64>,
    /// Where the running input is saved, in case it crashes the process.
    running: RefCell<Option<Box<dyn WriteDown + Send>>>,
    /// Failures that do not stop the run.
    known: Option<Arc<known::Known>>,
}

/// The result of a test.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Tested, Tester};
/// let property = property! { forall n in 0..3u32; implies *n != 0; check *n != 1 };
/// let tester = Tester::new("two", &property, 7);
/// let tested: Vec<Tested> = (0..100).map(|index| tester.record(index, 10).1).collect();
/// assert!(tested.contains(&Tested::Pass));
/// assert!(tested.iter().any(|tested| matches!(tested, Tested::Fail(_))));
/// assert!(tested.iter().any(|tested| matches!(tested, Tested::Discard(Some(by)) if by.clause == 1)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Tested {
    /// The check held.
    Pass,
    /// The test was discarded, with the clause that discarded it if there is one.
    Discard(Option<Discarded>),
    /// The check failed.
    Fail(Failure),
    /// A generator, shrinker or mutator is invalid.
    Fault(Fault),
    /// A step of the case does not exist.
    NoSuchStep,
}

impl<'a> Tester<'a> {
    /// Creates a tester for `property` under `name`, in a run with `seed`.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::Tester;
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let tester = Tester::new("bits", &property, 7);
    /// assert_eq!((tester.context().property(), tester.context().seed()), ("bits", 7));
    /// ```
    pub fn new(name: &str, property: &'a dyn Property, seed: u64) -> Self {
        Self {
            property,
            context: Context::new(name, seed, 0),
            deadline: None,
            assumes: true,
            draws: OnceLock::new(),
            printed: Mutex::new(None),
            beside: None,
            runs_beside: Cell::new(0),
            running: RefCell::default(),
            known: None,
        }
    }

    /// Makes this the tester of a child process, with the number of the parent's worker and the number of tests of the
    /// run.
    pub(crate) fn for_child(mut self, worker: usize, tests: u64) -> Self {
        self.context = self.context.for_worker(worker);
        self.context.say_tests(tests);
        self
    }

    /// Disables deadlines, which are enforced elsewhere.
    pub(crate) fn forget_deadline(&mut self) {
        self.deadline = None;
    }

    /// How often inputs were run on several threads so far.
    pub(crate) fn runs_beside(&self) -> u64 {
        self.runs_beside.get()
    }

    /// From now on, each input runs on several threads at once, or on one again.
    pub(crate) fn run_beside(&mut self, beside: Option<Beside<'a>>) {
        self.beside = beside;
    }

    /// Whether inputs are saved before they run: then only one may run at a time.
    pub(crate) fn writes_down(&self) -> bool {
        self.running.borrow().is_some()
    }

    /// Fails tests that take longer than this. Such a test is rerun twice: it fails if it is slow each time.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{property::FailureKind, run::{Tested, Tester}};
    /// # use std::{thread::sleep, time::Duration};
    /// let property = property! { forall n: u8; check sleep(Duration::from_millis(10)) };
    /// let tester = Tester::new("slow", &property, 7).deadline(Some(Duration::from_millis(1)));
    /// let (_, tested) = tester.record(0, 100);
    /// assert!(matches!(tested, Tested::Fail(failure) if failure.kind == FailureKind::Deadline));
    /// ```
    #[doc(hidden)]
    pub fn deadline(mut self, deadline: Option<Duration>) -> Self {
        self.deadline = deadline;
        self.context.say_deadline(deadline);
        self
    }

    /// Saves inputs before they run.
    pub(crate) fn write_down(&self, running: Box<dyn WriteDown + Send>) {
        self.running.replace(Some(running));
    }

    /// Saves inputs no longer.
    pub(crate) fn write_nothing(&self) {
        self.running.replace(None);
    }

    /// Takes the assumptions of the property (`implies`) for granted: for generators that are correct by construction,
    /// where checking them is wasteful. Blocks of tests still check them.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Tested, Tester};
    /// # use std::cell::Cell;
    /// let checked = Cell::new(0);
    /// let is_sorted = |xs: &[u8]| { checked.set(checked.get() + 1); xs.is_sorted() };
    /// let sorted = vec(any::<u8>()).map(|mut xs| { xs.sort(); xs });
    /// let property = property! { forall xs in &sorted; implies is_sorted(xs); check xs.first() <= xs.last() };
    /// let tester = Tester::new("sorted", &property, 7).without_assumptions();
    /// assert_eq!((tester.record(0, 100).1, checked.get()), (Tested::Pass, 0));
    /// ```
    pub fn without_assumptions(mut self) -> Self {
        self.assumes = false;
        self
    }

    /// Returns the property.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::Tester;
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let tester = Tester::new("bits", &property, 7);
    /// assert_eq!(tester.property().outline().quantifiers[0].name, "n");
    /// ```
    pub fn property(&self) -> &'a dyn Property {
        self.property
    }

    /// Returns the context for the macros of the body.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::Tester;
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let tester = Tester::new("bits", &property, 7);
    /// tester.record(3, 100);
    /// assert_eq!(tester.context().index(), 3);
    /// ```
    #[doc(hidden)]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Runs test `index` of the run at `size`, and records it.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Tested, Tester};
    /// let property = property! { forall n in 0..10u32; check *n < 10 };
    /// let (case, tested) = Tester::new("below ten", &property, 7).record(0, 100);
    /// assert_eq!((case.sequence.len(), tested), (1, Tested::Pass));
    /// ```
    pub fn record(&self, index: u64, size: u32) -> (Case, Tested) {
        self.run_as(index, Source::test(self.context.seed(), index, size), &[])
    }

    /// Runs test `index` of the run with choices from `source`, and applies `steps` to the values.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{choice::{AtEnd, Sequence}, run::{Tested, Tester}};
    /// let property = property! { forall a in 0..10u32; forall b in 0..10u32; check forall::context().index() == 5 };
    /// let tester = Tester::new("fifth", &property, 7);
    /// let source = || Source::tape(&Sequence::from_values(100, &[3]), AtEnd::Random(1));
    /// assert_eq!(tester.run_as(5, source(), &[]).1, Tested::Pass);
    /// assert_ne!(tester.run_as(6, source(), &[]).1, Tested::Pass);
    /// ```
    #[doc(hidden)]
    pub fn run_as(&self, index: u64, source: Source, steps: &[Step]) -> (Case, Tested) {
        self.context.progress().index.store(index, Ordering::Relaxed);
        self.run_source(source, steps)
    }

    /// Runs the generators and assumptions, and catches panics.
    pub(crate) fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<Result<(), Stop>, Unwound> {
        panic::catch(|| self.property.generate(source, steps))
    }

    /// Returns the choices of test `index` of the run at `size`, without running the check.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::Tester;
    /// let property = property! { forall n in 0..10u32; check unreachable(*n) };
    /// fn unreachable(_: u32) { panic!("the check is not run") }
    /// let tester = Tester::new("choices", &property, 7);
    /// assert_eq!(tester.choices(0, 100).len(), 1);
    /// ```
    #[doc(hidden)]
    pub fn choices(&self, index: u64, size: u32) -> Sequence {
        let mut source = Source::test(self.context.seed(), index, size);
        let _ = self.generate(&mut source, &[]);
        source.into_sequence()
    }

    /// Returns the clause that discards test `index` of the run at `size`, if one does. The check is not run.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::Tester;
    /// let property = property! { forall n in 0..10u32; implies *n > 10; check *n > 10 };
    /// let discarded = Tester::new("none", &property, 7).discarding_clause(0, 100).unwrap();
    /// assert_eq!((discarded.clause, discarded.text), (1, "*n > 10"));
    /// ```
    #[doc(hidden)]
    pub fn discarding_clause(&self, index: u64, size: u32) -> Option<Discarded> {
        let mut source = Source::test(self.context.seed(), index, size);
        match self.generate(&mut source, &[]) {
            Ok(Err(Stop::Discarded(discarded))) => Some(*discarded),
            // A generator without a value to return has unwound.
            Err(Unwound::Signal(signal)) if signal.is::<Rejected>() => {
                let text = self.variable_under_way(&source.into_sequence())?;
                Some(Discarded { clause: 0, text, bindings: Vec::new() })
            }
            _ => None,
        }
    }

    /// Whether an assumption discards test `index` of the run at `size`. The check is not run, and choices are recorded
    /// only for shaped tests, since not recording is much faster. If this cannot be decided, the test counts as valid.
    pub(crate) fn is_discarded(&self, index: u64, size: u32) -> bool {
        use crate::choice::Shape;
        if !self.assumes {
            return false;
        }
        self.context.progress().index.store(index, Ordering::Relaxed);
        let seed = self.context.seed();
        let is_shaped = Shape::is_due(index);
        let mut source = if is_shaped { Source::test(seed, index, size) } else { Source::random(seed, index, size) };
        let _active = self.context.activate();
        let generated = self.written_down(&mut source, &[], |source| self.property.generate(source, &[]));
        self.context.forget();
        matches!(generated, Ok(Err(Stop::Discarded(_))))
    }

    /// The choices of a case, without running the check.
    pub(crate) fn drawn(&self, case: &Case) -> Sequence {
        self.generated_from(case).0
    }

    /// The choices of a case, and whether the generators and assumptions accept it. The check is not run.
    pub(crate) fn generated_from(&self, case: &Case) -> (Sequence, bool) {
        let mut source = Source::replay_within(&case.sequence, case.sequence.len() + MORE);
        let taken = matches!(self.generate(&mut source, &case.steps), Ok(Ok(()))) && !source.is_rejected();
        (source.into_sequence(), taken)
    }

    /// The case generated from a source, without running the check.
    pub(crate) fn generated(&self, mut source: Source, steps: &[Step]) -> Case {
        let _ = self.generate(&mut source, steps);
        Case { sequence: source.into_sequence(), steps: steps.to_vec() }
    }

    /// Runs a case. The returned case has the choices that were drawn.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{choice::Sequence, run::{Case, Tested, Tester}};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let tester = Tester::new("not three", &property, 7);
    /// let three = Case { sequence: Sequence::from_values(100, &[3]), steps: vec![] };
    /// assert!(matches!(tester.run(&three).1, Tested::Fail(_)));
    /// ```
    pub fn run(&self, case: &Case) -> (Case, Tested) {
        if let Some(depth) = case.searched_to() {
            return guest::searching()
                .map_or_else(|| guest::not_searched(case), |search| (search.run)(self, case, depth));
        }
        self.run_source(Source::replay(&case.sequence), &case.steps)
    }

    /// Runs a case to its end, even if the run was cancelled, to confirm a failure.
    pub(crate) fn run_to_the_end(&self, case: &Case) -> (Case, Tested) {
        self.context.wait_for_tests(true);
        let ended = self.run(case);
        self.context.wait_for_tests(false);
        ended
    }

    /// Runs a case that counts as discarded if it draws more than `items`. Also returns whether a generator rejected a
    /// value and tried again.
    pub(crate) fn run_within(&self, case: &Case, items: usize) -> (Case, Tested, bool) {
        let source = Source::replay_within(&case.sequence, items);
        match self.test(source, &case.steps) {
            (case, Tested::Fault(Fault::TooLarge { .. } | Fault::EndlessDraws { .. }), retried)
                if case.sequence.len() <= MAX_ITEMS =>
            {
                (case, Tested::Discard(None), retried)
            }
            ended => ended,
        }
    }

    /// Runs a test with choices from `source`.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{choice::{AtEnd, Sequence}, run::{Tested, Tester}};
    /// let property = property! { forall a in 0..10u32; forall b in 0..10u32; check *a != 3 };
    /// let tester = Tester::new("not three", &property, 7);
    /// // The first choice is given, the others are random.
    /// let source = Source::tape(&Sequence::from_values(100, &[3]), AtEnd::Random(1));
    /// assert!(matches!(tester.run_source(source, &[]).1, Tested::Fail(_)));
    /// ```
    #[doc(hidden)]
    pub fn run_source(&self, source: Source, steps: &[Step]) -> (Case, Tested) {
        let (case, tested, _) = self.test(source, steps);
        (case, tested)
    }

    /// Runs a test; also returns whether a generator rejected a value and tried again. A test that misses its deadline
    /// is rerun.
    fn test(&self, source: Source, steps: &[Step]) -> (Case, Tested, bool) {
        let (case, mut tested, retried) = self.test_once(source, steps);
        let mut misses = 1;
        while misses < MISSES && matches!(&tested, Tested::Fail(failure) if failure.kind == FailureKind::Deadline) {
            self.context.forget();
            tested = self.test_once(Source::replay(&case.sequence), steps).1;
            misses += 1;
        }
        if self.is_known(&tested) {
            tested = Tested::Pass;
        }
        (case, tested, retried)
    }

    /// Runs an action with a source, and catches panics. In a campaign, the input is saved on disk meanwhile, in case
    /// the process crashes.
    fn written_down<T>(
        &self,
        source: &mut Source,
        steps: &[Step],
        run: impl Fn(&mut Source) -> T,
    ) -> Result<T, Unwound> {
        if let Some(running) = &mut *self.running.borrow_mut() {
            running.begin(&source.origin(), steps);
        }
        let ended = panic::catch(|| run(source));
        if let Some(running) = &mut *self.running.borrow_mut() {
            running.end();
        }
        ended
    }

    fn test_once(&self, mut source: Source, steps: &[Step]) -> (Case, Tested, bool) {
        effects::renew();
        self.context.beat();
        self.context.take_score();
        if !self.assumes {
            source.trust();
        }
        let _active = self.context.activate();
        if self.deadline.is_some() {
            self.context.begin_test();
        }
        let outcome = self.written_down(&mut source, steps, |source| match &self.beside {
            None => self.property.run(source, steps),
            Some(beside) => beside.run(self, source, steps),
        });
        let mut tested = match outcome {
            Ok(Ok(Outcome::Pass)) => Tested::Pass,
            Ok(Ok(Outcome::Discard)) => Tested::Discard(None),
            Ok(Ok(Outcome::Fail(failure))) => Tested::Fail(*failure),
            Ok(Err(Stop::Discarded(discarded))) => Tested::Discard(Some(*discarded)),
            Ok(Err(Stop::NoSuchStep)) => Tested::NoSuchStep,
            Err(unwound) => self.unwound(unwound),
        };
        tested = self.unless_a_thread_rejected_it(tested);
        if let Tested::Pass = tested
            && let Some(failure) = self.missed()
        {
            tested = Tested::Fail(failure);
        }
        if source.is_overrun() {
            tested = Tested::Fault(Fault::TooLarge { quantifier: None });
        }
        if source.on_several_threads() {
            tested = Tested::Fault(Fault::SeveralThreads { quantifier: None });
        }
        if let Tested::Discard(_) | Tested::NoSuchStep = tested {
            self.context.forget();
        }
        let retried = source.has_retried();
        let case = Case { sequence: source.into_sequence(), steps: steps.to_vec() };
        if let Tested::Fault(
            Fault::Misuse { quantifier, .. } | Fault::TooLarge { quantifier } | Fault::SeveralThreads { quantifier },
        ) = &mut tested
        {
            *quantifier = self.variable_under_way(&case.sequence);
        }
        if let Tested::Fault(Fault::TooLarge { quantifier }) = tested
            && self.draws()
        {
            tested = Tested::Fault(Fault::EndlessDraws { quantifier });
        }
        (case, tested, retried)
    }

    /// The variable that was being generated when the test ended early: the last one whose span was opened.
    fn variable_under_way(&self, drawn: &Sequence) -> Option<&'static str> {
        let mut last = None;
        for span in &drawn.spans {
            last = last.max(span.variable());
        }
        Some(self.property.outline().quantifiers.get(last?)?.name)
    }

    /// Returns the fault, if it is the generator that panics on a case and not the check.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Case, Fault, Tester};
    /// let broken = from_fn(|_| -> u32 { panic!("no idea") });
    /// let property = property! { forall n in &broken; check *n < 10 };
    /// let fault = Tester::new("broken", &property, 7).generator_panics(&Case::default());
    /// assert!(matches!(fault, Some(Fault::Panic { quantifier: Some("n"), .. })));
    /// ```
    #[doc(hidden)]
    pub fn generator_panics(&self, case: &Case) -> Option<Fault> {
        if case.searched_to().is_some() {
            // A search reports panics of generators itself.
            return None;
        }
        let mut source = Source::replay(&case.sequence);
        match self.generate(&mut source, &case.steps) {
            Err(Unwound::Panic(caught)) => {
                let failure = Failure::from(caught);
                let drawn = source.into_sequence();
                let quantifier = self.variable_under_way(&drawn);
                // If it panics only with the steps, the shrinker or mutator panics.
                let mut without = case.clone();
                without.steps.clear();
                if !case.steps.is_empty() && self.generator_panics(&without).is_none() {
                    return Some(Fault::ShrinkerPanic { quantifier, failure });
                }
                Some(Fault::Panic { quantifier, failure })
            }
            _ => None,
        }
    }

    /// The result of a test; a discard, if an assumption did not hold in one of its threads, since how that reaches the
    /// test depends on the code that joins the thread.
    fn unless_a_thread_rejected_it(&self, tested: Tested) -> Tested {
        match tested {
            Tested::Fail(_) if self.context.was_rejected_by_a_thread() => Tested::Discard(None),
            _ => tested,
        }
    }

    /// For a collection in test `index` that has too few distinct elements: how many were found, and its minimum
    /// length.
    pub(crate) fn shortage(&self, index: u64, size: u32) -> Option<(usize, usize)> {
        self.source_after(index, size).shortage()
    }

    /// For a sequence of operations in test `index` that is too short: how many were possible, and its minimum length.
    pub(crate) fn ran_out(&self, index: u64, size: u32) -> Option<(usize, usize)> {
        let source = self.source_after(index, size);
        source.shortage().filter(|_| source.has_run_out())
    }

    /// The source of test `index` after generating.
    fn source_after(&self, index: u64, size: u32) -> Source {
        let mut source = Source::test(self.context.seed(), index, size);
        let _ = self.generate(&mut source, &[]);
        source
    }

    /// The failure of the last test, if it exceeded its deadline.
    fn missed(&self) -> Option<Failure> {
        let (deadline, taken) = (self.deadline?, self.context.taken());
        (taken > deadline).then(|| {
            let missed = Fact::DeadlineMissed { taken, cpu: self.context.cpu_taken(), deadline };
            Failure::new(FailureKind::Deadline, missed.to_string())
        })
    }

    /// The result of a test that unwound.
    pub(crate) fn unwound(&self, unwound: Unwound) -> Tested {
        match unwound {
            Unwound::Panic(caught) => Tested::Fail(caught.into()),
            Unwound::Signal(signal) => {
                if let Some(relayed) = Guest::signal::<Relayed>(&*signal) {
                    relayed.0.clone()
                } else if let Some(fault) = guest::searching().and_then(|search| (search.fault)(&*signal)) {
                    Tested::Fault(fault)
                } else if let Some(broken) = signal.downcast_ref::<ContractBroken>() {
                    Tested::Fault(Fault::Contract(broken.clone()))
                } else if let Some(Misuse { message, of_specification }) = signal.downcast_ref() {
                    Tested::Fault(match of_specification {
                        true => Fault::Specification(message.clone()),
                        false => Fault::Misuse { quantifier: None, text: message.clone() },
                    })
                } else if signal.is::<Overrun>() {
                    Tested::Fault(Fault::TooLarge { quantifier: None })
                } else if signal.is::<SeveralThreads>() {
                    Tested::Fault(Fault::SeveralThreads { quantifier: None })
                } else if let Some(Abandoned::Overdue) = Guest::signal(&*signal)
                    && let Some(failure) = self.missed()
                {
                    Tested::Fail(failure)
                } else {
                    Tested::Discard(None)
                }
            }
        }
    }
}
