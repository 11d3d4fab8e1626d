//! The workloads are what they say: correct without a mutant, and wrong, in the ways that the tasks name, with one.
//!
//! Run with `--release`: these are many tests.

use etna::runner::{Budget, Loop, Runner, Search};
use etna::{Strategy, WORKLOADS, Workload};

/// Searches with forall's own loop; none if the workload has no such strategy.
fn search(workload: &Workload, mutant: Option<&str>, property: &str, strategy: Strategy, tests: u64) -> Option<Search> {
    search_by("generational", workload, mutant, property, strategy, tests)
}

fn search_by(
    runner: &str,
    workload: &Workload,
    mutant: Option<&str>,
    property: &str,
    strategy: Strategy,
    tests: u64,
) -> Option<Search> {
    let budget = Budget { evaluations: tests, until: None };
    let runner = Runner::named(runner).expect("there is such a runner");
    workload.with_mutant(mutant, || match runner.search {
        Loop::OverProperties(search) => Some(search(&*(workload.property)(property, strategy)?, 1, &budget)),
        Loop::OverClosures(search) => Some(search(&*workload.shallow?(property, strategy), 1, &budget)),
    })
}

fn nothing_fails_without_a_mutant(tests: u64) {
    for workload in WORKLOADS {
        for &property in workload.properties {
            for &strategy in Strategy::ALL {
                let found = search(workload, None, property, strategy, tests);
                let solved = found.is_some_and(|found| found.solved);
                assert!(!solved, "{}/{property}, {} fails without a mutant: {found:?}", workload.name, strategy.name());
            }
        }
    }
}

#[test]
fn no_property_fails_without_a_mutant() {
    nothing_fails_without_a_mutant(3_000);
}

#[test]
#[ignore = "takes ten minutes"]
fn no_property_fails_without_a_mutant_in_a_million_tests() {
    nothing_fails_without_a_mutant(1_000_000);
}

#[test]
fn every_task_can_be_solved() {
    for workload in WORKLOADS {
        for task in (workload.tasks)() {
            let found = search(workload, Some(task.mutant), task.property, Strategy::Bespoke, 100_000);
            assert!(found.is_some_and(|found| found.solved), "{}/{}/{}", workload.name, task.mutant, task.property);
        }
    }
}

/// One pair fails in practice and is not in the lists.
const NOT_LISTED: &[(&str, &str, &str)] = &[("rbt", "delete_5", "InsertDelete")];

#[test]
fn nothing_but_the_tasks_can_be_solved() {
    for workload in WORKLOADS {
        let tasks = (workload.tasks)();
        for &mutant in workload.mutants {
            for &property in workload.properties {
                let is_task = tasks.iter().any(|task| (task.mutant, task.property) == (mutant, property));
                if is_task || NOT_LISTED.contains(&(workload.name, mutant, property)) {
                    continue;
                }
                let found = search(workload, Some(mutant), property, Strategy::Bespoke, 3_000);
                assert!(found.is_some_and(|found| !found.solved), "{}/{mutant}/{property}", workload.name);
            }
        }
    }
}

#[test]
fn there_are_as_many_tasks_as_in_the_lists() {
    let counts = |workload: &Workload| {
        let tasks = (workload.tasks)();
        (workload.name, tasks.len(), tasks.iter().filter(|task| task.common).count())
    };
    let counts: Vec<_> = WORKLOADS.iter().map(counts).collect();
    assert_eq!(counts, [("bst", 53, 52), ("rbt", 58, 38), ("stlc", 20, 20), ("fsub", 36, 0), ("ifc", 66, 0)]);
}

#[test]
fn tasks_name_mutants_and_properties_that_exist() {
    for workload in WORKLOADS {
        for task in (workload.tasks)() {
            assert!(workload.mutants.contains(&task.mutant), "{task:?}");
            assert!(workload.properties.contains(&task.property), "{task:?}");
        }
    }
}

#[test]
fn closures_are_twins_of_the_properties() {
    for workload in WORKLOADS.iter().filter(|workload| workload.shallow.is_some()) {
        for task in (workload.tasks)() {
            for &strategy in Strategy::ALL {
                let by = |runner| search_by(runner, workload, Some(task.mutant), task.property, strategy, 1_000);
                assert_eq!(by("plain"), by("shallow"), "{task:?}, {}", strategy.name());
            }
        }
    }
}

#[test]
fn a_mutant_is_off_again_when_its_search_is_over() {
    let bst = Workload::named("bst").expect("a workload");
    let mutant = Some("insert_1");
    assert!(search(&bst, mutant, "InsertModel", Strategy::Bespoke, 1_000).is_some_and(|found| found.solved));
    assert!(search(&bst, None, "InsertModel", Strategy::Bespoke, 1_000).is_some_and(|found| !found.solved));
}
