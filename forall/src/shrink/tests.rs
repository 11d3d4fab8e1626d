//! For each pass, an input that only this pass minimises: with all passes, shrinking ends at the ideal result, and the
//! pass took part; without it, shrinking ends elsewhere. Passes whose purpose is to save evaluations are tested for
//! that.

mod late;
mod rare;

use super::passes::{LAST, Named, PASSES};
use super::search::Search;
use super::story::Shrinking;
use crate::choice::{Sequence, Source};
use crate::generate::{GeneratorExt, any, from_fn, range, vec};
use crate::property::{Empty, Property, Telescope};
use crate::testing::{Case, Tested, Tester};

/// The pass that would do the work of many others on inputs this small.
const EVERY: &str = "every simpler input";
/// And those that would do the work of some.
const OFFSET: &str = "numbers moved together";
const NEAR: &str = "numbers near each other";
const MOVE_ON: &str = "elements moved on";
const CARRY: &str = "decrement one, maximise the rest";
const ITERATIONS: &str = "fewer iterations";
const ALIKE: &str = "runs that begin alike";
const EXCHANGED: &str = "exchanged values";

/// Shrinks the input made of `values`, without one of the passes.
fn shrink(property: &dyn Property, values: &[u64], without: &str) -> (Vec<u64>, Shrinking) {
    shrink_without(property, values, &[without, EVERY, OFFSET, NEAR, MOVE_ON, CARRY, ITERATIONS, ALIKE, ENDS, SQUARES])
}

/// Shrinks the input made of `values`, without some of the passes.
fn shrink_without(property: &dyn Property, values: &[u64], without: &[&str]) -> (Vec<u64>, Shrinking) {
    let tester = Tester::new("pass", property, 1);
    let given = Case { sequence: Sequence::from_values(100, values), steps: Vec::new() };
    let (case, Tested::Fail(failure)) = tester.run(&given) else { panic!("{values:?} does not fail") };
    let mut improved = |_: &Case, _: &_, _| {};
    let mut search = Search::new(&tester, case, failure, &mut improved);
    search.max_evaluations = 2000;
    let others =
        |passes: &[Named]| passes.iter().copied().filter(|(name, _)| !without.contains(name)).collect::<Vec<_>>();
    search.run_passes(others(PASSES), &others(LAST));
    let (best, _, story) = search.finish();
    (best.sequence.values().collect(), story)
}

/// Only `pass` leads from `values` to `ideal`.
fn only(pass: &str, property: impl Property, values: &[u64], ideal: &[u64]) {
    assert!(PASSES.iter().chain(LAST).any(|(name, _)| *name == pass), "there is a pass {pass}");
    let (best, story) = shrink(&property, values, "");
    assert_eq!(best, ideal, "{story:?}");
    let at_work = story.passes.iter().any(|done| done.name == pass && done.accepted > 0);
    assert!(at_work, "{story:?}");
    let (best, story) = shrink(&property, values, pass);
    assert_ne!(best, ideal, "without it: {story:?}");
}

/// `pass` saves evaluations on the way from `values` to `ideal`.
fn quicker(pass: &str, property: impl Property, values: &[u64], ideal: &[u64]) {
    let (best, with) = shrink(&property, values, "");
    assert_eq!(best, ideal, "{with:?}");
    let (_, without) = shrink(&property, values, pass);
    assert!(with.evaluations < without.evaluations, "{} and {}", with.evaluations, without.evaluations);
}

/// The number of evaluations that a pass took.
fn tried(pass: &str, story: &Shrinking) -> u64 {
    story.passes.iter().find(|done| done.name == pass).unwrap().tried
}

/// A binary tree with numbers at its leaves: `[0, n]`, or `[1, left, right]`.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(u64),
    Node(Box<Tree>, Box<Tree>),
}

fn tree(source: &mut Source) -> Tree {
    source.span(8, |source| match source.choice(1) {
        0 => Tree::Leaf(source.choice(9)),
        _ => Tree::Node(Box::new(tree(source)), Box::new(tree(source))),
    })
}

