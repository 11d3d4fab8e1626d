//! `proptest`: strategies, which shrink on their own. It may take 100,000 steps; the stock limit depends on the number of
//! tests and would be in the way.

use bench_challenge::*;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

const TESTS: u32 = 10_000_000;
const SHRINK_STEPS: u32 = 100_000;

fn main() {
    bench_challenge::main(vec![
        with::<Bound5, _>(|| {
            let list = || vec(any::<i16>(), 0..10).prop_filter("sums to less than 256", |xs| total(xs) < 256);
            [list(), list(), list(), list(), list()]
        }),
        with::<LargeUnion, _>(|| vec(vec(any::<i32>(), 0..100), 0..100)),
        with::<Reverse, _>(|| vec(any::<i32>(), 0..100)),
        with::<Calculator, _>(calcs),
        with::<LengthList, _>(|| (1..=100usize).prop_flat_map(|length| vec(0..1000i32, length))),
        with::<Difference0, _>(|| (1..1000, 1..1000)),
        with::<DifferenceSmall, _>(|| (1..1000, 1..1000)),
        with::<Difference1, _>(|| (1..1000, 1..1000)),
        with::<BinHeap, _>(|| heaps(0, 5)),
        with::<Coupling, _>(|| vec(0..=10usize, 0..100)),
        with::<Deletion, _>(|| (vec(-1000..=1000, 0..100), -1000..=1000)),
        with::<Distinct, _>(|| vec(any::<i32>(), 0..100)),
        with::<Nested, _>(|| vec(vec(any::<i32>(), 0..100), 0..100)),
        with::<NestedBinds, _>(|| {
            (0..10usize)
                .prop_flat_map(|rows| (0..10usize).prop_flat_map(move |columns| vec(vec(0..1000u32, columns), rows)))
        }),
        with::<Matrix, _>(|| (1..=10usize).prop_flat_map(|n| vec(vec(0..100u8, n), n))),
        with::<DotProduct, _>(|| (1..=30usize).prop_flat_map(|n| (vec(0..100u32, n), vec(0..100u32, n)))),
        with::<Collision, _>(any::<(u32, u32)>),
        with::<Cancellation, _>(|| (-1e300..1e300, -1e300..1e300)),
        with::<Fraction, _>(any::<f64>),
        with::<Chunks, _>(|| vec(0..=20u8, 0..100)),
        with::<Parses, _>(|| vec(select(&SUM_CHARACTERS[..]), 0..100).prop_map(String::from_iter)),
        with::<SearchTree, _>(|| trees(0, 100)),
        with::<Graph, _>(|| vec(vec(0..8usize, 0..3), 0..8)),
        with::<Commands, _>(|| vec(commands(), 0..100)),
        with::<CutText, _>(|| (any::<String>(), 0..20usize)),
        with::<Set, _>(|| btree_set(0..100u32, 0..100)),
        with::<Permutation, _>(|| Just((0..8).collect::<Vec<u8>>()).prop_shuffle()),
        with::<ThreeSum, _>(|| (0..=600u32, 0..=600u32, 0..=600u32)),
        with::<Jsons, _>(jsons),
    ]);
}

fn with<C: Challenge, S: Strategy<Value = C::Value> + 'static>(strategy: fn() -> S) -> Entry {
    on::<C>(move |seed| {
        let config = ProptestConfig {
            cases: TESTS,
            max_shrink_iters: SHRINK_STEPS,
            max_global_rejects: u32::MAX,
            max_local_rejects: u32::MAX,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let _ = TestRunner::new_with_rng(config, rng).run(&strategy(), |value| match evaluate::<C>(&value) {
            Outcome::Holds => Ok(()),
            Outcome::Fails => Err(TestCaseError::fail("it does not hold")),
            Outcome::Discarded => Err(TestCaseError::reject("not spoken of")),
        });
    })
}

fn calcs() -> impl Strategy<Value = Calc> {
    any::<i32>().prop_map(Calc::Int).prop_recursive(5, 64, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Calc::Add(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Calc::Div(Box::new(a), Box::new(b))),
        ]
    })
}

/// The subtree below a number depends on it, so each level is a `prop_flat_map`.
fn heaps(least: i32, depth: u32) -> BoxedStrategy<Option<Box<Heap>>> {
    if depth == 0 {
        return Just(None).boxed();
    }
    let node = (least..=i32::MAX)
        .prop_flat_map(move |top| (Just(top), heaps(top, depth - 1), heaps(top, depth - 1)))
        .prop_map(|(top, left, right)| Heap::new(top, left, right));
    prop_oneof![1 => Just(None), 3 => node].boxed()
}

fn trees(low: u32, high: u32) -> BoxedStrategy<Option<Box<Tree>>> {
    if low == high {
        return Just(None).boxed();
    }
    let node = (low..high)
        .prop_flat_map(move |key| (Just(key), trees(low, key), trees(key + 1, high)))
        .prop_map(|(key, left, right)| Tree::new(key, left, right));
    prop_oneof![Just(None), node].boxed()
}

fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Pop),
        Just(Command::Clear),
        any::<i32>().prop_map(Command::Push),
        any::<(u8, u8)>().prop_map(|(a, b)| Command::Swap(a, b)),
    ]
}

fn jsons() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i32>().prop_map(Json::Number),
        any::<String>().prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 32, 8, |inner| vec(inner, 0..8).prop_map(Json::Array))
}
