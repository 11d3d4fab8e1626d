//! The signature of a function, read from its source.

use crate::{Error, rust};
use syn::ext::IdentExt;

/// A function that is not a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The type that it returns, if any.
    pub result: Option<String>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, as written.
    pub type_text: String,
}

impl Function {
    /// The function of this name in a source; none if it is not there. One that cannot be called with generated values is an error.
    pub fn find(source: &str, name: &str) -> Result<Option<Self>, Error> {
        let (mut found, mut has_pattern) = (None, false);
        rust::walk(&rust::items(source).unwrap_or_default(), &mut |item| {
            let syn::Item::Fn(function) = item else { return };
            // One whose parameters have names goes before one with patterns.
            if found.is_some() || function.sig.ident.unraw() != name {
                return;
            }
            if !function.sig.generics.params.is_empty() {
                let why = format!("{name} is generic; write a function that calls it with types of your choice");
                found = Some(Err(why.into()));
            } else if let Some(function) = Self::read(source, &function.sig) {
                found = Some(Ok(function));
            } else {
                has_pattern = true;
            }
        });
        match found {
            None if has_pattern => {
                Err(format!("a parameter of {name} is a pattern; give it a name, or write a function that calls it")
                    .into())
            }
            found => found.transpose(),
        }
    }

    /// A signature without its receiver. None if a parameter is a pattern.
    pub fn read(source: &str, signature: &syn::Signature) -> Option<Self> {
        let typed = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(typed),
            syn::FnArg::Receiver(_) => None,
        });
        let parameters = typed.map(|typed| Parameter::read(source, typed)).collect::<Option<Vec<_>>>()?;
        let result = match &signature.output {
            syn::ReturnType::Type(_, result) => Some(rust::text(source, result).to_owned()),
            syn::ReturnType::Default => None,
        };
        Some(Self { name: signature.ident.unraw().to_string(), parameters, result })
    }
}

impl Parameter {
    fn read(source: &str, typed: &syn::PatType) -> Option<Self> {
        let syn::Pat::Ident(pattern) = &*typed.pat else { return None };
        let name = pattern.ident.unraw().to_string();
        Some(Self { name, type_text: rust::text(source, &typed.ty).to_owned() })
    }

    /// Whether it takes a reference.
    pub fn is_borrowed(&self) -> bool {
        matches!(syn::parse_str(&self.type_text), Ok(syn::Type::Reference(_)))
    }

    /// The type of a value that can be passed to it.
    pub fn owned(&self) -> String {
        let Ok(syn::Type::Reference(borrowed)) = syn::parse_str(&self.type_text) else { return self.type_text.clone() };
        if let syn::Type::Slice(slice) = &*borrowed.elem {
            return format!("Vec<{}>", rust::text(&self.type_text, &slice.elem));
        }
        match rust::text(&self.type_text, &borrowed.elem) {
            "str" => "String".to_owned(),
            "Path" => "PathBuf".to_owned(),
            other => other.to_owned(),
        }
    }

    /// An expression that passes the variable `name`.
    pub fn passing(&self, name: &str) -> String {
        if self.is_borrowed() { format!("&{name}") } else { name.to_owned() }
    }

    /// An expression that passes the variable of its own name, which is still there afterwards.
    pub fn passing_a_copy(&self) -> String {
        if self.is_borrowed() { format!("&{}", self.name) } else { format!("{}.clone()", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_read_from_its_source() {
        let source = "// fn insert(a: u8)\nimpl A { fn insert(&self, x: u8) {} }\npub fn insert(\n    mut map: BTreeMap<u8, (i8, i8)>,\n    key: &'static str,\n) -> Option<u8>\n{}";
        let function = Function::find(source, "insert").unwrap().unwrap();
        let owned: Vec<(String, String)> =
            function.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.owned())).collect();
        let expected =
            [("map", "BTreeMap<u8, (i8, i8)>"), ("key", "String")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!((owned, function.result.as_deref()), (expected.to_vec(), Some("Option<u8>")));
        assert_eq!(Function::find(source, "inser").unwrap(), None);
        assert!(Function::find("fn any<T>(x: T) {}", "any").unwrap_err().to_string().contains("generic"));
    }

    #[test]
    fn references_become_values() {
        let owned = |text: &str| Parameter { name: "x".to_owned(), type_text: text.to_owned() }.owned();
        assert_eq!(
            [owned("&[u8]"), owned("&[u8; 4]"), owned("&'a str"), owned("&mut Tree"), owned("u8")],
            ["Vec<u8>", "[u8; 4]", "String", "Tree", "u8"]
        );
    }
}
