//! FutharkScript: small expressions that compute the input of a case.
//!
//! `f 10i64 (g true)` calls entry points; there are also tuples, records, `let x = … in …` and `let (x, y) = … in …`,
//! arrays of literals, `$loaddata "file"` and `$loadbytes "file"`. Values stay in the server. A number without a type
//! suffix gets the expected type, if it fits.

use crate::client::{Error, Kind, Server, Variable};
use crate::data::{Element, Primitive, Value, parse_values, read_values};
use std::path::Path;
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone)]
enum Worth {
    Literal {
        value: Value,
        /// Whether the value is an integer without a type suffix.
        is_plain: bool,
    },
    Held(Rc<Variable>),
    Tuple(Vec<Worth>),
    Record(Vec<(String, Worth)>),
}

/// The error of a script.
pub(super) enum Trouble {
    /// A syntax error or a type error.
    Wrong(String),
    /// The server rejected a call, or was lost.
    Server(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Server(error)
    }
}

/// Returns the error for an unreadable file beside the program.
fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> Trouble {
    Trouble::Wrong(format!("cannot read {}: {why}; files are searched for beside the program", path.display()))
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

/// Evaluates a script to inputs of these types.
pub(super) fn inputs(
    server: &Server,
    folder: &Path,
    script: &str,
    wanted: &[String],
) -> Result<Vec<Rc<Variable>>, Trouble> {
    let text = match script.strip_prefix('@') {
        Some(file) => {
            let path = folder.join(file.trim());
            std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?
        }
        None => script.to_owned(),
    };
    let mut reading = Reading { server, folder, rest: &text, names: Vec::new() };
    let worth = reading.expression()?;
    reading.skip_blanks();
    if !reading.rest.is_empty() {
        return wrong(format!(
            "FutharkScript: `{}` is unexpected; put arguments in parentheses",
            reading.rest.trim_end()
        ));
    }
    if let [one] = wanted {
        return Ok(vec![reading.as_type(&worth, one)?]);
    }
    let parts = reading.parts(&worth)?;
    if parts.len() != wanted.len() {
        return wrong(format!("FutharkScript: {} values for {} inputs", parts.len(), wanted.len()));
    }
    parts.iter().zip(wanted).map(|(part, of)| reading.as_type(part, of)).collect()
}

/// The evaluation of a script.
struct Reading<'a> {
    server: &'a Server,
    folder: &'a Path,
    rest: &'a str,
    names: Vec<(String, Worth)>,
}

