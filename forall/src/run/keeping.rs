//! How a run keeps what it finds: on disk before shrinking, and again each time it gets smaller.

use super::{Case, Identity, Settings};
use crate::property::{Binding, Failure};
use crate::store::{Entry, EntryError, Places, Saved};
use std::path::Path;
use std::time::{Duration, Instant};

/// Improvements that come quicker than this are kept together: each write waits for the disk, and shrinking would wait with
/// it. The first and the last are always kept.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Keeper {
    places: Places,
    property: String,
    saved: Option<Saved>,
    last: Option<Instant>,
}

impl Keeper {
    pub(super) fn new(identity: &Identity, settings: &Settings, package: &Path) -> Self {
        let places = Places::for_package(package, &settings.store, settings.read_only);
        Self { places, property: identity.name.clone().into_owned(), saved: None, last: None }
    }

    /// What is kept for this property, each with its place.
    pub(super) fn stored(&self) -> Vec<(String, Result<Entry, EntryError>)> {
        self.places.failures(&self.property)
    }

    /// Whether an improvement should be kept now, or the next one will do.
    pub(super) fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= PAUSE)
    }

    /// Keeps a failing case in place of the one kept before.
    pub(super) fn keep(
        &mut self,
        case: &Case,
        bindings: &[Binding],
        failure: &Failure,
        minimal: bool,
    ) -> Result<(), String> {
        let entry = self.entry(case, bindings, failure, minimal);
        let saved = match &self.saved {
            Some(old) => self.places.replace(old, &entry),
            None => self.places.save(&entry),
        };
        self.saved = Some(saved.map_err(|error| error.to_string())?);
        self.last = Some(Instant::now());
        Ok(())
    }

    fn entry(&self, case: &Case, bindings: &[Binding], failure: &Failure, minimal: bool) -> Entry {
        let mut entry = Entry::failure(&*self.property, case.clone()).describe(bindings, &*failure.message);
        entry.minimal = minimal;
        entry
    }

    /// Keeps another failing case, beside the one that is being shrunk.
    pub(super) fn keep_beside(&self, case: &Case, bindings: &[Binding], failure: &Failure) -> Result<(), String> {
        let entry = self.entry(case, bindings, failure, false);
        self.places.save(&entry).map(drop).map_err(|error| error.to_string())
    }

    /// The file of the case kept last.
    pub(super) fn path(&self) -> Option<String> {
        self.saved.as_ref().and_then(Saved::path).map(|path| path.display().to_string())
    }

    /// The corpus of this property; none when the store is off.
    #[cfg(feature = "coverage")]
    pub(super) fn corpus(&self) -> Option<crate::store::Seeds> {
        self.places.corpus(&self.property)
    }

    /// Moves the local finds to the regressions: where each is now, or why it is not there.
    pub(super) fn keep_for_good(&self) -> Vec<Result<String, String>> {
        let mut kept = Vec::new();
        for (origin, entry) in &self.stored() {
            if self.places.is_regression(origin) {
                continue;
            }
            kept.push(match entry {
                Ok(entry) => match self.places.keep(entry) {
                    Ok(path) => Ok(path.display().to_string()),
                    Err(error) => Err(error.to_string()),
                },
                Err(error) => Err(error.to_string()),
            });
        }
        kept
    }

    /// Forgets a local find that no longer fails. Regressions stay. Whether it was forgotten.
    pub(super) fn forget(&self, origin: &str) -> Result<bool, String> {
        self.places.delete(origin).map_err(|error| error.to_string())
    }
}
