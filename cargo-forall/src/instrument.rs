//! The crates that a build instruments: `--instrument`, for `fuzz` and `race`.
//!
//! A [`Choice`] is the user's request, [`Crates`] the selected packages of this workspace. The compiler wrapper
//! ([`wrapper`](crate::wrapper)) gets the latter, and records which of them do not build with instrumentation.

use crate::build::{cargo, package_name};
use crate::workspace::Which;
use crate::{Error, trouble};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Our own packages, which are never instrumented: the hooks would call themselves.
const OURS: [&str; 3] = ["forall", "forall-macros", "cargo-forall"];

/// The crates of the Rust distribution, which are already compiled.
const DISTRIBUTION: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// The crates that the user asked for. Packages of the workspace are always among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    scope: Scope,
    /// Packages by name, or by `name@version`.
    named: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Workspace,
    /// The workspace, and the normal dependencies of its packages.
    Direct,
    All,
}

impl Choice {
    /// Of `fuzz`: without arguments, the workspace and its direct dependencies.
    pub fn of_fuzz(arguments: &[String]) -> Self {
        Self::new(Scope::Direct, arguments)
    }

    /// Of `race`: without arguments, the workspace.
    pub fn of_race(arguments: &[String]) -> Self {
        Self::new(Scope::Workspace, arguments)
    }

    fn new(default: Scope, arguments: &[String]) -> Self {
        let mut choice = Self { scope: default, named: BTreeSet::new() };
        let has = |word: &str| arguments.iter().any(|argument| argument == word);
        if has(ALL) {
            choice.scope = Scope::All;
        } else if has(WORKSPACE) {
            choice.scope = Scope::Workspace;
        }
        choice.named = arguments.iter().filter(|name| ![ALL, WORKSPACE].contains(&&***name)).cloned().collect();
        choice
    }

    /// The part of the directory's name that identifies the choice of crates; empty for the default of `fuzz`.
    pub fn suffix(&self, default: &Self) -> String {
        if self == default {
            return String::new();
        }
        let scope = match self.scope {
            Scope::Workspace => "-workspace",
            Scope::Direct => "",
            Scope::All => "-all",
        };
        let names: String = self.named.iter().map(|name| format!(" {name}")).collect();
        let named =
            if names.is_empty() { String::new() } else { format!("-{:08x}", crate::shard::hash(&names) as u32) };
        format!("{scope}{named}")
    }
}

/// An argument that means all dependencies.
const ALL: &str = "all";

/// An argument that means none of the dependencies.
const WORKSPACE: &str = "workspace";

/// The packages of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crates {
    /// `name@version`, and whether it is instrumented.
    packages: BTreeMap<String, bool>,
    /// Those of the workspace.
    members: BTreeSet<String>,
}

impl Crates {
    /// The packages that a choice means for a build of these tests for a target.
    pub fn chosen(choice: &Choice, which: &Which, target: &str) -> Result<Self, Error> {
        Self::among(choice, &which.package, &resolved(which, target)?)
    }

    fn among(choice: &Choice, selected: &[String], metadata: &Value) -> Result<Self, Error> {
        let graph = Graph::of(metadata);
        let mut packages: BTreeMap<String, bool> =
            graph.packages.values().map(|package| (package.id.clone(), false)).collect();
        let mut mark = |key: &str| {
            if let Some(package) = graph.packages.get(key).filter(|package| package.may_be_instrumented) {
                packages.insert(package.id.clone(), true);
            }
        };
        for member in &graph.members {
            mark(member);
            let is_selected = selected.is_empty() || selected.iter().any(|name| package_name(member) == name);
            if choice.scope != Scope::Workspace && is_selected {
                graph.normal_dependencies(member).for_each(&mut mark);
            }
        }
        if choice.scope == Scope::All {
            let runtime = graph.runtime();
            graph.packages.keys().filter(|key| !runtime.contains(*key)).for_each(|key| mark(key));
        }
        for name in &choice.named {
            let found = graph.named(name)?;
            found.into_iter().for_each(&mut mark);
        }
        let members = graph.members.iter().filter_map(|key| graph.packages.get(key)).map(|member| member.id.clone());
        Ok(Self { packages, members: members.collect() })
    }

    /// Whether a package belongs to the workspace.
    pub fn is_member(&self, package: &str) -> bool {
        self.members.contains(package)
    }

    /// The instrumented packages.
    pub fn instrumented(&self) -> impl Iterator<Item = &str> {
        self.packages.iter().filter(|(_, is)| **is).map(|(id, _)| &**id)
    }

