//! The properties that `forall write` knows, as text.

use super::callee::{Callee, Parameter};
use super::fit;
use crate::Error;
use crate::list::shortened;

/// Returns whether a name is a workspace type and not an alias.
pub type IsOwn<'a> = &'a dyn Fn(&str) -> bool;

/// A property: its name, its parameters and its body.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its body, with four spaces before each line.
    pub body: String,
}

/// `back` inverts `there`.
pub fn round_trip(there: &Callee, back: &Callee, is_own: IsOwn<'_>) -> Result<Property, Error> {
    let ([value], [taken]) = (&there.parameters[..], &back.parameters[..]) else {
        return Err(format!(
            "{} and {} need one parameter each for a round trip: write wrapper functions that take one, for example a tuple",
            there.name, back.name
        )
        .into());
    };
    let Some(between) = &there.result else {
        return Err(format!(
            "{} returns nothing that {} could take; swap the two functions, or name another",
            there.name, back.name
        )
        .into());
    };
    let Some(result) = &back.result else {
        return Err(format!(
            "{} returns nothing to compare with the parameter of {}: name one that returns the value",
            back.name, there.name
        )
        .into());
    };
    // Most inputs have no result if it may be missing, so only the other function may return one.
    let may_be_missing = taken.argument.is_generic && fit::held(between).is_some();
    if may_be_missing || !taken.argument.is_generic && fit::differ(between, &taken.argument.owned, is_own) {
        let (there, back, taken) = (&there.name, &back.name, &taken.argument.owned);
        return Err(format!(
            "{there} returns {between}, but {back} takes {taken}: give first the function whose result the other takes, or write \
             a wrapper"
        )
        .into());
    }
    let returned = match fit::held(result) {
        // The parameter itself may be an `Option`.
        Some((_, inside)) if fit::differ(result, &value.argument.owned, is_own) => inside,
        _ => &**result,
    };
    if !value.argument.is_generic && fit::differ(returned, &value.argument.owned, is_own) {
        let (there, back, taken) = (&there.name, &back.name, &value.argument.owned);
        return Err(format!(
            "{there} takes {taken}, but {back} returns {result}: write a wrapper function that returns {taken}"
        )
        .into());
    }
    let unwrap = |held: bool| if held { ".unwrap()" } else { "" };
    let first = format!("{}({})", there.call, value.argument.passing_a_copy(&value.name));
    let second = format!("{}({})", back.call, taken.argument.passing("made"));
    let is_held = !std::ptr::eq(returned, &**result);
    let body = format!(
        "    let {}made = {first};\n    assert_eq!({second}{}, {});\n",
        if taken.argument.is_mutable() { "mut " } else { "" },
        unwrap(is_held),
        value.name
    );
    let name = format!("{}_inverts_{}", back.name, there.name);
    Ok(Property { name, parameters: there.parameters.clone(), body })
}

/// Calling it twice is calling it once.
pub fn idempotence(callee: &Callee, is_own: IsOwn<'_>) -> Result<Property, Error> {
    let Callee { name, call, .. } = callee;
    let [value] = &callee.parameters[..] else {
        return Err(format!(
            "{name} needs one parameter for idempotence, and has {}: write a wrapper function that takes one",
            callee.parameters.len()
        )
        .into());
    };
    let Some(result) = &callee.result else {
        return Err(format!(
            "{name} returns nothing; if it modifies its argument, write a wrapper function that returns the argument"
        )
        .into());
    };
    let holder = fit::held(result).filter(|_| fit::differ(result, &value.argument.owned, is_own));
    let returned = holder.map_or(&**result, |(_, inside)| inside);
    if !value.argument.is_generic && fit::differ(returned, &value.argument.owned, is_own) {
        return Err(format!(
            "{name} takes {} and returns {result}, which cannot be passed to it again: write a wrapper function that returns the type it takes",
            value.argument.owned
        )
        .into());
    }
    let unwrap = if holder.is_some() { ".unwrap()" } else { "" };
    let body = format!(
        "    let once = {call}({}){unwrap};\n    let twice = {call}({}){unwrap};\n    assert_eq!(twice, once);\n",
        value.argument.passing(&value.name),
        value.argument.passing_a_copy("once")
    );
    Ok(Property { name: format!("{name}_twice_is_{name}_once"), parameters: callee.parameters.clone(), body })
}

/// Two functions return the same.
pub fn equivalence(callee: &Callee, other: &Callee) -> Result<Property, Error> {
    let types = |callee: &Callee| -> Vec<String> {
        callee.parameters.iter().map(|parameter| parameter.argument.owned.clone()).collect()
    };
    if types(callee) != types(other) {
        let (ours, theirs) = (types(callee).join(", "), types(other).join(", "));
        return Err(format!(
            "{} takes ({}) and {} takes ({}): write a wrapper function, so that both take the same parameters",
            callee.name,
            shortened(&ours, 60),
            other.name,
            shortened(&theirs, 60)
        )
        .into());
    }
    // The second call reuses the variables of the first, which passes copies.
    let first: Vec<String> =
        callee.parameters.iter().map(|parameter| parameter.argument.passing_a_copy(&parameter.name)).collect();
    let both = other.parameters.iter().zip(&callee.parameters);
    let second: Vec<String> = both.map(|(parameter, ours)| parameter.argument.passing(&ours.name)).collect();
    let body =
        format!("    assert_eq!({}({}), {}({}));\n", callee.call, first.join(", "), other.call, second.join(", "));
    Ok(Property { name: format!("{}_equals_{}", callee.name, other.name), parameters: callee.parameters.clone(), body })
}

/// It returns for any input.
pub fn no_panic(callee: &Callee) -> Property {
    let arguments: Vec<String> =
        callee.parameters.iter().map(|parameter| parameter.argument.passing(&parameter.name)).collect();
    let body = format!("    let _ = {}({});\n", callee.call, arguments.join(", "));
    Property { name: format!("{}_never_panics", callee.name), parameters: callee.parameters.clone(), body }
}

impl Property {
    /// The test; `constructed` builds values of types that do not implement `Arbitrary`.
    pub fn text(&self, constructed: &dyn Fn(&str) -> Option<Callee>) -> String {
        let (mut variables, mut lets) = (Vec::new(), String::new());
        for Parameter { name, argument } in &self.parameters {
            let mutable = if argument.is_mutable() { "mut " } else { "" };
            match constructed(&argument.owned) {
                Some(constructor) => {
                    let mut arguments = Vec::new();
                    for part in &constructor.parameters {
                        let is_taken = self.parameters.len() > 1;
                        let variable = if is_taken { format!("{name}_{}", part.name) } else { part.name.clone() };
                        arguments.push(part.argument.passing(&variable));
                        variables.push(format!("{variable}: {}", part.argument.owned));
                    }
                    lets += &format!("    let {mutable}{name} = {}({});\n", constructor.call, arguments.join(", "));
                }
                None => variables.push(format!("{mutable}{name}: {}", argument.owned)),
            }
        }
        format!("#[forall::test]\nfn {}({}) {{\n{lets}{}}}\n", self.name, variables.join(", "), self.body)
    }
}
