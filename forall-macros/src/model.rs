//! The model of a type for `#[derive(Arbitrary)]`: variants and fields, with their `#[forall(…)]` attributes.

use crate::compiler::{Ident, Literal, Span, TokenStream, TokenTree};
use crate::item::{Attribute, Data, Fields, Item, Kind, Style};
use crate::parse::{Error, Errors, Input, Result, integer, literal, without};
use crate::shape::{self, Shape};
use crate::template::{Piece, each, template};
use crate::tokens::at;

/// The type. A struct has one variant.
pub struct Model {
    pub krate: TokenStream,
    pub is_enum: bool,
    pub variants: Vec<Variant>,
    pub reach: Reach,
    /// The name of the lazy twin, if one is wanted.
    pub twin: Option<Ident>,
}

/// Where all fields of a type are visible.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    Everywhere,
    /// In the crate.
    Crate,
    /// In the type's module; and, for `pub(super)` and the like, slightly beyond it.
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
    /// The name of the struct, or of the enum's variant.
    pub name: Ident,
    /// `Self` or `Self::Variant`.
    pub path: TokenStream,
    pub style: Style,
    pub fields: Vec<Field>,
    pub weight: Option<u32>,
    /// The depth of its fields relative to the whole, in a bounded search.
    pub depth: Option<u32>,
    /// Never generated.
    pub skip: bool,
}

pub struct Field {
    pub name: Option<Ident>,
    /// Its name or index.
    pub member: TokenStream,
    /// The variable for the field in a pattern.
    pub binding: Ident,
    pub visibility: TokenStream,
    pub ty: TokenStream,
    /// The type whose twin stands for it, if it is not its own.
    pub twin: Option<TokenStream>,
    pub shape: Shape,
    pub role: Role,
}

pub enum Role {
    /// Drawn from its type.
    Plain,
    /// Drawn from this generator.
    With(TokenStream),
    /// Always the default.
    Skip,
    /// In a variant that is not generated.
    Unknown,
}

impl Field {
    pub fn is_plain(&self) -> bool {
        matches!(self.role, Role::Plain)
    }

    /// Whether the field is generated.
    pub fn is_kept(&self) -> bool {
        !matches!(self.role, Role::Skip)
    }

    /// Whether the field is drawn with a part of the size, because it may contain values of the type.
    pub fn is_child(&self) -> bool {
        self.shape != Shape::Closed && matches!(self.role, Role::Plain | Role::With(_))
    }
}

impl Variant {
    /// Whether no field of the variant can recur.
    pub fn is_terminal(&self) -> bool {
        !self.fields.iter().any(Field::is_child)
    }

    /// Whether the type itself recurs in a field of the variant.
    pub fn is_recursive(&self) -> bool {
        self.fields.iter().any(|field| field.is_child() && field.shape == Shape::Recursive)
    }

    /// Whether no collection in the variant's fields contains values of the type: then there is at most one per field.
    pub fn recurs_in_a_line(&self) -> bool {
        self.fields.iter().all(|field| field.shape != Shape::Recursive || shape::holds_at_most_one(&field.ty))
    }

    /// The number of fields among which the size is divided. If the type itself recurs, its parameters do not count.
    pub fn children(&self) -> u32 {
        let is_recursive = self.is_recursive();
        let mut children = 0;
        for field in &self.fields {
            children += u32::from(field.is_child() && !(is_recursive && field.shape == Shape::Parameter));
        }
        children
    }

    /// The generated fields.
    pub fn kept(&self) -> Vec<&Field> {
        let mut kept = Vec::new();
        for field in &self.fields {
            if field.is_kept() {
                kept.push(field);
            }
        }
        kept
    }

