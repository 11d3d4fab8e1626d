//! `forall futhark test` that is told to end, or killed: its servers end with it, and what was found is said.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A compiler that makes every program the server below.
const COMPILER: &str = r#"#!/bin/sh
cp "$(dirname "$0")/server" "$4" && chmod +x "$4"
"#;

/// A server of two properties of booleans: `fails` is false, `hangs` never ends. It writes down its number before that.
const SERVER: &str = r#"#!/bin/sh
echo '%%% OK'
while read -r command first rest; do
  case "$command" in
    types) echo bool ;;
    kind) echo primitive ;;
    entry_points) echo fails; echo hangs ;;
    inputs | output) echo bool ;;
    attributes) echo prop ;;
    call)
      if [ "$first" = hangs ]; then echo $$ > "$HANGING"; exec sleep 1000; fi
      echo 'runtime: 1' ;;
    store)
      : > "$first"
      for name in $rest; do printf 'b\002\000bool\000' >> "$first"; done ;;
  esac
  echo '%%% OK'
done
"#;

struct Run {
    folder: PathBuf,
    child: Child,
    /// The number of the server that hangs.
    server: String,
}

/// Starts the tool, and waits until the second property hangs.
fn hanging(test: &str) -> Run {
    let folder = std::env::temp_dir().join(format!("forall-told-{}-{test}", std::process::id()));
    std::fs::create_dir_all(folder.join("tmp")).unwrap();
    // Of a run before.
    let _ = std::fs::remove_file(folder.join("hanging"));
    for (name, text) in [("futhark", COMPILER), ("server", SERVER)] {
        std::fs::write(folder.join(name), text).unwrap();
        std::fs::set_permissions(folder.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    std::fs::write(folder.join("two.fut"), "-- ==\n-- property: fails hangs fails\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forall"));
    command.args(["futhark", "test", "--no-terminal", "--seed=1", "--json=out.json", "--futhark"]);
    command.arg(folder.join("futhark")).arg("two.fut").current_dir(&folder);
    command.env("TMPDIR", folder.join("tmp")).env("HANGING", folder.join("hanging"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let server = until(|| std::fs::read_to_string(folder.join("hanging")).ok().filter(|text| text.ends_with('\n')));
    Run { folder, child, server: server.trim().to_owned() }
}

/// Waits until there is something.
fn until<T>(mut there_is: impl FnMut() -> Option<T>) -> T {
    for _ in 0..6000 {
        if let Some(found) = there_is() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nothing came within a minute");
}

impl Run {
    /// Sends the tool a signal and waits for its end, and for that of its server.
    fn signal(self, name: &str) -> (PathBuf, Output) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = self.child.wait_with_output().unwrap();
        let stat = Path::new("/proc").join(&self.server).join("stat");
        until(|| {
            let stat = std::fs::read_to_string(&stat).unwrap_or_default();
            // The process that adopts it may take a while to reap it.
            (stat.is_empty() || stat.contains(") Z ")).then_some(())
        });
        (self.folder, output)
    }
}

#[test]
fn an_interrupted_run_reports_its_results_and_leaves_no_processes() {
    let (folder, output) = hanging("term").signal("TERM");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.signal(), Some(15), "{said}");
    for expected in [
        "Property fails (size=50, seed=1) failed after 1 test:\nCounterexample: false",
        "two.fut: skipped: Property hangs: not completed: the run was interrupted, after 0 candidates for which the property held",
        "two.fut: skipped: Property fails: not run: the run was interrupted",
        "0/1 passed.\n2 runs were skipped.\nInterrupted: 1 program was not fully tested.",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let json = std::fs::read_to_string(folder.join("out.json")).unwrap();
    assert!(json.contains("Property hangs: not completed"), "{json}");
    assert!(folder.join("two_fails.counterexample").is_file());
    assert_eq!(std::fs::read_dir(folder.join("tmp")).unwrap().count(), 0, "the compiled program is left behind");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn servers_end_with_a_tool_that_is_killed() {
    let (folder, output) = hanging("kill").signal("KILL");
    assert_eq!(output.status.signal(), Some(9));
    assert!(folder.join("two_fails.counterexample").is_file());
    // No process is left to delete the compiled files; the next run does.
    assert_eq!(std::fs::read_dir(folder.join("tmp")).unwrap().count(), 1);
    let (folder, _) = hanging("kill").signal("TERM");
    assert_eq!(std::fs::read_dir(folder.join("tmp")).unwrap().count(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}
