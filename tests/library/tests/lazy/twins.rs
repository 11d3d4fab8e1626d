//! Lazy twins of plain types: `#[forall(twin)]`, `forall::twin!`, `#[forall(given = …)]`.

mod red_black;

use forall::lazy::{Lazy, List, Twin, explore};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Fact, Report, Run, Settings, Store, Verdict};
use red_black::{Tree, TreeTwin, insert, is_red_black, is_valid};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

#[forall::property(runner = exhaustive)]
fn insert_keeps_the_invariants(k: i64, #[forall(given = is_red_black)] t: Tree) -> bool {
    is_valid(&insert(k, t, false))
}

#[forall::property(runner = exhaustive)]
fn faulty_insert_keeps_the_invariants(k: i64, #[forall(given = is_red_black)] t: Tree) -> bool {
    is_valid(&insert(k, t, true))
}

fn searched<P: Property + Sync>(property: &P, depth: u32) -> Report {
    searched_on(property, depth, 1)
}

fn searched_on<P: Property + Sync>(property: &P, depth: u32, threads: usize) -> Report {
    let settings = Settings::new().runner("exhaustive").depth(depth).threads(threads).store(Store::Off);
    Run::parallel("twins", property).settings(settings).report()
}

fn shown(report: &Report) -> Vec<String> {
    let found = report.counterexample.as_ref().expect("a counterexample");
    found.bindings.iter().map(|binding| binding.printed.text().to_owned()).collect()
}

/// Returns the evaluations at each depth up to `depth`, all of which must hold.
fn evaluations(property: &dyn Property, depth: u32) -> Vec<u64> {
    let mut all = Vec::new();
    for depth in 0..=depth {
        let explored = explore(property, depth);
        assert!(explored.holds(), "depth {depth}: {explored:?}");
        all.push(explored.evaluations);
    }
    all
}

#[test]
fn a_twin_takes_the_evaluations_of_a_lazy_rewrite() {
    // The `Lazy` rewrite takes 1, 7, 80 and 1,778 (bench/lazy, `redblack_repaired`): it converts no unread parts.
    assert_eq!(evaluations(&insert_keeps_the_invariants::property(), 3), [1, 9, 84, 1784]);
    assert_eq!(explore(&insert_keeps_the_invariants::property(), 3).inputs, Some(211_757.0));
}

#[test]
fn a_counterexample_prints_as_plain_code() {
    let report = searched(&faulty_insert_keeps_the_invariants::property(), 4);
    assert_eq!(report.verdict, Verdict::Failed);
    let [key, tree] = &shown(&report)[..] else { panic!("two variables") };
    assert_eq!(key, "-1");
    assert!(tree.starts_with("Tree::Node(Color::Black, Box::new(Tree::Node("), "{tree}");
    assert!(!tree.contains('_'), "{tree}");
}

#[test]
fn a_counterexample_is_the_same_on_several_threads() {
    let report = |threads| shown(&searched_on(&faulty_insert_keeps_the_invariants::property(), 4, threads));
    assert_eq!(report(1), report(3));
}

#[test]
fn twins_convert_random_inputs_as_well() {
    let settings = Settings::new().seed(1).tests(200).store(Store::Off).discard_ratio(1000);
    let report = Run::new("twins", &insert_keeps_the_invariants::property()).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Passed, "{report:?}");
}

// Shapes of types.

#[derive(Arbitrary, Clone, Debug, PartialEq)]
#[forall(twin)]
struct Rose<T> {
    value: T,
    children: Vec<Rose<T>>,
}

#[derive(Arbitrary, Debug, PartialEq)]
#[forall(twin = LazyMixed)]
struct Mixed {
    pair: (bool, u8),
    name: String,
    maybe: Option<Box<Mixed>>,
    shared: Rc<Cell<u8>>,
    list: RefCell<VecDeque<bool>>,
    map: BTreeMap<u8, bool>,
    hashed: HashMap<bool, u8>,
    set: BTreeSet<bool>,
    array: [bool; 2],
    result: Result<(), bool>,
    #[forall(with = 3..5u8)]
    small: u8,
    #[forall(skip)]
    cache: Vec<String>,
}

