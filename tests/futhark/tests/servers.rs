//! Servers in other languages: a C program and a Python program that implement the protocol themselves.

use forall_futhark::programs::{Options, Outcome, test_server};
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../forall-futhark/servers").join(name)
}

/// Returns whether a program is available. Fails if it is not, but required.
fn is_there(test: &str, program: &str) -> bool {
    let answers = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !answers {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs {program}");
        eprintln!("SKIPPED {test}: there is no {program}");
    }
    answers
}

/// Tests a server in a separate directory, where its counterexamples are saved.
fn outcome(server: &Path, runner: Option<&str>) -> Outcome {
    let mut options = Options::default();
    options.seed = 1;
    options.runner = runner.map(str::to_owned);
    test_server(server, &options)
}

fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("forall-servers-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

#[test]
fn a_server_in_c_is_tested() {
    if !is_there("a_server_in_c_is_tested", "cc") {
        return;
    }
    let directory = directory("c");
    let program = directory.join("midpoint");
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(source("midpoint.c")).status().unwrap();
    assert!(compiled.success());
    let text = outcome(&program, None).text();
    // The two smallest numbers whose sum is too large, or an adjacent pair.
    assert!(text.contains("Property middle_lies_between (size=50, seed=1) failed"), "{text}");
    assert!(text.contains("2147483647i32") || text.contains("-2147483648i32"), "{text}");
    assert!(directory.join("midpoint_middle_lies_between.counterexample").is_file());
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_server_in_python_is_tested() {
    if !is_there("a_server_in_python_is_tested", "python3") {
        return;
    }
    let directory = directory("python");
    let program = directory.join("runs.py");
    std::fs::copy(source("runs.py"), &program).unwrap();
    let outcome = outcome(&program, Some("python3"));
    let text = outcome.text();
    assert_eq!((outcome.runs, outcome.passed), (2, 1), "{text}");
    assert!(text.contains("Property decodes_what_it_encodes (size=300, seed=1) failed"), "{text}");
    let values = std::fs::read(directory.join("runs_decodes_what_it_encodes.counterexample"))
        .or_else(|_| std::fs::read(directory.join("runs.py_decodes_what_it_encodes.counterexample")));
    let values = forall_futhark::data::read_values(&mut &values.unwrap()[..]).unwrap();
    // The shortest run that does not fit: shrinking regenerated it at smaller sizes.
    assert_eq!(values[0].shape(), [256], "{text}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_program_that_is_not_a_server_is_reported() {
    let text = outcome(Path::new("/bin/true"), None).text();
    assert!(text.contains("the server was lost when it started"), "{text}");
    let text = outcome(Path::new("/no/such/program"), None).text();
    assert!(text.contains("cannot start /no/such/program"), "{text}");
}
