//! Several workers, as a user starts them. Their output is pinned in `tests/snapshots/`.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use support::{Workspace, unwrapped};

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
#[ignore = "slow: 5 s"]
fn eight_shards_run_the_tests_of_one_machine() {
    let workspace = Workspace::new("shards", &["shop"]);
    workspace.write("shop/src/lib.rs", NUMBERED);
    let by_one = tests_done(&workspace, &["--seed", "7"]);
    // Values repeat in some tests, so a value may stand for several.
    assert_eq!(by_one.values().sum::<u64>(), 500);
    let mut by_eight = BTreeMap::new();
    for shard in 1..=8 {
        for (test, times) in tests_done(&workspace, &["--seed", "7", "--shard", &format!("{shard}/8")]) {
            *by_eight.entry(test).or_default() += times;
        }
    }
    assert_eq!(by_eight, by_one);
}

#[test]
fn the_shard_is_read_from_scheduler_variables() {
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
    assert_snapshot!("shard_without_variables", run(&["--shard", "auto"], &[]));
    assert_snapshot!("shard_out_of_range", run(&["--shard", "5/4"], &[]));
    assert_snapshot!("shard_without_tests", run(&["--shard", "60/64", "--seed", "7"], &[]));
}

/// The output of a worker with its own store.
fn worker(workspace: &Workspace, store: &str, arguments: &[&str]) -> String {
    let arguments = [&["run", "more_pieces", "--seed", "7", "--corpus", "corpus"], arguments].concat();
    workspace.said(workspace.command(&arguments).env("FORALL_STORE", workspace.path(store)).output().unwrap())
}

/// The files of a corpus, by kind.
fn entries(workspace: &Workspace, kind: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir(workspace.path("corpus").join(kind)).into_iter().flatten().flatten();
    folders
        .flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten())
        .map(|file| file.path())
        // Not one that is being written: it gets its name when it is complete.
        .filter(|path| path.extension().is_some_and(|extension| extension == "case"))
        .collect()
}

