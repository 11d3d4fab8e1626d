//! The source files of a library: the root of its crate, and its modules.

use super::cfg::Condition;
use super::find::{self, Module, Options};
use super::mutant::{Edition, File, Function, Mutant};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The types of a name, by the index of the file that defines each: for enums whose variants have no fields, the variants.
pub type Definitions = BTreeMap<String, BTreeMap<usize, Vec<String>>>;

/// The code to mutate, of one or more packages.
#[derive(Debug, Default)]
pub struct Library {
    /// The source files.
    pub files: Vec<File>,
    /// The functions with mutants.
    pub functions: Vec<Function>,
    /// All mutants, in source order.
    pub mutants: Vec<Mutant>,
    /// The types: by name, and by the file that defines them.
    pub types: Definitions,
    /// The number of functions left out because they are `const` or `unsafe`.
    pub left_out: usize,
}

impl Library {
    /// Adds the library of a package, or its programs if it has none. Paths are relative to the root of the workspace.
    pub fn add(&mut self, package: &Value, root: &Path, options: &Options) {
        let targets = package["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_kind = |target: &Value, wanted: &[&str]| {
            let kinds = target["kind"].as_array().map(Vec::as_slice).unwrap_or_default();
            kinds.iter().any(|kind| wanted.contains(&kind.as_str().unwrap_or_default()))
        };
        let of_kind = |kinds: &[&str]| -> Vec<&Value> { targets.iter().filter(|it| is_kind(it, kinds)).collect() };
        let mut roots = of_kind(&["lib", "rlib", "dylib", "cdylib", "staticlib"]);
        if roots.is_empty() {
            roots = of_kind(&["bin"]);
        }
        for target in roots {
            if let Some(path) = target["src_path"].as_str() {
                let is_old = target["edition"] == "2015";
                let edition = if is_old { Edition::RootOf2015(0) } else { Edition::Since2018 };
                self.add_file(Path::new(path), edition, true, root, &[], options);
            }
        }
    }

    fn add_file(
        &mut self,
        path: &Path,
        edition: Edition,
        is_root: bool,
        root: &Path,
        conditions: &[Condition],
        options: &Options,
    ) {
        if self.files.iter().any(|file| file.path == path) {
            return;
        }
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let file = self.files.len();
        // The compiler reports files that are not valid Rust.
        let Some(found) = find::find(&text, file, conditions, options) else { return };
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let edition = match edition {
            Edition::RootOf2015(_) => Edition::RootOf2015(found.start),
            other => other,
        };
        self.files.push(File { path: path.to_owned(), name, text, conditions: conditions.to_vec(), edition });
        let inside = if edition == Edition::Since2018 { edition } else { Edition::Of2015 };
        let (functions, mutants) = (self.functions.len(), self.mutants.len() as u32);
        self.functions.extend(found.functions);
        self.left_out += found.left_out;
        for (name, variants) in found.types {
            self.types.entry(name).or_default().insert(file, variants);
        }
        for mut mutant in found.mutants {
            mutant.id += mutants;
            mutant.function += functions;
            self.mutants.push(mutant);
        }
        for module in &found.modules {
            if let Some(path) = file_of(module, path, is_root) {
                self.add_file(&path, inside, false, root, &module.conditions, options);
            }
        }
    }

    /// The file of a mutant.
    pub fn file(&self, mutant: &Mutant) -> &File {
        &self.files[self.functions[mutant.function].file]
    }

    /// Returns the line of a mutant, from 1.
    pub fn line(&self, mutant: &Mutant) -> usize {
        let text = &self.file(mutant).text;
        let start =
            mutant.range.start + text[mutant.range.clone()].len() - text[mutant.range.clone()].trim_start().len();
        line_of(text, start.min(mutant.range.end))
    }
}

/// Returns the line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Returns the file of a module, by the compiler's rules.
fn file_of(module: &Module, parent: &Path, is_root: bool) -> Option<PathBuf> {
    let directory = parent.parent()?;
    let is_mod = is_root || parent.file_name().is_some_and(|name| name == "mod.rs");
    let mut own = if is_mod { directory.to_owned() } else { directory.join(parent.file_stem()?) };
    own.extend(&module.inside);
    if let Some(path) = &module.path {
        let from = if module.inside.is_empty() { directory } else { &own };
        return Some(from.join(path));
    }
    let candidates = [own.join(format!("{}.rs", module.name)), own.join(&module.name).join("mod.rs")];
    candidates.into_iter().find(|path| path.is_file())
}
