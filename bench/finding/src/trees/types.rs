//! Recursive types of this area, with generators as in [`shapes`](crate::shapes).

use crate::shapes::{generated, smaller};
use hegel::generators::{self as gs, BoxedGenerator, DefaultGenerator, Generator};
use proptest::prelude::*;
use quickcheck::Gen;

/// An ordered tree without data.
#[derive(Clone, Debug, PartialEq, forall::Arbitrary)]
pub struct Tree {
    pub children: Vec<Tree>,
}

impl Arbitrary for Tree {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> BoxedStrategy<Self> {
        let nested = |inner| prop::collection::vec(inner, 0..10).prop_map(|children| Tree { children });
        Just(Tree { children: vec![] }).prop_recursive(8, 256, 10, nested).boxed()
    }
}

impl quickcheck::Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        if g.size() == 0 {
            return Self { children: vec![] };
        }
        Self { children: generated(&mut smaller(g)) }
    }
}

impl DefaultGenerator for Tree {
    type Generator = BoxedGenerator<'static, Self>;

    fn default_generator() -> Self::Generator {
        let nested = |inner: gs::SubtreeGenerator<Tree>| gs::vecs(inner).map(|children| Tree { children });
        gs::recursive(gs::just(Tree { children: vec![] }), nested).boxed()
    }
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, forall::Arbitrary)]
pub enum Expr {
    Number(u8),
    Sub(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn sub((left, right): (Self, Self)) -> Self {
        Self::Sub(Box::new(left), Box::new(right))
    }

    fn mul((left, right): (Self, Self)) -> Self {
        Self::Mul(Box::new(left), Box::new(right))
    }
}

impl Arbitrary for Expr {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> BoxedStrategy<Self> {
        let nested = |inner: BoxedStrategy<Expr>| {
            let operands = (inner.clone(), inner);
            prop_oneof![operands.clone().prop_map(Expr::sub), operands.prop_map(Expr::mul)]
        };
        any::<u8>().prop_map(Expr::Number).prop_recursive(8, 256, 2, nested).boxed()
    }
}

impl quickcheck::Arbitrary for Expr {
    fn arbitrary(g: &mut Gen) -> Self {
        let choices = if g.size() == 0 { 1 } else { 3 };
        let inner = &mut smaller(g);
        match generated::<usize>(g) % choices {
            0 => Self::Number(generated(g)),
            1 => Self::Sub(generated(inner), generated(inner)),
            _ => Self::Mul(generated(inner), generated(inner)),
        }
    }
}

impl DefaultGenerator for Expr {
    type Generator = BoxedGenerator<'static, Self>;

    fn default_generator() -> Self::Generator {
        let nested = |inner: gs::SubtreeGenerator<Expr>| {
            let operands = || hegel::tuples!(inner.clone(), inner.clone());
            hegel::one_of!(operands().map(Expr::sub), operands().map(Expr::mul))
        };
        gs::recursive(gs::integers().map(Expr::Number), nested).boxed()
    }
}
