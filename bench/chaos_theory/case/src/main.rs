//! `chaos_theory`: generators that are run on a tape.
//!
//! Its collections are short: lengths are biased towards few elements also where a range is given.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use chaos_theory::{Env, Generator, Source, make};
use std::time::Duration;

/// Longer than any run takes.
const TIME: Duration = Duration::from_secs(3600);

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

fn check<G: Generator, P: Property<G::Item>>(tests: u64, generator: G) {
    let env = Env::builder();
    let env = env.with_rng_seed(SEED as u32).with_check_iters(tests as usize).with_check_time(TIME).build();
    env.check(|source| assert!(P::holds(&source.any_of("value", &generator))));
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, make::from_fn(|_| ()));
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, make::arbitrary::<(u64, u64)>());
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, make::vec_n(make::arbitrary::<i32>(), EXACT..=EXACT));
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, make::vec_n(make::arbitrary::<i32>(), 0..=LONGEST));
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, make::string_n(make::arbitrary::<char>(), 0..=LONGEST));
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        let expression = |source: &mut Source| {
            let nodes = source.any_of("nodes", make::int_in(BUDGET));
            expr(source, nodes)
        };
        check::<_, P>(tests, make::from_fn(expression));
    }
}

fn expr(source: &mut Source, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if source.any("literal") => Expr::Lit(source.any_of("number", make::int_in(-10..=10))),
        0 | 1 => Expr::Var(source.any_of("variable", make::int_in(0..VARIABLES))),
        2 => Expr::Neg(Box::new(expr(source, 1))),
        _ => match source.any_of("kind", make::int_in(0..3u8)) {
            0 => Expr::Neg(Box::new(expr(source, nodes - 1))),
            kind => {
                let left = source.any_of("left", make::int_in(1..nodes - 1));
                let a = Box::new(expr(source, left));
                let b = Box::new(expr(source, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
