//! Selection of mutants: by path or by changed functions, except those that `forall.toml` excludes.

use super::library::{Library, line_of};
use super::mutant::Mutant;
use crate::Error;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

/// The section `[strength]` of `forall.toml`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    /// Paths from the root of the workspace, and names of functions.
    pub places: Vec<String>,
    /// Equivalent mutants, spelled as in the report: `function: change`.
    pub equivalent: Vec<String>,
}

impl Excluded {
    /// Reads the file in a workspace, if there is one.
    pub fn of(root: &Path) -> Result<Self, Error> {
        match std::fs::read_to_string(root.join("forall.toml")) {
            Ok(text) => Self::read(&text),
            Err(_) => Ok(Self::default()),
        }
    }

    fn read(text: &str) -> Result<Self, Error> {
        let (mut excluded, mut is_here) = (Self::default(), false);
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.starts_with('[') {
                is_here = line.split('#').next().is_some_and(|line| line.trim() == "[strength]");
                continue;
            }
            if !is_here || line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = || {
                format!(
                    "forall.toml:{}: expected `exclude = \"src/file.rs; function\"` or `equivalent = \"function: change\"`",
                    at + 1
                )
            };
            let (key, value) = line.split_once('=').ok_or_else(wrong)?;
            let value = value.trim().strip_prefix('"').and_then(|value| value.rsplit_once('"')).ok_or_else(wrong)?.0;
            let parts = value.split(';').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
            match key.trim() {
                "exclude" => excluded.places.extend(parts),
                "equivalent" => excluded.equivalent.extend(parts),
                _ => return Err(wrong().into()),
            }
        }
        Ok(excluded)
    }

    fn has(&self, mutant: &Mutant, library: &Library) -> bool {
        let function = &library.functions[mutant.function].name;
        let path = Path::new(&library.file(mutant).name);
        let is_function = |name: &str| name == function || function.rsplit("::").next() == Some(name);
        self.places.iter().any(|place| path.starts_with(place) || is_function(place))
            || self.equivalent.iter().any(|known| *known == named(mutant, library))
    }
}

/// Returns the name of a mutant in the report, without its location.
pub fn named(mutant: &Mutant, library: &Library) -> String {
    format!("{}: {}", library.functions[mutant.function].name, mutant.what.replace('`', "'"))
}

/// Changed lines of files, by path from the root of the workspace.
pub type Changed = BTreeMap<String, Vec<RangeInclusive<usize>>>;

/// The changes since a commit according to git: lines of tracked files, and untracked files.
pub fn changed(root: &Path, since: &str) -> Result<Changed, Error> {
    let git = |arguments: &[&str]| -> Result<String, Error> {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output();
        let output = output.map_err(|error| crate::trouble::no_tool("git", error))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(Error::Refused(format!(
                "cannot list the changes since `{since}`: {}. Name a commit, a branch or a tag of this repository",
                String::from_utf8_lossy(&output.stderr).trim()
            ))),
        }
    };
    if since.starts_with('-') {
        return Err(Error::Refused(format!("`{since}` is not a commit: name a commit, a branch or a tag")));
    }
    let mut changed =
        read_diff(&git(&["diff", "--no-color", "--no-ext-diff", "--unified=0", "--relative", since, "--", "."])?);
    for file in git(&["ls-files", "--others", "--exclude-standard"])?.lines() {
        changed.insert(file.to_owned(), vec![1..=usize::MAX]);
    }
    Ok(changed)
}

fn read_diff(diff: &str) -> Changed {
    let mut changed = Changed::new();
    let mut file = None;
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ ") {
            file = path.strip_prefix("b/").map(str::to_owned);
        } else if let (Some(hunk), Some(file)) = (line.strip_prefix("@@ "), &file) {
            let new = hunk.split(' ').find_map(|part| part.strip_prefix('+')).unwrap_or_default();
            let (start, count) = new.split_once(',').unwrap_or((new, "1"));
            let (start, count) = (start.parse().unwrap_or(1), count.parse().unwrap_or(1usize));
            // Deleted lines count as a change of the surrounding function.
            changed.entry(file.clone()).or_default().push(start..=start + count.max(1) - 1);
        }
    }
    changed
}

