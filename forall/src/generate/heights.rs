//! Minimal heights of recursive types, which stop generation when the size is used up.

use super::Arbitrary;
use std::sync::atomic::{AtomicU64, Ordering};

/// Computes minimal heights over types that refer to each other.
///
/// The height of a constructor is 0 if the type does not recur in its fields, and otherwise one more than the height of
/// its highest field. The height of a type is that of its lowest constructor. When no size is left, generation takes
/// the lowest constructor, so it ends.
///
/// ```
/// use forall::generate::Heights;
/// assert_eq!(Heights::of::<Vec<u8>>(), 0);
/// ```
///
/// A hand-written impl of a recursive type must declare this, constructor by constructor:
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{Arbitrary, Heights, any};
///
/// struct List {
///     head: u8,
///     tail: Option<Box<List>>,
/// }
///
/// impl Arbitrary for List {
///     fn arbitrary(source: &mut Source) -> Self {
///         let size = source.size().saturating_sub(1);
///         List { head: source.draw(any()), tail: source.with_size(size, |s| s.draw(any())) }
///     }
///
///     fn height(heights: &mut Heights) -> u32 {
///         heights.constructors(std::any::type_name::<List>(), &[|heights| Option::<Box<List>>::height(heights)])
///     }
/// }
/// assert_eq!(Heights::of::<List>(), 1);
/// ```
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Heights {
    /// The current search. `None` outside of one: then the result comes from the cache, or starts a search.
    search: Option<Box<Search>>,
}

/// A fixed-point search: heights start as infinite, and decrease pass by pass until nothing changes.
#[derive(Debug, Default)]
struct Search {
    types: Vec<Type>,
    changed: bool,
    /// In a pass that only checks whether a type is reached: the type, and the result.
    target: Option<&'static str>,
    reached: bool,
}

/// The state of a type in a search.
#[derive(Debug)]
struct Type {
    name: &'static str,
    /// Its height so far.
    height: u32,
    /// Whether this pass has visited it: each type is visited once.
    met: bool,
    /// By constructor: whether it leads back to the type, if known.
    returns: Vec<Option<bool>>,
}

/// The height of a constructor's highest field.
type Constructor = fn(&mut Heights) -> u32;

impl Heights {
    /// The height of a type that has no finite value.
    ///
    /// ```
    /// use forall::{Arbitrary, generate::Heights};
    /// #[derive(Arbitrary)]
    /// struct Chicken(Box<Egg>);
    /// #[derive(Arbitrary)]
    /// struct Egg(Box<Chicken>);
    /// assert_eq!(Heights::of::<Chicken>(), Heights::INFINITE);
    /// ```
    pub const INFINITE: u32 = u32::MAX;

    /// Returns the minimal height of the values of `T`.
    ///
    /// ```
    /// use forall::generate::Heights;
    /// assert_eq!(Heights::of::<Option<u8>>(), 0);
    /// ```
    #[inline(always)]
    pub fn of<T: Arbitrary>() -> u32 {
        T::height(&mut Self { search: None })
    }

    /// Returns the minimal height of the type called `name`, from the highest field of each of its constructors.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{Arbitrary, Heights}};
    /// enum Peano { Zero, Next(Box<Peano>) }
    /// impl Arbitrary for Peano {
    ///     fn arbitrary(source: &mut Source) -> Self {
    ///         if source.draw(0..2u8) == 0 { Peano::Zero } else { Peano::Next(Box::new(Self::arbitrary(source))) }
    ///     }
    ///     fn height(heights: &mut Heights) -> u32 {
    ///         heights.constructors(std::any::type_name::<Self>(), &[|_| 0, Box::<Peano>::height])
    ///     }
    /// }
    /// assert_eq!(Heights::of::<Peano>(), 0, "that of `Zero`");
    /// ```
    pub fn constructors(&mut self, name: &'static str, constructors: &[Constructor]) -> u32 {
        let Some(search) = &mut self.search else { return cached_height(name, constructors) };
        if let Some(target) = search.target {
            if target == name {
                search.reached = true;
            } else if search.meet(name) {
                for constructor in constructors {
                    constructor(self);
                }
            }
            return 0;
        }
        if !search.meet(name) {
            return search.find(name).height;
        }
        let mut height = Self::INFINITE;
        for (index, &constructor) in constructors.iter().enumerate() {
            height = height.min(self.constructor(name, index, constructor));
        }
        if let Some(search) = &mut self.search {
            let before = std::mem::replace(&mut search.find(name).height, height);
            search.changed |= before != height;
        }
        height
    }

    /// Returns the height of each constructor of the type called `name`.
    #[doc(hidden)]
    pub fn of_constructors(name: &'static str, constructors: &[Constructor]) -> Vec<u32> {
        let mut heights = Self::solved(name, constructors);
        let mut all = Vec::new();
        for (index, &constructor) in constructors.iter().enumerate() {
            all.push(heights.constructor(name, index, constructor));
        }
        all
    }

    /// Returns the number of fields of the type called `name` among which its size is divided: those through which the
    /// type recurs, or all of them if it does not.
    #[doc(hidden)]
    #[inline(never)]
    pub fn sharing(name: &'static str, fields: &'static [Constructor]) -> u32 {
        let key = (name.as_ptr() as u64).wrapping_add(fields.as_ptr() as u64);
        cached(&SHARING, key, || {
            let mut recurring = 0;
            for (index, &field) in fields.iter().enumerate() {
                recurring += u32::from(Self { search: None }.returns(name, index, field));
            }
            if recurring > 0 { recurring } else { fields.len() as u32 }
        })
    }

