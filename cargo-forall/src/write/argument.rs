//! How a parameter is generated and passed: an owned type for the test's variable, and an expression that passes it.

use super::sources::Sources;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{GenericArgument, GenericParam, PathArguments, Type, TypeParamBound};

/// A value for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The type of the variable.
    pub owned: String,
    /// The expression that passes the variable, written `$`.
    pub pass: String,
    /// Whether the function takes any type that satisfies its bounds.
    pub is_generic: bool,
}

impl Argument {
    fn new(owned: impl Into<String>, pass: &str) -> Self {
        Self { owned: owned.into(), pass: pass.to_owned(), is_generic: false }
    }

    /// The expression that passes the variable `name`.
    pub fn passing(&self, name: &str) -> String {
        self.pass.replace('$', name)
    }

    /// The same, leaving the variable usable.
    pub fn passing_a_copy(&self, name: &str) -> String {
        let is_kept = self.pass.starts_with('&') || COPIED.contains(&&*self.owned);
        self.passing(&if is_kept { name.to_owned() } else { format!("{name}.clone()") })
    }

    /// Whether the variable is changed by the call.
    pub fn is_mutable(&self) -> bool {
        self.pass.starts_with("&mut $")
    }
}

/// Types of the standard library that are copied where they are passed.
const COPIED: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool",
    "char",
];

/// Concrete types for the type parameters of a function and its `impl`.
#[derive(Clone, Debug, Default)]
pub struct Generics {
    chosen: BTreeMap<String, Argument>,
    /// The associated types of those that implement a trait of the workspace: `A::Item`.
    projected: BTreeMap<String, String>,
}

