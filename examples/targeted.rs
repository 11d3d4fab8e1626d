//! Hill climbing: `cargo run --release --example targeted`.
//!
//! One in a billion combinations opens the lock. Random tests do not find it; the `targeted` runner follows the score that
//! `target!` reports.

use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store};

/// How far the dials are from the combination.
fn distance(dials: &[i64]) -> i64 {
    (dials[0] - 271).abs() + (dials[1] - 828).abs() + (dials[2] - 182).abs()
}

fn main() {
    let property = property! {
        forall dials in vec(0..1000i64).len(3);
        check {
            target!(-(distance(dials) as f64));
            distance(dials) != 0
        }
    };
    let settings = Settings::new().runner("targeted").tests(20_000).seed(2026).store(Store::Off);
    let report = Run::new("the lock stays closed", &property).settings(settings).report();
    println!("{}", render(&report, &Style::from_env()));
    assert_eq!(report.counterexample.expect("the lock opens").bindings[0].printed.text(), "vec![271, 828, 182]");
}
