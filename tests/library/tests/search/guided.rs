//! Guided runners: pools and energy, mutation, and bugs that random testing does not find.

use forall::choice::{Choice, Item, Random, Sequence};
use forall::guide::{
    Corpus, Directive, Energy, Feedback, Fifo, Filo, Guide, Heap, Interactions, Mutator, Novelty, Observed, Operands,
    Pool, Seed, Singleton, Worth, feedback_fn,
};
use forall::guide::{combinatorial, constructor_guided, guided, targeted};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Budget, Case, Found, Report, Run, Session, Settings, Store, Tested, Tester, Verdict, generational};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

fn session<'a>(property: &'a dyn Property, tests: u64, seed: u64) -> Session<'a> {
    let settings = Settings::new().tests(tests).seed(seed).store(Store::Off).enumerate(false);
    Run::new("guided", property).settings(settings).session().expect("the settings make sense")
}

fn seed(utility: f64) -> Seed {
    Seed::new(Case::default(), utility)
}

/// A scripted pool that records its calls.
#[derive(Clone, Default)]
struct Diary {
    written: Rc<RefCell<Vec<String>>>,
    seed: Option<Seed>,
}

impl Pool for Diary {
    fn invest(&mut self, seed: Seed) {
        self.written.borrow_mut().push(format!("invest {}", seed.utility));
        self.seed = Some(seed);
    }

    fn revise(&mut self) {
        self.written.borrow_mut().push("revise".to_owned());
    }

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        self.seed.as_ref().map_or(Directive::Generate, Directive::Mutate)
    }

    fn best(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }
}

/// Useful are the first `useful` tests.
struct First {
    useful: u64,
}

impl Feedback for First {
    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        (test.index < self.useful).then(|| Worth::new(test.index as f64))
    }
}

fn diary(property: &dyn Property, tests: u64, useful: u64, watch_discards: bool) -> Vec<String> {
    let diary = Diary::default();
    let guide = Guide::new(First { useful }, diary.clone()).watch_discards(watch_discards);
    guided(session(property, tests, 7), &mut [guide]);
    diary.written.take()
}

#[test]
fn useful_tests_are_invested_in_and_seeds_of_useless_mutants_revised() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    assert_eq!(diary(&property, 4, 2, true), ["invest 0", "invest 1", "revise", "revise"]);
    assert!(diary(&property, 4, 0, true).is_empty(), "a useless generated test leaves the pool alone");
}

#[test]
fn a_discard_is_never_invested_in_and_revises_only_if_it_is_watched() {
    // The first test is generated and passes, its mutants are discarded.
    let property = property! { forall n: u64; implies forall::context().index() == 0; check n.count_ones() <= 64 };
    let watched = diary(&property, 2, 1, true);
    assert_eq!(watched[..2], ["invest 0", "revise"]);
    assert_eq!(diary(&property, 2, 1, false), ["invest 0"]);
    assert_eq!(diary(&property, 2, u64::MAX, true), ["invest 0"], "useful discards change nothing");
}

/// The tests that the feedback was asked about, valid and discarded, and the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Asked {
    valid: u64,
    discarded: u64,
    skipped: u64,
}

struct Asking {
    asked: Rc<Cell<Asked>>,
    needs_discards: bool,
}

impl Feedback for Asking {
    fn needs_discards(&self) -> bool {
        self.needs_discards
    }

    fn skip(&mut self) {
        self.asked.set(Asked { skipped: self.asked.get().skipped + 1, ..self.asked.get() });
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        let Asked { valid, discarded, .. } = self.asked.get();
        let (valid, discarded) = if test.is_valid() { (valid + 1, discarded) } else { (valid, discarded + 1) };
        self.asked.set(Asked { valid, discarded, ..self.asked.get() });
        None
    }
}

fn asked_about(property: &dyn Property, tests: u64, needs_discards: bool) -> (Asked, Report) {
    asked_with(Corpus::new(), property, tests, needs_discards)
}

fn asked_with(pool: impl Pool + 'static, property: &dyn Property, tests: u64, needs_discards: bool) -> (Asked, Report) {
    let asked = Rc::new(Cell::new(Asked::default()));
    let guide = Guide::new(Asking { asked: Rc::clone(&asked), needs_discards }, pool);
    let report = guided(session(property, tests, 1), &mut [guide]);
    (asked.get(), report)
}

