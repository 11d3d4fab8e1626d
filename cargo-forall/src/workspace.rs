//! The tests of a workspace, built so that they can be asked: with the features of forall that this program needs, and otherwise
//! as `cargo test` builds them.

use crate::Error;
use crate::archive::{self, Needs};
use crate::build::{self, Binary, binaries, cargo, metadata};
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The feature of the library that this program needs: on by default, and enabled here for packages with `default-features = false`.
const FEATURE: &str = "full";

/// Which tests are meant, as cargo has it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which tests")]
pub struct Which {
    /// Look in this package only. All packages of the workspace that use forall, if not given
    #[arg(short, long, value_name = "PACKAGE")]
    pub package: Vec<String>,
    /// Look in this test target only: tests/NAME.rs
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
    /// Look in the unit tests of libraries only
    #[arg(long)]
    pub lib: bool,
    /// Cargo features to switch on, as with cargo
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Where the workspace is, if not here
    #[arg(long, value_name = "Cargo.toml")]
    pub manifest_path: Option<String>,
    /// Build nothing: use the test programs in this directory, which `forall archive` or cargo-nextest has made
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["package", "test", "lib", "features", "manifest_path"])]
    pub archive: Option<PathBuf>,
}

impl Which {
    /// What selects the same tests in another command, after a space each; the packages are not in it.
    pub fn again(&self) -> String {
        let mut text = String::new();
        for (option, value) in [("--test", &self.test), ("--manifest-path", &self.manifest_path)] {
            if let Some(value) = value {
                text += &format!(" {option} {value}");
            }
        }
        for features in &self.features {
            text += &format!(" -F {features}");
        }
        if let Some(directory) = &self.archive {
            text += &format!(" --archive {}", directory.display());
        }
        if self.lib { text + " --lib" } else { text }
    }

    /// Whether no tests were left out.
    pub fn is_everything(&self) -> bool {
        self.package.is_empty() && self.test.is_none() && !self.lib
    }

    /// The call of cargo that builds such tests and tells which programs they are, in whichever packages.
    pub fn cargo_test(&self) -> Command {
        let mut command = cargo();
        command.args(["test", "--no-run", "--message-format=json-render-diagnostics"]);
        if let Some(path) = &self.manifest_path {
            command.args(["--manifest-path", path]);
        }
        match (&self.test, self.lib) {
            (Some(test), _) => command.args(["--test", test]),
            (None, true) => command.arg("--lib"),
            // Unit tests too; but not examples and documentation, which have no properties to be run.
            (None, false) => command.arg("--tests"),
        };
        command
    }
}

/// Which tests are meant, and how they are built.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which tests")]
pub struct Place {
    /// Which.
    #[command(flatten)]
    pub which: Which,
    /// Build with optimisation
    #[arg(long)]
    pub release: bool,
}

impl Place {
    /// What `cargo test` is to be given to build the same programs: after a space each. The packages are not in it.
    fn cargo_options(&self) -> String {
        let mut options = String::new();
        if self.release {
            options += " --release";
        }
        for features in &self.which.features {
            options += &format!(" --features {features}");
        }
        if let Some(path) = &self.which.manifest_path {
            options += &format!(" --manifest-path {path}");
        }
        options
    }
}

/// A workspace whose tests are built.
#[derive(Debug)]
pub struct Workspace {
    /// The test programs.
    pub binaries: Vec<Binary>,
    /// Where its `Cargo.toml` is; places in the source are relative to it.
    pub root: PathBuf,
    /// Where builds are, and where this program may put what it needs for a while.
    pub target_directory: PathBuf,
    /// What `cargo test` is to be given to build the same programs: after a space each.
    pub cargo_options: String,
}

/// What a build needs beyond what every command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// Nothing.
    Nothing,
    /// Instrumentation: which places of the program are reached can be told.
    Coverage,
}

/// Builds the tests that are meant.
pub fn build(place: &Place) -> Result<Workspace, Error> {
    build_with(place, More::Nothing)
}

