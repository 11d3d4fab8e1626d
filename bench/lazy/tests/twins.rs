//! Twins against types that are lazy by hand.

use forall::lazy::explore;
use lazy_programs::twins::PAIRS;

#[test]
fn twins_hold_and_take_about_the_evaluations_of_a_rewrite() {
    for pair in PAIRS {
        let (depth, _) = pair.depths;
        let (twin, by_hand) = (explore(&*(pair.twin)(), depth), explore(&*(pair.by_hand)(), depth));
        println!("{}/{depth}: {} by the twin, {} by hand", pair.name, twin.evaluations, by_hand.evaluations);
        assert!(twin.holds() && by_hand.holds(), "{}: {twin:?} {by_hand:?}", pair.name);
        let most = by_hand.evaluations as f64 * 1.05 + 10.0;
        assert!((twin.evaluations as f64) < most, "{}: {} {}", pair.name, twin.evaluations, by_hand.evaluations);
    }
}
