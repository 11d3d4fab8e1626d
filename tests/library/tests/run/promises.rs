//! The promises of the library, each as a test. (The store's own tests are in `store/`.)

use forall::choice::Source;
use forall::generate::{any, vec};
use forall::property::{Empty, Property, Telescope};
use forall::run::{Event, Found, Identity, Observer, Report, Run, Settings, Store, Verdict};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn settings(store: &Path) -> Settings {
    Settings::new().seed(1).store(Store::Directory(store.to_owned()))
}

fn run(property: &dyn Property, settings: Settings) -> Report {
    promise(property).settings(settings).report()
}

/// A run of a property that is known by its name alone: in these tests it changes, as it does from build to build.
fn promise(property: &dyn Property) -> Run<'_> {
    Run::named(Identity::new("promise"), property)
}

fn shown(report: &Report) -> String {
    let found = report.counterexample.as_ref().expect("a counterexample");
    let texts: Vec<_> = found.bindings.iter().filter_map(|binding| binding.printed.debug.clone()).collect();
    texts.join(", ")
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.path().extension().is_some_and(|extension| extension == "case") {
            found.push(entry.path());
        }
    }
    found
}

/// Runs this test binary again for one of the `child_…` tests below.
fn child(test: &str, store: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("promises::{test}"), "--nocapture", "--ignored", "--test-threads=1"]);
    command.env("PROMISE_STORE", store).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn child_store() -> PathBuf {
    PathBuf::from(std::env::var_os("PROMISE_STORE").expect("run by its parent"))
}

/// Fails for vectors that sum to more than 1000, and takes its time about it.
fn slow_sum(pause: Duration) -> impl Property {
    Empty.forall("xs", |(), s| s.draw(vec(any::<u16>()))).check(move |(xs, ())| {
        std::thread::sleep(pause);
        xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 1000
    })
}

struct SayWhenKept;

impl Observer for SayWhenKept {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Shrunk { evaluations, .. } = event {
            println!("shrunk {evaluations}");
            if std::env::var_os("PROMISE_STAYS").is_some() {
                std::thread::sleep(Duration::from_secs(600));
            }
        }
    }
}

#[test]
#[ignore = "run by its parent"]
fn child_that_is_killed_while_shrinking() {
    let stays = std::env::var_os("PROMISE_STAYS").is_some();
    let property = slow_sum(Duration::from_millis(if stays { 0 } else { 2 }));
    Run::new("promise", &property).settings(settings(&child_store())).observer(&mut SayWhenKept).report();
    println!("done");
}

#[test]
fn a_failure_survives_kill_minus_nine_at_any_point_of_shrinking() {
    for round in 0..12 {
        let scratch = forall::scratch_dir().unwrap();
        let mut process = child("child_that_is_killed_while_shrinking", &scratch).spawn().unwrap();
        // The first "shrunk" comes after the failure was kept; after that, any moment is as good as any other.
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let begun = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("shrunk")));
        assert!(begun.is_some(), "the child found no failure");
        std::thread::sleep(Duration::from_millis(round * 7));
        process.kill().unwrap();
        process.wait().unwrap();

        assert!(!files(&scratch).is_empty(), "round {round}: nothing was kept");
        let report = run(&slow_sum(Duration::ZERO), settings(&scratch));
        assert_eq!(report.verdict, Verdict::Failed);
        let found = report.counterexample.unwrap().found;
        assert!(matches!(found, Found::Stored(_)), "round {round}: it was not replayed but {found:?}");
    }
}

#[test]
fn the_next_run_replays_the_failure_first() {
    #[derive(Default)]
    struct Replays(Vec<String>);
    impl Observer for Replays {
        fn event(&mut self, event: &Event<'_>) {
            if let Event::Replayed { outcome, .. } = event {
                self.0.push(outcome.to_string());
            }
        }
    }
    let scratch = forall::scratch_dir().unwrap();
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    let first = run(&property, settings(&scratch));
    assert!(first.counterexample.as_ref().unwrap().stored.is_some());
    assert_eq!(files(&scratch).len(), 1, "the improvements replaced each other");

    let mut replays = Replays::default();
    let again = promise(&property).settings(settings(&scratch).seed(99)).observer(&mut replays).report();
    assert!(replays.0.len() == 1 && replays.0[0].ends_with("still fails"), "{:?}", replays.0);
    assert_eq!(shown(&again), "1000");
    assert_eq!(again.statistics.valid, 0, "nothing was generated");

    let repaired = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| true);
    let mut replays = Replays::default();
    promise(&repaired).settings(settings(&scratch)).observer(&mut replays).report();
    assert!(replays.0[0].ends_with("no longer fails; it was deleted"), "{:?}", replays.0);
    assert!(files(&scratch).is_empty());
}

