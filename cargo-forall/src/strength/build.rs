//! Builds all mutants at once, and drops those that do not compile according to the compiler's messages.

use super::cfg::Words;
use super::copy::{self, Copy};
use super::library::Library;
use super::mutant::Mutant;
use super::rewrite::{Rewritten, rewrite};
use super::text::plural;
use crate::build::Binary;
use crate::interrupt::{self, SignalForwarder};
use crate::{Error, trouble};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The number of builds after which a function that still does not compile loses all its mutants.
const PATIENT: usize = 4;
/// The maximum number of builds. If the last one fails as well, the command fails.
const MOST: usize = 12;
/// The interval at which a signal is forwarded to cargo.
const PERIOD: Duration = Duration::from_millis(20);

/// The result of a build.
#[derive(Debug)]
pub struct Built {
    /// The test programs.
    pub binaries: Vec<Binary>,
    /// The mutants that compiled.
    pub compiled: BTreeSet<u32>,
    /// The number of mutants that do not compile.
    pub taken_back: usize,
    /// The number of mutants in code that is not compiled.
    pub not_built: usize,
    /// The number of builds.
    pub rounds: usize,
}

impl Built {
    /// Returns the message for the terminal.
    pub fn text(&self, left_out: usize) -> String {
        let mut text =
            format!("forall: built {} in {}", plural(self.compiled.len(), "mutant"), plural(self.rounds, "round"));
        for (count, why) in [(self.taken_back, "do not compile"), (self.not_built, "are disabled by `cfg`")] {
            if count > 0 {
                text += &format!("; {count} {why}");
            }
        }
        if left_out > 0 {
            text += &format!("; {} skipped", plural(left_out, "`const` or `unsafe` function"));
        }
        text + "\n"
    }
}

/// Returns the build directory of a workspace. Workspaces share it, and thus their dependencies, unless they have
/// packages of the same name and version: cargo would not rebuild those.
pub fn directory(directory: &Path, metadata: &Value, root: &Path) -> Result<PathBuf, Error> {
    let package = |package: &Value| format!("{} {}", package["name"], package["version"]);
    let packages: Vec<String> = metadata["packages"].as_array().into_iter().flatten().map(package).collect();
    let (root, hash) = (root.to_string_lossy(), crate::shard::hash);
    let owners = directory.join("owners");
    let _alone = crate::build::lock(&owners)?;
    let path = owners.join(format!("{:016x}", hash(&packages.join("\n"))));
    match std::fs::read_to_string(&path) {
        Ok(owner) if owner != root => Ok(directory.join(format!("build-{:016x}", hash(&root)))),
        Ok(_) => Ok(directory.join("shared")),
        Err(_) => {
            std::fs::write(&path, &*root).map_err(|error| trouble::no_build("write", &path, error))?;
            Ok(directory.join("shared"))
        }
    }
}

/// Builds the tests with all mutants that compile. `command` creates the cargo command.
pub fn build(library: &Library, copy: &Copy, command: &dyn Fn() -> Result<Command, Error>) -> Result<Built, Error> {
    let mut out: BTreeSet<u32> = BTreeSet::new();
    for round in 1..=MOST {
        let written = write(library, copy, &out)?;
        let output = CargoOutput::of(&mut command()?)?;
        if output.success {
            let words = output.words()?;
            let is_built = |mutant: &&Mutant| {
                let function = &library.functions[mutant.function];
                words.compile(&function.conditions)
            };
            let left: Vec<&Mutant> = library.mutants.iter().filter(|mutant| !out.contains(&mutant.id)).collect();
            let compiled: BTreeSet<u32> = left.iter().copied().filter(is_built).map(|mutant| mutant.id).collect();
            let not_built = left.len() - compiled.len();
            return Ok(Built { binaries: output.binaries, compiled, taken_back: out.len(), not_built, rounds: round });
        }
        let more = guilty(library, &copy.root, &written, &output.errors, round >= PATIENT);
        let known = out.len();
        out.extend(more);
        if out.len() == known {
            return Err(stuck(library, copy, command, &output)?);
        }
    }
    Err(Error::from(WITH_MUTANTS))
}

const WITH_MUTANTS: &str = "the tests build, but not with mutants; the compiler's errors are above. Exclude the file: \
                            `exclude = \"src/file.rs\"` below `[strength]` in forall.toml";

