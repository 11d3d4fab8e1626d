//! The properties: each passes where its conditions hold, and it is known whether something simple can be claimed of its
//! counterexamples.

use super::values::{Condition, User, Value, magnitude};
use forall::prelude::*;
use forall::property::{Empty, Printed, Property, Telescope};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// A property of the battery.
pub struct Known {
    /// The kind of property.
    pub family: &'static str,
    /// The half of the conditions that it is made of. The explainer was tuned on the first.
    pub half: u64,
    /// When it passes.
    pub condition: String,
    /// Something simple that is true of its counterexamples, if there is such a thing.
    pub simple: Option<Simple>,
    pub property: Box<dyn Property>,
    /// The generators of its variables.
    pub draws: Vec<Draw>,
    pub passes: Passes,
    /// The values with which it ran last.
    pub ran: Rc<RefCell<Vec<Dynamic>>>,
}

/// Whether a property passes with some values.
pub type Passes = Rc<dyn Fn(&[Dynamic]) -> bool>;

/// Something simple that is true of a counterexample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Simple {
    /// This variable, or a part of it, does not matter.
    Open(usize),
    /// Variables are related, or one is beyond a bound.
    Related,
}

/// A value of any kind.
#[derive(Clone)]
pub struct Dynamic(Rc<dyn Erased>);

trait Erased {
    fn printed(&self) -> Printed;
    fn near(&self, s: &mut Source) -> Dynamic;
    fn any(&self) -> &dyn Any;
}

impl<T: Value> Erased for T {
    fn printed(&self) -> Printed {
        Printed::code(self)
    }

    fn near(&self, s: &mut Source) -> Dynamic {
        Dynamic(Rc::new(Value::near(self, s)))
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for Dynamic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.printed().text())
    }
}

impl Dynamic {
    pub fn printed(&self) -> Printed {
        self.0.printed()
    }

    /// A value that has something of this one.
    pub fn near(&self, s: &mut Source) -> Dynamic {
        self.0.near(s)
    }

    fn get<T: Value>(&self) -> &T {
        self.0.any().downcast_ref().expect("a variable has one type")
    }
}

/// The generator of a variable.
#[derive(Clone)]
pub struct Draw {
    pub value: Rc<dyn Fn(&mut Source) -> Dynamic>,
    /// Whether it generates all values of the type, so that neighbours of its values are valid as well.
    pub all: bool,
}

fn of<T: Value>() -> Draw {
    Draw { value: Rc::new(|s| Dynamic(Rc::new(s.draw(any::<T>())))), all: true }
}

fn drawn<T: Value>(generator: impl Generator<Value = T> + 'static) -> Draw {
    Draw { value: Rc::new(move |s| Dynamic(Rc::new(s.draw(&generator)))), all: false }
}

impl Known {
    fn new(draws: Vec<Draw>, condition: String, passes: impl Fn(&[Dynamic]) -> bool + 'static) -> Self {
        let passes: Passes = Rc::new(passes);
        let ran = Rc::new(RefCell::new(Vec::new()));
        let (check, last, sources) = (passes.clone(), ran.clone(), draws.clone());
        let run = move |values: Vec<Dynamic>| {
            let passed = check(&values);
            last.replace(values);
            passed
        };
        let draw = move |at: usize| {
            let draw = sources[at].clone();
            move |s: &mut Source| (draw.value)(s)
        };
        let (a, b, c) = (draw(0), draw(1.min(draws.len() - 1)), draw(2.min(draws.len() - 1)));
        let one = Empty.forall("a", move |(), s| a(s)).printed_by(Dynamic::printed);
        let property: Box<dyn Property> = match draws.len() {
            1 => Box::new(one.check(move |(a, ())| run(vec![a.clone()]))),
            2 => {
                let two = one.forall("b", move |_, s| b(s)).printed_by(Dynamic::printed);
                Box::new(two.check(move |(b, (a, ()))| run(vec![a.clone(), b.clone()])))
            }
            _ => {
                let two = one.forall("b", move |_, s| b(s)).printed_by(Dynamic::printed);
                let three = two.forall("c", move |_, s| c(s)).printed_by(Dynamic::printed);
                Box::new(three.check(move |(c, (b, (a, ())))| run(vec![a.clone(), b.clone(), c.clone()])))
            }
        };
        Self { family: "", half: 0, condition, simple: None, property, draws, passes, ran }
    }

    fn simple(mut self, simple: Simple) -> Self {
        self.simple = Some(simple);
        self
    }
}