#[test]
fn a_changed_generator_is_reported() {
    let scratch = forall::scratch_dir().unwrap();
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    run(&property, settings(&scratch));
    let changed = Empty.forall("n", |(), s| s.draw(any::<u16>())).check(|(n, ())| *n < u16::MAX);
    let report = run(&changed, settings(&scratch).tests(10));
    let warning = report.warnings.first().expect("a warning");
    assert!(
        warning.to_string().contains("The generator has changed") && warning.to_string().contains("n = 1000"),
        "{warning}"
    );
    assert_eq!(files(&scratch).len(), 1, "it may be another branch, and is left alone");
    assert_eq!(run(&property, settings(&scratch)).verdict, Verdict::Failed, "back on the old one, it is tried first");
}

#[test]
fn a_generator_that_produces_the_same_value_from_other_choices_counts_as_unchanged() {
    let scratch = forall::scratch_dir().unwrap();
    let wide = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    run(&wide, settings(&scratch));
    let narrow = Empty.forall("n", |(), s| s.draw(0..2_000_000u64)).check(|(n, ())| *n < 1000);
    let report = run(&narrow, settings(&scratch));
    assert!(matches!(report.counterexample.as_ref().unwrap().found, Found::Stored(_)));
    assert_eq!((shown(&report).as_str(), &report.warnings[..]), ("1000", &[][..]));

    // Here they make another value, and that fails.
    let shifted = Empty.forall("n", |(), s| s.draw(5000..2_000_000u64)).check(|(n, ())| *n < 1000);
    let report = run(&shifted, settings(&scratch));
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    assert!(report.warnings[0].to_string().contains("produced n = 1000 then"), "{:?}", report.warnings);
    assert!(!report.warnings[0].to_string().contains("delete"), "it was replaced: {:?}", report.warnings);
    assert_eq!(shown(&report), "5000");
}

#[test]
fn a_case_shrunk_on_values_is_saved_and_replayed_by_its_path() {
    let scratch = forall::scratch_dir().unwrap();
    let property = Empty
        .forall("n", |(), s| s.draw(any::<u64>()) | 1)
        .shrink(|(), n| Box::new([n / 3, n / 2, n.saturating_sub(1)].into_iter()))
        .check(|(n, ())| *n < 1000);
    let report = run(&property, settings(&scratch));
    // 1000 is even: no choices make it.
    assert_eq!(shown(&report), "1000");
    assert!(!report.counterexample.unwrap().case.steps.is_empty());
    let again = run(&property, settings(&scratch).seed(2));
    assert_eq!(shown(&again), "1000");
    assert!(matches!(again.counterexample.unwrap().found, Found::Stored(_)));
}

#[test]
fn two_replays_are_equal_byte_by_byte() {
    let scratch = forall::scratch_dir().unwrap();
    let property = slow_sum(Duration::ZERO);
    run(&property, settings(&scratch));
    let stored = files(&scratch).remove(0);
    let bytes = std::fs::read(&stored).unwrap();
    let replayed: Vec<_> = (0..2)
        .map(|seed| {
            let report = run(&property, settings(&scratch).seed(seed).read_only(true));
            let found = report.counterexample.unwrap();
            (found.case.to_text(), found.bindings, found.failure)
        })
        .collect();
    assert_eq!(replayed[0], replayed[1]);
    assert_eq!(std::fs::read(&stored).unwrap(), bytes);
}

#[test]
fn read_only_writes_nothing() {
    let scratch = forall::scratch_dir().unwrap();
    let property = slow_sum(Duration::ZERO);
    let report = run(&property, settings(&scratch).read_only(true));
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
    assert_eq!(report.counterexample.unwrap().stored, None);
}

