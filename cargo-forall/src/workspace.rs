//! Builds the tests of a workspace as `cargo test` does, with the features of forall that this tool needs.

use crate::Error;
use crate::archive::{self, Needs};
use crate::build::{self, Binary, Built, binaries, cargo, metadata};
use crate::instrument::Choice;
use crate::properties::as_argument;
use crate::screen::aside;
use crate::wrapper::Instrument;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library's feature that this tool needs: a default feature, enabled here for packages with `default-features = false`.
const FEATURE: &str = "full";

/// Selects tests, with cargo's options.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Test selection")]
pub struct Which {
    /// Select this package. By default, all packages of the workspace that depend on forall
    #[arg(short, long, value_name = "PACKAGE")]
    pub package: Vec<String>,
    /// Select all packages of the workspace that depend on forall, which is the default
    #[arg(long, conflicts_with = "package")]
    pub workspace: bool,
    /// Exclude this package
    #[arg(long, value_name = "PACKAGE")]
    pub exclude: Vec<String>,
    /// Select this test target: tests/NAME.rs
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
    /// Select the unit tests of libraries
    #[arg(long)]
    pub lib: bool,
    /// Features to enable, as for cargo
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Enable all features of the selected packages
    #[arg(long)]
    pub all_features: bool,
    /// Disable the `default` features of the selected packages
    #[arg(long)]
    pub no_default_features: bool,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Run the remaining tests if some do not compile
    #[arg(long)]
    pub no_fail_fast: bool,
    /// The workspace's manifest. By default, that of the current directory
    #[arg(long, value_name = "Cargo.toml")]
    pub manifest_path: Option<String>,
    /// Use the test programs in this directory (from `forall archive` or cargo-nextest) instead of building
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["package", "exclude", "test", "lib", "features", "all_features", "no_default_features", "target", "no_fail_fast", "manifest_path"])]
    pub archive: Option<PathBuf>,
}

impl Which {
    /// The arguments that select the same tests in another command, quoted for a shell, each after a space, without the
    /// packages.
    pub fn again(&self) -> String {
        let mut text = String::new();
        let options = [("--test", &self.test), ("--target", &self.target), ("--manifest-path", &self.manifest_path)];
        for (option, value) in options {
            if let Some(value) = value {
                text += &format!(" {option} {}", as_argument(value));
            }
        }
        for features in &self.features {
            text += &format!(" -F {}", as_argument(features));
        }
        for (option, given) in self.switches() {
            if given {
                text += &format!(" {option}");
            }
        }
        if let Some(directory) = &self.archive {
            text += &format!(" --archive {}", as_argument(&directory.to_string_lossy()));
        }
        if self.lib { text + " --lib" } else { text }
    }

    /// The arguments that enable the same features in another command of cargo.
    pub fn features_for_cargo(&self) -> Vec<&str> {
        let mut arguments: Vec<&str> =
            self.switches().into_iter().filter(|(_, given)| *given).map(|(option, _)| option).collect();
        for features in &self.features {
            arguments.extend(["--features", features]);
        }
        arguments
    }

