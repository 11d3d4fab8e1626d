//! How many functions there are up to a depth.

use crate::lazy::argument::Domain;

/// The maximum number of steps to spend on counting functions.
const MAX_STEPS: u32 = 100_000;

/// The number of functions from a domain, for each depth, given the number of possible continuations at each depth.
pub(super) fn functions(domain: fn() -> Domain, after: &[f64], steps: &mut u32) -> Vec<f64> {
    let mut counts = Vec::with_capacity(after.len());
    for depth in 0..after.len() {
        *steps += 1;
        let looking = match depth.checked_sub(1) {
            None => 0.0,
            Some(_) if *steps > MAX_STEPS => f64::NAN,
            Some(below) => match domain() {
                // One result for each number below the depth, at one level less, and one for all other numbers.
                Domain::Numbers(_) => after[below] * after[below.saturating_sub(1)].powi(below as i32),
                Domain::Constructors(cases) => {
                    let mut product = 1.0;
                    for case in cases {
                        let mut table = after[..=below].to_vec();
                        for part in case.parts.iter().rev() {
                            table = functions(*part, &table, steps);
                        }
                        product *= table[below];
                    }
                    product
                }
            },
        };
        counts.push(after[depth] + looking);
    }
    counts
}
