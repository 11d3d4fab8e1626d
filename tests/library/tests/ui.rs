//! Compile errors for mistakes. The texts are pinned in `ui/*.stderr`; to renew them, look at what
//! `TRYBUILD=overwrite cargo test -p forall-tests --test ui` changes.

use std::process::Command;

/// Part of every message is the compiler's, which changes from version to version.
const PINNED: &str = "rustc 1.95.";

#[test]
#[ignore = "slow: 15 s"]
fn compile_errors_are_explained() {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    if !String::from_utf8_lossy(&version).starts_with(PINNED) {
        println!("SKIPPED compile_errors_are_explained: the messages are pinned for {PINNED}*");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{PINNED}* is required");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
