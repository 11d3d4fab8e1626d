//! Reading the function under an attribute. Its body passes through untouched.

use crate::input::{Errors, expression, text};
use crate::quantifier::Annotation;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Generics, Result, ReturnType, Token, Type, Visibility, WhereClause};

pub struct Function {
    pub attributes: Vec<Attribute>,
    pub examples: Vec<Example>,
    pub visibility: Visibility,
    /// What stands between the visibility and `fn`.
    qualifiers: TokenStream,
    pub name: Ident,
    generics: Generics,
    pub parameters: Vec<Parameter>,
    pub output: ReturnType,
    where_clause: Option<WhereClause>,
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
    pub ty: Type,
    pub generator: Option<TokenStream>,
    pub annotations: Vec<Annotation>,
}

impl Function {
    pub fn read(item: TokenStream, errors: &mut Errors) -> Result<Self> {
        let read = |input: ParseStream| {
            let mut function = Self::parse(input, errors)?;
            function.take_examples(errors);
            Ok(function)
        };
        read.parse2(item)
    }

    fn parse(input: ParseStream, errors: &mut Errors) -> Result<Self> {
        let attributes = Attribute::parse_outer(input)?;
        let visibility = input.parse()?;
        let mut qualifiers = TokenStream::new();
        while !input.peek(Token![fn]) {
            let token: TokenTree = input.parse().map_err(|error| syn::Error::new(error.span(), NOT_A_FUNCTION))?;
            match token.to_string().as_str() {
                "const" => {}
                "async" => errors.at(
                    token.span(),
                    "the body of a property is not async: remove `async`, and run the future in the body, for example \
                     with `block_on`",
                ),
                "unsafe" | "extern" => errors.at(
                    token.span(),
                    format!(
                        "a property is a safe function of Rust: remove `{token}`, and call what needs it in the body"
                    ),
                ),
                "struct" | "enum" | "mod" | "impl" | "trait" | "use" | "static" | "type" => {
                    return Err(syn::Error::new(token.span(), NOT_A_FUNCTION));
                }
                _ => {}
            }
            qualifiers.append(token);
        }
        input.parse::<Token![fn]>()?;
        let name: Ident = input.parse()?;
        let generics: Generics = input.parse()?;
        if !generics.params.is_empty() {
            errors.at(
                generics.params.span(),
                "a property has no type parameters: write the types that are to be tested, or a macro that writes a \
                 property for each",
            );
        }
        let list;
        syn::parenthesized!(list in input);
        let mut parameters = Vec::new();
        while !list.is_empty() {
            if let Some(parameter) = Parameter::parse(&list, errors)? {
                parameters.push(parameter);
            }
            if !list.is_empty() {
                list.parse::<Token![,]>()?;
            }
        }
        let output = input.parse()?;
        let where_clause = input.parse()?;
        let body: Group = input.parse().map_err(|error| syn::Error::new(error.span(), "a property needs a body"))?;
        Ok(Self {
            attributes,
            examples: Vec::new(),
            visibility,
            qualifiers,
            name,
            generics,
            parameters,
            output,
            where_clause,
            body,
        })
    }

