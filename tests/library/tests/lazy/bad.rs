//! Properties that cannot be searched, and their messages.

use forall::lazy::{Lazy, List, Trouble, exists, explore, for_all};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::cell::Cell;

fn run(property: &dyn forall::property::Property, depth: u32) -> Verdict {
    let settings = Settings::new().seed(1).store(Store::Off).runner("exhaustive").depth(depth);
    Run::new("bad", property).settings(settings).report().verdict
}

fn fault(property: &dyn forall::property::Property, depth: u32) -> String {
    match explore(property, depth).trouble {
        Some(Trouble::Fault(why)) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

#[derive(Arbitrary, Debug)]
#[allow(dead_code)]
struct Endless(Lazy<Endless>);

#[test]
fn an_uninhabited_type_has_no_inputs() {
    let property = property! { forall value: Endless; check value.0.0.0.is_never() };
    let Verdict::GaveUp(why) = run(&property, 6) else { panic!("nothing was tried") };
    let told = "Nothing was tested: a variable has no value up to depth 6.\nSearch deeper (`depth`), or check for a \
                type that contains itself in every variant.";
    assert_eq!(why.to_string(), told);
}

impl Endless {
    fn is_never(&self) -> bool {
        false
    }
}

#[test]
fn an_exists_over_an_uninhabited_type_is_reported() {
    let property = property! { check exists().check(Endless::is_never) };
    let explored = explore(&property, 2);
    assert!(format!("{explored:?}").contains("` has no values up to depth 2, so there is no witness"), "{explored:?}");
}

#[test]
fn a_type_without_values_ends_a_search_without_a_depth() {
    let property = property! { forall value: Endless; check value.0.0.0.is_never() };
    let settings = Settings::new().store(Store::Off).runner("exhaustive");
    let verdict = Run::new("bad", &property).settings(settings.clone()).report().verdict;
    assert!(matches!(&verdict, Verdict::GaveUp(why) if why.to_string().contains("Nothing was tested")), "{verdict:?}");
    let verdict = Run::new("bad", &property).settings(settings.evaluations(0)).report().verdict;
    assert!(matches!(&verdict, Verdict::GaveUp(why) if why.to_string().contains("Set `evaluations`")), "{verdict:?}");
}

#[test]
fn large_depths_do_not_overflow_the_stack() {
    let found = forall::lazy::search(&property! { forall xs: Lazy<List<bool>>; check xs.len() < 1000 }, 5000);
    assert_eq!((found.holds(), found.evaluations, found.inputs), (false, 1001, Some(f64::INFINITY)));
    assert_eq!(forall::lazy::Extent::of::<Endless>(5000), 0.0);
    let settings = Settings::new().store(Store::Off).runner("exhaustive").depth(200);
    let property = property! { forall xs: Lazy<List<i64>>; check xs.is_empty() || !xs.is_empty() };
    let report = Run::new("deep", &property).settings(settings).report();
    let text = forall::report::render(&report, &forall::report::Style::plain().verbose(true));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Depth 200: 2 evaluations covered more than 1e308 inputs, "), "{text}");
}

#[test]
fn depth_0_is_a_depth() {
    let property = property! { forall xs: Lazy<List<bool>>; forall n: i8; check xs.is_empty() && *n == 0 };
    assert_eq!(run(&property, 0), Verdict::Passed);
}

#[test]
fn an_endless_structure_is_reported() {
    fn ones() -> Lazy<List<u8>> {
        Lazy::defer(|| List::Cons(Lazy::new(1), ones()))
    }
    let property = property! {
        forall n: u8;
        check {
            let (mut list, mut sum) = (ones(), 0u64);
            while let List::Cons(x, rest) = &*list.clone() {
                sum += u64::from(**x);
                list = rest.clone();
            }
            sum > u64::from(*n)
        }
    };
    let why = fault(&property, 1);
    let begin = "One evaluation kept forcing values: most likely the property traverses an infinite structure.\nLimit the part that it \
                 reads, for example with `take`, and give recursive variants a depth cost above 0.";
    assert!(why.starts_with(begin) && why.contains("This happened for n = 0."), "{why}");
    assert!(matches!(run(&property, 1), Verdict::Faulty(_)));
}

#[test]
fn a_property_that_is_not_a_function_of_its_input_is_reported() {
    let calls = Cell::new(0);
    let property = property! {
        forall xs: Lazy<List<bool>>;
        forall n: Lazy<u8>;
        check {
            calls.set(calls.get() + 1);
            if calls.get() % 2 == 0 { xs.len() < 99 } else { **n < 99 }
        }
    };
    let why = fault(&property, 3);
    insta::assert_snapshot!("not_a_function", why);
    let calls = Cell::new(0);
    let property = property! {
        exists pair: (Lazy<List<bool>>, Lazy<u8>);
        check {
            calls.set(calls.get() + 1);
            if calls.get() % 2 == 0 { pair.0.len() > 99 } else { *pair.1 > 99 }
        }
    };
    let why = fault(&property, 3);
    assert!(why.contains("inside the quantifier over `pair: (Lazy<List<bool>>, Lazy<u8>)`"), "{why}");
}

#[test]
fn functions_that_recur_along_an_endless_structure_are_stopped_before_the_stack_ends() {
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Nat {
        Zero,
        Succ(Lazy<Nat>),
    }
    fn infinity() -> Lazy<Nat> {
        Lazy::defer(|| Nat::Succ(infinity()))
    }
    let property = property! { forall n: Lazy<Nat>; check infinity() == infinity() || **n == Nat::Zero };
    assert!(fault(&property, 2).contains("infinite"));
}

#[test]
fn a_long_list_that_was_computed_is_dropped() {
    fn up_to(n: u32) -> Lazy<List<u32>> {
        Lazy::defer(move || if n == 0 { List::Nil } else { List::Cons(Lazy::new(n), up_to(n - 1)) })
    }
    let list = up_to(300_000);
    assert_eq!(list.len(), 300_000);
    drop(list);
    // A list that was not computed: each cell holds the previous one.
    let mut cell = Lazy::new(0u64);
    for _ in 0..300_000 {
        let before = cell.clone();
        cell = Lazy::defer(move || *before + 1);
    }
    drop(cell);
}

#[test]
fn a_search_cannot_be_isolated() {
    let property = property! { forall n: u8; check *n < 9 };
    let settings = Settings::new().store(Store::Off).runner("exhaustive").isolate(true);
    let verdict = Run::new("isolated", &property).settings(settings).report().verdict;
    assert!(matches!(verdict, Verdict::Misconfigured(why) if why.to_string().contains("exhaustive")));
}

#[test]
fn a_failure_that_does_not_recur_is_not_a_counterexample() {
    let calls = Cell::new(0);
    let property = property! { forall n: u8; check { calls.set(calls.get() + 1); *n < 2 || calls.get() > 3 } };
    assert!(fault(&property, 2).contains("but passed when the same input was rerun"));
}

#[test]
fn a_panic_is_a_failure_with_the_forced_parts() {
    let property = property! { forall xs: Lazy<List<u8>>; check assert!(xs.is_empty(), "not empty") };
    let explored = explore(&property, 2);
    assert_eq!(explored.failure.map(|failure| failure.message), Some("not empty".to_owned()));
    assert_eq!(explored.bindings[0].printed.text(), "_:_");
}

#[test]
fn nondeterminism_inside_a_quantifier_is_reported_with_its_variable() {
    let calls = Cell::new(0);
    let inner = |pair: &(Lazy<bool>, Lazy<u8>)| {
        calls.set(calls.get() + 1);
        if calls.get() % 2 == 0 { u8::from(*pair.0) < 2 } else { *pair.1 < 99 }
    };
    let property = property! { forall n: Lazy<bool>; check for_all().check(inner) || **n };
    let why = fault(&property, 3);
    assert!(why.contains(" (noticed inside the quantifier over `"), "{why}");
}

#[test]
fn a_panicking_series_is_reported_as_invalid() {
    #[derive(Debug)]
    struct Broken;
    impl Arbitrary for Broken {
        fn arbitrary(_: &mut Source) -> Self {
            panic!("no idea")
        }
    }
    let property = property! { forall value: Broken; check format!("{value:?}").is_empty() };
    let told = fault(&property, 1);
    assert!(told.starts_with("A generator panicked: no idea, at "), "{told}");
    assert!(
        told.ends_with(".\nFix it, or implement `Arbitrary` with a `series` method that does not panic."),
        "{told}"
    );
}

#[test]
fn rejected_assumptions_discard() {
    let property = property! { forall n: i8; check { assume!(*n % 2 == 0); *n < 99 } };
    let explored = explore(&property, 4);
    assert!(explored.holds());
    assert_eq!((explored.evaluations, explored.discarded), (9, 4));
}

#[test]
fn a_self_referential_value_is_reported() {
    use std::cell::OnceCell;
    use std::rc::Rc;
    let place: Rc<OnceCell<Lazy<u8>>> = Rc::default();
    let own = place.clone();
    let cell = Lazy::defer(move || **own.get().expect("it is set"));
    let _ = place.set(cell.clone());
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| *cell)).expect_err("it cannot be computed");
    assert!(caught.downcast_ref::<&str>().is_some_and(|text| text.contains("depends on itself")));
}

