//! How a type recurs, judging by its tokens. A macro sees names, not types: unknown types are assumed to recur.

use crate::compiler::{Delimiter, Ident, TokenStream, TokenTree};
use crate::item::{Item, Kind, Parameter};
use crate::parse::{Input, is};
use crate::template::template;
use crate::tokens::is_named;

/// The possible contents of a field's type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Only types of the standard library: no recursion.
    Closed,
    /// Type parameters and types of the standard library: recursion is rare.
    Parameter,
    /// Other types, through which the type may recur.
    Open,
    /// The type itself.
    Recursive,
}

/// Standard types, and standard containers, which contain nothing but their type arguments.
const STANDARD: &[&str] = &[
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "bool",
    "char",
    "String",
    "str",
    "Duration",
    "SystemTime",
    "Ordering",
    "PathBuf",
    "OsString",
    "CString",
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "SocketAddr",
    "Option",
    "Result",
    "Vec",
    "VecDeque",
    "LinkedList",
    "BTreeMap",
    "BTreeSet",
    "HashMap",
    "HashSet",
    "BinaryHeap",
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "Cell",
    "RefCell",
    "Range",
    "RangeInclusive",
    "PhantomData",
    "Wrapping",
    "NonZero",
];

/// The shape of a field's type within `item`.
pub fn of(ty: &TokenStream, item: &Item) -> Shape {
    let is_parameter = |name: &str| {
        let is_it = |other: &Parameter| other.kind == Kind::Type && other.name.to_string() == name;
        item.parameters.iter().any(is_it)
    };
    if mentions(ty.clone(), &item.name.to_string()) {
        Shape::Recursive
    } else if is_closed(ty, &|_| false) {
        Shape::Closed
    } else if is_closed(ty, &is_parameter) {
        Shape::Parameter
    } else {
        Shape::Open
    }
}

/// A parsed type, as far as needed here.
enum View {
    Tuple(Vec<TokenStream>),
    /// A tuple or array, by its elements.
    Array(TokenStream),
    /// A path, by its last segment.
    Path(Segment),
    Other,
}

struct Segment {
    name: Ident,
    arguments: Vec<TokenStream>,
}

impl View {
    fn of(ty: &TokenStream) -> Self {
        let mut input = Input::new(ty.clone());
        input.open();
        match input.peek() {
            Some(TokenTree::Group(group)) => Self::of_group(group.delimiter(), Input::inside(group)),
            _ => Segment::read(&mut input).map_or(Self::Other, Self::Path),
        }
    }

    fn of_group(delimiter: Delimiter, mut inside: Input) -> Self {
        if delimiter == Delimiter::Bracket {
            let element = inside.until(&|_| false);
            return if inside.is_empty() { Self::Other } else { Self::Array(element) };
        }
        let mut elements = Vec::new();
        while !inside.is_empty() {
            elements.push(inside.until(&|token| is(token, ",")));
            if inside.eat(",").is_none() {
                // Parentheses without a comma are not a tuple.
                return if elements.len() == 1 { Self::of(&elements[0]) } else { Self::Tuple(elements) };
            }
        }
        Self::Tuple(elements)
    }

    fn segment(self) -> Option<Segment> {
        if let Self::Path(segment) = self { Some(segment) } else { None }
    }
}

impl Segment {
    /// The last segment of a path, if it is the only one that matters.
    fn read(input: &mut Input) -> Option<Self> {
        loop {
            skip_colons(input);
            let name = input.ident("a name").ok()?;
            if input.at_after(2, "<") {
                skip_colons(input);
            }
            let mut arguments = Vec::new();
            if input.eat("<").is_some() {
                while input.eat(">").is_none() {
                    arguments.push(input.until(&|token| is(token, ",") || is(token, ">")));
                    if input.eat(",").is_none() && !input.at(">") {
                        return None;
                    }
                }
            }
            if input.is_empty() {
                return Some(Self { name, arguments });
            }
            if !input.at("::") {
                return None;
            }
        }
    }

    /// The type arguments.
    fn types(&self) -> Vec<&TokenStream> {
        let mut types = Vec::new();
        for argument in &self.arguments {
            let mut input = Input::new(argument.clone());
            let is_type = match input.peek() {
                Some(TokenTree::Literal(_)) => false,
                Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Brace,
                Some(first) => !is(first, "'") && !is(first, "-"),
                None => false,
            };
            input.until(&|token| is(token, "="));
            if is_type && input.is_empty() {
                types.push(argument);
            }
        }
        types
    }
}

fn skip_colons(input: &mut Input) {
    if input.at("::") {
        input.take(2);
    }
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    for token in tokens {
        let mentions = match token {
            TokenTree::Ident(ident) => is_named(&ident, name) || is_named(&ident, "Self"),
            TokenTree::Group(group) => mentions(group.stream(), name),
            _ => false,
        };
        if mentions {
            return true;
        }
    }
    false
}

