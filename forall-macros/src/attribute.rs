//! `#[forall::property]` and `#[forall::test]`.
//!
//! A function `p` expands to three things. The function itself: under its own name for a property, as `p::call` for a
//! test, because there the `#[test]` function has the name. A type `p`, with braces so that its name does not clash
//! with the function, which provides `p::property()`. And a private type for each clause, so that the type of the
//! property can be named.

use crate::compiler::{Ident, Span, TokenStream};
use crate::function::{Example, Function};
use crate::given::{self, Access, Held};
use crate::item::Attribute;
use crate::parse::Errors;
use crate::place;
use crate::quantifier::{Annotation, Scope, arbitrary_again, draw, structural_shrinker};
use crate::runtime;
use crate::settings::Keys;
use crate::template::{Piece, each, template};
use crate::tokens::{at, hidden, last_line, literals, prints, text};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Property,
    Test,
}

pub fn expand(keys: TokenStream, item: TokenStream, kind: Kind) -> TokenStream {
    let mut errors = Errors::default();
    let mut keys = Keys::read(keys, &mut errors);
    let mut function = match Function::read(item.clone(), &mut errors) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            return template!(|errors, item| #errors #item);
        }
    };
    // A method has an error of its own.
    if errors.is_empty()
        && let Some(keyword) = place::enclosing()
    {
        let name = &function.name;
        errors.at(name.span(), format!("a property must be a free function: move `{name}` out of the `{keyword}`"));
    }
    runtime::take(&mut function, &mut keys, kind, &mut errors);
    function.show_draws(&keys.krate, &mut errors);
    let expanded = Expansion { function: &function, keys: &keys, kind }.all();
    match errors.finish() {
        Ok(()) => expanded,
        // The function is emitted in spite of errors, so that editors and later errors see it.
        Err(errors) => {
            let attributes = &function.attributes;
            let item = function.item(&function.visibility, &function.name);
            template!(|errors, attributes, item| #errors #attributes #[allow(dead_code)] #item)
        }
    }
}

fn is(attribute: &Attribute, names: &[&str]) -> bool {
    names.iter().any(|name| attribute.is(name))
}