impl Reading<'_> {
    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix("--") {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, after)| after),
                None => return,
            }
        }
    }

    fn takes(&mut self, what: char) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(what) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn must(&mut self, what: char) -> Result<(), Trouble> {
        match self.takes(what) {
            true => Ok(()),
            false if self.rest.is_empty() => wrong(format!("FutharkScript: `{what}` is missing at the end")),
            false => wrong(format!("FutharkScript: write `{what}` before `{}`", self.rest.trim_end())),
        }
    }

    /// Returns the next word without consuming it.
    fn next_word(&mut self) -> String {
        self.skip_blanks();
        self.rest.chars().take_while(|c| c.is_alphanumeric() || "_'.$".contains(*c)).collect()
    }

    fn word(&mut self) -> String {
        let word = self.next_word();
        self.rest = &self.rest[word.len()..];
        word
    }

    fn expression(&mut self) -> Result<Worth, Trouble> {
        let word = self.next_word();
        if word == "let" {
            return self.binding();
        }
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
        if !is_name || is_literal(&word) || self.names.iter().any(|(name, _)| *name == word) {
            return self.atom();
        }
        self.word();
        if let Some(builtin) = word.strip_prefix('$') {
            return self.builtin(builtin);
        }
        let mut arguments = Vec::new();
        while self.begins_atom() {
            arguments.push(self.atom()?);
        }
        self.call(&word, &arguments)
    }

    fn begins_atom(&mut self) -> bool {
        let word = self.next_word();
        match self.rest.chars().next() {
            Some(c) if "([{\"-".contains(c) => true,
            Some(_) => !word.is_empty() && word != "in",
            None => false,
        }
    }

    /// Evaluates `let x = … in …`, or the same with a tuple of names.
    fn binding(&mut self) -> Result<Worth, Trouble> {
        self.word();
        let mut names = Vec::new();
        let is_tuple = self.takes('(');
        loop {
            names.push(self.word());
            if !is_tuple || !self.takes(',') {
                break;
            }
        }
        if is_tuple {
            self.must(')')?;
        }
        self.must('=')?;
        let worth = self.expression()?;
        if self.word() != "in" {
            return wrong("FutharkScript: `let … = …` is followed by `in …`");
        }
        let before = self.names.len();
        if is_tuple {
            let parts = self.parts(&worth)?;
            if parts.len() != names.len() {
                return wrong(format!("FutharkScript: {} names for {} values", names.len(), parts.len()));
            }
            self.names.extend(names.into_iter().zip(parts));
        } else {
            self.names.extend(names.into_iter().map(|name| (name, worth.clone())));
        }
        let body = self.expression();
        self.names.truncate(before);
        body
    }

    fn atom(&mut self) -> Result<Worth, Trouble> {
        if self.takes('(') {
            let mut parts = Vec::new();
            while !self.takes(')') {
                parts.push(self.expression()?);
                if !self.takes(',') {
                    self.must(')')?;
                    break;
                }
            }
            return Ok(if parts.len() == 1 { parts.remove(0) } else { Worth::Tuple(parts) });
        }
        if self.takes('{') {
            let mut fields = Vec::new();
            while !self.takes('}') {
                let name = self.word();
                self.must('=')?;
                fields.push((name, self.expression()?));
                if !self.takes(',') {
                    self.must('}')?;
                    break;
                }
            }
            return Ok(Worth::Record(fields));
        }
        let word = self.next_word();
        if let Some((_, worth)) = self.names.iter().rev().find(|(name, _)| *name == word) {
            let worth = worth.clone();
            self.word();
            return Ok(worth);
        }
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_name && !is_literal(&word) {
            self.word();
            return self.call(&word, &[]);
        }
        self.literal()
    }

    /// Parses a number, a boolean, a string, or an array of them.
    fn literal(&mut self) -> Result<Worth, Trouble> {
        self.skip_blanks();
        let end = literal_end(self.rest);
        let (text, after) = self.rest.split_at(end);
        let Ok(Ok([value])) = parse_values(text).map(<[Value; 1]>::try_from) else {
            return wrong(format!(
                "FutharkScript: `{}` is not an expression: write a value, such as 1i32, or call an entry point",
                self.rest.trim_end()
            ));
        };
        self.rest = after;
        let is_plain = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        Ok(Worth::Literal { value, is_plain })
    }

    fn builtin(&mut self, name: &str) -> Result<Worth, Trouble> {
        if !["loaddata", "loadbytes"].contains(&name) {
            return wrong(format!("FutharkScript: ${name} is not supported here; use $loaddata or $loadbytes"));
        }
        let argument = self.atom()?;
        let file = match &argument {
            Worth::Literal { value, .. } => u8::of(value.elements()),
            _ => None,
        };
        let Some(file) = file else {
            return wrong(format!("FutharkScript: ${name} requires the name of a file, in quotes"));
        };
        let path = self.folder.join(String::from_utf8_lossy(file).as_ref());
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        if name == "loadbytes" {
            return Ok(Worth::Literal { value: Value::array(bytes), is_plain: false });
        }
        let values = read_values(&mut &bytes[..]).map_err(|error| unreadable(&path, &error))?;
        let mut all: Vec<Worth> = values.into_iter().map(|value| Worth::Literal { value, is_plain: false }).collect();
        Ok(if all.len() == 1 { all.remove(0) } else { Worth::Tuple(all) })
    }

    fn call(&mut self, name: &str, arguments: &[Worth]) -> Result<Worth, Trouble> {
        if !self.server.entry_points().iter().any(|known| known == name) {
            let known = self.server.entry_points().join(", ");
            return wrong(format!("FutharkScript: there is no entry point {name}; there are {known}"));
        }
        let wanted = self.server.inputs(name)?;
        if wanted.len() != arguments.len() {
            return wrong(format!("FutharkScript: {name} takes {} values, not {}", wanted.len(), arguments.len()));
        }
        let mut held = Vec::new();
        for (argument, input) in arguments.iter().zip(&wanted) {
            held.push(self.as_type(argument, &input.type_name)?);
        }
        let inputs: Vec<&Variable> = held.iter().map(|variable| &**variable).collect();
        let mut outputs: Vec<Worth> =
            self.server.call_all(name, &inputs)?.into_iter().map(|output| Worth::Held(Rc::new(output))).collect();
        Ok(if outputs.len() == 1 { outputs.remove(0) } else { Worth::Tuple(outputs) })
    }

    /// Returns the parts of a tuple.
    fn parts(&self, worth: &Worth) -> Result<Vec<Worth>, Trouble> {
        match worth {
            Worth::Tuple(parts) => Ok(parts.clone()),
            Worth::Held(variable) => match self.server.kind(variable.type_name())? {
                Kind::Record(fields) => {
                    let part = |name: &str| self.server.project(variable, name).map(|part| Worth::Held(Rc::new(part)));
                    Ok(fields.iter().map(|field| part(&field.name)).collect::<Result<_, _>>()?)
                }
                _ => Ok(vec![worth.clone()]),
            },
            other => Ok(vec![other.clone()]),
        }
    }

    /// Returns a variable of this type.
    fn as_type(&self, worth: &Worth, of: &str) -> Result<Rc<Variable>, Trouble> {
        match worth {
            Worth::Held(variable) if variable.type_name() == of => Ok(variable.clone()),
            Worth::Held(variable) => {
                wrong(format!("FutharkScript: expected {of}, found a value of type {}", variable.type_name()))
            }
            Worth::Literal { value, is_plain } => {
                let value = if *is_plain { fitted(value, of) } else { value.clone() };
                if value.type_name() != of {
                    return wrong(format!("FutharkScript: expected a value of type {of}, found {value}"));
                }
                Ok(Rc::new(self.server.put(&[value])?.remove(0)))
            }
            Worth::Tuple(_) | Worth::Record(_) => {
                let Kind::Record(fields) = self.server.kind(of)? else {
                    return wrong(format!("FutharkScript: expected one value of type {of}, found several"));
                };
                let mut held = Vec::new();
                for (at, field) in fields.iter().enumerate() {
                    let part = match worth {
                        Worth::Tuple(parts) => parts.get(at),
                        Worth::Record(own) => own.iter().find(|(name, _)| *name == field.name).map(|(_, part)| part),
                        _ => None,
                    };
                    let Some(part) = part else {
                        return wrong(format!("FutharkScript: there is no {}, for a value of type {of}", field.name));
                    };
                    held.push(self.as_type(part, &field.type_name)?);
                }
                let parts: Vec<&Variable> = held.iter().map(|variable| &**variable).collect();
                Ok(Rc::new(self.server.record(of, &parts)?))
            }
        }
    }
}