#[derive(Arbitrary, Debug, PartialEq)]
#[forall(twin)]
struct Wrapper(#[forall(skip)] u8, u16);

#[derive(Arbitrary, Debug, PartialEq)]
#[forall(twin)]
struct Unit;

#[derive(Arbitrary, Debug)]
#[forall(twin)]
enum Partly {
    Small(u8),
    #[forall(skip)]
    Never(std::thread::ThreadId),
}

/// Returns the number of values of a type, and the number that a search of its twin finds.
fn counts<T: Arbitrary + Twin>(depth: u32) -> (f64, u64) {
    let property = property! { forall x: Lazy<T::Lazy>; check { drop(T::plain(x)); true } };
    let explored = explore(&property, depth);
    // Maps with unordered keys are discarded.
    (forall::lazy::Extent::of::<T>(depth), explored.evaluations - explored.discarded)
}

#[test]
fn a_twin_has_the_values_of_the_plain_type() {
    for depth in 0..4 {
        let (values, found) = counts::<Rose<bool>>(depth);
        assert_eq!(values, found as f64, "depth {depth}");
        let (values, found) = counts::<Tree>(depth.min(2));
        assert_eq!(values, found as f64, "depth {depth}");
        let (values, found) = counts::<(Wrapper, Unit, Option<Vec<u8>>, Result<u8, String>)>(depth.min(2));
        assert_eq!(values, found as f64, "depth {depth}");
        let (values, found) = counts::<(BTreeMap<u8, bool>, HashMap<bool, u8>)>(depth);
        assert_eq!(values, found as f64, "depth {depth}");
    }
    assert_eq!(counts::<Partly>(3).1, 3);
}

#[test]
fn a_twin_converts_every_kind_of_field() {
    let twin = LazyMixed {
        pair: Lazy::new((Lazy::new(true), Lazy::new(7))),
        name: Lazy::new(List::from(['a', 'b'])),
        maybe: Lazy::new(None),
        shared: Lazy::new(3),
        list: Lazy::new(List::from([true])),
        map: Lazy::new(BTreeMap::from([(1, Lazy::new(true))])),
        hashed: Lazy::new(BTreeMap::from([(false, Lazy::new(2))])),
        set: Lazy::new(BTreeSet::from([true])),
        array: Lazy::new([Lazy::new(true), Lazy::new(false)]),
        result: Lazy::new(Err(Lazy::new(true))),
        small: Lazy::new(4),
    };
    let plain = twin.plain();
    let expected = Mixed {
        pair: (true, 7),
        name: "ab".to_owned(),
        maybe: None,
        shared: Rc::new(Cell::new(3)),
        list: RefCell::new(VecDeque::from([true])),
        map: BTreeMap::from([(1, true)]),
        hashed: HashMap::from([(false, 2)]),
        set: BTreeSet::from([true]),
        array: [true, false],
        result: Err(true),
        small: 4,
        cache: Vec::new(),
    };
    assert_eq!(plain, expected);
}

#[test]
fn a_twin_is_lazy_until_it_is_read() {
    let rose = RoseTwin::<u8> { value: Lazy::defer(|| panic!("not read")), children: Lazy::new(List::Nil) };
    assert_eq!(format!("{rose:?}"), "Rose { value: _, children: vec![] }");
    assert_eq!(format!("{:?}", rose.clone()), "Rose { value: _, children: vec![] }");
}

fn is_heap<T: Twin<Plain = T>>(rose: &RoseTwin<T>, above: &dyn Fn(&T::Lazy, &T::Lazy) -> bool) -> bool {
    rose.children.iter().all(|child| above(&rose.value, &child.value) && is_heap(child, above))
}

#[forall::property(runner = exhaustive)]
fn a_heap_has_its_largest_value_on_top(#[forall(given = |r| is_heap(r, &|a, b| a > b))] rose: &Rose<u8>) -> bool {
    fn largest(rose: &Rose<u8>) -> u8 {
        rose.children.iter().map(largest).max().unwrap_or(0).max(rose.value)
    }
    largest(rose) == rose.value
}

#[test]
fn generic_types_that_recur_through_a_vector_are_pruned() {
    let property = a_heap_has_its_largest_value_on_top::property();
    let explored = explore(&property, 7);
    assert!(explored.holds());
    assert!((explored.evaluations as f64) < explored.inputs.unwrap() / 5.0, "{explored:?}");
}

// Types of other crates.

forall::twin! {
    enum JsonTwin for Value {
        Null,
        Bool(bool),
        Number(i64) => |n: i64| Value::from(n),
        String(String),
        Array(Vec<JsonTwin>),
        Object(BTreeMap<String, JsonTwin>) => |map: BTreeMap<String, Value>| Value::Object(map.into_iter().collect()),
    }
}

forall::twin! {
    struct PauseTwin for Duration { seconds: u64, nanos: u32 } => |seconds, nanos| Duration::new(seconds, nanos)
}

#[derive(Arbitrary, Debug)]
#[forall(twin)]
struct Message {
    #[forall(with = any::<u8>().map(|n| Value::from(n)), twin = JsonTwin)]
    body: Value,
    #[forall(twin = Vec<PauseTwin>)]
    pauses: Vec<Duration>,
}

fn has_no_strings(json: &JsonTwin) -> bool {
    match json {
        JsonTwin::String(_) | JsonTwin::Object(_) => false,
        JsonTwin::Array(values) => values.iter().all(|value| has_no_strings(value)),
        _ => true,
    }
}

#[forall::property(runner = exhaustive)]
fn json_is_read_back(#[forall(twin = JsonTwin, given = has_no_strings)] json: Value) {
    assert_eq!(serde_json::from_str::<Value>(&json.to_string()).unwrap(), json);
    assert!(json.to_string().len() < 8, "{json}");
}

#[test]
fn a_type_of_another_crate_is_searched_by_a_declared_twin() {
    let report = searched(&json_is_read_back::property(), 3);
    // As code if the feature `serde_json` is enabled, as in a workspace build; otherwise by its `Debug`.
    let shown = shown(&report);
    assert!(["serde_json::json!([null, null])", "Array [Null, Null]"].contains(&shown[0].as_str()), "{shown:?}");
}

#[test]
fn fields_of_other_crates_have_declared_twins() {
    let property = property! { forall m: Lazy<MessageTwin>; check m.plain().pauses.len() < 2 };
    let explored = explore(&property, 5);
    let failing = explored.bindings[0].printed.text();
    assert!(
        failing.contains("pauses: vec![Duration { seconds: 0, nanos: 0 }, Duration { seconds: 0, nanos: 0 }]"),
        "{failing}"
    );
}

// Other parameters.

#[derive(Arbitrary, Debug)]
struct NoClone(bool);

#[forall::property(runner = exhaustive)]
fn parameters_of_all_kinds(
    by_value: u8,
    by_reference: &NoClone,
    by_mutable_reference: &mut Vec<bool>,
    #[forall(0..*by_value + 1)] drawn: u8,
    #[forall(given = |t| matches!(t, TreeTwin::Leaf))] twin: &mut Tree,
) {
    assert!(drawn <= by_value);
    by_mutable_reference.push(by_reference.0);
    *twin = insert(1, twin.clone(), false);
    assert!(is_valid(twin));
}

#[test]
fn parameters_beside_a_twin_are_taken_as_they_are_written() {
    let report = searched(&parameters_of_all_kinds::property(), 2);
    assert_eq!(report.verdict, Verdict::Passed, "{report:?}");
}

#[forall::property(runner = exhaustive)]
fn a_precondition_over_two_parameters(
    limit: u8,
    #[forall(given = |xs| xs.iter().all(|x| **x < *limit))] xs: Vec<u8>,
    #[forall(given = |ys| ys.len() == xs.len())] ys: Vec<u8>,
) {
    assert!(xs.len() == ys.len() && xs.iter().all(|x| *x < limit));
}

#[test]
fn a_precondition_reads_earlier_parameters() {
    assert!(explore(&a_precondition_over_two_parameters::property(), 3).holds());
}

// Incorrect preconditions.

#[forall::property(runner = exhaustive)]
fn a_precondition_that_panics(
    #[forall(given = |t| matches!(t, TreeTwin::Leaf) || panic!("not a leaf"))] t: Tree,
) -> bool {
    is_valid(&t)
}

#[test]
fn a_precondition_that_panics_fails_with_the_parts_that_it_read() {
    let report = searched(&a_precondition_that_panics::property(), 2);
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(shown(&report), ["Tree::Node(_, _, _, _)"]);
    assert_eq!(report.counterexample.unwrap().failure.message, "not a leaf");
}

#[forall::property(runner = exhaustive)]
fn a_precondition_over_the_plain_value(#[forall(given = |t| is_valid(&t.plain()))] t: Tree) -> bool {
    is_valid(&t)
}

#[forall::property(runner = exhaustive)]
fn an_existing_precondition(#[forall(given = is_valid)] t: Tree) -> bool {
    is_valid(&t)
}

#[forall::property(runner = exhaustive)]
fn an_existing_precondition_over_a_slice(#[forall(given = <[u8]>::is_sorted)] xs: Vec<u8>) -> bool {
    xs.first() == xs.iter().min()
}

#[test]
fn existing_functions_over_plain_values_are_preconditions() {
    let report = searched(&an_existing_precondition::property(), 3);
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(report.warnings[..], [Fact::PrunesNothing { rejected: 30_091, depth: 3 }]);
    assert!(explore(&an_existing_precondition_over_a_slice::property(), 4).holds());
}

#[test]
fn a_precondition_that_prunes_nothing_is_reported() {
    for threads in [1, 2] {
        let report = searched_on(&a_precondition_over_the_plain_value::property(), 3, threads);
        assert_eq!(report.verdict, Verdict::Passed);
        let [Fact::PrunesNothing { rejected, depth: 3 }] = report.warnings[..] else { panic!("{:?}", report.warnings) };
        assert_eq!(rejected, 30_091);
        assert_eq!(
            report.warnings[0].to_string(),
            "The precondition (`given`) prunes nothing: it read the whole value before each rejection (30,091 at depth 3).\n\
             Read parts of the twin, and return as soon as one is wrong. A function over the plain value reads all of it: write a copy that \
             takes the twin (`&TreeTwin` for `&Tree`), with an extra `*` where it reads a number."
        );
    }
    assert_eq!(searched(&insert_keeps_the_invariants::property(), 3).warnings, []);
}

#[forall::property(runner = exhaustive)]
fn a_precondition_that_depends_on_what_is_decided(
    #[forall(given = |t: &TreeTwin| format!("{t:?}").contains('_') || matches!(t, TreeTwin::Leaf))] t: Tree,
) -> bool {
    is_valid(&t)
}

#[forall::property(runner = exhaustive)]
fn a_precondition_that_rejects_what_is_not_decided(
    #[forall(given = |t: &TreeTwin| match t {
        TreeTwin::Leaf => true,
        TreeTwin::Node(_, _, key, _) => Lazy::is_decided(key),
    })]
    t: Tree,
) -> bool {
    matches!(t, Tree::Leaf)
}

