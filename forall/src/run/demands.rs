//! What `cover!` demands, and whether the tests so far decide it.
//!
//! The test is the sequential one of QuickCheck's `checkCoverage`: a demand is met when the interval in which the true share
//! lies, but for one chance in a billion, is above nine tenths of what was demanded; it is not met when the interval is below
//! what was demanded. In between, more tests are needed: twice as many, and then it is looked at again.

use super::{ByName, Cover};
use crate::fact::Fact;

/// How many standard deviations a normal variable is off with a chance of one in a billion, to either side.
const DEVIATIONS: f64 = 6.109_410_204_869;

/// The part of a demand that is enough. Else a demand that is met exactly would never be decided.
const TOLERANCE: f64 = 0.9;

/// Whether the demands are met.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    Met,
    /// One is not: which.
    NotMet(Fact),
    Unsure,
}

/// What `valid` random tests say of the demands.
pub(super) fn decide(covers: &ByName<Cover>, valid: u64) -> Decision {
    let mut decision = Decision::Met;
    for (label, cover) in covers {
        // What is enough for certain is enough, though it may be less than was demanded.
        if is_enough(cover, valid) {
            continue;
        }
        let (low, high) = interval(cover.hits, valid);
        if high < cover.percent / 100.0 {
            return Decision::NotMet(not_met(label, cover, valid, (low, high)));
        }
        decision = Decision::Unsure;
    }
    decision
}

/// What all inputs say of the demands: there is nothing to be unsure of.
pub(super) fn decide_exactly(covers: &ByName<Cover>, valid: u64) -> Decision {
    for (label, cover) in covers {
        let share = cover.hits as f64 / valid.max(1) as f64;
        if share < cover.percent / 100.0 {
            return Decision::NotMet(not_met(label, cover, valid, (share, share)));
        }
    }
    Decision::Met
}

fn not_met(label: &str, cover: &Cover, valid: u64, (low, high): (f64, f64)) -> Fact {
    Fact::CoverNotMet { label: label.to_owned(), percent: cover.percent, hits: cover.hits, valid, low, high }
}

/// Whether it is as good as certain that the demand is met.
pub(super) fn is_enough(cover: &Cover, valid: u64) -> bool {
    interval(cover.hits, valid).0 >= TOLERANCE * cover.percent / 100.0
}

/// Wilson's interval for a share.
fn interval(hits: u64, tests: u64) -> (f64, f64) {
    let n = tests.max(1) as f64;
    let share = hits as f64 / n;
    let z2 = DEVIATIONS * DEVIATIONS / n;
    let centre = share + z2 / 2.0;
    let half = (share * (1.0 - share) * z2 + z2 * z2 / 4.0).sqrt();
    // Where none or all of the tests are hits the ends are exact, whatever was rounded above.
    let low = if hits == 0 { 0.0 } else { ((centre - half) / (1.0 + z2)).max(0.0) };
    let high = if hits >= tests { 1.0 } else { ((centre + half) / (1.0 + z2)).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(percent: f64, hits: u64, valid: u64) -> Decision {
        let mut covers = ByName::default();
        covers.entry("label".to_owned(), Cover { percent, hits });
        decide(&covers, valid)
    }

    /// What `sufficientlyCovered` and `insufficientlyCovered` of QuickCheck answer.
    #[test]
    fn decisions_are_those_of_quickcheck() {
        assert_eq!(decided(20.0, 60, 100), Decision::Met);
        assert_eq!(decided(20.0, 20, 100), Decision::Unsure);
        assert_eq!(decided(20.0, 20_000, 100_000), Decision::Met);
        assert!(matches!(decided(20.0, 0, 200), Decision::NotMet(_)));
        assert!(matches!(decided(20.0, 17_000, 100_000), Decision::NotMet(_)));
        // Certainly below what was demanded, and certainly above nine tenths of it.
        assert_eq!(decided(20.0, 19_000_000, 100_000_000), Decision::Met);
        for tests in 1..3000 {
            assert!(!matches!(decided(100.0, tests, tests), Decision::NotMet(_)), "{tests}");
        }
        assert_eq!(decided(100.0, 1000, 1000), Decision::Met);
        assert_eq!(decided(0.0, 0, 10), Decision::Met);
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        let (low, high) = interval(50, 100);
        assert!((low - 0.2394).abs() < 1e-3 && (high - 0.7606).abs() < 1e-3, "{low}, {high}");
        assert_eq!(interval(0, 0).0, 0.0);
    }
}
