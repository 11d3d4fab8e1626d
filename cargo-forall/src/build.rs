//! Building with instrumentation.

use crate::archive::{self, Needs};
use crate::instrument::{Choice, Crates};
use crate::screen::aside;
use crate::words::count;
use crate::workspace::Which;
use crate::wrapper::{self, Instrument};
use crate::{Error, trouble};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The file with the flags of the build: cargo does not notice a change of flags that a wrapper adds.
const STAMP: &str = "built-with";

/// The number of instrumented crates that are named.
const NAMED: usize = 8;

/// A test program that was built.
#[derive(Clone, Debug)]
pub struct Binary {
    /// The program.
    pub path: PathBuf,
    /// Its package, as `cargo test --package` has it.
    pub package: String,
    /// Where the `Cargo.toml` of its package is; it runs there.
    pub package_directory: PathBuf,
}

/// Builds the selected tests with instrumentation, and with optimisation unless `dev` is set.
pub fn tests(which: &Which, choice: &Choice, dev: bool) -> Result<Instrumented, Error> {
    if let Some(archive) = archive::of(which, Needs::Coverage)? {
        return Ok(Instrumented { binaries: archive.binaries, crates: None });
    }
    let mut cargo = which.cargo_test();
    for package in &which.package {
        cargo.args(["--package", package]);
    }
    for features in &which.features {
        cargo.args(["--features", features]);
    }
    for package in &which.exclude {
        cargo.args(["--workspace", "--exclude", package]);
    }
    if !dev {
        cargo.arg("--release");
    }
    let place = instrumented_in_its_place(&mut cargo, Instrument::Coverage, choice, which)?;
    let built = binaries(&mut cargo, which.no_fail_fast)?;
    let crates = Some(place.compiled(&built.packages));
    Ok(Instrumented { binaries: built.binaries, crates })
}

/// Instrumented test programs.
#[derive(Debug)]
pub struct Instrumented {
    /// The programs.
    pub binaries: Vec<Binary>,
    /// The packages that are instrumented in them; unknown in an archive.
    pub crates: Option<Compiled>,
}

/// The packages of a build that were to be instrumented.
#[derive(Debug)]
pub struct Compiled {
    /// Those that are: `name@version`.
    pub instrumented: Vec<String>,
    /// Whether some of these are not of the workspace.
    has_dependencies: bool,
    /// Those that do not compile with instrumentation.
    pub left_out: Vec<String>,
    /// Where the compiler's errors of the latter are.
    pub errors: PathBuf,
}

impl Compiled {
    /// The message before a campaign: the instrumented crates, if dependencies are among them, and those that cannot be
    /// instrumented.
    pub fn text(&self) -> String {
        if !self.has_dependencies {
            return self.warnings();
        }
        let mut names: Vec<String> = self.instrumented.iter().take(NAMED).map(|id| id.replace('@', " ")).collect();
        if self.instrumented.len() > NAMED {
            names.push(format!("and {} more", self.instrumented.len() - NAMED));
        }
        let crates = count(self.instrumented.len() as u64, "crate");
        format!("forall: {crates} instrumented: {}\n{}", names.join(", "), self.warnings())
    }

    /// The dependencies that cannot be instrumented.
    pub fn warnings(&self) -> String {
        let warning = |id: &String| {
            format!(
                "forall: warning: {} does not compile with instrumentation, so it is not instrumented; rustc's errors are in {}\n",
                id.replace('@', " "),
                self.errors.join(id).display()
            )
        };
        self.left_out.iter().map(warning).collect()
    }
}

/// The directory of an instrumented build.
#[derive(Debug)]
pub struct Instrumentation {
    crates: Crates,
    directory: PathBuf,
}

impl Instrumentation {
    /// The result of the instrumentation, for the packages that cargo built.
    pub fn compiled(&self, built: &BTreeSet<String>) -> Compiled {
        let left_out = wrapper::left_out(&self.crates, &self.directory);
        let (left_out, instrumented): (Vec<&str>, Vec<&str>) =
            self.crates.instrumented().filter(|id| built.contains(*id)).partition(|id| left_out.contains(*id));
        let owned = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect();
        let errors = wrapper::names_of_left_out(&self.directory);
        let has_dependencies = instrumented.iter().any(|id| !self.crates.is_member(id));
        Compiled { instrumented: owned(instrumented), has_dependencies, left_out: owned(left_out), errors }
    }
}

/// The test programs of a build.
#[derive(Debug)]
pub struct Built {
    /// The programs.
    pub binaries: Vec<Binary>,
    /// Whether others do not build.
    pub is_partial: bool,
    /// The packages that cargo compiled for them, or had compiled before: `name@version`.
    pub packages: BTreeSet<String>,
}

