//! A server for a twin with one fault: the n-th answer is wrong, in a selectable way.
//!
//! The server creates a file just before the fault, so that a test can check whether the run got that far.

use forall_futhark::serve::Program;
use std::cell::RefCell;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The kinds of faults.
pub const FAULTS: &[&str] = &[
    "abort",
    "exit",
    "fail",
    "segv",
    "kill",
    "hang",
    "close",
    "half",
    "garble",
    "junk",
    "binary",
    "twice",
    "never",
    "refuse",
    "nothing_stored",
    "half_stored",
    "other_stored",
    "more_stored",
];

/// Returns whether a fault is a response that violates the protocol: unlike a crash or a timeout, it implies nothing about
/// the candidate.
pub fn breaks_protocol(fault: &str) -> bool {
    fault.ends_with("_stored") || ["junk", "binary", "chatty", "twice", "refuse"].contains(&fault)
}

/// The flag of `open` on Linux, the only system where results are stored in named pipes.
const O_NONBLOCK: i32 = 0o4000;

/// Serves a program whose answer number `at` is faulty.
pub fn serve(program: &Program, fault: &str, at: u64, mark: PathBuf) -> ! {
    let command = Rc::new(RefCell::new(String::new()));
    let mut input = Heard { input: io::stdin().lock(), command: command.clone() };
    let mut output = Faulty { fault: fault.to_owned(), at, said: 0, mark, command, answer: Vec::new() };
    match program.answer(&mut input, &mut output) {
        Ok(()) => std::process::exit(0),
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(1)
        }
    }
}

/// An input that records the last line.
struct Heard<R> {
    input: R,
    command: Rc<RefCell<String>>,
}

impl<R: BufRead> Read for Heard<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.input.read(bytes)
    }
}

impl<R: BufRead> BufRead for Heard<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.input.consume(count);
    }

    fn read_until(&mut self, end: u8, line: &mut Vec<u8>) -> io::Result<usize> {
        let read = self.input.read_until(end, line)?;
        *self.command.borrow_mut() = String::from_utf8_lossy(line).into_owned();
        Ok(read)
    }
}

/// An output with one faulty answer.
struct Faulty {
    fault: String,
    at: u64,
    said: u64,
    mark: PathBuf,
    command: Rc<RefCell<String>>,
    /// The part of the current answer that was written so far.
    answer: Vec<u8>,
}

impl Faulty {
    /// Returns whether the current answer is the faulty one. For faults of `store`, that is the first answer to a
    /// `store` from that number on.
    fn is_now(&mut self) -> bool {
        self.said += 1;
        let is_about_stores = self.fault.ends_with("_stored");
        match is_about_stores {
            true => self.said >= self.at && self.command.borrow().starts_with("store ") && !self.mark.exists(),
            false => self.said == self.at,
        }
    }

    /// Returns the file of the last command, which is a `store`.
    fn stored(&self) -> PathBuf {
        self.command.borrow().split_whitespace().nth(1).unwrap_or_default().into()
    }

    fn say(bytes: &[u8]) -> io::Result<()> {
        let mut output = io::stdout().lock();
        output.write_all(bytes).and_then(|()| output.flush())
    }

    fn go_wrong(&self, answer: &[u8]) -> io::Result<()> {
        let end_by = |signal: &str| {
            let own = std::process::id().to_string();
            let _ = std::process::Command::new("kill").args([signal, &own]).status();
            std::thread::sleep(Duration::from_secs(3600));
        };
        match &*self.fault {
            "abort" => std::process::abort(),
            "exit" => std::process::exit(0),
            "fail" => {
                eprintln!("out of memory");
                std::process::exit(3)
            }
            "segv" => end_by("-SEGV"),
            "kill" => end_by("-KILL"),
            "hang" => std::thread::sleep(Duration::from_secs(3600)),
            "close" => {
                Self::say(&answer[..answer.len() / 2])?;
                std::process::exit(0)
            }
            "half" => {
                Self::say(&answer[..answer.len() / 2])?;
                std::thread::sleep(Duration::from_secs(3600));
            }
            "garble" => return Self::say(&answer.iter().map(|byte| byte ^ 0x2a).collect::<Vec<u8>>()),
            "junk" => return Self::say(&[b"\xff\xfe\n", answer].concat()),
            "binary" => return Self::say(&[&(0..=255).collect::<Vec<u8>>()[..], answer].concat()),
            "chatty" => return Self::say(&[b"hello\n", answer].concat()),
            "twice" => return Self::say(&[answer, b"%%% OK\n"].concat()),
            "never" => return Ok(()),
            "refuse" => return Self::say(b"%%% FAILURE\nUnknown variable: x\n%%% OK\n"),
            "nothing_stored" => std::fs::remove_file(self.stored())?,
            "half_stored" => {
                let bytes = taken(&self.stored())?;
                std::fs::write(self.stored(), &bytes[..bytes.len() / 2])?;
            }
            "other_stored" => {
                taken(&self.stored())?;
                std::fs::write(self.stored(), b"b\x02\x00  u8\x01")?;
            }
            "more_stored" => {
                let bytes = taken(&self.stored())?;
                std::fs::write(self.stored(), [&bytes[..], b"b\x02\x00bool\x01"].concat())?;
            }
            other => {
                eprintln!("no fault is called {other}");
                std::process::exit(2)
            }
        }
        Self::say(answer)
    }
}

/// Returns the contents of a file, or of a named pipe, which is empty afterwards.
fn taken(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.file_type().is_fifo() {
        return std::fs::read(path);
    }
    // The client keeps the pipe open, so it has no end.
    let mut pipe = std::fs::File::options().read(true).custom_flags(O_NONBLOCK).open(path)?;
    let mut bytes = Vec::new();
    match pipe.read_to_end(&mut bytes) {
        Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
        _ => Ok(bytes),
    }
}

impl Write for Faulty {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.answer.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let answer = std::mem::take(&mut self.answer);
        if self.is_now() {
            std::fs::write(&self.mark, self.command.borrow().as_bytes())?;
            self.go_wrong(&answer)
        } else {
            Self::say(&answer)
        }
    }
}
