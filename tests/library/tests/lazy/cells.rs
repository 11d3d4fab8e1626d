//! `Lazy<T>`: the forced parts, under every source.

use forall::choice::Source;
use forall::generate::any;
use forall::lazy::{Lazy, List, explore};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

#[test]
fn a_computation_runs_once_and_only_if_needed() {
    thread_local!(static RUNS: Cell<u32> = const { Cell::new(0) });
    let cell = Lazy::defer(|| RUNS.replace(RUNS.get() + 1));
    let clone = cell.clone();
    assert_eq!((RUNS.get(), format!("{cell:?}")), (0, "_".to_owned()));
    assert_eq!((*cell, *clone, RUNS.get()), (0, 0, 1));
    assert!(Lazy::is_decided(&clone));
}

#[test]
fn comparison_forces_only_needed_parts() {
    let unknown = || Lazy::defer(|| -> List<u8> { panic!("nobody needs it") });
    let list = |first| List::Cons(Lazy::new(first), unknown());
    assert!(list(1) != list(2));
    assert!(list(1) < list(2));
    assert_eq!(format!("{:?}", list(1)), "1:_");
}

#[test]
fn random_values_do_not_depend_on_the_order_of_forcing() {
    let pair = |index| -> (Lazy<u64>, Lazy<u64>) { Source::random(7, index, 100).draw(any()) };
    for index in 0..50 {
        let (forwards, backwards) = (pair(index), pair(index));
        let first = (*forwards.0, *forwards.1);
        let second = *backwards.1;
        assert_eq!(first, (*backwards.0, second));
    }
}

#[test]
fn recorded_cells_are_replayed_and_unforced_cells_take_no_choices() {
    let mut source = Source::record(7, 3, 100);
    let (first, second): (Lazy<u64>, Lazy<u64>) = source.draw(any());
    let value = *second;
    let sequence = source.into_sequence();
    assert_eq!(sequence.values().count(), 1);
    let mut again = Source::replay(&sequence);
    let (other_first, other_second): (Lazy<u64>, Lazy<u64>) = again.draw(any());
    assert_eq!(format!("{other_first:?} {other_second:?}"), format!("_ {value}"), "shown as it was in that test");
    assert_eq!(*other_second, value);
    drop((first, other_first));
}

#[test]
fn lazy_values_shrink_and_mark_unforced_parts() {
    let property = property! { forall xs: List<u32>; check !xs.iter().any(|x| **x > 10) };
    let report = Run::new("small", &property).settings(settings()).report();
    let found = report.counterexample.expect("there are larger numbers");
    assert_eq!(found.bindings[0].printed.debug.as_deref(), Some("11:_"));
}

#[test]
#[expect(clippy::mutable_key_type, reason = "a cell is decided when it is first compared, and then stays as it is")]
fn vectors_of_cells_can_be_sorted_and_keys_be_lazy() {
    let property = property! {
        forall xs: Vec<Lazy<u8>>;
        check { let mut xs = xs.clone(); xs.sort(); xs.is_sorted() }
    };
    assert!(explore(&property, 4).holds());
    let property = property! {
        forall keys: Vec<Lazy<bool>>;
        check {
            let map: BTreeMap<Lazy<bool>, usize> = keys.iter().cloned().zip(0..).collect();
            let set: HashSet<Lazy<bool>> = keys.iter().cloned().collect();
            map.len() == set.len()
        }
    };
    assert!(explore(&property, 4).holds());
}

#[test]
fn standard_types_have_their_series() {
    fn count<T: Arbitrary + std::fmt::Debug>(depth: u32) -> usize {
        let seen = RefCell::new(HashSet::new());
        let property = property! { forall value: T; check { seen.borrow_mut().insert(format!("{value:?}")); true } };
        let explored = explore(&property, depth);
        assert_eq!(explored.trouble, None);
        assert!(explored.inputs.is_none_or(|inputs| inputs == explored.evaluations as f64), "{explored:?}");
        seen.into_inner().len()
    }
    assert_eq!(count::<bool>(0), 2);
    assert_eq!(count::<i8>(3), 7);
    assert_eq!(count::<u8>(3), 4);
    assert_eq!(count::<u8>(300), 256, "no more than there are");
    assert_eq!(count::<char>(2), 3);
    assert_eq!(count::<Option<bool>>(0), 1);
    assert_eq!(count::<Option<bool>>(1), 3);
    assert_eq!(count::<Result<bool, ()>>(1), 3);
    assert_eq!(count::<(bool, u8)>(1), 4);
    assert_eq!(count::<[bool; 3]>(0), 8);
    assert_eq!(count::<Vec<bool>>(2), 7);
    assert_eq!(count::<String>(2), 5, "nothing, a, b, aa and ba");
    assert_eq!(count::<Box<Option<()>>>(1), 2);
    assert_eq!(count::<std::collections::BTreeSet<u8>>(2), 4);
    assert_eq!(count::<BTreeMap<bool, ()>>(3), 4);
    assert_eq!(count::<std::rc::Rc<bool>>(0), 2);
}

