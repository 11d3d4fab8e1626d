//! Lost servers, and their restarts.

use super::Property;
use super::testing::{Answer, Start, Testing};
use crate::client::{Error, Refused, STOPPED, Server, Why, is_stopping};
use std::time::Duration;

/// The maximum number of restarts.
const MOST_LOSSES: u32 = 1000;

/// The total time for calls that time out, after the first: otherwise such a property would cost many timeouts.
const MORE_HANGS: Duration = Duration::from_secs(1);

/// The maximum number of unexplained losses; after that, no more candidates are tested.
const MOST_UNEXPLAINED: usize = 10;

impl Testing {
    /// Returns whether the server was lost while a candidate was fetched; restarts it in that case.
    pub(super) fn is_gone(&self, start: Start<'_>) -> Result<bool, String> {
        let loss = self.server.borrow().loss();
        let Some(loss) = loss else { return Ok(false) };
        if let Some(why) = &*self.over.borrow() {
            return Err(why.clone());
        }
        // One such loss is enough: a candidate that cannot be generated cannot be fetched either.
        let begin = format!("property {}, while a candidate was fetched: ", self.property.name);
        let is_new = !self.unexplained.borrow().iter().any(|known| known.starts_with(&begin));
        let again = self.start_again(start);
        if !self.shrinker_is_bad.get() && !is_stopping() && is_new {
            let then = if again.is_ok() { "It was restarted." } else { "It could not be restarted." };
            self.note_unexplained(format!("{begin}{loss}"), then);
        }
        again.map(|()| true)
    }

    /// Records that the program's generator failed.
    pub(super) fn note_unmade(&self, why: &str) {
        let mut unmade = self.unmade.borrow_mut();
        let (_, times) = unmade.get_or_insert_with(|| (why.to_owned(), 0));
        *times += 1;
    }

    /// Records that the program's label function crashed the server.
    pub(super) fn lose_label(&self, why: &str) {
        self.label_is_bad.set(true);
        self.note_unexplained(why.to_owned(), "Later candidates were not labelled.");
    }

    /// Records that the server was lost because a candidate failed.
    pub(super) fn is_to_be_delivered(&self, answer: &Answer) {
        if let Answer::Tried(Err(what), _) = answer
            && !self.label_is_bad.get()
        {
            self.undelivered.borrow_mut().push(what.clone());
        }
    }

    /// Returns whether the property cannot pass: the server was lost without an explanation, or testing stopped early.
    pub(super) fn has_lost(&self) -> bool {
        for what in self.undelivered.take() {
            self.note_unexplained(what, "It was restarted.");
        }
        !self.unexplained.borrow().is_empty() || self.over.borrow().is_some()
    }

    /// Records that the server was lost, but the retry succeeded. A property with such a loss does not pass; after many
    /// losses, no more candidates are tested.
    pub(super) fn note_unexplained(&self, what: String, then: &str) {
        let mut unexplained = self.unexplained.borrow_mut();
        unexplained.push(format!("{what}\n  {then}"));
        if unexplained.len() == MOST_UNEXPLAINED {
            self.over.borrow_mut().get_or_insert_with(lost_too_often);
        }
    }

    /// Restarts a lost server.
    pub(super) fn start_again(&self, start: Start<'_>) -> Result<(), String> {
        let loss = self.server.borrow().loss();
        self.start_another(start)?;
        if let Some(Why::TimedOut(after)) = loss.map(|loss| loss.why) {
            self.count_hang(after);
        }
        Ok(())
    }

    /// Starts another server, regardless of the state of the current one.
    pub(super) fn start_another(&self, start: Start<'_>) -> Result<(), String> {
        let server = self.started(start)?;
        self.losses.set(self.losses.get() + 1);
        *self.server.borrow_mut() = server;
        Ok(())
    }

    /// Counts a call that timed out. If another timeout would exceed the time for timeouts, no more candidates are
    /// tested.
    fn count_hang(&self, after: Duration) {
        let (hangs, spent) = self.hangs.get();
        let spent = if hangs == 0 { spent } else { spent + after };
        self.hangs.set((hangs + 1, spent));
        if spent + after >= self.hang_time.min(MORE_HANGS) {
            let times = if hangs == 0 { "once".to_owned() } else { format!("{} times", hangs + 1) };
            let why = format!(
                "calls that time out take as long each time, and this happened {times} (a shorter --call-timeout leaves \
                 time to retry and shrink)"
            );
            *self.over.borrow_mut() = Some(why);
        }
    }

    /// Stops testing at the time limit, and records the current activity.
    pub(super) fn out_of_time(&self, phase: &str, error: &Error) {
        let why = format!("the time limit of this program was reached (--timeout raises it), during {phase}: {error}");
        self.over.borrow_mut().get_or_insert(why);
        self.busy_with.borrow_mut().get_or_insert_with(|| phase.to_owned());
    }

    /// Starts another server; if that fails, no more candidates are tested.
    pub(super) fn started(&self, start: Start<'_>) -> Result<Server, String> {
        let again = match self.losses.get() > MOST_LOSSES {
            _ if is_stopping() => Err(STOPPED.to_owned()),
            true => Err("the server was lost too often to be restarted".to_owned()),
            false => start()
                .and_then(|server| learn(&server, &self.property).map(|()| server))
                .map_err(|error| format!("the server was lost and cannot be restarted: {error}")),
        };
        again.inspect_err(|why| *self.over.borrow_mut() = Some(why.clone()))
    }
}

fn lost_too_often() -> String {
    format!("the server was lost {MOST_UNEXPLAINED} times, and no candidate reproduces it")
}

/// Queries the types of a property from a server.
pub(super) fn learn(server: &Server, property: &Property) -> Result<(), Error> {
    let commands = property.machine.iter().map(|machine| &machine.command_type);
    for of in property.parameters.iter().chain(commands) {
        match server.learn(of) {
            // Opaque values are generated by the program.
            Ok(()) | Err(Error::Impossible(_)) => {}
            Err(lost) => return Err(lost),
        }
    }
    Ok(())
}

/// Returns whether the server was killed at the program's time limit. In that case a call's timeout is not a failure.
pub(super) fn is_out_of_time(error: &Error) -> bool {
    matches!(error, Error::Lost(lost) if matches!(lost.why, Why::OutOfTime(_)))
}

/// Returns whether a call was rejected because an input variable is missing, or the output variable already exists.
pub(super) fn is_about_variables(refused: &Refused) -> bool {
    let begins = ["Unknown variable: ", "Variable already exists: "];
    !refused.is_runtime_error()
        && refused.message.first().is_some_and(|line| begins.iter().any(|begin| line.starts_with(begin)))
}

/// Returns whether the server violated the protocol, which implies nothing about the candidate.
pub(super) fn breaks_protocol(error: &Error) -> bool {
    match error {
        Error::Lost(lost) => matches!(lost.why, Why::Garbled(_)),
        Error::Refused(_) | Error::Impossible(_) | Error::File(_) => true,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_server_that_is_lost_often_is_reported() {
        assert_eq!(super::lost_too_often(), "the server was lost 10 times, and no candidate reproduces it");
    }
}
