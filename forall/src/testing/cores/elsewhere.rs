//! Jobservers are used on Linux only.

use std::convert::Infallible;
use std::io;

/// A token that is never taken.
pub(crate) struct Token(Infallible);

pub(super) struct Jobserver;

impl Jobserver {
    pub(super) fn of_the_environment() -> Self {
        Self
    }

    pub(super) fn take(&self) -> io::Result<Option<Token>> {
        Ok(None)
    }

    pub(super) fn give_back(&self, token: Token) {
        match token.0 {}
    }
}
