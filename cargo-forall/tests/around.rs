//! What goes on around a run: little time, readers that are gone, processes that end, builds with options.
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
fn little_time_is_enough_for_a_verdict_however_many_literals_there_are() {
    let workspace = Workspace::new("little-time", &["shop"]);
    workspace.write("shop/src/lib.rs", &with_literals());
    workspace.forall(&["list"]);
    for time in ["800ms", "4s"] {
        let said = workspace.forall(&["run", "--for", time]);
        assert!(said.starts_with("exit code 0") && said.contains("2 properties: 2 passed"), "{said}");
    }
}

#[test]
fn a_reader_that_is_gone_changes_nothing() {
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
fn a_property_whose_process_ended_is_listed_so() {
    let workspace = Workspace::new("ends", &["shop"]);
    workspace.write("shop/src/lib.rs", ENDS);
    for command in ["run", "report"] {
        let _ = fs::remove_dir_all(workspace.path("shop/.forall"));
        let said = workspace.forall(&[command, "--seed", "7"]);
        assert!(said.starts_with("exit code 1"), "{said}");
        let listed = workspace.forall(&["list"]);
        assert!(
            listed.contains("    did not end: killed by SIGABRT: abort, or a stack overflow, just now\n"),
            "{listed}"
        );
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
fn commands_build_what_was_tested_and_a_page_says_what_it_leaves_out() {
    let workspace = Workspace::new("options", &["shop"]);
    workspace.write("shop/src/lib.rs", OPTIONS);
    let manifest = fs::read_to_string(workspace.path("shop/Cargo.toml")).unwrap();
    workspace.write("shop/Cargo.toml", &(manifest + "\n[features]\nsales = []\n"));
    let said = workspace.forall(&["run", "is_small", "-F", "sales", "--seed", "7"]);
    assert_eq!(said.matches("cargo test --features sales -p shop tests::is_small\n").count(), 2, "{said}");
    assert!(said.contains("`forall explain is_small -F sales`"), "{said}");
    let said = workspace.forall(&["report", "-F", "sales", "--seed", "7"]);
    let left_out = "1 property: 0 passed, 1 did not; left out: 1 #[ignore]d (one that is named in full is shown), 1 to fail \
                    (#[should_panic]).";
    assert!(support::unwrapped(&said).contains(left_out), "{said}");
    let said = workspace.forall(&["report", "is_smaller", "-F", "sales", "--seed", "7"]);
    assert!(said.contains("1 property: 0 passed, 1 did not."), "{said}");
}
