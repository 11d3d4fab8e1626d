//! Draws of a body, as code to paste: only the `Debug` output is known, from which code is derived for common types.

use super::types;
use crate::property::Binding;
use crate::text::marks;

/// `let draw_1: Vec<u8> =` and `vec![1, 2]`, if the draw has a code form.
pub(super) fn code(binding: &Binding) -> Option<(String, String)> {
    let (name, debug) = (identifier(binding.name)?, binding.printed.debug.as_deref()?);
    let code = expression(binding.printed.type_name, debug)?;
    let annotation = types::annotation(binding.printed.type_name)?;
    Some((format!("let {name}: {annotation} ="), code))
}

/// `draw_1` for `draw 1`.
fn identifier(name: &str) -> Option<String> {
    let mut identifier = String::new();
    for c in name.chars() {
        identifier.push(if c == ' ' || c == '-' { '_' } else { c });
    }
    let is_plain = identifier.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let begins_well = identifier.starts_with(|c: char| c.is_ascii_lowercase());
    if is_plain && begins_well && !KEYWORDS.contains(&&*identifier) { Some(identifier) } else { None }
}

/// Possible names of draws that cannot be variables.
const KEYWORDS: [&str; 37] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
];

/// The expression for a value of this type with this `Debug` output.
fn expression(of: &str, debug: &str) -> Option<String> {
    match of {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "bool"
        | "char" | "()" | "&str" => return Some(debug.to_owned()),
        "f32" | "f64" => {
            let is_number = debug.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'e'));
            return if is_number { Some(debug.to_owned()) } else { None };
        }
        "alloc::string::String" => return Some(format!("String::from({debug})")),
        _ => {}
    }
    if let Some(inner) = of.strip_prefix("core::option::Option<") {
        if debug == "None" {
            return Some(debug.to_owned());
        }
        let value = debug.strip_prefix("Some(")?.strip_suffix(')')?;
        return Some(format!("Some({})", expression(inner.strip_suffix('>')?, value)?));
    }
    if let Some(inner) = of.strip_prefix("alloc::vec::Vec<") {
        let elements = each(debug, '[', ']', &|_| inner.strip_suffix('>'))?;
        return Some(format!("vec![{elements}]"));
    }
    if of.starts_with('(') {
        let fields = items(of)?;
        let code = each(debug, '(', ')', &|place| fields.get(place).copied())?;
        return Some(format!("({code}{})", if fields.len() == 1 { "," } else { "" }));
    }
    None
}

/// The expressions of items between brackets.
fn each<'t>(debug: &str, open: char, close: char, of: &dyn Fn(usize) -> Option<&'t str>) -> Option<String> {
    if !debug.starts_with(open) || !debug.ends_with(close) {
        return None;
    }
    let mut out = String::new();
    for (place, item) in items(debug)?.iter().enumerate() {
        out += if place > 0 { ", " } else { "" };
        out += &expression(of(place)?, item)?;
    }
    Some(out)
}

/// The items between the outermost brackets of a text.
fn items(text: &str) -> Option<Vec<&str>> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 1);
    for at in marks(text)? {
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ if depth == 1 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(start..text.len().checked_sub(1)?)?.trim();
    if !last.is_empty() {
        items.push(last);
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::expression;
    use std::any::type_name;
    use std::fmt::Debug;

    fn code<T: Debug>(value: &T) -> Option<String> {
        expression(type_name::<T>(), &format!("{value:?}"))
    }

    #[test]
    fn the_usual_types_have_code() {
        assert_eq!(code(&-7).as_deref(), Some("-7"));
        assert_eq!(code(&"a\"b".to_owned()).as_deref(), Some(r#"String::from("a\"b")"#));
        assert_eq!(code(&vec![Some(1u8), None]).as_deref(), Some("vec![Some(1), None]"));
        let nested = vec![(1u8, ", ]".to_owned(), [2.5f64].to_vec()), (2, String::new(), vec![])];
        let expected = r#"vec![(1, String::from(", ]"), vec![2.5]), (2, String::from(""), vec![])]"#;
        assert_eq!(code(&nested).as_deref(), Some(expected));
        assert_eq!(
            (code(&f64::NAN), code(&std::time::Duration::ZERO), code(&(1,)).as_deref()),
            (None, None, Some("(1,)"))
        );
    }
}
