//! Types, expressions and lists that the cursor accepts, for input that occurs in tests.

use super::{Input, Result, integer, is, literal};
use crate::compiler::{Delimiter, Group, Span, TokenStream, TokenTree};
use crate::item::{Data, Item, Kind, Style};
use crate::template::template;

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

fn input(text: &str) -> Input {
    Input::new(tokens(text))
}

/// Without the spaces, to compare.
fn bare(text: impl ToString) -> String {
    text.to_string().replace(' ', "")
}

/// The tokens that `macro_rules!` produces from a fragment.
fn fragment(text: &str) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, tokens(text))).into()
}

/// Reads something from `text` followed by `after`, and checks that it ends between them.
#[track_caller]
fn ends(text: &str, after: &str, read: impl Fn(&mut Input) -> Result<TokenStream>) {
    let mut input = input(&format!("{text} {after}"));
    let found = read(&mut input).unwrap_or_else(|error| panic!("{text}: {}", error.message));
    assert_eq!((bare(found), bare(input.rest())), (bare(text), bare(after)));
}

fn expression(input: &mut Input) -> Result<TokenStream> {
    input.expression(Span::call_site(), "a value")
}

const TYPES: &[&str] = &[
    "u8",
    "_",
    "!",
    "()",
    "(A, B)",
    "[u8; 3]",
    "[u8; { 1 + (2 > 1) as usize }]",
    "[u8; N * 2]",
    "&[u8]",
    "&'a mut str",
    "&&T",
    "*const T",
    "Vec<Vec<T>>",
    "Vec<Vec<Vec<u8>>>",
    "::std::collections::HashMap<String, Vec<(u8, B)>>",
    "Vec::<u8>",
    "Foo<'a, 3, -1, { N }, Item = Vec<u8>>",
    "<T as Iterator>::Item",
    "<<T as A>::B as C<D, E>>::F",
    "T::Item",
    "Box<dyn Fn(A, B) -> Vec<C>>",
    "dyn Fn(A) -> B + Send + 'a",
    "dyn for<'a> Fn(&'a A) -> &'a B",
    "impl Iterator<Item = u8> + 'a",
    "dyn ?Sized + Trait",
    "fn(A) -> B",
    "unsafe extern \"C\" fn(u8) -> fn() -> u8",
    "for<'a> fn(&'a u8) -> &'a u8",
    "types!(u8)",
    "Result<impl Fn() -> u8, fn(u8) -> Vec<u8>>",
    "crate::Type",
    "Self",
    "r#in",
];

#[test]
fn the_end_of_a_type_is_found() {
    for ty in TYPES {
        for after in ["", ", x", "; check true", "in 0..10", "check true", "= 3", "> 3", "!= 3", "{ }", "&& x"] {
            ends(ty, after, Input::ty);
        }
        ends(ty, ", b: B", |input| Ok(input.until(&|token| is(token, ","))));
    }
    for no_type in ["", "in 0..10", "; x", "3", "&", "dyn", "Vec<u8", "Vec<u8; a > b", "A::", "'a"] {
        assert!(input(no_type).ty().is_err(), "{no_type}");
    }
}

#[test]
fn the_end_of_an_expression_is_found() {
    for text in [
        "0..10",
        "a < b",
        "a < b && c > d",
        "a << 2 >> 3",
        "*n >= 1 || *n <= -1",
        "x as u8 + 1",
        "x as usize",
        "x as usize < y && x as u8 != 3",
        "vec(any::<Vec<u8>>()).len(1..3)",
        "any::<(u8, Vec<Vec<u8>>)>()",
        "both::<A, B>(0..10u8, 0..3)",
        "HashMap::<K, Vec<V>>::new()",
        "any::<fn(A, B) -> C>()",
        "<Map<K, V> as Default>::default()",
        "f(a, b)[c, d]",
        "|a, b| a < b",
        "move |a: Vec<u8>, (b, c)| a",
        "|| 3",
        "|a| -> Map<K, V> { a }",
        "halves",
        "if a { b } else { c; d }",
        "Point { x, y }",
        "vec![1, 2]",
        "'a'..='z'",
        "a || b",
        "&|a| a",
    ] {
        for after in ["", ", shrink halves", "; check true"] {
            ends(text, after, expression);
        }
    }
    assert!(expression(&mut input(", a")).is_err());
    assert!(expression(&mut input("any::<Vec<u8>()")).is_err());
}

