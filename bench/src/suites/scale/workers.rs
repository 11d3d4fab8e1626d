//! Workers as a scheduler would start them, and the server that they share.

use crate::Options;
use crate::process::{Programs, TOOL, bench_directory, run};
use forall::protocol::{Finished, Kind, Told};
use forall::store::Directory;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program, and a directory for what it writes.
pub struct Fleet {
    program: PathBuf,
    /// Whether what the workers test is optimised.
    optimised: bool,
    directory: PathBuf,
}

impl Fleet {
    /// Builds the program, and what the workers test.
    pub fn build(options: &Options, directory: &Path) -> Result<Self, String> {
        let program = Programs::build(options, "release", &[TOOL])?.of(TOOL).to_owned();
        // A quick run measures nothing, and a build without optimisation takes a quarter of the time.
        let fleet = Self { program, optimised: !options.smoke, directory: directory.to_owned() };
        let warm_up = fleet.worker("warm-up", &["numbered", "--tests", "1", "--seed", "1"]).wait_with_output();
        let warm_up = warm_up.map_err(|error| format!("cannot wait for a worker: {error}"))?;
        if !warm_up.status.success() {
            return Err(format!("a worker cannot run:\n{}", fleet.said("warm-up")));
        }
        Ok(fleet)
    }

    /// Where something of this name is.
    pub fn path(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Starts a worker, in a process group of its own. Its store and what it says have its name.
    pub fn worker(&self, name: &str, arguments: &[&str]) -> Child {
        let mut command = self.command(name, &bench_directory().join("scale"), "run");
        command.args(arguments).args(["--threads", "1", "--package", "bench-scale"]);
        command.env("CARGO_TARGET_DIR", bench_directory().join("target/scale-tests")).env("BENCH_WORKER", name);
        command.spawn().expect("the program was built")
    }

    /// The program as a worker in this directory.
    pub fn command(&self, name: &str, directory: &Path, verb: &str) -> Command {
        let said = |ending: &str| {
            let path = self.directory.join(format!("{name}.{ending}"));
            Stdio::from(File::options().create(true).append(true).open(path).expect("the directory can be written"))
        };
        let mut command = Command::new(&self.program);
        command.arg(verb).current_dir(directory);
        // `fuzz` optimises by default, other commands do not.
        command.args(match (verb, self.optimised) {
            ("fuzz", false) => Some("--dev"),
            ("run", true) => Some("--release"),
            _ => None,
        });
        command.env("FORALL_STORE", self.directory.join(format!("{name}.store"))).env("CARGO_TERM_QUIET", "true");
        command.env("FORALL_EXPLAIN", "off");
        for name in ["CI", "FORALL_CORPUS", "RUST_BACKTRACE", "GITHUB_RUN_ID", "CI_PIPELINE_ID"] {
            command.env_remove(name);
        }
        command.process_group(0).stdin(Stdio::null()).stdout(said("out")).stderr(said("err"));
        command
    }

    /// The output of a worker: stdout and stderr.
    pub fn said(&self, name: &str) -> String {
        let read = |ending: &str| fs::read(self.directory.join(format!("{name}.{ending}"))).unwrap_or_default();
        String::from_utf8_lossy(&[read("out"), read("err")].concat()).into_owned()
    }

    /// Forgets what workers of these names have said and stored.
    pub fn forget(&self, names: &[String]) {
        for name in names {
            for ending in ["out", "err"] {
                let _ = fs::remove_file(self.directory.join(format!("{name}.{ending}")));
            }
            let _ = fs::remove_dir_all(self.directory.join(format!("{name}.store")));
        }
    }

    /// Runs a shard on each worker, all at once, and waits for them. They pass. The results of their runs.
    fn all(&self, workers: usize, arguments: &[&str], json: bool) -> Result<Vec<Vec<Finished>>, String> {
        let names: Vec<String> = (1..=workers).map(|number| format!("shard-{number}")).collect();
        self.forget(&names);
        let events = |name: &str| self.path(&format!("{name}.jsonl"));
        let mut children = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let (shard, events) = (format!("{}/{workers}", at + 1), events(name));
            let mut arguments = [arguments, &["--shard", &shard, "--seed", "7"]].concat();
            if json {
                arguments.extend(["--json", &events]);
            }
            children.push(self.worker(name, &arguments));
        }
        for (child, name) in children.iter_mut().zip(&names) {
            let status = child.wait().map_err(|error| format!("cannot wait for {name}: {error}"))?;
            if !status.success() {
                return Err(format!("{name} ended with {status}:\n{}", self.said(name)));
            }
        }
        let read = |name: &String| finished(&events(name)).into_iter().map(|(_, finished)| finished).collect();
        Ok(if json { names.iter().map(read).collect() } else { Vec::new() })
    }

    /// How many tests were done more than once by shards that share a corpus, and how many of those of one machine by none.
    pub fn repeated(&self, workers: usize, tests: u64) -> Result<(u64, u64), String> {
        let (tests, corpus) = (tests.to_string(), self.path("corpus"));
        let arguments = ["numbered", "--tests", &tests];
        let counted = |all: Vec<Vec<Finished>>| {
            let mut times: BTreeMap<String, u64> = BTreeMap::new();
            for (label, count) in all.iter().flatten().flat_map(|finished| &finished.labels) {
                *times.entry(label.clone()).or_default() += count;
            }
            times
        };
        let by_one = counted(self.all(1, &arguments, true)?);
        let by_all = counted(self.all(workers, &[&arguments[..], &["--corpus", &corpus]].concat(), true)?);
        // Shaped tests of one machine repeat values by themselves.
        let repeated =
            by_all.iter().map(|(test, times)| times.saturating_sub(by_one.get(test).copied().unwrap_or(1))).sum();
        Ok((repeated, by_one.keys().filter(|test| !by_all.contains_key(*test)).count() as u64))
    }

