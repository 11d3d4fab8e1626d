//! `hand`: the loop that a person would write without a library, with fastrand.

mod texts;

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use fastrand::Rng;
use std::iter::repeat_with;

struct Hand;

fn main() {
    bench_case::main::<Hand>();
}

#[inline(always)]
fn check<T, P: Property<T>>(tests: u64, generate: impl Fn(&mut Rng) -> T) {
    let mut rng = Rng::with_seed(SEED);
    for _ in 0..tests {
        let value = generate(&mut rng);
        assert!(P::holds(&value));
    }
}

impl Tool for Hand {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, |_| ());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, |rng| (rng.u64(..), rng.u64(..)));
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |rng| repeat_with(|| rng.i32(..)).take(EXACT).collect());
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |rng| {
            let length = rng.usize(0..=LONGEST);
            repeat_with(|| rng.i32(..)).take(length).collect()
        });
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, |rng| {
            let length = rng.usize(0..=LONGEST);
            repeat_with(|| rng.char(..)).take(length).collect()
        });
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, |rng| {
            let nodes = rng.usize(BUDGET);
            expr(rng, nodes)
        });
    }

    fn regex<P: Property<String>>(case: &str, tests: u64) -> bool {
        texts::check_texts::<P>(case, tests)
    }
}

fn expr(rng: &mut Rng, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if rng.bool() => Expr::Lit(rng.i32(-10..=10)),
        0 | 1 => Expr::Var(rng.u8(0..VARIABLES)),
        2 => Expr::Neg(Box::new(expr(rng, 1))),
        _ => match rng.u8(0..3) {
            0 => Expr::Neg(Box::new(expr(rng, nodes - 1))),
            kind => {
                let left = rng.usize(1..nodes - 1);
                let a = Box::new(expr(rng, left));
                let b = Box::new(expr(rng, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
