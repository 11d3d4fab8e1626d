//! The crate with the mutant switch, and the compiler wrapper that links it into the workspace's crates.

use crate::{Error, build, trouble};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The crate's name in rewritten code.
pub const CRATE: &str = "__forall_mutants";

/// The variable with the directory of the switch, set for cargo when this program is its compiler wrapper.
const DIRECTORY: &str = "__CARGO_FORALL_STRENGTH";

const SOURCE: &str = include_str!("runtime.rs");

/// Compiled here for its tests only.
#[cfg(test)]
#[path = "runtime.rs"]
#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    missing_debug_implementations,
    clippy::all,
    clippy::pedantic,
    reason = "rewritten code uses it"
)]
mod runtime;

/// Compiles the crate in `directory`, and makes cargo link it into all crates of the workspace.
///
/// Lints are capped: a rewritten function has parentheses and branches that its author did not write.
pub fn wrap(cargo: &mut Command, directory: &Path) -> Result<(), Error> {
    // Workspaces with one target directory share the crate.
    let _alone = build::lock(directory)?;
    let source = directory.join("switch.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(&rustc).arg("-vV").output().map_err(|error| trouble::no_tool(rustc.display(), error))?;
    // A crate of another compiler version cannot be linked.
    let wanted = format!("{SOURCE}\n/*\n{}*/\n", String::from_utf8_lossy(&version.stdout));
    if std::fs::read_to_string(&source).ok().as_deref() != Some(&wanted) || !library(directory).is_file() {
        let failed = |error| trouble::no_build("write", &source, error);
        let mut command = Command::new(&rustc);
        command.args(["--crate-type=rlib", "--edition=2021", "-Copt-level=2", "--cap-lints=allow"]);
        command.args(["--crate-name", CRATE, "-o"]).arg(library(directory)).arg(directory.join("compiled.rs"));
        std::fs::write(directory.join("compiled.rs"), SOURCE).map_err(failed)?;
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(trouble::no_hooks(&source)),
            Err(error) => return Err(trouble::no_tool(rustc.display(), error)),
        }
        // Written last, so that an interrupted compilation is repeated.
        std::fs::write(&source, wanted).map_err(failed)?;
    }
    let this = std::env::current_exe().map_err(trouble::no_self)?;
    cargo.env("RUSTC_WORKSPACE_WRAPPER", this).env(DIRECTORY, directory);
    Ok(())
}

fn library(directory: &Path) -> PathBuf {
    directory.join(format!("lib{CRATE}.rlib"))
}

/// Compiles, if cargo started this process as compiler wrapper.
pub fn run_if_called_by_cargo() -> Option<ExitCode> {
    let directory = PathBuf::from(std::env::var_os(DIRECTORY)?);
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (rustc, arguments) = arguments.split_first()?;
    let mut command = Command::new(rustc);
    command.args(arguments).env_remove(DIRECTORY);
    // Queries of the compiler's configuration have no crate name.
    if arguments.iter().any(|argument| argument == "--crate-name") {
        command.arg("--cap-lints=allow").arg("-L").arg(joined("dependency=", &directory));
        command.arg("--extern").arg(joined(&format!("{CRATE}="), &library(&directory)));
    }
    Some(match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("forall: {}", trouble::no_tool(rustc.display(), error));
            ExitCode::FAILURE
        }
    })
}

fn joined(before: &str, path: &Path) -> OsString {
    [OsStr::new(before), path.as_os_str()].join(OsStr::new(""))
}
