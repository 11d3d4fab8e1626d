//! Constructors of the tool's errors: programs that cannot run, files that cannot be written.

use crate::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// A program of the Rust toolchain cannot run.
pub fn no_tool(program: impl Display, source: io::Error) -> Error {
    Error::Program { doing: format!("run {program}"), source, advice: "install it with rustup, or add it to PATH" }
}

/// The output or exit of a running program cannot be read.
pub fn lost(program: &str, source: io::Error) -> Error {
    let advice = "retry; if it persists, check memory, process and file limits";
    Error::Program { doing: format!("read the output of {program}"), source, advice }
}

/// A test program cannot run.
pub fn no_test_program(path: &Path, source: io::Error) -> Error {
    let advice = "run `cargo clean` and rebuild, on a file system that is not mounted noexec";
    Error::Program { doing: format!("run the test program {}", path.display()), source, advice }
}

/// A file of a build cannot be written or removed.
pub fn no_build(doing: &'static str, path: &Path, source: io::Error) -> Error {
    let advice = "make the target directory writable, or set CARGO_TARGET_DIR to another one";
    Error::File { doing, path: path.to_owned(), source, advice }
}

/// A test program has another version of the protocol; `package` is the version of its library, if known.
pub fn other_version(version: u64, package: &str) -> Error {
    Error::Version { version, package: package.to_owned() }
}

/// Cargo finds no package; `stderr` is what it printed.
pub fn no_package(stderr: &[u8]) -> Error {
    let why = cargo_error(stderr);
    format!("cargo finds no package here: {why}. Change to a package's directory, or add --manifest-path").into()
}

/// Cargo cannot resolve or download the dependencies of the tests; `stderr` is what it printed.
pub fn unresolved(stderr: &[u8]) -> Error {
    let why = cargo_error(stderr);
    format!("cargo cannot resolve the dependencies: {why}. Fix the manifest, or run `cargo fetch` while online").into()
}

/// The error that cargo printed, without its prefix.
fn cargo_error(stderr: &[u8]) -> String {
    String::from_utf8_lossy(stderr).trim().trim_start_matches("error: ").to_owned()
}

/// The compiler does not print its host.
pub fn no_host() -> Error {
    "`rustc -vV` does not print its host: set RUSTC to another compiler, or install one with rustup".into()
}

/// Coverage is not supported on this host.
pub fn no_coverage(host: &str) -> Error {
    format!("coverage is supported on x86-64 Linux only, but this is {host}; `cargo test` works here").into()
}

/// The controlled scheduler is not supported on this host.
pub fn no_scheduler(host: &str) -> Error {
    format!(
        "controlled interleavings require x86-64 Linux, and this is {host}; `cargo test` runs parallel tests on real threads here"
    )
    .into()
}

/// The library of stubs does not compile.
pub fn no_hooks(path: &Path) -> Error {
    format!(
        "cannot compile {}; see its errors above. If your compiler is older than Rust 1.88, update it with `rustup update`",
        path.display()
    ).into()
}

/// This program's path is unknown.
pub fn no_self(source: io::Error) -> Error {
    let advice = "reinstall it with `cargo install --path cargo-forall`";
    Error::Program { doing: "find this program itself".to_owned(), source, advice }
}

/// The input of a crash cannot be regenerated.
pub fn not_again(path: &Path) -> Error {
    format!(
        "the input that crashed the process could not be regenerated: does the property depend on anything besides its input? \
         Its raw form is in {}",
        path.display()
    ).into()
}

/// The answer to a question cannot be read.
pub fn no_answer(source: io::Error) -> Error {
    let advice = "run this in a terminal, or add --keep, --example or --drop";
    Error::Program { doing: "read the answer".to_owned(), source, advice }
}

/// A directory cannot be used as a corpus.
pub fn no_corpus(path: &str, source: io::Error) -> Error {
    let advice = "name a directory, as in --corpus /shared/corpus";
    Error::Program { doing: format!("use {path} as a corpus"), source, advice }
}