impl Generics {
    /// Chooses a type for each parameter, or says which one has none.
    pub fn choose(&mut self, generics: &syn::Generics, sources: &Sources) -> Result<(), String> {
        let mut bounds: BTreeMap<String, Vec<TypeParamBound>> = BTreeMap::new();
        let mut items: BTreeMap<String, Vec<TypeParamBound>> = BTreeMap::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Type(parameter) => {
                    bounds.entry(parameter.ident.to_string()).or_default().extend(parameter.bounds.iter().cloned());
                }
                GenericParam::Const(parameter) => {
                    self.chosen.insert(parameter.ident.to_string(), Argument::new("3", "$"));
                }
                GenericParam::Lifetime(_) => {}
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            let syn::WherePredicate::Type(predicate) = predicate else { continue };
            let bounded = text(&predicate.bounded_ty);
            if let Some(known) = bounds.get_mut(&bounded) {
                known.extend(predicate.bounds.iter().cloned());
            } else if let Some(name) = bounded.strip_suffix("::Item") {
                items.entry(name.to_owned()).or_default().extend(predicate.bounds.iter().cloned());
            }
        }
        for (name, bounds) in bounds {
            let wrong = |why| format!("its type parameter `{name}` {why}");
            let item =
                items.get(&name).map(|bounds| self.by_bounds(bounds, "i32", sources)).transpose().map_err(wrong)?;
            let item = item.map_or_else(|| "i32".to_owned(), |item| item.owned);
            let chosen = self.by_bounds(&bounds, &item, sources).map_err(wrong)?;
            let projected = sources.associated_types(&chosen.owned);
            self.projected.extend(projected.into_iter().map(|(item, of)| (format!("{name}::{item}"), of)));
            self.chosen.insert(name, chosen);
        }
        Ok(())
    }

    /// A type that satisfies bounds; an iterator without another item has this one.
    fn by_bounds<'a>(
        &self,
        bounds: impl IntoIterator<Item = &'a TypeParamBound>,
        item: &str,
        sources: &Sources,
    ) -> Result<Argument, String> {
        let mut chosen: Option<Argument> = None;
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else { continue };
            let Some(last) = bound.path.segments.last() else { continue };
            let name = last.ident.to_string();
            let inner = self.of_bound(&last.arguments);
            let found = match (&*name, inner.as_deref()) {
                ("AsRef" | "Borrow" | "ToOwned", Some("[u8]")) => Argument::new("Vec<u8>", "&$"),
                ("AsRef" | "Borrow", Some("str")) => Argument::new("String", "&$"),
                ("AsRef" | "Borrow", Some("Path" | "std::path::Path")) => Argument::new("std::path::PathBuf", "&$"),
                ("AsRef" | "Borrow", Some("OsStr")) => Argument::new("String", "&$"),
                ("AsRef" | "Borrow", Some(inner)) if slice_of(inner).is_some() => {
                    Argument::new(format!("Vec<{}>", slice_of(inner).unwrap_or_default()), "&$")
                }
                ("AsRef" | "Borrow", Some(inner)) => Argument::new(inner, "&$"),
                ("Into", Some(inner)) if inner.starts_with("Cow<") => Argument::new("String", "$"),
                ("Into" | "TryInto", Some(inner)) => {
                    Argument::new(sources.converted(inner).unwrap_or_else(|| inner.to_owned()), "$")
                }
                ("IntoIterator", inner) => Argument::new(format!("Vec<{}>", inner.unwrap_or(item)), "$"),
                ("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator", inner) => {
                    Argument::new(format!("Vec<{}>", inner.unwrap_or(item)), "$.into_iter()")
                }
                ("FromIterator" | "Extend", Some("char")) => Argument::new("String", "$"),
                ("FromIterator" | "Extend", Some(inner)) => Argument::new(format!("Vec<{inner}>"), "$"),
                ("ToString" | "Display", _) => Argument::new("String", "$"),
                ("Read" | "BufRead", _) => Argument::new("Vec<u8>", "&$[..]"),
                ("Write", _) if text(&bound.path).contains("fmt") => Argument::new("String", "$"),
                ("Write", _) => Argument::new("Vec<u8>", "$"),
                ("Pattern", _) => Argument::new("char", "$"),
                ("BuildHasher", _) => Argument::new("std::hash::RandomState", "$"),
                // Traits of `num-traits`, which numbers of the standard library implement.
                ("Float" | "FloatCore" | "FloatConst" | "Real", _) => Argument::new("f64", "$"),
                ("Num" | "NumAssign" | "NumCast" | "PrimInt" | "Signed" | "Bounded", _) if chosen.is_none() => {
                    Argument::new("i32", "$")
                }
                ("Num" | "NumAssign" | "NumCast" | "PrimInt" | "Signed" | "Bounded", _) => continue,
                ("Unsigned", _) => Argument::new("u32", "$"),
                ("Fn" | "FnMut" | "FnOnce", _) => return Err("is a closure".to_owned()),
                _ if PLAIN.contains(&&*name) => continue,
                _ => match sources.implementors(&name).into_iter().next() {
                    Some(owned) => Argument::new(owned, "$"),
                    // The compiler decides whether a type has a trait of another crate, or one that a macro implements.
                    None => match inner {
                        Some(inner) => Argument::new(inner, "$"),
                        None => continue,
                    },
                },
            };
            chosen = Some(found);
        }
        Ok(Argument { is_generic: true, ..chosen.unwrap_or_else(|| Argument::new("i32", "$")) })
    }

    /// The type that a bound is about: `[u8]` of `AsRef<[u8]>`, `u8` of `Iterator<Item = u8>`.
    fn of_bound(&self, arguments: &PathArguments) -> Option<String> {
        let PathArguments::AngleBracketed(all) = arguments else { return None };
        all.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(of) => Some(self.concrete(&text(of))),
            GenericArgument::AssocType(item) if item.ident == "Item" => {
                Some(owned_text(&self.concrete(&text(&item.ty))))
            }
            _ => None,
        })
    }

    /// A type with its parameters replaced.
    pub fn concrete(&self, type_text: &str) -> String {
        let projected = self.projected.iter().fold(type_text.to_owned(), |text, (from, to)| text.replace(from, to));
        let Ok(tokens) = projected.parse::<TokenStream>() else { return type_text.to_owned() };
        tidy(&self.replaced(tokens).to_string())
    }

    fn replaced(&self, tokens: TokenStream) -> TokenStream {
        let replace = |token: TokenTree| match token {
            TokenTree::Ident(ident) => match self.chosen.get(&ident.to_string()) {
                Some(chosen) => chosen.owned.parse().unwrap_or_default(),
                None => TokenStream::from(TokenTree::Ident(ident)),
            },
            TokenTree::Group(group) => {
                let inside = self.replaced(group.stream());
                TokenStream::from(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inside)))
            }
            other => TokenStream::from(other),
        };
        tokens.into_iter().map(replace).collect()
    }

    /// Replaces names by others.
    pub fn name(&mut self, names: impl IntoIterator<Item = (String, String)>) {
        self.chosen.extend(names.into_iter().map(|(name, other)| (name, Argument::new(other, "$"))));
    }

    /// Names `Self`.
    pub fn with_self(mut self, name: &str) -> Self {
        self.chosen.insert("Self".to_owned(), Argument::new(name, "$"));
        self
    }

    /// The chosen types in order, for a call that cannot infer them; `_` for those that it can.
    pub fn turbofish(&self, generics: &syn::Generics, inputs: &[String], result: &str) -> String {
        let is_in = |name: &str, text: &str| text.parse::<TokenStream>().is_ok_and(|tokens| mentions(tokens, name));
        let names: Vec<String> = generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
        let needs = |name: &String| is_in(name, result) && !inputs.iter().any(|input| is_in(name, input));
        if !names.iter().any(needs) {
            return String::new();
        }
        let shown: Vec<String> = names
            .iter()
            .map(|name| if needs(name) { self.chosen[name].owned.clone() } else { "_".to_owned() })
            .collect();
        format!("::<{}>", shown.join(", "))
    }

    /// How a parameter of this type is generated and passed.
    pub fn argument(&self, of: &Type, sources: &Sources) -> Result<Argument, String> {
        match of {
            Type::Paren(inner) => self.argument(&inner.elem, sources),
            Type::Group(inner) => self.argument(&inner.elem, sources),
            Type::ImplTrait(bounds) => self.by_bounds(&bounds.bounds, "i32", sources),
            Type::Reference(borrowed) => self.borrowed(&borrowed.elem, borrowed.mutability.is_some()),
            Type::Path(path) => {
                if let Some(chosen) = path.path.get_ident().and_then(|ident| self.chosen.get(&ident.to_string())) {
                    return Ok(chosen.clone());
                }
                let whole = self.concrete(&text(of));
                Ok(match &*whole {
                    "Option<&str>" => Argument::new("Option<String>", "$.as_deref()"),
                    "Cow<str>" | "Cow<'_, str>" => Argument::new("String", "$.into()"),
                    _ if whole.starts_with("Option<&") => {
                        let inner = whole["Option<&".len()..].trim_end_matches('>').to_owned();
                        Argument::new(format!("Option<{inner}>"), "$.as_ref()")
                    }
                    _ => Argument::new(whole, "$"),
                })
            }
            Type::Ptr(_) => Err("is a raw pointer".to_owned()),
            Type::FnPtr(_) => Err("is a function".to_owned()),
            _ => Ok(Argument::new(self.concrete(&text(of)), "$")),
        }
    }

    fn borrowed(&self, inner: &Type, is_mutable: bool) -> Result<Argument, String> {
        let borrow = if is_mutable { "&mut $" } else { "&$" };
        let whole = self.concrete(&text(inner));
        if let Some(element) = slice_of(&whole) {
            return Ok(match element {
                "&str" => Argument::new("Vec<String>", "&$.iter().map(String::as_str).collect::<Vec<_>>()"),
                "&[u8]" => Argument::new("Vec<Vec<u8>>", "&$.iter().map(Vec::as_slice).collect::<Vec<_>>()"),
                element => Argument::new(format!("Vec<{element}>"), borrow),
            });
        }
        match (inner, &*whole) {
            (Type::TraitObject(_), _) => Err("is a trait object".to_owned()),
            (_, "str") => Ok(Argument::new("String", borrow)),
            (_, "Path" | "std::path::Path") => Ok(Argument::new("std::path::PathBuf", borrow)),
            (Type::Path(path), _) => {
                let chosen = path.path.get_ident().filter(|ident| *ident != "Self");
                Ok(match chosen.and_then(|ident| self.chosen.get(&ident.to_string())) {
                    // A reader of bytes, or an iterator.
                    Some(chosen) if !["$", "&$"].contains(&&*chosen.pass) => {
                        Argument { pass: borrow.replace('$', &chosen.pass), ..chosen.clone() }
                    }
                    chosen => Argument { is_generic: chosen.is_some(), ..Argument::new(whole, borrow) },
                })
            }
            _ => Ok(Argument::new(whole, borrow)),
        }
    }
}