    /// A pattern that binds the `wanted` fields.
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
        let container = Keys::read(&item.attributes, &["crate", "twin"], "of a type", &mut errors);
        let twin = container.twin.map(|twin| twin.name_of_type(&item.name, &mut errors));
        if let Some(lifetime) = item.parameters.iter().find(|parameter| parameter.kind == Kind::Lifetime) {
            errors.push(Error::over(
                lifetime.name.clone(),
                "Arbitrary generates owned values, so the type cannot borrow: own the data (`String` for `&str`, `Vec<T>` \
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
                        format!("an enum without variants has no values to generate: add a variant to `{}`", item.name),
                    );
                } else if variants.iter().all(|variant| variant.skip) {
                    errors.at(
                        item.name.span(),
                        "every variant is skipped or has weight 0: at least one must be generated",
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
        Ok(Self { krate, is_enum, variants, reach: Reach::of(item), twin })
    }
}

impl Model {
    /// Checks that the `twin` keys are consistent.
    pub fn check_twins(&self) -> Result<()> {
        for field in self.variants.iter().flat_map(|variant| &variant.fields) {
            if let (Some(other), None) = (&field.twin, &self.twin) {
                let message = "`twin = …` on a field needs `#[forall(twin)]` on the type";
                return Err(Error::over(other.clone(), message));
            }
        }
        Ok(())
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
            let keys = Keys::read(&field.attributes, &["with", "skip", "twin"], "of a field", errors);
            let twin = keys.twin.as_ref().and_then(|twin| twin.type_of_field(errors));
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
            let (visibility, ty) = (field.visibility.clone(), field.ty.clone());
            read.push(Field { name, member, binding, visibility, ty, twin, shape, role });
        }
        Self { name: name.clone(), path, style, fields: read, weight: keys.weight, depth: keys.depth, skip }
    }
}

/// The keys of `#[forall(…)]` on a type, a variant or a field.
#[derive(Default)]
struct Keys {
    with: Option<TokenStream>,
    skip: bool,
    weight: Option<u32>,
    depth: Option<u32>,
    krate: Option<TokenStream>,
    twin: Option<TwinKey>,
}

/// `twin`, or `twin = …`.
struct TwinKey {
    span: Span,
    value: Option<TokenStream>,
}

impl TwinKey {
    /// The name of the twin of a type.
    fn name_of_type(self, name: &Ident, errors: &mut Errors) -> Ident {
        let usual = Ident::new(&format!("{}Twin", name.to_string().trim_start_matches("r#")), name.span());
        let Some(value) = self.value else { return usual };
        let tokens: Vec<_> = value.clone().into_iter().collect();
        if let [TokenTree::Ident(name)] = &tokens[..] {
            return name.clone();
        }
        errors.push(Error::over(value, format!("expected the name of the twin: `twin = {usual}`")));
        usual
    }

    /// The type whose twin represents a field.
    fn type_of_field(&self, errors: &mut Errors) -> Option<TokenStream> {
        if self.value.is_none() {
            errors.at(self.span, "`twin` on a field needs a value, the twin to use for it: `twin = TypeTwin`");
        }
        self.value.clone()
    }
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
                let message = "a skipped field is not generated: remove `skip` or `with = …`";
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
        if key == "twin" {
            let value = input.eat("=").map(|_| input.ty()).transpose()?;
            self.twin = Some(TwinKey { span, value });
            return Ok(());
        }
        let missing = || Error::new(span, format!("`{key}` needs a value: `{key} = {}`", example(key)));
        let equals = input.expect("=").map_err(|_| missing())?;
        match key {
            "with" => self.with = Some(input.expression(equals, "a generator, such as `0..10`,")?),
            "weight" => {
                let message = "`weight` must be a non-negative integer, such as `weight = 3`";
                let value = input.expression(equals, "a whole number, such as `3`,")?;
                let weight = literal(&value).and_then(|literal| integer(&literal));
                self.weight = Some(weight.ok_or_else(|| Error::over(value, message))?);
            }
            "depth" => {
                let message =
                    "`depth` must be a non-negative integer: how much deeper the fields are than the whole value";
                let value = input.expression(equals, "a whole number, such as `0`,")?;
                let depth = literal(&value).and_then(|literal| integer(&literal));
                self.depth = Some(depth.ok_or_else(|| Error::over(value, message))?);
            }
            _ => self.krate = Some(input.path(equals)?),
        }
        Ok(())
    }
}

/// An example value for a key.
fn example(key: &str) -> &'static str {
    match key {
        "with" => "0..10",
        "weight" => "3",
        "depth" => "0",
        _ => "path",
    }
}
