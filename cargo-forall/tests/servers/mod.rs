//! Servers that tests start, and what they say where a program is missing.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A server of a test's own. Killed when it is dropped.
pub struct Running(Child);

impl Running {
    /// Starts it, and waits until it listens.
    pub fn start(command: &mut Command, port: u16) -> Self {
        let running = Self(command.spawn().unwrap());
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Says that a test could not be made, which is a failure where all tools are asked for.
pub fn skipped(test: &str, why: &str) {
    println!("SKIPPED {test}: {why}");
    assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{why}");
}

/// Whether there is a program of this name.
pub fn installed(program: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status().unwrap().success()
}
