//! Async properties under tokio (feature `tokio`).
//!
//! Each test has a runtime of its own, on its thread: what a test spawned ends with it, and no test meets the tasks, timers or
//! connections of another. That costs some ten microseconds a test.

use super::asynchronous::Patience;
use crate::property::{Failure, FailureKind, IntoOutcome, Outcome};
use std::pin::pin;

/// Runs the body of an async property under a new tokio runtime of the current thread.
pub fn run_under_tokio<F: Future<Output: IntoOutcome>>(future: F) -> Outcome {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let message = format!("there is no tokio runtime for the test: {error}");
            return Outcome::Fail(Box::new(Failure::new(FailureKind::Error, message)));
        }
    };
    runtime.block_on(async {
        let mut future = pin!(future);
        let patience = Patience::begin();
        loop {
            let left = match patience.left() {
                Ok(left) => left,
                Err(missed) => return missed,
            };
            if let Ok(value) = tokio::time::timeout(left, future.as_mut()).await {
                return value.into_outcome();
            }
        }
    })
}