#[test]
#[ignore = "slow: 5 s"]
fn a_bug_found_by_several_workers_is_one_entry_and_replays_locally() {
    let workspace = Workspace::new("corpus", &["shop"]);
    assert_snapshot!("corpus_found", worker(&workspace, "one", &["--shard", "1/2"]));
    let found = fs::read_to_string(&entries(&workspace, "failures")[0]).unwrap();
    assert!(found.contains("minimal") && !found.contains("unfinished"), "{found}");
    let second = worker(&workspace, "two", &["--shard", "2/2"]);
    assert!(second.contains("on a saved failure"), "{second}");
    assert_eq!((entries(&workspace, "failures").len(), entries(&workspace, "statistics").len()), (1, 2));

    let mut command = workspace.command(&[]);
    let mut cargo = std::process::Command::new("cargo");
    cargo.args(["test", "more_pieces"]).current_dir(workspace.path("shop"));
    for (name, value) in command.env("FORALL_CORPUS", workspace.path("corpus")).get_envs() {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    let said = workspace.said(cargo.env("FORALL_STORE", workspace.path("desk")).output().unwrap());
    assert!(said.contains("on a saved failure") && said.contains("let pieces: u32 = 99;"), "{said}");
    assert!(!workspace.path("desk").exists(), "it was smallest, so there is nothing to keep");
    assert_eq!(entries(&workspace, "failures").len(), 1);
}

/// A bug that every other test meets, and one that few do.
const TWO_BUGS: &str = "
#[cfg(test)]
mod tests {
    #[forall::test(tests = 20_000)]
    fn more_pieces_cost_more(n: u32) {
        assert!(n.is_multiple_of(2), \"odd\");
        assert!(n % 1000 != 998, \"rare\");
    }
}
";

#[test]
#[ignore = "slow: 10 s"]
fn a_campaign_continues_past_known_failures_and_finds_others() {
    let workspace = Workspace::new("two-bugs", &["shop"]);
    workspace.write("shop/src/lib.rs", TWO_BUGS);
    let first = worker(&workspace, "one", &["--stop-at-first", "--tests", "10"]);
    assert!(first.starts_with("exit code 1") && first.contains("odd"), "{first}");
    let stops = worker(&workspace, "two", &["--stop-at-first"]);
    assert!(stops.contains("on a saved failure") && entries(&workspace, "failures").len() == 1, "{stops}");
    let goes_on = unwrapped(&worker(&workspace, "three", &[]));
    assert!(goes_on.starts_with("exit code 1") && goes_on.contains("also: odd"), "{goes_on}");
    assert!(goes_on.contains("run continued past 2 failures; "), "{goes_on}");
    assert_eq!(entries(&workspace, "failures").len(), 2, "{goes_on}");
    let all = worker(&workspace, "four", &[]);
    assert!(all.contains("on a saved failure") && all.contains("also:"), "both are known: {all}");
    assert_eq!(entries(&workspace, "failures").len(), 2, "one entry for each bug");
}

#[test]
#[ignore = "slow: 5 s"]
fn new_only_reports_a_failure_once_and_its_record_counts_the_workers() {
    let workspace = Workspace::new("new-only", &["shop"]);
    let new = ["--new-only", "--new-failures", "new.jsonl"];
    let first = worker(&workspace, "one", &new);
    assert!(first.starts_with("exit code 4"), "{first}");
    let second = worker(&workspace, "two", &new);
    assert!(second.starts_with("exit code 0") && second.contains("on a saved failure"), "{second}");
    let lines = fs::read_to_string(workspace.path("new.jsonl")).unwrap();
    let line: Value = serde_json::from_str(&lines).unwrap_or_else(|_| panic!("one line: {lines}"));
    assert_eq!((&line["event"], &line["v"]), (&Value::from("new-failure"), &Value::from(1)));
    assert_eq!(line["property"], "shop::tests::more_pieces_cost_more");
    assert_eq!(line["message"], "assertion failed: price(pieces + 1, each) > price(pieces, each)");
    assert!(line["place"].as_str().unwrap().starts_with("shop/src/lib.rs:") && line["worker"].is_string(), "{line}");
    let stats = unwrapped(&workspace.forall(&["corpus", "stats", "corpus"]));
    assert!(stats.contains("open assertion failed: price(pieces + 1, each) > price(pieces, each) at shop"), "{stats}");
    assert!(stats.contains("failed in [number] runs of 2 workers, first"), "{stats}");
    // The bug is fixed, and comes back.
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("pieces >= 100", "pieces >= 1_000_000"));
    assert!(worker(&workspace, "three", &new).starts_with("exit code 0"));
    let stats = unwrapped(&workspace.forall(&["corpus", "stats", "corpus"]));
    assert!(stats.contains("fixed assertion failed") && stats.contains("; passed "), "{stats}");
    workspace.write("shop/src/lib.rs", &source);
    assert!(worker(&workspace, "four", &new).starts_with("exit code 0"), "the corpus still has it");
    let stats = unwrapped(&workspace.forall(&["corpus", "stats", "corpus"]));
    assert!(stats.contains("returned assertion failed") && stats.contains("1 counterexample"), "{stats}");
}

/// A property whose tests take a while, and print their index.
const INDEXED: &str = "
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn more_pieces_cost_more(_n: u64) {
        std::thread::sleep(std::time::Duration::from_millis(1));
        label!(\"{}\", forall::context().index());
    }
}
";

#[test]
#[ignore = "slow: 10 s"]
fn a_worker_that_was_killed_is_continued_and_its_tests_are_not_repeated() {
    let workspace = Workspace::new("continued", &["shop"]);
    workspace.write("shop/src/lib.rs", INDEXED);
    workspace.forall(&["list"]);
    let arguments =
        ["run", "more_pieces", "--seed", "7", "--shard", "1/2", "--corpus", "corpus", "--json", "events.jsonl"];
    let mut first = workspace.command(&[&arguments[..], &["--for", "10m"]].concat());
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&|| entries(&workspace, "progress").pop());
    first.kill().unwrap();
    first.wait().unwrap();
    let said = workspace.forall(&[&arguments[..], &["--for", "1s"]].concat());
    let (_, continues) = said.split_once("continues at test ").unwrap_or_else(|| panic!("{said}"));
    let next: u64 = continues.split(',').next().unwrap().parse().unwrap();
    let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = events.into_iter().find(|event| event["event"] == "finished").unwrap();
    let ran: Vec<u64> = finished["labels"].as_object().unwrap().keys().map(|label| label.parse().unwrap()).collect();
    assert!(next > 0 && !ran.is_empty() && ran.iter().all(|index| *index >= next), "{next}: {ran:?}");
    assert_eq!(entries(&workspace, "progress").len(), 1);
    // A part of the budget that is spent is not spent again.
    let budget = [&arguments[..], &["--budget", "1s"]].concat();
    assert!(workspace.forall(&budget).starts_with("exit code 0"));
    let said = workspace.forall(&budget);
    assert!(said.contains("forall: shard 1/2 has spent its part of the budget, [time]"), "{said}");
}

#[test]
fn passing_entries_stay_and_unreadable_ones_are_counted() {
    let workspace = Workspace::new("other-build", &["shop"]);
    assert!(worker(&workspace, "one", &[]).starts_with("exit code 1"));
    let found = entries(&workspace, "failures").remove(0);
    for (name, content) in [("00000000000000aa.case", "garbage"), ("00000000000000bb.case", "forall 1\nkind fail")] {
        fs::write(found.with_file_name(name), content).unwrap();
    }
    let whole = fs::read_to_string(&found).unwrap();
    let within_a_word = whole.find("\nproperty").unwrap() + "\nprope".len();
    fs::write(found.with_file_name("00000000000000cc.case"), &whole[..within_a_word]).unwrap();
    fs::write(found.with_file_name("00000000000000dd.case"), &whole).unwrap();
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("pieces >= 100", "pieces >= 1_000_000"));
    assert_snapshot!("corpus_of_another_build", worker(&workspace, "two", &[]));
    assert_eq!(entries(&workspace, "failures").len(), 5, "nothing is deleted");
}

