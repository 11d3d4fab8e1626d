//! The compiler wrapper: cargo calls this program for every crate, and it calls rustc with additional flags.
//!
//! A build is instrumented for coverage or for the scheduler ([`Instrument`]). Packages of the user's workspace are instrumented, and
//! the dependencies that were chosen ([`instrument`](crate::instrument)). `forall` itself is not, or its hooks would call themselves; it
//! is told to have hooks. Everything else is compiled as it is: other dependencies, and all that runs on the host while building (build
//! scripts, procedural macros and what they depend on, told by cargo's `--target`, which they lack).
//!
//! A dependency that does not compile with instrumentation is compiled without, and its name is written down: see [`left_out`].

use crate::instrument::{Choice, Crates};
use crate::trouble;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// Set in cargo's environment: this program is called as a compiler.
const CALLED_BY_CARGO: &str = "__CARGO_FORALL_WRAPS_RUSTC";

/// The purpose of an instrumented build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrument {
    /// Coverage: `cargo forall fuzz`.
    Coverage,
    /// The controlled scheduler: `cargo forall race`.
    Schedule,
}

impl Instrument {
    const ALL: [Self; 2] = [Self::Coverage, Self::Schedule];

    /// The target directory of such builds, inside the usual one.
    pub fn directory(self) -> &'static str {
        match self {
            Self::Coverage => "forall-fuzz",
            Self::Schedule => "forall-race",
        }
    }

    /// The crates that are instrumented if the user asks for nothing else.
    pub fn default_choice(self) -> Choice {
        match self {
            Self::Coverage => Choice::of_fuzz(&[]),
            Self::Schedule => Choice::of_race(&[]),
        }
    }

    /// The flags that instrument a crate.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Coverage => FLAGS,
            Self::Schedule => SCHEDULE_FLAGS,
        }
    }

    /// The `cfg` that enables the library's hooks in such a build.
    pub fn runtime_flags(self) -> &'static [&'static str] {
        match self {
            Self::Coverage => RUNTIME_FLAGS,
            Self::Schedule => &["--cfg=feature=\"full\"", "--cfg=forall_instrumented=\"schedule\""],
        }
    }

    /// The hooks that instrumented code calls.
    pub fn hooks(self) -> &'static [&'static str] {
        match self {
            Self::Coverage => HOOKS,
            Self::Schedule => SCHEDULE_HOOKS,
        }
    }
}

/// The flags that instrument a crate for the scheduler: a call replaces each atomic operation, precedes each other load
/// and store, and marks each edge of the control flow. In one unit, so that code is not compiled twice.
///
/// SanitizerCoverage has no hook before a compare-and-swap. ThreadSanitizer's pass replaces atomic operations in every function, and
/// other accesses only in functions with an attribute, which none has.
const SCHEDULE_FLAGS: &[&str] = &[
    "-Cpasses=function(tsan)",
    "-Cllvm-args=-tsan-instrument-func-entry-exit=0",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
    "-Cllvm-args=-sanitizer-coverage-trace-loads",
    "-Cllvm-args=-sanitizer-coverage-trace-stores",
    "-Ccodegen-units=1",
];

/// The hooks for the scheduler that programs without `forall` need, apart from [`ATOMICS`].
const SCHEDULE_HOOKS: &[&str] = &[
    "__sanitizer_cov_trace_pc_guard",
    "__sanitizer_cov_trace_pc_guard_init",
    "__sanitizer_cov_load1",
    "__sanitizer_cov_load2",
    "__sanitizer_cov_load4",
    "__sanitizer_cov_load8",
    "__sanitizer_cov_load16",
    "__sanitizer_cov_store1",
    "__sanitizer_cov_store2",
    "__sanitizer_cov_store4",
    "__sanitizer_cov_store8",
    "__sanitizer_cov_store16",
];

/// The source of the atomic operations in programs without `forall`.
const ATOMICS: &str = include_str!("wrapper/atomics.rs");

/// The flags that instrument a crate for coverage.
///
/// Counters for each piece of the source come from `instrument-coverage`: placed before optimisation, they keep every branch
/// of the source. SanitizerCoverage is there for the operands of comparisons; it insists on some kind of counter, of which
/// one per function, increased in line, is the cheapest. Comparisons of short constant strings are left calls, not expanded
/// into loads: the hooks see calls.
const FLAGS: &[&str] = &[
    "-Cinstrument-coverage",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=1",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-max-loads-per-memcmp=0",
];

/// The `cfg` that enables the library's hooks in an instrumented build.
const RUNTIME_FLAGS: &[&str] = &["--cfg=feature=\"coverage\"", "--cfg=feature=\"full\"", "--cfg=forall_instrumented"];

/// Our own crates, which are not instrumented.
const RUNTIME: &str = "forall";
const OURS: &[&str] = &[RUNTIME, "forall_macros", "cargo_forall"];

