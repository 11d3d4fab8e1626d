//! Every instance for the standard library: recording and replay are exact, shrinking terminates, and the printed code
//! is idiomatic.

use forall::choice::{AtEnd, Sequence, Source};
use forall::generate::{Arbitrary, Code, Generator, any, check_generator, check_shrinker};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

/// Tables whose order is the same in every process, so that `Debug` can be compared.
type Fixed = BuildHasherDefault<DefaultHasher>;

fn agree<T: Arbitrary + Debug>() {
    let name = std::any::type_name::<T>();
    for index in 0..150 {
        let size = [0, 1, 2, 5, 10, 30, 100][index as usize % 7];
        let seed = 42 + index;
        let case = format!("{name}: seed {seed}, index {index}, size {size}");
        let random = any::<T>().generate(&mut Source::random(seed, index, size));
        let mut recording = Source::record(seed, index, size);
        let recorded = any::<T>().generate(&mut recording);
        assert_eq!(format!("{random:?}"), format!("{recorded:?}"), "{case}");
        let sequence = recording.into_sequence();
        let mut replaying = Source::replay(&sequence);
        let replayed = any::<T>().generate(&mut replaying);
        assert_eq!(format!("{random:?}"), format!("{replayed:?}"), "{case}");
        assert!(replaying.into_sequence() == sequence, "{case}");
        // A tape that ends early and goes on at random works too, and can be replayed in its turn.
        let half = Sequence { items: sequence.items[..sequence.len() / 2].to_vec(), ..sequence };
        let mut mutating = Source::tape(&half, AtEnd::Random(seed));
        let mutated = any::<T>().generate(&mut mutating);
        let again = any::<T>().generate(&mut Source::replay(&mutating.into_sequence()));
        assert_eq!(format!("{mutated:?}"), format!("{again:?}"), "{case}");
    }
}

fn laws<T: Arbitrary + Debug>() {
    let name = std::any::type_name::<T>();
    check_generator(any::<T>()).tests(100).run().unwrap_or_else(|broken| panic!("{name}: {broken}"));
    // Compared as code: `Debug` hides parts of some types, and shows tables in an order of their own.
    let differs = |candidate: &T, value: &T| Code::of(candidate) != Code::of(value);
    let shrinker = check_shrinker(any::<T>(), T::shrink).smaller(differs).tests(12);
    shrinker.run().unwrap_or_else(|broken| panic!("{name}: {broken}"));
    for index in 0..20 {
        let value = T::arbitrary(&mut Source::random(7, index, 20));
        let copy = value.duplicate().unwrap_or_else(|| panic!("{name} is duplicated"));
        assert!(Code::of(&value).is_some(), "{name} has a code form");
        assert_eq!(Code::of(&value), Code::of(&copy), "{name}");
        let _ = value.mutate(&mut Source::random(8, index, 20));
    }
}

macro_rules! instances {
    ($($name:ident: $($t:ty),+;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn random_recorded_and_replayed_values_agree() {
                $(agree::<$t>();)+
            }

            #[test]
            fn laws_hold() {
                $(laws::<$t>();)+
            }
        }
    )*};
}

instances! {
    unsigned: u8, u16, u32, u64, u128, usize;
    signed: i8, i16, i32, i64, i128, isize;
    floats: f32, f64;
    sums: (), bool, Ordering, Option<i32>, Option<Option<bool>>, Result<u8, String>, Bound<u8>, PhantomData<u8>;
    text: char, String, Box<str>, Rc<str>, Arc<str>, Cow<'static, str>;
    tuples: (u8,), (u8, String), (bool, Vec<u8>, char), (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, bool);
    arrays: [u8; 0], [i32; 3], [Vec<bool>; 2];
    sequences: Vec<i32>, Vec<String>, Vec<Vec<u8>>, Vec<Vec<Vec<Option<bool>>>>, VecDeque<u8>, LinkedList<u8>, Box<[i16]>;
    heaps: BinaryHeap<u8>;
    sets: BTreeSet<u8>, BTreeSet<String>, HashSet<bool, Fixed>, HashSet<u16, Fixed>, BTreeSet<BTreeSet<bool>>;
    maps: BTreeMap<u8, String>, HashMap<u8, Vec<u8>, Fixed>, BTreeMap<bool, BTreeMap<bool, bool>>;
    pointers: Box<u8>, Rc<String>, Arc<Vec<u8>>, Cow<'static, u32>, Cow<'static, [u8]>, Rc<[u8]>, Arc<[bool]>;
    cells: Cell<u8>, RefCell<Vec<u8>>, Mutex<u8>, RwLock<u8>;
    ranges: Range<u8>, RangeInclusive<i8>, RangeFrom<u8>, RangeTo<char>, RangeToInclusive<u8>, RangeFull;
    wrappers: Wrapping<i32>, Saturating<u8>, Reverse<u16>, NonZero<u8>, NonZero<i8>, NonZero<u64>, NonZero<i128>;
    time: Duration, SystemTime;
    network: IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6;
    system: PathBuf, OsString, CString;
}

