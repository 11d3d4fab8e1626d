//! The methods of a type, read from its source; a model must have the same methods.

use super::signature::Function;
use crate::{Error, rust};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name, its parameters without `self`, and what it returns.
    pub function: Function,
    /// Whether it takes `&mut self`.
    pub changes: bool,
}

/// The methods of a type found in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    /// The methods that a command can call.
    pub usable: Vec<Method>,
    /// The other methods, each with the reason why no command can call it.
    pub others: Vec<(String, &'static str)>,
    /// Whether there is a `new` without parameters.
    pub has_new: bool,
    /// Whether it implements `Default`.
    pub has_default: bool,
    /// The signatures of other constructors.
    pub makers: Vec<String>,
}

impl Methods {
    /// The methods of the type of this name, in all its `impl` blocks; `None` if there is no such block.
    pub fn find(source: &str, name: &str) -> Result<Option<Self>, Error> {
        let (mut methods, mut found, mut is_generic) = (Self::default(), false, false);
        rust::walk(&rust::items(source).unwrap_or_default(), &mut |item| {
            let syn::Item::Impl(block) = item else { return };
            if block.trait_.is_some() || !is_called(&block.self_ty, name) {
                return;
            }
            if !block.generics.params.is_empty() {
                is_generic = true;
                return;
            }
            found = true;
            for item in &block.items {
                if let syn::ImplItem::Fn(method) = item {
                    methods.add(source, method, name);
                }
            }
        });
        if is_generic {
            return Err(format!(
                "{name} is generic; write a wrapper type around {name} with concrete types and the methods to test"
            )
            .into());
        }
        Ok(found.then_some(methods))
    }

    fn add(&mut self, source: &str, method: &syn::ImplItemFn, type_name: &str) {
        let syn::ImplItemFn { vis, sig, .. } = method;
        if matches!(vis, syn::Visibility::Inherited) {
            return;
        }
        let name = sig.ident.unraw().to_string();
        if !sig.generics.params.is_empty() {
            return self.others.push((name, "it is generic"));
        }
        let changes = match sig.receiver().map(|receiver| &receiver.kind) {
            Some(syn::ReceiverKind::Reference(_, _, mutability)) => mutability.is_some(),
            Some(_) => return self.others.push((name, "it consumes `self`")),
            None => return self.add_maker(source, sig, type_name),
        };
        let Some(function) = Function::read(source, sig) else {
            return self.others.push((name, "a parameter is a pattern"));
        };
        if self.usable.iter().any(|method| method.function.name == name) {
            return self.others.push((name, "a method of the same name is above"));
        }
        let borrows = |text: &str| text.contains('&') || text.contains('\'') || text.contains("impl ");
        if function.parameters.iter().any(|parameter| borrows(&parameter.type_text)) {
            return self.others.push((name, "a parameter borrows"));
        }
        if function.result.as_deref().is_some_and(borrows) {
            return self.others.push((name, "its return value borrows"));
        }
        self.usable.push(Method { function, changes });
    }