/// Runs cargo and collects the test programs that it builds: all of them, or those that build if `may_be_partial`.
pub fn binaries(cargo: &mut Command, may_be_partial: bool) -> Result<Built, Error> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(|error| trouble::no_tool("cargo", error))?;
    let (mut binaries, mut packages) = (Vec::new(), BTreeSet::new());
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.map_err(|error| trouble::lost("cargo", error))?;
        binaries.extend(binary(&line));
        packages.extend(artifact(&line));
    }
    let status = child.wait().map_err(|error| trouble::lost("cargo", error))?;
    let is_partial = !status.success();
    if is_partial && may_be_partial && !binaries.is_empty() {
        aside("forall: warning: some tests failed to build (see cargo's errors above); running the others\n");
    } else if is_partial {
        let why = "the tests do not build; see cargo's errors above. Fix them, select other packages with --package, or add --no-fail-fast to run the tests that build";
        return Err(why.into());
    }
    if binaries.is_empty() {
        return Err("there are no tests to build here; run this in a package with tests, or add --package".into());
    }
    Ok(Built { binaries, is_partial, packages })
}

/// Runs any command of cargo with an instrumented build.
pub fn instrumented(arguments: &[String]) -> Result<ExitCode, Error> {
    let manifest = arguments.iter().position(|argument| argument == "--manifest-path");
    let manifest = manifest.and_then(|at| arguments.get(at + 1)).map(String::as_str);
    let mut cargo = cargo();
    // Cargo's flags come before the arguments of the program that it runs.
    let own = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    cargo.args(&arguments[..own]);
    let which = Which { manifest_path: manifest.map(str::to_owned), ..Which::default() };
    instrumented_in_its_place(&mut cargo, Instrument::Coverage, &Choice::of_fuzz(&[]), &which)?;
    cargo.args(&arguments[own..]);
    let status = cargo.status().map_err(|error| trouble::no_tool("cargo", error))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// The cargo to call.
pub fn cargo() -> Command {
    // Cargo sets this variable when it calls a subcommand.
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Instruments a build of the chosen crates, in its own target directory.
pub fn instrumented_in_its_place(
    cargo: &mut Command,
    instrument: Instrument,
    choice: &Choice,
    which: &Which,
) -> Result<Instrumentation, Error> {
    let host = host(instrument)?;
    let crates = Crates::chosen(choice, which, &host)?;
    let directory = prepare(instrument, choice, &crates, which.manifest_path.as_deref())?;
    let target_directory = &directory;
    wrapper::wrap(cargo, instrument, &crates, target_directory)?;
    // With an explicit target, build scripts and macros are built separately, without instrumentation.
    cargo.args(["--target", &host]).arg("--target-dir").arg(target_directory);
    // Overflows and failed debug assertions are findings, so an optimised build keeps their checks.
    // A schedule is shown with the lines of its switches.
    let lines = ("DEBUG", if instrument == Instrument::Schedule { "line-tables-only" } else { "false" });
    for (setting, value) in [("DEBUG_ASSERTIONS", "true"), ("OVERFLOW_CHECKS", "true"), lines] {
        let variable = format!("CARGO_PROFILE_RELEASE_{setting}");
        if std::env::var_os(&variable).is_none() && value != "false" {
            cargo.env(variable, value);
        }
    }
    // Discards the profile that an instrumented program writes when it exits.
    cargo.env("LLVM_PROFILE_FILE", "/dev/null");
    Ok(Instrumentation { crates, directory })
}

/// The directory of instrumented builds of a choice, emptied if it was built with other flags, or if it has packages
/// whose instrumentation has changed.
fn prepare(instrument: Instrument, choice: &Choice, crates: &Crates, manifest: Option<&str>) -> Result<PathBuf, Error> {
    let name = format!("{}{}", instrument.directory(), choice.suffix(&instrument.default_choice()));
    let directory = target_directory(manifest)?.join(name);
    let _alone = lock(&directory)?;
    let stamp = directory.join(STAMP);
    let mut wanted = format!("forall {}\n", env!("CARGO_PKG_VERSION"));
    for part in [instrument.flags(), instrument.runtime_flags(), instrument.hooks()] {
        wanted += &format!("{}\n", part.join(" "));
    }
    let failed = |error: std::io::Error| trouble::no_build("write", &stamp, error);
    let found = fs::read_to_string(&stamp).unwrap_or_default();
    if let Some(earlier) = found.strip_prefix(&wanted).map(Crates::parse).filter(|earlier| earlier.agrees_with(crates))
    {
        let mut known = crates.clone();
        known.add(earlier);
        fs::write(&stamp, wanted + &known.text()).map_err(failed)?;
        return Ok(directory);
    }
    if stamp.exists() {
        fs::remove_dir_all(&directory).map_err(|error| trouble::no_build("remove", &directory, error))?;
    }
    fs::create_dir_all(&directory).map_err(failed)?;
    wrapper::build_no_hooks(instrument, &rustc(), &directory)?;
    // Written last: an interrupted preparation is repeated.
    fs::write(&stamp, wanted + &crates.text()).map_err(failed)?;
    Ok(directory)
}

/// Locks the directory against other processes that prepare it, until the file is closed.
pub fn lock(directory: &Path) -> Result<File, Error> {
    let path = directory.with_extension("lock");
    let failed = |error| trouble::no_build("lock", &path, error);
    fs::create_dir_all(directory).map_err(failed)?;
    let file = File::create(&path).map_err(failed)?;
    crate::lock::exclusively(&file).map_err(failed)?;
    Ok(file)
}

fn target_directory(manifest: Option<&str>) -> Result<PathBuf, Error> {
    Ok(PathBuf::from(metadata(manifest)?["target_directory"].as_str().unwrap_or("target")))
}

/// Cargo's metadata of the workspace, without dependencies.
pub fn metadata(manifest: Option<&str>) -> Result<Value, Error> {
    let mut cargo = cargo();
    cargo.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(path) = manifest {
        cargo.args(["--manifest-path", path]);
    }
    let output = cargo.output().map_err(|error| trouble::no_tool("cargo", error))?;
    serde_json::from_slice(&output.stdout).map_err(|_| trouble::no_package(&output.stderr))
}

fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The host's target triple.
fn host(instrument: Instrument) -> Result<String, Error> {
    let output = Command::new(rustc()).arg("-vV").output().map_err(|error| trouble::no_tool("rustc", error))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or_else(trouble::no_host)?;
    if host.starts_with("x86_64") && host.contains("linux") {
        Ok(host.to_owned())
    } else {
        Err(match instrument {
            Instrument::Coverage => trouble::no_coverage(host),
            Instrument::Schedule => trouble::no_scheduler(host),
        })
    }
}

/// The test program in a line of cargo's messages, if any.
pub fn binary(line: &str) -> Option<Binary> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let path = PathBuf::from(message["executable"].as_str()?);
    let package_directory = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = package_name(message["package_id"].as_str()?).to_owned();
    Some(Binary { path, package, package_directory })
}

/// The package of a crate for the target that a line of cargo's messages is about: `name@version`.
fn artifact(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_built = message["reason"] == "compiler-artifact" && message["target"]["kind"][0] != "custom-build";
    let id = message["package_id"].as_str().filter(|_| is_built)?;
    let version = id.rsplit(['#', '@']).next()?;
    Some(format!("{}@{version}", package_name(id)))
}

/// The name in a package id: `…/directory#name@1.0.0`, or `…/name#1.0.0`.
pub fn package_name(id: &str) -> &str {
    let (place, version) = id.rsplit_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_as_cargo_does() {
        assert_eq!(package_name("path+file:///home/work/shop#0.1.0"), "shop");
        assert_eq!(package_name("path+file:///home/work/here#shop@0.1.0"), "shop");
        let line = |id: &str, kind: &str| {
            let target = serde_json::json!({"kind": [kind]});
            serde_json::json!({"reason": "compiler-artifact", "package_id": id, "target": target}).to_string()
        };
        let id = "registry+https://example.org/index#lexer@1.0.0";
        assert_eq!(artifact(&line(id, "lib")).as_deref(), Some("lexer@1.0.0"));
        assert_eq!(artifact(&line("path+file:///home/work/shop#0.1.0", "test")).as_deref(), Some("shop@0.1.0"));
        assert_eq!(artifact(&line(id, "custom-build")), None);
    }

    #[test]
    fn instrumented_dependencies_and_those_left_out_are_named() {
        let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        let compiled = |instrumented: &[&str], has_dependencies, left_out: &[&str]| {
            let (instrumented, left_out) = (ids(instrumented), ids(left_out));
            Compiled { instrumented, has_dependencies, left_out, errors: "target/forall-fuzz/left-out".into() }.text()
        };
        assert_eq!(compiled(&["shop@0.1.0"], false, &[]), "");
        let many: Vec<String> = (0..20).map(|number| format!("lexer@1.{number}.0")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let texts = [
            compiled(&["lexer@1.0.0", "shop@0.1.0"], true, &[]),
            compiled(&["shop@0.1.0"], false, &["stubborn@2.0.0"]),
            compiled(&many, true, &[]),
        ];
        insta::assert_snapshot!(texts.concat());
    }
}
