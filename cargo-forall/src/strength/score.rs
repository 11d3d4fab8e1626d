//! The counts of verdicts.

use super::judge::Verdict;

/// The number of mutants per verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// A test failed.
    pub killed: usize,
    /// A test timed out.
    pub timed_out: usize,
    /// All tests that reach the mutant passed.
    pub survived: usize,
    /// No test reaches the mutant.
    pub not_reached: usize,
    /// The time limit was reached before the mutant was judged.
    pub not_judged: usize,
}

impl Tally {
    /// Counts a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Killed(_) => &mut self.killed,
            Verdict::TimedOut(_) => &mut self.timed_out,
            Verdict::Survived => &mut self.survived,
            Verdict::NotReached => &mut self.not_reached,
            Verdict::NotJudged => &mut self.not_judged,
        } += 1;
    }

    /// Counts a verdict, by its word in JSON.
    pub fn add_word(&mut self, verdict: &str) {
        *match verdict {
            "killed" => &mut self.killed,
            "timed_out" => &mut self.timed_out,
            "survived" => &mut self.survived,
            "not_reached" => &mut self.not_reached,
            _ => &mut self.not_judged,
        } += 1;
    }

    /// Returns the number of detected mutants: killed or timed out.
    pub fn detected(&self) -> usize {
        self.killed + self.timed_out
    }

    /// Returns the number of mutants with a verdict.
    pub fn judged(&self) -> usize {
        self.detected() + self.survived + self.not_reached
    }

    /// Returns the share of detected mutants among those with a verdict. `None` if there are none.
    pub fn score(&self) -> Option<f64> {
        (self.judged() > 0).then(|| self.detected() as f64 / self.judged() as f64)
    }

    /// Returns the 95 % confidence interval of the score (Wilson's).
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (n, Some(share)) = (self.judged() as f64, self.score()) else { return (0.0, 1.0) };
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

/// Returns a share as a percentage, rounded down so that 100 % means all.
pub fn percent(share: f64) -> String {
    format!("{} %", (share * 100.0 + 1e-9).floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_wilson_and_contains_the_score() {
        let tally = Tally { killed: 80, survived: 10, not_reached: 10, not_judged: 7, ..Tally::default() };
        assert_eq!((tally.judged(), tally.score()), (100, Some(0.8)));
        let (low, high) = tally.interval();
        assert!((low - 0.711).abs() < 0.001 && (high - 0.867).abs() < 0.001, "{low} {high}");
        assert_eq!(Tally::default().score(), None);
        assert_eq!(percent(0.999), "99 %");
    }
}
