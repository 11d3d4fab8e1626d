//! Compiles a property before it is printed, in a package of its own below the target directory.
//!
//! The package depends on the one under test and on forall, and uses its lock file, so nothing is downloaded.

use crate::build::cargo;
use crate::{Error, interrupt, scratch, trouble};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The result of compiling.
#[derive(Debug, PartialEq, Eq)]
pub enum Compiled {
    /// It compiles.
    Yes {
        /// Whether it passed a short run, if it ran to its end.
        passes: Option<bool>,
    },
    /// It does not.
    No {
        /// The compiler's first errors.
        errors: String,
        /// Whether they are about the comparison of two values.
        is_incomparable: bool,
    },
    /// It could not be tried, and why.
    Untried(String),
}

/// The tests of a short run.
const TESTS: &str = "200";

/// The time of a short run; a property may not return.
const TIME: Duration = Duration::from_secs(5);

/// Compiles a test file for a package in its directory, and runs it if that is wanted.
pub fn compile(
    metadata: &Value,
    (package, directory): (&str, &Path),
    test: &str,
    run: bool,
) -> Result<Compiled, Error> {
    let Some(forall) = forall_of(metadata, package) else {
        return Ok(Compiled::Untried(format!(
            "`{package}` does not depend on forall; add it with `cargo add --dev forall`"
        )));
    };
    let text = |key: &str| metadata[key].as_str().unwrap_or_default();
    let (target, root) = (Path::new(text("target_directory")), Path::new(text("workspace_root")));
    let scratch = scratch::folder(&target.join("forall-write"), "")?;
    let manifest = manifest((package, edition(metadata, package)), directory, &forall);
    let compiled = compile_in(&scratch, (target, root), &manifest, test, run);
    // A left-over folder is harmless.
    let _ = fs::remove_dir_all(&scratch);
    compiled
}

/// The manifest of the package that is compiled.
fn manifest((package, edition): (&str, &str), directory: &Path, forall: &str) -> String {
    format!(
        "[package]\nname = \"forall-write\"\nversion = \"0.0.0\"\nedition = {edition:?}\npublish = false\n\n[lib]\npath = \"lib.rs\"\n\n\
         [dev-dependencies]\n{package} = {{ path = {:?} }}\nforall = {forall}\n\n[workspace]\n",
        directory.display().to_string()
    )
}

fn compile_in(
    scratch: &Path,
    (target, root): (&Path, &Path),
    manifest: &str,
    test: &str,
    run: bool,
) -> Result<Compiled, Error> {
    let failed = |error: std::io::Error| trouble::no_build("write", scratch, error);
    fs::create_dir_all(scratch.join("tests")).map_err(failed)?;
    let lock = root.join("Cargo.lock");
    fs::write(scratch.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::write(scratch.join("lib.rs"), "").map_err(failed)?;
    fs::write(scratch.join("tests/property.rs"), test).map_err(failed)?;
    if lock.exists() {
        fs::copy(lock, scratch.join("Cargo.lock")).map_err(failed)?;
    }
    let mut command = cargo();
    // The dependencies are built as for the tests, and shared with them.
    command.args(["test", "--no-run", "--quiet", "--message-format=json", "--offline"]);
    command.arg("--manifest-path").arg(scratch.join("Cargo.toml")).arg("--target-dir").arg(target);
    let output = command.output().map_err(|error| trouble::no_tool("cargo", error))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        let program = program(&messages).filter(|_| run);
        return Ok(Compiled::Yes { passes: program.and_then(|program| passes(&program, scratch)) });
    }
    let errors = errors(&messages);
    Ok(match errors.is_empty() {
        false => {
            let is_incomparable = is_incomparable(&errors);
            Compiled::No { errors, is_incomparable }
        }
        true => Compiled::Untried(last_line(&String::from_utf8_lossy(&output.stderr))),
    })
}

/// The test program, as cargo's messages have it.
fn program(messages: &str) -> Option<String> {
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built =
        messages.find(|message| message["target"]["name"] == "property" && message["executable"].is_string())?;
    built["executable"].as_str().map(str::to_owned)
}

