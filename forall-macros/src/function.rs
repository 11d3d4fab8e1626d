//! Reading the function under an attribute. Its body passes through untouched; a `&mut Source` is made one whose draws are shown
//! before it.

use crate::compiler::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use crate::item::{Attribute, is_body, visibility, where_clause};
use crate::parse::{Error, Errors, Input, Result, is};
use crate::quantifier::Annotation;
use crate::template::{Piece, each, template};
use crate::tokens::{hidden, is_named, text};

pub struct Function {
    pub attributes: Vec<Attribute>,
    pub examples: Vec<Example>,
    pub visibility: TokenStream,
    /// What stands between the visibility and `fn`.
    qualifiers: TokenStream,
    pub is_async: bool,
    pub name: Ident,
    generics: TokenStream,
    pub parameters: Vec<Parameter>,
    /// The type after `->`.
    pub output: Option<TokenStream>,
    where_clause: TokenStream,
    /// What comes before the body.
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
    /// The variable, if the pattern is no more than that.
    pub name: Option<Ident>,
    pub ty: TokenStream,
    /// The type of the value that is generated: owned, where the parameter borrows.
    pub value_type: TokenStream,
    /// How the generated value is handed over: `&`, `&mut` or as it is.
    pub borrow: TokenStream,
    pub generator: Option<TokenStream>,
    pub annotations: Vec<Annotation>,
    /// Whether a generator or an annotation of a later one names it.
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
                        "a property is a safe function of Rust: remove `{word}`, and call what needs it in the body"
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
            let message = "a property has no type parameters: write the types that are to be tested, or a macro that \
                           writes a property for each";
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
        say_what_serves_later(&mut parameters);
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

    /// What the panic is to say, for a test that has `#[should_panic]`: a literal.
    pub fn expected_panic(&self) -> Option<TokenTree> {
        let attribute = self.attributes.iter().find(|attribute| attribute.is("should_panic"))?;
        for token in flatten(attribute.content.clone()) {
            if let TokenTree::Literal(_) = token {
                return Some(token);
            }
        }
        Some(TokenTree::Literal(Literal::string("")))
    }

    /// Whether the test harness leaves it out unless it is asked for.
    pub fn is_ignored(&self) -> bool {
        self.attributes.iter().any(|attribute| attribute.is("ignore"))
    }

    /// The function under a name, without its attributes.
    pub fn item(&self, visibility: &TokenStream, name: &Ident) -> TokenStream {
        let Self { qualifiers, generics, parameters, output, where_clause, prologue, body, .. } = self;
        let parameters = each(parameters, &|_, parameter| {
            let Parameter { attributes, pattern, ty, .. } = parameter;
            // The body need not use what is there for the generators of others.
            let unused = parameter.serves_later.then(|| template!(#[allow(unused_variables)]));
            template!(|attributes, unused, pattern, ty| #attributes #unused #pattern: #ty,)
        });
        let output = output.as_ref().map(|ty| template!(|ty| -> #ty));
        let body = if prologue.is_empty() { body.tokens() } else { template!(|prologue, body| { #prologue #body }) };
        template!(|visibility, qualifiers, name, generics, parameters, output, where_clause, body|
            #visibility #qualifiers fn #name #generics (#parameters) #output #where_clause #body
        )
    }

    /// Has the body draw from what shows its draws, where a parameter is a `&mut Source`. What else is called `Source` is left as
    /// it is, by method resolution.
    pub fn show_draws(&mut self, krate: &TokenStream, errors: &mut Errors) {
        let mut sources = 0;
        for parameter in &self.parameters {
            let Some(name) = parameter.name.as_ref().filter(|_| parameter.is_source()) else { continue };
            sources += 1;
            if sources > 1 {
                let message =
                    "a body draws from one source: remove this one, or make another with `fork()` in the body";
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

const NOT_A_FUNCTION: &str = "a property is written as a function: `fn name(x: Type) -> bool { … }`";

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
            errors.at(start, "a property has no `self`: make the value a parameter with a name, `value: Type`");
            input.until(&|token| is(token, ","));
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
        let mut parameter =
            Self { attributes, pattern, name, ty, value_type, borrow, generator, annotations, serves_later };
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

    /// `#[forall(0..10)]`, `#[forall(with = 0..10, shrink |n| …)]`.
    fn read_generator(&mut self, input: &mut Input, at: Span) -> Result<()> {
        let is_key = matches!(input.peek(), Some(TokenTree::Ident(_)));
        if is_key && input.at_after(1, "=") && !input.at_after(1, "==") {
            input.word("a generator, as `#[forall(0..10)]`, or the key", &["with"])?;
            input.next();
        }
        self.generator = Some(input.expression(at, "a generator, such as `0..10`,")?);
        self.annotations = Annotation::read_all(input)?;
        if input.is_empty() { Ok(()) } else { Err(input.error("expected `,` or the end")) }
    }

    /// Whether it is a `&mut Source`, as far as its name tells.
    fn is_source(&self) -> bool {
        let last = self.value_type.clone().into_iter().last();
        self.generator.is_none()
            && self.borrow.to_string().ends_with("mut")
            && last.is_some_and(|last| is(&last, "Source"))
    }

    /// What the parameter is called in a report.
    pub fn text(&self) -> String {
        match &self.name {
            Some(name) => name.to_string(),
            None => text(&self.pattern),
        }
    }

    /// The pattern under which later parameters see this one, by reference.
    pub fn reference_pattern(&self) -> TokenStream {
        let rebinds = |token: &TokenTree| matches!(token.to_string().as_str(), "mut" | "ref" | "&" | "@");
        match &self.name {
            Some(name) => name.tokens(),
            None if flatten(self.pattern.clone()).iter().any(rebinds) => template!(_),
            None => self.pattern.clone(),
        }
    }
}

/// How a parameter of a type is handed over, and the type of the value that is generated for it.
fn owned(ty: &TokenStream, errors: &mut Errors) -> (TokenStream, TokenStream) {
    let mut input = Input::new(ty.clone());
    input.open();
    if input.at("impl") {
        let message = "a property has no type parameters: write the type that is to be tested";
        errors.push(Error::over(ty.clone(), message));
    }
    if input.eat("&").is_none() {
        return (TokenStream::new(), ty.clone());
    }
    if input.at("'") {
        let lifetime: TokenStream = input.take(2).into_iter().collect();
        let message = format!("a value lives for one test only: remove `{lifetime}`");
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

fn say_what_serves_later(parameters: &mut [Parameter]) {
    for index in 0..parameters.len() {
        let (before, later) = parameters.split_at_mut(index + 1);
        let Some(name) = before[index].name.as_ref().map(Ident::to_string) else { continue };
        for parameter in later {
            let mut tokens = parameter.generator.clone().unwrap_or_default();
            for annotation in &parameter.annotations {
                tokens.extend(annotation.value.clone());
            }
            before[index].serves_later |= flatten(tokens).iter().any(|token| is(token, &name));
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
