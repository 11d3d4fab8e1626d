//! Combinators: their values, their messages when misused, and exact recording and replay.

use forall::choice::{AtEnd, Rejected, Sequence, Source};
use forall::generate::*;
use forall::prelude::property;
use forall::property::Property;
use forall::run::{Case, Run, Settings, Store, Tester};
use forall::{frequency, one_of};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random, recorded, replayed: the same value, or a rejection, three times; and the laws of generators.
fn agrees<G: Generator<Value: Debug>>(generator: G) {
    let run = |mut source: Source| {
        let value = catch_unwind(AssertUnwindSafe(|| generator.generate(&mut source)));
        let text = match value {
            Ok(_) if source.is_rejected() => "rejected".to_string(),
            Ok(value) => format!("{value:?}"),
            Err(payload) if payload.is::<Rejected>() => "rejected".to_string(),
            Err(payload) => panic!("{:?}", payload.downcast_ref::<Misuse>()),
        };
        (text, source.into_sequence())
    };
    for index in 0..300 {
        let size = [0, 1, 3, 10, 50, 100][index as usize % 6];
        let (random, _) = run(Source::random(11, index, size));
        let (recorded, sequence) = run(Source::record(11, index, size));
        assert_eq!(random, recorded, "index {index}, size {size}");
        if random != "rejected" {
            let (replayed, again) = run(Source::replay(&sequence));
            assert_eq!(random, replayed, "index {index}, size {size}");
            assert!(again == sequence, "index {index}, size {size}");
        }
    }
    check_generator(generator).tests(100).run().unwrap();
}

#[test]
fn every_combinator_is_recorded_and_replayed_exactly() {
    agrees(any::<i32>().map(|n| n / 2));
    agrees(range(0..5usize).flat_map(|n| vec(any::<u8>()).len(n)));
    agrees(any::<i32>().filter(|n| n % 3 == 0));
    agrees(any::<Vec<u8>>().filter(|list| list.len() % 2 == 1));
    agrees(any::<u8>().filter_map(|n| n.checked_sub(128)));
    agrees(any::<u8>().zip(any::<String>()));
    agrees((0..10, any::<bool>(), 'a'..='f'));
    agrees(any::<u8>().optional());
    agrees(any::<Vec<u8>>().resize(3));
    agrees(any::<Vec<u8>>().scale(|size| size * 2));
    agrees(any::<u8>().boxed());
    agrees(constant(5));
    agrees(one_of([0..5, 100..105]));
    agrees(one_of![constant(-1), 0..5, any::<i32>()]);
    agrees(frequency([(1, 0..5), (0, 5..6), (9, 100..105)]));
    agrees(frequency![1 => constant(-1), 0 => 0..5, 7 => any::<i32>()]);
    agrees(elements(["a", "b", "c"]));
    agrees(shuffle([1, 2, 3, 4, 5]));
    agrees(subsequence([1, 2, 3, 4, 5]));
    agrees(sized(|size| 0..=size));
    agrees(string('a'..='c'));
    agrees(string(any()).len(..=4));
}

#[test]
fn every_collection_is_recorded_and_replayed_exactly() {
    agrees(vec(any::<u8>()).len(3..));
    agrees(vec(any::<u8>()).len(2..6));
    agrees(vec(any::<String>()).len(0..=20));
    agrees(vec(0..20).len(3..=10).unique());
    agrees(vec(0..4).unique());
    agrees(btree_set(0..10).len(2..=8));
    agrees(btree_set(any::<bool>()).len(..9));
    agrees(btree_map(0..9, any::<Vec<u8>>()).len(1..=9));
    agrees(hash_set(0..1000).len(1));
    agrees(hash_map(0..1, any::<u8>()).len(1));
    agrees(vec_deque(any::<u8>()).len(2..5));
    agrees(linked_list(any::<u8>()));
    agrees(binary_heap(any::<u8>()).map(BinaryHeapExt::sorted));
}

