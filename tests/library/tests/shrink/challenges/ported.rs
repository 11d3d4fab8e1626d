//! The rest of Hypothesis' shrinking tests (`tests/quality`, `tests/nocover`) that make sense in Rust, with the sizes that they have
//! there: collections of collections, values behind `flat_map`, wide numbers, poisoned containers, recursive data.

use super::quality::ends;
use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{
    Arbitrary, GeneratorExt, any, btree_map, btree_set, elements, from_fn, just, range, recursive, vec,
};
use forall::property::Property;
use std::collections::BTreeSet;
use std::fmt::Debug;

pub const PORTED: [Challenge; 87] = [
    Challenge {
        name: "sets_of_eight_sets",
        property: || ends(btree_set(btree_set(1..=100u32)).len(8..), |_| true),
        ideal: "{{}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}",
    },
    Challenge {
        name: "mixed_list_of_ten",
        property: || ends(vec(any::<Result<i32, String>>()), |all| all.len() >= 10),
        ideal: "[Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0)]",
    },
    Challenge { name: "contained_0", property: || contained(0), ideal: "([0], 0)" },
    Challenge { name: "contained_1", property: || contained(1), ideal: "([1], 1)" },
    Challenge { name: "contained_10", property: || contained(10), ideal: "([10], 10)" },
    Challenge { name: "contained_100", property: || contained(100), ideal: "([100], 100)" },
    Challenge { name: "contained_1000", property: || contained(1000), ideal: "([1000], 1000)" },
    Challenge {
        name: "contained_twice_at_all",
        property: || ends((vec(any::<i32>()), any::<i32>()), |(all, n)| all.iter().filter(|m| *m == n).count() > 1),
        ideal: "([0, 0], 0)",
    },
    Challenge {
        name: "character_contained",
        property: || ends((any::<char>(), any::<String>()), |(c, text)| text.contains(*c)),
        ideal: "('a', \"a\")",
    },
    Challenge { name: "text_contained", property: text_contained, ideal: "(\"aaa\", \"aaa\")" },
    Challenge { name: "near_the_top_of_0", property: || near_the_top(0), ideal: "[0, 0]" },
    Challenge { name: "near_the_top_of_1", property: || near_the_top(1), ideal: "[0, 0, 0]" },
    Challenge { name: "near_the_top_of_2", property: || near_the_top(2), ideal: "[0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_3", property: || near_the_top(3), ideal: "[0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_4", property: || near_the_top(4), ideal: "[0, 0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_5", property: || near_the_top(5), ideal: "[0, 0, 0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_6", property: || near_the_top(6), ideal: "[0, 0, 0, 0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_7", property: || near_the_top(7), ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_8", property: || near_the_top(8), ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]" },
    Challenge { name: "near_the_top_of_9", property: || near_the_top(9), ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]" },
    Challenge {
        name: "sorted_sum_signed",
        property: || ends(vec(any::<i32>()), |all| all.len() >= 3 && sum(all) >= 10),
        ideal: "[0, 0, 10]",
    },
    Challenge { name: "wide_gap_signed", property: wide_gap, ideal: "[0, 11]" },
    Challenge {
        name: "negative_sum_of_pair",
        property: || ends((-1000..=1000i32, -1000..=1000i32), |(a, b)| a + b < -1000),
        ideal: "(-1, -1000)",
    },
    Challenge {
        name: "mixed_sum_of_pair",
        property: || ends((0..=1000i32, 0.0..=1000.0f64), |(a, b)| f64::from(*a) + b > 1000.0),
        ideal: "(1, 1000.0)",
    },
    Challenge {
        name: "dictionary_of_three",
        property: || ends(btree_map(any::<i32>(), any::<String>()), |all| all.len() >= 3),
        ideal: "{-1: \"\", 0: \"\", 1: \"\"}",
    },
    Challenge { name: "lower_bounded_by_3", property: || lower_bounded(3), ideal: "[0, 0, 6]" },
    Challenge { name: "lower_bounded_by_9", property: || lower_bounded(9), ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 18]" },
    Challenge {
        name: "bind_left_ignored",
        property: || ends(any::<i32>().flat_map(|_| vec(any::<i32>())), |all| all.len() >= 10),
        ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    },
    Challenge {
        name: "bind_both_sides",
        property: || ends(any::<i32>().flat_map(|n| vec(just(n))), |all| all.len() >= 10),
        ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    },
    Challenge {
        name: "bind_bounded_left",
        property: || ends(any::<bool>().flat_map(|flag| vec(just(flag))), |all| all.len() >= 10),
        ideal: "[false, false, false, false, false, false, false, false, false, false]",
    },
    Challenge { name: "bind_right", property: || ends(any::<i32>().flat_map(|n| vec(just(n))), |_| true), ideal: "[]" },
    Challenge { name: "bind_just", property: || ends(any::<i32>().flat_map(just), |_| true), ideal: "0" },
    Challenge { name: "bind_rectangles", property: rectangles, ideal: "[[\"a\", \"b\"]]" },
    Challenge {
        name: "bind_mixed_list",
        property: bind_mixed_list,
        ideal: "[Err(\"\"), Err(\"\"), Err(\"\"), Ok(false), Ok(false), Ok(false)]",
    },
    Challenge { name: "bind_flags_1", property: || bind_flags(1), ideal: "[true]" },
    Challenge { name: "bind_flags_2", property: || bind_flags(2), ideal: "[true, true]" },
    Challenge { name: "bind_flags_3", property: || bind_flags(3), ideal: "[true, true, true]" },
    Challenge { name: "bind_flags_4", property: || bind_flags(4), ideal: "[true, true, true, true]" },
    Challenge { name: "bind_flags_5", property: || bind_flags(5), ideal: "[true, true, true, true, true]" },
    Challenge { name: "bind_flags_6", property: || bind_flags(6), ideal: "[true, true, true, true, true, true]" },
    Challenge { name: "bind_flags_7", property: || bind_flags(7), ideal: "[true, true, true, true, true, true, true]" },
    Challenge {
        name: "bind_flags_8",
        property: || bind_flags(8),
        ideal: "[true, true, true, true, true, true, true, true]",
    },
    Challenge {
        name: "bind_flags_9",
        property: || bind_flags(9),
        ideal: "[true, true, true, true, true, true, true, true, true]",
    },
    Challenge { name: "bind_between_1", property: || bind_between(1), ideal: "[true, false, true]" },
    Challenge { name: "bind_between_2", property: || bind_between(2), ideal: "[true, false, false, true]" },
    Challenge { name: "bind_between_3", property: || bind_between(3), ideal: "[true, false, false, false, true]" },
    Challenge {
        name: "bind_between_4",
        property: || bind_between(4),
        ideal: "[true, false, false, false, false, true]",
    },
    Challenge {
        name: "bind_between_5",
        property: || bind_between(5),
        ideal: "[true, false, false, false, false, false, true]",
    },
    Challenge {
        name: "bind_between_6",
        property: || bind_between(6),
        ideal: "[true, false, false, false, false, false, false, true]",
    },
    Challenge {
        name: "bind_between_7",
        property: || bind_between(7),
        ideal: "[true, false, false, false, false, false, false, false, true]",
    },
    Challenge {
        name: "bind_between_8",
        property: || bind_between(8),
        ideal: "[true, false, false, false, false, false, false, false, false, true]",
    },
    Challenge {
        name: "bind_between_9",
        property: || bind_between(9),
        ideal: "[true, false, false, false, false, false, false, false, false, false, true]",
    },
    Challenge {
        name: "one_wide_number",
        property: || ends(-(1 << 100)..=1i128 << 100, |n| *n >= -(1 << 99)),
        ideal: "0",
    },
    Challenge {
        name: "twenty_wide_numbers",
        property: || ends(vec(any::<u128>()), |all| all.len() >= 20),
        ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    },
    Challenge {
        name: "twenty_wide_numbers_in_order",
        property: wide_in_order,
        ideal: "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]",
    },
    Challenge {
        name: "unique_by_maximum",
        property: unique_by_maximum,
        ideal: "[[0, 0], [0, 1], [0, 2], [0, 3], [0, 4]]",
    },
    Challenge {
        name: "collective_flags",
        property: collective::<bool>,
        ideal: "[false, false, false, false, false, false, false, false, false, true]",
    },
    Challenge { name: "collective_bytes", property: collective::<u8>, ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]" },
    Challenge { name: "collective_numbers", property: collective::<i32>, ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]" },
    Challenge {
        name: "collective_floats",
        property: collective::<f64>,
        ideal: "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0]",
    },
    Challenge {
        name: "collective_characters",
        property: collective::<char>,
        ideal: "['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'b']",
    },
    Challenge {
        name: "collective_strings",
        property: collective::<String>,
        ideal: "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"a\"]",
    },
    Challenge {
        name: "collective_options",
        property: collective::<Option<bool>>,
        ideal: "[None, None, None, None, None, None, None, None, None, Some(false)]",
    },
    Challenge {
        name: "collective_lists",
        property: collective::<Vec<bool>>,
        ideal: "[[], [], [], [], [], [], [], [], [], [false]]",
    },
    Challenge {
        name: "collective_pairs",
        property: collective::<(u8, bool)>,
        ideal: "[(0, false), (0, false), (0, false), (0, false), (0, false), (0, false), (0, false), (0, false), (0, false), (0, true)]",
    },
    Challenge { name: "float_in_at_least_1", property: || float_in_at_least(1), ideal: "[1.0]" },
    Challenge { name: "float_in_at_least_2", property: || float_in_at_least(2), ideal: "[0.0, 1.0]" },
    Challenge { name: "float_in_at_least_3", property: || float_in_at_least(3), ideal: "[0.0, 0.0, 1.0]" },
    Challenge {
        name: "float_in_at_least_8",
        property: || float_in_at_least(8),
        ideal: "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]",
    },
    Challenge {
        name: "float_in_at_least_10",
        property: || float_in_at_least(10),
        ideal: "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]",
    },
    Challenge {
        name: "ten_negative_numbers",
        property: || ends(vec(any::<i32>()).len(10..), |all| all.iter().all(|n| *n < 0)),
        ideal: "[-1, -1, -1, -1, -1, -1, -1, -1, -1, -1]",
    },
    Challenge { name: "poisoned_list_of_5", property: || poisoned_list(5), ideal: "[true]" },
    Challenge { name: "poisoned_matrix_of_5", property: || poisoned_matrix(5), ideal: "[[true]]" },
    Challenge { name: "poisoned_list_of_10", property: || poisoned_list(10), ideal: "[true]" },
    Challenge { name: "poisoned_matrix_of_10", property: || poisoned_matrix(10), ideal: "[[true]]" },
    Challenge { name: "poisoned_list_of_20", property: || poisoned_list(20), ideal: "[true]" },
    Challenge { name: "poisoned_matrix_of_20", property: || poisoned_matrix(20), ideal: "[[true]]" },
    Challenge { name: "poisoned_tree", property: poisoned_tree, ideal: "Leaf(true)" },
    Challenge { name: "tree_of_fives", property: tree_of_fives, ideal: "[0, 0, 0, 0, 0]" },
    Challenge { name: "nested_pairs", property: nested_pairs, ideal: "[[false, false], false]" },
    Challenge {
        name: "list_in_itself",
        property: || ends(from_fn(|s| Lists::draw(s, 5)), |lists| !lists.0.is_empty()),
        ideal: "[[]]",
    },
    Challenge {
        name: "two_lists_in_themselves",
        property: || ends(from_fn(|s| Lists::draw(s, 5)), |lists| lists.0.len() > 1),
        ideal: "[[], []]",
    },
    Challenge {
        name: "lists_of_20_leaves",
        property: || lists_of_leaves(20),
        ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    },
    Challenge {
        name: "lists_of_50_leaves",
        property: || lists_of_leaves(50),
        ideal: "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    },
    Challenge { name: "union_of_ten", property: union_of_ten, ideal: "[{-4, -3, -2, -1, 0, 1, 2, 3, 4, 5}]" },
    Challenge { name: "set_of_three_samples", property: set_of_samples, ideal: "{0, 1, 2}" },
    Challenge {
        name: "collective_results",
        property: collective::<Result<u8, String>>,
        ideal: "[Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(1)]",
    },
];

fn contained(least: i32) -> Box<dyn Property> {
    ends((vec(any::<i32>()), any::<i32>()), move |(all, n)| *n >= least && all.contains(n))
}

fn text_contained() -> Box<dyn Property> {
    ends((any::<String>(), any::<String>()), |(part, text)| part.len() >= 3 && text.contains(part.as_str()))
}

fn near_the_top(least: usize) -> Box<dyn Property> {
    ends(vec(any::<i32>()).len(least..=least + 2), move |all| all.len() == least + 2)
}

fn sum(all: &[i32]) -> i64 {
    all.iter().map(|n| i64::from(*n)).sum()
}

fn wide_gap() -> Box<dyn Property> {
    ends(vec(any::<i32>()), |all| {
        let (Some(most), Some(least)) = (all.iter().max(), all.iter().min()) else { return false };
        i64::from(*most) > i64::from(*least) + 10
    })
}

fn lower_bounded(least: usize) -> Box<dyn Property> {
    ends(vec(any::<i32>()).len(least..), move |all| sum(all) >= 2 * least as i64)
}

fn rectangles() -> Box<dyn Property> {
    let rows = range(0..=10usize).flat_map(|width| vec(vec(elements(["a", "b"])).len(width)));
    ends(rows, |rows| rows.contains(&vec!["a", "b"]))
}

fn bind_mixed_list() -> Box<dyn Property> {
    let value = |is_flag: bool| {
        from_fn(move |s| if is_flag { Ok(s.draw(any::<bool>())) } else { Err(s.draw(any::<String>())) })
    };
    ends(vec(any::<bool>().flat_map(value)), |all| {
        let flags = all.iter().filter(|value| value.is_ok()).count();
        flags >= 3 && all.len() - flags >= 3
    })
}

/// Flags whose number is drawn before them.
fn flags(condition: impl Fn(&Vec<bool>) -> bool + 'static) -> Box<dyn Property> {
    ends(range(0..=100usize).flat_map(|count| vec(any::<bool>()).len(count)), condition)
}

fn bind_flags(least: usize) -> Box<dyn Property> {
    flags(move |all| all.iter().filter(|flag| **flag).count() >= least)
}

fn bind_between(least: usize) -> Box<dyn Property> {
    flags(move |all| {
        all.first() == Some(&true) && all.last() == Some(&true) && all.iter().filter(|flag| !**flag).count() >= least
    })
}

fn wide_in_order() -> Box<dyn Property> {
    ends(vec(any::<u128>()), |all| all.len() >= 20 && all.iter().take(20).zip(0..).all(|(n, least)| *n >= least))
}

/// Lists of two numbers or more, of which no two have the same maximum.
fn unique_by_maximum() -> Box<dyn Property> {
    let lists = from_fn(|s| {
        let mut seen = BTreeSet::new();
        let mut lists = s.draw(vec(vec(any::<i32>()).len(2..)));
        lists.retain(|list| seen.insert(list.iter().max().copied()));
        lists
    });
    ends(lists, |lists| lists.len() >= 5)
}

/// Ten values of which not all print alike.
fn collective<T: Arbitrary + Debug + 'static>() -> Box<dyn Property> {
    ends(vec(any::<T>()).len(10), |all| all.iter().map(|one| format!("{one:?}")).collect::<BTreeSet<_>>().len() >= 2)
}

