//! Features of generated values, derived from their printed form: numbers, lengths of strings and collections,
//! constructors.
//!
//! They show the distribution of inputs of a test without `feature!`.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The maximum number of features of one test.
const MOST: usize = 8;

/// Structs and tuples are taken apart to this depth.
const DEPTH: usize = 2;

/// A value with more characters has no features.
const LONGEST: usize = 20_000;

/// The features of an input printed as `x = 1,\nxs = vec![2, 3]`, each with a title.
pub fn features(values: &str) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    if values.len() > LONGEST {
        return found;
    }
    for variable in items(values) {
        if let Some((name, value)) = variable.split_once(" = ")
            && is_name(name)
        {
            add(name, value.trim(), DEPTH, &mut found);
        }
    }
    found.truncate(MOST);
    found
}

/// The number of depths that are distinguished.
const DEPTHS: usize = 8;

/// Counts of the constructors of each enum by depth, the number of enclosing constructors of the same enum.
#[derive(Debug, Default)]
pub struct Constructors(BTreeMap<String, BTreeMap<String, [u64; DEPTHS]>>);

impl Constructors {
    /// Counts the constructors of an input that stands for `weight` tests.
    pub fn add(&mut self, values: &str, weight: u64) {
        if values.len() > LONGEST {
            return;
        }
        // The enum of the constructor before each open bracket.
        let mut open: Vec<Option<&str>> = Vec::new();
        let (mut at, mut last) = (0, None);
        while at < values.len() {
            let rest = &values[at..];
            if let Some(length) = quoted(rest) {
                (at, last) = (at + length, None);
                continue;
            }
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
            if length > 0 {
                last = variant(&rest[..length]);
                if let Some((kind, name)) = last {
                    let depth = open.iter().filter(|outer| **outer == Some(kind)).count().min(DEPTHS - 1);
                    let names = self.0.entry(kind.to_owned()).or_default();
                    names.entry(name.to_owned()).or_default()[depth] += weight;
                }
                at += length;
                continue;
            }
            let c = rest.chars().next().unwrap_or_default();
            match c {
                '(' | '[' | '{' => open.push(last.map(|(kind, _)| kind)),
                ')' | ']' | '}' => drop(open.pop()),
                _ => {}
            }
            // `Shape::Line { … }` has a space before its bracket.
            if c != ' ' {
                last = None;
            }
            at += c.len_utf8();
        }
    }

    /// The recursive enums, each with its constructors and their counts by depth.
    pub fn json(&self) -> Value {
        let mut tables = Vec::new();
        for (kind, names) in &self.0 {
            let depths = (0..DEPTHS)
                .rev()
                .find(|&depth| names.values().any(|counts| counts[depth] > 0))
                .map_or(0, |most| most + 1);
            if depths > 1 {
                let rows: Vec<Value> = names.iter().map(|(name, counts)| json!([name, counts[..depths]])).collect();
                tables.push(json!({"type": kind, "rows": rows}));
            }
        }
        tables.into()
    }
}

/// The enum and the constructor of a path such as `Expr::Add`. `None` for functions (`Box::new`) and constants (`Duration::MAX`).
fn variant(path: &str) -> Option<(&str, &str)> {
    let (kind, name) = path.rsplit_once("::")?;
    let kind = kind.rsplit("::").next()?;
    let is_constant = name.len() > 1 && !name.contains(char::is_lowercase);
    (kind.starts_with(char::is_uppercase) && name.starts_with(char::is_uppercase) && !is_constant)
        .then_some((kind, name))
}

/// Adds the features of one value.
fn add(name: &str, value: &str, depth: usize, found: &mut Vec<(String, Value)>) {
    if let Some(number) = number(value) {
        found.push((name.to_owned(), number));
    } else if matches!(value, "true" | "false") {
        found.push((name.to_owned(), json!(value)));
    } else if let Some(literal) = string(value) {
        found.push((format!("length of {name}"), json!(characters(literal))));
    } else if let Some(inside) = list(value) {
        found.push((format!("length of {name}"), json!(items(inside).len())));
    } else if let Some(inside) = within(value, '(', ')') {
        if depth > 0 {
            for (at, item) in items(inside).into_iter().enumerate() {
                add(&format!("{name}.{at}"), item, depth - 1, found);
            }
        }
    } else {
        constructor(name, value, depth, found);
    }
}

/// The constructor of an enum, or the fields of a struct.
fn constructor(name: &str, value: &str, depth: usize, found: &mut Vec<(String, Value)>) {
    let end = value.find(['(', '{', ' ']).unwrap_or(value.len());
    let (path, rest) = (&value[..end], value[end..].trim());
    let last = path.rsplit("::").next().unwrap_or(path);
    if !is_name(last) || !last.starts_with(char::is_uppercase) {
        return;
    }
    match within(rest, '{', '}') {
        Some(fields) if !path.contains("::") => {
            for field in items(fields).into_iter().filter(|_| depth > 0) {
                if let Some((field, value)) = field.split_once(": ") {
                    add(&format!("{name}.{field}"), value, depth - 1, found);
                }
            }
        }
        _ => found.push((format!("variant of {name}"), json!(last))),
    }
}

/// A number, with or without the suffix of its type. Integers that a float cannot represent are left out.
fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return match text.rsplit("::").next()? {
            special @ ("NAN" | "INFINITY" | "NEG_INFINITY") => Some(json!(special.to_lowercase())),
            _ => None,
        };
    }
    let bare = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"]
        .iter()
        .find_map(|suffix| text.strip_suffix(suffix))
        .unwrap_or(text);
    let number = bare.replace('_', "").parse::<f64>().ok()?;
    number.is_finite().then(|| json!(number))
}

