//! `#[derive(Argument)]`: lets generated functions distinguish the values of a type.

use crate::compiler::TokenStream;
use crate::item::{Item, Parameter};
use crate::model::{Field, Model};
use crate::parse::Errors;
use crate::template::{Piece, each, template};
use crate::tokens::at;

pub fn expand(input: TokenStream) -> TokenStream {
    derive(input).unwrap_or_else(|errors| errors.tokens())
}

fn derive(input: TokenStream) -> Result<TokenStream, Errors> {
    let item = Item::read(input)?;
    let model = Model::of(&item)?;
    let (name, krate, where_clause) = (&item.name, &model.krate, &item.where_clause);
    let bound = template!(|krate| #krate::lazy::Argument);
    let parameters = each(&item.parameters, &|_, parameter| {
        let declaration = parameter.declaration(&bound);
        template!(|declaration| #declaration,)
    });
    let arguments = each(&item.parameters, &|_, Parameter { name, .. }| template!(|name| #name,));
    let cases = each(&model.variants, &|_, variant| {
        let text = variant.name.to_string();
        let parts =
            each(&variant.fields, &|_, Field { ty, .. }| template!(at at(ty), |ty, bound| <#ty as #bound>::domain,));
        template!(|krate, text, parts| #krate::lazy::Case::new(#text, &[#parts]),)
    });
    let arms = each(&model.variants, &|index, variant| {
        let pattern = variant.pattern(&|_| true);
        let parts = each(&variant.fields, &|_, Field { binding, .. }| template!(|binding| parts.push(#binding);));
        let number = index as u32;
        template!(|pattern, parts, krate, number| #pattern => { #parts #krate::lazy::Tag::Constructor(#number) })
    });
    Ok(template!(|parameters, bound, name, arguments, where_clause, krate, cases, arms|
        #[automatically_derived]
        impl<#parameters> #bound for #name<#arguments> #where_clause {
            fn domain() -> #krate::lazy::Domain {
                #krate::lazy::Domain::Constructors(const { &[#cases] })
            }
            fn inspect<'a>(&'a self, parts: &mut #krate::lazy::Parts<'a>) -> #krate::lazy::Tag {
                match self { #arms }
            }
        }
    ))
}
