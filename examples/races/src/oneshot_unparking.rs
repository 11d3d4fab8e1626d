//! The crate oneshot: its receiver is polled, and then asked for the message without waiting.

use super::{lock, short};
use oneshot::{Receiver, Sender, TryRecvError};
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// A channel with both of its ends.
#[derive(Debug)]
pub struct Channel {
    sender: Mutex<Option<Sender<u8>>>,
    /// And whether its message was received: it must not be polled after that.
    receiver: Mutex<(Receiver<u8>, bool)>,
}

impl Default for Channel {
    fn default() -> Self {
        let (sender, receiver) = oneshot::channel();
        Self { sender: Mutex::new(Some(sender)), receiver: Mutex::new((receiver, false)) }
    }
}

impl Channel {
    /// Sends the message, if none was sent.
    pub fn send(&self, message: u8) {
        if let Some(sender) = lock(&self.sender).take() {
            sender.send(message).expect("the receiver lives");
        }
    }

    /// Polls the receiver.
    pub fn poll(&self) -> Option<u8> {
        let (receiver, is_done) = &mut *lock(&self.receiver);
        if *is_done {
            return None;
        }
        match Pin::new(receiver).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(message) => {
                *is_done = true;
                Some(message.expect("the sender sends before it is dropped"))
            }
            Poll::Pending => None,
        }
    }

    /// Receives the message if it is there.
    pub fn try_receive(&self) -> Option<u8> {
        let (receiver, is_done) = &mut *lock(&self.receiver);
        if *is_done {
            return None;
        }
        match receiver.try_recv() {
            Ok(message) => {
                *is_done = true;
                Some(message)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => panic!("the sender sends before it is dropped"),
        }
    }
}

/// The message, and whether it was sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    message: Option<u8>,
    was_sent: bool,
}

impl Model {
    fn send(&mut self, message: u8) {
        if !std::mem::replace(&mut self.was_sent, true) {
            self.message = Some(message);
        }
    }

    fn poll(&mut self) -> Option<u8> {
        self.message.take()
    }

    fn try_receive(&mut self) -> Option<u8> {
        self.message.take()
    }
}

forall::machine! {
    /// The methods of the channel.
    pub spec OneshotUnparking for shared Channel = Channel::default(), like Model = Model::default();
    tuning short();
    fn send(#[forall(0..3u8)] message: u8);
    fn poll() -> Option<u8>;
    fn try_receive() -> Option<u8>;
}