#[test]
fn a_directory_that_cannot_be_written_is_one_warning() {
    let scratch = forall::scratch_dir().unwrap();
    let file = scratch.join("a file, not a directory");
    std::fs::write(&file, "").unwrap();
    let report = run(&slow_sum(Duration::ZERO), settings(&file));
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    assert!(report.warnings[0].to_string().contains("move it;"), "{:?}", report.warnings);
}

#[test]
fn hostile_files_are_reported_and_change_nothing() {
    let scratch = forall::scratch_dir().unwrap();
    let property = slow_sum(Duration::ZERO);
    run(&property, settings(&scratch));
    let folder = files(&scratch)[0].parent().unwrap().to_owned();
    let bytes = [&b"forall 1\n"[..], b"\xff\xfe\x00", b"forall 999\n"];
    for i in 0..998 {
        std::fs::write(folder.join(format!("{i:016x}.case")), bytes[i % 3]).unwrap();
    }
    std::fs::write(folder.join(format!("{:016x}.case", 998)), [b'a'; 100_000]).unwrap();
    let report = run(&property, settings(&scratch));
    assert_eq!(report.verdict, Verdict::Failed);
    assert!(matches!(report.counterexample.as_ref().unwrap().found, Found::Stored(_)));
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert!(warning.to_string().contains("and 998 more"), "{warning}");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_prints_its_cases() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<i64>())))
        .forall("n", |_, s| (s.size(), s.draw(any::<u8>())))
        .check(|(n, (xs, ()))| println!("case {n:?} {xs:?}"));
    run(&property, settings(&child_store()));
}

#[test]
fn the_same_seed_gives_the_same_cases_in_two_processes_at_once() {
    let scratch = forall::scratch_dir().unwrap();
    let processes: Vec<_> = (0..2).map(|_| child("child_that_prints_its_cases", &scratch).spawn().unwrap()).collect();
    let cases: Vec<Vec<String>> = processes
        .into_iter()
        .map(|process| {
            let output = String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap();
            // The harness begins the first line.
            output.lines().filter_map(|line| line.split_once("case ").map(|(_, case)| case.to_owned())).collect()
        })
        .collect();
    assert_eq!(cases[0].len(), 256);
    assert_eq!(cases[0], cases[1]);
}

#[test]
#[ignore = "run by its parent"]
fn child_that_exits() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if *n > 1000 {
            std::process::exit(0)
        }
    });
    run(&property, settings(&child_store()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_exits_the_process_is_named() {
    let scratch = forall::scratch_dir().unwrap();
    let output = child("child_that_exits", &scratch).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("of property `promise`"), "{said}");
    assert!(said.contains("seed 0x1"), "{said}");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_hangs() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if *n > 1000 {
            std::thread::sleep(Duration::from_secs(60));
        }
    });
    run(&property, settings(&child_store()));
}

#[test]
#[ignore = "slow: 10 s"]
fn a_test_that_hangs_is_named_while_it_runs() {
    let scratch = forall::scratch_dir().unwrap();
    let mut process = child("child_that_hangs", &scratch).spawn().unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let said = lines.find_map(|line| line.ok().filter(|line| line.contains("has been running test")));
    process.kill().unwrap();
    process.wait().unwrap();
    let said = said.expect("the hanging test is named");
    assert!(said.contains("promise") && said.contains("seed 0x1"), "{said}");
}

#[test]
fn rejecting_everything_takes_bounded_time() {
    let property = Empty
        .forall("n", |(), s: &mut Source| {
            s.reject();
            s.draw(any::<u64>())
        })
        .check(|_| true);
    let scratch = forall::scratch_dir().unwrap();
    assert!(matches!(run(&property, settings(&scratch)).verdict, Verdict::GaveUp(_)));
}

#[test]
fn a_stored_minimum_is_shown_at_once() {
    let scratch = forall::scratch_dir().unwrap();
    let evaluations = std::cell::Cell::new(0);
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u16>()))).check(|(xs, ())| {
        evaluations.set(evaluations.get() + 1);
        xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 1000
    });
    run(&property, settings(&scratch));
    evaluations.set(0);
    let report = run(&property, settings(&scratch));
    let explaining = report.counterexample.unwrap().explanation.evaluations;
    assert_eq!(report.verdict, Verdict::Failed);
    // The replay, the explanation with its timed runs, and the final run, which is repeated because it is fast.
    let shown = evaluations.get() - 1 - explaining;
    assert!((1..=110).contains(&shown), "{shown}");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_commits_a_regression() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    Run::new("promise", &property).test();
}