/// The hooks that instrumented code calls. `forall` has it; but a program need not contain `forall`, such as the unit
/// tests of a library whose properties are elsewhere. For those there is a library of functions that do nothing, which
/// the linker looks into when nothing else has the function.
const HOOKS: &[&str] = &[
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

/// The variable with the path of that library.
const NO_HOOKS: &str = "__CARGO_FORALL_NO_HOOKS";

/// The variable with the packages that are instrumented, separated by commas.
const CHOSEN: &str = "__CARGO_FORALL_INSTRUMENT";

/// The variable with the directory in which the wrapper writes down the packages that do not compile with instrumentation.
const LEFT_OUT: &str = "__CARGO_FORALL_LEFT_OUT";

/// Builds the library of hooks that do nothing in `directory`. Several processes may do so at once: each in a folder of its own,
/// and the result is moved into place.
pub fn build_no_hooks(instrument: Instrument, rustc: &OsStr, directory: &Path) -> Result<(), crate::Error> {
    let mut source = "#![no_std]\n".to_owned();
    if instrument == Instrument::Schedule {
        source += "mod atomics {\n";
        source.extend(ATOMICS.lines().filter(|line| !line.starts_with("//!")).flat_map(|line| [line, "\n"]));
        source += "}\n";
    }
    for hook in instrument.hooks() {
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
    // A left-over folder is harmless.
    let _ = std::fs::remove_dir_all(&own);
    outcome
}

fn no_hooks(directory: &Path) -> PathBuf {
    directory.join("libno_hooks.rlib")
}

/// Makes this program the compiler wrapper of a build in `directory`.
pub fn wrap(
    cargo: &mut Command,
    instrument: Instrument,
    crates: &Crates,
    directory: &Path,
) -> Result<(), crate::Error> {
    let chosen: Vec<&str> = crates.instrumented().collect();
    cargo.env(NO_HOOKS, no_hooks(directory)).env(CHOSEN, chosen.join(",")).env(LEFT_OUT, names_of_left_out(directory));
    let this = std::env::current_exe().map_err(trouble::no_self)?;
    // Cargo calls the second for the packages of the workspace, and the first for all of them.
    cargo
        .env("RUSTC_WRAPPER", &this)
        .env("RUSTC_WORKSPACE_WRAPPER", &this)
        .env(CALLED_BY_CARGO, instrument.directory());
    Ok(())
}

/// Compiles, if cargo started this process as the compiler.
pub fn run_if_called_by_cargo() -> Option<ExitCode> {
    let called = std::env::var_os(CALLED_BY_CARGO)?;
    let instrument = Instrument::ALL.into_iter().find(|instrument| called == instrument.directory())?;
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let this = std::env::current_exe().ok();
    // The general wrapper gets the workspace wrapper as its compiler.
    let is_wrapper = |argument: &OsString| this.as_ref().is_some_and(|this| this.as_os_str() == argument);
    let in_workspace = arguments.first().is_some_and(is_wrapper);
    if in_workspace {
        arguments.remove(0);
    }
    if arguments.is_empty() {
        return None;
    }
    let rustc = arguments.remove(0);
    let (variable, chosen) =
        (|name| std::env::var(name).unwrap_or_default(), std::env::var(CHOSEN).unwrap_or_default());
    // Cargo passes the package to the compiler and to build scripts, and the host only to the latter.
    let package = format!("{}@{}", variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
    let is_probe = std::env::var_os("HOST").is_some() && std::env::var_os("NUM_JOBS").is_some();
    let is_chosen = in_workspace || chosen.split(',').any(|other| other == package);
    let added = flags_for(instrument, &arguments, is_chosen && !is_probe);
    let plain = || {
        let mut command = Command::new(&rustc);
        command.args(&arguments);
        for variable in [CALLED_BY_CARGO, NO_HOOKS, CHOSEN, LEFT_OUT] {
            command.env_remove(variable);
        }
        command
    };
    let mut command = plain();
    command.args(added);
    let is_instrumented = added == instrument.flags();
    if is_instrumented && instrument == Instrument::Schedule {
        command.args(own_instances(&arguments));
    }
    if let Some(no_hooks) = std::env::var_os(NO_HOOKS).filter(|_| is_instrumented) {
        command.arg("-C").arg([OsStr::new("link-arg="), &no_hooks].join(OsStr::new("")));
    }
    let status = match is_instrumented && !in_workspace {
        true => compile_dependency(&mut command, &mut plain(), &package),
        false => command.status(),
    };
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("forall: {}", trouble::no_tool(rustc.display(), error));
            ExitCode::FAILURE
        }
    })
}

