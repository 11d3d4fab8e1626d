//! The imports of a program.

use super::without_comments;
use std::path::{Path, PathBuf};

/// The maximum number of imported files: libraries may be large.
const MOST_FILES: usize = 100;

/// Returns the concatenated sources that a program imports, directly or indirectly. Unreadable files are skipped; the
/// compiler reports them.
pub(crate) fn imported_by(program: &Path, source: &str) -> String {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut all = String::new();
    look_into(program, source, &mut seen, &mut all);
    all
}

fn look_into(file: &Path, source: &str, seen: &mut Vec<PathBuf>, all: &mut String) {
    let folder = file.parent().unwrap_or(Path::new(""));
    for import in imports_in(source) {
        let path = folder.join(import + ".fut");
        if seen.len() >= MOST_FILES || seen.contains(&path) {
            continue;
        }
        seen.push(path.clone());
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // Imports come before the importing file, since the last of several declarations wins.
        look_into(&path, &text, seen, all);
        all.push_str(&text);
        all.push('\n');
    }
}

/// Finds `import "path"` anywhere in the source.
fn imports_in(source: &str) -> Vec<String> {
    let plain = without_comments(source);
    let words = plain.match_indices("import").map(|(at, word)| plain[at + word.len()..].trim_start());
    words.filter_map(|rest| Some(rest.strip_prefix('"')?.split_once('"')?.0.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_followed_once() {
        let folder = std::env::temp_dir().join(format!("forall-futhark-imports-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("lib")).unwrap();
        std::fs::write(folder.join("lib/a.fut"), "import \"b\"\ndef a = 1\n").unwrap();
        std::fs::write(folder.join("lib/b.fut"), "import \"a\"\ndef b = 1\n").unwrap();
        let source = "module m = import \"lib/a\"\n-- import \"lib/c\"\nimport \"nowhere\"\n";
        let all = imported_by(&folder.join("p.fut"), source);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(all, "import \"a\"\ndef b = 1\n\nimport \"b\"\ndef a = 1\n\n");
    }
}
