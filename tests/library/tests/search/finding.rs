//! Bugs that a default run finds: shaped tests, and exploration in extra time.

use forall::choice::Source;
use forall::machine::Sequential;
use forall::prelude::*;
use forall::property::{FailureKind, Property};
use forall::run::{Event, Found, Observer, Report, Run, Settings, Store, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn settings(seed: u64) -> Settings {
    Settings::new().seed(seed).store(Store::Off).shrink_evaluations(0).explain(0)
}

fn run(property: &dyn Property, settings: Settings) -> Report {
    Run::new("finding", property).settings(settings).report()
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Expr {
    Number(i8),
    Add(Box<Expr>, Box<Expr>),
    Divide(Box<Expr>, Box<Expr>),
}

fn evaluate(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Number(n) => Some(i64::from(*n)),
        Expr::Add(a, b) => evaluate(a)?.checked_add(evaluate(b)?),
        Expr::Divide(a, b) => evaluate(a)?.checked_div(evaluate(b)?),
    }
}

/// Takes `x / x` for 1.
fn optimise(expr: &Expr) -> Expr {
    match expr {
        Expr::Number(n) => Expr::Number(*n),
        Expr::Add(a, b) => Expr::Add(Box::new(optimise(a)), Box::new(optimise(b))),
        Expr::Divide(a, b) if a == b => Expr::Number(1),
        Expr::Divide(a, b) => Expr::Divide(Box::new(optimise(a)), Box::new(optimise(b))),
    }
}

#[test]
fn a_division_of_equal_subtrees_is_found_within_a_few_tests() {
    let property = property! { forall expr: Expr; check evaluate(&optimise(expr)) == evaluate(expr) };
    let mut tests: Vec<u64> = (0..100)
        .filter_map(|seed| {
            let report = run(&property, settings(seed));
            report.counterexample.is_some().then_some(report.statistics.valid + 1)
        })
        .collect();
    tests.sort_unstable();
    assert!(tests.len() >= 99, "found in {} of 100 runs", tests.len());
    assert!(tests[50] <= 10, "median {}", tests[50]);
}

/// A cache of two entries. `put` does not make a known key the latest.
struct Cache<K>(Vec<(K, u16)>);

impl<K: PartialEq> Cache<K> {
    fn get(&mut self, key: K) -> Option<u16> {
        let at = self.0.iter().position(|entry| entry.0 == key)?;
        let entry = self.0.remove(at);
        let value = entry.1;
        self.0.push(entry);
        Some(value)
    }

    fn put(&mut self, key: K, value: u16) {
        match self.0.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => entry.1 = value,
            None => {
                if self.0.len() == 2 {
                    self.0.remove(0);
                }
                self.0.push((key, value));
            }
        }
    }
}

#[derive(Clone)]
struct Model<K>(Vec<(K, u16)>);

impl<K: PartialEq> Model<K> {
    fn get(&mut self, key: K) -> Option<u16> {
        let at = self.0.iter().position(|entry| entry.0 == key)?;
        let entry = self.0.remove(at);
        let value = entry.1;
        self.0.push(entry);
        Some(value)
    }

    fn put(&mut self, key: K, value: u16) {
        self.0.retain(|entry| entry.0 != key);
        if self.0.len() == 2 {
            self.0.remove(0);
        }
        self.0.push((key, value));
    }
}

macro_rules! cache {
    ($name:ident, $key:ty) => {
        mod $name {
            use super::*;

            forall::machine! {
                spec S for Cache<$key> = Cache(vec![]), like Model<$key> = Model(vec![]);
                fn get(key: $key) -> Option<u16>;
                fn put(key: $key, value: u16) -> ();
            }

            pub fn found(seeds: u64) -> usize {
                let property = property! { forall commands: Sequential<S>; check commands.check() };
                (0..seeds).filter(|&seed| run(&property, settings(seed)).counterexample.is_some()).count()
            }
        }
    };
}

cache!(bytes, u8);
cache!(words, u32);
cache!(strings, String);

#[test]
fn keys_of_commands_repeat_whatever_their_type() {
    assert_eq!((bytes::found(20), words::found(20), strings::found(20)), (20, 20, 20));
}