    fn take_examples(&mut self, errors: &mut Errors) {
        let (examples, attributes) = std::mem::take(&mut self.attributes)
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("example"));
        self.attributes = attributes;
        let examples: Vec<Attribute> = examples;
        for attribute in examples {
            let read = |input: ParseStream| {
                let mut arguments = Vec::new();
                while !input.is_empty() {
                    arguments.push(expression(input, input.span(), "an argument")?);
                    if !input.is_empty() {
                        input.parse::<Token![,]>()?;
                    }
                }
                Ok(arguments)
            };
            let Some(arguments) = errors.take(attribute.parse_args_with(read)) else { continue };
            let (given, wanted) = (arguments.len(), self.parameters.len());
            if given == wanted {
                self.examples.push(Example { arguments });
            } else {
                let s = if wanted == 1 { "" } else { "s" };
                let names: Vec<_> = self.parameters.iter().map(Parameter::text).collect();
                let message = format!(
                    "this example has {given} argument{}, but `{}` has {wanted} parameter{s}: `#[example({})]`",
                    if given == 1 { "" } else { "s" },
                    self.name,
                    names.join(", ")
                );
                errors.at(attribute.meta.span(), message);
            }
        }
    }

    /// The function under a name, without its attributes.
    pub fn item(&self, visibility: &dyn ToTokens, name: &Ident) -> TokenStream {
        let Self { qualifiers, generics, parameters, output, where_clause, body, .. } = self;
        let parameters =
            parameters.iter().map(|Parameter { attributes, pattern, ty, .. }| quote!(#(#attributes)* #pattern: #ty));
        quote!(#visibility #qualifiers fn #name #generics (#(#parameters),*) #output #where_clause #body)
    }
}

const NOT_A_FUNCTION: &str = "a property is written as a function: `fn name(x: Type) -> bool { … }`";

impl Parameter {
    fn parse(input: ParseStream, errors: &mut Errors) -> Result<Option<Self>> {
        let all = Attribute::parse_outer(input)?;
        let mut pattern = TokenStream::new();
        let start = input.span();
        while !input.is_empty() && !input.peek(Token![,]) && (!input.peek(Token![:]) || input.peek(Token![::])) {
            if input.peek(Token![::]) {
                input.parse::<Token![::]>()?.to_tokens(&mut pattern);
            } else {
                pattern.append(input.parse::<TokenTree>()?);
            }
        }
        let tokens: Vec<TokenTree> = pattern.clone().into_iter().collect();
        if tokens.iter().any(|token| token.to_string() == "self") {
            errors.at(start, "a property has no `self`: make the value a parameter with a name, `value: Type`");
            if input.peek(Token![:]) {
                input.parse::<Token![:]>()?;
                input.parse::<Type>()?;
            }
            return Ok(None);
        }
        input
            .parse::<Token![:]>()
            .map_err(|error| syn::Error::new(error.span(), "a parameter needs a type: `name: Type`"))?;
        let ty: Type = input.parse()?;
        let name = match &tokens[..] {
            [TokenTree::Ident(name)] if name != "_" => Some(name.clone()),
            [TokenTree::Ident(mutable), TokenTree::Ident(name)] if mutable == "mut" => Some(name.clone()),
            _ => None,
        };
        let mut parameter =
            Self { attributes: Vec::new(), pattern, name, ty, generator: None, annotations: Vec::new() };
        for attribute in all {
            if attribute.path().is_ident("forall") {
                let at = attribute.path().span();
                errors.take(attribute.parse_args_with(|input: ParseStream| parameter.read_generator(input, at)));
            } else {
                parameter.attributes.push(attribute);
            }
        }
        Ok(Some(parameter))
    }

    /// `#[forall(0..10)]`, `#[forall(with = 0..10, shrink |n| …)]`.
    fn read_generator(&mut self, input: ParseStream, at: Span) -> Result<()> {
        if input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
            crate::input::word(input, "a generator, as `#[forall(0..10)]`, or the key", &["with"])?;
            input.parse::<Token![=]>()?;
        }
        self.generator = Some(expression(input, at, "a generator, such as `0..10`,")?);
        self.annotations = Annotation::read_all(input)?;
        if input.is_empty() { Ok(()) } else { Err(input.error("expected `,` or the end")) }
    }

    /// What the parameter is called in a report.
    pub fn text(&self) -> String {
        self.name.as_ref().map_or_else(|| text(&self.pattern), Ident::to_string)
    }

    /// The type of the value that is generated for the parameter: owned, where the parameter borrows.
    pub fn value_type(&self, errors: &mut Errors) -> Type {
        let Type::Reference(reference) = &self.ty else {
            if let Type::ImplTrait(_) = self.ty {
                errors.at(self.ty.span(), "a property has no type parameters: write the type that is to be tested");
            }
            return self.ty.clone();
        };
        if let Some(lifetime) = &reference.lifetime {
            errors.at(lifetime.span(), format!("a value lives for one test only: remove `{lifetime}`"));
        }
        let owned = match &*reference.elem {
            Type::Slice(slice) => {
                let element = &slice.elem;
                quote!(::std::vec::Vec<#element>)
            }
            Type::Path(path) if path.path.is_ident("str") => quote!(::std::string::String),
            other => other.to_token_stream(),
        };
        syn::parse2(owned).unwrap_or_else(|_| self.ty.clone())
    }

    /// How the generated value is handed over: `&`, `&mut` or as it is.
    pub fn borrow(&self) -> TokenStream {
        match &self.ty {
            Type::Reference(reference) if reference.mutability.is_some() => quote!(&mut),
            Type::Reference(_) => quote!(&),
            _ => TokenStream::new(),
        }
    }

    /// The pattern under which later parameters see this one, by reference.
    pub fn reference_pattern(&self) -> TokenStream {
        let rebinds = |token: TokenTree| matches!(token.to_string().as_str(), "mut" | "ref" | "&" | "@");
        match &self.name {
            Some(name) => name.to_token_stream(),
            None if flatten(self.pattern.clone()).into_iter().any(rebinds) => quote!(_),
            None => self.pattern.clone(),
        }
    }
}

fn flatten(tokens: TokenStream) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => flat.extend(flatten(group.stream())),
            other => flat.push(other),
        }
    }
    flat
}
