//! Twins of the types of the standard library. Their depths are those of the plain types' series.

use super::{Twin, show_cell, shown};
use crate::Arbitrary;
use crate::generate::Code;
use crate::lazy::{Lazy, List};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

/// Types that are decided as a whole; those after `;` have a type parameter with these bounds.
macro_rules! whole {
    ($($t:ty),+; $($generic:ty: [$($bounds:tt)*]),+) => {
        $(whole!(impl[] $t);)+
        $(whole!(impl[T $($bounds)*] $generic);)+
    };
    (impl[$($parameter:tt)*] $t:ty) => {
        impl<$($parameter)*> Twin for $t {
            type Lazy = Self;
            type Plain = Self;

            fn plain(lazy: &Self) -> Self {
                lazy.clone()
            }

            fn show(lazy: &Self, code: &mut Code) {
                lazy.print(code);
            }
        }
    };
}

whole! {
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize,
    NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>,
    NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>,
    f32, f64, bool, char, (), Ordering, Duration, SystemTime, RangeFull, OsString, PathBuf, CString,
    IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6;
    PhantomData<T>: [],
    Cow<'static, T>: [: Arbitrary + Clone],
    Bound<T>: [: Arbitrary + Clone],
    Range<T>: [: Arbitrary + Clone],
    RangeInclusive<T>: [: Arbitrary + Clone],
    RangeFrom<T>: [: Arbitrary + Clone],
    RangeTo<T>: [: Arbitrary + Clone],
    RangeToInclusive<T>: [: Arbitrary + Clone],
    BTreeSet<T>: [: Arbitrary + Clone + Ord],
    BinaryHeap<T>: [: Arbitrary + Clone + Ord]
}

/// Types that hold one value, which is decided with them. Interior mutability is harmless: each path gets a new value.
macro_rules! holds_one {
    ($($t:ident, $new:expr, $path:literal;)*) => {$(
        impl<T: Twin> Twin for $t<T> {
            type Lazy = T::Lazy;
            type Plain = $t<T::Plain>;

            fn plain(lazy: &T::Lazy) -> Self::Plain {
                $new(T::plain(lazy))
            }

            fn show(lazy: &T::Lazy, code: &mut Code) {
                code.push(concat!($path, "("));
                T::show(lazy, code);
                code.push(")");
            }
        }
    )*};
}

holds_one! {
    Box, Box::new, "Box::new";
    Rc, Rc::new, "std::rc::Rc::new";
    Arc, Arc::new, "std::sync::Arc::new";
    Cell, Cell::new, "std::cell::Cell::new";
    RefCell, RefCell::new, "std::cell::RefCell::new";
    Mutex, Mutex::new, "std::sync::Mutex::new";
    RwLock, RwLock::new, "std::sync::RwLock::new";
    Wrapping, Wrapping, "std::num::Wrapping";
    Saturating, Saturating, "std::num::Saturating";
    Reverse, Reverse, "std::cmp::Reverse";
}

/// Sequences, as lazy lists.
macro_rules! sequences {
    ($($t:ty => $plain:ty, $open:literal, $close:literal;)*) => {$(
        impl<T: Twin> Twin for $t {
            type Lazy = List<T::Lazy>;
            type Plain = $plain;

            fn plain(lazy: &List<T::Lazy>) -> Self::Plain {
                lazy.iter().map(|cell| T::plain(cell)).collect()
            }

            fn show(lazy: &List<T::Lazy>, code: &mut Code) {
                code.push($open);
                show_elements::<T>(lazy, code);
                code.push($close);
            }
        }
    )*};
}

sequences! {
    Vec<T> => Vec<T::Plain>, "vec![", "]";
    VecDeque<T> => VecDeque<T::Plain>, "std::collections::VecDeque::from([", "])";
    LinkedList<T> => LinkedList<T::Plain>, "std::collections::LinkedList::from([", "])";
    Box<[T]> => Box<[T::Plain]>, "Box::new([", "])";
    Rc<[T]> => Rc<[T::Plain]>, "std::rc::Rc::new([", "])";
    Arc<[T]> => Arc<[T::Plain]>, "std::sync::Arc::new([", "])";
}

/// The elements of a list; `..` for the rest if that is undecided.
fn show_elements<T: Twin>(list: &List<T::Lazy>, code: &mut Code) {
    let (mut rest, mut separator) = (Some(list), "");
    while let Some(List::Cons(cell, next)) = rest {
        code.push(separator);
        show_cell::<T>(cell, code);
        (rest, separator) = (next.shown(), ", ");
    }
    if rest.is_none() {
        code.push(separator);
        code.push("..");
    }
}

/// Strings, as lazy lists of characters.
macro_rules! strings {
    ($($t:ty, $convert:expr;)*) => {$(
        impl Twin for $t {
            type Lazy = List<char>;
            type Plain = Self;

            fn plain(lazy: &List<char>) -> Self {
                let text: String = lazy.iter().map(|cell| **cell).collect();
                $convert(text)
            }

            fn show(lazy: &List<char>, code: &mut Code) {
                write!(code, "{lazy:?}");
            }
        }
    )*};
}

