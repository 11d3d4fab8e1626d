//! Finds property values in the sources: `forall::check("name", &property)` in an ordinary test.
//!
//! A test binary registers its `#[forall::test]` functions, but a property value exists only when a test runs it. The
//! sources are therefore searched for calls that run a property under a literal name, and for the enclosing function;
//! if that is a test, its binary runs the value like any other property. [`discovered`](crate::discovered) finds those
//! that the sources do not show.

use crate::rust;
use proc_macro2::{Delimiter, TokenTree};
use std::fs;
use std::path::{Component, Path, PathBuf};
use syn::ext::IdentExt;

/// The folders of a package that have tests in them.
const FOLDERS: [&str; 4] = ["src", "tests", "benches", "examples"];

/// A property that is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The name that it is run under.
    pub name: String,
    /// The file, relative to the workspace, and the line.
    pub place: String,
    /// The enclosing function. `None` outside of functions, or if the call only returns a report.
    pub test: Option<Function>,
}

/// A function that may be a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its modules and its name, in its file.
    path: String,
    /// The program that the file belongs to, and its modules there, by where the file is.
    program: String,
    modules: String,
    /// Whether it is expected to panic: `#[should_panic]`.
    pub should_panic: bool,
    /// Whether the tests of the value may run on several threads.
    pub is_shared: bool,
}

impl Function {
    /// The index of this function among `tests`, which are pairs of binary name and test name.
    pub fn among(&self, tests: &[(&str, &str)]) -> Option<usize> {
        let whole =
            if self.modules.is_empty() { self.path.clone() } else { format!("{}::{}", self.modules, self.path) };
        let inside = format!("::{}", self.path);
        let fits = |fit: &dyn Fn(&str, &str) -> bool| -> Vec<usize> {
            tests.iter().enumerate().filter(|(_, (program, test))| fit(program, test)).map(|(at, _)| at).collect()
        };
        // A file may be anywhere (`#[path]`), and a program may be called anything.
        let by_name = fits(&|_, test| test == self.path || test.ends_with(&inside));
        let by_place = fits(&|_, test| test == whole);
        let by_program = fits(&|program, test| test == whole && program == self.program);
        // The library and a program of one package may have one name and one file.
        by_program
            .first()
            .or([by_place, by_name].iter().find(|fit| fit.len() == 1).and_then(|fit| fit.first()))
            .copied()
    }
}

/// The property values of a package, given its directory and name.
pub fn of(package: &Path, name: &str) -> Vec<Written> {
    // Cargo keeps it beside the manifest of the workspace.
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists()).unwrap_or(package);
    let mut files = Vec::new();
    for folder in FOLDERS {
        walk(&package.join(folder), &mut files);
    }
    files.sort();
    let mut written = Vec::new();
    for path in files {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        // Code unrelated to forall may call functions of the same names.
        if !source.contains("forall") {
            continue;
        }
        let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let (program, modules) = belongs_to(path.strip_prefix(package).unwrap_or(&path), name);
        for (line, name, test) in calls(&source) {
            let test = test.map(|test| Function { program: program.clone(), modules: modules.clone(), ..test });
            written.push(Written { name, place: format!("{file}:{line}"), test });
        }
    }
    written
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        // Symlinks may form cycles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, files),
            Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            _ => {}
        }
    }
}

/// The target that a file belongs to, and its module path there, by the conventions of cargo and rustc.
fn belongs_to(file: &Path, package: &str) -> (String, String) {
    let stem = file.with_extension("");
    let mut parts: Vec<&str> = stem
        .components()
        .filter_map(|part| if let Component::Normal(part) = part { part.to_str() } else { None })
        .collect();
    let folder = if parts.is_empty() { "" } else { parts.remove(0) };
    let in_src = folder == "src" && parts.first() != Some(&"bin");
    if folder == "src" && !in_src {
        parts.remove(0);
    }
    let program = if in_src || parts.is_empty() { package } else { parts.remove(0) };
    if matches!(parts.last(), Some(&"mod" | &"main" | &"lib")) {
        parts.pop();
    }
    (program.replace('-', "_"), parts.join("::"))
}

/// The scope around a call.
#[derive(Clone, Default)]
struct Around {
    /// The module path, each segment followed by `::`.
    modules: String,
    /// The innermost function, and whether it is to fail.
    function: Option<(String, bool)>,
}

/// The calls in a source that run a property under a literal name: line, name and enclosing function.
fn calls(source: &str) -> Vec<(usize, String, Option<Function>)> {
    let mut calls = Vec::new();
    collect(&rust::tokens(source).unwrap_or_default(), &Around::default(), &mut calls);
    calls
}

fn collect(tokens: &[TokenTree], around: &Around, calls: &mut Vec<(usize, String, Option<Function>)>) {
    // The scope that the next brace opens, and whether it is marked `#[should_panic]`.
    let (mut next, mut should_panic) = (None, false);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                let name = match tokens.get(at + 1) {
                    Some(TokenTree::Ident(name)) => name.unraw().to_string(),
                    _ => String::new(),
                };
                match &*word.to_string() {
                    "mod" if !name.is_empty() => {
                        next = Some(Around { modules: format!("{}{name}::", around.modules), function: None });
                    }
                    "fn" if !name.is_empty() => {
                        next = Some(Around { function: Some((name, should_panic)), ..around.clone() });
                    }
                    _ => calls.extend(call(&tokens[at..], around)),
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => (next, should_panic) = (None, false),
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_body = group.delimiter() == Delimiter::Brace;
                let is_attribute = at > 0 && rust::attribute(&tokens[at - 1..]).is_some();
                should_panic |= is_attribute && rust::is_word(inside.first(), "should_panic");
                let opened = if is_body { next.take() } else { None };
                collect(&inside, opened.as_ref().unwrap_or(around), calls);
                should_panic &= !is_body;
            }
            _ => {}
        }
    }
}

