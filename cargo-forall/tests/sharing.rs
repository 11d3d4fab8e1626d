//! Data that workers and properties share in addition to failures: time, the best input of a targeted search, a renamed
//! property.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use support::{Workspace, unwrapped};

const CLIMBING: &str = "
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn climbs(#[forall(vec(0..1000u32).len(20))] heights: Vec<u32>) {
        target!(f64::from(heights.iter().sum::<u32>()));
    }
}
";

/// The scores of the best inputs in the corpus.
fn scores(workspace: &Workspace) -> Vec<f64> {
    let folders = fs::read_dir(workspace.path("corpus/best")).unwrap().flatten();
    let files: Vec<PathBuf> =
        folders.flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten()).map(|file| file.path()).collect();
    let score = |file: &PathBuf| {
        let entry = forall::store::Entry::from_bytes(&fs::read(file).unwrap()).unwrap();
        entry.score().unwrap()
    };
    files.iter().map(score).collect()
}

#[test]
#[ignore = "slow: 10 s"]
fn workers_of_a_targeted_search_share_their_best_input() {
    let workspace = Workspace::new("best", &["shop"]);
    workspace.write("shop/src/lib.rs", CLIMBING);
    let worker = |number: &str, tests: &str| {
        let arguments = ["run", "climbs", "--runner", "targeted", "--seed", "7", "--corpus", "corpus"];
        let mut command = workspace.command(&[&arguments[..], &["--shard", number, "--tests", tests]].concat());
        let said = workspace.said(command.env("FORALL_STORE", workspace.path(&number[..1])).output().unwrap());
        assert!(said.starts_with("exit code 0") && !said.contains("warning"), "{said}");
    };
    worker("1/2", "20_000");
    let [first] = scores(&workspace)[..] else { panic!("{:?}", scores(&workspace)) };
    assert!(first > 15_000.0, "{first}");
    // So few tests do not get there from the beginning.
    worker("2/2", "100");
    let [second] = scores(&workspace)[..] else { panic!("{:?}", scores(&workspace)) };
    assert!(second >= first, "{second} after {first}");
    let stats = workspace.forall(&["corpus", "stats", "corpus"]);
    assert!(stats.contains("2 workers, ") && stats.contains(&format!("best score {second}")), "{stats}");
}

const SEVERAL: &str = "
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn always_new(n: u64) {
        label!(\"{}\", n % 100_000);
    }

    #[forall::test]
    fn says_nothing(n: u64) {
        assert!(n.count_ones() <= 64);
    }

    #[forall::test]
    fn is_soon_done(n: u8) {
        assert!(n.count_ones() <= 8);
    }
}
";

#[test]
#[ignore = "slow: 10 s"]
fn time_goes_to_properties_with_new_behaviour_and_the_split_is_printed() {
    let workspace = Workspace::new("share", &["shop"]);
    workspace.write("shop/src/lib.rs", SEVERAL);
    let run = |time: &str, more: &[&str]| {
        let said = workspace.forall(&[&["run", "--for", time, "--seed", "7", "--json", "events.jsonl"], more].concat());
        assert!(said.starts_with("exit code 0"), "{said}");
        let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
        let finished = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let finished: Vec<Value> = finished.filter(|event| event["event"] == "finished").collect();
        let time = |name: &str| -> f64 {
            let of = finished.iter().filter(|event| event["property"].as_str().unwrap().ends_with(name));
            of.map(|event| event["time"].as_f64().unwrap()).sum()
        };
        (said, finished.len(), time("always_new"), time("says_nothing"))
    };
    // On a busy machine the time may be up after the first round, in which all get the same.
    let mut runs = ["4s", "20s", "100s"].iter().map(|time| run(time, &[]));
    let (said, _, new, nothing) = runs.find(|(_, processes, ..)| *processes > 3).expect("there is time for more");
    assert!(new > 2.0 * nothing, "{new} and {nothing}: {said}");
    assert!(said.contains("time by expected new behaviours per second (--share equal splits it evenly):"), "{said}");
    let (first, last) = (said.find(" %  shop::tests::always_new"), said.find(" %  shop::tests::is_soon_done"));
    assert!(first.is_some() && first < last && said.contains("ended"), "{said}");
    assert_eq!(said.matches("passed  shop::tests::").count(), 3, "each is printed once: {said}");
    let (said, processes, ..) = run("4s", &["--share", "equal"]);
    assert!((processes, said.contains("expected")) == (3, false), "{said}");
}

