//! A corpus in Redis, with a real server.
#![cfg(all(target_os = "linux", feature = "redis"))]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::Workspace;

/// A server of a test's own. Killed when it is dropped.
struct Server {
    directory: PathBuf,
    port: u16,
    options: Vec<String>,
    process: Option<Child>,
}

impl Server {
    /// Starts one; none where the program is missing, which is told.
    fn start(test: &str, options: &[&str]) -> Option<Self> {
        let missing = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_err();
        if missing {
            println!("SKIPPED {test}: redis-server is not installed");
            assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "redis-server is required");
            return None;
        }
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("redis").join(test);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        // A port that was free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = options.iter().map(|option| option.to_string()).collect();
        let mut server = Self { directory, port, options, process: None };
        server.restart();
        Some(server)
    }

    fn restart(&mut self) {
        self.stop();
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", ""]);
        command.arg("--dir").arg(&self.directory).args(&self.options);
        self.process = Some(command.stdout(Stdio::null()).spawn().unwrap());
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// As a power failure of the machine does, but for what the system has taken over.
    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn cli(&self, arguments: &[&str]) -> String {
        let port = self.port.to_string();
        let output = Command::new("redis-cli").args(["-p", &port]).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

const FAILURES: &str = "forall:1:failure:shop::tests::more_pieces_cost_more";
const VERSION: &str = "forall:1:version:failure:shop::tests::more_pieces_cost_more";

fn worker(workspace: &Workspace, store: &str, corpus: &str, password: Option<&str>) -> String {
    let arguments = ["run", "more_pieces", "--seed", "7", "--corpus", corpus];
    let mut command = workspace.command(&arguments);
    command.env("FORALL_STORE", workspace.path(store)).env_remove("REDISCLI_AUTH");
    if let Some(password) = password {
        command.env("REDISCLI_AUTH", password);
    }
    workspace.said(command.output().unwrap())
}

#[test]
#[ignore = "slow: 10 s"]
fn a_failure_found_while_the_server_is_away_is_sent_before_the_worker_exits() {
    let Some(mut server) = Server::start("before_exit", &[]) else { return };
    let workspace = Workspace::new("redis-before-exit", &["shop"]);
    workspace.forall(&["list"]);
    server.stop();
    let mut command = workspace.command(&["run", "more_pieces", "--seed", "7", "--corpus", &server.address()]);
    command.env("FORALL_STORE", workspace.path("one")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut worker = command.spawn().unwrap();
    let waits = workspace.path("one/unsent");
    let began = Instant::now();
    while !waits.is_dir() {
        assert!(began.elapsed() < Duration::from_secs(300), "nothing was found");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.restart();
    assert_eq!(worker.wait().unwrap().code(), Some(1));
    assert_eq!(server.cli(&["HLEN", FAILURES]), "1");
}

#[test]
#[ignore = "slow: 10 s"]
fn a_key_of_another_type_is_named_and_the_rest_of_the_corpus_is_used() {
    let Some(server) = Server::start("other_type", &[]) else { return };
    let workspace = Workspace::new("redis-type", &["shop"]);
    server.cli(&["SET", FAILURES, "a string"]);
    let said = worker(&workspace, "one", &server.address(), None);
    assert!(said.starts_with("exit code 3") && !said.contains("cannot be reached"), "{said}");
    let named = format!("has other data and is skipped: key `{FAILURES}`: WRONGTYPE");
    assert_eq!(said.matches(&*named).count(), 1, "{said}");
    let told = "forall:1:statistics:shop::tests::more_pieces_cost_more";
    assert_eq!(server.cli(&["HLEN", told]), "1", "{said}");
    server.cli(&["DEL", FAILURES]);
    server.cli(&["SET", VERSION, "many"]);
    let said = worker(&workspace, "one", &server.address(), None);
    assert!(said.contains(&format!("key `{VERSION}`: ")) && !said.contains("cannot be reached"), "{said}");
    server.cli(&["DEL", "forall-corpus"]);
    server.cli(&["LPUSH", "forall-corpus", "x"]);
    let said = worker(&workspace, "one", &server.address(), None);
    assert!(said.contains("it has data of another kind instead of a corpus: WRONGTYPE"), "{said}");
}

#[test]
#[ignore = "slow: 20 s"]
fn a_read_only_user_replays_failures_and_queues_its_own() {
    let Some(server) = Server::start("only_reads", &[]) else { return };
    let workspace = Workspace::new("redis-reads", &["shop"]);
    assert!(worker(&workspace, "one", &server.address(), None).starts_with("exit code 1"));
    let rights = ["~*", "&*", "+@read", "+@connection", "+eval", "+hget", "+hstrlen", "+subscribe"];
    server.cli(&[&["ACL", "SETUSER", "reader", "on", ">sesame"][..], &rights].concat());
    let address = server.address().replace("//", "//reader:sesame@");
    let said = worker(&workspace, "two", &address, None);
    assert!(said.contains("on a saved failure"), "it was read: {said}");
    assert!(said.contains("is read-only for this worker") && !said.contains("cannot be reached"), "{said}");
    // A failure that the corpus does not have waits.
    server.cli(&["DEL", FAILURES]);
    let said = worker(&workspace, "three", &address, None);
    assert!(said.starts_with("exit code 3"), "{said}");
    assert!(
        said.contains("1 failure not in the corpus; to replay:\n    forall replay shop::tests::more_pieces"),
        "{said}"
    );
    assert_eq!(server.cli(&["EXISTS", FAILURES]), "0");
}

/// Two bugs, and no end.
const ENDLESS: &str = "
#[cfg(test)]
mod tests {
    #[forall::test]
    fn more_pieces_cost_more(n: u32) {
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(n.is_multiple_of(2), \"odd\");
    }
}
";

#[test]
#[ignore = "slow: 10 s"]
fn a_server_that_is_emptied_during_a_run_gets_failures_and_progress_again() {
    let Some(server) = Server::start("emptied_during_a_run", &[]) else { return };
    let workspace = Workspace::new("redis-emptied", &["shop"]);
    workspace.write("shop/src/lib.rs", ENDLESS);
    workspace.forall(&["list"]);
    let run = ["run", "more_pieces", "--for", "10m", "--seed", "7", "--shard", "1/2", "--corpus", &server.address()];
    let said = workspace.path("said.txt");
    let mut command = workspace.command(&run);
    command.env("FORALL_STORE", workspace.path("one")).stdout(Stdio::null()).stderr(fs::File::create(&said).unwrap());
    let mut worker = command.spawn().unwrap();
    let is_there = || {
        let began = Instant::now();
        while server.cli(&["HLEN", FAILURES]) != "1" || server.cli(&["KEYS", "forall:1:progress:*seed*"]).is_empty() {
            let said = fs::read_to_string(&said).unwrap();
            assert!(began.elapsed() < Duration::from_secs(300), "{}: {said}", server.cli(&["KEYS", "*"]));
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    is_there();
    server.cli(&["FLUSHALL"]);
    is_there();
    worker.kill().unwrap();
    worker.wait().unwrap();
    let said = fs::read_to_string(&said).unwrap();
    assert_eq!(said.matches("has lost entries").count(), 1, "{said}");
}

#[test]
#[ignore = "slow: 1 s"]
fn an_emptied_or_restored_server_has_another_epoch() {
    use cargo_forall::corpus;
    use forall::store::{Entry, Kind};
    let Some(server) = Server::start("epoch", &[]) else { return };
    let open = || corpus::open(&server.address()).unwrap();
    let (one, two) = (open(), open());
    let first = one.epoch().unwrap();
    assert!(first.is_some() && first == two.epoch().unwrap());
    let save = |said: &str| one.entries(Kind::Statistics).save(&Entry::statistics("sums", said)).unwrap();
    save("{}");
    assert_eq!(first, one.epoch().unwrap());
    server.cli(&["FLUSHALL"]);
    save("{}");
    let second = two.epoch().unwrap();
    assert_ne!(first, second, "emptied");
    save("[]");
    one.entries(Kind::Statistics).list("sums", None).unwrap();
    server.cli(&["SET", "forall:1:version:statistics:sums", "1"]);
    one.entries(Kind::Statistics).list("sums", None).unwrap();
    assert_ne!(second, one.epoch().unwrap(), "restored from an older copy");
    assert_eq!(one.epoch().unwrap(), two.epoch().unwrap());
}

#[test]
#[ignore = "slow: 10 s"]
fn failures_found_while_the_server_is_down_are_sent_when_it_is_back() {
    let Some(mut server) = Server::start("a_bug_is_shared", &[]) else { return };
    let workspace = Workspace::new("redis", &["shop"]);
    let address = server.address();
    server.stop();
    let said = worker(&workspace, "one", &address, None);
    assert!(said.starts_with("exit code 3") && said.contains("let pieces: u32 = 99;"), "{said}");
    assert!(
        said.contains("1 failure not in the corpus; to replay:\n    forall replay shop::tests::more_pieces"),
        "{said}"
    );
    assert!(said.contains("cannot be reached") && said.contains("2 entries wait in "), "{said}");
    server.restart();
    let said = worker(&workspace, "one", &address, None);
    assert!(!said.contains("warning"), "{said}");
    assert_eq!(
        (server.cli(&["HLEN", FAILURES]), server.cli(&["SCARD", "forall:1:properties"])),
        ("1".into(), "1".into())
    );
    // Acknowledged entries survive when the server is killed.
    server.restart();
    let said = worker(&workspace, "two", &address, None);
    assert!(said.contains("on a saved failure"), "{said}");
    assert_eq!(server.cli(&["HLEN", FAILURES]), "1");
}

#[test]
#[ignore = "slow: 5 s"]
fn hostile_entries_are_refused_and_another_version_is_reported() {
    let Some(server) = Server::start("hostile_entries", &[]) else { return };
    let workspace = Workspace::new("redis-hostile", &["shop"]);
    assert!(worker(&workspace, "one", &server.address(), None).starts_with("exit code 1"));
    let id = server.cli(&["HKEYS", FAILURES]);
    let entry = server.cli(&["HGET", FAILURES, &id]);
    server.cli(&["HSET", FAILURES, "00000000000000aa", "garbage"]);
    server.cli(&["HSET", FAILURES, "00000000000000bb", &entry]);
    server.cli(&["HSET", FAILURES, "../../etc/passwd", &entry]);
    // One that no memory has to hold, and names that are no text.
    let write = |script: &str| server.cli(&["EVAL", script, "1", FAILURES]);
    write("return redis.call('HSET', KEYS[1], '00000000000000cc', string.rep('x', 67108865))");
    write("return redis.call('HSET', KEYS[1], '\\255\\254', 'x')");
    write("return redis.call('SADD', 'forall:1:properties', '\\255\\254')");
    server.cli(&["INCR", VERSION]);
    let said = worker(&workspace, "two", &server.address(), None);
    assert_eq!(said.matches("skipped entry").count(), 3, "{said}");
    assert!(said.contains("larger than 64 MiB") && !said.contains("cannot be reached"), "{said}");
    assert!(said.contains("on a saved failure"), "{said}");
    server.cli(&["SET", "forall-corpus", "forall corpus 9"]);
    let said = worker(&workspace, "two", &server.address(), None);
    assert!(said.starts_with("exit code 2") && said.contains("another version: it is `forall corpus 9`"), "{said}");
}

#[test]
#[ignore = "slow: 5 s"]
fn a_password_is_used_and_never_printed() {
    let Some(server) = Server::start("a_password", &["--requirepass", "sesame-7731"]) else { return };
    let workspace = Workspace::new("redis-password", &["shop"]);
    let without = worker(&workspace, "one", &server.address(), None);
    assert!(without.contains("refused the connection") && without.to_lowercase().contains("auth"), "{without}");
    let wrong = worker(&workspace, "one", &server.address().replace("//", "//:open-8842@"), None);
    assert!(wrong.contains("refused the connection") && !wrong.contains("open-8842"), "{wrong}");
    let right = worker(&workspace, "one", &server.address().replace("//", "//:sesame-7731@"), None);
    assert!(!right.contains("warning") && !right.contains("sesame"), "{right}");
    let by_variable = worker(&workspace, "two", &server.address(), Some("sesame-7731"));
    assert!(by_variable.contains("on a saved failure") && !by_variable.contains("sesame"), "{by_variable}");
}

#[test]
#[ignore = "slow: 5 s"]
fn a_full_or_unresponsive_server_is_reported_and_failures_wait() {
    let Some(server) = Server::start("full", &["--maxmemory", "1", "--maxmemory-policy", "noeviction"]) else { return };
    let workspace = Workspace::new("redis-full", &["shop"]);
    let said = worker(&workspace, "one", &server.address(), None);
    assert!(said.starts_with("exit code 3") && said.contains("is full"), "{said}");
    assert!(said.contains("Free space there") && said.contains("2 entries wait in "), "{said}");
    server.cli(&["CONFIG", "SET", "maxmemory", "0"]);
    let said = worker(&workspace, "one", &server.address(), None);
    assert!(!said.contains("warning"), "{said}");
    assert_eq!(server.cli(&["HLEN", FAILURES]), "1");
    // One that takes connections, and says nothing.
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("redis://{}", mute.local_addr().unwrap());
    let said = worker(&workspace, "two", &address, None);
    assert!(said.starts_with("exit code 3") && said.contains("does not respond"), "{said}");
}

#[test]
#[ignore = "slow: 5 s"]
fn read_only_commands_write_nothing() {
    let Some(server) = Server::start("only_looks", &[]) else { return };
    let workspace = Workspace::new("redis-looks", &["shop"]);
    for arguments in [["corpus", "stats"], ["report", "--corpus"]] {
        let said = workspace.forall(&[&arguments[..], &[&server.address()]].concat());
        assert!(said.starts_with("exit code 2") && said.contains("has no corpus"), "{said}");
    }
    assert_eq!(server.cli(&["DBSIZE"]), "0");
    worker(&workspace, "one", &server.address(), None);
    let before = server.cli(&["DEBUG", "DIGEST"]);
    let said = workspace.forall(&["report", "--corpus", &server.address(), "-o", "page.html"]);
    assert!(said.starts_with("exit code 1") && said.contains("1 counterexample"), "{said}");
    assert_eq!(server.cli(&["DEBUG", "DIGEST"]), before);
    let said = workspace.forall(&[
        "corpus",
        "rename",
        &server.address(),
        "shop::tests::more_pieces_cost_more",
        "shop::renamed",
    ]);
    assert!(said.contains("moved 2 entries from shop::tests::more_pieces_cost_more to shop::renamed"), "{said}");
    let stats = workspace.forall(&["corpus", "stats", &server.address()]);
    assert!(stats.contains("shop::renamed  1 counterexample") && !stats.contains("more_pieces"), "{stats}");
}

/// A property that takes its time, and passes.
const SLOW: &str = "
#[cfg(test)]
mod tests {
    #[forall::test(tests = 1_000_000)]
    fn more_pieces_cost_more(n: u8) {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(u16::from(n) < 256);
    }
}
";

/// The server notifies workers of `run` and of `fuzz` about entries of other workers while they run.
#[test]
#[ignore = "slow: 5 s"]
fn a_worker_is_notified_of_new_entries() {
    let Some(server) = Server::start("hears_at_once", &[]) else { return };
    let workspace = Workspace::new("redis-news", &["shop"]);
    assert!(worker(&workspace, "one", &server.address(), None).starts_with("exit code 1"));
    let id = server.cli(&["HKEYS", FAILURES]);
    let entry = server.cli(&["HGET", FAILURES, &id]);
    for command in ["run", "fuzz"] {
        server.cli(&["FLUSHALL"]);
        server.cli(&["CONFIG", "RESETSTAT"]);
        workspace.write("shop/src/lib.rs", SLOW);
        let began = ["more_pieces", "--for", "20s", "--corpus", &server.address()];
        let mut worker = workspace.command(&[&[command][..], &began].concat());
        let said = workspace.path(&format!("{command}.txt"));
        worker
            .env("FORALL_STORE", workspace.path(command))
            .stderr(fs::File::create(&said).unwrap())
            .stdout(Stdio::null());
        let mut worker = worker.spawn().unwrap();
        let until = |what: &str, holds: &dyn Fn() -> bool| {
            let began = Instant::now();
            while !holds() {
                assert!(
                    began.elapsed() < Duration::from_secs(300),
                    "{command}: timed out waiting for {what}: {}",
                    fs::read_to_string(&said).unwrap()
                );
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        // It listens, and has looked what there is: nothing.
        until("a listener", &|| server.cli(&["PUBSUB", "NUMSUB", "forall:1:news"]).ends_with('1'));
        until("a listing", &|| server.cli(&["INFO", "commandstats"]).contains("cmdstat_hkeys"));
        server.cli(&["HSET", FAILURES, &id, &entry]);
        server.cli(&["INCR", VERSION]);
        server.cli(&["PUBLISH", "forall:1:news", FAILURES]);
        let heard = || fs::read_to_string(&said).unwrap().contains("another worker found a counterexample");
        until("the news", &heard);
        worker.wait().unwrap();
    }
}

#[cfg(feature = "redis-tls")]
#[test]
#[ignore = "slow: 5 s"]
fn a_server_may_require_tls() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("redis-certificate");
    fs::create_dir_all(&directory).unwrap();
    let [key, certificate] = ["key.pem", "certificate.pem"].map(|name| directory.join(name).display().to_string());
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]);
    // Its own authority is accepted as a root as well.
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    openssl.args(["-addext", "subjectAltName=DNS:localhost", "-keyout", &key, "-out", &certificate]);
    if !openssl.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        println!("SKIPPED a_server_may_require_tls: openssl is not installed");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "openssl is required");
        return;
    }
    let tls_port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = ["--tls-port", &tls_port.to_string(), "--tls-cert-file", &certificate, "--tls-key-file", &key];
    let options = [&options[..], &["--tls-auth-clients", "no"]].concat();
    let Some(server) = Server::start("a_server_may_require_tls", &options) else { return };
    let workspace = Workspace::new("redis-tls", &["shop"]);
    let address = format!("rediss://localhost:{tls_port}");
    let run = |trusted: bool| {
        let mut command = workspace.command(&["run", "more_pieces", "--seed", "7", "--corpus", &address]);
        if trusted {
            command.env("SSL_CERT_FILE", &certificate);
        }
        workspace.said(command.env("FORALL_STORE", workspace.path("one")).output().unwrap())
    };
    let stranger = run(false);
    assert!(stranger.contains("cannot be reached"), "an unknown certificate is not trusted: {stranger}");
    let known = run(true);
    assert!(!known.contains("warning"), "{known}");
    assert_eq!(server.cli(&["HLEN", FAILURES]), "1");
}

/// Names are the user's: one may look like what is kept beside another.
#[test]
#[ignore = "slow: 5 s"]
fn properties_with_odd_names_are_separate() {
    use cargo_forall::corpus;
    use forall::store::{Entry, Kind};
    let Some(server) = Server::start("names", &[]) else { return };
    let corpus = corpus::open(&server.address()).unwrap();
    let failures = corpus.entries(Kind::Failure);
    let names = ["sums", "sums:version", "version:failure:sums", "failure:sums"];
    for name in names {
        let entry = Entry::failure(name, forall::run::Case::default());
        failures.save(&entry).unwrap();
        assert_eq!(failures.list(name, None).unwrap().ids, [entry.id()], "{name}");
        assert_eq!(failures.fetch(name, entry.id()).unwrap(), Some(entry), "{name}");
    }
    assert_eq!(corpus.properties().unwrap().len(), names.len());
}

#[test]
#[ignore = "slow: 5 s"]
fn the_corpus_of_an_emptied_server_is_restored() {
    use cargo_forall::corpus;
    use forall::store::{Entry, Kind};
    let Some(server) = Server::start("emptied", &[]) else { return };
    let corpus = corpus::open(&server.address()).unwrap();
    corpus.properties().unwrap();
    server.cli(&["FLUSHALL"]);
    corpus.entries(Kind::Statistics).save(&Entry::statistics("sums", "{}")).unwrap();
    assert_eq!(server.cli(&["GET", "forall-corpus"]), "forall corpus 1");
}