/// The same, with something more.
pub fn build_with(place: &Place, more: More) -> Result<Workspace, Error> {
    let needs = if more == More::Coverage { Needs::Coverage } else { Needs::Plain };
    if let Some(archive) = archive::of(&place.which, needs)? {
        return Ok(archive);
    }
    let feature = match more {
        More::Nothing => FEATURE,
        // Which implies the other.
        More::Coverage => "coverage",
    };
    let which = &place.which;
    let metadata = metadata(which.manifest_path.as_deref())?;
    let users = users(&metadata);
    let chosen = choose(&users, &which.package)?;
    let mut command = which.cargo_test();
    for user in &chosen {
        command.args(["--package", &user.package]);
    }
    let mut features = which.features.clone();
    features.extend(chosen.iter().map(|user| format!("{}/{feature}", user.forall)));
    features.sort();
    features.dedup();
    command.args(["--features", &features.join(",")]);
    if place.release {
        command.arg("--release");
    }
    if more == More::Coverage {
        build::instrumented_in_its_place(&mut command, which.manifest_path.as_deref())?;
    }
    let text = |key: &str| metadata[key].as_str().unwrap_or_default();
    let (root, target_directory) = (PathBuf::from(text("workspace_root")), PathBuf::from(text("target_directory")));
    let binaries = binaries(&mut command)?;
    crate::literals::write(&metadata, &target_directory);
    Ok(Workspace { binaries, root, target_directory, cargo_options: place.cargo_options() })
}

/// A package whose tests may have properties.
#[derive(Clone, Debug, PartialEq, Eq)]
struct User {
    package: String,
    /// What it calls forall.
    forall: String,
}

fn users(metadata: &Value) -> Vec<User> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut users = Vec::new();
    for package in list(&metadata["packages"]) {
        let dependencies = list(&package["dependencies"]);
        // Not those of build scripts.
        let is_forall = |other: &&Value| other["name"] == "forall" && other["kind"] != "build";
        if let (Some(name), Some(forall)) = (package["name"].as_str(), dependencies.iter().find(is_forall)) {
            let called = forall["rename"].as_str().unwrap_or("forall");
            users.push(User { package: name.to_owned(), forall: called.to_owned() });
        }
    }
    users
}

fn choose<'a>(users: &'a [User], wanted: &[String]) -> Result<Vec<&'a User>, Error> {
    if users.is_empty() {
        let why = "no package here depends on forall, so there are no properties. Add it where the tests are, in Cargo.toml:\n\n    \
                   [dev-dependencies]\n    forall = { path = \"../forall/forall\" }\n\nand write a #[forall::test]; the README \
                   of forall begins with one";
        return Err(why.into());
    }
    if wanted.is_empty() {
        return Ok(users.iter().collect());
    }
    let mut chosen = Vec::new();
    for name in wanted {
        let user = users.iter().find(|user| user.package == *name).ok_or_else(|| {
            let known: Vec<&str> = users.iter().map(|user| user.package.as_str()).collect();
            format!("no package `{name}` here depends on forall; these do: {}", known.join(", "))
        })?;
        chosen.push(user);
    }
    Ok(chosen)
}

impl Workspace {
    /// A path of this workspace, as short as can be.
    pub fn short<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_use_forall_are_found_whatever_they_call_it() {
        let metadata = serde_json::json!({"packages": [
            {"name": "a", "dependencies": [{"name": "forall", "kind": "dev", "rename": null}]},
            {"name": "b", "dependencies": [{"name": "forall", "kind": null, "rename": "properties"}]},
            {"name": "c", "dependencies": [{"name": "serde", "kind": null, "rename": null}]},
            {"name": "d", "dependencies": [{"name": "forall", "kind": "build", "rename": null}]},
        ]});
        let user = |package: &str, forall: &str| User { package: package.to_owned(), forall: forall.to_owned() };
        assert_eq!(users(&metadata), [user("a", "forall"), user("b", "properties")]);
    }

    #[test]
    fn commands_for_cargo_build_what_was_tested() {
        assert_eq!(Place::default().cargo_options(), "");
        let which = Which {
            features: vec!["a,b".to_owned()],
            manifest_path: Some("x/Cargo.toml".to_owned()),
            ..Which::default()
        };
        assert_eq!(
            Place { which, release: true }.cargo_options(),
            " --release --features a,b --manifest-path x/Cargo.toml"
        );
    }

    #[test]
    fn a_package_that_is_not_there_is_told_with_those_that_are() {
        let users = [User { package: "a".to_owned(), forall: "forall".to_owned() }];
        let wrong = choose(&users, &["z".to_owned()]).unwrap_err().to_string();
        assert_eq!(wrong, "no package `z` here depends on forall; these do: a");
        assert!(choose(&[], &[]).unwrap_err().to_string().contains("[dev-dependencies]"));
    }
}