/// Removes the mutants that are not selected.
pub fn select(library: &mut Library, path: Option<&Path>, changed: Option<&Changed>, excluded: &Excluded) {
    let is_meant = |mutant: &Mutant| {
        let (file, function) = (library.file(mutant), &library.functions[mutant.function]);
        let lines = line_of(&file.text, function.range.start)..=line_of(&file.text, function.range.end);
        let overlaps = |range: &RangeInclusive<usize>| range.start() <= lines.end() && lines.start() <= range.end();
        path.is_none_or(|path| file.path.starts_with(path))
            && changed.is_none_or(|changed| changed.get(&file.name).is_some_and(|ranges| ranges.iter().any(overlaps)))
            && !excluded.has(mutant, library)
    };
    let keep: Vec<bool> = library.mutants.iter().map(is_meant).collect();
    let mut keep = keep.into_iter();
    library.mutants.retain(|_| keep.next() == Some(true));
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::mutant::{Edition, File};
    use super::*;

    #[test]
    fn the_section_of_the_file_is_read_and_others_are_not() {
        let text = "tests = 5\n[strength]\n# why\nexclude = \"src/generated; Tree::balance\"\nequivalent = \"f: replace '<' by '<='\"\n[ci]\ntests = 7\n";
        let excluded = Excluded::read(text).unwrap();
        assert_eq!(excluded.places, ["src/generated", "Tree::balance"]);
        assert_eq!(excluded.equivalent, ["f: replace '<' by '<='"]);
        let wrong = Excluded::read("[strength]\nexclud = \"x\"").unwrap_err().to_string();
        assert!(wrong.starts_with("forall.toml:2: expected `exclude = "), "{wrong}");
    }

    #[test]
    fn a_diff_names_lines_of_files() {
        let diff = "diff --git a/src/lib.rs b/src/lib.rs\n--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -3,2 +3,4 @@ fn f\n@@ -9,2 +11,0 @@\n\
                    --- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n";
        assert_eq!(read_diff(diff), Changed::from([("src/lib.rs".to_owned(), vec![3..=6, 11..=11])]));
    }

    /// The names of the functions whose mutants are selected, and the number of mutants.
    fn selected(changed: Option<&Changed>, excluded: &str) -> (Vec<String>, usize) {
        let text = "fn less(a: u8, b: u8) -> bool {\n    a < b\n}\n\nimpl Tree {\n    fn insert(&self) {\n        a();\n    }\n}\n";
        let found = find::find(text, 0, &[], &find::Options::default()).unwrap();
        let (path, name, text) = ("/work/src/tree.rs".into(), "src/tree.rs".to_owned(), text.to_owned());
        let file = File { path, name, text, conditions: Vec::new(), edition: Edition::Since2018 };
        let (functions, mutants) = (found.functions, found.mutants);
        let mut library = Library { files: vec![file], functions, mutants, ..Library::default() };
        select(&mut library, None, changed, &Excluded::read(&format!("[strength]\n{excluded}")).unwrap());
        let mut names: Vec<String> =
            library.mutants.iter().map(|mutant| library.functions[mutant.function].name.clone()).collect();
        names.dedup();
        (names, library.mutants.len())
    }

    #[test]
    fn excluded_places_and_equivalent_mutants_are_left_out() {
        let both = || (vec!["less".to_owned(), "Tree::insert".to_owned()], 6);
        assert_eq!(selected(None, ""), both());
        for place in ["less", "src/tree.rs", "src", "insert", "Tree::insert"] {
            let (names, _) = selected(None, &format!("exclude = \"{place}\""));
            let expected: &[&str] = match place {
                "less" => &["Tree::insert"],
                "insert" | "Tree::insert" => &["less"],
                _ => &[],
            };
            assert_eq!(names, expected, "{place}");
        }
        for place in ["les", "src/tre", "Tree", "tree.rs"] {
            assert_eq!(selected(None, &format!("exclude = \"{place}\"")), both(), "{place}");
        }
        let (names, mutants) = selected(None, "equivalent = \"less: replace '<' by '<='; less: return 'true'\"");
        assert_eq!((names.len(), mutants), (2, 4));
        assert_eq!(selected(None, "equivalent = \"insert: remove the statement\""), both(), "the name has its type");
    }

    #[test]
    fn a_function_is_selected_if_any_of_its_lines_changed() {
        let changed = |lines| selected(Some(&Changed::from([("src/tree.rs".to_owned(), vec![lines])])), "").0;
        let table: &[(RangeInclusive<usize>, &[&str])] = &[
            (1..=1, &["less"]),
            (2..=2, &["less"]),
            (3..=3, &["less"]),
            (4..=5, &[]),
            (3..=6, &["less", "Tree::insert"]),
            (8..=8, &["Tree::insert"]),
            (9..=usize::MAX, &[]),
        ];
        for (lines, expected) in table {
            assert_eq!(changed(lines.clone()), *expected, "{lines:?}");
        }
        assert!(selected(Some(&Changed::from([("src/other.rs".to_owned(), vec![1..=9])])), "").0.is_empty());
    }
}