#[test]
fn the_tests_of_a_run_are_the_same_on_any_number_of_threads() {
    let property = property! {
        forall xs: Vec<u16>;
        forall expr: Expr;
        check xs.windows(2).filter(|pair| pair[0] == pair[1]).count() < 12 || evaluate(expr).is_some()
    };
    for seed in 0..10 {
        let reports: Vec<Report> = [1, 2, 3, 64]
            .map(|threads| {
                Run::parallel("threads", &property).settings(settings(seed).tests(3000).threads(threads)).report()
            })
            .into();
        let summary = |report: &Report| {
            let found = report.counterexample.as_ref();
            (report.statistics.valid, found.map(|found| (found.found.clone(), found.case.sequence.clone())))
        };
        for report in &reports[1..] {
            assert_eq!(summary(report), summary(&reports[0]), "seed {seed}");
        }
    }
}

#[test]
fn a_test_does_not_depend_on_how_many_follow_it() {
    let tests = |count| {
        let seen = RefCell::new(Vec::new());
        let property = property! { forall xs: Vec<u8>; forall text: String; check { seen.borrow_mut().push((xs.clone(), text.clone())); } };
        assert_eq!(run(&property, settings(7).tests(count)).verdict, Verdict::Passed);
        seen.into_inner()
    };
    let (few, many) = (tests(256), tests(5000));
    assert_eq!(few[..], many[..256]);
}

#[test]
fn few_collections_are_empty_and_the_second_test_is_not() {
    let lengths = RefCell::new(Vec::new());
    let property = property! { forall xs: Vec<u8>; check { lengths.borrow_mut().push(xs.len()); } };
    run(&property, settings(3).tests(10_000));
    let lengths = lengths.into_inner();
    let empty = lengths.iter().filter(|length| **length == 0).count();
    assert!(empty <= 600, "{empty} of 10,000 are empty");
    assert!(lengths[..10].iter().any(|length| *length > 0));
}

#[derive(Arbitrary, Clone, Debug)]
enum Tree {
    Leaf,
    Node(Box<Branch>),
}

/// Recurs through another type: the macro cannot see it.
#[derive(Arbitrary, Clone, Debug)]
struct Branch {
    colour: Colour,
    left: Tree,
    key: Key,
    right: Tree,
}

#[derive(Arbitrary, Clone, Debug)]
enum Colour {
    Red,
    Black,
}

#[derive(Arbitrary, Clone, Debug)]
struct Key(u8, u8);

/// How many nodes of each recursive constructor there are.
fn constructors(expr: &Expr) -> [usize; 2] {
    let add = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
    match expr {
        Expr::Number(_) => [0, 0],
        Expr::Add(a, b) => add([1, 0], add(constructors(a), constructors(b))),
        Expr::Divide(a, b) => add([0, 1], add(constructors(a), constructors(b))),
    }
}

#[test]
fn derived_values_reach_fifteen_nodes_of_each_recursive_constructor() {
    let drawn = |index| constructors(&Source::random(5, index, 100).draw(any::<Expr>()));
    let counts: Vec<[usize; 2]> = (0..2000).map(drawn).collect();
    assert!(counts.iter().any(|[adds, divides]| *adds >= 15 && *divides >= 15), "at most {:?}", counts.iter().max());
    let mean = counts.iter().flatten().sum::<usize>() as f64 / counts.len() as f64;
    assert!((1.0..50.0).contains(&mean), "{mean} nodes on average");
}

fn nodes(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 0,
        Tree::Node(branch) => {
            let Branch { colour: Colour::Red | Colour::Black, left, key: Key(_, _), right } = &**branch;
            1 + nodes(left) + nodes(right)
        }
    }
}

#[test]
fn derived_trees_reach_fifteen_nodes_and_stay_small_on_average() {
    let sizes: Vec<usize> = (0..2000).map(|index| nodes(&Source::random(5, index, 100).draw(any::<Tree>()))).collect();
    assert!(sizes.iter().any(|size| *size >= 15), "at most {:?}", sizes.iter().max());
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    assert!((1.0..50.0).contains(&mean), "{mean} nodes on average");
}