#[test]
fn one_command_turns_a_saved_failure_into_a_regression_that_is_replayed_first() {
    let scratch = forall::scratch_dir().unwrap();
    let command = |request: &str| {
        let mut command = child("child_that_commits_a_regression", &scratch);
        let output = command.env("CARGO_MANIFEST_DIR", &scratch).env("FORALL_DO", request).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert!(!command("keep promise").0, "nothing to keep yet");
    assert!(!command("").0, "the property fails");
    assert_eq!(files(&scratch.join(".forall")).len(), 1);
    let (success, said) = command("keep promise");
    assert!(success && said.contains("forall: saved as"), "{said}");
    assert!(files(&scratch.join(".forall")).is_empty());
    assert_eq!(files(&scratch.join("forall-regressions")).len(), 1);
    let (success, said) = command("");
    assert!(!success && said.contains("saved: "), "{said}");
}

/// Whether a tool is there. If not, the test is skipped, which is a failure where tools are required.
fn has_tool(test: &str, tool: &str) -> bool {
    let there = Command::new(tool).arg("-V").output().is_ok_and(|output| output.status.success());
    if !there {
        println!("SKIPPED {test}: {tool} is not installed");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{tool} is required");
    }
    there
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_written_outside_the_store_and_nothing_is_sent() {
    if !has_tool("nothing_is_written_outside_the_store_and_nothing_is_sent", "strace") {
        return;
    }
    let scratch = forall::scratch_dir().unwrap();
    let trace = scratch.join("trace");
    let plain = child("child_that_is_killed_while_shrinking", &scratch.join("store"));
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-e", "trace=%file,%network", "-o"]).arg(&trace).arg(plain.get_program());
    traced.args(plain.get_args()).env("PROMISE_STORE", scratch.join("store"));
    assert!(traced.output().unwrap().status.success());

    let trace = std::fs::read_to_string(trace).unwrap();
    let store = scratch.join("store").display().to_string();
    let writes = |line: &&str| {
        ["O_WRONLY", "O_RDWR", "O_CREAT", "rename", "unlink", "mkdir"].iter().any(|word| line.contains(word))
    };
    let inside = trace.lines().filter(writes).filter(|line| line.contains(&store)).count();
    assert!(inside > 5, "the failure was kept: {inside}");
    let outside: Vec<_> = trace.lines().filter(writes).filter(|line| !line.contains(&store)).collect();
    assert!(outside.is_empty(), "{outside:#?}");
    let sent: Vec<_> = trace.lines().filter(|line| line.contains("socket(") || line.contains("connect(")).collect();
    assert!(sent.is_empty(), "{sent:#?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_exits_the_process_does_not_look_like_one_that_passed() {
    let scratch = forall::scratch_dir().unwrap();
    let status = child("child_that_exits", &scratch).output().unwrap().status;
    assert_eq!(status.code(), Some(101));
}

#[test]
fn another_bug_found_while_shrinking_is_shrunk_reported_and_saved() {
    let scratch = forall::scratch_dir().unwrap();
    let two_bugs = |first_is_repaired: bool| {
        Empty.forall("n", |(), s| s.draw(100_000..10_000_000usize)).check(move |(n, ())| {
            assert!(first_is_repaired || *n < 1_000_000, "the first bug");
            assert!(*n >= 200_000, "the second bug");
        })
    };
    let report = run(&two_bugs(false), settings(&scratch).seed(3));
    let found = report.counterexample.as_ref().unwrap();
    assert_eq!((found.failure.message.as_str(), shown(&report).as_str()), ("the first bug", "1000000"));
    let [other] = &found.others[..] else { panic!("{:?}", found.others) };
    assert_eq!((other.failure.message.as_str(), other.bindings[0].printed.text()), ("the second bug", "100000"));
    assert_eq!((&other.found, files(&scratch).len()), (&Found::WhileShrinking, 2));
    let text = forall::report::render(&report, &forall::report::Style::plain());
    assert!(text.contains("\nalso:     the second bug at ") && text.contains("(n = 100000)\n"), "{text}");
    let text = forall::report::render(&report, &forall::report::Style::plain().verbose(true));
    let (_, another) = text.split_once("ANOTHER FAILURE").expect("it is shown");
    assert!(another.contains("the second bug") && another.contains(&other.case.to_text()), "{text}");
    let report = run(&two_bugs(true), settings(&scratch).tests(1).seed(3));
    let found = report.counterexample.as_ref().expect("the second bug is tried first now");
    assert!(matches!(found.found, Found::Stored(_)));
    assert_eq!((found.failure.message.as_str(), shown(&report).as_str()), ("the second bug", "100000"));
}

/// Fails for large numbers, and for small ones it ends the process, as an allocation does that cannot be served.
fn dies_when_small() -> impl Property {
    Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if *n == 0 && forall::context().seed() == 7 {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 1 << 30]>());
        }
        *n < 1000
    })
}

