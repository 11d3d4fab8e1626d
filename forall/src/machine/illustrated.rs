//! A run of a parallel program as a picture: commands that did not run are not drawn.

use super::picture::{Drawn, Picture};
use super::program::Program;
use super::round::Done;
use super::{Shared, Spec};
use crate::panic::Caught;

/// The picture of a run, from the responses of the prefix and the logs of the branches.
pub(super) fn illustrated<S: Shared>(program: &Program<S>, prefix: &[S::Response], logs: &[&[Done<S>]]) -> Picture {
    let mut picture = Picture::default();
    for (command, response) in program.prefix.iter().zip(prefix) {
        let (command, response) = (format!("{command:?}"), Some(format!("{response:?}")));
        picture.prefix.push(Drawn { command, response, called: 0, returned: Some(0) });
    }
    let began = logs.iter().filter_map(|log| log.first()).map(|done| done.called).min().unwrap_or(0);
    for (branch, commands) in program.branches.iter().enumerate() {
        let log = logs.get(branch).copied().unwrap_or_default();
        picture
            .branches
            .push(commands.iter().zip(log).map(|(command, done)| drawn::<S>(command, done, began)).collect());
    }
    picture
}

fn drawn<S: Spec>(command: &S::Command, done: &Done<S>, began: u64) -> Drawn {
    let response = match &done.response {
        Ok(response) => format!("{response:?}"),
        Err(caught) => panicked(caught),
    };
    let (called, returned) = (done.called - began, Some(done.returned - began));
    Drawn { command: format!("{command:?}"), response: Some(response), called, returned }
}

/// The text shown in place of a response.
#[inline]
pub(super) fn panicked(caught: &Caught) -> String {
    format!("panicked: {}", caught.message)
}