    /// An associated function without `self`, which may be a constructor.
    fn add_maker(&mut self, source: &str, signature: &syn::Signature, type_name: &str) {
        let syn::ReturnType::Type(_, result) = &signature.output else { return };
        let result_text = rust::text(source, result);
        if signature.ident == "new" && signature.inputs.is_empty() && ["Self", type_name].contains(&result_text) {
            self.has_new = true;
        } else if result_text.contains("Self") || result_text.contains(type_name) {
            let whole = &source[rust::between(signature.ident.span(), result.span())];
            self.makers.push(whole.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

/// Whether a type has this name, with whatever arguments.
fn is_called(of: &syn::Type, name: &str) -> bool {
    matches!(of, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident.unraw() == name))
}

/// Whether the type of this name implements `Default` in a source, by `impl` or `derive`.
pub fn is_default(source: &str, name: &str) -> bool {
    let mut is_default = false;
    rust::walk(&rust::items(source).unwrap_or_default(), &mut |item| {
        is_default |= match item {
            syn::Item::Impl(block) => {
                let of = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                of.is_some_and(|last| last.ident == "Default") && is_called(&block.self_ty, name)
            }
            syn::Item::Struct(item) => item.ident.unraw() == name && derives_default(&item.attrs),
            syn::Item::Enum(item) => item.ident.unraw() == name && derives_default(&item.attrs),
            _ => false,
        };
    });
    is_default
}

fn derives_default(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let mut found = false;
        let is_derive = attribute.path().is_ident("derive");
        // Attributes that are not lists of paths are ignored.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == "Default");
            Ok(())
        });
        is_derive && found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_that_commands_can_call_are_found() {
        let source = "\
            /// impl Stack { pub fn comment(&self) {} }\n\
            impl Stack {\n    pub fn new() -> Self { Self }\n    /// Doc: `{`.\n    #[inline]\n    pub fn push(&mut self, value: u8) -> bool { \
            let brace = '{'; let text = \"}\\\"}\"; true }\n    pub fn pop(&mut self) -> Option<u8> { None }\n    fn secret(&self) {}\n    \
            pub fn top(&self) -> Option<&u8> { None }\n    pub fn into_vec(self) -> Vec<u8> { vec![] }\n    pub fn map<F>(&self, f: F) {}\n}\n\
            impl std::fmt::Debug for Stack { fn fmt(&self) {} }\nimpl Stack {\n    pub fn len(&self) -> usize { 0 }\n}\n";
        let methods = Methods::find(source, "Stack").unwrap().unwrap();
        let names: Vec<(&str, bool)> =
            methods.usable.iter().map(|method| (method.function.name.as_str(), method.changes)).collect();
        assert_eq!(names, [("push", true), ("pop", true), ("len", false)]);
        assert_eq!(methods.usable[0].function.parameters[0].type_text, "u8");
        let others: Vec<&str> = methods.others.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(others, ["top", "into_vec", "map"]);
        assert!(methods.has_new && methods.makers.is_empty());
        let made =
            "impl Ring {\n    pub fn new(cap: usize) -> Self { todo!() }\n    pub fn len(&self) -> usize { 0 }\n}\n";
        let methods = Methods::find(made, "Ring").unwrap().unwrap();
        assert_eq!((methods.has_new, &*methods.makers), (false, &["new(cap: usize) -> Self".to_owned()][..]));
        assert_eq!(Methods::find(source, "Queue").unwrap(), None);
        let generic =
            Methods::find("impl<T> Stack<T> {\n pub fn push(&mut self, t: T) {}\n}", "Stack").unwrap_err().to_string();
        let told = "Stack is generic; write a wrapper type around Stack with concrete types and the methods to test";
        assert_eq!(generic, told);
    }

    #[test]
    fn unsupported_methods_are_reported() {
        let source = "impl Ring {\n    pub fn swap(&mut self, (a, b): (u8, u8)) {}\n    #[cfg(unix)]\n    pub fn sync(&mut self) -> u8 { 1 }\n    \
                      #[cfg(not(unix))]\n    pub fn sync(&mut self) -> u8 { 2 }\n}\n";
        let methods = Methods::find(source, "Ring").unwrap().unwrap();
        let others = [
            ("swap".to_owned(), "a parameter is a pattern"),
            ("sync".to_owned(), "a method of the same name is above"),
        ];
        assert_eq!((methods.usable.len(), &methods.others[..]), (1, &others[..]));
        let written = crate::write::model::model("Ring", &methods).unwrap();
        assert!(
            written
                .contains("// `swap` is not tested: a parameter is a pattern. Write a wrapper method to include it.\n"),
            "{written}"
        );
    }

    #[test]
    fn implementations_of_default_are_detected() {
        assert!(is_default("#[derive(Debug,\n    Default)]\n/// Doc; doc.\npub struct Ring {}", "Ring"));
        assert!(is_default("impl std::default::Default for Ring {}", "Ring"));
        assert!(!is_default("#[derive(Default)]\nstruct Other;\npub struct Ring;\nimpl Default for Ringer {}", "Ring"));
    }
}