fn float_in_at_least(least: usize) -> Box<dyn Property> {
    ends(vec(any::<f64>()).len(least..), |all| all.iter().any(|x| *x != 0.0))
}

/// One in a hundred is poisoned.
fn poison(s: &mut Source) -> bool {
    s.draw(0..100u8) == 99
}

fn poisoned_list(most: usize) -> Box<dyn Property> {
    let list = move |s: &mut Source| (0..s.draw(0..=most)).map(|_| poison(s)).collect::<Vec<bool>>();
    ends(from_fn(list), |all| all.contains(&true))
}

fn poisoned_matrix(most: usize) -> Box<dyn Property> {
    let matrix = move |s: &mut Source| {
        let rows = s.draw(1..=most);
        let columns = s.draw(1..=most / rows);
        (0..rows).map(|_| (0..columns).map(|_| poison(s)).collect()).collect::<Vec<Vec<bool>>>()
    };
    ends(from_fn(matrix), |rows| rows.iter().flatten().any(|one| *one))
}

#[derive(Debug)]
enum Tree {
    Leaf(bool),
    Pair(Box<(Tree, Tree)>),
}

impl Tree {
    /// A leaf is poisoned if both of its numbers are the greatest.
    fn draw(s: &mut Source, depth: u32) -> Self {
        if depth > 0 && s.draw(any::<bool>()) {
            return Tree::Pair(Box::new((Tree::draw(s, depth - 1), Tree::draw(s, depth - 1))));
        }
        let (high, low) = (s.draw(any::<u16>()), s.draw(any::<u16>()));
        Tree::Leaf(high == u16::MAX && low == u16::MAX)
    }

