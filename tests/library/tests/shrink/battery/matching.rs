//! Decides whether a claim covers an input, by the printed values alone.

/// Whether a value reads like a pattern.
pub fn matches(pattern: &str, value: &str) -> bool {
    captured(pattern, value).is_some()
}

/// The parts of a value at the positions of `_` in a pattern.
pub fn captured(pattern: &str, value: &str) -> Option<Vec<String>> {
    let mut captured = Vec::new();
    let (p, v) = (pattern.as_bytes(), value.as_bytes());
    let (mut at, mut in_value) = (0, 0);
    while at < p.len() {
        let rest = &pattern[at..];
        let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let before = at.checked_sub(1).and_then(|before| p.get(before));
        if rest.starts_with('_') && !is_word(before) && !is_word(p.get(at + 1)) {
            let length = item(&value[in_value..]);
            if length == 0 {
                return None;
            }
            captured.push(value[in_value..in_value + length].to_owned());
            in_value += length;
            at += 1;
        } else if rest.starts_with(", ..]") || rest.starts_with("..]") && before == Some(&b'[') {
            // To the bracket that closes.
            while in_value < v.len() && v[in_value] != b']' {
                in_value += usize::from(v[in_value] == b',');
                in_value += item(&value[in_value..]).max(usize::from(v[in_value] == b' '));
            }
            at += if rest.starts_with(',') { 4 } else { 2 };
        } else if rest.starts_with('<') && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
            let end = rest.find('>').expect("a placeholder ends");
            let count: usize = rest[1..end].split(' ').next().unwrap().parse().unwrap();
            let literal = item(&value[in_value..]);
            let found = characters(&value[in_value..in_value + literal]);
            if found != Some(count) && !(rest[..end].contains("or more") && found > Some(count)) {
                return None;
            }
            in_value += literal;
            at += end + 1;
        } else if v.get(in_value) == Some(&p[at]) {
            at += 1;
            in_value += 1;
        } else {
            return None;
        }
    }
    (in_value == v.len()).then_some(captured)
}

/// Where the item ends that a text begins with.
fn item(text: &str) -> usize {
    let mut depth = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return at,
            // A struct's last field has a space behind it.
            ' ' if depth == 0 && text[at..].starts_with(" }") => return at,
            '"' => {
                while let Some((_, c)) = chars.next()
                    && c != '"'
                {
                    if c == '\\' {
                        chars.next();
                    }
                }
            }
            '\'' => {
                if let Some((_, '\\')) = chars.next() {
                    chars.next();
                }
                while let Some((_, c)) = chars.next()
                    && c != '\''
                {}
            }
            _ => {}
        }
    }
    text.len()
}

/// How many characters a string has, by its literal.
pub fn characters(literal: &str) -> Option<usize> {
    let literal = literal.strip_prefix("String::from(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(literal);
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let (mut chars, mut count) = (inner.chars(), 0);
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next() == Some('u') {
            while chars.next().is_some_and(|c| c != '}') {}
        }
        count += 1;
    }
    Some(count)
}

/// How many elements a value has, by its text.
pub fn length(text: &str) -> Option<usize> {
    if let Some(count) = characters(text) {
        return Some(count);
    }
    let inner = text.strip_prefix("vec!").unwrap_or(text).strip_prefix('[')?.strip_suffix(']')?;
    let (mut count, mut at) = (0, 0);
    while at < inner.len() {
        at += item(&inner[at..]) + 2;
        count += 1;
    }
    Some(count)
}

#[test]
fn patterns_match_similar_text() {
    assert!(matches("vec![_, 1, ..]", "vec![f(1, 2), 1, 2]") && matches("vec![_, 1, ..]", "vec![0, 1]"));
    assert!(!matches("vec![_, 1, ..]", "vec![0, 2]") && !matches("vec![_, _]", "vec![1]"));
    assert!(!matches("vec![_, ..]", "vec![]") && !matches("(_, 1)", "(, 1)"));
    assert!(matches("vec![..]", "vec![]") && matches("vec![..]", "vec![1, (2, 3)]"));
    assert!(matches("P { x: _, y: 1 }", "P { x: '\\'', y: 1 }") && matches("P { x: 1, y: _ }", "P { x: 1, y: \"}\" }"));
    assert!(matches("String::from(<2 or more characters>)", "String::from(\"a\\u{1f600}b\")"));
    assert!(!matches("String::from(<1 character>)", "String::from(\"ab\")") && matches("(_, 5)", "(Some(1), 5)"));
    assert_eq!(
        (length("vec![]"), length("vec![(1, 2), 3]"), length("String::from(\"a\\n\")")),
        (Some(0), Some(2), Some(2))
    );
}
