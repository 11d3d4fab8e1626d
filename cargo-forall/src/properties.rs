//! Which properties there are, and which one is meant.

use crate::build::Binary;
use crate::{Error, trouble, written};
use forall::protocol::{Library, Line, Listed, Request, VERSION};
use std::path::Path;
use std::process::Command;

/// A property of a test program.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, with crate and modules.
    pub name: String,
    /// Where it is written, for people.
    pub place: String,
    /// The runner that its attribute names.
    pub runner: String,
    /// How many tests its attribute asks for.
    pub tests: u64,
    /// Whether its tests must not run on several threads.
    pub serial: bool,
    /// Whether it is to fail: `#[should_panic]`.
    pub should_panic: bool,
    /// If it is a value, the test that runs it.
    pub value_of: Option<String>,
    /// The program that runs it.
    pub binary: Binary,
}

impl Property {
    /// Whether this is its name, whole or without modules.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.short_name() == name
    }

    /// The last part of its name.
    pub fn short_name(&self) -> &str {
        self.name.rsplit("::").next().unwrap_or(&self.name)
    }

    /// The test that runs it, as the test harness calls it: for a function with `#[forall::test]` its name without the crate.
    pub fn test_name(&self) -> &str {
        let own = self.name.split_once("::").map_or(&*self.name, |(_, name)| name);
        self.value_of.as_deref().unwrap_or(own)
    }

    /// Whether it may be told to run on several threads. A value may not, unless the call that runs it says so.
    pub fn may_have_threads(&self) -> bool {
        !(self.is_value() && self.serial)
    }

    /// Whether it is a value, run by an ordinary test: see [`written`].
    pub fn is_value(&self) -> bool {
        self.value_of.is_some()
    }
}

/// The properties of the programs that are tests.
pub fn of(binaries: &[Binary]) -> Result<Vec<Property>, Error> {
    if cfg!(not(target_os = "linux")) {
        return Err(trouble::not_linux());
    }
    let mut properties = Vec::new();
    for binary in binaries {
        let mut command = Command::new(&binary.path);
        // A filter that no test has: the harness runs nothing, and the list is written at the end.
        command.args(["--exact", "no test has this name"]).current_dir(&binary.package_directory);
        command.env("FORALL_DO", Request::List.to_string()).env("LLVM_PROFILE_FILE", "/dev/null");
        let output = command.output().map_err(|error| trouble::no_test_program(&binary.path, error))?;
        for listed in listed(&String::from_utf8_lossy(&output.stdout))?.into_iter().filter(|listed| listed.is_test) {
            properties.push(Property {
                place: format!("{}:{}", listed.file, listed.line),
                name: listed.name,
                runner: if listed.runner.is_empty() { "generational".to_owned() } else { listed.runner },
                tests: listed.tests.unwrap_or(0),
                serial: listed.serial == Some(true),
                should_panic: listed.should_panic == Some(true),
                value_of: None,
                binary: binary.clone(),
            });
        }
    }
    properties.extend(values(binaries)?);
    // Cargo builds, and tells of programs, in any order.
    properties.sort_by(|a, b| (a.is_value(), &a.name, &a.place).cmp(&(b.is_value(), &b.name, &b.place)));
    Ok(properties)
}

/// The properties in what a program wrote, if its library has our version.
fn listed(said: &str) -> Result<Vec<Listed>, Error> {
    let mut library = Library::default();
    let mut all = Vec::new();
    for line in said.lines() {
        match Library::find(line) {
            Some(found) if found.version != VERSION => {
                return Err(trouble::other_version(found.version, &found.package));
            }
            Some(found) => library = found,
            None => all.extend(Listed::find(line)),
        }
    }
    // A library that does not name its version is older than all that do.
    match all.is_empty() || library.version == VERSION {
        true => Ok(all),
        false => Err(trouble::other_version(library.version, &library.package)),
    }
}

/// The runner of a value is written in the code that runs it.
const VALUE: &str = "value";

