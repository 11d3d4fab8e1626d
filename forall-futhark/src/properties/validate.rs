//! Whether what is listed as a property is one.

use super::Attribute;
use super::lengths::{Lengths, lengths_in};
use super::machine::{Commands, Machine};
use crate::blocks::Blocks;
use crate::client::{Error, Generation, Server};

/// Which properties there may be.
///
/// ```
/// use forall_futhark::properties::Rules;
/// assert_ne!(Rules::Ours, Rules::Compatible);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those that `futhark test` takes, and ours: of several parameters, of systems with state, with conditions, and so on.
    Ours,
    /// Those that `futhark test` takes.
    Compatible,
}

/// A property that can be run.
///
/// ```no_run
/// use forall_futhark::blocks::Blocks;
/// use forall_futhark::client::{Options, Server};
/// use forall_futhark::properties::{Rules, validate};
///
/// let server = Server::start("./program", &Options::default()).unwrap();
/// let blocks = Blocks::parse(&std::fs::read_to_string("program.fut").unwrap()).unwrap();
/// let (properties, problems) = validate(&server, &blocks, Rules::Ours, &|_| None).unwrap();
/// # let _ = (properties, problems);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Property {
    /// The entry point.
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<String>,
    /// The type of its candidates: that of its parameter, or of all of them as a tuple.
    pub type_name: String,
    /// Whether it consumes them.
    pub consumes: bool,
    /// How it is tested.
    pub attribute: Attribute,
    /// How its counterexamples shrink.
    pub(crate) shrinking: Shrinking,
    /// What is known of how long the arrays of candidates are.
    pub(crate) lengths: Lengths,
    /// It is about a system with state.
    pub(crate) machine: Option<Machine>,
}

/// How counterexamples shrink, in addition to the choices that generated them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shrinking {
    /// By nothing else.
    Remade,
    /// By their type.
    ByType,
    /// By an entry point `t -> u64 -> t`.
    Entry,
    /// By an entry point `t -> u64 -> (t, i8)`, which says when it has no more to offer.
    EntryWithStatus,
}

impl Property {
    /// The same property, with arrays as long as the source of its program says: servers do not tell.
    ///
    /// ```no_run
    /// # use forall_futhark::{blocks::Blocks, client::{Options, Server}, properties::{Rules, validate}};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// # let (mut properties, _) = validate(&server, &Blocks::default(), Rules::Ours, &|_| None).unwrap();
    /// let source = std::fs::read_to_string("program.fut").unwrap();
    /// let property = properties.remove(0).in_source(&source);
    /// # let _ = property;
    /// ```
    pub fn in_source(self, source: &str) -> Self {
        self.in_sources(source, "")
    }

    /// The same, if what the source imports is known as well.
    pub(crate) fn in_sources(self, source: &str, imported: &str) -> Self {
        let mut known = lengths_in(source, imported);
        let lengths = known.remove(&self.name).unwrap_or(Lengths::Unknown);
        let machine = self.machine.map(|machine| machine.with_lengths(&known));
        Self { lengths, machine, ..self }
    }

    /// Why no candidates can be made by their type, if they are to be, and what to do.
    pub(crate) fn trouble(&self) -> Option<String> {
        let (lengths, needs) = match &self.machine {
            Some(machine) if machine.command == Commands::ByType => (&machine.lengths, "command(..)"),
            None if self.attribute.generator.is_none() => (&self.lengths, "gen(..)"),
            _ => return None,
        };
        lengths.trouble().map(|why| format!("{why}; give it a {needs}"))
    }
}

/// The properties that are listed and can be run, in the order of the server's entry points; and what is wrong with the others.
///
/// Servers of the older generation do not tell attributes; `attributes_of` may know them from the source.
///
/// ```no_run
/// # use forall_futhark::{blocks::Blocks, client::{Options, Server}, properties::{Rules, validate}};
/// # let server = Server::start("./program", &Options::default()).unwrap();
/// let nothing_listed = Blocks::default();
/// let (properties, problems) = validate(&server, &nothing_listed, Rules::Ours, &|_| None).unwrap();
/// assert!(properties.is_empty());
/// # let _ = problems;
/// ```
pub fn validate(
    server: &Server,
    blocks: &Blocks,
    rules: Rules,
    attributes_of: &dyn Fn(&str) -> Option<Vec<String>>,
) -> Result<(Vec<Property>, Vec<String>), Error> {
    let listed: Vec<&str> = blocks.properties().collect();
    let (mut properties, mut problems) = (Vec::new(), Vec::new());
    for name in server.entry_points() {
        let attributes = match attributes_of(name) {
            Some(attributes) => attributes,
            None => server.attributes(name)?,
        };
        let mut own: Vec<Attribute> = attributes.iter().filter_map(|text| Attribute::parse(text)).collect();
        let is_listed = listed.contains(&&**name);
        match (is_listed, own.len()) {
            (true, 1) => match (Checking { server, name, rules }).property(own.remove(0)) {
                Ok(property) => properties.push(property),
                Err(Problem::Told(problem)) => problems.push(problem),
                Err(Problem::Lost(error)) => return Err(error),
            },
            (true, 0) => {
                problems
                    .push(format!("Entry point \"{name}\" declared as property, but has no #[prop(...)] attribute."));
            }
            (true, _) => problems.push(format!("Entry point \"{name}\" has more than one #[prop(...)] attribute.")),
            (false, 0) => {}
            (false, _) => {
                problems
                    .push(format!("Entry point \"{name}\" not declared as property, but has #[prop(...)] attribute."));
            }
        }
    }
    let mut missing: Vec<&str> = Vec::new();
    for name in listed {
        if !server.entry_points().iter().any(|known| known == name) && !missing.contains(&name) {
            missing.push(name);
            problems.push(format!("Declared as property, but is not an entry point: \"{name}\"."));
        }
    }
    Ok((properties, problems))
}