/// Whether a test program passes a short run; `None` if it does not end.
fn passes(program: &str, directory: &Path) -> Option<bool> {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("FORALL_TESTS", TESTS).env("FORALL_SEED", "1").env("FORALL_STORE", "off").env_remove("FORALL_DO");
    command.env("FORALL_SHRINK_EVALUATIONS", "1").env("FORALL_EXPLAIN", "0");
    interrupt::ends_with_this(&mut command);
    let (began, mut child) = (Instant::now(), command.spawn().ok()?);
    while began.elapsed() < TIME {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status.success());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill().and_then(|()| child.wait());
    None
}

/// The first errors in the property's file, as cargo's messages have them.
fn errors(messages: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let is_ours = message["target"]["name"] == "property" && message["message"]["level"] == "error";
        let has_place = message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        let text = format!("    {}\n", message["message"]["message"].as_str().unwrap_or_default());
        if is_ours && has_place && all.len() < 3 && !all.contains(&text) {
            all.push(text);
        }
    }
    all.concat()
}

/// Whether all errors say that `==` or `Debug` is missing.
fn is_incomparable(errors: &str) -> bool {
    let words = ["binary operation `==`", "can't compare", "doesn't implement `Debug`"];
    errors.lines().all(|error| words.iter().any(|word| error.contains(word)))
}

fn last_line(output: &str) -> String {
    output.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("cargo failed").to_owned()
}

/// The edition of a package's tests.
pub fn edition<'a>(metadata: &'a Value, package: &str) -> &'a str {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let package = packages.iter().find(|one| one["name"] == package);
    package.and_then(|package| package["edition"].as_str()).unwrap_or("2021")
}

/// The dependency of a package on forall, as a value of TOML.
fn forall_of(metadata: &Value, package: &str) -> Option<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let package = list(&metadata["packages"]).into_iter().find(|one| one["name"] == package)?;
    let forall =
        list(&package["dependencies"]).into_iter().find(|one| one["name"] == "forall" && one["kind"] != "build")?;
    Some(match forall["path"].as_str() {
        Some(path) => format!("{{ path = {path:?} }}"),
        None => format!("{:?}", forall["req"].as_str().unwrap_or("*")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn errors_of_the_property_are_named_and_others_are_not() {
        let line = |target: &str, text: &str| {
            let span = json!([{"file_name": "tests/property.rs"}]);
            json!({"target": {"name": target}, "message": {"level": "error", "message": text, "spans": span}})
                .to_string()
        };
        let messages = [line("other", "no"), line("property", "mismatched types"), "not json".to_owned()].join("\n");
        assert_eq!(errors(&messages), "    mismatched types\n");
        assert!(is_incomparable("    binary operation `==` cannot be applied to type `Tree`\n"));
        assert!(!is_incomparable("    can't compare `Tree` with `Tree`\n    mismatched types\n"));
        assert_eq!(last_line("a\n\nerror: no such package\n"), "error: no such package");
    }

    #[test]
    fn forall_is_the_dependency_of_the_package() {
        let with = |forall: Value| json!({"packages": [{"name": "a", "dependencies": [forall]}]});
        let path = with(json!({"name": "forall", "kind": "dev", "path": "/x/forall", "req": "*"}));
        assert_eq!(forall_of(&path, "a").as_deref(), Some("{ path = \"/x/forall\" }"));
        let version = with(json!({"name": "forall", "kind": "dev", "path": null, "req": "^0.1"}));
        assert_eq!(forall_of(&version, "a").as_deref(), Some("\"^0.1\""));
        assert_eq!(forall_of(&with(json!({"name": "serde", "kind": null})), "a"), None);
        let untried = compile(&json!({"packages": []}), ("a", Path::new(".")), "", false).unwrap();
        let why = "`a` does not depend on forall; add it with `cargo add --dev forall`";
        assert_eq!(untried, Compiled::Untried(why.to_owned()));
    }
}
