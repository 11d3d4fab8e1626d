//! The properties of test programs, and selecting them by name.

use crate::build::Binary;
use crate::filter::Filter;
use crate::screen::aside;
use crate::{Error, discovered, trouble, written};
use forall::protocol::{Library, Line, Listed, Request, VALUES, VERSION};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

/// A property of a test program.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, with crate and modules.
    pub name: String,
    /// Its file and line.
    pub place: String,
    /// The runner of its attribute.
    pub runner: String,
    /// The number of tests of its attribute.
    pub tests: u64,
    /// Whether its tests must not run on several threads.
    pub serial: bool,
    /// Whether it is expected to panic: `#[should_panic]`.
    pub should_panic: bool,
    /// If it is a value, the test that runs it.
    pub value_of: Option<String>,
    /// The program that runs it.
    pub binary: Binary,
}

impl Property {
    /// Whether this is its full name or its last part.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.short_name() == name
    }

    /// The last part of its name.
    pub fn short_name(&self) -> &str {
        self.name.rsplit("::").next().unwrap_or(&self.name)
    }

    /// The name of its test in the test harness: for a function with `#[forall::test]`, its name without the crate.
    pub fn test_name(&self) -> &str {
        let own = self.name.split_once("::").map_or(&*self.name, |(_, name)| name);
        self.value_of.as_deref().unwrap_or(own)
    }

    /// Whether it may run on several threads. A property value may not, unless it is run by `Run::parallel`.
    pub fn may_have_threads(&self) -> bool {
        !(self.is_value() && self.serial)
    }

    /// Whether it is a property value, run by an ordinary test: see [`written`].
    pub fn is_value(&self) -> bool {
        self.value_of.is_some()
    }
}

/// Lists the properties of test programs.
pub fn of(binaries: &[Binary]) -> Result<Vec<Property>, Error> {
    let Known { properties, unknown } = known(binaries, false)?;
    for text in unknown {
        aside(&text);
    }
    Ok(properties)
}

/// The properties of the test programs.
#[derive(Debug)]
pub struct Known {
    /// The properties.
    pub properties: Vec<Property>,
    /// A message for each test whose properties are unknown, because it ended its process.
    pub unknown: Vec<String>,
}

