//! Challenges in the manner of Hypothesis' `tests/quality`, as far as they make sense in Rust: each has a generator, a condition
//! that counterexamples meet, and the expected minimal counterexample.

use super::counted::counted;
use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{Generator, any, btree_map, btree_set, from_fn, one_of, optional, vec};
use forall::property::{Empty, Property, Telescope};
use std::collections::BTreeSet;
use std::fmt::Debug;

pub const QUALITY: [Challenge; 34] = [
    Challenge { name: "from_a_least", property: || ends(101..=i64::MAX, |_| true), ideal: "101" },
    Challenge { name: "bounded", property: || ends(-10..=10i32, |n| *n != 0), ideal: "1" },
    Challenge { name: "bounded_below_zero", property: || ends(-10..=10i32, |n| *n < -2), ideal: "-3" },
    Challenge { name: "long_string", property: || ends(any::<String>(), |s| s.len() >= 10), ideal: "\"aaaaaaaaaa\"" },
    Challenge { name: "three_of_a_character", property: three_of_one, ideal: "\"xxx\"" },
    Challenge { name: "ten_strings", property: ten_strings, ideal: TEN_STRINGS },
    Challenge { name: "mixed_list", property: mixed_list, ideal: "[Ok(0), Ok(0), Ok(0), Ok(0), Ok(0)]" },
    Challenge {
        name: "set_of_three",
        property: || ends(btree_set(any::<i32>()), |s| s.len() >= 3),
        ideal: "{-1, 0, 1}",
    },
    Challenge { name: "set_of_tuples", property: set_of_tuples, ideal: "{(0,), (1,)}" },
    Challenge { name: "sets_of_sets", property: sets_of_sets, ideal: "{{}, {1}, {2}, {3}}" },
    Challenge { name: "wide_gap", property: wide_gap, ideal: "[0, 11]" },
    Challenge { name: "less", property: || ends(any::<(i32, i32)>(), |(a, b)| a < b), ideal: "(0, 1)" },
    Challenge { name: "list_of_sets", property: list_of_sets, ideal: "[{false}, {false}, {false}]" },
    Challenge { name: "list_of_lists", property: list_of_lists, ideal: "[[0], [0], [0]]" },
    Challenge { name: "list_of_tuples", property: list_of_tuples, ideal: "[(0, 0), (0, 0)]" },
    Challenge { name: "one_key", property: one_key, ideal: "{0: \"\"}" },
    Challenge { name: "two_keys", property: two_keys, ideal: "{false: false, true: false}" },
    Challenge { name: "contained", property: contained, ideal: "(10, [10])" },
    Challenge { name: "contained_twice", property: contained_twice, ideal: "([10, 10], 10)" },
    Challenge { name: "sorted_sum", property: sorted_sum, ideal: "[0, 0, 10]" },
    Challenge { name: "long_list", property: long_list, ideal: "70 false" },
    Challenge { name: "longish_lists", property: longish_lists, ideal: LONGISH },
    Challenge { name: "not_unique", property: not_unique, ideal: "[0, 0]" },
    Challenge { name: "one_large_set", property: one_large_set, ideal: "[{-2, -1, 0, 1, 2, 3}]" },
    Challenge { name: "near_the_top", property: near_the_top, ideal: "[0, 0, 0, 0, 0, 0, 0]" },
    Challenge { name: "sum_of_pair", property: sum_of_pair, ideal: "(1, 1000)" },
    Challenge { name: "separated_sum", property: separated_sum, ideal: "(1, \"\", false, 1000)" },
    Challenge { name: "slipped", property: slipped, ideal: "101" },
    Challenge { name: "gap_kept", property: gap_kept, ideal: "(0, 100)" },
    Challenge { name: "equal_and_large", property: equal_and_large, ideal: "(1000, 1000)" },
    Challenge { name: "zig_zag", property: zig_zag, ideal: "(1000, 1001)" },
    Challenge { name: "poisoned_list", property: poisoned_list, ideal: "[None]" },
    Challenge { name: "reversed_lists", property: reversed_lists, ideal: "[[], [], [], [false, true]]" },
    Challenge { name: "length_then_elements", property: length_then, ideal: "[0, 0, 0, 1]" },
];

