//! `#[derive(Arbitrary)]`: accepted types, and the generated values.

use forall::Arbitrary;
use forall::choice::{Sequence, Source};
use forall::generate::{Code, Heights, Visitor, any, check_generator, optional, vec};
use std::collections::{BTreeMap, HashMap};

fn sample<T: Arbitrary>(index: u64) -> T {
    Source::random(7, index, 100).draw(any())
}

// Nothing but Arbitrary is derived for these: no Clone, no Debug, no PartialEq.

#[derive(Arbitrary)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Arbitrary)]
struct Pair(u8, bool);

#[derive(Arbitrary)]
struct Unit;

#[derive(Arbitrary)]
enum Expr {
    Add(Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
    Let { name: String, value: Box<Expr>, body: Box<Expr> },
    Lit(i32),
    Nil,
}

impl Expr {
    fn nodes(&self) -> u64 {
        1 + match self {
            Expr::Add(a, b) => a.nodes() + b.nodes(),
            Expr::Neg(a) => a.nodes(),
            Expr::Let { value, body, .. } => value.nodes() + body.nodes(),
            Expr::Lit(_) | Expr::Nil => 0,
        }
    }
}

#[derive(Arbitrary)]
enum Statement {
    Assign(String, Expression),
    Block(Block),
    While(Expression, Box<Statement>),
}

#[derive(Arbitrary)]
struct Block {
    first: Box<Statement>,
    rest: Vec<Statement>,
}

#[derive(Arbitrary)]
enum Expression {
    Call(String, Vec<Expression>),
    Do(Box<Block>, Box<Expression>),
    Number(f64),
}

#[derive(Arbitrary)]
struct Rose<T> {
    value: T,
    children: Vec<Rose<T>>,
}

#[derive(Arbitrary)]
struct Node<K, V> {
    key: K,
    value: V,
    left: Option<Box<Node<K, V>>>,
    right: Option<Box<Node<K, V>>>,
}

#[derive(Arbitrary)]
enum Json {
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
    String(String),
    Number(f64),
    Bool(bool),
    Null,
}

#[derive(Arbitrary)]
enum Even {
    Zero,
    Successor(Odd),
}

#[derive(Arbitrary)]
struct Odd(Box<Even>);

#[derive(Arbitrary)]
enum List<T> {
    Nil,
    Cons(T, Box<List<T>>),
}

/// Counts the constructors of derived types.
#[derive(Default)]
struct Census {
    seen: HashMap<String, u64>,
    depth: u64,
    deepest: u64,
}

impl Visitor for Census {
    fn enter(&mut self, type_name: &'static str, constructor: &'static str, _: u32) {
        *self.seen.entry(format!("{type_name}::{constructor}")).or_default() += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Ten thousand values at size 100: the mean and the largest number of constructors, and all that were seen.
fn census<T: Arbitrary>(of: &[&str]) -> (f64, u64, Vec<String>) {
    let (mut total, mut largest) = (0, 0);
    let mut seen = HashMap::<String, u64>::new();
    const SAMPLES: u64 = 10_000;
    for index in 0..SAMPLES {
        let mut census = Census::default();
        sample::<T>(index).visit(&mut census);
        let is_own = |name: &str| of.iter().any(|own| name.starts_with(&format!("{own}::")));
        census.seen.retain(|name, _| is_own(name));
        let nodes = census.seen.values().sum::<u64>();
        total += nodes;
        largest = largest.max(nodes);
        census.seen.into_iter().for_each(|(name, count)| *seen.entry(name).or_default() += count);
    }
    let mut seen: Vec<_> = seen.into_keys().collect();
    seen.sort();
    (total as f64 / SAMPLES as f64, largest, seen)
}

#[track_caller]
fn assert_census<T: Arbitrary>(of: &[&str], constructors: &[&str]) {
    let (mean, largest, seen) = census::<T>(of);
    println!("{of:?}: {mean:.1} on average, {largest} at most");
    assert!((3.0..120.0).contains(&mean), "{of:?}: {mean} on average");
    assert!(largest <= 400, "{of:?}: {largest} at most");
    assert_eq!(seen, constructors);
}

#[test]
#[ignore = "slow: 4 s"]
fn recursive_types_end_and_reach_every_constructor() {
    assert_census::<Expr>(&["Expr"], &["Expr::Add", "Expr::Let", "Expr::Lit", "Expr::Neg", "Expr::Nil"]);
    assert_census::<List<u8>>(&["List"], &["List::Cons", "List::Nil"]);
    assert_census::<Rose<u8>>(&["Rose"], &["Rose::Rose"]);
    assert_census::<Node<u8, String>>(&["Node"], &["Node::Node"]);
    assert_census::<Json>(
        &["Json"],
        &["Json::Array", "Json::Bool", "Json::Null", "Json::Number", "Json::Object", "Json::String"],
    );
}

#[test]
#[ignore = "slow: 7 s"]
fn mutually_recursive_types_end_and_reach_every_constructor() {
    let types = &["Statement", "Block", "Expression"];
    let constructors = &[
        "Block::Block",
        "Expression::Call",
        "Expression::Do",
        "Expression::Number",
        "Statement::Assign",
        "Statement::Block",
        "Statement::While",
    ];
    assert_census::<Statement>(types, constructors);
    assert_census::<Block>(types, constructors);
    let (mean, largest, seen) = census::<Even>(&["Even", "Odd"]);
    assert!(mean > 1.5 && largest <= 110, "{mean}, {largest}");
    assert_eq!(seen, ["Even::Successor", "Even::Zero", "Odd::Odd"]);
}

#[test]
fn the_height_of_a_type_is_that_of_its_lowest_constructor() {
    assert_eq!(Heights::of::<Point>(), 0);
    assert_eq!(Heights::of::<Expr>(), 0);
    assert_eq!(Heights::of::<Expression>(), 0);
    assert_eq!(Heights::of::<Statement>(), 1);
    assert_eq!(Heights::of::<Block>(), 2);
    assert_eq!(Heights::of::<Odd>(), 1);
    assert_eq!(Heights::of::<Node<u8, u8>>(), 1);
}

#[test]
fn at_size_0_values_are_minimal() {
    for index in 0..1000 {
        let mut source = Source::random(1, index, 0);
        assert_eq!(source.draw(any::<Expr>()).nodes(), 1);
        assert!(source.draw(any::<Node<u8, u8>>()).left.is_none());
        assert!(source.draw(any::<Rose<u8>>()).children.is_empty());
    }
}

#[test]
fn a_non_recursive_type_keeps_its_variants_at_size_0() {
    #[derive(Arbitrary)]
    struct Item(u8);
    #[derive(Arbitrary)]
    enum Operation {
        Push(Item),
        Pop,
    }
    let operations: Vec<Operation> = (0..100).map(|index| Source::random(1, index, 0).draw(any())).collect();
    assert!(operations.iter().any(|operation| matches!(operation, Operation::Push(_))));
    assert!(operations.iter().any(|operation| matches!(operation, Operation::Pop)));
}

#[test]
fn values_are_the_same_on_tape() {
    for index in 0..200 {
        let random: Statement = Source::random(3, index, 60).draw(any());
        let mut tape = Source::record(3, index, 60);
        let recorded: Statement = tape.draw(any());
        let sequence = tape.into_sequence();
        let replayed: Statement = Source::replay(&sequence).draw(any());
        assert_eq!(Code::of(&random), Code::of(&recorded));
        assert_eq!(Code::of(&random), Code::of(&replayed));
    }
}

#[test]
fn the_simplest_choices_produce_the_simplest_value() {
    let nothing = Sequence { size: 100, ..Sequence::default() };
    assert_eq!(Code::of(&Source::replay(&nothing).draw(any::<Expr>())).unwrap(), "Expr::Nil");
    assert_eq!(Code::of(&Source::replay(&nothing).draw(any::<Json>())).unwrap(), "Json::Null");
}

#[test]
fn values_print_as_code() {
    let expr = Expr::Let {
        name: "a".into(),
        value: Box::new(Expr::Neg(Box::new(Expr::Lit(-1)))),
        body: Box::new(Expr::Add(Box::new(Expr::Nil), Box::new(Expr::Lit(2)))),
    };
    assert_eq!(
        Code::of(&expr).unwrap(),
        "Expr::Let { name: String::from(\"a\"), value: Box::new(Expr::Neg(Box::new(Expr::Lit(-1)))), \
         body: Box::new(Expr::Add(Box::new(Expr::Nil), Box::new(Expr::Lit(2)))) }"
    );
    assert_eq!(Code::of(&Point { x: 1, y: -2 }).unwrap(), "Point { x: 1, y: -2 }");
    assert_eq!(Code::of(&Pair(3, true)).unwrap(), "Pair(3, true)");
    assert_eq!(Code::of(&Unit).unwrap(), "Unit");
}

#[test]
fn values_shrink_to_children_then_to_units_then_field_by_field() {
    let expr = Expr::Add(Box::new(Expr::Lit(1)), Box::new(Expr::Neg(Box::new(Expr::Nil))));
    let candidates: Vec<_> = expr.shrink().map(|candidate| Code::of(&candidate).unwrap()).collect();
    assert_eq!(candidates[..3], ["Expr::Lit(1)", "Expr::Neg(Box::new(Expr::Nil))", "Expr::Nil"]);
    assert!(candidates.contains(&"Expr::Add(Box::new(Expr::Nil), Box::new(Expr::Neg(Box::new(Expr::Nil))))".into()));
    assert!(candidates.contains(&"Expr::Add(Box::new(Expr::Lit(1)), Box::new(Expr::Nil))".into()));
    assert_eq!(Expr::Nil.shrink().count(), 0);

    // And to simpler variants that have no other fields.
    let expr = Expr::Let { name: "x".into(), value: Box::new(Expr::Lit(1)), body: Box::new(Expr::Nil) };
    let candidates: Vec<_> = expr.shrink().map(|candidate| Code::of(&candidate).unwrap()).collect();
    let simpler = ["Expr::Neg(Box::new(Expr::Lit(1)))", "Expr::Add(Box::new(Expr::Lit(1)), Box::new(Expr::Nil))"];
    assert_eq!(candidates[3..5], simpler, "{candidates:?}");

    let list = Node {
        key: 1u8,
        value: (),
        left: None,
        right: Some(Box::new(Node::<u8, ()> { key: 0, value: (), left: None, right: None })),
    };
    let candidates: Vec<_> = list.shrink().map(|candidate| Code::of(&candidate).unwrap()).collect();
    assert_eq!(candidates[0], "Node { key: 0, value: (), left: None, right: None }");
    let points: Vec<_> = Point { x: 1, y: 1 }.shrink().map(|p| (p.x, p.y)).collect();
    assert_eq!(points, [(0, 1), (1, 0)]);
}

#[test]
fn shrinking_terminates() {
    for index in 0..50 {
        let mut value: Statement = sample(index);
        let mut steps = 0;
        loop {
            let Some(simpler) = value.shrink().next() else { break };
            value = simpler;
            steps += 1;
            assert!(steps < 1_000);
        }
    }
}

#[test]
fn mutation_changes_a_part() {
    let mut source = Source::random(1, 0, 10);
    let (mut same_x, mut same_y) = (0, 0);
    for _ in 0..1000 {
        let Point { x, y } = Point { x: 1000, y: 1000 }.mutate(&mut source);
        same_x += u32::from(x == 1000);
        same_y += u32::from(y == 1000);
    }
    assert!((250..450).contains(&same_x) && (250..450).contains(&same_y), "{same_x} {same_y}");
    for index in 0..1000 {
        assert!(sample::<Expr>(index).mutate(&mut source).nodes() < 500);
    }
}

#[test]
fn constructors_are_visited_outermost_first() {
    let mut census = Census::default();
    Expr::Neg(Box::new(Expr::Lit(1))).visit(&mut census);
    assert_eq!((census.depth, census.deepest), (0, 2));
    assert_eq!(census.seen["Expr::Neg"], 1);
}

mod attributes {
    use super::*;

    struct Opaque(u8);

    fn opaques() -> impl forall::generate::Generator<Value = Opaque> {
        forall::generate::from_fn(|source| Opaque(source.draw(1..10)))
    }

    #[derive(Arbitrary)]
    struct Configured {
        #[forall(with = 1..=6)]
        die: u8,
        #[forall(with = vec(any::<char>()).len(2))]
        pair: Vec<char>,
        #[forall(with = opaques())]
        opaque: Opaque,
        #[forall(skip)]
        cache: HashMap<u8, Opaque>,
    }

    #[derive(Arbitrary)]
    enum Weighted {
        #[forall(weight = 9)]
        Often,
        #[forall(weight = 1)]
        Rarely,
        #[forall(skip)]
        Never(Opaque),
        #[forall(weight = 0)]
        NeverEither(u8),
    }

    #[test]
    fn fields_have_generators_or_are_skipped() {
        for index in 0..100 {
            let value: Configured = sample(index);
            assert!((1..=6).contains(&value.die));
            assert_eq!(value.pair.len(), 2);
            assert!((1..10).contains(&value.opaque.0));
            assert!(value.cache.is_empty());
            // A value of an explicit generator is not shrunk by its type, and a value with a part that has no code form
            // has none.
            assert_eq!(value.shrink().count(), 0);
            assert_eq!(Code::of(&value), None);
            let value = value.mutate(&mut Source::random(1, index, 10));
            assert!((1..=6).contains(&value.die));
        }
    }

    #[test]
    fn variants_have_weights() {
        let values: Vec<Weighted> = (0..1000).map(sample).collect();
        let often = values.iter().filter(|value| matches!(value, Weighted::Often)).count();
        assert!((850..950).contains(&often), "{often}");
        assert!(values.iter().all(|value| matches!(value, Weighted::Often | Weighted::Rarely)));
        assert_eq!(Code::of(&Weighted::NeverEither(1)).as_deref(), Some("Weighted::NeverEither(1)"));
        assert_eq!(Code::of(&Weighted::Never(Opaque(1))), None);
    }
}

mod generics {
    use super::*;
    use std::marker::PhantomData;

    #[derive(Arbitrary)]
    struct Grid<T: Default, const WIDTH: usize>
    where
        T: Ord,
    {
        rows: Vec<[T; WIDTH]>,
        tag: PhantomData<T>,
    }

    #[derive(Arbitrary)]
    enum Tree<T> {
        Leaf,
        Branch(Box<Self>, T, Box<Self>),
    }

    #[derive(Arbitrary)]
    struct Both<A, B = A>(A, B);

    #[test]
    fn type_parameters_are_preserved() {
        let grid: Grid<u8, 3> = sample(1);
        assert!(grid.rows.iter().all(|row| row.len() == 3));
        let _ = grid.tag;
        let Both(a, b): Both<u8, bool> = sample(1);
        let _ = (a, b);
    }

    #[test]
    fn generic_trees_shrink_to_their_children() {
        let tree = Tree::Branch(
            Box::new(Tree::Branch(Box::new(Tree::Leaf), 7u8, Box::new(Tree::Leaf))),
            3,
            Box::new(Tree::Leaf),
        );
        let first = tree.shrink().next().unwrap();
        assert_eq!(Code::of(&first).unwrap(), "Tree::Branch(Box::new(Tree::Leaf), 7, Box::new(Tree::Leaf))");
    }
}

mod odd_types {
    use super::*;

    /// A type with `Drop` cannot be taken apart.
    #[derive(Arbitrary)]
    struct Dropped {
        r#type: u8,
        parts: Vec<u8>,
    }

    impl Drop for Dropped {
        fn drop(&mut self) {
            self.parts.clear();
        }
    }

    #[derive(Arbitrary)]
    struct Braces {}

    #[derive(Arbitrary)]
    struct Parentheses();

    #[derive(Arbitrary)]
    enum Single {
        Only { r#fn: u8 },
    }

    /// Types in which fragments stand, of every kind.
    macro_rules! of_fragments {
        (
            $(#[$meta:meta])* $visibility:vis $name:ident<$t:ident: $bound:path>, $inner:ident, $ty:ty, $weight:literal,
            $sum:expr, $item:item
        ) => {
            $(#[$meta])*
            #[derive(Arbitrary)]
            $visibility enum $name<$t: $bound> {
                #[forall(weight = $weight)]
                Tuple($ty, Box<$name<$t>>, #[forall(with = $sum + 3..=$sum + 3)] u8),
                Named { list: Vec<$t>, own: Option<$ty> },
            }

            #[derive(Arbitrary)]
            $visibility struct $inner($visibility $ty, $visibility (u8, $ty));

            #[derive(Arbitrary)]
            $item
        };
    }

    of_fragments! {
        #[allow(dead_code)] pub(super) Fragments<T: Default>, Inner, [Vec<Vec<u8>>; 2], 3, 1 + 2, pub struct Whole(u8);
    }

    type Arrow<A, B> = std::marker::PhantomData<fn(A) -> B>;

    /// `<` and `>` that belong to no pair, and a variant whose number is an expression.
    #[derive(Arbitrary)]
    #[repr(u8)]
    enum Angles<F: Into<Vec<Vec<u8>>>, const N: usize = 2, T = u8> {
        Shifted(Arrow<u8, Arrow<u8, F>>, [T; N], Option<Vec<T>>) = 1 << 3,
        Compared {
            bytes: [u8; (2 > 1) as usize],
            #[forall(with = vec(0..N as u8 + 3).len(1..3))]
            list: Vec<u8>,
        } = (2 > 1) as u8,
    }

    #[test]
    fn angle_brackets_are_matched() {
        let _: Angles<Vec<Vec<u8>>> = sample(1);
    }

    #[test]
    fn macro_fragments_derive_arbitrary() {
        let values: Vec<Fragments<u8>> = (0..200).map(sample).collect();
        let drawn = |value: &Fragments<u8>| matches!(value, Fragments::Tuple(_, _, 6));
        assert!(values.iter().any(drawn) && values.iter().any(|value| matches!(value, Fragments::Named { .. })));
        let (Inner(_, (_, _)), Whole(_)) = (sample(1), sample(1));
    }

    #[test]
    fn raw_identifiers_and_empty_structs_derive_arbitrary() {
        let dropped = sample::<Dropped>(1).mutate(&mut Source::random(1, 1, 10));
        assert!(Code::of(&dropped).unwrap().starts_with("Dropped { r#type: "));
        assert_eq!(Code::of(&Braces {}).unwrap(), "Braces {}");
        assert_eq!(Code::of(&Parentheses()).unwrap(), "Parentheses()");
        assert_eq!(Code::of(&Single::Only { r#fn: 1 }).unwrap(), "Single::Only { r#fn: 1 }");
        let (_, Braces {}, Parentheses(), Unit) = (sample::<Single>(1), sample(1), sample(1), sample(1));
    }

    /// The names that expansions use are taken here.
    #[allow(non_snake_case, dead_code, unused)]
    mod without_prelude {
        #![no_implicit_prelude]

        pub struct Option;
        pub struct Box;
        pub struct Vec;
        pub fn size() -> ::core::ops::Range<u8> {
            0..3
        }
        pub fn source() {}

        #[derive(::forall::Arbitrary)]
        pub enum List {
            Nil,
            Cons(#[forall(with = size())] u8, ::std::boxed::Box<List>, ::std::vec::Vec<::std::string::String>),
        }

        #[derive(::forall::Arbitrary)]
        #[forall(crate = ::forall)]
        pub struct Wrapped<T>(T);
    }

    #[test]
    fn expansions_need_no_prelude() {
        let _ = sample::<without_prelude::Wrapped<without_prelude::List>>(1);
    }
}

mod endless {
    use forall::prelude::*;
    use forall::run::{Run, Settings, Store, Verdict};

    #[derive(Arbitrary, Debug)]
    struct Chicken {
        egg: Box<Egg>,
    }

    #[derive(Arbitrary, Debug)]
    struct Egg(Box<Chicken>);

    #[test]
    fn infinitely_nested_types_are_reported() {
        let property = property! { forall chicken: Chicken; check format!("{chicken:?}").is_empty() };
        let settings = Settings::new().seed(1).store(Store::Off);
        let report = Run::new("endless", &property).settings(settings).report();
        let Verdict::Faulty(text) = report.verdict else { panic!("{report:?}") };
        assert!(text.to_string().contains("`chicken`") && text.to_string().contains("no finite value"), "{text}");
    }
}

/// Code that names private fields compiles in some places only.
mod reach {
    use forall::Arbitrary;
    use forall::property::Printed;

    #[derive(Arbitrary)]
    pub struct Open {
        pub a: u8,
    }

    #[derive(Arbitrary)]
    pub struct InCrate(pub u8, pub(crate) u8);

    #[derive(Arbitrary)]
    pub struct InModule<T> {
        pub(crate) a: u8,
        b: T,
    }

    #[derive(Arbitrary)]
    pub enum Either {
        Left(u8),
        Right { b: InCrate },
    }

    #[test]
    fn the_visibility_is_that_of_the_most_private_field() {
        let modules = |printed: Printed| printed.private_to;
        let crate_name = module_path!().split("::").next().unwrap();
        assert!(modules(Printed::code(&Open { a: 1 })).is_empty());
        assert!(modules(Printed::code(&Either::Left(1))).is_empty());
        assert_eq!(modules(Printed::code(&Either::Right { b: InCrate(1, 2) })), [crate_name]);
        assert_eq!(modules(Printed::code(&vec![InModule { a: 1, b: 2u8 }])), [module_path!()]);
        let both = InModule { a: 1, b: InCrate(1, 2) };
        assert_eq!(modules(Printed::code(&both)), [module_path!(), crate_name]);
    }
}

#[test]
fn a_type_recursing_through_its_own_generator_replays_exactly() {
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Tree {
        Leaf,
        Number(i64),
        Many(#[forall(with = vec(any::<Tree>()))] Vec<Tree>),
        Two(#[forall(with = (any(), any()))] (Box<Tree>, Box<Tree>)),
    }
    check_generator(any::<Tree>())
        .reaches(
            "a tree in a tree",
            |tree| matches!(tree, Tree::Many(trees) if trees.iter().any(|tree| matches!(tree, Tree::Two(_)))),
        )
        .run()
        .unwrap();

    // Without another variant, the generator is what ends it.
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    struct List {
        #[forall(with = optional(any::<Box<List>>()))]
        next: Option<Box<List>>,
    }
    check_generator(any::<List>())
        .reaches("two", |list| list.next.as_ref().is_some_and(|next| next.next.is_some()))
        .run()
        .unwrap();
}
