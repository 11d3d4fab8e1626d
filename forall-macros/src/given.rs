//! Parameters with a twin: `#[forall(given = is_sorted)] xs: Vec<u8>`.
//!
//! The environment holds a cell of the twin, and cells of the other parameters, which the body needs only if the
//! precondition holds. `forall::__private::twin` turns cells into the plain values that the body takes.

use crate::compiler::{Ident, Span, TokenStream};
use crate::function::Parameter;
use crate::parse::{Input, Result};
use crate::template::template;
use crate::tokens::{at, hidden, placed, text};

/// The `given` and `twin` arguments of a parameter.
pub struct Given {
    /// The type whose twin is searched, if it is not the parameter's own.
    twin: Option<TokenStream>,
    /// A function over the twin, or over the plain value.
    pub condition: Option<TokenStream>,
}

/// The type of a parameter in the environment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Its value.
    Value,
    /// A cell with its value.
    Cell,
    /// A cell with its twin.
    Twin,
}

impl Given {
    /// Whether the arguments of `#[forall(…)]` are `given` or `twin`.
    pub fn is_next(input: &Input) -> bool {
        (input.at("given") || input.at("twin")) && input.at_after(1, "=") && !input.at_after(1, "==")
    }

    /// Reads `given = function`, `twin = Type`, or both.
    pub fn read(input: &mut Input) -> Result<Self> {
        let mut given = Self { twin: None, condition: None };
        loop {
            let (key, span) = input.word("a key", &["given", "twin"])?;
            input.expect("=")?;
            match key {
                "twin" => given.twin = Some(input.ty()?),
                _ => given.condition = Some(input.expression(span, "a function over the twin, such as `is_sorted`,")?),
            }
            if input.eat(",").is_none() || input.is_empty() {
                break;
            }
        }
        if input.is_empty() { Ok(given) } else { Err(input.error("expected `,` or the end")) }
    }
}

/// Decides what the environment holds for each parameter: cells, if any parameter has a twin.
pub fn hold(parameters: &mut [Parameter]) {
    if !parameters.iter().any(|parameter| parameter.given.is_some()) {
        return;
    }
    for parameter in parameters {
        let is_by_type = parameter.generator.is_none() && parameter.annotations.is_empty() && !parameter.is_source();
        parameter.held = match &parameter.given {
            Some(_) => Held::Twin,
            // Generators and preconditions of others read its value.
            None if is_by_type && !parameter.serves_later() => Held::Cell,
            None => Held::Value,
        };
    }
}

impl Parameter {
    /// The type that has the twin.
    fn twin(&self) -> &TokenStream {
        self.given.as_ref().and_then(|given| given.twin.as_ref()).unwrap_or(&self.value_type)
    }

