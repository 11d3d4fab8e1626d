//! A store in memory: for tools, and for tests.

use super::{Backend, Cursor, Entry, Id, Listing, StoreError};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A store in memory.
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Backend};
/// let store = Memory::new();
/// store.save(&Entry::failure("sorts", Case::default()))?;
/// assert_eq!(store.list("sorts", None)?.ids.len(), 1);
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Memory {
    entries: Mutex<Vec<(Id, Entry)>>,
}

impl Memory {
    /// Creates an empty store.
    ///
    /// ```
    /// use forall::store::{Memory, Backend};
    /// assert!(Memory::new().list("sorts", None)?.ids.is_empty());
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    #[inline]
    fn entries(&self) -> MutexGuard<'_, Vec<(Id, Entry)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// Inline, so that it is compiled only where it is used.
impl Backend for Memory {
    #[inline]
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        let id = entry.id();
        let mut entries = self.entries();
        match find(&entries, &entry.property, id) {
            Some(at) => entries[at].1 = entry.clone(),
            None => entries.push((id, entry.clone())),
        }
        Ok(id)
    }

    #[inline]
    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        let entries = self.entries();
        Ok(find(&entries, property, id).map(|at| entries[at].1.clone()))
    }

    #[inline]
    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        let entries = self.entries();
        Ok(Listing::since(entries.iter().filter(|(_, entry)| entry.property == property).map(|(id, _)| *id), since))
    }

    #[inline]
    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        let mut entries = self.entries();
        let found = find(&entries, property, id);
        if let Some(at) = found {
            entries.swap_remove(at);
        }
        Ok(found.is_some())
    }
}

#[inline]
fn find(entries: &[(Id, Entry)], property: &str, id: Id) -> Option<usize> {
    entries.iter().position(|(other, entry)| *other == id && entry.property == property)
}
