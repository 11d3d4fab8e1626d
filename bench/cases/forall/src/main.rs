//! `forall`: the library itself, through its telescope and its runner.
//!
//! Beside the cases that all tools share, it runs two tests of its own in two forms: `property/…`, written with
//! `property!`, and `closure/…`, a closure that draws and checks. See [`closure`].

mod closure;

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES, pattern};
use closure::Closure;
use forall::choice::Source;
use forall::generate::{any, from_fn, regex, string, vec};
use forall::prelude::property;
use forall::property::{self, Empty, Telescope};
use forall::run::{Run, Settings, Store, Verdict};
use std::hint::black_box;

struct Forall;

fn main() {
    bench_case::main::<Forall>();
}

fn check(tests: u64, property: &dyn property::Property) {
    // Otherwise `()` is tested once. Health checks record up to five inputs at the end of a run that takes noticeable time: a cost
    // of the run, not of a test, which only the longer run would have.
    let settings = Settings::new().tests(tests).seed(SEED).enumerate(false).health(false).store(Store::Off);
    let report = Run::new("bench", property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Passed);
}

impl Tool for Forall {
    fn unit<P: Property<()>>(tests: u64) {
        check(tests, &Empty.forall("value", |(), s| s.draw(any::<()>())).check(|(value, ())| P::holds(value)));
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        let property = Empty
            .forall("a", |(), s| s.draw(any::<u64>()))
            .forall("b", |_, s| s.draw(any::<u64>()))
            .check(|(b, (a, ()))| P::holds(&(*a, *b)));
        check(tests, &property);
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        let property = Empty.forall("xs", |(), s| s.draw(vec(any::<i32>()).len(EXACT))).check(|(xs, ())| P::holds(xs));
        check(tests, &property);
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        let property =
            Empty.forall("xs", |(), s| s.draw(vec(any::<i32>()).len(0..=LONGEST))).check(|(xs, ())| P::holds(xs));
        check(tests, &property);
    }

    fn str<P: Property<String>>(tests: u64) {
        let property =
            Empty.forall("text", |(), s| s.draw(string(any()).len(0..=LONGEST))).check(|(text, ())| P::holds(text));
        check(tests, &property);
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        let expressions = from_fn(|s| {
            let nodes = s.draw(BUDGET);
            expr(s, nodes)
        });
        check(tests, &Empty.forall("expr", |(), s| s.draw(&expressions)).check(|(expr, ())| P::holds(expr)));
    }

    fn regex<P: Property<String>>(case: &str, tests: u64) -> bool {
        let pattern = pattern(case);
        check(tests, &Empty.forall("text", |(), s| s.draw(regex(pattern))).check(|(text, ())| P::holds(text)));
        true
    }

    fn extra(case: &str, tests: u64) -> bool {
        match case {
            "property/pair" => check(
                tests,
                &property! {
                    forall a: u64;
                    forall b: u64;
                    check {
                        black_box((a, b));
                        true
                    }
                },
            ),
            "closure/pair" => check(
                tests,
                &Closure(|s: &mut Source| {
                    let a = s.draw(any::<u64>());
                    let b = s.draw(any::<u64>());
                    black_box((&a, &b));
                    true
                }),
            ),
            "property/dependent" => check(
                tests,
                &property! {
                    forall xs in vec(any::<i32>()).len(1..=20);
                    implies !xs.is_empty();
                    forall n in 0..xs.len();
                    check {
                        black_box((xs, n));
                        *n < xs.len()
                    }
                },
            ),
            "closure/dependent" => check(
                tests,
                &Closure(|s: &mut Source| {
                    let xs = s.draw(vec(any::<i32>()).len(1..=20));
                    if xs.is_empty() {
                        s.reject();
                        return true;
                    }
                    let n = s.draw(0..xs.len());
                    black_box((&xs, &n));
                    n < xs.len()
                }),
            ),
            _ => return false,
        }
        true
    }
}

fn expr(s: &mut Source, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if s.draw(any::<bool>()) => Expr::Lit(s.draw(-10..=10)),
        0 | 1 => Expr::Var(s.draw(0..VARIABLES)),
        2 => Expr::Neg(Box::new(expr(s, 1))),
        _ => match s.draw(0u8..3) {
            0 => Expr::Neg(Box::new(expr(s, nodes - 1))),
            kind => {
                let left = s.draw(1..nodes - 1);
                let a = Box::new(expr(s, left));
                let b = Box::new(expr(s, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
