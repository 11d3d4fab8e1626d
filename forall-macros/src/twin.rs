//! Lazy twins: what `#[forall(twin)]` generates next to `#[derive(Arbitrary)]`, and `forall::twin!` for types of other
//! crates.
//!
//! A twin has the variants and fields of the plain type, each field as a `Lazy`. Its `Arbitrary` is implemented by the
//! methods that the derive generates for every type, from a model with other types.

#[cfg(test)]
mod tests;

use crate::compiler::{Delimiter, Ident, Literal, TokenStream, TokenTree};
use crate::derive::methods_of_twin;
use crate::item::{Attribute, Data, Fields, Item, Parameter, Style, Variant as Written, visibility};
use crate::model::{Field, Model, Role, Variant};
use crate::parse::{Error, Errors, Input, is};
use crate::template::{Piece, each, template};
use crate::tokens::{at, text};

/// The twin of a type that derives `Arbitrary`.
pub fn of_type(item: &Item, model: &Model, name: &Ident) -> TokenStream {
    let is_own = model.variants.iter().all(|variant| variant.fields.is_empty());
    let twin = Twin {
        item,
        model,
        name,
        plain: template!(Self),
        shown: item.name.to_string(),
        makers: Vec::new(),
        attributes: Vec::new(),
    };
    if is_own { twin.of_unit_variants() } else { twin.of_plain_type() }
}

/// `forall::twin! { pub enum ValueTwin for Value { Null, Number(i64) => |n| n.into(), … } }`, after the path of `forall` in brackets.
pub fn expand(input: TokenStream) -> TokenStream {
    foreign(&mut Input::new(input)).unwrap_or_else(|errors| errors.tokens())
}

const FORM: &str = "a twin is declared as `enum TypeTwin for path::Type { … }`, with the variants of `Type`";

fn foreign(input: &mut Input) -> Result<TokenStream, Errors> {
    let krate = input.group(Delimiter::Bracket).map(|group| group.stream()).unwrap_or_default();
    let attributes = Attribute::read_all(input)?;
    let visibility = visibility(input);
    let (kind, _) = input.word("a type", &["struct", "enum"]).map_err(|_| input.error(FORM))?;
    let name = input.ident("the name of the twin")?;
    if input.at("<") {
        return Err(input.error("a declared twin cannot be generic: write concrete types").into());
    }
    input.expect("for").map_err(|_| input.error(FORM))?;
    let plain = input.until(&|token| is(token, ";") || matches!(token, TokenTree::Group(_)));
    if plain.is_empty() {
        return Err(input.error(FORM).into());
    }
    let mut makers = Vec::new();
    let data = if kind == "struct" {
        let fields = Fields::read(input)?;
        makers.push(maker(input)?);
        input.eat(";");
        Data::Struct(fields)
    } else {
        let group = input.group(Delimiter::Brace).ok_or_else(|| input.error(FORM))?;
        Data::Enum(Input::inside(&group).list(|input| {
            let attributes = Attribute::read_all(input)?;
            let name = input.ident("the name of a variant")?;
            let fields = Fields::read(input)?;
            makers.push(maker(input)?);
            Ok(Written { attributes, name, fields })
        })?)
    };
    if !input.is_empty() {
        return Err(input
            .error("a `forall::twin!` declares one type: use another `forall::twin!` for the next one")
            .into());
    }
    let (parameters, where_clause) = (Vec::new(), TokenStream::new());
    let item = Item { attributes: Vec::new(), visibility, name: name.clone(), parameters, where_clause, data };
    let mut model = Model::of(&item)?;
    model.krate = krate;
    let shown = text(&plain);
    Ok(Twin { item: &item, model: &model, name: &name, plain, shown, makers, attributes }.of_foreign_type())
}

/// `=> |field, …| value`: how to build a variant that cannot be built by its name.
fn maker(input: &mut Input) -> Result<Option<TokenStream>, Error> {
    if !input.at("=>") {
        return Ok(None);
    }
    let span = input.span();
    input.take(2);
    let maker = input.expression(span, "a function of the fields, such as `|n| Type::new(n)`,")?;
    Ok(Some(maker))
}

struct Twin<'a> {
    item: &'a Item,
    model: &'a Model,
    name: &'a Ident,
    /// The plain type, in its own `impl`.
    plain: TokenStream,
    /// Its name in a report.
    shown: String,
    /// How each variant is made, if not by its name.
    makers: Vec<Option<TokenStream>>,
    /// The attributes of the declaration.
    attributes: Vec<Attribute>,
}