fn leaves(tree: &Tree) -> Vec<u64> {
    match tree {
        Tree::Leaf(n) => vec![*n],
        Tree::Node(left, right) => [leaves(left), leaves(right)].concat(),
    }
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => 0,
        Tree::Node(left, right) => 1 + depth(left).max(depth(right)),
    }
}

#[test]
fn a_property_that_always_fails_is_minimal_after_one_evaluation() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u32>()))).check(|_| false);
    let (best, story) = shrink(&property, &[1, 7, 1, 8, 0], "");
    assert_eq!((best, story.evaluations), (vec![0], 1));
    quicker("simplest of all", property, &[1, 7, 1, 8, 0], &[0]);
}

#[test]
fn all_numbers_to_zero_makes_many_inputs_one() {
    let long = Empty.forall("xs", |(), s| s.draw(vec(0..100u32))).check(|(xs, ())| xs.len() < 5);
    let values = [1, 7, 1, 8, 1, 9, 1, 10, 1, 11, 1, 12, 1, 13, 0];
    quicker("all numbers to zero", long, &values, &[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0]);
}

#[test]
fn variables_that_do_not_matter_go_at_once() {
    let property = Empty.forall("tree", |(), s| tree(s)).forall("n", |_, s| s.draw(0..100u32)).check(|(n, _)| *n < 50);
    quicker("simplest parts", property, &[1, 1, 0, 3, 0, 4, 1, 0, 5, 0, 6, 50], &[0, 0, 50]);
}

#[test]
fn subtrees_take_the_place_of_trees() {
    // The leaf must be the second of two, so neither lowering nor removing choices preserves what matters.
    let pair = |tree: &Tree| matches!(tree, Tree::Node(a, b) if matches!((&**a, &**b), (Tree::Leaf(3), Tree::Leaf(7))));
    fn any_subtree(tree: &Tree, is: &dyn Fn(&Tree) -> bool) -> bool {
        is(tree) || matches!(tree, Tree::Node(a, b) if any_subtree(a, is) || any_subtree(b, is))
    }
    let property = Empty.forall("tree", |(), s| tree(s)).check(move |(tree, ())| !any_subtree(tree, &pair));
    quicker("subtrees for trees", property, &[1, 1, 0, 5, 1, 0, 3, 0, 7, 0, 2], &[1, 0, 3, 0, 7]);
}

#[test]
fn many_parts_are_simplified_at_once() {
    let property = Empty
        .forall("trees", |(), s| s.draw(vec(from_fn(tree))))
        .check(|(trees, ())| trees.len() < 30 || !matches!(trees.last(), Some(Tree::Node(..))));
    let values = [[1, 1, 0, 3, 0, 4]; 30].concat();
    let (best, story) = shrink(&property, &values, "");
    assert_eq!(best, [[1, 0, 0].repeat(29), vec![1, 1, 0, 0, 0, 0, 0]].concat());
    assert!(tried("simplest parts", &story) < 20, "{story:?}");
}

#[test]
fn collections_of_at_least_one_element_are_joined() {
    let lists = vec(vec(0..100u32).len(1..)).len(1..);
    let property = Empty.forall("lists", move |(), s| s.draw(&lists)).check(|(lists, ())| {
        let all: Vec<u32> = lists.concat();
        all.iter().sum::<u32>() < 30 || all.iter().any(|n| *n > 10)
    });
    // [[10], [10], [10]]: the first element of each list is there without a choice.
    let given = [0, 0, 10, 0, 1, 0, 10, 0, 1, 0, 10, 0, 0];
    only("joined collections", property, &given, &[0, 0, 10, 1, 10, 1, 10, 0, 0]);
}

