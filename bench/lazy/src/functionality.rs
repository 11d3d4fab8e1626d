//! The functionality suite of Lazy SmallCheck 2012.

use super::Program;
use super::lists::{L, append, cons, nil, ordered};
use super::paper::{Binary, Peano, fold_left1, fold_right1, is_prefix_wrongly, text};
use forall::lazy::{Argument, Fun, Lazy, List, and};
use forall::prelude::*;

/// A program of which nothing more is known than its verdict and its counts.
const fn holds(
    name: &'static str,
    property: fn() -> Box<dyn forall::property::Property + Sync>,
    recorded: &'static [u64],
) -> Program {
    Program { name, property, recorded, fails_at: None, counterexample: &[], space: None, suite: None }
}

const fn fails(
    name: &'static str,
    property: fn() -> Box<dyn forall::property::Property + Sync>,
    recorded: &'static [u64],
    counterexample: &'static [&'static str],
) -> Program {
    let fails_at = Some(recorded.len() as u32 - 1);
    Program { name, property, recorded, fails_at, counterexample, space: None, suite: None }
}

pub const PROGRAMS: &[Program] = &[
    Program {
        space: Some((5, 5.2e6)),
        suite: None,
        ..holds(
            "isPrefix",
            || Box::new(property! { forall xs: L<i64>; forall ys: L<i64>; check is_prefix(xs, &append(xs, ys)) }),
            &[3, 6, 19, 94, 655, 5890],
        )
    },
    fails(
        "flip_isPrefix",
        || Box::new(property! { forall xs: L<i64>; forall ys: L<i64>; check is_prefix(&append(xs, ys), xs) }),
        &[4, 5],
        &["[]", "_:_"],
    ),
    holds(
        "ordered_insert",
        || {
            Box::new(
                property! { forall c: Lazy<char>; forall s: L<char>; implies ordered(s); check ordered(&insert(c, s)) },
            )
        },
        &[3, 9, 23, 57, 139, 329],
    ),
    fails(
        "associativity",
        || {
            Box::new(property! {
                forall f: Fun<Lazy<bool>, Fun<Lazy<bool>, bool>>;
                forall x: Lazy<bool>;
                forall y: Lazy<bool>;
                forall z: Lazy<bool>;
                check f.call(&apply(f, x, y)).call(z) == f.call(x).call(&apply(f, y, z))
            })
        },
        &[8, 16],
        &["{ _ -> { false -> true; true -> false } }", "_", "_", "false"],
    ),
    fails(
        "bad_isPrefix_existential",
        || {
            Box::new(property! {
                forall xs: L<char>;
                forall ys: L<char>;
                implies is_prefix_wrongly(xs, ys);
                exists rest: L<char>;
                check append(xs, rest) == *ys
            })
        },
        &[10, 52, 132],
        &["'a':_:_", "['a']"],
    ),
    holds(
        "isPrefix_existential",
        || {
            Box::new(property! {
                forall xs: L<i64>;
                forall ys: L<i64>;
                implies is_prefix(xs, ys);
                exists rest: L<i64>;
                check append(xs, rest) == *ys
            })
        },
        &[10, 52, 326, 2684, 28778],
    ),
    fails(
        "foldr1_foldl1",
        || {
            Box::new(property! {
                forall f: Binary;
                forall xs: L<Peano>;
                check match &**xs {
                    List::Nil => true,
                    List::Cons(x, rest) => fold_right1(f, x, rest) == fold_left1(f, x.clone(), rest),
                }
            })
        },
        &[3, 6, 69, 67],
        &["{ _ -> { Zero -> Succ(_); Succ(_) -> Zero } }", "_:_:Zero:[]"],
    ),
    Program {
        space: Some((7, 1.6e14)),
        suite: None,
        ..holds(
            "compose",
            || {
                Box::new(property! {
                    forall f: Unary;
                    forall g: Unary;
                    forall h: Unary;
                    forall x: Lazy<Peano>;
                    check {
                        let g_of_h = { let (g, h, x) = (g.clone(), h.clone(), x.clone()); Lazy::defer(move || g.call(&defer_call(&h, &x)).clone()) };
                        let f_of_g = |x: &Lazy<Peano>| f.call(&defer_call(g, x)).clone();
                        *f.call(&g_of_h) == f_of_g(&defer_call(h, x))
                    }
                })
            },
            &[5, 50, 233, 750, 1873, 3954, 7425, 12798],
        )
    },
    fails(
        "heap_fmap",
        || {
            Box::new(
                property! { forall h: Lazy<Heap>; forall f: Unary; implies is_heap(h); check is_heap(&map_heap(f, h)) },
            )
        },
        &[2, 15, 97, 139],
        &["Node(Zero, Empty, Node(Succ(_), Empty, Empty))", "{ Zero -> Succ(Zero); Succ(_) -> Zero }"],
    ),
    holds(
        "clock_return_bind",
        || {
            Box::new(
                property! { forall x: Lazy<bool>; forall f: Emitter; check *bind(&unit(x), &of_fun(f)) == *f.call(x) },
            )
        },
        &[5, 20, 55, 160, 475, 1420],
    ),
    holds(
        "clock_bind_return",
        || Box::new(property! { forall xs: C; check { let then: Then = Rc::new(unit); bind(xs, &then) == *xs } }),
        &[3, 9, 28, 86, 261, 787],
    ),
    fails(
        "clock_bind_bind",
        || {
            Box::new(property! {
                forall xs: C;
                forall f: Emitter;
                forall g: Emitter;
                check {
                    let inner: Then = { let (f, g) = (f.clone(), g.clone()); Rc::new(move |x| bind(&defer_fun(&f, x), &of_fun(&g))) };
                    bind(xs, &inner) == bind(&bind(xs, &of_fun(f)), &of_fun(g))
                }
            })
        },
        &[3, 52, 3298, 17561],
        &[],
    ),
    holds(
        "foo_cobind_coreturn",
        || {
            Box::new(
                property! { forall xs: Lazy<Foo>; check *cobind(&|triple: &Lazy<Foo>| triple.0.clone(), xs) == **xs },
            )
        },
        &[1, 17, 17, 17, 17, 17],
    ),
    holds(
        "foo_coreturn_cobind",
        || {
            Box::new(property! {
                forall f: Fun<Lazy<Foo>, bool>;
                forall xs: Lazy<Foo>;
                check *cobind(&defer_predicate(f), xs).0 == *f.call(xs)
            })
        },
        &[1, 18, 62, 130, 170, 170],
    ),
    fails(
        "foo_cobind_cobind",
        || {
            Box::new(property! {
                forall f: Fun<Lazy<Foo>, bool>;
                forall g: Fun<Lazy<Foo>, bool>;
                forall xs: Lazy<Foo>;
                check {
                    let inner = cobind(&defer_predicate(g), xs);
                    let (f2, g2) = (f.clone(), g.clone());
                    let composed = move |triple: &Lazy<Foo>| {
                        let (f, g, triple) = (f2.clone(), g2.clone(), triple.clone());
                        Lazy::defer(move || *f.call(&cobind(&defer_predicate(&g), &triple)))
                    };
                    *cobind(&defer_predicate(f), &inner) == *cobind(&composed, xs)
                }
            })
        },
        &[1, 18, 63],
        &[],
    ),
    fails(
        "long_string",
        || {
            Box::new(property! {
                forall p: Fun<L<char>, bool>;
                implies *p.call(&text("some long string"));
                check *p.call(&text("some other string"))
            })
        },
        &[6, 15, 31, 57, 100, 170, 284, 469, 769, 1255, 2042, 3316, 5378, 8715, 13628, 20603, 31887, 161],
        &[],
    ),
    holds(
        "set_insert",
        || {
            Box::new(property! {
                forall c: Lazy<char>;
                forall s: L<char>;
                implies ordered(s) && all_different(s);
                check { let s = set_insert(c, s); ordered(&s) && all_different(&s) }
            })
        },
        &[2, 8, 19, 44, 98, 214],
    ),
    holds(
        "set_insert_parallel",
        || {
            Box::new(property! {
                forall c: Lazy<char>;
                forall s: L<char>;
                implies and(|| ordered(s), || all_different(s));
                check { let s = set_insert(c, s); and(|| ordered(&s), || all_different(&s)) }
            })
        },
        &[2, 8, 24, 64, 171, 446],
    ),
];

