//! What goes wrong outside of tests: programs that cannot be run, files of a build that cannot be written. What happened, and what to do.

use crate::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// A program of the Rust toolchain cannot be run.
pub fn no_tool(program: impl Display, source: io::Error) -> Error {
    Error::Program { doing: format!("run {program}"), source, advice: "install it (rustup does), or add it to PATH" }
}

/// A program was started, and the system says nothing more of it.
pub fn lost(program: &str, source: io::Error) -> Error {
    let advice = "try again; if it persists, check the limits of memory, processes and files";
    Error::Program { doing: format!("read the output of {program}"), source, advice }
}

/// A test program cannot be run.
pub fn no_test_program(path: &Path, source: io::Error) -> Error {
    let advice = "build it anew (`cargo clean`), on a disk from which programs may be run";
    Error::Program { doing: format!("run the test program {}", path.display()), source, advice }
}

/// Something of a build cannot be written or removed.
pub fn no_build(doing: &'static str, path: &Path, source: io::Error) -> Error {
    let advice = "make the target directory writable, or name another with CARGO_TARGET_DIR";
    Error::File { doing, path: path.to_owned(), source, advice }
}

/// A test program that another version of the library is in: which version of the protocol it has, and of the package if that is known.
pub fn other_version(version: u64, package: &str) -> Error {
    Error::Version { version, package: package.to_owned() }
}

/// The compiler does not say what it builds for.
pub fn no_host() -> Error {
    "`rustc -vV` does not name its host: name a compiler that does with RUSTC, or install one with rustup".into()
}

/// This is no machine whose coverage can be read.
pub fn no_coverage(host: &str) -> Error {
    format!("coverage can be read on x86-64 Linux only so far, and this is {host}; `cargo test` works here").into()
}

/// There is nothing to ask properties of.
pub fn not_linux() -> Error {
    "test programs can be asked for their properties on Linux only, so far. `cargo test` runs them here as any tests; for the rest use \
     Linux, in a container for example"
        .into()
}

/// A small library of the build does not compile.
pub fn no_hooks(path: &Path) -> Error {
    format!(
        "cannot compile {}; the compiler said why above. If it is no compiler of Rust 1.88 or later, install one with rustup",
        path.display()
    ).into()
}

/// This program does not know where it is.
pub fn no_self(source: io::Error) -> Error {
    let advice = "install it again, with `cargo install --path cargo-forall`";
    Error::Program { doing: "find this program itself".to_owned(), source, advice }
}

/// What a process died of does not come back.
pub fn not_again(path: &Path) -> Error {
    format!(
        "the input that the process died of could not be generated again: does the property depend on anything beside its input? \
         As it was running it is in {}",
        path.display()
    ).into()
}

/// Somebody was asked, and could not answer.
pub fn no_answer(source: io::Error) -> Error {
    let advice = "run this in a terminal, or say --keep, --example or --drop";
    Error::Program { doing: "read the answer".to_owned(), source, advice }
}

/// A directory that cannot be one.
pub fn no_corpus(path: &str, source: io::Error) -> Error {
    let advice = "name a directory, as in --corpus /shared/corpus";
    Error::Program { doing: format!("use {path} as a corpus"), source, advice }
}

/// An address of Redis that makes no sense.
pub fn no_redis(name: &str, error: &dyn Display) -> Error {
    let advice = "write redis://host:6379/0, or rediss://… for TLS";
    format!("{name} is no address of Redis that can be used: {error}; {advice}").into()
}

/// A corpus that another version of this program has made.
pub fn other_corpus(name: &str, found: &str, known: &str) -> Error {
    format!(
        "{name} has a corpus of another version: it says `{found}`, and this program knows `{known}`. Update the older of the two, or \
         name another corpus"
    ).into()
}

/// A database without a corpus.
pub fn empty_redis(name: &str) -> Error {
    format!("{name} has no corpus: name a database that `--corpus` has filled").into()
}

/// A source that an example was to be written to.
pub fn no_source(doing: &'static str, path: &Path, source: io::Error) -> Error {
    let advice = "keep it as a regression instead";
    Error::File { doing, path: path.to_owned(), source, advice }
}

/// An example that is no Rust.
pub fn unfit_example(example: &str, file: &str) -> Error {
    format!(
        "with {example} the tests do not build, so {file} was left as it was. The values cannot be written as Rust there; keep it as a \
         regression instead"
    ).into()
}

/// A property whose attribute is not where the build says.
pub fn no_attribute(function: &str, place: &str) -> Error {
    format!("there is no attribute of forall above `fn {function}` at {place}; keep it as a regression instead").into()
}

/// An example is to be written for a property that is a value.
pub fn no_example_of_value(name: &str, place: &str) -> Error {
    format!(
        "`{name}` at {place} is a value, and has no attribute to write an example under; keep it as a regression instead"
    ).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_says_what_to_do() {
        let (path, error) = (Path::new("target/x"), || io::Error::from_raw_os_error(2));
        let messages = [
            no_tool("cargo", error()),
            lost("cargo", error()),
            no_test_program(path, error()),
            no_build("write", path, error()),
            no_host(),
            no_coverage("aarch64-apple-darwin"),
            not_linux(),
            no_hooks(path),
            no_self(error()),
            not_again(path),
            no_answer(error()),
            no_corpus("", error()),
            no_redis("redis://host:port", &"invalid port number"),
            other_corpus("redis://host:6379", "forall corpus 2", "forall corpus 1"),
            empty_redis("redis://host:6379"),
            no_source("read", path, error()),
            unfit_example("#[example(Opaque)]", "src/lib.rs"),
            no_attribute("sorts", "src/lib.rs:7"),
            no_example_of_value("nth is get", "src/lib.rs:7"),
        ];
        insta::assert_snapshot!(messages.map(|message| message.to_string()).join("\n\n"));
    }
}