trait BinaryHeapExt {
    fn sorted(self) -> Vec<u8>;
}

impl BinaryHeapExt for std::collections::BinaryHeap<u8> {
    fn sorted(self) -> Vec<u8> {
        self.into_sorted_vec()
    }
}

/// Shrinking prefers fewer choices. A value that is empty or a leaf for lack of size must not take fewer choices than
/// one that is so by choice; otherwise it would count as simpler.
#[test]
fn lack_of_size_saves_no_choices() {
    fn choices<G: Generator>(size: u32, generator: &G) -> usize {
        let mut source = Source::replay(&Sequence::from_values(size, &[]));
        generator.generate(&mut source);
        source.into_sequence().len()
    }
    fn saves_none<G: Generator>(generator: G) {
        assert_eq!(choices(0, &generator), choices(100, &generator));
    }
    saves_none(any::<Vec<u8>>());
    saves_none(vec(any::<u8>()).len(2..));
    saves_none(any::<Option<Box<Vec<String>>>>());
    saves_none(btree_map(any::<u8>(), any::<u8>()));
    saves_none(recursive(any::<u8>().boxed(), |inner| inner.clone().zip(inner).map(|(a, b)| a ^ b).boxed()));
}

#[test]
fn parts_of_collections_that_ask_for_their_size_are_replayed_exactly() {
    agrees(vec(sized(|size| 0..=size)));
    agrees(vec(vec(sized(|size| vec(0..=size).len(size as usize)))));
    agrees(btree_map(any::<u8>(), vec(sized(|size| 0..=size))));
    agrees(vec(from_fn(|s| (s.size(), s.size(), s.draw(any::<Vec<bool>>())))));
    agrees(vec(sized(|size| 0..=size).scale(|size| size / 2)));
    agrees(vec(sized(|size| 0..=size).filter(|n| n % 2 == 0)));
    agrees(vec(sized(|size| 0..=size).filter_map(|n| n.checked_sub(1))));
}

#[test]
fn every_range_is_recorded_and_replayed_exactly() {
    agrees((0..10u8, 250.., ..=5u8, ..5i8, i8::MIN..=i8::MAX));
    agrees((-5..1000i64, -1000..5i32, i64::MIN.., ..i64::MAX, 3..=3usize));
    agrees((u128::MAX / 2.., i128::MIN..=i128::MAX, -5..=5i128, 0..1u128 << 70, -3..1i128 << 90));
    agrees((0.0..1.0, -1.5..=1e300, 1e-300..2e-300, ..0.0f32, f64::MIN.., f64::MIN..=f64::MAX));
    agrees(('a'..='z', '\u{d000}'..'\u{e010}', 'x'.., ..'b'));
}

#[test]
fn values_of_ranges_lie_inside_and_all_are_reached() {
    check_generator(-3..4i8)
        .valid(|n| (-3..4).contains(n))
        .reaches("-3", |n| *n == -3)
        .reaches("3", |n| *n == 3)
        .run()
        .unwrap();
    check_generator(0.5..0.75).valid(|x| (0.5..0.75).contains(x)).reaches("0.5", |x| *x == 0.5).run().unwrap();
    check_generator('\u{d7f0}'..='\u{e00f}').valid(|c| ('\u{d7f0}'..='\u{e00f}').contains(c)).run().unwrap();
    let all: BTreeSet<char> = sample('\u{d7fe}'..='\u{e001}', 200).into_iter().collect();
    assert_eq!(all, BTreeSet::from(['\u{d7fe}', '\u{d7ff}', '\u{e000}', '\u{e001}']));
}