#[test]
fn extra_time_runs_more_tests_which_are_counted_separately() {
    let labelled = Cell::new(0);
    let property = property! {
        forall n: u64;
        check { labelled.set(labelled.get() + 1); cover!(10, n % 2 == 0, "even"); true }
    };
    let report = run(&property, settings(1).tests(100).extra_time("200ms"));
    assert_eq!((report.verdict.clone(), report.statistics.valid), (Verdict::Passed, 100));
    assert!(report.statistics.explored.valid > 0);
    assert_eq!(labelled.get(), 100 + report.statistics.explored.valid);
    assert!(report.statistics.covers["even"].hits <= 100);
    let text = forall::report::render(&report, &forall::report::Style::plain());
    assert!(text.contains("100 tests, and ") && text.contains(" more in "), "{text}");
}

#[test]
fn a_set_seed_or_number_of_tests_disables_extra_time() {
    let count = |settings: Settings| {
        let count = Cell::new(0);
        let property = property! { forall n: u64; check { let _ = n; count.set(count.get() + 1); } };
        run(&property, settings.store(Store::Off));
        count.get()
    };
    assert_eq!((count(Settings::new().seed(1)), count(Settings::new().tests(300))), (256, 300));
    assert_eq!(count(Settings::new().extra_time("0s")), 256);
}

#[test]
fn the_environment_sets_and_disables_extra_time() {
    let settings = |value: &'static str| {
        Settings::new().with_environment(move |name| (name == "FORALL_EXTRA_TIME").then(|| value.to_owned()))
    };
    assert_eq!(settings("1s").unwrap().extra_time, Some(Duration::from_secs(1)));
    assert_eq!(settings("off").unwrap().extra_time, Some(Duration::ZERO));
    assert_eq!(settings("0").unwrap().extra_time, Some(Duration::ZERO));
    for wrong in ["abc", "-5s", "5 parsecs"] {
        let message = settings(wrong).unwrap_err();
        assert!(message.to_string().contains(&format!("`FORALL_EXTRA_TIME={wrong}` is not valid")), "{message}");
    }
}

#[test]
fn inputs_missing_at_some_sizes_are_explored() {
    let at_some_sizes = from_fn(|source| {
        if source.size() % 2 == 0 {
            source.reject_now();
        }
        source.draw(0..1_000_000u32)
    });
    let property = property! { forall n in at_some_sizes; check *n < 1_000_000 };
    let report = run(&property, settings(1).tests(100).extra_time("200ms"));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
    assert!(report.statistics.explored.valid > 0, "{:?}", report.statistics.explored);
}

#[test]
fn inputs_missing_at_size_0_are_explored() {
    let not_at_0 = from_fn(|source| match source.size() {
        0 => source.reject_now(),
        size => source.draw(vec(any::<u8>()).len(1..=size as usize)),
    });
    let property = property! { forall xs in not_at_0; check !xs.is_empty() };
    let report = run(&property, settings(1).tests(100).extra_time("200ms"));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
    assert!(report.statistics.explored.valid > 0, "{:?}", report.statistics.explored);
}

#[test]
fn extra_time_ends_although_tests_get_slow() {
    let property = property! {
        forall n: u64;
        check { let _ = n; if forall::context().index() >= 1000 { std::thread::sleep(Duration::from_millis(5)); } }
    };
    let began = Instant::now();
    let report = run(&property, settings(1).extra_time("20ms"));
    assert!(report.verdict.is_success());
    // One slow test is let finish; twenty would take 100 ms.
    assert!(report.statistics.explored.valid < 20, "{:?} in {:?}", report.statistics.explored, began.elapsed());
}

/// One input in 4,000. Outside of tests, whose literals are test data.
fn is_rare(n: u32) -> bool {
    (123_456..123_706).contains(&n)
}

#[test]
fn failures_found_by_exploring_are_saved_shrunk_and_replayed() {
    let directory = forall::scratch_dir().unwrap();
    let settings = || Settings::new().seed(1).tests(50).store(Store::Directory(directory.to_path_buf()));
    let property = property! { forall n in 0..1_000_000u32; check !is_rare(*n) };
    assert_eq!(run(&property, settings()).verdict, Verdict::Passed, "the first 50 tests do not find it");
    let report = run(&property, settings().extra_time("100s"));
    assert_eq!((&report.verdict, report.statistics.valid), (&Verdict::Failed, 50));
    let text = forall::report::render(&report, &forall::report::Style::plain());
    assert!(text.contains("in extra time"), "{text}");
    let found = report.counterexample.expect("exploring finds it");
    assert!(report.statistics.explored.valid > 0, "{:?}", report.statistics.explored);
    assert_eq!(found.bindings[0].printed.text(), "123456");
    let stored = found.stored.expect("it is saved");
    let replayed = run(&property, settings());
    assert_eq!((replayed.verdict, replayed.statistics.valid), (Verdict::Failed, 0));
    let replayed = replayed.counterexample.expect("it is replayed");
    assert_eq!((replayed.found, replayed.case), (Found::Stored(stored), found.case));
}

