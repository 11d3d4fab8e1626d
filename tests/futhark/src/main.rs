//! Serves the twin of a program; also stands in for the compiler that creates such servers.
//!
//! - `forall-futhark-tests NAME [die|hang|truncate|garble BYTES | crowd VARIABLES]` serves;
//! - `forall-futhark-tests NAME fault FAULT NUMBER FILE` serves, but one answer is a fault (see `faulty`);
//! - `forall-futhark-tests play FILE` plays the server of a recorded session;
//! - `forall-futhark-tests c --server … -o PROGRAM FILE.fut` writes a program that serves the twin of the file;
//! - `forall-futhark-tests check FILE.fut` reports the unknown name `nonexistent`, as the recorded compiler does.

use forall_futhark::serve::Misbehaviour;
use forall_futhark_tests::session::Session;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--server") {
        if let Err(why) = compile(&words) {
            eprintln!("{why}");
            std::process::exit(1);
        }
        return;
    }
    if let [play, file] = &*words
        && play == "play"
    {
        match Session::read(Path::new(file)) {
            Ok(session) => forall_futhark_tests::session::play(&session),
            Err(error) => {
                eprintln!("{file}: {error}");
                std::process::exit(97);
            }
        }
    }
    if let [check, source] = &*words
        && check == "check"
    {
        if let Err(why) = type_check(Path::new(source)) {
            eprintln!("{why}");
            std::process::exit(1);
        }
        return;
    }
    let Some(mut program) = words.first().and_then(|name| forall_futhark_tests::twin(name)) else {
        eprintln!("name one of the twins: {:?}", forall_futhark_tests::TWINS);
        std::process::exit(2);
    };
    if let [_, fault, what, at, mark] = &*words
        && fault == "fault"
    {
        forall_futhark_tests::faulty::serve(&program, what, at.parse().unwrap_or(u64::MAX), mark.into());
    }
    if let [_, what, after] = &*words {
        match Misbehaviour::parse(what, after) {
            Some(how) => program = program.misbehave(how),
            None => {
                eprintln!("not a way to misbehave: {what} {after}");
                std::process::exit(2);
            }
        }
    }
    program.serve()
}

/// Writes a script that starts this program for the twin of the source.
fn compile(words: &[String]) -> Result<(), String> {
    let output = words.iter().position(|word| word == "-o").and_then(|at| words.get(at + 1)).ok_or("no -o")?;
    let source = words.last().ok_or("no source")?;
    let name = Path::new(source).file_stem().unwrap_or_default().to_string_lossy();
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let script = format!("#!/bin/sh\nexec {} {name} \"$@\"\n", this.display());
    std::fs::write(output, script).map_err(|error| format!("{output}: {error}"))?;
    std::fs::set_permissions(output, PermissionsExt::from_mode(0o755)).map_err(|error| format!("{output}: {error}"))
}

/// Reports the first unknown name of a source.
fn type_check(source: &Path) -> Result<(), String> {
    const UNKNOWN: &str = "nonexistent";
    let text = std::fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let code = |line: &&str| !line.starts_with("--");
    let Some((line, number)) = text.lines().zip(1..).find(|(line, _)| code(line) && line.contains(UNKNOWN)) else {
        return Ok(());
    };
    let from = line.find(UNKNOWN).unwrap_or_default() + 1;
    Err(format!(
        "Error at {}:{number}:{from}-{}:\nUnknown name \"{UNKNOWN}\"\nIf you find this error message confusing, uninformative, \
         or wrong, please open an issue:\n  https://github.com/diku-dk/futhark/issues",
        source.display(),
        from + UNKNOWN.len(),
    ))
}
