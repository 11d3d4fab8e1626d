//! Reading the function under an attribute. Its body is not changed; before it, a `&mut Source` is replaced by one that
//! records its draws for the report.

use crate::compiler::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use crate::given::{self, Given, Held};
use crate::item::{Attribute, is_body, visibility, where_clause};
use crate::parse::{Error, Errors, Input, Result, is};
use crate::quantifier::Annotation;
use crate::references::range_of_references;
use crate::template::{Piece, each, template};
use crate::tokens::{hidden, is_named, text};

pub struct Function {
    pub attributes: Vec<Attribute>,
    pub examples: Vec<Example>,
    pub visibility: TokenStream,
    /// The tokens between the visibility and `fn`.
    qualifiers: TokenStream,
    pub is_async: bool,
    pub name: Ident,
    generics: TokenStream,
    pub parameters: Vec<Parameter>,
    /// The type after `->`.
    pub output: Option<TokenStream>,
    where_clause: TokenStream,
    /// Statements before the body.
    prologue: TokenStream,
    pub body: Group,
}

/// `#[example(…)]`.
pub struct Example {
    pub arguments: Vec<TokenStream>,
}

pub struct Parameter {
    attributes: Vec<Attribute>,
    pub pattern: TokenStream,
    /// The variable, if the pattern is a single name.
    pub name: Option<Ident>,
    pub ty: TokenStream,
    /// The type of the generated value: the owned type, if the parameter is a reference.
    pub value_type: TokenStream,
    /// How the generated value is passed: by `&`, `&mut`, or by value (empty).
    pub borrow: TokenStream,
    pub generator: Option<TokenStream>,
    pub annotations: Vec<Annotation>,
    /// Its precondition and its twin, if it has one.
    pub given: Option<Given>,
    /// Its type in the environment.
    pub held: Held,
    /// Whether a later parameter's generator or annotation mentions it.
    serves_later: bool,
}

impl Function {
    pub fn read(item: TokenStream, errors: &mut Errors) -> Result<Self> {
        let mut input = Input::new(item);
        input.open();
        let attributes = Attribute::read_all(&mut input)?;
        let visibility = visibility(&mut input);
        input.open();
        let (mut qualifiers, mut is_async) = (TokenStream::new(), false);
        while !input.at("fn") {
            let token = input.next().ok_or_else(|| input.error(NOT_A_FUNCTION))?;
            let span = token.span();
            match token.to_string().as_str() {
                "const" => {}
                "async" => is_async = true,
                word @ ("unsafe" | "extern") => errors.at(
                    span,
                    format!(
                        "a property must be a safe Rust function: remove `{word}`, and call an `{word}` function in the body"
                    ),
                ),
                // The `"C"` of `extern "C"`.
                text if text.starts_with('"') => {}
                _ => return Err(Error::new(span, NOT_A_FUNCTION)),
            }
            qualifiers.extend(Some(token));
        }
        input.next();
        let name = input.ident("the name of a function")?;
        let generics = if input.at("<") { input.angles()? } else { TokenStream::new() };
        if flatten(generics.clone()).len() > 2 {
            let message = "properties cannot be generic: use concrete types, or a macro that expands to one property per \
                           type";
            errors.push(Error::over(generics.clone(), message));
        }
        let list = input.group(Delimiter::Parenthesis).ok_or_else(|| input.error("expected `(…)`"))?;
        let mut parameters = Vec::new();
        Input::inside(&list).list(|input| {
            if let Some(parameter) = Parameter::read(input, errors)? {
                parameters.push(parameter);
            }
            Ok(())
        })?;
        mark_uses_in_later_parameters(&mut parameters);
        check_ranges(&parameters, errors);
        given::hold(&mut parameters);
        let mut output = None;
        if input.at("->") {
            input.take(2);
            output = Some(input.until(&|token| is(token, "where") || is_body(token)));
        }
        let where_clause = where_clause(&mut input);
        input.open();
        let body = input.group(Delimiter::Brace).ok_or_else(|| input.error("a property needs a body: `{ … }`"))?;
        let mut function = Self {
            attributes,
            examples: Vec::new(),
            visibility,
            qualifiers,
            is_async,
            name,
            generics,
            parameters,
            output,
            where_clause,
            prologue: TokenStream::new(),
            body,
        };
        function.take_examples(errors);
        Ok(function)
    }

    fn take_examples(&mut self, errors: &mut Errors) {
        let mut names = String::new();
        for parameter in &self.parameters {
            names += if names.is_empty() { "" } else { ", " };
            names += &parameter.text();
        }
        for attribute in std::mem::take(&mut self.attributes) {
            if !attribute.is("example") {
                self.attributes.push(attribute);
                continue;
            }
            let read = attribute
                .arguments(&names)
                .and_then(|mut input| input.list(|input| input.expression(input.span(), "an argument")));
            let Some(arguments) = errors.take(read) else { continue };
            let (given, wanted) = (arguments.len(), self.parameters.len());
            if given == wanted {
                self.examples.push(Example { arguments });
            } else {
                let s = if wanted == 1 { "" } else { "s" };
                let message = format!(
                    "this example has {given} argument{}, but `{}` has {wanted} parameter{s}: `#[example({names})]`",
                    if given == 1 { "" } else { "s" },
                    self.name,
                );
                errors.push(Error::over(attribute.content, message));
            }
        }
    }

