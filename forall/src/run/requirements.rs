//! Decides whether the requirements of `cover!` are met.
//!
//! The decision procedure is QuickCheck's sequential `checkCoverage`: a requirement is met if the confidence interval
//! of the true share (error probability one in a billion) is above nine tenths of the requirement, and not met if the
//! interval is below the requirement. Otherwise the number of tests is doubled.

use super::{ByName, Cover};
use crate::fact::Fact;

/// The two-sided quantile of the normal distribution for one in a billion.
const DEVIATIONS: f64 = 6.109_410_204_869;

/// The fraction of a requirement that is sufficient. Otherwise a requirement that is met exactly would never be
/// decided.
const TOLERANCE: f64 = 0.9;

/// The decision on the requirements.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    Met,
    /// This requirement is not met.
    NotMet(Fact),
    Unsure,
}

/// Decides the requirements after `valid` random tests.
pub(super) fn decide(covers: &ByName<Cover>, valid: u64) -> Decision {
    let mut decision = Decision::Met;
    for (label, cover) in covers {
        // A requirement that is certainly sufficient is met, even if the share is below it.
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

/// Decides the requirements after exhaustive testing, where shares are exact.
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

/// Whether the requirement is almost certainly met.
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
    // If no test or every test is a hit, the ends are exact, without rounding.
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

    /// The results of QuickCheck's `sufficientlyCovered` and `insufficientlyCovered`.
    #[test]
    fn decisions_are_those_of_quickcheck() {
        assert_eq!(decided(20.0, 60, 100), Decision::Met);
        assert_eq!(decided(20.0, 20, 100), Decision::Unsure);
        assert_eq!(decided(20.0, 20_000, 100_000), Decision::Met);
        assert!(matches!(decided(20.0, 0, 200), Decision::NotMet(_)));
        assert!(matches!(decided(20.0, 17_000, 100_000), Decision::NotMet(_)));
        // Certainly below the requirement, and certainly above nine tenths of it.
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
