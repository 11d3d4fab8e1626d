//! Processes that are killed, that run out of disk, that may not write, that are many: each is a child of the test, which
//! runs this binary again for the one test [`child`].

#![cfg(unix)]

use crate::support::{Scratch, contents, failure, random, skip};
use forall::run;
use forall::store::{Backend, Directory, Entry, Id, Places};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const ACT: &str = "FORALL_STORE_CHILD";
const PACKAGE: &str = "FORALL_STORE_CHILD_PACKAGE";
const NUMBER: &str = "FORALL_STORE_CHILD_NUMBER";
const MARK: &str = "child: ";

/// The task of a child process; does nothing in the parent.
#[test]
fn child() {
    let Ok(act) = env::var(ACT) else { return };
    let package = env::var_os(PACKAGE).unwrap();
    let package = Path::new(&package);
    let number: u64 = env::var(NUMBER).unwrap().parse().unwrap();
    let places = Places::for_package(package, &run::Store::Default, false);
    match act.as_str() {
        "save and replace" => save_and_replace(&places, number),
        "save much" => save_much(&places, number),
        "fill" => fill(&places),
        "save" => match places.save(&failure("p", &[number])) {
            Ok(saved) => say(&format!("saved {}", saved.path().unwrap().display())),
            Err(error) => say(&format!("error {error}")),
        },
        other => panic!("no act {other}"),
    }
}

/// A line to the parent, in one write: it is there wholly or not at all, whenever this process is killed.
fn say(line: &str) {
    std::io::stdout().write_all(format!("\n{MARK}{line}\n").as_bytes()).unwrap();
    std::io::stdout().flush().unwrap();
}

/// This binary again, for an act on the store of `package`; `wrapper` runs it, if given.
fn command(wrapper: &[&str], act: &str, package: &Path, number: u64) -> Command {
    let this = env::current_exe().unwrap();
    let mut command = match wrapper {
        [] => Command::new(&this),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(&this);
            command
        }
    };
    command.args(["--exact", "processes::child", "--nocapture", "--test-threads=1"]);
    command.env(ACT, act).env(PACKAGE, package).env(NUMBER, number.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    // Only whole lines: a line is said when its end is there.
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole.filter_map(|line| line.strip_prefix(MARK)).map(str::to_owned).collect()
}

fn lines_of(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    lines(&output.stdout)
}

/// A failure whose file takes a while to write: up to 100 kB.
fn sized_failure(seed: u64, index: u64) -> Entry {
    let s = &mut random(seed, index);
    let largest = if s.choice(7) == 0 { 13 } else { 7 };
    let count = 1 << s.choice(largest);
    let mut entry = failure("killed::while::saving", &(0..count).map(|_| s.choice(u64::MAX)).collect::<Vec<_>>());
    entry.message = "x".repeat(s.choice(1000) as usize);
    entry
}

/// Saves and improves until it is killed, and says what it will do and what it has done.
fn save_and_replace(places: &Places, number: u64) {
    for index in (0..).step_by(10) {
        let mut saved = places.save(&sized_failure(number, index)).unwrap();
        say(&format!("saved {}", saved.id()));
        for improvement in index + 1..index + 10 {
            let better = sized_failure(number, improvement);
            say(&format!("replacing {} {}", saved.id(), better.id()));
            saved = places.replace(&saved, &better).unwrap();
            say(&format!("saved {}", saved.id()));
        }
    }
}

#[test]
fn kill_9_at_any_time_loses_nothing_and_leaves_no_torn_file() {
    const PROPERTY: &str = "killed::while::saving";
    let scratch = Scratch::new("kill");
    let store = Directory::new(scratch.join(".forall"));
    let mut expected: BTreeSet<Id> = BTreeSet::new();
    let (mut acknowledged, mut while_writing) = (0, 0);
    for round in 0..60 {
        let mut child = command(&[], "save and replace", &scratch, round).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut said = Vec::new();
        while !said.ends_with(b"\n") || !String::from_utf8_lossy(&said).contains(MARK) {
            assert!(output.read_until(b'\n', &mut said).unwrap() > 0, "the child ended by itself");
        }
        std::thread::sleep(Duration::from_micros(random(4, round).choice(30_000)));
        child.kill().unwrap();
        output.read_to_end(&mut said).unwrap();
        child.wait().unwrap();

        let mut in_doubt = None;
        for line in lines(&said) {
            let words: Vec<&str> = line.split(' ').collect();
            let id = |at: usize| words[at].parse::<Id>().unwrap();
            match words[0] {
                "saved" => {
                    expected.insert(id(1));
                    acknowledged += 1;
                    in_doubt = None;
                }
                "replacing" => {
                    expected.remove(&id(1));
                    in_doubt = Some((id(1), id(2)));
                }
                other => panic!("{other}"),
            }
        }
        let present: BTreeSet<Id> = store.list(PROPERTY, None).unwrap().ids.into_iter().collect();
        for &id in &present {
            let entry = store.fetch(PROPERTY, id).unwrap_or_else(|error| panic!("a torn file: {error}"));
            assert_eq!(entry.unwrap().id(), id);
        }
        if let Some((old, new)) = in_doubt {
            assert!(present.contains(&old) || present.contains(&new), "round {round}: both are lost");
        }
        let lost: Vec<_> = expected.difference(&present).collect();
        assert!(lost.is_empty(), "round {round}: acknowledged and lost: {lost:?}");
        while_writing += temporary_files(&store.folder(PROPERTY));
        for file in fs::read_dir(store.folder(PROPERTY)).unwrap().flatten() {
            // So that they are counted once; they are too young to be cleaned up.
            if file.file_name().to_string_lossy().starts_with("tmp-") {
                fs::remove_file(file.path()).unwrap();
            }
        }
        expected.extend(present);
    }
    println!("60 kills: {acknowledged} saves acknowledged, {while_writing} kills while a file was being written");
    assert!(acknowledged >= 60 && while_writing > 0, "the test did not reach what it is about");
}

