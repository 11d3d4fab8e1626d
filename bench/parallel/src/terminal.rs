//! A terminal on which the progress line is drawn.

use nix::pty::openpty;
use nix::unistd::{dup, dup2_stderr};
use std::fs::File;
use std::io::{Read, stderr};
use std::thread;

/// Runs `body` with a terminal as its standard error. The output is read, as by a terminal, and dropped.
pub fn on_a_terminal<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    let failed = |what: &'static str| move |error: nix::Error| format!("{what}: {error}");
    let terminal = openpty(None, None).map_err(failed("cannot make a terminal"))?;
    let before = dup(stderr()).map_err(failed("cannot keep standard error"))?;
    let mut screen = File::from(terminal.master);
    // The thread ends when the other side is closed.
    let reader = thread::spawn(move || while screen.read(&mut [0; 1024]).is_ok_and(|read| read > 0) {});
    dup2_stderr(&terminal.slave).map_err(failed("cannot write to the terminal"))?;
    drop(terminal.slave);
    let result = body();
    dup2_stderr(&before).map_err(failed("cannot give standard error back"))?;
    reader.join().map_err(|_| "the terminal was not read".to_owned())?;
    Ok(result)
}
