//! `quickcheck`: generators and shrinkers by type. Ranges are said by taking the remainder of any number, as its users do;
//! the shrinkers are those of the standard types, less what leaves the range, and the obvious ones for types of our own.
//!
//! Where what is drawn depends on what was drawn before, there is no shrinker but one written for the purpose, and what it
//! can do says little of the tool: those challenges are left out, but for the binary heap and the length list.

mod draw;

use bench_challenge::*;
use draw::{Draw, Input};
use quickcheck::{Gen, QuickCheck, TestResult};

const TESTS: u64 = 10_000_000;
const SIZE: usize = 100;
const DEPENDENT: &str = "what is drawn depends on what was drawn before: it would need a shrinker written for it";

fn main() {
    bench_challenge::main(vec![
        with::<Bound5>(),
        with::<LargeUnion>(),
        with::<Reverse>(),
        with::<Calculator>(),
        with::<LengthList>(),
        with::<Difference0>(),
        with::<DifferenceSmall>(),
        with::<Difference1>(),
        with::<BinHeap>(),
        with::<Coupling>(),
        with::<Deletion>(),
        with::<Distinct>(),
        with::<Nested>(),
        cannot::<NestedBinds>(DEPENDENT),
        cannot::<Matrix>(DEPENDENT),
        cannot::<DotProduct>(DEPENDENT),
        with::<Collision>(),
        with::<Cancellation>(),
        with::<Fraction>(),
        with::<Chunks>(),
        with::<Parses>(),
        cannot::<SearchTree>(DEPENDENT),
        with::<Graph>(),
        with::<Commands>(),
        with::<CutText>(),
        with::<Set>(),
        cannot::<Permutation>(DEPENDENT),
        with::<ThreeSum>(),
        with::<Jsons>(),
    ]);
}

fn with<C: Draw>() -> Entry {
    fn property<C: Draw>(Input(value): Input<C>) -> TestResult {
        match evaluate::<C>(&value) {
            Outcome::Holds => TestResult::passed(),
            Outcome::Fails => TestResult::failed(),
            Outcome::Discarded => TestResult::discard(),
        }
    }
    on::<C>(|seed| {
        let generator = Gen::from_size_and_seed(SIZE, seed);
        let mut quickcheck = QuickCheck::new().rng(generator).tests(TESTS).max_tests(TESTS);
        let _ = quickcheck.quicktest(property::<C> as fn(Input<C>) -> TestResult);
    })
}