/// Traits that the default type satisfies.
const PLAIN: [&str; 22] = [
    "Ord",
    "PartialOrd",
    "Eq",
    "PartialEq",
    "Hash",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "UnwindSafe",
    "Any",
    "ToOwned",
];

/// The element of a slice or an array type.
fn slice_of(whole: &str) -> Option<&str> {
    let inside = whole.strip_prefix('[')?.strip_suffix(']')?;
    (!inside.contains(';')).then_some(inside.trim())
}

/// An item of an iterator, owned.
fn owned_text(item: &str) -> String {
    match item.trim_start_matches('&') {
        "str" => "String".to_owned(),
        inner => inner.to_owned(),
    }
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// A type as text, without lifetimes.
pub fn text(of: &impl ToTokens) -> String {
    tidy(&without_lifetimes(of.to_token_stream()).to_string()).replace("<>", "")
}

/// Drops each `'a`, with the comma after it.
fn without_lifetimes(tokens: TokenStream) -> TokenStream {
    let (mut out, mut is_lifetime, mut was_lifetime) = (Vec::new(), false, false);
    for token in tokens {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '\'' => is_lifetime = true,
            TokenTree::Ident(_) if is_lifetime => (is_lifetime, was_lifetime) = (false, true),
            TokenTree::Punct(mark) if mark.as_char() == ',' && was_lifetime => was_lifetime = false,
            TokenTree::Group(group) => {
                let inside = without_lifetimes(group.stream());
                out.push(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inside)));
                was_lifetime = false;
            }
            other => {
                out.push(other);
                was_lifetime = false;
            }
        }
    }
    out.into_iter().collect()
}