    /// The switches for features.
    fn switches(&self) -> [(&'static str, bool); 2] {
        [("--all-features", self.all_features), ("--no-default-features", self.no_default_features)]
    }

    /// Whether all tests are selected.
    pub fn is_everything(&self) -> bool {
        self.package.is_empty() && self.exclude.is_empty() && self.test.is_none() && !self.lib
    }

    /// The cargo command that builds these tests and prints their programs, without the packages.
    pub fn cargo_test(&self) -> Command {
        self.cargo_test_in("json-render-diagnostics")
    }

    /// The same, with messages in another format of cargo.
    pub fn cargo_test_in(&self, format: &str) -> Command {
        let mut command = cargo();
        command.args(["test", "--no-run", "--message-format", format]);
        if let Some(path) = &self.manifest_path {
            command.args(["--manifest-path", path]);
        }
        if let Some(target) = &self.target {
            command.args(["--target", target]);
        }
        command.args(self.switches().iter().filter(|(_, given)| *given).map(|(option, _)| option));
        if self.no_fail_fast {
            command.arg("--no-fail-fast");
        }
        match (&self.test, self.lib) {
            (Some(test), _) => command.args(["--test", test]),
            (None, true) => command.arg("--lib"),
            // Examples and doc tests have no properties that can be run here.
            (None, false) => command.arg("--tests"),
        };
        command
    }
}

/// Selects tests and how they are built.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Test selection")]
pub struct Place {
    /// The selection.
    #[command(flatten)]
    pub which: Which,
    /// Build with optimisation
    #[arg(long, conflicts_with = "profile")]
    pub release: bool,
    /// Build with this profile of Cargo.toml
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
}

impl Place {
    /// The arguments with which `cargo test` builds the same programs, quoted for a shell, each after a space, without the
    /// packages.
    fn cargo_options(&self) -> String {
        let mut options = String::new();
        if self.release {
            options += " --release";
        }
        if let Some(profile) = &self.profile {
            options += &format!(" --profile {}", as_argument(profile));
        }
        for (option, given) in self.which.switches() {
            if given {
                options += &format!(" {option}");
            }
        }
        if let Some(target) = &self.which.target {
            options += &format!(" --target {}", as_argument(target));
        }
        for features in &self.which.features {
            options += &format!(" --features {}", as_argument(features));
        }
        if let Some(path) = &self.which.manifest_path {
            options += &format!(" --manifest-path {}", as_argument(path));
        }
        options
    }
}

impl Place {
    /// The options with which `cargo forall race` builds the same binaries, each preceded by a space.
    fn race_options(&self, also: &[String]) -> String {
        let mut options = self.which.again();
        for package in &self.which.package {
            options += &format!(" -p {package}");
        }
        for name in also {
            options += &format!(" --instrument {name}");
        }
        if self.release { options } else { options + " --dev" }
    }
}

/// A workspace with its test programs.
#[derive(Debug)]
pub struct Workspace {
    /// The test programs.
    pub binaries: Vec<Binary>,
    /// Its root directory; source locations are relative to it.
    pub root: PathBuf,
    /// The target directory, for temporary files.
    pub target_directory: PathBuf,
    /// The arguments with which `cargo test` builds the same programs, each after a space.
    pub cargo_options: String,
    /// The same for `cargo forall race`, if that is what the programs were built for.
    pub race_options: Option<String>,
    /// Whether some of the tests do not build.
    pub is_partial: bool,
}

/// Additional requirements of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More<'a> {
    /// Nothing.
    Nothing,
    /// Instrumentation for coverage.
    Coverage,
    /// Instrumentation for the controlled scheduler, of these dependencies as well.
    Schedule(&'a [String]),
}

/// Builds the selected tests.
pub fn build(place: &Place) -> Result<Workspace, Error> {
    build_with(place, More::Nothing)
}

/// The same, with additional needs.
pub fn build_with(place: &Place, more: More<'_>) -> Result<Workspace, Error> {
    let needs = if more == More::Coverage { Needs::Coverage } else { Needs::Plain };
    if let Some(archive) = archive::of(&place.which, needs)? {
        return Ok(archive);
    }
    let feature = match more {
        More::Nothing | More::Schedule(_) => FEATURE,
        // Implies the other feature.
        More::Coverage => "coverage",
    };
    let which = &place.which;
    let metadata = metadata(which.manifest_path.as_deref())?;
    let mut command = command(place, which.cargo_test(), &metadata, feature)?;
    let instrument = match more {
        More::Nothing => None,
        More::Coverage => Some((Instrument::Coverage, Choice::of_fuzz(&[]))),
        More::Schedule(also) => Some((Instrument::Schedule, Choice::of_race(also))),
    };
    let instrumentation = match instrument {
        Some((instrument, choice)) => Some(build::instrumented_in_its_place(&mut command, instrument, &choice, which)?),
        None => None,
    };
    let text = |key: &str| metadata[key].as_str().unwrap_or_default();
    let (root, target_directory) = (PathBuf::from(text("workspace_root")), PathBuf::from(text("target_directory")));
    let Built { binaries, is_partial, packages } = binaries(&mut command, which.no_fail_fast)?;
    if let Some(instrumentation) = instrumentation {
        aside(&instrumentation.compiled(&packages).warnings());
    }
    crate::literals::write(&metadata, &target_directory, &binaries);
    let race_options = match more {
        More::Schedule(also) => Some(place.race_options(also)),
        More::Nothing | More::Coverage => None,
    };
    let cargo_options = place.cargo_options();
    Ok(Workspace { binaries, root, target_directory, cargo_options, race_options, is_partial })
}

/// The compiler's errors and warnings of a build of the selected tests, without colours.
pub fn diagnostics(place: &Place) -> String {
    let which = &place.which;
    let metadata = metadata(which.manifest_path.as_deref());
    let command = metadata.and_then(|metadata| command(place, which.cargo_test_in("human"), &metadata, FEATURE));
    let Ok(mut command) = command else { return String::new() };
    let output = command.args(["--quiet", "--color", "never"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default()
}

/// Adds the selected packages and how they are built to a command of cargo.
fn command(place: &Place, mut command: Command, metadata: &Value, feature: &str) -> Result<Command, Error> {
    select(&mut command, &place.which, metadata, feature)?;
    if place.release {
        command.arg("--release");
    }
    if let Some(profile) = &place.profile {
        command.args(["--profile", profile]);
    }
    Ok(command)
}

/// Adds the selected packages, and the library feature that the tool needs, to the command. Returns the packages' names.
pub fn packages(command: &mut Command, which: &Which, metadata: &Value) -> Result<Vec<String>, Error> {
    select(command, which, metadata, FEATURE)
}

/// A package's name for its forall dependency.
pub fn name_of_forall(metadata: &Value, package: &str) -> Option<String> {
    users(metadata).into_iter().find(|user| user.package == package).and_then(|user| user.forall)
}

fn select(command: &mut Command, which: &Which, metadata: &Value, feature: &str) -> Result<Vec<String>, Error> {
    let users = users(metadata);
    let chosen = choose(&users, &which.package, &which.exclude)?;
    for user in &chosen {
        command.args(["--package", &user.package]);
    }
    let mut features = which.features.clone();
    let names = chosen.iter().filter_map(|user| user.forall.as_ref());
    features.extend(names.map(|forall| format!("{forall}/{feature}")));
    features.sort();
    features.dedup();
    if !features.is_empty() {
        command.args(["--features", &features.join(",")]);
    }
    Ok(chosen.iter().map(|user| user.package.clone()).collect())
}

/// A package whose tests may have properties.
#[derive(Clone, Debug, PartialEq, Eq)]
struct User {
    package: String,
    /// Its name for forall; `None` if only packages that it depends on have one.
    forall: Option<String>,
}

fn users(metadata: &Value) -> Vec<User> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    // Build dependencies do not count.
    let depends = |package: &Value, name: &str| {
        list(&package["dependencies"]).into_iter().find(|other| other["name"] == name && other["kind"] != "build")
    };
    let mut users = Vec::new();
    for package in &packages {
        if let (Some(name), Some(forall)) = (package["name"].as_str(), depends(package, "forall")) {
            let called = forall["rename"].as_str().unwrap_or("forall");
            users.push(User { package: name.to_owned(), forall: Some(called.to_owned()) });
        }
    }
    // The tests of a package may run the properties of another one's functions and macros.
    let passes_on = |package: &Value, name: &str| {
        list(&package["dependencies"])
            .iter()
            .any(|other| other["name"] == name && other["kind"].is_null() && other["optional"] != true)
    };
    let mut helpers = vec!["forall"];
    let mut number = 0;
    while number < helpers.len() {
        number = helpers.len();
        for package in &packages {
            let Some(name) = package["name"].as_str().filter(|name| !helpers.contains(name)) else { continue };
            if helpers.iter().any(|helper| passes_on(package, helper)) {
                helpers.push(name);
            }
        }
    }
    for package in &packages {
        let Some(name) = package["name"].as_str() else { continue };
        let is_known = users.iter().any(|user| user.package == name);
        if !is_known && helpers.iter().any(|helper| depends(package, helper).is_some()) {
            users.push(User { package: name.to_owned(), forall: None });
        }
    }
    users
}

fn choose<'a>(users: &'a [User], wanted: &[String], excluded: &[String]) -> Result<Vec<&'a User>, Error> {
    if users.is_empty() {
        let why = "no package here depends on forall, so there are no properties. Add it to the Cargo.toml of the tests:\n\n    \
                   [dev-dependencies]\n    forall = { path = \"../forall/forall\" }\n\nand write a #[forall::test]; forall's \
                   README begins with one";
        return Err(why.into());
    }
    if wanted.is_empty() {
        let chosen: Vec<&User> = users.iter().filter(|user| !excluded.contains(&user.package)).collect();
        return match chosen.is_empty() {
            true => Err("every package that depends on forall is excluded; remove an --exclude".into()),
            false => Ok(chosen),
        };
    }
    let mut chosen = Vec::new();
    for name in wanted {
        let user = users.iter().find(|user| user.package == *name).ok_or_else(|| {
            let known: Vec<&str> = users.iter().map(|user| user.package.as_str()).collect();
            format!(
                "the package `{name}` does not exist here or does not depend on forall; these do: {}",
                known.join(", ")
            )
        })?;
        chosen.push(user);
    }
    Ok(chosen)
}

