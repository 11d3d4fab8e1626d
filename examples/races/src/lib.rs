//! Five bugs of published concurrent crates, for `cargo forall race`.
//!
//! Each is in the changelog of its crate, and shows under sequential consistency. The package in `found/` pins the last versions with the
//! bug, the one in `repaired/` the first without: versions that are compatible by their numbers cannot be in one lock file. Both compile
//! these specifications, and the tests in `tests/races.rs`.
//!
//! | module | bug in | repaired in | what its changelog says |
//! | --- | --- | --- | --- |
//! | [`oneshot_close`] | tokio 1.13.0 | 1.13.1 | a data race between `send` and receiving after the channel was closed (RUSTSEC-2021-0124) |
//! | [`oneshot_unparking`] | oneshot 0.1.4 | 0.1.5 | `try_recv` panics on a receiver that is being unparked |
//! | [`flume_shutdown`] | flume 0.10.3 | 0.11.0 | a race between the last message and the shutdown of the channel, in async receiving |
//! | [`once_failure`] | spin 0.9.7 | 0.9.8 | an initialisation that fails lets others read an uninitialised value (RUSTSEC-2023-0031) |
//! | [`full_buffer`] | thingbuf 0.1.5 | 0.1.6 | senders that hang when the buffer is full |
//!
//! flume 0.10.4 repairs the race at one of two places, and the test fails there as well: the other place is unchanged up to 0.10.14.
//! spin 0.9.7 and 0.9.8 were yanked: the lock file of `found` names the former, and `repaired` has 0.9.9. The bug of spin is undefined
//! behaviour without debug assertions, so it is compiled with them.
//!
//! The crates are unchanged. `cargo forall race --instrument all` preempts threads in their code.

pub mod flume_shutdown;
pub mod full_buffer;
pub mod once_failure;
pub mod oneshot_close;
pub mod oneshot_unparking;

use forall::machine::Tuning;
use std::sync::{Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Few commands: these bugs need three to six.
fn short() -> Tuning {
    Tuning { prefix: 4, branch: 3, ..Tuning::default() }
}