/// Those about simple lists, drawn in counted loops: each ends like the challenge of the same name without `_loop`.
pub const QUALITY_LOOPS: [Challenge; 13] = [
    Challenge {
        name: "ten_strings_loop",
        property: || counted(|s| s.draw(any::<String>()), |all| all.len() < 10),
        ideal: TEN_STRINGS,
    },
    Challenge {
        name: "mixed_list_loop",
        property: || counted(|s| s.draw(any::<Result<i32, String>>()), |all| all.len() < 5),
        ideal: "[Ok(0), Ok(0), Ok(0), Ok(0), Ok(0)]",
    },
    Challenge {
        name: "wide_gap_loop",
        property: || counted(|s| s.draw(any::<u32>()), |all| !has_wide_gap(all)),
        ideal: "[0, 11]",
    },
    Challenge {
        name: "list_of_sets_loop",
        property: || counted(|s| s.draw(btree_set(any::<bool>())), |all| !has_three(all, |set| !set.is_empty())),
        ideal: "[{false}, {false}, {false}]",
    },
    Challenge {
        name: "list_of_lists_loop",
        property: || counted(|s| s.draw(vec(any::<i32>())), |all| !has_three(all, |list| !list.is_empty())),
        ideal: "[[0], [0], [0]]",
    },
    Challenge {
        name: "list_of_tuples_loop",
        property: || counted(|s| s.draw(any::<(i32, i32)>()), |all| all.len() < 2),
        ideal: "[(0, 0), (0, 0)]",
    },
    Challenge {
        name: "sorted_sum_loop",
        property: || counted(|s| s.draw(0..=1000u32), |all| !has_sum(all)),
        ideal: "[0, 0, 10]",
    },
    Challenge {
        name: "longish_lists_loop",
        property: || counted(|s| s.draw(vec(any::<bool>())), |all| !has_longish(all)),
        ideal: LONGISH,
    },
    Challenge {
        name: "not_unique_loop",
        property: || counted(|s| s.draw(any::<i32>()), |all| !is_not_unique(all)),
        ideal: "[0, 0]",
    },
    Challenge {
        name: "one_large_set_loop",
        property: || counted(|s| s.draw(btree_set(any::<i32>())), |all| !has_large_union(all)),
        ideal: "[{-2, -1, 0, 1, 2, 3}]",
    },
    Challenge {
        name: "poisoned_list_loop",
        property: || counted(|s| s.draw(optional(0..100u8)), |all| !all.contains(&None)),
        ideal: "[None]",
    },
    Challenge {
        name: "reversed_lists_loop",
        property: || counted(|s| s.draw(vec(any::<bool>())), |all| !is_less_reversed(all)),
        ideal: "[[], [], [], [false, true]]",
    },
    Challenge { name: "contained_loop", property: contained_loop, ideal: "(10, [10])" },
];

const TEN_STRINGS: &str = "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\"]";
const LONGISH: &str = "[[false, true], [false, true], [false, true], [false, true], [false, true]]";

/// A property that fails where a condition holds.
pub fn ends<G>(generator: G, condition: impl Fn(&G::Value) -> bool + 'static) -> Box<dyn Property>
where
    G: Generator + 'static,
    G::Value: Debug + 'static,
{
    Box::new(Empty.forall("x", move |(), s| s.draw(&generator)).check(move |(x, ())| !condition(x)))
}

fn three_of_one() -> Box<dyn Property> {
    ends(any::<String>(), |s| s.chars().filter(|c| *c == 'x').count() >= 3)
}

fn ten_strings() -> Box<dyn Property> {
    ends(vec(any::<String>()), |all| all.len() >= 10)
}

fn mixed_list() -> Box<dyn Property> {
    ends(vec(any::<Result<i32, String>>()), |all| all.len() >= 5)
}

fn set_of_tuples() -> Box<dyn Property> {
    ends(btree_set(any::<(i32,)>()), |all| all.len() >= 2)
}

fn sets_of_sets() -> Box<dyn Property> {
    ends(btree_set(btree_set(1..=100u32)), |all| all.len() >= 4)
}

fn wide_gap() -> Box<dyn Property> {
    ends(vec(any::<u32>()), |all| has_wide_gap(all))
}

fn has_wide_gap(all: &[u32]) -> bool {
    let (Some(most), Some(least)) = (all.iter().max(), all.iter().min()) else { return false };
    *most > least.saturating_add(10)
}

fn has_three<T>(all: &[T], fits: fn(&T) -> bool) -> bool {
    all.iter().filter(|one| fits(one)).count() >= 3
}

fn list_of_sets() -> Box<dyn Property> {
    ends(vec(btree_set(any::<bool>())), |all| has_three(all, |set| !set.is_empty()))
}

fn list_of_lists() -> Box<dyn Property> {
    ends(vec(vec(any::<i32>())), |all| has_three(all, |list| !list.is_empty()))
}

fn list_of_tuples() -> Box<dyn Property> {
    ends(vec(any::<(i32, i32)>()), |all| all.len() >= 2)
}

fn one_key() -> Box<dyn Property> {
    ends(btree_map(any::<i32>(), any::<String>()), |all| !all.is_empty())
}

fn two_keys() -> Box<dyn Property> {
    ends(btree_map(any::<bool>(), any::<bool>()), |all| all.len() == 2)
}

fn contained() -> Box<dyn Property> {
    ends((any::<i32>(), vec(any::<i32>())), |(n, all)| *n >= 10 && all.contains(n))
}

fn contained_loop() -> Box<dyn Property> {
    let drawn = |s: &mut Source| {
        let (n, count) = (s.draw(any::<i32>()), s.draw(0..=30usize));
        (n, (0..count).map(|_| s.draw(any::<i32>())).collect::<Vec<_>>())
    };
    ends(from_fn(drawn), |(n, all)| *n >= 10 && all.contains(n))
}

fn contained_twice() -> Box<dyn Property> {
    ends((vec(any::<i32>()), any::<i32>()), |(all, n)| *n >= 10 && all.iter().filter(|m| *m == n).count() > 1)
}

fn sorted_sum() -> Box<dyn Property> {
    ends(vec(0..=1000u32), |all| has_sum(all))
}

fn has_sum(all: &[u32]) -> bool {
    all.iter().sum::<u32>() >= 10 && all.len() >= 3
}

fn long_list() -> Box<dyn Property> {
    /// Prints how many there are.
    struct Flags(Vec<bool>);
    impl Debug for Flags {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} {}", self.0.len(), self.0.iter().any(|flag| *flag))
        }
    }
    ends(from_fn(|s| Flags(s.draw(vec(any::<bool>()).len(50..)))), |all| all.0.len() >= 70)
}

