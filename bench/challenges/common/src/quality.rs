//! The challenges in the manner of Hypothesis' quality tests, as `tests/library/tests/shrink/challenges/quality.rs` has them, and
//! some of those that draw in loops. Where tools order values differently, each simplest form is ideal.

use crate::{Challenge, Outcome};
use std::collections::{BTreeMap, BTreeSet};

/// A challenge: its type, its name, its values, which of them fail, and which of those are ideal.
macro_rules! challenge {
    ($type:ident, $name:literal, $value:ty, |$fails:pat_param| $condition:expr, |$ideal:pat_param| $is_ideal:expr) => {
        #[doc = concat!("The challenge `", $name, "`.")]
        pub struct $type;
        impl Challenge for $type {
            type Value = $value;
            const NAME: &str = $name;

            fn check($fails: &Self::Value) -> Outcome {
                if $condition { Outcome::Fails } else { Outcome::Holds }
            }

            fn ideals() -> Vec<Self::Value> {
                Vec::new()
            }

            fn is_ideal($ideal: &Self::Value) -> bool {
                $is_ideal
            }
        }
    };
}

challenge!(FromALeast, "from_a_least", i64, |_| true, |n| *n == 101);
challenge!(Bounded, "bounded", i32, |n| *n != 0, |n| *n == 1);
challenge!(BoundedBelowZero, "bounded_below_zero", i32, |n| *n < -2, |n| *n == -3);
challenge!(LongString, "long_string", String, |s| s.len() >= 10, |s| *s == "a".repeat(10) || *s == "0".repeat(10));
challenge!(ThreeOfACharacter, "three_of_a_character", String, |s| s.matches('x').count() >= 3, |s| s == "xxx");
challenge!(TenStrings, "ten_strings", Vec<String>, |v| v.len() >= 10, |v| v.len() == 10
    && v.iter().all(String::is_empty));
challenge!(MixedList, "mixed_list", Vec<Result<i32, String>>, |v| v.len() >= 5, |v| *v == vec![Ok(0); 5]
    || *v == vec![Err(String::new()); 5]);
challenge!(SetOfThree, "set_of_three", BTreeSet<i32>, |s| s.len() >= 3, |s| s.iter().eq(&[-1, 0, 1])
    || s.iter().eq(&[0, 1, 2]));
