//! Building with instrumentation.

use crate::archive::{self, Needs};
use crate::workspace::Which;
use crate::wrapper;
use crate::{Error, trouble};
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The target directory of instrumented builds, inside of the usual one.
const TARGET_DIRECTORY: &str = "forall-fuzz";

/// The file in it that says how it was built: cargo does not notice when flags change that a wrapper adds.
const STAMP: &str = "built-with";

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

/// Builds the tests that are meant with instrumentation; with optimisation, unless it is a `dev` build.
pub fn tests(which: &Which, dev: bool) -> Result<Vec<Binary>, Error> {
    if let Some(archive) = archive::of(which, Needs::Coverage)? {
        return Ok(archive.binaries);
    }
    let mut cargo = which.cargo_test();
    for package in &which.package {
        cargo.args(["--package", package]);
    }
    for features in &which.features {
        cargo.args(["--features", features]);
    }
    if !dev {
        cargo.arg("--release");
    }
    instrumented_in_its_place(&mut cargo, which.manifest_path.as_deref())?;
    binaries(&mut cargo)
}

/// Runs cargo, and collects the test programs that it builds.
pub fn binaries(cargo: &mut Command) -> Result<Vec<Binary>, Error> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(|error| trouble::no_tool("cargo", error))?;
    let mut binaries = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.map_err(|error| trouble::lost("cargo", error))?;
        binaries.extend(binary(&line));
    }
    let status = child.wait().map_err(|error| trouble::lost("cargo", error))?;
    if !status.success() {
        let why = "the tests could not be built; cargo said why above. Repair that first, or leave the package out with --package";
        return Err(why.into());
    }
    if binaries.is_empty() {
        return Err("there are no tests to build here; run this in a package with tests, or give --package".into());
    }
    Ok(binaries)
}

/// Runs any command of cargo with an instrumented build.
pub fn instrumented(arguments: &[String]) -> Result<ExitCode, Error> {
    let manifest = arguments.iter().position(|argument| argument == "--manifest-path");
    let manifest = manifest.and_then(|at| arguments.get(at + 1)).map(String::as_str);
    let mut cargo = cargo();
    // Flags for cargo come before what is for the program that it runs.
    let own = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    cargo.args(&arguments[..own]);
    instrument(&mut cargo, &prepare(manifest)?)?;
    cargo.args(&arguments[own..]);
    let status = cargo.status().map_err(|error| trouble::no_tool("cargo", error))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// The cargo that is in charge.
pub fn cargo() -> Command {
    // When cargo calls us it says where it is.
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Makes a build of the package in this manifest an instrumented one, in a directory of its own.
pub fn instrumented_in_its_place(cargo: &mut Command, manifest: Option<&str>) -> Result<(), Error> {
    instrument(cargo, &prepare(manifest)?)
}

/// Adds what makes a build instrumented, in a directory of its own.
fn instrument(cargo: &mut Command, target_directory: &Path) -> Result<(), Error> {
    wrapper::wrap(cargo, target_directory)?;
    // With a target named, what runs on the host while building is built apart, and stays clean.
    cargo.args(["--target", &host()?]).arg("--target-dir").arg(target_directory);
    // An optimised build still looks for overflows and failed assertions: we are here to find them.
    for (setting, value) in [("DEBUG_ASSERTIONS", "true"), ("OVERFLOW_CHECKS", "true")] {
        let variable = format!("CARGO_PROFILE_RELEASE_{setting}");
        if std::env::var_os(&variable).is_none() {
            cargo.env(variable, value);
        }
    }
    // At its end an instrumented program writes its counters to a file, which nobody wants here.
    cargo.env("LLVM_PROFILE_FILE", "/dev/null");
    Ok(())
}

/// The directory of instrumented builds. What was built with other flags is removed from it.
fn prepare(manifest: Option<&str>) -> Result<PathBuf, Error> {
    let directory = target_directory(manifest)?.join(TARGET_DIRECTORY);
    let _alone = lock(&directory)?;
    let stamp = directory.join(STAMP);
    let mut wanted = format!("forall {}\n", env!("CARGO_PKG_VERSION"));
    for part in [wrapper::FLAGS, wrapper::RUNTIME_FLAGS, wrapper::HOOKS] {
        wanted += &format!("{}\n", part.join(" "));
    }
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(directory);
    }
    if stamp.exists() {
        fs::remove_dir_all(&directory).map_err(|error| trouble::no_build("remove", &directory, error))?;
    }
    let failed = |error: std::io::Error| trouble::no_build("write", &stamp, error);
    fs::create_dir_all(&directory).map_err(failed)?;
    wrapper::build_no_hooks(&rustc(), &directory)?;
    // The last, so that what was begun is begun again.
    fs::write(&stamp, wanted).map_err(failed)?;
    Ok(directory)
}

/// Waits until no other process prepares the directory, so that none removes what another has begun. It is over when the file is closed.
fn lock(directory: &Path) -> Result<File, Error> {
    let path = directory.with_extension("lock");
    let failed = |error| trouble::no_build("lock", &path, error);
    fs::create_dir_all(directory).map_err(failed)?;
    let file = File::create(&path).map_err(failed)?;
    // The standard library has locks of its own from Rust 1.89 on; we build with older ones.
    #[cfg(unix)]
    {
        use std::ffi::c_int;
        use std::os::fd::AsRawFd;
        const LOCK_EX: c_int = 2;
        unsafe extern "C" {
            fn flock(descriptor: c_int, operation: c_int) -> c_int;
        }
        // SAFETY: the descriptor is that of an open file, and no memory is touched.
        if unsafe { flock(file.as_raw_fd(), LOCK_EX) } != 0 {
            return Err(failed(std::io::Error::last_os_error()));
        }
    }
    Ok(file)
}

fn target_directory(manifest: Option<&str>) -> Result<PathBuf, Error> {
    Ok(PathBuf::from(metadata(manifest)?["target_directory"].as_str().unwrap_or("target")))
}

/// What cargo knows of the workspace: its packages, without what they depend on.
pub fn metadata(manifest: Option<&str>) -> Result<Value, Error> {
    let mut cargo = cargo();
    cargo.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(path) = manifest {
        cargo.args(["--manifest-path", path]);
    }
    let output = cargo.output().map_err(|error| trouble::no_tool("cargo", error))?;
    let metadata = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!(
            "this is no package that cargo can build: {}. Go to one, or say --manifest-path",
            said.trim().trim_start_matches("error: ")
        )
    });
    Ok(metadata?)
}

fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The machine that programs are built on, and for.
fn host() -> Result<String, Error> {
    let output = Command::new(rustc()).arg("-vV").output().map_err(|error| trouble::no_tool("rustc", error))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or_else(trouble::no_host)?;
    if host.starts_with("x86_64") && host.contains("linux") {
        Ok(host.to_owned())
    } else {
        Err(trouble::no_coverage(host))
    }
}

/// The test program that a line of cargo's messages tells of, if any.
fn binary(line: &str) -> Option<Binary> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let path = PathBuf::from(message["executable"].as_str()?);
    let package_directory = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = package_name(message["package_id"].as_str()?).to_owned();
    Some(Binary { path, package, package_directory })
}

/// The name in what identifies a package: `…/directory#name@1.0.0`, or `…/name#1.0.0`.
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
    }
}