/// Returns the error if no mutant is to blame: the tests do not build without mutants, or the responsible mutant is
/// unknown.
fn stuck(
    library: &Library,
    copy: &Copy,
    command: &dyn Fn() -> Result<Command, Error>,
    output: &CargoOutput,
) -> Result<Error, Error> {
    write(library, copy, &library.mutants.iter().map(|mutant| mutant.id).collect())?;
    let without = CargoOutput::of(&mut command()?)?;
    let (errors, why) = match without.success {
        true => (&output.errors, WITH_MUTANTS),
        false => (
            &without.errors,
            "the tests do not build even without mutants: see the errors above, or run `cargo test --no-run`",
        ),
    };
    let text: String = errors.iter().map(|error| &*error.text).collect();
    crate::screen::aside(&crate::screen::visible(&text));
    Ok(why.into())
}

/// Writes all files to the copy.
fn write(library: &Library, copy: &Copy, out: &BTreeSet<u32>) -> Result<Vec<(PathBuf, Rewritten)>, Error> {
    let mut written = Vec::new();
    for (at, file) in library.files.iter().enumerate() {
        let is_in = |mutant: &&Mutant| library.functions[mutant.function].file == at && !out.contains(&mutant.id);
        let mutants: Vec<&Mutant> = library.mutants.iter().filter(is_in).collect();
        let rewritten = rewrite(&file.text, &mutants, file.edition);
        let path = copy.place(&file.path);
        copy::write(&path, rewritten.text.as_bytes()).map_err(|error| trouble::no_build("write", &path, error))?;
        written.push((path, rewritten));
    }
    Ok(written)
}

/// Cargo's messages.
#[derive(Default)]
struct CargoOutput {
    success: bool,
    binaries: Vec<Binary>,
    errors: Vec<Message>,
    features: BTreeSet<String>,
    cfgs: BTreeSet<String>,
}

/// An error of the compiler.
struct Message {
    text: String,
    /// The locations of the error, the primary one first.
    spans: Vec<(PathBuf, Range<usize>)>,
}

impl CargoOutput {
    fn of(cargo: &mut Command) -> Result<Self, Error> {
        let mut child = cargo
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| trouble::no_tool("cargo", error))?;
        let stderr = child.stderr.take().expect("it is piped");
        let listener = std::thread::spawn(move || std::io::read_to_string(stderr).unwrap_or_default());
        let stdout = child.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || {
            let mut output = Self::default();
            for line in BufReader::new(stdout).lines() {
                let line = line?;
                output.binaries.extend(crate::build::binary(&line));
                if let Ok(message) = serde_json::from_str(&line) {
                    output.read(&message);
                }
            }
            Ok(output)
        });
        let mut forwarder = SignalForwarder::default();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) => forwarder.forward(&mut child, false),
                Err(error) => break Err(error),
            }
            std::thread::sleep(PERIOD);
        };
        let status = status.map_err(|error| trouble::lost("cargo", error))?;
        if interrupt::came() {
            return Err(Error::Refused("interrupted".to_owned()));
        }
        let said = listener.join().unwrap_or_default();
        let output = reader.join().unwrap_or_else(|_| Err(std::io::ErrorKind::Other.into()));
        let mut output = output.map_err(|error| trouble::lost("cargo", error))?;
        output.success = status.success();
        // If the compiler was not called, cargo's output has the error.
        if !output.success && output.errors.is_empty() {
            output.errors.push(Message { text: said, spans: Vec::new() });
        }
        Ok(output)
    }

    fn read(&mut self, message: &Value) {
        let texts = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
        };
        match message["reason"].as_str() {
            Some("compiler-message") if message["message"]["level"] == "error" => {
                // Paths are relative to the compiler's working directory, the root of the workspace.
                let mut spans = Vec::new();
                collect(&message["message"], &mut spans);
                let text = message["message"]["rendered"].as_str().unwrap_or_default().to_owned();
                self.errors.push(Message { text, spans });
            }
            Some("build-script-executed") => self.cfgs.extend(texts(&message["cfgs"])),
            Some("compiler-artifact") => {
                self.features.extend(texts(&message["features"]).iter().map(|name| format!("feature={name:?}")));
            }
            _ => {}
        }
    }

    /// Returns the `cfg` values of this build.
    fn words(&self) -> Result<Words, Error> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc).args(["--print", "cfg"]).output();
        let output = output.map_err(|error| trouble::no_tool(rustc.display(), error))?;
        let mut words: BTreeSet<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        words.extend(self.features.iter().cloned());
        words.extend(self.cfgs.iter().cloned());
        words.insert("debug_assertions".to_owned());
        Ok(Words(words))
    }
}

