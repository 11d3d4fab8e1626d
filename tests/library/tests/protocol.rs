//! The interface for tools: the registry, and the requests of `FORALL_DO`, answered by a real test binary (this one).

use forall::run::protocol::Request;
use std::path::PathBuf;
use std::process::{Command, Output};

#[forall::property]
fn a_plain_property(n: u32) -> bool {
    u64::from(n) < 1 << 32
}

#[forall::test]
#[ignore = "fails on purpose; run by the tests below"]
fn fails_from_a_thousand(n: u64) {
    println!("tried {n}");
    assert!(n < 1000);
}

#[forall::test]
fn narrow(n: u16) {
    println!("tried {n}");
}

#[forall::test]
fn passes(n: u64) {
    println!("tried {n}");
}

#[forall::test]
#[ignore = "fails on purpose; must not be run by requests for another property"]
fn always_fails(n: u64) {
    assert_eq!(n, n + 1);
}

#[forall::test]
#[should_panic(expected = "should be small")]
fn panics_as_expected(n: u64) {
    assert!(n < 1000, "{n} should be small");
}

#[forall::test]
#[should_panic]
fn panics(n: u64) {
    assert!(n < 1000);
}

const NAME: &str = "protocol::fails_from_a_thousand";

fn this_binary(request: &str, arguments: &[&str]) -> Output {
    let store: PathBuf = std::env::temp_dir().join(format!("forall-protocol-{}", std::process::id()));
    Command::new(std::env::current_exe().unwrap())
        .args(arguments)
        .env("FORALL_DO", request)
        .env("FORALL_SEED", "7")
        .env("FORALL_STORE", store)
        .output()
        .unwrap()
}

fn result_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    // The harness may have begun the line.
    let line = text.lines().find_map(|line| line.find("forall-result ").map(|at| line[at..].to_owned()));
    line.unwrap_or_else(|| panic!("no result in {text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_property_is_in_the_registry() {
    let names: Vec<_> = forall::registry::all().iter().map(|entry| (&*entry.identity.name, entry.is_test)).collect();
    assert_eq!(
        names,
        [
            ("protocol::a_plain_property", false),
            ("protocol::always_fails", true),
            (NAME, true),
            ("protocol::narrow", true),
            ("protocol::panics", true),
            ("protocol::panics_as_expected", true),
            ("protocol::passes", true)
        ]
    );
    let entry = forall::registry::all()[0];
    assert!(entry.identity.file.ends_with("protocol.rs") && entry.identity.line > 0);
    assert_eq!((entry.property)().outline().quantifiers[0].name, "n");
}

#[test]
#[cfg(target_os = "linux")]
fn list_names_every_property_without_running_a_test() {
    let output = this_binary("list", &["--exact", "no such test"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let listed: Vec<_> = text.lines().filter(|line| line.starts_with("forall-property ")).collect();
    assert_eq!(listed.len(), 7, "{text}");
    assert!(listed[2].contains(&format!("\"name\":\"{NAME}\"")) && listed[2].contains("\"test\":true"), "{text}");
}

#[test]
fn should_panic_tests_do_not_fail_when_another_property_is_requested() {
    for request in ["list", "run protocol::passes 0..3"] {
        let output = this_binary(request, &["--exact", "panics", "panics_as_expected", "passes"]);
        assert!(output.status.success(), "{request}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The exit hook is unsafe: valgrind checks it.
#[test]
#[cfg(target_os = "linux")]
fn listing_is_clean_under_valgrind() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("SKIPPED listing_is_clean_under_valgrind: valgrind is not installed");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "valgrind is required");
        return;
    }
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=9"]).arg(std::env::current_exe().unwrap());
    let output = command.args(["--exact", "no such test"]).env("FORALL_DO", "list").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("forall-property ").count(), 7, "{said}");
}

#[test]
fn a_range_of_indices_is_run_and_nothing_else() {
    let properties = ["passes", "fails_from_a_thousand", "always_fails"];
    let arguments = [&["--include-ignored", "--nocapture", "--test-threads=1", "--exact"][..], &properties].concat();
    let output = this_binary("run protocol::passes 10..13", &arguments);
    let line = result_line(&output);
    assert!(line.contains("\"verdict\":\"passed\"") && line.contains("\"valid\":3"), "{line}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("tried ").count(), 3);
    assert!(output.status.success(), "the other properties, which fail, were not asked for");
}

#[test]
fn a_sequence_is_replayed_by_any_process() {
    let arguments = ["--ignored", "--exact", "fails_from_a_thousand", "--nocapture"];
    let failed = this_binary(&format!("run {NAME} 0..1000"), &arguments);
    let line = result_line(&failed);
    assert!(line.contains("\"verdict\":\"failed\""), "{line}");
    let case = line.split("\"case\":\"").nth(1).unwrap().split('"').next().unwrap();
    let replayed = this_binary(&format!("replay {NAME} {case}"), &arguments);
    let tried = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert!(tried.contains("tried 1000\n") && !tried.contains("tried 0\n"), "{tried}");
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("let n: u64 = 1000;"));
    assert!(!replayed.status.success());
}

#[test]
fn a_sequence_of_other_generators_is_not_replayed_as_a_pass() {
    let arguments = ["--ignored", "--exact", "fails_from_a_thousand", "--nocapture"];
    let line = result_line(&this_binary(&format!("run {NAME} 0..1000"), &arguments));
    let case = line.split("\"case\":\"").nth(1).unwrap().split('"').next().unwrap();
    let replayed = this_binary(&format!("replay protocol::narrow {case}"), &["--exact", "narrow", "--nocapture"]);
    assert!(!replayed.status.success());
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("The generators have changed"));
}

#[test]
fn an_empty_range_of_indices_does_not_pass() {
    let output = this_binary("run protocol::passes 5..3", &["--exact", "passes", "--nocapture"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("5..3"));
}

#[test]
#[cfg(target_os = "linux")]
fn an_unknown_property_does_not_pass() {
    let arguments = ["--exact", "passes", "narrow", "--nocapture"];
    let case = forall::run::Case::default().to_text();
    for request in [format!("replay nope {case}"), format!("replay {NAME} {case}"), "keep protocol::gone".to_owned()] {
        let output = this_binary(&request, &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("no test that ran defines"), "{request}: {said}");
    }
    // Other binaries of a package run under the same request.
    assert!(this_binary("keep another_crate::gone", &arguments).status.success());
}

#[test]
fn an_invalid_request_fails_the_test_with_advice() {
    let arguments = ["--ignored", "--exact", "fails_from_a_thousand", "--nocapture"];
    for request in ["fly", "run x", "replay protocol::fails_from_a_thousand 2-zzz"] {
        let output = this_binary(request, &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("FORALL_DO="), "{request}: {said}");
    }
    assert!(Request::parse("run a::b 5..").is_err());
}
