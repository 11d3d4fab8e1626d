//! `hegeltest`: draws of typed choices, which are shrunk. A test fails by panicking. What it evaluates from the first failure on
//! includes the runs that confirm the result.

use bench_challenge::*;
use hegel::generators::{self as gs, BoxedGenerator, Generator};
use hegel::{Database, HealthCheck, Hegel, Settings, TestCase, Verbosity};

const TESTS: u64 = 10_000_000;

fn main() {
    bench_challenge::main(vec![
        with::<Bound5>(|tc| {
            std::array::from_fn(|_| tc.draw_silent(gs::vecs(gs::integers()).filter(|xs: &Vec<i16>| total(xs) < 256)))
        }),
        with::<LargeUnion>(|tc| tc.draw_silent(gs::vecs(gs::vecs(gs::integers())))),
        with::<Reverse>(|tc| tc.draw_silent(gs::vecs(gs::integers()))),
        with::<Calculator>(|tc| tc.draw_silent(calcs())),
        with::<LengthList>(|tc| {
            let lists = |n| gs::vecs(gs::integers().min_value(0).max_value(999)).min_size(n).max_size(n);
            tc.draw_silent(gs::integers().min_value(1).max_value(100).flat_map(lists))
        }),
        with::<Difference0>(pair),
        with::<DifferenceSmall>(pair),
        with::<Difference1>(pair),
        with::<BinHeap>(|tc| heap(tc, 0, 5)),
        with::<Coupling>(|tc| tc.draw_silent(gs::vecs(gs::integers().min_value(0).max_value(10)))),
        with::<Deletion>(|tc| {
            let thousand = || gs::integers().min_value(-1000).max_value(1000);
            (tc.draw_silent(gs::vecs(thousand())), tc.draw_silent(thousand()))
        }),
        with::<Distinct>(|tc| tc.draw_silent(gs::vecs(gs::integers()))),
        with::<Nested>(|tc| tc.draw_silent(gs::vecs(gs::vecs(gs::integers())))),
        with::<NestedBinds>(|tc| {
            let (n, m) = (tc.draw_silent(below(10)), tc.draw_silent(below(10)));
            tc.draw_silent(exactly(n, exactly(m, below(1000).map(|x| x as u32))))
        }),
        with::<Matrix>(|tc| {
            let n = tc.draw_silent(gs::integers().min_value(1).max_value(10));
            tc.draw_silent(exactly(n, exactly(n, below(100).map(|x| x as u8))))
        }),
        with::<DotProduct>(|tc| {
            let n = tc.draw_silent(gs::integers().min_value(1).max_value(30));
            let list = || exactly(n, below(100).map(|x| x as u32));
            (tc.draw_silent(list()), tc.draw_silent(list()))
        }),
        with::<Collision>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers()))),
        with::<Cancellation>(|tc| {
            let floats = || gs::floats().min_value(-1e300).max_value(1e300);
            (tc.draw_silent(floats()), tc.draw_silent(floats()))
        }),
        with::<Fraction>(|tc| tc.draw_silent(gs::floats())),
        with::<Chunks>(|tc| tc.draw_silent(gs::vecs(gs::integers().min_value(0).max_value(20)))),
        with::<Parses>(|tc| tc.draw_silent(gs::text().alphabet(&String::from_iter(SUM_CHARACTERS)))),
        with::<SearchTree>(|tc| tree(tc, 0, 100)),
        with::<Graph>(|tc| tc.draw_silent(gs::vecs(gs::vecs(below(8)).max_size(2)).max_size(7))),
        with::<Commands>(|tc| tc.draw_silent(gs::vecs(commands()))),
        with::<CutText>(|tc| (tc.draw_silent(gs::text()), tc.draw_silent(below(20)))),
        with::<Set>(|tc| tc.draw_silent(gs::btree_sets(gs::integers().min_value(0).max_value(99)))),
        with::<Permutation>(|tc| tc.draw_silent(gs::permutations((0..8).collect::<Vec<u8>>()))),
        with::<ThreeSum>(|tc| {
            let draw = || tc.draw_silent(gs::integers().min_value(0).max_value(600));
            (draw(), draw(), draw())
        }),
        with::<Jsons>(|tc| tc.draw_silent(jsons())),
    ]);
}

fn with<C: Challenge>(draw: fn(&TestCase) -> C::Value) -> Entry {
    on::<C>(move |seed| {
        let settings = Settings::new()
            .seed(Some(seed))
            .test_cases(TESTS)
            .database(Database::Disabled)
            .verbosity(Verbosity::Quiet)
            .suppress_health_check(HealthCheck::all())
            .unbounded_choices(false);
        let test = move |tc: TestCase| match evaluate::<C>(&draw(&tc)) {
            Outcome::Holds => {}
            Outcome::Fails => panic!("it does not hold"),
            Outcome::Discarded => tc.reject(),
        };
        Hegel::new(test).settings(settings).run();
    })
}

fn below(bound: usize) -> impl Generator<usize> + Send + Sync + 'static {
    gs::integers().min_value(0).max_value(bound - 1)
}

fn exactly<T>(n: usize, elements: impl Generator<T>) -> impl Generator<Vec<T>> {
    gs::vecs(elements).min_size(n).max_size(n)
}

fn pair(tc: &TestCase) -> (i32, i32) {
    let draw = || tc.draw_silent(gs::integers().min_value(1).max_value(999));
    (draw(), draw())
}

fn calcs() -> impl Generator<Calc> {
    gs::recursive(gs::integers().map(Calc::Int), |part| {
        let pair = || hegel::tuples!(part.clone(), part.clone());
        hegel::one_of!(
            pair().map(|(a, b)| Calc::Add(Box::new(a), Box::new(b))),
            pair().map(|(a, b)| Calc::Div(Box::new(a), Box::new(b))),
        )
    })
}

fn heap(tc: &TestCase, least: i32, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || !tc.draw_silent(gs::booleans()) {
        return None;
    }
    let top = tc.draw_silent(gs::integers().min_value(least));
    Heap::new(top, heap(tc, top, depth - 1), heap(tc, top, depth - 1))
}

fn tree(tc: &TestCase, low: u32, high: u32) -> Option<Box<Tree>> {
    if low == high || !tc.draw_silent(gs::booleans()) {
        return None;
    }
    let key = tc.draw_silent(gs::integers().min_value(low).max_value(high - 1));
    Tree::new(key, tree(tc, low, key), tree(tc, key + 1, high))
}

fn commands() -> BoxedGenerator<'static, Command> {
    hegel::one_of!(
        gs::just(Command::Pop),
        gs::just(Command::Clear),
        gs::integers().map(Command::Push),
        hegel::tuples!(gs::integers(), gs::integers()).map(|(a, b)| Command::Swap(a, b)),
    )
    .boxed()
}

fn jsons() -> impl Generator<Json> {
    let leaf = hegel::one_of!(
        gs::just(Json::Null),
        gs::booleans().map(Json::Bool),
        gs::integers().map(Json::Number),
        gs::text().map(Json::Text),
    );
    gs::recursive(leaf, |part| gs::vecs(part).map(Json::Array))
}
