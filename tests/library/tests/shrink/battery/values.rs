//! Values of the standard kinds, each with predicates that hold for some of them.

use forall::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::rc::Rc;
use std::time::Duration;

/// A condition on a value, with its text.
pub struct Condition<T> {
    pub text: String,
    pub holds: Rc<dyn Fn(&T) -> bool>,
}

impl<T> Condition<T> {
    pub fn new(text: String, holds: impl Fn(&T) -> bool + 'static) -> Self {
        Self { text, holds: Rc::new(holds) }
    }
}

/// A kind of values.
pub trait Value: Arbitrary + Clone + Debug + PartialEq + 'static {
    /// A value that has something of this one: patterns in the text of a value are seldom matched by chance.
    fn near(&self, s: &mut Source) -> Self {
        if s.choice(2) == 0 { s.draw(any::<Self>()) } else { self.clone() }
    }

    /// A condition with random parameters, of one of the two halves of all conditions.
    fn condition(s: &mut Source, half: u64) -> Condition<Self>;
}

/// Up to a bound, with about as many of each magnitude.
pub fn magnitude(s: &mut Source, max: u64) -> u64 {
    let bits = 64 - max.leading_zeros().min(63);
    let bits = s.choice(u64::from(bits)) as u32;
    s.choice(max.min(1u64.checked_shl(bits).map_or(u64::MAX, |power| power - 1)))
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Value for $t {
            fn near(&self, s: &mut Source) -> Self {
                match s.choice(5) {
                    0 => self.wrapping_add(1),
                    1 => self.wrapping_sub(1),
                    2 => *self,
                    _ => s.draw(any::<Self>()),
                }
            }

            #[allow(unused_comparisons)]
            fn condition(s: &mut Source, half: u64) -> Condition<Self> {
                let low = magnitude(s, <$t>::MAX as u64) as $t;
                // Now and then a few numbers only.
                let widest = if s.choice(1) == 0 { low as u64 / 4 + 3 } else { <$t>::MAX as u64 };
                let width = magnitude(s, widest) as $t;
                let high = low.saturating_add(width);
                let modulus = 2 + s.choice(40.min(<$t>::MAX as u64 - 2)) as $t;
                let rest = s.choice(modulus as u64 - 1) as $t;
                let mask = (1 as $t) << s.choice(u64::from(<$t>::BITS) - 2);
                match (half, s.choice(2)) {
                    (0, 0 | 1) => Condition::new(format!("{low}..={high}"), move |n| (low..=high).contains(n)),
                    (0, _) => Condition::new(format!("> {low}"), move |n| *n > low),
                    (_, 0) => Condition::new(format!("% {modulus} == {rest}"), move |n| n % modulus == rest),
                    (_, 1) => Condition::new(format!("& {mask}"), move |n| n & mask != 0 && n & (mask << 1) == 0),
                    _ => Condition::new(format!("< 0 or {low}..={high}"), move |n| *n < 0 || (low..=high).contains(n)),
                }
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 }

macro_rules! wide_integers {
    ($($t:ident)*) => {$(
        impl Value for $t {
            fn near(&self, s: &mut Source) -> Self {
                match s.choice(5) {
                    0 => self.wrapping_add(1),
                    1 => self.wrapping_sub(1),
                    2 => *self,
                    _ => s.draw(any::<Self>()),
                }
            }

            fn condition(s: &mut Source, half: u64) -> Condition<Self> {
                let (low, high) = (magnitude(s, u64::MAX) as $t, (magnitude(s, u64::MAX) as $t) << s.choice(60));
                let modulus = 2 + s.choice(40) as $t;
                match half {
                    0 => Condition::new(format!("{low}..={high}"), move |n| (low..=high).contains(n)),
                    _ => Condition::new(format!("% {modulus} == 1"), move |n| n % modulus == 1),
                }
            }
        }
    )*};
}

wide_integers! { u128 i128 }

impl Value for Box<u32> {
    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = u32::condition(s, half);
        Condition::new(text, move |inner: &Self| holds(inner))
    }
}

impl Value for Duration {
    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = u64::condition(s, half);
        Condition::new(format!("seconds {text}"), move |time: &Self| holds(&time.as_secs()))
    }
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Value for $t {
            fn condition(s: &mut Source, half: u64) -> Condition<Self> {
                let low = s.choice(1000) as $t / (1 + s.choice(1000)) as $t;
                let high = low * (1.0 + (1 + s.choice(40)) as $t / [20.0, 200.0][s.choice(1) as usize]);
                match (half, s.choice(2)) {
                    (0, 0 | 1) => Condition::new(format!("{low}..{high}"), move |x| (low..high).contains(x)),
                    (0, _) => Condition::new(format!("> {low}"), move |x| *x > low),
                    (_, 0) => Condition::new("fraction".into(), |x: &$t| x.fract().abs() > 0.0 && x.abs() < 1.0),
                    (_, 1) => Condition::new(format!("< -{low}"), move |x| *x < -low),
                    _ => Condition::new("no number".into(), |x: &$t| !x.is_finite()),
                }
            }
        }
    )*};
}

