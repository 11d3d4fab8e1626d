//! Terminal sessions in the chapters match the actual output.
//!
//! A chapter may have a project. Its files are the blocks with a comment before them, `<!-- file: src/lib.rs -->`; a block with
//! `<!-- function in: src/lib.rs -->` takes the place of the function there that begins like it. Each block `console` is a session in it: the commands are the lines that
//! begin with `$`, and what stands below a command is what it says. A line `...` stands for any lines, times and the like for
//! any of their kind.
//!
//! `BOOK_WRITE=1 cargo test -p forall-book --test book` writes the actual output into the chapters where it differs;
//! restore omissions (`...`) by hand.

use crate::blocks::{Block, Chapter, chapters};
use regex::Regex;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The chapters run one after the other: they share what is built.
#[test]
#[ignore = "slow: 80 s"]
fn terminal_sessions_match_the_real_output() {
    let write = std::env::var_os("BOOK_WRITE").is_some();
    let mut differences = Vec::new();
    for chapter in chapters() {
        if !chapter.blocks.iter().any(|block| block.language() == "console") {
            continue;
        }
        let changed = play(&chapter);
        if write && !changed.is_empty() {
            rewrite(&chapter, &changed);
        }
        differences.extend(changed.into_iter().map(|(block, happened)| {
            let shown = &block.text;
            format!("{}.md:{}\n--- shown\n{shown}--- happened\n{happened}", chapter.name, block.lines.start)
        }));
    }
    assert!(write || differences.is_empty(), "{}", differences.join("\n"));
}

/// Plays the sessions of a chapter. Those that went otherwise than shown, and how.
fn play(chapter: &Chapter) -> Vec<(&Block, String)> {
    let project = Project::new(chapter.name);
    let mut changed = Vec::new();
    for block in &chapter.blocks {
        if let Some(file) = &block.file {
            project.write(file, &block.text);
        }
        if let Some(file) = &block.function_in {
            project.replace_function(file, &block.text);
        }
        if block.language() != "console" {
            continue;
        }
        if let Some(needed) = block.needs.as_ref().filter(|needed| !is_there(needed)) {
            let required = std::env::var("FORALL_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
            assert!(!required, "{}.md:{}: {needed} is missing", chapter.name, block.lines.start);
            println!("SKIPPED {}.md:{}: {needed} is missing", chapter.name, block.lines.start);
            continue;
        }
        let mut happened = String::new();
        let mut same = true;
        for (command, shown) in commands(&block.text) {
            let said = project.run(&command);
            same &= fits(&shown, &said);
            happened += &format!("$ {command}\n{said}");
        }
        if !same {
            changed.push((block, happened));
        }
    }
    changed
}

/// Whether there is a program of that name, among those that sessions see.
fn is_there(program: &str) -> bool {
    let mut program = Command::new(program);
    program.arg("--version").env("PATH", path()).stdout(Stdio::null()).stderr(Stdio::null());
    program.status().is_ok()
}

/// Where sessions find programs: this workspace's `cargo forall`, the Futhark compiler that `FUTHARK` names, and what there is.
fn path() -> OsString {
    // Tests run side by side, and the links are theirs together.
    static PATH: OnceLock<OsString> = OnceLock::new();
    PATH.get_or_init(link_programs).clone()
}

fn link_programs() -> OsString {
    let programs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bin");
    fs::create_dir_all(&programs).unwrap();
    let tool = Path::new(env!("CARGO_BIN_EXE_book-forall")).to_owned();
    let futhark = std::env::var_os("FUTHARK").map(PathBuf::from);
    for (name, program) in [("cargo-forall", Some(&tool)), ("forall", Some(&tool)), ("futhark", futhark.as_ref())] {
        let link = programs.join(name);
        let _ = fs::remove_file(&link);
        if let Some(program) = program {
            std::os::unix::fs::symlink(program, link).unwrap();
        }
    }
    let mut path = programs.into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}

/// The commands of a session, and what is shown below each.
fn commands(session: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in session.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, shown))) => *shown += &format!("{line}\n"),
            (None, None) => panic!("a session begins with a command: {line}"),
        }
    }
    commands
}

/// Whether what was said is what is shown.
fn fits(shown: &str, said: &str) -> bool {
    let parts: Vec<String> = steady(shown).split("...\n").map(regex::escape).collect();
    Regex::new(&format!("(?s)^{}$", parts.join("(?:.*\n)?"))).unwrap().is_match(&steady(said))
}

