//! An earlier outcome to compare with: from a file, or of a commit, which is tested unless its outcome is cached.

use super::copy::{mirrored, surround};
use super::outcome::Outcome;
use super::score::{Tally, percent};
use super::text::{plural, word};
use crate::screen::{Screen, aside, visible};
use crate::{Error, trouble};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of this run that are not passed on to the run of another commit; each takes a value.
const OWN_OPTIONS: &[&str] =
    &["--no-worse-than", "--json", "--html", "--since", "--at-least", "--show", "--manifest-path"];

/// A file name and a function name.
type Place = (String, String);
/// A change, its verdict in JSON, and its line.
type Judged = (String, String, usize);

/// An earlier outcome.
#[derive(Debug)]
pub struct Reference {
    /// The file or commit, as the user specified it.
    name: String,
    /// The verdicts in JSON, by file and function, with the change.
    verdicts: BTreeMap<Place, Vec<(String, String)>>,
}

impl Reference {
    /// Returns the outcome in a file, or the outcome of a commit. Builds are in `target`, copies and outcomes in
    /// `directory`.
    pub fn of(name: &str, root: &Path, target: &Path, directory: &Path) -> Result<Self, Error> {
        let path = match Path::new(name).is_file() {
            true => PathBuf::from(name),
            false => of_commit(name, root, target, directory)?,
        };
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let document = serde_json::from_str(&text).ok();
        document
            .and_then(|document| Self::read(name, &document))
            .ok_or_else(|| Error::Refused(format!("{} was not written by `forall strength --json`", path.display())))
    }

    fn read(name: &str, document: &Value) -> Option<Self> {
        let mut verdicts: BTreeMap<Place, Vec<(String, String)>> = BTreeMap::new();
        for mutant in document["mutants"].as_array()? {
            let text = |key: &str| mutant[key].as_str().map(str::to_owned);
            verdicts.entry((text("file")?, text("function")?)).or_default().push((text("change")?, text("verdict")?));
        }
        Some(Self { name: name.to_owned(), verdicts })
    }

    /// Compares the scores. With `only_these`, functions that are missing from the new outcome are left out.
    pub fn compare(&self, outcome: &Outcome<'_>, only_these: bool) -> Comparison {
        let mut own: BTreeMap<Place, Vec<Judged>> = BTreeMap::new();
        for mutant in &outcome.mutants {
            let function = outcome.library.functions[mutant.function].name.clone();
            let key = (outcome.library.file(mutant).name.clone(), function);
            let verdict = word(outcome.verdict(mutant)).to_owned();
            own.entry(key).or_default().push((mutant.what.clone(), verdict, outcome.library.line(mutant)));
        }
        let (mut tally, mut lost) = (Tally::default(), Vec::new());
        for (key, verdicts) in self.verdicts.iter().filter(|(key, _)| !only_these || own.contains_key(*key)) {
            verdicts.iter().for_each(|(_, verdict)| tally.add_word(verdict));
            // Equal changes in a function are matched in source order.
            let mut seen: BTreeSet<usize> = BTreeSet::new();
            for (change, verdict) in verdicts {
                let all = own.get(key).map(Vec::as_slice).unwrap_or_default();
                let is_it = |(at, (other, ..)): &(usize, &Judged)| other == change && !seen.contains(at);
                let Some((at, (_, now, line))) = all.iter().enumerate().find(is_it) else { continue };
                seen.insert(at);
                if is_detected(verdict) && matches!(&**now, "survived" | "not_reached") {
                    lost.push(format!("{}:{line}  `{}`: {change}", key.0, key.1));
                }
            }
        }
        Comparison { name: self.name.clone(), before: tally.score(), now: outcome.tally().score(), lost }
    }
}

fn is_detected(verdict: &str) -> bool {
    matches!(verdict, "killed" | "timed_out")
}

/// The scores of two outcomes.
#[derive(Debug)]
pub struct Comparison {
    name: String,
    before: Option<f64>,
    now: Option<f64>,
    /// Mutants that were detected before, but are not any more.
    lost: Vec<String>,
}

impl Comparison {
    /// Returns whether the score is lower than before.
    pub fn is_worse(&self) -> bool {
        matches!((self.before, self.now), (Some(before), Some(now)) if now < before)
    }

    /// Returns the text for the terminal, with at most this many mutants.
    pub fn text(&self, most: usize, screen: &Screen) -> String {
        let (Some(before), Some(now)) = (self.before, self.now) else {
            return format!("\nnothing to compare: `{}` has no mutant of these functions\n", visible(&self.name));
        };
        let verb = if self.is_worse() { "is lower than" } else { "is not lower than" };
        let mut out = format!(
            "\nthe score {verb} that of `{}`: {} there, {} here\n",
            visible(&self.name),
            percent(before),
            percent(now)
        );
        if !self.lost.is_empty() {
            out += &format!("  {} detected there and not here\n", plural(self.lost.len(), "mutant"));
        }
        for mutant in self.lost.iter().take(most) {
            out += &screen.wrap("    ", &visible(mutant));
        }
        out
    }
}