/// The properties that are values and that a test of the programs runs.
fn values(binaries: &[Binary]) -> Result<Vec<Property>, Error> {
    let mut values = Vec::new();
    for (at, Binary { package_directory, package, .. }) in binaries.iter().enumerate() {
        let of_package = |binary: &&Binary| binary.package_directory == *package_directory;
        if binaries[..at].iter().any(|earlier| of_package(&earlier)) {
            continue;
        }
        let written = written::of(package_directory, package);
        if written.iter().all(|value| value.test.is_none()) {
            continue;
        }
        let mut tests = Vec::new();
        for binary in binaries.iter().filter(of_package) {
            tests.extend(tests_of(binary)?.into_iter().map(|test| (binary, test)));
        }
        let known: Vec<(&str, &str)> = tests.iter().map(|(binary, test)| (program(&binary.path), &**test)).collect();
        for value in written {
            let Some(function) = value.test else { continue };
            let Some((binary, test)) = function.among(&known).map(|at| &tests[at]) else { continue };
            values.push(Property {
                name: value.name,
                place: value.place,
                runner: VALUE.to_owned(),
                tests: 0,
                serial: !function.is_shared,
                should_panic: function.should_panic,
                value_of: Some(test.clone()),
                binary: (*binary).clone(),
            });
        }
    }
    Ok(values)
}

/// The tests of a program, as its harness calls them.
fn tests_of(binary: &Binary) -> Result<Vec<String>, Error> {
    let mut command = Command::new(&binary.path);
    command.args(["--list", "--format", "terse"]).current_dir(&binary.package_directory);
    command.env_remove("FORALL_DO").env("LLVM_PROFILE_FILE", "/dev/null");
    let output = command.output().map_err(|error| trouble::no_test_program(&binary.path, error))?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// What cargo calls a program: its file has a hash behind that.
fn program(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.rsplit_once('-').map_or(name, |(name, _)| name)
}

/// The one property that is meant: by its whole name, by its last part, or by any part that only one has.
pub fn choose<'a>(properties: &'a [Property], wanted: Option<&str>) -> Result<&'a Property, Error> {
    if properties.is_empty() {
        return fitting(properties, wanted).map(|fitting| fitting[0]);
    }
    let Some(wanted) = wanted else {
        return one(properties.iter().collect(), "there are several properties; say which one");
    };
    let fit = fitting(properties, Some(wanted))?;
    let advice = what_tells_apart(&fit);
    one(fit, &format!("several properties fit `{wanted}`; {advice}"))
}

/// Those that may be meant: the one with this whole name, those with this last part, those with this part; all if nothing is said.
pub fn fitting<'a>(properties: &'a [Property], wanted: Option<&str>) -> Result<Vec<&'a Property>, Error> {
    if properties.is_empty() {
        return Err("there is no #[forall::test] in these tests; write one, or look elsewhere with --package".into());
    }
    let all: Vec<&Property> = properties.iter().collect();
    let Some(wanted) = wanted else { return Ok(all) };
    let matches = |fits: &dyn Fn(&str) -> bool| -> Vec<&'a Property> {
        properties.iter().filter(|property| fits(&property.name)).collect()
    };
    let whole = matches(&|name| name == wanted);
    let last = matches(&|name| name.ends_with(&format!("::{wanted}")));
    let part = matches(&|name| name.contains(wanted));
    let best = [whole, last, part].into_iter().find(|fit| !fit.is_empty());
    best.ok_or_else(|| {
        Error::Selection(format!("no property fits `{wanted}`; there are\n{}", list(&nearest(all, wanted))))
    })
}

/// What to say for one of several to be meant.
fn what_tells_apart(several: &[&Property]) -> String {
    let differ = |of: &dyn Fn(&Property) -> String| several.iter().any(|property| of(property) != of(several[0]));
    if differ(&|property| property.name.clone()) {
        return "say more of the name".to_owned();
    }
    if differ(&|property| property.binary.package.clone()) {
        let mut packages: Vec<String> =
            several.iter().map(|property| format!("-p {}", property.binary.package)).collect();
        packages.dedup();
        return format!("they have one name, so say which package: {}", packages.join(" or "));
    }
    "they have one name and one package, so rename one. If one is in the library, --lib selects it".to_owned()
}

