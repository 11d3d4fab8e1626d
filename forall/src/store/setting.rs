//! The setting for where failures are saved.

use std::path::PathBuf;

/// Where failures are saved.
///
/// ```
/// use forall::run::{Settings, Store};
/// assert_eq!(Settings::new().store, Store::Default);
/// let elsewhere = Settings::new().store(Store::Directory("target/finds".into()));
/// assert_ne!(elsewhere.store, Store::Off);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// In `.forall` beside the package's `Cargo.toml`.
    Default,
    /// In this directory.
    Directory(PathBuf),
    /// Nowhere.
    Off,
}
