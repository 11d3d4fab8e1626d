//! Properties under forall's own runner: counterexamples, shrinking, and misbehaving servers.

use forall_futhark::blocks::Blocks;
use forall_futhark::client::{Connection, Error, Options, Server};
use forall_futhark::data::{Value, read_values};
use forall_futhark::properties::{Failure, Passed, Property, Rules, Settings, Stopped, run, sample, validate};
use forall_futhark::protocol::join;
use forall_futhark_tests::faults::{Part, Servers, Verdict, inject, place, servers_left, verdict};
use forall_futhark_tests::faulty::breaks_protocol;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_forall-futhark-tests");

fn start(program: &str) -> Result<Server, Error> {
    Server::start(SERVER, &Options::default().argument(program))
}

/// Starts a server that crashes when a hundred variables are live; servers of Futhark 0.25 crash beyond that.
fn crowded(program: &str) -> Result<Server, Error> {
    Server::start(SERVER, &Options::default().argument(program).argument("crowd").argument("99"))
}

/// Returns the property of a twin.
fn property(program: &str, name: &str) -> Property {
    let folder = if program == "extras" { "programs" } else { "recordings/programs" };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{folder}/{program}.fut"));
    let blocks = Blocks::parse(&std::fs::read_to_string(source).unwrap()).unwrap();
    let (properties, _) = validate(&start(program).unwrap(), &blocks, Rules::Ours, &|_| None).unwrap();
    properties.into_iter().find(|property| property.name == name).unwrap()
}