/// Whether the type consists only of standard types and of types accepted by `too`.
fn is_closed(ty: &TokenStream, too: &dyn Fn(&str) -> bool) -> bool {
    match View::of(ty) {
        View::Tuple(elements) => elements.iter().all(|ty| is_closed(ty, too)),
        View::Array(element) => is_closed(&element, too),
        View::Path(segment) => {
            let name = segment.name.to_string();
            let known = STANDARD.contains(&name.as_str()) || name.starts_with("NonZero") || too(&name);
            known && segment.types().iter().all(|ty| is_closed(ty, too))
        }
        View::Other => false,
    }
}

/// Whether a value of type `ty` is, or contains, at most one value of a type outside of the standard library.
pub fn holds_at_most_one(ty: &TokenStream) -> bool {
    let Some(segment) = View::of(ty).segment() else { return false };
    match segment.name.to_string().as_str() {
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Option" => segment.types().iter().all(|ty| holds_at_most_one(ty)),
        name => !STANDARD.contains(&name),
    }
}

/// The type that the derive is for: its name, and its parameters as written after it.
pub struct Own<'a> {
    pub name: &'a Ident,
    pub arguments: Vec<String>,
}

impl Own<'_> {
    fn is(&self, segment: &Segment) -> bool {
        let mut is_own = is_named(&segment.name, &self.name.to_string());
        is_own &= segment.arguments.len() == self.arguments.len();
        for (argument, own) in segment.arguments.iter().zip(&self.arguments) {
            is_own &= argument.to_string() == *own;
        }
        is_own || is_named(&segment.name, "Self")
    }

    /// Statements that call `found` with a place expression for every value of this type directly inside a place of
    /// type `ty`.
    pub fn children(
        &self,
        ty: &TokenStream,
        place: &TokenStream,
        found: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let Some(segment) = View::of(ty).segment() else { return TokenStream::new() };
        if self.is(&segment) {
            return found(place);
        }
        let types = segment.types();
        let Some(inner) = types.first() else { return TokenStream::new() };
        let inside = template!(__forall_child);
        let (name, deref) = (segment.name.to_string(), template!(|place| &**#place));
        match name.as_str() {
            "Box" | "Rc" | "Arc" => self.children(inner, &deref, found),
            "Option" | "Vec" | "VecDeque" => {
                let body = self.children(inner, &inside, found);
                if body.is_empty() {
                    return body;
                }
                template!(|inside, place, body| for #inside in (#place).iter() { #body })
            }
            _ => TokenStream::new(),
        }
    }

    /// Whether a value of type `ty` always contains one of this type.
    pub fn is_inside_every(&self, ty: &TokenStream) -> bool {
        match View::of(ty) {
            View::Tuple(elements) => elements.iter().any(|ty| self.is_inside_every(ty)),
            View::Path(segment) => {
                let passes = matches!(&*segment.name.to_string(), "Box" | "Rc" | "Arc" | "Cell" | "RefCell");
                self.is(&segment) || passes && segment.types().first().is_some_and(|ty| self.is_inside_every(ty))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Own, Shape, holds_at_most_one, of};
    use crate::compiler::{Ident, Span, TokenStream};
    use crate::item::Item;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn types_are_distinguished_by_their_names() {
        let item = Item::read(tokens("struct Tree<T, const N: usize>(T);")).unwrap();
        let shape = |text: &str| of(&tokens(text), &item);
        for text in [
            "u8",
            "()",
            "(u8)",
            "(u8, Vec<Vec<char>>)",
            "[u8; N]",
            "::std::vec::Vec::<u8>",
            "NonZeroU8",
            "Option<'a, 3, u8>",
        ] {
            assert!(shape(text) == Shape::Closed, "{text}");
        }
        for text in ["T", "Vec<(T, u8)>", "[[T; 2]; N]"] {
            assert!(shape(text) == Shape::Parameter, "{text}");
        }
        for text in [
            "Other",
            "Vec<Other>",
            "&str",
            "[u8]",
            "fn() -> u8",
            "Box<dyn Fn(u8) -> u8>",
            "<T as A>::B",
            "u8!()",
            "Vec<{ N }, Other>",
        ] {
            assert!(shape(text) == Shape::Open, "{text}");
        }
        for text in ["Tree<T, N>", "Box<Self>", "HashMap<u8, (Tree<u8, 3>,)>", "fn(Self)"] {
            assert!(shape(text) == Shape::Recursive, "{text}");
        }
    }

    #[test]
    fn own_types_are_found() {
        let own = Own { name: &Ident::new("Tree", Span::call_site()), arguments: vec!["T".into(), "N".into()] };
        for text in ["Tree<T, N>", "self::Tree::<T, N,>", "Box<Rc<Self>>", "(u8, Tree<T, N>)", "((Self))"] {
            assert!(own.is_inside_every(&tokens(text)), "{text}");
        }
        for text in ["Tree<u8, N>", "Tree", "Option<Self>", "Vec<Tree<T, N>>", "u8"] {
            assert!(!own.is_inside_every(&tokens(text)), "{text}");
        }
        assert!(holds_at_most_one(&tokens("Option<Box<Tree>>")) && !holds_at_most_one(&tokens("Vec<Tree>")));
    }
}
