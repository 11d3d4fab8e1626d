//! `#[derive(Arbitrary)]`: one method of the trait after the other.
//!
//! What is written here is instantiated in users' crates, so it is short: what need not know the type is in
//! `forall::__private`. Only `arbitrary` asks that a field is `Arbitrary`, so that the compiler says once that one is
//! not; the other methods try what the field's type can do.

use crate::compiler::{Ident, TokenStream};
use crate::item::{Item, Style};
use crate::model::{Field, Model, Role, Variant};
use crate::parse::{Error, Errors};
use crate::shape::Own;
use crate::template::{Piece, template};
use crate::tokens::{at, hidden};

pub fn expand(input: TokenStream) -> TokenStream {
    derive(input).unwrap_or_else(|errors| errors.tokens())
}

fn derive(input: TokenStream) -> Result<TokenStream, Errors> {
    let item = Item::read(input)?;
    let model = Model::of(&item)?;
    let (name, krate) = (&item.name, &model.krate);
    let own = Own { name, arguments: item.parameters.iter().map(|parameter| parameter.name.to_string()).collect() };
    if model.variants.iter().filter(|variant| !variant.skip).all(|variant| is_endless(variant, &own)) {
        let message = format!(
            "`{name}` has no finite value, because each contains another one: put the inner one into an `Option` or a \
             `Vec`, or add a variant without it"
        );
        return Err(Error::new(name.span(), message).into());
    }
    let bound = template!(|krate| #krate::generate::Arbitrary);
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for parameter in &item.parameters {
        let (name, declaration) = (&parameter.name, parameter.declaration(&bound));
        parameters.push(template!(|declaration| #declaration,));
        arguments.push(template!(|name| #name,));
    }
    let where_clause = &item.where_clause;
    let derive = Derive { name, own, model: &model, source: hidden("source") };
    let methods = vec![
        derive.arbitrary(),
        derive.shrink(),
        derive.duplicate(),
        derive.print(),
        derive.mutate(),
        derive.visit(),
        derive.height(),
    ];
    Ok(template!(|krate, parameters, bound, name, arguments, where_clause, methods|
        #[allow(deprecated, unused, irrefutable_let_patterns, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #krate::__private::derive as __forall;
            use __forall::prelude::*;
            #[automatically_derived]
            impl<#parameters> #bound for #name<#arguments> #where_clause { #methods }
        };
    ))
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
                let must_end = || template!(|source| if #source.size() == 0 { __forall::must_end::<Self>(); });
                let check = (only.children() > 0).then(must_end);
                template!(|check, value| { #check #value })
            }
            _ => {
                let arms = variants.iter().enumerate().map(|(index, variant)| {
                    let value = self.construct(variant);
                    let pattern = if index + 1 < variants.len() { index.tokens() } else { template!(_) };
                    template!(|pattern, value| #pattern => { #value })
                });
                let (pick, arms) = (self.pick(), arms.collect::<Vec<_>>());
                template!(|pick, arms| match #pick { #arms })
            }
        };
        let drawn =
            variants.iter().flat_map(|variant| &variant.fields).filter(|field| !matches!(field.role, Role::Skip));
        let body = if drawn.count() + usize::from(variants.len() > 1) > 1 {
            let label = label(self.name);
            template!(|source, label, body|
                __forall::open_span(#source, #label);
                let value = #body;
                __forall::close_span(#source);
                value
            )
        } else {
            body
        };
        let is_recursive = variants.iter().any(|variant| variant.is_recursive());
        let inline =
            if self.model.is_enum || is_recursive { template!(#[inline]) } else { template!(#[inline(always)]) };
        template!(|inline, source, body|
            #inline
            fn arbitrary(#source: &mut __forall::Source) -> Self { #body }
        )
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
            let last = variants.len() as u64 - 1;
            return template!(|source, last| #source.choice(#last) as ::core::primitive::usize);
        }
        let weights = weights(&variants);
        let heights = self.heights();
        let listed: Vec<_> = weights.iter().map(|weight| template!(|weight| #weight,)).collect();
        let slowly = template!(|source, listed, heights|
            __forall::pick_variant(#source, &[#listed], || __forall::Heights::of_constructors(#heights))
        );
        // The same choice, spelt out for the random mode.
        let all = pick_by_weight(source, weights.iter().copied().enumerate());
        let terminal = |index: &usize| variants[*index].is_terminal();
        let known = variants.iter().all(|variant| variant.is_terminal() || variant.is_recursive());
        if known && (0..variants.len()).any(|index| terminal(&index)) {
            let ends = weights.iter().copied().enumerate().filter(|(index, _)| terminal(index));
            let ends = pick_by_weight(source, ends);
            template!(|source, slowly, all, ends|
                if !#source.is_random() { #slowly } else if #source.size() > 0 { #all } else { #ends }
            )
        } else {
            template!(|source, slowly, all| if #source.is_random() && #source.size() > 0 { #all } else { #slowly })
        }
    }

    /// The arguments of the methods of `Heights`: the name of the type, and a function for each variant.
    fn heights(&self) -> TokenStream {
        let variants = self.generated().into_iter().map(|variant| {
            let children = variant.fields.iter().filter(|field| field.is_child() && field.is_plain());
            let maxima: Vec<_> = children
                .map(|Field { ty, .. }| {
                    template!(|ty|
                        let highest = __forall::max(highest, <#ty as __forall::Arbitrary>::height(_heights));
                    )
                })
                .collect();
            template!(|maxima|
                |_heights| {
                    let highest = 0;
                    #maxima
                    highest
                },
            )
        });
        let variants: Vec<_> = variants.collect();
        template!(|variants| ::core::any::type_name::<Self>(), &[#variants])
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
                template!(|member, source, size, draw| #member: #source.with_size(#size, |#source| #draw),)
            } else {
                template!(|member, draw| #member: #draw,)
            }
        });
        let fields: Vec<_> = fields.collect();
        let value = template!(|path, fields| #path { #fields });
        match (children, together) {
            (0, _) => value,
            (_, true) => template!(|size, source, children, value| {
                let #size = __forall::child_size(#source.size(), #children);
                #source.with_size(#size, |#source| #value)
            }),
            (_, false) => template!(|size, source, children, value| {
                let #size = __forall::child_size(#source.size(), #children);
                #value
            }),
        }
    }

    fn draw(&self, Field { ty, role, .. }: &Field) -> TokenStream {
        let source = &self.source;
        match role {
            Role::Skip => template!(at at(ty), |ty| <#ty as ::core::default::Default>::default()),
            Role::With(generator) => template!(at at(generator), |ty, generator, source| {
                let value: #ty = __forall::draw(#generator, #source);
                value
            }),
            _ => template!(at at(ty), |ty, source| <#ty as __forall::Arbitrary>::arbitrary(#source)),
        }
    }

    fn shrink(&self) -> TokenStream {
        let units: Vec<_> =
            self.generated().into_iter().filter(|v| self.model.is_enum && v.fields.is_empty()).collect();
        let arms = self.model.variants.iter().map(|variant| {
            // To a child of the same type, to a variant without fields, and then field by field.
            let pattern = variant.pattern(&Field::is_plain);
            let candidate =
                |place: &_| template!(|place| shrinks.candidate(move || __forall::Arbitrary::duplicate(#place)););
            let (mut children, mut fields) = (Vec::new(), Vec::new());
            for field @ Field { binding, ty, .. } in variant.fields.iter().filter(|field| field.is_plain()) {
                children.push(self.own.children(ty, &binding.tokens(), &candidate));
                let place = variant.pattern(&|other| std::ptr::eq(other, field));
                fields.push(template!(|binding, place|
                    shrinks.field(__forall::probe!(#binding).probe_shrink(), move |value| {
                        let mut copy = __forall::Arbitrary::duplicate(self)?;
                        if let #place = &mut copy { *#binding = value; }
                        ::core::option::Option::Some(copy)
                    });
                ));
            }
            let simpler = units.iter().position(|unit| std::ptr::eq(*unit, variant)).unwrap_or(units.len());
            template!(|pattern, children, simpler, fields|
                #pattern => {
                    #children
                    shrinks.units(&units[..#simpler]);
                    #fields
                }
            )
        });
        let (count, arms) = (units.len(), arms.collect::<Vec<_>>());
        let make_units: Vec<_> = units.iter().map(|Variant { path, .. }| template!(|path| || #path {},)).collect();
        template!(|count, make_units, arms|
            fn shrink(&self) -> __forall::Candidates<'_, Self> {
                let units: [fn() -> Self; #count] = [#make_units];
                let mut shrinks = __forall::Shrinks::new();
                match self { #arms }
                shrinks.finish()
            }
        )
    }

    fn duplicate(&self) -> TokenStream {
        let arms = self.model.variants.iter().map(|variant| {
            let (pattern, path) = (variant.pattern(&is_kept), &variant.path);
            let fields = variant.fields.iter().map(|Field { member, binding, ty, role, .. }| match role {
                Role::Skip => template!(|member, ty| #member: <#ty as ::core::default::Default>::default(),),
                _ => template!(|member, binding| #member: __forall::probe!(#binding).probe_duplicate()?,),
            });
            let fields: Vec<_> = fields.collect();
            template!(|pattern, path, fields| #pattern => #path { #fields },)
        });
        let arms: Vec<_> = arms.collect();
        template!(|arms|
            fn duplicate(&self) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match self { #arms })
            }
        )
    }

    fn print(&self) -> TokenStream {
        let arms = self.model.variants.iter().map(|variant| {
            let pattern = variant.pattern(&is_kept);
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
                    Role::Skip => template!(code.push("Default::default()");),
                    _ => template!(|binding| __forall::probe!(#binding).probe_print(code);),
                };
                template!(|before, value| code.push(#before); #value)
            });
            let fields: Vec<_> = fields.collect();
            let end = if fields.is_empty() { format!("{name}{open}{close}") } else { close.to_owned() };
            template!(|pattern, fields, end| #pattern => { #fields code.push(#end); })
        });
        let arms: Vec<_> = arms.collect();
        template!(|arms| fn print(&self, code: &mut __forall::Code) { match self { #arms } })
    }

    fn mutate(&self) -> TokenStream {
        let source = &self.source;
        let variants = self.generated().into_iter().filter(|variant| variant.fields.iter().any(is_kept));
        let arms = variants.map(|variant| {
            let fields: Vec<_> = variant.fields.iter().filter(|field| is_kept(field)).collect();
            let pattern = variant.pattern(&is_kept);
            let last = fields.len() as u64;
            let changes = fields.iter().enumerate().map(|(index, field)| {
                let (index, binding) = (index as u64, &field.binding);
                if field.is_plain() {
                    let probe = template!(|binding| __forall::probe!(&*#binding));
                    template!(|index, probe, source, binding|
                        #index => if let ::core::option::Option::Some(value) =
                            #probe.probe_mutate(#probe.probe_duplicate(), #source) { *#binding = value; },
                    )
                } else {
                    let draw = self.draw(field);
                    template!(|index, binding, draw| #index => *#binding = #draw,)
                }
            });
            let changes: Vec<_> = changes.collect();
            template!(|pattern, source, last, changes|
                #pattern => match #source.choice(#last) {
                    #changes
                    _ => return <Self as __forall::Arbitrary>::arbitrary(#source),
                },
            )
        });
        let arms: Vec<_> = arms.collect();
        template!(|source, arms|
            fn mutate(mut self, #source: &mut __forall::Source) -> Self {
                match &mut self {
                    #arms
                    _ => return <Self as __forall::Arbitrary>::arbitrary(#source),
                }
                self
            }
        )
    }

    fn visit(&self) -> TokenStream {
        let arms = self.model.variants.iter().enumerate().map(|(index, variant)| {
            let pattern = variant.pattern(&is_kept);
            let (type_name, name, index) = (self.name.to_string(), variant.name.to_string(), index as u32);
            let kept = variant.fields.iter().filter(|field| is_kept(field));
            let visit =
                |Field { binding, .. }: &Field| template!(|binding| __forall::probe!(#binding).probe_visit(visitor););
            let fields: Vec<_> = kept.map(visit).collect();
            template!(|pattern, type_name, name, index, fields|
                #pattern => { visitor.enter(#type_name, #name, #index); #fields }
            )
        });
        let arms: Vec<_> = arms.collect();
        template!(|arms|
            fn visit(&self, visitor: &mut dyn __forall::Visitor) {
                match self { #arms }
                visitor.leave();
            }
        )
    }

    fn height(&self) -> TokenStream {
        if self.generated().into_iter().all(Variant::is_terminal) {
            return TokenStream::new();
        }
        let heights = self.heights();
        template!(|heights|
            fn height(heights: &mut __forall::Heights) -> ::core::primitive::u32 { heights.constructors(#heights) }
        )
    }
}

/// Whether the field is a part of what the value is.
fn is_kept(field: &Field) -> bool {
    !matches!(field.role, Role::Skip)
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
        arms.push((template!(|total, next| #total..#next), index));
        total = next;
    }
    let most = total - 1;
    if let Some((pattern, _)) = arms.last_mut() {
        *pattern = template!(_);
    }
    let arms: Vec<_> = arms.iter().map(|(pattern, index)| template!(|pattern, index| #pattern => #index,)).collect();
    template!(|source, most, arms| match #source.choice(#most) { #arms })
}

/// A number for the name of a type, apart from the small ones that other spans have and the large ones of variables.
fn label(name: &Ident) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in name.to_string().bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash & !(1 << 31) | 1 << 30
}
