//! A search guided by coverage: do eight workers with one corpus reach what one reaches, with as many executions in all?
//!
//! The target is a published parser of SQL, which is far from being covered after ten million executions. Its source, as cargo has
//! downloaded it, is a member of the searched workspace, so that it is instrumented and nothing else is.

use super::workers::Fleet;
use crate::process::{bench_directory, cargo, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The parser, of this version: figures are of one program.
const PARSER: &str = "sqlparser";
const VERSION: &str = "0.63.0";

/// The property under test.
const PROPERTY: &str = include_str!("../../../scale/parses.rs");

/// Executions of all workers, for each of one.
pub const ALLOWED: f64 = 1.3;

/// The results of searches by one worker and by several: the mean of all pairs.
#[derive(Default)]
pub struct Compared {
    /// Places of the source that one worker reached.
    pub edges_of_one: f64,
    /// The edges that it reached in the second half of its time: none if the search was saturated.
    pub late_edges: f64,
    /// Those that the best of several workers reached: it has what the others sent.
    pub edges_of_all: f64,
    /// How many executions the several needed, for each of one, until one of them had reached as much; of the pairs in which they did.
    pub executions: Option<f64>,
    /// In how many pairs they did.
    pub reached: u32,
}

/// Lets one worker do so many executions, and several 1.3 times as many in all; as often as is said, with a seed each time.
pub fn compare(fleet: &Fleet, workers: usize, executions: u64, pairs: u32) -> Result<Compared, String> {
    let project = project()?;
    let mut compared = Compared::default();
    let mut needed = Vec::new();
    for seed in 1..=pairs {
        let one = search(fleet, &project, 1, executions, seed)?;
        let each = (executions as f64 * ALLOWED / workers as f64) as u64;
        let all = search(fleet, &project, workers, each, seed)?;
        let (alone, of_all) = (one.edges(), all.edges());
        compared.edges_of_one += alone as f64 / f64::from(pairs);
        compared.edges_of_all += of_all as f64 / f64::from(pairs);
        compared.late_edges += (alone - one.edges_by_half()) as f64 / f64::from(pairs);
        needed.extend(all.executions_to(alone).map(|needed| needed / executions as f64));
    }
    compared.reached = needed.len() as u32;
    compared.executions = (!needed.is_empty()).then(|| needed.iter().sum::<f64>() / needed.len() as f64);
    Ok(compared)
}

/// A workspace of the parser and the property.
fn project() -> Result<PathBuf, String> {
    let root = bench_directory().join("target/scale-coverage");
    let source = downloaded(&root.join("fetched"))?;
    let parser = root.join(PARSER);
    if !parser.join("src").exists() {
        copy(&source.join("src"), &parser.join("src"))?;
        let manifest = source.join("Cargo.toml");
        let text =
            fs::read_to_string(&manifest).map_err(|error| format!("cannot read {}: {error}", manifest.display()))?;
        write(&parser.join("Cargo.toml"), &only_the_library(&text))?;
    }
    let forall = bench_directory().join("../forall");
    write(
        &root.join("Cargo.toml"),
        &format!("[workspace]\nresolver = \"3\"\nmembers = [\"searched\", \"{PARSER}\"]\n"),
    )?;
    write(
        &root.join("searched/Cargo.toml"),
        &format!(
            "[package]\nname = \"searched\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dev-dependencies]\n\
             forall = {{ path = {forall:?} }}\n\
             {PARSER} = {{ path = \"../{PARSER}\", default-features = false, features = [\"std\"] }}\n"
        ),
    )?;
    write(&root.join("searched/src/lib.rs"), "")?;
    write(&root.join("searched/tests/parses.rs"), PROPERTY)?;
    Ok(root)
}

/// Where cargo has put the source of the parser.
fn downloaded(directory: &Path) -> Result<PathBuf, String> {
    let manifest = format!(
        "[package]\nname = \"fetched\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{PARSER} = \"={VERSION}\"\n\n\
         [workspace]\n"
    );
    write(&directory.join("Cargo.toml"), &manifest)?;
    write(&directory.join("src/lib.rs"), "")?;
    let output = run(cargo(directory).args(["metadata", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let found =
        packages.filter(|package| package["name"] == PARSER).find_map(|package| package["manifest_path"].as_str());
    let found = found.and_then(|path| Path::new(path).parent()).ok_or("cargo metadata does not name the parser")?;
    Ok(found.to_owned())
}

/// A manifest without what only the package's own tests need. (Published manifests have a table for each.)
fn only_the_library(manifest: &str) -> String {
    let mut kept = String::new();
    let mut keeping = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            let others = ["[[bin", "[[test", "[[bench", "[[example", "[dev-dependencies"];
            keeping = !others.iter().any(|other| line.starts_with(other));
        }
        if keeping {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error| format!("cannot write {}: {error}", path.display());
    // Unchanged packages are not rebuilt.
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("files are in directories")).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot copy {}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(failed)?;
        }
    }
    Ok(())
}

/// The statistics that the workers of a search reported.
struct Search {
    told: Vec<Value>,
}

/// Lets workers search, each for so many executions, with a corpus in a directory.
fn search(fleet: &Fleet, project: &Path, workers: usize, each: u64, seed: u32) -> Result<Search, String> {
    let names: Vec<String> = (1..=workers).map(|number| format!("searcher-{workers}-{number}")).collect();
    fleet.forget(&names);
    let corpus = fleet.path(&format!("searched-{workers}-{seed}"));
    let (each, seed) = (each.to_string(), seed.to_string());
    let mut children = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let shard = format!("{}/{workers}", at + 1);
        let mut command = fleet.command(name, project, "fuzz");
        command.args(["parses", "--package", "searched", "--execs", &each, "--seed", &seed, "--shard", &shard]);
        command.args(["--corpus", &corpus]).env("CARGO_TARGET_DIR", project.join("target"));
        let child = command.spawn().map_err(|error| format!("cannot start a worker: {error}"))?;
        // The first one builds.
        children.push(child);
    }
    for (child, name) in children.iter_mut().zip(&names) {
        let status = child.wait().map_err(|error| format!("cannot wait for {name}: {error}"))?;
        if !status.success() {
            return Err(format!("{name} ended with {status}:\n{}", fleet.said(name)));
        }
    }
    let stats = fleet.stats(&corpus)?;
    let told: Vec<Value> = stats["properties"][0]["told"].as_array().cloned().unwrap_or_default();
    if told.len() == workers {
        return Ok(Search { told });
    }
    Err(format!("{} of {workers} workers reported statistics", told.len()))
}

