//! The commands for a counterexample: `forall replay`, `explain`, `review`; and `sample`, `bench` and `completions`.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use support::{Workspace, has, unwrapped};

/// A workspace in which a counterexample was found.
fn with_a_find(name: &str) -> Workspace {
    let workspace = Workspace::new(name, &["shop"]);
    let said = workspace.forall(&["run", "more_pieces", "--seed", "7"]);
    assert!(said.starts_with("exit code 1"), "{said}");
    workspace
}

/// The only counterexample of a workspace, as a file.
fn the_find(workspace: &Workspace) -> Option<std::path::PathBuf> {
    let store = fs::read_dir(workspace.path("shop/.forall")).into_iter().flatten().flatten();
    let folders = store.filter(|entry| entry.path().is_dir());
    folders.flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten()).map(|file| file.path()).next()
}

fn answering(workspace: &Workspace, arguments: &[&str], answers: &str) -> String {
    let mut command = workspace.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may end before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    workspace.said(child.wait_with_output().unwrap())
}

#[test]
fn a_counterexample_is_replayed_from_the_store_from_a_file_and_from_a_report() {
    let workspace = with_a_find("in a für $HOME folder");
    let stored = workspace.forall(&["replay", "more_pieces"]);
    assert_snapshot!("replay_stored", stored);
    let path = the_find(&workspace).unwrap();
    let from_file = workspace.forall(&["replay", "more_pieces", path.to_str().unwrap()]);
    assert!(from_file.starts_with("exit code 1") && from_file.contains("let pieces: u32 = 99;"), "{from_file}");
    let text = fs::read_to_string(&path).unwrap();
    let case = text.lines().find_map(|line| line.strip_prefix("case ")).unwrap();
    let pasted = format!("FORALL_DO='replay shop::tests::more_pieces_cost_more {case}' cargo test more_pieces");
    let from_report = workspace.forall(&["replay", &pasted]);
    assert_eq!(from_report, from_file);
    // Repaired, it passes.
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("pieces >= 100", "false"));
    assert_snapshot!("replay_repaired", workspace.forall(&["replay", "more_pieces", case]));
    let on_threads = workspace.forall(&["replay", &pasted.replace("' cargo", "' FORALL_BESIDE=2 cargo")]);
    assert!(on_threads.contains("\nThis input no longer fails on 2 threads at once.\n"), "{on_threads}");
    assert_snapshot!("replay_nothing", workspace.forall(&["replay", "nothing_costs"]));
    assert_snapshot!("replay_nonsense", workspace.forall(&["replay", "more_pieces", "2-banana"]));
    let other = workspace.forall(&["replay", "nothing_costs", path.to_str().unwrap()]);
    let refused = "is an input of shop::tests::more_pieces_cost_more, not of";
    assert!(unwrapped(&other).contains(refused), "{other}");
}

#[test]
fn values_are_shown_after_each_step_of_a_shrinker() {
    let workspace = Workspace::new("steps", &["shop"]);
    workspace.forall(&["run", "baskets", "--seed", "7"]);
    let said = workspace.forall(&["replay", "baskets"]);
    assert!(said.contains("as it was generated:\n    basket: Basket = Basket {"), "{said}");
    assert!(said.contains("after step 1 of "), "{said}");
}

