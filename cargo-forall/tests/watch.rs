//! `forall watch`: the live page.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{Workspace, has};

/// The command at work, killed at the end.
struct Watch {
    child: Child,
    host: String,
    token: String,
    /// What it has printed.
    said: Arc<Mutex<String>>,
}

impl Watch {
    fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let mut command = workspace.command(&[&["watch", "--seed", "7"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let all = said.clone();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                *all.lock().unwrap() += &(line + "\n");
            }
        });
        let address = line.trim().strip_prefix("forall: watching at http://").unwrap_or_else(|| panic!("{line}"));
        let (host, token) = address.split_once("/?token=").unwrap();
        Self { host: host.to_owned(), token: token.to_owned(), child, said }
    }

    fn url(&self) -> String {
        format!("http://{}/?token={}", self.host, self.token)
    }

    /// All that the page would show now.
    fn data(&self) -> Value {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET /data?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", self.token, self.host).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// Ends it as a service manager does: the signal is for this process only.
    fn end(&mut self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success() && self.child.wait().unwrap().signal() == Some(15));
    }

    fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let data = self.data();
            if holds(&data) {
                return data;
            }
            assert!(began.elapsed() < Duration::from_secs(120), "{what}: {data}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The card of a property.
fn card(data: &Value, name: &str) -> Option<Value> {
    let all = data["properties"].as_array()?;
    all.iter().find(|card| card["name"].as_str().is_some_and(|own| own.ends_with(name))).cloned()
}

fn verdict<'a>(data: &'a Value, name: &str) -> Option<&'a str> {
    let all = data["properties"].as_array()?;
    all.iter().find(|card| card["name"].as_str().is_some_and(|own| own.ends_with(name)))?["verdict"].as_str()
}

fn source(limit: &str) -> String {
    format!(
        "#[cfg(test)]\nmod tests {{\n    #[forall::test]\n    fn is_short(xs: Vec<u8>) {{\n        assert!(xs.len() < {limit});\n    }}\n\n    \
         #[forall::test]\n    fn is_a_number(n: u8) {{\n        assert!(n as u32 * 2 < 1000);\n    }}\n}}\n"
    )
}

#[test]
#[ignore = "slow: 20 s"]
fn the_page_updates_on_source_changes_and_new_failures() {
    let workspace = Workspace::new("watched", &["shop"]);
    workspace.write("shop/src/lib.rs", &source("3"));
    let watch = Watch::start(&workspace, &[]);
    let data = watch.until("a failure", |data| data["status"]["phase"] == "waiting");
    assert_eq!((verdict(&data, "is_short"), verdict(&data, "is_a_number")), (Some("failed"), Some("exhausted")));
    assert_eq!(data["summary"], "2 properties: 1 passed, 1 failed");

    // A mistake is shown with the compiler's words, beside the last results.
    workspace.write("shop/src/lib.rs", &source("3 +"));
    let data = watch.until("a broken build", |data| data["status"]["phase"] == "broken");
    assert!(data["status"]["errors"].as_str().unwrap().contains("expected expression, found"), "{data}");
    assert_eq!(data["status"]["text"], "the tests do not build, or have no properties; waiting for changes");
    assert_eq!(verdict(&data, "is_short"), Some("failed"));
    // What it has printed is read by another thread.
    let end = "; waiting for changes\nforall: waiting for changes\n";
    watch.until("its words", |_| watch.said.lock().unwrap().ends_with(end));
    let said = watch.said.lock().unwrap().clone();
    let begin = "    FAILED  shop::tests::is_short\nforall: 2 properties: 1 passed, 1 failed (";
    assert!(said.starts_with(begin), "{said}");

    let name = "the_page_updates_on_source_changes_and_new_failures";
    workspace.write("shop/src/lib.rs", &source("3"));
    watch.until("a build", |data| data["status"]["phase"] == "waiting");
    if has(name, "chromium") && has(name, "node") {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/live.mjs");
        let profile = workspace.path("browser");
        let mut node = Command::new("node");
        let mut node =
            node.arg(driver).arg(watch.url()).arg(&profile).arg("is_short").stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(node.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "failed");
        workspace.write("shop/src/lib.rs", &source("1_000_000"));
        assert_eq!(lines.next().unwrap().unwrap(), "repaired");
        let one = source("1_000_000").split("\n\n").next().unwrap().to_owned() + "\n}\n";
        workspace.write("shop/src/lib.rs", &one);
        assert_eq!(lines.next().unwrap().unwrap(), "removed");
        workspace.write("shop/src/lib.rs", &source("1_000_000"));
        assert!(node.wait().unwrap().success());
        let _ = fs::remove_dir_all(profile);
    } else {
        workspace.write("shop/src/lib.rs", &source("1_000_000"));
    }
    watch.until("the repair", |data| {
        data["status"]["phase"] == "waiting" && verdict(data, "is_short") == Some("passed")
    });

    // Another command finds a failure that this one did not see.
    workspace.write(
        "shop/src/lib.rs",
        &source("1_000").replace("n as u32 * 2 < 1000", "std::env::var(\"WRONG\").is_err() || n < 9"),
    );
    watch.until("a pass", |data| data["status"]["phase"] == "waiting" && verdict(data, "is_short") == Some("passed"));
    let earlier = card(&watch.data(), "is_a_number");
    let mut other = workspace.command(&["run", "is_a_number"]);
    let said = workspace.said(other.env("WRONG", "1").output().unwrap());
    assert!(said.starts_with("exit code 1") && said.contains("let n: u8 = 9;"), "{said}");
    // It does not fail here, so its card shows another run that passed.
    let data =
        watch.until("a rerun", |data| data["status"]["phase"] == "waiting" && card(data, "is_a_number") != earlier);
    assert_eq!(verdict(&data, "is_a_number"), Some("exhausted"));
}

