//! Recorded sessions between a client and a server.

use crate::bytes;
use std::path::Path;

/// A step of a session.
pub enum Step {
    /// A file with these bytes exists before the next command.
    File(String, Vec<u8>),
    /// A directory exists before the next command.
    Directory(String),
    /// The client sends a line.
    Send(String),
    /// The server sends a line.
    Receive(String),
    /// A file has these bytes after the last command.
    Wrote(String, Vec<u8>),
}

/// A recorded session.
pub struct Session {
    /// The name of the recording's file.
    pub name: String,
    /// The program of the server.
    pub program: String,
    /// The server's command line.
    pub arguments: String,
    /// The steps.
    pub steps: Vec<Step>,
    /// The server's standard error.
    pub complaints: Vec<String>,
    /// The exit status; 128 plus the signal's number, if a signal ended the server.
    pub status: i32,
}

impl Session {
    /// Reads a recording.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let mut session = Self {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            program: String::new(),
            arguments: String::new(),
            steps: Vec::new(),
            complaints: Vec::new(),
            status: 0,
        };
        for line in text.lines() {
            session.line(line);
        }
        Ok(session)
    }

    fn line(&mut self, line: &str) {
        let file = |rest: &str| {
            let (name, hex) = rest.split_once(" =").unwrap_or((rest, ""));
            (name.to_owned(), bytes(hex.trim()))
        };
        if let Some(rest) = line.strip_prefix("# program ") {
            self.program = rest.split(".fut").next().unwrap_or_default().to_owned();
        } else if let Some(rest) = line.strip_prefix("# start ./") {
            self.arguments = rest.split_once(' ').map_or(String::new(), |(_, arguments)| arguments.to_owned());
        } else if let Some(rest) = line.strip_prefix("# file ") {
            let (name, bytes) = file(rest);
            self.steps.push(Step::File(name, bytes));
        } else if let Some(rest) = line.strip_prefix("# directory ") {
            self.steps.push(Step::Directory(rest.to_owned()));
        } else if let Some(rest) = line.strip_prefix("# wrote ") {
            let (name, bytes) = file(rest);
            self.steps.push(Step::Wrote(name, bytes));
        } else if let Some(rest) = line.strip_prefix("! exit ") {
            self.status = rest.parse().unwrap_or(-1);
        } else if let Some(rest) = line.strip_prefix("! ") {
            self.complaints.push(rest.to_owned());
        } else if let Some(rest) = line.strip_prefix('>') {
            self.steps.push(Step::Send(rest.strip_prefix(' ').unwrap_or(rest).to_owned()));
        } else if let Some(rest) = line.strip_prefix('<') {
            self.steps.push(Step::Receive(rest.strip_prefix(' ').unwrap_or(rest).to_owned()));
        }
    }

    /// Returns all lines that the server sent.
    pub fn received(&self) -> Vec<&str> {
        let mut all = Vec::new();
        for step in &self.steps {
            if let Step::Receive(line) = step {
                all.push(line.as_str());
            }
        }
        all
    }
}

/// Plays the server of a session: answers as recorded, as long as the commands match the recording byte by byte.
pub fn play(session: &Session) -> ! {
    use std::io::{BufRead, Write};
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    for step in &session.steps {
        match step {
            Step::Send(wanted) => {
                let _ = output.flush();
                let mut heard = Vec::new();
                let _ = input.read_until(b'\n', &mut heard);
                if heard != [wanted.as_bytes(), b"\n"].concat() {
                    eprintln!("heard {:?}, recorded {wanted:?}", String::from_utf8_lossy(&heard));
                    std::process::exit(99);
                }
            }
            Step::Receive(line) => {
                let _ = writeln!(output, "{line}");
            }
            Step::Wrote(name, bytes) => {
                let _ = std::fs::write(name, bytes);
            }
            Step::File(..) | Step::Directory(_) => {}
        }
    }
    let _ = output.flush();
    let is_spoken_to = session.received().contains(&"%%% OK");
    if session.status == 0 && is_spoken_to {
        // Continues until the client closes the input.
        let mut rest = Vec::new();
        let _ = std::io::Read::read_to_end(&mut input, &mut rest);
        if !rest.is_empty() {
            eprintln!("heard more than was recorded");
            std::process::exit(99);
        }
    }
    for complaint in &session.complaints {
        eprintln!("{complaint}");
    }
    match session.status {
        signal @ 129.. => {
            use std::os::unix::process::CommandExt;
            let kill = format!("kill -{} $$", signal - 128);
            let error = std::process::Command::new("sh").args(["-c", &kill]).exec();
            eprintln!("{error}");
            std::process::exit(98)
        }
        status => std::process::exit(status),
    }
}