#[test]
fn feedback_that_ignores_discards_is_queried_less_with_the_same_result() {
    let rarely = property! { forall n in 0..20u32; forall m in 0..1000u32; implies *n == 7; check *m < 990 };
    let ((some, quick), (all, thorough)) = (asked_about(&rarely, 50, false), asked_about(&rarely, 50, true));
    let found = |report: &Report| report.counterexample.as_ref().map(|found| found.case.clone());
    assert_eq!(found(&quick), found(&thorough));
    assert_eq!((all.valid, all.discarded, all.skipped), (some.valid, some.discarded + some.skipped, 0));
    assert!(some.skipped > 10 * some.discarded, "{some:?}");
    let counts = |report: &Report| (report.statistics.valid, report.statistics.discarded);
    assert_eq!(counts(&quick), counts(&thorough));
    // Where few are discarded, making all of them twice would not pay.
    let mostly = property! { forall n in 0..20u32; implies *n != 7; check *n < 20 };
    let (asked, _) = asked_about(&mostly, 200, false);
    assert!(asked.skipped == 0 && asked.discarded > 0, "{asked:?}");
}

/// A pool that only generates, and counts how often it is asked.
struct Asks(Rc<Cell<u64>>);

impl Pool for Asks {
    fn invest(&mut self, _: Seed) {}

    fn revise(&mut self) {}

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        self.0.set(self.0.get() + 1);
        Directive::Generate
    }

    fn best(&self) -> Option<&Seed> {
        None
    }
}

#[test]
fn a_pool_that_requests_a_random_input_gets_a_counted_one() {
    let rarely = property! { forall n in 0..5u32; implies *n == 3; check *n < 5 };
    for needs_discards in [false, true] {
        let samples = Rc::new(Cell::new(0));
        let (asked, _) = asked_with(Asks(Rc::clone(&samples)), &rarely, 100, needs_discards);
        assert_eq!(samples.get(), asked.valid + asked.discarded, "one sample for each counted test: {asked:?}");
    }
}

#[test]
fn values_of_a_discard_are_printed_on_request() {
    let property = property! { forall n in 0..10u32; implies *n > 10; check *n > 10 };
    let discarded = |tested: Tested| match tested {
        Tested::Discard(Some(by)) => by.bindings.len(),
        other => panic!("{other:?}"),
    };
    let mut session = session(&property, 10, 1);
    let (case, tested) = session.tester.record(0, 100);
    assert_eq!(discarded(tested), 0);
    let source = Source::replay(&case.sequence);
    let (case, tested) = Budget::new(&session).run(&mut session, 0, source, &[]);
    assert_eq!((discarded(tested), session.tester.print(&case).len()), (0, 1));
}

#[test]
fn pools_follow_their_order() {
    let order = |pool: &mut dyn Pool| {
        for utility in [2.0, 3.0, 1.0] {
            pool.invest(seed(utility));
        }
        let mut order = Vec::new();
        while let Directive::Mutate(seed) = pool.sample(&mut Random::from_key(1)) {
            order.push(seed.utility);
            pool.revise();
        }
        order
    };
    assert_eq!(order(&mut Fifo::new(Energy::constant(1))), [2.0, 3.0, 1.0]);
    assert_eq!(order(&mut Filo::new(Energy::constant(1))), [1.0, 3.0, 2.0]);
    assert_eq!(order(&mut Heap::new(Energy::constant(1))), [3.0, 2.0, 1.0]);
    assert_eq!(order(&mut Singleton::resetting(Energy::constant(2))), [3.0, 3.0]);
    assert_eq!(
        order(&mut Heap::new(Energy::up_to(3))).len(),
        3 + 3 + 1,
        "3 for each that was best when it came, and a third"
    );
}

#[test]
fn a_pool_of_improving_seeds_keeps_the_last_and_stays_bounded() {
    let energy = Energy::constant(1);
    let pools: [(&str, Box<dyn Pool>); 3] = [
        ("queue", Box::new(Fifo::new(energy))),
        ("stack", Box::new(Filo::new(energy))),
        ("heap", Box::new(Heap::new(energy))),
    ];
    for (name, mut pool) in pools {
        for better in 0..20_000 {
            pool.invest(seed(f64::from(better)));
        }
        assert_eq!(pool.best().map(|best| best.utility), Some(19_999.0), "{name}");
        let mut left = 0;
        while pool.sample(&mut Random::from_key(1)) != Directive::Generate {
            pool.revise();
            left += 1;
        }
        assert!((1000..10_000).contains(&left), "{name}: {left} seeds");
    }
}

