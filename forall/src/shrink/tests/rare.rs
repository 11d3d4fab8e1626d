//! The passes that run before random candidates.

use super::super::passes::{LAST, Named, PASSES, RARE};
use super::super::search::Search;
use crate::choice::{Sequence, Source};
use crate::generate::btree_set;
use crate::property::{Empty, Property, Telescope};
use crate::testing::{Case, Tested, Tester};

const SHAPES: &str = "every simpler shape";
const ZEROS: &str = "zeros first";
const SWAPPED: &str = "swapped runs";
const FOR_MORE: &str = "runs traded for a larger number";
const SOME_EQUAL: &str = "some of several equal numbers";
const BRANCHES: &str = "simpler branches with other contents";
/// These would do the work of each other, and of others, on inputs this small.
const OF_OTHERS: [&str; 6] = [SHAPES, ZEROS, SWAPPED, FOR_MORE, SOME_EQUAL, BRANCHES];

/// Shrinks the input made of `values` with the passes of [`RARE`] except some.
fn shrink(property: &dyn Property, values: &[u64], without: &[&str]) -> Vec<u64> {
    let tester = Tester::new("pass", property, 1);
    let given = Case { sequence: Sequence::from_values(100, values), steps: Vec::new() };
    let (case, Tested::Fail(failure)) = tester.run(&given) else { panic!("{values:?} does not fail") };
    let mut improved = |_: &Case, _: &_, _| {};
    let mut search = Search::new(&tester, case, failure, &mut improved);
    search.max_evaluations = 5000;
    let rare: Vec<Named> = RARE.iter().copied().filter(|(name, _)| !without.contains(name)).collect();
    search.run_passes(PASSES.to_vec(), LAST);
    while search.run_rare(&rare) {
        search.run_passes(PASSES.to_vec(), LAST);
    }
    let (best, _, story) = search.finish();
    assert!(story.cut_short.is_none(), "{story:?}");
    best.sequence.values().collect()
}

/// Only `pass` leads from `values` to `ideal`.
fn only(pass: &str, property: impl Property, values: &[u64], ideal: &[u64]) {
    let others: Vec<&str> = OF_OTHERS.into_iter().filter(|other| *other != pass).collect();
    assert_eq!(shrink(&property, values, &others), ideal);
    assert_ne!(shrink(&property, values, &[&others[..], &[pass]].concat()), ideal, "without it");
}

#[test]
fn a_stride_fewer_is_a_shorter_distance() {
    let strides = |s: &mut Source| {
        let distance = 1 + s.choice(39);
        let (mut covered, mut strides) = (0, Vec::new());
        while covered < distance {
            strides.push(1 + s.choice(4));
            covered += strides[strides.len() - 1];
        }
        strides
    };
    let property = Empty
        .forall("strides", move |(), s| strides(s))
        .check(|(strides, ())| !strides.windows(2).any(|two| two == [5, 1]));
    // A distance of 7 with the strides 1, 5 and 1 becomes one of 6.
    only("runs and their amounts", property, &[6, 0, 4, 0], &[5, 4, 0]);
}

/// The depths of the leaves that are 1. At the depth limit no alternative is drawn.
fn leaves(s: &mut Source, depth: u64, found: &mut Vec<u64>) {
    if depth < 3 && s.choice(1) == 1 {
        (0..4).for_each(|_| leaves(s, depth + 1, found));
    } else if s.choice(1) == 1 {
        found.push(depth);
    }
}

fn at_most_one_deep_leaf() -> impl Property {
    let draw = |s: &mut Source| {
        let mut found = Vec::new();
        leaves(s, 0, &mut found);
        found
    };
    Empty.forall("leaves", move |(), s| draw(s)).check(|(leaves, ())| leaves.iter().filter(|at| **at >= 2).count() < 2)
}

const TWO_LEAVES: [u64; 16] = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1];

