//! A skeleton of a model for a type: stubs of its methods, and the state machine that compares the two.

use super::callee::snake;
use super::methods::{Method, Methods};
use crate::Error;

/// The skeleton for a type with these methods.
pub fn model(name: &str, methods: &Methods) -> Result<String, Error> {
    let Methods { usable, others, .. } = methods;
    if usable.is_empty() {
        let why = match others.first() {
            Some((method, why)) => format!(": `{method}` is unsupported because {why}"),
            None => ": there is no `pub fn` with `&self` or `&mut self`".to_owned(),
        };
        return Err(format!(
            "no method of {name} can be a command{why}. Write a wrapper type whose methods take and return values, and name that"
        ).into());
    }
    let make = start(name, methods);
    // A type whose methods all take `&self` is meant to be shared, so it is also tested on several threads.
    let is_shared = usable.iter().all(|method| !method.changes);
    let shared = if is_shared { "shared " } else { "" };
    let mut out = format!(
        "/// A simple model of `{name}`.\n\
         #[derive(Clone, Debug, Default, PartialEq)]\nstruct {name}Model;\n\n\
         #[allow(unused_variables)] // until the methods are filled in\nimpl {name}Model {{\n"
    );
    for Method { function, .. } in usable {
        let (method, signature) = (&function.name, signature(function, "&mut self"));
        out += &format!("    {signature} {{\n        todo!(\"what `{method}` should do\")\n    }}\n\n");
    }
    out.truncate(out.trim_end().len());
    out += &format!(
        "\n}}\n\nforall::machine! {{\n    spec {name}Spec for {shared}{name} = {make}, like {name}Model = {name}Model::default();\n"
    );
    for Method { function, .. } in usable {
        out += &format!("    {};\n", signature(function, ""));
    }
    for (method, why) in others {
        out += &format!("    // `{method}` is not tested: {why}. Write a wrapper method to include it.\n");
    }
    out += "}\n";
    let lower = snake(name);
    let test = |kind: &str, how: &str| {
        format!(
            "\n#[forall::test]\nfn {lower}_behaves_like_its_model{how}(commands: forall::machine::{kind}<{name}Spec>) -> \
             forall::property::Outcome {{\n    commands.check()\n}}\n"
        )
    };
    out += &test("Sequential", "");
    if is_shared {
        out += &test("Parallel", "_on_several_threads");
    }
    Ok(out)
}

/// An expression that creates the initial value.
fn start(name: &str, methods: &Methods) -> String {
    match methods {
        Methods { has_new: true, .. } => format!("{name}::new()"),
        Methods { has_default: true, .. } => format!("{name}::default()"),
        Methods { makers, .. } => {
            let makers: Vec<String> =
                makers.iter().map(|maker| format!("`{name}::{}`", maker.replace('"', "'"))).collect();
            let hint = if makers.is_empty() { String::new() } else { format!(": there is {}", makers.join(", ")) };
            // The text is a format string of `todo!`.
            let hint = hint.replace('\\', "\\\\").replace('{', "{{").replace('}', "}}");
            format!("todo!(\"create a {name}{hint}\")")
        }
    }
}

/// `fn name(&mut self, value: u8) -> bool`, or without `self`.
fn signature(function: &super::Function, receiver: &str) -> String {
    let mut parameters: Vec<String> = Vec::new();
    if !receiver.is_empty() {
        parameters.push(receiver.to_owned());
    }
    for parameter in &function.parameters {
        parameters.push(format!("{}: {}", parameter.name, parameter.type_text));
    }
    let result = function.result.as_ref().map_or(String::new(), |result| format!(" -> {result}"));
    format!("fn {}({}){result}", function.name, parameters.join(", "))
}