#[forall::test(seed = 1, tests = 50, store = off, extra_time = "100s")]
#[should_panic(expected = "rare")]
fn exploring_may_find_the_expected_panic(#[forall(0..1_000_000u32)] n: u32) {
    assert!(!is_rare(n), "rare");
}

#[test]
fn extra_time_applies_beside_a_deadline() {
    let property = property! { forall n in 0..1_000_000u32; check !is_rare(*n) };
    let report = run(&property, settings(1).tests(50).deadline("100s").extra_time("100s"));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Failed, 50));
    // Explored tests have the deadline as well.
    let property = property! {
        forall n in 0..1_000_000u32;
        check if is_rare(*n) { std::thread::sleep(Duration::from_millis(20)); }
    };
    let report = run(&property, settings(1).tests(50).deadline("10ms").extra_time("100s"));
    let found = report.counterexample.expect("a test misses the deadline");
    assert_eq!(found.failure.kind, FailureKind::Deadline, "{}", found.failure.message);
}

/// Counts tests by whether they are requested ones.
#[derive(Default)]
struct Watching {
    requested: u64,
    explored: u64,
}

impl Observer for Watching {
    fn wants_tests(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Event::Tested { index, .. } = event {
            *if *index < 50 { &mut self.requested } else { &mut self.explored } += 1;
        }
    }
}

#[test]
fn extra_time_applies_beside_an_observer_which_receives_the_tests() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let mut watching = Watching::default();
    let settings = settings(1).tests(50).extra_time("200ms");
    let report = Run::new("finding", &property).settings(settings).observer(&mut watching).report();
    let explored = report.statistics.explored.valid;
    assert!(explored > 0);
    assert_eq!((watching.requested, watching.explored), (50, explored));
}

#[test]
fn the_shards_of_a_run_explore_different_tests() {
    let indices = |shard: &str| {
        let seen = RefCell::new(BTreeSet::new());
        let property =
            property! { forall n: u64; check { let _ = n; seen.borrow_mut().insert(forall::context().index()); } };
        let settings = settings(1).tests(30).shard(shard.parse().unwrap()).extra_time("20ms");
        assert!(run(&property, settings).statistics.explored.valid > 0);
        seen.into_inner()
    };
    let (one, two) = (indices("1/2"), indices("2/2"));
    assert!(one.is_disjoint(&two), "{:?}", one.intersection(&two).collect::<Vec<_>>());
}

#[test]
fn runners_that_ignore_extra_time_warn_of_it() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let warnings = |settings: Settings| run(&property, settings.store(Store::Off).seed(1).runner("targeted")).warnings;
    let [warning] = &warnings(Settings::new().extra_time("1s"))[..] else { panic!("one warning") };
    assert_eq!(
        warning.to_string(),
        "`extra_time` has no effect: the `targeted` runner runs only the requested tests. Raise `tests` instead."
    );
    assert!(warnings(Settings::new().extra_time("0s")).is_empty() && warnings(Settings::new()).is_empty());
}

#[forall::property(extra_time = off)]
fn off(n: u64) -> bool {
    n.count_ones() <= 64
}

#[forall::property(extra_time = "off")]
fn off_in_quotes(n: u64) -> bool {
    n.count_ones() <= 64
}

#[test]
fn the_settings_of_a_property_disable_extra_time() {
    let count = |property: &dyn Property| Run::new("off", property).report().statistics.explored.valid;
    assert_eq!((count(&off::property()), count(&off_in_quotes::property())), (0, 0));
}

#[test]
fn the_scattered_order_of_a_small_domain_reaches_large_bytes_early() {
    let property = property! { forall byte: u8; check byte.leading_zeros() > 0 };
    let report = run(&property, Settings::new().store(Store::Off));
    let found = report.counterexample.expect("every second byte fails");
    assert_eq!(found.found, Found::Enumerated);
    assert!(report.statistics.valid < 4, "{} tests passed before", report.statistics.valid);
}

#[derive(Arbitrary, Clone, Debug)]
struct Entry {
    key: u64,
    name: String,
    parent: u64,
    path: String,
}

