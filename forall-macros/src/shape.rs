//! How a type recurs, as far as its text tells. A macro sees names, not types: what it cannot know, it takes to recur.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericArgument, PathArguments, PathSegment, Type};

/// What a field's type can contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Types of the standard library alone: no recursion through it.
    Closed,
    /// Parameters of the type, and types of the standard library: little comes back through them.
    Parameter,
    /// Something else; through it the type may come back to itself.
    Open,
    /// The type itself.
    Recursive,
}

/// Types without parameters, and containers, that lead nowhere else.
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

/// The shape of a field's type in `input`.
pub fn of(ty: &Type, input: &DeriveInput) -> Shape {
    let is_parameter = |name: &str| input.generics.type_params().any(|parameter| parameter.ident == name);
    if mentions(ty.to_token_stream(), &input.ident) {
        Shape::Recursive
    } else if is_closed(ty, &|_| false) {
        Shape::Closed
    } else if is_closed(ty, &is_parameter) {
        Shape::Parameter
    } else {
        Shape::Open
    }
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name || ident == "Self",
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// Whether the type is made of those of the standard library and of those that `too` names.
fn is_closed(ty: &Type, too: &dyn Fn(&str) -> bool) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().all(|ty| is_closed(ty, too)),
        Type::Array(array) => is_closed(&array.elem, too),
        Type::Paren(paren) => is_closed(&paren.elem, too),
        Type::Group(group) => is_closed(&group.elem, too),
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            let known = STANDARD.contains(&name.as_str()) || name.starts_with("NonZero") || too(&name);
            known && arguments(last).all(|ty| is_closed(ty, too))
        }),
        _ => false,
    }
}

fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments.args.iter()),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Paren(paren) => last_segment(&paren.elem),
        Type::Group(group) => last_segment(&group.elem),
        _ => None,
    }
}

/// Whether a value of type `ty` is, or holds, at most one value of a type that is not of the standard library.
pub fn holds_at_most_one(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| match segment.ident.to_string().as_str() {
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Option" => arguments(segment).all(holds_at_most_one),
        name => !STANDARD.contains(&name),
    })
}

/// The type that is being derived for: its name, and its parameters as they are written after it.
pub struct Own<'a> {
    pub name: &'a Ident,
    pub arguments: String,
}

impl Own<'_> {
    fn is(&self, segment: &PathSegment) -> bool {
        segment.ident == "Self"
            || segment.ident == *self.name && segment.arguments.to_token_stream().to_string() == self.arguments
    }

    /// Statements that run `found` (a function of a place) for every value of this type right below a place of type
    /// `ty`.
    pub fn children(&self, ty: &Type, place: &TokenStream, found: &dyn Fn(&TokenStream) -> TokenStream) -> TokenStream {
        let Some(segment) = last_segment(ty) else { return TokenStream::new() };
        if self.is(segment) {
            return found(place);
        }
        let Some(inner) = arguments(segment).next() else { return TokenStream::new() };
        let inside = quote!(__forall_child);
        let (name, deref) = (segment.ident.to_string(), quote!(&**#place));
        match name.as_str() {
            "Box" | "Rc" | "Arc" => self.children(inner, &deref, found),
            "Option" | "Vec" | "VecDeque" => {
                let body = self.children(inner, &inside, found);
                if body.is_empty() { body } else { quote!(for #inside in (#place).iter() { #body }) }
            }
            _ => TokenStream::new(),
        }
    }

    /// Whether a value of type `ty` always has one of this type inside.
    pub fn is_inside_every(&self, ty: &Type) -> bool {
        match ty {
            Type::Tuple(tuple) => tuple.elems.iter().any(|ty| self.is_inside_every(ty)),
            _ => last_segment(ty).is_some_and(|segment| {
                let passes = ["Box", "Rc", "Arc", "Cell", "RefCell"].iter().any(|name| segment.ident == name);
                self.is(segment) || passes && arguments(segment).next().is_some_and(|ty| self.is_inside_every(ty))
            }),
        }
    }
}