#[test]
fn the_simplest_of_a_range_is_nearest_to_zero_and_signs_alternate() {
    fn decoded<T, G: Generator<Value = T>>(generator: G, codes: [u64; 6]) -> [T; 6] {
        codes.map(|code| Source::replay(&Sequence::from_values(0, &[code])).draw(&generator))
    }
    let codes = [0, 1, 2, 3, 4, u64::MAX];
    assert_eq!(decoded(-2..=100, codes), [0, 1, -1, 2, -2, 100]);
    assert_eq!(decoded(-100..=1, codes), [0, 1, -1, -2, -3, -100]);
    assert_eq!(decoded(10..=20, codes), [10, 11, 12, 13, 14, 20]);
    assert_eq!(decoded(-20..=-10, codes), [-10, -11, -12, -13, -14, -20]);
    assert_eq!(decoded(i64::MIN..=i64::MAX, codes), [0, 1, -1, 2, -2, i64::MIN]);
    assert_eq!(decoded(-10.0..=10.0, [0, 1, 2, 3, 4, 5]), [0.0, -0.0, 1.0, -1.0, 2.0, -2.0]);
}

#[test]
fn misuse_is_reported_with_advice() {
    fn message<G: Generator>(generator: G) -> String {
        let caught = catch_unwind(AssertUnwindSafe(|| Source::random(0, 0, 9).draw(&generator))).err();
        let random = caught.and_then(|payload| payload.downcast::<Misuse>().ok()).expect("a misuse").to_string();
        let caught = catch_unwind(AssertUnwindSafe(|| Source::record(0, 0, 9).draw(&generator))).err();
        let recorded = caught.and_then(|payload| payload.downcast::<Misuse>().ok()).expect("a misuse").to_string();
        assert_eq!(random, recorded);
        random
    }
    #[allow(clippy::reversed_empty_ranges)]
    let (reversed, inclusive) = (5..3, 5..=3);
    assert_eq!(message(5..5), "the range 5..5 is empty; the start must be below the end");
    assert_eq!(message(reversed), "the range 5..3 is empty; the start must be below the end");
    assert_eq!(message(inclusive), "the range 5..=3 is empty; the start must not be above the end");
    let nan = "NaN cannot be an end of a range: use a number";
    assert_eq!(message(0.0..f64::NAN), format!("the range 0.0..NaN is empty; {nan}"));
    assert_eq!(message(f32::NAN..=1.0), format!("the range NaN..=1.0 is empty; {nan}"));
    assert_eq!(message(..0u8), "the range ..0 is empty; the end must be above 0");
    let lengths = "the range of lengths 3..3 is empty; the start must be below the end (write one number for an exact \
                   length)";
    assert_eq!(message(vec(any::<u8>()).len(3..3)), lengths);
    assert_eq!(message(btree_set(any::<u8>()).len(3..3)), lengths);
    assert_eq!(message(string(any()).len(3..3)), lengths);
    let none: [i32; 0] = [];
    let text = "`elements` has no values; pass at least one, or discard the test before with an assumption";
    assert_eq!(message(elements(none)), text);
    assert_eq!(message(one_of(Vec::<Any<u8>>::new())), "`one_of` has no generators; pass at least one");
    let weightless = "all 2 choices have weight 0; at least one needs a weight of 1 or more";
    assert_eq!(message(frequency([(0, any::<u8>()), (0, any())])), weightless);
    assert_eq!(message(frequency![0 => any::<u8>(), 0 => 1..2]), weightless);
    assert_eq!(message(frequency(Vec::<(u32, Any<u8>)>::new())), "there are no choices; pass at least one");
}

/// Nothing leaves the generator, at random or on tape, and the source knows why.
fn rejects_by_unwinding<G: Generator>(generator: G) {
    for mut source in [Source::random(0, 0, 10), Source::record(0, 0, 10)] {
        let drawn = catch_unwind(AssertUnwindSafe(|| source.draw(&generator)));
        assert!(drawn.is_err_and(|unwound| unwound.is::<Rejected>()) && source.is_rejected());
    }
}

