//! `property! { forall … ; implies … ; check … }`: expands to the calls that build the property.

use crate::compiler::{Delimiter, Ident, Span, TokenStream, TokenTree};
use crate::parse::{Error, Input, Result, is};
use crate::quantifier::{Annotation, Scope, arbitrary_again, draw};
use crate::references::range_of_references;
use crate::template::{Piece, template};
use crate::tokens::{at, hidden, placed, text};

/// The keywords of clauses.
const CLAUSES: &[&str] = &["forall", "exists", "exists_unique", "implies", "check"];

pub fn expand(input: TokenStream) -> TokenStream {
    property(&mut Input::new(input)).unwrap_or_else(|error| error.tokens())
}

fn property(input: &mut Input) -> Result<TokenStream> {
    let krate = input.group(Delimiter::Bracket).map(|group| group.stream()).unwrap_or_default();
    let moves = input.eat("move").tokens();
    let mut scope = Scope::new(krate, moves);
    let mut built = {
        let krate = &scope.krate;
        template!(|krate| #krate::property::Empty)
    };
    let mut names: Vec<String> = Vec::new();
    let mut last = Span::call_site();
    loop {
        if input.is_empty() {
            return Err(Error::new(last, "a property ends with a condition: add `check …` at the end"));
        }
        let (clause, span) = input.word("a clause", CLAUSES)?;
        last = span;
        let (krate, env, moves) = (scope.krate.clone(), hidden("env"), scope.moves.clone());
        match clause {
            "forall" => built = forall(input, built, &mut scope, &mut names)?,
            "exists" | "exists_unique" => {
                let body = nested(clause, span, input, &krate, &mut names)?;
                let variables = scope.variables();
                return Ok(template!(at span, |krate, built, moves, env, variables, body|
                    #krate::property::Telescope::check(#built, #moves |#env| { #variables #body })
                ));
            }
            "implies" => {
                let condition = input.expression(span, "a condition")?;
                let (variables, text) = (scope.variables(), text(&condition));
                let (place, krate) = (at(&condition), placed(&krate, at(&condition)));
                built = template!(at place, |krate, built, moves, env, variables, condition, text|
                    #krate::property::Telescope::implies(#built, #moves |#env| { #variables #condition }).text(#text)
                );
            }
            _ => {
                let body = input.expression(span, "a condition")?;
                input.eat(";");
                if !input.is_empty() {
                    let and = if input.at(",") { ": write `&&` between conditions" } else { "" };
                    return Err(input.error(format!("`check` must be the last clause of a property{and}")));
                }
                let (place, krate) = (at(&body), placed(&krate, at(&body)));
                let body = fallible(body, &krate);
                if let Some(variables) = scope.drawn_from() {
                    return Ok(template!(at place, |krate, built, moves, env, variables, body|
                        #krate::property::Telescope::check_owned(#built, #moves |mut #env| { #variables #body })
                    ));
                }
                let variables = scope.variables();
                return Ok(template!(at place, |krate, built, moves, env, variables, body|
                    #krate::property::Telescope::check(#built, #moves |#env| { #variables #body })
                ));
            }
        }
        if !input.is_empty() {
            input.expect(";").map_err(|_| input.error(format!("expected `;` after the clause `{clause}`")))?;
        }
    }
}

/// A nested quantifier and the rest of the property: a condition that only a search can decide.
fn nested(
    clause: &str,
    span: Span,
    input: &mut Input,
    krate: &TokenStream,
    names: &mut Vec<String>,
) -> Result<TokenStream> {
    let name = input.name(&format!("the name of a variable: `{clause} x: Type`"))?;
    let text = name.to_string();
    if names.contains(&text) {
        return Err(Error::new(name.span(), format!("the variable `{name}` is already bound: choose another name")));
    }
    names.push(text);
    if input.at("in") {
        let message = format!(
            "nested quantifiers range over a type: `{clause} {name}: Type`. For other values, define a type whose \
             `impl Arbitrary` has a `series`"
        );
        return Err(input.error(message));
    }
    input.expect(":").map_err(|_| input.error(format!("`{name}` needs a type: `{clause} {name}: Type`")))?;
    let ty = input.ty()?;
    let text = name.to_string();
    let mut annotations = template!(|text| .named(#text));
    while input.eat(",").is_some() {
        let (annotation, key) = input.word("an annotation", &["deeper_by", "shown"])?;
        let more = match annotation {
            "deeper_by" => {
                let levels = input.expression(key, "a number of levels, such as `deeper_by 1`")?;
                template!(|levels| .deeper_by(#levels))
            }
            _ => {
                let shown = Ident::new("shown", key);
                template!(|shown| .#shown())
            }
        };
        annotations.extend(more);
    }
    input.expect(";").map_err(|_| input.error(format!("expected `;` after the clause `{clause}`")))?;
    let (next, place) = input.word("a clause", CLAUSES)?;
    let body = rest(next, place, input, krate, names)?;
    let quantifier = match clause {
        "forall" => template!(at span, |krate| #krate::__private::search::for_all),
        "exists" => template!(at span, |krate| #krate::__private::search::exists),
        _ => template!(at span, |krate| #krate::__private::search::exists_unique),
    };
    Ok(template!(at span, |quantifier, annotations, name, ty, body|
        #quantifier() #annotations.check(|#name: &#ty| #body)
    ))
}

/// The clauses after a nested quantifier, as a condition.
fn rest(
    clause: &str,
    span: Span,
    input: &mut Input,
    krate: &TokenStream,
    names: &mut Vec<String>,
) -> Result<TokenStream> {
    match clause {
        "check" => {
            let body = input.expression(span, "a condition")?;
            input.eat(";");
            if !input.is_empty() {
                return Err(input.error("`check` must be the last clause of a property".to_owned()));
            }
            Ok(template!(at span, |body| { #body }))
        }
        "implies" => {
            let condition = input.expression(span, "a condition")?;
            input.expect(";").map_err(|_| input.error("expected `;` after the clause `implies`".to_owned()))?;
            let (next, place) = input.word("a clause", CLAUSES)?;
            let rest = rest(next, place, input, krate, names)?;
            Ok(template!(at span, |condition, rest| (!{ #condition } || #rest)))
        }
        _ => nested(clause, span, input, krate, names),
    }
}

fn forall(input: &mut Input, built: TokenStream, scope: &mut Scope, names: &mut Vec<String>) -> Result<TokenStream> {
    let name = input.name("the name of a variable: `forall x: Type` or `forall x in generator`")?;
    let text = name.to_string();
    if names.contains(&text) {
        return Err(Error::new(name.span(), format!("the variable `{name}` is already bound: choose another name")));
    }
    let ty = input.eat(":").map(|_| input.ty()).transpose()?;
    let generator = input.eat("in").map(|word| input.expression(word.span(), "a generator")).transpose()?;
    if ty.is_none() && generator.is_none() {
        let message =
            format!("`{name}` needs a type or a generator: `forall {name}: Type` or `forall {name} in generator`");
        return Err(Error::new(name.span(), message));
    }
    if let Some(error) = generator.as_ref().and_then(|generator| range_of_references(generator, names)) {
        return Err(error);
    }
    let annotations = Annotation::read_all(input)?;
    let (ty, is_source) = match ty.as_ref().filter(|_| generator.is_none()).and_then(owned_source) {
        Some(source) => (Some(source), true),
        None => (ty, false),
    };
    if is_source && !scope.draw_from(&name.tokens()) {
        let message =
            "a property can have only one `&mut Source`: remove this one, or create another with `fork()` in the body";
        return Err(Error::new(name.span(), message));
    }

    let (krate, moves, variables) = (&scope.krate, &scope.moves, scope.variables());
    let (env, source, value) = (hidden("env"), hidden("source"), hidden("value"));
    let draw = draw(krate, ty.as_ref(), generator.as_ref());
    let place = generator.as_ref().map(at).or(ty.as_ref().map(at)).unwrap_or(name.span());
    let type_text = match &ty {
        Some(ty) => {
            let written = crate::tokens::text(ty);
            template!(|written| ::core::option::Option::Some(#written))
        }
        None => template!(::core::option::Option::None),
    };
    let calls = Annotation::calls(&annotations, scope);
    let krate = placed(krate, place);
    let closure = template!(at place, |moves, env, source, variables, draw|
        #moves |#env, #source| { #variables #draw }
    );
    // A variable without a generator is drawn from its type's series in a search.
    let again = ty.as_ref().filter(|_| generator.is_none()).map(|ty| arbitrary_again(&krate, ty));
    let mut built = match again {
        Some(again) => template!(at place, |krate, built, text, type_text, closure, again, value, calls|
            #krate::__private::quantifier::forall_by_type(
                #built,
                #text,
                #type_text,
                #closure,
                #again,
                |#value| #krate::__print!(#value),
            ) #calls
        ),
        None => template!(at place, |krate, built, text, type_text, closure, value, calls|
            #krate::__private::quantifier::forall(
                #built,
                #text,
                #type_text,
                #closure,
                |#value| #krate::__print!(#value),
            ) #calls
        ),
    };
    let own = name.tokens();
    scope.bind(&own);
    let (krate, variables, moves) = (&scope.krate, scope.variables(), &scope.moves);
    for annotation in &annotations {
        let Some((condition, text)) = annotation.condition(scope, &own) else { continue };
        built = template!(|krate, built, text, moves, env, variables, condition|
            #krate::__private::quantifier::contract(#built, #text, #moves |#env| { #variables #condition })
        );
    }
    names.push(text);
    Ok(built)
}

/// The `Source` type behind a `&mut Source`, judging by its name: the body draws from it.
fn owned_source(ty: &TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = ty.clone().into_iter().collect();
    match &tokens[..] {
        [and, mutable, path @ .., last] if is(and, "&") && is(mutable, "mut") && is(last, "Source") => {
            Some(path.iter().chain([last]).cloned().collect())
        }
        _ => None,
    }
}

/// Makes `?` work in a body: the error type of a closure cannot be inferred, so it accepts any.
fn fallible(body: TokenStream, krate: &TokenStream) -> TokenStream {
    if !contains(&body, &|token| is(token, "?")) {
        return body;
    }
    let private = template!(|krate| #krate::__private::quantifier);
    let body = match ends_with_result(&body) {
        true => body,
        false => template!(|private, body| #private::Ok({ #body })),
    };
    template!(|private, body| #private::outcome((|| -> #private::Result<_, #private::AnyError> { #body })()))
}

/// Whether the value of the body, after the last `;`, is an `Ok` or an `Err`.
fn ends_with_result(body: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    match &tokens[..] {
        [TokenTree::Group(block)] if block.delimiter() == Delimiter::Brace => ends_with_result(&block.stream()),
        _ => {
            let (mut is_macro, mut found) = (false, false);
            for token in &tokens {
                match token {
                    TokenTree::Group(_) if is_macro => is_macro = false,
                    TokenTree::Punct(punct) => {
                        is_macro = punct.as_char() == '!';
                        found &= punct.as_char() != ';';
                    }
                    other => found |= contains(&other.tokens(), &|token| is(token, "Ok") || is(token, "Err")),
                }
            }
            found
        }
    }
}

fn contains(tokens: &TokenStream, wanted: &dyn Fn(&TokenTree) -> bool) -> bool {
    for token in tokens.clone() {
        let found = match &token {
            TokenTree::Group(group) => contains(&group.stream(), wanted),
            other => wanted(other),
        };
        if found {
            return true;
        }
    }
    false
}
