//! A store that lives as long as its value: for tools, and for tests of what uses a store.

use super::{Cursor, Entry, Id, Listing, Store, StoreError};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A store in memory.
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Store};
/// let store = Memory::new();
/// store.save(&Entry::failure("sorts", Case::default()))?;
/// assert_eq!(store.list("sorts", None)?.ids.len(), 1);
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    entries: Mutex<BTreeMap<(String, Id), Entry>>,
}

impl Memory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<(String, Id), Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        let id = entry.id();
        self.entries().insert((entry.property.clone(), id), entry.clone());
        Ok(id)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        Ok(self.entries().get(&(property.to_owned(), id)).cloned())
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        let entries = self.entries();
        Ok(Listing::since(entries.keys().filter(|(of, _)| of == property).map(|&(_, id)| id), since))
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        Ok(self.entries().remove(&(property.to_owned(), id)).is_some())
    }
}