    /// Whether all common packages have the same instrumentation, so that builds of the two can share a directory.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.packages.iter().all(|(id, is)| other.packages.get(id).is_none_or(|other| other == is))
    }

    /// Adds the packages that only `other` has.
    pub fn add(&mut self, other: Self) {
        for (id, is) in other.packages {
            self.packages.entry(id).or_insert(is);
        }
    }

    /// One package in a line, as [`Crates::parse`] reads them.
    pub fn text(&self) -> String {
        self.packages.iter().map(|(id, is)| format!("{}{id}\n", if *is { '+' } else { '-' })).collect()
    }

    /// Reads what [`Crates::text`] wrote.
    pub fn parse(text: &str) -> Self {
        let package = |line: &str| match (line.strip_prefix('+'), line.strip_prefix('-')) {
            (Some(id), _) => Some((id.to_owned(), true)),
            (None, Some(id)) => Some((id.to_owned(), false)),
            (None, None) => None,
        };
        Self { packages: text.lines().filter_map(package).collect(), members: BTreeSet::new() }
    }
}

/// Cargo's metadata with all dependencies, as the tests are built.
fn resolved(which: &Which, target: &str) -> Result<Value, Error> {
    let mut cargo = cargo();
    // Dependencies of other targets are not built, and may not have been downloaded.
    cargo.args(["metadata", "--format-version=1", "--filter-platform", target]).args(which.features_for_cargo());
    if let Some(path) = &which.manifest_path {
        cargo.args(["--manifest-path", path]);
    }
    let output = cargo.output().map_err(|error| trouble::no_tool("cargo", error))?;
    serde_json::from_slice(&output.stdout).map_err(|_| trouble::unresolved(&output.stderr))
}

/// A package, as far as it matters here.
struct Package {
    /// `name@version`.
    id: String,
    name: String,
    /// Neither our own, nor a procedural macro.
    may_be_instrumented: bool,
}

/// The packages by cargo's ids, and how they depend on each other.
struct Graph<'a> {
    packages: BTreeMap<&'a str, Package>,
    members: Vec<&'a str>,
    nodes: BTreeMap<&'a str, &'a Value>,
}

impl<'a> Graph<'a> {
    fn of(metadata: &'a Value) -> Self {
        let packages = list(&metadata["packages"]).filter_map(|package| {
            let text = |key: &str| package[key].as_str();
            let (key, name, version) = (text("id")?, text("name")?, text("version")?);
            let is_macro =
                list(&package["targets"]).flat_map(|target| list(&target["kind"])).any(|it| it == "proc-macro");
            let may_be_instrumented = !OURS.contains(&name) && !is_macro;
            Some((key, Package { id: format!("{name}@{version}"), name: name.to_owned(), may_be_instrumented }))
        });
        let nodes = list(&metadata["resolve"]["nodes"]).filter_map(|node| Some((node["id"].as_str()?, node)));
        Self {
            packages: packages.collect(),
            members: list(&metadata["workspace_members"]).filter_map(Value::as_str).collect(),
            nodes: nodes.collect(),
        }
    }

