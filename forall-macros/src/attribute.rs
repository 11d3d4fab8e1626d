//! `#[forall::property]` and `#[forall::test]`.
//!
//! A function `p` becomes three things. The function itself: under its name for a property, as `p::call` for a test,
//! whose name is taken by the `#[test]`. A type `p`, written with braces so that it does not get in the way of the
//! function, to hang `p::property()` on. And, out of sight, a type for each clause, so that the type of the property
//! can be written.

use crate::function::Function;
use crate::item::Attribute;
use crate::parse::Errors;
use crate::quantifier::{Scope, arbitrary, draw, structural_shrinker};
use crate::settings::Keys;
use crate::tokens::{at, hidden, text};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Property,
    Test,
}

pub fn expand(keys: TokenStream, item: TokenStream, kind: Kind) -> TokenStream {
    let mut errors = Errors::default();
    let keys = Keys::read(keys, &mut errors);
    let function = match Function::read(item.clone(), &mut errors) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            return quote!(#errors #item);
        }
    };
    if let (Kind::Test, Some(test)) = (kind, function.attributes.iter().find(|other| is(other, &["test"]))) {
        errors.at(test.span, "`#[forall::test]` makes a `#[test]` already: remove this one");
    }
    let expanded = Expansion { function: &function, keys: &keys, kind }.all();
    match errors.finish() {
        Ok(()) => expanded,
        // The function is there whatever else is wrong, so that editors and later errors see it.
        Err(errors) => {
            let attributes = &function.attributes;
            let item = function.item(&function.visibility, &function.name);
            quote!(#errors #(#attributes)* #[allow(dead_code)] #item)
        }
    }
}

fn is(attribute: &Attribute, names: &[&str]) -> bool {
    names.iter().any(|name| attribute.is(name))
}

/// Attributes that are about the body of a function rather than about the item.
const OF_THE_BODY: &[&str] = &[
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "inline",
    "cold",
    "track_caller",
    "must_use",
    "optimize",
    "coverage",
];

struct Expansion<'a> {
    function: &'a Function,
    keys: &'a Keys,
    kind: Kind,
}

