//! Conditions of `#[cfg(…)]`, which decide whether code is compiled.

use std::collections::BTreeSet;
use syn::Meta;

/// The predicate of a `#[cfg(…)]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An option, with or without a value: `unix`, `feature = "std"`.
    Is(String),
    /// All of these conditions hold.
    All(Vec<Condition>),
    /// Any of these conditions holds.
    Any(Vec<Condition>),
    /// This condition does not hold.
    Not(Box<Condition>),
}

impl Condition {
    /// The conditions among the attributes of an item.
    pub fn of(attributes: &[syn::Attribute]) -> Vec<Self> {
        let cfgs = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        cfgs.filter_map(|attribute| attribute.parse_args::<Meta>().ok()).map(|meta| Self::read(&meta)).collect()
    }

    fn read(meta: &Meta) -> Self {
        let name = |path: &syn::Path| path.get_ident().map(ToString::to_string).unwrap_or_default();
        match meta {
            Meta::Path(path) => Self::Is(name(path)),
            Meta::NameValue(pair) => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(value), .. }) => {
                    Self::Is(format!("{}={:?}", name(&pair.path), value.value()))
                }
                _ => Self::Is(name(&pair.path)),
            },
            Meta::List(list) => {
                let parser = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
                let parts = list.parse_args_with(parser).unwrap_or_default();
                let mut parts: Vec<Self> = parts.iter().map(Self::read).collect();
                match &*name(&list.path) {
                    "any" => Self::Any(parts),
                    "not" if parts.len() == 1 => Self::Not(Box::new(parts.remove(0))),
                    _ => Self::All(parts),
                }
            }
        }
    }

    /// Returns whether the condition holds, given the values of its options; `None` if it depends on an unknown option.
    pub fn holds(&self, word: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
        let all = |parts: &[Self], stop: bool| {
            let mut known = Some(!stop);
            for part in parts {
                match part.holds(word) {
                    Some(holds) if holds == stop => return Some(stop),
                    Some(_) => {}
                    None => known = None,
                }
            }
            known
        };
        match self {
            Self::Is(text) => word(text),
            Self::All(parts) => all(parts, false),
            Self::Any(parts) => all(parts, true),
            Self::Not(part) => part.holds(word).map(|holds| !holds),
        }
    }

    /// Returns whether the condition holds only in tests.
    pub fn is_for_tests(&self) -> bool {
        self.holds(&|word| (word == "test").then_some(false)) == Some(false)
    }
}

/// The options set in a build, as `rustc --print cfg` and build scripts print them.
#[derive(Debug, Default)]
pub struct Words(pub BTreeSet<String>);

impl Words {
    /// Returns whether code under these conditions is part of the library or of its unit tests.
    pub fn compile(&self, conditions: &[Condition]) -> bool {
        let holds = |test: bool| {
            let word = |word: &str| Some(if word == "test" { test } else { self.0.contains(word) });
            conditions.iter().all(|condition| condition.holds(&word) == Some(true))
        };
        holds(false) || holds(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(text: &str) -> Condition {
        let item: syn::ItemFn = syn::parse_str(&format!("#[cfg({text})] fn f() {{}}")).unwrap();
        Condition::of(&item.attrs).remove(0)
    }

    #[test]
    fn test_only_code_is_recognised() {
        assert!(condition("test").is_for_tests() && condition("all(test, feature = \"std\")").is_for_tests());
        assert!(!condition("any(test, feature = \"std\")").is_for_tests() && !condition("not(test)").is_for_tests());
    }

    #[test]
    fn words_of_the_build_decide_which_code_is_compiled() {
        let words = Words(["unix", "feature=\"std\""].map(str::to_owned).into());
        let compiled = |text: &str| words.compile(&[condition(text)]);
        assert!(compiled("unix") && compiled("feature = \"std\"") && compiled("test") && compiled("not(test)"));
        assert!(!compiled("windows") && !compiled("feature = \"serde\"") && !compiled("all(unix, no_alloc_crate)"));
        assert!(compiled("not(any(windows, no_alloc_crate))"));
    }
}
