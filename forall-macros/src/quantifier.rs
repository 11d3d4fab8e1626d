//! The quantifiers of `property!` and the attributes: a variable, its generator, and its annotations.

use crate::compiler::{Ident, Span, TokenStream};
use crate::parse::{Error, Input, Result};
use crate::references::{dereferences, mentions};
use crate::template::{each, template};
use crate::tokens::{at, hidden, placed, text};

/// The annotations that may follow a generator, each after a comma.
const ANNOTATIONS: &[&str] = &["shrink", "mutate", "print", "feedback", "contract", "with"];

/// An annotation of a quantifier, such as `shrink |n| …`.
pub struct Annotation {
    pub key: &'static str,
    span: Span,
    /// The argument; empty for the type's own implementation.
    pub value: TokenStream,
}

impl Annotation {
    /// Reads `, shrink |n| …, print |n| …`, up to a `;` or the end. `mutate` needs no argument.
    pub fn read_all(input: &mut Input) -> Result<Vec<Self>> {
        let mut annotations = Vec::new();
        while input.eat(",").is_some() && !input.is_empty() && !input.at(";") {
            if let Some(name) = input.declaration() {
                let message = format!("a clause declares only one variable: write `; forall {name}: …`");
                return Err(Error::new(name.span(), message));
            }
            if input.at("given") {
                let message = "`given` belongs to the parameters of `#[forall::test]`; here, quantify over the twin: \
                               `forall t: Lazy<TypeTwin>; implies condition(t);`, and convert it in the check: `t.plain()`";
                return Err(input.error(message));
            }
            let (key, span) = input.word("an annotation", ANNOTATIONS)?;
            let expected = match key {
                "contract" => "a condition, such as `contract *n > 0`".to_owned(),
                "with" => "a value, such as `with Weight(3)`".to_owned(),
                _ => format!("a function, such as `{key} |n| …`"),
            };
            let stands_alone = key == "mutate" && (input.is_empty() || input.at(",") || input.at(";"));
            let value = if stands_alone { TokenStream::new() } else { input.expression(span, &expected)? };
            annotations.push(Self { key, span, value });
        }
        Ok(annotations)
    }

    /// The calls that add the annotations to a quantifier. (Contracts are separate clauses: see [`Annotation::condition`].)
    pub fn calls(annotations: &[Self], scope: &Scope) -> TokenStream {
        each(annotations, &|_, annotation| match annotation.key {
            "contract" => TokenStream::new(),
            _ => annotation.call(scope),
        })
    }

    fn call(&self, scope: &Scope) -> TokenStream {
        let Self { key, span, value } = self;
        // Annotations are boxed, so their closures own what they capture.
        let place = if value.is_empty() { *span } else { at(value) };
        let (krate, variables) = (placed(&scope.krate, place), scope.variables());
        let (env, own, source) = (hidden("env"), hidden("own"), hidden("source"));
        let method = Ident::new(key, *span);
        let private = template!(|krate| #krate::__private::quantifier);
        match *key {
            "with" => template!(|method, value| .#method(#value)),
            "mutate" if value.is_empty() => template!(at place, |method, own, source, krate|
                .#method(|_, #own, #source| #krate::generate::Arbitrary::mutate(#own, #source))
            ),
            "mutate" => template!(at place, |method, env, own, source, variables, private, value|
                .#method(move |#env, #own, #source| { #variables #private::mutate(#own, #source, #value) })
            ),
            _ => template!(at place, |method, env, own, variables, private, value|
                .#method(move |#env, #own| { #variables #private::#method(#own, #value) })
            ),
        }
    }

    /// The contract as a condition on the whole environment, and its text; none for other annotations.
    pub fn condition(&self, scope: &Scope, own: &TokenStream) -> Option<(TokenStream, String)> {
        let (krate, value) = (&scope.krate, &self.value);
        let mut start = Input::new(value.clone());
        start.open();
        start.eat("move");
        let condition = match start.at("|") {
            true => template!(|krate, own, value| #krate::__private::quantifier::apply(#own, #value)),
            false => value.clone(),
        };
        (self.key == "contract").then(|| (condition, text(value)))
    }
}

/// The call that adds a structural shrinker to a quantifier, if its type has one.
pub fn structural_shrinker(krate: &TokenStream) -> TokenStream {
    let own = hidden("own");
    template!(|own, krate|
        .shrink(|_, #own| #krate::__private::quantifier::shrink(#own, |#own| {
            use #krate::__private::derive::prelude::*;
            #krate::__private::derive::probe!(#own).probe_shrink()
        }))
    )
}

/// The variables that a clause can use.
pub struct Scope {
    pub krate: TokenStream,
    /// `move`, or nothing.
    pub moves: TokenStream,
    /// The pattern of the environment: `(latest, (before, ()))`.
    pub pattern: TokenStream,
    /// The variables, in order.
    names: Vec<TokenStream>,
    /// Those of a primitive type, which later generators may use by value.
    primitives: Vec<Ident>,
    /// The `Source` that the body draws from.
    source: Option<TokenStream>,
}

impl Scope {
    pub fn new(krate: TokenStream, moves: TokenStream) -> Self {
        Self { krate, moves, pattern: template!(()), names: Vec::new(), primitives: Vec::new(), source: None }
    }

