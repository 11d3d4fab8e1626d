//! Compares a mutant with the original in the calls that tests make.
//!
//! An observed function starts with code that calls it twice, with copies of its arguments: with and without the
//! mutant. If the results differ, the test fails, and shrinking its input shrinks the arguments. This works for
//! functions whose inputs cannot be generated: private ones, generic ones, and those with types that lack `Arbitrary`.

use super::super::switch::CRATE;
use crate::rust;
use syn::{FnArg, Pat, ReturnType, Type};

/// The code that observes a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The body of a closure that calls the function and returns its formatted result.
    body: String,
    /// Whether the result can be compared by `PartialEq`.
    by_equality: bool,
}

impl Observed {
    /// Creates the code for a function whose arguments can be copied. `name` is for display; `path` is the function's
    /// path inside its own body.
    pub fn of(
        signature: &syn::Signature,
        generics: &[&syn::Generics],
        name: &str,
        path: &str,
        source: &str,
    ) -> Option<Self> {
        let is_odd = signature.asyncness.is_some()
            || signature.variadic.is_some()
            || matches!(signature.safety, syn::Safety::Unsafe(_))
            || matches!(&signature.output, ReturnType::Type(_, result) if matches!(**result, Type::Never(_)));
        if is_odd {
            return None;
        }
        let bounds = |name: &str| bounds(generics, name, source);
        let (mut before, mut after) = (String::new(), String::new());
        let (mut shown, mut passed, mut is_formatted) = (Vec::new(), Vec::new(), false);
        let mut receiver = String::new();
        for (at, input) in signature.inputs.iter().enumerate() {
            let argument = match input {
                FnArg::Receiver(own) => {
                    let text = rust::text(source, own);
                    receiver = format!("Some({})", seen("", "self"));
                    match (text.contains('&'), text.contains("mut ")) {
                        _ if text.contains(':') => return None,
                        (true, true) => Argument::Changed,
                        (true, false) => Argument::Shared,
                        (false, _) => Argument::Copied,
                    }
                    .with("self")
                }
                FnArg::Typed(typed) => Argument::of(&typed.ty, &bounds, source)?.with(&variable(&typed.pat)?),
            };
            let (kind, variable) = argument;
            let copy = format!("__a{at}");
            match kind {
                Argument::Copied => {
                    before += &format!("let {copy} = (&Twin(&{variable})).twin()?; ");
                    passed.push(copy);
                }
                Argument::Shared | Argument::Text => passed.push(variable.clone()),
                Argument::Changed => {
                    before += &format!("let mut {copy} = (&Twin(&*{variable})).twin()?; ");
                    after += &format!("::{CRATE}::then(&mut __shown, {}); ", seen("", &format!("&{copy}")));
                    passed.push(format!("&mut {copy}"));
                }
                Argument::ChangedSlice => {
                    before += &format!("let mut {copy} = ::{CRATE}::twins(&*{variable}); ");
                    after += &format!("::{CRATE}::then(&mut __shown, {}); ", seen("", &format!("&{copy}")));
                    passed.push(format!("&mut {copy}[..]"));
                }
                Argument::AsRef(of) => {
                    before += &format!("let {copy}: &{of} = ::core::convert::AsRef::as_ref(&{variable}); ");
                    passed.push(copy);
                }
                Argument::Formatter => {
                    is_formatted = true;
                    passed.push("__formatter".to_owned());
                }
                Argument::Hasher => {
                    before += &format!("let mut {copy} = ::{CRATE}::Hasher::default(); ");
                    after += &format!("::{CRATE}::then(&mut __shown, ::{CRATE}::hashed(&{copy})); ");
                    passed.push(format!("&mut {copy}"));
                }
            }
            let sign = match kind {
                Argument::Formatter | Argument::Hasher => continue,
                Argument::Shared => "&",
                Argument::Changed | Argument::ChangedSlice => "&mut ",
                Argument::AsRef(_) => {
                    shown.push(seen("", &format!("__a{at}")));
                    continue;
                }
                Argument::Copied | Argument::Text => "",
            };
            if variable != "self" {
                shown.push(seen(sign, &variable));
            }
        }
        let receiver = if receiver.is_empty() { "None".to_owned() } else { receiver };
        let name = format!("{name:?}");
        let described = format!("::{CRATE}::describe(__code, {name}, {receiver}, &[{}]); ", shown.join(", "));
        let call = format!("{path}({})", passed.join(", "));
        let called = match is_formatted {
            true => format!("let mut __shown = ::{CRATE}::formatted(&mut |__formatter| {call}); ::{CRATE}::end(); "),
            false => {
                let result = if let ReturnType::Type(_, of) = &signature.output { Some(&**of) } else { None };
                let shown = printed(result, "__result");
                format!("let __result = {call}; ::{CRATE}::end(); let mut __shown = {shown}; ")
            }
        };
        let body = format!("{before}{described}::{CRATE}::begin(); {called}{after}Some(__shown)");
        Some(Self { body, by_equality: is_owned(&signature.output, generics, source) })
    }