    fn is_poisoned(&self) -> bool {
        match self {
            Tree::Leaf(is_poisoned) => *is_poisoned,
            Tree::Pair(pair) => pair.0.is_poisoned() || pair.1.is_poisoned(),
        }
    }
}

fn poisoned_tree() -> Box<dyn Property> {
    ends(from_fn(|s| Tree::draw(s, 6)), Tree::is_poisoned)
}

/// A value, or several of them.
enum Nested<T> {
    Leaf(T),
    List(Vec<Nested<T>>),
}

impl<T: Debug> Debug for Nested<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Nested::Leaf(value) => value.fmt(f),
            Nested::List(list) => list.fmt(f),
        }
    }
}

impl<T> Nested<T> {
    fn leaves(&self) -> usize {
        match self {
            Nested::Leaf(_) => 1,
            Nested::List(list) => list.iter().map(Nested::leaves).sum(),
        }
    }
}

fn tree_of_fives() -> Box<dyn Property> {
    let tree = recursive(any::<i32>().map(Nested::Leaf), |tree| vec(tree).len(5).map(Nested::List));
    ends(tree, |tree| matches!(tree, Nested::List(_)))
}

fn nested_pairs() -> Box<dyn Property> {
    let tree = recursive(any::<bool>().map(Nested::Leaf), |tree| vec(tree).len(2).map(Nested::List));
    ends(tree, |tree| matches!(tree, Nested::List(pair) if matches!(pair[0], Nested::List(_))))
}

fn lists_of_leaves(least: usize) -> Box<dyn Property> {
    let tree = recursive(any::<i32>().map(Nested::Leaf), |tree| vec(tree).map(Nested::List));
    ends(tree, move |tree| tree.leaves() >= least)
}

/// A list of such lists.
struct Lists(Vec<Lists>);

impl Lists {
    fn draw(s: &mut Source, depth: u32) -> Self {
        Lists(if depth == 0 { Vec::new() } else { s.draw(vec(from_fn(move |s| Lists::draw(s, depth - 1)))) })
    }
}

impl Debug for Lists {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn union_of_ten() -> Box<dyn Property> {
    ends(vec(btree_set(any::<i32>()).len(1..)).len(1..), |all| {
        all.iter().flatten().collect::<BTreeSet<_>>().len() >= 10
    })
}

fn set_of_samples() -> Box<dyn Property> {
    ends(btree_set(elements([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).len(3..), |_| true)
}