/// Compiles a dependency with instrumentation, or without if that fails.
fn compile_dependency(instrumented: &mut Command, plain: &mut Command, package: &str) -> io::Result<ExitStatus> {
    let first = instrumented.stdin(Stdio::inherit()).output()?;
    if first.status.success() {
        // Cargo reads both: diagnostics, and which files are ready.
        io::stdout().write_all(&first.stdout)?;
        io::stderr().write_all(&first.stderr)?;
        return Ok(first.status);
    }
    let second = plain.status()?;
    if let Some(directory) = std::env::var_os(LEFT_OUT).filter(|_| second.success()) {
        let directory = PathBuf::from(directory);
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join(package), &first.stderr)?;
    }
    Ok(second)
}

/// The packages that do not compile with instrumentation, of those that are to have it: `name@version`.
pub fn left_out(crates: &Crates, directory: &Path) -> BTreeSet<String> {
    let written = names_of_left_out(directory);
    crates.instrumented().filter(|package| written.join(package).is_file()).map(str::to_owned).collect()
}

/// Where the packages that do not compile with instrumentation are written down, each with the compiler's errors.
pub fn names_of_left_out(directory: &Path) -> PathBuf {
    directory.join("left-out")
}

/// The compiler flags of a crate in addition to cargo's.
fn flags_for(instrument: Instrument, arguments: &[OsString], is_chosen: bool) -> &'static [&'static str] {
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).and_then(|value| value.to_str())
    };
    let Some(name) = after("--crate-name") else { return &[] };
    if name == RUNTIME && after("--crate-type") == Some("lib") {
        instrument.runtime_flags()
    } else if !is_chosen || after("--target").is_none() || OURS.contains(&name) || is_proc_macro(arguments) {
        &[]
    } else {
        instrument.flags()
    }
}

/// The compiler flags with which a crate has its own instances of generic functions, such as `AtomicBool::store`. Below
/// optimisation level 2 the compiler takes those of a dependency, which may have been compiled without instrumentation.
fn own_instances(arguments: &[OsString]) -> &'static [&'static str] {
    let value = |option: &str| arguments.iter().rev().find_map(|argument| argument.to_str()?.strip_prefix(option));
    match (value("opt-level=").unwrap_or("0"), value("debug-assertions=")) {
        ("2" | "3", _) => &[],
        // Without optimisation, assertions are the default.
        ("0", None) => &["-Copt-level=2", "-Cdebug-assertions=on"],
        _ => &["-Copt-level=2"],
    }
}

fn is_proc_macro(arguments: &[OsString]) -> bool {
    arguments.windows(2).any(|pair| pair == [OsStr::new("--crate-type"), OsStr::new("proc-macro")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command_line: &str, is_chosen: bool) -> &'static [&'static str] {
        let arguments: Vec<OsString> = command_line.split(' ').map(OsString::from).collect();
        flags_for(Instrument::Coverage, &arguments, is_chosen)
    }

    #[test]
    fn only_chosen_crates_for_the_target_are_instrumented() {
        let target = "--target x86_64-unknown-linux-gnu";
        assert_eq!(flags(&format!("--crate-name mine --crate-type lib {target}"), true), FLAGS);
        assert_eq!(flags(&format!("--crate-name mine --test {target}"), true), FLAGS);
        assert_eq!(flags(&format!("--crate-name serde --crate-type lib {target}"), false), &[] as &[&str]);
        assert_eq!(flags("--crate-name build_script_build --crate-type bin", true), &[] as &[&str]);
        assert_eq!(flags("--crate-name mine_derive --crate-type proc-macro", true), &[] as &[&str]);
        assert_eq!(flags("- --print=cfg", true), &[] as &[&str]);
    }

    #[test]
    fn crates_under_the_scheduler_have_their_own_generic_instances() {
        let added = |command_line: &str| {
            let arguments: Vec<OsString> = command_line.split(' ').map(OsString::from).collect();
            own_instances(&arguments)
        };
        assert_eq!(added("--crate-name mine -C debuginfo=2"), ["-Copt-level=2", "-Cdebug-assertions=on"]);
        assert_eq!(added("--crate-name mine -C debug-assertions=off"), ["-Copt-level=2"]);
        assert_eq!(added("--crate-name mine -C opt-level=1 -C debug-assertions=on"), ["-Copt-level=2"]);
        assert_eq!(added("--crate-name mine -C opt-level=3"), &[] as &[&str]);
    }

    #[test]
    fn the_library_gets_its_hooks_and_no_instrumentation() {
        let command_line = "--crate-name forall --crate-type lib --target x86_64-unknown-linux-gnu";
        assert_eq!(flags(command_line, false), RUNTIME_FLAGS);
        assert_eq!(flags(command_line, true), RUNTIME_FLAGS);
        assert_eq!(flags("--crate-name forall_macros --crate-type proc-macro", true), &[] as &[&str]);
    }
}