#[test]
fn a_subtree_that_draws_more_higher_up_comes_up_several_levels() {
    /// A tree of at most `levels` levels, below which nothing is drawn: returns whether some node has two children.
    fn forks(source: &mut Source, levels: u32) -> (bool, bool) {
        source.span(9, |source| {
            if levels == 0 || source.choice(1) == 0 {
                return (false, false);
            }
            let (left, right) = (forks(source, levels - 1), forks(source, levels - 1));
            (true, left.1 || right.1 || left.0 && right.0)
        })
    }
    let property = Empty.forall("tree", |(), s| forks(s, 5)).check(|((_, forks), ())| !forks);
    // Two levels up it draws as many choices as it saves, three levels up fewer.
    only("subtrees from deeper down", property, &[1, 0, 1, 0, 1, 0, 1, 1, 1], &[1, 1, 0, 0, 1, 0, 0]);
}

#[test]
fn outer_elements_are_removed_before_inner_ones_are_tried() {
    let property = Empty
        .forall("xss", |(), s| s.draw(vec(vec(0..100u32))))
        .check(|(xss, ())| xss.iter().flatten().all(|x| *x < 50));
    let values = [1, 1, 3, 1, 4, 1, 5, 0, 1, 1, 60, 0, 1, 1, 6, 1, 7, 0, 1, 1, 8, 0, 0];
    quicker("fewer outermost elements", property, &values, &[1, 1, 50, 0, 0]);
}

#[test]
fn lists_side_by_side_become_one() {
    let property = Empty
        .forall("xss", |(), s| s.draw(vec(vec(0..100u32))))
        .check(|(xss, ())| xss.iter().map(Vec::len).sum::<usize>() < 3);
    only("joined collections", property, &[1, 1, 3, 1, 4, 0, 1, 1, 5, 0, 0], &[1, 1, 0, 1, 0, 1, 0, 0, 0]);
}

#[test]
fn long_runs_of_elements_go_together() {
    let property = Empty
        .forall("pair", |(), s| (s.draw(vec(vec(0..9u32))), s.draw(0..9u32)))
        .check(|((xss, _), ())| !xss.iter().any(|xs| xs.contains(&8)));
    let values = [1, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 8, 1, 6, 1, 7, 1, 7, 1, 1, 0, 0, 5];
    quicker("fewer elements", property, &values, &[1, 1, 8, 0, 0, 0]);
}

#[test]
fn a_drawn_length_goes_down_with_its_elements() {
    let lists = || range(1..=50usize).flat_map(|n| vec(0..100u32).len(n));
    let property = Empty.forall("xs", move |(), s| s.draw(lists())).check(|(xs, ())| xs.iter().all(|x| *x < 50));
    only("lengths", property, &[3, 1, 2, 60, 3], &[0, 50]);
}

#[test]
fn rows_and_columns_are_removed_separately_or_together() {
    let square = || range(1..=50usize).flat_map(|n| vec(vec(0..100u32).len(n)).len(n));
    let property = Empty
        .forall("rows", move |(), s| s.draw(square()))
        .check(|(rows, ())| rows.iter().enumerate().all(|(i, row)| row[i] < 50));
    only("lengths", property, &[2, 1, 2, 3, 4, 60, 6, 7, 8, 9], &[0, 50]);
}

#[test]
fn numbers_are_lowered_with_few_probes() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    let (best, story) = shrink(&property, &[u64::MAX], "");
    assert_eq!(best, [1000]);
    assert!(story.evaluations < 40, "{}", story.evaluations);
    let signed = Empty.forall("n", |(), s| s.draw(any::<i64>())).check(|(n, ())| *n > -1000);
    assert_eq!(shrink(&signed, &[1 << 40], "").0, [2000]);
}

#[test]
fn wide_characters_become_the_first_of_their_width() {
    use crate::generate::Coded;
    for (given, simplest) in [('é', '\u{80}'), ('恳', '\u{800}'), ('😀', '\u{10000}')] {
        let width = given.len_utf8();
        let property = Empty.forall("c", |(), s| s.draw(any::<char>())).check(move |(c, ())| c.len_utf8() != width);
        let (best, story) = shrink(&property, &[given.encode().into()], "");
        assert_eq!(best, [u64::from(simplest.encode())]);
        assert!(tried("lower numbers", &story) < 10, "{story:?}");
    }
}

