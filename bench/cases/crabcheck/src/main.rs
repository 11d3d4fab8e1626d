//! `crabcheck`: generators as values, and functions over a source. It is not asked to remember failures.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use crabcheck::gens::vec;
use crabcheck::{Config, Gen, Source, TestResult, any, check as crabcheck};

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

fn check<G: Gen, P: Property<G::Value>>(tests: u64, generator: G)
where
    G::Value: Clone + std::fmt::Debug,
{
    let mut config = Config::default().tests(tests).seed(SEED);
    config.regressions.save = false;
    config.regressions.replay = false;
    crabcheck(&config, generator, |value| {
        if P::holds(&value) { TestResult::Pass } else { TestResult::fail("it does not hold") }
    });
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, |_: &mut Source| ());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, any::<(u64, u64)>());
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, vec(any::<i32>()).len(EXACT..=EXACT));
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, vec(any::<i32>()).len(0..=LONGEST));
    }

    fn str<P: Property<String>>(tests: u64) {
        let chars = vec(any::<char>()).len(0..=LONGEST);
        check::<_, P>(tests, move |g: &mut Source| g.draw(&chars).into_iter().collect::<String>());
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, |g: &mut Source| {
            let nodes = g.int(BUDGET);
            expr(g, nodes)
        });
    }
}

fn expr(g: &mut Source, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if g.int(0..2u8) == 0 => Expr::Lit(g.int(-10..=10)),
        0 | 1 => Expr::Var(g.int(0..VARIABLES)),
        2 => Expr::Neg(Box::new(expr(g, 1))),
        _ => match g.int(0..3u8) {
            0 => Expr::Neg(Box::new(expr(g, nodes - 1))),
            kind => {
                let left = g.int(1..nodes - 1);
                let a = Box::new(expr(g, left));
                let b = Box::new(expr(g, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
