//! `forall futhark test` on the command line, as far as no compiler is needed: a server in Python is tested.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use serde_json::Value;
use std::path::Path;
use support::Workspace;

/// A folder with the server, and what tests it; `None` if there is no Python.
fn server(test: &str) -> Option<Workspace> {
    let answers =
        std::process::Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !answers {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs python3");
        eprintln!("SKIPPED {test}: there is no python3");
        return None;
    }
    let workspace = Workspace::new(test, &[]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../forall-futhark/servers/runs.py");
    std::fs::copy(source, workspace.path("runs.py")).unwrap();
    Some(workspace)
}

const TEST: [&str; 5] = ["futhark", "test", "--server", "runs.py", "--no-terminal"];

#[test]
fn results_for_programs_have_names_and_fields() {
    let Some(workspace) = server("futhark-results") else { return };
    let mut names = Vec::new();
    for seed in ["0x1", "2"] {
        let said = workspace.forall(&[&TEST[..], &["--seed", seed, "--json", "o.json", "--junit", "o.xml"]].concat());
        assert!(said.starts_with("exit code 1\n"), "{said}");
        let document = std::fs::read_to_string(workspace.path("o.xml")).unwrap();
        let cases =
            document.lines().filter_map(|line| Some(line.split_once(" name=\"")?.1.split_once('"')?.0.to_owned()));
        names.push(cases.collect::<Vec<_>>());
    }
    assert_eq!(names[0], names[1], "they do not depend on the seed");
    assert!(
        names[0].ends_with(&["is_never_much_longer".to_owned(), "decodes_what_it_encodes".to_owned()]),
        "{names:?}"
    );
    let event = std::fs::read_to_string(workspace.path("o.json")).unwrap();
    let event: Value = serde_json::from_str(&event).unwrap();
    let failure = &event["failures"][0];
    assert_eq!(failure["property"], "decodes_what_it_encodes");
    assert!(failure["phase"].as_str().unwrap().starts_with("property decodes_what_it_encodes"), "{failure}");
    assert_eq!((&failure["size"], &failure["seed"]), (&300.into(), &"0x2".into()));
    assert!(failure["counterexample"].as_str().unwrap().starts_with("[0u8, 0u8"), "{failure}");
    assert!(
        failure["text"].as_str().unwrap().starts_with("Property decodes_what_it_encodes (size=300, seed=2) failed")
    );
}

#[test]
fn the_command_line_counts_and_not_the_environment() {
    let Some(workspace) = server("futhark-environment") else { return };
    let arguments =
        [&TEST[..], &["-e", "is_never_much_longer", "-n", "70", "--seed", "1", "--json", "o.json"]].concat();
    let mut command = workspace.command(&arguments);
    command.env("FORALL_TESTS", "1").env("FORALL_SEED", "0x5").env("FORALL_NO_SUCH", "1");
    let said = workspace.said(command.output().unwrap());
    assert!(said.contains("is_never_much_longer: 70 candidates") && !said.contains("FORALL_"), "{said}");
    let again = workspace.forall(&arguments);
    assert_eq!(said, again, "the same candidates");
}

#[test]
fn values_without_a_text_form_are_tested() {
    let Some(workspace) = server("futhark-unread") else { return };
    let mut command = workspace.command(&[&TEST[..], &["--seed", "1", "--json", "o.json"]].concat());
    command.stdout(std::fs::File::create("/dev/full").unwrap()).stderr(std::process::Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && !said.contains("panicked"), "{said}");
    assert!(std::fs::read_to_string(workspace.path("o.json")).unwrap().contains("decodes_what_it_encodes"));
}

#[test]
fn a_counterexample_file_is_deleted_when_its_property_passes() {
    let Some(workspace) = server("futhark-stale") else { return };
    for property in ["is_never_much_longer", "decodes_what_it_encodes"] {
        workspace.write(&format!("runs.py_{property}.counterexample"), "of an earlier run");
    }
    workspace.forall(&[&TEST[..], &["--seed", "1"]].concat());
    assert!(!workspace.path("runs.py_is_never_much_longer.counterexample").exists());
    let kept = std::fs::read(workspace.path("runs.py_decodes_what_it_encodes.counterexample")).unwrap();
    assert!(kept.starts_with(b"b"), "the one of this run");
}

/// The server in Python, which ends itself at its 40th call.
const DIES: &str = r#"#!/usr/bin/env python3
import os, shlex, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs
calls = 0
print("%%% OK", flush=True)
for line in sys.stdin:
    words = shlex.split(line)
    calls += words[0] == "call"
    if words[0] == "call" and calls == 40:
        sys.stderr.write("boom\n")
        sys.stderr.flush()
        os.kill(os.getpid(), 11)
    try:
        for said in runs.COMMANDS[words[0]](*words[1:]):
            print(said)
    except runs.Refused as why:
        print("%%% FAILURE", why, sep="\n")
    print("%%% OK", flush=True)
"#;

#[test]
fn a_property_whose_server_died_does_not_pass() {
    let Some(workspace) = server("futhark-dies") else { return };
    workspace.write("dies.py", DIES);
    let path = workspace.path("dies.py");
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let test = ["futhark", "test", "--server", "dies.py", "--no-terminal", "-e", "is_never_much_longer", "--seed", "1"];
    let said = workspace.forall(&[&test[..], &["--json", "o.json", "--junit", "o.xml"]].concat());
    let text = support::unwrapped(&said);
    assert!(said.starts_with("exit code 1\n") && said.contains("0/1 passed."), "{said}");
    for expected in [
        "flaky: it held for 100 candidates, but the server was lost",
        "it ended (signal: 11 (SIGSEGV)",
        "boom",
        "The same candidate passed when it was retried alone.",
    ] {
        assert!(text.contains(expected), "{expected}: {said}");
    }
    let json = std::fs::read_to_string(workspace.path("o.json")).unwrap();
    assert!(json.contains("\"failed\"") && json.contains("SIGSEGV"), "{json}");
    assert!(std::fs::read_to_string(workspace.path("o.xml")).unwrap().contains("failures=\"1\""));
}

#[test]
fn tests_that_could_not_run_have_their_own_exit_code() {
    let Some(workspace) = server("futhark-unable") else { return };
    let test = ["futhark", "test", "--no-terminal", "--server"];
    for (server, why) in [
        ("no-such-server", "\ncannot start ./no-such-server"),
        ("./no-such-server", "\ncannot start ./no-such-server"),
        ("/bin/true", "lost when it started"),
    ] {
        let said = workspace.forall(&[&test[..], &[server]].concat());
        assert!(said.starts_with("exit code 2\n") && said.contains(why), "{said}");
    }
    // A server without properties, and one that ends when its properties are validated.
    for (name, change, why) in [
        ("bare.py", "runs.COMMANDS['attributes'] = lambda name: []", "It has no properties: no entry point has"),
        ("ends.py", "runs.COMMANDS['inputs'] = lambda name: sys.exit('no memory')", "no memory"),
    ] {
        let script = format!("#!/usr/bin/env python3\nimport sys\nimport runs\n{change}\nruns.main()\n");
        workspace.write(name, &script);
        let path = workspace.path(name);
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let said = workspace.forall(&[&test[..], &[name]].concat());
        assert!(said.starts_with("exit code 2\n") && said.contains(why), "{said}");
        let compatible = workspace.forall(&[&test[..], &[name, "--compatible"]].concat());
        assert!(compatible.starts_with("exit code 1\n"), "`futhark test` has no other: {compatible}");
    }
    workspace.write("program.fut", "-- ==\n-- property: p\n");
    let said = workspace.forall(&["futhark", "test", "program.fut", "--no-terminal", "--futhark", "true"]);
    assert!(said.starts_with("exit code 2\n") && said.contains("reports no error and produces no program"), "{said}");
    // Compilers that say nothing of the program.
    executable(&workspace, "killed", "echo 'out of memory' >&2\nkill -9 $$\n");
    executable(&workspace, "older", "echo \"Junk argument: $1\" >&2\nexit 1\n");
    for (compiler, why) in [
        ("false", "`false` ended (exit status: 1) and printed nothing"),
        ("./killed", "`./killed` ended (signal: 9 (SIGKILL)): out of memory"),
        ("./older", "`./older` has no backend `c`"),
    ] {
        let test = ["futhark", "test", "program.fut", "--no-terminal", "--json", "out.json", "--futhark", compiler];
        let said = workspace.forall(&test);
        assert!(said.starts_with("exit code 2\n") && said.contains(why), "{said}");
        let events = std::fs::read_to_string(workspace.path("out.json")).unwrap();
        assert!(events.contains("\"verdict\":\"misconfigured\""), "{events}");
        std::fs::remove_file(workspace.path("out.json")).unwrap();
    }
}

/// Writes a script that can be started.
fn executable(workspace: &Workspace, name: &str, script: &str) {
    workspace.write(name, &format!("#!/bin/sh\n{script}"));
    std::fs::set_permissions(workspace.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn unknown_entry_points_are_reported_with_the_known_ones() {
    let Some(workspace) = server("futhark-cannot") else { return };
    let program = "-- ==\n-- property: p q\n\n-- ==\n-- entry: f\n-- input { 1 } output { 2 }\n";
    workspace.write("folder/program.fut", program);
    std::os::unix::fs::symlink("..", workspace.path("folder/back")).unwrap();
    let test = ["futhark", "test", "folder", "--no-terminal", "--futhark"];
    let said = workspace.forall(&[&test[..], &["no-such-compiler"]].concat());
    let missing = "There is no compiler called `no-such-compiler`; ";
    assert!(said.starts_with("exit code 2\n") && said.contains(missing) && said.contains("--futhark names"), "{said}");
    let said = workspace.forall(&[&test[..], &["true", "-e", "nosuch"]].concat());
    assert!(
        said.starts_with("exit code 2\n")
            && said.contains("nosuch: no test block names it; the entry points are f, p, q"),
        "{said}"
    );
    let said = workspace.forall(&[&TEST[..], &["-e", "nosuch"]].concat());
    let why = "no property nosuch; it has: decodes_what_it_encodes, is_never_much_longer";
    assert!(said.starts_with("exit code 2\n") && said.contains(why), "{said}");
    let said = workspace.forall(&[&TEST[..], &["--runner", "/no/such/runner"]].concat());
    assert!(said.starts_with("exit code 2\n") && said.contains("cannot start the runner /no/such/runner"), "{said}");
    // A compiler that rejects everything: its output does not depend on a seed.
    executable(&workspace, "rejects", "echo 'Error: unbound name' >&2\nexit 1\n");
    let said = workspace.forall(&[&test[..], &["./rejects", "--num-tries", "3"]].concat());
    assert!(said.starts_with("exit code 1\n") && !said.contains("To rerun"), "{said}");
    let told = "warning: --num-tries has no effect without --compatible; --shrink-time limits shrinking";
    assert!(support::unwrapped(&said).contains(told), "{said}");
    assert_eq!(said.matches("program.fut:").count(), 1, "links may lead back: {said}");
    workspace.write("empty/readme.md", "");
    let said = workspace.forall(&["futhark", "test", "empty", "--no-terminal", "--futhark", "true"]);
    assert!(
        said.starts_with("exit code 2\n") && said.contains("empty: there is no .fut file in this folder"),
        "{said}"
    );
    let said = workspace.forall(&[&TEST[..], &["--log-candidates", "no/such/folder"]].concat());
    assert!(said.starts_with("exit code 2\n") && said.contains("cannot write no/such/folder"), "{said}");
    // A block that begins inside another one.
    workspace.write("folder/program.fut", "-- ==\n-- property: p\n-- ==\n-- input { 1 } output { 2 }\n");
    let said = workspace.forall(&[&test[..], &["true"]].concat());
    assert!(said.contains("program.fut:3:4: another block begins after a line that is no comment"), "{said}");
}

/// The real compiler, which `FUTHARK` names; `None` if there is none.
fn compiler(test: &str) -> Option<String> {
    let name = std::env::var("FUTHARK").unwrap_or_else(|_| "futhark".to_owned());
    let answers =
        std::process::Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !answers {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs the compiler futhark");
        eprintln!("SKIPPED {test}: there is no compiler called {name}");
    }
    answers.then_some(name)
}

const PROGRAM: &str = "\
-- ==
-- property: is_small is_commutative
#[prop]
entry is_small (x: i32) : bool = x < 1000
#[prop]
entry is_commutative (x: i32) (y: i32) : bool = x + y == y + x
";

#[test]
#[ignore = "slow: 10 s"]
fn compiled_programs_have_results_as_json_and_junit() {
    let Some(compiler) = compiler("compiled_programs_have_results_as_json_and_junit") else { return };
    let workspace = Workspace::new("futhark-compiled-results", &[]);
    workspace.write("numbers.fut", PROGRAM);
    let files = ["--json", "o.json", "--junit", "o.xml"];
    let said = workspace
        .forall(&[&["futhark", "test", "numbers.fut", "--seed=1", "--futhark", &compiler], &files[..]].concat());
    assert!(said.starts_with("exit code 1\n"), "{said}");
    let event: Value = serde_json::from_str(&std::fs::read_to_string(workspace.path("o.json")).unwrap()).unwrap();
    assert_eq!(event["failures"][0]["property"], "is_small", "{event}");
    assert_eq!(event["failures"][0]["counterexample"], "1000i32", "{event}");
    assert_eq!(
        (&event["properties"][0]["name"], &event["properties"][0]["candidates"]),
        (&"is_commutative".into(), &100.into())
    );
    let document = std::fs::read_to_string(workspace.path("o.xml")).unwrap();
    assert!(document.contains("name=\"is_small\"") && document.contains("name=\"is_commutative\""), "{document}");
    assert!(document.contains("Counterexample: 1000i32"), "{document}");
}

/// The back end needs numpy: that of the Python in `FUTHARK_PYTHON`, or else of `python3`.
#[test]
#[ignore = "slow: 10 s"]
fn programs_compiled_to_python_are_tested() {
    let test = "programs_compiled_to_python_are_tested";
    let Some(compiler) = compiler(test) else { return };
    let python = std::env::var("FUTHARK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numpy = std::process::Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs numpy");
        eprintln!("SKIPPED {test}: {python} has no numpy");
        return;
    }
    // Compiled programs start the first `python3` of the path.
    let mut path = std::ffi::OsString::from(std::path::Path::new(&python).parent().unwrap());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let workspace = Workspace::new("futhark-python", &[]);
    workspace.write("numbers.fut", PROGRAM);
    let arguments = ["futhark", "test", "numbers.fut", "--seed=1", "--futhark", &compiler, "--backend=python"];
    let said = workspace.said(workspace.command(&arguments).env("PATH", path).output().unwrap());
    assert!(said.starts_with("exit code 1\n") && said.contains("Counterexample: 1000i32"), "{said}");
}
