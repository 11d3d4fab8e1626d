//! The properties that `forall write` knows, as text.

use super::callee::{Callee, Parameter};
use super::convert::{self, Way};
use super::fit;
use super::sources::Sources;
use crate::Error;
use crate::list::shortened;

/// The width of a line, as rustfmt has it.
const WIDTH: usize = 100;

/// A property: its name, its parameters and its body.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its statements, with four spaces before each line.
    pub statements: String,
    /// What it asserts.
    pub assertion: Assertion,
}

/// What a property asserts.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// Nothing.
    None,
    /// Two expressions are equal.
    Equal(String, String),
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// By `PartialEq`, and shown by `Debug`.
    Values,
    /// By `PartialEq`, without `Debug`.
    Silent,
    /// Their output of `Debug`.
    Debug,
    /// Their output of `Display`.
    Display,
}

impl Comparison {
    /// Those for values that `assert_eq!` cannot compare, the best first.
    pub const OTHERS: [Self; 3] = [Self::Silent, Self::Debug, Self::Display];

    fn shown(self, left: &str, right: &str) -> String {
        match self {
            Self::Values => format!("assert_eq!({left}, {right})"),
            Self::Silent => format!("assert!({left} == {right})"),
            Self::Debug => format!("assert_eq!(format!(\"{{:?}}\", {left}), format!(\"{{:?}}\", {right}))"),
            Self::Display => format!("assert_eq!({left}.to_string(), {right}.to_string())"),
        }
    }
}

/// `back` inverts `there`: the ways to write it, the best first.
pub fn round_trip(there: &Callee, back: &Callee, sources: &Sources) -> Result<Vec<Property>, Error> {
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
    let fits = |value: &Parameter| {
        value.argument.is_generic || !convert::ways(result, &value.argument.owned, sources).is_empty()
    };
    let any = |_: &Parameter| true;
    let Some((value, taken)) =
        convert::round_trip(there, back, &fits).or_else(|| convert::round_trip(there, back, &any))
    else {
        return Err(format!(
            "{} and {} need one parameter each for a round trip, and others that both take: write wrapper functions that take \
             one, for example a tuple",
            there.name, back.name
        )
        .into());
    };
    let mut links = convert::ways(between, &taken.argument.owned, sources);
    if taken.argument.is_generic && !links.contains(&Way::default()) {
        links.insert(0, Way::default());
    }
    // Most inputs have no result if it may be missing, so the function that returns it is better called second.
    let is_missing = |ways: &[Way]| ways.iter().all(|way| way.holds.is_some());
    let is_swapped = links.is_empty()
        || taken.argument.is_generic && fit::held(between).is_some()
        || is_missing(&links) && !is_missing(&convert::ways(result, &value.argument.owned, sources));
    if is_swapped {
        let (there, back, taken) = (&there.name, &back.name, &taken.argument.owned);
        return Err(format!(
            "{there} returns {between}, but {back} takes {taken}: give first the function whose result the other takes, or write \
             a wrapper"
        )
        .into());
    }
    let mut returned = convert::ways(result, &value.argument.owned, sources);
    if value.argument.is_generic && returned.is_empty() {
        returned.push(Way::default());
    }
    if returned.is_empty() {
        let (there, back, taken) = (&there.name, &back.name, &value.argument.owned);
        return Err(format!(
            "{there} takes {taken}, but {back} returns {result}: write a wrapper function that returns {taken}"
        )
        .into());
    }
    let made = unused("made", &there.parameters);
    let mut properties = Vec::new();
    for (link, returned) in links.iter().flat_map(|link| returned.iter().map(move |returned| (link, returned))) {
        let arguments: Vec<String> = there.parameters.iter().map(Parameter::passing_a_copy).collect();
        let mut statements = format!("    let {made} = {}", there.calling(&arguments));
        let mut passed = made.clone();
        match link.holds {
            // An input without a result is none for the other function.
            Some(holds) => {
                statements += &format!(";\n    forall::assume!({made}.{holds}());\n");
                passed += &link.suffix;
            }
            None => statements += &format!("{};\n", link.suffix),
        }
        if taken.argument.is_mutable() {
            statements += &format!("    let mut {made} = {passed};\n");
            passed.clone_from(&made);
        }
        let second: Vec<String> = back
            .parameters
            .iter()
            .map(|one| match std::ptr::eq(one, taken) {
                true => one.argument.passing(&passed),
                false => shared(one, there),
            })
            .collect();
        let left = format!("{}{}", back.calling(&second), returned.suffix);
        let right = if returned.is_element { format!("[{}]", value.name) } else { value.name.clone() };
        properties.push(Property {
            name: format!("{}_inverts_{}", back.name, there.name),
            parameters: there.parameters.clone(),
            statements,
            assertion: Assertion::Equal(left, right),
        });
    }
    Ok(properties)
}

/// The expression that passes the parameter of the same type again.
fn shared(of: &Parameter, there: &Callee) -> String {
    let same = there.parameters.iter().find(|one| one.argument.owned == of.argument.owned);
    let name = same.map_or(&of.name, |one| &one.name).clone();
    Parameter { name, ..of.clone() }.passing_a_copy()
}