/// A kind of property, with the half that it belongs to, if it is not made of conditions that have halves themselves.
pub type Family = (&'static str, Option<u64>, fn(&mut Source, u64) -> Known);

pub const FAMILIES: &[Family] = &[
    ("one value", None, one),
    ("one value", None, one),
    ("one value", None, one),
    ("number in a range", None, ranged),
    ("one of two matters", None, one_of_two),
    ("one of two matters", None, one_of_two),
    ("both of two", None, two),
    ("one of three matters", None, one_of_three),
    ("two of three", None, two_of_three),
    ("at least", Some(0), at_least),
    ("below zero", Some(1), below_zero),
    ("long list", Some(0), long_list),
    ("long string", Some(1), long_string),
    ("less", Some(0), less),
    ("at most", Some(1), at_most),
    ("equal or", Some(0), equal_or),
    ("different", Some(1), different),
    ("length", Some(0), length),
    ("index", Some(1), index),
    ("rising", Some(0), rising),
    ("negated", Some(1), negated),
    ("nearly equal", Some(0), nearly),
    ("sum", Some(1), sum),
    ("contains", Some(0), contains),
    ("wide at least", Some(0), wide_at_least),
    ("characters", Some(1), characters),
    ("equal numbers of two types", Some(0), equal_of_two_types),
    ("three equal", Some(1), three_equal),
];

/// A condition on one value of any kind.
fn one(s: &mut Source, half: u64) -> Known {
    fn of_kind<T: Value>(s: &mut Source, half: u64) -> Known {
        let Condition { text, holds } = T::condition(s, half);
        let text = format!("{}: {text}", std::any::type_name::<T>());
        Known::new(vec![of::<T>()], text, move |values| holds(values[0].get()))
    }
    let kinds: &[fn(&mut Source, u64) -> Known] = &[
        of_kind::<u8>,
        of_kind::<u16>,
        of_kind::<u32>,
        of_kind::<u64>,
        of_kind::<usize>,
        of_kind::<i8>,
        of_kind::<i16>,
        of_kind::<i32>,
        of_kind::<i64>,
        of_kind::<f32>,
        of_kind::<f64>,
        of_kind::<char>,
        of_kind::<String>,
        of_kind::<String>,
        of_kind::<Option<u32>>,
        of_kind::<Option<String>>,
        of_kind::<Result<u8, String>>,
        of_kind::<Vec<u8>>,
        of_kind::<Vec<i32>>,
        of_kind::<Vec<String>>,
        of_kind::<(u8, u32)>,
        of_kind::<(i32, String, bool)>,
        of_kind::<User>,
        of_kind::<User>,
        of_kind::<BTreeSet<u8>>,
        of_kind::<BTreeMap<u8, u16>>,
        of_kind::<[i32; 3]>,
        of_kind::<(Option<u8>, Vec<u16>)>,
        of_kind::<u128>,
        of_kind::<i128>,
        of_kind::<Duration>,
        of_kind::<Box<u32>>,
    ];
    kinds[s.choice(kinds.len() as u64 - 1) as usize](s, half)
}

/// A part of a range.
fn ranged(s: &mut Source, half: u64) -> Known {
    let end = 10 + magnitude(s, 100_000);
    let low = s.choice(end);
    let high = low + s.choice(end / 10 + 1);
    if half == 0 {
        let (end, low, high) = (end as f64 / 100.0, low as f64 / 100.0, high as f64 / 100.0);
        let text = format!("0..{end}: {low}..={high}");
        return Known::new(vec![drawn(0.0..end)], text, move |v| (low..=high).contains(v[0].get()));
    }
    let text = format!("0..{end}: {low}..={high}");
    Known::new(vec![drawn(0..end)], text, move |v| (low..=high).contains(v[0].get()))
}

/// A condition on one of two variables.
fn one_of_two(s: &mut Source, half: u64) -> Known {
    fn of_kinds<A: Value, B: Value>(s: &mut Source, half: u64) -> Known {
        let Condition { text, holds } = A::condition(s, half);
        if s.choice(1) == 0 {
            Known::new(vec![of::<A>(), of::<B>()], format!("a: {text}"), move |v| holds(v[0].get()))
                .simple(Simple::Open(1))
        } else {
            Known::new(vec![of::<B>(), of::<A>()], format!("b: {text}"), move |v| holds(v[1].get()))
                .simple(Simple::Open(0))
        }
    }
    let kinds: &[fn(&mut Source, u64) -> Known] = &[
        of_kinds::<u32, u8>,
        of_kinds::<String, u64>,
        of_kinds::<i64, String>,
        of_kinds::<Vec<u8>, bool>,
        of_kinds::<u16, Vec<i32>>,
        of_kinds::<f64, Option<String>>,
        of_kinds::<User, f64>,
        of_kinds::<u32, User>,
        of_kinds::<Option<u32>, char>,
        of_kinds::<u8, Result<u8, String>>,
    ];
    kinds[s.choice(kinds.len() as u64 - 1) as usize](s, half)
}

/// Conditions on two variables: both hold, or one of them.
fn two(s: &mut Source, half: u64) -> Known {
    fn of_kinds<A: Value, B: Value>(s: &mut Source, half: u64) -> Known {
        let (a, b) = (A::condition(s, half), B::condition(s, half));
        let all = s.choice(1) == 0;
        let text = format!("a: {}, b: {}, {}", a.text, b.text, if all { "both" } else { "one" });
        Known::new(vec![of::<A>(), of::<B>()], text, move |v| {
            let (a, b) = ((a.holds)(v[0].get()), (b.holds)(v[1].get()));
            if all { a && b } else { a || b }
        })
    }
    let kinds: &[fn(&mut Source, u64) -> Known] = &[
        of_kinds::<u32, u32>,
        of_kinds::<u8, String>,
        of_kinds::<i32, i32>,
        of_kinds::<String, String>,
        of_kinds::<Vec<u8>, u8>,
        of_kinds::<f64, u16>,
        of_kinds::<bool, u8>,
        of_kinds::<Option<u32>, bool>,
    ];
    kinds[s.choice(kinds.len() as u64 - 1) as usize](s, half)
}

/// A condition on one of three variables.
fn one_of_three(s: &mut Source, half: u64) -> Known {
    let Condition { text, holds } = u32::condition(s, half);
    let at = s.choice(2) as usize;
    let mut draws = vec![of::<String>(), of::<i64>()];
    draws.insert(at, of::<u32>());
    Known::new(draws, format!("{at}: {text}"), move |v| holds(v[at].get())).simple(Simple::Open(usize::from(at == 0)))
}

/// Conditions on two of three variables.
fn two_of_three(s: &mut Source, half: u64) -> Known {
    let (a, c) = (u16::condition(s, half), String::condition(s, half));
    let all = s.choice(1) == 0;
    let text = format!("a: {}, c: {}, {}", a.text, c.text, if all { "both" } else { "one" });
    Known::new(vec![of::<u16>(), of::<Vec<u8>>(), of::<String>()], text, move |v| {
        let (a, c) = ((a.holds)(v[0].get()), (c.holds)(v[2].get()));
        if all { a && c } else { a || c }
    })
    .simple(Simple::Open(1))
}

fn at_least(s: &mut Source, _: u64) -> Known {
    let bound = 1 + magnitude(s, 200_000);
    let text = format!("a < {bound}");
    match s.choice(3) {
        0 => Known::new(vec![of::<u32>()], text, move |v| u64::from(*v[0].get::<u32>()) < bound),
        1 => Known::new(vec![of::<u64>()], text, move |v| *v[0].get::<u64>() < bound),
        2 => Known::new(vec![of::<i64>()], text, move |v| *v[0].get::<i64>() < bound as i64),
        _ => Known::new(vec![drawn(0..4 * bound)], text, move |v| *v[0].get::<u64>() < bound),
    }
    .simple(Simple::Related)
}

fn below_zero(s: &mut Source, _: u64) -> Known {
    let bound = -(magnitude(s, 200_000) as i64) - 1;
    let text = format!("a > {bound}");
    match s.choice(2) {
        0 => Known::new(vec![of::<i64>()], text, move |v| *v[0].get::<i64>() > bound),
        1 => Known::new(vec![of::<i32>()], text, move |v| i64::from(*v[0].get::<i32>()) > bound),
        _ => Known::new(vec![drawn(8 * bound..100)], text, move |v| *v[0].get::<i64>() > bound),
    }
    .simple(Simple::Related)
}

fn long_list(s: &mut Source, _: u64) -> Known {
    let length = 1 + s.choice(7) as usize;
    let text = format!("shorter than {length}");
    match s.choice(2) {
        0 => Known::new(vec![of::<Vec<u8>>()], text, move |v| v[0].get::<Vec<u8>>().len() < length),
        1 => Known::new(vec![of::<Vec<String>>()], text, move |v| v[0].get::<Vec<String>>().len() < length),
        _ => Known::new(vec![of::<(u8, Vec<i32>)>()], text, move |v| v[0].get::<(u8, Vec<i32>)>().1.len() < length),
    }
    .simple(Simple::Open(0))
}

fn long_string(s: &mut Source, _: u64) -> Known {
    let length = 1 + s.choice(7) as usize;
    let text = format!("shorter than {length}");
    match s.choice(2) {
        0 => Known::new(vec![of::<String>()], text, move |v| v[0].get::<String>().chars().count() < length),
        1 => Known::new(vec![of::<(String, i32)>()], text, move |v| {
            v[0].get::<(String, i32)>().0.chars().count() < length
        }),
        _ => Known::new(vec![of::<User>()], text, move |v| v[0].get::<User>().name.chars().count() < length),
    }
    .simple(Simple::Open(0))
}

fn less(s: &mut Source, _: u64) -> Known {
    let text = "a >= b".to_owned();
    match s.choice(3) {
        0 => Known::new(vec![of::<u32>(), of::<u32>()], text, |v| v[0].get::<u32>() >= v[1].get()),
        1 => Known::new(vec![of::<i64>(), of::<i64>()], text, |v| v[0].get::<i64>() >= v[1].get()),
        2 => Known::new(vec![of::<u8>(), of::<u8>(), of::<String>()], text, |v| v[0].get::<u8>() >= v[1].get()),
        _ => Known::new(vec![of::<(u16, u16)>()], text, |v| v[0].get::<(u16, u16)>().0 >= v[0].get::<(u16, u16)>().1),
    }
    .simple(Simple::Related)
}

fn at_most(s: &mut Source, _: u64) -> Known {
    let text = "a > b".to_owned();
    match s.choice(2) {
        0 => Known::new(vec![of::<u64>(), of::<u64>()], text, |v| v[0].get::<u64>() > v[1].get()),
        1 => Known::new(vec![of::<i32>(), of::<i32>()], text, |v| v[0].get::<i32>() > v[1].get()),
        _ => Known::new(vec![of::<(i16, i16)>()], text, |v| v[0].get::<(i16, i16)>().0 > v[0].get::<(i16, i16)>().1),
    }
    .simple(Simple::Related)
}

/// Equal values pass, and some others: nothing simple is true.
fn equal_or(s: &mut Source, half: u64) -> Known {
    let Condition { text, holds } = u32::condition(s, half);
    let text = format!("a == b or a: {text}");
    Known::new(vec![of::<u32>(), of::<u32>()], text, move |v| {
        v[0].get::<u32>() == v[1].get::<u32>() || holds(v[0].get())
    })
}

fn different(s: &mut Source, _: u64) -> Known {
    let text = "a == b".to_owned();
    let end = 3 + s.choice(200) as u8;
    match s.choice(2) {
        0 => Known::new(vec![drawn(0..end), drawn(0..end)], text, |v| v[0].get::<u8>() == v[1].get::<u8>()),
        1 => Known::new(vec![of::<u32>(), of::<u32>()], text, |v| v[0].get::<u32>() == v[1].get::<u32>()),
        _ => Known::new(vec![of::<String>(), of::<String>()], text, |v| v[0].get::<String>() == v[1].get::<String>()),
    }
    .simple(Simple::Related)
}

fn length(s: &mut Source, _: u64) -> Known {
    match s.choice(1) {
        0 => Known::new(vec![drawn(0..40usize), of::<Vec<u8>>()], "a != b.len()".into(), |v| {
            *v[0].get::<usize>() != v[1].get::<Vec<u8>>().len()
        }),
        _ => Known::new(vec![of::<Vec<u8>>(), drawn(0..40usize)], "b < a.len()".into(), |v| {
            *v[1].get::<usize>() < v[0].get::<Vec<u8>>().len()
        }),
    }
    .simple(Simple::Related)
}

fn index(s: &mut Source, _: u64) -> Known {
    match s.choice(1) {
        0 => Known::new(vec![of::<Vec<i32>>(), of::<usize>()], "b >= a.len()".into(), |v| {
            *v[1].get::<usize>() >= v[0].get::<Vec<i32>>().len()
        }),
        _ => Known::new(vec![drawn(0..12usize), of::<String>()], "a < b.len()".into(), |v| {
            *v[0].get::<usize>() < v[1].get::<String>().chars().count()
        }),
    }
    .simple(Simple::Related)
}

fn rising(s: &mut Source, _: u64) -> Known {
    let text = "not a < b < c".to_owned();
    let (draws, strict) = (vec![of::<u16>(), of::<u16>(), of::<u16>()], s.choice(1) == 0);
    Known::new(draws, text, move |v| {
        let (a, b, c) = (v[0].get::<u16>(), v[1].get::<u16>(), v[2].get::<u16>());
        if strict { !(a < b && b < c) } else { !(a <= b && b <= c) }
    })
    .simple(Simple::Related)
}

fn negated(s: &mut Source, _: u64) -> Known {
    match s.choice(1) {
        0 => Known::new(vec![drawn(-20..=20i32), drawn(-20..=20i32)], "a != -b".into(), |v| {
            *v[0].get::<i32>() != -v[1].get::<i32>()
        }),
        _ => Known::new(vec![drawn(-9..=9i64), drawn(-9..=9i64)], "a == -b".into(), |v| {
            *v[0].get::<i64>() == -v[1].get::<i64>()
        }),
    }
    .simple(Simple::Related)
}

fn nearly(s: &mut Source, _: u64) -> Known {
    let far = 1 + s.choice(9);
    let text = format!("a and b differ by more than {far}");
    let end = 30 + 10 * far;
    Known::new(vec![drawn(0..end), drawn(0..end)], text, move |v| v[0].get::<u64>().abs_diff(*v[1].get::<u64>()) > far)
        .simple(Simple::Related)
}

/// A sum is beyond a bound: nothing simple is true.
fn sum(s: &mut Source, _: u64) -> Known {
    let bound = 10 + magnitude(s, 1_000);
    Known::new(vec![of::<u16>(), of::<u16>()], format!("a + b < {bound}"), move |v| {
        u64::from(*v[0].get::<u16>()) + u64::from(*v[1].get::<u16>()) < bound
    })
}

/// A list that contains a number: nothing simple is true.
fn contains(s: &mut Source, _: u64) -> Known {
    let end = 4 + s.choice(200) as u8;
    Known::new(vec![of::<Vec<u8>>(), drawn(0..end)], "a contains b".into(), |v| {
        v[0].get::<Vec<u8>>().contains(v[1].get())
    })
}

/// A bound on a number of 128 bits, or in a box.
fn wide_at_least(s: &mut Source, _: u64) -> Known {
    let bound = 1 + magnitude(s, 1 << 40);
    let text = format!("a < {bound}");
    match s.choice(2) {
        0 => Known::new(vec![of::<u128>()], text, move |v| *v[0].get::<u128>() < bound.into()),
        1 => Known::new(vec![of::<i128>()], text, move |v| *v[0].get::<i128>() < bound.into()),
        _ => {
            let bound = 1 + bound % 100_000;
            Known::new(vec![of::<Box<u32>>()], format!("a < {bound}"), move |v| {
                u64::from(**v[0].get::<Box<u32>>()) < bound
            })
        }
    }
    .simple(Simple::Related)
}

/// The order of two characters, alone or in a pair.
fn characters(s: &mut Source, _: u64) -> Known {
    let text = "a > b".to_owned();
    match s.choice(1) {
        0 => Known::new(vec![of::<char>(), of::<char>()], text, |v| v[0].get::<char>() > v[1].get()),
        _ => Known::new(vec![of::<(char, char)>()], text, |v| {
            let (left, right) = v[0].get::<(char, char)>();
            left > right
        }),
    }
    .simple(Simple::Related)
}

/// Numbers of two types or ranges are not equal.
fn equal_of_two_types(s: &mut Source, _: u64) -> Known {
    let end = 30 + s.choice(30) as u16;
    let text = "a == b".to_owned();
    match s.choice(1) {
        0 => Known::new(vec![drawn(0..end), drawn(-5..=i32::from(end))], text, |v| {
            i32::from(*v[0].get::<u16>()) == *v[1].get::<i32>()
        }),
        _ => Known::new(vec![drawn(3..end), drawn(0..=u64::from(end))], text, |v| {
            u64::from(*v[0].get::<u16>()) == *v[1].get::<u64>()
        }),
    }
    .simple(Simple::Related)
}

/// Three numbers are not all equal.
fn three_equal(s: &mut Source, _: u64) -> Known {
    let draw = || drawn(0..40u8);
    let first = s.choice(20) as u8;
    Known::new(vec![draw(), draw(), draw()], format!("a == b == c or a < {first}"), move |v| {
        let (a, b, c) = (v[0].get::<u8>(), v[1].get::<u8>(), v[2].get::<u8>());
        a == b && b == c || *a < first
    })
}
