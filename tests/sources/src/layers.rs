//! No module of the library imports one from a higher layer.
//!
//! `ORDER` places every module of `forall/src`. A module may import those before it, without exceptions.

use crate::{files, root, tokens};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The modules of the library, from the lowest to the highest: each may import those before it. `ARCHITECTURE.md` describes the
/// layers in a table.
pub const ORDER: &[(&str, &[&str])] = &[
    ("tools", &["compared", "hash", "interned", "json", "kind", "sort", "whole", "within", "text", "output"]),
    ("facts", &["fact", "statistics", "wire"]),
    ("choices", &["choice"]),
    ("generators", &["generate"]),
    ("the running test", &["interrupt", "panic", "context", "effects"]),
    ("properties", &["property"]),
    ("one test", &["testing"]),
    ("messages", &["protocol"]),
    ("one failure", &["shrink", "explain", "store"]),
    ("settings", &["settings", "registry"]),
    ("runs", &["run"]),
    ("reports", &["report"]),
    (
        "guests",
        &[
            "linearizability",
            "literals",
            "extra",
            "interop",
            "laws",
            "lazy",
            "guide",
            "coverage",
            "isolate",
            "scheduler",
            "machine",
            "observe",
            "fuzz",
            "libfuzzer",
        ],
    ),
    ("lean core", &["lean"]),
    ("names", &["private", "macros", "prelude"]),
];

/// The files of the lean core, and the module that each replaces: it has the layer of that module.
const REPLACED: [(&str, &str); 5] = [
    ("lean/compared.rs", "compared.rs"),
    ("lean/explaining.rs", "explain/ahead.rs"),
    ("lean/parallel.rs", "run/parallel.rs"),
    ("lean/profiles.rs", "run/profiles.rs"),
    ("lean/shrinking.rs", "shrink/threads.rs"),
];

