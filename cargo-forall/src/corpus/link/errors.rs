//! Errors of a corpus: their consequences for a worker, and their messages.

use forall::store::{Cause, StoreError};
use std::io::ErrorKind::{
    self, AlreadyExists, InvalidData, IsADirectory, NotADirectory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
    StorageFull, TimedOut,
};

/// The consequence of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The corpus is unreachable.
    Away,
    /// The corpus can be read but refuses changes: it is full, or this worker has only read access.
    Refuses,
    /// One key or folder does not contain corpus data. The rest is usable.
    Place,
}

/// Returns the consequence of an error, for an operation that changes the corpus or only reads it.
pub(super) fn meaning(error: &StoreError, changes: bool) -> Meaning {
    match (&error.cause, kind(error)) {
        (Cause::Entry(_) | Cause::Link, _) => Meaning::Place,
        // A directory cannot be created where a file is.
        (_, Some(InvalidData | NotADirectory | IsADirectory | AlreadyExists)) => Meaning::Place,
        (Cause::ReadOnly, _) => Meaning::Refuses,
        (_, Some(StorageFull | QuotaExceeded | PermissionDenied | ReadOnlyFilesystem)) if changes => Meaning::Refuses,
        _ => Meaning::Away,
    }
}

/// Returns whether an error concerns one key or folder, and not the whole corpus.
pub(crate) fn is_of_one_place(error: &StoreError) -> bool {
    meaning(error, false) == Meaning::Place
}

fn kind(error: &StoreError) -> Option<ErrorKind> {
    if let Cause::Io { kind, .. } = &error.cause { Some(*kind) } else { None }
}

/// Returns the message for an error of a corpus.
pub(crate) fn trouble(name: &str, error: &StoreError) -> String {
    let text = why(error);
    let is_redis = name.starts_with("redis");
    match kind(error) {
        Some(StorageFull | QuotaExceeded) => {
            format!("the corpus {name} is full: {text}. Free space there, for example with `forall corpus minimise`")
        }
        Some(PermissionDenied) if name.starts_with("s3:") => {
            format!(
                "the corpus {name} refused a request: {text}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and \
                 the permissions of this user"
            )
        }
        Some(PermissionDenied) if is_redis => {
            format!(
                "the corpus {name} refused the connection: {text}. Set the password in the address or in REDISCLI_AUTH"
            )
        }
        Some(ReadOnlyFilesystem) if is_redis => {
            format!("the corpus {name} is read-only for this worker: {text}. Use a Redis user that may write")
        }
        Some(PermissionDenied | ReadOnlyFilesystem) => {
            format!("the corpus {name} is not writable: {text}. Make it writable for this user")
        }
        Some(TimedOut) => {
            format!(
                "the corpus {name} does not respond: {text}. It is slow, or a firewall drops packets: try its address with \
                 another program from here"
            )
        }
        _ if meaning(error, false) == Meaning::Place => place(name, error),
        _ => format!("the corpus {name} cannot be reached: {text}"),
    }
}

/// Returns the message for a key or folder with other data.
pub(super) fn place(name: &str, error: &StoreError) -> String {
    format!(
        "a part of the corpus {name} has other data and is skipped: {}. Rename or delete it, or use another corpus",
        why(error)
    )
}

/// Returns the cause of an error. (The advice for a local store does not apply to a remote one.)
fn why(error: &StoreError) -> String {
    match &error.cause {
        // The path, for a corpus in a directory; a server's error names its key.
        Cause::Io { kind: NotADirectory | IsADirectory | AlreadyExists, text } => {
            format!("{}: {text}", error.path.display())
        }
        Cause::Io { text, .. } => text.clone(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn errors_are_reported_with_advice() {
        let said = |name: &str, kind: io::ErrorKind| {
            trouble(name, &StoreError::io("save to", name, &io::Error::new(kind, "why")))
        };
        let told = [
            said("/x", StorageFull),
            said("/x", PermissionDenied),
            said("redis://x", PermissionDenied),
            said("redis://x", ReadOnlyFilesystem),
            said("redis://x", TimedOut),
            said("s3://x", PermissionDenied),
            said("redis://x", InvalidData),
            said("/x/failures/y", NotADirectory),
            said("/x/failures", AlreadyExists),
            // The caller adds the consequence for failures.
            said("redis://x", io::ErrorKind::Other),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }
}