floats! { f32 f64 }

impl Value for bool {
    fn condition(_: &mut Source, _: u64) -> Condition<Self> {
        Condition::new("true".into(), |flag| *flag)
    }
}

fn class(s: &mut Source, half: u64) -> Condition<char> {
    type Class = (&'static str, fn(char) -> bool);
    let classes: [Class; 10] = [
        ("upper", char::is_uppercase),
        ("emoji", |c| ('\u{1F300}'..='\u{1FAFF}').contains(&c)),
        ("digit", |c| c.is_ascii_digit()),
        ("punctuation", |c| c.is_ascii_punctuation()),
        ("accented", |c| ('\u{c0}'..='\u{17f}').contains(&c)),
        ("white", char::is_whitespace),
        ("wide", |c| c as u32 > 0xffff),
        ("control", char::is_control),
        ("alphabetic", char::is_alphabetic),
        ("vowel", |c| "aeiou".contains(c)),
    ];
    let (name, holds) = classes[(2 * s.choice(4) + half) as usize];
    if s.choice(3) > 0 {
        return Condition::new(name.into(), move |c| holds(*c));
    }
    let exact = ['-', 'A', '\n', ' ', '0', 'z', '"', '\\', '.', '/'][(2 * s.choice(4) + half) as usize];
    Condition::new(format!("{exact:?}"), move |c| *c == exact)
}

impl Value for char {
    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        class(s, half)
    }
}

impl Value for String {
    fn near(&self, s: &mut Source) -> Self {
        let mut text = String::new();
        for c in self.chars() {
            text.push(c.near(s));
        }
        if s.choice(1) == 0 {
            text += &s.draw(any::<String>());
        }
        text
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = class(s, half);
        let length = s.choice(7) as usize;
        let more = s.choice(3) as usize;
        match (half, s.choice(3)) {
            (0, 0) => Condition::new(format!("starts with {text}"), move |t: &String| {
                t.chars().next().is_some_and(|c| holds(&c))
            }),
            (0, 1) => Condition::new(format!("contains {text}"), move |t: &String| t.chars().any(|c| holds(&c))),
            (0, _) => Condition::new(format!("{length}..={} long", length + more), move |t: &String| {
                (length..=length + more).contains(&t.chars().count())
            }),
            (_, 0) => Condition::new(format!("ends with {text}"), move |t: &String| {
                t.chars().last().is_some_and(|c| holds(&c))
            }),
            (_, 1) => {
                Condition::new(format!("two {text}"), move |t: &String| t.chars().filter(|c| holds(c)).count() > 1)
            }
            (_, 2) => Condition::new("ascii".into(), move |t: &String| t.len() > length && t.is_ascii()),
            _ => Condition::new("backwards".into(), move |t: &String| t.len() > 1 && t.chars().eq(t.chars().rev())),
        }
    }
}

