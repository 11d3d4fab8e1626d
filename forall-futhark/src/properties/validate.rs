//! Whether what is listed as a property is one.

use super::Attribute;
use super::lengths::{Lengths, lengths_in};
use crate::blocks::Blocks;
use crate::client::{Error, Server};

/// A property that can be run.
///
/// ```no_run
/// use forall_futhark::blocks::Blocks;
/// use forall_futhark::client::{Options, Server};
/// use forall_futhark::properties::validate;
///
/// let server = Server::start("./program", &Options::default()).unwrap();
/// let blocks = Blocks::parse(&std::fs::read_to_string("program.fut").unwrap()).unwrap();
/// let (properties, problems) = validate(&server, &blocks, &|_| None).unwrap();
/// # let _ = (properties, problems);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Property {
    /// The entry point.
    pub name: String,
    /// The type of its candidates.
    pub type_name: String,
    /// Whether it consumes them.
    pub consumes: bool,
    /// How it is tested.
    pub attribute: Attribute,
    /// What is known of how long the arrays of candidates are.
    pub(crate) lengths: Lengths,
}

impl Property {
    /// The same property, with arrays as long as the source of its program says: servers do not tell.
    ///
    /// ```no_run
    /// # use forall_futhark::{blocks::Blocks, client::{Options, Server}, properties::validate};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// # let (mut properties, _) = validate(&server, &Blocks::default(), &|_| None).unwrap();
    /// let source = std::fs::read_to_string("program.fut").unwrap();
    /// let property = properties.remove(0).in_source(&source);
    /// # let _ = property;
    /// ```
    pub fn in_source(self, source: &str) -> Self {
        let lengths = lengths_in(source).remove(&self.name).unwrap_or(Lengths::Unknown);
        Self { lengths, ..self }
    }
}

/// The properties that are listed and can be run, in the order of the server's entry points; and what is wrong with the others.
///
/// Servers of the older generation do not tell attributes; `attributes_of` may know them from the source.
///
/// ```no_run
/// # use forall_futhark::{blocks::Blocks, client::{Options, Server}, properties::validate};
/// # let server = Server::start("./program", &Options::default()).unwrap();
/// let nothing_listed = Blocks::default();
/// let (properties, problems) = validate(&server, &nothing_listed, &|_| None).unwrap();
/// assert!(properties.is_empty());
/// # let _ = problems;
/// ```
pub fn validate(
    server: &Server,
    blocks: &Blocks,
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
            (true, 1) => match check(server, name, own.remove(0))? {
                Ok(property) => properties.push(property),
                Err(problem) => problems.push(problem),
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

/// Whether the types of a property, its generator and its shrinker fit; the first problem is told.
fn check(server: &Server, name: &str, attribute: Attribute) -> Result<Result<Property, String>, Error> {
    let inputs = server.inputs(name)?;
    let [input] = &*inputs else {
        return Ok(Err(match inputs.len() {
            0 => format!("Property {name} has no inputs: expected 1."),
            many => format!("Property {name} has {many} inputs; expected 1."),
        }));
    };
    let of = &input.type_name;
    let output = result_type(server, name)?;
    if output != "bool" {
        return Ok(Err(format!("Property {name} output must be bool, got: {output}")));
    }
    let is_entry = |entry: &str| server.entry_points().iter().any(|known| known == entry);
    if let Some(generator) = &attribute.generator {
        if !is_entry(generator) {
            return Ok(Err(format!("Generator is not a server entry point: {generator}")));
        }
        let mut types = input_types(server, generator)?;
        types.push(result_type(server, generator)?);
        let expected = format!("i64 -> u64 -> {of}");
        let actual = types.join(" -> ");
        if actual != expected {
            return Ok(Err(format!(
                "Generator \"{generator}\" for property \"{name}\" has invalid type.\nExpected: {expected}\nActual:   {actual}"
            )));
        }
    }
    if let Some(shrinker) = &attribute.shrinker {
        if !is_entry(shrinker) {
            return Ok(Err(format!("Shrinker is not a server entry point: {shrinker}")));
        }
        if let Some(problem) = check_shrinker(server, name, of, shrinker)? {
            return Ok(Err(problem));
        }
    }
    Ok(Ok(Property {
        name: name.to_owned(),
        type_name: of.clone(),
        consumes: input.is_unique,
        attribute,
        lengths: Lengths::Unknown,
    }))
}

fn check_shrinker(server: &Server, name: &str, of: &str, shrinker: &str) -> Result<Option<String>, Error> {
    let types = input_types(server, shrinker)?;
    let [takes, random] = &*types else {
        let listed: Vec<String> = types.iter().map(|one| format!("\"{one}\"")).collect();
        return Ok(Some(format!(
            "Shrinker input arity mismatch.\n shrinker {shrinker} inputs: [{}]\nExpected exactly 2 inputs: ({of}, u64).",
            listed.join(",")
        )));
    };
    let mut mismatches = Vec::new();
    if takes != of {
        mismatches.push(format!("Property {name} expects {of} but shrinker {shrinker} takes {takes}"));
    }
    if random != "u64" {
        mismatches.push(format!("Shrinker {shrinker} takes random value {random} but expected u64"));
    }
    if !mismatches.is_empty() {
        return Ok(Some(format!("Shrinker Mismatch:\n{}", mismatches.join("\n---\n"))));
    }
    let gives = result_type(server, shrinker)?;
    if gives != of {
        return Ok(Some(format!(
            "Shrinker output mismatch.\nProperty {name} expects: {of}\nShrinker {shrinker} returns: \"{gives}\"\nExpected \
             shrinker output to equal the property input type."
        )));
    }
    Ok(None)
}

fn input_types(server: &Server, entry_point: &str) -> Result<Vec<String>, Error> {
    Ok(server.inputs(entry_point)?.into_iter().map(|input| input.type_name).collect())
}

/// The type of the result; of several, as a tuple.
fn result_type(server: &Server, entry_point: &str) -> Result<String, Error> {
    let outputs: Vec<String> = server.outputs(entry_point)?.into_iter().map(|output| output.type_name).collect();
    Ok(match &*outputs {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    })
}
