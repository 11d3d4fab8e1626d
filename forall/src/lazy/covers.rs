//! Whether the printed form of a partly undecided input also covers another input.

/// Whether a text matches `pattern`, where every standalone `_` matches anything.
pub(crate) fn covers(pattern: &str, text: &str) -> bool {
    let mut parts = parts(pattern).into_iter();
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

/// The text between the `_`s that are not part of a name.
fn parts(pattern: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (place, _) in pattern.match_indices('_') {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let before = pattern[..place].chars().next_back().is_some_and(is_name);
        if !before && !pattern[place + 1..].chars().next().is_some_and(is_name) {
            parts.push(&pattern[start..place]);
            start = place + 1;
        }
    }
    parts.push(&pattern[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn undecided_parts_match_anything() {
        assert!(covers("_", "_:_:[]") && covers("_:_", "_:_:[]") && covers("_:_:[]", "1:_:[]") && covers("[1]", "[1]"));
        assert!(covers("Node { left: _, value: 1 }", "Node { left: Leaf, value: 1 }"));
        assert!(!covers("_:[]", "[]") && !covers("_:1:_", "_:_:[]") && !covers("[1]", "[1, 2]"));
        assert!(covers("a_name", "a_name") && !covers("a_name", "a name"), "a part of a name");
    }
}
