//! The jobserver of GNU make: a pipe with one byte for each job that may run in addition to the first.

use std::fs::{File, OpenOptions, metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};

/// `O_NONBLOCK`, which is the same on all Linux architectures that Rust's standard library supports, except MIPS and
/// SPARC.
const NONBLOCKING: i32 = 0o4000;

/// A byte that was read and has to be written back.
pub(crate) struct Token(u8);

pub(super) struct Jobserver(Option<File>);

impl Jobserver {
    /// The jobserver that `MAKEFLAGS` names. A flag that names no open pipe is ignored: make closes the pipe for rules
    /// that are not marked with `+`.
    pub(super) fn of_the_environment() -> Self {
        let flags = std::env::var("MAKEFLAGS").unwrap_or_default();
        Self(
            path(&flags)
                .and_then(|path| OpenOptions::new().read(true).write(true).custom_flags(NONBLOCKING).open(path).ok()),
        )
    }

    /// Takes a token, or returns an error if none is available now. Without a jobserver, none is needed.
    pub(super) fn take(&self) -> io::Result<Option<Token>> {
        let Some(mut pipe) = self.0.as_ref() else { return Ok(None) };
        let mut byte = [0];
        match pipe.read(&mut byte)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(Some(Token(byte[0]))),
        }
    }

    pub(super) fn give_back(&self, token: Token) {
        if let Some(mut pipe) = self.0.as_ref() {
            // Errors are ignored: a pipe that is full or closed does not need the token.
            let _ = pipe.write(&[token.0]);
        }
    }
}

/// The last pipe that the flags name.
fn path(flags: &str) -> Option<String> {
    let flag = |word: &'static str| move |flag: &str| flag.strip_prefix(word).map(str::to_owned);
    let named = flags
        .split_whitespace()
        .rev()
        .find_map(|word| flag("--jobserver-auth=")(word).or_else(|| flag("--jobserver-fds=")(word)))?;
    let is_pipe = |path: &str| metadata(path).ok().filter(|file| file.file_type().is_fifo());
    if let Some(path) = named.strip_prefix("fifo:") {
        return is_pipe(path).map(|_| path.to_owned());
    }
    let (read, write) = named.split_once(',')?;
    let of = |number: &str| number.parse::<u32>().ok().map(|number| format!("/proc/self/fd/{number}"));
    let (read, write) = (of(read)?, of(write)?);
    // Both are ends of one pipe; otherwise make has closed them, and they are something else.
    let (one, other) = (is_pipe(&read)?, is_pipe(&write)?);
    ((one.dev(), one.ino()) == (other.dev(), other.ino())).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_without_an_open_pipe_name_no_jobserver() {
        for flags in
            ["", "-j8", "--jobserver-auth=fifo:/nowhere/pipe", "--jobserver-auth=990,991", "--jobserver-fds=-2,-2"]
        {
            assert_eq!(path(flags), None, "{flags}");
        }
        let directory = std::env::temp_dir();
        assert_eq!(path(&format!(" -j --jobserver-auth=fifo:{}", directory.display())), None, "a directory");
    }

    #[test]
    fn tokens_are_taken_from_both_ends_of_a_pipe_and_written_back() {
        let (reader, mut writer) = io::pipe().unwrap();
        use std::os::fd::AsRawFd;
        let flags = format!("-j3 --jobserver-auth={},{}", reader.as_raw_fd(), writer.as_raw_fd());
        let pipe = OpenOptions::new().read(true).write(true).custom_flags(NONBLOCKING).open(path(&flags).unwrap());
        let jobserver = Jobserver(Some(pipe.unwrap()));
        writer.write_all(b"+x").unwrap();
        let first = jobserver.take().unwrap().unwrap();
        let second = jobserver.take().unwrap().unwrap();
        assert!(jobserver.take().is_err(), "there are two");
        jobserver.give_back(first);
        assert_eq!(jobserver.take().unwrap().unwrap().0, b'+');
        jobserver.give_back(second);
        let flags = format!("--jobserver-auth={},{}", reader.as_raw_fd(), io::pipe().unwrap().0.as_raw_fd());
        assert_eq!(path(&flags), None, "ends of two pipes");
    }
}
