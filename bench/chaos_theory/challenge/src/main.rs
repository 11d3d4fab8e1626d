//! `chaos_theory`: generators that are run on a tape, which is reduced. A test fails by panicking.

use bench_challenge::*;
use chaos_theory::{Env, Gen, Generator, Source, assume, make};
use std::collections::BTreeSet;
use std::time::Duration;

const TESTS: usize = 10_000_000;
/// Seeds are numbers of 32 bits, and a run goes on from its seed one by one: far enough apart, runs have nothing in common.
const SEED_STEP: u32 = 0x9e37_79b1;

fn main() {
    bench_challenge::main(vec![
        with::<Bound5, _>(|| {
            let list = || make::arbitrary::<i16>().collect::<Vec<_>>().filter(|xs| total(xs) < 256);
            make::array::<_, 5>(list())
        }),
        with::<LargeUnion, _>(|| ints().collect::<Vec<_>>().collect::<Vec<_>>()),
        with::<Reverse, _>(|| ints().collect::<Vec<_>>()),
        with::<Calculator, _>(|| make::from_fn(|s| calc(s, 4))),
        with::<LengthList, _>(|| {
            make::int_in(1..=100).and_then(|n| ("list", make::int_in(0..1000).collect_n::<Vec<_>>(n..=n)))
        }),
        with::<Difference0, _>(|| (make::int_in(1..1000), make::int_in(1..1000))),
        with::<DifferenceSmall, _>(|| (make::int_in(1..1000), make::int_in(1..1000))),
        with::<Difference1, _>(|| (make::int_in(1..1000), make::int_in(1..1000))),
        with::<BinHeap, _>(|| make::from_fn(|s| heap(s, 0, 5))),
        with::<Coupling, _>(|| make::int_in(0..=10).collect::<Vec<_>>()),
        with::<Deletion, _>(|| (make::int_in(-1000..=1000).collect::<Vec<_>>(), make::int_in(-1000..=1000))),
        with::<Distinct, _>(|| ints().collect::<Vec<_>>()),
        with::<Nested, _>(|| ints().collect::<Vec<_>>().collect::<Vec<_>>()),
        with::<NestedBinds, _>(|| {
            make::int_in(0..10).and_then(|n| {
                let rows = make::int_in(0..10).and_then(move |m| {
                    ("rows", make::int_in(0..1000).collect_n::<Vec<_>>(m..=m).collect_n::<Vec<_>>(n..=n))
                });
                ("columns", rows)
            })
        }),
        with::<Matrix, _>(|| {
            make::int_in(1..=10)
                .and_then(|n| ("rows", make::int_in(0..100).collect_n::<Vec<_>>(n..=n).collect_n::<Vec<_>>(n..=n)))
        }),
        with::<DotProduct, _>(|| {
            make::int_in(1..=30).and_then(|n| {
                (
                    "pair",
                    (make::int_in(0..100).collect_n::<Vec<_>>(n..=n), make::int_in(0..100).collect_n::<Vec<_>>(n..=n)),
                )
            })
        }),
        with::<Collision, _>(|| (make::arbitrary::<u32>(), make::arbitrary::<u32>())),
        with::<Cancellation, _>(|| (make::float_in(-1e300..=1e300), make::float_in(-1e300..=1e300))),
        with::<Fraction, _>(make::arbitrary::<f64>),
        with::<Chunks, _>(|| make::int_in(0..=20u8).collect::<Vec<_>>()),
        with::<Parses, _>(|| make::string(make::one_of(&SUM_CHARACTERS))),
        with::<SearchTree, _>(|| make::from_fn(|s| tree(s, 0, 100))),
        with::<Graph, _>(|| make::int_in(0..8usize).collect_n::<Vec<_>>(0..3).collect_n::<Vec<_>>(0..8)),
        with::<Commands, _>(|| commands().collect::<Vec<_>>()),
        with::<CutText, _>(|| (make::arbitrary::<String>(), make::int_in(0..20usize))),
        with::<Set, _>(|| make::int_in(0..100u32).collect::<BTreeSet<_>>()),
        cannot::<Permutation>("there is no generator of permutations"),
        with::<ThreeSum, _>(|| (make::int_in(0..=600), make::int_in(0..=600), make::int_in(0..=600))),
        with::<Jsons, _>(|| make::from_fn(|s| json(s, 4))),
    ]);
}

fn with<C: Challenge, G: Generator<Item = C::Value> + 'static>(generator: fn() -> G) -> Entry {
    on::<C>(move |seed| {
        let env = Env::builder()
            .with_rng_seed((seed as u32).wrapping_mul(SEED_STEP))
            .with_check_iters(TESTS)
            .with_check_time(Duration::from_secs(3600))
            .build();
        let generator = generator();
        env.check(|source| {
            let value = source.any_of("value", &generator);
            match evaluate::<C>(&value) {
                Outcome::Holds => {}
                Outcome::Fails => panic!("it does not hold"),
                Outcome::Discarded => assume!(false),
            }
        });
    })
}

fn ints() -> impl Generator<Item = i32> {
    make::arbitrary::<i32>()
}

fn calc(s: &mut Source, depth: u32) -> Calc {
    let variants: &[&str] = if depth == 0 { &["int"] } else { &["int", "add", "div"] };
    s.select("calc", variants, |s, _, variant| {
        let part = |s: &mut Source| Box::new(calc(s, depth - 1));
        match variant {
            0 => Calc::Int(s.any("n")),
            1 => Calc::Add(part(s), part(s)),
            _ => Calc::Div(part(s), part(s)),
        }
    })
}

fn heap(s: &mut Source, least: i32, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 {
        return None;
    }
    let node = s.maybe("node", |s| {
        let top = s.any_of("top", make::int_in(least..=i32::MAX));
        Heap::new(top, heap(s, top, depth - 1), heap(s, top, depth - 1))
    });
    node.flatten()
}

fn tree(s: &mut Source, low: u32, high: u32) -> Option<Box<Tree>> {
    if low == high {
        return None;
    }
    let node = s.maybe("node", |s| {
        let key = s.any_of("key", make::int_in(low..high));
        Tree::new(key, tree(s, low, key), tree(s, key + 1, high))
    });
    node.flatten()
}

fn commands() -> Gen<'static, Command> {
    make::just(Command::Pop)
        .or(make::just(Command::Clear))
        .or(ints().map(Command::Push))
        .or((make::arbitrary::<u8>(), make::arbitrary::<u8>()).map(|(a, b)| Command::Swap(a, b)))
        .boxed()
}

fn json(s: &mut Source, depth: u32) -> Json {
    let variants = &["null", "bool", "number", "text", "array"][..if depth == 0 { 4 } else { 5 }];
    s.select("json", variants, |s, _, variant| match variant {
        0 => Json::Null,
        1 => Json::Bool(s.any("bool")),
        2 => Json::Number(s.any("number")),
        3 => Json::Text(s.any("text")),
        _ => Json::Array(s.any_of("items", make::from_fn(|s| json(s, depth - 1)).collect_n::<Vec<_>>(0..8))),
    })
}