/// Why a property cannot be run.
pub(super) enum Problem {
    /// What is wrong with it.
    Told(String),
    /// The server is gone.
    Lost(Error),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Lost(error)
    }
}

fn wrong<T>(problem: String) -> Result<T, Problem> {
    Err(Problem::Told(problem))
}

/// What an argument names is none.
pub(super) fn no_entry(argument: &str, entry: &str, property: &str) -> String {
    format!(
        "{argument}({entry}) of property {property} is not an entry point: define it with `entry`, or name another."
    )
}

/// A property that is looked at.
pub(super) struct Checking<'a> {
    pub(super) server: &'a Server,
    pub(super) name: &'a str,
    rules: Rules,
}

impl Checking<'_> {
    /// Whether the types of a property and of all that it names fit; the first problem is told.
    fn property(&self, attribute: Attribute) -> Result<Property, Problem> {
        let name = self.name;
        let inputs = self.server.inputs(name)?;
        let may_have_several = self.rules == Rules::Ours;
        match inputs.len() {
            0 => return wrong(format!("Property {name} has no inputs: expected 1.")),
            1 => {}
            many if !may_have_several => return wrong(format!("Property {name} has {many} inputs; expected 1.")),
            _ => {}
        }
        let parameters: Vec<String> = inputs.iter().map(|input| input.type_name.clone()).collect();
        let of = match &*parameters {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        let output = self.result_type(name)?;
        if output != "bool" {
            return wrong(format!("Property {name} output must be bool, got: {output}"));
        }
        let machine = match self.rules {
            Rules::Ours => Machine::of(self, &attribute, &parameters)?,
            Rules::Compatible => None,
        };
        let by_type: &[String] = match &machine {
            Some(Machine { command: Commands::ByType, command_type, .. }) => std::slice::from_ref(command_type),
            None if attribute.generator.is_none() => &parameters,
            _ => &[],
        };
        if self.rules == Rules::Ours {
            by_type.iter().try_for_each(|of| self.can_be_made(of))?;
        }
        let mut shrinking = Shrinking::Remade;
        if machine.is_none() {
            self.generator(&attribute, &of)?;
            shrinking = self.shrinker(&attribute, &of)?;
            if self.rules == Rules::Ours {
                self.others(&attribute, &parameters)?;
            }
        }
        Ok(Property {
            name: name.to_owned(),
            parameters,
            type_name: of,
            consumes: inputs.iter().any(|input| input.is_unique),
            attribute,
            shrinking,
            lengths: Lengths::Unknown,
            machine,
        })
    }

    /// Whether values of a type can be made without the program's help.
    fn can_be_made(&self, of: &str) -> Result<(), Problem> {
        match self.server.learn(of) {
            Err(Error::Impossible(_)) if !self.server.known().describes_itself(of) => {}
            Ok(()) | Err(Error::Impossible(_)) => return Ok(()),
            Err(lost) => return Err(lost.into()),
        }
        let name = self.name;
        let newer = match self.server.generation() {
            Generation::Legacy => " Servers of Futhark 0.26.3 and newer describe it.",
            Generation::Current => "",
        };
        let unknown = self.server.unknown_in(of)?;
        let (part, its) = match unknown == of {
            true => (String::new(), "its values".to_owned()),
            false => (format!(", which {of} is made of"), format!("values of the type {of}")),
        };
        wrong(format!(
            "Property {name}: the server does not describe the type {unknown}{part}, so the program must generate {its}: add gen(..), or command(..) for commands.{newer}"
        ))
    }

    fn generator(&self, attribute: &Attribute, of: &str) -> Result<(), Problem> {
        let Some(generator) = &attribute.generator else { return Ok(()) };
        if !self.is_entry(generator) {
            return wrong(format!("Generator is not a server entry point: {generator}"));
        }
        let expected = format!("i64 -> u64 -> {of}");
        let actual = self.type_of(generator)?;
        if actual != expected {
            return wrong(format!(
                "Generator \"{generator}\" for property \"{}\" has invalid type.\nExpected: {expected}\nActual:   {actual}",
                self.name
            ));
        }
        Ok(())
    }

    fn shrinker(&self, attribute: &Attribute, of: &str) -> Result<Shrinking, Problem> {
        let is_ours = self.rules == Rules::Ours;
        let Some(shrinker) = &attribute.shrinker else {
            // What a generator promises and a property needs is what the condition says.
            let says_what_counts = attribute.generator.is_some() && attribute.condition.is_some() && is_ours;
            return Ok(if says_what_counts { Shrinking::ByType } else { Shrinking::Remade });
        };
        if is_ours && shrinker == "auto" && !self.is_entry(shrinker) {
            // Candidates generated by their type shrink by it anyway.
            return Ok(if attribute.generator.is_some() { Shrinking::ByType } else { Shrinking::Remade });
        }
        if !self.is_entry(shrinker) {
            return wrong(format!("Shrinker is not a server entry point: {shrinker}"));
        }
        let name = self.name;
        let types = self.input_types(shrinker)?;
        let [takes, random] = &*types else {
            let listed: Vec<String> = types.iter().map(|one| format!("\"{one}\"")).collect();
            return wrong(format!(
                "Shrinker input arity mismatch.\n shrinker {shrinker} inputs: [{}]\nExpected exactly 2 inputs: ({of}, u64).",
                listed.join(",")
            ));
        };
        let mut mismatches = Vec::new();
        if takes != of {
            mismatches.push(format!("Property {name} expects {of} but shrinker {shrinker} takes {takes}"));
        }
        if random != "u64" {
            mismatches.push(format!("Shrinker {shrinker} takes random value {random} but expected u64"));
        }
        if !mismatches.is_empty() {
            return wrong(format!("Shrinker Mismatch:\n{}", mismatches.join("\n---\n")));
        }
        let gives = self.result_type(shrinker)?;
        if gives == of {
            return Ok(Shrinking::Entry);
        }
        if is_ours && gives == format!("({of}, i8)") {
            return Ok(Shrinking::EntryWithStatus);
        }
        wrong(format!(
            "Shrinker output mismatch.\nProperty {name} expects: {of}\nShrinker {shrinker} returns: \"{gives}\"\nExpected \
             shrinker output to equal the property input type."
        ))
    }

    /// Conditions, labels and printers take what the property takes.
    fn others(&self, attribute: &Attribute, parameters: &[String]) -> Result<(), Problem> {
        let takes = parameters.join(" -> ");
        self.role("cond", attribute.condition.as_deref(), &[&format!("{takes} -> bool")])?;
        self.role("print", attribute.print.as_deref(), &[&format!("{takes} -> []u8")])?;
        let labels = ["[]u8", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"];
        let labels: Vec<String> = labels.iter().map(|label| format!("{takes} -> {label}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        self.role("label", attribute.label.as_deref(), &labels)
    }

    /// Whether what an argument names is an entry point of one of these types.
    pub(super) fn role(&self, argument: &str, entry: Option<&str>, types: &[&str]) -> Result<(), Problem> {
        let Some(entry) = entry else { return Ok(()) };
        let name = self.name;
        if !self.is_entry(entry) {
            return wrong(no_entry(argument, entry, name));
        }
        let actual = self.type_of(entry)?;
        if types.contains(&&*actual) {
            return Ok(());
        }
        let some = &types[..types.len().min(3)];
        wrong(format!(
            "{argument}({entry}) of property {name} has the wrong type.\nExpected: {}\nActual:   {actual}",
            some.join(" or ")
        ))
    }

    pub(super) fn is_entry(&self, entry: &str) -> bool {
        self.server.entry_points().iter().any(|known| known == entry)
    }

    /// The type of an entry point.
    pub(super) fn type_of(&self, entry: &str) -> Result<String, Problem> {
        let mut types = self.input_types(entry)?;
        types.push(self.result_type(entry)?);
        Ok(types.join(" -> "))
    }

    pub(super) fn input_types(&self, entry_point: &str) -> Result<Vec<String>, Problem> {
        Ok(self.server.inputs(entry_point)?.into_iter().map(|input| input.type_name).collect())
    }

    /// The type of the result; of several, as a tuple.
    pub(super) fn result_type(&self, entry_point: &str) -> Result<String, Problem> {
        let outputs: Vec<String> =
            self.server.outputs(entry_point)?.into_iter().map(|output| output.type_name).collect();
        Ok(match &*outputs {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        })
    }
}
