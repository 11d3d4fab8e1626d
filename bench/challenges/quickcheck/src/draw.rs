//! The values that quickcheck draws for each challenge, and their shrinkers.

use bench_challenge::*;
use quickcheck::{Arbitrary, Gen};
use std::collections::BTreeSet;
use std::fmt;

/// A challenge whose values quickcheck can draw and shrink.
pub trait Draw: Challenge {
    fn draw(g: &mut Gen) -> Self::Value;
    fn simpler(value: &Self::Value) -> Candidates<Self::Value>;
}

type Candidates<T> = Box<dyn Iterator<Item = T>>;

/// The value of a challenge, as quickcheck's argument.
pub struct Input<C: Challenge>(pub C::Value);

impl<C: Challenge> Clone for Input<C> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C: Challenge> fmt::Debug for Input<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<C: Draw> Arbitrary for Input<C> {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(C::draw(g))
    }

    fn shrink(&self) -> Candidates<Self> {
        Box::new(C::simpler(&self.0).map(Self))
    }
}

/// Challenges on what quickcheck draws by itself.
macro_rules! any {
    ($($challenge:ty),*) => {
        $(impl Draw for $challenge {
            fn draw(g: &mut Gen) -> Self::Value {
                Arbitrary::arbitrary(g)
            }

            fn simpler(value: &Self::Value) -> Candidates<Self::Value> {
                value.shrink()
            }
        })*
    };
}

any!(Bound5, LargeUnion, Reverse, Distinct, Nested, Collision, Cancellation, Fraction);

/// Challenges on values of standard types in ranges: how they are drawn, and what stays in the range.
macro_rules! ranged {
    ($($challenge:ty: $draw:expr, $inside:expr;)*) => {
        $(impl Draw for $challenge {
            fn draw(g: &mut Gen) -> Self::Value {
                let draw: fn(&mut Gen) -> Self::Value = $draw;
                draw(g)
            }

            fn simpler(value: &Self::Value) -> Candidates<Self::Value> {
                let inside: fn(&Self::Value) -> bool = $inside;
                Box::new(value.shrink().filter(inside))
            }
        })*
    };
}

ranged! {
    LengthList: |g| (0..=below(g, 100)).map(|_| below(g, 1000) as i32).collect(),
        |xs| !xs.is_empty() && xs.iter().all(|x| *x >= 0);
    Difference0: |g| (positive(g), positive(g)), |pair| pair.0 > 0 && pair.1 > 0;
    DifferenceSmall: |g| (positive(g), positive(g)), |pair| pair.0 > 0 && pair.1 > 0;
    Difference1: |g| (positive(g), positive(g)), |pair| pair.0 > 0 && pair.1 > 0;
    Coupling: |g| Vec::<u64>::arbitrary(g).into_iter().map(|x| (x % 11) as usize).collect(), |_| true;
    Deletion: |g| (Vec::<i32>::arbitrary(g).into_iter().map(|x| x % 1001).collect(), i32::arbitrary(g) % 1001), |_| true;
    Chunks: |g| Vec::<u64>::arbitrary(g).into_iter().map(|x| (x % 21) as u8).collect(), |_| true;
    Graph: |g| (0..below(g, 8)).map(|_| (0..below(g, 3)).map(|_| below(g, 8)).collect()).collect(), |_| true;
    CutText: |g| (String::arbitrary(g), below(g, 20)), |_| true;
    Set: |g| Vec::<u64>::arbitrary(g).into_iter().map(|x| (x % 100) as u32).collect::<BTreeSet<_>>(), |_| true;
    ThreeSum: |g| { let mut draw = || below(g, 601) as u32; (draw(), draw(), draw()) }, |_| true;
}

fn below(g: &mut Gen, bound: u64) -> usize {
    (u64::arbitrary(g) % bound) as usize
}

fn positive(g: &mut Gen) -> i32 {
    1 + below(g, 999) as i32
}

fn shrink<T: Arbitrary>(value: &T) -> Vec<T> {
    value.shrink().collect()
}

