//! The signature of a function, read from its source.

use crate::rust;
use syn::ext::IdentExt;

/// A function or method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
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
    /// Reads a signature without its receiver. `None` if a parameter is a pattern.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_read_from_its_source() {
        let source =
            "pub fn insert(\n    mut map: BTreeMap<u8, (i8, i8)>,\n    key: &'static str,\n) -> Option<u8>\n{}";
        let Some(syn::Item::Fn(item)) = rust::items(source).unwrap().pop() else { panic!("one function") };
        let function = Function::read(source, &item.sig).unwrap();
        let owned: Vec<(String, String)> =
            function.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.type_text.clone())).collect();
        let expected =
            [("map", "BTreeMap<u8, (i8, i8)>"), ("key", "&'static str")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!((owned, function.result.as_deref()), (expected.to_vec(), Some("Option<u8>")));
    }
}