#[test]
fn equal_numbers_go_down_together() {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u32>()))
        .forall("b", |_, s| s.draw(any::<u32>()))
        .check(|(b, (a, ()))| *a < 10 || a != b);
    only("equal numbers together", property, &[5000, 5000], &[10, 10]);
}

#[test]
fn a_difference_is_kept() {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u32>()))
        .forall("b", |_, s| s.draw(any::<u32>()))
        .check(|(b, (a, ()))| *a < 10 || b.wrapping_sub(*a) != 300);
    only("differences kept", property, &[5000, 5300], &[10, 310]);
}

#[test]
fn a_sum_is_kept() {
    let property = Empty
        .forall("a", |(), s| s.draw(0..=600u32))
        .forall("b", |_, s| s.draw(0..=600u32))
        .check(|(b, (a, ()))| a + b < 1000);
    only("sums kept", property, &[500, 500], &[400, 600]);
}

#[test]
fn a_sum_is_kept_where_the_room_for_the_second_follows_the_first() {
    let property = Empty
        .forall("a", |(), s| s.draw(0..=600u32))
        .forall("b", |(a, ()), s| s.draw(0..=1000 - a))
        .check(|(b, (a, ()))| a + b < 990);
    let (best, story) = shrink(&property, &[500, 495], "");
    assert_eq!(best, [0, 990]);
    assert!(tried("sums kept", &story) < 10, "{story:?}");
}

#[test]
fn a_large_sum_is_made_of_few_large_elements() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(0..=9u32))).check(|(xs, ())| xs.iter().sum::<u32>() < 100);
    let list = |elements: &[u64]| -> Vec<u64> { elements.iter().flat_map(|&x| [1, x]).chain([0]).collect() };
    let ideal = list(&[1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
    quicker("fewer and larger elements", property, &list(&[3; 40]), &ideal);
}

#[test]
fn a_certain_sum_is_made_of_one_element() {
    use crate::generate::Coded;
    let total = |xs: &[i16]| xs.iter().fold(0i16, |sum, x| sum.wrapping_add(*x));
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<i16>()))).check(move |(xs, ())| total(xs) != 1234);
    let (a, b) = (30_000i16, -9_000i16);
    let xs = [a, a, b, b, a, b, a, -2, 1234i16.wrapping_sub(total(&[a, a, b, b, a, b, a, -2]))];
    let values: Vec<u64> = xs.iter().flat_map(|x| [1, x.encode().into()]).chain([0]).collect();
    quicker("elements as their sum", property, &values, &[1, 1234i16.encode().into(), 0]);
}

#[test]
fn long_lists_with_large_sums_are_shrunk_to_the_end() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<u8>()).len(0..1000)))
        .check(|(xs, ())| xs.iter().map(|x| u64::from(*x)).sum::<u64>() < 20_000);
    let tester = Tester::new("sum", &property, 1);
    let failing = (0..).find_map(|index| match tester.record(index, 100) {
        (case, Tested::Fail(failure)) => Some((case, failure)),
        _ => None,
    });
    let (case, failure) = failing.unwrap();
    let (best, _, story) = super::Shrinker::new(&tester, case, failure).shrink(|_, _, _| {});
    let xs = Source::replay(&best.sequence).draw(vec(any::<u8>()).len(0..1000));
    assert_eq!((xs.len(), xs[0]), (79, 110), "78 times 255 and what is left of 20,000");
    assert!(story.cut_short.is_none() && story.evaluations < 2000, "{story:?}");
}

#[test]
fn indices_follow_their_elements() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(0..=10usize)))
        .implies(|(xs, ())| xs.iter().all(|x| *x < xs.len()))
        .check(|(xs, ())| xs.iter().enumerate().all(|(i, &x)| i == x || xs[x] != i));
    only("elements and their indices", property, &[1, 0, 1, 2, 1, 1, 0], &[1, 1, 1, 0, 0]);
}

