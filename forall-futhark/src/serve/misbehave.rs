//! A server that crashes, hangs, or sends invalid data at a byte of your choice.

use std::io::{self, Write};
use std::time::Duration;

/// A kind of misbehaviour, which begins after a number of bytes or variables.
///
/// ```
/// use forall_futhark::serve::{Misbehaviour, Program};
/// let program = Program::new().misbehave(Misbehaviour::Truncate { after: 3 });
/// let mut answers = Vec::new();
/// program.answer(&mut &b"types\n"[..], &mut answers).unwrap();
/// assert_eq!(answers, b"%%%");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misbehaviour {
    /// The process exits.
    Die {
        /// The number of bytes that are still sent.
        after: u64,
    },
    /// Nothing more is sent for an hour.
    Hang {
        /// The number of bytes that are still sent.
        after: u64,
    },
    /// Nothing more is sent, but the server continues.
    Truncate {
        /// The number of bytes that are still sent.
        after: u64,
    },
    /// Every byte is corrupted.
    Garble {
        /// The number of bytes that are sent unchanged.
        after: u64,
    },
    /// The process exits when more variables are live: servers compiled by Futhark 0.25 do so beyond a hundred.
    Crowd {
        /// The maximum number of live variables.
        variables: u64,
    },
}

impl Misbehaviour {
    /// Parses two words: the kind, and the number of bytes or of variables.
    ///
    /// ```
    /// use forall_futhark::serve::Misbehaviour;
    /// assert_eq!(Misbehaviour::parse("hang", "12"), Some(Misbehaviour::Hang { after: 12 }));
    /// ```
    pub fn parse(what: &str, after: &str) -> Option<Self> {
        let after = after.parse().ok()?;
        Some(match what {
            "die" => Self::Die { after },
            "hang" => Self::Hang { after },
            "truncate" => Self::Truncate { after },
            "garble" => Self::Garble { after },
            "crowd" => Self::Crowd { variables: after },
            _ => return None,
        })
    }

    fn after(self) -> u64 {
        match self {
            Self::Die { after } | Self::Hang { after } | Self::Truncate { after } | Self::Garble { after } => after,
            Self::Crowd { .. } => u64::MAX,
        }
    }
}

/// An output that misbehaves after some bytes.
pub(super) struct Misbehaving<'a> {
    to: &'a mut dyn Write,
    how: Option<Misbehaviour>,
    said: u64,
}

impl<'a> Misbehaving<'a> {
    pub(super) fn new(to: &'a mut dyn Write, how: Option<Misbehaviour>) -> Self {
        Self { to, how, said: 0 }
    }
}

impl Write for Misbehaving<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(how) = self.how else { return self.to.write(bytes) };
        let left = usize::try_from(how.after().saturating_sub(self.said)).unwrap_or(usize::MAX);
        let good = bytes.len().min(left);
        self.to.write_all(&bytes[..good])?;
        self.said += bytes.len() as u64;
        let rest = &bytes[good..];
        if rest.is_empty() {
            return Ok(bytes.len());
        }
        self.to.flush()?;
        match how {
            Misbehaviour::Die { .. } => std::process::abort(),
            Misbehaviour::Hang { .. } => std::thread::sleep(Duration::from_secs(3600)),
            Misbehaviour::Truncate { .. } | Misbehaviour::Crowd { .. } => {}
            Misbehaviour::Garble { .. } => {
                let other: Vec<u8> = rest.iter().map(|byte| byte ^ 0x2a).collect();
                self.to.write_all(&other)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