/// The properties of the test programs, on request with those of ignored tests whose names the sources do not show.
pub fn known(binaries: &[Binary], with_ignored: bool) -> Result<Known, Error> {
    let mut properties = Vec::new();
    for binary in binaries {
        for listed in listed(&list_of(binary)?)?.1.into_iter().filter(|listed| listed.is_test) {
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
    let (values, unknown) = values(binaries, &properties, with_ignored)?;
    properties.extend(values);
    // Cargo reports programs in any order.
    properties.sort_by(|a, b| (a.is_value(), &a.name, &a.place).cmp(&(b.is_value(), &b.name, &b.place)));
    Ok(Known { properties, unknown })
}

/// The runners that test programs register, beside the built-in ones.
pub fn runners(binaries: &[Binary]) -> Result<Vec<String>, Error> {
    let mut runners = Vec::new();
    for binary in binaries {
        runners.extend(listed(&list_of(binary)?)?.0.runners);
    }
    runners.sort();
    runners.dedup();
    Ok(runners)
}

/// The output of a program that lists its properties.
fn list_of(binary: &Binary) -> Result<String, Error> {
    let mut command = Command::new(&binary.path);
    // With a filter that matches no test, the harness runs nothing and the program prints its list.
    command.args(["--exact", "no test has this name"]).current_dir(&binary.package_directory);
    command.env("FORALL_DO", Request::List.to_string()).env("LLVM_PROFILE_FILE", "/dev/null");
    let output = command.output().map_err(|error| trouble::no_test_program(&binary.path, error))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Parses a program's list of properties, if its protocol has our version.
fn listed(said: &str) -> Result<(Library, Vec<Listed>), Error> {
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
    // Old libraries print no version.
    match all.is_empty() || library.version == VERSION {
        true => Ok((library, all)),
        false => Err(trouble::other_version(library.version, &library.package)),
    }
}

/// Whether a program may run property values, wherever the calls are: in its sources, or in another crate.
fn may_run_values(binary: &Binary) -> Result<bool, Error> {
    let lost = |error| trouble::no_test_program(&binary.path, error);
    let mut program = BufReader::with_capacity(1 << 16, File::open(&binary.path).map_err(lost)?);
    let (last, mut part) = (*VALUES.last().expect("it is not empty"), Vec::new());
    while program.read_until(last, &mut part).map_err(lost)? > 0 {
        if part.ends_with(VALUES) {
            return Ok(true);
        }
        part.clear();
    }
    Ok(false)
}

/// The property values that a test of the programs runs, besides the `declared` properties, and a message for each test
/// whose values are unknown.
fn values(
    binaries: &[Binary],
    declared: &[Property],
    with_ignored: bool,
) -> Result<(Vec<Property>, Vec<String>), Error> {
    let (mut values, mut unknown) = (Vec::new(), Vec::new());
    for (at, Binary { package_directory, package, .. }) in binaries.iter().enumerate() {
        let of_package = |binary: &&Binary| binary.package_directory == *package_directory;
        if binaries[..at].iter().any(|earlier| of_package(&earlier)) {
            continue;
        }
        let mut tests = Vec::new();
        for binary in binaries.iter().filter(of_package) {
            if may_run_values(binary)? {
                tests.extend(tests_of(binary)?.into_iter().map(|test| (binary, test)));
            }
        }
        let known: Vec<(&str, &str)> = tests.iter().map(|(binary, test)| (program(&binary.path), &**test)).collect();
        for value in written::of(package_directory, package) {
            let Some(function) = value.test else { continue };
            let Some((binary, test)) = function.among(&known).map(|at| &tests[at]) else { continue };
            values.push(Property {
                name: value.name,
                place: value.place,
                runner: discovered::RUNNER.to_owned(),
                tests: 0,
                serial: !function.is_shared,
                should_panic: function.should_panic,
                value_of: Some(test.clone()),
                binary: (*binary).clone(),
            });
        }
        // The sources do not show computed names, nor the calls of helpers and macros, which may be in other crates.
        for binary in binaries.iter().filter(of_package) {
            let of_binary = |property: &&Property| property.binary.path == binary.path;
            let is_declared = |test: &str| declared.iter().filter(of_binary).any(|one| one.test_name() == test);
            let tests = tests.iter().filter(|(own, test)| own.path == binary.path && !is_declared(test));
            let tests: Vec<String> = tests.map(|(_, test)| test.clone()).collect();
            let (found, lost) = discovered::of(binary, &tests, with_ignored)?;
            for found in found {
                let is_known = |known: &Property| known.name == found.name && known.value_of == found.value_of;
                if !values.iter().filter(of_binary).any(is_known) {
                    values.push(found);
                }
            }
            unknown.extend(lost.iter().map(|test| discovered::lost(package, test)));
        }
    }
    Ok((values, unknown))
}

/// The tests of a program, as its harness calls them.
pub fn tests_of(binary: &Binary) -> Result<Vec<String>, Error> {
    let mut command = Command::new(&binary.path);
    command.args(["--list", "--format", "terse"]).current_dir(&binary.package_directory);
    command.env_remove("FORALL_DO").env("LLVM_PROFILE_FILE", "/dev/null");
    let output = command.output().map_err(|error| trouble::no_test_program(&binary.path, error))?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// The name of a program's target: its file name without the hash.
fn program(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.rsplit_once('-').map_or(name, |(name, _)| name)
}

/// Selects one property: by its full name, its last part, or a unique part.
pub fn choose<'a>(properties: &'a [Property], wanted: Option<&str>) -> Result<&'a Property, Error> {
    if properties.is_empty() {
        return fitting(properties, wanted).map(|fitting| fitting[0]);
    }
    let Some(wanted) = wanted else {
        return one(properties.iter().collect(), "there are several properties; specify one of them");
    };
    let fit = fitting(properties, Some(wanted))?;
    let advice = disambiguation_advice(&fit);
    one(fit, &format!("several properties match `{wanted}`; {advice}"))
}

/// Selects properties: the one with this full name, those with this last part, or those with this part; all without a name.
pub fn fitting<'a>(properties: &'a [Property], wanted: Option<&str>) -> Result<Vec<&'a Property>, Error> {
    if properties.is_empty() {
        return Err(
            "there is no #[forall::test] in these tests; write one, or select another package with --package".into()
        );
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
        Error::Selection(format!("no property matches `{wanted}`; the properties are\n{}", list(&nearest(all, wanted))))
    })
}

