//! `#[derive(Arbitrary)]`: one method of the trait after the other.
//!
//! What is written here is instantiated in users' crates, so it is short: what need not know the type is in
//! `forall::__private`. Only `arbitrary` asks that a field is `Arbitrary`, so that the compiler says once that one is
//! not; the other methods try what the field's type can do.

use crate::item::{Item, Style};
use crate::model::{Field, Model, Role, Variant};
use crate::parse::{Error, Errors};
use crate::shape::Own;
use crate::tokens::{at, hidden};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

pub fn expand(input: TokenStream) -> TokenStream {
    derive(input).unwrap_or_else(Errors::into_token_stream)
}

fn derive(input: TokenStream) -> Result<TokenStream, Errors> {
    let item = Item::read(input)?;
    let model = Model::of(&item)?;
    let (name, krate) = (&item.name, &model.krate);
    let arguments: Vec<_> = item.parameters.iter().map(|parameter| &parameter.name).collect();
    let own = Own { name, arguments: arguments.iter().map(ToString::to_string).collect() };
    if model.variants.iter().filter(|variant| !variant.skip).all(|variant| is_endless(variant, &own)) {
        let message = format!(
            "`{name}` has no finite value, because each contains another one: put the inner one into an `Option` or a \
             `Vec`, or add a variant without it"
        );
        return Err(Error::new(name.span(), message).into());
    }
    let bound = quote!(#krate::generate::Arbitrary);
    let parameters = item.parameters.iter().map(|parameter| parameter.declaration(&bound));
    let where_clause = &item.where_clause;
    let derive = Derive { name, own, model: &model, source: hidden("source") };
    let methods = [
        derive.arbitrary(),
        derive.shrink(),
        derive.duplicate(),
        derive.print(),
        derive.mutate(),
        derive.visit(),
        derive.height(),
    ];
    Ok(quote! {
        #[allow(deprecated, unused, irrefutable_let_patterns, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #krate::__private::derive as __forall;
            use __forall::prelude::*;
            #[automatically_derived]
            impl<#(#parameters),*> #krate::generate::Arbitrary for #name<#(#arguments),*> #where_clause { #(#methods)* }
        };
    })
}

/// Whether every value of the variant contains another value of the type.
fn is_endless(variant: &Variant, own: &Own) -> bool {
    variant.fields.iter().any(|field| field.is_plain() && own.is_inside_every(&field.ty))
}

struct Derive<'a> {
    name: &'a Ident,
    own: Own<'a>,
    model: &'a Model,
    source: Ident,
}

