//! Strings and bytes for functions that parse them: generated ones, and modified strings from tests.
//!
//! Random strings rarely get past the first character of a parser. Tests contain strings that do: a run records the
//! strings that functions are called with, and comparing properties draw from them.

use super::super::switch::CRATE;
use super::observed::{bounds, variable};
use crate::rust;
use syn::{FnArg, Type};

/// Returns the type to generate for a parameter of the given type.
pub fn generated(of: &str) -> &str {
    match of {
        "String" => "Text",
        "Vec<u8>" => "Bytes",
        other => other,
    }
}

/// Returns the code that converts a generated variable to the original type, and makes numbers small on request.
pub fn unpacked(of: &str, variable: &str) -> String {
    let converted = match generated(of) {
        "Text" | "Bytes" => format!("{variable}.get()"),
        "usize" | "u32" | "u64" => format!("{{ use ::{CRATE}::Size as _; {variable}.limited() }}"),
        _ => return String::new(),
    };
    // A value may borrow its constructor's arguments.
    format!("#[allow(unused)] let {variable} = &*Box::leak(Box::new({converted})); ")
}

/// Returns the declarations of the generated types, for a crate in which forall has this name. A change is three
/// numbers: its kind, its position, and the replacement.
pub fn declaration(forall: &str) -> String {
    let kind = |name: &str, own: &str, known: &str| {
        format!(
            "#[derive(Debug, Clone, ::{forall}::Arbitrary)] #[allow(dead_code)] enum {name} {{ Own({own}), Known(u16, [Option<(u8, u8, u8)>; 3]) }} \
             #[allow(dead_code)] impl {name} {{ fn get(&self) -> {own} {{ match self {{ {name}::Own(own) => own.clone(), {name}::Known(at, changes) => ::{CRATE}::{known}(*at, changes) }} }} }} "
        )
    };
    kind("Text", "String", "known_text") + &kind("Bytes", "Vec<u8>", "known_bytes")
}

/// Returns the code that records strings at the start of the function with this number.
pub fn noting(function: usize, notes: &[String]) -> String {
    notes.iter().map(|note| format!("::{CRATE}::note({function}, {note}); ")).collect()
}

/// Returns expressions for the string arguments of a function.
pub fn notes(signature: &syn::Signature, generics: &[&syn::Generics], source: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for input in &signature.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Some(variable) = variable(&typed.pat).filter(|variable| !variable.starts_with('(')) else { continue };
        let text: String = rust::text(source, &typed.ty).split_whitespace().collect();
        let bounds = match &*typed.ty {
            Type::ImplTrait(_) => Some(text.clone()),
            _ => bounds(generics, &text, source),
        };
        let expression = match (&*text, &bounds) {
            ("&str" | "&[u8]", _) => variable,
            ("String" | "Vec<u8>" | "&String" | "&Vec<u8>", _) => format!("&{variable}"),
            (_, Some(bounds)) if bounds.contains("AsRef<[u8]>") => {
                format!("::core::convert::AsRef::<[u8]>::as_ref(&{variable})")
            }
            (_, Some(bounds)) if bounds.contains("AsRef<str>") => {
                format!("::core::convert::AsRef::<str>::as_ref(&{variable})")
            }
            _ => continue,
        };
        notes.push(expression);
    }
    notes
}
