//! Several workers, as a user starts them. Their output is pinned in `tests/snapshots/`.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use forall::run::Case;
use forall::store::{Backend, Directory, Entry};
use insta::assert_snapshot;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
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

/// Two bugs whose messages have the same shape.
const ONE_MESSAGE: &str = "
#[cfg(test)]
mod tests {
    #[forall::test(tests = 20_000)]
    fn more_pieces_cost_more(n: u32) {
        assert_ne!(n % 2, 1);
        assert_ne!(n % 1000, 998);
    }
}
";

#[test]
#[ignore = "slow: 15 s"]
fn one_message_at_two_lines_is_two_bugs_also_after_an_edit_that_moves_them() {
    let workspace = Workspace::new("one-message", &["shop"]);
    workspace.write("shop/src/lib.rs", ONE_MESSAGE);
    let first = worker(&workspace, "one", &["--stop-at-first", "--tests", "10"]);
    assert!(first.starts_with("exit code 1") && entries(&workspace, "failures").len() == 1, "{first}");
    let second = worker(&workspace, "two", &["--new-only", "--new-failures", "new.jsonl"]);
    assert!(second.starts_with("exit code 4"), "one of them is new: {second}");
    let places = || -> Vec<String> {
        let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
        let place = |text: String| text.lines().find_map(|line| line.strip_prefix("#place ").map(str::to_owned));
        let mut places: Vec<_> =
            entries(&workspace, "failures").iter().map(|path| place(text(path)).unwrap()).collect();
        places.sort();
        places
    };
    assert_eq!(places(), ["shop/src/lib.rs:6:9", "shop/src/lib.rs:7:9"], "{second}");
    let line: Value = serde_json::from_str(&fs::read_to_string(workspace.path("new.jsonl")).unwrap()).unwrap();
    assert_eq!(line["place"], "shop/src/lib.rs:7:9", "{line}");
    // What moves by an edit is known.
    workspace.write("shop/src/lib.rs", &format!("\n{ONE_MESSAGE}"));
    let moved = worker(&workspace, "three", &["--new-only"]);
    assert!(moved.starts_with("exit code 0"), "{moved}");
    assert_eq!(places(), ["shop/src/lib.rs:7:9", "shop/src/lib.rs:8:9"], "{moved}");
    let stats = workspace.forall(&["corpus", "stats", "corpus", "--json"]);
    let stats: Value = serde_json::from_str(stats.lines().nth(1).unwrap()).unwrap();
    let records = stats["properties"][0]["records"].as_array().unwrap();
    assert!(records.len() == 2 && records.iter().all(|record| record["state"] == "open"), "{records:#?}");
}

