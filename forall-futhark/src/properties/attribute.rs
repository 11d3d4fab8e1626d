//! The attribute of an entry point, which configures its test.

use super::without_comments;
use std::collections::HashMap;

/// The attribute `#[prop(…)]`.
///
/// ```
/// use forall_futhark::properties::Attribute;
/// let attribute = Attribute::parse("prop(gen(small), size(10), sze(3))").unwrap();
/// assert_eq!(attribute.generator.as_deref(), Some("small"));
/// assert_eq!(attribute.size, Some(10));
/// assert_eq!(attribute.unknown, ["sze(3)"]);
/// assert_eq!(Attribute::parse("inline"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// `gen(f)`: generates candidates from a size and a seed; of type `i64 -> u64 -> t`.
    pub generator: Option<String>,
    /// `shrink(f)`: returns smaller candidates; of type `t -> u64 -> t`, or `t -> u64 -> (t, i8)`. `shrink(auto)`:
    /// shrinks by type.
    pub shrinker: Option<String>,
    /// `size(n)`: the maximum size for generators.
    pub size: Option<i64>,
    /// `cond(f)`: the condition for valid candidates, of type `t -> bool`.
    pub condition: Option<String>,
    /// `label(f)`: labels a candidate, of type `t -> []u8` or `t -> i64`.
    pub label: Option<String>,
    /// `print(f)`: formats a candidate, of type `t -> []u8`.
    pub print: Option<String>,
    /// `model(f)`: the initial model of a system with state.
    pub model: Option<String>,
    /// `system(f)`: the initial system.
    pub system: Option<String>,
    /// `step_model(f)`: applies a command to the model, of type `model -> command -> model`.
    pub step_model: Option<String>,
    /// `step_system(f)`: applies a command to the system, of type `system -> command -> system`.
    pub step_system: Option<String>,
    /// `command(f)`: generates commands, of type `i64 -> u64 -> command` or `model -> i64 -> u64 -> command`.
    pub command: Option<String>,
    /// `at_end`: compares model and system only after the last command.
    pub at_end: bool,
    /// Unknown arguments.
    pub unknown: Vec<String>,
}

impl Attribute {
    /// Parses an attribute as servers print it, without `#[` and `]`; `None` if it is another attribute.
    ///
    /// ```
    /// use forall_futhark::properties::Attribute;
    /// assert_eq!(Attribute::parse("prop"), Some(Attribute::default()));
    /// // Without a name it is the empty one, which no entry point has.
    /// assert_eq!(Attribute::parse("prop(gen)").unwrap().generator.as_deref(), Some(""));
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "prop" {
            return Some(Self::default());
        }
        let inside = text.strip_prefix("prop(")?.strip_suffix(')')?;
        let mut attribute = Self::default();
        // Splits at every comma, as `futhark test` does: no argument contains one.
        for piece in inside.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
            let is_known = attribute.argument(piece);
            if !is_known {
                attribute.unknown.push(piece.to_owned());
            }
        }
        Some(attribute)
    }

    /// Parses one argument. Returns whether it is known. The first argument of each kind wins.
    fn argument(&mut self, piece: &str) -> bool {
        let (name, value) = match piece.split_once('(') {
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(value) => (name.trim(), value.trim()),
                None => return false,
            },
            None => (piece, ""),
        };
        let slot = match name {
            "gen" => &mut self.generator,
            "shrink" => &mut self.shrinker,
            "cond" => &mut self.condition,
            "label" => &mut self.label,
            "print" => &mut self.print,
            "model" => &mut self.model,
            "system" => &mut self.system,
            "step_model" => &mut self.step_model,
            "step_system" => &mut self.step_system,
            "command" => &mut self.command,
            "at_end" if value.is_empty() => {
                self.at_end = true;
                return true;
            }
            "size" => {
                let size = value.parse().ok();
                self.size = self.size.or(size);
                return size.is_some();
            }
            _ => return false,
        };
        if slot.is_none() {
            *slot = Some(value.to_owned());
        }
        true
    }
}

/// The known arguments.
pub(crate) const ARGUMENTS: &str = "gen, shrink, size, cond, label, print; and for stateful systems model, system, step_model, step_system, command, at_end";

/// Returns the attributes in a source, for servers that do not report them.
///
/// ```
/// use forall_futhark::properties::attributes_in;
/// let all = attributes_in("#[prop(size(3))]\nentry even (x: i32) : bool = x % 2 == 0");
/// assert_eq!(all["even"], ["prop(size(3))"]);
/// ```
pub fn attributes_in(source: &str) -> HashMap<String, Vec<String>> {
    let plain = without_comments(source);
    let mut all: HashMap<String, Vec<String>> = HashMap::new();
    let mut pending: Vec<String> = Vec::new();
    let mut rest = &*plain;
    loop {
        rest = rest.trim_start();
        if let Some((attribute, after)) = rest.strip_prefix("#[").and_then(|inside| inside.split_once(']')) {
            let words: Vec<&str> = attribute.split_whitespace().collect();
            pending.push(words.join(" "));
            rest = after;
            continue;
        }
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        if word.is_empty() {
            return all;
        }
        rest = &rest[word.len()..];
        if word == "entry" {
            // Sizes, parameters or a type may follow the name without a blank.
            let name: String =
                rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || "_'".contains(*c)).collect();
            let own = all.entry(name).or_default();
            for attribute in pending.drain(..) {
                // Newer servers report a repeated attribute once.
                if !own.contains(&attribute) {
                    own.push(attribute);
                }
            }
        }
        pending.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_however_the_entry_point_is_written() {
        let source = "
            #[prop] entry f(x: i32): bool = true
            #[prop(size(3))]
            #[inline] #[prop(size(3))] entry g[n](xs: [n]i32) : bool = true
            #[prop]entry q: i32 -> bool = \\x -> x < 4
            #[prop]
            def not_an_entry = 1
            entry plain' (x: i32): bool = true -- #[prop] entry commented (x: i32)
        ";
        let all = attributes_in(source);
        assert_eq!(all["f"], ["prop"]);
        assert_eq!(all["g"], ["prop(size(3))", "inline"]);
        assert_eq!(all["q"], ["prop"]);
        assert!(all["plain'"].is_empty());
        assert_eq!(all.len(), 4);
    }
}
