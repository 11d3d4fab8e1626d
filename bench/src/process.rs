//! Running other programs, and cargo above all.

use crate::Options;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The directory of this package.
pub fn bench_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Cargo, undisturbed by the cargo that runs us and by flags that would change what is measured.
pub fn cargo(directory: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let flags = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_INCREMENTAL", "CI"];
        let name = name.to_string_lossy();
        if flags.contains(&&*name) || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_PROFILE_") {
            command.env_remove(&*name);
        }
    }
    command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_MANIFEST_DIR");
    command
}

/// Runs to the end; anything but success is an error that shows what the program said.
pub fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} failed ({}):\n{said}", output.status))
}

/// The workspace of the packages that cannot be in one with the others, and how their names end.
const APART: (&str, &str) = ("chaos_theory", "-chaos-theory");

/// The package of forall's own tool.
pub const TOOL: &str = "bench-tool";

/// The programs of packages, by the names of the packages.
pub struct Programs(BTreeMap<String, PathBuf>);

impl Programs {
    /// Builds the programs of these packages in a profile.
    ///
    /// Each set of packages is built with the features that these packages request: measured programs are built alone.
    /// With `--built` nothing is measured, and programs are taken that were built together with this one.
    pub fn build<P: AsRef<str>>(options: &Options, profile: &str, packages: &[P]) -> Result<Self, String> {
        let mut programs = BTreeMap::new();
        let (mut together, mut apart) = (Vec::new(), Vec::new());
        for package in packages.iter().map(AsRef::as_ref) {
            match built(options, package) {
                Some(program) => drop(programs.insert(package.to_owned(), program)),
                None if package.ends_with(APART.1) => apart.push(package),
                None => together.push(package),
            }
        }
        for (workspace, packages) in [("", together), (APART.0, apart)] {
            if packages.is_empty() {
                continue;
            }
            let target = bench_directory().join("target");
            let mut cargo = cargo(&bench_directory().join(workspace));
            cargo.args(["build", "--locked", "--profile", profile, "--target-dir"]).arg(&target);
            cargo.args(packages.iter().flat_map(|package| ["--package", package]));
            run(&mut cargo)?;
            let directory = target.join(if profile == "dev" { "debug" } else { profile });
            programs.extend(packages.iter().map(|&package| (package.to_owned(), directory.join(package))));
        }
        Ok(Self(programs))
    }

    /// The program of a package that was asked for.
    pub fn of(&self, package: &str) -> &Path {
        &self.0[package]
    }
}

/// The program of a package, if `--built` was given and it is there.
fn built(options: &Options, package: &str) -> Option<PathBuf> {
    let this = std::env::current_exe().ok().filter(|_| options.built)?;
    Some(this.with_file_name(package)).filter(|program| program.is_file())
}

/// The options of a suite's own that it hands on to its program, as they are written on a command line. Where one was not
/// given, a quick run takes those of `smoke`.
pub fn handed_on(options: &Options, names: &[&'static str], smoke: &[(&str, &str)]) -> Vec<String> {
    let mut arguments = Vec::new();
    for &name in names {
        let smoke = smoke.iter().filter(|(own, _)| options.smoke && *own == name).map(|(_, value)| *value);
        let given: Vec<&str> = options.own(name).collect();
        let values = if given.is_empty() { smoke.collect() } else { given };
        arguments.extend(values.into_iter().flat_map(|value| [format!("--{name}"), value.to_owned()]));
    }
    arguments
}

/// Works on all jobs, as many at once as the machine has cores; the results are in the order of the jobs.
pub fn on_all_cores<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let worker = || {
        while let Some((index, job)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|job| (index, job))
        } {
            let result = work(job);
            results.lock().expect("no worker panics").push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |cores| cores.get()) {
            scope.spawn(worker);
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The instructions of a whole run of a program, by callgrind, in an environment that has only these variables.
pub fn instructions(program: &Path, arguments: &[&str], variables: &[(&str, &Path)]) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.envs(variables.iter().copied()).args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let output = run(command.arg(program).args(arguments))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("{command:?} printed no instruction count:\n{text}"))
}

/// The CPU time, user and system, of a program and its children.
///
/// Counts all children of this process that end meanwhile: run nothing beside it.
pub fn cpu_time(command: &mut Command) -> Result<Duration, String> {
    cpu_time_of(|| run(command).map(drop))
}

/// The CPU time of the programs that `act` runs to their ends.
pub fn cpu_time_of(act: impl FnOnce() -> Result<(), String>) -> Result<Duration, String> {
    let before = children_time()?;
    act()?;
    Ok(children_time()? - before)
}

fn children_time() -> Result<Duration, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| format!("getrusage: {error}"))?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(microseconds.try_into().unwrap_or(0)))
}

/// Whether a program is installed.
pub fn installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Whether what is missing is a failure, as `FORALL_REQUIRE_TOOLS=1` asks, rather than left out.
pub fn tools_are_required() -> bool {
    std::env::var_os("FORALL_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

/// A directory that lives as long as this value.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory among the system's temporary ones.
    pub fn new(purpose: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("forall-bench-{purpose}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        Ok(Self(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and the directories above it.
    pub fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(path);
        let parent = path.parent().expect("a file in the directory");
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftover files are in the system's temporary directory, where they do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
