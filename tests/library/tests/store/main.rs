//! The store keeps what it was given: entries as text, hostile files, the two places of a package, killed processes.

mod entries;
mod hostile;
mod places;
mod processes;
mod support;
mod versions;