use std::rc::Rc;

fn is_prefix(xs: &List<i64>, ys: &List<i64>) -> bool {
    match xs {
        List::Nil => true,
        List::Cons(x, xs) => match ys {
            List::Nil => false,
            List::Cons(y, ys) => x == y && is_prefix(xs, ys),
        },
    }
}

fn insert(value: &Lazy<char>, list: &L<char>) -> L<char> {
    let (value, list) = (value.clone(), list.clone());
    Lazy::defer(move || match &*list {
        List::Cons(first, rest) if value > *first => List::Cons(first.clone(), insert(&value, rest)),
        _ => List::Cons(value.clone(), list.clone()),
    })
}

fn all_different(list: &List<char>) -> bool {
    match list {
        List::Nil => true,
        List::Cons(first, rest) => !rest.iter().any(|other| other == first) && all_different(rest),
    }
}

fn set_insert(value: &Lazy<char>, list: &L<char>) -> L<char> {
    match &**list {
        List::Nil => cons(value.clone(), nil()),
        List::Cons(first, rest) => {
            if value == first {
                list.clone()
            } else if value <= first {
                cons(value.clone(), list.clone())
            } else {
                let (value, rest) = (value.clone(), rest.clone());
                cons(first.clone(), Lazy::defer(move || (*set_insert(&value, &rest)).clone()))
            }
        }
    }
}

