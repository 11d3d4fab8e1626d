//! Servers that are lost, and started again.

use super::Property;
use super::testing::{Start, Testing};
use crate::client::{Error, STOPPED, Server, Why, is_stopping};
use std::time::Duration;

/// A server that is lost more often than this is not started again.
const MOST_LOSSES: u32 = 1000;

impl Testing {
    /// Whether the server was lost while a candidate was looked at; another one is started then.
    pub(super) fn is_gone(&self, start: Start<'_>) -> Result<bool, String> {
        let loss = self.server.borrow().loss();
        let Some(loss) = loss else { return Ok(false) };
        // One such note is enough: what cannot be made cannot be looked at either, again and again.
        let begin = format!("property {}, when a candidate was looked at: ", self.property.name);
        let mut notes = self.notes.borrow_mut();
        if !self.shrinker_is_bad.get() && !is_stopping() && !notes.iter().any(|note| note.starts_with(&begin)) {
            notes.push(format!("{begin}{loss}"));
        }
        drop(notes);
        self.start_again(start).map(|()| true)
    }

    /// The server is gone: starts another one.
    pub(super) fn start_again(&self, start: Start<'_>) -> Result<(), String> {
        self.losses.set(self.losses.get() + 1);
        let loss = self.server.borrow().loss();
        let server = self.started(start)?;
        *self.server.borrow_mut() = server;
        if let Some(Why::TimedOut(after)) = loss.map(|loss| loss.why) {
            self.count_hang(after);
        }
        Ok(())
    }

    /// A call did not end. If another one would take more time than there is for that, nothing more is tried.
    fn count_hang(&self, after: Duration) {
        let (hangs, spent) = self.hangs.get();
        let spent = if hangs == 0 { spent } else { spent + after };
        self.hangs.set((hangs + 1, spent));
        if spent + after > self.hang_time {
            let why = format!(
                "calls that do not end were waited for {} times, and {:.1?} is as long as that may take again for this property \
                 (--timeout and --call-timeout say otherwise)",
                hangs + 1,
                self.hang_time
            );
            *self.over.borrow_mut() = Some(why);
        }
    }

    /// There is no more time: nothing more is tried, and what was being done is told.
    pub(super) fn out_of_time(&self, phase: &str, error: &Error) {
        let why =
            format!("the time for this program is up (--timeout gives it more). It was busy with {phase}: {error}");
        self.over.borrow_mut().get_or_insert(why);
        self.busy_with.borrow_mut().get_or_insert_with(|| phase.to_owned());
    }

    /// Another server; if there can be none, nothing more is tried.
    pub(super) fn started(&self, start: Start<'_>) -> Result<Server, String> {
        let again = match self.losses.get() > MOST_LOSSES {
            _ if is_stopping() => Err(STOPPED.to_owned()),
            true => Err("the server was lost too often, and is not started again".to_owned()),
            false => start()
                .and_then(|server| learn(&server, &self.property).map(|()| server))
                .map_err(|error| format!("the server is gone, and does not start again: {error}")),
        };
        again.inspect_err(|why| *self.over.borrow_mut() = Some(why.clone()))
    }
}

/// Asks a server for the types of a property.
pub(super) fn learn(server: &Server, property: &Property) -> Result<(), Error> {
    let commands = property.machine.iter().map(|machine| &machine.command_type);
    for of in property.parameters.iter().chain(commands) {
        match server.learn(of) {
            // What cannot be looked into is made by the program's generator.
            Ok(()) | Err(Error::Impossible(_)) => {}
            Err(lost) => return Err(lost),
        }
    }
    Ok(())
}
