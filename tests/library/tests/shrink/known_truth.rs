//! Claims about counterexamples are true, and simple truths are claimed: a part of the battery. The benchmark suite `explain`
//! runs all of it.

use crate::battery::{Effort, Figures, Judged, judge};

#[test]
#[ignore = "slow: 5 s"]
fn no_claim_is_refuted_and_most_simple_truths_are_claimed() {
    let judged = judge(100, 7, Effort { drawn: 3_000, against: 2_000 });
    let is_false = |one: &&Judged| one.claims.iter().any(|(_, refuted)| *refuted >= 0.01);
    for one in judged.iter().filter(is_false) {
        println!("{} passes for {:.1} %\n    {}\n    {:?}", one.family, 100.0 * one.passing, one.text, one.claims);
    }
    for half in 0..2 {
        let figures = Figures::of(judged.iter().filter(|one| one.half == half));
        assert_eq!(figures.false_claims, 0);
        assert!(figures.properties > 20 && figures.claims > 20, "{figures:?}");
        assert!(figures.found_share() >= 0.6, "{figures:?}");
        // Few of these pass for less than 1 %: one of them may be overlooked.
        assert!(figures.rare_false <= 1 || figures.rare_share() <= 0.05, "{figures:?}");
    }
}
