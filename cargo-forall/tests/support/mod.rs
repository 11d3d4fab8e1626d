//! The sample workspace (`tests/sample/`), and the program run in it as a user runs it.

use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A workspace of a test's own. All tests share builds, which stay for the next run.
pub struct Workspace {
    directory: PathBuf,
}

impl Workspace {
    /// With these packages of the sample.
    pub fn new(name: &str, packages: &[&str]) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workspaces").join(name);
        let _ = fs::remove_dir_all(&directory);
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = Self { directory };
        let members: Vec<String> = packages.iter().map(|package| format!("{package:?}")).collect();
        workspace.write("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", ")));
        // The versions of dependencies that are already downloaded, so that nothing is fetched.
        workspace.write("Cargo.lock", &fs::read_to_string(here.join("../Cargo.lock")).unwrap());
        for package in packages {
            // Cargo takes packages of one name, version and place in their workspace for one, and all are built in one directory.
            let version = name.bytes().fold(0u64, |version, byte| (version * 31 + u64::from(byte)) % 1_000_003);
            let mut manifest =
                format!("[package]\nname = {package:?}\nversion = \"0.0.{version}\"\nedition = \"2024\"\n");
            if *package != "plain" {
                let forall = here.join("../forall").canonicalize().unwrap();
                manifest += &format!("\n[dev-dependencies]\nforall = {{ path = {forall:?} }}\n");
            }
            workspace.write(&format!("{package}/Cargo.toml"), &manifest);
            for file in ["src/lib.rs", "src/main.rs"] {
                let sample = here.join("tests/sample").join(package).join(file);
                if let Ok(source) = fs::read_to_string(sample) {
                    workspace.write(&format!("{package}/{file}"), &source);
                }
            }
        }
        workspace
    }

    /// The manifest of a package.
    pub fn manifest(&self, package: &str) -> String {
        fs::read_to_string(self.path(&format!("{package}/Cargo.toml"))).unwrap()
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.directory.join(file)
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forall"));
        command.args(arguments).current_dir(&self.directory).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("FORALL_") || name_text.starts_with("LC_") {
                command.env_remove(&name);
            }
        }
        // How many more tests a quick run has depends on the machine.
        command.env("CI", "false").env("FORALL_EXTRA_TIME", "off");
        // Variables of schedulers and CI services must not reach the program under test.
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "CIRCLE_NODE_INDEX"] {
            command.env_remove(name);
        }
        for name in
            ["BUILDKITE_PARALLEL_JOB", "BUILDKITE_BUILD_ID", "GITHUB_RUN_ID", "CI_PIPELINE_ID", "CIRCLE_WORKFLOW_ID"]
        {
            command.env_remove(name);
        }
        // In a workflow, results are annotations as well.
        for name in ["GITHUB_ACTIONS", "GITHUB_WORKSPACE"] {
            command.env_remove(name);
        }
        for name in ["RUST_BACKTRACE", "LANG", "COLUMNS", "CLICOLOR_FORCE", "NO_COLOR"] {
            command.env_remove(name);
        }
        // What commands build in release takes a quarter of the time without optimisation.
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workspaces-target");
        command.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_QUIET", "true");
        command
    }

    /// The program's output and exit code, normalised.
    pub fn forall(&self, arguments: &[&str]) -> String {
        self.said(self.command(arguments).output().unwrap())
    }

    pub fn said(&self, output: Output) -> String {
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let mut text =
            format!("exit code {}\n{stdout}", output.status.code().map_or("none".to_owned(), |code| code.to_string()));
        if !stderr.is_empty() {
            text += &format!("---- stderr ----\n{stderr}");
        }
        self.the_same_each_time(&text)
    }

    fn the_same_each_time(&self, text: &str) -> String {
        let mut text = text.replace(&*self.directory.to_string_lossy(), "[workspace]");
        for (pattern, stands_for) in [
            (r"\d+(\.\d+)? (ns|µs|us|ms|s)\b", "[time]"),
            (r"0x[0-9a-f]{3,}|seed 0x[0-9a-f]+", "[seed]"),
            (r"2-[A-Za-z0-9_-]{12,}", "[case]"),
            (r"[0-9a-f]{16}\.case", "[id].case"),
            (r"[0-9,]+ tests per second", "[speed] tests per second"),
            (r"\d+ runs", "[number] runs"),
            (r"' \(\d+\) panicked", "' panicked"),
            (r"slowest draws: .*", "slowest draws: [draws]"),
        ] {
            text = Regex::new(pattern).unwrap().replace_all(&text, stands_for).into_owned();
        }
        text
    }
}

/// The output on one line: the wrapping of lines with a path depends on the directory.
pub fn unwrapped(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a program is there. If not, that is said; where all tools are required, it is a failure.
pub fn has(test: &str, program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("SKIPPED {test}: there is no {program}");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none_or(|value| value != "1"), "{program} is required");
    }
    there
}
