//! Trees and terms over a tool's choices. The shapes and their frequencies are those of `generate.rs` of each workload.

use crate::Peer;
use etna::bst::tree::{SMALL_KEYS, Tree};
use etna::rbt::tree::{Colour, Entry, Tree as ColouredTree};
use etna::search_tree::{Inputs, MOST_ENTRIES};
use etna::stlc::generate::{EVEN, OFTEN_BOUND, SIZE, Weights};
use etna::stlc::term::{Term, Type};
use etna::{Strategy, bst, rbt};
use std::marker::PhantomData;

/// The shapes of a strategy.
pub struct Shapes<P> {
    kind: Kind,
    peer: PhantomData<fn() -> P>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Derived,
    Plain,
    Bespoke,
}

/// Derived values have a size of up to this.
const DERIVED_SIZE: usize = 10;

impl<P: Peer> Shapes<P> {
    /// The shapes of a strategy; none if peers do not have it.
    pub fn new(strategy: Strategy) -> Option<Self> {
        let kind = match strategy {
            Strategy::Type => Kind::Derived,
            Strategy::Plain => Kind::Plain,
            Strategy::Bespoke => Kind::Bespoke,
            Strategy::Specification | Strategy::Fuzzing => return None,
        };
        Some(Self { kind, peer: PhantomData })
    }

    /// A term.
    pub fn term(&self, source: &mut P::Source) -> Term {
        match self.kind {
            Kind::Derived => derived_term::<P>(P::below(DERIVED_SIZE + 1, source), source),
            Kind::Plain => typed_term::<P>(&EVEN, source),
            Kind::Bespoke => typed_term::<P>(&OFTEN_BOUND, source),
        }
    }

    fn entries(&self, known: &[i32], source: &mut P::Source) -> Vec<(i32, i32)> {
        let count = P::below(MOST_ENTRIES + 1, source);
        (0..count).map(|_| (self.inserted_key(known, source), P::integer(source))).collect()
    }

    fn sought_key(&self, known: &[i32], source: &mut P::Source) -> i32 {
        match self.kind {
            Kind::Derived => small_key::<P>(source),
            Kind::Bespoke if !known.is_empty() && P::below(8, source) < 7 => known[P::below(known.len(), source)],
            Kind::Bespoke | Kind::Plain => P::integer(source),
        }
    }

    fn inserted_key(&self, known: &[i32], source: &mut P::Source) -> i32 {
        match self.kind {
            Kind::Derived => small_key::<P>(source),
            Kind::Bespoke if !known.is_empty() => match P::below(4, source) {
                0 => known[P::below(known.len(), source)],
                1 | 2 => known[P::below(known.len(), source)].saturating_add(1),
                _ => P::integer(source),
            },
            Kind::Bespoke | Kind::Plain => P::integer(source),
        }
    }
}

/// Keys that are of use to bespoke generators; others need not look.
fn known<T>(kind: Kind, trees: &[&T], loose: &[i32], keys: fn(&[&T], &[i32]) -> Vec<i32>) -> Vec<i32> {
    if kind == Kind::Bespoke { keys(trees, loose) } else { Vec::new() }
}

impl<P: Peer> Inputs<Tree> for Shapes<P> {
    type Source = P::Source;

    fn tree(&self, trees: &[&Tree], source: &mut P::Source) -> Option<Tree> {
        Some(match self.kind {
            Kind::Derived => derived_tree::<P>(P::below(DERIVED_SIZE + 1, source), source),
            kind => bst::generate::from_entries(self.entries(&known(kind, trees, &[], bst::generate::keys), source)),
        })
    }

    fn known_key(&self, trees: &[&Tree], keys: &[i32], source: &mut P::Source) -> i32 {
        self.sought_key(&known(self.kind, trees, keys, bst::generate::keys), source)
    }

    fn new_key(&self, trees: &[&Tree], keys: &[i32], source: &mut P::Source) -> i32 {
        self.inserted_key(&known(self.kind, trees, keys, bst::generate::keys), source)
    }

    fn value(&self, source: &mut P::Source) -> i32 {
        P::integer(source)
    }
}

impl<P: Peer> Inputs<ColouredTree> for Shapes<P> {
    type Source = P::Source;

    fn tree(&self, _: &[&ColouredTree], source: &mut P::Source) -> Option<ColouredTree> {
        Some(match self.kind {
            Kind::Derived => derived_coloured_tree::<P>(P::below(DERIVED_SIZE + 1, source), source),
            _ => rbt::generate::from_entries(self.entries(&[], source)),
        })
    }

    fn known_key(&self, trees: &[&ColouredTree], keys: &[i32], source: &mut P::Source) -> i32 {
        self.sought_key(&known(self.kind, trees, keys, rbt::generate::keys), source)
    }