impl Search {
    /// The edges that the best worker reached.
    fn edges(&self) -> u64 {
        self.told.iter().filter_map(|told| told["edges"].as_u64()).max().unwrap_or(0)
    }

    /// When the edges of a worker were how many: seconds of the clock.
    fn growth<'a>(&self, told: &'a Value) -> impl Iterator<Item = (f64, u64)> + 'a {
        let began = told["began"].as_f64().unwrap_or(0.0);
        let steps = told["growth"].as_array().into_iter().flatten();
        steps.filter_map(move |step| Some((began + step[0].as_f64()?, step[1].as_u64()?)))
    }

    /// The edges that a worker had reached after half of its time.
    fn edges_by_half(&self) -> u64 {
        let told = &self.told[0];
        let half = told["began"].as_f64().unwrap_or(0.0) + told["time"].as_f64().unwrap_or(0.0) / 2.0;
        self.growth(told).take_while(|(at, _)| *at <= half).last().map_or(0, |(_, edges)| edges)
    }

    /// How many executions had been done, by all, when the first worker had reached this many edges; none if none has. (Workers
    /// say what they have done when they end: in between it is taken for even.)
    fn executions_to(&self, edges: u64) -> Option<f64> {
        let reached = |told| self.growth(told).find(|step| step.1 >= edges).map(|(at, _)| at);
        let at = self.told.iter().filter_map(reached).min_by(f64::total_cmp)?;
        let until = |told: &Value| {
            let of = |field: &str| told[field].as_f64().unwrap_or(0.0);
            of("executions") * ((at - of("began")) / of("time")).clamp(0.0, 1.0)
        };
        Some(self.told.iter().map(until).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn executions_are_counted_up_to_when_the_first_worker_is_there() {
        let worker = |began: f64, growth: Value| json!({"began": began, "time": 10.0, "executions": 1000, "edges": 9, "growth": growth});
        let search =
            Search { told: vec![worker(0.0, json!([[1.0, 5], [8.0, 9]])), worker(2.0, json!([[1.0, 4], [2.0, 9]]))] };
        assert_eq!(search.executions_to(5), Some(100.0));
        assert_eq!(search.executions_to(9), Some(600.0));
        assert_eq!(search.executions_to(10), None);
        assert_eq!((search.edges(), search.edges_by_half()), (9, 5));
    }

    #[test]
    fn only_the_library_of_a_package_is_kept() {
        let manifest = "[package]\nname = \"p\"\n\n[[test]]\nname = \"t\"\n\n[dependencies.log]\nversion = \"1\"\n\n[dev-dependencies.x]\n";
        assert_eq!(only_the_library(manifest), "[package]\nname = \"p\"\n\n[dependencies.log]\nversion = \"1\"\n\n");
    }
}
