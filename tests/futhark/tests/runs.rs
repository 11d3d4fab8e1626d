//! The runner against the recorded runs of `futhark test`: with `compatible`, the output and the written files are the
//! same.

use forall_futhark::programs::{Options, test_program};
use forall_futhark_tests::{TWINS, hex};
use std::path::Path;

/// A recorded command line, with its output and files.
struct Run {
    words: Vec<String>,
    said: Vec<String>,
    status: i32,
    /// The written files: the lines of text files, and the bytes of other files in hexadecimal.
    files: Vec<(String, String)>,
}

fn recorded(name: &str) -> Vec<Run> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/runs").join(format!("{name}.out"));
    let mut runs: Vec<Run> = Vec::new();
    let mut file: Option<(String, bool)> = None;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        if let Some(command) = line.strip_prefix("$ futhark test ") {
            let words = command.split_whitespace().map(str::to_owned).collect();
            runs.push(Run { words, said: Vec::new(), status: 0, files: Vec::new() });
            file = None;
            continue;
        }
        let Some(run) = runs.last_mut() else { continue };
        if let Some(status) = line.strip_prefix("? ") {
            run.status = status.parse().unwrap();
        } else if let Some(rest) = line.strip_prefix("= ") {
            let (name, kind) = rest.rsplit_once(' ').unwrap();
            // `futhark test` saves random inputs in a directory; our runner generates them again.
            let is_directory = kind == "directory";
            file = Some((name.to_owned(), kind == "hex"));
            run.files.push((if is_directory { String::new() } else { name.to_owned() }, String::new()));
        } else if let Some(text) = line.strip_prefix('|') {
            let text = text.strip_prefix(' ').unwrap_or(text);
            match (&file, run.files.last_mut()) {
                (Some((_, is_hex)), Some((_, contents))) => {
                    contents.push_str(text);
                    if !is_hex {
                        contents.push('\n');
                    }
                }
                (None, None) => run.said.push(text.to_owned()),
                _ => {}
            }
        }
    }
    runs
}

/// Converts the recorded options, if all of them concern testing.
fn options(words: &[String]) -> Option<Options> {
    let mut options = Options::default();
    options.futhark = env!("CARGO_BIN_EXE_forall-futhark-tests").to_owned();
    options.compatible = true;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split_once('=').unwrap_or((word, "")) {
            // Seeds wrap around; other numbers may not be negative.
            ("--seed", seed) => options.seed = seed.parse::<i128>().ok()? as u64,
            ("--num-tries", tries) => options.tries = tries.parse().ok()?,
            ("-n", _) => options.tests = words.next()?.parse().ok()?,
            ("-m", _) => options.size = words.next()?.parse::<u32>().ok()?.into(),
            ("-e", _) => options.entry_point = words.next().cloned(),
            ("--no-terminal", _) => {}
            (program, _) if program.ends_with(".fut") => {}
            _ => return None,
        }
    }
    Some(options)
}

/// Returns the name of the program, if the command names exactly one.
fn program_of(run: &Run) -> Option<&str> {
    let mut programs = run.words.iter().filter_map(|word| word.strip_suffix(".fut"));
    programs.next().filter(|_| programs.next().is_none())
}

