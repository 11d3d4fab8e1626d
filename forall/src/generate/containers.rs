//! Implementations of `Arbitrary` for the standard collections. Their generators are in `vec.rs` and `collections.rs`.

use super::shrink::{duplicates, shrink_parts, shrink_values};
use super::{Arbitrary, Code, Generator, Heights, Visitor, any, vec};
use super::{binary_heap, btree_map, btree_set, hash_map, hash_set, linked_list, vec_deque};
use crate::choice::Source;
use crate::sort::sort_by;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};

impl<T: Arbitrary> Arbitrary for Vec<T> {
    in_search!(plain, |series| series.list(), |extent| extent.lists::<T>());

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        vec(any()).generate(source)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(shrink_values(self, 0))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        duplicates(self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("vec![", self, "]");
    }

    #[inline]
    fn mutate(mut self, source: &mut Source) -> Self {
        let at = source.choice(self.len() as u64) as usize;
        match source.choice(4) {
            0 if at < self.len() => drop(self.remove(at)),
            1 => self.insert(at, source.draw(any())),
            2 if at < self.len() => {
                let value = self.remove(at).mutate(source);
                self.insert(at, value);
            }
            3 if at < self.len() => {
                let other = source.choice(self.len() as u64 - 1) as usize;
                self.swap(at, other);
            }
            _ => {
                if let Some(copy) = self.get(at).and_then(Arbitrary::duplicate) {
                    self.push(copy);
                } else {
                    self.push(source.draw(any()));
                }
            }
        }
        self
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for value in self {
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}

/// Collections with ordered elements.
macro_rules! in_order {
    ($($collection:ident $(: $bound:ident)?, $generator:ident, $path:literal, [$($search:tt)+];)*) => {$(
        impl<T: Arbitrary $(+ $bound)?> Arbitrary for $collection<T> {
            in_search!($($search)+);

            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                $generator(any()).generate(source)
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                Box::new(shrink_values(self, 0).map(|values| values.into_iter().collect()))
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                duplicates(self)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                code.list(concat!("std::collections::", $path, "::from(["), self, "])");
            }

            #[inline]
            fn mutate(self, source: &mut Source) -> Self {
                self.into_iter().collect::<Vec<T>>().mutate(source).into_iter().collect()
            }

            #[inline]
            fn visit(&self, visitor: &mut dyn Visitor) {
                for value in self {
                    value.visit(visitor);
                }
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                heights.through::<T>()
            }
        }
    )*};
}

in_order! {
    VecDeque, vec_deque, "VecDeque", [plain, |series| series.list().into(), |extent| extent.lists::<T>()];
    LinkedList, linked_list, "LinkedList",
        [plain, |series| series.list().into_iter().collect(), |extent| extent.lists::<T>()];
    // The order is checked during generation, so a search cannot backtrack into part of the collection.
    BTreeSet: Ord, btree_set, "BTreeSet",
        [opaque, |series| series.elements(|a, b| a < b).into_iter().collect(), |extent| extent.entries::<T, ()>(false)];
    BinaryHeap: Ord, binary_heap, "BinaryHeap",
        [opaque, |series| series.elements(|a, b| a <= b).into_iter().collect(), |extent| extent.entries::<T, ()>(true)];
}

impl<T: Arbitrary> Arbitrary for Box<[T]> {
    in_search!(plain, |series| series.list().into(), |extent| extent.lists::<T>());

    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        Vec::arbitrary(source).into()
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(shrink_values(self.iter(), 0).map(Into::into))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        duplicates(self.iter())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("Box::from([", self.iter(), "])");
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        self.into_vec().mutate(source).into()
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for value in self.iter() {
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}

/// Simpler maps: fewer entries, then simpler keys and values.
fn shrink_entries<'a, K: Arbitrary + 'a, V: Arbitrary + 'a>(
    entries: Vec<(&'a K, &'a V)>,
) -> impl Iterator<Item = Vec<(K, V)>> + 'a {
    shrink_parts(
        entries,
        0,
        |(key, value)| Some((key.duplicate()?, value.duplicate()?)),
        |&(key, value)| {
            let keys = key.shrink().map_while(|key| Some((key, value.duplicate()?)));
            Box::new(keys.chain(value.shrink().map_while(|value| Some((key.duplicate()?, value)))))
        },
    )
}