/// Tokens as people write them.
fn tidy(tokens: &str) -> String {
    let mut out = tokens.to_owned();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" ;", ";"),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
    ] {
        out = out.replace(from, to);
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(signature: &str) -> Vec<(String, String)> {
        let item: syn::ItemFn = syn::parse_str(&format!("{signature} {{}}")).unwrap();
        let mut generics = Generics::default();
        let sources = Sources::example("trait Own {}\nimpl Own for str {}\nimpl Own for Vec<u8> {}");
        generics.choose(&item.sig.generics, &sources).unwrap();
        let typed = item.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(&*typed.ty),
            syn::FnArg::Receiver(_) => None,
        });
        typed
            .map(|of| generics.argument(of, &sources).map(|one| (one.owned.clone(), one.passing("x"))).unwrap())
            .collect()
    }

    fn one(signature: &str) -> (String, String) {
        shown(signature).remove(0)
    }

    #[test]
    fn parameters_are_generated_owned_and_passed_as_they_are_taken() {
        let pair = |owned: &str, pass: &str| (owned.to_owned(), pass.to_owned());
        assert_eq!(one("fn f(x: &str)"), pair("String", "&x"));
        assert_eq!(one("fn f<'a>(x: &'a [Vec<u8>])"), pair("Vec<Vec<u8>>", "&x"));
        assert_eq!(one("fn f(x: &mut Vec<u8>)"), pair("Vec<u8>", "&mut x"));
        assert_eq!(one("fn f(x: Option<&str>)"), pair("Option<String>", "x.as_deref()"));
        assert_eq!(one("fn f(x: Cow<'_, str>)"), pair("String", "x.into()"));
        assert_eq!(one("fn f(x: &[&str])"), pair("Vec<String>", "&x.iter().map(String::as_str).collect::<Vec<_>>()"));
        assert_eq!(one("fn f(x: u8)"), pair("u8", "x"));
    }

    #[test]
    fn type_parameters_get_a_type_that_satisfies_their_bounds() {
        let pair = |owned: &str, pass: &str| (owned.to_owned(), pass.to_owned());
        assert_eq!(one("fn f<T: AsRef<[u8]>>(x: T)"), pair("Vec<u8>", "&x"));
        assert_eq!(one("fn f<T>(x: T) where T: Into<String>"), pair("String", "x"));
        assert_eq!(one("fn f<T: Ord + Clone>(x: &[T])"), pair("Vec<i32>", "&x"));
        assert_eq!(one("fn f(x: impl IntoIterator<Item = u8>)"), pair("Vec<u8>", "x"));
        assert_eq!(one("fn f<S: BuildHasher>(x: Set<u8, S>)"), pair("Set<u8, std::hash::RandomState>", "x"));
        assert_eq!(one("fn f<T: Bounded + FloatCore + Num>(x: T)"), pair("f64", "x"));
        assert_eq!(one("fn f<T: PrimInt + Unsigned>(x: &[T])"), pair("Vec<u32>", "&x"));
        assert_eq!(one("fn f(x: impl Iterator<Item = char>)"), pair("Vec<char>", "x.into_iter()"));
        assert_eq!(one("fn f<I>(x: I) where I: IntoIterator, I::Item: Display"), pair("Vec<String>", "x"));
        assert_eq!(one("fn f<R: ?Sized + io::Read>(x: &mut R)"), pair("Vec<u8>", "&mut &x[..]"));
        assert_eq!(one("fn f<W: io::Write>(x: &mut W)"), pair("Vec<u8>", "&mut x"));
        assert_eq!(one("fn f<T: Own>(x: T)"), pair("Vec<u8>", "x"), "a trait of the workspace");
        let refused =
            |of: &str| Generics::default().argument(&syn::parse_str(of).unwrap(), &Sources::default()).unwrap_err();
        assert_eq!(
            (refused("*const u8"), refused("&dyn Own")),
            ("is a raw pointer".into(), "is a trait object".into())
        );
        let closure: syn::ItemFn = syn::parse_str("fn f<F: Fn(u8)>(f: F) {}").unwrap();
        let refused = Generics::default().choose(&closure.sig.generics, &Sources::default());
        assert_eq!(refused, Err("its type parameter `F` is a closure".to_owned()));
    }
}