fn is_literal(word: &str) -> bool {
    parse_values(word).is_ok_and(|values| values.len() == 1)
}

/// Converts an integer without a type suffix to the expected type, if it fits.
fn fitted(value: &Value, of: &str) -> Value {
    let number = value.get::<i32>().map(|number| number.to_string()).unwrap_or_default();
    let Ok(primitive) = of.parse::<Primitive>() else { return value.clone() };
    let typed = format!("{number}{primitive}");
    match parse_values(&typed).as_deref() {
        // Integers that are too large would wrap, so they do not fit.
        Ok([read]) if read.to_string() == typed || of.starts_with('f') => read.clone(),
        _ => value.clone(),
    }
}

/// Returns the end of the literal at the beginning of a text.
fn literal_end(text: &str) -> usize {
    let mut depth = 0usize;
    let mut is_string = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if is_string => {
                is_string = false;
                if depth == 0 {
                    return at + 1;
                }
            }
            '"' => is_string = true,
            _ if is_string => {}
            '[' => depth += 1,
            ']' if depth == 1 => return at + 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || "_.".contains(c) => {}
            // A sign is allowed at the start, or after an exponent.
            '-' | '+' if at == 0 || text[..at].ends_with(['e', 'E']) => {}
            _ => return at,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_literal_is_found() {
        for (text, literal) in [
            ("1i64 2", "1i64"),
            ("-1.5e-3f32)", "-1.5e-3f32"),
            ("[[1], [2]] 3", "[[1], [2]]"),
            ("\"a ]\" x", "\"a ]\""),
            ("true,", "true"),
        ] {
            assert_eq!(&text[..literal_end(text)], literal);
        }
    }

    #[test]
    fn plain_numbers_take_the_expected_type() {
        let seven = Value::scalar(7i32);
        assert_eq!(fitted(&seven, "u8"), Value::scalar(7u8));
        assert_eq!(fitted(&seven, "f64"), Value::scalar(7f64));
        assert_eq!(fitted(&Value::scalar(700i32), "u8"), Value::scalar(700i32));
        assert_eq!(fitted(&seven, "[]u8"), seven);
    }
}