#[test]
fn explain_prints_how_a_counterexample_was_shrunk() {
    let workspace = Workspace::new("explain", &["shop"]);
    assert_snapshot!("explain_found", workspace.forall(&["explain", "more_pieces", "--seed", "7"]));
    let steps = |said: &str| said.split_once("how it was shrunk:").unwrap().1.to_owned();
    let first = workspace.forall(&["run", "baskets", "--seed", "7"]);
    assert!(first.starts_with("exit code 1"), "{first}");
    // Replaying it records nothing that replaces the steps.
    workspace.forall(&["run", "more_pieces", "--seed", "7"]);
    let kept = workspace.forall(&["explain", "more_pieces"]);
    assert!(kept.contains("on a saved failure"), "{kept}");
    assert!(steps(&kept).contains("simplest parts        pieces = 99, each = 1"), "{kept}");
    let by_run = workspace.forall(&["explain", "baskets"]);
    assert!(by_run.contains("on a saved failure") && steps(&by_run).contains(" in [number] runs"), "{by_run}");
    fs::remove_file(workspace.path("shop/.forall/results.jsonl")).unwrap();
    let without = workspace.forall(&["explain", "more_pieces"]);
    assert!(without.contains("only `cargo forall` records the shrink steps"), "{without}");
    assert_snapshot!("explain_passing", workspace.forall(&["explain", "nothing_costs"]));
}

#[test]
fn a_failure_is_committed_as_a_regression() {
    let workspace = with_a_find("keep");
    assert_snapshot!("review_asks", answering(&workspace, &["review"], "what?\nk\n"));
    assert_eq!(the_find(&workspace), None);
    let kept = fs::read_dir(workspace.path("shop/forall-regressions")).unwrap().count();
    assert_eq!(kept, 1);
    let listed = workspace.forall(&["list", "more_pieces"]);
    assert!(listed.contains("1 committed regression"), "{listed}");
    assert!(workspace.forall(&["run", "more_pieces"]).contains("on a saved failure"));
    assert_snapshot!("review_nothing", workspace.forall(&["review"]));
}

#[test]
fn a_failure_is_inserted_as_an_example_if_it_compiles() {
    let workspace = with_a_find("example");
    assert_snapshot!("review_example", workspace.forall(&["review", "--example"]));
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    assert!(source.contains("    #[forall::test]\n    #[example(99, 1)]\n    fn more_pieces_cost_more("), "{source}");
    assert_eq!(the_find(&workspace), None);
    assert!(workspace.forall(&["run", "more_pieces"]).contains("on example 1"));
    workspace.forall(&["run", "tokens", "--seed", "7"]);
    let refused = workspace.forall(&["review", "tokens", "--example"]);
    assert!(refused.starts_with("exit code 2"), "{refused}");
    let advice = "forall: with #[example(<token 10>)] the tests do not build, so shop/src/lib.rs was restored.";
    assert!(refused.contains(advice), "{refused}");
    assert_eq!(fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap(), source);
    assert!(the_find(&workspace).is_some());
    // Who is asked is not offered it.
    let asked = answering(&workspace, &["review", "tokens"], "e\ns\n");
    assert!(asked.contains("    [k]eep, [d]rop, [s]kip, [q]uit? "), "{asked}");
    assert!(asked.contains("    Its values are not code, so it cannot be written into the source.\n"), "{asked}");
}

/// Each of these fails, and none may get the example of another.
const LINES: &str = "\
#[forall::test] fn aa(x: u32) { assert!(x < 100) }
#[forall::test] fn bb(x: u32) { assert!(x < 200) }
#[forall::test] fn cc(x: u32) { assert!(x < 300) } #[forall::test] fn dd(x: u32) { assert!(x < 400) }

#[forall::test(tests = 500)]
fn ee(x: u32) {
    assert!(x < 500)
}
";

#[test]
fn several_failures_in_one_file_are_each_inserted_at_their_function() {
    for (name, answers) in [("examples", None), ("examples-asked", Some("e\ne\ne\ne\ne\n"))] {
        let workspace = Workspace::new(name, &["shop"]);
        workspace.write("shop/tests/lines.rs", LINES);
        workspace.forall(&["run", "lines::", "--seed", "7"]);
        let said = match answers {
            None => workspace.forall(&["review", "--example", "lines::"]),
            Some(answers) => answering(&workspace, &["review", "lines::"], answers),
        };
        assert!(said.starts_with("exit code 0"), "{said}");
        let mut expected = LINES.replace("#[forall::test] fn", "#[forall::test]\n#[example()] fn");
        expected = expected.replace("500)]\nfn", "500)]\n#[example(500)]\nfn");
        for value in ["100", "200", "300", "400"] {
            expected = expected.replacen("example()", &format!("example({value})"), 1);
        }
        assert_eq!(fs::read_to_string(workspace.path("shop/tests/lines.rs")).unwrap(), expected);
        assert_eq!(the_find(&workspace), None);
    }
}

