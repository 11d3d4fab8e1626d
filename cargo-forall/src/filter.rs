//! Filter expressions: `-E 'package(hex) and not test(slow)'`, as cargo-nextest has them.
//!
//! ```text
//! expression = term { ("or" | "|" | "+") term }
//! term       = factor { ("and" | "&") factor }
//! factor     = ("not" | "!") factor | "(" expression ")" | "all()" | "none()" | predicate "(" matcher ")"
//! predicate  = "package" | "test" | "runner"
//! matcher    = "=" name | part of a name
//! ```

use crate::properties::Property;
use std::str::FromStr;

/// A condition on properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Any of them holds.
    Any(Vec<Filter>),
    /// All of them hold.
    All(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// The package's name.
    Package(Matcher),
    /// The property's name, with crate and modules.
    Test(Matcher),
    /// The runner's name.
    Runner(Matcher),
}

/// A condition on a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// It is this.
    Equal(String),
    /// It contains this.
    Contains(String),
}

impl Matcher {
    fn fits(&self, name: &str) -> bool {
        match self {
            Matcher::Equal(wanted) => name == wanted,
            Matcher::Contains(part) => name.contains(part.as_str()),
        }
    }
}

impl Filter {
    /// Whether a property satisfies it.
    pub fn fits(&self, property: &Property) -> bool {
        match self {
            Filter::Any(some) => some.iter().any(|one| one.fits(property)),
            Filter::All(all) => all.iter().all(|one| one.fits(property)),
            Filter::Not(one) => !one.fits(property),
            Filter::Package(matcher) => matcher.fits(&property.binary.package),
            Filter::Test(matcher) => matcher.fits(&property.name),
            Filter::Runner(matcher) => matcher.fits(&property.runner),
        }
    }
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text };
        let filter = parser.expression()?;
        match parser.rest.trim() {
            "" => Ok(filter),
            rest => Err(expected(&format!("`and`, `or` or the end before `{rest}`"))),
        }
    }
}

fn expected(what: &str) -> String {
    format!("expected {what}; write for example 'package(shop) and not test(slow)'")
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn expression(&mut self) -> Result<Filter, String> {
        let mut some = vec![self.term()?];
        while self.takes(&["or", "|", "+"]) {
            some.push(self.term()?);
        }
        Ok(if some.len() == 1 { some.remove(0) } else { Filter::Any(some) })
    }

    fn term(&mut self) -> Result<Filter, String> {
        let mut all = vec![self.factor()?];
        while self.takes(&["and", "&"]) {
            all.push(self.factor()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Filter::All(all) })
    }

    fn factor(&mut self) -> Result<Filter, String> {
        if self.takes(&["not", "!"]) {
            return Ok(Filter::Not(Box::new(self.factor()?)));
        }
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let inside = self.expression()?;
            self.rest = self.rest.trim_start().strip_prefix(')').ok_or_else(|| expected("`)`"))?;
            return Ok(inside);
        }
        let predicate = || expected("`package(…)`, `test(…)`, `runner(…)`, `all()` or `none()`");
        let (name, rest) = self.rest.split_once('(').ok_or_else(predicate)?;
        let (inside, rest) = matching(rest).ok_or_else(|| expected("`)`"))?;
        self.rest = rest;
        let inside = inside.trim();
        let matcher = match inside.strip_prefix('=') {
            Some(whole) => Matcher::Equal(whole.trim().to_owned()),
            None => Matcher::Contains(inside.to_owned()),
        };
        match name.trim() {
            "package" => Ok(Filter::Package(matcher)),
            "test" => Ok(Filter::Test(matcher)),
            "runner" => Ok(Filter::Runner(matcher)),
            "all" if inside.is_empty() => Ok(Filter::All(Vec::new())),
            "none" if inside.is_empty() => Ok(Filter::Any(Vec::new())),
            _ => Err(predicate()),
        }
    }

    /// Takes one of these operators, if it comes next.
    fn takes(&mut self, operators: &[&str]) -> bool {
        let rest = self.rest.trim_start();
        for operator in operators {
            let is_word = operator.starts_with(char::is_alphabetic);
            if let Some(after) = rest.strip_prefix(operator)
                && (!is_word || !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            {
                self.rest = after;
                return true;
            }
        }
        false
    }
}

/// Splits at the closing parenthesis that matches one already opened: names of property values may contain parentheses.
fn matching(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(filter: &str, package: &str, name: &str) -> bool {
        let mut property = Property::example(name);
        property.binary.package = package.to_owned();
        filter.parse::<Filter>().unwrap().fits(&property)
    }

    #[test]
    fn expressions_combine_conditions_with_the_usual_precedence() {
        assert!(fits("package(hex) and test(round)", "hex", "hex::round_trip"));
        assert!(!fits("package(=he) and test(round)", "hex", "hex::round_trip"));
        assert!(fits("test(a) or test(b) and test(c)", "p", "p::a"));
        assert!(!fits("(test(a) | test(b)) & test(c)", "p", "p::a"));
        assert!(fits("not test(slow) & !package(x)", "p", "p::quick"));
        assert!(fits("all()", "p", "p::a") && !fits("none()", "p", "p::a"));
        assert!(fits("test(=loop (1))", "p", "loop (1)") && fits("test(android)", "p", "p::android"));
    }

    #[test]
    fn mistakes_are_reported_with_an_example() {
        for (text, expected) in [
            ("", "`package(…)`, `test(…)`, `runner(…)`, `all()` or `none()`"),
            ("test(a", "`)`"),
            ("name(a)", "`package(…)`"),
            ("test(a) test(b)", "`and`, `or` or the end before `test(b)`"),
            ("(test(a)", "`)`"),
        ] {
            let wrong = text.parse::<Filter>().unwrap_err();
            assert!(
                wrong.contains(expected) && wrong.ends_with("; write for example 'package(shop) and not test(slow)'"),
                "{text}: {wrong}"
            );
        }
    }
}
