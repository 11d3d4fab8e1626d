//! Shrinking tests of Hypothesis that do not end at their ideal from every seed, and for which no pass is written yet. They are not
//! among the challenges that are held to their ideal, nor in the benchmark suite.

use super::ported::collective;
use super::quality::ends;
use super::thirteen::Challenge;
use forall::generate::{any, btree_set, elements, vec};
use forall::property::Property;
use std::collections::BTreeSet;

pub const KNOWN_GAPS: [Challenge; 3] = [
    // 35 % of 20 seeds, else one of eleven other results: sets with a least length do not give all of their elements to another.
    Challenge { name: "union_of_ten", property: union_of_ten, ideal: "[{-4, -3, -2, -1, 0, 1, 2, 3, 4, 5}]" },
    // 95 %, else {0, 1, 5}: an element is not lowered past others of a set that is as short as it may be.
    Challenge { name: "set_of_three_samples", property: set_of_samples, ideal: "{0, 1, 2}" },
    // 85 %, else `Err("")`, which becomes `Ok(1)` only if the alternative and the number in it change at once.
    Challenge {
        name: "collective_results",
        property: collective::<Result<u8, String>>,
        ideal: "[Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(0), Ok(1)]",
    },
];

fn union_of_ten() -> Box<dyn Property> {
    ends(vec(btree_set(any::<i32>()).len(1..)).len(1..), |all| {
        all.iter().flatten().collect::<BTreeSet<_>>().len() >= 10
    })
}

fn set_of_samples() -> Box<dyn Property> {
    ends(btree_set(elements([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).len(3..), |_| true)
}