#[test]
#[ignore = "run by its parent"]
fn child_that_dies_while_shrinking() {
    // Not by trying 0 first, which random tests do.
    let settings = settings(&child_store()).seed(7).size(100);
    run(&dies_when_small(), settings);
}

#[test]
fn a_case_that_crashes_each_time_it_is_shrunk_is_finally_reported_unshrunk() {
    let scratch = forall::scratch_dir().unwrap();
    // Once may have been Ctrl-C: shrinking goes on. The third time it is given up.
    for _ in 0..3 {
        let status = child("child_that_dies_while_shrinking", &scratch).output().unwrap().status;
        assert!(!status.success());
        assert_eq!(files(&scratch).len(), 1, "it was kept before");
    }
    let report = run(&dies_when_small(), settings(&scratch).seed(7));
    let found = report.counterexample.as_ref().unwrap();
    assert!(matches!(found.found, Found::Stored(_)), "{:?}", found.found);
    assert_eq!((&report.verdict, found.shrinking.evaluations), (&Verdict::Failed, 0));
    assert!(report.warnings[0].to_string().contains("while the saved failure"), "{:?}", report.warnings);
    // The next run shrinks it again.
    let report = run(&dies_when_small(), settings(&scratch).seed(8));
    assert_eq!(shown(&report), "1000");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_ends_at_a_candidate() {
    let at: u32 = std::env::var("PROMISE_CANDIDATE").unwrap().parse().unwrap();
    let (first, candidates) = (std::cell::Cell::new(None), std::cell::Cell::new(0));
    // Only the first input fails, so there is no progress.
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if *n < 1000 || first.get() == Some(*n) {
            return *n < 1000;
        }
        if first.get().is_none() {
            first.set(Some(*n));
            return false;
        }
        candidates.set(candidates.get() + 1);
        if candidates.get() == at {
            std::process::abort();
        }
        true
    });
    run(&property, settings(&child_store()).size(100));
}

#[test]
#[cfg(unix)]
fn a_case_is_shrunk_again_after_its_process_was_killed_at_any_input() {
    let scratch = forall::scratch_dir().unwrap();
    for candidate in ["3", "4", "5", "7"] {
        let ended = child("child_that_ends_at_a_candidate", &scratch).env("PROMISE_CANDIDATE", candidate).output();
        assert!(!ended.unwrap().status.success(), "candidate {candidate}");
    }
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    let report = run(&property, settings(&scratch));
    let found = report.counterexample.as_ref().unwrap();
    assert!(matches!(found.found, Found::Stored(_)), "{:?}", found.found);
    assert!(report.warnings[0].to_string().contains("The process ended 4 times while"), "{:?}", report.warnings);
    assert_eq!(shown(&report), "1000");
    let left: Vec<_> = std::fs::read_dir(files(&scratch)[0].parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "only the case: {left:?}");
}

#[test]
fn four_processes_at_once_all_shrink_the_same_failure() {
    let scratch = forall::scratch_dir().unwrap();
    let mut processes = Vec::new();
    for number in 1..=4 {
        let mut process = child("child_that_is_killed_while_shrinking", &scratch);
        // At work until all have begun.
        let mut process = process.env("PROMISE_STAYS", "1").spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // The harness begins the first line.
        let begun = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("shrunk ")));
        processes.push((process, lines));
        assert!(begun.is_some(), "process {number} did not shrink");
    }
    for (mut process, _) in processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

