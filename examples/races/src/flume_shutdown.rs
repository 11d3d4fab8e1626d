//! flume's asynchronous receiver, while the last sender is dropped.

use super::{lock, short};
use flume::{Receiver, Sender};
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// A channel with both of its ends.
#[derive(Debug)]
pub struct Channel {
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

impl Default for Channel {
    fn default() -> Self {
        let (sender, receiver) = flume::unbounded();
        Self { sender: Mutex::new(Some(sender)), receiver }
    }
}

/// The result of polling the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polled {
    /// A message.
    Message,
    /// There is none yet.
    Pending,
    /// There are no more.
    Disconnected,
}

impl Channel {
    /// Sends a message; returns whether the channel was open.
    pub fn send(&self) -> bool {
        lock(&self.sender).as_ref().is_some_and(|sender| sender.send(()).is_ok())
    }

    /// Drops the sender.
    pub fn disconnect(&self) {
        lock(&self.sender).take();
    }

    /// Polls the receiver, and once more if it has to wait, as an executor may.
    pub fn poll(&self) -> Polled {
        let mut receiving = self.receiver.recv_async();
        let context = &mut Context::from_waker(Waker::noop());
        let mut polled = Pin::new(&mut receiving).poll(context);
        if polled.is_pending() {
            polled = Pin::new(&mut receiving).poll(context);
        }
        match polled {
            Poll::Ready(Ok(())) => Polled::Message,
            Poll::Ready(Err(_)) => Polled::Disconnected,
            Poll::Pending => Polled::Pending,
        }
    }
}

/// The number of messages, and whether the sender was dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    messages: usize,
    is_disconnected: bool,
}

impl Model {
    fn send(&mut self) -> bool {
        self.messages += usize::from(!self.is_disconnected);
        !self.is_disconnected
    }

    fn disconnect(&mut self) {
        self.is_disconnected = true;
    }

    fn poll(&mut self) -> Polled {
        match self.messages {
            0 if self.is_disconnected => Polled::Disconnected,
            0 => Polled::Pending,
            _ => {
                self.messages -= 1;
                Polled::Message
            }
        }
    }
}

forall::machine! {
    /// The methods of the channel.
    pub spec FlumeShutdown for shared Channel = Channel::default(), like Model = Model::default();
    tuning short();
    fn send() -> bool;
    fn disconnect();
    fn poll() -> Polled;
}
