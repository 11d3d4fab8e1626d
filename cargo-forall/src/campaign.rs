//! A campaign: the property's test program runs in a process of its own and searches; this one watches it.
//!
//! The search is the library's. What is done here is what the searching process cannot do itself: noticing that it has died
//! or hangs, and saving the input that did it.

use crate::arguments::Fuzz;
use crate::corpus::exchange::{self, Exchange};
use crate::corpus::link::Link;
use crate::corpus::{self, told};
use crate::ended::How;
use crate::interrupt::{self, Telling};
use crate::properties::Property;
use crate::shard::Part;
use crate::status::{LINE, PROBLEM, Screen, Status, grouped, problem, time};
use crate::trouble;
use crate::{Error, build, properties};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How the test program's line with the result begins.
const RESULT: &str = "forall-result ";

/// How often the watch looks whether the process still says something.
const PERIOD: Duration = Duration::from_millis(200);

/// Builds, and searches for a counterexample of the property that is meant.
pub fn fuzz(arguments: &Fuzz) -> Result<ExitCode, Error> {
    let part = Part::of(arguments.shard.as_ref(), arguments.seed)?;
    eprint!("{}", part.as_ref().map(Part::text).unwrap_or_default());
    let mut link = arguments.corpus.as_deref().map(corpus::open).transpose()?.map(Link::new);
    let binaries = build::tests(arguments)?;
    let all = properties::of(&binaries)?;
    let property = properties::choose(&all, arguments.property.as_deref())?;
    eprintln!("forall: fuzzing {} ({})", property.name, property.place);
    let running = Running::new(&property.binary.path)?;
    let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, true)).transpose()?;
    interrupt::notice();
    let (began, mut growth) = (Instant::now(), Vec::new());
    let command = search(property, arguments, part.as_ref(), &running);
    let ended = Watch::new(&running, arguments.timeout).watch(command, &mut |last| {
        if growth.last().is_none_or(|(_, edges)| *edges < last.edges) {
            growth.push((began.elapsed().as_secs_f64(), last.edges));
        }
        if let (Some(link), Some(exchange)) = (&mut link, &mut exchange) {
            exchange.tick(link);
            eprint!("{}", link.take_said());
        }
    })?;
    let code = match &ended {
        Ended::Verdict { verdict, last } => conclude(verdict, last),
        Ended::Died { last, .. } if interrupt::came() => {
            eprintln!("forall: stopped. {}", last.text());
            // It is passed on below, when what was learnt has been sent.
            ExitCode::SUCCESS
        }
        Ended::Died { how, last } if last.phase == "replaying" => {
            eprintln!("forall: a counterexample that was found before still does it: {how}. Repair that first");
            ExitCode::from(1)
        }
        Ended::Died { how, .. } => {
            eprintln!("forall: the campaign has ended: {how}");
            recover(property, &running, how)?
        }
    };
    if let (Some(link), Some(exchange)) = (&mut link, exchange) {
        let (verdict, last) = match &ended {
            Ended::Verdict { verdict, last } => (&**verdict, last),
            Ended::Died { last, .. } => ("died", last),
        };
        let told = told::of_search(property, part.as_ref(), verdict, last, &growth, began.elapsed());
        exchange.end(link, &told, 0, &mut |entry| {
            let mut command = run(property, &exchange::replay(entry), &running);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| !status.success())
        });
        eprint!("{}", link.summary());
    }
    if interrupt::came() && matches!(ended, Ended::Died { .. }) {
        return Ok(interrupt::pass_on());
    }
    if code == ExitCode::from(1) {
        let (package, test) = (&property.binary.package, property.test_name());
        eprintln!("forall: `cargo test -p {package} {test}` replays it, without instrumentation");
    }
    Ok(code)
}

fn conclude(verdict: &str, last: &Status) -> ExitCode {
    let executions = grouped(last.executions);
    match verdict {
        "passed" => {
            eprintln!("forall: nothing found. {}", last.text());
            ExitCode::SUCCESS
        }
        // The report is on the screen.
        "failed" | "flaky" => {
            eprintln!("forall: found after {executions} executions, {}", time(last.elapsed));
            ExitCode::from(1)
        }
        _ => ExitCode::from(2),
    }
}

