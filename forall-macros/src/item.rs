//! Items, as far as the macros need them: attributes, visibilities, generics, fields and variants. The compiler has
//! already parsed them, so errors are rare.

use crate::compiler::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use crate::parse::{Error, Input, Result, is};
use crate::template::{Piece, template};
use crate::tokens::is_named;

/// `#[name …]`.
pub struct Attribute {
    /// All tokens.
    tokens: TokenStream,
    /// The tokens in the brackets.
    pub content: TokenStream,
    /// The span of its path.
    pub span: Span,
    /// The path, if it is a single word.
    name: Option<Ident>,
    arguments: Option<Group>,
}

impl Attribute {
    pub fn read_all(input: &mut Input) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        loop {
            input.open_if(&|token| is(token, "#") || is(token, "pub"));
            let Some(pound) = input.eat("#") else { return Ok(all) };
            let brackets = input.group(Delimiter::Bracket).ok_or_else(|| input.error("expected `[…]`"))?;
            let mut content = Input::inside(&brackets);
            content.open();
            let span = content.span();
            let name = content.ident("the name of an attribute").ok().filter(|_| !content.at("::"));
            let arguments = match content.next() {
                Some(TokenTree::Group(group)) if name.is_some() => Some(group),
                _ => None,
            };
            let content = brackets.stream();
            let tokens = vec![pound, TokenTree::Group(brackets)].into_iter().collect();
            all.push(Self { tokens, content, span, name, arguments });
        }
    }

    pub fn is(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| is_named(own, name))
    }

    /// The path, with `::` between its words.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for token in self.content.clone() {
            match token {
                TokenTree::Ident(_) | TokenTree::Punct(_) => path += &token.to_string(),
                _ => break,
            }
        }
        path
    }

    /// The tokens in its parentheses, for any path.
    pub fn parenthesized(&self) -> Option<Input> {
        for token in self.content.clone() {
            if let TokenTree::Group(group) = token {
                return Some(Input::inside(&group));
            }
        }
        None
    }

    /// The tokens in its parentheses; `example` is for the error message.
    pub fn arguments(&self, example: &str) -> Result<Input> {
        self.arguments.as_ref().map(Input::inside).ok_or_else(|| {
            let name = self.name.as_ref().map(Ident::to_string).unwrap_or_default();
            Error::new(self.span, format!("`#[{name}]` needs arguments: `#[{name}({example})]`"))
        })
    }
}

impl Piece for Attribute {
    fn put(&self, tokens: &mut Vec<TokenTree>) {
        self.tokens.put(tokens);
    }
}

/// Nothing, `pub` or `pub(…)`.
pub fn visibility(input: &mut Input) -> TokenStream {
    input.open_if(&|token| is(token, "pub"));
    let mut tokens = TokenStream::new();
    let Some(public) = input.eat("pub") else { return tokens };
    tokens.extend(Some(public));
    // A field of a tuple struct may be `pub (A, B)`.
    if let Some(TokenTree::Group(group)) = input.peek()
        && group.delimiter() == Delimiter::Parenthesis
    {
        let inside: Vec<_> = group.stream().into_iter().collect();
        let word = inside.first().map(TokenTree::to_string).unwrap_or_default();
        if word == "in" || inside.len() == 1 && matches!(&*word, "crate" | "self" | "super") {
            tokens.extend(input.next());
        }
    }
    tokens
}

/// The input of a derive.
pub struct Item {
    pub attributes: Vec<Attribute>,
    pub visibility: TokenStream,
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    /// Including the `where` keyword.
    pub where_clause: TokenStream,
    pub data: Data,
}

pub enum Data {
    Struct(Fields),
    Enum(Vec<Variant>),
    /// With the span of `union`.
    Union(Span),
}

/// A parameter of a type.
pub struct Parameter {
    pub kind: Kind,
    /// Including the `'` of a lifetime.
    pub name: TokenStream,
    /// The tokens before its name: attributes, and `const`.
    before: TokenStream,
    /// Its bounds, or its type, including the `:`.
    bounds: TokenStream,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Lifetime,
    Type,
    Const,
}

pub struct Variant {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub fields: Fields,
}

pub struct Fields {
    pub style: Style,
    pub list: Vec<Field>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Unit,
    Tuple,
    Named,
}

pub struct Field {
    pub attributes: Vec<Attribute>,
    pub visibility: TokenStream,
    pub name: Option<Ident>,
    pub ty: TokenStream,
}

