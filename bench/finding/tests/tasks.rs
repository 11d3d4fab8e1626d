//! Every task shows its bug, and holds in its fixed version.

use finding::{Bug, Plan, Task, Tool, all};
use std::collections::BTreeSet;

/// The number of inputs per task and tool for the fixed version.
const INPUTS: u64 = 2000;

fn each(test: impl Fn(&Task)) {
    // Bugs may panic; the messages are irrelevant. The hook is not restored: tests run on several threads.
    std::panic::set_hook(Box::new(|_| {}));
    let wrong: Vec<_> = all()
        .filter(|task| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(task))).is_err())
        .map(|task| format!("{}::{}", task.area, task.name))
        .collect();
    if !wrong.is_empty() {
        eprintln!("tasks that are wrong: {wrong:?}");
    }
    assert!(wrong.is_empty());
}

#[test]
fn the_witness_shows_the_bug() {
    each(|task| assert_eq!((task.witness)(Bug::Present), Some(false)));
}

#[test]
fn the_corrected_twin_holds_of_the_witness() {
    each(|task| assert_eq!((task.witness)(Bug::Fixed), Some(true)));
}

#[test]
fn the_corrected_twin_holds_of_inputs_from_forall() {
    the_corrected_twin_holds(Tool::Forall);
}

#[test]
fn the_corrected_twin_holds_of_inputs_from_proptest() {
    the_corrected_twin_holds(Tool::Proptest);
}

#[test]
fn the_corrected_twin_holds_of_inputs_from_quickcheck() {
    the_corrected_twin_holds(Tool::Quickcheck);
}

/// Hegel is left out: it needs seconds per task without optimization.
fn the_corrected_twin_holds(tool: Tool) {
    each(|task| {
        let search = (task.search)(tool, Bug::Fixed, &Plan { seed: 1, tests: Some(INPUTS) });
        assert!(!search.found);
        assert!(search.tests > 0, "not all inputs are discarded");
    });
}

#[test]
fn names_are_unique_and_in_alphabetical_order() {
    let names: BTreeSet<_> = all().map(|task| task.name).collect();
    assert_eq!(names.len(), all().count());
    let areas: BTreeSet<_> = all().map(|task| task.area).collect();
    for area in areas {
        assert!(all().filter(|task| task.area == area).is_sorted_by_key(|task| task.name), "{area}");
    }
}

#[test]
fn the_halves_of_an_area_are_of_one_size() {
    let areas: BTreeSet<_> = all().map(|task| task.area).collect();
    for area in areas {
        let sizes = [finding::Half::Tuned, finding::Half::HeldOut]
            .map(|half| all().filter(|task| task.area == area && task.half() == half).count());
        assert!(sizes[0] - sizes[1] <= 1, "{area}: {sizes:?}");
    }
}