#[test]
fn values_of_filters_and_sets_satisfy_their_conditions() {
    // One value in forty passes: often a hundred attempts are not enough.
    let three = from_fn(|s| 9 / s.draw(range(0..40u32).filter(|n| *n == 3)));
    // The fourth of four different numbers, which are not always found.
    let fourth = from_fn(|s| s.draw(btree_set(range(0..4u32)).len(4)).into_iter().nth(3).unwrap());
    for exhaustive in [false, true] {
        let settings = Settings::new().seed(1).store(Store::Off).enumerate(exhaustive);
        let passes = |property: &dyn Property| Run::new("relies", property).settings(settings.clone()).report();
        let report = passes(&property! { forall n in &three; check *n == 3 });
        assert!(report.verdict.is_success() && report.statistics.discarded > 5, "{report:?}");
        let report = passes(&property! { forall n in &fourth; check *n == 3 });
        assert!(report.verdict.is_success(), "{report:?}");
    }
}

#[test]
fn an_unsatisfiable_filter_rejects_the_test() {
    rejects_by_unwinding(any::<u8>().filter(|_| false));
    rejects_by_unwinding(any::<u8>().filter_map(|_| None::<u8>));
    assert_eq!(sample(any::<u8>().filter(|_| false), 5), [0; 0]);
}

#[test]
fn values_rejected_by_a_filter_are_not_recorded() {
    for index in 0..100 {
        let mut source = Source::record(3, index, 50);
        source.draw(any::<u8>().filter(|n| n % 4 == 3));
        assert_eq!(source.into_sequence().len(), 1);
    }
}

#[test]
fn too_few_distinct_elements_reject_or_end_the_collection() {
    rejects_by_unwinding(btree_set(any::<bool>()).len(3));
    assert!(sample(btree_set(any::<bool>()).len(..9), 100).iter().any(|set| set.len() == 2));
    let all: HashSet<Vec<u8>> = sample(vec(0..2u8).len(2).unique(), 100).into_iter().collect();
    assert_eq!(all, HashSet::from([vec![0, 1], vec![1, 0]]));
}

#[test]
fn deleting_the_span_of_an_element_deletes_the_element() {
    let generator = vec(any::<u8>()).len(2..=50);
    let mut source = Source::record(1, 0, 50);
    let list = source.draw(&generator);
    let sequence = source.into_sequence();
    assert!(list.len() > 3, "{list:?}");
    for (i, span) in sequence.spans.iter().enumerate().take(list.len()) {
        let mut shorter = sequence.clone();
        shorter.items.drain(span.start as usize..span.end as usize);
        let mut expected = list.clone();
        expected.remove(i);
        assert_eq!(Source::replay(&shorter).draw(&generator), expected);
    }
}

#[derive(Debug)]
enum Tree {
    Leaf(u8),
    Many(Vec<Tree>),
    Two(Box<Tree>, Box<Tree>),
}

fn nodes(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => 1,
        Tree::Many(trees) => 1 + trees.iter().map(nodes).sum::<usize>(),
        Tree::Two(a, b) => 1 + nodes(a) + nodes(b),
    }
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => 0,
        Tree::Many(trees) => 1 + trees.iter().map(depth).max().unwrap_or(0),
        Tree::Two(a, b) => 1 + depth(a).max(depth(b)),
    }
}

/// As the derive would write it.
impl Arbitrary for Tree {
    fn arbitrary(source: &mut Source) -> Self {
        fn heights() -> Vec<u32> {
            vec![1, 1, 0]
        }
        // The leaf is declared last here, and must still be the simplest.
        match pick_variant(source, &[1, 2, 3], heights) {
            0 => Tree::Many(Vec::arbitrary(source)),
            1 => {
                let size = child_size(source.size(), 2);
                source.with_size(size, |s| Tree::Two(Box::arbitrary(s), Box::arbitrary(s)))
            }
            _ => Tree::Leaf(u8::arbitrary(source)),
        }
    }
}