/// Advice for selecting one of several.
fn disambiguation_advice(several: &[&Property]) -> String {
    let differ = |of: &dyn Fn(&Property) -> String| several.iter().any(|property| of(property) != of(several[0]));
    if differ(&|property| property.name.clone()) {
        return "use a longer part of the name".to_owned();
    }
    if differ(&|property| property.binary.package.clone()) {
        let mut packages: Vec<String> =
            several.iter().map(|property| format!("-p {}", property.binary.package)).collect();
        packages.dedup();
        return format!("they have the same name, so add the package: {}", packages.join(" or "));
    }
    "they have the same name and package, so rename one; if one is in the library, select it with --lib".to_owned()
}

/// The arguments that select this property: the shortest unique part of its name, and the package if needed or
/// `with_package`. `None` if it cannot be distinguished.
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

/// A name quoted for a shell.
pub fn as_argument(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | ',' | '/');
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

fn one<'a>(fit: Vec<&'a Property>, several: &str) -> Result<&'a Property, Error> {
    match fit[..] {
        [property] => Ok(property),
        _ => Err(Error::Selection(format!("{several}:\n{}", list(&fit)))),
    }
}

/// The properties that satisfy a filter expression; an error if there are none.
pub fn satisfying(all: Vec<Property>, filter: Option<&Filter>) -> Result<Vec<Property>, Error> {
    let Some(filter) = filter else { return Ok(all) };
    let found: Vec<Property> = all.iter().filter(|property| filter.fits(property)).cloned().collect();
    match found.is_empty() {
        true => {
            let some: Vec<&Property> = all.iter().collect();
            Err(Error::Selection(format!(
                "no property satisfies the filter expression; the properties are\n{}",
                list(&some)
            )))
        }
        false => Ok(found),
    }
}

/// The properties whose name contains the filter; all without one. No match is an error that names the nearest.
pub fn filter(properties: Vec<Property>, filter: Option<&str>) -> Result<Vec<Property>, Error> {
    if properties.is_empty() {
        return Err("there is no #[forall::test] in these tests; write one, as in\n\n    #[forall::test]\n    fn sorting_twice_is_sorting_once(mut xs: Vec<i32>) {\n        xs.sort();\n        let once = xs.clone();\n        xs.sort();\n        assert_eq!(xs, once);\n    }\n\nor select another package with --package".into());
    }
    let Some(wanted) = filter else { return Ok(properties) };
    let fit: Vec<Property> = properties.iter().filter(|property| property.name.contains(wanted)).cloned().collect();
    if fit.is_empty() {
        let all: Vec<&Property> = properties.iter().collect();
        let near = list(&nearest(all, wanted));
        return Err(Error::Selection(format!("no property's name contains `{wanted}`; the properties are\n{near}")));
    }
    Ok(fit)
}

/// Names that several properties of one package share, with their locations.
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

/// The number of candidates that are named.
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

/// Sorted by similarity, the most similar first.
fn nearest<'a>(mut properties: Vec<&'a Property>, wanted: &str) -> Vec<&'a Property> {
    properties.sort_by_key(|property| std::cmp::Reverse(in_common(&property.name, wanted)));
    properties
}

/// The same for names, as lines.
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