/// The text with placeholders for parts that vary from run to run.
pub fn steady(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, mark) in [
        // Whether a headline takes two lines depends on how long its time is.
        (r"(?m)^FAILED (.*)\n {7}(\S)", "FAILED $1 $2"),
        (r"\d+(\.\d+)? ?(µs|us|ms|s|m)\b", "[time]"),
        (r"\[time\] \(test \d+\)", "[time] ([test])"),
        (r"[0-9,.]+[kM]? tests (a|per) second", "[speed]"),
        (r"thread '([^']*)' \(\d+\)", "thread '$1'"),
        (r"\d+ runs", "[runs]"),
        (r"\(\d+ KB\)", "([size])"),
        (r"\d+ shrinks?", "[shrinks]"),
        (r"2-[A-Za-z0-9_-]{12,}", "[input]"),
        // How long a campaign takes depends on the compiler.
        (r"[0-9,]+ executions|after\s+[0-9]+,[0-9,]+ tests|test [0-9]{4,}", "[tests]"),
        // The drawing of a race: the order of the branches varies.
        (r"(?m)^.*[│╭╷╵].*\n|^·.*\n", ""),
        // On a busy machine fewer values are tried.
        (r"for all [\d,]+ (others|tried)", "for all [number] $1"),
        (r"[0-9a-f]{16}\.case", "[case]"),
        (r"-[0-9a-f]{16}\b", "-[hash]"),
    ] {
        text = Regex::new(pattern).unwrap().replace_all(&text, mark).into_owned();
    }
    text
}

/// The chapter with what happened in its sessions.
fn rewrite(chapter: &Chapter, changed: &[(&Block, String)]) {
    let mut lines: Vec<&str> = chapter.text.lines().collect();
    for (block, happened) in changed.iter().rev() {
        lines.splice(block.lines.clone(), happened.lines());
    }
    fs::write(&chapter.path, lines.join("\n") + "\n").unwrap();
}

/// A package of a reader, with forall as it is here.
pub struct Project {
    directory: PathBuf,
}

impl Project {
    pub fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let _ = fs::remove_dir_all(&directory);
        let project = Self { directory };
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../forall").canonicalize().unwrap();
        // With the features that chapters speak of, so that the library is built once.
        let manifest = format!(
            "[package]\nname = \"demo\"\nversion = \"0.0.{}\"\nedition = \"2024\"\n\n[workspace]\n\n[dev-dependencies]\n\
             forall = {{ path = {library:?}, features = [\"regex\"] }}\n",
            // Cargo takes packages of one name and version for one, and all are built in one directory.
            name.bytes().fold(0u64, |number, byte| (number * 31 + u64::from(byte)) % 1_000_003),
        );
        project.write("Cargo.toml", &manifest);
        // The versions that are already downloaded, so that nothing is fetched.
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        project.write("Cargo.lock", &fs::read_to_string(lock).unwrap());
        project.write("src/lib.rs", "");
        project
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.directory.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a function of the same name, including its comments and attributes.
    fn replace_function(&self, file: &str, function: &str) {
        let before = fs::read_to_string(self.directory.join(file)).unwrap();
        let name = Regex::new(r"fn \w+").unwrap().find(function).unwrap().as_str();
        // From the empty line before to the brace at the beginning of a line.
        let item = Regex::new(&format!(r"(?m)^(\S.*\n)*.*\b{name}\b(.*\n)*?\}}\n")).unwrap();
        assert!(item.is_match(&before), "{file} has no {name}");
        self.write(file, &item.replace(&before, regex::NoExpand(function)));
    }

    /// The output of a command in a project that is already built.
    pub fn run(&self, command: &str) -> String {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command} 2>&1")]).current_dir(&self.directory).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let ours = ["FORALL_", "CARGO_", "LC_", "NEXTEST"].iter().any(|prefix| text.starts_with(prefix));
            if ours && text != "CARGO_HOME" && text != "CARGO_BUILD_JOBS" {
                shell.env_remove(&name);
            }
        }
        for name in ["RUST_BACKTRACE", "LANG", "COLUMNS", "CLICOLOR_FORCE", "NO_COLOR", "RUSTFLAGS"] {
            shell.env_remove(name);
        }
        shell.env("PATH", path()).env("FORALL_SEED", "1").env("CI", "false");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects-target");
        shell.env("CARGO_TARGET_DIR", target).env("CARGO_PROFILE_DEV_DEBUG", "0");
        // `fuzz` and `race` build in release. Without optimisation this takes a quarter of the time, and no session measures.
        shell.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        shell.env("CARGO_NET_OFFLINE", "true").env("RUST_TEST_THREADS", "1");
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).replace(&*self.directory.to_string_lossy(), "…/demo");
        // Omits cargo's build messages, and blank lines at both ends.
        let building =
            Regex::new(r"(?m)^ *(Compiling|Finished|Running|Doc-tests|Locking|Adding|Blocking) .*\n").unwrap();
        let said = building.replace_all(&said, "");
        let said = said.trim_matches('\n');
        if said.is_empty() { String::new() } else { format!("{said}\n") }
    }
}
