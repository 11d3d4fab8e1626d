//! Labels, coverage requirements and small domains: `cargo run --release --example statistics`.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store, Verdict};

fn main() {
    let sorting = property! {
        forall xs: Vec<i8>;
        check {
            classify!(xs.is_empty(), "empty");
            classify!(xs.is_sorted(), "already sorted");
            cover!(10.0, xs.windows(2).any(|pair| pair[0] == pair[1]), "equal neighbours");
            let mut sorted = xs.clone();
            sorted.sort_unstable();
            sorted.len() == xs.len()
        }
    };
    assert_eq!(show("sorting keeps the length", &sorting), Verdict::Passed);

    // A domain with no more inputs than tests is tested exhaustively, and the report says so.
    let gray = |n: u8| n ^ (n >> 1);
    let neighbours = property! {
        forall n: u8;
        check (gray(*n) ^ gray(n.wrapping_add(1))).count_ones() == 1
    };
    assert!(matches!(
        show("neighbours of a Gray code differ in one bit", &neighbours),
        Verdict::Exhausted { inputs: 256, .. }
    ));
}

fn show(name: &'static str, property: &dyn Property) -> Verdict {
    let settings = Settings::new().seed(2026).store(Store::Off);
    let report = Run::new(name, property).settings(settings).report();
    println!("{}\n", render(&report, &Style::from_env()));
    report.verdict
}
