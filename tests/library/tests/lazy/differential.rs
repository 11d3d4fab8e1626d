//! The search agrees with enumeration on random properties: nested quantifiers, connectives, functions, types without
//! values or with a single one, rejected values, and bodies that catch panics.

use forall::lazy::{
    Extent, Fun, Lazy, List, Series, Trouble, and, exists, exists_unique, explore, for_all, implies, or, search,
};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Arbitrary, Clone, Debug)]
enum Nat {
    Zero,
    Succ(Lazy<Nat>),
}

#[derive(Arbitrary, Clone, Debug)]
struct Wrapped(Lazy<bool>);

/// A type without values.
#[derive(Arbitrary, Clone, Debug)]
struct Never(Lazy<Never>);

/// An odd number up to the depth; the series rejects even ones.
#[derive(Clone, Debug)]
struct Odd(u64);

impl Arbitrary for Odd {
    fn arbitrary(source: &mut Source) -> Self {
        Odd(2 * source.draw(0..9u64) + 1)
    }

    fn series(series: &mut Series<'_>) -> Self {
        let n = series.choose(u64::from(series.depth()) + 1);
        if n.is_multiple_of(2) {
            series.reject()
        }
        Odd(n)
    }

    fn extent(_: &mut Extent) -> f64 {
        f64::NAN
    }
}

type Pair = (Lazy<bool>, Lazy<Nat>);
type ToNat = Fun<bool, Lazy<Nat>>;
type ToFlag = Fun<Option<Lazy<bool>>, bool>;
type ToUnit = Fun<Lazy<bool>, ((), Lazy<()>)>;

