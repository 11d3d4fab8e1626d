//! Nondeterministic generators: the same choices produce different values.
//!
//! Their counterexamples can neither be shrunk nor replayed faithfully, and the report must say so. The recorded
//! choices reveal only some of them. So the variables of a counterexample are generated once more, and their texts
//! compared. A different order of a hash map's entries, or a different address in the text, does not count as a
//! difference.

use super::Session;
use crate::fact::Fact;
use crate::run::Counterexample;
use crate::sort::sort_by;
use crate::text::joined;
use std::iter::Peekable;
use std::str::Chars;

/// A hexadecimal number with at least this many digits is an address.
const ADDRESS: usize = 8;

impl Session<'_> {
    /// Generates the variables of a counterexample again, and warns if one of them has another value.
    pub(super) fn look_again(&self, shown: &mut Counterexample) {
        let again = self.tester.print(&shown.case);
        for (at, first) in shown.bindings.iter().enumerate() {
            let Some(second) = again.get(at) else { return };
            let (one, other) = (first.printed.text(), second.printed.text());
            if one != other && canonical(one) != canonical(other) {
                let (variable, first, second) = (first.name.to_owned(), one.to_owned(), other.to_owned());
                shown.caveats.push(Fact::OtherValue { variable, first, second });
                return;
            }
        }
    }
}

/// The text of a value without parts that may differ between equal values.
fn canonical(text: &str) -> String {
    joined(&entries(&mut text.chars().peekable(), None), ",")
}

/// The text between commas, up to a closing bracket.
fn entries(chars: &mut Peekable<Chars<'_>>, close: Option<char>) -> Vec<String> {
    let mut entries = Vec::new();
    let mut entry = String::new();
    while let Some(c) = chars.next() {
        match c {
            _ if Some(c) == close => break,
            ',' => entries.push(std::mem::take(&mut entry).trim().to_owned()),
            '"' | '\'' => {
                entry.push(c);
                literal(chars, c, &mut entry);
            }
            '{' => {
                // After the brace of a struct, there is a space. The entries of maps and sets have no fixed order.
                let is_map = chars.peek().is_none_or(|next| !next.is_whitespace());
                let mut inner = self::entries(chars, Some('}'));
                if is_map {
                    sort_by(&mut inner, String::cmp);
                }
                entry += &format!("{{{}}}", joined(&inner, ","));
            }
            '(' => entry += &format!("({})", joined(&self::entries(chars, Some(')')), ",")),
            '[' => entry += &format!("[{}]", joined(&self::entries(chars, Some(']')), ",")),
            '0' if chars.peek() == Some(&'x') => entry += &hexadecimal(chars),
            _ => entry.push(c),
        }
    }
    entries.push(entry.trim().to_owned());
    entries
}

/// The rest of a quoted string.
fn literal(chars: &mut Peekable<Chars<'_>>, quote: char, into: &mut String) {
    while let Some(c) = chars.next() {
        into.push(c);
        if c == '\\'
            && let Some(escaped) = chars.next()
        {
            into.push(escaped);
        } else if c == quote {
            return;
        }
    }
}

/// The rest of a hexadecimal number; empty if it is an address.
fn hexadecimal(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut number = String::from("0");
    while let Some(&c) = chars.peek()
        && (c.is_ascii_hexdigit() || c == 'x')
    {
        number.push(c);
        chars.next();
    }
    if number.len() >= "0x".len() + ADDRESS { "an address".to_owned() } else { number }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn the_order_of_a_hash_map_and_addresses_make_no_difference() {
        for (one, other) in [
            ("{1: [2, 3], 4: []}", "{4: [], 1: [2, 3]}"),
            ("Config { names: {\"a, b\", \"c\"}, n: 3 }", "Config { names: {\"c\", \"a, b\"}, n: 3 }"),
            ("{{1, 2}: '}', {3}: '\"'}", "{{3}: '\"', {2, 1}: '}'}"),
            ("Handle(0x7f001122aabb)", "Handle(0x7f001122aacc)"),
        ] {
            assert_eq!(canonical(one), canonical(other), "{one}");
        }
    }

    #[test]
    fn other_values_make_a_difference() {
        for (one, other) in [
            ("[1, 2]", "[2, 1]"),
            ("{1: 2}", "{2: 1}"),
            ("P { x: 1, y: 2 }", "P { y: 2, x: 1 }"),
            ("\"{a, b}\"", "\"{b, a}\""),
            ("0x1f", "0x2f"),
            ("41", "42"),
        ] {
            assert_ne!(canonical(one), canonical(other), "{one}");
        }
    }
}