#[test]
fn single_elements_go_from_between_others() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(0..=9usize))).check(|(xs, ())| {
        let mut wanted = 1;
        xs.iter().for_each(|&x| wanted += usize::from(x == wanted));
        wanted <= 5
    });
    let values = [1, 1, 1, 9, 1, 2, 1, 9, 1, 3, 1, 9, 1, 4, 1, 9, 1, 5, 0];
    quicker("elements one by one", property, &values, &[1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 0]);
}

#[test]
fn removing_an_element_lowers_a_count_elsewhere() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(0..10u32)))
        .forall("n", |_, s| s.draw(0..20usize))
        .check(|(n, (xs, ()))| xs.get(*n) != Some(&5));
    only("elements and a count", property, &[1, 0, 1, 0, 1, 5, 0, 2], &[1, 5, 0, 0]);
}

#[test]
fn numbers_of_one_part_go_to_zero_together() {
    // Both or none.
    let property = Empty
        .forall("pairs", |(), s| s.draw(vec(any::<u8>().zip(any::<u8>())).len(2)))
        .check(|(pairs, ())| pairs.iter().any(|(a, b)| (*a == 0) != (*b == 0)) || pairs[0] == (0, 0));
    only("numbers of parts to zero", property, &[3, 7, 5, 9], &[1, 1, 0, 0]);
}

#[test]
fn the_last_element_moves_out_of_its_list() {
    // Two lists, or one with an element in it.
    let property = Empty
        .forall("xss", |(), s| s.draw(vec(vec(0..9u32))))
        .check(|(xss, ())| xss.len() + xss.iter().map(Vec::len).sum::<usize>() < 2);
    only("divided collections", property, &[1, 1, 0, 0, 0], &[1, 0, 1, 0, 0]);
}

#[test]
fn elements_come_in_order() {
    let property = Empty.forall("xss", |(), s| s.draw(vec(vec(0..10u32)))).check(|(xss, ())| {
        let mut sorted = xss.clone();
        sorted.sort_unstable();
        sorted != [vec![], vec![5, 6]]
    });
    only("sorted", property, &[1, 1, 5, 1, 6, 0, 1, 0, 0], &[1, 0, 1, 1, 5, 1, 6, 0, 0]);
}

#[test]
fn subtrees_are_swapped_with_their_neighbours() {
    let property = Empty.forall("tree", |(), s| tree(s)).check(|(tree, ())| {
        let mut found = leaves(tree);
        found.sort_unstable();
        depth(tree) != 2
            || found != [3, 3, 7]
            || !matches!(tree, Tree::Node(a, b) if leaves(a) == [7] || leaves(b) == [7])
    });
    only("moved subtrees", property, &[1, 1, 0, 3, 0, 3, 0, 7], &[1, 0, 7, 1, 0, 3, 0, 3]);
}

#[test]
fn a_subtree_is_removed_while_two_others_are_swapped() {
    let property = Empty
        .forall("tree", |(), s| tree(s))
        .check(|(tree, ())| leaves(tree) != [3, 7, 5] && leaves(tree) != [0, 7, 3]);
    only("moved subtrees", property, &[1, 1, 0, 3, 0, 7, 0, 5], &[1, 0, 0, 1, 0, 7, 0, 3]);
}

#[test]
fn a_tree_is_rotated_and_keeps_its_order() {
    let property = Empty.forall("tree", |(), s| tree(s)).check(|(tree, ())| leaves(tree) != [3, 7, 5]);
    only("moved subtrees", property, &[1, 1, 0, 3, 0, 7, 0, 5], &[1, 0, 3, 1, 0, 7, 0, 5]);
}

