//! `proptest`: strategies and a `TestRunner`.
//!
//! Strings are vectors of chars: a ninth of the cost of the regular expression `.{0,100}`, which is the other natural
//! way. Expressions come from `prop_recursive`, which does not let a total size be asked for: they are smaller than
//! those of the other tools, so look at the cost per element.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, Tool, VARIABLES, pattern};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

fn check<S: Strategy, P: Property<S::Value>>(tests: u64, strategy: S) {
    let cases = tests.try_into().expect("at most u32::MAX tests");
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |value| {
        prop_assert!(P::holds(&value));
        Ok(())
    });
    result.expect("the property holds");
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, any::<()>());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, any::<(u64, u64)>());
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, vec(any::<i32>(), EXACT));
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, vec(any::<i32>(), 0..=LONGEST));
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, vec(any::<char>(), 0..=LONGEST).prop_map(String::from_iter));
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        let leaf = prop_oneof![(-10..=10).prop_map(Expr::Lit), (0..VARIABLES).prop_map(Expr::Var)];
        let expr = leaf.prop_recursive(8, *BUDGET.end() as u32, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(|a| Expr::Neg(Box::new(a))),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| Expr::Add(Box::new(a), Box::new(b))),
                (inner.clone(), inner).prop_map(|(a, b)| Expr::Mul(Box::new(a), Box::new(b))),
            ]
        });
        check::<_, P>(tests, expr);
    }

    fn regex<P: Property<String>>(case: &str, tests: u64) -> bool {
        check::<_, P>(tests, proptest::string::string_regex(pattern(case)).expect("a regular expression"));
        true
    }
}