/// The number of letter pairs of `wanted` that a name contains.
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
    /// A property for tests, in a program that does not exist.
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
    fn a_property_is_selected_by_its_name_or_a_part_of_it() {
        let all = properties(&["t::parse", "t::deep::parse_twice", "t::print"]);
        let chosen = |wanted| choose(&all, Some(wanted)).map(|property| property.name.as_str());
        assert_eq!(chosen("t::parse").unwrap(), "t::parse");
        assert_eq!(chosen("parse").unwrap(), "t::parse", "the last part takes precedence over any part");
        assert_eq!(chosen("twice").unwrap(), "t::deep::parse_twice");
        assert_eq!(all[1].test_name(), "deep::parse_twice");
    }

    #[test]
    fn an_expression_that_no_property_satisfies_lists_them() {
        let filter = "test(x) and test(y)".parse().unwrap();
        let none = satisfying(vec![Property::example("t::x")], Some(&filter)).unwrap_err().to_string();
        assert!(
            none.starts_with("no property satisfies the filter expression; the properties are\n    t::x"),
            "{none}"
        );
    }

    #[test]
    fn a_program_that_may_run_values_is_recognised() {
        let path = std::env::temp_dir().join(format!("cargo-forall-values-{}", std::process::id()));
        let binary = Binary { path: path.clone(), package: "shop".to_owned(), package_directory: ".".into() };
        let may = |bytes: &[&[u8]]| {
            std::fs::write(&path, bytes.concat()).unwrap();
            may_run_values(&binary).unwrap()
        };
        let (begin, end) = VALUES.split_at(5);
        assert!(may(&[&[0xd9; 3], &[0; 100_000], VALUES, &[1; 9]]));
        assert!(!may(&[begin, &[0xd9], end, &[0xd9]]));
        assert!(!may(&[]));
        std::fs::remove_file(&path).unwrap();
        assert!(may_run_values(&binary).is_err());
    }

    #[test]
    fn suggested_commands_select_one_property() {
        let mut all = properties(&["t::a::same", "t::b::same", "t::other", "t::same_too"]);
        let telling_of = |all: &[Property], at: usize| telling(all, &all[at], false);
        assert_eq!(telling_of(&all, 0).as_deref(), Some("a::same"));
        assert_eq!(telling_of(&all, 2).as_deref(), Some("other"));
        assert_eq!(telling(&all, &all[2], true).as_deref(), Some("other -p shop"));
        assert!(
            choose(&all, Some("same"))
                .unwrap_err()
                .to_string()
                .starts_with("several properties match `same`; use a longer part of the name:")
        );
        all.extend(properties(&["t::other"]));
        all[4].binary = Binary { path: "u".into(), package: "q".into(), package_directory: "q".into() };
        assert_eq!(telling_of(&all, 2).as_deref(), Some("other -p shop"));
        assert_eq!(telling_of(&all, 4).as_deref(), Some("other -p q"));
        let several = choose(&all, Some("other")).unwrap_err().to_string();
        assert!(several.contains("they have the same name, so add the package: -p shop or -p q:"), "{several}");
        all[4].binary.package = "shop".to_owned();
        assert_eq!(telling_of(&all, 4), None);
        assert!(choose(&all, Some("other")).unwrap_err().to_string().contains("rename one"));
    }

    #[test]
    fn another_protocol_version_is_an_error() {
        let property = r#"forall-property {"name":"a::b","file":"src/lib.rs","line":7,"test":true}"#;
        let listed = |library: &str| listed(&format!("running 0 tests\n{library}\n{property}\n"));
        let same = listed(r#"forall-library {"v":1,"forall":"0.1.7","mood":"good"}"#).unwrap().1;
        assert_eq!((same.len(), &*same[0].name), (1, "a::b"), "unknown fields are skipped");
        let told = [listed(r#"forall-library {"v":2,"forall":"0.3.0"}"#), listed("")]
            .map(|listed| listed.unwrap_err().to_string());
        insta::assert_snapshot!(told.join("\n\n"));
    }

    #[test]
    fn no_match_and_several_matches_list_candidates() {
        let all = properties(&["t::parse_once", "t::parse_twice", "t::print"]);
        let several = choose(&all, Some("parse")).unwrap_err().to_string();
        assert!(several.contains("parse_once") && several.contains("parse_twice") && !several.contains("t::print"));
        let none = choose(&all, Some("pirnt")).unwrap_err().to_string();
        assert!(none.lines().nth(1).unwrap().contains("t::print"), "the nearest comes first: {none}");
        assert!(choose(&all, None).unwrap_err().to_string().contains("specify one of them"));
        assert!(choose(&[], None).unwrap_err().to_string().contains("#[forall::test]"));
    }
}