impl Item {
    pub fn read(tokens: TokenStream) -> Result<Self> {
        let mut input = Input::new(tokens);
        input.open();
        let attributes = Attribute::read_all(&mut input)?;
        let visibility = visibility(&mut input);
        input.open();
        let (kind, span) = input.word("a type", &["struct", "enum", "union"])?;
        let name = input.ident("the name of a type")?;
        let parameters = if input.at("<") { Parameter::read_all(&mut input)? } else { Vec::new() };
        let mut where_clause = where_clause(&mut input);
        let data = match kind {
            "struct" => Data::Struct(Fields::read(&mut input)?),
            "enum" => Data::Enum(match input.group(Delimiter::Brace) {
                Some(group) => Input::inside(&group).list(Variant::read)?,
                None => return Err(input.error("expected `{ … }`")),
            }),
            _ => Data::Union(span),
        };
        // The `where` clause of a tuple struct comes last.
        where_clause.extend(self::where_clause(&mut input));
        Ok(Self { attributes, visibility, name, parameters, where_clause, data })
    }
}

/// `where …`, up to a body or `;`.
pub fn where_clause(input: &mut Input) -> TokenStream {
    if !input.at("where") {
        return TokenStream::new();
    }
    input.until(&is_body)
}

/// Whether the token is `{…}`, or a macro fragment that is.
pub fn is_body(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if match group.delimiter() {
        Delimiter::None => group.stream().into_iter().next().is_some_and(|first| is_body(&first)),
        delimiter => delimiter == Delimiter::Brace,
    })
}

impl Parameter {
    /// `<'a, T: Bound = Default, const N: usize>`.
    fn read_all(input: &mut Input) -> Result<Vec<Self>> {
        input.expect("<")?;
        let mut parameters = Vec::new();
        while input.eat(">").is_none() {
            parameters.push(Self::read(input)?);
            if !input.at(">") {
                input.expect(",")?;
            }
        }
        Ok(parameters)
    }

    fn read(input: &mut Input) -> Result<Self> {
        let attributes = Attribute::read_all(input)?;
        let mut name = TokenStream::new();
        let (lifetime, constant) = (input.eat("'"), input.eat("const"));
        let kind = match (&lifetime, &constant) {
            (Some(_), _) => Kind::Lifetime,
            (_, Some(_)) => Kind::Const,
            _ => Kind::Type,
        };
        name.extend(lifetime);
        name.extend(Some(TokenTree::Ident(input.ident("the name of a parameter")?)));
        let ends = |token: &TokenTree| is(token, ",") || is(token, ">");
        let bounds = input.until(&|token| ends(token) || is(token, "="));
        if input.eat("=").is_some() {
            input.until(&ends);
        }
        let mut before = attributes.tokens();
        before.extend(constant);
        Ok(Self { kind, before, name, bounds })
    }

    /// As in an `impl`: without its default, and with an additional bound for a type.
    pub fn declaration(&self, bound: &TokenStream) -> TokenStream {
        let Self { before, name, bounds, kind } = self;
        let declared = template!(|before, name, bounds| #before #name #bounds);
        match bounds.clone().into_iter().last() {
            _ if *kind != Kind::Type => declared,
            None => template!(|declared, bound| #declared: #bound),
            Some(last) if is(&last, ":") || is(&last, "+") => template!(|declared, bound| #declared #bound),
            _ => template!(|declared, bound| #declared + #bound),
        }
    }
}

impl Variant {
    fn read(input: &mut Input) -> Result<Self> {
        let attributes = Attribute::read_all(input)?;
        visibility(input);
        let name = input.ident("the name of a variant")?;
        let fields = Fields::read(input)?;
        if let Some(equals) = input.eat("=") {
            input.expression(equals.span(), "a number")?;
        }
        Ok(Self { attributes, name, fields })
    }
}

impl Fields {
    pub fn read(input: &mut Input) -> Result<Self> {
        let (style, group) = match input.group(Delimiter::Brace) {
            Some(group) => (Style::Named, Some(group)),
            None => (Style::Tuple, input.group(Delimiter::Parenthesis)),
        };
        match group {
            Some(group) => Ok(Self { style, list: Input::inside(&group).list(|input| Field::read(input, style))? }),
            None => Ok(Self { style: Style::Unit, list: Vec::new() }),
        }
    }
}

impl Field {
    fn read(input: &mut Input, style: Style) -> Result<Self> {
        let attributes = Attribute::read_all(input)?;
        let visibility = visibility(input);
        let mut name = None;
        if style == Style::Named {
            name = Some(input.ident("the name of a field")?);
            input.expect(":")?;
        }
        Ok(Self { attributes, visibility, name, ty: input.until(&|token| is(token, ",")) })
    }
}