    /// Returns the code to insert into the function with this number.
    pub fn code(&self, function: usize) -> String {
        let traits = traits(self.by_equality);
        format!(
            "#[allow(unused_mut, unused_imports)] {{ if ::{CRATE}::observes({function}) {{ \
             use ::{CRATE}::{{ByClone as _, ByNone as _, {traits}, Twin, Some}}; \
             ::{CRATE}::compare_call(&mut |__code: &mut ::{CRATE}::String| -> ::{CRATE}::Option<::{CRATE}::String> {{ {} }}); }} }} ",
            self.body
        )
    }
}

/// Returns an expression that formats a value as code.
fn seen(sign: &str, variable: &str) -> String {
    format!("::{CRATE}::argument({sign:?}, (&Shown(&{variable})).shown())")
}

/// Returns the names that printing a result needs.
pub(super) fn traits(by_equality: bool) -> String {
    let by_equality = if by_equality { "ByEquality as _, " } else { "" };
    format!(
        "ByDebug as _, {by_equality}ByIterating as _, ByNothing as _, Seen, Shown, ShownByDebug as _, ShownByNothing as _"
    )
}

/// Returns whether a result can be kept for a comparison. One that borrows from the arguments cannot, and a type parameter
/// may borrow.
pub(super) fn is_owned(output: &ReturnType, generics: &[&syn::Generics], source: &str) -> bool {
    let text = rust::text(source, output);
    let may_borrow = text.contains(['&', '\'']) || ["impl ", "dyn "].iter().any(|word| text.contains(word));
    generics.iter().all(|generics| generics.params.is_empty()) && !may_borrow
}

/// Returns an expression that formats a result. Its parts are formatted one by one, since some may not implement
/// `Debug`.
pub(super) fn printed(of: Option<&Type>, value: &str) -> String {
    let leaf = format!("(&&&Seen::of({value})).seen()");
    let Some(of) = of else { return leaf };
    if let Type::Tuple(tuple) = of
        && tuple.elems.len() > 1
    {
        let names: Vec<String> = (0..tuple.elems.len()).map(|at| format!("__t{at}")).collect();
        let each = tuple.elems.iter().zip(&names).map(|(of, name)| printed(Some(of), name));
        let parts: Vec<String> = each.collect();
        return format!("{{ let ({}) = {value}; ::{CRATE}::tuple(&[{}]) }}", names.join(", "), parts.join(", "));
    }
    let Type::Path(path) = of else { return leaf };
    let Some(last) = path.path.segments.last() else { return leaf };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return leaf };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| if let syn::GenericArgument::Type(of) = argument { Some(of) } else { None })
        .collect();
    let inside = printed(types.first().copied(), "__v");
    match (&*last.ident.to_string(), types.len()) {
        ("Option", 1) => format!(
            "match {value} {{ ::core::option::Option::Some(__v) => ::{CRATE}::wrapped(\"Some\", {inside}), \
             ::core::option::Option::None => ::{CRATE}::String::from(\"None\") }}"
        ),
        ("Result", 1 | 2) => format!(
            "match {value} {{ ::core::result::Result::Ok(__v) => ::{CRATE}::wrapped(\"Ok\", {inside}), \
             ::core::result::Result::Err(__v) => ::{CRATE}::wrapped(\"Err\", (&&&Seen::of(__v)).seen()) }}"
        ),
        _ => leaf,
    }
}