#[test]
fn a_corpus_produces_more_of_the_kind_that_was_useful() {
    let mutants = |of_use: fn(&Directive<'_>) -> bool| {
        let (mut pool, mut random) = (Corpus::new(), Random::from_key(1));
        // Seeds that were there before say nothing about either.
        (0..1000).for_each(|_| pool.invest(seed(1.0)));
        let mut count = |tests: u32| {
            let mut mutants = 0;
            for test in 0..tests {
                let sampled = pool.sample(&mut random);
                mutants += u32::from(sampled != Directive::Generate);
                if test % 16 == 0 && of_use(&sampled) {
                    pool.invest(seed(1.0));
                }
            }
            mutants
        };
        (count(100), {
            count(4000);
            count(1000)
        })
    };
    let (at_first, later) = mutants(|_| true);
    assert!((30..70).contains(&at_first) && (300..700).contains(&later), "{at_first} {later}");
    let (_, later) = mutants(|sampled| *sampled == Directive::Generate);
    assert!((20..150).contains(&later), "{later}: some, whatever they bring");
    let (_, later) = mutants(|sampled| *sampled != Directive::Generate);
    assert!((600..850).contains(&later), "{later}: not all, whatever they bring");
}

#[test]
fn a_useless_mutant_gets_no_credit_for_another_guides_finding() {
    let (mut pool, mut random) = (Corpus::new(), Random::from_key(1));
    pool.invest(seed(1.0));
    let mut mutants = 0;
    for _ in 0..4000 {
        if pool.sample(&mut random) != Directive::Generate {
            mutants += 1;
            pool.revise();
            pool.invest(seed(1.0));
        }
    }
    assert!((1600..2400).contains(&mutants), "{mutants}: neither is of more use than the other");
}

