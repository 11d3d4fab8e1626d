//! The client against the recorded servers, byte by byte. Each recorded session is replayed to a server that continues
//! only as long as it receives the recorded commands, and the client must read the answers as recorded.

use forall_futhark::client::{Connection, Error, Lost, Options, Refused};
use forall_futhark::protocol::{FAILURE, OK, join, split};
use forall_futhark_tests::session::{Session, Step};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SERVER: &str = env!("CARGO_BIN_EXE_forall-futhark-tests");

/// The recorded answer to a command.
#[derive(Debug, PartialEq)]
enum Answer {
    Said(Vec<String>),
    Refused(Vec<String>, Vec<String>),
    /// The server ended, after this output.
    Lost(Vec<String>),
}

fn recorded(lines: &[String]) -> Answer {
    // Output after the end of input belongs to no command.
    let Some(end) = lines.iter().position(|line| line == OK) else { return Answer::Lost(lines.to_vec()) };
    let said = &lines[..end];
    match said.iter().position(|line| line == FAILURE) {
        Some(at) => Answer::Refused(said[..at].to_vec(), said[at + 1..].to_vec()),
        None => Answer::Said(said.to_vec()),
    }
}

fn understood(answer: Result<Vec<String>, Error>) -> (Answer, Option<Lost>) {
    match answer {
        Ok(lines) => (Answer::Said(lines), None),
        Err(Error::Refused(Refused { before, message, .. })) => (Answer::Refused(before, message), None),
        Err(Error::Lost(lost)) => (Answer::Lost(lost.partial.clone()), Some(*lost)),
        Err(other) => panic!("{other}"),
    }
}

/// Returns each command with the server's output.
fn exchanges(session: &Session) -> Vec<(Option<&str>, Vec<String>)> {
    let mut all: Vec<(Option<&str>, Vec<String>)> = vec![(None, Vec::new())];
    for step in &session.steps {
        match step {
            Step::Send(line) => all.push((Some(line), Vec::new())),
            Step::Receive(line) => all.last_mut().unwrap().1.push(line.clone()),
            _ => {}
        }
    }
    all
}

/// Replays a session. Returns the differences.
fn replay(path: &Path) -> Option<String> {
    let session = Session::read(path).unwrap();
    let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let directory =
        std::env::temp_dir().join(format!("forall-client-{}-{folder}-{}", std::process::id(), session.name));
    std::fs::create_dir_all(&directory).unwrap();
    let options = Options::default()
        .timeout(Duration::from_secs(2))
        .argument("play")
        .argument(path.to_string_lossy())
        .directory(&directory);
    let mut difference = None;
    let mut lost = None;
    let mut connection = None;
    for (command, lines) in exchanges(&session) {
        let answer = match (command, &mut connection) {
            (None, _) => match Connection::start(SERVER, &options) {
                Ok(started) => {
                    connection = Some(started);
                    Ok(Vec::new())
                }
                Err(error) => Err(error),
            },
            (Some(line), Some(connection)) => {
                // The joined words equal the recorded line, if its words are separated by single blanks.
                let words = split(line);
                match join(&words) {
                    Some(joined) if joined == line => connection.ask(&words),
                    _ => connection.ask_all(&[line.to_owned()]).pop().unwrap(),
                }
            }
            (Some(line), None) => panic!("{line} to no server"),
        };
        let (got, how) = understood(answer);
        lost = how.or(lost);
        let mut wanted = recorded(&lines);
        // The client keeps at most this many lines of the output before a server's end.
        if let Answer::Lost(said) = &mut wanted {
            said.truncate(20);
        }
        if got != wanted && difference.is_none() {
            difference = Some(format!("after {command:?}: understood {got:?}, recorded {wanted:?}"));
        }
        if lost.is_some() {
            break;
        }
    }
    let status = match (&lost, connection) {
        (Some(lost), _) => lost.status,
        (None, Some(connection)) => connection.stop(),
        (None, None) => None,
    };
    let code = status.and_then(|status| {
        use std::os::unix::process::ExitStatusExt;
        status.code().or(status.signal().map(|signal| 128 + signal))
    });
    std::fs::remove_dir_all(&directory).unwrap();
    if difference.is_none() && code != Some(session.status) {
        difference = Some(format!("ended with {code:?}, recorded {}", session.status));
    }
    if let (None, Some(lost)) = (&difference, &lost) {
        let missing = session.complaints.iter().find(|complaint| !lost.stderr.contains(&**complaint));
        difference = missing.map(|complaint| format!("{complaint:?} is not in {:?}", lost.stderr));
    }
    difference.map(|difference| format!("{folder}/{}: {difference}", session.name))
}

#[test]
fn the_client_supports_all_recorded_servers() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["transcripts", "legacy", "traffic"] {
        let entries = std::fs::read_dir(recordings.join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.sort();
    let differences: Vec<String> = paths.iter().filter_map(|path| replay(path)).collect();
    assert!(differences.is_empty(), "{}\n{} of {} differ", differences.join("\n"), differences.len(), paths.len());
    assert!(paths.len() > 120, "only {}", paths.len());
}
