//! Test programs on a machine without a toolchain: nothing but this program and the archive is there.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use std::fs;
use std::process::Command;
use support::Workspace;

/// The program's output on such a machine, in an empty directory.
fn elsewhere(workspace: &Workspace, arguments: &[&str]) -> String {
    let directory = workspace.path("elsewhere");
    fs::create_dir_all(&directory).unwrap();
    let mut command = workspace.command(arguments);
    command.env("PATH", "/nowhere").env_remove("CARGO").env_remove("RUSTC").env_remove("CARGO_TARGET_DIR");
    workspace.said(command.current_dir(directory).output().unwrap())
}

/// The workspace is taken away, and what was made of it carried elsewhere.
fn carry(workspace: &Workspace, archive: &str) {
    fs::create_dir_all(workspace.path("elsewhere")).unwrap();
    fs::rename(workspace.path(archive), workspace.path("elsewhere").join(archive)).unwrap();
    fs::rename(workspace.path("shop"), workspace.path("gone")).unwrap();
}

#[test]
#[ignore = "slow: 20 s"]
fn an_archive_runs_without_a_toolchain_and_without_the_sources() {
    let workspace = Workspace::new("archive", &["shop"]);
    workspace.write("shop/forall.toml", "[nightly]\ntests = 77\n");
    let said = workspace.forall(&["archive", "tests"]);
    assert!(said.starts_with("exit code 0") && said.contains("run them with `forall run --archive tests`"), "{said}");
    carry(&workspace, "tests");
    // Services that carry files about lose this.
    let programs = workspace.path("elsewhere/tests/programs");
    for program in fs::read_dir(programs).unwrap().flatten() {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(program.path(), fs::Permissions::from_mode(0o644)).unwrap();
    }
    assert!(elsewhere(&workspace, &["list"]).contains("cannot run cargo"), "there is none");
    let said = elsewhere(
        &workspace,
        &["run", "cost", "--archive", "tests", "--seed", "7", "--shard", "1/2", "--corpus", "corpus"],
    );
    assert!(said.starts_with("exit code 1") && said.contains("let pieces: u32 = 99;"), "{said}");
    let said = elsewhere(
        &workspace,
        &["run", "cost", "--archive", "tests", "--seed", "7", "--shard", "2/2", "--corpus", "corpus"],
    );
    assert!(said.contains("on a saved failure"), "{said}");
    // An archive that is not for us to write: here something else stands where events are written.
    let events = workspace.path("elsewhere/tests/forall-events");
    fs::remove_dir_all(&events).unwrap();
    fs::write(&events, "").unwrap();
    let said = elsewhere(&workspace, &["run", "nothing_costs", "--archive", "tests", "--seed", "7"]);
    assert!(said.starts_with("exit code 0") && said.contains("1 passed"), "{said}");
    let said = elsewhere(&workspace, &["fuzz", "nothing_costs", "--archive", "tests"]);
    assert!(said.starts_with("exit code 2") && said.contains("forall archive --coverage"), "{said}");
    let said = elsewhere(&workspace, &["run", "--archive", "corpus"]);
    assert!(said.starts_with("exit code 2") && said.contains("is not an archive"), "{said}");
}

#[test]
#[ignore = "slow: 30 s"]
fn an_instrumented_archive_is_fuzzed_without_a_toolchain() {
    let workspace = Workspace::new("archive-fuzz", &["shop"]);
    let said = workspace.forall(&["archive", "fuzzers", "--coverage"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    carry(&workspace, "fuzzers");
    let arguments = ["fuzz", "more_pieces", "--archive", "fuzzers", "--for", "60s", "--seed", "7", "--shard", "1/2"];
    let said = elsewhere(&workspace, &[&arguments[..], &["--corpus", "corpus"]].concat());
    assert!(said.starts_with("exit code 1") && said.contains("let pieces: u32 = 99;"), "{said}");
    let stats = elsewhere(&workspace, &["corpus", "stats", "corpus"]);
    assert!(stats.contains("more_pieces_cost_more  1 counterexample"), "{stats}");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_nextest_archive_can_be_run() {
    let name = "a_nextest_archive_can_be_run";
    for tool in ["cargo-nextest", "zstd"] {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("SKIPPED {name}: {tool} is not installed");
            assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{tool} is required");
            return;
        }
    }
    let workspace = Workspace::new("archive-nextest", &["shop"]);
    let mut cargo = Command::new("cargo");
    cargo.args(["nextest", "archive", "--archive-file", "tests.tar.zst", "--features"]);
    cargo.arg("forall/full").current_dir(workspace.path("shop"));
    for (name, value) in workspace.command(&[]).get_envs() {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = workspace.forall(&["run", "--archive", "shop/tests.tar.zst"]);
    assert!(said.starts_with("exit code 2") && said.contains("tar --zstd -xf"), "{said}");
    fs::create_dir(workspace.path("tests")).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("--zstd").arg("-xf").arg(workspace.path("shop/tests.tar.zst")).arg("-C").arg(workspace.path("tests"));
    assert!(tar.status().unwrap().success());
    carry(&workspace, "tests");
    let said = elsewhere(&workspace, &["run", "cost", "--archive", "tests", "--seed", "7", "--shard", "1/2"]);
    assert!(said.starts_with("exit code 1") && said.contains("let pieces: u32 = 99;"), "{said}");
}