fn temporary_files(folder: &Path) -> usize {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter(|file| file.file_name().to_string_lossy().starts_with("tmp-")).count()
}

/// Half of the saved entries are saved by other processes as well, and a folder that is repeatedly emptied is created
/// again.
fn save_much(places: &Places, number: u64) {
    for n in 0..60 {
        places.save(&failure("shared", &[n])).unwrap();
        places.save(&failure("shared", &[number, n])).unwrap();
        let saved = places.save(&failure("churned", &[number, n])).unwrap();
        let origin = saved.path().unwrap().display().to_string();
        assert!(places.failures("churned").iter().any(|(found, entry)| *found == origin && entry.is_ok()));
        assert!(places.delete(&origin).unwrap());
    }
}

#[test]
fn eight_processes_at_once_keep_the_union() {
    let scratch = Scratch::new("eight");
    let children: Vec<_> =
        (100..108).map(|number| command(&[], "save much", &scratch, number).spawn().unwrap()).collect();
    for child in children {
        lines_of(&child.wait_with_output().unwrap());
    }
    let mut expected: BTreeSet<Id> = (0..60).map(|n| failure("shared", &[n]).id()).collect();
    expected.extend((100..108).flat_map(|number| (0..60).map(move |n| failure("shared", &[number, n]).id())));
    let store = Directory::new(scratch.join(".forall"));
    let present = store.list("shared", None).unwrap().ids;
    assert_eq!(present, expected.into_iter().collect::<Vec<_>>());
    for id in present {
        assert!(store.fetch("shared", id).unwrap().is_some());
    }
    assert_eq!(store.list("churned", None).unwrap().ids, []);
    assert_eq!(contents(&scratch).len(), 9 * 60 + 1, "entries and .gitignore, no temporary file");
}

/// Saves on a disk of less than 300 kB.
fn fill(places: &Places) {
    let small = failure("p", &[1]);
    let saved = places.save(&small).unwrap();
    let large = failure("p", &(0..100_000).map(|n| u64::MAX - n).collect::<Vec<_>>());
    say(&format!("error {}", places.replace(&saved, &large).unwrap_err()));
    let intact = |count: usize| {
        let found = places.failures("p");
        assert!(found.len() == count && found.iter().all(|(_, entry)| entry.is_ok()), "{found:?}");
        assert_eq!(found[0].1, Ok(small.clone()));
        let folder = saved.path().unwrap().parent().unwrap();
        assert_eq!(temporary_files(folder), 0, "what could not be written whole is taken away");
    };
    intact(1);
    // And by many small ones, up to a bound where only the size of a file is limited.
    let mut acknowledged = vec![saved.clone()];
    for n in 2..200 {
        match places.save(&failure("p", &vec![u64::MAX - n; 100])) {
            Ok(saved) => acknowledged.push(saved),
            Err(error) => {
                say(&format!("error {error}"));
                break;
            }
        }
    }
    intact(acknowledged.len());
    let origin = acknowledged.pop().unwrap().path().unwrap().display().to_string();
    assert!(places.delete(&origin).unwrap());
    places.save(&failure("p", &[2])).unwrap();
    say("and on");
}

#[test]
fn a_full_disk_is_reported_and_saved_failures_stay() {
    let scratch = Scratch::new("full");
    let script = r#"mount -t tmpfs -o size=256k none "$1" && shift && exec "$@""#;
    let package = scratch.to_str().unwrap();
    // A namespace of its own: the mount goes away with the child.
    let mount = ["unshare", "-rm", "bash", "-c", script, "full", package];
    let possible = Command::new(mount[0]).args(&mount[1..]).arg("true").output();
    if !possible.is_ok_and(|output| output.status.success()) {
        return skip("a_full_disk_is_reported_and_saved_failures_stay", "a tmpfs cannot be mounted (unshare -rm)");
    }
    let lines = lines_of(&command(&mount, "fill", &scratch, 0).output().unwrap());
    let [large, small, on] = &lines[..] else { panic!("{lines:?}") };
    for error in [large, small] {
        assert!(error.starts_with(&format!("error cannot write {package}/.forall/p-")), "{error}");
        assert!(error.contains("No space left on device"), "{error}");
        assert!(error.ends_with("; make room, or set FORALL_STORE to another directory, or to `off`"), "{error}");
    }
    assert_eq!(on, "and on");
}