#[test]
fn a_precondition_that_changes_its_answer_is_a_fault() {
    let fault = |report: Report| match report.verdict {
        Verdict::Faulty(why) => why,
        _ => panic!("{report:?}"),
    };
    for threads in [1, 2] {
        // Nodes were rejected while their keys were undecided, so the body, which is false, saw none.
        let report = searched_on(&a_precondition_that_rejects_what_is_not_decided::property(), 2, threads);
        assert_eq!(fault(report), Fact::SearchUnsteady);
    }
    let why = fault(searched(&a_precondition_that_depends_on_what_is_decided::property(), 2));
    assert_eq!(
        why.to_string(),
        "A precondition (`given`) returned one result for a partial value, and another for the complete one.\nIts result must \
         depend on values only: do not use `Lazy::is_decided`, `Debug`, time or global state in it."
    );
}

#[forall::property(runner = exhaustive)]
fn a_precondition_that_rejects_everything(#[forall(given = |_| false)] t: Tree) -> bool {
    is_valid(&t)
}

#[test]
fn a_precondition_that_rejects_everything_gives_up() {
    let report = searched(&a_precondition_that_rejects_everything::property(), 2);
    assert!(matches!(report.verdict, Verdict::GaveUp(Fact::SearchDiscardedAll { .. })), "{report:?}");
}
