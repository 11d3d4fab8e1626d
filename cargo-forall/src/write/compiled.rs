//! Compiles a property before it is printed, in a package of its own below the target directory.
//!
//! The package depends on the one under test and on forall, and uses its lock file, so nothing is downloaded.

use crate::build::cargo;
use crate::{Error, scratch, trouble};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The result of compiling.
#[derive(Debug, PartialEq, Eq)]
pub enum Compiled {
    /// It compiles.
    Yes,
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

/// Compiles a test file for the package in `directory`.
pub fn compile(metadata: &Value, package: &str, directory: &Path, test: &str) -> Result<Compiled, Error> {
    let Some(forall) = forall_of(metadata, package) else {
        return Ok(Compiled::Untried(format!(
            "`{package}` does not depend on forall; add it with `cargo add --dev forall`"
        )));
    };
    let text = |key: &str| metadata[key].as_str().unwrap_or_default();
    let (target, root) = (Path::new(text("target_directory")), Path::new(text("workspace_root")));
    let scratch = scratch::folder(&target.join("forall-write"), "")?;
    let compiled =
        compile_in(&scratch, target, root, &manifest((package, edition(metadata, package)), directory, &forall), test);
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

fn compile_in(scratch: &Path, target: &Path, root: &Path, manifest: &str, test: &str) -> Result<Compiled, Error> {
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
    if output.status.success() {
        return Ok(Compiled::Yes);
    }
    let errors = errors(&String::from_utf8_lossy(&output.stdout));
    Ok(match errors.is_empty() {
        false => {
            let is_incomparable = is_incomparable(&errors);
            Compiled::No { errors, is_incomparable }
        }
        true => Compiled::Untried(last_line(&String::from_utf8_lossy(&output.stderr))),
    })
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
        let untried = compile(&json!({"packages": []}), "a", Path::new("."), "").unwrap();
        let why = "`a` does not depend on forall; add it with `cargo add --dev forall`";
        assert_eq!(untried, Compiled::Untried(why.to_owned()));
    }
}