#[test]
fn a_limit_on_file_sizes_is_reported_and_saved_failures_stay() {
    let scratch = Scratch::new("limit");
    // The signal is ignored, so that the write fails instead.
    let limit = ["bash", "-c", r#"trap "" XFSZ; ulimit -f 256; exec "$@""#, "limit"];
    if Command::new("bash").args(["-c", "true"]).output().is_err() {
        return skip("a_limit_on_file_sizes_is_reported_and_saved_failures_stay", "no bash");
    }
    let lines = lines_of(&command(&limit, "fill", &scratch, 0).output().unwrap());
    let [large, on] = &lines[..] else { panic!("{lines:?}") };
    assert!(large.contains("File too large") && large.contains("; make room, or set FORALL_STORE"), "{large}");
    assert_eq!(on, "and on");
}

#[test]
fn a_directory_that_cannot_be_written_is_one_clear_error() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let scratch = Scratch::new("unwritable");
    fs::set_permissions(&*scratch, PermissionsExt::from_mode(0o555)).unwrap();
    let mut command = command(&[], "save", &scratch, 1);
    if fs::write(scratch.join("probe"), "").is_ok() {
        // Root may write everywhere: another user tries. The binary must be where they can run it.
        fs::remove_file(scratch.join("probe")).unwrap();
        let reachable = Scratch::new("reachable");
        let copy = reachable.join("store-tests");
        fs::copy(env::current_exe().unwrap(), &copy).unwrap();
        let mut command_of_nobody = Command::new(&copy);
        command_of_nobody
            .args(command.get_args())
            .envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))))
            .uid(NOBODY)
            .current_dir("/");
        // A process that another test started meanwhile may still have the copy open for writing.
        let output = (0..1000)
            .map(|_| command_of_nobody.output())
            .find(|output| !matches!(output, Err(error) if error.kind() == ErrorKind::ExecutableFileBusy))
            .expect("the copy is not open for seconds");
        return match output {
            Ok(output) => assert_unwritable(&scratch, &lines_of(&output)),
            Err(error) => skip("a_directory_that_cannot_be_written_is_one_clear_error", &error.to_string()),
        };
    }
    let output = command.output().unwrap();
    assert_unwritable(&scratch, &lines_of(&output));
    fs::set_permissions(&*scratch, PermissionsExt::from_mode(0o755)).unwrap();
}

fn assert_unwritable(scratch: &Path, lines: &[String]) {
    let expected = format!(
        "error cannot make the directory {}: Permission denied (os error 13); make it writable, or set FORALL_STORE to \
         another directory, or to `off`",
        scratch.join(".forall").display()
    );
    assert_eq!(lines, [expected]);
}

/// A power failure cannot be tested here; that everything is flushed in the right order can.
#[test]
fn an_entry_is_synced_then_renamed_then_its_directory_is_synced() {
    const TEST: &str = "an_entry_is_synced_then_renamed_then_its_directory_is_synced";
    let scratch = Scratch::new("flushed");
    let trace = scratch.join("trace");
    let strace = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-e",
        "trace=mkdir,mkdirat,fsync,rename,renameat,renameat2",
        "-o",
        trace.to_str().unwrap(),
    ];
    if !Command::new("strace")
        .args(["-qq", "-e", "trace=none", "true"])
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return skip(TEST, "no strace that works");
    }
    let lines = lines_of(&command(&strace, "save", &scratch, 1).output().unwrap());
    let path = lines[0].strip_prefix("saved ").unwrap();
    let folder = Path::new(path).parent().unwrap().display().to_string();
    let package = scratch.display().to_string();
    let trace = fs::read_to_string(&trace).unwrap();
    let calls: Vec<&str> = trace.lines().filter(|line| line.contains(&package)).collect();
    let at = |what: &str, matches: &dyn Fn(&str) -> bool| {
        calls.iter().position(|call| matches(call)).unwrap_or_else(|| panic!("no {what} in\n{trace}"))
    };
    let flush = |path: &str| {
        at(&format!("flush of {path}"), &|call| call.contains("fsync") && call.contains(&format!("<{path}>")))
    };
    let written = at("flush of the file", &|call| call.contains("fsync") && call.contains(&format!("<{folder}/tmp-")));
    let named = at("rename", &|call| call.contains("rename") && call.contains(path));
    let root_made = at("mkdir", &|call| call.contains("mkdir") && call.contains(".forall\""));
    let folder_made = at("mkdir", &|call| call.contains("mkdir") && call.contains(&format!("{folder}\"")));
    assert!(written < named, "{trace}");
    assert!(
        calls[named..].iter().any(|call| call.contains("fsync") && call.contains(&format!("<{folder}>"))),
        "{trace}"
    );
    assert!(root_made < flush(&package), "the package's directory names the store for good\n{trace}");
    assert!(
        calls[folder_made..]
            .iter()
            .any(|call| call.contains("fsync") && call.contains(&format!("<{package}/.forall>"))),
        "the store names the folder for good\n{trace}"
    );
}
