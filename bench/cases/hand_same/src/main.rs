//! `hand_same`: the loop that a person would write without a library, but with forall's random stream, its
//! distributions and its sizes. It produces exactly the values of forall's plain tests (the suite compares their
//! hashes), so it is the limit: any additional cost of forall is overhead.
//!
//! The distributions are in [`same`].

mod same;

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use forall::choice::Random;

struct Hand;

fn main() {
    bench_case::main::<Hand>();
}

/// The first test. Those before are shaped in forall, and the suite does not run them.
const FIRST: u64 = 4200;
/// Sizes are below this.
const SIZES: u64 = 101;
/// From one size to the next, as a part of 2^32.
const GOLDEN: u32 = 0x9e37_79b9;

#[inline(always)]
fn check<T, P: Property<T>>(tests: u64, generate: impl Fn(&mut Random, u32) -> T) {
    let mut place = GOLDEN.wrapping_mul(FIRST as u32 + 1);
    for index in FIRST..FIRST + tests {
        let value = generate(&mut Random::for_test(SEED, index), ((u64::from(place) * SIZES) >> 32) as u32);
        place = place.wrapping_add(GOLDEN);
        assert!(P::holds(&value));
    }
}

impl Tool for Hand {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, |_, _| ());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, |random, size| (same::u64(random, size), same::u64(random, size)));
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |random, size| (0..EXACT).map(|_| same::i32(random, size)).collect());
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |random, size| {
            let plan = same::plan(random, LONGEST);
            if plan.repetitive {
                same::repetitive(random, plan.length, |random| same::i32(random, size))
            } else {
                (0..plan.length).map(|_| same::i32(random, size)).collect()
            }
        });
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, |random, _| {
            let mut random = same::text(random);
            let length = same::plan(&mut random, LONGEST).length;
            let mut text = String::with_capacity(length);
            for _ in 0..length {
                text.push(same::char(&mut random));
            }
            text
        });
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, |random, _| {
            let nodes = BUDGET.start() + same::below(random, BUDGET.end() - BUDGET.start() + 1);
            expr(random, nodes)
        });
    }
}

fn expr(random: &mut Random, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if same::bool(random) => Expr::Lit(same::below(random, 21) as i32 - 10),
        0 | 1 => Expr::Var(same::below(random, VARIABLES.into()) as u8),
        2 => Expr::Neg(Box::new(expr(random, 1))),
        _ => match same::below(random, 3) {
            0 => Expr::Neg(Box::new(expr(random, nodes - 1))),
            kind => {
                let left = 1 + same::below(random, nodes - 2);
                let a = Box::new(expr(random, left));
                let b = Box::new(expr(random, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