    /// Visits `T` where it cannot increase the height: a collection may be empty.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{Arbitrary, Heights}};
    /// struct Bag<T>(Vec<T>);
    /// impl<T: Arbitrary> Arbitrary for Bag<T> {
    ///     fn arbitrary(source: &mut Source) -> Self { Bag(Vec::arbitrary(source)) }
    ///     fn height(heights: &mut Heights) -> u32 { heights.through::<T>() }
    /// }
    /// assert_eq!(Heights::of::<Bag<u8>>(), 0);
    /// ```
    pub fn through<T: Arbitrary>(&mut self) -> u32 {
        if self.search.is_some() {
            T::height(self);
        }
        0
    }

    fn constructor(&mut self, name: &'static str, index: usize, constructor: Constructor) -> u32 {
        let height = constructor(self);
        if self.returns(name, index, constructor) { height.saturating_add(1) } else { 0 }
    }

    /// Whether the type called `name` recurs below one of its constructors.
    fn returns(&mut self, name: &'static str, index: usize, constructor: Constructor) -> bool {
        if let Some(search) = &mut self.search
            && let Some(Some(returns)) = search.find(name).returns.get(index)
        {
            return *returns;
        }
        let mut probe = Self { search: Some(Box::new(Search { target: Some(name), ..Search::default() })) };
        constructor(&mut probe);
        let reached = matches!(probe.search, Some(search) if search.reached);
        if let Some(search) = &mut self.search {
            let returns = &mut search.find(name).returns;
            while returns.len() <= index {
                returns.push(None);
            }
            returns[index] = Some(reached);
        }
        reached
    }

    /// The heights of the type called `name` and of all that are below it.
    fn solved(name: &'static str, constructors: &[Constructor]) -> Self {
        let mut heights = Self { search: Some(Box::default()) };
        loop {
            heights.constructors(name, constructors);
            match &mut heights.search {
                Some(search) if search.changed => {
                    search.changed = false;
                    for met in &mut search.types {
                        met.met = false;
                    }
                }
                _ => return heights,
            }
        }
    }
}

impl Search {
    /// Few types are nested: a linear search suffices.
    fn find(&mut self, name: &'static str) -> &mut Type {
        let mut at = 0;
        while at < self.types.len() && self.types[at].name != name {
            at += 1;
        }
        if at == self.types.len() {
            self.types.push(Type { name, height: Heights::INFINITE, met: false, returns: Vec::new() });
        }
        &mut self.types[at]
    }

    /// Whether this pass visits the type for the first time.
    fn meet(&mut self, name: &'static str) -> bool {
        !std::mem::replace(&mut self.find(name).met, true)
    }
}

/// The number of slots of a table of types: a test binary rarely has more recursive types than that.
pub(super) const SLOTS: usize = 256;

/// The slots of a key, the first of which is usually its own. What a table lacks is computed again, which takes as long as
/// hundreds of draws: when each key had one slot, two types that shared it halved the speed of a program.
#[inline]
pub(super) fn slots(key: u64) -> impl Iterator<Item = usize> {
    const PROBES: usize = 16;
    // Addresses differ in their low bits; the high bits of the product depend on all of them.
    let first = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize;
    (first..first + PROBES).map(|slot| slot % SLOTS)
}

/// A table of numbers by key. An entry is the key with the number in its low 16 bits; all ones mean infinite.
type Cache = [AtomicU64; SLOTS];

/// Heights by the address of a type's name: `Option` asks on every draw.
static HEIGHTS: Cache = [const { AtomicU64::new(0) }; SLOTS];

/// The number of fields that share a size, by the addresses of the type's name and of the list of fields.
static SHARING: Cache = [const { AtomicU64::new(0) }; SLOTS];

#[inline(never)]
fn cached_height(name: &'static str, constructors: &[Constructor]) -> u32 {
    cached(&HEIGHTS, name.as_ptr() as u64, || match Heights::solved(name, constructors).search {
        Some(mut search) => search.find(name).height,
        None => Heights::INFINITE,
    })
}

#[inline]
fn cached(cache: &Cache, key: u64, compute: impl FnOnce() -> u32) -> u32 {
    const INFINITE: u64 = 0xffff;
    let read = |number| if number == INFINITE { Heights::INFINITE } else { number as u32 };
    let key = key & (u64::MAX >> 16);
    for slot in slots(key).map(|slot| &cache[slot]) {
        let entry = slot.load(Ordering::Relaxed);
        if entry >> 16 == key {
            return read(entry & INFINITE);
        }
        if entry == 0 {
            let number = u64::from(compute()).min(INFINITE);
            // If the slot has been taken since, its key is computed again.
            slot.store(key << 16 | number, Ordering::Relaxed);
            return read(number);
        }
    }
    compute()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn numbers_of_many_types_are_computed_once() {
        let cache = [const { AtomicU64::new(0) }; SLOTS];
        let computed = Cell::new(0);
        let number_of = |key| {
            cached(&cache, key, || {
                computed.set(computed.get() + 1);
                (key % 7) as u32
            })
        };
        // As names of types lie in a program: one behind the other.
        let keys = || (0..100).map(|index| 0x5555_1234 + 29 * index);
        for _ in 0..3 {
            for key in keys() {
                assert_eq!(number_of(key), (key % 7) as u32);
            }
        }
        assert_eq!(computed.get(), 100);
        // More keys than slots are slow, but correct.
        for key in (0..1000).map(|index| 0x5555_1234 + 29 * index) {
            assert_eq!(number_of(key), (key % 7) as u32);
        }
        assert_eq!(cached(&cache, 7, || u32::MAX), Heights::INFINITE);
    }
}