/// An invalid Redis address.
pub fn no_redis(name: &str, error: &dyn Display) -> Error {
    let advice = "write redis://host:6379/0, or rediss://… for TLS";
    format!("{name} is not a valid Redis address: {error}; {advice}").into()
}

/// A corpus with another format version.
pub fn other_corpus(name: &str, found: &str, known: &str) -> Error {
    format!(
        "{name} has a corpus of another version: it is `{found}`, but this tool reads `{known}`. Update the older of the two, or \
         name another corpus"
    ).into()
}

/// A database without a corpus.
pub fn empty_redis(name: &str) -> Error {
    format!("{name} has no corpus: name a database that was used with `--corpus`").into()
}

/// An address that names no bucket. It is not printed: it may contain a secret key.
pub fn no_bucket() -> Error {
    "the address does not name a bucket: write s3://bucket/prefix; the credentials come from AWS_ACCESS_KEY_ID and \
     AWS_SECRET_ACCESS_KEY"
        .into()
}

/// A bucket without credentials.
pub fn no_credentials() -> Error {
    "a corpus in a bucket requires credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (`aws configure \
     export-credentials --format env` prints them)"
        .into()
}

/// An invalid address of an object store.
pub fn no_endpoint(endpoint: &str, error: &dyn Display) -> Error {
    format!("`{endpoint}` is not the address of an object store: {error}; set AWS_ENDPOINT_URL_S3 to one, as in https://host:9000").into()
}

/// A bucket without a corpus.
pub fn empty_bucket(name: &str) -> Error {
    format!("{name} has no corpus: name a bucket and a prefix that were used with `--corpus`").into()
}

/// A source file cannot be read or written.
pub fn no_source(doing: &'static str, path: &Path, source: io::Error) -> Error {
    let advice = "keep the counterexample as a regression instead";
    Error::File { doing, path: path.to_owned(), source, advice }
}

/// An example that does not compile.
pub fn unfit_example(example: &str, file: &str) -> Error {
    format!(
        "with {example} the tests do not build, so {file} was restored. The values cannot be written as Rust code there; keep the \
         counterexample as a regression instead"
    ).into()
}

/// A property's attribute is not at its location.
pub fn no_attribute(function: &str, place: &str) -> Error {
    format!(
        "there is no attribute of forall above `fn {function}` at {place}; keep the counterexample as a regression \
             instead"
    )
    .into()
}

/// A property value has no attribute for an example.
pub fn no_example_of_value(name: &str, place: &str) -> Error {
    format!(
        "`{name}` at {place} is a property value, which cannot have #[example]; keep the counterexample as a regression instead"
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_advice() {
        let (path, error) = (Path::new("target/x"), || io::Error::from_raw_os_error(2));
        let messages = [
            no_tool("cargo", error()),
            lost("cargo", error()),
            no_test_program(path, error()),
            no_build("write", path, error()),
            no_package(b"error: could not find `Cargo.toml`\n"),
            unresolved(b"error: failed to download `inventory v0.3.21`\n"),
            no_host(),
            no_coverage("aarch64-apple-darwin"),
            no_scheduler("aarch64-apple-darwin"),
            no_hooks(path),
            no_self(error()),
            not_again(path),
            no_answer(error()),
            no_corpus("", error()),
            no_redis("redis://host:port", &"invalid port number"),
            other_corpus("redis://host:6379", "forall corpus 2", "forall corpus 1"),
            empty_redis("redis://host:6379"),
            no_bucket(),
            no_credentials(),
            no_endpoint("host:9000", &"relative URL without a base"),
            empty_bucket("s3://bucket/prefix"),
            no_source("read", path, error()),
            unfit_example("#[example(Opaque)]", "src/lib.rs"),
            no_attribute("sorts", "src/lib.rs:7"),
            no_example_of_value("nth is get", "src/lib.rs:7"),
        ];
        insta::assert_snapshot!(messages.map(|message| message.to_string()).join("\n\n"));
    }
}