/// A name that no parameter has.
fn unused(name: &str, parameters: &[Parameter]) -> String {
    let mut name = name.to_owned();
    while parameters.iter().any(|one| one.name == name) {
        name.push('_');
    }
    name
}

/// Calling it twice is calling it once, with the same values for its other parameters.
pub fn idempotence(callee: &Callee, sources: &Sources) -> Result<Vec<Property>, Error> {
    let Callee { name, .. } = callee;
    let Some(result) = &callee.result else {
        return Err(format!(
            "{name} returns nothing; if it modifies its argument, write a wrapper function that returns the argument"
        )
        .into());
    };
    let ways_to = |value: &Parameter| {
        let mut ways = convert::ways(result, &value.argument.owned, sources);
        ways.retain(|way| !way.is_element);
        if ways.is_empty() && value.argument.is_generic {
            ways.push(Way::default());
        }
        ways
    };
    let value = callee.parameters.iter().map(|value| (value, ways_to(value))).find(|(_, ways)| !ways.is_empty());
    let Some((value, ways)) = value else {
        let types: Vec<&str> = callee.parameters.iter().map(|one| &*one.argument.owned).collect();
        let taken = if types.is_empty() { "nothing".to_owned() } else { types.join(", ") };
        return Err(format!(
            "{name} takes {taken} and returns {result}, which cannot be passed to it again: write a wrapper function that returns the type it takes"
        )
        .into());
    };
    let (once, twice) = (unused("once", &callee.parameters), unused("twice", &callee.parameters));
    // The second call takes the result of the first.
    let first: Vec<String> = callee
        .parameters
        .iter()
        .map(|one| match std::ptr::eq(one, value) {
            true => one.passing(),
            false => one.passing_a_copy(),
        })
        .collect();
    let second: Vec<String> = callee
        .parameters
        .iter()
        .map(|one| match std::ptr::eq(one, value) {
            true => one.argument.passing_a_copy(&once),
            false => one.passing(),
        })
        .collect();
    let property = |way: &Way| Property {
        name: format!("{name}_twice_is_{name}_once"),
        parameters: callee.parameters.clone(),
        statements: format!(
            "    let {once} = {}{suffix};\n    let {twice} = {}{suffix};\n",
            callee.calling(&first),
            callee.calling(&second),
            suffix = way.suffix
        ),
        assertion: Assertion::Equal(twice.clone(), once.clone()),
    };
    Ok(ways.iter().map(property).collect())
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
    let first: Vec<String> = callee.parameters.iter().map(Parameter::passing_a_copy).collect();
    let both = other.parameters.iter().zip(&callee.parameters);
    let second = both.map(|(parameter, ours)| Parameter { name: ours.name.clone(), ..parameter.clone() }.passing());
    let second: Vec<String> = second.collect();
    Ok(Property {
        name: format!("{}_equals_{}", callee.name, other.name),
        parameters: callee.parameters.clone(),
        statements: String::new(),
        assertion: Assertion::Equal(callee.calling(&first), other.calling(&second)),
    })
}

/// It returns for any input.
pub fn no_panic(callee: &Callee, sources: &Sources) -> Property {
    let arguments: Vec<String> = callee.parameters.iter().map(Parameter::passing).collect();
    Property {
        name: format!("{}_never_panics", callee.name),
        parameters: callee.parameters.clone(),
        statements: match &callee.result {
            Some(result) => {
                format!("    let _ = {}{};\n", callee.calling(&arguments), convert::reading(result, sources))
            }
            None => format!("    {};\n", callee.calling(&arguments)),
        },
        assertion: Assertion::None,
    }
}

impl Property {
    /// The test.
    pub fn text(&self, comparison: Comparison) -> String {
        let (mut variables, mut lets) = (Vec::new(), String::new());
        for parameter in &self.parameters {
            let Parameter { name, argument, made } = parameter;
            let mutable = if argument.is_mutable() { "mut " } else { "" };
            match made {
                Some(made) => {
                    variables.extend(made.variables.iter().cloned());
                    // Constants are passed as they are.
                    if let Some(expression) = made.expression.as_ref().filter(|_| parameter.constant().is_none()) {
                        lets += &format!("    let {mutable}{name} = {expression};\n");
                    }
                }
                None => variables.push(format!("{mutable}{name}: {}", argument.owned)),
            }
        }
        let asserted = match &self.assertion {
            Assertion::None => String::new(),
            Assertion::Equal(left, right) => format!("    {};\n", comparison.shown(left, right)),
        };
        let line = format!("fn {}({}) {{", self.name, variables.join(", "));
        let head = match line.len() > WIDTH {
            true => format!("fn {}(\n    {},\n) {{", self.name, variables.join(",\n    ")),
            false => line,
        };
        format!("#[forall::test]\n{head}\n{lets}{}{asserted}}}\n", self.statements)
    }
}