impl Derive<'_> {
    fn arbitrary(&self) -> TokenStream {
        let source = &self.source;
        let variants = self.generated();
        let body = match &variants[..] {
            [only] => {
                let value = self.construct(only);
                // A type with one constructor has no way out when the size is spent: it ends only if its fields do.
                let check =
                    (only.children() > 0).then(|| quote!(if #source.size() == 0 { __forall::must_end::<Self>(); }));
                quote!({ #check #value })
            }
            _ => {
                let arms = variants.iter().enumerate().map(|(index, variant)| {
                    let value = self.construct(variant);
                    let index = (index + 1 < variants.len()).then_some(index).map_or(quote!(_), |index| quote!(#index));
                    quote!(#index => { #value })
                });
                let pick = self.pick();
                quote!(match #pick { #(#arms)* })
            }
        };
        let drawn =
            variants.iter().flat_map(|variant| &variant.fields).filter(|field| !matches!(field.role, Role::Skip));
        let body = if drawn.count() + usize::from(variants.len() > 1) > 1 {
            let label = label(self.name);
            quote! {
                __forall::open_span(#source, #label);
                let value = #body;
                __forall::close_span(#source);
                value
            }
        } else {
            body
        };
        let is_recursive = variants.iter().any(|variant| variant.is_recursive());
        let inline = if self.model.is_enum || is_recursive { quote!(#[inline]) } else { quote!(#[inline(always)]) };
        quote! {
            #inline
            fn arbitrary(#source: &mut __forall::Source) -> Self { #body }
        }
    }

    /// The variants that are generated; those with fewer fields are simpler, so they come first.
    fn generated(&self) -> Vec<&Variant> {
        let mut variants: Vec<_> = self.model.variants.iter().filter(|variant| !variant.skip).collect();
        variants.sort_by_key(|variant| variant.fields.len());
        variants
    }

    /// Draws which of the generated variants, by number.
    fn pick(&self) -> TokenStream {
        let source = &self.source;
        let variants = self.generated();
        let all_terminal = variants.iter().all(|variant| variant.is_terminal());
        if all_terminal && variants.iter().all(|variant| variant.weight.is_none()) {
            let count = variants.len();
            return quote!(__forall::uniform(#source, #count));
        }
        let weights = weights(&variants);
        let heights = self.heights();
        let slowly = quote! {
            __forall::pick_variant(#source, &[#(#weights),*], || __forall::Heights::of_constructors(#heights))
        };
        // The same choice, spelt out for the random mode.
        let all = pick_by_weight(source, weights.iter().copied().enumerate());
        let terminal = |index: &usize| variants[*index].is_terminal();
        let known = variants.iter().all(|variant| variant.is_terminal() || variant.is_recursive());
        if known && (0..variants.len()).any(|index| terminal(&index)) {
            let ends = weights.iter().copied().enumerate().filter(|(index, _)| terminal(index));
            let ends = pick_by_weight(source, ends);
            quote!(if !#source.is_random() { #slowly } else if #source.size() > 0 { #all } else { #ends })
        } else {
            quote!(if #source.is_random() && #source.size() > 0 { #all } else { #slowly })
        }
    }

    /// The arguments of the methods of `Heights`: the name of the type, and a function for each variant.
    fn heights(&self) -> TokenStream {
        let variants = self.generated().into_iter().map(|variant| {
            let types =
                variant.fields.iter().filter(|field| field.is_child() && field.is_plain()).map(|field| &field.ty);
            quote! {
                |_heights| {
                    let highest = 0;
                    #(let highest = __forall::max(highest, <#types as __forall::Arbitrary>::height(_heights));)*
                    highest
                }
            }
        });
        quote!(::core::any::type_name::<Self>(), &[#(#variants),*])
    }

    /// The value of a variant, its fields drawn in order.
    fn construct(&self, variant: &Variant) -> TokenStream {
        let (source, size, path) = (&self.source, hidden("size"), &variant.path);
        let children = variant.children();
        // Where every field gets a part of the size, the size is set once.
        let together = variant.fields.iter().all(|field| field.is_child() || matches!(field.role, Role::Skip));
        let fields = variant.fields.iter().map(|field| {
            let (member, draw) = (&field.member, self.draw(field));
            if field.is_child() && !together {
                quote!(#member: #source.with_size(#size, |#source| #draw))
            } else {
                quote!(#member: #draw)
            }
        });
        let value = quote!(#path { #(#fields),* });
        match (children, together) {
            (0, _) => value,
            (_, true) => quote! {{
                let #size = __forall::child_size(#source.size(), #children);
                #source.with_size(#size, |#source| #value)
            }},
            (_, false) => quote! {{
                let #size = __forall::child_size(#source.size(), #children);
                #value
            }},
        }
    }

    fn draw(&self, Field { ty, role, .. }: &Field) -> TokenStream {
        let source = &self.source;
        match role {
            Role::Skip => quote_spanned!(at(ty)=> <#ty as ::core::default::Default>::default()),
            Role::With(generator) => quote_spanned! {at(generator)=> {
                let value: #ty = __forall::draw(#generator, #source);
                value
            }},
            _ => quote_spanned!(at(ty)=> <#ty as __forall::Arbitrary>::arbitrary(#source)),
        }
    }

    fn shrink(&self) -> TokenStream {
        let units: Vec<_> =
            self.generated().into_iter().filter(|v| self.model.is_enum && v.fields.is_empty()).collect();
        let arms = self.model.variants.iter().map(|variant| {
            // To a child of the same type, to a variant without fields, and then field by field.
            let pattern = variant.pattern(Field::is_plain);
            let plain = variant.fields.iter().filter(|field| field.is_plain());
            let children = plain.clone().map(|Field { binding, ty, .. }| {
                self.own.children(
                    ty,
                    &binding.to_token_stream(),
                    &|place| quote!(shrinks.candidate(move || __forall::Arbitrary::duplicate(#place));),
                )
            });
            let simpler = units.iter().position(|unit| unit.name == variant.name).unwrap_or(units.len());
            let fields = plain.clone().map(|field @ Field { binding, .. }| {
                let place = variant.pattern(|other| std::ptr::eq(other, field));
                quote! {
                    shrinks.field(__forall::probe!(#binding).probe_shrink(), move |value| {
                        let mut copy = __forall::Arbitrary::duplicate(self)?;
                        if let #place = &mut copy { *#binding = value; }
                        ::core::option::Option::Some(copy)
                    });
                }
            });
            quote! {
                #pattern => {
                    #(#children)*
                    shrinks.units(&units[..#simpler]);
                    #(#fields)*
                }
            }
        });
        let count = units.len();
        let paths = units.iter().map(|unit| &unit.path);
        quote! {
            fn shrink(&self) -> __forall::Candidates<'_, Self> {
                let units: [fn() -> Self; #count] = [#(|| #paths {}),*];
                let mut shrinks = __forall::Shrinks::new();
                match self { #(#arms)* }
                shrinks.finish()
            }
        }
    }

    fn duplicate(&self) -> TokenStream {
        let arms = self.model.variants.iter().map(|variant| {
            let (pattern, path) = (variant.pattern(|field| !matches!(field.role, Role::Skip)), &variant.path);
            let fields = variant.fields.iter().map(|Field { member, binding, ty, role, .. }| match role {
                Role::Skip => quote!(#member: <#ty as ::core::default::Default>::default()),
                _ => quote!(#member: __forall::probe!(#binding).probe_duplicate()?),
            });
            quote!(#pattern => #path { #(#fields),* })
        });
        quote! {
            fn duplicate(&self) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match self { #(#arms),* })
            }
        }
    }

    fn print(&self) -> TokenStream {
        let arms = self.model.variants.iter().map(|variant| {
            let pattern = variant.pattern(|field| !matches!(field.role, Role::Skip));
            let mut name = self.name.to_string();
            if self.model.is_enum {
                name = format!("{name}::{}", variant.name);
            }
            let (open, close) = match variant.style {
                Style::Unit => ("", ""),
                Style::Tuple => ("(", ")"),
                Style::Named if variant.fields.is_empty() => (" {", "}"),
                Style::Named => (" { ", " }"),
            };
            let fields = variant.fields.iter().enumerate().map(|(index, Field { name: own, binding, role, .. })| {
                let first = if index == 0 { format!("{name}{open}") } else { ", ".to_owned() };
                let before = match own {
                    Some(own) => format!("{first}{own}: "),
                    None => first,
                };
                let value = match role {
                    Role::Skip => quote!(code.push("Default::default()");),
                    _ => quote!(__forall::probe!(#binding).probe_print(code);),
                };
                quote!(code.push(#before); #value)
            });
            let fields: Vec<_> = fields.collect();
            let end = if fields.is_empty() { format!("{name}{open}{close}") } else { close.to_owned() };
            quote!(#pattern => { #(#fields)* code.push(#end); })
        });
        quote! {
            fn print(&self, code: &mut __forall::Code) { match self { #(#arms)* } }
        }
    }

    fn mutate(&self) -> TokenStream {
        let source = &self.source;
        let variants = self
            .generated()
            .into_iter()
            .filter(|variant| variant.fields.iter().any(|field| !matches!(field.role, Role::Skip)));
        let arms = variants.map(|variant| {
            let fields: Vec<_> = variant.fields.iter().filter(|field| !matches!(field.role, Role::Skip)).collect();
            let pattern = variant.pattern(|field| !matches!(field.role, Role::Skip));
            let last = fields.len() as u64;
            let changes = fields.iter().enumerate().map(|(index, field)| {
                let (index, binding) = (index as u64, &field.binding);
                if field.is_plain() {
                    let probe = quote!(__forall::probe!(&*#binding));
                    quote! {
                        #index => if let ::core::option::Option::Some(value) =
                            #probe.probe_mutate(#probe.probe_duplicate(), #source) { *#binding = value; },
                    }
                } else {
                    let draw = self.draw(field);
                    quote!(#index => *#binding = #draw,)
                }
            });
            quote! {
                #pattern => match #source.choice(#last) {
                    #(#changes)*
                    _ => return <Self as __forall::Arbitrary>::arbitrary(#source),
                },
            }
        });
        quote! {
            fn mutate(mut self, #source: &mut __forall::Source) -> Self {
                match &mut self {
                    #(#arms)*
                    _ => return <Self as __forall::Arbitrary>::arbitrary(#source),
                }
                self
            }
        }
    }

    fn visit(&self) -> TokenStream {
        let arms = self.model.variants.iter().enumerate().map(|(index, variant)| {
            let pattern = variant.pattern(|field| !matches!(field.role, Role::Skip));
            let (type_name, name, index) = (self.name.to_string(), variant.name.to_string(), index as u32);
            let fields = variant.fields.iter().map(|Field { binding, role, .. }| match role {
                Role::Skip => quote!(),
                _ => quote!(__forall::probe!(#binding).probe_visit(visitor);),
            });
            quote!(#pattern => { visitor.enter(#type_name, #name, #index); #(#fields)* })
        });
        quote! {
            fn visit(&self, visitor: &mut dyn __forall::Visitor) {
                match self { #(#arms)* }
                visitor.leave();
            }
        }
    }

    fn height(&self) -> TokenStream {
        if self.generated().into_iter().all(Variant::is_terminal) {
            return TokenStream::new();
        }
        let heights = self.heights();
        quote! {
            fn height(heights: &mut __forall::Heights) -> ::core::primitive::u32 { heights.constructors(#heights) }
        }
    }
}

/// How many times as likely a type that contains itself is to go on as to end, where no weights are written: its size is
/// to limit it, not luck. Measured on lists and trees at size 100: 16 elements and 20 to 50 nodes on average.
const GOING_ON_IN_A_LINE: u32 = 15;
const GOING_ON_IN_BRANCHES: u32 = 3;

/// The weights of variants.
fn weights(variants: &[&Variant]) -> Vec<u32> {
    let recursive = variants.iter().any(|variant| variant.is_recursive());
    let branches = variants.iter().any(|variant| variant.children() > 1 || !variant.recurs_in_a_line());
    let factor = if branches { GOING_ON_IN_BRANCHES } else { GOING_ON_IN_A_LINE };
    let ends = variants.iter().filter(|variant| variant.is_terminal()).count() as u32;
    let goes_on = variants.len() as u32 - ends;
    let written = variants.iter().any(|variant| variant.weight.is_some());
    let weight = |variant: &&Variant| match variant.weight {
        Some(weight) => weight,
        None if written || !recursive || goes_on > factor * ends => 1,
        None if variant.is_terminal() => goes_on,
        None => factor * ends,
    };
    variants.iter().map(weight).collect()
}

/// Draws one of some variants, given by number and weight.
fn pick_by_weight(source: &Ident, variants: impl Iterator<Item = (usize, u32)>) -> TokenStream {
    let (mut total, mut arms) = (0_u64, Vec::new());
    for (index, weight) in variants {
        let next = total + u64::from(weight);
        arms.push((quote!(#total..#next), index));
        total = next;
    }
    let most = total - 1;
    if let Some((pattern, _)) = arms.last_mut() {
        *pattern = quote!(_);
    }
    let arms = arms.iter().map(|(pattern, index)| quote!(#pattern => #index));
    quote!(match #source.choice(#most) { #(#arms),* })
}

/// A number for the name of a type, apart from the small ones that other spans have and the large ones of variables.
fn label(name: &Ident) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in name.to_string().bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash & !(1 << 31) | 1 << 30
}