#[test]
fn subtrees_are_swapped_though_a_number_is_between_them() {
    fn height(s: &mut Source) -> usize {
        s.span(5, |s| match s.choice(1) {
            0 => 0,
            _ => {
                let left = height(s);
                s.choice(99);
                1 + left.max(height(s))
            }
        })
    }
    let property = Empty.forall("height", |(), s| height(s)).check(|(height, ())| *height < 2);
    only("moved subtrees", property, &[1, 1, 0, 0, 0, 0, 0], &[1, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn a_drawn_length_is_lowered_while_numbers_are_raised() {
    let square = || range(0..10usize).flat_map(|n| vec(vec(0..10u32).len(n)).len(n));
    let property = Empty
        .forall("rows", move |(), s| s.draw(square()))
        .check(|(rows, ())| rows.iter().enumerate().map(|(i, row)| row[i]).sum::<u32>() < 20);
    let diagonal = [4, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5];
    only("lengths", property, &diagonal, &[3, 2, 0, 0, 0, 9, 0, 0, 0, 9]);
}

#[test]
fn a_multiple_becomes_a_divisor() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| *n == 0 || n % 1000 != 0);
    only("lower tight numbers", property, &[93_007_000], &[1000]);
    let signed = Empty.forall("n", |(), s| s.draw(any::<i32>())).check(|(n, ())| *n <= 0 || n % 1000 != 0);
    assert_eq!(shrink(&signed, &[2 * 93_007_000 - 1], "").0, [1999]);
}

/// Also shortens matrices and loops.
const SQUARES: &str = "squares of loops";
/// Also sorts elements.
const ENDS: &str = "exchanged ends";
/// Also shortens loops of equal length, one after the other.
const AND_A_COUNT: &str = "iterations and a count";

/// Only `pass`, one of the passes that can do the work of others, leads from `values` to `ideal`.
fn only_of_all(pass: &str, property: impl Property, values: &[u64], ideal: &[u64]) {
    assert_eq!(shrink_without(&property, values, &[EVERY, AND_A_COUNT, SQUARES]).0, ideal);
    assert_ne!(shrink_without(&property, values, &[EVERY, AND_A_COUNT, SQUARES, pass]).0, ideal);
}

#[test]
fn numbers_that_rise_begin_at_zero() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<i32>())))
        .check(|(xs, ())| !xs.windows(4).any(|four| four.is_sorted_by(|a, b| a < b)));
    only_of_all(OFFSET, property, &[1, 2, 1, 0, 1, 1, 1, 3, 0], &[1, 0, 1, 1, 1, 3, 1, 5, 0]);
}

#[test]
fn numbers_near_each_other_are_moved_as_one() {
    let interval = || from_fn(|s| (s.draw(-1000..1000i32), s.draw(0..100i32)));
    let property = Empty.forall("xs", |_, s| s.draw(vec(interval()))).forall("p", |_, s| s.draw(-1000..1100i32)).check(
        |(p, (xs, ()))| {
            // The point that ends an interval is lost if another interval ends before it.
            let inside = |lo: i32, length: i32| lo < *p && *p == lo + length;
            let before = |lo: i32, length: i32| lo + length < *p;
            !xs.windows(2).any(|x| before(x[0].0, x[0].1) && x[1].0 < x[0].0 && inside(x[1].0, x[1].1))
        },
    );
    // [(-497, 0), (-498, 2)] and -496 become [(0, 0), (-1, 2)] and 1.
    only_of_all(NEAR, property, &[1, 994, 0, 1, 996, 2, 0, 992], &[1, 0, 0, 1, 2, 2, 0, 1]);
}

#[test]
fn elements_move_to_the_last_collection() {
    let property = Empty
        .forall("a", |(), s| s.draw(vec(any::<u8>())))
        .forall("b", |_, s| s.draw(vec(any::<u8>())))
        .check(|(b, (a, ()))| a.len() + b.len() < 3);
    only_of_all(MOVE_ON, property, &[1, 0, 0, 1, 0, 1, 0, 0], &[0, 1, 0, 1, 0, 1, 0, 0]);
}

#[test]
fn the_words_of_wide_numbers_go_down_where_later_ones_go_up() {
    const MAX: u64 = u64::MAX;
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u128>()))
        .forall("b", |_, s| s.draw(any::<u128>()))
        .check(|(b, (a, ()))| a.checked_add(*b).is_some());
    only_of_all(CARRY, property, &[1, 0, MAX, 0], &[0, 1, MAX, MAX]);
}