    /// The packages that one depends on, other than for its tests, examples and build script.
    fn normal_dependencies(&self, key: &str) -> impl Iterator<Item = &'a str> {
        let node = self.nodes.get(key).copied().unwrap_or(&Value::Null);
        let is_normal = |other: &&Value| list(&other["dep_kinds"]).any(|kind| kind["kind"].is_null());
        list(&node["deps"]).filter(is_normal).filter_map(|other| other["pkg"].as_str())
    }

    /// Our own packages and their dependencies: their code runs between tests, and its coverage would be attributed to
    /// the tests.
    fn runtime(&self) -> BTreeSet<&'a str> {
        let is_ours = |key: &&str| self.packages.get(key).is_some_and(|package| OURS.contains(&&*package.name));
        let (mut found, mut rest) =
            (BTreeSet::new(), self.packages.keys().copied().filter(is_ours).collect::<Vec<_>>());
        while let Some(key) = rest.pop() {
            if found.insert(key) {
                rest.extend(self.normal_dependencies(key));
            }
        }
        found
    }

    /// The packages of a name, or of a name and a version.
    fn named(&self, name: &str) -> Result<Vec<&'a str>, Error> {
        let wanted = name.replace('_', "-");
        let is_meant = |package: &Package| {
            package.id == name || package.name.replace('_', "-") == wanted || package.id.replace('_', "-") == wanted
        };
        let found: Vec<&str> =
            self.packages.iter().filter(|(_, package)| is_meant(package)).map(|(key, _)| *key).collect();
        let packages = || found.iter().filter_map(|key| self.packages.get(key));
        if packages().any(|package| package.may_be_instrumented) {
            return Ok(found);
        }
        Err(Error::Selection(match packages().next() {
            Some(package) if OURS.contains(&&*package.name) => {
                format!("--instrument {name}: forall does not instrument itself; remove this argument")
            }
            Some(_) => format!(
                "--instrument {name}: procedural macros run in the compiler, not in tests; remove this argument"
            ),
            None if DISTRIBUTION.contains(&name) => {
                format!(
                    "--instrument {name}: the standard library is not built here, so it cannot be instrumented; remove this argument"
                )
            }
            None => {
                let ids: Vec<&str> = self.packages.values().map(|package| &*package.id).collect();
                let near = crate::properties::nearest_names(&ids, name);
                format!("--instrument {name}: no dependency has this name; the packages of this build are\n{near}")
            }
        }))
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of one package with each kind of dependency; `lexer` is there in two versions.
    fn metadata() -> Value {
        let package = |id: &str, kind: &str| {
            let (name, version) = id.split_once('@').unwrap();
            json!({"id": format!("registry#{id}"), "name": name, "version": version, "targets": [{"kind": [kind]}]})
        };
        let depends = |id: &str, on: &[(&str, Option<&str>)]| {
            let deps: Vec<Value> = on
                .iter()
                .map(|(id, kind)| json!({"pkg": format!("registry#{id}"), "dep_kinds": [{"kind": kind}]}))
                .collect();
            json!({"id": format!("registry#{id}"), "deps": deps})
        };
        json!({
            "workspace_members": ["registry#shop@0.1.0"],
            "packages": [
                package("shop@0.1.0", "lib"), package("parser@1.0.0", "lib"), package("lexer@1.0.0", "lib"),
                package("lexer@2.0.0", "lib"), package("mocks@1.0.0", "lib"), package("cc@1.0.0", "lib"),
                package("derive@1.0.0", "proc-macro"), package("forall@0.1.0", "lib"), package("inventory@0.3.0", "lib"),
                package("core@0.1.0", "lib"),
            ],
            "resolve": {"nodes": [
                depends("shop@0.1.0", &[
                    ("parser@1.0.0", None), ("derive@1.0.0", None), ("core@0.1.0", None), ("mocks@1.0.0", Some("dev")),
                    ("lexer@2.0.0", Some("dev")), ("cc@1.0.0", Some("build")), ("forall@0.1.0", Some("dev")),
                ]),
                depends("parser@1.0.0", &[("lexer@1.0.0", None)]),
                depends("forall@0.1.0", &[("inventory@0.3.0", None)]),
            ]},
        })
    }

    fn chosen(arguments: &[&str]) -> Result<Vec<String>, String> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        let crates =
            Crates::among(&Choice::of_fuzz(&arguments), &[], &metadata()).map_err(|error| error.to_string())?;
        Ok(crates.instrumented().map(str::to_owned).collect())
    }

    #[test]
    fn fuzz_instruments_the_workspace_and_its_normal_dependencies() {
        assert_eq!(chosen(&[]).unwrap(), ["core@0.1.0", "parser@1.0.0", "shop@0.1.0"]);
        assert_eq!(chosen(&["workspace"]).unwrap(), ["shop@0.1.0"]);
        let all = "cc@1.0.0 core@0.1.0 lexer@1.0.0 lexer@2.0.0 mocks@1.0.0 parser@1.0.0 shop@0.1.0";
        assert_eq!(chosen(&["all"]).unwrap().join(" "), all, "neither forall nor what it is made of");
        let other = Crates::among(&Choice::of_fuzz(&[]), &["till".to_owned()], &metadata()).unwrap();
        assert_eq!(other.instrumented().collect::<Vec<_>>(), ["shop@0.1.0"], "another package is tested");
        assert_eq!(
            Crates::among(&Choice::of_race(&[]), &[], &metadata()).unwrap().instrumented().collect::<Vec<_>>(),
            ["shop@0.1.0"]
        );
    }

    #[test]
    fn a_name_means_all_versions_and_a_version_one() {
        assert_eq!(chosen(&["workspace", "lexer"]).unwrap(), ["lexer@1.0.0", "lexer@2.0.0", "shop@0.1.0"]);
        assert_eq!(chosen(&["workspace", "lexer@2.0.0"]).unwrap(), ["lexer@2.0.0", "shop@0.1.0"]);
        assert_eq!(chosen(&["workspace", "inventory"]).unwrap(), ["inventory@0.3.0", "shop@0.1.0"]);
    }

    #[test]
    fn packages_that_cannot_be_instrumented_are_errors() {
        let said = ["lexxer", "std", "forall", "derive"].map(|name| chosen(&[name]).unwrap_err());
        insta::assert_snapshot!(said.join("\n"));
        assert!(chosen(&["core"]).is_ok(), "a package of that name");
    }

    #[test]
    fn builds_share_a_directory_where_no_package_changes_sides() {
        let crates = |text: &str| Crates::parse(text);
        let first = crates("+shop@0.1.0\n-lexer@1.0.0\n");
        assert_eq!(crates(&first.text()), first);
        assert!(first.agrees_with(&crates("+shop@0.1.0\n+lexer@1.1.0\n")), "a version that was not built");
        assert!(!first.agrees_with(&crates("+shop@0.1.0\n+lexer@1.0.0\n")));
        let mut both = first.clone();
        both.add(crates("+parser@1.0.0\n"));
        assert_eq!(both.text(), "-lexer@1.0.0\n+parser@1.0.0\n+shop@0.1.0\n");
    }

    #[test]
    fn each_choice_has_its_own_directory() {
        let of = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            Choice::of_fuzz(&arguments).suffix(&Choice::of_fuzz(&[]))
        };
        assert_eq!([of(&[]), of(&["all"]), of(&["workspace"])], ["", "-all", "-workspace"]);
        assert_eq!(of(&["a", "b"]), of(&["b", "a"]));
        assert_ne!(of(&["a"]), of(&["b"]));
    }
}
