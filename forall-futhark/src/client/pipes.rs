//! Named pipes for short results: a server writes one as it writes a file, at half the cost of a file in memory, whose
//! pages are freed and allocated again for each result.

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Pipe;
#[cfg(target_os = "linux")]
pub(super) use linux::Pipe;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
    use std::fs::File;
    use std::io::{self, ErrorKind, Read};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::{Path, PathBuf};

    /// The number of bytes that are read at once: more than the results of one round.
    const PIECE: usize = 1 << 12;

    /// A named pipe that the server writes, and this process reads.
    pub(in crate::client) struct Pipe {
        path: PathBuf,
        file: File,
        bytes: Vec<u8>,
    }

    impl Pipe {
        /// Creates a pipe; `None` if that is not possible here.
        pub(in crate::client) fn create(path: &Path) -> Option<Self> {
            mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).ok()?;
            // With both ends open here, the server never waits for a reader.
            let flags = OFlags::NONBLOCK.bits().cast_signed();
            let file = File::options().read(true).write(true).custom_flags(flags).open(path).ok()?;
            Some(Self { path: path.to_owned(), file, bytes: Vec::new() })
        }

        pub(in crate::client) fn is_at(&self, path: &Path) -> bool {
            self.path.as_os_str() == path.as_os_str()
        }

        /// Returns the contents, and empties the pipe; `None` if the pipe was removed.
        pub(in crate::client) fn read(&mut self) -> io::Result<Option<&[u8]>> {
            let mut length = 0;
            loop {
                self.bytes.resize(self.bytes.len().max(length + PIECE), 0);
                let room = self.bytes.len() - length;
                match self.file.read(&mut self.bytes[length..]) {
                    Ok(read) => {
                        length += read;
                        if read < room {
                            break;
                        }
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
            // Checked only here, since it costs as much as reading.
            let is_removed = length == 0 && self.file.metadata()?.nlink() == 0;
            Ok((!is_removed).then_some(&self.bytes[..length]))
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;
    use std::path::Path;

    /// Stub; never constructed on this platform.
    pub(in crate::client) enum Pipe {}

    impl Pipe {
        pub(in crate::client) fn create(_: &Path) -> Option<Self> {
            None
        }

        pub(in crate::client) fn is_at(&self, _: &Path) -> bool {
            match *self {}
        }

        pub(in crate::client) fn read(&mut self) -> io::Result<Option<&[u8]>> {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Pipe;

    #[test]
    fn a_pipe_is_written_as_a_file_and_emptied_by_reading() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        let mut pipe = Pipe::create(&path).unwrap();
        assert_eq!(pipe.read().unwrap(), Some(&b""[..]));
        for contents in [&b"first"[..], &[7; 5000]] {
            std::fs::write(&path, contents).unwrap();
            assert_eq!(pipe.read().unwrap(), Some(contents));
            assert_eq!(pipe.read().unwrap(), Some(&b""[..]));
        }
        assert!(Pipe::create(&path).is_none(), "there is one already");
    }

    #[test]
    fn a_pipe_that_was_replaced_by_a_file_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        let mut pipe = Pipe::create(&path).unwrap();
        std::fs::write(directory.path().join("new"), "result").unwrap();
        std::fs::rename(directory.path().join("new"), &path).unwrap();
        assert_eq!(pipe.read().unwrap(), None);
    }
}