    /// The expected message of a test with `#[should_panic]`: a literal.
    pub fn expected_panic(&self) -> Option<TokenTree> {
        let attribute = self.attributes.iter().find(|attribute| attribute.is("should_panic"))?;
        for token in flatten(attribute.content.clone()) {
            if let TokenTree::Literal(_) = token {
                return Some(token);
            }
        }
        Some(TokenTree::Literal(Literal::string("")))
    }

    /// Whether the test harness skips it by default.
    pub fn is_ignored(&self) -> bool {
        self.attributes.iter().any(|attribute| attribute.is("ignore"))
    }

    /// The function under a name, without its attributes.
    pub fn item(&self, visibility: &TokenStream, name: &Ident) -> TokenStream {
        let Self { qualifiers, generics, parameters, output, where_clause, prologue, body, .. } = self;
        let parameters = each(parameters, &|_, parameter| {
            let Parameter { attributes, pattern, ty, .. } = parameter;
            // The body need not use parameters that only later generators use.
            let unused = parameter.serves_later.then(|| template!(#[allow(unused_variables)]));
            template!(|attributes, unused, pattern, ty| #attributes #unused #pattern: #ty,)
        });
        let output = output.as_ref().map(|ty| template!(|ty| -> #ty));
        let body = if prologue.is_empty() { body.tokens() } else { template!(|prologue, body| { #prologue #body }) };
        template!(|visibility, qualifiers, name, generics, parameters, output, where_clause, body|
            #visibility #qualifiers fn #name #generics (#parameters) #output #where_clause #body
        )
    }

    /// Makes the body draw from a source that records its draws, if a parameter is a `&mut Source`. Other types called
    /// `Source` are not affected, by method resolution.
    pub fn show_draws(&mut self, krate: &TokenStream, errors: &mut Errors) {
        let mut sources = 0;
        for parameter in &self.parameters {
            let Some(name) = parameter.name.as_ref().filter(|_| parameter.is_source()) else { continue };
            sources += 1;
            if sources > 1 {
                let message = "a property can have only one `&mut Source`: remove this one, or create another with `fork()` in the body";
                errors.push(Error::over(parameter.ty.clone(), message));
            }
            let draws = hidden("draws");
            self.prologue.extend(template!(|draws, krate, name|
                let mut #draws = {
                    #[allow(unused_imports)]
                    use #krate::__private::draws::{OfAnother as _, OfSource as _};
                    #krate::__private::draws::InBody::new(#name).in_body()
                };
                let #name = #krate::__private::draws::Lend::lend(&mut #draws);
            ));
        }
    }
}

const NOT_A_FUNCTION: &str = "a property must be a function: `fn name(x: Type) -> bool { … }`";

const PRIMITIVES: &[&str] = &[
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64",
];

impl Parameter {
    fn read(input: &mut Input, errors: &mut Errors) -> Result<Option<Self>> {
        let all = Attribute::read_all(input)?;
        let (mut pattern, start) = (TokenStream::new(), input.span());
        while !input.is_empty() && !input.at(",") && (!input.at(":") || input.at("::")) {
            if input.at("::") {
                pattern.extend(input.next());
            }
            pattern.extend(input.next());
        }
        let tokens: Vec<TokenTree> = pattern.clone().into_iter().collect();
        if tokens.iter().any(|token| is(token, "self")) {
            let message =
                "a property cannot be a method: move it out of the `impl`, and write `value: Type` in place of `self`";
            errors.at(start, message);
            input.until(&|token| is(token, ","));
            return Ok(None);
        }
        if let [TokenTree::Ident(name), keyword, generator @ ..] = &tokens[..]
            && is(keyword, "in")
        {
            let generator = text(&generator.iter().cloned().collect());
            let message = format!(
                "`{name} in …` is the syntax of `property!`: write `#[forall({generator})] {name}: Type`, with the type of `{name}`"
            );
            errors.push(Error::over(pattern, message));
            return Ok(None);
        }
        input.expect(":")?;
        let ty = input.until(&|token| is(token, ","));
        let name = match &tokens[..] {
            [TokenTree::Ident(name)] if !is_named(name, "_") => Some(name.clone()),
            [mutable, TokenTree::Ident(name)] if is(mutable, "mut") => Some(name.clone()),
            _ => None,
        };
        let (borrow, value_type) = owned(&ty, errors);
        let (attributes, annotations, generator, serves_later) = (Vec::new(), Vec::new(), None, false);
        let (given, held) = (None, Held::Value);
        let mut parameter = Self {
            attributes,
            pattern,
            name,
            ty,
            value_type,
            borrow,
            generator,
            annotations,
            given,
            held,
            serves_later,
        };
        for attribute in all {
            if attribute.is("forall") {
                let read = attribute.arguments("0..10");
                errors.take(read.and_then(|mut input| parameter.read_generator(&mut input, attribute.span)));
            } else {
                parameter.attributes.push(attribute);
            }
        }
        Ok(Some(parameter))
    }

    /// `#[forall(0..10)]`, `#[forall(with = 0..10, shrink |n| …)]`, `#[forall(given = f)]`.
    fn read_generator(&mut self, input: &mut Input, at: Span) -> Result<()> {
        if Given::is_next(input) {
            self.given = Some(Given::read(input)?);
            return Ok(());
        }
        let is_key = matches!(input.peek(), Some(TokenTree::Ident(_)));
        if is_key && input.at_after(1, "=") && !input.at_after(1, "==") {
            input.word("a generator, such as `#[forall(0..10)]`, or the key", &["with", "given", "twin"])?;
            input.next();
        }
        self.generator = Some(input.expression(at, "a generator, such as `0..10`,")?);
        self.annotations = Annotation::read_all(input)?;
        if input.is_empty() { Ok(()) } else { Err(input.error("expected `,` or the end")) }
    }

    /// Whether the type is a `&mut Source`, judging by its name.
    pub fn is_source(&self) -> bool {
        let last = self.value_type.clone().into_iter().last();
        self.generator.is_none()
            && self.borrow.to_string().ends_with("mut")
            && last.is_some_and(|last| is(&last, "Source"))
    }

    /// Whether a generator, an annotation or a precondition of a later one names it.
    pub fn serves_later(&self) -> bool {
        self.serves_later
    }

    /// Whether the type is written as a primitive that is `Copy`: later generators then see a value, not a reference.
    pub fn is_primitive(&self) -> bool {
        PRIMITIVES.contains(&&*self.ty.to_string())
    }

    /// The name of the parameter in reports.
    pub fn text(&self) -> String {
        match &self.name {
            Some(name) => name.to_string(),
            None => text(&self.pattern),
        }
    }

    /// The pattern that binds a reference to this parameter for later ones.
    pub fn reference_pattern(&self) -> TokenStream {
        let rebinds = |token: &TokenTree| matches!(token.to_string().as_str(), "mut" | "ref" | "&" | "@");
        match &self.name {
            Some(name) => name.tokens(),
            None if flatten(self.pattern.clone()).iter().any(rebinds) => template!(_),
            None => self.pattern.clone(),
        }
    }
}

/// How a parameter of this type is passed, and the type of its generated value.
fn owned(ty: &TokenStream, errors: &mut Errors) -> (TokenStream, TokenStream) {
    let mut input = Input::new(ty.clone());
    input.open();
    if input.at("impl") {
        let message = "properties cannot be generic: use a concrete type";
        errors.push(Error::over(ty.clone(), message));
    }
    if input.eat("&").is_none() {
        return (TokenStream::new(), ty.clone());
    }
    if input.at("'") {
        let lifetime: TokenStream = input.take(2).into_iter().collect();
        let message = format!("generated values live for one test: remove `{lifetime}`");
        errors.push(Error::over(lifetime, message));
    }
    let borrow = if input.eat("mut").is_some() { template!(&mut) } else { template!(&) };
    input.open();
    let owned = match input.group(Delimiter::Bracket) {
        Some(group) => {
            let mut inside = Input::inside(&group);
            let element = inside.until(&|_| false);
            if inside.is_empty() { template!(|element| ::std::vec::Vec<#element>) } else { group.tokens() }
        }
        None => input.rest(),
    };
    let is_text = owned.to_string() == "str";
    (borrow, if is_text { template!(::std::string::String) } else { owned })
}

fn mark_uses_in_later_parameters(parameters: &mut [Parameter]) {
    for index in 0..parameters.len() {
        let (before, later) = parameters.split_at_mut(index + 1);
        let Some(name) = before[index].name.as_ref().map(Ident::to_string) else { continue };
        for parameter in later {
            let mut tokens = parameter.generator.clone().unwrap_or_default();
            for annotation in &parameter.annotations {
                tokens.extend(annotation.value.clone());
            }
            tokens.extend(parameter.given.as_ref().and_then(|given| given.condition.clone()).unwrap_or_default());
            before[index].serves_later |= flatten(tokens).iter().any(|token| is(token, &name));
        }
    }
}

/// Reports ranges between references: earlier parameters that are not primitives are references in later generators.
fn check_ranges(parameters: &[Parameter], errors: &mut Errors) {
    let mut references = Vec::new();
    for parameter in parameters {
        if let Some(name) =
            parameter.generator.as_ref().and_then(|generator| range_of_references(generator, &references))
        {
            errors.push(name);
        }
        if let Some(name) = parameter.name.as_ref().filter(|_| !parameter.is_primitive()) {
            references.push(name.to_string());
        }
    }
}

fn flatten(tokens: TokenStream) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => flat.append(&mut flatten(group.stream())),
            other => flat.push(other),
        }
    }
    flat
}
