//! This program in the place of the compiler: cargo calls it for every crate, and it calls the compiler with flags added.
//!
//! Packages of the user's workspace are instrumented. `forall` itself is not, or its hooks would call themselves; it is told
//! to have hooks. Everything else is compiled as it is: dependencies, and all that runs on the host while building (build
//! scripts, procedural macros and what they depend on, told by cargo's `--target`, which they lack).

use crate::trouble;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Set in the environment of cargo: this program is called as a compiler.
const CALLED_BY_CARGO: &str = "__CARGO_FORALL_WRAPS_RUSTC";

/// What instruments a crate.
///
/// Counters for each piece of the source come from `instrument-coverage`: placed before optimisation, they keep every branch
/// of the source. SanitizerCoverage is there for the operands of comparisons; it insists on some kind of counter, of which
/// one per function, increased in line, is the cheapest. Comparisons of short constant strings are left calls, not expanded
/// into loads: the hooks see calls.
pub const FLAGS: &[&str] = &[
    "-Cinstrument-coverage",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=1",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-max-loads-per-memcmp=0",
];

/// What tells `forall` that it is a part of an instrumented program.
pub const RUNTIME_FLAGS: &[&str] =
    &["--cfg=feature=\"coverage\"", "--cfg=feature=\"full\"", "--cfg=forall_instrumented"];

/// Our own crates: generic code of theirs is compiled into the user's, but they themselves must stay as they are.
const RUNTIME: &str = "forall";
const OURS: &[&str] = &[RUNTIME, "forall_macros", "cargo_forall"];

/// What instrumented code calls. `forall` has it; but a program need not contain `forall`, such as the unit tests of a library
/// whose properties are elsewhere. For those there is a library of functions that do nothing, which the linker looks into
/// when nothing else has the function.
pub const HOOKS: &[&str] = &[
    "__sanitizer_cov_8bit_counters_init",
    "__sanitizer_cov_trace_cmp1",
    "__sanitizer_cov_trace_cmp2",
    "__sanitizer_cov_trace_cmp4",
    "__sanitizer_cov_trace_cmp8",
    "__sanitizer_cov_trace_const_cmp1",
    "__sanitizer_cov_trace_const_cmp2",
    "__sanitizer_cov_trace_const_cmp4",
    "__sanitizer_cov_trace_const_cmp8",
    "__sanitizer_cov_trace_switch",
];

/// Where that library is, in the environment of cargo.
const NO_HOOKS: &str = "__CARGO_FORALL_NO_HOOKS";

/// Builds the library of hooks that do nothing in `directory`. Several processes may do so at once: each in a folder of its own,
/// and the result is moved into place.
pub fn build_no_hooks(rustc: &OsStr, directory: &Path) -> Result<(), crate::Error> {
    let mut source = "#![no_std]\n".to_owned();
    for hook in HOOKS {
        source += &format!("#[unsafe(no_mangle)] pub extern \"C\" fn {hook}() {{}}\n");
    }
    let own = directory.join(format!("no-hooks-{}", crate::scratch::own_name()));
    let (path, built) = (own.join("no_hooks.rs"), no_hooks(&own));
    std::fs::create_dir_all(&own)
        .and_then(|()| std::fs::write(&path, source))
        .map_err(|error| trouble::no_build("write", &path, error))?;
    let mut command = Command::new(rustc);
    command.args(["--crate-type=rlib", "--edition=2024", "-Copt-level=1", "-o"]).arg(&built).arg(&path);
    let outcome = match command.status() {
        Ok(status) if status.success() => std::fs::rename(&built, no_hooks(directory))
            .map_err(|error| trouble::no_build("write", &no_hooks(directory), error)),
        Ok(_) => Err(trouble::no_hooks(&path)),
        Err(error) => Err(trouble::no_tool(rustc.display(), error)),
    };
    // What is left over does no harm.
    let _ = std::fs::remove_dir_all(&own);
    outcome
}

fn no_hooks(directory: &Path) -> PathBuf {
    directory.join("libno_hooks.rlib")
}