/// How an argument is copied for the second call.
enum Argument {
    Copied,
    Shared,
    Text,
    Changed,
    ChangedSlice,
    AsRef(&'static str),
    Formatter,
    Hasher,
}

impl Argument {
    fn with(self, variable: &str) -> (Self, String) {
        (self, variable.to_owned())
    }

    fn of(of: &Type, bounds: &dyn Fn(&str) -> Option<String>, source: &str) -> Option<Self> {
        let last = |of: &Type| match of {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let as_ref = |bounds: &str| match () {
            () if bounds.contains("AsRef<[u8]>") => Some(Self::AsRef("[u8]")),
            () if bounds.contains("AsRef<str>") => Some(Self::AsRef("str")),
            () => None,
        };
        match of {
            Type::Reference(reference) if reference.mutability.is_some() => match &*reference.elem {
                Type::Slice(_) => Some(Self::ChangedSlice),
                Type::TraitObject(_) | Type::ImplTrait(_) => None,
                inner if last(inner).as_deref() == Some("Formatter") => Some(Self::Formatter),
                inner => match last(inner).and_then(|name| bounds(&name)) {
                    Some(bounds) if bounds.contains("Hasher") => Some(Self::Hasher),
                    Some(bounds) if !bounds.contains("Clone") && !bounds.contains("Copy") => None,
                    _ => Some(Self::Changed),
                },
            },
            Type::Reference(reference) if last(&reference.elem).as_deref() == Some("str") => Some(Self::Text),
            Type::Reference(_) => Some(Self::Shared),
            Type::ImplTrait(_) => as_ref(&rust::text(source, of).replace(' ', "")),
            _ => match last(of).and_then(|name| bounds(&name)) {
                Some(bounds) if bounds.contains("Clone") || bounds.contains("Copy") => Some(Self::Copied),
                Some(bounds) => as_ref(&bounds),
                None => Some(Self::Copied),
            },
        }
    }
}

/// Returns the bounds of a type parameter, without spaces. `None` if there is no such parameter.
pub(super) fn bounds(generics: &[&syn::Generics], name: &str, source: &str) -> Option<String> {
    let mut found = None;
    for generics in generics {
        let own = generics.type_params().find(|parameter| parameter.ident == name);
        let Some(own) = own else { continue };
        let text: &mut String = found.get_or_insert_with(String::new);
        *text += rust::text(source, own);
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            let predicate = rust::text(source, predicate);
            if predicate.split(':').next().is_some_and(|of| of.trim() == name) {
                *text += predicate;
            }
        }
    }
    found.map(|text| text.split_whitespace().collect())
}

/// Returns the parameter as an expression.
pub(super) fn variable(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(name.ident.to_string()),
        Pat::Tuple(tuple) => {
            let parts: Option<Vec<String>> = tuple.elems.iter().map(variable).collect();
            Some(format!("({},)", parts?.join(", ")))
        }
        Pat::Paren(inner) => variable(&inner.pat),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::find::{self, Options};

    #[test]
    fn an_observed_function_is_called_with_copies_of_its_arguments() {
        let source = "impl Stack { fn push(&mut self, value: u8, (low, high): (u8, u8), all: &mut [u8]) -> bool { a() } }\n\
                      fn encode<T: AsRef<[u8]>>(data: T, text: &str) -> String { a() }\n\
                      impl fmt::Display for Stack { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { a() } }\n\
                      impl Hash for Stack { fn hash<H: Hasher>(&self, state: &mut H) { a(); } }\n\
                      async fn later() { a(); }\nfn each(f: impl Fn()) { a(); }\nfn next<I>(all: &mut I) where I: Iterator { a(); }";
        let functions = find::find(source, 0, &[], &Options::default()).unwrap().functions;
        let mut text = String::new();
        for function in &functions {
            let code = function.observed.as_ref().map(|observed| observed.code(7));
            if let Some(code) = &code {
                assert!(crate::rust::items(&format!("fn f() {{ {code} }}")).is_some(), "{code}");
            }
            text += &format!("{}\n{}\n\n", function.name, code.as_deref().unwrap_or("not observed"));
        }
        insta::assert_snapshot!(text);
    }
}