fn longish_lists() -> Box<dyn Property> {
    ends(vec(vec(any::<bool>())), |all| has_longish(all))
}

fn has_longish(all: &[Vec<bool>]) -> bool {
    all.iter().filter(|list| list.len() >= 2 && list.iter().any(|flag| *flag)).count() >= 5
}

fn not_unique() -> Box<dyn Property> {
    ends(vec(any::<i32>()), |all| is_not_unique(all))
}

fn is_not_unique(all: &[i32]) -> bool {
    all.iter().collect::<BTreeSet<_>>().len() < all.len()
}

fn one_large_set() -> Box<dyn Property> {
    ends(vec(btree_set(any::<i32>())), |all| has_large_union(all))
}

fn has_large_union(all: &[BTreeSet<i32>]) -> bool {
    all.iter().flatten().collect::<BTreeSet<_>>().len() >= 6
}

fn near_the_top() -> Box<dyn Property> {
    ends(vec(any::<i32>()).len(5..=7), |all| all.len() == 7)
}

fn sum_of_pair() -> Box<dyn Property> {
    ends((0..=1000u32, 0..=1000u32), |(a, b)| a + b > 1000)
}

fn separated_sum() -> Box<dyn Property> {
    ends((0..=1000u32, any::<String>(), any::<bool>(), 0..=1000u32), |(a, _, _, b)| a + b > 1000)
}

fn slipped() -> Box<dyn Property> {
    ends(one_of([101..=200u32, 0..=100]), |n| *n > 100)
}

fn gap_kept() -> Box<dyn Property> {
    ends((any::<i32>(), any::<i32>()), |(a, b)| a.checked_add(100) == Some(*b))
}

fn equal_and_large() -> Box<dyn Property> {
    ends((any::<u32>(), any::<u32>()), |(a, b)| a == b && *a >= 1000)
}

fn zig_zag() -> Box<dyn Property> {
    ends((any::<u32>(), any::<u32>()), |(a, b)| *a >= 1000 && a.checked_add(1) == Some(*b))
}

fn poisoned_list() -> Box<dyn Property> {
    ends(vec(optional(0..100u8)), |all| all.contains(&None))
}

fn reversed_lists() -> Box<dyn Property> {
    ends(vec(vec(any::<bool>())), |all| is_less_reversed(all))
}

fn is_less_reversed(all: &[Vec<bool>]) -> bool {
    let reversed: Vec<Vec<bool>> = all.iter().map(|list| list.iter().rev().copied().collect()).collect();
    all.len() > 3 && reversed[..] > *all
}

fn length_then() -> Box<dyn Property> {
    let lists = from_fn(|s| {
        let length = s.draw(0..=20usize);
        s.draw(vec(0..=5u32).len(length))
    });
    ends(lists, |all| all.len() >= 4 && all.iter().any(|n| *n > 0))
}