impl Expansion<'_> {
    fn all(&self) -> TokenStream {
        let Function { attributes, visibility, name, .. } = self.function;
        let krate = &self.keys.krate;
        let conditions: Vec<_> = attributes.iter().filter(|attribute| is(attribute, &["cfg"])).collect();
        let items = match self.kind {
            Kind::Property => {
                let function = self.function.item(visibility, name);
                quote!(#(#attributes)* #function)
            }
            Kind::Test => {
                let of_the_body: Vec<_> = attributes.iter().filter(|attribute| is(attribute, OF_THE_BODY)).collect();
                let others = attributes.iter().filter(|attribute| !is(attribute, OF_THE_BODY));
                let call = self.function.item(visibility, &Ident::new("call", name.span()));
                quote! {
                    #(#others)*
                    #[::core::prelude::v1::test]
                    #visibility fn #name() { #krate::__private::attribute::run_declared::<#name>() }

                    #(#conditions)*
                    impl #name { #(#of_the_body)* #[allow(dead_code, missing_docs)] #call }
                }
            }
        };
        let declared = self.declared();
        quote! {
            #items

            #(#conditions)*
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, missing_docs, missing_debug_implementations)]
            #visibility struct #name {}

            #(#conditions)*
            #[allow(dead_code, missing_docs)]
            impl #name {
                /// The property.
                #visibility fn property() -> <#name as #krate::property::Declared>::Property {
                    <#name as #krate::property::Declared>::property()
                }
            }

            #(#conditions)*
            #[allow(non_camel_case_types, non_local_definitions, missing_docs, missing_debug_implementations)]
            const _: () = { #declared };
        }
    }

    /// The function as it is to be called, at a place.
    fn callee(&self, place: Span) -> TokenStream {
        let mut name = self.function.name.clone();
        name.set_span(name.span().located_at(place));
        if self.kind == Kind::Test { quote_spanned!(place=> #name::call) } else { quote!(#name) }
    }

    fn declared(&self) -> TokenStream {
        let Function { visibility, name, parameters, .. } = self.function;
        let krate = &self.keys.krate;
        let mut scope = Scope::new(krate.clone(), TokenStream::new());
        let (env, source, built) = (hidden("env"), hidden("source"), hidden("built"));
        let mut environment = quote!(());
        let mut type_of_property = quote!(__forall::Empty);
        let (mut clauses, mut steps) = (TokenStream::new(), TokenStream::new());
        for (index, parameter) in parameters.iter().enumerate() {
            let ty = &parameter.value_type;
            let quantifier = format_ident!("__ForallQuantifier{index}");
            let (variables, draw) = (scope.variables(), draw(krate, Some(ty), parameter.generator.as_ref()));
            let (text, written) = (parameter.text(), text(&parameter.ty));
            // A generator is left alone: twice in the code, it would be twice in the compiler's messages.
            let again = parameter.generator.is_none().then(|| {
                let arbitrary = arbitrary(krate, ty);
                quote! {
                    fn generate_again(&self, _: &#environment, #source: &mut __forall::Source) -> #ty {
                        __forall::draw_again(#arbitrary, #source)
                    }
                }
            });
            // A type that is less visible than the function is an error here: at the place of the type.
            let value = quote_spanned!(at(&parameter.ty)=> type Value = #ty;);
            clauses.extend(quote! {
                #visibility struct #quantifier;
                impl __forall::Quantify<#environment> for #quantifier {
                    #value
                    #[inline(always)]
                    fn generate(&self, #env: &#environment, #source: &mut __forall::Source) -> #ty { #variables #draw }
                    #again
                }
            });
            let calls =
                parameter.annotations.iter().filter(|other| other.key != "contract").map(|other| other.call(&scope));
            let has_shrinker = parameter.annotations.iter().any(|other| other.key == "shrink");
            let structural = (self.keys.structural && !has_shrinker).then(|| structural_shrinker(krate));
            steps.extend(quote! {
                let #built = __forall::Forall {
                    previous: #built,
                    name: #text,
                    type_text: ::core::option::Option::Some(#written),
                    quantify: #quantifier,
                    printed: #krate::__printed!(),
                    annotations: __forall::Annotations::NONE,
                } #(#calls)* #structural;
            });
            environment = quote!((#ty, #environment));
            type_of_property = quote!(__forall::Forall<#type_of_property, #quantifier>);
            let own = parameter.reference_pattern();
            scope.bind(&own);
            let conditions = parameter.annotations.iter().filter_map(|other| other.condition(&scope, &own));
            for (number, (condition, text)) in conditions.enumerate() {
                let contract = format_ident!("__ForallContract{index}_{number}");
                let variables = scope.variables();
                clauses.extend(quote! {
                    #visibility struct #contract;
                    impl __forall::Predicate<#environment> for #contract {
                        #[inline(always)]
                        fn holds(&self, #env: &#environment) -> ::core::primitive::bool { #variables #condition }
                    }
                });
                steps.extend(quote! {
                    let #built = __forall::Contract { previous: #built, text: #text, predicate: #contract };
                });
                type_of_property = quote!(__forall::Contract<#type_of_property, #contract>);
            }
        }
        let body = self.body(&environment);
        let (entry, examples) = (self.entry(), self.examples());
        quote! {
            use #krate::__private::attribute as __forall;
            #clauses
            #visibility struct __ForallBody;
            #body
            impl __forall::Declared for #name {
                type Property = __forall::Check<#type_of_property, __ForallBody>;
                const ENTRY: __forall::Entry = #entry;
                const EXAMPLES: &'static [__forall::Example] = &[#(#examples),*];
                fn property() -> Self::Property {
                    let #built = __forall::Empty;
                    #steps
                    __forall::Check { previous: #built, conclusion: __ForallBody }
                }
            }
            __forall::inventory::submit! { <#name as __forall::Declared>::ENTRY }
        }
    }

    /// The end of the property: the function, which takes its arguments by value.
    fn body(&self, environment: &TokenStream) -> TokenStream {
        let returns = match &self.function.output {
            Some(ty) => at(ty),
            None => at(&self.function.name.to_token_stream()),
        };
        let callee = self.callee(returns);
        let mut pattern = quote!(());
        let mut arguments = Vec::new();
        for (index, parameter) in self.function.parameters.iter().enumerate() {
            let argument = hidden(&format!("argument_{index}"));
            let borrow = &parameter.borrow;
            let mutable = if borrow.to_string() == "& mut" { quote!(mut) } else { quote!() };
            pattern = quote!((#mutable #argument, #pattern));
            arguments.push(quote_spanned!(at(&parameter.ty)=> #borrow #argument));
        }
        let outcome = quote_spanned!(returns=> __forall::IntoOutcome::into_outcome(#callee(#(#arguments),*)));
        quote! {
            impl __forall::Conclude<#environment> for __ForallBody {
                #[inline(always)]
                fn conclude(&self, #pattern: #environment) -> __forall::Outcome { #outcome }
            }
        }
    }

    /// What the registry knows of the property.
    fn entry(&self) -> TokenStream {
        let (name, calls, is_test) = (&self.function.name, &self.keys.calls, self.kind == Kind::Test);
        let text = name.to_string();
        let settings = hidden("settings");
        quote! {
            __forall::Entry {
                identity: __forall::Identity::of_item(
                    ::core::concat!(::core::module_path!(), "::", #text),
                    ::core::file!(),
                    ::core::line!(),
                    __forall::directory(::core::option_env!("CARGO_MANIFEST_DIR")),
                ),
                property: __forall::boxed::<#name>,
                settings: |#settings| #settings #(#calls)*,
                is_test: #is_test,
            }
        }
    }

    fn examples(&self) -> Vec<TokenStream> {
        let Function { parameters, examples, .. } = self.function;
        let callee = self.callee(Span::call_site());
        let example = |arguments: &[TokenStream]| {
            let bindings = parameters.iter().zip(arguments).map(|(parameter, argument)| {
                let (name, ty, argument) = (parameter.text(), text(&parameter.ty), text(argument));
                quote!((#name, #ty, #argument))
            });
            quote! {
                __forall::Example {
                    bindings: &[#(#bindings),*],
                    run: || __forall::IntoOutcome::into_outcome(#callee(#(#arguments),*)),
                }
            }
        };
        examples.iter().map(|one| example(&one.arguments)).collect()
    }
}