#[test]
fn every_pool_generates_when_it_is_empty() {
    let pools: [&mut dyn Pool; 6] = [
        &mut Fifo::new(Energy::constant(1)),
        &mut Filo::new(Energy::constant(1)),
        &mut Heap::new(Energy::constant(1)),
        &mut Singleton::fixed(),
        &mut Singleton::monotonic(Energy::constant(1)),
        &mut Corpus::new(),
    ];
    for pool in pools {
        pool.revise();
        assert_eq!(pool.sample(&mut Random::from_key(1)), Directive::Generate);
        assert_eq!(pool.best(), None);
    }
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Expr {
    Lit(i32),
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

/// Runs many mutants of many inputs.
fn mutants(property: &dyn Property, mut look: impl FnMut(&Case, &Case, &Tested)) {
    let tester = Tester::new("mutants", property, 3);
    let mut mutator = Mutator::new(property, 3);
    for index in 0..50 {
        let (case, _) = tester.record(index, 30);
        mutator.offer(&case.sequence);
        let mut seed = Seed::new(case, 1.0);
        seed.operands.number(5, 0xdead_beef);
        seed.operands.text(b"alpha", b"beta");
        for _ in 0..40 {
            let (source, steps) = mutator.mutate(&seed);
            let (mutant, tested) = tester.run_source(source, &steps);
            look(&seed.case, &mutant, &tested);
        }
    }
}

#[test]
fn mutants_are_inputs_of_the_generator() {
    let property = property! {
        forall n in 3..17u32, contract (3..17).contains(n);
        forall xs in vec(0..*n).len(1..9), contract xs.iter().all(|x| x < n) && (1..9).contains(&xs.len());
        forall at in 0..xs.len(), contract *at < xs.len();
        forall expr: Expr;
        check !matches!(expr, Expr::Call(name, _) if name.len() > 1_000_000)
    };
    let mut changed = 0;
    mutants(&property, |seed, mutant, tested| {
        assert_eq!(*tested, Tested::Pass);
        changed += u32::from(seed.sequence != mutant.sequence);
    });
    assert!(changed > 1500, "{changed} of 2000");
}

#[test]
fn mutants_keep_most_of_their_seed() {
    let property = property! { forall xs in vec(0..1_000_000u32).len(20); check xs.len() == 20 };
    let mut kept = 0;
    let mut total = 0;
    mutants(&property, |seed, mutant, _| {
        kept += seed
            .sequence
            .values()
            .filter(|&value| value > 1000 && mutant.sequence.values().any(|other| other == value))
            .count();
        total += seed.sequence.values().filter(|&value| value > 1000).count();
    });
    assert!(kept * 10 > total * 6, "{kept} of {total}");
}

#[test]
fn a_custom_mutator_is_used_and_its_mutants_replay() {
    let property = property! {
        forall n in 0..10u64, mutate |n, source| n * 1000 + source.draw(0..10u64);
        check *n < 10_000
    };
    let report = guided(
        session(&property, 2000, 1),
        &mut [Guide::new(feedback_fn(|test| test.index as f64), Singleton::fixed())],
    );
    let found = report.counterexample.expect("two mutations lead there");
    assert!(!found.case.steps.is_empty());
    let again = Case::from_text(&found.case.to_text()).expect("what was written can be read");
    assert!(matches!(Tester::new("again", &property, 1).run(&again).1, Tested::Fail(_)));
}

#[test]
fn a_value_is_mutated_by_type_on_request() {
    #[derive(Arbitrary, Clone, Debug)]
    struct Point {
        x: u64,
        y: u64,
    }
    // A derived mutation changes one field and leaves the other alone.
    let property = property! { forall point: Point, mutate; check point.x ^ point.y == point.y ^ point.x };
    let tester = Tester::new("points", &property, 1);
    let seed = Seed::new(tester.record(0, 100).0, 1.0);
    let mut mutator = Mutator::new(&property, 1);
    let text = |case: &Case| tester.print(case)[0].printed.text().to_owned();
    let (mut typed, before) = (0, text(&seed.case));
    for _ in 0..100 {
        let (source, steps) = mutator.mutate(&seed);
        let (mutant, tested) = tester.run_source(source, &steps);
        assert_eq!(tested, Tested::Pass);
        typed += u32::from(!steps.is_empty() && text(&mutant) != before);
    }
    assert!(typed > 20, "{typed}");
}

/// Fails when two numbers stand in a relation that chance does not find: a climb with a score.
fn related() -> impl Property {
    property! {
        forall a: i32;
        forall b: i32;
        check {
            let distance = (i64::from(*a) - 3 * i64::from(*b) - 123_456).abs();
            target!(-(distance as f64));
            distance > 0
        }
    }
}

#[test]
fn scores_find_failures_that_random_testing_misses() {
    let property = related();
    for seed in 0..5 {
        assert_eq!(generational(session(&property, 20_000, seed)).verdict, Verdict::Passed);
        let report = targeted(session(&property, 20_000, seed));
        assert_eq!(report.verdict, Verdict::Failed, "seed {seed}");
        assert!(matches!(report.counterexample.unwrap().found, Found::Guided { .. }));
    }
}

#[test]
fn inputs_whose_length_is_the_score_do_not_grow_without_end() {
    let longest = Cell::new(0);
    let property = property! { forall xs: Vec<u8>; check {
        target!(xs.len() as f64);
        longest.set(longest.get().max(xs.len()));
    } };
    let report = targeted(session(&property, 2000, 1));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 2000));
    assert!((4096..10_000).contains(&longest.get()), "{}", longest.get());
}

#[test]
fn a_feedback_annotation_guides() {
    let property = property! {
        forall bits in vec(any::<bool>()).len(64), feedback |bits| bits.iter().filter(|&&bit| bit).count() as f64;
        check bits.contains(&false)
    };
    assert_eq!(targeted(session(&property, 20_000, 1)).verdict, Verdict::Failed);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let property = related();
    let run = |seed| {
        let report = targeted(session(&property, 20_000, seed));
        (report.counterexample.map(|found| (found.case, found.found)), report.statistics)
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

/// Has every other test that was not recorded run again.
#[derive(Default)]
struct Scouting {
    asked: u64,
}

impl Feedback for Scouting {
    fn scouts(&self) -> bool {
        true
    }

    fn is_new(&mut self, _: Option<f64>) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(2)
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        test.index.is_multiple_of(3).then(|| Worth::new(test.index as f64))
    }
}

#[test]
fn a_test_that_was_not_recorded_runs_again_with_the_same_values_and_counts_once() {
    let seen = RefCell::new(Vec::new());
    let property = property! {
        forall lists: (Vec<u8>, String, Vec<i64>, Vec<Vec<char>>);
        forall others: (BTreeSet<u8>, Option<f64>, Result<Box<[bool]>, u128>);
        forall odd in any::<u16>().filter(|n| n % 2 == 1);
        forall chosen in vec(one_of![constant(0), 1..1000u64]).len(..9);
        check {
            label!("ran");
            seen.borrow_mut().push((forall::context().index(), format!("{lists:?} {others:?} {odd} {chosen:?}")));
        }
    };
    let report = guided(session(&property, 3000, 1), &mut [Guide::new(Scouting::default(), Corpus::new())]);
    assert_eq!((report.statistics.valid, report.statistics.labels["ran"]), (3000, 3000));
    let seen = seen.into_inner();
    let mut again = 0;
    for pair in seen.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert_eq!(pair[0], pair[1]);
        again += 1;
    }
    assert!(again > 1000, "{again}");
}