#[test]
fn recursive_types_end_whatever_the_choices() {
    agrees(any::<Tree>());
    agrees(vec(any::<Tree>()));
    for index in 0..2000 {
        let tree = Source::random(1, index, 100).draw(any::<Tree>());
        assert!(nodes(&tree) <= 202, "{}", nodes(&tree));
    }
    let simplest = Source::replay(&Sequence { size: 100, ..Sequence::default() }).draw(any::<Tree>());
    assert!(matches!(simplest, Tree::Leaf(0)));
    // As deep as the choices can ask for, and as the stack must hold.
    for values in [vec![1; 10_000], vec![2; 10_000], vec![u64::MAX; 10_000]] {
        let tree = Source::replay(&Sequence::from_values(200, &values)).draw(any::<Tree>());
        assert!(depth(&tree) <= 201, "{}", depth(&tree));
    }
}

#[test]
fn recursive_generators_are_bounded_by_the_size_however_often_they_branch() {
    let wide = recursive(any::<u8>().map(Tree::Leaf), |inner| vec(inner).len(10).map(Tree::Many));
    let binary = recursive(any::<u8>().map(Tree::Leaf), |inner| {
        inner.clone().zip(inner).map(|(a, b)| Tree::Two(Box::new(a), Box::new(b)))
    });
    let free = recursive(any::<u8>().map(Tree::Leaf), |inner| vec(inner).map(Tree::Many));
    for index in 0..300 {
        assert!(nodes(&Source::random(1, index, 100).draw(&wide)) <= 1001);
        assert!(nodes(&Source::random(1, index, 100).draw(&binary)) <= 201);
        assert!(nodes(&Source::random(1, index, 100).draw(&free)) <= 301);
    }
    assert!(sample(&binary, 200).iter().any(|tree| nodes(tree) > 50));
    assert!(sample(&binary, 200).iter().any(|tree| depth(tree) >= 6));
    agrees(recursive(any::<u8>().map(Tree::Leaf), |inner| {
        vec(inner.filter(|tree| nodes(tree) % 3 < 2)).len(3).map(Tree::Many)
    }));
    agrees(wide);
    agrees(binary);
    agrees(free);
}

#[test]
fn weights_of_zero_are_never_chosen_on_tape_either() {
    let heights: fn() -> Vec<u32> = || vec![0, 1, 2];
    for code in 0..5 {
        let mut source = Source::tape(&Sequence::from_values(9, &[code]), AtEnd::Simplest);
        assert_ne!(pick_variant(&mut source, &[1, 0, 1], heights), 1);
        let mut source = Source::tape(&Sequence::from_values(0, &[code]), AtEnd::Simplest);
        assert_eq!(pick_variant(&mut source, &[0, 1, 1], heights), 1);
    }
}

#[test]
fn violated_laws_are_named() {
    let law = |broken: Result<GeneratorReport, Broken>| broken.unwrap_err().law;
    assert_eq!(law(check_generator(0..10).valid(|n| *n != 7).run()), "valid");
    assert_eq!(law(check_generator(0..10).reaches("ten", |n| *n == 10).run()), "reaches");
    assert_eq!(law(check_generator(vec(any::<u8>()).len(10)).most_choices(9).run()), "terminates");
    assert_eq!(law(check_generator(5..5).run()), "total");
}

/// Recursive through `Option`, and mutually with `Item` through `Result`.
#[derive(Debug)]
struct List {
    item: Item,
    next: Option<Box<List>>,
}

#[derive(Debug)]
struct Item(Result<Box<List>, u8>);

impl Arbitrary for List {
    fn arbitrary(source: &mut Source) -> Self {
        let size = child_size(source.size(), 2);
        source.with_size(size, |s| List { item: Arbitrary::arbitrary(s), next: Arbitrary::arbitrary(s) })
    }

    fn height(heights: &mut Heights) -> u32 {
        heights.constructors("List", &[|heights| Item::height(heights).max(Option::<Box<List>>::height(heights))])
    }
}

