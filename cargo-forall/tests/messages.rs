//! Messages that a user meets on a command line that is wrong, and the help of commands that other tests do not ask: pinned, all of them.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use support::{Workspace, unwrapped};

#[test]
fn wrong_arguments_are_told_with_what_to_write() {
    let workspace = Workspace::new("wrong", &["plain"]);
    let mut said = String::new();
    for arguments in [
        &["run", "--tests", "many"][..],
        &["run", "--tests", "0"],
        &["run", "--seed", "0xg"],
        &["run", "--seed", "-1"],
        &["run", "--for", "0s"],
        &["run", "--for", "soon"],
        &["run", "--threads", "0"],
        &["run", "--shard", "3"],
        &["run", "--shard", "0/3"],
        &["run", "--shard", "auto/x"],
        &["fuzz", "--execs", "0"],
        &["fuzz", "--timeout", "0s"],
        &["run", "--corpus", "", "--for", "1s"],
        &["sample"],
        &["write", "round-trip", "one"],
        &["completions", "tcsh"],
        &["corpus"],
        &["futhark"],
        &["futhark", "test"],
        &["futhark", "test", "no-such-folder"],
        &["report", "--tests", "1", "--for", "1s"],
        &["frobnicate"],
    ] {
        said += &format!("$ forall {}\n{}\n", arguments.join(" "), workspace.forall(arguments));
    }
    assert_snapshot!("wrong_arguments", said);
}

#[test]
fn a_word_to_each_command() {
    let workspace = Workspace::new("helped", &[]);
    for (name, arguments) in [
        ("help_fuzz", &["fuzz", "--help"][..]),
        ("help_instrumented", &["instrumented", "--help"]),
        ("help_corpus", &["corpus", "--help"]),
        ("help_futhark", &["futhark", "--help"]),
        ("help_futhark_test", &["futhark", "test", "--help"]),
        ("help_futhark_sample", &["futhark", "sample", "--help"]),
    ] {
        assert_snapshot!(name, workspace.forall(arguments));
    }
}

#[test]
fn where_there_is_nothing_to_test_the_next_step_is_named() {
    let workspace = Workspace::new("nothing", &[]);
    std::fs::remove_file(workspace.path("Cargo.toml")).unwrap();
    // Above the folder there is a workspace of our own.
    let outside = std::env::temp_dir().join(format!("forall-nothing-{}", std::process::id()));
    std::fs::create_dir_all(&outside).unwrap();
    let said = workspace.said(workspace.command(&["run"]).current_dir(&outside).output().unwrap());
    std::fs::remove_dir_all(&outside).unwrap();
    assert_snapshot!("no_package", unwrapped(&said).replace(&*outside.to_string_lossy(), "[folder]"));
    // Without cargo.
    let said = workspace.said(workspace.command(&["list"]).env("CARGO", "/no/such/cargo").output().unwrap());
    assert_snapshot!("no_cargo", unwrapped(&said));
}

const DISCARDS: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn few_are_left(#[forall(range(0..100_000u32).filter(|n| *n % 500 == 7))] n: u32) {
        assert!(n % 500 == 7);
    }

    #[forall::test]
    fn none_is_left(#[forall(range(0..100_000u32).filter(|n| *n > 200_000))] n: u32) {
        assert!(n > 200_000);
    }

    #[forall::test]
    #[example(7)]
    fn not_seven(n: u8) {
        assert!(n != 7);
    }

    #[forall::test]
    fn slow_to_shrink(n: u64) {
        assert!(n < 1000);
    }

    #[forall::test]
    fn many_rows(n: u16) {
        tabulate!("row", n);
        cover!(5.0, n > 9, "large");
    }
}
"#;

#[test]
fn what_commands_say_of_properties_that_are_odd() {
    let workspace = Workspace::new("odd", &["shop"]);
    workspace.write("shop/src/lib.rs", DISCARDS);
    let some = workspace.forall(&["sample", "few_are_left", "--seed", "7"]);
    assert!(some.contains(" would be discarded by the property"), "{some}");
    assert_snapshot!("sample_none", workspace.forall(&["sample", "none_is_left", "--seed", "7"]));
    assert_snapshot!("explain_example", workspace.forall(&["explain", "not_seven", "--seed", "7"]));
    let bench = unwrapped(&workspace.forall(&["bench", "slow_to_shrink"]));
    let (_, told) = bench.split_once("making it small took").unwrap_or_else(|| panic!("{bench}"));
    assert_snapshot!("bench_failing", told);
    let bench = workspace.forall(&["bench", "few_are_left", "--tests", "1000"]);
    assert!(bench.ends_with("    built without optimisation; --release measures what you ship\n"), "{bench}");
    workspace.forall(&["run", "slow_to_shrink", "--seed", "7"]);
    assert_snapshot!("explain_kept", workspace.forall(&["explain", "slow_to_shrink"]));
    assert_snapshot!("run_many_rows", workspace.forall(&["run", "many_rows", "--seed", "7"]));
    let mut kept = std::fs::read_dir(workspace.path("shop/.forall")).unwrap().flatten().map(|entry| entry.path());
    let kept = kept.find(|path| path.to_string_lossy().contains("slow_to_shrink")).unwrap();
    let case = std::fs::read_dir(kept).unwrap().flatten().next().unwrap().path();
    let said = workspace.forall(&["replay", "many_rows", &case.to_string_lossy()]);
    assert_snapshot!("replay_of_another", unwrapped(&said));
    // What was committed and cannot be read any more.
    workspace.forall(&["review", "--keep"]);
    let regressions = std::fs::read_dir(workspace.path("shop/forall-regressions")).unwrap();
    for folder in regressions.flatten() {
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            std::fs::write(file.path(), "scribble").unwrap();
        }
    }
    assert_snapshot!("damaged_regression", unwrapped(&workspace.forall(&["run", "slow_to_shrink", "--seed", "7"])));
}
