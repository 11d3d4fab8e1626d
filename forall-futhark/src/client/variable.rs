//! Values that a server holds, each with an owner here.

use super::server::Shared;
use std::cell::Cell;
use std::rc::Rc;

///
/// When it is dropped, the server is told to free it with the next command; so each is freed exactly once, and never by hand.
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
    /// Whether a command succeeded that makes it. What a failed one leaves behind may not be freed: servers crash.
    exists: Cell<bool>,
    /// How often everything had been freed at once when it was made: then it is gone already.
    epoch: u64,
}

impl Variable {
    /// The type that the server says it has.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.put(&[Value::scalar(1u8)]).unwrap()[0].type_name(), "u8");
    /// ```
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// What commands call it.
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
        if self.exists.get() && self.epoch == self.server.epoch.get() {
            self.server.garbage.borrow_mut().push(std::mem::take(&mut self.name));
        }
    }
}

impl Variable {
    /// One that a command is to make, of a name that no other has.
    pub(super) fn to_be_made(server: Rc<Shared>, type_name: String) -> Self {
        let number = server.next.get();
        server.next.set(number + 1);
        let epoch = server.epoch.get();
        Self { server, name: format!("v{number}"), type_name, exists: Cell::new(false), epoch }
    }

    /// The server made it.
    pub(super) fn made(self) -> Self {
        self.exists();
        self
    }

    pub(super) fn exists(&self) {
        self.exists.set(true);
    }

    pub(super) fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }
}