strings! {
    String, |text| text;
    Box<str>, String::into_boxed_str;
    Rc<str>, Rc::from;
    Arc<str>, Arc::from;
}

impl<T: Twin> Twin for Option<T> {
    type Lazy = Option<Lazy<T::Lazy>>;
    type Plain = Option<T::Plain>;

    fn plain(lazy: &Self::Lazy) -> Self::Plain {
        lazy.as_ref().map(|cell| T::plain(cell))
    }

    fn show(lazy: &Self::Lazy, code: &mut Code) {
        match lazy {
            Some(cell) => show_one::<T>("Some", cell, code),
            None => code.push("None"),
        }
    }
}

impl<T: Twin, E: Twin> Twin for Result<T, E> {
    type Lazy = Result<Lazy<T::Lazy>, Lazy<E::Lazy>>;
    type Plain = Result<T::Plain, E::Plain>;

    fn plain(lazy: &Self::Lazy) -> Self::Plain {
        match lazy {
            Ok(cell) => Ok(T::plain(cell)),
            Err(cell) => Err(E::plain(cell)),
        }
    }

    fn show(lazy: &Self::Lazy, code: &mut Code) {
        match lazy {
            Ok(cell) => show_one::<T>("Ok", cell, code),
            Err(cell) => show_one::<E>("Err", cell, code),
        }
    }
}

fn show_one<T: Twin>(constructor: &str, cell: &Lazy<T::Lazy>, code: &mut Code) {
    code.push(constructor);
    code.push("(");
    show_cell::<T>(cell, code);
    code.push(")");
}

impl<T: Twin, const N: usize> Twin for [T; N] {
    type Lazy = [Lazy<T::Lazy>; N];
    type Plain = [T::Plain; N];

    fn plain(lazy: &Self::Lazy) -> Self::Plain {
        lazy.each_ref().map(|cell| T::plain(cell))
    }

    fn show(lazy: &Self::Lazy, code: &mut Code) {
        for (index, cell) in lazy.iter().enumerate() {
            code.push(if index == 0 { "[" } else { ", " });
            show_cell::<T>(cell, code);
        }
        code.push(if N == 0 { "[]" } else { "]" });
    }
}

macro_rules! tuples {
    ($($field:ident $index:tt),+) => {
        impl<$($field: Twin),+> Twin for ($($field,)+) {
            type Lazy = ($(Lazy<$field::Lazy>,)+);
            type Plain = ($($field::Plain,)+);

            fn plain(lazy: &Self::Lazy) -> Self::Plain {
                ($($field::plain(&lazy.$index),)+)
            }

            fn show(lazy: &Self::Lazy, code: &mut Code) {
                code.push("(");
                $(
                    show_cell::<$field>(&lazy.$index, code);
                    code.push(", ");
                )+
                code.push(")");
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// Maps: the keys are decided with the map, so that they are distinct, and the values when they are read.
impl<K: Arbitrary + Clone + Ord, V: Twin> Twin for BTreeMap<K, V> {
    type Lazy = BTreeMap<K, Lazy<V::Lazy>>;
    type Plain = BTreeMap<K, V::Plain>;

    fn plain(lazy: &Self::Lazy) -> Self::Plain {
        lazy.iter().map(|(key, cell)| (key.clone(), V::plain(cell))).collect()
    }

    fn show(lazy: &Self::Lazy, code: &mut Code) {
        show_entries::<K, V>("std::collections::BTreeMap", lazy, code);
    }
}

/// Uses a `BTreeMap`, because the iteration order of a hash map differs from run to run.
impl<K: Arbitrary + Clone + Ord + Hash, V: Twin, S: BuildHasher + Default> Twin for HashMap<K, V, S> {
    type Lazy = BTreeMap<K, Lazy<V::Lazy>>;
    type Plain = HashMap<K, V::Plain, S>;

    fn plain(lazy: &Self::Lazy) -> Self::Plain {
        lazy.iter().map(|(key, cell)| (key.clone(), V::plain(cell))).collect()
    }

    fn show(lazy: &Self::Lazy, code: &mut Code) {
        show_entries::<K, V>("std::collections::HashMap", lazy, code);
    }
}

fn show_entries<K: Arbitrary, V: Twin>(path: &str, map: &BTreeMap<K, Lazy<V::Lazy>>, code: &mut Code) {
    code.push(path);
    code.push("::from([");
    for (index, (key, cell)) in map.iter().enumerate() {
        code.push(if index == 0 { "(" } else { ", (" });
        key.print(code);
        code.push(", ");
        show_cell::<V>(cell, code);
        code.push(")");
    }
    code.push("])");
}

impl<T: Arbitrary + Clone + Ord + Hash, S: BuildHasher + Default> Twin for HashSet<T, S> {
    type Lazy = BTreeSet<T>;
    type Plain = Self;

    fn plain(lazy: &BTreeSet<T>) -> Self {
        lazy.iter().cloned().collect()
    }

    fn show(lazy: &BTreeSet<T>, code: &mut Code) {
        code.push(&shown::<BTreeSet<T>>(lazy).replacen("BTreeSet", "HashSet", 1));
    }
}
