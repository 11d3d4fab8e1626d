//! Our server against the recorded client: each recorded session is replayed, and answered as the real server answered.

use forall_futhark_tests::{bytes, hex, twin};
use std::path::{Path, PathBuf};

/// Sessions that end in a defect of the recorded server, which ours does not have.
const DEFECTS: &[(&str, &str)] = &[
    ("fatal_free_uninitialised", "to free what a failed command left behind ends the recorded server by a bad pointer"),
    ("fatal_project_unknown", "the recorded server ends by a bad pointer; ours with a message"),
];

/// What is otherwise on purpose: session, what the recorded server said or wrote, what ours does, and why.
const OTHERWISE: &[(&str, &str, &str, &str)] = &[
    ("new_fail", "1 fields expected but 2 values provided.", "2 fields expected but 1 values provided.", NEW),
    ("new_fail", "3 fields expected but 2 values provided.", "2 fields expected but 3 values provided.", NEW),
    ("new_fail", "0 fields expected but 2 values provided.", "2 fields expected but 0 values provided.", NEW),
    ("units", "1 fields expected but 0 values provided.", "0 fields expected but 1 values provided.", NEW),
    ("prims", "620200626f6f6c02", "620200626f6f6c01", "a truth value other than 0 and 1 stays what it is"),
    ("ranks", SET_WRONG, SET_RIGHT, "`set` writes to the wrong place of arrays that are not square"),
    ("faults", MEMORY, "{\"memory\":{\"default space\": 0},\"events\":[]}", "ours does not count memory"),
];

const NEW: &str = "`new` says the two numbers the wrong way round";
const SET_WRONG: &str = "62020220693634020000000000000003000000000000000a0000000000000014000000000000001e00000000000000\
    140000000000000001000000000000003c00000000000000";
const SET_RIGHT: &str = "62020220693634020000000000000003000000000000000a0000000000000014000000000000001e00000000000000\
    140000000000000028000000000000000100000000000000";
const MEMORY: &str = "{\"memory\":{\"default space\": 36},\"events\":[]}";

fn is_otherwise(session: &str, recorded: &str, ours: &str) -> bool {
    OTHERWISE.iter().any(|(name, said, says, _)| (*name, *said, *says) == (session, recorded, ours))
}

/// What a session says and expects.
enum Step {
    File(String, Vec<u8>),
    Directory(String),
    Send(String),
    Wrote(String, Vec<u8>),
}

struct Session {
    name: String,
    program: String,
    arguments: String,
    steps: Vec<Step>,
    received: Vec<String>,
    /// What the server said on its standard error.
    complaints: Vec<String>,
    status: i32,
}

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings")
}

fn read(path: &Path) -> Session {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut session = Session {
        name,
        program: String::new(),
        arguments: String::new(),
        steps: Vec::new(),
        received: Vec::new(),
        complaints: Vec::new(),
        status: 0,
    };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# program ") {
            session.program = rest.split(".fut").next().unwrap().to_owned();
        } else if let Some(rest) = line.strip_prefix("# start ./") {
            session.arguments = rest.split_once(' ').map_or(String::new(), |(_, arguments)| arguments.to_owned());
        } else if let Some(rest) = line.strip_prefix("# file ") {
            let (file, hex) = rest.split_once(" =").unwrap();
            session.steps.push(Step::File(file.to_owned(), bytes(hex.trim())));
        } else if let Some(rest) = line.strip_prefix("# directory ") {
            session.steps.push(Step::Directory(rest.to_owned()));
        } else if let Some(rest) = line.strip_prefix("# wrote ") {
            let (file, hex) = rest.split_once(" =").unwrap();
            session.steps.push(Step::Wrote(file.to_owned(), bytes(hex.trim())));
        } else if let Some(rest) = line.strip_prefix("> ") {
            session.steps.push(Step::Send(rest.to_owned()));
        } else if let Some(rest) = line.strip_prefix("< ") {
            session.received.push(rest.to_owned());
        } else if let Some(rest) = line.strip_prefix("! exit ") {
            session.status = rest.parse().unwrap();
        } else if let Some(rest) = line.strip_prefix("! ") {
            session.complaints.push(rest.to_owned());
        } else if line == "<" {
            session.received.push(String::new());
        } else if line == ">" {
            session.steps.push(Step::Send(String::new()));
        }
    }
    session
}