#[test]
fn the_first_candidates_lead_to_the_simplest_value() {
    fn leads_to<T: Arbitrary + Debug>(simplest: &str) {
        for index in 0..20 {
            let mut value = T::arbitrary(&mut Source::random(9, index, 50));
            loop {
                let Some(simpler) = value.shrink().next() else { break };
                value = simpler;
            }
            assert_eq!(format!("{value:?}"), simplest, "{}", std::any::type_name::<T>());
        }
    }
    leads_to::<i64>("0");
    leads_to::<f64>("0.0");
    leads_to::<char>("'a'");
    leads_to::<Vec<Vec<u8>>>("[]");
    leads_to::<(u8, Option<String>)>("(0, None)");
    leads_to::<[bool; 2]>("[false, false]");
    leads_to::<NonZero<i8>>("1");
    leads_to::<BTreeMap<u8, u8>>("{}");
    leads_to::<Duration>("0ns");
    leads_to::<Ipv4Addr>("0.0.0.0");
    leads_to::<PathBuf>("\"\"");
}

#[test]
fn candidates_of_integers_are_simpler_by_magnitude_and_then_by_sign() {
    let smaller = |a: &i32, b: &i32| (a.unsigned_abs(), *a < 0) < (b.unsigned_abs(), *b < 0);
    check_shrinker(any::<i32>(), i32::shrink).smaller(smaller).run().unwrap();
    assert_eq!((-5i8).shrink().collect::<Vec<_>>(), [5, 0, -3, -4]);
    assert_eq!(100u8.shrink().collect::<Vec<_>>(), [0, 50, 75, 88, 94, 97, 99]);
    assert_eq!(i8::MIN.shrink().next(), Some(0));
}

#[test]
fn candidates_of_vectors_have_fewer_elements_and_then_simpler_ones() {
    let candidates: Vec<Vec<u8>> = vec![1, 0, 2].shrink().collect();
    assert_eq!(candidates, [&[][..], &[0, 2], &[1, 2], &[1, 0], &[0, 0, 2], &[1, 0, 0], &[1, 0, 1]]);
}

#[test]
fn the_tape_counts_signed_integers_from_zero_outwards() {
    let decode = |code| Source::replay(&Sequence::from_values(0, &[code])).draw(any::<i8>());
    assert_eq!([0, 1, 2, 3, 4, 253, 254, 255].map(decode), [0, 1, -1, 2, -2, 127, -127, -128]);
    let decode = |code| Source::replay(&Sequence::from_values(0, &[code])).draw(any::<i64>());
    assert_eq!([0, 1, 2, u64::MAX].map(decode), [0, 1, -1, i64::MIN]);
}

#[test]
fn characters_on_tape_are_ordered_by_familiarity() {
    let decode = |code| Source::replay(&Sequence::from_values(0, &[code])).draw(any::<char>());
    let codes = [0, 25, 26, 52, 62, 63, 95, 128, 0xd800, u64::MAX];
    assert_eq!(codes.map(decode), ['a', 'z', 'A', '0', ' ', '!', '\0', '\u{80}', '\u{e000}', char::MAX]);
}

