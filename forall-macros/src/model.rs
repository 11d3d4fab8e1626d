//! What `#[derive(Arbitrary)]` reads: a type's variants and fields, with their `#[forall(…)]` attributes.

use crate::input::{Errors, at, expression, word};
use crate::shape::{self, Shape};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, Fields, LitInt, Member, Result, Token, Type};

/// A type to derive for. A struct is a type with one variant.
pub struct Model {
    pub krate: TokenStream,
    pub is_enum: bool,
    pub variants: Vec<Variant>,
}

pub struct Variant {
    /// The name: of the struct, or of the enum's variant.
    pub name: Ident,
    /// `Self` or `Self::Variant`.
    pub path: TokenStream,
    pub style: Style,
    pub fields: Vec<Field>,
    pub weight: Option<u32>,
    /// Never generated.
    pub skip: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Unit,
    Tuple,
    Named,
}

pub struct Field {
    pub member: Member,
    /// What the field is called in a pattern.
    pub binding: Ident,
    pub ty: Type,
    pub shape: Shape,
    pub role: Role,
}

pub enum Role {
    /// Drawn by its type.
    Plain,
    /// Drawn by this generator.
    With(TokenStream),
    /// Always the default.
    Skip,
    /// In a variant that is never generated.
    Unknown,
}

impl Field {
    pub fn is_plain(&self) -> bool {
        matches!(self.role, Role::Plain)
    }

    /// Whether it is drawn with a part of the size: it may hold more values of the type.
    pub fn is_child(&self) -> bool {
        self.shape != Shape::Closed && matches!(self.role, Role::Plain | Role::With(_))
    }
}

impl Variant {
    /// Whether nothing in it can recur.
    pub fn is_terminal(&self) -> bool {
        !self.fields.iter().any(Field::is_child)
    }

    /// Whether the type itself recurs in it.
    pub fn is_recursive(&self) -> bool {
        self.fields.iter().any(|field| field.is_child() && field.shape == Shape::Recursive)
    }

    /// Whether no collection in it holds values of the type: then there is at most one for each field.
    pub fn recurs_in_a_line(&self) -> bool {
        self.fields.iter().all(|field| field.shape != Shape::Recursive || shape::holds_at_most_one(&field.ty))
    }

    /// Among how many fields the size is shared. Where the type itself recurs, its parameters do not count.
    pub fn children(&self) -> u32 {
        let children = || self.fields.iter().filter(|field| field.is_child());
        children().filter(|field| !(self.is_recursive() && field.shape == Shape::Parameter)).count() as u32
    }