#[test]
fn values_in_saved_files_are_never_inserted_into_the_source() {
    let workspace = with_a_find("untrusted");
    let path = the_find(&workspace).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("| 99\n"), "{text}");
    fs::write(&path, text.replace("| 99\n", "| { std::process::abort(); 99 }\n")).unwrap();
    let said = workspace.forall(&["review", "--example"]);
    assert!(said.contains("with this build's values"), "{said}");
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    assert!(source.contains("#[example(99, 1)]") && !source.contains("process::abort(); 99"), "{source}");
}

#[test]
fn a_failure_is_deleted_or_skipped() {
    let workspace = with_a_find("drop");
    assert!(answering(&workspace, &["review"], "s\n").contains("skipped"));
    assert!(answering(&workspace, &["review"], "q\n").starts_with("exit code 0"));
    assert_snapshot!("review_without_input", answering(&workspace, &["review"], ""));
    assert!(the_find(&workspace).is_some());
    assert!(workspace.forall(&["review", "--drop"]).contains("dropped"));
    assert_eq!(the_find(&workspace), None);
}

#[test]
fn saved_failures_of_a_renamed_property_are_reported() {
    let workspace = with_a_find("renamed");
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("fn more_pieces_cost_more(", "fn more_costs_more("));
    // The path may be long: however the lines are broken.
    let said = unwrapped(&workspace.forall(&["review"]));
    assert_snapshot!("review_renamed", said);
    assert!(unwrapped(&workspace.forall(&["list"])).ends_with(said.split_once("forall: warning: ").unwrap().1));
    assert!(!workspace.forall(&["list", "--lib"]).contains("warning"), "it may be in tests that are not selected");
    let blank = workspace.command(&["review"]).env("FORALL_STORE", " .forall ").output().unwrap();
    assert_eq!(unwrapped(&workspace.said(blank)), said, "blanks are trimmed");
    let text = fs::read_to_string(the_find(&workspace).unwrap()).unwrap();
    for number in 1..=4 {
        let other = text.replace("::more_pieces_cost_more", &format!("::gone_{number}"));
        workspace.write(&format!("shop/.forall/gone_{number}/0.case"), &other);
    }
    let said = unwrapped(&workspace.forall(&["review"]));
    assert_eq!(said.matches("which is not a property of these tests").count(), 3, "{said}");
    let others = "forall: warning: 2 more properties in [workspace]/shop/.forall have saved counterexamples but are not in these tests";
    assert!(said.ends_with(others), "{said}");
}