#[test]
fn values_of_later_parameters_elements_and_fields_come_again() {
    let contains = property! { forall xs: Vec<u64>; forall x: u64; check !xs.contains(x) };
    let texts = property! { forall xs: Vec<String>; forall x: String; check x.is_empty() || !xs.contains(x) };
    let adjacent = property! { forall a: u32; forall b: u32; check a.wrapping_add(1) != *b };
    let numbers = property! { forall entry: Entry; check entry.key == 0 || entry.key != entry.parent };
    let names = property! { forall entry: Entry; check entry.name.is_empty() || entry.name != entry.path };
    let properties: [(&str, &dyn Property); 5] = [
        ("an element", &contains),
        ("a string of a vector", &texts),
        ("a neighbour", &adjacent),
        ("equal numbers in fields", &numbers),
        ("equal strings in fields", &names),
    ];
    for (what, property) in properties {
        let found = (0..20).filter(|&seed| run(property, settings(seed)).counterexample.is_some()).count();
        assert_eq!(found, 20, "{what}: found with {found} of 20 seeds");
    }
}

#[test]
fn accepted_inputs_are_varied_before_a_run_gives_up() {
    let sorted = |xs: &[u8]| xs.len() >= 4 && xs.is_sorted_by(|a, b| a < b);
    let property = property! { forall xs: Vec<u8>; implies sorted(xs); check xs.len() < 1000 };
    let report = run(&property, settings(2).discard_ratio(4));
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.statistics);
    assert_eq!(report.statistics.valid, 256);
}

#[test]
fn shaped_tests_choose_among_more_than_64_alternatives() {
    let many: Vec<u16> = (0..200).collect();
    let property = property! { forall n in elements(many.clone()); check *n < 200 };
    for seed in 0..20 {
        assert_eq!(run(&property, settings(seed).enumerate(false)).verdict, Verdict::Passed);
    }
}

#[test]
fn sets_of_shaped_tests_are_as_large_as_vectors() {
    use std::collections::{BTreeSet, HashMap};
    let (mut elements, mut in_sets, mut in_maps) = (0, 0, 0);
    for index in 0..256 {
        let source = || Source::test(7, index, 60);
        elements += source().draw(any::<Vec<u32>>()).len();
        in_sets += source().draw(any::<BTreeSet<u32>>()).len();
        in_maps += source().draw(any::<HashMap<String, u8>>()).len();
    }
    let sizes = format!("{elements} elements of vectors, {in_sets} of sets, {in_maps} entries of maps");
    assert!(in_sets * 10 >= elements * 8, "{sizes}");
    assert!(in_maps * 10 >= elements * 6, "{sizes}");
}

#[derive(Default)]
struct Bytes;

impl forall::machine::Spec for Bytes {
    type Command = u8;
    type Model = ();
    type System = ();
    type Response = ();
    fn model(&self) {}
    fn generate(&self, (): &(), source: &mut Source) -> u8 {
        source.draw(any())
    }
    fn next(&self, (): &mut (), _: &u8) {}
    fn system(&self) {}
    fn run(&self, (): &mut (), _: &u8) {}
    fn postcondition(&self, (): &(), _: &u8, (): &()) -> bool {
        true
    }
}

impl forall::machine::Shared for Bytes {
    fn share(&self, (): &mut ()) {}
}

#[test]
fn branches_of_the_first_programs_have_commands_and_conflict() {
    let (mut with_both, mut conflicting, mut commands) = (0, 0, 0);
    for index in 0..256 {
        let program = Source::test(7, index, 60).draw(any::<forall::machine::Parallel<Bytes>>());
        let text = format!("{program:?}");
        let branches = text.split_once("branches: [[").expect("two branches").1;
        let [first, second] = branches.split("], [").map(numbers).collect::<Vec<_>>().try_into().expect("two branches");
        with_both += usize::from(!first.is_empty() && !second.is_empty());
        conflicting += usize::from(first.iter().any(|command| second.contains(command)));
        commands += first.len() + second.len();
    }
    assert!(with_both >= 230, "both branches have commands in {with_both} of 256 programs");
    assert!(conflicting >= 150, "the same command is in both branches in {conflicting} of 256 programs");
    assert!(commands >= 256 * 12, "{commands} commands in 256 programs");
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<u8> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
