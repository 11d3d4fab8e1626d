//! Descriptions of how a test program exited.

use crate::words::time;
use forall::protocol::Death;
use std::process::ExitStatus;
use std::time::Duration;

/// How a process ended, by its exit status.
pub fn of(status: ExitStatus) -> Death {
    match signal(status) {
        Some(signal) => Death::Signal(signal),
        None => Death::Exit(status.code().unwrap_or(0)),
    }
}

/// The description.
pub fn text(death: Death) -> String {
    match death {
        Death::Signal(signal) => {
            let name = match signal {
                4 => "SIGILL, an illegal instruction",
                6 => "SIGABRT: abort, or a stack overflow",
                7 => "SIGBUS",
                8 => "SIGFPE",
                9 => "SIGKILL: killed from outside, perhaps out of memory",
                11 => "SIGSEGV, a segmentation fault",
                15 => "SIGTERM: terminated from outside",
                _ => return format!("killed by signal {signal}"),
            };
            format!("killed by {name}")
        }
        Death::Exit(code) => format!("it exited with code {code}"),
        Death::Hung(limit) => format!("an execution exceeded its limit of {}", time(Duration::from_millis(limit))),
        // `Death` has no other variants in this version.
        other => format!("it ended by {other}"),
    }
}

/// The signal that killed a process, on systems with signals.
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
    fn exits_are_described() {
        let mut told: Vec<String> = [4, 6, 7, 8, 9, 11, 15, 31].map(|signal| text(Death::Signal(signal))).into();
        told.extend([Death::Exit(3), Death::Hung(10_000)].map(text));
        insta::assert_snapshot!(told.join("\n"));
    }
}