impl Workspace {
    /// A path relative to the workspace.
    pub fn short<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_depend_on_a_renamed_forall_are_found() {
        let metadata = serde_json::json!({"packages": [
            {"name": "a", "dependencies": [{"name": "forall", "kind": "dev", "rename": null}]},
            {"name": "b", "dependencies": [{"name": "forall", "kind": null, "rename": "properties"}]},
            {"name": "c", "dependencies": [{"name": "serde", "kind": null, "rename": null}]},
            {"name": "d", "dependencies": [{"name": "forall", "kind": "build", "rename": null}]},
        ]});
        let user = |package: &str, forall: &str| User { package: package.to_owned(), forall: Some(forall.to_owned()) };
        assert_eq!(users(&metadata), [user("a", "forall"), user("b", "properties")]);
    }

    #[test]
    fn packages_whose_tests_use_helpers_with_forall_are_found() {
        let metadata = serde_json::json!({"packages": [
            {"name": "tests", "dependencies": [{"name": "more-helpers", "kind": "dev", "optional": false}]},
            {"name": "more-helpers", "dependencies": [{"name": "helpers", "kind": null, "optional": false}]},
            {"name": "helpers", "dependencies": [{"name": "forall", "kind": null, "optional": false, "rename": null}]},
            {"name": "tested", "dependencies": [{"name": "forall", "kind": "dev", "optional": false, "rename": null}]},
            {"name": "optional", "dependencies": [{"name": "forall", "kind": null, "optional": true, "rename": null}]},
            {"name": "other", "dependencies": [
                {"name": "tested", "kind": null, "optional": false}, {"name": "optional", "kind": null, "optional": false},
            ]},
        ]});
        let found: Vec<(String, bool)> =
            users(&metadata).into_iter().map(|user| (user.package, user.forall.is_some())).collect();
        let expected =
            [("helpers", true), ("tested", true), ("optional", true), ("tests", false), ("more-helpers", false)];
        assert_eq!(found, expected.map(|(name, own)| (name.to_owned(), own)));
    }

