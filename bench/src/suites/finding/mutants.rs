//! Mutants of published crates as tasks: `cargo forall strength` builds the properties of `bench-mutants` with mutants of
//! the crates, and each tool runs them on a sample of these.
//!
//! Two kinds of mutants are not tasks: those that no tool ever finds, because they may be equivalent to the original, and those on
//! which a run of any tool exceeds its limits, because the tools could not be compared on them.

use super::measure::Found;
use super::{MUTANTS, Mode, measure};
use crate::Options;
use crate::process::{self, Programs, TOOL, bench_directory, cargo};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The package with the properties, and the test that runs a tool.
const PACKAGE: &str = "bench-mutants";
const RUNNER: &str = "run";

/// The number of mutants of each crate, drawn from those that a property reaches.
const SAMPLE: usize = 110;
const SMOKE_SAMPLE: usize = 2;

/// The limits of a process: CPU seconds per seed, and KiB of memory.
const SECONDS: u64 = 20;
const KIB: u64 = 4 << 20;

/// A run of a tool on a mutant.
struct Job {
    tool: &'static str,
    mode: Mode,
    package: String,
    mutant: u64,
}

/// Builds the mutants and runs the tools. Tasks are mutants that some run finds.
pub fn all(options: &Options, tools: &[&'static str], seeds: u64) -> Result<Vec<Found>, String> {
    let workspace = bench_directory().join("target/mutants");
    let crates = write(&workspace)?;
    let programs = Programs::build(options, super::PROFILE, &[TOOL])?;
    let document = judged(programs.of(TOOL), &workspace)?;
    let tests = document["tests"].as_array().map(Vec::as_slice).unwrap_or_default();
    let runner = tests.iter().find(|test| test["name"] == RUNNER).and_then(|test| test["program"].as_str());
    let runner = runner.ok_or_else(|| format!("the outcome has no test `{RUNNER}`"))?;
    let mutants = document["mutants"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut jobs = Vec::new();
    for package in &crates {
        for mutant in sample(mutants, package, if options.smoke { SMOKE_SAMPLE } else { SAMPLE }) {
            for &tool in tools {
                for mode in [Mode::Default, Mode::In256] {
                    jobs.push(Job { tool, mode, package: package.clone(), mutant });
                }
            }
        }
    }
    let runs = process::on_all_cores(&jobs, |job| run(Path::new(runner), &workspace, job, seeds));
    let runs: Vec<Option<Vec<Found>>> = runs.into_iter().collect::<Result<_, _>>()?;
    Ok(comparable(&jobs, runs))
}

/// Writes a workspace with copies of the crates and of the package with their properties. Returns the names of the
/// crates.
fn write(workspace: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", workspace.display());
    let output = process::run(cargo(bench_directory()).args(["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = packages
        .iter()
        .find(|package| package["name"] == PACKAGE)
        .ok_or("the workspace has no package `bench-mutants`")?;
    let directory = |package: &Value| -> PathBuf {
        Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("")
    };
    let mut manifest = fs::read_to_string(directory(own).join("Cargo.toml")).map_err(failed)?;
    let mut crates = Vec::new();
    for dependency in own["dependencies"].as_array().into_iter().flatten() {
        let name = dependency["name"].as_str().unwrap_or_default();
        let required = dependency["req"].as_str().unwrap_or_default();
        if let Some(path) = dependency["path"].as_str() {
            let relative = Path::new(path).strip_prefix(bench_directory().parent().unwrap_or(Path::new("/")));
            let written = relative.map_or_else(|_| path.to_owned(), |it| format!("../{}", it.display()));
            for shown in [written.replacen("../bench/", "../", 1), format!("../{written}")] {
                manifest = manifest.replace(&format!("path = \"{shown}\""), &format!("path = \"{path}\""));
            }
            continue;
        }
        let version = required.trim_start_matches('=');
        let package = packages.iter().find(|package| package["name"] == name && package["version"] == version);
        let package = package.ok_or_else(|| format!("{name} {version} is not in Cargo.lock"))?;
        let there = workspace.join("crates").join(name);
        copy(&directory(package).join("src"), &there.join("src")).map_err(failed)?;
        if let Ok(script) = fs::read(directory(package).join("build.rs")) {
            write_if_new(&there.join("build.rs"), &script).map_err(failed)?;
        }
        let original = fs::read_to_string(directory(package).join("Cargo.toml")).map_err(failed)?;
        write_if_new(&there.join("Cargo.toml"), library_only(&original).as_bytes()).map_err(failed)?;
        // Documentation that is included in the source.
        for file in ["README.md"] {
            if let Ok(text) = fs::read(directory(package).join(file)) {
                write_if_new(&there.join(file), &text).map_err(failed)?;
            }
        }
        let path = format!("{name} = {{ path = \"../crates/{name}\" }}");
        manifest = manifest.replace(&format!("{name} = \"{required}\""), &path);
        crates.push(name.to_owned());
    }
    for part in ["src", "tests"] {
        copy(&directory(own).join(part), &workspace.join(PACKAGE).join(part)).map_err(failed)?;
    }
    write_if_new(&workspace.join(PACKAGE).join("Cargo.toml"), manifest.as_bytes()).map_err(failed)?;
    // Overflows panic, as in a plain `cargo test`.
    let root = format!(
        "[workspace]\nmembers = [\"crates/*\", \"{PACKAGE}\"]\nresolver = \"3\"\n\n[profile.dev]\nopt-level = 1\ndebug = false\n"
    );
    write_if_new(&workspace.join("Cargo.toml"), root.as_bytes()).map_err(failed)?;
    Ok(crates)
}

/// Returns a manifest without the sections of tests, benchmarks and lints.
fn library_only(manifest: &str) -> String {
    let unwanted = ["[[bench]]", "[[test]]", "[[example]]", "[dev-dependencies", "[lints"];
    let (mut out, mut is_wanted) = (String::new(), true);
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_wanted = !unwanted.iter().any(|section| line.starts_with(section));
        }
        if is_wanted {
            out += line;
            out.push('\n');
        }
    }
    out
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &there)?,
            false => write_if_new(&there, &fs::read(entry.path())?)?,
        }
    }
    Ok(())
}

