//! What `#[derive(Arbitrary)]` reads: a type's variants and fields, with their `#[forall(…)]` attributes.

use crate::compiler::{Ident, Literal, TokenStream};
use crate::item::{Attribute, Data, Fields, Item, Kind, Style};
use crate::parse::{Error, Errors, Input, Result, integer, literal, without};
use crate::shape::{self, Shape};
use crate::template::{Piece, each, template};
use crate::tokens::at;

/// A type to derive for. A struct is a type with one variant.
pub struct Model {
    pub krate: TokenStream,
    pub is_enum: bool,
    pub variants: Vec<Variant>,
    pub reach: Reach,
}

/// Where all fields of a type can be named.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    Everywhere,
    /// In the crate.
    Crate,
    /// In the module of the type; and, for `pub(super)` and the like, somewhat beyond it.
    Module,
}

impl Reach {
    fn of(item: &Item) -> Self {
        let mut reach = Self::Everywhere;
        // The fields of an enum are as visible as the enum.
        let Data::Struct(fields) = &item.data else { return reach };
        for field in &fields.list {
            match without(' ', &field.visibility.to_string()).as_str() {
                "pub" => {}
                "pub(crate)" if reach == Self::Everywhere => reach = Self::Crate,
                "pub(crate)" => {}
                _ => reach = Self::Module,
            }
        }
        reach
    }
}

pub struct Variant {
    /// The name: of the struct, or of the enum's variant.
    pub name: Ident,
    /// `Self` or `Self::Variant`.
    pub path: TokenStream,
    pub style: Style,
    pub fields: Vec<Field>,
    pub weight: Option<u32>,
    /// How much less deep its fields are than the whole, in a bounded search.
    pub depth: Option<u32>,
    /// Never generated.
    pub skip: bool,
}

pub struct Field {
    pub name: Option<Ident>,
    /// Its name, or its number.
    pub member: TokenStream,
    /// What the field is called in a pattern.
    pub binding: Ident,
    pub ty: TokenStream,
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

    /// Whether it is a part of what the value is.
    pub fn is_kept(&self) -> bool {
        !matches!(self.role, Role::Skip)
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
        let is_recursive = self.is_recursive();
        let mut children = 0;
        for field in &self.fields {
            children += u32::from(field.is_child() && !(is_recursive && field.shape == Shape::Parameter));
        }
        children
    }

    /// The fields that are a part of what the value is.
    pub fn kept(&self) -> Vec<&Field> {
        let mut kept = Vec::new();
        for field in &self.fields {
            if field.is_kept() {
                kept.push(field);
            }
        }
        kept
    }

