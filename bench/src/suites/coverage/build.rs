//! The programs: forall's tests and libFuzzer's target, both instrumented.

use super::FORALL;
use crate::Options;
use crate::process::{self, Programs, TOOL};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// The flags of cargo-fuzz, without a sanitizer. All of them work with a stable compiler.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

fn package() -> PathBuf {
    process::bench_directory().join("coverage")
}

/// The names of the targets, from their list.
pub fn targets() -> Result<Vec<String>, String> {
    let path = package().join("src/lib.rs");
    let source = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let is_target = |line: &&str| line.contains(": Bytes = ") || line.contains(": Text = ");
    Ok(source
        .lines()
        .filter(is_target)
        .filter_map(|line| line.trim().split_once(':'))
        .map(|(name, _)| name.to_owned())
        .collect())
}

/// The program of each tool. A quick run measures nothing, and builds without optimisation in a fraction of the time.
pub fn programs(options: &Options, tools: &[&str]) -> Result<Vec<PathBuf>, String> {
    tools.iter().map(|&tool| if tool == FORALL { forall(options) } else { libfuzzer(options) }).collect()
}

/// The directory of a build, named after its profile.
fn profile(options: &Options) -> &'static str {
    if options.smoke { "debug" } else { "release" }
}

fn forall(options: &Options) -> Result<PathBuf, String> {
    let programs = Programs::build(options, "release", &[TOOL])?;
    let store = process::Scratch::new("coverage-build")?;
    let mut command = Command::new(programs.of(TOOL));
    command.current_dir(package()).env("FORALL_STORE", store.path()).env_remove("CARGO_TARGET_DIR");
    command.args(["fuzz", "properties::planted_length", "--execs", "1", "--seed", "1"]);
    if options.smoke {
        command.arg("--dev");
    }
    process::run(&mut command)?;
    let programs = package().join("target/forall-fuzz").join(TRIPLE).join(profile(options)).join("deps");
    newest(&programs, "bench_coverage-")
}

fn libfuzzer(options: &Options) -> Result<PathBuf, String> {
    let target = package().join("target/libfuzzer");
    let mut cargo = process::cargo(&package());
    cargo.args(["build", "--locked", "--features", "libfuzzer", "--bin", "libfuzzer", "--target", TRIPLE]);
    if !options.smoke {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(&target).env("RUSTFLAGS", FLAGS.join(" ")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    process::run(&mut cargo)?;
    Ok(target.join(TRIPLE).join(profile(options)).join("libfuzzer"))
}

/// The newest program in a directory whose name has this prefix.
fn newest(directory: &Path, beginning: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("cannot read {}: {error}", directory.display()))?;
    let programs = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(beginning) && !name.contains('.')
    });
    let newest = programs.max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
    newest.ok_or_else(|| format!("there is no {beginning}… in {}", directory.display()))
}