#[test]
fn a_simple_subtree_without_a_span_comes_first() {
    let given = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0];
    only(ZEROS, at_most_one_deep_leaf(), &given, &TWO_LEAVES);
}

#[test]
fn a_subtree_from_the_depth_limit_moves_up() {
    let given = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1];
    only(SHAPES, at_most_one_deep_leaf(), &given, &TWO_LEAVES);
}

/// A list or a number: whether there is a number above 10, and how deep it is.
fn list(s: &mut Source, has_number: &mut bool) -> u32 {
    let mut depth = 0;
    match s.choice(2) {
        0 => {}
        1 => *has_number |= s.choice(99) > 10,
        _ => {
            while s.choice(1) == 1 {
                depth = depth.max(list(s, has_number));
            }
            depth += 1;
        }
    }
    depth
}

#[test]
fn subtrees_without_spans_change_places() {
    let draw = |s: &mut Source| {
        let mut has_number = false;
        (list(s, &mut has_number), has_number)
    };
    let property = Empty.forall("list", move |(), s| draw(s)).check(|(found, ())| found.0 < 3 || !found.1);
    only(SWAPPED, property, &[2, 1, 2, 1, 2, 0, 0, 1, 1, 11, 0], &[2, 1, 1, 11, 1, 2, 1, 2, 0, 0, 0]);
}

#[test]
fn a_number_that_occurs_twice_keeps_its_sum_with_another() {
    let property = Empty
        .forall("numbers", |(), s: &mut Source| [(); 3].map(|()| s.choice(50)))
        .check(|([a, b, c], ())| a + b <= 60 || a != c);
    only("repeated numbers and their sum", property, &[26, 35, 26], &[11, 50, 11]);
}

/// Numbers other than 0 whose exclusive or is 90.
fn checksum(s: &mut Source) -> bool {
    let numbers: Vec<u64> = (0..2 + s.choice(4)).map(|_| s.choice(255)).collect();
    !numbers.contains(&0) && numbers.iter().fold(0, |sum, number| sum ^ number) == 90
}

#[test]
fn two_numbers_keep_their_exclusive_or() {
    let property = Empty.forall("is_90", |(), s| checksum(s)).check(|(is_90, ())| !is_90);
    only("numbers and their exclusive or", property, &[0, 8, 82], &[0, 1, 91]);
}

#[test]
fn the_number_of_an_iteration_goes_to_another() {
    let property = Empty.forall("is_90", |(), s| checksum(s)).check(|(is_90, ())| !is_90);
    only("elements given to others", property, &[1, 1, 1, 90], &[0, 1, 91]);
}

/// Fails if a number of a list occurs again behind it, and they sum to more than 60.
fn referred() -> impl Property {
    let draw = |s: &mut Source| {
        let numbers: Vec<u64> = (0..s.choice(9)).map(|_| s.choice(50)).collect();
        let referred = s.choice(50);
        numbers.contains(&referred) && numbers.iter().sum::<u64>() > 60
    };
    Empty.forall("is_large", move |(), s| draw(s)).check(|(is_large, ())| !is_large)
}

#[test]
fn what_refers_to_an_iteration_by_value_refers_to_another() {
    let draw = |s: &mut Source| {
        let list = |s: &mut Source| (0..s.choice(9)).map(|_| s.choice(50)).collect::<Vec<_>>();
        let (references, numbers) = (list(s), list(s));
        references.iter().any(|number| numbers.contains(number)) && numbers.iter().sum::<u64>() > 60
    };
    let property = Empty.forall("is_large", move |(), s| draw(s)).check(|(is_large, ())| !is_large);
    only("elements given to others", property, &[1, 0, 3, 0, 11, 50], &[1, 11, 2, 11, 50]);
}

#[test]
fn what_refers_to_a_number_by_value_refers_to_a_smaller_one() {
    only("references to smaller numbers", referred(), &[2, 11, 50, 50], &[2, 11, 50, 11]);
}