/// Writes one entry of a map.
fn print_entry<K: Arbitrary, V: Arbitrary>(key: &K, value: &V, code: &mut Code) {
    code.push("(");
    key.print(code);
    code.push(", ");
    value.print(code);
    code.push(")");
}

impl<K: Arbitrary + Ord, V: Arbitrary> Arbitrary for BTreeMap<K, V> {
    in_search!(opaque, |series| series.entries(|a: &K, b| a < b).into_iter().collect(), |extent| {
        extent.entries::<K, V>(false)
    });

    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        btree_map(any(), any()).generate(source)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(shrink_entries(self.iter().collect()).map(|entries| entries.into_iter().collect()))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        self.iter().map(|(key, value)| Some((key.duplicate()?, value.duplicate()?))).collect()
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("std::collections::BTreeMap::from([");
        for (i, (key, value)) in self.iter().enumerate() {
            code.push(if i > 0 { ", " } else { "" });
            print_entry(key, value, code);
        }
        code.push("])");
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        self.into_iter().collect::<Vec<_>>().mutate(source).into_iter().collect()
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for (key, value) in self {
            key.visit(visitor);
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<K>();
        heights.through::<V>()
    }
}

/// The order in which a hash table is shrunk: not its own, which differs from run to run.
fn stable_order<T, K: Hash>(mut items: Vec<T>, key: impl Fn(&T) -> &K) -> Vec<T> {
    items.sort_by_cached_key(|item| stable_hash(key(item)));
    items
}

fn stable_hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Writes the elements of a hash table in a deterministic order.
#[inline]
fn print_sorted(open: &str, mut elements: Vec<Option<String>>, code: &mut Code) {
    let length = |text: &Option<String>| text.as_ref().map(String::len);
    sort_by(&mut elements, |a, b| length(a).cmp(&length(b)).then_with(|| a.cmp(b)));
    code.push(open);
    for (i, element) in elements.iter().enumerate() {
        code.push(if i > 0 { ", " } else { "" });
        match element {
            Some(text) => code.push(text),
            None => code.opaque(),
        }
    }
    code.push("])");
}

impl<T: Arbitrary + Eq + Hash, S: BuildHasher + Default> Arbitrary for HashSet<T, S> {
    in_search!(
        opaque,
        |series| series.elements(|a, b| stable_hash(a) < stable_hash(b)).into_iter().collect(),
        |extent| extent.entries::<T, ()>(false)
    );

    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        hash_set(any()).hasher().generate(source)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let values: Vec<&T> = stable_order(self.iter().collect(), |value| *value);
        Box::new(shrink_values(values, 0).map(|values| values.into_iter().collect()))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        duplicates(self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        print_sorted("std::collections::HashSet::from_iter([", self.iter().map(Code::of).collect(), code);
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        let values: Vec<T> = self.into_iter().collect();
        let values = stable_order(values, |value| value);
        values.mutate(source).into_iter().collect()
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for value in self {
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}

impl<K: Arbitrary + Eq + Hash, V: Arbitrary, S: BuildHasher + Default> Arbitrary for HashMap<K, V, S> {
    in_search!(
        opaque,
        |series| series.entries(|a: &K, b| stable_hash(a) < stable_hash(b)).into_iter().collect(),
        |extent| extent.entries::<K, V>(false)
    );

    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        hash_map(any(), any()).hasher().generate(source)
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let entries: Vec<(&K, &V)> = stable_order(self.iter().collect(), |entry| entry.0);
        Box::new(shrink_entries(entries).map(|entries| entries.into_iter().collect()))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        self.iter().map(|(key, value)| Some((key.duplicate()?, value.duplicate()?))).collect()
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        let entries = self.iter().map(|(key, value)| {
            let mut entry = Code::default();
            print_entry(key, value, &mut entry);
            entry.finish()
        });
        print_sorted("std::collections::HashMap::from_iter([", entries.collect(), code);
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        let entries: Vec<(K, V)> = stable_order(self.into_iter().collect(), |entry| &entry.0);
        entries.mutate(source).into_iter().collect()
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for (key, value) in self {
            key.visit(visitor);
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<K>();
        heights.through::<V>()
    }
}