/// Returns the file with the outcome of a commit. The commit is tested in a copy, unless its outcome is cached.
fn of_commit(name: &str, root: &Path, target: &Path, directory: &Path) -> Result<PathBuf, Error> {
    let git = |arguments: &[&str], index: Option<&Path>| -> Result<String, Error> {
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(arguments);
        // Leaves the user's index unchanged.
        git.envs(index.map(|index| ("GIT_INDEX_FILE", index)));
        let output = git.output().map_err(|error| trouble::no_tool("git", error))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(Error::Refused(format!(
                "`{name}` is neither a file nor a git commit: {}. Name a file written by --json, a commit, a branch or a tag",
                String::from_utf8_lossy(&output.stderr).trim()
            ))),
        }
    };
    let commit = git(&["rev-parse", "--verify", "--end-of-options", &format!("{name}^{{commit}}")], None)?;
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"], None)?);
    let arguments = shared(std::env::args().skip(1));
    let key = crate::shard::hash(&format!("{commit} {} {arguments:?}", root.display()));
    let outcome = directory.join("outcomes").join(format!("{key:016x}.json"));
    if outcome.metadata().is_ok_and(|found| found.len() > 0) {
        return Ok(outcome);
    }
    aside(&format!("forall: testing `{}` first, for comparison\n", visible(name)));
    // All commits share one directory, so that dependencies are built once.
    let own = crate::shard::hash(&root.to_string_lossy());
    let place = directory.join("reference").join(format!("{own:016x}"));
    let _alone = crate::build::lock(&place)?;
    let failed = |error| trouble::no_build("write", &place, error);
    let _ = std::fs::remove_dir_all(&place);
    surround(&top, &place).map_err(failed)?;
    let (copy, index) = (mirrored(&place, &top), place.join("index"));
    std::fs::create_dir_all(&copy).map_err(failed)?;
    std::fs::create_dir_all(directory.join("outcomes")).map_err(failed)?;
    git(&["read-tree", &commit], Some(&index))?;
    let from_top = ["-C", &top.display().to_string(), "checkout-index", "--all", "--force"].map(str::to_owned);
    let prefix = format!("--prefix={}/", copy.display());
    let arguments_of_git: Vec<&str> = from_top.iter().map(|it| &**it).chain([&*prefix]).collect();
    git(&arguments_of_git, Some(&index))?;
    let this = std::env::current_exe().map_err(trouble::no_self)?;
    let mut command = Command::new(&this);
    command.args(arguments).args(["--no-inputs", "--show", "0"]).arg("--json").arg(&outcome);
    command.arg("--manifest-path").arg(mirrored(&place, root).join("Cargo.toml"));
    command.env("CARGO_TARGET_DIR", target).current_dir(mirrored(&place, root)).stdout(std::process::Stdio::null());
    let status = command.status().map_err(trouble::no_self)?;
    let _ = std::fs::remove_dir_all(&place);
    match status.success() {
        true => Ok(outcome),
        false => {
            let _ = std::fs::remove_file(&outcome);
            Err(Error::Refused(format!("cannot test the properties of `{name}`: see the error above")))
        }
    }
}

/// Returns the arguments that both runs share.
fn shared(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let (mut shared, mut is_value) = (Vec::new(), false);
    for argument in arguments {
        let is_own = OWN_OPTIONS.contains(&&*argument);
        let has_own = argument.split_once('=').is_some_and(|(option, _)| OWN_OPTIONS.contains(&option));
        if !is_value && !is_own && !has_own && argument != "--no-inputs" {
            shared.push(argument);
        }
        is_value = is_own;
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_this_run_are_not_passed_to_the_reference() {
        let all = [
            "strength",
            "src/a.rs",
            "--no-worse-than",
            "main",
            "--tests",
            "--json=x",
            "--since",
            "main",
            "--seed",
            "7",
        ];
        assert_eq!(shared(all.iter().map(|it| (*it).to_owned())), ["strength", "src/a.rs", "--tests", "--seed", "7"]);
    }

    #[test]
    fn a_lower_score_lists_the_mutants_no_longer_detected() {
        let screen = Screen::plain();
        let lost = vec!["src/lib.rs:3  `f`: remove the statement".to_owned()];
        let worse = Comparison { name: "main".to_owned(), before: Some(0.8), now: Some(0.75), lost };
        assert!(worse.is_worse());
        let expected = "\nthe score is lower than that of `main`: 80 % there, 75 % here\n  1 mutant detected there and not here\n    src/lib.rs:3  `f`: remove the statement\n";
        assert_eq!(worse.text(20, &screen), expected);
        let same = Comparison { name: "main".to_owned(), before: Some(0.8), now: Some(0.8), lost: Vec::new() };
        assert!(!same.is_worse());
        assert_eq!(same.text(20, &screen), "\nthe score is not lower than that of `main`: 80 % there, 80 % here\n");
        let none = Comparison { name: "main".to_owned(), before: None, now: Some(0.8), lost: Vec::new() };
        assert_eq!(none.text(20, &screen), "\nnothing to compare: `main` has no mutant of these functions\n");
    }
}