/// Attributes that apply to the body of a function rather than to the item.
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
        let those = |wanted: &dyn Fn(&Attribute) -> bool| {
            each(attributes, &|_, attribute| if wanted(attribute) { attribute.tokens() } else { TokenStream::new() })
        };
        let conditions = those(&|attribute| is(attribute, &["cfg"]));
        let items = match self.kind {
            Kind::Property => {
                let function = self.function.item(visibility, name);
                template!(|attributes, function| #attributes #function)
            }
            Kind::Test => {
                let of_the_body = those(&|attribute| is(attribute, OF_THE_BODY));
                let others = those(&|attribute| !is(attribute, OF_THE_BODY));
                let call = self.function.item(visibility, &Ident::new("call", name.span()));
                template!(|others, visibility, name, krate, conditions, of_the_body, call|
                    #others
                    #[::core::prelude::v1::test]
                    #visibility fn #name() { #krate::__private::attribute::run_declared::<#name>() }

                    #conditions
                    impl #name { #of_the_body #[allow(dead_code, missing_docs)] #call }
                )
            }
        };
        let declared = self.declared();
        template!(|items, conditions, visibility, name, krate, declared|
            #items

            #conditions
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, missing_docs, missing_debug_implementations)]
            #visibility struct #name {}

            #conditions
            #[allow(dead_code, missing_docs)]
            impl #name {
                #[doc = "The property."]
                #visibility fn property() -> <#name as #krate::registry::Declared>::Property {
                    <#name as #krate::registry::Declared>::property()
                }
            }

            #conditions
            #[allow(non_camel_case_types, non_local_definitions, missing_docs, missing_debug_implementations)]
            const _: () = { #declared };
        )
    }

    /// The path of the function, with the span `place`.
    fn callee(&self, place: Span) -> TokenStream {
        let mut name = self.function.name.clone();
        name.set_span(name.span().located_at(place));
        if self.kind == Kind::Test { template!(at place, |name| #name::call) } else { name.tokens() }
    }

    fn declared(&self) -> TokenStream {
        let Function { visibility, name, parameters, .. } = self.function;
        let krate = &self.keys.krate;
        let mut scope = Scope::new(krate.clone(), TokenStream::new());
        let (env, source, built) = (hidden("env"), hidden("source"), hidden("built"));
        let mut environment = template!(());
        let mut type_of_property = template!(__forall::Empty);
        let (mut clauses, mut printers, mut steps) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for (index, parameter) in parameters.iter().enumerate() {
            let ty = &parameter.held_type(krate);
            let quantifier = Ident::new(&format!("__ForallQuantifier{index}"), Span::call_site());
            let generator = parameter.generator.as_ref();
            let variables = generator.map_or_else(|| scope.variables(), |generator| scope.variables_in(generator));
            let draw = draw(krate, Some(ty), generator);
            let (text, written) = (parameter.text(), text(&parameter.ty));
            // A generator is expanded once: twice, it would cause duplicate compiler messages.
            let again = parameter.generator.is_none().then(|| {
                let arbitrary = arbitrary_again(krate, ty);
                template!(|environment, source, ty, arbitrary|
                    fn generate_again(&self, _: &#environment, #source: &mut __forall::Source) -> #ty {
                        __forall::draw_again(#arbitrary, #source)
                    }
                )
            });
            // A type that is less visible than the function is an error here, at the span of the type.
            let value = template!(at at(&parameter.ty), |ty| type Value = #ty;);
            let generate = template!(|env, environment, source, ty, variables, draw|
                #[inline(always)]
                fn generate(&self, #env: &#environment, #source: &mut __forall::Source) -> #ty { #variables #draw }
            );
            clauses.extend(template!(|visibility, quantifier, environment, value, generate, again|
                #visibility struct #quantifier;
                impl __forall::Quantify<#environment> for #quantifier {
                    #value
                    #generate
                    #again
                }
            ));
            let calls = Annotation::calls(&parameter.annotations, &scope);
            let has_shrinker = parameter.annotations.iter().any(|other| other.key == "shrink");
            let structural = (self.keys.structural && !has_shrinker).then(|| structural_shrinker(krate));
            // Placed before any value that a panic would have to drop, which compiles faster.
            let printed = hidden(&format!("printed_{index}"));
            let printer = parameter.printer(krate);
            let printer_type = match parameter.held {
                Held::Value => TokenStream::new(),
                _ => template!(|ty| : __forall::Printer<#ty>),
            };
            printers.extend(template!(|printed, printer_type, printer| let #printed #printer_type = #printer;));
            steps.extend(template!(|built, text, written, quantifier, printed, calls, structural|
                let #built = __forall::Forall {
                    previous: #built,
                    name: #text,
                    type_text: ::core::option::Option::Some(#written),
                    quantify: #quantifier,
                    printed: #printed,
                    annotations: __forall::Annotations::NONE,
                } #calls #structural;
            ));
            environment = template!(|ty, environment| (#ty, #environment));
            type_of_property =
                template!(|type_of_property, quantifier| __forall::Forall<#type_of_property, #quantifier>);
            let own = parameter.reference_pattern();
            scope.bind(&own);
            if let Some((condition, text)) = parameter.precondition(krate, &own) {
                let (clause, variables) = (given::clause(index), scope.variables());
                clauses.extend(template!(|visibility, clause, environment, env, variables, condition|
                    #visibility struct #clause;
                    impl __forall::Predicate<#environment> for #clause {
                        fn holds(&self, #env: &#environment) -> ::core::primitive::bool { #variables #condition }
                    }
                ));
                steps.extend(template!(|built, krate, text, clause|
                    let #built = #krate::__private::twin::Implies { previous: #built, text: #text, predicate: #clause };
                ));
                type_of_property = template!(|krate, type_of_property, clause| #krate::__private::twin::Implies<#type_of_property, #clause>);
            }
            for (number, annotation) in parameter.annotations.iter().enumerate() {
                let Some((condition, text)) = annotation.condition(&scope, &own) else { continue };
                let contract = Ident::new(&format!("__ForallContract{index}_{number}"), Span::call_site());
                let variables = scope.variables();
                clauses.extend(template!(|visibility, contract, environment, env, variables, condition|
                    #visibility struct #contract;
                    impl __forall::Predicate<#environment> for #contract {
                        #[inline(always)]
                        fn holds(&self, #env: &#environment) -> ::core::primitive::bool { #variables #condition }
                    }
                ));
                steps.extend(template!(|built, text, contract|
                    let #built = __forall::Contract { previous: #built, text: #text, predicate: #contract };
                ));
                type_of_property =
                    template!(|type_of_property, contract| __forall::Contract<#type_of_property, #contract>);
            }
            if let Some(name) = parameter.name.as_ref().filter(|_| parameter.is_primitive()) {
                scope.copy(name);
            }
        }
        let body = self.body(&environment);
        let entry = self.entry();
        template!(|krate, clauses, visibility, body, name, type_of_property, entry, printers, built, steps|
            use #krate::__private::attribute as __forall;
            #[allow(unused_imports)]
            use __forall::probes::*;
            #clauses
            #visibility struct __ForallBody;
            #body
            impl __forall::Declared for #name {
                type Property = __forall::Check<#type_of_property, __ForallBody>;
                const ENTRY: __forall::Entry = #entry;
                fn property() -> Self::Property {
                    #printers
                    let #built = __forall::Empty;
                    #steps
                    __forall::Check { previous: #built, conclusion: __ForallBody }
                }
            }
            __forall::inventory::submit! { <#name as __forall::Declared>::ENTRY }
        )
    }

    /// The conclusion of the property: a call of the function, with its arguments by value.
    fn body(&self, environment: &TokenStream) -> TokenStream {
        let returns = match &self.function.output {
            Some(ty) => at(ty),
            None => at(&self.function.name.tokens()),
        };
        let callee = self.callee(returns);
        let (pattern, arguments, statements) = self.owned_arguments();
        let outcome = self.outcome(template!(at returns, |callee, arguments| #callee(#arguments)), returns);
        let by_reference = self.by_reference(environment, &callee, returns);
        let literals = literals(&self.function.body);
        let literals = (!literals.is_empty())
            .then(|| template!(|literals| const LITERALS: &'static ::core::primitive::str = #literals;));
        let name = self.function.name.to_string();
        template!(|environment, pattern, statements, outcome, literals, by_reference, name|
            impl __forall::Conclude<#environment> for __ForallBody {
                const DECLARED: &'static ::core::primitive::str =
                    ::core::concat!(::core::module_path!(), "::", #name);
                #[inline(always)]
                fn conclude(&self, #pattern: #environment) -> __forall::Outcome { #statements #outcome }
                #literals
                #by_reference
            }
        )
    }

    /// How the body takes its arguments from an environment that it owns: a pattern, the arguments, and statements before them.
    fn owned_arguments(&self) -> (TokenStream, Vec<TokenStream>, TokenStream) {
        let parameters = &self.function.parameters;
        if parameters.iter().any(|parameter| parameter.held != Held::Value) {
            let taken = given::take(parameters, &self.keys.krate, Access::Owned);
            return (hidden("env").tokens(), taken.arguments, taken.statements);
        }
        let mut pattern = template!(());
        let mut arguments = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let argument = hidden(&format!("argument_{index}"));
            let borrow = &parameter.borrow;
            let mutable = if borrow.to_string().ends_with("mut") { template!(mut) } else { TokenStream::new() };
            pattern = template!(|mutable, argument, pattern| (#mutable #argument, #pattern));
            arguments.push(template!(at at(&parameter.ty), |borrow, argument| #borrow #argument,));
        }
        (pattern, arguments, TokenStream::new())
    }

    /// The outcome of a call of the function.
    fn outcome(&self, call: TokenStream, place: Span) -> TokenStream {
        if !self.function.is_async {
            return template!(at place, |call| __forall::IntoOutcome::into_outcome(#call));
        }
        match &self.keys.runtime {
            None => template!(at place, |call| __forall::asynchronous::run(#call)),
            Some((_, runtime)) if runtime.to_string() == "tokio" => {
                let own = &self.keys.tokio;
                let panics = if self.keys.task_panics.is_some() { template!(Allowed) } else { template!(Fail) };
                template!(at place, |call, panics, own| __forall::under_tokio!(#call; #panics; #own))
            }
            Some((_, runtime)) => template!(at place, |runtime, call|
                __forall::IntoOutcome::into_outcome((#runtime)(#call))
            ),
        }
    }

    /// The conclusion by reference, for an exhaustive search, if the function takes references: the arguments need not be
    /// generated again for each call.
    fn by_reference(&self, environment: &TokenStream, callee: &TokenStream, returns: Span) -> TokenStream {
        let parameters = &self.function.parameters;
        if parameters.iter().any(|parameter| parameter.held != Held::Value) {
            if !given::can_borrow(parameters) {
                return TokenStream::new();
            }
            let taken = given::take(parameters, &self.keys.krate, Access::Borrowed);
            let (env, statements, arguments) = (hidden("env"), taken.statements, taken.arguments);
            let outcome = self.outcome(template!(at returns, |callee, arguments| #callee(#arguments)), returns);
            return template!(|env, environment, statements, outcome| __forall::in_search! {
                const BY_REFERENCE: ::core::primitive::bool = true;
                fn conclude_by_reference(&self, #env: &#environment) -> __forall::Outcome { #statements #outcome }
            });
        }
        if !self.keys.exhaustive || !parameters.iter().all(|parameter| parameter.borrow.to_string() == "&") {
            return TokenStream::new();
        }
        let mut pattern = template!(());
        let mut arguments = Vec::new();
        for index in 0..parameters.len() {
            let argument = hidden(&format!("argument_{index}"));
            pattern = template!(|argument, pattern| (#argument, #pattern));
            arguments.push(template!(|argument| #argument,));
        }
        let outcome = self.outcome(template!(at returns, |callee, arguments| #callee(#arguments)), returns);
        template!(|pattern, environment, outcome| __forall::in_search! {
            const BY_REFERENCE: ::core::primitive::bool = true;
            fn conclude_by_reference(&self, #pattern: &#environment) -> __forall::Outcome { #outcome }
        })
    }

    /// The property's entry in the registry.
    fn entry(&self) -> TokenStream {
        let (name, is_test) = (&self.function.name, self.kind == Kind::Test);
        let mut calls = self.keys.calls.clone();
        if prints(self.function.body.stream()) {
            calls.push(template!(.prints()));
        }
        if let Some(expected) = self.function.expected_panic() {
            calls.push(template!(|expected| .expected_panic(#expected)));
        }
        let text = name.to_string();
        let argument = hidden("settings");
        let settings = match calls.is_empty() {
            true => template!(__forall::unchanged),
            false => template!(|argument, calls| |#argument| #argument #calls),
        };
        let last_line = last_line(self.function.body.span_close());
        let (ignored, examples) = (self.function.is_ignored(), self.examples());
        template!(|text, name, settings, examples, is_test, last_line, ignored|
            __forall::Entry {
                identity: __forall::Identity::of_item(
                    ::core::concat!(::core::module_path!(), "::", #text),
                    ::core::file!(),
                    ::core::line!(),
                    #last_line,
                    __forall::directory(::core::option_env!("CARGO_MANIFEST_DIR")),
                    #ignored,
                ),
                property: __forall::boxed::<#name>,
                settings: #settings,
                examples: &[#examples],
                is_test: #is_test,
            }
        )
    }

    fn examples(&self) -> TokenStream {
        let Function { parameters, examples, .. } = self.function;
        let callee = self.callee(Span::call_site());
        each(examples, &|_, Example { arguments }| {
            let bindings = each(arguments, &|index, argument| {
                let parameter = &parameters[index];
                let (name, ty, argument) = (parameter.text(), text(&parameter.ty), text(argument));
                template!(|name, ty, argument| (#name, #ty, #argument),)
            });
            let arguments = each(arguments, &|_, argument| template!(|argument| #argument,));
            let outcome = self.outcome(template!(|callee, arguments| #callee(#arguments)), Span::call_site());
            template!(|bindings, outcome| __forall::Example { bindings: &[#bindings], run: || #outcome },)
        })
    }
}
