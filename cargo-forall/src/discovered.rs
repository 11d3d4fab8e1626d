//! Finds property values by running tests: those whose names are computed, or that a helper or a macro runs, in any crate.
//!
//! Under the request `names`, a test that reaches a property prints the names of both, and does not run the property. Each test binary
//! therefore runs once, without its properties, and lists them.

use crate::build::Binary;
use crate::interrupt::SignalForwarder;
use crate::process::{LEFT_BEHIND, has_exited};
use crate::properties::Property;
use crate::screen::{aside, one_line};
use crate::{Error, interrupt, trouble};
use forall::protocol::{Line, Listed, Request};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The runner of a property value is chosen in code.
pub const RUNNER: &str = "value";

/// After this time, a message explains why other tests are run.
const QUIET: Duration = Duration::from_secs(5);

/// The interval at which the process is polled.
const PERIOD: Duration = Duration::from_millis(100);

/// The number of tests in one command line.
const AT_ONCE: usize = 500;

/// The property values that these tests of a program run, and the tests that end their process instead.
pub fn of(binary: &Binary, tests: &[String], with_ignored: bool) -> Result<(Vec<Property>, Vec<String>), Error> {
    let (mut found, mut lost) = (Found { with_ignored, ..Found::default() }, Vec::new());
    for some in tests.chunks(AT_ONCE) {
        if found.run(binary, some)? {
            continue;
        }
        // One of them ended the process, and with it the others.
        for test in some {
            if !found.run(binary, std::slice::from_ref(test))? {
                lost.push(test.clone());
            }
        }
    }
    // On a thread started by a test, the test's name is unknown, so these tests run one at a time.
    if found.named.iter().any(|named| named.run_by.is_none()) {
        let threads = std::mem::take(&mut found.named).into_iter().filter(|named| named.run_by.is_some());
        let mut alone = Found { named: threads.collect(), ..found };
        for test in tests {
            let before = alone.named.len();
            alone.run(binary, std::slice::from_ref(test))?;
            for named in &mut alone.named[before..] {
                named.run_by.get_or_insert_with(|| test.clone());
            }
        }
        found = alone;
    }
    Ok((found.properties(binary, tests), lost))
}

/// The message about a test that ended its process.
pub fn lost(package: &str, test: &str) -> String {
    let test = one_line(test);
    format!(
        "forall: warning: the test {test} of {package} ends its process, so the properties that it runs are not known. \
         `cargo test -p {package} {test}` shows why\n"
    )
}

/// The lines of a program's output, read by a thread. Tests may print anything.
fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut output, mut line) = (BufReader::new(output), Vec::new());
        while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
            line.clear();
        }
    });
    lines
}

/// The output of tests under the request `names`.
#[derive(Default)]
struct Found {
    named: Vec<Listed>,
    /// Tests with `#[should_panic]`.
    should_panic: BTreeSet<String>,
    /// Whether ignored tests run as well.
    with_ignored: bool,
    /// Whether the harness has printed its result.
    is_complete: bool,
}

impl Found {
    /// Runs tests, and returns whether the harness ran them all.
    fn run(&mut self, binary: &Binary, tests: &[String]) -> Result<bool, Error> {
        self.is_complete = false;
        let mut command = Command::new(&binary.path);
        // With one thread the harness runs tests on its main thread, which does not have their names.
        command.args(["--exact", "--nocapture", "--test-threads=2"]).args(tests);
        if self.with_ignored {
            command.arg("--include-ignored");
        }
        command
            .current_dir(&binary.package_directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .stdin(Stdio::null());
        command.env("FORALL_DO", Request::Names.to_string()).env("LLVM_PROFILE_FILE", "/dev/null");
        interrupt::ends_with_this(&mut command);
        let mut child = command.spawn().map_err(|error| trouble::no_test_program(&binary.path, error))?;
        let (began, mut told, mut signals) = (Instant::now(), false, SignalForwarder::default());
        let lines = lines_of(child.stdout.take().expect("it is piped"));
        loop {
            match lines.recv_timeout(PERIOD) {
                Ok(line) => self.read(&line),
                // A process that a test left behind keeps the pipe open.
                Err(RecvTimeoutError::Timeout) if has_exited(&mut child) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            signals.forward(&mut child, false);
            if !told && began.elapsed() > QUIET {
                let package = &binary.package;
                aside(&format!(
                    "forall: running the other tests of {package} once, to find the property values that they check\n"
                ));
                told = true;
            }
        }
        child.wait().map_err(|error| trouble::lost("the test program", error))?;
        while let Ok(line) = lines.recv_timeout(LEFT_BEHIND) {
            self.read(&line);
        }
        Ok(self.is_complete)
    }

    fn read(&mut self, line: &str) {
        self.is_complete |= line.contains("test result: ");
        self.named.extend(Listed::find(line).filter(|listed| !listed.name.is_empty()));
        for (_, rest) in line.match_indices("test ").map(|(at, word)| line.split_at(at + word.len())) {
            if let Some((test, _)) = rest.split_once(" - should panic ... ") {
                self.should_panic.insert(test.to_owned());
            }
        }
    }

    /// Each property once for each test that runs it.
    fn properties(self, binary: &Binary, tests: &[String]) -> Vec<Property> {
        let mut seen = BTreeSet::new();
        let mut properties = Vec::new();
        for Listed { name, file, line, run_by, .. } in self.named {
            let Some(test) = run_by.filter(|test| tests.contains(test)) else { continue };
            if !seen.insert((name.clone(), test.clone())) {
                continue;
            }
            properties.push(Property {
                name,
                place: format!("{file}:{line}"),
                runner: RUNNER.to_owned(),
                tests: 0,
                serial: true,
                should_panic: self.should_panic.contains(&test),
                value_of: Some(test),
                binary: binary.clone(),
            });
        }
        properties
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_ends_its_process_is_named() {
        assert_eq!(
            lost("shop", "tests::leaves"),
            "forall: warning: the test tests::leaves of shop ends its process, so the properties that it runs are not known. \
             `cargo test -p shop tests::leaves` shows why\n"
        );
    }

    #[test]
    fn names_are_read_from_the_output_of_a_harness() {
        let mut found = Found::default();
        for line in [
            "running 3 tests",
            r#"test a ... test b - should panic ... forall-property {"name":"loop 1","file":"t.rs","line":7,"test":false,"run_by":"a"}"#,
            r#"forall-property {"name":"loop 1","file":"t.rs","line":7,"test":false,"run_by":"a"}"#,
            r#"forall-property {"name":"fails","file":"t.rs","line":9,"test":false,"run_by":"b"}"#,
            r#"forall-property {"name":"forged","file":"t.rs","line":9,"test":false,"run_by":"no test"}"#,
            "ok",
        ] {
            found.read(line);
        }
        assert!(!found.is_complete, "the process ended");
        found.read("test result: ok. 3 passed; 0 failed");
        assert!(found.is_complete);
        let binary = Property::example("x").binary;
        let properties = found.properties(&binary, &["a".to_owned(), "b".to_owned()]);
        let told: Vec<(&str, Option<&str>, bool)> =
            properties.iter().map(|one| (&*one.name, one.value_of.as_deref(), one.should_panic)).collect();
        assert_eq!(told, [("loop 1", Some("a"), false), ("fails", Some("b"), true)]);
    }
}
