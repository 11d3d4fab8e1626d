//! Our server against the recorded client: each recorded session is replayed, and the answers must match those of the
//! real server.

use forall_futhark_tests::session::{Session, Step};
use forall_futhark_tests::{hex, twin};
use std::path::{Path, PathBuf};

/// Sessions that end in a bug of the recorded server, which our server does not have.
const DEFECTS: &[(&str, &str)] = &[
    ("fatal_free_uninitialised", "to free what a failed command left behind ends the recorded server by a bad pointer"),
    ("fatal_project_unknown", "the recorded server ends by a bad pointer; ours with a message"),
];

/// Intentional differences: the session, the recorded output, our output, and the reason.
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

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings")
}

/// Removes run times, which differ each time.
fn without_times(line: &str) -> String {
    if line.starts_with("runtime: ") { "runtime: 0".to_owned() } else { line.to_owned() }
}

/// Replays a session in a separate directory. Returns the differences.
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
            Step::Receive(_) => {}
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
    let recorded = session.received();
    let differs = |at: &usize| match (recorded.get(*at), received.get(*at)) {
        (Some(recorded), Some(ours)) => recorded != ours && !is_otherwise(&session.name, recorded, ours),
        _ => true,
    };
    if let Some(at) = (0..recorded.len().max(received.len())).find(differs) {
        let before = &recorded[at.saturating_sub(3)..at.min(recorded.len())];
        difference =
            Some(format!("line {at}: {:?}, recorded {:?}, after {before:?}", received.get(at), recorded.get(at)));
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
        let session = Session::read(&path).unwrap();
        // The options of compiled servers do not apply to ours; programs about properties are tested separately.
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