/// Runs a twin as recorded. Returns the differences.
fn replay(name: &str, number: usize, run: &Run) -> Option<String> {
    let options = options(&run.words)?;
    let directory = std::env::temp_dir().join(format!("forall-run-{}-{name}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/programs").join(format!("{name}.fut"));
    let program = directory.join(format!("{name}.fut"));
    std::fs::copy(source, &program).unwrap();
    let outcome = test_program(&program, &options);
    let here = format!("{}/", directory.display());
    let mut said = vec!["0 failed, 0 passed, 1 to go.".to_owned()];
    if outcome.failures.is_empty() {
        said.push("1/1 passed.".to_owned());
    } else {
        said.push(format!("{name}.fut:"));
        let text = outcome.text().replace(&format!("Running {here}"), "Running ./").replace(&here, "");
        // The recording lacks blanks at the end of lines.
        said.extend(text.split('\n').map(|line| line.trim_end().to_owned()));
        said.push("0/1 passed.".to_owned());
    }
    let wanted: Vec<String> = run.said.iter().map(|line| line.trim_end().to_owned()).collect();
    let mut difference =
        (said != wanted).then(|| format!("said\n{}\nrecorded\n{}", said.join("\n"), wanted.join("\n")));
    for (file, contents) in run.files.iter().filter(|(file, _)| !file.is_empty()) {
        let is_text = file.ends_with(".prop_result");
        let got = std::fs::read(directory.join(file)).unwrap_or_default();
        let got = if is_text { String::from_utf8(got).unwrap() } else { hex(&got) };
        if got != *contents && difference.is_none() {
            difference = Some(format!("{file} has {got:?}, recorded {contents:?}"));
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(run.status, i32::from(!outcome.failures.is_empty()), "{name}");
    difference.map(|difference| format!("{name} {:?}: {difference}", run.words))
}

/// Recordings that are not replayed: `shrink_cycle` takes five minutes; `prop_consume` prints a consumed input as its server
/// overwrote it, which ours does not; `io_server_lost` ends with an error of the recorded program's run time, and `block_bad`
/// with a message of its parser, where ours has other messages.
const OTHERWISE: &[&str] = &["shrink_cycle", "prop_consume", "io_server_lost", "block_bad"];

#[test]
#[ignore = "slow: 8 s"]
fn programs_are_run_as_recorded() {
    let mut differences = Vec::new();
    let mut runs = 0;
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/runs");
    let mut names: Vec<String> = std::fs::read_dir(recordings)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for recording in &names {
        for (number, run) in recorded(recording).iter().enumerate() {
            let Some(name) = program_of(run).filter(|name| is_replayed(name)) else { continue };
            if options(&run.words).is_some() {
                runs += 1;
                differences.extend(replay(name, number, run));
            }
        }
    }
    assert!(differences.is_empty(), "{}\n{} of {runs} runs differ", differences.join("\n\n"), differences.len());
    assert_eq!(runs, 64);
}

/// Returns whether there is a twin of the program, or the compiler already rejects it.
fn is_replayed(name: &str) -> bool {
    (TWINS.contains(&name) || name.starts_with("io_error")) && !OTHERWISE.contains(&name)
}

#[test]
fn programs_that_fail_with_other_messages_fail_as_recorded() {
    for (name, begins) in [("io_server_lost", "Entry point: first; dataset: "), ("block_bad", "block_bad.fut:4:4: ")] {
        let run = &recorded(name)[0];
        let directory = std::env::temp_dir().join(format!("forall-otherwise-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/programs").join(format!("{name}.fut"));
        let program = directory.join(format!("{name}.fut"));
        std::fs::copy(source, &program).unwrap();
        let outcome = test_program(&program, &options(&run.words).unwrap());
        let text = outcome.failures.join("\n").replace(&format!("{}/", directory.display()), "");
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(run.status, 1, "{name}");
        assert!(text.starts_with(begins), "{name}: {text}");
    }
}

#[test]
fn a_timeout_is_reported_as_recorded() {
    let mut options = options(&[]).unwrap();
    options.timeout = std::time::Duration::from_secs(3);
    options.call_timeout = options.timeout;
    options.seed = 123;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/programs/shrink_cycle.fut");
    let outcome = test_program(&source, &options);
    let (text, number) = outcome.failures[0].rsplit_once('=').unwrap();
    let recorded = "user error (test timeout after 3000000 microseconds. Was evaluating property:\n\
                    circles during phase rotate3 at size=50 with tactic";
    assert_eq!(text, recorded, "but for the time");
    assert!(number.strip_suffix(')').is_some_and(|number| number.parse::<u64>().is_ok()), "{number}");
    assert_eq!(outcome.text(), outcome.failures[0], "nothing comes before it");
}