#[test]
fn a_range_moves_with_the_numbers_drawn_in_it() {
    let property = Empty
        .forall("low", |(), s| s.draw(-1000..=1000i32))
        .forall("high", |(low, ()), s| s.draw(*low..=low + 1000))
        .forall("a", |(high, (low, ())), s| s.draw(*low..=*high))
        .forall("b", |(_, (high, (low, ()))), s| s.draw(*low..=*high))
        .check(|(b, (a, (high, (low, ()))))| *a <= b + 10 || high - low > 30);
    // From -11 to 0, 0 and -11, to from 0 to 11, 11 and 0.
    only("mirrored numbers", property, &[22, 0, 0, 11], &[0, 11, 11, 0]);
}

#[test]
fn a_number_drawn_bit_by_bit_goes_below_a_power_of_two() {
    let property = Empty.forall("n", |(), s| (0..12).fold(0, |n, _| 2 * n + s.choice(1))).check(|(n, ())| *n < 1000);
    let given = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    only("decrement one, maximise its kind", property, &given, &[0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0]);
}

/// A list of commands of three kinds, of which the first has a number.
fn commands(s: &mut Source) -> Vec<(u64, u64)> {
    let command = |s: &mut Source| {
        let kind = s.choice(2);
        (kind, if kind == 0 { s.choice(1000) } else { 0 })
    };
    (0..s.choice(20)).map(|_| command(s)).collect()
}

/// Fails for commands of these kinds, in either list, with numbers of at least `least`.
fn of_kinds(either: &'static [u64], or: &'static [u64], least: u64) -> impl Property {
    Empty.forall("commands", |(), s: &mut Source| commands(s)).check(move |(commands, ())| {
        let kinds: Vec<u64> = commands.iter().map(|(kind, _)| *kind).collect();
        let are_large = commands.iter().all(|(kind, number)| *kind > 0 || *number >= least);
        !(are_large && (kinds == either || kinds == or))
    })
}

#[test]
fn a_command_is_removed_and_another_one_moved() {
    let property = of_kinds(&[0, 1, 1, 1, 1, 2], &[1, 1, 1, 1, 0], 5);
    only("moved commands", property, &[6, 0, 7, 1, 1, 1, 1, 2], &[5, 1, 1, 1, 1, 0, 5]);
}

