//! tokio's channel for one message, closed while the message is sent.

use super::{lock, short};
use std::sync::Mutex;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::oneshot::{self, Receiver, Sender};

/// A channel with both of its ends.
#[derive(Debug)]
pub struct Channel {
    sender: Mutex<Option<Sender<u8>>>,
    receiver: Mutex<Receiver<u8>>,
}

impl Default for Channel {
    fn default() -> Self {
        let (sender, receiver) = oneshot::channel();
        Self { sender: Mutex::new(Some(sender)), receiver: Mutex::new(receiver) }
    }
}

/// The result of receiving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// The message.
    Message(u8),
    /// There is none yet.
    Empty,
    /// There will be none.
    Closed,
}

impl Channel {
    /// Sends the message, and returns whether it may be received. `None` if this was called before.
    pub fn send(&self, message: u8) -> Option<bool> {
        // Locked until it is sent: another call finds no sender only after that.
        let mut sender = lock(&self.sender);
        Some(sender.take()?.send(message).is_ok())
    }

    /// Prevents the message from being sent.
    pub fn close(&self) {
        lock(&self.receiver).close();
    }

    /// Receives the message if it is there.
    pub fn try_receive(&self) -> Received {
        match lock(&self.receiver).try_recv() {
            Ok(message) => Received::Message(message),
            Err(TryRecvError::Empty) => Received::Empty,
            Err(TryRecvError::Closed) => Received::Closed,
        }
    }
}

/// The model of the channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    message: Option<u8>,
    was_sent: bool,
    is_closed: bool,
}

impl Model {
    fn send(&mut self, message: u8) -> Option<bool> {
        if std::mem::replace(&mut self.was_sent, true) {
            return None;
        }
        self.message = Some(message).filter(|_| !self.is_closed);
        Some(!self.is_closed)
    }

    fn close(&mut self) {
        self.is_closed = true;
    }

    fn try_receive(&mut self) -> Received {
        match self.message.take() {
            Some(message) => Received::Message(message),
            None if self.was_sent || self.is_closed => Received::Closed,
            None => Received::Empty,
        }
    }
}

forall::machine! {
    /// The methods of the channel.
    pub spec OneshotClose for shared Channel = Channel::default(), like Model = Model::default();
    tuning short();
    fn send(#[forall(0..3u8)] message: u8) -> Option<bool>;
    fn close();
    fn try_receive() -> Received;
}