/// Collects the locations of a message, of its notes, and of the macros that they come from.
fn collect(message: &Value, spans: &mut Vec<(PathBuf, Range<usize>)>) {
    let mut own: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
    own.sort_by_key(|span| span["is_primary"] != true);
    for span in own {
        let mut next = Some(span);
        while let Some(span) = next {
            if let (Some(file), Some(start), Some(end)) =
                (span["file_name"].as_str(), span["byte_start"].as_u64(), span["byte_end"].as_u64())
            {
                spans.push((PathBuf::from(file), start as usize..end as usize));
            }
            next = Some(&span["expansion"]["span"]).filter(|span| span.is_object());
        }
    }
    for child in message["children"].as_array().into_iter().flatten() {
        collect(child, spans);
    }
}

/// Returns the mutants responsible for errors: those whose code contains an error; otherwise those around it; otherwise
/// those inside its location; otherwise all of the function.
fn guilty(
    library: &Library,
    root: &Path,
    written: &[(PathBuf, Rewritten)],
    errors: &[Message],
    whole_functions: bool,
) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for error in errors {
        let (mut own, mut around, mut inside) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (name, span) in &error.spans {
            let path = root.join(name);
            let Some((_, file)) = written.iter().find(|(written, _)| same(written, &path, name)) else { continue };
            let contains = |range: &Range<usize>| range.start <= span.start && span.end <= range.end;
            if own.is_empty() {
                own.extend(file.own.iter().filter(|(_, range)| contains(range)).map(|(mutant, _)| *mutant));
            }
            let is_inside = |range: &Range<usize>| span.start <= range.start && range.end <= span.end;
            inside.extend(file.own.iter().filter(|(_, range)| is_inside(range)).map(|(mutant, _)| *mutant));
            // Only the innermost mutant: the code around it may be correct.
            let inner = file.around.iter().filter(|(_, range)| contains(range)).min_by_key(|(_, range)| range.len());
            if let Some((_, innermost)) = inner {
                let same = file.around.iter().filter(|(_, range)| range == innermost);
                around.extend(same.map(|(mutant, _)| *mutant));
            }
        }
        if whole_functions || (own.is_empty() && around.is_empty() && inside.is_empty()) {
            found.extend(of_functions(library, root, written, error));
        }
        found.extend([own, around, inside].into_iter().find(|mutants| !mutants.is_empty()).unwrap_or_default());
    }
    found
}

fn same(written: &Path, path: &Path, name: &Path) -> bool {
    written == path || written == name
}

