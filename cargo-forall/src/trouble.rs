//! What goes wrong outside of tests: programs that cannot be run, files of a build that cannot be written. What happened, and what to do.

use crate::Error;
use std::fmt::Display;
use std::path::Path;

/// A program of the Rust toolchain cannot be run.
pub fn no_tool(program: impl Display, error: &dyn Display) -> Error {
    format!("cannot run {program}: {error}. Install it (rustup does), or see to it that PATH has it")
}

/// A program was started, and the system says nothing more of it.
pub fn lost(program: &str, error: &dyn Display) -> Error {
    format!(
        "cannot hear what {program} says: {error}. Try it again; if it stays so, this machine has too little of something"
    )
}

/// A test program cannot be run.
pub fn no_test_program(path: &Path, error: &dyn Display) -> Error {
    format!(
        "cannot run the test program {}: {error}. Build it anew (`cargo clean`), on a disk from which programs may be run",
        path.display()
    )
}

/// Something of a build cannot be written or removed.
pub fn no_build(doing: &str, path: &Path, error: &dyn Display) -> Error {
    format!(
        "cannot {doing} {}: {error}. Make the target directory writable, or name another with CARGO_TARGET_DIR",
        path.display()
    )
}

/// The compiler does not say what it builds for.
pub fn no_host() -> Error {
    "`rustc -vV` does not name its host: name a compiler that does with RUSTC, or install one with rustup".to_owned()
}

/// This is no machine whose coverage can be read.
pub fn no_coverage(host: &str) -> Error {
    format!("coverage can be read on x86-64 Linux only so far, and this is {host}; `cargo test` works here")
}

/// There is nothing to ask properties of.
pub fn not_linux() -> Error {
    "test programs can be asked for their properties on Linux only, so far. `cargo test` runs them here as any tests; for the rest use \
     Linux, in a container for example"
        .to_owned()
}

/// A small library of the build does not compile.
pub fn no_hooks(path: &Path) -> Error {
    format!(
        "cannot compile {}; the compiler said why above. If it is no compiler of Rust 1.88 or later, install one with rustup",
        path.display()
    )
}

/// This program does not know where it is.
pub fn no_self(error: &dyn Display) -> Error {
    format!("cannot find this program itself: {error}. Install it again, with `cargo install --path cargo-forall`")
}

/// What a process died of does not come back.
pub fn not_again(path: &Path) -> Error {
    format!(
        "the input that the process died of could not be generated again: does the property depend on anything beside its input? \
         As it was running it is in {}",
        path.display()
    )
}

/// Somebody was asked, and could not answer.
pub fn no_answer(error: &dyn Display) -> Error {
    format!("cannot read the answer: {error}. Run this in a terminal, or say --keep, --example or --drop")
}

/// A directory that cannot be one.
pub fn no_corpus(path: &str, error: &dyn Display) -> Error {
    format!("cannot use {path} as a corpus: {error}. Name a directory, as in --corpus /shared/corpus")
}

/// An address of Redis that makes no sense.
pub fn no_redis(name: &str, error: &dyn Display) -> Error {
    let advice = "write redis://host:6379/0, or rediss://… for TLS";
    format!("{name} is no address of Redis that can be used: {error}; {advice}")
}

/// A corpus that another version of this program has made.
pub fn other_corpus(name: &str, found: &str, known: &str) -> Error {
    format!(
        "{name} has a corpus of another version: it says `{found}`, and this program knows `{known}`. Update the older of the two, or \
         name another corpus"
    )
}

/// A database without a corpus.
pub fn empty_redis(name: &str) -> Error {
    format!("{name} has no corpus: name a database that `--corpus` has filled")
}

/// A source that an example was to be written to.
pub fn no_source(doing: &str, path: &Path, error: &dyn Display) -> Error {
    format!("cannot {doing} {}: {error}; keep it as a regression instead", path.display())
}

/// An example that is no Rust.
pub fn unfit_example(example: &str, file: &str) -> Error {
    format!(
        "with {example} the tests do not build, so {file} was left as it was. The values cannot be written as Rust there; keep it as a \
         regression instead"
    )
}

/// A property whose attribute is not where the build says.
pub fn no_attribute(function: &str, place: &str) -> Error {
    format!("there is no attribute of forall above `fn {function}` at {place}; keep it as a regression instead")
}

/// An example is to be written for a property that is a value.
pub fn no_example_of_value(name: &str, place: &str) -> Error {
    format!(
        "`{name}` at {place} is a value, and has no attribute to write an example under; keep it as a regression instead"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_says_what_to_do() {
        let (path, error) = (Path::new("target/x"), "No such file or directory (os error 2)");
        let messages = [
            no_tool("cargo", &error),
            lost("cargo", &error),
            no_test_program(path, &error),
            no_build("write", path, &error),
            no_host(),
            no_coverage("aarch64-apple-darwin"),
            not_linux(),
            no_hooks(path),
            no_self(&error),
            not_again(path),
            no_answer(&error),
            no_corpus("", &error),
            no_redis("redis://host:port", &"invalid port number"),
            other_corpus("redis://host:6379", "forall corpus 2", "forall corpus 1"),
            empty_redis("redis://host:6379"),
            no_source("read", path, &error),
            unfit_example("#[example(Opaque)]", "src/lib.rs"),
            no_attribute("sorts", "src/lib.rs:7"),
            no_example_of_value("nth is get", "src/lib.rs:7"),
        ];
        insta::assert_snapshot!(messages.join("\n\n"));
    }
}