    /// A pattern that binds the fields that `wanted` picks.
    pub fn pattern(&self, wanted: &dyn Fn(&Field) -> bool) -> TokenStream {
        let path = &self.path;
        let fields = each(&self.fields, &|_, field @ Field { member, binding, .. }| match wanted(field) {
            true => template!(|member, binding| #member: #binding,),
            false => TokenStream::new(),
        });
        template!(|path, fields| #path { #fields .. })
    }
}

impl Model {
    pub fn of(item: &Item) -> std::result::Result<Self, Errors> {
        let mut errors = Errors::default();
        let container = Keys::read(&item.attributes, &["crate"], "of a type", &mut errors);
        if let Some(lifetime) = item.parameters.iter().find(|parameter| parameter.kind == Kind::Lifetime) {
            errors.push(Error::over(
                lifetime.name.clone(),
                "Arbitrary makes owned values, so the type cannot borrow: own the data (`String` for `&str`, `Vec<T>` \
                 for `&[T]`), or draw a value to borrow from in the property",
            ));
        }
        let mut variants = Vec::new();
        let is_enum = matches!(item.data, Data::Enum(_));
        match &item.data {
            Data::Struct(fields) => {
                let mut variant = Variant::of(&item.name, template!(Self), &[], fields, item, &mut errors);
                variant.skip = false;
                variants.push(variant);
            }
            Data::Enum(written) => {
                for variant in written {
                    let name = &variant.name;
                    let path = template!(|name| Self::#name);
                    variants.push(Variant::of(name, path, &variant.attributes, &variant.fields, item, &mut errors));
                }
                if variants.is_empty() {
                    errors.at(
                        item.name.span(),
                        format!("an enum without variants has no values to generate: give `{}` a variant", item.name),
                    );
                } else if variants.iter().all(|variant| variant.skip) {
                    errors.at(
                        item.name.span(),
                        "every variant is skipped or has weight 0: leave one that can be generated",
                    );
                }
            }
            Data::Union(span) => errors.at(
                *span,
                "Arbitrary cannot be derived for a union: write `impl Arbitrary` by hand, with `fn arbitrary`",
            ),
        }
        errors.finish()?;
        let krate = container.krate.unwrap_or_else(|| template!(::forall));
        Ok(Self { krate, is_enum, variants, reach: Reach::of(item) })
    }
}

impl Variant {
    fn of(
        name: &Ident,
        path: TokenStream,
        attributes: &[Attribute],
        fields: &Fields,
        item: &Item,
        errors: &mut Errors,
    ) -> Self {
        let keys = Keys::read(attributes, &["weight", "skip", "depth"], "of a variant", errors);
        let skip = keys.skip || keys.weight == Some(0);
        let style = fields.style;
        let mut read = Vec::new();
        for (index, field) in fields.list.iter().enumerate() {
            let keys = Keys::read(&field.attributes, &["with", "skip"], "of a field", errors);
            let role = match keys {
                _ if skip => Role::Unknown,
                Keys { skip: true, .. } => Role::Skip,
                Keys { with: Some(generator), .. } => Role::With(generator),
                _ => Role::Plain,
            };
            let shape = shape::of(&field.ty, item);
            let name = field.name.clone();
            let member = match &name {
                Some(name) => name.tokens(),
                None => Literal::usize_unsuffixed(index).tokens(),
            };
            let binding = Ident::new(&format!("field_{index}"), at(&field.ty));
            read.push(Field { name, member, binding, ty: field.ty.clone(), shape, role });
        }
        Self { name: name.clone(), path, style, fields: read, weight: keys.weight, depth: keys.depth, skip }
    }
}

/// The keys of `#[forall(…)]`, wherever it stands.
#[derive(Default)]
struct Keys {
    with: Option<TokenStream>,
    skip: bool,
    weight: Option<u32>,
    depth: Option<u32>,
    krate: Option<TokenStream>,
}

impl Keys {
    fn read(attributes: &[Attribute], known: &[&'static str], place: &str, errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for attribute in attributes {
            if !attribute.is("forall") {
                continue;
            }
            let arguments = attribute.arguments(&format!("{} = {}", known[0], example(known[0])));
            let read = arguments.and_then(|mut input| input.list(|input| keys.read_one(input, known, place)));
            errors.take(read);
            if keys.with.is_some() && keys.skip {
                let message = "a field that is skipped is not generated: leave out `skip` or `with = …`";
                errors.push(Error::over(attribute.content.clone(), message));
            }
        }
        keys
    }

    fn read_one(&mut self, input: &mut Input, known: &[&'static str], place: &str) -> Result<()> {
        let (key, span) = input.word(&format!("a key {place}"), known)?;
        if key == "skip" {
            self.skip = true;
            return Ok(());
        }
        let missing = || Error::new(span, format!("`{key}` needs a value: `{key} = {}`", example(key)));
        let equals = input.expect("=").map_err(|_| missing())?;
        match key {
            "with" => self.with = Some(input.expression(equals, "a generator, such as `0..10`,")?),
            "weight" => {
                let message = "a weight is a whole number from 0 up, such as `weight = 3`";
                let value = input.expression(equals, "a whole number, such as `3`,")?;
                let weight = literal(&value).and_then(|literal| integer(&literal));
                self.weight = Some(weight.ok_or_else(|| Error::over(value, message))?);
            }
            "depth" => {
                let message = "a depth is a whole number from 0 up: how much less deep fields may be than the whole";
                let value = input.expression(equals, "a whole number, such as `0`,")?;
                let depth = literal(&value).and_then(|literal| integer(&literal));
                self.depth = Some(depth.ok_or_else(|| Error::over(value, message))?);
            }
            _ => self.krate = Some(input.path(equals)?),
        }
        Ok(())
    }
}

/// What the value of a key can be.
fn example(key: &str) -> &'static str {
    match key {
        "with" => "0..10",
        "weight" => "3",
        "depth" => "0",
        _ => "path",
    }
}