/// The number of a run time is another one each time.
fn without_times(line: &str) -> String {
    if line.starts_with("runtime: ") { "runtime: 0".to_owned() } else { line.to_owned() }
}

/// Replays a session in a directory of its own; what is different.
fn replay(session: &Session) -> Option<String> {
    use std::io::Write;
    let directory = std::env::temp_dir().join(format!("forall-transcript-{}-{}", std::process::id(), session.name));
    std::fs::create_dir_all(&directory).unwrap();
    let server = env!("CARGO_BIN_EXE_forall-futhark-tests");
    let mut child = std::process::Command::new(server)
        .arg(&session.program)
        .current_dir(&directory)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut received = Vec::new();
    let mut hear = |received: &mut Vec<String>| {
        for line in output.by_ref() {
            let line = without_times(&line.unwrap());
            let is_last = line == "%%% OK";
            received.push(line);
            if is_last {
                break;
            }
        }
    };
    hear(&mut received);
    let mut difference = None;
    for step in &session.steps {
        match step {
            Step::File(name, bytes) => std::fs::write(directory.join(name), bytes).unwrap(),
            Step::Directory(name) => std::fs::create_dir_all(directory.join(name)).unwrap(),
            Step::Send(line) => {
                let _ = writeln!(input, "{line}");
                hear(&mut received);
            }
            Step::Wrote(name, wanted) => {
                let got = std::fs::read(directory.join(name)).unwrap_or_default();
                let (got, wanted) = (hex(&got), hex(wanted));
                if got != wanted && !is_otherwise(&session.name, &wanted, &got) && difference.is_none() {
                    difference = Some(format!("{name}: wrote {got}, recorded {wanted}"));
                }
            }
        }
    }
    drop(input);
    let ended = child.wait_with_output().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let differs = |at: &usize| match (session.received.get(*at), received.get(*at)) {
        (Some(recorded), Some(ours)) => recorded != ours && !is_otherwise(&session.name, recorded, ours),
        _ => true,
    };
    if let Some(at) = (0..session.received.len().max(received.len())).find(differs) {
        let before = &session.received[at.saturating_sub(3)..at.min(session.received.len())];
        difference = Some(format!(
            "line {at}: {:?}, recorded {:?}, after {before:?}",
            received.get(at),
            session.received.get(at)
        ));
    }
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    for complaint in &session.complaints {
        let message = complaint.split_once(": ").map_or(&**complaint, |(_, message)| message);
        if !stderr.contains(message) && difference.is_none() {
            difference = Some(format!("said {stderr:?}, recorded {complaint:?}"));
        }
    }
    if ended.status.code() != Some(session.status) && difference.is_none() {
        difference = Some(format!("ended with {}, recorded {}", ended.status, session.status));
    }
    difference
}

#[test]
fn sessions_are_answered_as_recorded() {
    let mut replayed = 0;
    let mut differences = Vec::new();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(recordings().join("transcripts")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let session = read(&path);
        // Options of the compiler's servers are their own; programs about properties have tests of their own.
        if !session.arguments.is_empty() || twin(&session.program).is_none() {
            continue;
        }
        let is_defect = DEFECTS.iter().any(|(name, _)| *name == session.name);
        match replay(&session) {
            Some(difference) if !is_defect => differences.push(format!("{}: {difference}", session.name)),
            None if is_defect => differences.push(format!("{}: listed as a defect, and yet the same", session.name)),
            _ => replayed += 1,
        }
    }
    assert!(differences.is_empty(), "{}\n({replayed} are as recorded)", differences.join("\n"));
    assert!(replayed > 60, "only {replayed}");
}