/// All mutants of the functions that contain a location of an error.
fn of_functions(library: &Library, root: &Path, written: &[(PathBuf, Rewritten)], error: &Message) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for (name, span) in &error.spans {
        let path = root.join(name);
        let Some(at) = written.iter().position(|(written, _)| same(written, &path, name)) else { continue };
        let rewritten = &written[at].1;
        let (start, end) = (rewritten.original(span.start), rewritten.original(span.end));
        for mutant in library.mutants.iter().filter(|mutant| library.functions[mutant.function].file == at) {
            let range = &library.functions[mutant.function].range;
            let overlaps = range.start < end.max(start + 1) && start < range.end;
            if overlaps && rewritten.own.iter().any(|(own, _)| *own == mutant.id) {
                found.insert(mutant.id);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::mutant::{Edition, File};
    use super::*;

    #[test]
    fn a_build_that_fails_only_with_mutants_suggests_exclude() {
        let expected = "the tests build, but not with mutants; the compiler's errors are above. Exclude the file: \
                        `exclude = \"src/file.rs\"` below `[strength]` in forall.toml";
        assert_eq!(WITH_MUTANTS, expected);
    }

    #[test]
    fn workspaces_with_packages_of_one_name_and_version_are_built_apart() {
        let base = std::env::temp_dir().join(format!("forall-owners-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&base);
        let metadata = |version: &str| serde_json::json!({"packages": [{"name": "shop", "version": version}]});
        let of = |version: &str, root: &str| directory(&base, &metadata(version), Path::new(root)).unwrap();
        let first = of("1.0.0", "/one");
        assert_eq!((&of("1.0.0", "/one"), &of("2.0.0", "/two")), (&first, &first));
        assert_ne!(of("1.0.0", "/other"), first);
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn errors_name_places_the_most_important_first_and_those_of_macros() {
        let span = |file: &str, start: u64, primary: bool, expansion: Value| serde_json::json!({"file_name": file, "byte_start": start, "byte_end": start + 1, "is_primary": primary, "expansion": expansion});
        let around = serde_json::json!({"span": span("c.rs", 9, true, Value::Null)});
        let child = serde_json::json!({"spans": [span("d.rs", 4, true, Value::Null)]});
        let message = serde_json::json!({
            "spans": [span("a.rs", 1, false, Value::Null), span("b.rs", 2, true, around)],
            "children": [child],
        });
        let mut spans = Vec::new();
        collect(&message, &mut spans);
        let names: Vec<_> = spans.iter().map(|(path, range)| (path.to_str().unwrap(), range.start)).collect();
        assert_eq!(names, [("b.rs", 2), ("c.rs", 9), ("a.rs", 1), ("d.rs", 4)]);
    }

    #[test]
    fn errors_are_attributed_to_the_innermost_mutants_and_at_last_to_the_function() {
        let source =
            "fn f(a: Own) -> Own {\n    let b = g(a + c);\n    b\n}\nfn h() -> bool { a() }\nfn i() { j!(); }\n";
        let found = find::find(source, 0, &[], &find::Options::default()).unwrap();
        let (path, name, text) = ("/work/src/lib.rs".into(), "src/lib.rs".to_owned(), source.to_owned());
        let file = File { path, name, text, conditions: Vec::new(), edition: Edition::Since2018 };
        let (functions, mutants) = (found.functions, found.mutants);
        let library = Library { files: vec![file], functions, mutants, ..Library::default() };
        let all: Vec<&Mutant> = library.mutants.iter().collect();
        let rewritten = rewrite(source, &all, Edition::Since2018);
        let text = rewritten.text.clone();
        let written = [(PathBuf::from("/copy/src/lib.rs"), rewritten)];
        let whats: Vec<&str> = all.iter().map(|mutant| &*mutant.what).collect();
        let expected = [
            "return `Default::default()`",
            "replace `+` by `-`",
            "replace `+` by `*`",
            "return `true`",
            "return `false`",
            "return at once",
        ];
        assert_eq!(whats, expected);
        let guilty = |file: &str, codes: &[&str], whole_functions: bool| -> Vec<u32> {
            let span = |code: &&str| {
                let start = text.find(code).unwrap_or_else(|| panic!("{code} in {text}"));
                (PathBuf::from(file), start..start + code.len())
            };
            let message = Message { text: String::new(), spans: codes.iter().map(span).collect() };
            super::guilty(&library, Path::new("/copy"), &written, &[message], whole_functions).into_iter().collect()
        };
        let here = |codes: &[&str]| guilty("src/lib.rs", codes, false);
        assert_eq!(here(&["Default::default()"]), [1]);
        assert_eq!(here(&["(a) * (c)"]), [3], "the code of a mutant");
        assert_eq!(here(&["a + c"]), [2, 3], "the code around which the mutants are");
        assert_eq!(
            here(&[
                "let b = g((if ::__forall_mutants::is(2) { (a) - (c) } else if ::__forall_mutants::is(3) { (a) * (c) } else { a + c }));"
            ]),
            [2, 3],
            "the code that contains mutants"
        );
        assert_eq!(here(&["\n    b\n"]), [1, 2, 3], "the function");
        assert_eq!(here(&["\n    b\n", "(a) - (c)"]), [2], "a location of a note");
        assert_eq!(here(&["a() }\nfn i"]), [4, 5, 6], "both functions");
        assert_eq!(here(&["j!()"]), [6]);
        assert_eq!(guilty("src/lib.rs", &["(a) * (c)"], true), [1, 2, 3], "after some rounds");
        assert_eq!(guilty("/copy/src/lib.rs", &["(a) * (c)"], false), [3]);
        assert!(guilty("src/main.rs", &["(a) * (c)"], false).is_empty());
    }
}
