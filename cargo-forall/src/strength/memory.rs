//! Results of earlier runs: the test that killed a mutant runs first the next time. Verdicts are never reused: even if
//! a function is unchanged, its callees may have changed.

use super::library::Library;
use super::mutant::Mutant;
use super::outcome::Outcome;
use super::tests::Test;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tests that killed mutants, by the content of functions.
#[derive(Debug, Default)]
pub struct Memory {
    path: PathBuf,
    killers: BTreeMap<String, String>,
}

impl Memory {
    /// Reads the results for a workspace. Empty if there are none, or they cannot be read.
    pub fn of(directory: &Path, root: &Path) -> Self {
        let name = format!("{:016x}.json", crate::shard::hash(&root.to_string_lossy()));
        let path = directory.join("known").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        Self { path, killers: serde_json::from_str(&text).unwrap_or_default() }
    }

    /// Returns the tests that killed mutants of functions that have not changed since.
    pub fn killers(&self, library: &Library, tests: &[Test]) -> BTreeMap<u32, usize> {
        let places: BTreeMap<&str, usize> = tests.iter().enumerate().map(|(at, test)| (&*test.name, at)).collect();
        let killer = |(id, key): (u32, String)| Some((id, *places.get(&**self.killers.get(&key)?)?));
        keys(library).into_iter().filter_map(killer).collect()
    }

    /// Records which test killed which mutant. Write errors are ignored.
    pub fn add(mut self, outcome: &Outcome<'_>) {
        for (id, key) in keys(outcome.library) {
            let by = outcome.judged.verdicts.get(&id).and_then(|verdict| verdict.detected_by().first());
            if let Some(test) = by {
                self.killers.insert(key, outcome.tests[*test].name.clone());
            }
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let text = serde_json::to_string(&self.killers).unwrap_or_default();
        let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&self.path, text));
    }
}

/// Returns a key for each mutant that stays the same while its function does.
fn keys(library: &Library) -> Vec<(u32, String)> {
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    let mut key = |mutant: &Mutant| {
        let count = seen.entry(mutant.function).or_default();
        *count += 1;
        let function = &library.functions[mutant.function];
        let text = &library.files[function.file].text[function.range.clone()];
        format!("{} {:016x} {count}", function.name, crate::shard::hash(text))
    };
    library.mutants.iter().map(|mutant| (mutant.id, key(mutant))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::judge::{Judged, Verdict};
    use super::super::mutant::{Edition, File};
    use super::*;
    use crate::build::Binary;

    fn library(text: &str) -> Library {
        let found = find::find(text, 0, &[], &find::Options::default()).unwrap();
        let (path, name, text) = ("src/lib.rs".into(), "src/lib.rs".to_owned(), text.to_owned());
        let file = File { path, name, text, conditions: Vec::new(), edition: Edition::Since2018 };
        Library { files: vec![file], functions: found.functions, mutants: found.mutants, ..Library::default() }
    }

    #[test]
    fn a_killer_is_known_until_its_function_changes_and_the_test_is_renamed() {
        let directory = std::env::temp_dir().join(format!("forall-memory-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&directory);
        let memory = || Memory::of(&directory, Path::new("/work"));
        let test = |name: &str| {
            let binary = Binary { path: PathBuf::new(), package: String::new(), package_directory: PathBuf::new() };
            let (name, harness_name, place) = (name.to_owned(), name.to_owned(), String::new());
            Test { name, harness_name, place, is_property: true, binary }
        };
        let original = library("fn f() -> ! { a < b }\nfn g() -> ! { a == b }\n");
        let verdicts = [Verdict::Survived, Verdict::Killed(vec![1]), Verdict::TimedOut(0)];
        let judged = Judged { verdicts: (1..).zip(verdicts).collect(), ..Judged::default() };
        let tests = [test("one"), test("other")];
        memory().add(&Outcome { tests: &tests, ..Outcome::empty(&original, &judged) });
        let killers =
            |library: &Library, tests: &[Test]| memory().killers(library, tests).into_iter().collect::<Vec<_>>();
        assert_eq!(killers(&original, &tests), [(2, 1), (3, 0)]);
        // Mutants have other numbers, and tests other places.
        let moved = library("fn g() -> ! { a == b }\nfn f() -> ! { a < b }\n");
        assert_eq!(killers(&moved, &[test("other"), test("new"), test("one")]), [(1, 2), (3, 0)]);
        let changed = library("fn f() -> ! { a <= b }\nfn g() -> ! { a == b }\n");
        assert_eq!(killers(&changed, &tests), [(3, 0)]);
        assert!(killers(&original, &[test("new")]).is_empty());
        std::fs::write(&memory().path, "{").unwrap();
        assert!(killers(&original, &tests).is_empty(), "a file that cannot be read is ignored");
        std::fs::remove_dir_all(directory).unwrap();
    }
}
