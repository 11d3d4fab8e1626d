//! Properties as libFuzzer targets, for cargo-fuzz, AFL++, honggfuzz and services that run such targets.
//!
//! You may not need this: `cargo forall fuzz` fuzzes with coverage on stable Rust without any code. Where a fuzzer is
//! already in place, every property can be one of its targets. The fuzzer's bytes are read as the choices of the
//! property's generators ([`Source::from_bytes`]): any bytes are a valid input, and every input is one that the
//! generators can produce. This module requires the `libfuzzer` feature.
//!
//! # With cargo-fuzz
//!
//! cargo-fuzz links libFuzzer through the crate `libfuzzer-sys`, whose entry point receives the bytes. In
//! `fuzz/Cargo.toml`:
//!
//! ```toml
//! [dependencies]
//! libfuzzer-sys = "0.4"
//! my_crate = { path = ".." }
//! forall = { version = "0.1", features = ["libfuzzer"] }
//! ```
//!
//! and in `fuzz/fuzz_targets/parses.rs`:
//!
//! ```ignore
//! #![no_main]
//!
//! #[forall::property]
//! fn parses_what_it_prints(json: my_crate::Json) -> bool {
//!     my_crate::parse(&my_crate::print(&json)) == Ok(json)
//! }
//!
//! libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
//!     forall::libfuzzer::run::<parses_what_it_prints>(bytes);
//! });
//! ```
//!
//! Then run `cargo fuzz run parses`. A public property of the crate itself also works.
//!
//! # Without cargo-fuzz
//!
//! [`fuzz_target!`](crate::fuzz_target) defines `LLVMFuzzerTestOneInput`, the only symbol that a fuzzer needs:
//!
//! ```standalone_crate
//! #[forall::property]
//! fn sums_commute(a: u32, b: u32) -> bool {
//!     a.wrapping_add(b) == b.wrapping_add(a)
//! }
//!
//! forall::fuzz_target!(sums_commute);
//!
//! // SAFETY: there are three bytes.
//! assert_eq!(unsafe { LLVMFuzzerTestOneInput([1, 2, 3].as_ptr(), 3) }, 0);
//! ```
//!
//! Link it with libFuzzer's `main`, for example by `-Clink-arg=-fsanitize=fuzzer` with clang as the linker, or build a
//! static library.
//!
//! # Failures
//!
//! The input is saved in the property's store, shrunk, and reported as by `cargo test`; then the process aborts, which
//! is how fuzzers detect a failure. The fuzzer's own file has the bytes; run the target on it to reproduce the failure.
//! A discarded test is not added to the fuzzer's corpus.

use crate::choice::Source;
use crate::output::print_uncaptured;
use crate::property::Property;
use crate::registry::Declared;
use crate::report::{Style, render};
use crate::run::{Found, Report, Run, Settings, Statistics, Tested, Tester};

/// The size of inputs: the largest of an ordinary run. Few bytes produce small inputs nevertheless.
const SIZE: u32 = 100;

/// Defines `LLVMFuzzerTestOneInput` for a property that was declared with `#[forall::property]`.
///
/// A program can have only one. See [`libfuzzer`](crate::libfuzzer).
///
/// ```standalone_crate
/// #[forall::property]
/// fn halves_are_smaller(n: u32) -> bool {
///     n / 2 <= n
/// }
///
/// forall::fuzz_target!(halves_are_smaller);
/// ```
#[macro_export]
macro_rules! fuzz_target {
    ($property:path) => {
        /// Runs the property with the bytes as choices.
        ///
        /// # Safety
        ///
        /// There must be `size` bytes at `data`; it may be null if there are none.
        // SAFETY: the name belongs to fuzz targets, and this is the signature that they have.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
            let bytes = if data.is_null() {
                &[][..]
            } else {
                // SAFETY: guaranteed by the caller.
                unsafe { ::core::slice::from_raw_parts(data, size) }
            };
            match $crate::libfuzzer::run::<$property>(bytes) {
                $crate::libfuzzer::Ran::Tested => 0,
                // Not to be added to the corpus.
                $crate::libfuzzer::Ran::Discarded => -1,
            }
        }
    };
}

/// The result of an input.
///
/// ```
/// #[forall::property]
/// fn odd_squares_are_odd(n: u8) -> bool {
///     forall::assume!(n % 2 == 1);
///     u32::from(n).pow(2) % 2 == 1
/// }
///
/// use forall::libfuzzer::{Ran, run};
/// assert_eq!([run::<odd_squares_are_odd>(&[2]), run::<odd_squares_are_odd>(&[3])], [Ran::Discarded, Ran::Tested]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Ran {
    /// The property was tested and holds.
    Tested,
    /// The test was discarded.
    Discarded,
}

/// Runs a property with the bytes as choices. If it fails, prints the report and aborts the process.
///
/// ```
/// #[forall::property]
/// fn halves_are_smaller(n: u32) -> bool {
///     n / 2 <= n
/// }
///
/// forall::libfuzzer::run::<halves_are_smaller>(&[1, 2, 3, 4]);
/// ```
#[doc(alias("fuzz", "corpus"))]
pub fn run<D: Declared>(bytes: &[u8]) -> Ran {
    let entry = &D::ENTRY;
    let run = |property| Run::named(entry.identity.clone(), property).settings((entry.settings)(Settings::new()));
    one_input(&entry.identity.name, &D::property(), &run, bytes)
}

fn one_input<'a>(
    name: &str,
    property: &'a dyn Property,
    run: &dyn Fn(&'a dyn Property) -> Run<'a>,
    bytes: &[u8],
) -> Ran {
    let (case, tested) = Tester::new(name, property, 0).run_source(Source::from_bytes(bytes, SIZE), &[]);
    let ended: Report = match tested {
        Tested::Pass => return Ran::Tested,
        Tested::Discard(_) | Tested::NoSuchStep => return Ran::Discarded,
        tested => match run(property).session() {
            Err(report) => *report,
            Ok(mut session) => {
                let ending = match tested {
                    Tested::Fault(fault) => session.fault(&case, fault),
                    Tested::Fail(failure) => session.found(case, failure, Found::Given),
                    Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => unreachable!("they have returned"),
                };
                session.finish(ending, Statistics::default())
            }
        },
    };
    print_uncaptured(&format!("{}\n", render(&ended, &Style::from_env())));
    std::process::abort();
}