impl<T: Value> Value for Option<T> {
    fn near(&self, s: &mut Source) -> Self {
        match (s.choice(2), self) {
            (0, Some(inner)) => Some(inner.near(s)),
            (1, _) => self.clone(),
            _ => s.draw(any::<Self>()),
        }
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = T::condition(s, half);
        Condition::new(format!("some {text}"), move |o: &Self| o.as_ref().is_some_and(|inner| holds(inner)))
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    fn near(&self, s: &mut Source) -> Self {
        match (s.choice(2), self) {
            (0, Ok(inner)) => Ok(inner.near(s)),
            (0, Err(inner)) => Err(inner.near(s)),
            (1, _) => self.clone(),
            _ => s.draw(any::<Self>()),
        }
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        if s.choice(1) == 0 {
            let Condition { text, holds } = T::condition(s, half);
            Condition::new(format!("ok {text}"), move |r: &Self| r.as_ref().is_ok_and(|inner| holds(inner)))
        } else {
            let Condition { text, holds } = E::condition(s, half);
            Condition::new(format!("err {text}"), move |r: &Self| r.as_ref().is_err_and(|inner| holds(inner)))
        }
    }
}

impl<T: Value> Value for Vec<T> {
    fn near(&self, s: &mut Source) -> Self {
        let mut list: Vec<T> = self.iter().map(|item| item.near(s)).collect();
        if s.choice(1) == 0 {
            list.append(&mut s.draw(any::<Vec<T>>()));
        }
        list
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = T::condition(s, half);
        let length = s.choice(7) as usize;
        let more = s.choice(3) as usize;
        match (half, s.choice(2)) {
            (0, 0) => Condition::new(format!("any {text}"), move |v: &Self| v.iter().any(|x| holds(x))),
            (0, 1) => Condition::new(format!("first {text}"), move |v: &Self| v.first().is_some_and(|x| holds(x))),
            (0, _) => Condition::new(format!("{length}..={} long", length + more), move |v: &Self| {
                (length..=length + more).contains(&v.len())
            }),
            (_, 0) => {
                Condition::new(format!("all {text}"), move |v: &Self| !v.is_empty() && v.iter().all(|x| holds(x)))
            }
            (_, 1) => Condition::new(format!("last {text}"), move |v: &Self| v.last().is_some_and(|x| holds(x))),
            _ => Condition::new("repeats".into(), move |v: &Self| v.windows(2).any(|w| w[0] == w[1])),
        }
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Value),*> Value for ($($name,)*) {
            fn near(&self, s: &mut Source) -> Self {
                ($(if s.choice(1) == 0 { self.$at.clone() } else { self.$at.near(s) },)*)
            }

            fn condition(s: &mut Source, half: u64) -> Condition<Self> {
                $(let mut $name: Option<Condition<$name>> = Some($name::condition(s, half));)*
                // One field, or two: both must hold, or one of them.
                let (all, mut text) = (s.choice(1) == half, String::new());
                const COUNT: u64 = [$($at),*].len() as u64;
                let used = [s.choice(COUNT - 1), s.choice(COUNT - 1)];
                $(if !used.contains(&$at) { $name = None; })*
                $(if let Some(condition) = &$name { text += &format!("[{}: {}]", $at, condition.text); })*
                Condition::new(format!("{text}{}", if all { " all" } else { " one" }), move |t: &Self| {
                    let (mut held, mut count) = (0, 0);
                    $(if let Some(condition) = &$name {
                        count += 1;
                        held += u32::from((condition.holds)(&t.$at));
                    })*
                    if all { held == count } else { held > 0 }
                })
            }
        }
    )*};
}

#[allow(non_snake_case)]
mod tuples {
    use super::*;
    tuples! {
        A 0, B 1;
        A 0, B 1, C 2;
        A 0, B 1, C 2, D 3;
    }
}

impl Value for BTreeSet<u8> {
    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = u8::condition(s, half);
        Condition::new(format!("any {text}"), move |set: &Self| set.iter().any(|x| holds(x)))
    }
}

impl Value for BTreeMap<u8, u16> {
    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = u16::condition(s, half);
        Condition::new(format!("any value {text}"), move |map: &Self| map.values().any(|x| holds(x)))
    }
}

impl Value for [i32; 3] {
    fn near(&self, s: &mut Source) -> Self {
        self.map(|item| item.near(s))
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let (Condition { text, holds }, at) = (i32::condition(s, half), s.choice(2) as usize);
        Condition::new(format!("[{at}] {text}"), move |array: &Self| holds(&array[at]))
    }
}

/// A record as people write them.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub struct User {
    pub name: String,
    pub age: u8,
    pub email: Option<String>,
    pub admin: bool,
}

impl Value for User {
    fn near(&self, s: &mut Source) -> Self {
        let Self { name, age, email, admin } = self.clone();
        let (name, age, email, admin) = (name, age, email, admin).near(s);
        Self { name, age, email, admin }
    }

    fn condition(s: &mut Source, half: u64) -> Condition<Self> {
        let Condition { text, holds } = <(String, u8, Option<String>, bool)>::condition(s, half);
        Condition::new(text, move |u: &Self| holds(&(u.name.clone(), u.age, u.email.clone(), u.admin)))
    }
}