#[test]
#[ignore = "slow: 60 s"]
fn several_guides_each_keep_their_own_seeds() {
    // Both long and high: neither guide alone gets there as fast.
    let property = property! {
        forall xs: Vec<u8>;
        check xs.len() < 40 || xs.iter().filter(|&&x| x > 250).collect::<BTreeSet<_>>().len() < 5
    };
    // Long enough: without a limit, inputs grow until they cannot be recorded.
    let long = |test: &Observed<'_>| test.case.sequence.len().min(400) as f64;
    let high = |test: &Observed<'_>| test.case.sequence.values().filter(|&value| value > 250).count() as f64;
    let heap = || Heap::new(Energy::up_to(100));
    let mut guides = [Guide::new(feedback_fn(long), heap()), Guide::new(feedback_fn(high), heap())];
    let report = guided(session(&property, 20_000, 1), &mut guides);
    assert_eq!(report.verdict, Verdict::Failed);
    let best: Vec<f64> = guides.iter().map(|guide| guide.pool.best().map_or(0.0, |seed| seed.utility)).collect();
    assert!(best[0] > 40.0 && best[1] >= 4.0, "{best:?}");
}

#[test]
fn compared_values_are_put_where_they_were_compared() {
    // The comparisons that instrumentation would record, reported by the property itself.
    struct Comparisons(Rc<RefCell<Operands>>);
    impl Feedback for Comparisons {
        fn prepare(&mut self) {
            self.0.take();
        }

        fn observe(&mut self, _: &Observed<'_>) -> Option<Worth> {
            Some(Worth { operands: self.0.take(), ..Worth::new(1.0) })
        }
    }
    fn run(property: &dyn Property, seen: &Rc<RefCell<Operands>>) -> Report {
        guided(session(property, 2000, 1), &mut [Guide::new(Comparisons(Rc::clone(seen)), Singleton::fixed())])
    }
    let seen = Rc::new(RefCell::new(Operands::default()));

    let magic =
        property! { forall n: u32; check { seen.borrow_mut().number((*n).into(), 0xdead_beef); *n != 0xdead_beef } };
    assert_eq!(run(&magic, &seen).verdict, Verdict::Failed);

    let negative = property! { forall n: i32; check { seen.borrow_mut().number(*n as u32 as u64, -77_777i32 as u32 as u64); *n != -77_777 } };
    assert_eq!(run(&negative, &seen).verdict, Verdict::Failed);

    let offset = property! { forall n in 1_000_000..2_000_000u32; check { seen.borrow_mut().number((*n).into(), 1_654_321); *n != 1_654_321 } };
    assert_eq!(run(&offset, &seen).verdict, Verdict::Failed);

    let keyword = property! { forall text: String; check { seen.borrow_mut().text(text.as_bytes(), b"keyword"); text != "keyword" } };
    assert_eq!(run(&keyword, &seen).verdict, Verdict::Failed);

    let prefix = property! {
        forall bytes: Vec<u8>;
        check match bytes.first_chunk() {
            Some(head) => {
                let magic = u32::from_le_bytes(*b"\x7fELF");
                seen.borrow_mut().number(u32::from_le_bytes(*head).into(), magic.into());
                u32::from_le_bytes(*head) != magic
            }
            None => true,
        }
    };
    assert_eq!(run(&prefix, &seen).verdict, Verdict::Failed);
}