/// What a command is to be given so that it takes this property of all there are: the least of its name, and the package where
/// that is needed or `with_package`. None if nothing tells it apart.
pub fn telling(all: &[Property], property: &Property, with_package: bool) -> Option<String> {
    let package = &property.binary.package;
    let own: Vec<Property> = all.iter().filter(|other| other.binary.package == *package).cloned().collect();
    let least = |among: &[Property]| {
        let starts = property.name.rmatch_indices("::").map(|(at, colons)| at + colons.len()).chain([0]);
        let mut names = starts.map(|start| &property.name[start..]);
        let is_meant = |found: &Property| found.name == property.name && found.binary.path == property.binary.path;
        names.find(|name| choose(among, Some(name)).is_ok_and(is_meant)).map(as_argument)
    };
    let with_its_package = || least(&own).map(|name| format!("{name} -p {package}"));
    if with_package { with_its_package() } else { least(all).or_else(with_its_package) }
}

/// A name as a shell takes it for one word.
pub fn as_argument(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '/');
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

fn one<'a>(fit: Vec<&'a Property>, several: &str) -> Result<&'a Property, Error> {
    match fit[..] {
        [property] => Ok(property),
        _ => Err(Error::Selection(format!("{several}:\n{}", list(&fit)))),
    }
}

/// Those whose name has the filter in it; all without one. None is an error that names the nearest.
pub fn filter(properties: Vec<Property>, filter: Option<&str>) -> Result<Vec<Property>, Error> {
    if properties.is_empty() {
        return Err("there is no #[forall::test] in these tests; write one, as in\n\n    #[forall::test]\n    fn sorting_twice_is_sorting_once(mut xs: Vec<i32>) {\n        xs.sort();\n        let once = xs.clone();\n        xs.sort();\n        assert_eq!(xs, once);\n    }\n\nor look elsewhere with --package".into());
    }
    let Some(wanted) = filter else { return Ok(properties) };
    let fit: Vec<Property> = properties.iter().filter(|property| property.name.contains(wanted)).cloned().collect();
    if fit.is_empty() {
        let all: Vec<&Property> = properties.iter().collect();
        let near = list(&nearest(all, wanted));
        return Err(Error::Selection(format!("no property has `{wanted}` in its name; there are\n{near}")));
    }
    Ok(fit)
}

/// Names that several properties of one package have, with their places.
pub fn namesakes(properties: &[Property]) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for property in properties {
        let same = |other: &&Property| {
            other.name == property.name && other.binary.package_directory == property.binary.package_directory
        };
        let places: Vec<&str> = properties.iter().filter(same).map(|other| other.place.as_str()).collect();
        if places.len() > 1 && !found.iter().any(|(name, _)| *name == property.name) {
            found.push((&property.name, places));
        }
    }
    found
}

/// As many candidates are named.
const NAMED: usize = 20;

fn list(properties: &[&Property]) -> String {
    let mut text = String::new();
    for property in properties.iter().take(NAMED) {
        text += &format!("    {}  ({})\n", property.name, property.place);
    }
    if properties.len() > NAMED {
        text += &format!("    and {} more\n", properties.len() - NAMED);
    }
    text.truncate(text.trim_end().len());
    text
}

/// Those with the most in common first: what was meant is near the top.
fn nearest<'a>(mut properties: Vec<&'a Property>, wanted: &str) -> Vec<&'a Property> {
    properties.sort_by_key(|property| std::cmp::Reverse(in_common(&property.name, wanted)));
    properties
}

/// The same of names alone, as lines.
pub fn nearest_names(names: &[&str], wanted: &str) -> String {
    let mut names = names.to_vec();
    names.sort_by_key(|name| std::cmp::Reverse(in_common(name, wanted)));
    let mut text: Vec<String> =
        names.iter().take(NAMED).map(|name| format!("    {}", crate::screen::one_line(name))).collect();
    if names.len() > NAMED {
        text.push(format!("    and {} more", names.len() - NAMED));
    }
    text.join("\n")
}

/// How many pairs of letters of `wanted` a name has.
pub fn in_common(name: &str, wanted: &str) -> usize {
    let pairs = |text: &str| -> Vec<String> {
        let lower: Vec<char> = text.to_lowercase().chars().collect();
        lower.windows(2).map(|pair| pair.iter().collect()).collect()
    };
    let name = pairs(name);
    pairs(wanted).iter().filter(|pair| name.contains(pair)).count()
}

