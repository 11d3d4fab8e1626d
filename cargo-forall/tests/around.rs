//! The environment of a run: short time limits, closed pipes, killed processes, builds with options.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use std::fs;
use std::process::Stdio;
use support::Workspace;

/// Many literals, each worth 256 tests: more than there is time for.
fn with_literals() -> String {
    let many: String = (0..400).map(|n| format!("    pub const C{n}: u64 = {};\n", 1_000_003 * (n + 7))).collect();
    format!(
        "pub mod constants {{\n{many}}}\n#[cfg(test)]\nmod tests {{\n    #[forall::test]\n    fn a(n: u64, xs: Vec<u64>) {{\n        \
         assert!(xs.len() < 10_000 || n == 0);\n    }}\n\n    #[forall::test]\n    fn b(n: u32, text: String) {{\n        \
         assert!(text.len() < 10_000 || n == 0);\n    }}\n}}\n"
    )
}

#[test]
#[ignore = "slow: 12 s"]
fn a_short_time_limit_gives_a_verdict_even_with_many_literals() {
    let workspace = Workspace::new("little-time", &["shop"]);
    workspace.write("shop/src/lib.rs", &with_literals());
    workspace.forall(&["list"]);
    for time in ["800ms", "4s"] {
        let said = workspace.forall(&["run", "--for", time]);
        assert!(said.starts_with("exit code 0") && said.contains("2 properties: 2 passed"), "{said}");
    }
}

#[test]
fn a_closed_pipe_changes_nothing() {
    let workspace = Workspace::new("gone", &["shop"]);
    workspace.forall(&["list"]);
    let cases: [(&[&str], i32); 6] = [
        (&["run", "no such property"], 2),
        (&["run", "nothing_costs", "--shard", "1/2", "--seed", "1"], 0),
        (&["run", "more_pieces", "--seed", "7"], 1),
        (&["report", "nothing_costs", "--seed", "7"], 0),
        (&["write", "no-panic", "no_such_function"], 2),
        (&["completions", "bash"], 0),
    ];
    for (arguments, code) in cases {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = workspace.command(arguments);
        let status = command.stdout(writer.try_clone().unwrap()).stderr(Stdio::from(writer)).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

const ENDS: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    fn aborts(n: u32) {
        if n > 1000 {
            std::process::abort();
        }
    }
}
"#;

#[test]
fn a_property_whose_process_crashed_is_listed_as_such() {
    let workspace = Workspace::new("ends", &["shop"]);
    workspace.write("shop/src/lib.rs", ENDS);
    for command in ["run", "report"] {
        let _ = fs::remove_dir_all(workspace.path("shop/.forall"));
        let said = workspace.forall(&[command, "--seed", "7"]);
        assert!(said.starts_with("exit code 1"), "{said}");
        let listed = workspace.forall(&["list"]);
        assert!(listed.contains("    crashed: killed by SIGABRT: abort, or a stack overflow, just now\n"), "{listed}");
    }
}

const OPTIONS: &str = r#"
#[cfg(all(test, feature = "sales"))]
mod tests {
    #[forall::test]
    fn is_small(n: u8) {
        assert!(n < 200);
    }

    #[forall::test]
    #[ignore = "it is slow"]
    fn is_smaller(n: u8) {
        assert!(n < 100);
    }

    #[forall::test]
    #[should_panic]
    fn fails(n: u8) {
        assert!(n < 100);
    }
}
"#;

#[test]
fn printed_commands_build_the_same_tests_and_reports_count_omitted_properties() {
    let workspace = Workspace::new("options", &["shop"]);
    workspace.write("shop/src/lib.rs", OPTIONS);
    let manifest = fs::read_to_string(workspace.path("shop/Cargo.toml")).unwrap();
    workspace.write("shop/Cargo.toml", &(manifest + "\n[features]\nsales = []\n"));
    let said = workspace.forall(&["run", "is_small", "-F", "sales", "--seed", "7"]);
    assert_eq!(said.matches("cargo test --features sales -p shop tests::is_small\n").count(), 2, "{said}");
    assert!(said.contains("`forall explain is_small -F sales`"), "{said}");
    let said = workspace.forall(&["report", "-F", "sales", "--seed", "7"]);
    let left_out = "1 property: 0 passed, 1 failed; not shown: 1 #[ignore]d (include one by its full name), 1 expected to panic \
                    (#[should_panic]).";
    assert!(support::unwrapped(&said).contains(left_out), "{said}");
    let said = workspace.forall(&["report", "is_smaller", "-F", "sales", "--seed", "7"]);
    assert!(said.contains("1 property: 0 passed, 1 failed."), "{said}");
}

#[test]
fn with_no_fail_fast_the_tests_that_build_are_run() {
    let workspace = Workspace::new("around-partial", &["shop"]);
    workspace.write("shop/src/lib.rs", "#[cfg(test)]\nmod tests {\n    #[forall::test]\n    fn is_either(n: bool) -> bool {\n        n || !n\n    }\n}\n");
    workspace.write("shop/tests/broken.rs", "fn broken() -> u8 {\n    true\n}\n");
    let said = workspace.forall(&["run", "--no-fail-fast", "--seed", "7"]);
    assert!(said.starts_with("exit code 1\npassed  shop::tests::is_either  all 2 inputs"), "{said}");
    let warning = "forall: warning: some tests failed to build (see cargo's errors above); running the others";
    assert!(support::unwrapped(&said).contains(warning), "{said}");
}