impl Draw for Calculator {
    fn draw(g: &mut Gen) -> Calc {
        fn calc(g: &mut Gen, depth: u32) -> Calc {
            let part = |g: &mut Gen| Box::new(calc(g, depth - 1));
            match if depth == 0 { 0 } else { below(g, 3) } {
                0 => Calc::Int(i32::arbitrary(g)),
                1 => Calc::Add(part(g), part(g)),
                _ => Calc::Div(part(g), part(g)),
            }
        }
        calc(g, 4)
    }

    fn simpler(calc: &Calc) -> Candidates<Calc> {
        Box::new(simpler_calcs(calc, &shrink).into_iter())
    }
}

impl Draw for BinHeap {
    fn draw(g: &mut Gen) -> Option<Box<Heap>> {
        fn heap(g: &mut Gen, least: i32, depth: u32) -> Option<Box<Heap>> {
            if depth == 0 || below(g, 4) == 0 {
                return None;
            }
            let top = least + below(g, (i32::MAX - least) as u64 + 1) as i32;
            Heap::new(top, heap(g, top, depth - 1), heap(g, top, depth - 1))
        }
        heap(g, 0, 5)
    }

    fn simpler(heap: &Option<Box<Heap>>) -> Candidates<Option<Box<Heap>>> {
        Box::new(simpler_heaps(heap, &shrink).into_iter())
    }
}

/// A text of a few characters is drawn and shrunk as the list of their positions.
impl Draw for Parses {
    fn draw(g: &mut Gen) -> String {
        Vec::<u64>::arbitrary(g).into_iter().map(|x| SUM_CHARACTERS[(x % 11) as usize]).collect()
    }

    fn simpler(text: &String) -> Candidates<String> {
        let position = |c: char| SUM_CHARACTERS.iter().position(|other| *other == c).expect("a character of sums");
        let positions: Vec<usize> = text.chars().map(position).collect();
        Box::new(positions.shrink().map(|positions| positions.into_iter().map(|i| SUM_CHARACTERS[i]).collect()))
    }
}

#[derive(Clone, Debug)]
struct One(Command);

impl Arbitrary for One {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(match below(g, 4) {
            0 => Command::Pop,
            1 => Command::Clear,
            2 => Command::Push(i32::arbitrary(g)),
            _ => Command::Swap(u8::arbitrary(g), u8::arbitrary(g)),
        })
    }

    fn shrink(&self) -> Candidates<Self> {
        Box::new(simpler_commands(&self.0, &shrink, &shrink).into_iter().map(Self))
    }
}

impl Draw for Commands {
    fn draw(g: &mut Gen) -> Vec<Command> {
        Vec::<One>::arbitrary(g).into_iter().map(|One(command)| command).collect()
    }

    fn simpler(commands: &Vec<Command>) -> Candidates<Vec<Command>> {
        let commands: Vec<One> = commands.iter().cloned().map(One).collect();
        Box::new(commands.shrink().map(|commands| commands.into_iter().map(|One(command)| command).collect()))
    }
}

impl Draw for Jsons {
    fn draw(g: &mut Gen) -> Json {
        fn json(g: &mut Gen, depth: u32) -> Json {
            match below(g, if depth == 0 { 4 } else { 5 }) {
                0 => Json::Null,
                1 => Json::Bool(bool::arbitrary(g)),
                2 => Json::Number(i32::arbitrary(g)),
                3 => Json::Text(String::arbitrary(g)),
                _ => Json::Array((0..below(g, 8)).map(|_| json(g, depth - 1)).collect()),
            }
        }
        json(g, 4)
    }

    fn simpler(json: &Json) -> Candidates<Json> {
        let arrays = |items: &Vec<Json>| {
            let items: Vec<Input<Jsons>> = items.iter().cloned().map(Input).collect();
            items.shrink().map(|items| items.into_iter().map(|Input(item)| item).collect()).collect()
        };
        Box::new(simpler_jsons(json, &shrink, &shrink, &arrays).into_iter())
    }
}
