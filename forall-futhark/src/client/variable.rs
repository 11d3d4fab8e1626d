//! Variables on a server, each with an owner in this process.

use super::server::Shared;
use std::cell::Cell;
use std::rc::Rc;

/// A variable on a server.
///
/// Dropping a variable frees it with the next command, so each variable is freed exactly once.
///
/// ```no_run
/// # use forall_futhark::{client::{Options, Server}, data::Value};
/// # let server = Server::start("./program", &Options::default()).unwrap();
/// let temporary = server.put(&[Value::scalar(1u8)]).unwrap();
/// drop(temporary);
/// server.put(&[Value::scalar(2u8)]).unwrap(); // Before this, the server frees the one above.
/// ```
pub struct Variable {
    server: Rc<Shared>,
    name: String,
    type_name: String,
    state: Cell<State>,
    /// The number of times that all variables had been freed when this one was created. If that has changed, the
    /// variable no longer exists.
    epoch: u64,
}

/// The state of a variable on the server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The command that creates the variable has not succeeded yet.
    ToBeMade,
    Exists,
    /// Already freed, or about to be freed.
    Freed,
}

impl Variable {
    /// Returns the variable's type, as the server reports it.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.put(&[Value::scalar(1u8)]).unwrap()[0].type_name(), "u8");
    /// ```
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the variable's name in commands.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.put(&[Value::scalar(1u8)]).unwrap()[0].name(), "v0");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Variable {
    fn drop(&mut self) {
        self.release();
    }
}

impl Variable {
    /// Reserves a variable with a unique name, which a command will create.
    pub(super) fn to_be_made(server: Rc<Shared>, type_name: String) -> Self {
        let number = server.next.get();
        server.next.set(number + 1);
        server.live.set(server.live.get() + 1);
        let epoch = server.epoch.get();
        Self { server, name: format!("v{number}"), type_name, state: Cell::new(State::ToBeMade), epoch }
    }

    /// Marks the variable as created.
    pub(super) fn made(self) -> Self {
        self.exists();
        self
    }

    pub(super) fn exists(&self) {
        self.state.set(State::Exists);
    }

    /// Releases the variable: it is freed before the next command.
    pub(super) fn release(&self) {
        if self.state.get() == State::Exists && self.epoch == self.server.epoch.get() {
            self.server.garbage.borrow_mut().push(&self.name);
        }
        self.leave(State::Freed);
    }

    fn leave(&self, state: State) {
        let was = self.state.get();
        if matches!(was, State::ToBeMade | State::Exists) {
            self.state.set(state);
            if self.epoch == self.server.epoch.get() {
                self.server.live.set(self.server.live.get().saturating_sub(1));
            }
        }
    }

    pub(super) fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }
}
