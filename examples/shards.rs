//! One run, shared by four workers: `cargo run --release --example shards`.
//!
//! The workers need nothing but a common seed: each runs its share of the tests, and no two run the same test. On several
//! machines, `cargo forall run --shard 1/4 --corpus …` does this.

use forall::prelude::*;
use forall::run::{Run, Settings, Shard, Store};

/// Whether an 8-bit checksum detects that the first two bytes are swapped.
fn swap_is_detected(bytes: &[u8; 4]) -> bool {
    let sum = |bytes: &[u8]| bytes.iter().fold(0u8, |sum, byte| sum.rotate_left(1).wrapping_add(*byte));
    let [a, b, c, d] = *bytes;
    a == b || sum(&[a, b, c, d]) != sum(&[b, a, c, d])
}

fn main() {
    let property = property! { forall bytes: [u8; 4]; check swap_is_detected(bytes) };
    let mut found = 0;
    for number in 1..=4 {
        let shard = Shard::new(number, 4).expect("there are four");
        let settings = Settings::new().tests(4000).shard(shard).seed(2026).store(Store::Off);
        let report = Run::new("a swap is detected", &property).settings(settings).report();
        print!("shard {shard}: {} tests", report.statistics.valid);
        if let Some(counterexample) = report.counterexample {
            print!(", found {}", counterexample.bindings[0].printed.text());
            found += 1;
        }
        println!();
    }
    assert!(found > 0, "no worker found that swapping 0 and 255 leaves the checksum unchanged");
}