impl Arbitrary for Item {
    fn arbitrary(source: &mut Source) -> Self {
        Item(Arbitrary::arbitrary(source))
    }

    fn height(heights: &mut Heights) -> u32 {
        heights.constructors("Item", &[|heights| Result::<Box<List>, u8>::height(heights)])
    }
}

fn items(list: &List) -> usize {
    1 + list.item.0.as_ref().map_or(0, |inner| items(inner)) + list.next.as_ref().map_or(0, |next| items(next))
}

#[test]
fn types_that_recur_through_options_and_results_terminate() {
    assert_eq!((Heights::of::<Item>(), Heights::of::<List>()), (1, 2));
    agrees(any::<List>());
    agrees(vec(any::<List>()));
    assert!(sample(any::<List>(), 300).iter().all(|list| items(list) <= 201));
    assert!(sample(any::<List>(), 300).iter().any(|list| items(list) > 10));
    for values in [vec![0; 10_000], vec![1; 10_000], vec![u64::MAX; 10_000]] {
        let list = Source::replay(&Sequence::from_values(100, &values)).draw(any::<List>());
        assert!(items(&list) < 10_000);
    }
}

/// The purpose of swarm testing: alternatives that undo each other.
#[derive(forall::Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Op {
    Push,
    Pop,
    Clear,
}

fn deepest(ops: &[Op]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for op in ops {
        depth = match op {
            Op::Push => depth + 1,
            Op::Pop => depth.saturating_sub(1),
            Op::Clear => 0,
        };
        deepest = deepest.max(depth);
    }
    deepest
}

#[test]
fn swarm_testing_reaches_states_that_alternatives_undo() {
    let ops = || vec(any::<Op>()).len(60);
    let deep = |generator: &dyn Fn(&mut Source) -> Vec<Op>| {
        (0..500).filter(|&index| deepest(&generator(&mut Source::random(5, index, 100))) >= 30).count()
    };
    assert_eq!(deep(&|source| source.draw(ops())), 0);
    let reached = deep(&|source| source.draw(ops().swarm()));
    assert!(reached > 30, "{reached} of 500");
}

#[test]
fn swarm_testing_generates_all_values_and_is_the_same_on_tape() {
    let ops = vec(one_of![constant(1), constant(2), elements([3, 4])]).len(0..6).swarm();
    let mut seen = BTreeSet::new();
    for index in 0..3000 {
        let value = Source::random(5, index, 100).draw(&ops);
        let mut recorded = Source::record(5, index, 100);
        assert_eq!(recorded.draw(&ops), value, "recorded as it was at random");
        let sequence = recorded.into_sequence();
        assert_eq!(Source::replay(&sequence).draw(&ops), value, "replayed as it was recorded");
        seen.extend(value.windows(2).map(|pair| (pair[0], pair[1])));
    }
    assert_eq!(seen.len(), 16, "any two can still meet");
}

#[test]
fn alternatives_that_cannot_be_disabled_are_all_generated() {
    let many: Vec<u32> = (0..200).collect();
    let highest = (0..2000).map(|test| {
        let mut source = Source::record(7, test, 50);
        source.draw(elements(&many).swarm())
    });
    assert_eq!(highest.max(), Some(199));
}

#[test]
fn a_generator_that_rejects_under_swarm_testing_rejects_the_test() {
    let never = from_fn(|source: &mut Source| source.reject()).swarm();
    let mut source = Source::random(5, 0, 100);
    source.draw(never);
    assert!(source.is_rejected());
}

#[test]
fn a_generator_without_a_value_prints_none() {
    let nothing = any::<u8>().filter(|_| false);
    let property = property! { forall a: bool; forall n in &nothing; check a | (*n > 0) };
    let printed = Tester::new("nothing", &property, 1).print(&Case::default());
    assert!(printed.is_empty(), "{printed:?}");
}
