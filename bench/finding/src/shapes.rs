//! Recursive types. Derives other than forall's do not terminate on them, so users of the other tools write these
//! generators by hand, following the tools' manuals.

use hegel::generators::{self as gs, BoxedGenerator, DefaultGenerator, Generator};
use proptest::prelude::*;
use quickcheck::Gen;

/// A JSON document.
#[derive(Clone, Debug, PartialEq, forall::Arbitrary)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Arbitrary for Json {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> BoxedStrategy<Self> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            any::<i64>().prop_map(Json::Number),
            any::<String>().prop_map(Json::String),
        ];
        let nested = |inner: BoxedStrategy<Json>| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..10).prop_map(Json::Array),
                prop::collection::vec((any::<String>(), inner), 0..10).prop_map(Json::Object),
            ]
        };
        leaf.prop_recursive(8, 256, 10, nested).boxed()
    }
}

impl quickcheck::Arbitrary for Json {
    fn arbitrary(g: &mut Gen) -> Self {
        let choices = if g.size() < 4 { 4 } else { 6 };
        let inner = &mut smaller(g);
        match generated::<usize>(g) % choices {
            0 => Self::Null,
            1 => Self::Bool(generated(g)),
            2 => Self::Number(generated(g)),
            3 => Self::String(generated(g)),
            4 => Self::Array(generated(inner)),
            _ => Self::Object(generated(inner)),
        }
    }
}

/// Calls quickcheck's `arbitrary`, since proptest's has the same name.
pub fn generated<T: quickcheck::Arbitrary>(g: &mut Gen) -> T {
    T::arbitrary(g)
}

/// Returns a generator for the parts of a recursive value. It is seeded, unlike that of `Gen::new`, so that runs are
/// reproducible.
pub fn smaller(g: &mut Gen) -> Gen {
    Gen::from_size_and_seed(g.size() / 4, generated(g))
}

impl DefaultGenerator for Json {
    type Generator = BoxedGenerator<'static, Self>;

    fn default_generator() -> Self::Generator {
        let leaf = hegel::one_of!(
            gs::just(Json::Null),
            gs::booleans().map(Json::Bool),
            gs::integers().map(Json::Number),
            gs::text().map(Json::String),
        );
        let nested = |inner: gs::SubtreeGenerator<Json>| {
            let member = hegel::tuples!(gs::text(), inner.clone());
            hegel::one_of!(gs::vecs(inner).map(Json::Array), gs::vecs(member).map(Json::Object))
        };
        gs::recursive(leaf, nested).boxed()
    }
}