    /// A pattern that binds the fields that `wanted` picks.
    pub fn pattern(&self, wanted: impl Fn(&Field) -> bool) -> TokenStream {
        let path = &self.path;
        let fields = self
            .fields
            .iter()
            .filter(|field| wanted(field))
            .map(|Field { member, binding, .. }| quote!(#member: #binding,));
        quote!(#path { #(#fields)* .. })
    }
}

impl Model {
    pub fn of(input: &DeriveInput) -> Result<Self> {
        let mut errors = Errors::default();
        let container = Keys::read(&input.attrs, &["crate"], "of a type", &mut errors);
        if let Some(lifetime) = input.generics.lifetimes().next() {
            errors.at(
                lifetime.lifetime.span(),
                "Arbitrary makes owned values, so the type cannot borrow: own the data (`String` for `&str`, `Vec<T>` \
                 for `&[T]`), or draw a value to borrow from in the property",
            );
        }
        let mut variants = Vec::new();
        let is_enum = matches!(input.data, Data::Enum(_));
        match &input.data {
            Data::Struct(data) => {
                let mut variant = Variant::of(&input.ident, quote!(Self), &[], &data.fields, input, &mut errors);
                variant.skip = false;
                variants.push(variant);
            }
            Data::Enum(data) => {
                for variant in &data.variants {
                    let name = &variant.ident;
                    let path = quote!(Self::#name);
                    variants.push(Variant::of(name, path, &variant.attrs, &variant.fields, input, &mut errors));
                }
                if variants.is_empty() {
                    errors.at(
                        input.ident.span(),
                        format!("an enum without variants has no values to generate: give `{}` a variant", input.ident),
                    );
                } else if variants.iter().all(|variant| variant.skip) {
                    errors.at(
                        input.ident.span(),
                        "every variant is skipped or has weight 0: leave one that can be generated",
                    );
                }
            }
            Data::Union(data) => errors.at(
                data.union_token.span,
                "Arbitrary cannot be derived for a union: write `impl Arbitrary` by hand, with `fn arbitrary`",
            ),
        }
        errors.finish()?;
        let krate = container.krate.unwrap_or_else(|| quote!(::forall));
        Ok(Self { krate, is_enum, variants })
    }
}

impl Variant {
    fn of(
        name: &Ident,
        path: TokenStream,
        attributes: &[Attribute],
        fields: &Fields,
        input: &DeriveInput,
        errors: &mut Errors,
    ) -> Self {
        let keys = Keys::read(attributes, &["weight", "skip"], "of a variant", errors);
        let skip = keys.skip || keys.weight == Some(0);
        let style = match fields {
            Fields::Unit => Style::Unit,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Named(_) => Style::Named,
        };
        let fields = fields.members().zip(fields.iter()).enumerate().map(|(index, (member, field))| {
            let keys = Keys::read(&field.attrs, &["with", "skip"], "of a field", errors);
            let role = match keys {
                _ if skip => Role::Unknown,
                Keys { skip: true, .. } => Role::Skip,
                Keys { with: Some(generator), .. } => Role::With(generator),
                _ => Role::Plain,
            };
            let shape = shape::of(&field.ty, input);
            let binding = Ident::new(&format!("field_{index}"), at(&field.ty));
            Field { member, binding, ty: field.ty.clone(), shape, role }
        });
        let fields = fields.collect();
        Self { name: name.clone(), path, style, fields, weight: keys.weight, skip }
    }
}

/// The keys of `#[forall(…)]`, wherever it stands.
#[derive(Default)]
struct Keys {
    with: Option<TokenStream>,
    skip: bool,
    weight: Option<u32>,
    krate: Option<TokenStream>,
}

impl Keys {
    fn read(attributes: &[Attribute], known: &[&'static str], place: &str, errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("forall")) {
            let parsed = attribute.parse_args_with(|input: ParseStream| {
                while !input.is_empty() {
                    keys.read_one(input, known, place)?;
                    if !input.is_empty() {
                        input.parse::<Token![,]>()?;
                    }
                }
                Ok(())
            });
            errors.take(parsed);
        }
        if keys.with.is_some() && keys.skip {
            let span = attributes[0].pound_token.span;
            errors.at(span, "a field that is skipped is not generated: leave out `skip` or `with = …`");
        }
        keys
    }

    fn read_one(&mut self, input: ParseStream, known: &[&'static str], place: &str) -> Result<()> {
        let (key, span) = word(input, &format!("a key {place}"), known)?;
        let value = |example: &str| {
            let missing = format!("`{key}` needs a value: `{key} = {example}`");
            input.parse::<Token![=]>().map(|equals| equals.span).map_err(|_| syn::Error::new(span, missing))
        };
        match key {
            "skip" => self.skip = true,
            "with" => {
                let equals = value("0..10")?;
                self.with = Some(expression(input, equals, "a generator, such as `0..10`,")?);
            }
            "weight" => {
                value("3")?;
                let at = input.span();
                let number = input.parse().and_then(|number: LitInt| number.base10_parse());
                let message = "a weight is a whole number from 0 up, such as `weight = 3`";
                self.weight = Some(number.map_err(|_| syn::Error::new(at, message))?);
            }
            _ => {
                value("path")?;
                let path: syn::Path = input.parse()?;
                self.krate = Some(quote!(#path));
            }
        }
        Ok(())
    }
}
