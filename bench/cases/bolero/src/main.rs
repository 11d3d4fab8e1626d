//! `bolero`: generators, and the engine that `cargo test` uses.
//!
//! It takes its seeds from the system, so that its counts vary a little from run to run.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, Tool, VARIABLES};
use bolero::{Driver, ValueGenerator, check, produce};
use std::panic::RefUnwindSafe;
use std::time::Duration;

struct Peer;

/// Bolero stops after a second by default, which is not enough under callgrind.
const TIME: Duration = Duration::from_secs(3600);

fn main() {
    bench_case::main::<Peer>();
}

fn check<G, P>(tests: u64, generator: G)
where
    G: ValueGenerator + RefUnwindSafe,
    G::Output: std::fmt::Debug + RefUnwindSafe,
    P: Property<G::Output>,
{
    check!()
        .with_generator(generator)
        .with_iterations(tests as usize)
        .with_test_time(TIME)
        .with_shrink_time(Duration::ZERO)
        .for_each(|value| assert!(P::holds(value)));
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, produce::<()>());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, produce::<(u64, u64)>());
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, produce::<Vec<i32>>().with().len(EXACT));
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, produce::<Vec<i32>>().with().len(0..=LONGEST));
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, produce::<String>().with().len(0..=LONGEST));
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, Expressions);
    }
}

struct Expressions;

impl ValueGenerator for Expressions {
    type Output = Expr;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Expr> {
        let nodes = BUDGET.generate(driver)?;
        expr(driver, nodes)
    }
}

fn expr<D: Driver>(driver: &mut D, nodes: usize) -> Option<Expr> {
    Some(match nodes {
        0 | 1 if produce::<bool>().generate(driver)? => Expr::Lit((-10..=10).generate(driver)?),
        0 | 1 => Expr::Var((0..VARIABLES).generate(driver)?),
        2 => Expr::Neg(Box::new(expr(driver, 1)?)),
        _ => match (0u8..3).generate(driver)? {
            0 => Expr::Neg(Box::new(expr(driver, nodes - 1)?)),
            kind => {
                let left = (1..nodes - 1).generate(driver)?;
                let a = Box::new(expr(driver, left)?);
                let b = Box::new(expr(driver, nodes - 1 - left)?);
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    })
}