#[test]
fn the_simplest_value_of_the_tape_is_the_simplest_of_the_type() {
    fn simplest<T: Arbitrary + Debug>() -> String {
        format!("{:?}", Source::replay(&Sequence { size: 100, ..Sequence::default() }).draw(any::<T>()))
    }
    assert_eq!(simplest::<(u8, i8, f32, char, bool)>(), "(0, 0, 0.0, 'a', false)");
    assert_eq!(simplest::<(String, Vec<u8>, Option<u8>, HashMap<u8, u8>)>(), r#"("", [], None, {})"#);
    assert_eq!(simplest::<(NonZero<u8>, Ordering, Duration, PathBuf)>(), r#"(1, Equal, 0ns, "")"#);
    assert_eq!(simplest::<Result<u8, u8>>(), "Ok(0)");
}

fn code<T: Arbitrary>(value: T) -> String {
    Code::of(&value).expect("has a code form")
}

#[test]
fn values_print_as_code_that_compiles_anywhere() {
    assert_eq!(code(i32::MIN), "-2147483648");
    assert_eq!(code((1u8,)), "(1,)");
    assert_eq!(code((1u8, 'x')), "(1, 'x')");
    assert_eq!(code(vec![Some(1), None]), "vec![Some(1), None]");
    assert_eq!(code([1.0, -0.0, 0.1]), "[1.0, -0.0, 0.1]");
    assert_eq!(code([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]), "[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]");
    assert_eq!(code(-f64::NAN), "-f64::NAN");
    assert_eq!(code(f32::from_bits(0xffc0_0001)), "f32::from_bits(0xffc00001)");
    assert_eq!(code(['\'', '"', '\n', '\0', 'é']), r#"['\'', '"', '\n', '\0', 'é']"#);
    assert_eq!(code(['\u{301}', '\u{202e}', '\u{5d0}']), r"['\u{301}', '\u{202e}', '\u{5d0}']");
    assert_eq!(code(String::from("a\"'\\\0é\u{5d0}")), r#"String::from("a\"'\\\0é\u{5d0}")"#);
    assert_eq!(code::<Rc<str>>("x".into()), r#"std::rc::Rc::from("x")"#);
    assert_eq!(code(Ok::<u8, ()>(1)), "Ok(1)");
    let map = BTreeMap::from([(1, "a".to_string())]);
    assert_eq!(code(map), r#"std::collections::BTreeMap::from([(1, String::from("a"))])"#);
    assert_eq!(code(HashSet::<u8>::from([10, 2, 1])), "std::collections::HashSet::from_iter([1, 2, 10])");
    assert_eq!(code(HashMap::<u8, u8>::from([(2, 1)])), "std::collections::HashMap::from_iter([(2, 1)])");
    assert_eq!(code(Duration::new(1, 2)), "std::time::Duration::new(1, 2)");
    assert_eq!(code(Rc::new(1u8)), "std::rc::Rc::new(1)");
    assert_eq!(code(Ipv4Addr::LOCALHOST), "std::net::Ipv4Addr::new(127, 0, 0, 1)");
    assert_eq!(code(Ipv6Addr::LOCALHOST), "std::net::Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 1)");
    assert_eq!(code(1..2u8), "1..2");
    assert_eq!(code(..=2u8), "..=2");
    assert_eq!(code((1..2u8)..(3..4)), "(1..2)..(3..4)");
    assert_eq!(code(NonZero::new(5u8)), "Some(std::num::NonZero::new(5).unwrap())");
    assert_eq!(code(Wrapping(5u8)), "std::num::Wrapping(5)");
    assert_eq!(code(Ordering::Less), "std::cmp::Ordering::Less");
    assert_eq!(code(PathBuf::from("a/b")), r#"std::path::PathBuf::from("a/b")"#);
    assert_eq!(code(CString::from(c"a\xff\"")), r#"std::ffi::CString::new(b"a\xff\"".to_vec()).unwrap()"#);
    let before = SystemTime::UNIX_EPOCH - Duration::from_secs(5);
    assert_eq!(code(before), "std::time::UNIX_EPOCH - std::time::Duration::from_secs(5)");
}