/// The process that searches.
fn search(property: &Property, arguments: &Fuzz, part: Option<&Part>, running: &Running) -> Command {
    let mut command = run(property, &format!("fuzz {}", property.name), running);
    // Budgets come from the command line alone: settings for `cargo test` mean something else.
    command.env_remove("FORALL_TIME").env("FORALL_TESTS", arguments.execs.unwrap_or(u64::MAX).to_string());
    if let Some(time) = arguments.time {
        command.env("FORALL_TIME", format!("{}ms", time.as_millis()));
    }
    // Workers that begin alike would stay alike.
    if let Some(seed) = part.map(|part| part.shard.seed(part.seed)).or(arguments.seed) {
        command.env("FORALL_SEED", seed.to_string());
    }
    command
}

/// The test program, with a request for one property.
pub(crate) fn run(property: &Property, request: &str, running: &Running) -> Command {
    let mut command = Command::new(&property.binary.path);
    // Nothing captured, which would fill the memory.
    command.args(["--exact", property.test_name(), "--include-ignored", "--nocapture"]);
    command.current_dir(&property.binary.package_directory);
    command.env("CARGO_MANIFEST_DIR", &property.binary.package_directory);
    command.env("CARGO_PKG_NAME", &property.binary.package);
    command
        .env_remove("FORALL_CORPUS")
        .env("FORALL_DO", request)
        .env("FORALL_RUNNING", &running.path)
        .env("LLVM_PROFILE_FILE", "/dev/null");
    if std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        command.env("CLICOLOR_FORCE", "1");
    }
    command
}

/// Has the input that ended the process turned into a counterexample, by a process that keeps it, and then runs it in processes of
/// its own to make it smaller.
fn recover(property: &Property, running: &Running, how: &How) -> Result<ExitCode, Error> {
    let mut command = run(property, &format!("crashed {} {}", property.name, how.word()), running);
    let output = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", property.binary.path.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if said.lines().filter_map(verdict).any(|verdict| verdict == "failed") {
        return Ok(ExitCode::from(1));
    }
    let kept = running.keep(&property.binary.package_directory)?;
    Err(trouble::not_again(&kept))
}

/// The file in which the searching process has the input that it is running.
pub(crate) struct Running {
    path: PathBuf,
}

impl Running {
    pub(crate) fn new(binary: &Path) -> Result<Self, Error> {
        let directory = binary.parent().unwrap_or(Path::new("."));
        let path = directory.join(format!("forall-running-{}", std::process::id()));
        fs::write(&path, []).map_err(|error| trouble::no_build("write", &path, &error))?;
        Ok(Self { path })
    }

    /// How many inputs were begun, if one is running.
    fn pulse(&self) -> Option<u64> {
        let mut words = [[0; 8]; 2];
        let mut file = File::open(&self.path).ok()?;
        file.read_exact(words.as_flattened_mut()).ok()?;
        let [state, begun] = words.map(u64::from_le_bytes);
        (state == 1).then_some(begun)
    }