impl Twin<'_> {
    /// An enum without fields, which is its own twin.
    fn of_unit_variants(&self) -> TokenStream {
        let (krate, name) = (&self.model.krate, &self.item.name);
        let arms = each(&self.model.variants, &|_, Variant { path, .. }| template!(|path| #path { .. } => #path {},));
        let show = self.show_arms(&template!(Self), &self.model.variants);
        let (parameters, arguments, where_clause) = self.generics();
        template!(|krate, name, arms, show, parameters, arguments, where_clause|
            #krate::__with_twins! {
                #[allow(deprecated, unused, clippy::all, clippy::pedantic, clippy::nursery)]
                const _: () = {
                    use #krate::__private::twin as __twin;
                    #[automatically_derived]
                    impl<#parameters> __twin::Twin for #name<#arguments> #where_clause {
                        type Lazy = Self;
                        type Plain = Self;
                        fn plain(lazy: &Self) -> Self { match lazy { #arms } }
                        fn show(lazy: &Self, code: &mut __twin::Code) { match lazy { #show } }
                    }
                };
            }
        )
    }

    fn of_plain_type(&self) -> TokenStream {
        let name = &self.item.name;
        let (parameters, arguments, where_clause) = self.generics();
        let twin = self.name;
        let plain = template!(|name, arguments| #name<#arguments>);
        let twin_type = template!(|twin, arguments| #twin<#arguments>);
        let methods = self.conversions();
        let instance = template!(|parameters, plain, where_clause, twin_type, methods|
            #[automatically_derived]
            impl<#parameters> __twin::Twin for #plain #where_clause {
                type Lazy = #twin_type;
                type Plain = Self;
                #methods
            }
        );
        self.all(&plain, &plain, &instance)
    }

    fn of_foreign_type(&self) -> TokenStream {
        let (twin, plain) = (self.name, &self.plain);
        let methods = Self { plain: template!(__ForallPlain), ..self.shallow() }.conversions();
        let instance = template!(|plain, twin, methods|
            type __ForallPlain = #plain;
            #[automatically_derived]
            impl __twin::Twin for #twin {
                type Lazy = Self;
                type Plain = #plain;
                #methods
            }
        );
        self.all(plain, &twin.tokens(), &instance)
    }

    fn shallow(&self) -> Self {
        let Self { item, model, name, ref plain, ref shown, ref makers, .. } = *self;
        Self {
            item,
            model,
            name,
            plain: plain.clone(),
            shown: shown.clone(),
            makers: makers.clone(),
            attributes: Vec::new(),
        }
    }

    /// The parameters as an `impl` declares them, as arguments, and the `where` clause.
    fn generics(&self) -> (TokenStream, TokenStream, TokenStream) {
        let krate = &self.model.krate;
        let parameters = each(&self.item.parameters, &|_, parameter| {
            let name = &parameter.name;
            let bound = template!(|krate, name| #krate::lazy::Twin<Plain = #name>);
            let declaration = parameter.declaration(&bound);
            template!(|declaration| #declaration,)
        });
        let arguments = each(&self.item.parameters, &|_, Parameter { name, .. }| template!(|name| #name,));
        (parameters, arguments, self.item.where_clause.clone())
    }

    /// The type and its impls. `declares` is the type whose `Twin::Lazy` is this twin.
    fn all(&self, plain: &TokenStream, declares: &TokenStream, instance: &TokenStream) -> TokenStream {
        let (krate, name, attributes) = (&self.model.krate, self.name, &self.attributes);
        let visibility = &self.item.visibility;
        let model = self.lazy_model();
        let declaration = self.declaration(&model);
        let methods = methods_of_twin(name, &model);
        let clones = each(&model.variants, &|_, variant| {
            let (pattern, path) = (variant.pattern(&|_| true), &variant.path);
            let fields = each(
                &variant.fields,
                &|_, Field { member, binding, .. }| template!(|member, binding| #member: #binding.clone(),),
            );
            template!(|pattern, path, fields| #pattern => #path { #fields },)
        });
        let (parameters, arguments, where_clause) = self.generics();
        let about = if self.attributes.iter().any(|attribute| attribute.is("doc")) {
            TokenStream::new()
        } else {
            template!(#[doc = "A lazy twin: the plain type, with fields that are decided when they are read."])
        };
        template!(|krate, about, attributes, declaration, parameters, name, arguments, where_clause, methods, clones, declares, visibility,
                   plain, instance|
            #krate::__with_twins! {
                #about
                #attributes
                #[allow(dead_code, missing_docs, private_interfaces, private_bounds)]
                #declaration
                #[allow(deprecated, unused, irrefutable_let_patterns, private_interfaces, private_bounds, clippy::all, clippy::pedantic, clippy::nursery)]
                const _: () = {
                    use #krate::__private::derive as __forall;
                    use #krate::__private::twin as __twin;
                    use __forall::prelude::*;
                    #instance
                    #[automatically_derived]
                    impl<#parameters> __forall::Arbitrary for #name<#arguments> #where_clause { #methods }
                    #[automatically_derived]
                    impl<#parameters> ::core::clone::Clone for #name<#arguments> #where_clause {
                        fn clone(&self) -> Self { match self { #clones } }
                    }
                    #[automatically_derived]
                    impl<#parameters> ::core::fmt::Debug for #name<#arguments> #where_clause {
                        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                            __twin::debug::<#declares>(self, f)
                        }
                    }
                    impl<#parameters> #name<#arguments> #where_clause {
                        #[doc = "Converts the twin into the plain value. Decides all of it."]
                        #visibility fn plain(&self) -> #plain { <#declares as __twin::Twin>::plain(self) }
                    }
                };
            }
        )
    }

    /// The declaration of the twin.
    fn declaration(&self, model: &Model) -> TokenStream {
        let (visibility, name) = (&self.item.visibility, self.name);
        let (parameters, _, where_clause) = self.generics();
        let body = |variant: &Variant| {
            let fields = each(&variant.fields, &|_, Field { name, visibility, ty, .. }| {
                // The fields of an enum are as visible as the enum.
                let visibility = if model.is_enum { TokenStream::new() } else { visibility.clone() };
                match name {
                    Some(name) => template!(|visibility, name, ty| #visibility #name: #ty,),
                    None => template!(|visibility, ty| #visibility #ty,),
                }
            });
            match variant.style {
                Style::Unit => TokenStream::new(),
                Style::Tuple => template!(|fields| (#fields)),
                Style::Named => template!(|fields| { #fields }),
            }
        };
        if model.is_enum {
            let variants = each(&model.variants, &|_, variant| {
                let (name, body) = (&variant.name, body(variant));
                template!(|name, body| #name #body,)
            });
            return template!(|visibility, name, parameters, where_clause, variants|
                #visibility enum #name<#parameters> #where_clause { #variants }
            );
        }
        let (only, written) = (&model.variants[0], body(&model.variants[0]));
        match only.style {
            Style::Named => template!(|visibility, name, parameters, where_clause, written|
                #visibility struct #name<#parameters> #where_clause #written
            ),
            _ => template!(|visibility, name, parameters, where_clause, written|
                #visibility struct #name<#parameters> #written #where_clause;
            ),
        }
    }

    /// The model of the twin: the fields that are generated, each lazy.
    fn lazy_model(&self) -> Model {
        let Model { krate, is_enum, variants, reach, .. } = self.model;
        let mut lazy = Vec::new();
        for variant in variants.iter().filter(|variant| !variant.skip) {
            let mut fields = Vec::new();
            for field in variant.kept() {
                fields.push(field.in_twin(krate, fields.len()));
            }
            lazy.push(Variant {
                name: variant.name.clone(),
                path: variant.path.clone(),
                style: variant.style,
                fields,
                weight: variant.weight,
                depth: variant.depth,
                skip: false,
            });
        }
        Model { krate: krate.clone(), is_enum: *is_enum, variants: lazy, reach: *reach, twin: None }
    }

    /// The methods of `Twin`.
    fn conversions(&self) -> TokenStream {
        let twin = self.name;
        let (plain, is_enum) = (&self.plain, self.model.is_enum);
        let mut arms = TokenStream::new();
        for (index, variant) in self.model.variants.iter().enumerate() {
            if variant.skip {
                continue;
            }
            let name = &variant.name;
            let path = if is_enum { template!(|plain, name| #plain::#name) } else { plain.clone() };
            let own = if is_enum { template!(|twin, name| #twin::#name) } else { twin.tokens() };
            let pattern = pattern_of_twin(&own, variant);
            let value = match self.makers.get(index).cloned().flatten() {
                Some(maker) => {
                    let values = each(&variant.kept(), &|_, field| {
                        let value = field.plain();
                        template!(|value| #value,)
                    });
                    template!(at at(&maker), |maker, values| (#maker)(#values))
                }
                None => {
                    let fields = each(&variant.fields, &|_, field| {
                        let (member, value) = (&field.member, field.plain());
                        template!(|member, value| #member: #value,)
                    });
                    template!(|path, fields| #path { #fields })
                }
            };
            arms.extend(template!(|pattern, value| #pattern => #value,));
        }
        let show = self.show_arms(&twin.tokens(), &self.model.variants);
        template!(|arms, show|
            fn plain(lazy: &<Self as __twin::Twin>::Lazy) -> <Self as __twin::Twin>::Plain { match lazy { #arms } }
            fn show(lazy: &<Self as __twin::Twin>::Lazy, code: &mut __twin::Code) { match lazy { #show } }
        )
    }

    /// How each variant is printed: as code of the plain type.
    fn show_arms(&self, twin: &TokenStream, variants: &[Variant]) -> TokenStream {
        each(variants, &|_, variant| {
            if variant.skip && !variant.fields.is_empty() {
                return TokenStream::new();
            }
            let (name, is_enum) = (&variant.name, self.model.is_enum);
            let own = if is_enum { template!(|twin, name| #twin::#name) } else { twin.clone() };
            let pattern = pattern_of_twin(&own, variant);
            let shown = if is_enum { format!("{}::{name}", self.shown) } else { self.shown.clone() };
            let (open, close) = match variant.style {
                Style::Unit => ("", ""),
                Style::Tuple => ("(", ")"),
                Style::Named => (" { ", " }"),
            };
            let (start, close) = (format!("{shown}{open}"), close.to_owned());
            let fields = each(&variant.fields, &|index, field @ Field { name, role, binding, .. }| {
                let separator = if index == 0 { "" } else { ", " };
                let before = match name {
                    Some(name) => format!("{separator}{name}: "),
                    None => separator.to_owned(),
                };
                let ty = field.twin.as_ref().unwrap_or(&field.ty);
                let value = match role {
                    Role::Skip => template!(code.push("Default::default()");),
                    Role::With(_) if field.twin.is_none() => {
                        template!(|binding| __forall::probe!(&**#binding).probe_print(code);)
                    }
                    _ => template!(|ty, binding| __twin::show_cell::<#ty>(#binding, code);),
                };
                template!(|before, value| code.push(#before); #value)
            });
            template!(|pattern, start, fields, close| #pattern => { code.push(#start); #fields code.push(#close); })
        })
    }
}

/// A pattern of a variant of the twin, with the bindings of the plain type's fields.
fn pattern_of_twin(path: &TokenStream, variant: &Variant) -> TokenStream {
    let fields = each(&variant.kept(), &|index, Field { name, binding, .. }| {
        let member = match name {
            Some(name) => name.tokens(),
            None => Literal::usize_unsuffixed(index).tokens(),
        };
        template!(|member, binding| #member: #binding,)
    });
    template!(|path, fields| #path { #fields })
}

impl Field {
    /// The field as it appears in the twin, where it has the index `index`.
    fn in_twin(&self, krate: &TokenStream, index: usize) -> Self {
        let (of, place) = (self.twin.as_ref().unwrap_or(&self.ty), at(&self.ty));
        let (ty, role) = match &self.role {
            // An explicitly named twin takes precedence over a generator of plain values.
            Role::With(generator) if self.twin.is_none() => {
                let role = Role::With(template!(at at(generator), |krate, generator|
                    #krate::__private::twin::decided(#generator)
                ));
                (template!(at place, |krate, of| #krate::lazy::Lazy<#of>), role)
            }
            _ => {
                let ty = template!(at place, |krate, of| #krate::lazy::Lazy<<#of as #krate::lazy::Twin>::Lazy>);
                (ty, Role::Plain)
            }
        };
        let member = match &self.name {
            Some(name) => name.tokens(),
            None => Literal::usize_unsuffixed(index).tokens(),
        };
        let (name, binding, visibility) = (self.name.clone(), self.binding.clone(), self.visibility.clone());
        Self { name, member, binding, visibility, ty, twin: None, shape: self.shape, role }
    }

    /// The plain value of the field, from that of the twin.
    fn plain(&self) -> TokenStream {
        let (binding, ty) = (&self.binding, &self.ty);
        match &self.role {
            Role::Skip => template!(at at(ty), |ty| <#ty as ::core::default::Default>::default()),
            Role::With(_) if self.twin.is_none() => {
                template!(at at(ty), |ty, binding| <#ty as ::core::clone::Clone>::clone(#binding))
            }
            _ => {
                let of = self.twin.as_ref().unwrap_or(ty);
                template!(at at(of), |of, binding| <#of as __twin::Twin>::plain(#binding))
            }
        }
    }
}
