//! Properties of systems with state.
//!
//! A model predicts the system's state. Commands are applied to both, one after the other, and after each (or after the
//! last) the property, of type `model -> system -> bool`, checks whether they agree:
//!
//! ```futhark
//! #[prop(model(empty), step_model(push_or_pop), system(new_ring), step_system(ring_step), command(some_command))]
//! entry ring_is_a_queue (model: queue) (system: ring) : bool = …
//! ```
//!
//! | argument | what | type |
//! | --- | --- | --- |
//! | `model(f)`, `system(f)` | both at first | `state`, or `i64 -> u64 -> state` from a size and a seed, which are the same for both |
//! | `step_model(f)`, `step_system(f)` | what a command does | `state -> command -> state` |
//! | `command(f)` | makes a command | `i64 -> u64 -> command`, or `model -> i64 -> u64 -> command`; by its type, if there is none |
//! | `cond(f)` | which commands make sense | `model -> command -> bool` |
//! | `print(f)`, `label(f)` | how a command is shown, and counted | `command -> []u8` |
//! | `at_end` | compare after the last command only | |
//!
//! The state lives in the server, and so does the model: nothing travels but commands. To compare the responses of a
//! system, store them in its state.

use super::Attribute;
use super::lengths::Lengths;
use super::validate::{Checking, Problem, no_entry};
use std::collections::HashMap;

/// The parts of a property of a system with state.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) model: Initial,
    pub(crate) system: Initial,
    pub(crate) step_model: String,
    pub(crate) step_system: String,
    pub(crate) command: Commands,
    pub(crate) command_type: String,
    /// The known array lengths of commands.
    pub(crate) lengths: Lengths,
    pub(crate) at_end: bool,
}

/// The entry point that creates a state.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    pub(crate) entry: String,
    /// Whether it takes a size and a seed; otherwise the state is constant.
    pub(crate) is_random: bool,
}

/// The generator of commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Commands {
    /// Their type.
    ByType,
    /// An entry point that takes a size and a seed.
    Made(String),
    /// An entry point that takes the model, a size and a seed.
    MadeFor(String),
}

impl Machine {
    /// The arguments of an attribute for a system with state, if it has any.
    pub(super) fn of(
        checking: &Checking<'_>,
        attribute: &Attribute,
        parameters: &[String],
    ) -> Result<Option<Self>, Problem> {
        let roles = [&attribute.model, &attribute.system, &attribute.step_model, &attribute.step_system];
        if roles.iter().all(|role| role.is_none()) && attribute.command.is_none() && !attribute.at_end {
            return Ok(None);
        }
        let name = checking.name;
        let (Some(model), Some(system), Some(step_model), Some(step_system)) =
            (&attribute.model, &attribute.system, &attribute.step_model, &attribute.step_system)
        else {
            return Err(Problem::Told(format!(
                "Property {name} tests a stateful system: it needs model(..), system(..), step_model(..) and step_system(..)."
            )));
        };
        let [model_type, system_type] = parameters else {
            return Err(Problem::Told(format!(
                "Property {name} tests a stateful system: it should have the type model -> system -> bool, and takes {} values.",
                parameters.len()
            )));
        };
        if attribute.generator.is_some() || attribute.shrinker.is_some() {
            return Err(Problem::Told(format!(
                "Property {name} tests a stateful system: command(..) makes its commands, and sequences of them shrink by \
                 themselves; gen(..) and shrink(..) mean nothing there."
            )));
        }
        Self::is_step(checking, step_model, model_type)?;
        let command_type = checking.input_types(step_model)?.pop().unwrap_or_default();
        let step = format!("{system_type} -> {command_type} -> {system_type}");
        checking.role("step_system", Some(step_system), &[&step])?;
        let made = format!("i64 -> u64 -> {command_type}");
        let made_for = format!("{model_type} -> {made}");
        checking.role("command", attribute.command.as_deref(), &[&made, &made_for])?;
        let condition = format!("{model_type} -> {command_type} -> bool");
        checking.role("cond", attribute.condition.as_deref(), &[&condition])?;
        let text = format!("{command_type} -> []u8");
        checking.role("print", attribute.print.as_deref(), &[&text])?;
        checking.role("label", attribute.label.as_deref(), &[&text])?;
        let command = match &attribute.command {
            None => Commands::ByType,
            Some(entry) if checking.type_of(entry)? == made => Commands::Made(entry.clone()),
            Some(entry) => Commands::MadeFor(entry.clone()),
        };
        Ok(Some(Self {
            model: Initial::of(checking, "model", model, model_type)?,
            system: Initial::of(checking, "system", system, system_type)?,
            step_model: step_model.clone(),
            step_system: step_system.clone(),
            command,
            command_type,
            lengths: Lengths::Unknown,
            at_end: attribute.at_end,
        }))
    }

    /// The step function of the model defines the type of commands, which can be any type.
    fn is_step(checking: &Checking<'_>, step: &str, model: &str) -> Result<(), Problem> {
        let name = checking.name;
        if !checking.is_entry(step) {
            return Err(Problem::Told(no_entry("step_model", step, name)));
        }
        let takes = checking.input_types(step)?;
        match &*takes {
            [first, _] if first == model && checking.result_type(step)? == model => Ok(()),
            _ => Err(Problem::Told(format!(
                "step_model({step}) of property {name} has the wrong type.\nExpected: {model} -> command -> \
                 {model}\nActual:   {}",
                checking.type_of(step)?
            ))),
        }
    }

    /// Adds the array lengths of commands from the source.
    pub(super) fn with_lengths(self, known: &HashMap<String, Lengths>) -> Self {
        let lengths = known.get(&self.step_model).map_or(Lengths::Unknown, |both| both.field("1").clone());
        Self { lengths, ..self }
    }
}

impl Initial {
    fn of(checking: &Checking<'_>, argument: &str, entry: &str, state: &str) -> Result<Self, Problem> {
        let random = format!("i64 -> u64 -> {state}");
        checking.role(argument, Some(entry), &[state, &random])?;
        Ok(Self { entry: entry.to_owned(), is_random: checking.type_of(entry)? == random })
    }
}