#[test]
fn follow_ups_of_other_workers_inputs_are_not_tried() {
    const MAGIC: u64 = 0xdead_beef;
    /// The first input is generated here or comes from another worker; then an unknown one is mutated.
    struct Once {
        first: Option<Seed>,
        begun: bool,
        other: Seed,
    }
    impl Pool for Once {
        fn invest(&mut self, _: Seed) {}

        fn revise(&mut self) {}

        fn sample(&mut self, _: &mut Random) -> Directive<'_> {
            match (std::mem::replace(&mut self.begun, true), &self.first) {
                (true, _) => Directive::Mutate(&self.other),
                (false, Some(first)) => Directive::Try(first),
                (false, None) => Directive::Generate,
            }
        }

        fn best(&self) -> Option<&Seed> {
            None
        }
    }
    /// Useful is the first test, and what it compared is known.
    struct Compared;
    impl Feedback for Compared {
        fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
            let mut operands = Operands::default();
            operands.number(test.case.sequence.values().next()?, MAGIC);
            (test.index == 0).then(|| Worth { operands, ..Worth::new(1.0) })
        }
    }
    let property = property! { forall n in from_fn(|s| s.choice(u64::MAX)); check *n != MAGIC };
    let input = || Seed::new(Case { sequence: Sequence::from_values(100, &[77_777]), steps: vec![] }, 1.0);
    let run = |first: Option<Seed>| {
        let pool = Once { first, begun: false, other: input() };
        guided(session(&property, 50, 1), &mut [Guide::new(Compared, pool)]).verdict
    };
    assert_eq!(run(None), Verdict::Failed, "it is put where it was compared at once");
    assert_eq!(run(Some(input())), Verdict::Passed);
}

#[test]
fn new_interactions_are_useful_and_known_ones_are_not() {
    let property = property! { forall expr: Expr; check *expr == expr.clone() };
    let mut guides = [Guide::new(Novelty::of(Interactions::new(2)), Corpus::new())];
    let report = guided(session(&property, 2000, 1), &mut guides);
    assert_eq!(report.verdict, Verdict::Passed);
    let most = guides[0].pool.best().map_or(0.0, |seed| seed.utility);
    assert!(most > 3.0);
}

#[test]
#[ignore = "slow: 27 s"]
fn thinning_needs_fewer_executions() {
    // One constructor directly below another, among many.
    fn hides(expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => false,
            Expr::Neg(inner) => matches!(&**inner, Expr::Call(_, arguments) if arguments.len() == 2) || hides(inner),
            Expr::Add(a, b) => hides(a) || hides(b),
            Expr::Call(_, arguments) => arguments.iter().any(hides),
        }
    }
    let property = property! { forall expr: Expr; check !hides(expr) };
    let executions = |runner: fn(Session<'_>) -> Report| -> u64 {
        (0..40).map(|seed| runner(session(&property, 5000, seed)).statistics.valid).sum()
    };
    let (thinned, plain) = (executions(combinatorial), executions(generational));
    assert!(thinned < plain, "{thinned} against {plain}");
}

/// A binary tree of small keys, as it is derived: few are search trees.
#[derive(Arbitrary, Debug)]
enum Tree {
    Leaf,
    Node(Box<Node>),
}

#[derive(Arbitrary, Debug)]
struct Node {
    left: Tree,
    #[forall(with = -20..=20)]
    key: i32,
    right: Tree,
}

impl Tree {
    fn is_sorted(&self, low: i32, high: i32) -> bool {
        match self {
            Tree::Leaf => true,
            Tree::Node(node) => {
                let key = node.key;
                low < key && key < high && node.left.is_sorted(low, key) && node.right.is_sorted(key, high)
            }
        }
    }

    fn keys(&self) -> Vec<i32> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(node) => [node.left.keys(), vec![node.key], node.right.keys()].concat(),
        }
    }
}