#[test]
fn an_unusable_corpus_is_reported() {
    let workspace = Workspace::new("no-corpus", &["shop"]);
    workspace.write("a file", "");
    workspace.write("newer/forall-corpus", "forall corpus 2\n");
    let run = |corpus: &str| workspace.forall(&["run", "nothing_costs", "--seed", "7", "--corpus", corpus]);
    assert_snapshot!("corpus_is_a_file", unwrapped(&run("a file")));
    assert_snapshot!("corpus_of_another_version", unwrapped(&run("newer")));
    assert_snapshot!("corpus_of_another_kind", run("s3://bucket/corpus"));
    assert_snapshot!("corpus_away", run("not/there"));
    let mut command = workspace.command(&["run", "nothing_costs", "--corpus", "corpus"]);
    assert_snapshot!("corpus_without_store", workspace.said(command.env("FORALL_STORE", "off").output().unwrap()));
}

#[test]
fn corpora_are_merged_and_summarised() {
    let workspace = Workspace::new("merge", &["shop"]);
    assert!(worker(&workspace, "one", &[]).starts_with("exit code 1"));
    assert_snapshot!("corpus_merge", workspace.forall(&["corpus", "merge", "corpus", "all"]));
    assert_snapshot!("corpus_merge_nothing", workspace.forall(&["corpus", "merge", "nothing", "all"]));
    let stats = workspace.forall(&["corpus", "stats", "all"]);
    assert!(stats.contains("shop::tests::more_pieces_cost_more  1 counterexample\n    1 worker, "), "{stats}");
    for command in ["merge", "minimise", "prune", "stats"] {
        assert_snapshot!(format!("help_corpus_{command}"), workspace.forall(&["corpus", command, "--help"]));
    }
}

/// A killed worker is started again: its test program must not keep running beside it.
#[test]
#[ignore = "slow: 5 s"]
fn the_tests_of_a_worker_that_is_killed_end_with_it() {
    let workspace = Workspace::new("killed", &["shop"]);
    workspace.forall(&["run", "nothing_costs", "--tests", "1"]);
    let mut command = workspace.command(&["run", "nothing_costs", "--for", "10m", "--corpus", "corpus"]);
    let mut worker = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let children = format!("/proc/{0}/task/{0}/children", worker.id());
    // Before the test program, cargo is a child process.
    let test_program = || -> Option<String> {
        let mut children: Vec<String> =
            fs::read_to_string(&children).ok()?.split_whitespace().map(str::to_owned).collect();
        children.retain(|child| {
            fs::read_link(format!("/proc/{child}/exe"))
                .is_ok_and(|program| program.to_string_lossy().contains("/shop-"))
        });
        let child = children.pop()?;
        let arguments = fs::read_to_string(format!("/proc/{child}/cmdline")).ok()?;
        // And one that was only asked for its properties.
        arguments.contains("--exact").then_some(child)
    };
    let child = wait_for(&test_program);
    worker.kill().unwrap();
    worker.wait().unwrap();
    // It is gone, or waits for nothing but to be looked after.
    wait_for(&|| match fs::read_to_string(format!("/proc/{child}/stat")) {
        Ok(stat) => stat.contains(") Z ").then_some(()),
        Err(_) => Some(()),
    });
}

fn wait_for<T>(what: &dyn Fn() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(came) = what() {
            return came;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it does not come");
}
