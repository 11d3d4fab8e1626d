//! Stores that are full or slow: workers continue, warn once, and send queued entries when the store accepts them.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod servers;
#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use servers::{installed, skipped};
use std::fs;
use std::process::{Command, Stdio};
use support::{Workspace, unwrapped};

/// The failures that wait in a worker's own store.
fn kept(workspace: &Workspace, store: &str) -> usize {
    let folders = fs::read_dir(workspace.path(store)).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    files.filter(|file| file.path().extension().is_some_and(|ending| ending == "case")).count()
}

/// The corpus is on a private disk of 64 KiB. It is filled to the last byte, a worker finds a bug; then there is room,
/// and the next worker comes.
#[test]
#[ignore = "slow: 10 s"]
fn a_full_disk_is_reported_and_waiting_entries_are_sent_later() {
    let test = "full-disk";
    let mut mounts = Command::new("unshare");
    mounts.args(["--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/mnt"]).stderr(Stdio::null());
    if !installed("unshare") {
        return skipped(test, "unshare is not installed (util-linux)");
    }
    if !mounts.status().is_ok_and(|status| status.success()) {
        // Not a missing tool: the user may not mount anything, as in many containers.
        println!("SKIPPED {test}: a disk of the test's own cannot be mounted here");
        return;
    }
    let workspace = Workspace::new(test, &["shop"]);
    let first = workspace.command(&["list"]).output().unwrap();
    assert!(first.status.success(), "{}", workspace.said(first));
    fs::create_dir(workspace.path("disk")).unwrap();
    let worker = format!("{} run more_pieces --seed 7 --corpus disk/corpus", env!("CARGO_BIN_EXE_forall"));
    let script = format!(
        "mount -t tmpfs -o size=64k none disk || exit 9
         {} corpus merge empty disk/corpus
         cat /dev/zero > disk/filler 2>/dev/null
         {worker} >full.out 2>&1; echo $? >full.code
         ls .forall >full.kept
         rm disk/filler
         {worker} >room.out 2>&1; echo $? >room.code
         cp -r disk/corpus copied",
        env!("CARGO_BIN_EXE_forall")
    );
    // A corpus with nothing in it, so that there is one before the disk is full.
    workspace.write("empty/forall-corpus", "forall corpus 1\n");
    let environment = workspace.command(&[]);
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]).current_dir(workspace.path(""));
    for (name, value) in environment.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.env("FORALL_STORE", workspace.path(".forall")).output().unwrap();
    assert!(output.status.success(), "{}", workspace.said(output));
    let read = |file: &str| fs::read_to_string(workspace.path(file)).unwrap();
    let full = unwrapped(&read("full.out"));
    assert_eq!(read("full.code"), "3\n", "{full}");
    assert!(full.contains("let pieces: u32 = 99;"), "{full}");
    assert_eq!(full.matches("Failures are saved here").count(), 1, "{full}");
    assert!(full.contains("No space left on device") && full.contains(".forall for the corpus"), "{full}");
    assert!(!read("full.kept").is_empty(), "what was found is in the worker's own store");
    let room = unwrapped(&read("room.out"));
    assert_eq!(read("room.code"), "1\n", "{room}");
    let failures: Vec<_> = fs::read_dir(workspace.path("copied/failures")).unwrap().flatten().collect();
    assert_eq!(failures.len(), 1, "{room}");
    let entries: Vec<_> = fs::read_dir(failures[0].path()).unwrap().flatten().collect();
    assert_eq!(entries.len(), 1, "whole, and nothing half-written beside it: {entries:?}");
    assert!(fs::read_to_string(entries[0].path()).unwrap().contains("minimal"));
    assert_eq!(kept(&workspace, ".forall"), 1);
}

#[cfg(feature = "redis")]
mod redis {
    use super::*;
    use servers::{Running, free_port};
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpListener, TcpStream};
    use std::time::Duration;

    fn server(workspace: &Workspace, options: &[&str]) -> Option<(Running, u16)> {
        if !installed("redis-server") {
            skipped("redis", "redis-server is not installed");
            return None;
        }
        let port = free_port();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"]);
        command.arg(workspace.path("")).args(options).stdout(Stdio::null());
        Some((Running::start(&mut command, port), port))
    }

    fn cli(port: u16, arguments: &[&str]) -> String {
        let output = Command::new("redis-cli").args(["-p", &port.to_string()]).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn worker(workspace: &Workspace, port: u16) -> String {
        let corpus = format!("redis://127.0.0.1:{port}");
        let mut command = workspace.command(&["run", "more_pieces", "--seed", "7", "--corpus", &corpus]);
        workspace.said(command.env("FORALL_STORE", workspace.path("store")).output().unwrap())
    }

    const FAILURES: &str = "forall:1:failure:shop::tests::more_pieces_cost_more";

    #[test]
    #[ignore = "slow: 10 s"]
    fn a_full_server_is_reported_and_waiting_entries_are_sent_later() {
        let workspace = Workspace::new("full-redis", &["shop"]);
        let Some((_server, port)) = server(&workspace, &["--maxmemory-policy", "noeviction"]) else { return };
        cli(port, &["SET", "forall-corpus", "forall corpus 1"]);
        cli(port, &["CONFIG", "SET", "maxmemory", "1"]);
        let full = unwrapped(&worker(&workspace, port));
        assert!(full.starts_with("exit code 3") && full.contains("let pieces: u32 = 99;"), "{full}");
        assert_eq!(full.matches("Failures are saved here").count(), 1, "{full}");
        assert!(full.contains("memory") && full.contains("store for the corpus"), "{full}");
        assert_eq!((kept(&workspace, "store"), &*cli(port, &["HLEN", FAILURES])), (1, "0"));
        cli(port, &["CONFIG", "SET", "maxmemory", "0"]);
        let room = worker(&workspace, port);
        assert!(room.starts_with("exit code 1"), "{room}");
        assert_eq!(cli(port, &["HLEN", FAILURES]), "1", "{room}");
    }

    /// Passes on what comes for a server, each piece so much later.
    fn behind_a_slow_line(server: u16, later: Duration) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let carry = move |mut from: TcpStream, mut to: TcpStream| {
            std::thread::spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = from.read(&mut piece) {
                    std::thread::sleep(later);
                    if to.write_all(&piece[..length]).is_err() {
                        break;
                    }
                }
                let _ = to.shutdown(Shutdown::Both);
            });
        };
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                carry(client.try_clone().unwrap(), server.try_clone().unwrap());
                carry(server, client);
            }
        });
        port
    }

    #[test]
    #[ignore = "slow: 10 s"]
    fn a_slow_server_is_waited_for() {
        let workspace = Workspace::new("slow-redis", &["shop"]);
        let Some((_server, port)) = server(&workspace, &[]) else { return };
        let slow = behind_a_slow_line(port, Duration::from_millis(150));
        let said = worker(&workspace, slow);
        assert!(said.starts_with("exit code 1") && !said.contains("are saved here"), "{said}");
        assert_eq!(cli(port, &["HLEN", FAILURES]), "1", "{said}");
    }

    #[test]
    #[ignore = "slow: 10 s"]
    fn a_server_that_never_answers_does_not_stop_a_worker() {
        let workspace = Workspace::new("silent-redis", &["shop"]);
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let said = unwrapped(&worker(&workspace, port));
        assert!(said.starts_with("exit code 3") && said.contains("let pieces: u32 = 99;"), "{said}");
        assert!(said.contains("are saved here") && said.contains("store for the corpus"), "{said}");
        assert_eq!(kept(&workspace, "store"), 1);
    }
}
