//! `hegeltest`: draws of typed choices, which are shrunk. A test fails by panicking. Its evaluations after the first
//! failure include the runs that confirm the result.

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
        with::<FromALeast>(|tc| tc.draw_silent(gs::integers().min_value(101))),
        with::<Bounded>(|tc| tc.draw_silent(gs::integers().min_value(-10).max_value(10))),
        with::<BoundedBelowZero>(|tc| tc.draw_silent(gs::integers().min_value(-10).max_value(10))),
        with::<LongString>(|tc| tc.draw_silent(gs::text())),
        with::<ThreeOfACharacter>(|tc| tc.draw_silent(gs::text())),
        with::<TenStrings>(|tc| tc.draw_silent(gs::vecs(gs::text()))),
        with::<MixedList>(|tc| {
            tc.draw_silent(gs::vecs(hegel::one_of!(gs::integers::<i32>().map(Ok), gs::text().map(Err))))
        }),
        with::<SetOfThree>(|tc| tc.draw_silent(gs::btree_sets(gs::integers()))),
        with::<SetOfTuples>(|tc| tc.draw_silent(gs::btree_sets(gs::integers().map(|n| (n,))))),
        with::<SetsOfSets>(|tc| {
            tc.draw_silent(gs::btree_sets(gs::btree_sets(gs::integers().min_value(1).max_value(100))))
        }),
        with::<WideGap>(|tc| tc.draw_silent(gs::vecs(gs::integers()))),
        with::<Less>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers()))),
        with::<ListOfSets>(|tc| tc.draw_silent(gs::vecs(gs::btree_sets(gs::booleans())))),
        with::<ListOfLists>(|tc| tc.draw_silent(gs::vecs(gs::vecs(gs::integers())))),
        with::<ListOfTuples>(|tc| tc.draw_silent(gs::vecs(hegel::tuples!(gs::integers(), gs::integers())))),
        with::<OneKey>(|tc| tc.draw_silent(gs::btree_maps(gs::integers(), gs::text()))),
        with::<TwoKeys>(|tc| tc.draw_silent(gs::btree_maps(gs::booleans(), gs::booleans()))),
        with::<Contained>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::vecs(gs::integers())))),
        with::<ContainedTwice>(|tc| (tc.draw_silent(gs::vecs(gs::integers())), tc.draw_silent(gs::integers()))),
        with::<SortedSum>(|tc| tc.draw_silent(gs::vecs(gs::integers().min_value(0).max_value(1000)))),
        with::<LongList>(|tc| tc.draw_silent(gs::vecs(gs::booleans()).min_size(50))),
        with::<LongishLists>(|tc| tc.draw_silent(gs::vecs(gs::vecs(gs::booleans())))),
        with::<NotUnique>(|tc| tc.draw_silent(gs::vecs(gs::integers()))),
        with::<OneLargeSet>(|tc| tc.draw_silent(gs::vecs(gs::btree_sets(gs::integers())))),
        with::<NearTheTop>(|tc| tc.draw_silent(gs::vecs(gs::integers()).min_size(5).max_size(7))),
        with::<SumOfPair>(|tc| (thousand(tc), thousand(tc))),
        with::<SeparatedSum>(|tc| {
            (thousand(tc), tc.draw_silent(gs::text()), tc.draw_silent(gs::booleans()), thousand(tc))
        }),
        with::<Slipped>(|tc| {
            let between = |least, most| gs::integers().min_value(least).max_value(most);
            tc.draw_silent(hegel::one_of!(between(101, 200), between(0, 100)))
        }),
        with::<GapKept>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers()))),
        with::<EqualAndLarge>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers()))),
        with::<ZigZag>(|tc| (tc.draw_silent(gs::integers()), tc.draw_silent(gs::integers()))),
        with::<PoisonedList>(|tc| tc.draw_silent(gs::vecs(gs::optional(gs::integers().min_value(0).max_value(99))))),
        with::<ReversedLists>(|tc| tc.draw_silent(gs::vecs(gs::vecs(gs::booleans())))),
        with::<LengthThenElements>(|tc| {
            let n = tc.draw_silent(below(21));
            tc.draw_silent(exactly(n, gs::integers().min_value(0).max_value(5)))
        }),
        with::<EdgesLoop>(|tc| (0..tc.draw_silent(below(31))).map(|_| step(tc, false)).collect()),
        with::<WeightsLoop>(|tc| (0..tc.draw_silent(below(31))).map(|_| step(tc, true)).collect()),
        with::<Until>(|tc| {
            let mut steps = Vec::new();
            while steps.len() < 30 && tc.draw_silent(below(8)) > 0 {
                steps.push(step(tc, false));
            }
            steps
        }),
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

fn thousand(tc: &TestCase) -> u32 {
    tc.draw_silent(gs::integers().min_value(0).max_value(1000))
}

/// A step of a graph. Adding a weighted edge draws its weight.
fn step(tc: &TestCase, weighted: bool) -> Step {
    let node = || tc.draw_silent(below(10)) as u64;
    let (a, b, kind) = (node(), node(), tc.draw_silent(below(9)) as u64);
    if weighted && (2..=4).contains(&kind) {
        tc.draw_silent(below(51));
    }
    (kind, a, b)
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