fn apply(f: &Fun<Lazy<bool>, Fun<Lazy<bool>, bool>>, x: &Lazy<bool>, y: &Lazy<bool>) -> Lazy<bool> {
    let (f, x, y) = (f.clone(), x.clone(), y.clone());
    Lazy::defer(move || *f.call(&x).call(&y))
}

type Unary = Fun<Lazy<Peano>, Peano>;

fn defer_call(f: &Unary, x: &Lazy<Peano>) -> Lazy<Peano> {
    let (f, x) = (f.clone(), x.clone());
    Lazy::defer(move || f.call(&x).clone())
}

#[derive(Arbitrary, Clone, Debug)]
enum Heap {
    Empty,
    Node(Lazy<Peano>, Lazy<Heap>, Lazy<Heap>),
}

fn is_heap(heap: &Heap) -> bool {
    fn is_above(least: &Lazy<Peano>, heap: &Heap) -> bool {
        match heap {
            Heap::Empty => true,
            Heap::Node(value, left, right) => least <= value && is_above(value, left) && is_above(value, right),
        }
    }
    match heap {
        Heap::Empty => true,
        Heap::Node(value, ..) => is_above(value, heap),
    }
}

fn map_heap(f: &Unary, heap: &Lazy<Heap>) -> Lazy<Heap> {
    let (f, heap) = (f.clone(), heap.clone());
    Lazy::defer(move || match &*heap {
        Heap::Empty => Heap::Empty,
        Heap::Node(value, left, right) => Heap::Node(defer_call(&f, value), map_heap(&f, left), map_heap(&f, right)),
    })
}

/// A process that emits values and waits for the clock.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Clock {
    Stop,
    Emit(Lazy<bool>, C),
    Step(C),
}

type C = Lazy<Clock>;
type Emitter = Fun<Lazy<bool>, Clock>;
type Then = Rc<dyn Fn(&Lazy<bool>) -> C>;

fn unit(x: &Lazy<bool>) -> C {
    Lazy::new(Clock::Emit(x.clone(), Lazy::new(Clock::Stop)))
}

fn defer_fun(f: &Emitter, x: &Lazy<bool>) -> C {
    let (f, x) = (f.clone(), x.clone());
    Lazy::defer(move || f.call(&x).clone())
}

fn of_fun(f: &Emitter) -> Then {
    let f = f.clone();
    Rc::new(move |x| defer_fun(&f, x))
}

/// Both processes at once.
fn together(p: &C, q: &C) -> C {
    let (p, q) = (p.clone(), q.clone());
    Lazy::defer(move || match (&*p, &q) {
        (Clock::Stop, q) => (**q).clone(),
        (p_now, q) => match (p_now, &**q) {
            (_, Clock::Stop) => p_now.clone(),
            (Clock::Emit(x, rest), _) => Clock::Emit(x.clone(), together(rest, q)),
            (_, Clock::Emit(x, rest)) => Clock::Emit(x.clone(), together(&p, rest)),
            (Clock::Step(p), Clock::Step(q)) => Clock::Step(together(p, q)),
            (Clock::Stop, _) => unreachable!("seen above"),
        },
    })
}

fn bind(process: &C, then: &Then) -> C {
    let (process, then) = (process.clone(), then.clone());
    Lazy::defer(move || match &*process {
        Clock::Stop => Clock::Stop,
        Clock::Step(rest) => Clock::Step(bind(rest, &then)),
        Clock::Emit(x, rest) => (*together(&then(x), &bind(rest, &then))).clone(),
    })
}

#[derive(Arbitrary, Argument, Clone, Debug, PartialEq)]
struct Foo(Lazy<bool>, Lazy<bool>, Lazy<bool>);

fn defer_predicate(f: &Fun<Lazy<Foo>, bool>) -> impl Fn(&Lazy<Foo>) -> Lazy<bool> + use<> {
    let f = f.clone();
    move |triple| {
        let (f, triple) = (f.clone(), triple.clone());
        Lazy::defer(move || *f.call(&triple))
    }
}

fn cobind(f: &dyn Fn(&Lazy<Foo>) -> Lazy<bool>, triple: &Lazy<Foo>) -> Lazy<Foo> {
    let Foo(x, y, z) = &**triple;
    let turned = |a: &Lazy<bool>, b: &Lazy<bool>, c: &Lazy<bool>| Lazy::new(Foo(a.clone(), b.clone(), c.clone()));
    Lazy::new(Foo(f(&turned(x, y, z)), f(&turned(y, x, z)), f(&turned(z, x, y))))
}