#[test]
#[ignore = "slow: 15 s"]
fn a_search_continues_past_a_known_failure_and_finds_another() {
    let workspace = Workspace::new("search-past", &["shop"]);
    workspace.write("shop/src/lib.rs", ONE_MESSAGE);
    worker(&workspace, "one", &["--stop-at-first", "--tests", "10"]);
    assert_eq!(entries(&workspace, "failures").len(), 1);
    let mut command =
        workspace.command(&["fuzz", "more_pieces", "--execs", "100000", "--seed", "7", "--corpus", "corpus"]);
    let said = workspace.said(command.env("FORALL_STORE", workspace.path("two")).output().unwrap());
    assert!(said.starts_with("exit code 1"), "{said}");
    assert_eq!(entries(&workspace, "failures").len(), 2, "{said}");
    let stats = workspace.forall(&["corpus", "stats", "corpus"]);
    for line in ["6:9", "7:9"] {
        assert!(stats.contains(&format!("at shop/src/lib.rs:{line}")), "a search records places as well: {stats}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn a_failure_that_was_reported_is_in_the_corpus_even_if_the_worker_is_killed_right_after() {
    let workspace = Workspace::new("killed-right-after", &["shop"]);
    workspace.write("shop/src/lib.rs", TWO_BUGS);
    workspace.forall(&["list"]);
    let mut command = workspace.command(&["run", "more_pieces", "--for", "10m", "--corpus", "corpus"]);
    let mut worker = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(worker.stderr.take().unwrap()).lines().map_while(Result::ok);
    let reported = lines.into_iter().find(|line| line.contains("odd") || line.contains("rare"));
    worker.kill().unwrap();
    worker.wait().unwrap();
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
    let bug = if reported.as_ref().unwrap().contains("odd") { "| odd" } else { "| rare" };
    assert!(entries(&workspace, "failures").iter().any(|path| text(path).contains(bug)), "{reported:?}");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_campaign_of_several_rounds_continues_past_failures_in_each() {
    let workspace = Workspace::new("rounds", &["shop"]);
    // With one property, there is one round.
    let other = TWO_BUGS.replace("cost_more", "cost_no_less");
    workspace.write("shop/src/lib.rs", &format!("{TWO_BUGS}{}", other.replace("mod tests", "mod others")));
    let said = worker(&workspace, "one", &["--for", "6s", "--metrics", "forall.prom"]);
    assert!(said.starts_with("exit code 1"), "{said}");
    assert_eq!(entries(&workspace, "failures").len(), 4, "two for each property: {said}");
    let stats = workspace.forall(&["corpus", "stats", "corpus", "--json"]);
    let stats: Value = serde_json::from_str(stats.lines().nth(1).unwrap()).unwrap();
    let told = stats["properties"][0]["told"].as_array().unwrap();
    let seeds: BTreeSet<&str> = told.iter().filter_map(|line| line["seed"].as_str()).collect();
    assert!(told.len() > 1 && seeds.len() > 1, "a report for each round, which has its own seed: {stats:#}");
    assert_eq!(stats["properties"][0]["workers"], 1, "{stats:#}");
    let figures = fs::read_to_string(workspace.path("forall.prom")).unwrap();
    let of = |name: &str| {
        let line = figures.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {figures}"));
        line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()
    };
    let name = stats["properties"][0]["property"].as_str().unwrap();
    let property = format!("{{property=\"{name}\"}}");
    assert_eq!(of(&format!("forall_tests_total{property}")), stats["properties"][0]["tests"].as_f64().unwrap());
    assert_eq!((of(&format!("forall_failing{property}")), of("forall_new_failures_total")), (1.0, 4.0), "{figures}");
    assert_eq!((of("forall_corpus_reachable"), of("forall_corpus_waiting_failures")), (1.0, 0.0), "{figures}");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_worker_that_is_told_to_stop_tries_more_than_once_to_send_what_waits() {
    let workspace = Workspace::new("told-to-stop", &["shop"]);
    // The corpus is there, and then away.
    worker(&workspace, "before", &["--tests", "1"]);
    let (corpus, away) = (workspace.path("corpus"), workspace.path("away"));
    for path in entries(&workspace, "failures") {
        fs::remove_file(path).unwrap();
    }
    fs::rename(&corpus, &away).unwrap();
    let mut command = workspace.command(&["run", "more_pieces", "--for", "10m", "--corpus", "corpus"]);
    command.env("FORALL_STORE", workspace.path("one")).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut worker = command.spawn().unwrap();
    let errors = worker.stderr.take().unwrap();
    wait_for(&|| workspace.path("one/unsent").is_dir().then_some(()));
    let id = worker.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let mut said = Vec::new();
    for line in BufReader::new(errors).lines().map_while(Result::ok) {
        if line.contains("waiting up to") {
            // After the first attempt.
            fs::rename(&away, &corpus).unwrap();
        }
        said.push(line);
    }
    worker.wait().unwrap();
    assert_eq!(entries(&workspace, "failures").len(), 1, "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("not in the corpus")), "{said:#?}");
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
#[ignore = "slow: 20 s"]
fn a_worker_that_was_killed_is_continued_and_its_tests_are_not_repeated() {
    let workspace = Workspace::new("continued", &["shop"]);
    workspace.write("shop/src/lib.rs", INDEXED);
    workspace.forall(&["list"]);
    let arguments =
        ["run", "more_pieces", "--seed", "7", "--shard", "1/2", "--corpus", "corpus", "--json", "events.jsonl"];
    let mut first = workspace.command(&[&arguments[..], &["--for", "10m"]].concat());
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let reached = || {
        let entries = entries(&workspace, "progress").into_iter();
        entries.filter(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("\"next\""))).collect::<Vec<_>>()
    };
    wait_for(&|| reached().pop());
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
    assert_eq!(reached().len(), 1);
    // A part of the budget that is spent is not spent again.
    let budget = [&arguments[..], &["--budget", "1s"]].concat();
    assert!(workspace.forall(&budget).starts_with("exit code 0"));
    let said = workspace.forall(&budget);
    assert!(said.contains("forall: shard 1/2 has spent its part of the budget, [time]"), "{said}");
    assert!(said.starts_with("exit code 0"), "{said}");
    // A failure of an earlier worker waits, for a corpus that does not take it.
    let (left, failures) = (Entry::failure("shop::left", Case::default()), workspace.path("corpus/failures"));
    Directory::new(workspace.path("shop/.forall/unsent")).save(&left).unwrap();
    fs::write(&failures, "in the way").unwrap();
    let said = unwrapped(&workspace.forall(&budget));
    assert!(said.starts_with("exit code 3") && said.contains("has spent its part of the budget"), "{said}");
    assert!(said.contains("1 failure not in the corpus; to replay: forall replay shop::left"), "{said}");
    fs::remove_file(&failures).unwrap();
    let said = workspace.forall(&budget);
    assert!(said.starts_with("exit code 0") && !said.contains("wait"), "{said}");
    assert_eq!(entries(&workspace, "failures").len(), 1);
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
    assert_snapshot!("corpus_of_another_kind", run("gs://bucket/corpus"));
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