/// Returns settings that save counterexamples in a separate directory.
fn settings(name: &str, seed: u64) -> (Settings, PathBuf) {
    let directory = std::env::temp_dir().join(format!("forall-own-{}-{name}-{seed}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut settings = Settings::default();
    settings.seed = seed;
    settings.tests = 500;
    settings.program = directory.join("program");
    (settings, directory)
}

fn text(ended: Result<Passed, Stopped>) -> String {
    match ended {
        Err(Stopped::Failed(Failure { text, .. })) => text,
        Err(Stopped::Critical(why)) => panic!("critical: {why}"),
        Err(Stopped::Lost(error)) => panic!("lost: {error}"),
        Ok(_) => panic!("it passed"),
        Err(_) => panic!("another end"),
    }
}

#[test]
#[ignore = "slow: 20 s"]
fn counterexamples_are_minimal_for_every_seed() {
    let cases = [
        ("prop_auto_arrays", "short_i32", "[0i32, 0i32, 0i32, 0i32]\n  failed for all "),
        ("prop_auto_arrays", "floats64", "[1.0f64]"),
        ("prop_auto_arrays", "rank2_u16", "[[60000u16]]"),
        ("prop_auto_composite", "triple", "(0i32, [0u8, 0u8], false)"),
        ("prop_auto_composite", "nested", "{k = 0u16, outer = {flag = false, inner = 0i16}}"),
        ("prop_auto_composite", "tup_arr", "[(0i16, false)]"),
        ("prop_auto_prims", "p_u16", "60000u16"),
        ("prop_sum_gen", "convention", "#line 45i32"),
        ("prop_sum_nogen", "no_gen", "#b 0i32"),
        ("prop_gen_shrink", "gen_only", "10i32"),
        ("prop_gen_shrink", "shrink_only", "1000i32"),
        ("extras", "both_small", "5i32 [1u8, 1u8]"),
        ("extras", "both_small_by_tactics", "5i32 [1u8, 1u8]"),
        ("extras", "both_small_by_type", "5i32 [0u8, 0u8]"),
        ("extras", "stack_is_a_stack", "3 commands\n  1. #push 0i32\n  2. #push 1i32\n  3. #pop"),
    ];
    for (program, name, expected) in cases {
        let property = property(program, name);
        for seed in [1, 2, 3] {
            let (settings, directory) = settings(name, seed);
            let text = text(run(&|| crowded(program), &property, &settings));
            assert!(text.contains(&format!("\nCounterexample: {expected}")), "{name}, seed {seed}: {text}");
            assert!(!text.contains("The server was lost"), "{name}, seed {seed}: {text}");
            let kept = std::fs::read(settings.counterexample_file(name)).unwrap();
            assert!(!read_values(&mut &kept[..]).unwrap().is_empty(), "{name}");
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

#[test]
fn a_server_never_holds_a_hundred_variables() {
    for (program, name) in [("prop_pass", "rev_rev"), ("prop_pass", "sorted_gen"), ("extras", "short_or_long")] {
        let property = property(program, name);
        let (settings, directory) = settings(name, 5);
        let Ok(passed) = run(&|| crowded(program), &property, &settings) else { panic!("{name} failed") };
        assert_eq!((passed.tests, passed.notes.len()), (500, 0), "{name}");
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn a_run_time_error_in_a_later_round_does_not_discredit_the_server() {
    let property = property_without_source("rare", "rarely_divides");
    for seed in 0..8 {
        let (settings, directory) = settings("rare", seed);
        if let Err(stopped) = run(&|| start("rare"), &property, &settings) {
            let text = text(Err(stopped));
            assert!(text.contains("division by zero"), "seed {seed}: {text}");
            assert!(!text.contains("\nnote: "), "seed {seed}: {text}");
        }
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn a_shrinker_that_cycles_ends_and_is_reported() {
    let property = property("shrink_cycle", "circles");
    let (settings, directory) = settings("circles", 3);
    let text = text(run(&|| start("shrink_cycle"), &property, &settings));
    assert!(text.contains("\nnote: shrinker rotate3 cycles"), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn the_smaller_result_of_shrinker_and_generator_is_reported() {
    for (name, smallest) in [("upward", "128u8"), ("wander", "24000i16")] {
        let property = property("shrink_identity", name);
        let (settings, directory) = settings(name, 123);
        let text = text(run(&|| start("shrink_identity"), &property, &settings));
        assert!(text.contains(&format!("\nCounterexample: {smallest}\n")), "{text}");
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn an_identity_shrinker_is_reported_and_generators_stay_within_the_maximum_size() {
    let property = property("extras", "sizes_are_small");
    let (mut settings, directory) = settings("same", 1);
    settings.log = Some(directory.join("log"));
    let text = text(run(&|| start("extras"), &property, &settings));
    assert!(text.contains("\nCounterexample: 3i64\n"), "{text}");
    assert!(text.ends_with("\nnote: shrinker same returned its input every time, so it shrank nothing"), "{text}");
    let log = std::fs::read_to_string(directory.join("log")).unwrap();
    for line in log.lines() {
        let size = line.split_once("\"candidate\":\"").and_then(|(_, rest)| rest.split_once("i64")).unwrap().0;
        assert!((0..=5).contains(&size.parse::<i64>().unwrap()), "{line}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn the_saved_counterexample_is_the_reported_one() {
    let property = property("prop_auto_prims", "p_u16");
    let (settings, directory) = settings("kept", 7);
    let text = text(run(&|| start("prop_auto_prims"), &property, &settings));
    let kept = std::fs::read(settings.counterexample_file("p_u16")).unwrap();
    assert_eq!(read_values(&mut &kept[..]).unwrap(), [Value::scalar(60000u16)], "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn errors_of_a_generator_are_reported_with_size_and_seed() {
    let property = property("gen_crash", "always");
    let (settings, directory) = settings("always", 1);
    let text = text(run(&|| start("gen_crash"), &property, &settings));
    assert!(text.contains("generator bad with size=1 and seed=0 failed:\nError: division by zero"), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_failing_generator_is_reported_and_the_property_continues() {
    // The generator fails for one seed in eight; the property holds for all other candidates.
    let property = property("gen_crash", "sometimes");
    let (settings, directory) = settings("sometimes", 1);
    let text = text(run(&|| start("gen_crash"), &property, &settings));
    assert!(text.contains("generator picky with size=1 and seed=0 failed:\nError: Assertion is false"), "{text}");
    let went_on = "\nThe property continued with other sizes and seeds, and held for 500 candidates.";
    assert!(text.ends_with(went_on), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_counterexample_is_found_although_the_generator_fails_for_others() {
    let property = property("gen_crash", "later");
    let (settings, directory) = settings("later", 1);
    let text = text(run(&|| start("gen_crash"), &property, &settings));
    assert!(text.contains("\nCounterexample: (1i64, 0u64)"), "{text}");
    assert!(text.contains("\nnote: generator rarely with size="), "{text}");
    let others = " times; the property continued with other candidates.";
    assert!(text.contains("\n  This happened ") && text.ends_with(others), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
#[ignore = "slow: 12 s"]
fn discards_are_counted_and_too_few_valid_candidates_do_not_pass() {
    let even = property("extras", "halves_of_even_numbers");
    let (settings, directory) = settings("cond", 1);
    let failed = text(run(&|| start("extras"), &even, &settings));
    // The counterexample is formatted by the program's printer.
    assert!(failed.contains("\nCounterexample: four"), "{failed}");
    let never = property("extras", "never_counts");
    let gave_up = text(run(&|| start("extras"), &never, &settings));
    assert!(gave_up.contains("never_counts") && gave_up.contains("discarded"), "{gave_up}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn labels_are_counted_and_candidates_written_down() {
    let property = property("extras", "short_or_long");
    let (mut settings, directory) = settings("labels", 1);
    settings.tests = 50;
    settings.log = Some(directory.join("log"));
    let Ok(passed) = run(&|| start("extras"), &property, &settings) else { panic!("it failed") };
    let names: Vec<&str> = passed.labels.iter().map(|(label, _)| &**label).collect();
    assert!(names.contains(&"short") && names.contains(&"long"), "{names:?}");
    assert_eq!(passed.labels.iter().map(|(_, count)| count).sum::<u64>(), 50);
    let log = std::fs::read_to_string(directory.join("log")).unwrap();
    assert_eq!(log.lines().count(), 50, "{log}");
    assert!(log.starts_with("{\"property\":\"short_or_long\",\"candidate\":"), "{log}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn samples_are_values_of_the_generator() {
    let small = property("prop_gen_shrink", "gen_only");
    let (settings, directory) = settings("sample", 1);
    let samples = sample(&|| start("prop_gen_shrink"), &small, &settings, 20).unwrap();
    assert_eq!(samples.len(), 20);
    assert!(samples.iter().all(|text| text.strip_suffix("i32").unwrap().parse::<i32>().unwrap() <= 50), "{samples:?}");
    let shapes = property("extras", "shapes_are_small");
    let samples = sample(&|| start("extras"), &shapes, &settings, 30).unwrap();
    assert!(
        samples.iter().any(|text| text.starts_with("#circle "))
            && samples.iter().any(|text| text.starts_with("#square "))
    );
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn properties_that_hold_pass() {
    for name in ["rev_rev", "add_comm", "sorted_gen"] {
        let property = property("prop_pass", name);
        let (settings, directory) = settings(name, 1);
        assert!(run(&|| start("prop_pass"), &property, &settings).is_ok(), "{name}");
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn array_lengths_are_those_in_the_source() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/programs/prop_crash.fut");
    let property = property("prop_crash", "fixed_size").in_source(&std::fs::read_to_string(source).unwrap());
    let (settings, directory) = settings("fixed", 1);
    let text = text(run(&|| start("prop_crash"), &property, &settings));
    assert!(text.contains("\nCounterexample: [0i32, 1i32, 0i32]"), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
#[ignore = "slow: 20 s"]
fn unsupported_sizes_are_not_counterexamples() {
    // The length 3 is not declared anywhere.
    let property = property("prop_crash", "fixed_size");
    let (settings, directory) = settings("sizes", 1);
    let Err(Stopped::Failed(failure)) = run(&|| start("prop_crash"), &property, &settings) else { panic!() };
    // Some candidates have length 3 by chance, so one that fails may be found.
    let text = failure.text;
    let gave_up = "gave up: the sizes in its type are not supported; add a gen(..)";
    assert!(text.contains(gave_up) || text.contains("\nCounterexample: [0i32, 1i32, 0i32]"), "{text}");
    assert!(!text.contains("invalid sizes"), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn values_that_print_alike_are_distinguished() {
    let property = property("extras", "shown_alike");
    let (settings, directory) = settings("alike", 1);
    let text = text(run(&|| start("extras"), &property, &settings));
    // Where the machine is busy, candidates look slow, and a note says that few were tried.
    let report = text.split("\nnote: explanation limited to ").next().unwrap_or_default();
    assert!(report.ends_with("\nCounterexample: small"), "nothing is claimed of other values: {text}");
    let kept = std::fs::read(settings.counterexample_file("shown_alike")).unwrap();
    assert_eq!(read_values(&mut &kept[..]).unwrap(), [Value::scalar(50i32)]);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn floats_are_not_all_numbers() {
    for (name, expected) in [("is_a_finite_number", "f64.inf"), ("is_equal_to_itself", "f32.nan")] {
        let property = property("extras", name);
        let (settings, directory) = settings(name, 1);
        let text = text(run(&|| start("extras"), &property, &settings));
        assert!(text.contains(&format!("\nCounterexample: {expected}")), "{text}");
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn a_failure_shows_its_parts() {
    let (settings, directory) = settings("fields", 7);
    let ran = run(&|| start("prop_auto_prims"), &property("prop_auto_prims", "p_u16"), &settings);
    let Err(Stopped::Failed(failure)) = ran else { panic!() };
    assert_eq!((&*failure.property, &*failure.phase), ("p_u16", "property p_u16"));
    assert_eq!((failure.size, failure.seed, failure.counterexample.as_deref()), (50, 7, Some("60000u16")));
    let ran = run(&|| start("gen_crash"), &property("gen_crash", "always"), &settings);
    let Err(Stopped::Failed(failure)) = ran else { panic!() };
    assert_eq!(failure.phase, "generator bad with size=1 and seed=0");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn samples_that_the_condition_discards_are_marked() {
    let even = property("extras", "halves_of_even_numbers");
    let (settings, directory) = settings("marked", 1);
    let samples = sample(&|| start("extras"), &even, &settings, 40).unwrap();
    let discarded = samples.iter().filter(|text| text.ends_with("another (discarded by cond(is_even))")).count();
    assert!((1..40).contains(&discarded), "{samples:?}");
    std::fs::remove_dir_all(directory).unwrap();
}

/// Serialises the tests that inject faults: the first one checks for leftover servers.
static FAULTS: Mutex<()> = Mutex::new(());

/// Injects every fault at many positions: the run ends, the report names the activity, and the counterexample is saved.
/// `FUTHARK_FAULTS=1000` sets the number of faults.
#[test]
#[ignore = "slow: 60 s"]
fn no_fault_of_a_server_panics_or_hangs_the_client() {
    let _turn = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let all: u64 = std::env::var("FUTHARK_FAULTS").map_or(60, |faults| faults.parse().unwrap());
    for fault in 0..all {
        if let Err(wrong) = inject(SERVER, fault) {
            panic!("fault {fault}: {wrong}");
        }
    }
    // Servers of concurrent tests end with these tests.
    let began = Instant::now();
    while servers_left() > 0 {
        assert!(began.elapsed() < Duration::from_secs(600), "a server is left behind");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Programs and properties that fail in the recorded runs of `futhark test` must fail with any seed. `FUTHARK_SEEDS=10`
/// sets the number of seeds.
#[test]
#[ignore = "slow: 50 s"]
fn default_runs_fail_wherever_recorded_runs_do() {
    let seeds: u64 = std::env::var("FUTHARK_SEEDS").map_or(3, |seeds| seeds.parse().unwrap());
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    let (mut programs, mut properties) = (Vec::new(), 0);
    for name in forall_futhark_tests::TWINS {
        let Ok(recorded) = std::fs::read_to_string(recordings.join(format!("runs/{name}.out"))) else { continue };
        let first = recorded.split("$ futhark test ").nth(1).unwrap_or_default();
        if !first.lines().any(|line| line == "? 1") {
            continue;
        }
        programs.push(*name);
        // Some recorded runs fail without naming a property: at validation, by an error of the runner, by a time limit.
        let reports =
            first.lines().filter_map(|line| line.strip_prefix("| Property ")).filter(|line| line.contains(" failed"));
        let mut failed: Vec<&str> = reports.filter_map(|line| line.split(' ').next()).collect();
        failed.sort_unstable();
        failed.dedup();
        properties += failed.len();
        for seed in 0..seeds {
            let directory = std::env::temp_dir().join(format!("forall-default-{}-{name}-{seed}", std::process::id()));
            std::fs::create_dir_all(&directory).unwrap();
            let program = directory.join(format!("{name}.fut"));
            std::fs::copy(recordings.join(format!("programs/{name}.fut")), &program).unwrap();
            let mut options = forall_futhark::programs::Options::default();
            options.futhark = SERVER.to_owned();
            options.seed = seed;
            // As many candidates as by default. A busy machine may not explore at all within the default 250 ms, so only
            // the number of candidates ends the exploration here. The rest of the report does not matter.
            (options.shrink_time, options.extra_time) = (Some(Duration::ZERO), Duration::from_secs(60));
            let outcome = forall_futhark::programs::test_program(&program, &options);
            assert!(!outcome.failures.is_empty(), "{name}, seed {seed}: it passed");
            for property in &failed {
                let is_reported = outcome.failed.iter().any(|failure| failure.property == *property);
                assert!(is_reported, "{name}, seed {seed}: {property} did not fail\n{}", outcome.text());
            }
            std::fs::remove_dir_all(&directory).unwrap();
        }
    }
    let unnamed = [
        "gen_crash",
        "gen_crash_shrinking",
        "prop_sum_nogen",
        "shrink_crash_both",
        "shrink_cycle",
        "prop_bad_types",
        "faults",
        "io_cases",
    ];
    assert!(unnamed.iter().all(|name| programs.contains(name)), "{programs:?}");
    assert_eq!((programs.len(), properties), (24, 72), "{programs:?}");
}

/// Injects every fault at positions all over the run of properties that hold: none of them passes.
/// `FUTHARK_FAULTS=1000` sets the number of faults.
#[test]
#[ignore = "slow: 90 s"]
fn no_property_passes_whose_server_was_lost() {
    let _turn = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let all: u64 = std::env::var("FUTHARK_FAULTS").map_or(126, |faults| faults.parse().unwrap());
    let (mut met, mut passed, mut number) = (0, Vec::new(), 0);
    while met < all {
        let (name, fault, at, servers, part) = place(number);
        number += 1;
        match verdict(SERVER, name, fault, at, servers, part).unwrap() {
            Verdict::NoFault => continue,
            Verdict::NotPassed(text) => {
                let is_counterexample = text.contains("Counterexample:");
                assert!(
                    !(is_counterexample && breaks_protocol(fault)),
                    "{fault} at {at} in {servers:?}, {part:?}: {text}"
                );
                let begins = format!("Property {name} (size=");
                assert!(
                    text.starts_with(&begins) || text.contains("the server did not start"),
                    "{fault} at {at}: {text}"
                );
            }
            Verdict::Passed => passed.push(format!("{name}: {fault} at {at} in {servers:?}, {part:?}")),
        }
        met += 1;
    }
    assert!(passed.is_empty(), "{} of {met} faults were passed over:\n{}", passed.len(), passed.join("\n"));
    assert!(number < 3 * all, "most places are behind the end: {met} of {number} faults were met");
}

#[test]
fn a_protocol_violation_is_not_a_counterexample_of_a_stateful_property() {
    for (name, fault, at) in [
        ("counted", "twice", 26),
        ("counted", "twice", 41),
        ("counted", "refuse", 38),
        ("counted", "other_stored", 30),
        ("stepped", "twice", 37),
        ("stepped", "refuse", 45),
    ] {
        let verdict = verdict(SERVER, name, fault, at, Servers::First, Part::Requested).unwrap();
        let Verdict::NotPassed(text) = verdict else { panic!("{name}: {fault} at {at}: {verdict:?}") };
        let flaky = "flaky: it held for 200 candidates, but the server was lost once and no candidate reproduces it";
        assert!(text.contains(flaky), "{name}: {fault} at {at}: {text}");
        let retried = "\n  The same candidate passed when it was retried alone.";
        assert!(text.contains(retried) && !text.contains("Counterexample:"), "{name}: {fault} at {at}: {text}");
    }
    // The fault recurs when the candidate is retried.
    let verdict = verdict(SERVER, "counted", "refuse", 20, Servers::All, Part::Requested).unwrap();
    let Verdict::NotPassed(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.contains("the server violates the protocol. "), "{text}");
    assert!(!text.contains("Counterexample:"), "{text}");
}

/// The server refuses a call that it made, so the values that it stores later belong to other candidates.
#[test]
fn of_two_protocol_violations_in_one_exchange_neither_is_a_counterexample() {
    let verdict = verdict(SERVER, "made", "refuse", 53, Servers::First, Part::Exploration).unwrap();
    let Verdict::NotPassed(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.contains("it held for ") && !text.contains("Counterexample:"), "{text}");
}

#[test]
fn a_fault_during_exploration_does_not_pass() {
    for fault in ["exit", "twice", "other_stored"] {
        let verdict = verdict(SERVER, "typed", fault, 60, Servers::First, Part::Exploration).unwrap();
        assert!(matches!(verdict, Verdict::NotPassed(_)), "{fault}: {verdict:?}");
    }
}

/// Returns a property of a twin without a source.
fn property_without_source(twin: &str, name: &str) -> Property {
    let blocks = Blocks::parse(&format!("-- ==\n-- property: {name}\n")).unwrap();
    let (properties, _) = validate(&start(twin).unwrap(), &blocks, Rules::Ours, &|_| None).unwrap();
    properties.into_iter().find(|property| property.name == name).unwrap()
}

/// The twentieth candidate is explored in an exchange of several, which takes longer than the exploration may.
#[test]
fn answers_that_arrive_when_the_exploration_ends_are_not_lost() {
    let property = property_without_source("late", "is_not_the_twentieth");
    let (mut settings, directory) = settings("late", 1);
    (settings.tests, settings.extra_time) = (1, Duration::from_secs(2));
    let text = text(run(&|| start("late"), &property, &settings));
    assert!(text.contains("\nCounterexample: "), "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_generator_gets_size_0_only_if_that_is_the_maximum() {
    let property = property_without_source("mistakes", "is_of_size_zero");
    let (settings, directory) = settings("zero", 1);
    let Ok(passed) = run(&|| start("mistakes"), &property, &settings) else { panic!("another size was used") };
    let statistics = passed.statistics.join("; ");
    assert!(statistics.contains("sizes 0 to 0"), "{statistics}");
    std::fs::remove_dir_all(directory).unwrap();
}

/// `odd3` fails only for arrays of the maximum length, `all_distinct` only for repeated elements of a large type.
#[test]
#[ignore = "slow: 12 s"]
fn default_runs_find_the_largest_size_and_repeated_elements() {
    for name in ["odd3", "all_distinct"] {
        let property = property_without_source("rare", name);
        for seed in 0..10 {
            let (mut settings, directory) = settings(name, seed);
            // As many candidates as by default; only the time does not depend on the machine.
            (settings.tests, settings.extra_time) = (100, Duration::from_secs(60));
            settings.shrink_time = Some(Duration::ZERO);
            let text = text(run(&|| start("rare"), &property, &settings));
            assert!(text.contains("\nCounterexample: ["), "{name}, seed {seed}: {text}");
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

#[test]
fn a_default_run_reaches_both_extreme_sizes_and_generators_get_at_least_1() {
    for (name, expected) in [("typed", "length 0 to 50, "), ("made", "sizes 1 to 50")] {
        let property = steady(name);
        for seed in 0..10 {
            let (mut settings, directory) = settings("ends", seed);
            settings.tests = 100;
            let Ok(passed) = run(&|| start("steady"), &property, &settings) else {
                panic!("{name}, seed {seed}: it failed")
            };
            let statistics = passed.statistics.join("; ");
            assert!(statistics.contains(expected), "{name}, seed {seed}: {statistics}");
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

/// Returns a property of the twin `steady`, whose properties all hold.
fn steady(name: &str) -> Property {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/steady.fut");
    let blocks = Blocks::parse(&std::fs::read_to_string(source).unwrap()).unwrap();
    let (properties, _) = validate(&start("steady").unwrap(), &blocks, Rules::Ours, &|_| None).unwrap();
    properties.into_iter().find(|property| property.name == name).unwrap()
}

/// Test *i* is generated before the library requests it. If the candidates differed, each would be sent alone.
#[test]
fn candidates_go_to_the_server_many_at_once() {
    for name in ["typed", "made", "several", "labelled"] {
        let property = steady(name);
        for seed in 0..10 {
            let (mut settings, directory) = settings("at_once", seed);
            settings.tests = 200;
            let Ok(passed) = run(&|| start("steady"), &property, &settings) else {
                panic!("{name}, seed {seed}: it failed")
            };
            // Two commands for a candidate that the program generates or labels, four for a candidate with several
            // parts, and five for each exchange. On a busy machine exchanges are short.
            let most = if name == "several" { 1500 } else { 1100 };
            assert!(passed.commands < most, "{name}, seed {seed}: {} commands", passed.commands);
            std::fs::remove_dir_all(directory).unwrap();
        }
    }
}

#[test]
fn an_unresponsive_server_is_killed_and_not_used_again() {
    let options =
        Options::default().timeout(Duration::from_millis(100)).argument("prims").argument("hang").argument("7");
    let mut connection = Connection::start(SERVER, &options).unwrap();
    let Err(Error::Lost(first)) = connection.ask(&["types"]) else { panic!() };
    assert!(first.is_timeout() && first.to_string().contains("after `types`"), "{first}");
    let Err(Error::Lost(second)) = connection.ask(&["entry_points"]) else { panic!() };
    assert_eq!(second.command, first.command);
    assert!(!connection.is_alive() && join(&["types"]).is_some());
}
