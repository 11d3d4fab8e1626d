//! The compiler.

use super::{Options, install};
use crate::client::{Watchdog, start_process};
use crate::folder::{Folder, no_place};
use crate::properties::{Coverage, coverage_flags};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// A compiled server in its own folder, so that runs of the same program do not interfere, and the program's folder may
/// be read-only.
pub(super) struct Server {
    pub(super) executable: PathBuf,
    /// The compiler's warnings.
    pub(super) warnings: String,
    /// The coverage counters of the server.
    pub(super) coverage: Option<Coverage>,
    /// The temporary folder, deleted when this is dropped.
    folder: Option<Folder>,
}

impl Server {
    /// Uses an existing server.
    pub(super) fn of(executable: &Path) -> Self {
        // A program without a directory in its name is in the current directory, not on PATH.
        let has_directory = executable.parent().is_some_and(|parent| parent != Path::new(""));
        let here = if has_directory { executable.to_owned() } else { Path::new(".").join(executable) };
        Self { executable: here, warnings: String::new(), coverage: None, folder: None }
    }

    /// Returns whether the server was compiled by this run.
    pub(super) fn is_compiled(&self) -> bool {
        self.folder.is_some()
    }
}

/// Why a program has no server.
#[derive(Debug)]
pub(super) enum Uncompiled {
    /// The compiler rejected the program, with these messages.
    Rejected(String),
    /// The compiler, or what it needs, is missing or broken: this implies nothing about the program.
    Unable(String),
}

impl Uncompiled {
    pub(super) fn into_message(self) -> String {
        match self {
            Self::Rejected(message) | Self::Unable(message) => message,
        }
    }
}

impl From<String> for Uncompiled {
    fn from(why: String) -> Self {
        Self::Unable(why)
    }
}

/// Compiles a program to a server.
pub(super) fn compile(source: &Path, options: &Options) -> Result<Server, Uncompiled> {
    let folder = Folder::new(&std::env::temp_dir(), "forall-futhark-");
    let folder = folder.map_err(|error| no_place("the compiled program", &error))?;
    let executable = folder.path().join(source.file_stem().unwrap_or(source.as_os_str()));
    let mut command = Command::new(&options.futhark);
    command.arg(&options.backend).arg("--server").args(&options.compiler_options);
    command.arg("-o").arg(&executable).arg(source);
    let mut coverage = None;
    if options.coverage {
        if !["c", "multicore"].contains(&&*options.backend) {
            let backend = &options.backend;
            return Err(Uncompiled::Unable(format!(
                "Coverage is read from programs that are compiled to C: use --backend=c, not {backend}."
            )));
        }
        command.env("CFLAGS", coverage_flags(folder.path())?);
        let counters = Coverage::new(folder.path());
        coverage = Some(counters.map_err(|error| no_place("the counters of coverage", &error))?);
    }
    let output = run(command, options)?;
    if output.status.success() {
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Server { executable, warnings, coverage, folder: Some(folder) })
    } else {
        Err(refusal(&output, options))
    }
}

/// Returns the compiler's messages for a program that should not compile; `None` if it compiles.
pub(super) fn check(source: &Path, options: &Options) -> Result<Option<String>, String> {
    let mut command = Command::new(&options.futhark);
    command.arg("check").arg(source);
    let output = run(command, options)?;
    Ok(if output.status.success() { None } else { Some(said(&output)) })
}

/// Checks that the compiler can be found. The error explains what to do.
///
/// ```
/// use forall_futhark::programs::{Options, compiler_is_there};
/// let mut options = Options::default();
/// options.futhark = "no-such-compiler".to_owned();
/// assert!(compiler_is_there(&options).unwrap_err().contains("--futhark"));
/// ```
pub fn compiler_is_there(options: &Options) -> Result<(), String> {
    if install::is_there(&options.futhark) { Ok(()) } else { Err(missing(options)) }
}

fn missing(options: &Options) -> String {
    format!("There is no compiler called `{}`; {}; --futhark names another", options.futhark, install::how())
}

fn run(mut command: Command, options: &Options) -> Result<Output, String> {
    let cannot = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => missing(options),
        _ => format!("cannot run `{}`: {error}; name the compiler with --futhark", options.futhark),
    };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (child, group) = start_process(command).map_err(cannot)?;
    let watchdog = Watchdog::new(group.0);
    watchdog.set(Some(Instant::now() + options.timeout));
    let output = child.wait_with_output().map_err(cannot);
    // The process id is unlikely to be reused at this point.
    group.forget();
    match watchdog.has_passed() {
        true => Err(format!(
            "the compiler did not finish within {:?} and was killed; --timeout raises the limit",
            options.timeout
        )),
        false => output,
    }
}

/// Returns why the compiler failed. For an unknown backend, with a short message instead of the compiler's usage text.
fn refusal(output: &Output, options: &Options) -> Uncompiled {
    let (said, backend) = (said(output), &options.backend);
    let (futhark, status) = (&options.futhark, output.status);
    if said.lines().next() == Some(&*format!("Junk argument: {backend}")) {
        let why = format!("`{futhark}` has no backend `{backend}`; try c, multicore, opencl or cuda.");
        return Uncompiled::Unable(why);
    }
    match said.is_empty() && !options.compatible {
        true => {
            Uncompiled::Unable(format!("`{futhark}` ended ({status}) and printed nothing; --futhark names another"))
        }
        // Killed by a signal: for example, by the system when there was no memory left.
        false if status.code().is_none() => Uncompiled::Unable(format!("`{futhark}` ended ({status}): {said}")),
        false => Uncompiled::Rejected(said),
    }
}

fn said(output: &Output) -> String {
    let text = [&*output.stderr, &*output.stdout].concat();
    String::from_utf8_lossy(&text).trim_end().to_owned()
}
