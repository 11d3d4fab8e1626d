//! `forall race` from a build to a replay, on the classical bugs of `examples/machines`.

use forall::store::{Backend, Directory};
use std::path::Path;
use std::process::{Command, Output};

const PACKAGE: &str = "forall-example-machines";

/// The bugs, the most commands of each, and the beginning of its message.
const BUGS: &[(&str, usize, &str)] = &[
    ("check_then_act", 6, "no order of the commands explains the responses"),
    ("two_state_flag", 3, "no order of the commands explains the responses"),
    ("aba", 5, "no order of the commands explains the responses"),
    ("lock_order", 2, "deadlock: every thread waits"),
    ("lost_wake_up", 2, "deadlock: every thread waits"),
    ("double_checked", 2, "no order of the commands explains the responses"),
];

/// Code that is hard to schedule, the exit code, and what is reported about it.
const AWKWARD: &[(&str, i32, &str)] = &[
    ("a_loop_without_end", 1, "the system hangs"),
    ("a_loop_that_stores_without_end", 1, "a command does not end"),
    ("a_spin_lock", 0, PASSED),
    ("a_spin_lock_that_is_never_released", 1, "a command does not end"),
    ("a_wait_for_the_clock", 0, PASSED),
    ("a_signal_handler", 0, PASSED),
    ("a_child_process", 0, PASSED),
    ("a_fork", 0, PASSED),
    ("a_panic_with_a_lock_held", 1, "two were here"),
    ("a_thread_that_outlives_the_test", 0, PASSED),
    ("a_thread_local_destructor", 0, PASSED),
    ("a_library_without_hooks", 0, PASSED),
    ("a_pool_in_the_constructor", 0, "not fully controlled (a thread that was started before the branches)"),
    ("a_failure_that_does_not_repeat", 1, "FLAKY awkward::a_failure_that_does_not_repeat"),
    ("a_failure_that_does_not_repeat", 1, "scheduler controls the interleaving, so something else differs"),
    ("a_failure_that_nearly_always_repeats", 1, "FAILED awkward::a_failure_that_nearly_always_repeats"),
    ("many_branches", 0, PASSED),
    ("a_prefix_that_waits_for_ever", 1, "before the branches: deadlock: every thread waits"),
    ("a_prefix_that_waits_for_ever", 1, "the prefix in act() waits for a lock, a condition or a message"),
    ("clocks_that_go_forwards", 0, PASSED),
];

const PASSED: &str = "passed";

/// The number of properties of blocking code that the scheduler controls.
const BLOCKING: usize = 6;

fn race(arguments: &[&str]) -> Output {
    race_in("races", arguments)
}

fn race_in(program: &str, arguments: &[&str]) -> Output {
    race_with("off".as_ref(), program, arguments)
}

/// `forall race`, with saved failures in a directory.
fn race_with(store: &Path, program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forall"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.args(["race", "--dev", "-p", PACKAGE, "--test", program]).args(arguments);
    command.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    // Only the first report is checked.
    if program == "awkward" {
        command.env("FORALL_SHRINK_TIME", "1s").env("FORALL_EXPLAIN", "0");
    }
    command.env("FORALL_STORE", store).env("NO_COLOR", "1").env_remove("FORALL_SEED");
    command.output().unwrap()
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The words of a text, whose lines are wrapped.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The text of a report after this label.
fn after<'a>(text: &'a str, label: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default().trim()
}

#[test]
#[ignore = "slow: 120 s"]
fn classical_races_are_found_minimal_and_replay_exactly() {
    for (bug, most_commands, message) in BUGS {
        let text = shown(&race(&[bug, "--include-ignored", "--seed", "7"]));
        assert!(text.contains(&format!("FAILED races::{bug}")), "{text}");
        assert!(text.contains(message), "{text}");
        assert!(text.contains("examples/machines/src/races.rs:") || text.contains("src/races.rs:"), "no line: {text}");
        let program = text.split("vec![vec![").nth(1).and_then(|rest| rest.split("]]").next()).unwrap_or_default();
        assert!(program.matches("Spec::").count() <= *most_commands, "{text}");
        let replay = after(&text, "replay:");
        let input = replay.split('\'').nth(1).unwrap_or_else(|| panic!("the command is on one line: {text}"));
        // The suite `machines` replays it a hundred times.
        let again = race(&[bug, input]);
        assert_eq!(again.status.code(), Some(1), "{}", shown(&again));
        assert!(shown(&again).contains(message), "{}", shown(&again));
    }
}

/// Two of the bugs of `examples/races`, the most commands of each, and its message. The suite `machines` measures all of them.
const PUBLISHED: &[(&str, usize, &str)] = &[
    ("flume_shutdown", 3, "no order of the commands explains the responses"),
    ("once_failure", 2, "Encountered INCOMPLETE when polling Once"),
];

/// `forall race` in a package of `examples/races`. They share what is built: the library, and dependencies of one version.
fn race_published(package: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forall"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/races").join(package));
    command.args(["race", "--dev", "--test", "races", "--instrument", "all", "--include-ignored", "--seed", "7"]);
    command.args(arguments).env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("races"));
    command.env("FORALL_STORE", "off").env("FORALL_EXPLAIN", "0").env("NO_COLOR", "1").env_remove("FORALL_SEED");
    command.output().unwrap()
}