#[test]
#[ignore = "slow: 10 s"]
fn several_properties_are_fuzzed_if_there_is_a_time_limit() {
    let workspace = Workspace::new("fuzz-several", &["shop"]);
    let said = workspace.forall(&["fuzz", "cost", "--for", "4s", "--seed", "7"]);
    assert!(said.starts_with("exit code 1"), "{said}");
    assert!(said.contains("fuzzing shop::tests::nothing_costs") && said.contains("let pieces: u32 = 99;"), "{said}");
    assert!(said.contains("time by expected new behaviours per second"), "{said}");
    let listed = unwrapped(&workspace.forall(&["list", "cost"]));
    assert!(
        listed.contains("more_pieces_cost_more shop/src/lib.rs:14 generational FAILED for pieces = 99"),
        "{listed}"
    );
    assert!(
        listed.contains("nothing_costs_nothing shop/src/lib.rs:19 generational fuzzed: nothing found in "),
        "{listed}"
    );
    let said = workspace.forall(&["report", "nothing_costs", "--seed", "7", "-o", "page.html"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(page.contains("\"before\":null"), "a run is not compared with a campaign");
    let listed = unwrapped(&workspace.forall(&["list", "nothing_costs"]));
    assert!(listed.contains("generational passed, "), "the latest result is listed: {listed}");
    let said = workspace.forall(&["fuzz", "cost"]);
    assert!(said.starts_with("exit code 2") && said.contains("Or set a time limit, as in --for 10m"), "{said}");
    let said = workspace.forall(&["fuzz", "cost", "--share", "equal"]);
    assert!(said.starts_with("exit code 2") && said.contains("--for"), "{said}");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_renamed_property_is_reported_and_its_entries_can_move() {
    let workspace = Workspace::new("renamed", &["shop"]);
    let run = || workspace.forall(&["run", "more_pieces", "--seed", "7", "--corpus", "corpus"]);
    assert!(run().starts_with("exit code 1"));
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("more_pieces_cost_more", "more_pieces_cost_much_more"));
    let said = run();
    let rename =
        "corpus rename [workspace]/corpus shop::tests::more_pieces_cost_more shop::tests::more_pieces_cost_much_more";
    let told = "forall: the corpus has entries of 1 property not in these tests shop::tests::more_pieces_cost_more; if it was \
                renamed to shop::tests::more_pieces_cost_much_more, run `forall corpus rename [workspace]/corpus shop::tests::more_pieces_cost_more \
                shop::tests::more_pieces_cost_much_more` These entries stay in the corpus";
    assert!(unwrapped(&said).contains(told), "{said}");
    let arguments: Vec<&str> = rename.split(' ').collect();
    let corpus = workspace.path("corpus");
    let said = workspace.forall(&[arguments[0], arguments[1], corpus.to_str().unwrap(), arguments[3], arguments[4]]);
    assert!(said.starts_with("exit code 0") && said.contains("moved "), "{said}");
    assert!(!run().contains("not in these tests"));
    // It is found again each time, and not shared.
    for number in 1..5 {
        let nobody = format!("nobody::{number}");
        workspace.forall(&["corpus", "rename", "corpus", "shop::tests::more_pieces_cost_much_more", &nobody]);
        run();
    }
    let told = "the corpus has entries of 4 properties not in these tests nobody::1 nobody::2 nobody::3 and 1 more: `forall corpus stats` \
                lists them These entries stay in the corpus";
    let said = run();
    assert!(unwrapped(&said).contains(told), "{said}");
    let said = workspace.forall(&["corpus", "rename", "corpus", "shop::nothing", "x"]);
    let told = "has no entries of `shop::nothing`; it has entries of";
    assert!(said.starts_with("exit code 2") && unwrapped(&said).contains(told), "{said}");
}