    pub fn bind(&mut self, variable: &TokenStream) {
        self.names.push(variable.clone());
        let before = &self.pattern;
        self.pattern = template!(|variable, before| (#variable, #before));
    }

    /// Lets later generators use a bound variable by value.
    pub fn copy(&mut self, variable: &Ident) {
        self.primitives.push(variable.clone());
    }

    /// Declares the variable that the body draws from. Returns whether it is the first one.
    pub fn draw_from(&mut self, variable: &TokenStream) -> bool {
        self.source.replace(variable.clone()).is_none()
    }

    /// Statements that bind the variables of an environment that the body owns, if it draws from one of them: that one is
    /// a `Draws`, and the others are references, as elsewhere.
    pub fn drawn_from(&self) -> Option<TokenStream> {
        let source = self.source.as_ref()?;
        let (krate, pattern, env, draws) = (&self.krate, &self.pattern, hidden("env"), hidden("draws"));
        let mut statements = template!(|pattern, env| #[allow(unused_variables)] let #pattern = &mut #env;);
        for name in &self.names {
            if name.to_string() != source.to_string() {
                statements.extend(template!(|name| #[allow(unused_variables)] let #name = &*#name;));
            }
        }
        statements.extend(template!(|draws, krate, source|
            let mut #draws = #krate::property::Draws::new(#source);
            let #source = &mut #draws;
        ));
        Some(statements)
    }

    /// A statement that binds the variables of the environment, by reference.
    pub fn variables(&self) -> TokenStream {
        let (pattern, env) = (&self.pattern, hidden("env"));
        template!(|pattern, env| #[allow(unused_variables)] let #pattern = #env;)
    }

    /// Statements that bind the variables for a generator: primitives by value, unless the generator dereferences them.
    pub fn variables_in(&self, generator: &TokenStream) -> TokenStream {
        let mut statements = self.variables();
        for name in &self.primitives {
            if mentions(generator, name) && !dereferences(generator, name) {
                statements.extend(template!(|name| #[allow(unused_variables)] let #name = *#name;));
            }
        }
        statements
    }
}

/// An expression that draws the variable from `source`.
pub fn draw(krate: &TokenStream, ty: Option<&TokenStream>, generator: Option<&TokenStream>) -> TokenStream {
    let (source, value) = (hidden("source"), hidden("value"));
    let place = generator.map(at).or(ty.map(at)).unwrap_or_else(Span::mixed_site);
    let krate = placed(krate, place);
    match (ty, generator) {
        (Some(ty), Some(generator)) => template!(at place, |krate, ty, value, generator, source| {
            let #value: #ty = #krate::__private::quantifier::draw(#generator, #source);
            #value
        }),
        (None, Some(generator)) => template!(at place, |krate, generator, source|
            #krate::__private::quantifier::draw(#generator, #source)
        ),
        (Some(ty), None) => {
            let arbitrary = arbitrary(&krate, ty);
            template!(at place, |arbitrary, source| #arbitrary(#source))
        }
        (None, None) => TokenStream::new(),
    }
}

/// The function that draws a variable without a generator, for replays and searches.
pub fn arbitrary_again(krate: &TokenStream, ty: &TokenStream) -> TokenStream {
    let place = at(ty);
    let krate = placed(krate, place);
    template!(at place, |krate, ty| <#ty as #krate::generate::Arbitrary>::arbitrary_again)
}

/// The function that draws a variable without a generator.
fn arbitrary(krate: &TokenStream, ty: &TokenStream) -> TokenStream {
    let place = at(ty);
    let krate = placed(krate, place);
    template!(at place, |krate, ty| <#ty as #krate::generate::Arbitrary>::arbitrary)
}