    /// Tests in a second of all workers together.
    pub fn throughput(&self, workers: usize, time: Duration, corpus: Option<&str>) -> Result<f64, String> {
        let time = format!("{}ms", time.as_millis());
        let mut arguments = vec!["sorting_sorts", "--for", &time];
        arguments.extend(corpus.into_iter().flat_map(|corpus| ["--corpus", corpus]));
        let mut rate = 0.0;
        for finished in self.all(workers, &arguments, true)?.iter().flatten() {
            rate += finished.valid as f64 / finished.time;
        }
        Ok(rate)
    }

    /// How long it takes until a counterexample of the rare bug is in the corpus; none if it takes too long.
    pub fn seconds_to_bug(&self, workers: usize, limit: Duration, corpus: &str) -> Result<Option<f64>, String> {
        let names: Vec<String> = (1..=workers).map(|number| format!("hunter-{workers}-{number}")).collect();
        self.forget(&names);
        let (time, seed) = (format!("{}ms", limit.as_millis()), workers.to_string());
        let began = Instant::now();
        let mut children: Vec<Child> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let shard = format!("{}/{workers}", at + 1);
            // Each hunt has a corpus of its own: a database of the server.
            let corpus = format!("{corpus}/{}", workers % 16);
            let arguments = ["rare", "--for", &time, "--shard", &shard, "--seed", &seed, "--corpus", &corpus];
            // The report of a worker that continues comes at the end of its time.
            children.push(self.worker(name, &[&arguments[..], &["--stop-at-first"]].concat()));
        }
        let mut found = None;
        while found.is_none() && children.iter_mut().any(|child| matches!(child.try_wait(), Ok(None))) {
            found = names.iter().any(|name| self.said(name).contains("FAILED")).then(|| began.elapsed().as_secs_f64());
            std::thread::sleep(Duration::from_millis(5));
        }
        for child in &mut children {
            kill_group(child);
        }
        Ok(found)
    }

    /// The counterexamples of a corpus, in a directory.
    pub fn failures(&self, corpus: &str) -> Result<Directory, String> {
        let copy = self.path("copy");
        let _ = fs::remove_dir_all(&copy);
        run(Command::new(&self.program).args(["corpus", "merge", corpus, &copy]))?;
        Ok(Directory::new(Path::new(&copy).join("failures")))
    }

    /// The statistics of the corpus.
    pub fn stats(&self, corpus: &str) -> Result<serde_json::Value, String> {
        let output = run(Command::new(&self.program).args(["corpus", "stats", "--json", corpus]))?;
        serde_json::from_slice(&output.stdout).map_err(|error| format!("corpus stats: {error}"))
    }
}

/// The results of runs in a file of events, with the names of their properties. A line that a kill truncated is left out.
pub fn finished(events: &str) -> Vec<(String, Finished)> {
    let text = fs::read_to_string(events).unwrap_or_default();
    let told = text.lines().filter_map(|line| Told::read(line).ok().flatten());
    told.filter_map(|told| Some((told.property, Finished::of(&told.event)?.clone()))).collect()
}

/// Kills a worker and the programs that it started.
pub fn kill_group(child: &mut Child) {
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status();
    let _ = child.wait();
}

/// A server of Redis. Killed when it is dropped.
pub struct Redis {
    directory: PathBuf,
    port: u16,
    process: Option<Child>,
}

impl Redis {
    /// Starts one.
    pub fn start(directory: &Path) -> Result<Self, String> {
        let directory = directory.join("redis");
        fs::create_dir_all(&directory).map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| format!("no port is free: {error}"))?.port();
        let mut redis = Self { directory, port, process: None };
        redis.restart()?;
        Ok(redis)
    }

    /// Kills it, if it runs, and starts it again with what it has on the disk.
    pub fn restart(&mut self) -> Result<(), String> {
        self.kill();
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", ""]);
        command.arg("--dir").arg(&self.directory).stdout(Stdio::null());
        self.process = Some(command.spawn().map_err(|error| format!("cannot run redis-server: {error}"))?);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if began.elapsed() > Duration::from_secs(30) {
                return Err("redis-server does not answer".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Where it is.
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// How many commands it has run since it was started.
    pub fn operations(&self) -> Result<u64, String> {
        let output = self.cli(&["INFO", "stats"])?;
        let number = output.lines().find_map(|line| line.strip_prefix("total_commands_processed:"));
        number.and_then(|number| number.trim().parse().ok()).ok_or_else(|| "redis-cli INFO says nothing".to_owned())
    }

    /// Empties it.
    pub fn empty(&self) -> Result<(), String> {
        self.cli(&["FLUSHALL"]).map(drop)
    }

    fn cli(&self, arguments: &[&str]) -> Result<String, String> {
        let output = run(Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(arguments))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}