    #[test]
    fn suggested_cargo_commands_build_the_same_tests() {
        assert_eq!(Place::default().cargo_options(), "");
        let which = Which {
            features: vec!["a,b".to_owned()],
            manifest_path: Some("x/Cargo.toml".to_owned()),
            ..Which::default()
        };
        assert_eq!(
            Place { which, release: true, profile: None }.cargo_options(),
            " --release --features a,b --manifest-path x/Cargo.toml"
        );
    }

    #[test]
    fn paths_in_suggested_commands_are_quoted() {
        let path = "my tests/für $HOME/Cargo.toml";
        let which = Which { manifest_path: Some(path.to_owned()), ..Which::default() };
        let quoted = format!(" --manifest-path '{path}'");
        assert_eq!(which.again(), quoted);
        let place = Place { which, ..Place::default() };
        assert_eq!(place.cargo_options(), quoted);
        assert_eq!(place.race_options(&[]), format!("{quoted} --dev"));
        let which = Which { archive: Some("it's here".into()), ..Which::default() };
        assert_eq!(which.again(), " --archive 'it'\\''s here'");
    }

    #[test]
    fn a_race_is_replayed_in_the_build_that_found_it() {
        let which = Which { package: vec!["shop".to_owned()], ..Which::default() };
        let place = Place { which, release: false, profile: None };
        assert_eq!(place.race_options(&["bus".to_owned()]), " -p shop --instrument bus --dev");
        assert_eq!(Place { release: true, ..Place::default() }.race_options(&[]), "");
    }

    #[test]
    fn an_unknown_package_is_reported_with_the_known_ones() {
        let users = [User { package: "a".to_owned(), forall: Some("forall".to_owned()) }];
        let wrong = choose(&users, &["z".to_owned()], &[]).unwrap_err().to_string();
        assert_eq!(wrong, "the package `z` does not exist here or does not depend on forall; these do: a");
        let wrong = choose(&users, &[], &["a".to_owned()]).unwrap_err().to_string();
        assert_eq!(wrong, "every package that depends on forall is excluded; remove an --exclude");
        assert!(choose(&[], &[], &[]).unwrap_err().to_string().contains("[dev-dependencies]"));
    }
}