/// The value of a variable. In an enumeration, functions are tables.
#[derive(Clone, Copy)]
enum Value<'a> {
    Flag(&'a Lazy<bool>),
    Nat(&'a Lazy<Nat>),
    Wrapped(&'a Lazy<Wrapped>),
    Unit(&'a Lazy<()>),
    Never(&'a Lazy<Never>),
    Odd(&'a Lazy<Odd>),
    Pair(&'a Lazy<Pair>),
    ToNat(&'a ToNat),
    NatTable([u32; 2]),
    ToFlag(&'a ToFlag),
    FlagTable([bool; 3]),
    ToUnit(&'a ToUnit),
    UnitTable,
}

/// The number of domains of a quantifier.
const KINDS: u64 = 11;

/// All values up to a depth, by the domain of a quantifier.
struct All {
    flags: Vec<Lazy<bool>>,
    nats: Vec<Lazy<Nat>>,
    wrapped: Vec<Lazy<Wrapped>>,
    unit: Lazy<()>,
    odd: Vec<Lazy<Odd>>,
    pairs: Vec<Lazy<Pair>>,
    nat_tables: Vec<[u32; 2]>,
    flag_tables: Vec<[bool; 3]>,
}

fn nat(n: u32) -> Lazy<Nat> {
    Lazy::new(if n == 0 { Nat::Zero } else { Nat::Succ(nat(n - 1)) })
}

impl All {
    fn up_to(depth: u32) -> Self {
        let flags = [false, true];
        let wrapped = flags.iter().filter(|_| depth > 0).map(|flag| Lazy::new(Wrapped(Lazy::new(*flag)))).collect();
        let mut pairs = Vec::new();
        for flag in flags {
            for n in 0..=depth {
                pairs.push(Lazy::new((Lazy::new(flag), nat(n))));
            }
        }
        let mut nat_tables: Vec<[u32; 2]> = (0..=depth).map(|n| [n, n]).collect();
        let mut flag_tables: Vec<[bool; 3]> = flags.map(|flag| [flag; 3]).to_vec();
        for a in 0..depth {
            nat_tables.extend((0..depth).map(|b| [a, b]));
        }
        for code in 0..8u32 {
            let table = [0, 1, 2].map(|bit| code >> bit & 1 == 1);
            if depth > 1 || depth > 0 && table[1] == table[2] {
                flag_tables.push(table);
            }
        }
        nat_tables.sort_unstable();
        nat_tables.dedup();
        flag_tables.sort_unstable();
        flag_tables.dedup();
        Self {
            flags: flags.map(Lazy::new).to_vec(),
            nats: (0..=depth).map(nat).collect(),
            wrapped,
            unit: Lazy::new(()),
            odd: (0..=u64::from(depth)).filter(|n| n % 2 == 1).map(|n| Lazy::new(Odd(n))).collect(),
            pairs,
            nat_tables,
            flag_tables,
        }
    }

    fn of(&self, kind: u64) -> Vec<Value<'_>> {
        match kind {
            0 | 1 => self.flags.iter().map(Value::Flag).collect(),
            2 => self.nats.iter().map(Value::Nat).collect(),
            3 => self.wrapped.iter().map(Value::Wrapped).collect(),
            4 => vec![Value::Unit(&self.unit)],
            5 => Vec::new(),
            6 => self.odd.iter().map(Value::Odd).collect(),
            7 => self.pairs.iter().map(Value::Pair).collect(),
            8 => self.nat_tables.iter().map(|table| Value::NatTable(*table)).collect(),
            9 => self.flag_tables.iter().map(|table| Value::FlagTable(*table)).collect(),
            _ => vec![Value::UnitTable],
        }
    }
}

fn mix(seed: u64) -> u64 {
    let mut word = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn is_at_least(n: &Lazy<Nat>, bound: u64) -> bool {
    bound == 0 || matches!(&**n, Nat::Succ(less) if is_at_least(less, bound - 1))
}

/// Forces a value.
fn looks_at<T>(_: &T) -> bool {
    true
}

/// Evaluates a predicate on a value, forcing only the parts that it needs.
fn says(word: u64, value: Value<'_>) -> bool {
    let (bit, bound) = (word & 1 == 1, word >> 1 & 1);
    match value {
        Value::Flag(flag) => **flag == bit,
        Value::Nat(n) => is_at_least(n, 1 + bound) == bit,
        Value::Wrapped(wrapped) => *wrapped.0 == bit,
        Value::Unit(unit) => looks_at(&**unit) == bit,
        Value::Never(never) => matches!(&*never.0.0, Never(_)) == bit,
        Value::Odd(odd) => (odd.0 == 1 + 2 * bound) == bit,
        Value::Pair(pair) => match word >> 2 & 3 {
            0 => *pair.0 == bit,
            1 => is_at_least(&pair.1, 1 + bound) == bit,
            2 => *pair.0 == bit && is_at_least(&pair.1, 1),
            _ => is_at_least(&pair.1, 1) || *pair.0 == bit,
        },
        Value::ToNat(f) => is_at_least(f.call(&(word >> 2 & 1 == 1)), 1 + bound) == bit,
        Value::NatTable(table) => (u64::from(table[(word >> 2 & 1) as usize]) > bound) == bit,
        Value::ToFlag(f) => {
            *f.call(&[None, Some(Lazy::new(false)), Some(Lazy::new(true))][(word >> 2) as usize % 3]) == bit
        }
        Value::FlagTable(table) => table[(word >> 2) as usize % 3] == bit,
        Value::ToUnit(f) => looks_at(&*f.call(&Lazy::new(bound == 1)).1) == bit,
        Value::UnitTable => bit,
    }
}

/// Evaluates a predicate on two values: a function is applied to the other value.
fn says_of_two(word: u64, first: Value<'_>, second: Value<'_>) -> bool {
    match (first, second) {
        (Value::ToNat(f), Value::Flag(flag)) => is_at_least(f.call(flag), 1),
        (Value::NatTable(table), Value::Flag(flag)) => table[usize::from(**flag)] > 0,
        (Value::ToFlag(f), Value::Flag(flag)) => *f.call(&Some(flag.clone())),
        (Value::FlagTable(table), Value::Flag(flag)) => table[1 + usize::from(**flag)],
        (Value::ToUnit(f), Value::Flag(flag)) => looks_at(&f.call(flag).0),
        (Value::UnitTable, Value::Flag(flag)) => looks_at(&**flag),
        _ => says(word, first) == says(word >> 7, second),
    }
}

/// A random property of the given variables. With `all`, it is decided by enumeration, with Rust's own connectives.
struct Formula<'a> {
    all: Option<&'a All>,
}

impl Formula<'_> {
    fn holds(&self, seed: u64, left: u32, values: &[Value<'_>]) -> bool {
        let form = mix(seed);
        let pick = |word: u64| values[values.len() - 1 - (word % values.len() as u64) as usize];
        if left == 0 || form.is_multiple_of(9) {
            return match form >> 32 & 1 {
                0 => says(form >> 40, pick(form >> 8)),
                _ => says_of_two(form >> 40, pick(form >> 8), pick(form >> 16)),
            };
        }
        let inner = |number: u64| self.holds(mix(seed ^ number), left - 1, values);
        let (a, b, c) = (|| inner(1), || inner(2), || inner(3));
        match ((form >> 8) % 13, self.all.is_some()) {
            (0, false) => and(a, b),
            (0, true) => a() && b(),
            (1, false) => or(a, b),
            (1, true) => a() || b(),
            (2, false) => implies(a, b),
            (2, true) => !a() || b(),
            (3, _) => !a(),
            (4, _) => a() && b(),
            (5, _) => {
                if a() {
                    b()
                } else {
                    c()
                }
            }
            // Panics are caught only here, since a connective may ignore a side that panics.
            (6 | 7, _) => catch_unwind(AssertUnwindSafe(|| {
                let holds = a();
                if b() { resume_unwind(Box::new("caught")) } else { holds }
            }))
            .unwrap_or(form >> 32 & 1 == 1),
            (8, by_trying) => {
                let Value::Flag(flag) = values[0] else { return a() };
                let flag = flag.clone();
                let caught = move || catch_unwind(AssertUnwindSafe(|| *flag)).unwrap_or(form >> 32 & 1 == 1);
                let later = Lazy::defer(caught);
                match (by_trying, form >> 33 & 1) {
                    (true, _) => a() || *later,
                    (false, 0) => or(a, || *later),
                    (false, _) => or(|| *later, a),
                }
            }
            (quantifier, _) => self.quantified(quantifier, form >> 16, mix(seed ^ 1), left - 1, values),
        }
    }

    fn quantified(&self, quantifier: u64, word: u64, seed: u64, left: u32, values: &[Value<'_>]) -> bool {
        // Deeply nested formulas are kept small, to limit the time.
        let left = if values.len() > 5 { left.min(1) } else { left };
        let with = |value: Value<'_>| {
            let mut inner: Vec<Value<'_>> = values.to_vec();
            inner.push(value);
            self.holds(seed, left, &inner)
        };
        let kind = word % KINDS;
        if let Some(all) = self.all {
            let mut values = all.of(kind).into_iter();
            return match quantifier {
                9 | 10 => values.filter(|value| with(*value)).count() == 1,
                11 => values.any(with),
                _ => values.all(with),
            };
        }
        match kind {
            0 | 1 => decide(quantifier, |value| with(Value::Flag(value))),
            2 => decide(quantifier, |value| with(Value::Nat(value))),
            3 => decide(quantifier, |value| with(Value::Wrapped(value))),
            4 => decide(quantifier, |value| with(Value::Unit(value))),
            5 => decide(quantifier, |value| with(Value::Never(value))),
            6 => decide(quantifier, |value| with(Value::Odd(value))),
            7 => decide(quantifier, |value| with(Value::Pair(value))),
            8 => decide(quantifier, |value| with(Value::ToNat(value))),
            9 => decide(quantifier, |value| with(Value::ToFlag(value))),
            _ => decide(quantifier, |value| with(Value::ToUnit(value))),
        }
    }
}

fn decide<T: Arbitrary + Debug>(quantifier: u64, body: impl Fn(&T) -> bool) -> bool {
    match quantifier {
        9 | 10 => exists_unique().check(body),
        11 => exists().check(body),
        _ => for_all().check(body),
    }
}

/// Returns whether the property holds for all inputs up to a depth, by enumeration.
fn holds_by_trying(seed: u64, left: u32, depth: u32) -> bool {
    let all = All::up_to(depth);
    let formula = Formula { all: Some(&all) };
    let (flags, nats, wrapped) = (all.of(0), all.of(2), all.of(3));
    flags.iter().all(|a| nats.iter().all(|b| wrapped.iter().all(|c| formula.holds(seed, left, &[*a, *b, *c]))))
}

/// Compares properties with their enumeration. Returns the number of properties that do not hold.
fn compare(seeds: std::ops::Range<u64>) -> u64 {
    let mut fail = 0;
    for seed in seeds {
        let (left, depth) = (3 + (mix(seed) % 3) as u32, (mix(seed) >> 8) as u32 % 3);
        let holds = holds_by_trying(seed, left, depth);
        let formula = Formula { all: None };
        let property = property! {
            forall a: Lazy<bool>;
            forall b: Lazy<Nat>;
            forall c: Lazy<Wrapped>;
            check formula.holds(seed, left, &[Value::Flag(a), Value::Nat(b), Value::Wrapped(c)])
        };
        let found = search(&property, depth);
        assert_eq!((found.failure.is_none(), &found.trouble), (holds, &None), "property {seed} at depth {depth}");
        if !holds {
            // The failure is reproduced and printed.
            let explored = explore(&property, depth);
            assert_eq!(
                (explored.failure.is_none(), explored.trouble),
                (false, None),
                "property {seed} at depth {depth}"
            );
            fail += 1;
        }
    }
    fail
}

/// Compares on several threads. The list only makes the search long enough to be split.
fn compare_on_threads(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let left = 3 + (mix(seed) % 3) as u32;
        let property = property! {
            forall long: Lazy<List<u8>>;
            forall a: Lazy<bool>;
            forall b: Lazy<Nat>;
            forall c: Lazy<Wrapped>;
            check {
                let formula = Formula { all: None };
                let holds = || formula.holds(seed, left, &[Value::Flag(a), Value::Nat(b), Value::Wrapped(c)]);
                long.iter().map(|n| u32::from(**n)).sum::<u32>() < 18 || long.len() < 6 || holds()
            }
        };
        let run = |threads: usize| {
            let settings = Settings::new().seed(1).store(Store::Off).runner("exhaustive").threads(threads).depth(7);
            Run::parallel("threads", &property).settings(settings).report()
        };
        let one = run(1);
        let threads = 2 + (seed % 7) as usize;
        let several = run(threads);
        assert_eq!(several.verdict, one.verdict, "property {seed} on {threads} threads");
        assert!(matches!(one.verdict, Verdict::Passed | Verdict::Failed), "property {seed}: {:?}", one.verdict);
        if one.verdict == Verdict::Failed {
            assert_eq!(several.searched, one.searched, "property {seed} on {threads} threads");
            let depth = one.searched.len() as u32 - 1;
            assert!(!holds_by_trying(seed, left, depth), "property {seed} at depth {depth}");
        }
    }
}

#[test]
fn the_values_that_are_tried_are_those_of_the_search() {
    for depth in 0..3 {
        let all = All::up_to(depth);
        let count = |kind: u64| all.of(kind).len() as f64;
        assert_eq!((count(2), count(3)), (Extent::of::<Nat>(depth), Extent::of::<Wrapped>(depth)));
        assert_eq!((count(5), count(7)), (Extent::of::<Never>(depth), Extent::of::<Pair>(depth)));
        let trouble: Option<Trouble> = search(&property! { forall n: Odd; check n.0 % 2 == 1 }, depth).trouble;
        assert_eq!(trouble, None);
    }
}

#[test]
fn properties_are_decided_as_by_trying_all_values() {
    let fail = compare(0..400);
    assert!((80..320).contains(&fail), "{fail} of 400 do not hold");
    compare_on_threads(0..2);
}

/// `LAZY_PROPERTIES=100000` sets the number of properties.
#[test]
#[ignore = "slow: 20 s"]
fn many_properties_are_decided_as_by_trying_all_values() {
    let all: u64 = std::env::var("LAZY_PROPERTIES").map_or(20_000, |all| all.parse().unwrap());
    let threads = 4;
    std::thread::scope(|scope| {
        for part in 0..threads {
            scope.spawn(move || compare(1_000 + part * all / threads..1_000 + (part + 1) * all / threads));
        }
    });
    compare_on_threads(1_000..1_000 + all / 1_000);
}
