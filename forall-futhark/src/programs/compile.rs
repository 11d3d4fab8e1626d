//! Calling the compiler.

use super::Options;
use std::path::Path;
use std::process::{Command, Output};

/// Compiles a program to a server beside it; what the compiler said, if it refused.
pub(super) fn compile(source: &Path, program: &Path, options: &Options) -> Result<(), String> {
    let mut command = Command::new(&options.futhark);
    command.arg(&options.backend).arg("--server").args(&options.compiler_options);
    command.arg("-o").arg(program).arg(source);
    let output = run(&mut command, options)?;
    if output.status.success() { Ok(()) } else { Err(said(&output)) }
}

/// What the compiler says of a program that it should refuse; `None` if it does not refuse it.
pub(super) fn check(source: &Path, options: &Options) -> Result<Option<String>, String> {
    let output = run(Command::new(&options.futhark).arg("check").arg(source), options)?;
    Ok(if output.status.success() { None } else { Some(said(&output)) })
}

fn run(command: &mut Command, options: &Options) -> Result<Output, String> {
    let cannot = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => format!(
            "There is no compiler called `{}`.\nInstall Futhark (for example with `apt-get install futhark` or `brew install \
             futhark`), or say where it is, with --futhark.",
            options.futhark
        ),
        _ => format!("cannot run `{}`: {error}", options.futhark),
    };
    command.output().map_err(cannot)
}

fn said(output: &Output) -> String {
    let text = [&*output.stderr, &*output.stdout].concat();
    String::from_utf8_lossy(&text).trim_end().to_owned()
}
