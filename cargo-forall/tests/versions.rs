//! The tool beside a library of another version: test programs that speak as an older, a newer and a later one of the same protocol do.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use std::process::Command;
use support::{Workspace, unwrapped};

/// A package that depends on a stub of the library, and whose test program lists one property behind these lines, and writes these
/// events when the property runs.
fn program(name: &str, library: &str, events: &str) -> Workspace {
    let workspace = Workspace::new(name, &["plain"]);
    workspace.write("stub/Cargo.toml", "[package]\nname = \"forall\"\nversion = \"0.9.0\"\nedition = \"2024\"\n\n[features]\nfull = []\ncoverage = []\n");
    workspace.write("stub/src/lib.rs", "");
    let manifest = std::fs::read_to_string(workspace.path("plain/Cargo.toml")).unwrap();
    let tests =
        "\n[dev-dependencies]\nforall = { path = \"../stub\" }\n\n[[test]]\nname = \"properties\"\nharness = false\n";
    workspace.write("plain/Cargo.toml", &(manifest + tests));
    let property = r#"forall-property {"name":"properties::sums","file":"tests/properties.rs","line":1,"test":true}"#;
    let main = format!(
        r##"
fn main() {{
    match std::env::var("FORALL_DO").as_deref() {{
        Ok("list") => println!("{{}}", {library:?}.to_owned() + {property:?}),
        _ => if let Ok(file) = std::env::var("FORALL_EVENTS") {{ std::fs::write(file, {events:?}).unwrap() }},
    }}
    if std::env::args().any(|argument| argument == "--list") {{
        println!("sums: test");
    }}
}}
"##
    );
    workspace.write("plain/tests/properties.rs", &main);
    workspace
}

#[test]
fn a_library_of_another_version_is_named_with_the_command_that_helps() {
    let newer = program("newer-library", "forall-library {\"v\":2,\"forall\":\"0.9.0\"}\n", "");
    assert_snapshot!("newer_library", unwrapped(&newer.forall(&["run"])));
    let older = program("older-library", "", "");
    assert_snapshot!("older_library", unwrapped(&older.forall(&["list"])));
}

#[test]
fn unknown_events_and_fields_of_a_later_library_are_skipped() {
    let events = [
        r#"{"v":1,"event":"danced","property":"properties::sums","steps":3}"#,
        r#"{"v":1,"event":"started","property":"properties::sums","seed":"0x1f","tests":100,"mood":"good"}"#,
        r#"{"v":1,"event":"finished","property":"properties::sums","verdict":"passed","valid":100,"mood":"good"}"#,
    ];
    let library = "forall-library {\"v\":1,\"forall\":\"0.9.0\",\"mood\":\"good\"}\n";
    let later = program("later-library", library, &events.join("\n"));
    assert_snapshot!("later_library", unwrapped(&later.forall(&["run"])));
}

#[test]
fn the_library_fails_and_names_a_request_of_a_newer_tool() {
    let workspace = Workspace::new("newer-tool", &["shop"]);
    let mut test = Command::new(env!("CARGO"));
    test.args(["test", "--quiet", "--package", "shop", "--lib"]).current_dir(workspace.path("."));
    for (name, value) in workspace.command(&[]).get_envs() {
        match value {
            Some(value) => test.env(name, value),
            None => test.env_remove(name),
        };
    }
    let output = test.env("FORALL_DO", "dance with shop").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("FORALL_DO=dance with shop"), "{said}");
}