#[test]
fn two_commands_become_one_at_another_place() {
    let property = of_kinds(&[0, 1, 0, 0, 1, 0], &[2, 0, 0, 0, 0], 0);
    only("one command for two", property, &[6, 0, 7, 1, 0, 8, 0, 9, 1, 0, 3], &[5, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn three_commands_become_two_of_another_kind() {
    let property = of_kinds(&[0, 0, 1, 1, 1], &[0, 0, 2, 2], 0);
    only("a shorter run of commands", property, &[5, 0, 7, 0, 9, 1, 1, 1], &[4, 0, 0, 0, 0, 2, 2]);
}

/// An integer or a condition, as in terms that are generated from their types: its value, and whether an `if` is in it whose
/// condition compares.
fn term(s: &mut Source, is_condition: bool, depth: u32) -> (u64, bool) {
    let part = |s: &mut Source, is_condition| term(s, is_condition, depth - 1);
    match (if depth == 0 { 0 } else { s.choice(2) }, is_condition) {
        (0, false) => (s.choice(100), false),
        (0, true) => (s.choice(1), false),
        (1, false) => {
            let (a, b) = (part(s, false), part(s, false));
            (a.0 + b.0, a.1 || b.1)
        }
        (1, true) => {
            let (a, b) = (part(s, false), part(s, false));
            (u64::from(a.0 < b.0), true)
        }
        (_, true) => {
            let (value, compares) = part(s, true);
            (1 - value, compares)
        }
        (_, false) => {
            let (condition, then, otherwise) = (part(s, true), part(s, false), part(s, false));
            (if condition.0 == 1 { then.0 } else { otherwise.0 }, condition.1)
        }
    }
}

#[test]
fn shapes_vary_while_numbers_keep_their_values() {
    let property = Empty
        .forall("term", |(), s: &mut Source| term(s, false, 4))
        .check(|((value, compares), ())| *value <= 20 || !compares);
    // `if !(0 < 0) { 21 } else { 0 }`, and with fewer choices `if 0 < 0 { 0 } else { 21 }`.
    only(SHAPES, property, &[2, 2, 1, 0, 0, 0, 0, 0, 21, 0, 0], &[2, 1, 0, 0, 0, 0, 0, 0, 0, 21]);
}

/// A search tree drawn by intervals, as the depths and keys of its nodes in order.
fn search_tree(s: &mut Source, low: u64, high: u64, depth: u32, nodes: &mut Vec<(u32, u64)>) {
    if low < high && s.choice(1) == 1 {
        let key = low + s.choice(high - low - 1);
        search_tree(s, low, key, depth + 1, nodes);
        nodes.push((depth, key));
        search_tree(s, key + 1, high, depth + 1, nodes);
    }
}

#[test]
fn a_number_at_the_end_of_its_range_saves_a_choice() {
    let draw = |s: &mut Source| {
        let mut nodes = Vec::new();
        search_tree(s, 0, 100, 0, &mut nodes);
        nodes
    };
    let property = Empty.forall("nodes", move |(), s| draw(s)).check(|(nodes, ())| {
        let is_fork = |three: &[(u32, u64)]| three[0].0 > three[1].0 && three[2].0 > three[1].0;
        !nodes.windows(3).any(is_fork) || nodes.iter().all(|node| node.1 < 50)
    });
    // The root at 49 or 1, and the right child at 50 or 99.
    only(SHAPES, property, &[1, 49, 1, 0, 0, 1, 0, 0], &[1, 1, 1, 0, 1, 97, 0]);
}

/// Fails for pairs of numbers up to 200 of which a condition holds.
fn pair(condition: fn(u64, u64) -> bool) -> impl Property {
    Empty
        .forall("pair", |(), s: &mut Source| (s.choice(200), s.choice(200)))
        .check(move |((a, b), ())| !condition(*a, *b))
}

#[test]
fn two_numbers_keep_their_product_a_multiple_of_it_or_their_quotient() {
    const PRODUCTS: &str = "numbers and their product";
    only(PRODUCTS, pair(|a, b| a * b == 720), &[12, 60], &[4, 180]);
    only(PRODUCTS, pair(|a, b| (a + 1) * (b + 1) == 720), &[11, 59], &[3, 179]);
    only(PRODUCTS, pair(|a, b| a * b % 77 == 0 && a > 3 && b > 3), &[7, 11], &[4, 77]);
    only(PRODUCTS, pair(|a, b| a > 2 && b == 19 * a), &[9, 171], &[3, 57]);
}

#[test]
fn a_prefix_gets_longer_while_the_address_is_halved() {
    let prefixed = |s: &mut Source| (s.choice(0xffff), s.choice(16));
    let property = Empty.forall("network", move |(), s| prefixed(s)).check(|((address, length), ())| {
        let mask = 0xffff & (0xffff << (16 - length));
        address & mask == 0 || address & !mask == 0
    });
    only("halves and a number of bits", property, &[5, 14], &[3, 15]);
    let property = Empty
        .forall("network", |(), s: &mut Source| (s.choice(16), s.choice(0xffff)))
        .check(|((length, address), ())| *length < 2 || *address != 1 << (16 - length));
    only("halves and a number of bits", property, &[9, 128], &[2, 0x4000]);
}

#[test]
fn the_rest_of_an_address_is_as_large_as_possible_but_the_length() {
    let prefixed = |s: &mut Source| ([(); 4].map(|()| s.choice(255)), s.choice(32));
    let property = Empty.forall("network", move |(), s| prefixed(s)).check(|((bytes, length), ())| {
        let address = bytes.iter().fold(0, |address, byte| address << 8 | byte);
        let mask = (0xffff_ffff << (32 - length)) & 0xffff_ffff;
        address & mask == 0 || address & !mask == 0
    });
    only("decrement one, maximise the rest but one", property, &[0, 0, 1, 1, 24], &[0, 0, 0, 3, 31]);
}

#[test]
fn distant_numbers_keep_their_sum() {
    let property = Empty
        .forall("numbers", |(), s: &mut Source| [(); 7].map(|()| s.choice(50)))
        .check(|(all, ())| all[0] + all[6] != 60);
    only("sums of distant numbers", property, &[30, 0, 0, 0, 0, 0, 30], &[10, 0, 0, 0, 0, 0, 50]);
}

#[test]
fn some_of_several_equal_numbers_are_lowered() {
    let property = Empty
        .forall("numbers", |(), s: &mut Source| [(); 5].map(|()| s.choice(3)))
        .check(|([a, kind, b, other, c], ())| a != b || b != c || [*kind, *other] != [2, 2]);
    only(SOME_EQUAL, property, &[2, 2, 2, 2, 2], &[0, 2, 0, 2, 0]);
}

#[test]
fn a_simpler_alternative_gets_contents_of_its_own() {
    let draw = |s: &mut Source| (s.choice(2), s.choice(50));
    let property = Empty.forall("x", move |(), s| draw(s)).check(|(x, ())| ![(2, 0), (1, 1)].contains(x));
    only(BRANCHES, property, &[2, 0], &[1, 1]);
}

#[test]
fn what_an_iteration_adds_up_is_there_from_the_start() {
    let doubled = |s: &mut Source| {
        let mut number = s.choice(100);
        while number < 100 && s.choice(1) == 1 {
            number *= 2;
        }
        number
    };
    let property = Empty.forall("n", move |(), s| doubled(s)).check(|(n, ())| !(40..=50).contains(n));
    only(FOR_MORE, property, &[10, 1, 1, 0], &[40, 0]);
}

#[test]
fn a_loop_is_divided_where_that_takes_fewer_choices() {
    // Each group has at least two numbers, and asks for more only after these.
    let groups = |s: &mut Source| {
        let mut numbers = Vec::new();
        for _ in 0..=s.choice(4) {
            numbers.extend([s.choice(30), s.choice(30)]);
            while s.choice(1) == 1 {
                numbers.push(s.choice(30));
            }
        }
        numbers
    };
    let property = Empty
        .forall("numbers", move |(), s| groups(s))
        .check(|(numbers, ())| !(0..6).all(|number| numbers.contains(&number)));
    only("divided loops", property, &[1, 0, 1, 0, 2, 3, 1, 4, 1, 5, 0], &[2, 0, 1, 0, 2, 3, 0, 4, 5, 0]);
}

#[test]
fn a_duplicate_says_nothing_of_other_values_in_its_place() {
    let set = btree_set(0..10u64).len(3..);
    let property = Empty.forall("set", move |(), s| s.draw(&set)).check(|_| false);
    let tester = Tester::new("set", &property, 1);
    let items = |values: &[u64]| Sequence::from_values(100, values).items;
    let given = Case { sequence: Sequence::from_values(100, &[0, 0, 0, 5, 0, 1, 0]), steps: Vec::new() };
    let (case, Tested::Fail(failure)) = tester.run(&given) else { panic!("it does not fail") };
    let mut improved = |_: &Case, _: &_, _| {};
    let mut search = Search::new(&tester, case, failure, &mut improved);
    assert!(!search.consider(items(&[0, 0, 0, 2, 0, 2, 0])), "2 is a duplicate, and nothing follows it");
    assert!(search.consider(items(&[0, 0, 0, 2, 0, 1, 0])));
}