#[test]
fn every_module_has_a_place() {
    let mut modules: Vec<String> = std::fs::read_dir(root().join("forall/src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().trim_end_matches(".rs").to_owned())
        .filter(|name| name != "lib")
        .collect();
    modules.sort();
    modules.dedup();
    let mut placed: Vec<String> = order().map(str::to_owned).collect();
    placed.sort();
    assert_eq!(modules, placed, "ORDER in {} lists every module of forall/src exactly once", file!());
}

#[test]
fn imports_go_down() {
    let mut upward = Vec::new();
    for file in files(&["forall/src"]) {
        let name = file.strip_prefix(root().join("forall/src")).unwrap().display().to_string();
        if !name.ends_with(".rs") || name == "lib.rs" || is_test(&name) {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        let path = module_path(&name);
        assert_ne!(path[0], "lean", "REPLACED in {} lists every file of the lean core", file!());
        let mut imports = Imports::default();
        imports.read(tokens(&source, &name), path.len());
        let place = place(path[0]).unwrap_or_else(|| panic!("ORDER has no place for {name}"));
        for (module, line) in imports.found {
            if place_is_above(&module, place) {
                upward.push(format!("forall/src/{name}:{line} imports crate::{module}"));
            }
        }
    }
    assert!(
        upward.is_empty(),
        "these imports go up, from a lower layer to a higher one (ORDER in {}). Move the item down, or hand it in from above:\n{}",
        file!(),
        upward.join("\n")
    );
}

#[test]
fn imports_are_found_in_every_form() {
    let source = r#"
        //! use crate::doc::nothing;
        use crate::one::Thing;
        use crate::{two, three::{self, deep}, four as other};
        use super::super::five::Item;
        use super::{sibling::Item, super::twelve::{Item, deep}};
        use super::sibling;
        fn f() { crate::six::call(); let _ = "crate::text"; g!(crate::seven) }
        mod inline { use super::super::super::eight; }
        #[cfg(test)]
        mod tests { use crate::nine; }
        #[cfg(feature = "x")]
        use crate::ten;
        macro_rules! m { () => { $crate::eleven::item() } }
    "#;
    let mut imports = Imports::default();
    imports.read(tokens(source, "a/b.rs"), 2);
    let found: BTreeSet<String> = imports.found.into_iter().map(|(module, _)| module).collect();
    let expected = ["one", "two", "three", "four", "five", "six", "seven", "eight", "ten", "eleven", "twelve"];
    assert_eq!(found, expected.map(str::to_owned).into());
}

fn order() -> impl Iterator<Item = &'static str> {
    ORDER.iter().flat_map(|(_, modules)| modules.iter().copied())
}

fn place(module: &str) -> Option<usize> {
    order().position(|other| other == module)
}

/// Whether a module stands above a place. Items that are not modules (a macro, a re-export of the crate) have no layer.
fn place_is_above(module: &str, other: usize) -> bool {
    let module = if module == "__private" { "private" } else { module };
    place(module).is_some_and(|place| place > other)
}

fn is_test(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.contains("/tests/")
}

/// The names of the modules from the root of the crate to this file's.
fn module_path(name: &str) -> Vec<&str> {
    let name = REPLACED.iter().find(|(file, _)| *file == name).map_or(name, |(_, replaced)| replaced);
    let mut path: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
    if path.last() == Some(&"mod") {
        path.pop();
    }
    path
}

/// The modules at the root of the crate that a source names, with the line.
#[derive(Default)]
struct Imports {
    found: BTreeSet<(String, usize)>,
}

impl Imports {
    /// Reads tokens of a module that is `depth` below the root of the crate.
    fn read(&mut self, tokens: TokenStream, depth: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at += match &tokens[at..] {
                [TokenTree::Punct(hash), TokenTree::Group(attribute), behind @ ..] if hash.as_char() == '#' => {
                    2 + if is_for_tests(&attribute.stream()) { item_length(behind) } else { 0 }
                }
                [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Group(body), ..] if word == "mod" => {
                    self.read(body.stream(), depth + 1);
                    3
                }
                [TokenTree::Ident(word), behind @ ..] if word == "crate" => 1 + self.path(behind),
                [TokenTree::Ident(word), ..] if word == "super" => {
                    let (levels, length) = supers(&tokens[at..]);
                    let behind = &tokens[at + length..];
                    length
                        + match (levels == depth, colons(behind).and_then(|colons| behind.get(colons))) {
                            (true, _) => self.path(behind),
                            (false, Some(TokenTree::Group(group))) => {
                                self.read(group.stream(), depth - levels);
                                3
                            }
                            (false, _) => 0,
                        }
                }
                [TokenTree::Group(group), ..] => {
                    self.read(group.stream(), depth);
                    1
                }
                _ => 1,
            };
        }
    }

    /// Reads what follows the root of the crate: `::name` or `::{name, …}`. How many tokens that was.
    fn path(&mut self, tokens: &[TokenTree]) -> usize {
        let Some(length) = colons(tokens) else { return 0 };
        match tokens.get(length) {
            Some(TokenTree::Ident(name)) => {
                self.found.insert((name.to_string(), name.span().start().line));
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let mut is_first = true;
                for token in group.stream() {
                    if let (true, TokenTree::Ident(name)) = (is_first, &token) {
                        self.found.insert((name.to_string(), name.span().start().line));
                    }
                    is_first = matches!(&token, TokenTree::Punct(comma) if comma.as_char() == ',');
                }
            }
            _ => return length,
        }
        length + 1
    }
}

/// How often `super` is repeated at the beginning, and how many tokens that takes without the last `::`.
fn supers(tokens: &[TokenTree]) -> (usize, usize) {
    let (mut levels, mut length) = (1, 1);
    while let Some(colons) = colons(&tokens[length..])
        && matches!(tokens.get(length + colons), Some(TokenTree::Ident(word)) if word == "super")
    {
        levels += 1;
        length += colons + 1;
    }
    (levels, length)
}

/// How many tokens `::` takes at the beginning, if it is there.
fn colons(tokens: &[TokenTree]) -> Option<usize> {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    (is_colon(tokens.first()) && is_colon(tokens.get(1))).then_some(2)
}

/// Whether an attribute leaves an item out of all builds but those of tests.
fn is_for_tests(attribute: &TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test")
}

/// How many tokens the item at the beginning takes.
fn item_length(tokens: &[TokenTree]) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => token.to_string() == ";",
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |at| at + 1)
}
