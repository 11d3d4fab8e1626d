//! The same targets for libFuzzer: `TARGET=name libfuzzer -runs=N -seed=S`.
#![no_main]

use bench_coverage::{TARGETS, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("the name of a target in TARGET");
    TARGETS.iter().find(|(known, _)| *known == name).expect("a target of this name").1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match *TARGET {
        Target::Bytes(run) => run(data),
        Target::Text(run) => {
            if let Ok(text) = std::str::from_utf8(data) {
                run(text);
            }
        }
    }
});
