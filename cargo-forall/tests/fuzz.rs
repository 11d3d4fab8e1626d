//! `forall fuzz` as a user meets it, on a crate of its own (`tests/fuzzed/`).
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The crate, in a place where it can be built. It stays there, so that the next time it is built already.
fn fuzzed() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzzed");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = format!(
            "[package]\nname = \"fuzzed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dev-dependencies]\nforall = {{ path = \
             {:?} }}\n\n[workspace]\n",
            here.join("../forall").canonicalize().unwrap()
        );
        write(&directory.join("Cargo.toml"), manifest.as_bytes());
        // The versions of dependencies that are already downloaded, so that nothing is fetched.
        write(&directory.join("Cargo.lock"), &fs::read(here.join("../Cargo.lock")).unwrap());
        for file in ["src/lib.rs", "src/guarded.rs", "src/maze.rs", "tests/guards.rs", "tests/ends.rs", "tests/demonstration.rs"] {
            write(&directory.join(file), &fs::read(here.join("tests/fuzzed").join(file)).unwrap());
        }
        directory
    })
}

/// Writes a file only if its contents change, so that builds stay valid.
fn write(path: &Path, content: &[u8]) {
    if fs::read(path).is_ok_and(|found| found == content) || path.ends_with("Cargo.lock") && path.exists() {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A store for one test.
struct Store(PathBuf);

impl Store {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{name}"));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// The files under it with this extension.
    fn files(&self, extension: &str) -> Vec<PathBuf> {
        fn walk(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, extension, found);
                } else if path.extension().is_some_and(|other| other == extension) {
                    found.push(path);
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.0, extension, &mut found);
        found
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(fuzzed()).env("FORALL_STORE", &self.0).env("CARGO_NET_OFFLINE", "true");
        command.env_remove("CARGO_TARGET_DIR").env_remove("RUST_BACKTRACE");
        command
    }

    fn fuzz(&self, arguments: &[&str]) -> Output {
        let arguments = [&["fuzz", "--dev"], arguments].concat();
        self.command(env!("CARGO_BIN_EXE_forall"), &arguments).output().unwrap()
    }

    fn cargo_test(&self, arguments: &[&str]) -> Output {
        let arguments = [&["test"], arguments].concat();
        self.command("cargo", &arguments).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[ignore = "slow: 20 s"]
fn a_counterexample_is_found_shown_and_replayed_by_cargo_test() {
    let store = Store::new("found");
    let output = store.fuzz(&["one_number", "--execs", "10000", "--seed", "1"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("let x: u32 = 3735928559;"), "{text}");
    assert!(text.contains("`cargo test -p fuzzed one_number_is_not_found` replays it"), "{text}");
    assert_eq!(store.files("case").len(), 1);

    let replayed = store.cargo_test(&["--test", "guards", "one_number"]);
    let text = String::from_utf8_lossy(&replayed.stdout);
    assert!(!replayed.status.success());
    assert!(text.contains("on a saved failure") && text.contains("3735928559"), "{text}");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_search_has_a_process_per_core_and_ends_with_its_first_counterexample() {
    let store = Store::new("cores");
    let output = store.fuzz(&["one_number", "--jobs", "2", "--for", "60s"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("let x: u32 = 3735928559;").count(), 1, "{text}");
    // A process that fails at the same time is stopped, and leaves its own case.
    assert!((1..=2).contains(&store.files("case").len()), "{text}");
    let processes = store.0.with_extension("processes");
    let _ = fs::remove_dir_all(&processes);
    fs::create_dir_all(&processes).unwrap();
    let mut command =
        store.command(env!("CARGO_BIN_EXE_forall"), &["fuzz", "--dev", "leaves_a_file", "--for", "2s", "--jobs", "3"]);
    let output = command.env("PROCESSES", &processes).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(fs::read_dir(&processes).unwrap().count(), 3);
}

#[test]
#[ignore = "slow: 20 s"]
fn every_guard_is_passed() {
    for guard in ["magic_prefix", "checksum", "keyword", "nested", "printed", "maze"] {
        let store = Store::new(guard);
        let output = store.fuzz(&[guard, "--execs", "400000", "--seed", "1"]);
        assert_eq!(output.status.code(), Some(1), "{guard}: {}", said(&output));
    }
}

#[test]
#[ignore = "slow: 20 s"]
fn the_same_seed_finds_the_same_after_as_many_executions() {
    let runs = [1, 2].map(|run| {
        let output = Store::new(&format!("seed-{run}")).fuzz(&["nested", "--execs", "200000", "--seed", "1"]);
        let text = said(&output);
        let line = text.lines().find(|line| line.starts_with("forall: found after"));
        let line = line.unwrap_or_else(|| panic!("{text}")).to_owned();
        // Without the time.
        line.split(" executions").next().unwrap().to_owned()
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
#[ignore = "slow: 20 s"]
fn a_crashing_input_is_saved_and_shrunk() {
    for (property, how) in [("aborts", "SIGABRT"), ("overflows_its_stack", "SIGABRT"), ("hangs", "exceeded its limit")]
    {
        let store = Store::new(property);
        let output = store.fuzz(&[property, "--timeout", "1s", "--for", "60s"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let ended = text.lines().find(|line| line.starts_with("forall: the campaign ended: "));
        assert!(text.contains("let x: u16 = 999;") && ended.is_some_and(|line| line.contains(how)), "{text}");
        assert_eq!(store.files("case").len(), 1, "{text}");
    }
    let store = Store::new("aborts-on-many");
    let text = said(&store.fuzz(&["aborts_on_many", "--for", "60s", "--seed", "31"]));
    assert!(text.contains("vec![0, 100, 0]") && text.contains("SIGABRT"), "{text}");
    assert!(text.contains("by the `coverage` runner, test ") && text.contains(", seed 0x1f\n"), "{text}");
    assert_eq!(store.files("case").len(), 1, "{text}");
    let store = Store::new("aborts-again");
    assert_eq!(store.fuzz(&["aborts"]).status.code(), Some(1));
    let replayed = store.cargo_test(&["--test", "ends", "aborts"]);
    assert!(said(&replayed).contains("signal: 6"), "the find is replayed: {}", said(&replayed));
    let again = store.fuzz(&["aborts"]);
    let told =
        "forall: a saved counterexample still fails: killed by SIGABRT: abort, or a stack overflow. Fix it first\n";
    assert!(said(&again).contains(told), "{}", said(&again));
}

#[test]
#[ignore = "slow: 20 s"]
fn a_failure_that_is_not_saved_has_no_replay_claim() {
    let store = Store::new("not-kept");
    for (property, execs) in [("one_number", "10000"), ("aborts_on_many", "100000")] {
        let arguments = ["fuzz", "--dev", property, "--execs", execs, "--seed", "1"];
        let mut command = store.command(env!("CARGO_BIN_EXE_forall"), &arguments);
        let output = command.env("FORALL_STORE", "off").output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let told = "forall: not saved (the store is off or read-only); rerun it with the `replay:` command above";
        assert!(text.contains(told) && !text.contains("replays it"), "{text}");
        assert!(text.contains("replay:   FORALL_DO='replay "), "{text}");
    }
}

#[test]
#[ignore = "slow: 20 s"]
fn should_panic_properties_are_skipped() {
    let store = Store::new("to-fail");
    let alone = store.fuzz(&["is_to_fail", "--execs", "100"]);
    assert_eq!(alone.status.code(), Some(2), "{}", said(&alone));
    assert!(
        said(&alone).contains("skipping ends::is_to_fail: it is expected to panic (#[should_panic])"),
        "{}",
        said(&alone)
    );
    // All of them.
    let both = store.fuzz(&["s::", "--test", "ends", "--for", "1ms", "--execs", "1"]);
    assert!(
        said(&both).contains("skipping ends::is_to_fail: it is expected to panic (#[should_panic])"),
        "{}",
        said(&both)
    );
    assert!(said(&both).contains("fuzzing ends::passes"), "{}", said(&both));
    assert!(!said(&both).contains("fuzzing ends::is_to_fail"), "{}", said(&both));
}

#[test]
#[ignore = "slow: 20 s"]
fn an_ambiguous_or_unknown_name_lists_candidates() {
    let store = Store::new("names");
    let none = store.fuzz(&["one_nubmer"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(said(&none).contains("no property matches `one_nubmer`"), "{}", said(&none));
    assert!(said(&none).contains("guards::one_number_is_not_found  (tests/guards.rs:5)"), "{}", said(&none));
    let several = store.fuzz(&["is_not_found"]);
    assert_eq!(several.status.code(), Some(2));
    assert!(
        said(&several).contains("several properties match") && said(&several).contains("guards::keyword_is_not_found")
    );
    let elsewhere = store.fuzz(&["one_number", "--test", "ends"]);
    assert!(said(&elsewhere).contains("no property matches"), "{}", said(&elsewhere));
}

#[test]
#[ignore = "slow: 20 s"]
fn a_corpus_is_reused_and_invalid_files_are_skipped() {
    let store = Store::new("corpus");
    let first = store.fuzz(&["branches", "--execs", "20000", "--seed", "1"]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let seeds = store.files("seed");
    assert!(seeds.len() > 3, "{}", said(&first));
    let folder = seeds[0].parent().unwrap();
    let whole = fs::read(&seeds[0]).unwrap();
    fs::write(folder.join("cut.seed"), &whole[..whole.len() - 3]).unwrap();
    fs::write(folder.join("garbage.seed"), [0xff; 100]).unwrap();
    fs::File::create(folder.join("huge.seed")).unwrap().set_len(1 << 33).unwrap();

    let second = store.fuzz(&["branches", "--execs", "10", "--seed", "2"]);
    let text = said(&second);
    assert_eq!(second.status.code(), Some(0), "{text}");
    for name in ["cut.seed", "garbage.seed", "huge.seed"] {
        assert_eq!(text.matches(name).count(), 1, "{text}");
    }
    let kept: u64 = text.split("corpus ").last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(kept > 3 && kept <= seeds.len() as u64 + 10, "it begins with what was known: {text}");
}

#[test]
#[ignore = "slow: 20 s"]
fn values_of_features_are_coverage() {
    let store = Store::new("features");
    let output = store.fuzz(&["announces", "--execs", "5000", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // The property has no branches.
    assert!(store.files("seed").len() >= 16, "{}", said(&output));
}

#[test]
#[ignore = "slow: 20 s"]
fn minimise_removes_redundant_inputs_from_the_local_corpus() {
    let store = Store::new("minimise");
    let nothing = store.fuzz(&["branches", "--minimise"]);
    assert_eq!(nothing.status.code(), Some(0), "{}", said(&nothing));
    let hint = "the local corpus has no inputs of these properties; `forall fuzz PROPERTY` collects some";
    assert!(said(&nothing).contains(hint), "{}", said(&nothing));

    let first = store.fuzz(&["branches", "--execs", "20000", "--seed", "1"]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let before = store.files("seed").len();
    let minimise = || {
        let output = store.fuzz(&["branches", "--minimise"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}{}", said(&output));
        text
    };
    let text = minimise();
    let after = store.files("seed").len();
    assert!(after > 3 && after < before, "{before} {after}");
    assert!(text.contains(&format!("{after} of {before} inputs left")), "{text}");
    assert!(minimise().contains(&format!("{after} of {after} inputs left")), "nothing is left to remove");
}

#[test]
#[ignore = "slow: 20 s"]
fn a_campaign_ends_when_its_time_is_up() {
    let output = Store::new("time").fuzz(&["passes", "--for", "500ms"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("forall: nothing found. searching") && text.contains(" executions, "), "{text}");
    assert!(!text.contains("warning"), "{text}");
}

#[test]
#[ignore = "slow: 20 s"]
fn two_campaigns_share_a_corpus() {
    let store = Store::new("two");
    assert!(store.fuzz(&["branches", "--execs", "1"]).status.success(), "it is built");
    let campaigns = ["1", "2"].map(|seed| {
        let arguments = ["fuzz", "--dev", "branches", "--execs", "20000", "--seed", seed];
        let mut command = store.command(env!("CARGO_BIN_EXE_forall"), &arguments);
        command.stderr(Stdio::piped()).spawn().unwrap()
    });
    for campaign in campaigns {
        let output = campaign.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let after = store.fuzz(&["branches", "--execs", "1"]);
    assert!(!said(&after).contains("skipped entry"), "all of its files are whole: {}", said(&after));
}

#[test]
#[ignore = "slow: 20 s"]
fn workers_share_inputs_through_a_corpus() {
    let (one, two) = (Store::new("worker-one"), Store::new("worker-two"));
    let corpus = Store::new("worker-corpus");
    let address = corpus.0.to_str().unwrap();
    assert!(one.fuzz(&["branches", "--execs", "1"]).status.success(), "it is built");
    let arguments = ["fuzz", "--dev", "branches", "--shard", "2/2", "--corpus", address];
    let mut command = two.command(env!("CARGO_BIN_EXE_forall"), &arguments);
    let waiting = command.process_group(0).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let learnt = one.fuzz(&["branches", "--execs", "3000", "--shard", "1/2", "--corpus", address]);
    assert_eq!(learnt.status.code(), Some(0), "{}", said(&learnt));
    let names = |files: Vec<PathBuf>| -> std::collections::BTreeSet<_> {
        files.into_iter().map(|path| path.file_name().unwrap().to_owned()).collect()
    };
    let of_one = names(one.files("seed"));
    assert!(of_one.len() > 3);
    let began = Instant::now();
    while !of_one.is_subset(&names(two.files("seed"))) {
        assert!(began.elapsed() < Duration::from_secs(60), "what one has learnt does not come to the other");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(kill("-INT", &format!("-{}", waiting.id())));
    let stopped = waiting.wait_with_output().unwrap();
    assert!(said(&stopped).contains("shard 2/2") && !said(&stopped).contains("warning"), "{}", said(&stopped));

    // The other worker receives the failure as well.
    let found = one.fuzz(&["one_number", "--execs", "10000", "--shard", "1/2", "--corpus", address]);
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let again = two.fuzz(&["one_number", "--execs", "1", "--shard", "2/2", "--corpus", address]);
    assert!(said(&again).contains("on a saved failure"), "{}", said(&again));
    let of_kind = |kind: &str| corpus.files("case").iter().filter(|path| path.to_string_lossy().contains(kind)).count();
    assert_eq!(of_kind("/failures/"), 1);

    let stats = one.command(env!("CARGO_BIN_EXE_forall"), &["corpus", "stats", address]).output().unwrap();
    let stats = String::from_utf8_lossy(&stats.stdout).into_owned();
    assert!(stats.contains("ends::branches\n    2 workers, ") && stats.contains(" edges, "), "{stats}");
    assert!(stats.contains("guards::one_number_is_not_found  1 counterexample"), "{stats}");

    // Fewer inputs that reach as much.
    let before = of_kind("/seeds/ends-branches");
    let minimised =
        one.command(env!("CARGO_BIN_EXE_forall"), &["corpus", "minimise", "--dev", address]).output().unwrap();
    let text = String::from_utf8_lossy(&minimised.stdout).into_owned();
    let after = of_kind("/seeds/ends-branches");
    assert!(text.contains(&format!("ends::branches  {after} of {before} inputs left")), "{text}{}", said(&minimised));
    assert!(text.contains("guards::one_number_is_not_found  1 of 1 counterexample"), "{text}");
    assert!(after < before && after > 0, "{text}");
    let edges = |store: &Store| -> u64 {
        let text = said(&store.fuzz(&["branches", "--execs", "1", "--corpus", address]));
        text.split(" of ").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
    };
    assert_eq!(edges(&Store::new("worker-three")), edges(&one), "{text}");
}

/// Starts a campaign without an end, in a process group of its own, and waits until its corpus has something.
fn endless(store: &Store) -> Child {
    assert!(store.fuzz(&["branches", "--execs", "1"]).status.success(), "it is built");
    let mut command = store.command(env!("CARGO_BIN_EXE_forall"), &["fuzz", "--dev", "branches"]);
    let campaign = command.process_group(0).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while store.files("seed").len() < 4 {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing comes");
        std::thread::sleep(Duration::from_millis(20));
    }
    campaign
}

fn kill(signal: &str, whom: &str) -> bool {
    Command::new("kill").args([signal, "--", whom]).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
#[ignore = "slow: 20 s"]
fn ctrl_c_ends_a_campaign_and_loses_nothing() {
    let store = Store::new("interrupted");
    let campaign = endless(&store);
    let group = format!("-{}", campaign.id());
    assert!(kill("-INT", &group));
    const SIGINT: i32 = 2;
    let output = campaign.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(SIGINT));
    let text = said(&output);
    assert!(text.contains("forall: stopped. searching") && text.contains(" executions, "), "{text}");
    let after = store.fuzz(&["branches", "--execs", "1"]);
    assert!(!said(&after).contains("skipped entry") && store.files("seed").len() >= 4, "{}", said(&after));
}

#[test]
#[ignore = "slow: 20 s"]
fn the_fuzzing_process_dies_with_the_tool() {
    let store = Store::new("orphan");
    let mut campaign = endless(&store);
    let group = format!("-{}", campaign.id());
    campaign.kill().unwrap();
    campaign.wait().unwrap();
    let started = Instant::now();
    while kill("-0", &group) {
        assert!(started.elapsed() < Duration::from_secs(20), "the test program goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "slow: 20 s"]
fn an_uninstrumented_program_prints_the_build_command() {
    let store = Store::new("uninstrumented");
    let mut command = store.command("cargo", &["test", "--test", "guards", "one_number", "--", "--nocapture"]);
    let output = command.env("FORALL_DO", "fuzz guards::one_number_is_not_found").output().unwrap();
    assert!(!output.status.success());
    assert!(said(&output).contains("built without instrumentation") && said(&output).contains("cargo forall fuzz"));
    let output =
        store.command("cargo", &["test", "--test", "guards", "one_number"]).env("FORALL_RUNNER", "coverage").output();
    let text = String::from_utf8_lossy(&output.as_ref().unwrap().stdout).into_owned();
    assert!(text.contains("built without instrumentation"), "{text}");
}

#[test]
#[ignore = "slow: 90 s"]
fn any_command_of_cargo_can_be_run_with_instrumentation_and_guards_are_passed_soon() {
    let store = Store::new("instrumented");
    let arguments = ["instrumented", "test", "--test", "demonstration", "guards_are", "--", "--ignored", "--nocapture"];
    let output = store.command(env!("CARGO_BIN_EXE_forall"), &arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", said(&output));
    assert_eq!(text.matches("demonstration ").count(), 4, "{text}");
}

#[test]
#[ignore = "slow: 20 s"]
fn a_test_can_enable_coverage_itself() {
    let store = Store::new("runner");
    let arguments = ["instrumented", "test", "--test", "guards", "magic_prefix", "--", "--test-threads=1"];
    let mut command = store.command(env!("CARGO_BIN_EXE_forall"), &arguments);
    let output = command.env("FORALL_RUNNER", "coverage").env("FORALL_TESTS", "20000").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success());
    assert!(text.contains("127, 69, 76, 70"), "the magic was found: {text}{}", said(&output));
}

#[test]
fn help_texts_are_pinned() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-forall")).args(["forall", "fuzz", "--help"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    for wanted in ["--for <TIME>", "target/forall-fuzz", ".forall/corpus", "Exit codes", "cargo test"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_forall")).args(["fuzz", "--for", "soon"]).output().unwrap();
    assert!(said(&output).contains("use 200ms, 30s, 5m or 1h"), "{}", said(&output));
}