#[cfg(test)]
impl Property {
    /// A function of this name, in a program that is not there.
    pub(crate) fn example(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            place: "tests/t.rs:1".to_owned(),
            runner: "generational".to_owned(),
            tests: 256,
            serial: false,
            should_panic: false,
            value_of: None,
            binary: Binary { path: "shop".into(), package: "shop".to_owned(), package_directory: ".".into() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(names: &[&str]) -> Vec<Property> {
        names.iter().map(|name| Property::example(name)).collect()
    }

    #[test]
    fn a_property_is_found_by_its_name_or_a_part_of_it() {
        let all = properties(&["t::parse", "t::deep::parse_twice", "t::print"]);
        let chosen = |wanted| choose(&all, Some(wanted)).map(|property| property.name.as_str());
        assert_eq!(chosen("t::parse").unwrap(), "t::parse");
        assert_eq!(chosen("parse").unwrap(), "t::parse", "the last part wins over any part");
        assert_eq!(chosen("twice").unwrap(), "t::deep::parse_twice");
        assert_eq!(all[1].test_name(), "deep::parse_twice");
    }

    #[test]
    fn what_is_said_next_means_one_property() {
        let mut all = properties(&["t::a::same", "t::b::same", "t::other", "t::same_too"]);
        let telling_of = |all: &[Property], at: usize| telling(all, &all[at], false);
        assert_eq!(telling_of(&all, 0).as_deref(), Some("a::same"));
        assert_eq!(telling_of(&all, 2).as_deref(), Some("other"));
        assert_eq!(telling(&all, &all[2], true).as_deref(), Some("other -p shop"));
        assert!(
            choose(&all, Some("same"))
                .unwrap_err()
                .to_string()
                .starts_with("several properties fit `same`; say more of the name:")
        );
        all.extend(properties(&["t::other"]));
        all[4].binary = Binary { path: "u".into(), package: "q".into(), package_directory: "q".into() };
        assert_eq!(telling_of(&all, 2).as_deref(), Some("other -p shop"));
        assert_eq!(telling_of(&all, 4).as_deref(), Some("other -p q"));
        let several = choose(&all, Some("other")).unwrap_err().to_string();
        assert!(several.contains("they have one name, so say which package: -p shop or -p q:"), "{several}");
        all[4].binary.package = "shop".to_owned();
        assert_eq!(telling_of(&all, 4), None);
        assert!(choose(&all, Some("other")).unwrap_err().to_string().contains("rename one"));
    }

    #[test]
    fn a_library_of_another_version_is_named_and_nothing_of_it_is_read() {
        let property = r#"forall-property {"name":"a::b","file":"src/lib.rs","line":7,"test":true}"#;
        let listed = |library: &str| listed(&format!("running 0 tests\n{library}\n{property}\n"));
        let same = listed(r#"forall-library {"v":1,"forall":"0.1.7","mood":"good"}"#).unwrap();
        assert_eq!((same.len(), &*same[0].name), (1, "a::b"), "what a later version adds is skipped");
        let told = [listed(r#"forall-library {"v":2,"forall":"0.3.0"}"#), listed("")]
            .map(|listed| listed.unwrap_err().to_string());
        insta::assert_snapshot!(told.join("\n\n"));
    }

    #[test]
    fn none_or_several_are_told_with_the_candidates() {
        let all = properties(&["t::parse_once", "t::parse_twice", "t::print"]);
        let several = choose(&all, Some("parse")).unwrap_err().to_string();
        assert!(several.contains("parse_once") && several.contains("parse_twice") && !several.contains("t::print"));
        let none = choose(&all, Some("pirnt")).unwrap_err().to_string();
        assert!(none.lines().nth(1).unwrap().contains("t::print"), "the nearest comes first: {none}");
        assert!(choose(&all, None).unwrap_err().to_string().contains("say which one"));
        assert!(choose(&[], None).unwrap_err().to_string().contains("#[forall::test]"));
    }
}