#[test]
fn a_simpler_branch_keeps_the_choices_that_fit() {
    // One number, or two of which only the second counts.
    let number = |s: &mut Source| match s.choice(1) {
        0 => s.choice(99),
        _ => (s.choice(0), s.choice(99)).1,
    };
    let property = Empty
        .forall("ns", move |(), s| s.draw(vec(from_fn(number)).len(1)))
        .check(|(ns, ())| ns.iter().all(|n| *n < 50));
    only("simpler branches", property, &[1, 0, 60], &[0, 50]);
}

#[test]
fn a_number_with_a_pattern_is_found_in_the_end() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| *n == 0 || n % 256 != 0);
    only("lower tight numbers", property, &[0b1011_0101_0000_0000], &[256]);
}

#[test]
fn small_numbers_are_tried_where_lowering_gets_stuck() {
    let steps = |mut a: u32, mut b: u32| {
        let mut steps = 0;
        while b != 0 {
            (a, b, steps) = (b, a % b, steps + 1);
        }
        steps
    };
    let property = Empty
        .forall("a", |(), s| s.draw(1..10_000u32))
        .forall("b", |_, s| s.draw(1..10_000u32))
        .check(move |(b, (a, ()))| steps(*a, *b) < 6);
    only("small numbers", property, &[22, 27], &[7, 12]);
}

#[test]
fn neighbours_become_their_sum() {
    let property = Empty
        .forall("xs", |(), s| s.draw(any::<Vec<i8>>()))
        .check(|(xs, ())| xs.len() < 3 || xs.contains(&0) || xs.iter().map(|x| i32::from(*x)).sum::<i32>() != 0);
    only("neighbours as their sum", property, &[1, 1, 1, 1, 1, 2, 1, 2, 0], &[1, 1, 1, 1, 1, 4, 0]);
}

#[test]
fn rounding_bugs_shrink_to_the_first_float_that_is_rounded() {
    use crate::generate::Coded;
    let property = Empty
        .forall("a", |(), s| s.draw(any::<f64>()))
        .forall("b", |_, s| s.draw(any::<f64>()))
        .forall("c", |_, s| s.draw(any::<f64>()))
        .check(|(c, (b, (a, ())))| (a + b) + c == a + (b + c) || !(a + b + c).is_finite());
    let start = [1.0, -5.0, 2.0 * f64::EPSILON].map(f64::encode);
    only("notable floats", property, &start, &[1.0, 1.0, 2.0 / f64::EPSILON].map(f64::encode));
}

#[test]
fn the_element_out_of_place_moves_to_the_end() {
    let property = Empty
        .forall("order", |(), s| s.draw(crate::generate::shuffle([0, 1, 2, 3, 4, 5])))
        .check(|(order, ())| order.is_sorted());
    only("exchanged values", property, &[0, 1, 0, 0, 0], &[0, 0, 0, 0, 1]);
}

#[test]
fn a_fraction_becomes_an_integer() {
    use crate::generate::Coded;
    let property = Empty.forall("x", |(), s| s.draw(any::<f64>())).check(|(x, ())| *x < 3.0 || *x > 5.0);
    assert_eq!(shrink(&property, &[4.625f64.encode()], "").0, [3.0f64.encode()]);
}

#[test]
fn choices_without_spans_go_one_by_one() {
    let numbers = |s: &mut Source| {
        let mut numbers = Vec::new();
        while s.choice(1) == 1 {
            numbers.push(s.choice(15));
        }
        numbers
    };
    let property = Empty.forall("xs", move |(), s| numbers(s)).check(|(xs, ())| xs.iter().all(|x| *x < 8));
    only("runs of choices", property, &[1, 3, 1, 12, 1, 4, 0], &[1, 8, 0]);
}

#[test]
fn pass_names_are_readable() {
    let names: Vec<&str> = PASSES.iter().map(|(name, _)| *name).collect();
    insta::assert_snapshot!(names.join("\n"));
}