#[test]
fn review_in_a_terminal_shows_source_and_keys_and_ignores_earlier_input() {
    if !has("review_in_a_terminal_shows_source_and_keys_and_ignores_earlier_input", "script") {
        return;
    }
    let workspace = with_a_find("typed");
    // As in a terminal: the user types while the tests are built.
    let forall = workspace.command(&["review"]);
    let mut terminal = Command::new("script");
    terminal
        .env("TERM", "xterm")
        .arg("-qec")
        .arg(format!("{} review", forall.get_program().display()))
        .arg("/dev/null");
    for (name, value) in forall.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    let directory = forall.get_current_dir().unwrap();
    let mut review = terminal.current_dir(directory).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut keys, mut screen) = (review.stdin.take().unwrap(), review.stdout.take().unwrap());
    keys.write_all(b"d\n").unwrap();
    let (mut said, mut byte) = (Vec::new(), [0]);
    let shows = |said: &[u8], text: &str| String::from_utf8_lossy(said).contains(text);
    while !shows(&said, "stop here") && screen.read(&mut byte).unwrap() == 1 {
        said.push(byte[0]);
    }
    for part in ["fn more_pieces_cost_more(", "pieces: u32 = 99", "write it into the source"] {
        assert!(shows(&said, part), "{part}: {}", String::from_utf8_lossy(&said));
    }
    // One key is an answer.
    keys.write_all(b"q").unwrap();
    screen.read_to_end(&mut said).unwrap();
    assert!(review.wait().unwrap().success());
    assert!(the_find(&workspace).is_some(), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn sample_prints_generated_values() {
    let workspace = Workspace::new("sample", &["shop"]);
    assert_snapshot!("sample", workspace.forall(&["sample", "more_pieces", "-n", "4", "--seed", "7"]));
    assert_snapshot!("sample_verbose", workspace.forall(&["sample", "baskets", "-n", "2", "--seed", "7", "--verbose"]));
    assert_snapshot!("sample_which", workspace.forall(&["sample"]));
}

#[test]
fn speed_is_measured_with_where_the_time_goes() {
    let workspace = Workspace::new("bench", &["shop"]);
    let said = workspace.forall(&["bench", "nothing_costs", "--tests", "5000"]);
    let start = "exit code 0\nshop::tests::nothing_costs_nothing  [speed] tests per second (5,000 tests in [time])\n    generating";
    assert!(said.starts_with(start) && said.contains("checking") && said.contains("--release"), "{said}");
    let failing = workspace.forall(&["bench", "more_pieces", "--tests", "5000"]);
    assert!(failing.starts_with("exit code 1") && failing.contains("shrinking took [time] for"), "{failing}");
    assert!(failing.contains("FAILED shop::tests::more_pieces_cost_more") && !failing.contains("FLAKY"), "{failing}");
    assert!(failing.contains("`forall run shop::tests::more_pieces_cost_more`"), "{failing}");
    assert_eq!(the_find(&workspace), None, "nothing is kept");
}

#[test]
fn shells_complete_command_lines() {
    let workspace = Workspace::new("completions", &["plain"]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = workspace.forall(&["completions", shell]);
        assert!(
            said.starts_with("exit code 0") && said.contains("explain") && said.contains("seed"),
            "{shell}: {said}"
        );
    }
    let said = workspace.forall(&["completions", "bash"]);
    workspace.write("forall.bash", said.strip_prefix("exit code 0\n").unwrap());
    let script = "source forall.bash; COMP_WORDS=(cargo forall ru); COMP_CWORD=2; _cargo_forall cargo ru forall; echo \"${COMPREPLY[@]}\"";
    let output =
        std::process::Command::new("bash").args(["-c", script]).current_dir(workspace.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "run\n", "{}", String::from_utf8_lossy(&output.stderr));
    // In zsh, the completion of cargo calls `_cargo-forall`.
    if has("shells_complete_command_lines", "zsh") {
        let said = workspace.forall(&["completions", "zsh"]);
        workspace.write("_forall", said.strip_prefix("exit code 0\n").unwrap());
        let script = "compdef() { : }; source ./_forall; _forall() { print $CURRENT $words }; words=(cargo forall ru); CURRENT=3; _cargo-forall; \
                      words=(forall ru); CURRENT=2; _cargo-forall";
        let output = Command::new("zsh").args(["-fc", script]).current_dir(workspace.path("")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "2 forall ru\n2 forall ru\n", "{errors}");
    }
}

#[test]
fn help_texts_are_pinned() {
    let workspace = Workspace::new("help-more", &["plain"]);
    for command in ["replay", "sample", "explain", "review", "bench", "completions"] {
        assert_snapshot!(format!("help_{command}"), workspace.forall(&[command, "--help"]));
    }
}
