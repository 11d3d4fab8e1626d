//! A corpus in a bucket, with a server that has the protocol of Amazon S3: `rclone serve s3`.
#![cfg(all(target_os = "linux", feature = "s3"))]

#[allow(dead_code, reason = "other tests need more of it")]
mod servers;
#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use servers::{Running, free_port, skipped};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use support::Workspace;

const SECRET: &str = "sesame-7731";

/// Starts the server: its buckets are the folders of this directory. `None` where the program is missing.
fn server(test: &str, directory: &Path, port: u16) -> Option<Running> {
    let program = std::env::var("RCLONE").unwrap_or_else(|_| "rclone".to_owned());
    let can_serve = Command::new(&program).args(["serve", "s3", "--help"]).output();
    if !can_serve.is_ok_and(|output| output.status.success()) {
        skipped(test, "no rclone with `serve s3` (RCLONE names one)");
        return None;
    }
    let mut command = Command::new(program);
    command.args(["serve", "s3", "--auth-key", &format!("forall,{SECRET}"), "--addr", &format!("127.0.0.1:{port}")]);
    command.arg(directory).env("RCLONE_CONFIG", "/dev/null").stderr(Stdio::null());
    Some(Running::start(&mut command, port))
}

#[test]
#[ignore = "slow: 20 s"]
fn failures_are_shared_through_a_bucket_and_wait_while_it_is_unreachable() {
    let workspace = Workspace::new("s3", &["shop"]);
    let (directory, port) = (workspace.path("buckets"), free_port());
    fs::create_dir_all(directory.join("corpora")).unwrap();
    let forall = |store: &str, secret: &str, arguments: &[&str]| {
        let mut command = workspace.command(arguments);
        command.env("FORALL_STORE", workspace.path(store)).env_remove("AWS_REGION").env_remove("AWS_SESSION_TOKEN");
        command.env("AWS_ACCESS_KEY_ID", "forall").env("AWS_SECRET_ACCESS_KEY", secret);
        command.env("AWS_ENDPOINT_URL_S3", format!("http://127.0.0.1:{port}"));
        workspace.said(command.output().unwrap())
    };
    let corpus = "s3://corpora/team/shop";
    let worker =
        |store: &str, secret: &str| forall(store, secret, &["run", "more_pieces", "--seed", "7", "--corpus", corpus]);
    let Some(mut running) = server("s3", &directory, port) else { return };

    let said = worker("one", SECRET);
    assert!(said.starts_with("exit code 1") && !said.contains("warning"), "{said}");
    let said = worker("two", SECRET);
    assert!(said.contains("on a saved failure"), "{said}");

    // The objects are the files of a corpus in a directory.
    let copy = directory.join("corpora/team/shop");
    for corpus in [corpus, copy.to_str().unwrap()] {
        let said = forall("one", SECRET, &["corpus", "stats", corpus]);
        assert!(said.contains("more_pieces_cost_more") && said.contains("2 workers, 256 tests"), "{said}");
    }

    let said = worker("three", "open-8842");
    assert!(said.starts_with("exit code 3") && said.contains("s3://corpora/team/shop refused a request"), "{said}");
    assert!(said.contains("SignatureDoesNotMatch") && !said.contains("open-8842"), "{said}");

    drop(running);
    fs::remove_dir_all(&copy).unwrap();
    let said = worker("four", SECRET);
    assert!(said.starts_with("exit code 3") && said.contains("cannot be reached"), "{said}");
    running = server("s3", &directory, port).unwrap();
    let said = worker("four", SECRET);
    assert!(said.starts_with("exit code 1") && !said.contains("warning"), "{said}");
    let said = worker("five", SECRET);
    assert!(said.contains("on a saved failure"), "{said}");
    drop(running);
}