    /// Puts it where nothing removes it.
    fn keep(&self, package: &Path) -> Result<PathBuf, Error> {
        let kept = package.join(".forall").join(format!("running-{}", std::process::id()));
        let copied = fs::create_dir_all(package.join(".forall")).and_then(|()| fs::copy(&self.path, &kept));
        copied.map_err(|error| trouble::no_build("write", &kept, &error))?;
        Ok(kept)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Runs a process that says nothing. Whether it succeeded; none if it had not ended by then, and was killed.
pub(crate) fn ends_within(command: &mut Command, limit: Duration) -> Result<Option<bool>, Error> {
    let program = PathBuf::from(command.get_program());
    let failed = |error: std::io::Error| trouble::no_test_program(&program, &error);
    let mut child = command.spawn().map_err(failed)?;
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(Some(status.success()));
        }
        if began.elapsed() > limit {
            let _ = child.kill();
            child.wait().map_err(failed)?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How a campaign ended.
#[derive(Debug)]
enum Ended {
    Verdict { verdict: String, last: Status },
    Died { how: How, last: Status },
}

/// What the process says.
enum Said {
    Line(String),
    /// For people: a part of its standard error.
    Text(Vec<u8>),
}

struct Watch<'a> {
    running: &'a Running,
    timeout: Duration,
    screen: Screen,
    last: Status,
    verdict: Option<String>,
    /// The input that was running when we looked last, and when that began to be so.
    pulse: (Option<u64>, Instant),
}

impl<'a> Watch<'a> {
    fn new(running: &'a Running, timeout: Duration) -> Self {
        let (screen, last, verdict, pulse) = (Screen::new(), Status::default(), None, (None, Instant::now()));
        Self { running, timeout, screen, last, verdict, pulse }
    }

    /// Runs the process to its end.
    /// Now and then `tick` is called with how far it is.
    fn watch(mut self, mut command: Command, tick: &mut dyn FnMut(&Status)) -> Result<Ended, Error> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = PathBuf::from(command.get_program());
        let mut child = command.spawn().map_err(|error| trouble::no_test_program(&program, &error))?;
        let (sender, said) = mpsc::channel();
        let threads = listen(&mut child, sender);
        let (mut hung, mut telling) = (None, Telling::default());
        loop {
            telling.tell(&mut child);
            tick(&self.last);
            match said.recv_timeout(PERIOD) {
                Ok(Said::Line(line)) => self.hear(&line),
                Ok(Said::Text(text)) => self.screen.say(&text),
                Err(RecvTimeoutError::Timeout) if self.is_hung() => {
                    hung = Some(How::Hung(self.timeout));
                    // It may have ended by itself just now; then this fails, and that is well.
                    let _ = child.kill();
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = child.wait().map_err(|error| trouble::lost("the test program", &error))?;
        for thread in threads {
            let _ = thread.join();
        }
        while let Ok(said) = said.try_recv() {
            match said {
                Said::Line(line) => self.hear(&line),
                Said::Text(text) => self.screen.say(&text),
            }
        }
        self.screen.say(b"");
        let last = self.last;
        Ok(match self.verdict {
            Some(verdict) => Ended::Verdict { verdict, last },
            None => Ended::Died { how: hung.unwrap_or(How::of(status)), last },
        })
    }

    fn hear(&mut self, line: &str) {
        if let Some(status) = Status::read(line) {
            self.screen.show(&status);
            self.last = status;
        } else if let Some(problem) = problem(line) {
            self.screen.say(format!("warning: {problem}\n").as_bytes());
        } else if let Some(verdict) = verdict(line) {
            self.verdict = Some(verdict);
        }
    }

    /// Whether one input has been running for too long.
    fn is_hung(&mut self) -> bool {
        let pulse = self.running.pulse();
        if pulse != self.pulse.0 {
            self.pulse = (pulse, Instant::now());
        }
        pulse.is_some() && self.pulse.1.elapsed() > self.timeout
    }
}

/// Two threads that read what the process says. They end with it.
fn listen(child: &mut Child, sender: Sender<Said>) -> Vec<std::thread::JoinHandle<()>> {
    let stdout = child.stdout.take().expect("it is piped");
    let mut stderr = child.stderr.take().expect("it is piped");
    let lines = sender.clone();
    vec![
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line);
                // Properties print too, a hundred thousand times a second.
                if [LINE, PROBLEM, RESULT].iter().any(|ours| text.contains(ours)) {
                    let _ = lines.send(Said::Line(text.into_owned()));
                }
                line.clear();
            }
        }),
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut part) {
                let _ = sender.send(Said::Text(part[..length].to_vec()));
            }
        }),
    ]
}

/// The verdict in a line of the test program.
fn verdict(line: &str) -> Option<String> {
    let text = &line[line.find(RESULT)? + RESULT.len()..];
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value["verdict"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_read_wherever_the_harness_left_the_cursor() {
        let line = "test x ... forall-result {\"property\":\"x\",\"verdict\":\"failed\",\"case\":null}";
        assert_eq!(verdict(line).as_deref(), Some("failed"));
        assert_eq!(verdict("forall-result {"), None);
    }

    #[test]
    fn a_process_that_hangs_is_not_waited_for() {
        let running = Running::new(&std::env::current_exe().unwrap()).unwrap();
        fs::write(&running.path, [1u64, 5].map(u64::to_le_bytes).as_flattened()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'forall-status {\"phase\":\"searching\",\"executions\":7}'; exec sleep 600"]);
        let ended = Watch::new(&running, Duration::from_millis(300)).watch(command, &mut |_| {}).unwrap();
        let Ended::Died { how: How::Hung(_), last } = ended else { panic!("{ended:?}") };
        assert_eq!(last.executions, 7);
    }
}
