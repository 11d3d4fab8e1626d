//! Parameters of functions: the type to generate, and how the value is passed.

use super::super::switch::CRATE;
use crate::rust;
use std::collections::BTreeMap;
use syn::Type;

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The type to generate.
    pub(super) owned: String,
    pub(super) passing: Passing,
}

/// How the value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Copy,
    Shared,
    Text,
    Slice,
    Mutable,
    /// `&mut Formatter`: the written text is the result.
    Formatter,
}

impl Parameter {
    /// Returns the argument expression for a variable; a mutable reference is to its copy, `m` followed by the number.
    pub(super) fn passed(&self, variable: &str, at: usize, borrow: &str) -> String {
        match self.passing {
            Passing::Copy => format!("{variable}.clone()"),
            Passing::Shared => format!("&{variable}"),
            Passing::Text | Passing::Slice => format!("&{variable}[..]"),
            Passing::Formatter => "formatter".to_owned(),
            Passing::Mutable if borrow.is_empty() => format!("&mut {variable}"),
            Passing::Mutable => format!("&mut m{at}"),
        }
    }

    /// Returns the argument expression for a reference; changes to the value are lost.
    pub(super) fn passed_once(&self, variable: &str) -> String {
        match self.passing {
            Passing::Copy => format!("{variable}.clone()"),
            Passing::Shared => variable.to_owned(),
            Passing::Text | Passing::Slice => format!("&{variable}[..]"),
            Passing::Mutable => format!("&mut {variable}.clone()"),
            Passing::Formatter => "formatter".to_owned(),
        }
    }

    /// Returns an expression that formats the argument as Rust code.
    pub(super) fn as_code(&self, variable: &str) -> String {
        let before = match self.passing {
            Passing::Shared => "&",
            Passing::Mutable => "&mut ",
            Passing::Slice => "&",
            Passing::Text | Passing::Formatter => "",
            Passing::Copy if self.owned.starts_with("Vec<") => "vec!",
            Passing::Copy if self.owned == "String" => return format!("format!(\"{{:?}}.to_owned()\", {variable})"),
            Passing::Copy => "",
        };
        format!("::{CRATE}::argument({before:?}, (&Shown({variable})).shown())")
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Returns the types that replace type parameters, chosen by their bounds.
pub(super) fn stand_ins(generics: &syn::Generics, source: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for parameter in generics.type_params() {
        let name = parameter.ident.to_string();
        let mut bounds = rust::text(source, parameter).to_owned();
        if let Some(clause) = &generics.where_clause {
            let own = clause
                .predicates
                .iter()
                .map(|predicate| rust::text(source, predicate))
                .filter(|text| words(text).next() == Some(&name));
            bounds += &own.collect::<Vec<_>>().join(" + ");
        }
        found.insert(name, stand_in(&bounds).to_owned());
    }
    found
}

fn stand_in(bounds: &str) -> &'static str {
    let bounds: String = bounds.split_whitespace().collect();
    match () {
        () if bounds.contains("AsRef<[u8]>") => "Vec<u8>",
        () if bounds.contains("<str>") || bounds.contains("<String>") || bounds.contains("ToString") => "String",
        () if bounds.contains("Iterator<Item=u8>") => "Vec<u8>",
        () => "u8",
    }
}

/// Returns the type to generate for a parameter, and how the value is passed. `None` if it cannot be generated.
pub(super) fn owned(
    of: &Type,
    generic: &BTreeMap<String, String>,
    owner: Option<&str>,
    source: &str,
) -> Option<(String, Passing)> {
    let plain = |of: &Type| {
        let text = match (rust::text(source, of), owner) {
            ("Self", Some(owner)) => owner,
            (text, _) => text,
        };
        let is_odd =
            ["impl", "dyn", "fn", "Formatter", "Self", "Hasher"].iter().any(|odd| words(text).any(|word| word == *odd));
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
            let end =
                rest[start..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |at| start + at);
            let word = &rest[start..end];
            out += &rest[..start];
            out += generic.get(word).map_or(word, |stand_in| stand_in);
            rest = &rest[end..];
        }
        (!is_odd && !text.contains('\'') && !text.contains('&')).then_some(out + rest)
    };
    match of {
        Type::Reference(reference) if reference.mutability.is_some() => match &*reference.elem {
            Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Formatter") => {
                Some((String::new(), Passing::Formatter))
            }
            Type::Slice(slice) => Some((format!("Vec<{}>", plain(&slice.elem)?), Passing::Mutable)),
            other => Some((plain(other)?, Passing::Mutable)),
        },
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => Some(("String".to_owned(), Passing::Text)),
            Type::Slice(slice) => Some((format!("Vec<{}>", plain(&slice.elem)?), Passing::Slice)),
            other => Some((plain(other)?, Passing::Shared)),
        },
        Type::ImplTrait(bounds) => {
            let text: String = rust::text(source, bounds).to_owned();
            (text.contains("AsRef") || text.contains("Into")).then(|| (stand_in(&text).to_owned(), Passing::Copy))
        }
        other => Some((plain(other)?, Passing::Copy)),
    }
}