challenge!(SetOfTuples, "set_of_tuples", BTreeSet<(i32,)>, |s| s.len() >= 2, |s| s.iter().eq(&[(0,), (1,)]));
challenge!(SetsOfSets, "sets_of_sets", BTreeSet<BTreeSet<u32>>, |s| s.len() >= 4, |s| {
    s.len() == 4 && s.iter().map(BTreeSet::len).sum::<usize>() <= 4 && s.iter().flatten().all(|n| *n <= 3)
});
challenge!(WideGap, "wide_gap", Vec<u32>, |v| wide_gap(v), |v| *v == [0, 11] || *v == [11, 0]);
challenge!(Less, "less", (i32, i32), |(a, b)| a < b, |v| *v == (0, 1));
challenge!(ListOfSets, "list_of_sets", Vec<BTreeSet<bool>>, |v| v.iter().filter(|s| !s.is_empty()).count() >= 3, |v| {
    v.len() == 3 && v.iter().all(|s| s.iter().eq(&[false]))
});
challenge!(ListOfLists, "list_of_lists", Vec<Vec<i32>>, |v| v.iter().filter(|s| !s.is_empty()).count() >= 3, |v| {
    *v == [[0], [0], [0]]
});
challenge!(ListOfTuples, "list_of_tuples", Vec<(i32, i32)>, |v| v.len() >= 2, |v| *v == [(0, 0), (0, 0)]);
challenge!(OneKey, "one_key", BTreeMap<i32, String>, |m| !m.is_empty(), |m| m.len() == 1 && m.get(&0).is_some_and(String::is_empty));
challenge!(TwoKeys, "two_keys", BTreeMap<bool, bool>, |m| m.len() == 2, |m| m.values().all(|v| !v));
challenge!(Contained, "contained", (i32, Vec<i32>), |(n, v)| *n >= 10 && v.contains(n), |v| *v == (10, vec![10]));
challenge!(
    ContainedTwice,
    "contained_twice",
    (Vec<i32>, i32),
    |(v, n)| *n >= 10 && v.iter().filter(|m| *m == n).count() > 1,
    |v| *v == (vec![10, 10], 10)
);
challenge!(SortedSum, "sorted_sum", Vec<u32>, |v| v.len() >= 3 && v.iter().sum::<u32>() >= 10, |v| {
    v.len() == 3 && v.iter().filter(|n| **n == 0).count() == 2 && v.contains(&10)
});
challenge!(LongList, "long_list", Vec<bool>, |v| v.len() >= 70, |v| *v == [false; 70]);
challenge!(LongishLists, "longish_lists", Vec<Vec<bool>>, |v| v.iter().filter(|l| is_longish(l)).count() >= 5, |v| {
    v.len() == 5 && v.iter().all(|l| l.len() == 2 && l.iter().filter(|flag| **flag).count() == 1)
});
challenge!(NotUnique, "not_unique", Vec<i32>, |v| v.iter().collect::<BTreeSet<_>>().len() < v.len(), |v| *v == [0, 0]);
challenge!(
    OneLargeSet,
    "one_large_set",
    Vec<BTreeSet<i32>>,
    |v| v.iter().flatten().collect::<BTreeSet<_>>().len() >= 6,
    |v| v.len() == 1 && (v[0].iter().eq(&[-2, -1, 0, 1, 2, 3]) || v[0].iter().eq(&[0, 1, 2, 3, 4, 5]))
);
challenge!(NearTheTop, "near_the_top", Vec<i32>, |v| v.len() == 7, |v| *v == [0; 7]);
challenge!(SumOfPair, "sum_of_pair", (u32, u32), |(a, b)| a + b > 1000, |v| *v == (1, 1000));
challenge!(SeparatedSum, "separated_sum", (u32, String, bool, u32), |(a, _, _, b)| a + b > 1000, |v| {
    *v == (1, String::new(), false, 1000)
});
challenge!(Slipped, "slipped", u32, |n| *n > 100, |n| *n == 101);
challenge!(GapKept, "gap_kept", (i32, i32), |(a, b)| a.checked_add(100) == Some(*b), |v| *v == (0, 100));
challenge!(EqualAndLarge, "equal_and_large", (u32, u32), |(a, b)| a == b && *a >= 1000, |v| *v == (1000, 1000));
challenge!(ZigZag, "zig_zag", (u32, u32), |(a, b)| *a >= 1000 && a.checked_add(1) == Some(*b), |v| *v == (1000, 1001));
challenge!(PoisonedList, "poisoned_list", Vec<Option<u8>>, |v| v.contains(&None), |v| *v == [None]);
challenge!(ReversedLists, "reversed_lists", Vec<Vec<bool>>, |v| is_less_reversed(v), |v| {
    v.len() == 4 && v[..3].iter().all(Vec::is_empty) && v[3] == [false, true]
});
challenge!(LengthThenElements, "length_then_elements", Vec<u32>, |v| v.len() >= 4 && v.iter().any(|n| *n > 0), |v| {
    v.len() == 4 && v.iter().sum::<u32>() == 1
});

/// An edge, or another step: its kind, and two nodes.
pub type Step = (u64, u64, u64);

challenge!(EdgesLoop, "edges_loop", Vec<Step>, |v| removes_target(v), |v| is_edge_and_removal(v));
challenge!(WeightsLoop, "weights_loop", Vec<Step>, |v| removes_target(v), |v| is_edge_and_removal(v));
challenge!(Until, "until", Vec<Step>, |v| removes_target(v), |v| is_edge_and_removal(v));

fn is_edge_and_removal(v: &[Step]) -> bool {
    *v == [(2, 0, 1), (5, 1, 0)] || *v == [(2, 1, 0), (5, 0, 0)]
}

fn wide_gap(v: &[u32]) -> bool {
    v.iter().max().zip(v.iter().min()).is_some_and(|(most, least)| *most > least.saturating_add(10))
}

fn is_longish(list: &[bool]) -> bool {
    list.len() >= 2 && list.contains(&true)
}

fn is_less_reversed(v: &[Vec<bool>]) -> bool {
    let reversed: Vec<Vec<bool>> = v.iter().map(|list| list.iter().rev().copied().collect()).collect();
    v.len() > 3 && reversed[..] > *v
}

fn removes_target(v: &[Step]) -> bool {
    let adds = |step: &Step| (2..=4).contains(&step.0) && step.1 != step.2;
    v.iter().enumerate().any(|(at, add)| adds(add) && v[at + 1..].iter().any(|step| step.0 == 5 && step.1 == add.2))
}
