//! The obvious shrinkers for types that the tools have none for, for those tools whose shrinkers are written by hand: parts
//! in place of the whole, then the whole with one part shrunk. How numbers shrink is the tool's own.

use crate::{Calc, Command, Heap, Json};

type Shrinker<'a, T> = &'a dyn Fn(&T) -> Vec<T>;

/// A subexpression, 0, or the expression with a part shrunk.
pub fn simpler_calcs(calc: &Calc, ints: Shrinker<i32>) -> Vec<Calc> {
    type Build = fn(Box<Calc>, Box<Calc>) -> Calc;
    let (a, b, build): (_, _, Build) = match calc {
        Calc::Int(n) => return ints(n).into_iter().map(Calc::Int).collect(),
        Calc::Add(a, b) => (a, b, Calc::Add),
        Calc::Div(a, b) => (a, b, Calc::Div),
    };
    let mut simpler = vec![(**a).clone(), (**b).clone()];
    simpler.extend(simpler_calcs(a, ints).into_iter().map(|a| build(Box::new(a), b.clone())));
    simpler.extend(simpler_calcs(b, ints).into_iter().map(|b| build(a.clone(), Box::new(b))));
    simpler
}

/// Nothing, a subheap, or the heap with a part shrunk; only heaps.
pub fn simpler_heaps(heap: &Option<Box<Heap>>, ints: Shrinker<i32>) -> Vec<Option<Box<Heap>>> {
    let Some(whole) = heap else { return Vec::new() };
    let Heap { top, left, right } = &**whole;
    let mut simpler = vec![None, left.clone(), right.clone()];
    simpler.extend(ints(top).into_iter().map(|top| Heap::new(top, left.clone(), right.clone())));
    simpler.extend(simpler_heaps(left, ints).into_iter().map(|left| Heap::new(*top, left, right.clone())));
    simpler.extend(simpler_heaps(right, ints).into_iter().map(|right| Heap::new(*top, left.clone(), right)));
    simpler.retain(|heap| is_heap(heap, 0));
    simpler
}

fn is_heap(heap: &Option<Box<Heap>>, least: i32) -> bool {
    heap.as_ref()
        .is_none_or(|heap| heap.top >= least && is_heap(&heap.left, heap.top) && is_heap(&heap.right, heap.top))
}

/// The simplest command, or the same with a smaller argument.
pub fn simpler_commands(command: &Command, ints: Shrinker<i32>, bytes: Shrinker<u8>) -> Vec<Command> {
    let mut simpler = if *command == Command::Pop { Vec::new() } else { vec![Command::Pop] };
    match command {
        Command::Pop | Command::Clear => {}
        Command::Push(n) => simpler.extend(ints(n).into_iter().map(Command::Push)),
        Command::Swap(a, b) => {
            simpler.extend(bytes(a).into_iter().map(|a| Command::Swap(a, *b)));
            simpler.extend(bytes(b).into_iter().map(|b| Command::Swap(*a, b)));
        }
    }
    simpler
}

/// Null, an item of an array, or the same with a smaller content.
pub fn simpler_jsons(
    json: &Json,
    ints: Shrinker<i32>,
    texts: Shrinker<String>,
    arrays: &dyn Fn(&Vec<Json>) -> Vec<Vec<Json>>,
) -> Vec<Json> {
    let mut simpler = if *json == Json::Null { Vec::new() } else { vec![Json::Null] };
    match json {
        Json::Null | Json::Bool(false) => {}
        Json::Bool(true) => simpler.push(Json::Bool(false)),
        Json::Number(n) => simpler.extend(ints(n).into_iter().map(Json::Number)),
        Json::Text(text) => simpler.extend(texts(text).into_iter().map(Json::Text)),
        Json::Array(items) => {
            simpler.extend(items.iter().cloned());
            simpler.extend(arrays(items).into_iter().map(Json::Array));
        }
    }
    simpler
}