#[test]
#[ignore = "slow: 20 s"]
fn a_failed_build_stays_on_the_page_and_nothing_is_left_behind() {
    let workspace = Workspace::new("watched-broken", &["shop"]);
    let skipped =
        "#[cfg(test)]\nmod more {\n    #[forall::test]\n    #[ignore]\n    fn skipped(_n: u8) {}\n}\nmod target;\n";
    workspace.write("shop/src/target/mod.rs", "");
    workspace.write("shop/src/lib.rs", &(source("3") + skipped));
    let live = workspace.path("shop/.forall/live");
    let mut watch = Watch::start(&workspace, &["--no-fail-fast"]);
    let data = watch.until("a failure", |data| data["status"]["phase"] == "waiting");
    let expected = "2 properties: 1 passed, 1 failed; not shown: 1 #[ignore]d (include one by its full name)";
    assert!(data["summary"] == expected && live.is_dir(), "{data}");

    // A module may be called as cargo's directory is. A failure that is saved meanwhile waits for the next build.
    workspace.write("shop/src/target/mod.rs", "fn broken(");
    watch.until("a broken build", |data| data["status"]["phase"] == "broken");
    let folders = fs::read_dir(workspace.path("shop/.forall")).unwrap().flatten();
    let folder = folders.map(|entry| entry.path()).find(|path| path.is_dir() && !path.ends_with("live")).unwrap();
    let saved = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    let saved = saved.into_iter().find(|path| path.extension().is_some_and(|end| end == "case")).unwrap();
    fs::copy(&saved, folder.join("0123456789abcdef.case")).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(watch.data()["status"]["phase"], "broken");
    workspace.write("shop/src/target/mod.rs", "");
    watch.until("a build", |data| data["status"]["phase"] == "waiting");

    // The tests that build run, and the errors of the others are shown.
    workspace.write("shop/tests/broken.rs", "fn broken(");
    let partial = "some tests do not build; waiting for changes";
    let data = watch.until("a partial build", |data| data["status"]["text"] == partial);
    assert!(data["status"]["errors"].as_str().unwrap().contains("this file contains an unclosed delimiter"), "{data}");
    fs::remove_file(workspace.path("shop/tests/broken.rs")).unwrap();
    watch.until("all builds", |data| data["status"]["text"] == "waiting for changes");

    watch.end();
    assert!(!live.exists(), "commands would write notes without a reader");

    // A build is not waited for.
    workspace.write("shop/build.rs", "fn main() { std::thread::sleep(std::time::Duration::from_secs(14)); }");
    let began = Instant::now();
    let mut watch = Watch::start(&workspace, &[]);
    watch.until("a build", |data| data["status"]["phase"] == "building");
    std::thread::sleep(Duration::from_secs(1));
    watch.end();
    assert!(began.elapsed() < Duration::from_secs(12));
}

#[test]
fn watch_messages_are_pinned() {
    let workspace = Workspace::new("watch-said", &["shop"]);
    assert_snapshot!("help_watch", workspace.forall(&["watch", "--help"]));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = workspace.forall(&["watch", "--port", &port]);
    assert_snapshot!("port_in_use", said.replace(&port, "[port]"));
}