#[test]
fn an_undecided_value_that_outlives_its_test_is_reported() {
    thread_local!(static KEPT: Cell<Option<Lazy<u8>>> = const { Cell::new(None) });
    let property = property! { forall n: Lazy<u8>; check { KEPT.set(Some(n.clone())); true } };
    assert!(explore(&property, 1).holds());
    let kept = KEPT.take().expect("the property kept it");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| *kept)).expect_err("the search is over");
    let told = "an undecided value was read after its evaluation had ended; do not keep parts of the input beyond a test, \
                and do not read them in a `Drop`";
    assert_eq!(caught.downcast_ref::<&str>(), Some(&told));
}

#[test]
fn a_domain_is_not_exhausted_while_an_inner_one_grows() {
    let property = property! { forall k: bool; check for_all().check(|x: &u8| *x < 3) };
    let settings = Settings::new().runner("exhaustive").depth(6).store(Store::Off);
    let report = Run::new("inner", &property).settings(settings.clone()).report();
    assert_eq!((report.verdict, report.searched.len()), (Verdict::Failed, 4));

    #[derive(Debug, Clone, Arbitrary)]
    enum Far {
        Here,
        #[forall(depth = 5)]
        There(#[allow(dead_code)] bool),
    }
    let property = property! { forall x: Far; check matches!(x, Far::Here) };
    assert_eq!(Run::new("far", &property).settings(settings).report().verdict, Verdict::Failed);
}

#[test]
fn a_search_in_which_all_is_discarded_does_not_pass() {
    let property = property! { forall n: Lazy<u8>; check { assume!(**n > 100); true } };
    let settings = Settings::new().runner("exhaustive").depth(4).store(Store::Off);
    let report = Run::new("discards", &property).settings(settings).report();
    assert!(
        matches!(&report.verdict, Verdict::GaveUp(why) if why.to_string().contains("nothing was checked")),
        "{:?}",
        report.verdict
    );
}

#[test]
fn a_property_that_reads_an_equal_part_elsewhere_is_reported() {
    // Both variables have two alternatives, so only the forced cell distinguishes the runs.
    let calls = Cell::new(0);
    let property = property! {
        forall x: Lazy<bool>;
        forall y: Lazy<bool>;
        check {
            calls.set(calls.get() + 1);
            let looked_at = if calls.get() % 2 == 0 { **x } else { **y };
            u8::from(looked_at) < 2
        }
    };
    let why = fault(&property, 3);
    assert!(why.contains("does not read the same parts"), "{why}");
}

#[test]
fn depths_above_16_bits_are_supported() {
    let found = forall::lazy::search(&property! { forall n: Lazy<u32>; check **n != 65_900 }, 66_000);
    assert_eq!((found.holds(), found.evaluations), (false, 65_901));
    let property = property! { check exists().deeper_by(66_000).check(|n: &Lazy<u32>| **n == 65_900) };
    assert!(explore(&property, 1).holds());
}

#[test]
fn an_endless_structure_inside_a_quantifier_is_reported_with_its_value() {
    fn ones() -> Lazy<List<u8>> {
        Lazy::defer(|| List::Cons(Lazy::new(1), ones()))
    }
    let property = property! {
        forall n: Lazy<u8>;
        exists xs: Lazy<List<bool>>;
        check !xs.is_empty() && ones().len() > usize::from(**n)
    };
    let why = fault(&property, 2);
    assert!(why.contains("This happened for n = _, xs = _:_."), "{why}");
}

#[test]
fn a_variant_without_cost_that_is_followed_endlessly_is_reported() {
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Chain {
        #[forall(depth = 0)]
        Link(Lazy<Chain>),
        End,
    }
    fn length(chain: &Chain) -> usize {
        match chain {
            Chain::Link(rest) => 1 + length(rest),
            Chain::End => 0,
        }
    }
    let property = property! { forall chain: Lazy<Chain>; check length(chain) < 99 };
    let why = fault(&property, 1);
    assert!(why.contains("kept forcing values") && why.contains("This happened for chain = Link(Link("), "{why}");
    let property = property! { forall n: u8; exists chain: Lazy<Chain>; check length(chain) < usize::from(*n) };
    assert!(fault(&property, 1).contains("chain = Link(Link("));
}

#[test]
fn a_search_that_discards_everything_does_not_hold() {
    let explored = explore(&property! { forall n: Lazy<u8>; check { assume!(**n > 100); true } }, 4);
    assert!(!explored.holds() && explored.trouble.is_none() && explored.failure.is_none());
    assert!(!explore(&property! { forall n: i8; implies *n > 9; check *n > 8 }, 3).holds());
    assert!(explore(&property! { forall n: i8; implies *n > 2; check *n > 2 }, 3).holds());
}

#[test]
fn a_finite_list_at_a_great_depth_is_not_endless() {
    let property = property! { forall xs: Lazy<List<()>>; check xs.len() < 2999 };
    let found = forall::lazy::search(&property, 3000);
    assert_eq!((found.failure.is_some(), found.trouble, found.evaluations), (true, None, 3000));
    let found = forall::lazy::search(&property! { forall xs: Lazy<List<()>>; check xs.len() < 9999 }, 2600);
    assert_eq!((found.holds(), found.trouble, found.evaluations), (true, None, 2601));
    // Each element is in two nested cells.
    let wrapped = property! { forall xs: List<Lazy<Lazy<()>>>; check xs.iter().all(|x| looks_at(&****x)) };
    assert!(forall::lazy::search(&wrapped, 2100).holds());
    let property = property! { forall xs: Lazy<List<()>>; exists n: bool; check xs.len() < 2100 + usize::from(*n) };
    let found = forall::lazy::search(&property, 2200);
    assert_eq!((found.failure.is_some(), found.trouble), (true, None));
}

/// Forces a value.
fn looks_at<T>(_: &T) -> bool {
    true
}

/// A type whose `Drop` reads a part that may be undecided.
#[derive(Arbitrary, Debug, Clone)]
enum Bomb {
    Off,
    On(Lazy<bool>, Lazy<Bomb>),
}

impl Drop for Bomb {
    fn drop(&mut self) {
        if let Bomb::On(flag, _) = self {
            std::hint::black_box(**flag);
        }
    }
}

fn length(mut bomb: &Bomb) -> usize {
    let mut length = 0;
    while let Bomb::On(_, rest) = bomb {
        (bomb, length) = (rest, length + 1);
    }
    length
}

#[test]
fn a_drop_that_reads_undecided_cells_is_reported() {
    let told = "A value that was not yet decided was read after its evaluation had ended.\nDo not keep parts of the input beyond a \
                test. In a `Drop`, read only parts for which `Lazy::is_decided` returns true.";
    for depth in 1..4 {
        assert_eq!(fault(&property! { forall bomb: Lazy<Bomb>; check length(bomb) < 9 }, depth), told);
        assert_eq!(
            fault(
                &property! { forall bombs: (Lazy<Bomb>, Lazy<Bomb>); check length(&bombs.0) + length(&bombs.1) < 9 },
                depth
            ),
            told
        );
        assert_eq!(
            fault(&property! { forall n: Lazy<bool>; exists bomb: Lazy<Bomb>; check length(bomb) == 9 || **n }, depth),
            told
        );
    }
    let property = property! { forall bomb: Lazy<Bomb>; check length(bomb) < 9 };
    assert!(matches!(run(&property, 3), Verdict::Faulty(why) if why.to_string().contains(told)));
    // While one panic unwinds, a second one would abort the process: none may occur.
    let property = property! {
        forall bombs: Lazy<(Lazy<Bomb>, Lazy<Bomb>)>;
        forall n: Lazy<bool>;
        check forall::lazy::or(|| { let (a, b): (Bomb, Bomb) = ((*bombs.0).clone(), (*bombs.1).clone()); length(&a) < 9 && length(&b) < 9 && **n }, || **n)
    };
    explore(&property, 2);
    let property = property! {
        forall bombs: Lazy<(Lazy<Bomb>, Lazy<Bomb>)>;
        check { let (a, b): (Bomb, Bomb) = ((*bombs.0).clone(), (*bombs.1).clone()); assert!(length(&a) + length(&b) < 2, "long"); true }
    };
    explore(&property, 2);
}

#[test]
fn a_drop_that_looks_at_decided_parts_only_is_fine() {
    #[derive(Arbitrary, Debug, Clone)]
    struct Careful(Lazy<bool>, Lazy<bool>);
    impl Drop for Careful {
        fn drop(&mut self) {
            if Lazy::is_decided(&self.1) {
                std::hint::black_box(*self.1);
            }
        }
    }
    let property = property! { forall pair: Lazy<Careful>; check looks_at(&*pair.0) };
    let explored = explore(&property, 2);
    assert_eq!((explored.holds(), explored.trouble), (true, None));
}