#[test]
#[ignore = "run by its parent"]
fn child_that_works_in_a_crowd() {
    let report = run(&slow_sum(Duration::from_micros(700)), settings(&child_store()));
    let refuses = |warning: &forall::run::Fact| warning.to_string().contains("without shrinking");
    let outcome = match report.warnings.iter().find(|warning| refuses(warning)) {
        Some(warning) => format!("refused: {warning:?}\n"),
        None => format!("{:?} {}\n", report.verdict, shown(&report)),
    };
    let log = std::env::var_os("PROMISE_LOG").unwrap();
    let mut log = std::fs::File::options().append(true).create(true).open(log).unwrap();
    std::io::Write::write_all(&mut log, outcome.as_bytes()).unwrap();
}

#[test]
#[ignore = "slow: 20 s"]
fn a_crowd_of_processes_that_are_killed_at_random_shrinks_and_loses_nothing() {
    const PROCESSES: usize = 64;
    let scratch = forall::scratch_dir().unwrap();
    let (store, log) = (scratch.join("store"), scratch.join("log"));
    let start = || {
        let mut process = child("child_that_works_in_a_crowd", &store);
        process.env("PROMISE_LOG", &log).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut crowd: Vec<_> = (0..PROCESSES).map(|_| start()).collect();
    let (until, mut random, mut was_saved) = (std::time::Instant::now() + Duration::from_secs(12), 1u64, false);
    while std::time::Instant::now() < until {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let process = &mut crowd[(random >> 33) as usize % PROCESSES];
        process.kill().unwrap();
        process.wait().unwrap();
        *process = start();
        std::thread::sleep(Duration::from_millis(random >> 59));
        // A listing may miss a file that is replaced meanwhile.
        let is_lost = was_saved && (0..10).all(|_| files(&store).is_empty());
        assert!(!is_lost, "the failure was lost");
        was_saved |= !files(&store).is_empty();
    }
    for process in &mut crowd {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let ended = std::fs::read_to_string(log).unwrap_or_default();
    assert!(!ended.contains("refused"), "{ended}");
    assert!(ended.lines().all(|line| line == "Failed [1001]"), "{ended}");
    let report = run(&slow_sum(Duration::ZERO), settings(&store));
    assert!(matches!(report.counterexample.as_ref().unwrap().found, Found::Stored(_)));
    assert_eq!(shown(&report), "[1001]");
    let unreadable = |warning: &forall::run::Fact| warning.to_string().contains("cannot be read");
    assert!(!report.warnings.iter().any(unreadable), "{:?}", report.warnings);
}

#[test]
fn a_saved_failure_stays_if_its_replay_is_discarded_or_invalid() {
    let scratch = forall::scratch_dir().unwrap();
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    run(&property, settings(&scratch));
    let broken = Empty.forall("n", |(), s| s.draw(any::<u64>())).contract(|(n, ())| *n < 10).check(|_| true);
    assert!(matches!(run(&broken, settings(&scratch)).verdict, Verdict::Faulty(_)));
    assert_eq!(files(&scratch).len(), 1);
    let assuming = Empty.forall("n", |(), s| s.draw(any::<u64>())).implies(|(n, ())| *n < 1000).check(|_| true);
    let report = run(&assuming, settings(&scratch));
    assert!(
        report.warnings.iter().any(|warning| warning.to_string().contains("is discarded now")),
        "{:?}",
        report.warnings
    );
    assert_eq!(files(&scratch).len(), 1);
}

#[test]
#[ignore = "run by its parent"]
fn child_that_panics_while_it_unwinds() {
    struct Fragile;
    impl Drop for Fragile {
        fn drop(&mut self) {
            panic!("the second panic");
        }
    }
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        let _fragile = Fragile;
        assert!(*n == 0, "the first panic");
        std::mem::forget(_fragile);
    });
    run(&property, settings(&child_store()).seed(7));
}

#[test]
fn a_test_that_panics_while_it_unwinds_is_named_before_the_process_ends() {
    let scratch = forall::scratch_dir().unwrap();
    let output = child("child_that_panics_while_it_unwinds", &scratch).output().unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    for part in ["seed 0x7", "the first panic", "the second panic"] {
        assert!(text.contains(part), "{text}");
    }
}
