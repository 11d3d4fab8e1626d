//! `hegeltest`: draws of typed choices.
//!
//! It does not run under valgrind, so it is measured by CPU time. Of `()` it notices that there is one value, and stops after it.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use hegel::generators as gs;
use hegel::{Database, HealthCheck, Hegel, Settings, TestCase, Verbosity};

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

fn check<T: 'static, P: Property<T>>(tests: u64, draw: fn(&TestCase) -> T) {
    let settings = Settings::new()
        .seed(Some(SEED))
        .test_cases(tests)
        .database(Database::Disabled)
        .verbosity(Verbosity::Quiet)
        .suppress_health_check(HealthCheck::all());
    Hegel::new(move |tc: TestCase| assert!(P::holds(&draw(&tc)))).settings(settings).run();
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        check::<_, P>(tests, |_| ());
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        check::<_, P>(tests, |tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers())));
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |tc| tc.draw_silent(gs::vecs(gs::integers()).min_size(EXACT).max_size(EXACT)));
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        check::<_, P>(tests, |tc| tc.draw_silent(gs::vecs(gs::integers()).max_size(LONGEST)));
    }

    fn str<P: Property<String>>(tests: u64) {
        check::<_, P>(tests, |tc| tc.draw_silent(gs::text().max_size(LONGEST)));
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        check::<_, P>(tests, |tc| {
            let nodes = number(tc, *BUDGET.start(), *BUDGET.end());
            expr(tc, nodes)
        });
    }
}

fn number(tc: &TestCase, least: usize, most: usize) -> usize {
    tc.draw_silent(gs::integers().min_value(least).max_value(most))
}

fn expr(tc: &TestCase, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if tc.draw_silent(gs::booleans()) => {
            Expr::Lit(tc.draw_silent(gs::integers().min_value(-10).max_value(10)))
        }
        0 | 1 => Expr::Var(tc.draw_silent(gs::integers().min_value(0).max_value(VARIABLES - 1))),
        2 => Expr::Neg(Box::new(expr(tc, 1))),
        _ => match number(tc, 0, 2) {
            0 => Expr::Neg(Box::new(expr(tc, nodes - 1))),
            kind => {
                let left = number(tc, 1, nodes - 2);
                let a = Box::new(expr(tc, left));
                let b = Box::new(expr(tc, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}
