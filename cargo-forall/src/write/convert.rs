//! How a value that one function returns becomes one of the type that is expected, judging by the type names.

use super::argument::text;
use super::callee::{Callee, Parameter};
use super::fit;
use super::sources::{Sources, is_last, is_public};

/// A way from a returned value to an expected one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// What is written behind the expression: `.unwrap()`, `.to_string()`.
    pub suffix: String,
    /// The method by which the outermost `Option` or `Result` says that it has a value, if there is one.
    pub holds: Option<&'static str>,
    /// Whether the expected value is the only element of a list that is returned.
    pub is_element: bool,
}

impl Way {
    fn and(mut self, suffix: &str) -> Self {
        self.suffix = format!("{suffix}{}", self.suffix);
        self
    }
}

/// The ways from a value of the type `from` to one that passes as the type `to`, the shortest first.
pub fn ways(from: &str, to: &str, sources: &Sources) -> Vec<Way> {
    let mut found = Vec::new();
    collect(from, to, sources, true, &mut found);
    found.sort_by_key(|way| way.suffix.matches('.').count());
    found
}

fn collect(from: &str, to: &str, sources: &Sources, methods: bool, found: &mut Vec<Way>) {
    let is_own = |name: &str| sources.is_own(name);
    let differ = |one: &str, other: &str| fit::differ(one, other, &is_own);
    let bare = from.trim_start_matches('&').trim_start_matches("mut ");
    let passes = !differ(from, to) && !bare.starts_with("impl ");
    if let Some((holder, inside)) = fit::held(from)
        && fit::held(to).is_none_or(|(other, _)| other != holder)
    {
        let mut inner = Vec::new();
        collect(inside, to, sources, methods, &mut inner);
        let holds = if holder == "Some" { "is_some" } else { "is_ok" };
        found.extend(inner.into_iter().map(|way| Way { holds: Some(holds), ..way.and(".unwrap()") }));
        return;
    }
    if passes {
        found.push(Way::default());
    }
    let head = head_of(bare);
    let implements = |name: &str| implements(bare, name, sources);
    if to == "String" && (implements("Display") || implements("ToString")) {
        found.push(Way::default().and(".to_string()"));
    }
    if implements("Iterator") {
        let list = if to == "String" { ".collect::<String>()" } else { ".collect::<Vec<_>>()" };
        if to == "String" || to.starts_with("Vec<") {
            found.push(Way::default().and(list));
        }
    }
    if to == "Vec<u8>" && bare == "String" {
        found.push(Way::default().and(".into_bytes()"));
    }
    if methods && sources.is_own(head) {
        for (name, result) in accessors(head, sources) {
            let mut inner = Vec::new();
            // The method's own result is held, read or borrowed, but no further method of a type of ours is called.
            collect(&result, to, sources, false, &mut inner);
            let suffix = format!(".{name}()");
            found.extend(inner.into_iter().map(|way| Way { holds: None, ..way.and(&suffix) }));
        }
    }
    if let Some(element) = bare.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>'))
        && differ(bare, to)
        && !differ(element, to)
    {
        found.push(Way { is_element: true, ..Way::default() });
    }
}

/// A type's name without its path and its parameters.
fn head_of(of: &str) -> &str {
    of.split('<').next().unwrap_or(of).rsplit("::").next().unwrap_or(of)
}

/// Whether a type of the workspace, or an `impl Trait`, has a trait.
fn implements(of: &str, name: &str, sources: &Sources) -> bool {
    match of.strip_prefix("impl ") {
        Some(bounds) => bounds.contains(name),
        None => sources.implements(head_of(of), name),
    }
}

/// What is written behind a value that does its work only when it is read: an iterator, or something to display.
pub fn reading(of: &str, sources: &Sources) -> &'static str {
    if implements(of, "Iterator", sources) {
        ".count()"
    } else if sources.is_own(head_of(of)) && implements(of, "Display", sources) {
        ".to_string()"
    } else {
        ""
    }
}

/// The public methods of a type that take nothing but the value, with what they return.
fn accessors(of: &str, sources: &Sources) -> Vec<(String, String)> {
    let mut found = Vec::new();
    sources.each(&mut |_, item| {
        let syn::Item::Impl(block) = item else { return };
        let syn::Type::Path(path) = &*block.self_ty else { return };
        if block.trait_.is_some() || !is_last(&path.path, of) {
            return;
        }
        for item in &block.items {
            if let syn::ImplItem::Fn(method) = item
                && is_public(&method.vis)
                && method.sig.receiver().is_some()
                && method.sig.inputs.len() == 1
                && !["lossy", "unchecked"].iter().any(|word| method.sig.ident.to_string().contains(word))
                && let syn::ReturnType::Type(_, result) = &method.sig.output
            {
                found.push((method.sig.ident.to_string(), text(result)));
            }
        }
    });
    found
}

/// Which parameter of `there` a round trip compares, and which one of `back` takes what it becomes; they share the others.
pub fn round_trip<'a>(
    there: &'a Callee,
    back: &'a Callee,
    fits: &dyn Fn(&Parameter) -> bool,
) -> Option<(&'a Parameter, &'a Parameter)> {
    let is_same = |one: &Parameter, other: &Parameter| one.argument.owned == other.argument.owned;
    let shared = |taken: &Parameter| {
        let others = back.parameters.iter().filter(|other| !std::ptr::eq(*other, taken));
        others.map(|other| there.parameters.iter().position(|one| is_same(one, other))).collect::<Option<Vec<usize>>>()
    };
    // The last parameter is the value, after a receiver, a key or an alphabet; but what cannot be its result is not.
    back.parameters.iter().rev().find_map(|taken| {
        let shared = shared(taken)?;
        let mut free = there.parameters.iter().enumerate().filter(|(at, one)| !shared.contains(at) && fits(one));
        free.next().map(|(_, value)| (value, taken))
    })
}