/// Whether a runner finds a search tree of six keys of which one is the other variable.
fn finds_a_large_search_tree(runner: fn(Session<'_>) -> Report, seed: u64) -> bool {
    let property = property! {
        forall tree in any::<Tree>().scale(|size| size / 10);
        implies tree.is_sorted(-21, 21);
        forall key in -20..=20;
        check tree.keys().len() < 6 || !tree.keys().contains(key)
    };
    runner(session(&property, 5_000, seed)).counterexample.is_some()
}

#[test]
#[ignore = "slow: 5 s"]
fn constructors_lead_to_large_valid_inputs() {
    let found = (0..10).filter(|&seed| finds_a_large_search_tree(constructor_guided, seed)).count();
    assert!(found == 10, "{found} of 10");
    let without = (0..10).filter(|&seed| finds_a_large_search_tree(generational, seed)).count();
    assert!(without <= 3, "{without} of 10");
}

#[test]
fn of_inputs_with_the_same_feature_the_smallest_is_changed() {
    let property = property! { forall xs: Vec<u8>; check xs.len() < 1000 };
    let tester = Tester::new("lists", &property, 1);
    let mut guide = Guide::elites(|_, features| features.push(7));
    let mut long = tester.record(1, 100).0;
    let mut short = Case { sequence: Sequence::default(), ..long.clone() };
    std::mem::swap(&mut long, &mut short);
    let mut lengths = Vec::new();
    for case in [&short, &long, &short] {
        if let Some(worth) = guide.feedback.observe(&Observed::new(0, case, &Tested::Pass)) {
            guide.pool.invest(Seed::new(case.clone(), worth.utility));
        }
        let mut random = Random::from_key(1);
        while let Directive::Generate = guide.pool.sample(&mut random) {}
        if let Directive::Mutate(seed) = guide.pool.sample(&mut Random::from_key(2)) {
            lengths.push(seed.case.sequence.len());
        }
    }
    assert!(short.sequence.len() > long.sequence.len(), "the first is the longer one");
    assert_eq!(lengths, [short.sequence.len(), 0, 0]);
}

#[test]
fn a_tested_shape_is_known_for_any_numbers() {
    let mut guide = Guide::elites(|_, features| features.push(7));
    let pair = |a, b| {
        let choice = |value| Item::Choice(Choice { value, max: 1000 });
        Sequence { items: vec![choice(a), choice(b)], ..Sequence::default() }
    };
    let case = Case { sequence: pair(2, 200), ..Case::default() };
    guide.feedback.observe(&Observed::new(0, &case, &Tested::Discard(None)));
    assert!(guide.feedback.is_known(&pair(4, 500)));
    assert!(!guide.feedback.is_known(&pair(500, 4)), "the other way round");
    assert!(!guide.feedback.is_known(&pair(4, 4)), "equal numbers");
}

#[test]
fn a_discard_has_no_cell_of_its_own() {
    let mut guide = Guide::elites(|_, features| features.push(7));
    let case = Case::default();
    assert_eq!(guide.feedback.observe(&Observed::new(0, &case, &Tested::Discard(None))), None);
    assert_eq!(guide.pool.sample(&mut Random::from_key(1)), Directive::Generate);
}

#[test]
fn labels_and_discards_are_counted_as_by_other_runners() {
    let property = property! {
        forall n in 0..100u32;
        check {
            label!("before");
            assume!(*n < 50);
            classify!(*n < 25, "low");
        }
    };
    for runner in [targeted as fn(Session<'_>) -> Report, combinatorial] {
        let report = runner(session(&property, 200, 1));
        assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 200));
        assert_eq!(report.statistics.labels["before"], 200, "discarded tests have no labels");
        assert!(report.statistics.discarded > 20);
    }
}