#[test]
fn fragments_of_macros_are_one_token_of_an_expression() {
    let sum = fragment("1 + 2");
    let mut input = Input::new(template!(|sum| #sum * 2, #sum));
    let read = input.list(expression).unwrap();
    assert_eq!(bare(&read[0]), "(1+2)*2");
    assert_eq!(read[1].clone().into_iter().count(), 1);
    let (name, negative) = (fragment("a::B"), fragment("-1"));
    for (tokens, read) in [
        (template!(|name| #name::new() + 1), "a::B::new()+1"),
        (template!(|name| #name { x: 3 }), "a::B{x:3}"),
        (template!(|name| #name!(x)), "a::B!(x)"),
        (template!(|negative| #negative != x), "(-1)!=x"),
        (template!(|negative| 3 - #negative), "3-(-1)"),
    ] {
        assert_eq!(bare(expression(&mut Input::new(tokens)).unwrap()), read);
    }
    let ty = fragment("dyn A + B");
    assert_eq!(Input::new(template!(|ty| #ty in x)).ty().unwrap().into_iter().count(), 1);
}

#[test]
fn literals_are_seen_through_fragments() {
    assert_eq!(literal(&fragment("3")).and_then(|literal| integer(&literal)), Some(3));
    assert!(literal(&tokens("3 + 4")).is_none() && literal(&tokens("x")).is_none());
    for (text, value) in [("1_000u64", 1000), ("0xff", 255), ("0b11u8", 3), ("0o17", 15), ("7i32", 7)] {
        assert_eq!(integer(&text.parse().unwrap()), Some(value), "{text}");
    }
    for text in ["1.5", "\"3\"", "'3'", "5000000000"] {
        assert_eq!(integer(&text.parse().unwrap()), None, "{text}");
    }
}

#[test]
fn names_and_paths() {
    for name in ["a", "forall", "r#type", "union", "auto"] {
        assert!(input(name).name("a name").is_ok(), "{name}");
    }
    for keyword in ["in", "mut", "_", "Self", "fn", "3", "(a)", ""] {
        assert!(input(keyword).name("a name").is_err(), "{keyword}");
    }
    for path in ["forall", "::forall", "crate::testing", "self::a::b"] {
        ends(path, ", x", |input| input.path(Span::call_site()));
    }
    for no_path in ["", "\"forall\"", "::", "a::"] {
        assert!(input(no_path).path(Span::call_site()).is_err(), "{no_path}");
    }
}

#[test]
fn generics_are_taken_apart() {
    let text = "pub(in crate::a) struct Grid<
            'a, T: Clone + ?Sized + 'a, U: for<'b> Fn(&'b T) -> Vec<Vec<U>> + Into<Vec<T>>, V:, W: Copy +,
            X = Vec<Vec<u8>>, Y: Iterator<Item = Vec<u8>> = Z, #[cfg(all())] const N: usize = { 1 > 2 }, const M: bool = true,
        > where [T; N]: Sized, Foo<{ N }>: A, (T, U): Fn() -> u8 { a: u8 }";
    let item = Item::read(tokens(text)).unwrap();
    let names: Vec<_> = item.parameters.iter().map(|parameter| parameter.name.to_string()).collect();
    assert_eq!(names, ["'a", "T", "U", "V", "W", "X", "Y", "N", "M"]);
    let count = |kind| item.parameters.iter().filter(|parameter| parameter.kind == kind).count();
    assert_eq!((count(Kind::Lifetime), count(Kind::Const)), (1, 2));
    let declared: Vec<_> =
        item.parameters.iter().map(|parameter| bare(parameter.declaration(&tokens("Bound")))).collect();
    let expected = [
        "'a",
        "T: Clone + ?Sized + 'a + Bound",
        "U: for<'b> Fn(&'b T) -> Vec<Vec<U>> + Into<Vec<T>> + Bound",
        "V: Bound",
        "W: Copy + Bound",
        "X: Bound",
        "Y: Iterator<Item = Vec<u8>> + Bound",
        "#[cfg(all())] const N: usize",
        "const M: bool",
    ];
    assert_eq!(declared, expected.map(bare));
    assert_eq!(bare(&item.where_clause), bare("where [T; N]: Sized, Foo<{ N }>: A, (T, U): Fn() -> u8"));
    let tuple = Item::read(tokens("struct S<T>(T, u8) where T: Fn(u8) -> u8;")).unwrap();
    assert_eq!(bare(&tuple.where_clause), bare("where T: Fn(u8) -> u8"));
}

/// The fields of a struct: attributes, names and types.
fn fields(item: TokenStream) -> (Style, Vec<(usize, String, String)>) {
    let Data::Struct(fields) = Item::read(item).unwrap().data else { panic!("a struct") };
    let list = fields.list.iter().map(|field| {
        let name = field.name.as_ref().map(ToString::to_string).unwrap_or_default();
        (field.attributes.len(), name, bare(&field.ty))
    });
    (fields.style, list.collect())
}

#[test]
fn fields_are_read() {
    let (style, list) = fields(tokens(
        "#[doc = \"text\"]
        struct S {
            /// Documented.
            #[forall(with = |a, b| a < b)]
            pub a: HashMap<A, fn(B) -> C>,
            pub(crate) r#type: [u8; 1 << 3],
            b: &'static dyn Fn(A, B) -> C,
        }",
    ));
    let ty = |index: usize| list[index].2.as_str();
    assert!(style == Style::Named && list.len() == 3 && list[0].0 == 2 && list[1].1 == "r#type");
    assert_eq!([ty(0), ty(2)], ["HashMap<A, fn(B) -> C>", "&'static dyn Fn(A, B) -> C"].map(bare));

    let (style, list) = fields(tokens("struct S(pub (A, B), pub(super) (crate::A), pub (crate::A), pub(in a) B);"));
    assert!(style == Style::Tuple);
    assert_eq!(
        list.into_iter().map(|field| field.2).collect::<Vec<_>>(),
        [bare("(A, B)"), bare("(crate::A)"), bare("(crate::A)"), bare("B")]
    );
    assert!(fields(tokens("struct S;")).0 == Style::Unit && fields(tokens("struct S {}")).0 == Style::Named);
}

#[test]
fn variants_are_read() {
    let item = Item::read(tokens(
        "enum E {
            A = 1 << 3,
            #[forall(skip)]
            B(u8) = f::<A, B>(),
            C { x: u8 },
            D(),
        }",
    ));
    let Data::Enum(variants) = item.unwrap().data else { panic!("an enum") };
    let read: Vec<_> = variants.iter().map(|v| (v.name.to_string(), v.attributes.len(), v.fields.list.len())).collect();
    assert_eq!(read, [("A", 0, 0), ("B", 1, 1), ("C", 0, 1), ("D", 0, 0)].map(|(n, a, f)| (n.to_owned(), a, f)));
}

#[test]
fn items_may_be_made_of_fragments() {
    let (nothing, public, ty, meta) =
        (fragment(""), fragment("pub(crate)"), fragment("&'a [u8]"), fragment("doc = \"\""));
    let (style, list) = fields(
        template!(|meta, public, nothing, ty| #[#meta] #public struct S { #nothing a: #ty, #public b: Vec<#ty> }),
    );
    assert!(style == Style::Named && list.len() == 2);
    let (_, list) = fields(template!(|nothing, public, ty| #nothing struct S(#public #ty, #nothing #ty, #ty);));
    assert_eq!(list.len(), 3);
    assert!(fields(fragment("#[a] pub struct S;")).0 == Style::Unit);
}
