//! How many functions there are up to a depth.

use crate::lazy::argument::Domain;

/// Beyond so many steps the number of functions is not worth knowing.
const MOST_STEPS: u32 = 100_000;

/// How many functions there are from a domain, for each depth, if there are so many for what comes after it.
pub(super) fn functions(domain: fn() -> Domain, after: &[f64], steps: &mut u32) -> Vec<f64> {
    let mut counts = Vec::with_capacity(after.len());
    for depth in 0..after.len() {
        *steps += 1;
        let looking = match depth.checked_sub(1) {
            None => 0.0,
            Some(_) if *steps > MOST_STEPS => f64::NAN,
            Some(below) => match domain() {
                // One result for each number below the depth, one less deep, and one for all others.
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
