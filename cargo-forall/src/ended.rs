//! How a test program ended.

use crate::status::time;
use std::process::ExitStatus;
use std::time::Duration;

/// How a process ended without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a signal.
    Signal(i32),
    /// With this exit code.
    Exit(i32),
    /// It was killed by us: an execution took longer than this.
    Hung(Duration),
}

impl How {
    /// What the system says of it.
    pub fn of(status: ExitStatus) -> Self {
        match signal(status) {
            Some(signal) => How::Signal(signal),
            None => How::Exit(status.code().unwrap_or(0)),
        }
    }

    /// As the test program is told.
    pub fn word(self) -> String {
        match self {
            How::Signal(signal) => format!("signal-{signal}"),
            How::Exit(code) => format!("exit-{code}"),
            How::Hung(time) => format!("hung-{}", time.as_millis()),
        }
    }
}

impl std::fmt::Display for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            How::Signal(signal) => {
                let name = match signal {
                    4 => "SIGILL, an illegal instruction",
                    6 => "SIGABRT: abort, or a stack overflow",
                    7 => "SIGBUS",
                    8 => "SIGFPE",
                    9 => "SIGKILL: killed from outside, perhaps for want of memory",
                    11 => "SIGSEGV, a segmentation fault",
                    15 => "SIGTERM: ended from outside",
                    _ => return write!(f, "killed by signal {signal}"),
                };
                write!(f, "killed by {name}")
            }
            How::Exit(code) => write!(f, "it exited with code {code}"),
            How::Hung(limit) => write!(f, "an execution did not end within {}", time(limit.as_millis() as u64)),
        }
    }
}

/// The signal that a process was killed by, where there are signals.
fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    return None.filter(|_| status.success());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_to_people_and_to_the_program() {
        let mut told: Vec<String> = [4, 6, 7, 8, 9, 11, 15, 31].map(|signal| How::Signal(signal).to_string()).into();
        told.extend([How::Exit(3), How::Hung(Duration::from_secs(10))].map(|how| how.to_string()));
        insta::assert_snapshot!(told.join("\n"));
        assert_eq!(How::Signal(11).word(), "signal-11");
        assert_eq!(How::Exit(3).word(), "exit-3");
    }
}