    fn new_key(&self, trees: &[&ColouredTree], keys: &[i32], source: &mut P::Source) -> i32 {
        self.inserted_key(&known(self.kind, trees, keys, rbt::generate::keys), source)
    }

    fn value(&self, source: &mut P::Source) -> i32 {
        P::integer(source)
    }
}

fn flip<P: Peer>(source: &mut P::Source) -> bool {
    P::below(2, source) == 1
}

fn small_key<P: Peer>(source: &mut P::Source) -> i32 {
    SMALL_KEYS.start() + P::below(SMALL_KEYS.count(), source) as i32
}

fn derived_tree<P: Peer>(size: usize, source: &mut P::Source) -> Tree {
    if size == 0 || flip::<P>(source) {
        return Tree::Empty;
    }
    let left = derived_tree::<P>((size - 1) / 2, source);
    let (key, value) = (small_key::<P>(source), P::integer(source));
    Tree::node(left, key, value, derived_tree::<P>((size - 1) / 2, source))
}

fn derived_coloured_tree<P: Peer>(size: usize, source: &mut P::Source) -> ColouredTree {
    if size == 0 || flip::<P>(source) {
        return ColouredTree::Empty;
    }
    let colour = if flip::<P>(source) { Colour::Red } else { Colour::Black };
    let left = derived_coloured_tree::<P>((size - 1) / 2, source);
    let entry = Entry { key: small_key::<P>(source), value: P::integer(source) };
    ColouredTree::node(colour, left, entry, derived_coloured_tree::<P>((size - 1) / 2, source))
}

fn derived_type<P: Peer>(size: usize, source: &mut P::Source) -> Type {
    if size == 0 || flip::<P>(source) {
        return Type::Bool;
    }
    let argument = derived_type::<P>((size - 1) / 2, source);
    Type::fun(argument, derived_type::<P>((size - 1) / 2, source))
}

fn derived_term<P: Peer>(size: usize, source: &mut P::Source) -> Term {
    let kinds = if size == 0 { 2 } else { 4 };
    match P::below(kinds, source) {
        0 => Term::Var(P::below(2 * size + 1, source) as i32 - size as i32),
        1 => Term::Bool(flip::<P>(source)),
        2 => {
            let ty = derived_type::<P>((size - 1) / 2, source);
            Term::abs(ty, derived_term::<P>((size - 1) / 2, source))
        }
        _ => {
            let function = derived_term::<P>((size - 1) / 2, source);
            Term::app(function, derived_term::<P>((size - 1) / 2, source))
        }
    }
}

fn typed_term<P: Peer>(weights: &Weights, source: &mut P::Source) -> Term {
    let ty = sized_type::<P>(SIZE as usize, source);
    term_of::<P>(weights, SIZE as usize, &mut Vec::new(), &ty, source)
}

fn sized_type<P: Peer>(size: usize, source: &mut P::Source) -> Type {
    if size == 0 || flip::<P>(source) {
        return Type::Bool;
    }
    let argument = sized_type::<P>(size / 2, source);
    Type::fun(argument, sized_type::<P>(size / 2, source))
}

fn term_of<P: Peer>(
    weights: &Weights,
    size: usize,
    context: &mut Vec<Type>,
    ty: &Type,
    source: &mut P::Source,
) -> Term {
    let fitting: Vec<i32> = (0..).zip(context.iter().rev()).filter(|(_, other)| *other == ty).map(|(i, _)| i).collect();
    let only_if = |possible: bool, weight: u32| if possible { weight as usize } else { 0 };
    let variable = only_if(!fitting.is_empty(), weights.variable);
    let function = only_if(size > 0 && *ty != Type::Bool, weights.function);
    let application = only_if(size > 0, weights.application);
    let pick = P::below(weights.value as usize + variable + function + application, source);
    if pick < variable {
        return Term::Var(fitting[P::below(fitting.len(), source)]);
    }
    match ty {
        Type::Fun(argument, result) if pick < variable + function => {
            context.push((**argument).clone());
            let body = term_of::<P>(weights, size - 1, context, result, source);
            context.pop();
            Term::abs((**argument).clone(), body)
        }
        _ if pick < variable + function + application => {
            let argument = sized_type::<P>(size, source);
            let function = Type::fun(argument.clone(), ty.clone());
            let function = term_of::<P>(weights, size / 2, context, &function, source);
            Term::app(function, term_of::<P>(weights, size / 2, context, &argument, source))
        }
        _ => value::<P>(ty, source),
    }
}

fn value<P: Peer>(ty: &Type, source: &mut P::Source) -> Term {
    match ty {
        Type::Bool => Term::Bool(flip::<P>(source)),
        Type::Fun(argument, result) => Term::abs((**argument).clone(), value::<P>(result, source)),
    }
}
