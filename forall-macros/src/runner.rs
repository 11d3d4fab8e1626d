//! `#[forall::runner]`: registers a function under its name, for `runner = name`.

use crate::compiler::{Ident, TokenStream};
use crate::item::{Attribute, visibility};
use crate::parse::{Error, Input, Result, is};
use crate::template::{Piece, each, template};
use crate::tokens::is_named;

/// The names of the built-in runners. A runner that replaced one would change the properties that name the built-in one.
const RESERVED: &[&str] = &["generational", "targeted", "combinatorial", "constructors", "exhaustive", "coverage"];

const NOT_A_RUNNER: &str =
    "a runner is a function from a session to a report: `fn name(session: Session<'_>) -> Report { … }`";

pub fn expand(keys: TokenStream, item: TokenStream) -> TokenStream {
    match registration(keys, item.clone()) {
        Ok(registration) => template!(|item, registration| #item #registration),
        // The function is emitted in spite of errors, so that editors and later errors see it.
        Err(error) => template!(|error, item| #error #item),
    }
}

/// The items beside the function.
fn registration(keys: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let krate = path_of_forall(keys)?;
    let (attributes, name) = read(item)?;
    let conditions =
        each(&attributes, &|_, attribute| if attribute.is("cfg") { attribute.tokens() } else { TokenStream::new() });
    let text = name.to_string();
    let text = text.trim_start_matches("r#").to_owned();
    // A function of another type is an error at its name.
    let runner = template!(at name.span(), |name| runner: #name);
    Ok(template!(|conditions, krate, text, runner|
        #conditions
        const _: () = {
            use #krate::__private::runner as __forall;
            __forall::inventory::submit! {
                __forall::Registered { name: #text, file: ::core::file!(), line: ::core::line!(), #runner }
            }
        };
    ))
}

/// The path of `forall`: `::forall`, or that of the only key.
fn path_of_forall(keys: TokenStream) -> Result<TokenStream> {
    let mut krate = template!(::forall);
    Input::new(keys).list(|input| {
        input.word("a key", &["crate"])?;
        let equals = input.expect("=")?;
        krate = input.path(equals)?;
        Ok(())
    })?;
    Ok(krate)
}

/// The attributes and the name of the function.
fn read(item: TokenStream) -> Result<(Vec<Attribute>, Ident)> {
    let mut input = Input::new(item);
    input.open();
    let attributes = Attribute::read_all(&mut input)?;
    visibility(&mut input);
    input.open();
    if let Some(token) = input.peek()
        && is(token, "async")
    {
        let message = "a runner is not async: it runs the tests, which may be async";
        return Err(Error::new(token.span(), message));
    }
    input.expect("fn").map_err(|_| input.error(NOT_A_RUNNER))?;
    let name = input.ident("the name of a function")?;
    if RESERVED.iter().any(|reserved| is_named(&name, reserved)) {
        return Err(Error::new(name.span(), format!("`{name}` is a built-in runner: choose another name")));
    }
    Ok((attributes, name))
}