#[test]
fn a_run_that_only_discards_gives_up() {
    let property = property! { forall n in 0..100u32; implies *n > 100; check *n > 100 };
    for runner in [targeted as fn(Session<'_>) -> Report, combinatorial] {
        assert!(matches!(runner(session(&property, 50, 1)).verdict, Verdict::GaveUp(_)));
    }
}

#[test]
fn a_nan_score_is_reported_once() {
    let property = property! { forall n in 0..100u32; check { target!(f64::NAN); *n < 100 } };
    let report = targeted(session(&property, 50, 1));
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(
        report.warnings.iter().filter(|warning| warning.to_string().contains("NaN")).count(),
        1,
        "{:?}",
        report.warnings
    );
}

#[test]
fn a_panic_in_feedback_is_not_a_failure_of_the_property() {
    let property = property! { forall n in 0..100u32; check *n < 100 };
    let guide = Guide::new(feedback_fn(|_| panic!("no idea")), Corpus::new());
    let report = guided(session(&property, 50, 1), &mut [guide]);
    assert!(
        matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("no idea")),
        "{:?}",
        report.verdict
    );

    let gives_up = feedback_fn(|_| Source::random(1, 0, 9).reject_now());
    let gives_up = Guide::new(gives_up, Corpus::new());
    let report = guided(session(&property, 50, 1), &mut [gives_up]);
    let told = "it called `assume!` outside of a test body";
    assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains(told)), "{:?}", report.verdict);

    struct Unprepared;
    impl Feedback for Unprepared {
        fn prepare(&mut self) {
            panic!("not yet");
        }
        fn observe(&mut self, _: &Observed<'_>) -> Option<Worth> {
            None
        }
    }
    let report = guided(session(&property, 50, 1), &mut [Guide::new(Unprepared, Corpus::new())]);
    assert!(
        matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("not yet")),
        "{:?}",
        report.verdict
    );

    struct Undecided;
    impl Feedback for Undecided {
        fn needs_discards(&self) -> bool {
            panic!("who knows");
        }
        fn observe(&mut self, _: &Observed<'_>) -> Option<Worth> {
            None
        }
    }
    let discarded = property! { forall n in 0..100u32; implies *n > 90; check *n < 100 };
    let report = guided(session(&discarded, 50, 1), &mut [Guide::new(Undecided, Corpus::new())]);
    assert!(
        matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("who knows")),
        "{:?}",
        report.verdict
    );

    let property = property! { forall n in 0..100u32, feedback |_| panic!("none at all"); check *n < 100 };
    let report = targeted(session(&property, 50, 1));
    assert!(
        matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("none at all")),
        "{:?}",
        report.verdict
    );
}

#[test]
fn without_guides_inputs_are_random() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let report = guided(session(&property, 50, 1), &mut []);
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 50));
}

#[test]
fn a_property_without_choices_can_be_mutated() {
    let property = property! { forall unit in constant(()); check [*unit].len() == 1 };
    assert_eq!(targeted(session(&property, 50, 1)).verdict, Verdict::Passed);
    let mut mutator = Mutator::new(&property, 1);
    let mut nothing = Seed::new(Case { sequence: Sequence::default(), steps: vec![] }, 1.0);
    nothing.operands.number(1, 2);
    nothing.operands.text(b"a", b"b");
    for _ in 0..100 {
        let (source, steps) = mutator.mutate(&nothing);
        assert_eq!(Tester::new("unit", &property, 1).run_source(source, &steps).1, Tested::Pass);
    }
}

#[forall::test(runner = targeted, tests = 500)]
fn an_attribute_names_the_runner(#[forall(0..10u32)] n: u32) {
    target!(f64::from(n));
    assert!(n < 10);
}

#[test]
fn thinning_does_not_insist_on_discarded_inputs() {
    let property = property! {
        forall expr: Expr;
        implies !matches!(expr, Expr::Call(..));
        check !matches!(expr, Expr::Call(..))
    };
    assert_eq!(combinatorial(session(&property, 500, 1)).verdict, Verdict::Passed);
}

#[test]
fn energy_is_less_for_worse_seeds_even_below_zero() {
    let energy = Energy::up_to(100);
    for (utility, best) in
        [(-10.0, -5.0), (-1e6, -1.0), (-5.0, 0.0), (-5.0, 5.0), (0.0, 5.0), (f64::NEG_INFINITY, -1.0)]
    {
        assert!(energy.of(utility, best) <= 50, "{utility} of {best}: {}", energy.of(utility, best));
    }
    assert_eq!(energy.of(-5.0, -5.0), 100);
}

#[test]
fn scores_of_earlier_runs_do_not_count() {
    let property = property! { forall n in 0..1000u32; check { target!(f64::from(*n)); } };
    let session = session(&property, 1, 1);
    session.tester.run(&Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] });
    let seen = Rc::new(RefCell::new(Vec::new()));
    type Seen = Rc<RefCell<Vec<(u64, Option<f64>)>>>;
    struct Scores(Seen);
    impl Feedback for Scores {
        fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
            self.0.borrow_mut().push((test.case.sequence.values().next().unwrap_or(0), test.score));
            None
        }
    }
    guided(session, &mut [Guide::new(Scores(Rc::clone(&seen)), Corpus::new())]);
    let (drawn, score) = seen.borrow()[0];
    assert_eq!(score, Some(drawn as f64));
}
