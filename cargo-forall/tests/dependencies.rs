//! `forall fuzz` on a workspace whose property tests a dependency: the instrumented crates, and the bug that this
//! finds.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a package `shop` and the packages that it depends on, outside of its workspace.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Self {
        let project = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dependencies-{name}")));
        let _ = fs::remove_dir_all(&project.0);
        let forall = Path::new(env!("CARGO_MANIFEST_DIR")).join("../forall").canonicalize().unwrap();
        project.package(
            "shop",
            "0.1.0",
            &format!(
                "[dependencies]\nparser = {{ path = \"../parser\" }}\n[dev-dependencies]\nforall = {{ path = {forall:?} }}\n"
            ),
            "#[cfg(test)]\nmod tests {\n    #[forall::test]\n    fn parsing_never_panics(bytes: Vec<u8>) {\n        \
             parser::parse(&bytes);\n    }\n}\n",
        );
        let lock = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock")).unwrap();
        fs::write(project.0.join("shop/Cargo.lock"), lock).unwrap();
        // Does without the standard library, and its build script sees the flags of the compiler.
        project.package("parser", "1.0.0", "[dependencies]\nlexer = { path = \"../lexer\" }\n", PARSER);
        fs::write(project.0.join("parser/build.rs"), BUILD_SCRIPT).unwrap();
        project.package("lexer", "2.0.0", "", LEXER);
        project
    }

    fn package(&self, name: &str, version: &str, dependencies: &str, library: &str) {
        let folder = self.0.join(name);
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = {version:?}\nedition = \"2024\"\n{dependencies}\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/lib.rs"), library).unwrap();
    }

    /// The exit code, and what the tool says.
    fn fuzz(&self, arguments: &[&str], rustc: Option<&Path>) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forall"));
        command.args(["fuzz", "--dev", "parsing_never_panics", "--execs", "30000", "--seed", "1"]).args(arguments);
        command.current_dir(self.0.join("shop")).env("FORALL_STORE", "off").env("CARGO_NET_OFFLINE", "true");
        command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        if let Some(rustc) = rustc {
            command.env("RUSTC", rustc);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

const PARSER: &str = "\
#![no_std]
pub fn parse(bytes: &[u8]) {
    let [a, b, c, d, rest @ ..] = bytes else { return };
    if *a == b'f' {
        if *b == b'u' {
            if *c == b'z' {
                if *d == b'z' {
                    if lexer::is_deep(rest) {
                        panic!(\"deep\");
                    }
                }
            }
        }
    }
}
";

const LEXER: &str = "\
pub fn is_deep(bytes: &[u8]) -> bool {
    bytes.len() > 3
}
";

const BUILD_SCRIPT: &str = "\
fn main() {
    let flags = std::env::var(\"CARGO_ENCODED_RUSTFLAGS\").unwrap_or_default();
    assert!(flags.is_empty(), \"other flags than usual: {flags}\");
}
";

#[test]
#[ignore = "slow: 60 s"]
fn a_bug_behind_branches_of_a_dependency_is_found() {
    let project = Project::new("found");
    let (code, said) = project.fuzz(&[], None);
    assert!(said.contains("forall: 2 crates instrumented: parser 1.0.0, shop 0.1.0\n"), "{said}");
    assert!(code == Some(1) && said.contains("deep"), "{said}");
    let (code, said) = project.fuzz(&["--instrument", "workspace"], None);
    assert!(code == Some(0) && said.contains("forall: nothing found."), "{said}");
    let (_, said) = project.fuzz(&["--instrument", "lexer"], None);
    assert!(said.contains("forall: 3 crates instrumented: lexer 2.0.0, parser 1.0.0, shop 0.1.0\n"), "{said}");
    // Each choice has its own build, so going back compiles nothing.
    let (_, said) = project.fuzz(&[], None);
    assert!(!said.contains("Compiling"), "{said}");
    let (code, said) = project.fuzz(&["--instrument", "lexxer"], None);
    assert!(code == Some(2) && said.contains("--instrument lexxer: no dependency has this name"), "{said}");
}

#[test]
#[ignore = "slow: 60 s"]
fn a_dependency_that_does_not_compile_with_instrumentation_is_left_out() {
    let project = Project::new("left-out");
    let rustc = project.0.join("rustc");
    let script = "#!/bin/sh\ncase \"$*\" in *'--crate-name parser '*instrument-coverage*) echo 'error: no' >&2; exit 1;; esac\n\
                  exec rustc \"$@\"\n";
    fs::write(&rustc, script).unwrap();
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).unwrap();
    for _ in 0..2 {
        let (code, said) = project.fuzz(&[], Some(&rustc));
        let warning = "forall: warning: parser 1.0.0 does not compile with instrumentation, so it is not instrumented";
        assert!(code == Some(0) && said.contains(warning), "{said}");
    }
    let errors = project.0.join("shop/target/forall-fuzz/left-out/parser@1.0.0");
    assert_eq!(fs::read_to_string(errors).unwrap(), "error: no\n");
}
