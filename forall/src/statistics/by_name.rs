//! Counts by name.

use std::cmp::Ordering;
use std::ops::Index;

/// A map from names to values, in the order of the names.
///
/// A small map in a vector: the standard library's maps are slow to compile.
///
/// ```
/// use forall::run::ByName;
/// let mut hits = ByName::default();
/// *hits.entry("empty".to_owned(), 0) += 1;
/// hits.insert("sorted".to_owned(), 5);
/// assert_eq!((hits["empty"], hits.get("long")), (1, None));
/// assert_eq!(hits.values().sum::<u64>(), 6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ByName<T> {
    entries: Vec<(String, T)>,
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T> ByName<T> {
    fn find(&self, name: &str) -> Result<usize, usize> {
        let (mut start, mut end) = (0, self.entries.len());
        while start < end {
            let middle = (start + end) / 2;
            match self.entries[middle].0.as_str().cmp(name) {
                Ordering::Less => start = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => end = middle,
            }
        }
        Err(start)
    }

    /// Returns the value of a name.
    ///
    /// ```
    /// let hits = forall::run::ByName::from([("empty".to_owned(), 3)]);
    /// assert_eq!((hits.get("empty"), hits.get("sorted")), (Some(&3), None));
    /// ```
    pub fn get(&self, name: &str) -> Option<&T> {
        self.find(name).ok().map(|at| &self.entries[at].1)
    }

    /// Returns the value of a name, initially `first`.
    ///
    /// ```
    /// let mut hits = forall::run::ByName::default();
    /// *hits.entry("empty".to_owned(), 0) += 1;
    /// *hits.entry("empty".to_owned(), 0) += 1;
    /// assert_eq!(hits["empty"], 2);
    /// ```
    #[doc(hidden)]
    pub fn entry(&mut self, name: String, first: T) -> &mut T {
        let at = match self.find(&name) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (name, first));
                at
            }
        };
        &mut self.entries[at].1
    }

    /// Sets the value of a name.
    ///
    /// ```
    /// let mut hits = forall::run::ByName::default();
    /// hits.insert("empty".to_owned(), 1);
    /// hits.insert("empty".to_owned(), 5);
    /// assert_eq!(hits["empty"], 5);
    /// ```
    #[doc(hidden)]
    pub fn insert(&mut self, name: String, value: T) {
        match self.find(&name) {
            Ok(at) => self.entries[at].1 = value,
            Err(at) => self.entries.insert(at, (name, value)),
        }
    }

    /// Returns the number of names.
    ///
    /// ```
    /// assert_eq!(forall::run::ByName::from([("empty".to_owned(), 3)]).len(), 1);
    /// ```
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no names.
    ///
    /// ```
    /// assert!(forall::run::ByName::<u64>::default().is_empty());
    /// ```
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns an iterator over the names and their values.
    ///
    /// ```
    /// let hits = forall::run::ByName::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
    /// assert_eq!(hits.iter().next(), Some(&("a".to_owned(), 2)));
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, (String, T)> {
        self.entries.iter()
    }

    /// Returns the names.
    ///
    /// ```
    /// let hits = forall::run::ByName::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
    /// assert_eq!(hits.keys().collect::<Vec<_>>(), ["a", "b"]);
    /// ```
    #[doc(hidden)]
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the values.
    ///
    /// ```
    /// let hits = forall::run::ByName::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
    /// assert_eq!(hits.values().sum::<i32>(), 3);
    /// ```
    #[doc(hidden)]
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl<'a, T> IntoIterator for &'a ByName<T> {
    type Item = &'a (String, T);
    type IntoIter = std::slice::Iter<'a, (String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        let mut all = Self::default();
        for (name, value) in entries {
            all.insert(name, value);
        }
        all
    }
}

impl<T, const N: usize> From<[(String, T); N]> for ByName<T> {
    fn from(entries: [(String, T); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<T> Index<&str> for ByName<T> {
    type Output = T;

    /// # Panics
    /// If the name has no value.
    fn index(&self, name: &str) -> &T {
        self.get(name).expect("the name has a value")
    }
}