#[test]
#[ignore = "slow: 60 s"]
fn bugs_of_published_crates_are_found_minimal_and_their_repairs_pass() {
    for (bug, most_commands, message) in PUBLISHED {
        let bug = &format!("races::{bug}");
        let text = shown(&race_published("found", &[bug]));
        assert!(text.contains(&format!("FAILED {bug}")), "{text}");
        assert!(text.contains(message) && text.contains(" preemption"), "{text}");
        let program = text.split("Parallel::of(").nth(1).and_then(|rest| rest.split(");").next()).unwrap_or_default();
        // Each command is a function of its specification, as in `OneshotClose::send(0)`.
        assert!(program.matches("::").count() <= *most_commands, "{text}");
        let repaired = race_published("repaired", &[bug]);
        assert_eq!(repaired.status.code(), Some(0), "{}", shown(&repaired));
    }
    // One command after the other, all versions pass: the specifications fit the crates.
    for package in ["found", "repaired"] {
        let sequential = race_published(package, &["races::sequential::"]);
        assert_eq!(sequential.status.code(), Some(0), "{}", shown(&sequential));
    }
}

#[test]
#[ignore = "slow: 60 s"]
fn the_number_of_schedules_of_a_small_program_is_reported() {
    let text = shown(&race(&["small_program", "--verbose"]));
    assert!(text.contains("schedules with up to 2 preemptions at "), "{text}");
}

#[test]
#[ignore = "slow: 60 s"]
fn repaired_programs_pass_under_every_schedule() {
    let output = race(&["--seed", "7"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[test]
#[ignore = "slow: 60 s"]
fn the_same_seed_takes_as_many_tests_each_time() {
    let counted = |_| {
        let text = shown(&race(&["two_state_flag", "--include-ignored", "--seed", "3"]));
        after(&text, "found:").to_owned()
    };
    let [first, second] = [0, 1].map(counted);
    assert!(!first.is_empty());
    assert_eq!(first, second);
}

#[test]
#[ignore = "slow: 240 s"]
fn code_that_is_hard_to_schedule_ends_with_a_message() {
    for (property, code, message) in AWKWARD {
        let output =
            race_in("awkward", &[&format!("awkward::{property}::{property}"), "--include-ignored", "--seed", "7"]);
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(*code), "{property}: {text}");
        assert!(words(&text).contains(message), "{property}: {text}");
    }
    let text = shown(&race_in("awkward", &["awkward::uses_", "--include-ignored", "--seed", "7"]));
    assert_eq!(text.lines().filter(|line| line.starts_with("passed ")).count(), BLOCKING, "{text}");
    assert!(!text.contains("not controlled"), "{text}");
}

#[test]
#[ignore = "slow: 30 s"]
fn a_schedule_of_another_program_does_not_hang_the_replay() {
    let text = shown(&race(&["check_then_act", "--include-ignored", "--seed", "7"]));
    let input =
        after(&text, "replay:").split('\'').nth(1).unwrap_or_else(|| panic!("the command is on one line: {text}"));
    let output = race(&["checked_at_once", input]);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{}", shown(&output));
}

/// A plain `cargo test` of a property, which runs once.
fn plain_test(store: &Path, property: &str) -> String {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    // With the features of the whole workspace, it is built already.
    command.args(["test", "--workspace", "--test", "races", property, "--", "--include-ignored", "--nocapture"]);
    command.env("FORALL_STORE", store).env("FORALL_TESTS", "1").env("NO_COLOR", "1");
    shown(&command.output().unwrap())
}

#[test]
#[ignore = "slow: 60 s"]
fn a_saved_schedule_is_replayed_until_it_passes_under_the_scheduler() {
    const PROPERTY: &str = "races::two_state_flag";
    let store = &std::env::temp_dir().join(format!("forall-saved-schedule-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(store);
    let directory = Directory::new(store);
    let saved = |property: &str| directory.list(property, None).unwrap().ids;
    let found = shown(&race_with(store, "races", &[PROPERTY, "--seed", "7"]));
    let [id] = saved(PROPERTY)[..] else { panic!("one failure is saved: {found}") };
    let again = race_with(store, "races", &[PROPERTY, "--seed", "8"]);
    let text = shown(&again);
    assert!(again.status.code() == Some(1) && words(&text).contains("on a saved failure"), "{text}");
    assert_eq!(saved(PROPERTY), [id], "{text}");
    let plain = plain_test(store, "two_state_flag");
    assert!(words(&plain).contains("cargo forall race two_state_flag"), "{plain}");
    assert!(saved(PROPERTY).contains(&id), "{plain}");

    // The same schedule, of a program that has changed.
    const REPAIRED: &str = "races::one_state_flag";
    let mut entry = directory.fetch(PROPERTY, id).unwrap().unwrap();
    entry.property = REPAIRED.to_owned();
    directory.save(&entry).unwrap();
    let repaired = race_with(store, "races", &[REPAIRED, "--seed", "7"]);
    let text = shown(&repaired);
    assert_eq!(repaired.status.code(), Some(0), "{text}");
    assert!(words(&text).contains("generator has changed since the failure"), "{text}");
    std::fs::remove_dir_all(store).unwrap();
}

#[test]
fn an_archive_is_rejected() {
    let output = Command::new(env!("CARGO_BIN_EXE_forall")).args(["race", "--archive", "somewhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let expected = "archives have no build for `race`: run it where the sources are, without --archive";
    assert!(words(&shown(&output)).contains(expected), "{}", shown(&output));
}