    /// The type of what the environment holds.
    pub fn held_type(&self, krate: &TokenStream) -> TokenStream {
        let (ty, twin) = (&self.value_type, self.twin());
        match self.held {
            Held::Value => ty.clone(),
            Held::Cell => {
                let krate = placed(krate, at(ty));
                template!(at at(ty), |krate, ty| #krate::lazy::Lazy<#ty>)
            }
            Held::Twin => {
                let krate = placed(krate, at(twin));
                template!(at at(twin), |krate, twin| #krate::lazy::Lazy<<#twin as #krate::lazy::Twin>::Lazy>)
            }
        }
    }

    /// The function that prints it.
    pub fn printer(&self, krate: &TokenStream) -> TokenStream {
        let (ty, cell) = (&self.value_type, hidden("cell"));
        let print = template!(|ty| (&&&&__forall::Probe::<#ty>::NEW).printer());
        match self.held {
            Held::Value => print,
            Held::Cell => template!(|cell, krate, print| |#cell| #krate::__private::twin::printed_whole(#cell, #print)),
            Held::Twin => {
                let twin = self.twin();
                template!(|cell, krate, twin, print| |#cell| #krate::__private::twin::printed::<#twin>(#cell, #print))
            }
        }
    }

    /// The precondition as a condition on the environment, and its text.
    pub fn precondition(&self, krate: &TokenStream, own: &TokenStream) -> Option<(TokenStream, String)> {
        let condition = self.given.as_ref()?.condition.as_ref()?;
        let (place, twin) = (at(condition), self.twin());
        let krate = placed(krate, place);
        let holds = if is_closure(condition) {
            // The types of its parameters are inferred.
            template!(at place, |krate, twin, own, condition|
                #krate::__private::twin::holds::<#twin>(#own, #condition)
            )
        } else {
            template!(at place, |krate, twin, own, condition| {
                #[allow(unused_imports)]
                use #krate::__private::twin::{OverPlain as _, OverTarget as _, OverTwin as _, Unfit as _};
                (&&&&#krate::__private::twin::Condition::<#twin, _>::new(#condition)).holds(#own)
            })
        };
        Some((holds, text(condition)))
    }
}

/// Whether an expression is written as a closure.
fn is_closure(expression: &TokenStream) -> bool {
    let first = expression.clone().into_iter().next().map(|token| token.to_string());
    first.is_some_and(|first| first == "|" || first == "move")
}

/// The type of the clause with the precondition of a parameter.
pub fn clause(index: usize) -> Ident {
    Ident::new(&format!("__ForallGiven{index}"), Span::call_site())
}

/// How a body takes its arguments from an environment in the variable `env`: statements, and the arguments.
pub struct Taken {
    pub statements: TokenStream,
    pub arguments: Vec<TokenStream>,
}

/// How the body accesses the environment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Owned,
    Borrowed,
}

/// Takes the plain values, twins first: converting them decides everything that the preconditions did not read.
pub fn take(parameters: &[Parameter], krate: &TokenStream, access: Access) -> Taken {
    let env = hidden("env");
    let (mut pattern, mut owned) = (template!(()), template!(()));
    for (index, parameter) in parameters.iter().enumerate() {
        let (argument, mutable) = (argument(index), mutable(parameter));
        owned = match parameter.held {
            Held::Value => template!(|mutable, argument, owned| (#mutable #argument, #owned)),
            _ => template!(|argument, owned| (#argument, #owned)),
        };
        pattern = template!(|argument, pattern| (#argument, #pattern));
    }
    let mut statements = match access {
        Access::Owned => template!(|pattern, env| let #pattern = &#env;),
        Access::Borrowed => template!(|pattern, env| let #pattern = #env;),
    };
    let mut conditions = Vec::new();
    for (index, parameter) in parameters.iter().enumerate().filter(|(_, parameter)| parameter.held == Held::Twin) {
        let (plain, argument, mutable, twin) = (plain(index), argument(index), mutable(parameter), parameter.twin());
        let place = at(&parameter.ty);
        let krate = placed(krate, place);
        statements.extend(template!(at place, |mutable, plain, krate, twin, argument|
            let #mutable #plain = #krate::__private::twin::plain::<#twin>(#argument);
        ));
        if parameter.given.as_ref().is_some_and(|given| given.condition.is_some()) {
            let clause = clause(index);
            let mut part = match access {
                Access::Owned => template!(|env| &#env),
                Access::Borrowed => template!(|env| #env),
            };
            for _ in index + 1..parameters.len() {
                part = template!(|part| &(#part).1);
            }
            conditions.push(template!(|clause, part| &|| __forall::Predicate::holds(&#clause, #part),));
        }
    }
    statements.extend(template!(|krate, conditions| #krate::__private::twin::recheck(&[#conditions]);));
    for (index, parameter) in parameters.iter().enumerate() {
        if parameter.held == Held::Cell && parameter.borrow.to_string() != "&" {
            let (plain, argument, mutable) = (plain(index), argument(index), mutable(parameter));
            let place = at(&parameter.ty);
            let krate = placed(krate, place);
            statements.extend(template!(at place, |mutable, plain, krate, argument|
                let #mutable #plain = #krate::__private::twin::value(#argument);
            ));
        }
    }
    if access == Access::Owned {
        statements.extend(template!(|owned, env| #[allow(unused_variables)] let #owned = #env;));
    }
    let mut arguments = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let (plain, argument, borrow) = (plain(index), argument(index), &parameter.borrow);
        let place = at(&parameter.ty);
        arguments.push(match (parameter.held, access) {
            (Held::Cell, Access::Owned) if borrow.to_string() == "&" => template!(at place, |argument| &*#argument,),
            (Held::Cell, Access::Borrowed) if borrow.to_string() == "&" => {
                template!(at place, |argument| &**#argument,)
            }
            (Held::Value, Access::Borrowed) => template!(at place, |argument| #argument,),
            (Held::Value, Access::Owned) => template!(at place, |borrow, argument| #borrow #argument,),
            _ => template!(at place, |borrow, plain| #borrow #plain,),
        });
    }
    Taken { statements, arguments }
}

/// Whether the body can take its arguments from a reference to the environment.
pub fn can_borrow(parameters: &[Parameter]) -> bool {
    parameters.iter().all(|parameter| parameter.held != Held::Value || parameter.borrow.to_string() == "&")
}

fn argument(index: usize) -> Ident {
    hidden(&format!("argument_{index}"))
}

fn plain(index: usize) -> Ident {
    hidden(&format!("plain_{index}"))
}

fn mutable(parameter: &Parameter) -> TokenStream {
    if parameter.borrow.to_string().ends_with("mut") { template!(mut) } else { TokenStream::new() }
}
