//! Several workers, as a user starts them. What they say is pinned in `tests/snapshots/`.
#![cfg(target_os = "linux")]

mod support;

use insta::assert_snapshot;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use support::Workspace;

/// A property that tells each of its tests apart.
const NUMBERED: &str = "
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test(tests = 500)]
    fn numbered(#[forall(from_fn(|s| s.choice(u64::MAX)))] number: u64) {
        label!(\"{number:x}\");
    }
}
";

/// How often each test was done.
fn tests_done(workspace: &Workspace, arguments: &[&str]) -> BTreeMap<String, u64> {
    let said = workspace.forall(&[&["run", "numbered", "--json", "events.jsonl"], arguments].concat());
    assert!(said.starts_with("exit code 0"), "{said}");
    let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finished = events.iter().find(|event| event["event"] == "finished").unwrap();
    let labels = finished["labels"].as_object().unwrap();
    labels.iter().map(|(label, count)| (label.clone(), count.as_u64().unwrap())).collect()
}

#[test]
fn eight_shards_do_the_tests_of_one_machine_and_none_twice() {
    let workspace = Workspace::new("shards", &["shop"]);
    workspace.write("shop/src/lib.rs", NUMBERED);
    let by_one = tests_done(&workspace, &["--seed", "7"]);
    assert!(by_one.len() == 500 && by_one.values().all(|times| *times == 1));
    let mut by_eight = BTreeMap::new();
    for shard in 1..=8 {
        for (test, times) in tests_done(&workspace, &["--seed", "7", "--shard", &format!("{shard}/8")]) {
            *by_eight.entry(test).or_default() += times;
        }
    }
    assert_eq!(by_eight, by_one);
}

#[test]
fn schedulers_say_which_shard_it_is() {
    let workspace = Workspace::new("schedulers", &["shop"]);
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = workspace.command(&[&["run", "nothing_costs"], arguments].concat());
        workspace.said(command.envs(variables.iter().copied()).output().unwrap())
    };
    let slurm = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_MIN", "0"), ("SLURM_ARRAY_TASK_COUNT", "8")];
    assert_snapshot!(
        "shard_of_slurm",
        run(&["--shard", "auto"], &[&slurm[..], &[("SLURM_ARRAY_JOB_ID", "77")]].concat())
    );
    assert_snapshot!("shard_not_asked_for", run(&["--seed", "7"], &slurm));
    assert_snapshot!("shard_of_kubernetes", run(&["--shard", "auto"], &[("JOB_COMPLETION_INDEX", "3")]));
    assert_snapshot!("shard_of_nobody", run(&["--shard", "auto"], &[]));
    assert_snapshot!("shard_out_of_range", run(&["--shard", "5/4"], &[]));
    assert_snapshot!("shard_without_tests", run(&["--shard", "60/64", "--seed", "7"], &[]));
}