/// The call at the start of the tokens, if it runs a property under a name: its line, the name, and the test around it.
fn call(tokens: &[TokenTree], around: &Around) -> Option<(usize, String, Option<Function>)> {
    let (word, called) = (tokens.first(), tokens.get(3));
    let is_check = rust::is_word(word, "forall") && rust::is_word(called, "check");
    let is_shared = rust::is_word(word, "Run") && rust::is_word(called, "parallel");
    let is_run = is_shared || rust::is_word(word, "Run") && rust::is_word(called, "new");
    if !(rust::is_path(&tokens[1..]) && (is_check || is_run)) {
        return None;
    }
    let arguments = rust::group(tokens.get(4), Delimiter::Parenthesis)?;
    let Some(TokenTree::Literal(literal)) = arguments.first() else { return None };
    let name = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?.value();
    let function = around.function.as_ref().filter(|_| is_check || ends_in_test(&tokens[5..]));
    let test = function.map(|(function, should_panic)| Function {
        path: format!("{}{function}", around.modules),
        program: String::new(),
        modules: String::new(),
        should_panic: *should_panic,
        is_shared,
    });
    Some((tokens[0].span().start().line, name, test))
}

/// Whether the statement that goes on with these tokens calls `.test()`.
fn ends_in_test(tokens: &[TokenTree]) -> bool {
    let end = tokens.iter().position(|token| rust::is_mark(Some(token), ';')).unwrap_or(tokens.len());
    tokens[..end].windows(3).any(|called| {
        let is_call = rust::is_mark(called.first(), '.') && rust::is_word(called.get(1), "test");
        is_call && rust::group(called.get(2), Delimiter::Parenthesis).is_some_and(|arguments| arguments.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_with_a_name_are_found_where_they_are_code() {
        let source = "// forall::check(\"no\", &p);\nfn f() {\n    forall::check(\"nth is get\", &property);\n    let s = \"Run::new(\\\"no\\\")\";\n    \
                      Run::parallel(\n        \"sums\", &p).test();\n    forall::check(&name, &p);\n    MyRun::new(\"no\");\n}\n";
        let found: Vec<(usize, String)> = calls(source).into_iter().map(|(line, name, _)| (line, name)).collect();
        assert_eq!(found, [(3, "nth is get".to_owned()), (5, "sums".to_owned())]);
    }

    #[test]
    fn the_test_around_a_call_is_found() {
        let source = "mod away;\nimpl X { fn other(x: [u8; 4]) {} }\nmod outer {\n    mod tests {\n        #[test]\n        #[should_panic]\n        fn one(x: [u8; 4]) {\n            \
                      if x { forall::check(\"a\", &p) }\n        }\n    }\n    #[test]\n    fn two() {\n        Run::new(\"b\", &p).settings(s('}')).test();\n        \
                      let r = Run::new(\"c\", &p).report();\n        Run::parallel(\"d\", &p).test();\n    }\n}\nconst F: u8 = Run::new(\"e\", &p).test();\n";
        let found: Vec<String> = calls(source)
            .into_iter()
            .map(|(_, name, test)| match test {
                None => format!("{name}: none"),
                Some(test) => format!("{name}: {} {} {}", test.path, test.should_panic, test.is_shared),
            })
            .collect();
        let expected = [
            "a: outer::tests::one true false",
            "b: outer::two false false",
            "c: none",
            "d: outer::two false true",
            "e: none",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn tests_with_the_same_name_are_distinguished() {
        let belongs = |file: &str| belongs_to(Path::new(file), "my-shop");
        let pair = |program: &str, modules: &str| (program.to_owned(), modules.to_owned());
        assert_eq!(belongs("src/lib.rs"), pair("my_shop", ""));
        assert_eq!(belongs("src/a/mod.rs"), pair("my_shop", "a"));
        assert_eq!(belongs("src/a/b.rs"), pair("my_shop", "a::b"));
        assert_eq!(belongs("src/bin/x.rs"), pair("x", ""));
        assert_eq!(belongs("tests/lines.rs"), pair("lines", ""));
        assert_eq!(belongs("tests/all/main.rs"), pair("all", ""));
        assert_eq!(belongs("tests/all/b.rs"), pair("all", "b"));
        let function = |program: &str, modules: &str| Function {
            path: "tests::f".to_owned(),
            program: program.to_owned(),
            modules: modules.to_owned(),
            should_panic: false,
            is_shared: false,
        };
        let tests = [("shop", "a::tests::f"), ("shop", "tests::f"), ("lines", "tests::f"), ("shop", "other_tests::f")];
        assert_eq!(function("shop", "a").among(&tests), Some(0));
        assert_eq!(function("lines", "").among(&tests), Some(2));
        assert_eq!(function("elsewhere", "a").among(&tests), Some(0), "no other is there");
        assert_eq!(function("elsewhere", "").among(&tests), None, "it may be the one or the other");
        assert_eq!(function("elsewhere", "moved").among(&tests[..1]), Some(0), "its file may be anywhere");
    }
}
