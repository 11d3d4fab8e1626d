//! `crabcheck`: generators that bring their shrinkers with them, and the obvious ones for types of our own. It may take
//! 10,000 steps, the stock limit, and is not asked to remember failures.
//!
//! Where what is drawn depends on what was drawn before, its combinators drop the shrinker or keep the first value in the
//! result; what a shrinker written for the purpose can do says little of the tool: those challenges are left out, but for
//! the binary heap and the length list.

use bench_challenge::*;
use crabcheck::gens::{self, btree_set, int, one_of, pick_from, vec};
use crabcheck::{BoxGen, Config, Gen, GenExt, Source, TestResult, any, check};

const TESTS: u64 = 10_000_000;
const DEPENDENT: &str = "what is drawn depends on what was drawn before: it would need a shrinker written for it";

fn main() {
    bench_challenge::main(vec![
        with::<Bound5, _>(|| std::array::from_fn(|_| vec(any()).filter("sums to less than 256", |xs| total(xs) < 256))),
        with::<LargeUnion, _>(any),
        with::<Reverse, _>(any),
        with::<Calculator, _>(|| {
            (|g: &mut Source| calc(g, 4)).with_shrink(|calc| simpler_calcs(calc, &|n| any().shrink(n)))
        }),
        with::<LengthList, _>(|| {
            let list = |g: &mut Source| (0..g.int(1..=100)).map(|_| g.int(0..1000)).collect::<Vec<i32>>();
            list.with_shrink(|xs| vec(int(0..1000)).len(1..).shrink(xs))
        }),
        with::<Difference0, _>(|| (int(1..1000), int(1..1000))),
        with::<DifferenceSmall, _>(|| (int(1..1000), int(1..1000))),
        with::<Difference1, _>(|| (int(1..1000), int(1..1000))),
        with::<BinHeap, _>(|| {
            (|g: &mut Source| heap(g, 0, 5)).with_shrink(|heap| simpler_heaps(heap, &|n| any().shrink(n)))
        }),
        with::<Coupling, _>(|| vec(int(0..=10usize))),
        with::<Deletion, _>(|| (vec(int(-1000..=1000)), int(-1000..=1000))),
        with::<Distinct, _>(any),
        with::<Nested, _>(any),
        cannot::<NestedBinds>(DEPENDENT),
        cannot::<Matrix>(DEPENDENT),
        cannot::<DotProduct>(DEPENDENT),
        with::<Collision, _>(|| (any(), any())),
        with::<Cancellation, _>(|| (gens::f64_range(-1e300..=1e300), gens::f64_range(-1e300..=1e300))),
        with::<Fraction, _>(any),
        with::<Chunks, _>(|| vec(int(0..=20u8))),
        with::<Parses, _>(|| gens::string_of(pick_from(SUM_CHARACTERS.to_vec()))),
        cannot::<SearchTree>(DEPENDENT),
        with::<Graph, _>(|| vec(vec(int(0..8usize)).len(0..3)).len(0..8)),
        with::<Commands, _>(|| vec(commands())),
        with::<CutText, _>(|| (any::<String>(), int(0..20usize))),
        with::<Set, _>(|| btree_set(int(0..100u32))),
        cannot::<Permutation>(DEPENDENT),
        with::<ThreeSum, _>(|| (int(0..=600), int(0..=600), int(0..=600))),
        with::<Jsons, _>(|| (|g: &mut Source| json(g, 4)).with_shrink(simpler)),
    ]);
}

fn with<C: Challenge, G: Gen<Value = C::Value> + 'static>(generator: fn() -> G) -> Entry {
    on::<C>(move |seed| {
        let mut config = Config::default().tests(TESTS).seed(seed);
        config.max_discard_ratio = f64::INFINITY;
        config.regressions.save = false;
        config.regressions.replay = false;
        check(&config, generator(), |value| match evaluate::<C>(&value) {
            Outcome::Holds => TestResult::Pass,
            Outcome::Fails => TestResult::fail("it does not hold"),
            Outcome::Discarded => TestResult::discard("not spoken of"),
        });
    })
}

fn calc(g: &mut Source, depth: u32) -> Calc {
    let part = |g: &mut Source| Box::new(calc(g, depth - 1));
    match if depth == 0 { 0 } else { g.int(0..3) } {
        0 => Calc::Int(g.draw(&any::<i32>())),
        1 => Calc::Add(part(g), part(g)),
        _ => Calc::Div(part(g), part(g)),
    }
}

fn heap(g: &mut Source, least: i32, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || g.int(0..4) == 0 {
        return None;
    }
    let top = g.int(least..=i32::MAX);
    Heap::new(top, heap(g, top, depth - 1), heap(g, top, depth - 1))
}

fn commands() -> impl Gen<Value = Command> {
    let commands: BoxGen<Command> = one_of(vec![
        gens::constant(Command::Pop).boxed(),
        gens::constant(Command::Clear).boxed(),
        any::<i32>().map(Command::Push).boxed(),
        (any::<u8>(), any::<u8>()).map(|(a, b)| Command::Swap(a, b)).boxed(),
    ])
    .boxed();
    commands.with_shrink(|command| simpler_commands(command, &|n| any().shrink(n), &|n| any().shrink(n)))
}

fn json(g: &mut Source, depth: u32) -> Json {
    match g.int(0..if depth == 0 { 4 } else { 5 }) {
        0 => Json::Null,
        1 => Json::Bool(g.bool()),
        2 => Json::Number(g.draw(&any::<i32>())),
        3 => Json::Text(g.draw(&any::<String>())),
        _ => Json::Array((0..g.int(0..8)).map(|_| json(g, depth - 1)).collect()),
    }
}

fn simpler(value: &Json) -> Vec<Json> {
    let items = || (|g: &mut Source| json(g, 0)).with_shrink(simpler);
    simpler_jsons(value, &|n| any().shrink(n), &|text| any().shrink(text), &|array| vec(items()).shrink(array))
}