/// Cargo rebuilds packages with newer files.
fn write_if_new(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == contents) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, contents)
}

/// Builds the mutants and runs the properties on them with forall, which shows the mutants that a property reaches.
fn judged(tool: &Path, workspace: &Path) -> Result<Value, String> {
    let outcome = workspace.join("outcome.json");
    let mut command = Command::new(tool);
    command
        .args(["forall", "strength", "crates", "--package", PACKAGE, "--tests", "--no-inputs", "--json"])
        .arg(&outcome);
    process::run(command.current_dir(workspace).env_remove("CARGO_TARGET_DIR"))?;
    let text = fs::read_to_string(&outcome).map_err(|error| format!("cannot read {}: {error}", outcome.display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Draws mutants of a crate: among those that a property reaches and that do not time out, a fixed random choice.
fn sample(mutants: &[Value], package: &str, most: usize) -> Vec<u64> {
    let within = format!("crates/{package}/");
    let is_wanted = |mutant: &&Value| {
        mutant["file"].as_str().is_some_and(|file| file.starts_with(&within))
            && matches!(mutant["verdict"].as_str(), Some("killed" | "survived"))
    };
    let mut ids: Vec<u64> = mutants.iter().filter(is_wanted).filter_map(|mutant| mutant["id"].as_u64()).collect();
    // The product with an odd number is a permutation of all numbers.
    ids.sort_by_key(|id| id.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32));
    ids.truncate(most);
    ids.sort_unstable();
    ids
}

/// Runs a tool on a mutant. `None` if it exceeds its limits.
fn run(runner: &Path, workspace: &Path, job: &Job, seeds: u64) -> Result<Option<Vec<Found>>, String> {
    let tool = measure::short(job.tool);
    let mode = if job.mode == Mode::Default { "default" } else { "256" };
    let file = workspace.join(format!("{tool}-{mode}-{}.lines", job.mutant));
    let _ = fs::remove_file(&file);
    let limits = format!("ulimit -t {}; ulimit -v {KIB}; exec \"$@\"", SECONDS * seeds);
    let mut command = Command::new("sh");
    command.args(["-c", &limits, "sh"]).arg(runner).args(["--exact", RUNNER, "--nocapture", "--test-threads=1"]);
    command.env_clear().current_dir(workspace).env("__FORALL_MUTANT", job.mutant.to_string());
    command.env("MUTANTS_FILE", &file).env("MUTANTS_CRATE", &job.package).env("MUTANTS_TOOL", tool);
    command.env("MUTANTS_SEEDS", seeds.to_string());
    if job.mode == Mode::In256 {
        command.env("MUTANTS_TESTS", "256");
    }
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(&file);
    if !output.status.success() {
        return Ok(None);
    }
    let case = format!("{MUTANTS}/{}/{}", job.package, job.mutant);
    text.lines()
        .map(|line| read(job, &case, line))
        .collect::<Option<_>>()
        .map(Some)
        .ok_or_else(|| format!("{command:?} wrote {text:?}"))
}

fn read(job: &Job, case: &str, line: &str) -> Option<Found> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[found, tests, microseconds] = &fields[..] else { return None };
    Some(Found {
        tool: job.tool,
        case: case.to_owned(),
        mode: job.mode,
        found: found == "1",
        tests: tests.parse().ok()?,
        cpu: Duration::from_micros(microseconds.parse().ok()?),
    })
}

/// Returns the runs on mutants that some run finds and on which no run exceeds its limits.
fn comparable(jobs: &[Job], runs: Vec<Option<Vec<Found>>>) -> Vec<Found> {
    let mut limited: BTreeSet<u64> = BTreeSet::new();
    let mut found: BTreeMap<u64, Vec<Found>> = BTreeMap::new();
    for (job, runs) in jobs.iter().zip(runs) {
        match runs {
            Some(runs) => found.entry(job.mutant).or_default().extend(runs),
            None => drop(limited.insert(job.mutant)),
        }
    }
    found.retain(|mutant, runs| !limited.contains(mutant) && runs.iter().any(|run| run.found));
    found.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_reached_mutants_of_the_crate_and_is_the_same_each_time() {
        let mutant =
            |id: u64, file: &str, verdict: &str| serde_json::json!({"id": id, "file": file, "verdict": verdict});
        let mut mutants: Vec<Value> = (1..50).map(|id| mutant(id, "crates/hex/src/lib.rs", "killed")).collect();
        mutants.push(mutant(50, "crates/hex/src/lib.rs", "not_reached"));
        mutants.push(mutant(51, "crates/hex-more/src/lib.rs", "survived"));
        let sampled = sample(&mutants, "hex", 20);
        assert_eq!((sampled.len(), &sampled), (20, &sample(&mutants, "hex", 20)));
        assert!(sampled.iter().all(|id| *id < 50) && sampled.iter().any(|id| *id > 25), "{sampled:?}");
        assert_eq!(sample(&mutants, "hex", 100).len(), 49);
    }

    #[test]
    fn mutants_that_no_tool_finds_or_that_exceed_limits_are_no_tasks() {
        let job = |mutant: u64| Job { tool: "forall", mode: Mode::In256, package: "hex".to_owned(), mutant };
        let jobs = [job(1), job(1), job(2), job(3), job(3)];
        let run =
            |job: &Job, line: &str| Some(vec![read(job, &format!("{MUTANTS}/hex/{}", job.mutant), line).unwrap()]);
        let runs = vec![
            run(&jobs[0], "0\t256\t10"),
            run(&jobs[1], "1\t3\t10"),
            run(&jobs[2], "0\t256\t10"),
            run(&jobs[3], "1\t1\t10"),
            None,
        ];
        let cases: Vec<String> = comparable(&jobs, runs).into_iter().map(|found| found.case).collect();
        assert_eq!(cases, ["mutants/hex/1", "mutants/hex/1"]);
    }

    #[test]
    fn manifests_lose_their_tests_and_lints() {
        let manifest = "[package]\nname = \"a\"\n[[test]]\nname = \"b\"\n[features]\nstd = []\n[dev-dependencies.c]\nversion = \"1\"\n[lints.rust]\nx = \"deny\"\n";
        assert_eq!(library_only(manifest), "[package]\nname = \"a\"\n[features]\nstd = []\n");
    }
}
