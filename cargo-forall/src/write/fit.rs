//! Whether a value of one type can be passed where another is expected, judging by the type names.

use crate::rust;
use syn::{GenericArgument, Path, PathArguments, Type};

/// A type as written: its last path segment and its type arguments, without references and boxes.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    name: String,
    parts: Vec<Shape>,
}

/// Distinct standard types: none is an alias of another one in this list, or coerces to it.
const STANDARD: &str = " u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char String PathBuf OsString Vec VecDeque \
                        LinkedList BinaryHeap HashMap BTreeMap HashSet BTreeSet Option Result Duration ";

/// Whether these types are certainly different. `is_own` returns whether a name is a workspace type and not an alias.
pub fn differ(one: &str, other: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    shapes_differ(&Shape::read(one), &Shape::read(other), is_own)
}

/// The payload type of an `Option` or `Result`, with the variant that holds it.
pub fn held(result: &str) -> Option<(&'static str, &str)> {
    let Type::Path(path) = syn::parse_str(result).ok()? else { return None };
    let holder = match &*last_name(&path.path) {
        "Option" => "Some",
        "Result" => "Ok",
        _ => return None,
    };
    Some((holder, rust::text(result, *arguments(&path.path).first()?)))
}

fn shapes_differ(one: &Shape, other: &Shape, is_own: &dyn Fn(&str) -> bool) -> bool {
    let is_known = |shape: &Shape| {
        let name = &shape.name;
        name.starts_with('(') || STANDARD.contains(&format!(" {name} ")) || is_own(name)
    };
    if one.name != other.name {
        return is_known(one) && is_known(other);
    }
    one.parts.iter().zip(&other.parts).any(|(one, other)| shapes_differ(one, other, is_own))
}

impl Shape {
    /// A type that cannot be parsed, or has no name, is unknown: it may be any type.
    fn read(text: &str) -> Self {
        syn::parse_str(text).map_or_else(|_| Self::unknown(), |of| Self::of(&of))
    }

    fn of(of: &Type) -> Self {
        match of {
            Type::Reference(borrowed) => Self::of(&borrowed.elem),
            Type::Paren(inner) => Self::of(&inner.elem),
            Type::Group(inner) => Self::of(&inner.elem),
            // An array is a slice where it is borrowed.
            Type::Array(array) => Self { name: "Vec".to_owned(), parts: vec![Self::of(&array.elem)] },
            Type::Slice(slice) => Self { name: "Vec".to_owned(), parts: vec![Self::of(&slice.elem)] },
            Type::Tuple(tuple) => {
                let parts: Vec<Self> = tuple.elems.iter().map(Self::of).collect();
                Self { name: format!("({})", parts.len()), parts }
            }
            Type::Path(path) => Self::of_path(&path.path),
            _ => Self::unknown(),
        }
    }

    fn of_path(path: &Path) -> Self {
        let mut parts: Vec<Self> = arguments(path).into_iter().map(Self::of).collect();
        let name = match &*last_name(path) {
            "Box" | "Rc" | "Arc" | "Cow" if parts.len() == 1 => return parts.remove(0),
            "str" => "String".to_owned(),
            "Path" => "PathBuf".to_owned(),
            "OsStr" => "OsString".to_owned(),
            name => name.to_owned(),
        };
        Self { name, parts }
    }

    fn unknown() -> Self {
        Self { name: String::new(), parts: Vec::new() }
    }
}

fn last_name(path: &Path) -> String {
    path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string())
}

/// The types that a path is applied to, without lifetimes.
fn arguments(path: &Path) -> Vec<&Type> {
    let Some(PathArguments::AngleBracketed(all)) = path.segments.last().map(|segment| &segment.arguments) else {
        return Vec::new();
    };
    let mut types = Vec::new();
    for argument in &all.args {
        if let GenericArgument::Type(of) = argument {
            types.push(of);
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_differ_where_their_names_show_it() {
        let is_own = |name: &str| name == "Tree" || name == "Token";
        let differ = |one, other| differ(one, other, &is_own);
        for (one, other) in [
            ("&str", "Vec<u8>"),
            ("Result<u32, String>", "u32"),
            ("Vec<u8>", "Vec<u16>"),
            ("(u8, u8)", "(u8, u8, u8)"),
            ("Tree", "&Token"),
            ("Option<Tree>", "Tree"),
        ] {
            assert!(differ(one, other) && differ(other, one), "{one} and {other}");
        }
        for (one, other) in [
            ("&'a str", "String"),
            ("Cow<'a, str>", "&str"),
            ("&mut [u8]", "Vec<u8>"),
            ("[u8; 4]", "&[u8]"),
            ("std::collections::BTreeMap<u8, Tree>", "&BTreeMap<u8, Tree>"),
            // It may be an alias of any type.
            ("Alias", "u8"),
            ("io::Result<u8>", "Result<u8, Error>"),
            ("Box<dyn Fn(u8, u8) -> u8>", "u8"),
            ("impl Iterator<Item = u8>", "Vec<u8>"),
            ("no type at all", "u8"),
            ("&'static mut [Vec<(u8, String)>; 2]", "Vec<Vec<(u8, &str)>>"),
        ] {
            assert!(!differ(one, other) && !differ(other, one), "{one} and {other}");
        }
    }

    #[test]
    fn payloads_of_options_and_results_are_found() {
        assert_eq!(held("Option<Vec<u8>>"), Some(("Some", "Vec<u8>")));
        assert_eq!(held("io::Result<(u8, u8)>"), Some(("Ok", "(u8, u8)")));
        assert_eq!(held("std::result::Result<Vec<(u8, [u8; 2])>, Error<'a>>"), Some(("Ok", "Vec<(u8, [u8; 2])>")));
        assert_eq!((held("Vec<Option<u8>>"), held("fmt::Result"), held("Option")), (None, None, None));
    }
}
