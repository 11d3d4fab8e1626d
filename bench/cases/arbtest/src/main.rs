//! `arbtest`: the imperative interface of `arbitrary` over a buffer of random bytes, which is refilled for every test.
//!
//! Each test gets 1 KiB, enough for the largest value here. With the stock settings the buffer grows to 64 KiB, and a test costs sixty
//! times as much whatever it draws. It takes its seeds from the system, and ends by the clock only: so the property ends it,
//! by unwinding, which costs the same in runs of every length.

use arbtest::arbitrary::{Arbitrary, Result, Unstructured};
use arbtest::arbtest;
use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, Tool, VARIABLES};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

/// The bytes of a test.
const ENTROPY: u32 = 1024;

/// Longer than any run takes.
const TIME: Duration = Duration::from_secs(3600);

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

/// The panic payload that ends the run.
struct Enough;

fn check<T, P: Property<T>>(tests: u64, draw: fn(&mut Unstructured<'_>) -> Result<T>) {
    let mut left = tests;
    let run = || {
        let property = |u: &mut Unstructured<'_>| {
            if left == 0 {
                resume_unwind(Box::new(Enough));
            }
            left -= 1;
            assert!(P::holds(&draw(u)?));
            Ok(())
        };
        arbtest(property).size_min(ENTROPY).size_max(ENTROPY).budget(TIME).run();
    };
    let ended = catch_unwind(AssertUnwindSafe(run)).expect_err("the property ends the run");
    assert!(ended.is::<Enough>(), "the property holds");
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, |_| Ok(()));
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, |u| u.arbitrary());
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |u| (0..EXACT).map(|_| u.arbitrary()).collect());
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |u| {
            let length = u.int_in_range(0..=LONGEST)?;
            (0..length).map(|_| u.arbitrary()).collect()
        });
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, |u| {
            let length = u.int_in_range(0..=LONGEST)?;
            (0..length).map(|_| char::arbitrary(u)).collect()
        });
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, |u| {
            let nodes = u.int_in_range(BUDGET)?;
            expr(u, nodes)
        });
    }
}

fn expr(u: &mut Unstructured<'_>, nodes: usize) -> Result<Expr> {
    Ok(match nodes {
        0 | 1 if u.arbitrary()? => Expr::Lit(u.int_in_range(-10..=10)?),
        0 | 1 => Expr::Var(u.int_in_range(0..=VARIABLES - 1)?),
        2 => Expr::Neg(Box::new(expr(u, 1)?)),
        _ => match u.int_in_range(0..=2u8)? {
            0 => Expr::Neg(Box::new(expr(u, nodes - 1)?)),
            kind => {
                let left = u.int_in_range(1..=nodes - 2)?;
                let a = Box::new(expr(u, left)?);
                let b = Box::new(expr(u, nodes - 1 - left)?);
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    })
}