#[test]
fn custom_depths_and_skipped_variants_are_respected() {
    #[derive(Arbitrary, Debug)]
    #[allow(dead_code)]
    enum Tree {
        Leaf,
        #[forall(depth = 2)]
        Fork(Box<Tree>, Box<Tree>),
        #[forall(depth = 0)]
        Named(u8, #[forall(skip)] u64),
        #[forall(skip)]
        Never,
    }
    use forall::lazy::Extent;
    assert_eq!(Extent::of::<Tree>(0), 2.0, "a leaf, and the name 0");
    assert_eq!(Extent::of::<Tree>(1), 3.0);
    assert_eq!(Extent::of::<Tree>(2), 8.0);
    let property = property! { forall tree: Tree; check !matches!(tree, Tree::Never) };
    assert_eq!(explore(&property, 2).evaluations, 8);
}

#[test]
fn generators_are_enumerated() {
    let property = property! { forall xs in vec(0..3u8); forall n in 0..=xs.len(); check *n <= xs.len() };
    let explored = explore(&property, 2);
    assert!(explored.holds());
    assert_eq!(explored.evaluations, 1 + 3 * 2 + 9 * 3);
}

#[test]
fn properties_that_own_their_input_are_searched() {
    #[forall::property]
    fn short(xs: Lazy<List<bool>>) -> bool {
        xs.len() < 3
    }
    let explored = explore(&short::property(), 3);
    assert_eq!((explored.evaluations, explored.bindings[0].printed.text()), (4, "_:_:_:[]"));
}

#[test]
fn parts_that_outlive_the_test_stay_valid() {
    thread_local!(static KEPT: RefCell<Vec<Lazy<List<u8>>>> = const { RefCell::new(Vec::new()) });
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check {
            let length = xs.len();
            if let List::Cons(_, rest) = &**xs {
                KEPT.with_borrow_mut(|kept| kept.push(rest.clone()));
            }
            length <= 4
        }
    };
    let explored = explore(&property, 4);
    assert_eq!((explored.evaluations, explored.holds()), (5, true));
    let lengths: Vec<usize> = KEPT.with_borrow(|kept| kept.iter().map(|rest| rest.len()).collect());
    assert_eq!(lengths, [0, 1, 2, 3]);
    KEPT.take();
}

#[test]
fn parts_with_shared_or_interior_ownership_are_searched() {
    let property = property! {
        forall cell: RefCell<Option<Lazy<List<bool>>>>;
        check {
            let taken = cell.borrow_mut().take();
            taken.is_none_or(|list| list.len() < 3)
        }
    };
    let explored = explore(&property, 4);
    assert_eq!((explored.evaluations, explored.bindings[0].printed.text()), (5, "RefCell { value: Some(_:_:_:[]) }"));
    let property = property! { forall xs: std::rc::Rc<List<bool>>; check xs.len() < 3 };
    assert_eq!(explore(&property, 3).evaluations, 4);
}

#[test]
fn a_search_replays_from_its_first_choice() {
    // The result of the search does not depend on earlier runs.
    let property = property! { forall xs: Lazy<List<u8>>; check xs.iter().map(|x| u32::from(**x)).sum::<u32>() < 4 };
    let once = explore(&property, 4);
    let twice = explore(&property, 4);
    assert_eq!((once.evaluations, &once.bindings), (twice.evaluations, &twice.bindings));
}

#[test]
fn the_exhaustive_runner_goes_depth_by_depth() {
    let property = property! { forall a: bool; forall b: Option<bool>; check b.is_none() || u8::from(*a) < 2 };
    let report = Run::new("small", &property).settings(settings().runner("exhaustive")).report();
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 6, at_size: None });
    assert_eq!(report.searched.len(), 2);
    let property = property! { forall xs: Lazy<List<u8>>; check xs.len() < 100 };
    let report = Run::new("deep", &property).settings(settings().runner("exhaustive").depth(9)).report();
    assert_eq!((report.verdict, report.searched.len()), (Verdict::Passed, 10));
    let report = Run::new("deep", &property).settings(settings().runner("exhaustive").evaluations(50)).report();
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(!report.searched.last().expect("some").complete);
}

mod attributes {
    use forall::lazy::{Lazy, List, explore};

    #[forall::test(runner = exhaustive, depth = 5)]
    fn appending_adds_lengths(xs: &Lazy<List<bool>>, ys: &Lazy<List<bool>>) {
        let both: List<bool> = xs.iter().chain(ys.iter()).map(|x| **x).collect();
        assert_eq!(both.len(), xs.len() + ys.len());
    }

    #[test]
    fn functions_of_references_are_searched_in_place() {
        // There are six lists for each variable, and all elements are forced.
        let explored = explore(&appending_adds_lengths::property(), 2);
        assert_eq!((explored.evaluations, explored.holds()), (49, true));
    }
}

#[test]
fn a_search_report_states_coverage_and_irrelevant_parts() {
    let property = property! { forall xs: Lazy<List<bool>>; forall n: Lazy<u8>; check xs.len() < 2 || **n > 9 };
    let report = Run::new("short", &property).settings(settings().runner("exhaustive").depth(4)).report();
    let text = forall::report::render(&report, &forall::report::Style::plain().width(200));
    println!("{text}");
    for part in [
        " at depth 2, 3 evaluations in a space of 21 inputs",
        "\n    xs = _:_:[]\n         fails for every _:_:_ up to depth 2 (3 runs)\n    n = 0\n        fails for every value up to depth 2 (3 runs)\n",
        "the property returned false",
        "replay:   FORALL_DO='replay short 2-",
        "by exhaustive search up to depth 2",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn widening_keeps_relevant_parts() {
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check match &**xs { List::Cons(x, rest) => **x != 1 || rest.iter().all(|y| **y < 200), List::Nil => true }
    };
    assert!(explore(&property, 3).holds());
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check match &**xs { List::Cons(x, rest) => **x != 1 || rest.iter().any(|y| **y > 200), List::Nil => true }
    };
    let explored = explore(&property, 3);
    assert_eq!(explored.bindings[0].printed.text(), "[1]");
    assert_eq!(explored.explanation.claims[0].to_string(), "fails for every 1:_ up to depth 3 (5 runs)");
}