/// Has cargo call this program in the place of the compiler, for a build in `directory`.
pub fn wrap(cargo: &mut Command, directory: &Path) -> Result<(), crate::Error> {
    cargo.env(NO_HOOKS, no_hooks(directory));
    let this = std::env::current_exe().map_err(trouble::no_self)?;
    // Cargo calls the second for the packages of the workspace, and the first for all of them.
    cargo.env("RUSTC_WRAPPER", &this).env("RUSTC_WORKSPACE_WRAPPER", &this).env(CALLED_BY_CARGO, "1");
    Ok(())
}

/// If this process was started by cargo in the place of the compiler: compiles.
pub fn run_if_called_by_cargo() -> Option<ExitCode> {
    std::env::var_os(CALLED_BY_CARGO)?;
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let this = std::env::current_exe().ok();
    // The wrapper of all crates is called with that of the workspace as the compiler.
    let is_wrapper = |argument: &OsString| this.as_ref().is_some_and(|this| this.as_os_str() == argument);
    let in_workspace = arguments.first().is_some_and(is_wrapper);
    if in_workspace {
        arguments.remove(0);
    }
    if arguments.is_empty() {
        return None;
    }
    let rustc = arguments.remove(0);
    let added = flags_for(&arguments, in_workspace);
    let mut command = Command::new(&rustc);
    command.args(&arguments).args(added).env_remove(CALLED_BY_CARGO).env_remove(NO_HOOKS);
    if let (FLAGS, Some(no_hooks)) = (added, std::env::var_os(NO_HOOKS)) {
        command.arg("-C").arg([OsStr::new("link-arg="), &no_hooks].join(OsStr::new("")));
    }
    let status = command.status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("forall: {}", trouble::no_tool(rustc.display(), error));
            ExitCode::FAILURE
        }
    })
}

/// What a crate is compiled with beyond what cargo says.
fn flags_for(arguments: &[OsString], in_workspace: bool) -> &'static [&'static str] {
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).and_then(|value| value.to_str())
    };
    let Some(name) = after("--crate-name") else { return &[] };
    if name == RUNTIME && after("--crate-type") == Some("lib") {
        RUNTIME_FLAGS
    } else if !in_workspace || after("--target").is_none() || OURS.contains(&name) || is_proc_macro(arguments) {
        &[]
    } else {
        FLAGS
    }
}

fn is_proc_macro(arguments: &[OsString]) -> bool {
    arguments.windows(2).any(|pair| pair == [OsStr::new("--crate-type"), OsStr::new("proc-macro")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command_line: &str, in_workspace: bool) -> &'static [&'static str] {
        let arguments: Vec<OsString> = command_line.split(' ').map(OsString::from).collect();
        flags_for(&arguments, in_workspace)
    }

    #[test]
    fn only_the_users_crates_for_the_target_are_instrumented() {
        let target = "--target x86_64-unknown-linux-gnu";
        assert_eq!(flags(&format!("--crate-name mine --crate-type lib {target}"), true), FLAGS);
        assert_eq!(flags(&format!("--crate-name mine --test {target}"), true), FLAGS);
        assert_eq!(flags(&format!("--crate-name serde --crate-type lib {target}"), false), &[] as &[&str]);
        assert_eq!(flags("--crate-name build_script_build --crate-type bin", true), &[] as &[&str]);
        assert_eq!(flags("--crate-name mine_derive --crate-type proc-macro", true), &[] as &[&str]);
        assert_eq!(flags("- --print=cfg", true), &[] as &[&str]);
    }

    #[test]
    fn the_library_gets_its_hooks_and_no_instrumentation() {
        let command_line = "--crate-name forall --crate-type lib --target x86_64-unknown-linux-gnu";
        assert_eq!(flags(command_line, false), RUNTIME_FLAGS);
        assert_eq!(flags(command_line, true), RUNTIME_FLAGS);
        assert_eq!(flags("--crate-name forall_macros --crate-type proc-macro", true), &[] as &[&str]);
    }
}