/// The inside of a string literal.
fn string(value: &str) -> Option<&str> {
    let literal = value.strip_prefix("String::from(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(value);
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    // Two literals, as in `"a" + "b"`.
    (quoted(literal) == Some(literal.len())).then_some(inside)
}

/// The number of characters of a string literal.
fn characters(literal: &str) -> usize {
    let (mut rest, mut count) = (literal.chars(), 0);
    while let Some(c) = rest.next() {
        if c == '\\' && rest.next() == Some('u') {
            rest.by_ref().find(|c| *c == '}');
        }
        count += 1;
    }
    count
}

/// The elements of a list, set or map.
fn list(value: &str) -> Option<&str> {
    let value = value.strip_prefix("vec!").unwrap_or(value);
    if let Some(inside) = within(value, '[', ']') {
        // `[0; 100]` is printed for long arrays.
        return (!inside.contains("; ")).then_some(inside);
    }
    let (path, rest) = value.split_once('(')?;
    let is_collection = path.ends_with("::from") || path.ends_with("::from_iter");
    if !is_collection {
        return None;
    }
    within(rest.strip_suffix(')')?, '[', ']')
}

/// The text between two brackets that enclose the whole value.
fn within(value: &str, open: char, close: char) -> Option<&str> {
    let inside = value.strip_prefix(open)?.strip_suffix(close)?;
    Some(inside.trim())
}

/// The parts of a text between commas outside of brackets and literals.
fn items(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut nested, mut at) = (Vec::new(), 0, 0i32, 0);
    while at < text.len() {
        if let Some(length) = quoted(&text[at..]) {
            at += length;
            continue;
        }
        let c = text[at..].chars().next().unwrap_or_default();
        match c {
            '(' | '[' | '{' => nested += 1,
            ')' | ']' | '}' => nested -= 1,
            ',' if nested == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    items.push(text[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

/// The length of the string or character literal at the beginning of a text. A lifetime is not one.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ if quote == '\'' && at > 12 => return None,
            _ => {}
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(values: &str) -> Vec<String> {
        features(values).into_iter().map(|(title, value)| format!("{title}: {value}")).collect()
    }

    #[test]
    fn numbers_lengths_and_variants_are_features() {
        assert_eq!(shapes("n = -63,\nx = 0.5,\ny = f64::NAN"), ["n: -63.0", "x: 0.5", "y: \"nan\""]);
        assert_eq!(shapes("s = String::from(\"a, \\\"b\\\"\\u{1f600}\")"), ["length of s: 7"]);
        assert_eq!(shapes("xs = vec![(1, 2), (3, 4)],\nflag = true"), ["length of xs: 2", "flag: \"true\""]);
        assert_eq!(shapes("m = HashMap::from_iter([(String::from(\"a]\"), 1)])"), ["length of m: 1"]);
        assert_eq!(shapes("set = BTreeSet::from([]),\nc = 'x'"), ["length of set: 0"]);
        assert_eq!(shapes("e = Expr::Add(Box::new(Expr::Zero), 1)"), ["variant of e: \"Add\""]);
        assert_eq!(shapes("e = Some(3),\nu = Op::Pop"), ["variant of e: \"Some\"", "variant of u: \"Pop\""]);
    }

    #[test]
    fn tuples_and_structs_have_the_features_of_their_parts() {
        assert_eq!(shapes("t = (1, \"ab\")"), ["t.0: 1.0", "length of t.1: 2"]);
        assert_eq!(shapes("p = Point { x: 1, name: String::from(\"\") }"), ["p.x: 1.0", "length of p.name: 0"]);
        assert_eq!(shapes("v = Value::Pair { a: 1 }"), ["variant of v: \"Pair\""]);
    }

    #[test]
    fn constructors_of_recursive_enums_are_counted_by_depth() {
        let mut counted = Constructors::default();
        counted.add("e = Expr::Add(Box::new(Expr::Zero), Box::new(m::Expr::Neg { of: Box::new(Expr::Zero) })),\nd = Duration::MAX", 2);
        counted.add("e = Expr::Zero,\ns = \"Expr::Add(\",\no = Op::Pop", 1);
        let expected = json!([{"type": "Expr", "rows": [["Add", [2, 0, 0]], ["Neg", [0, 2, 0]], ["Zero", [1, 2, 2]]]}]);
        assert_eq!(counted.json(), expected);
        let mut deep = Constructors::default();
        deep.add(&format!("t = {}T::Leaf{}", "T::Node(".repeat(100), ")".repeat(100)), 1);
        deep.add(&format!("t = {}", "T::Node)".repeat(100)), 1);
        assert_eq!(deep.json()[0]["rows"][1][1][7], 93);
    }

    #[test]
    fn text_that_is_not_a_value_has_no_features() {
        for text in ["", "x", "f = <closure>", "x = ", "s = \"a\" + \"b\"", "x = ((((", "t = 'a", "x = é(ü"] {
            assert_eq!(shapes(text), [""; 0], "{text}");
        }
        assert_eq!(shapes(&format!("x = {}", "(".repeat(30_000))), [""; 0]);
        let many: Vec<String> = (0..50).map(|n| format!("x{n} = {n}")).collect();
        assert_eq!(shapes(&many.join(",\n")).len(), MOST);
    }
}
