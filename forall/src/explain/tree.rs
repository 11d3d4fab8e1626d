//! The text of a value as a tree: finds which parts change with other choices, and prints it with some parts left open.
//!
//! Types do not say which choices made which field. But a value can be printed twice, with and without other choices,
//! and the place where the texts differ is the place that the choices decide. Texts are compared as trees of brackets
//! and commas, not character by character: a list that became longer is a different list, even if its first elements
//! are the same.

use crate::text::marks;
use crate::within;
use std::ops::Range;

/// Longer texts are not parsed.
const MAX_TEXT: usize = 20_000;
/// Brackets nested more deeply are not parsed.
const MAX_DEPTH: usize = 64;

/// A text split at its brackets and commas.
pub(super) struct Tree {
    text: String,
    /// The root, and after each item the items inside it.
    nodes: Vec<Node>,
}

/// An item: the text between commas.
struct Node {
    /// Its range, without the name of its field.
    place: Range<usize>,
    /// Its text without the inner items, which identifies its shape.
    skeleton: String,
    /// The nodes of its direct inner items.
    items: Vec<usize>,
    /// One past the last node inside.
    end: usize,
}

/// How an item is marked in a pattern.
#[derive(Clone, PartialEq)]
pub(super) enum Mark {
    /// It can be anything.
    Any,
    /// It can be anything that is related to another item; holds its name.
    Named(&'static str),
    /// More items may follow the last one.
    More,
    /// It is a string of this many characters, whichever, and possibly more.
    Text { characters: usize, more: bool },
}

impl Tree {
    pub(super) fn new(text: &str) -> Self {
        let mut tree = Self { text: text.to_owned(), nodes: Vec::new() };
        let marks = if text.len() <= MAX_TEXT { marks(text) } else { None };
        tree.add(0..text.len(), &marks.unwrap_or_default(), 0);
        tree
    }

    /// The text of an item.
    pub(super) fn item(&self, node: usize) -> &str {
        &self.text[self.nodes[node].place.clone()]
    }

    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds the item in a range, with the marks inside it.
    fn add(&mut self, range: Range<usize>, marks: &[usize], depth: usize) {
        let own = self.nodes.len();
        let place = value(&self.text, range.clone());
        self.nodes.push(Node { place, skeleton: String::new(), items: Vec::new(), end: 0 });
        let (mut skeleton, mut items) = (String::new(), Vec::new());
        // The position up to which the text was processed, the bracket depth, and the first mark of the current item.
        let (mut done, mut nested, mut first) = (range.start, 0, 0);
        for (i, &at) in marks.iter().enumerate() {
            let mark = self.text.as_bytes()[at];
            let opens = matches!(mark, b'(' | b'[' | b'{');
            let closes = matches!(mark, b')' | b']' | b'}');
            if depth >= MAX_DEPTH {
                break;
            }
            if opens && nested == 0 {
                skeleton.push_str(&self.text[done..=at]);
                (done, first) = (at + 1, i + 1);
            } else if nested == 1 && !opens {
                let item = trimmed(&self.text, done..at);
                if !item.is_empty() {
                    items.push(self.nodes.len());
                    self.add(item, &marks[first..i], depth + 1);
                }
                skeleton.push(char::from(mark));
                (done, first) = (at + 1, i + 1);
            }
            if opens {
                nested += 1;
            } else if closes {
                nested -= 1;
            }
        }
        skeleton.push_str(&self.text[done..range.end]);
        let end = self.nodes.len();
        let node = &mut self.nodes[own];
        (node.skeleton, node.items, node.end) = (skeleton, items, end);
    }

    /// The smallest items that differ in another text.
    pub(super) fn differences(&self, other: &Tree) -> Vec<usize> {
        let mut found = Vec::new();
        if self.text != other.text {
            self.compare(0, other, 0, &mut found);
        }
        found
    }

    fn compare(&self, own: usize, other: &Tree, theirs: usize, found: &mut Vec<usize>) {
        let (a, b) = (&self.nodes[own], &other.nodes[theirs]);
        if a.skeleton != b.skeleton || a.items.len() != b.items.len() {
            found.push(own);
            return;
        }
        for place in 0..a.items.len() {
            self.compare(a.items[place], other, b.items[place], found);
        }
    }

    /// The smallest item that contains all of these.
    pub(super) fn around(&self, nodes: &[usize]) -> Option<usize> {
        let (mut first, mut last) = (*nodes.first()?, 0);
        for &node in nodes {
            (first, last) = (first.min(node), last.max(node));
        }
        let mut around = first;
        // From the inside out: earlier items that extend beyond the last one.
        while self.nodes[around].end <= last {
            around -= 1;
        }
        Some(around)
    }

    /// The items inside an item that contain some of these; the item itself, if it is one of them.
    pub(super) fn items_with(&self, node: usize, nodes: &[usize]) -> Vec<usize> {
        let mut items = Vec::new();
        for &item in &self.nodes[node].items {
            for &inner in nodes {
                if self.is_inside(inner, item) {
                    items.push(item);
                    break;
                }
            }
        }
        if nodes.contains(&node) { vec![node] } else { items }
    }

    /// Whether an item is another or a part of it.
    pub(super) fn is_inside(&self, node: usize, outer: usize) -> bool {
        (outer..self.nodes[outer].end).contains(&node)
    }

    /// Whether these are all in one item that can be extended: it ends with its only bracket.
    pub(super) fn may_have_more(&self, nodes: &[usize]) -> bool {
        let Some(&first) = nodes.first() else { return false };
        for &node in nodes {
            if node != first {
                return false;
            }
        }
        let skeleton = &self.nodes[first].skeleton;
        let mut brackets = 0;
        for byte in skeleton.bytes() {
            brackets += u32::from(matches!(byte, b'(' | b'[' | b'{'));
        }
        brackets == 1 && skeleton.ends_with(']')
    }

    /// Whether there is a set or map with several elements, as printed by `Debug`: their order is arbitrary.
    pub(super) fn has_a_bare_set(&self) -> bool {
        for node in &self.nodes {
            if self.text[node.place.start..].starts_with('{') && node.items.len() > 1 {
                return true;
            }
        }
        false
    }

    /// Whether an item is a string literal.
    pub(super) fn is_text(&self, node: usize) -> bool {
        self.nodes[node].skeleton.starts_with('"') || self.text[self.nodes[node].place.clone()].starts_with('"')
    }

    /// The number of elements of a list, or of characters of a string.
    pub(super) fn length(&self, node: usize) -> Option<usize> {
        let (item, Node { skeleton, items, .. }) = (self.item(node), &self.nodes[node]);
        let is_list = (item.starts_with('[') || item.starts_with("vec![")) && item.ends_with(']');
        if is_list && !within::contains(skeleton, ";") {
            return Some(items.len());
        }
        let literal = match item.strip_prefix("String::from(") {
            Some(rest) => rest.strip_suffix(")")?,
            None => item,
        };
        (literal.len() > 1 && literal.starts_with('"') && literal.ends_with('"')).then(|| self.characters(node))
    }

    /// The number of characters of the string that an item is the literal of.
    pub(super) fn characters(&self, node: usize) -> usize {
        self.spelled(node).len()
    }

    /// The characters of the string that an item is the literal of, as they are spelled in it.
    pub(super) fn spelled(&self, node: usize) -> Vec<&str> {
        let literal = self.item(node);
        let mut rest = &literal[literal.find('"').map_or(0, |quote| quote + 1)..];
        let mut spelled = Vec::new();
        loop {
            let mut chars = rest.chars();
            let Some(c) = chars.next() else { break };
            if c == '"' {
                break;
            }
            if c == '\\' && matches!(chars.next(), Some('u')) {
                // `\u{1f600}` is one.
                while matches!(chars.next(), Some(c) if c != '}') {}
            }
            let (character, after) = rest.split_at(rest.len() - chars.as_str().len());
            spelled.push(character);
            rest = after;
        }
        spelled
    }

    /// The text with names in place of some characters of a string literal, as in a format string.
    pub(super) fn with_names(&self, node: usize, names: &[(usize, &str)]) -> String {
        let mut literal = String::new();
        for (place, character) in self.spelled(node).into_iter().enumerate() {
            match names.iter().find(|(named, _)| *named == place) {
                Some((_, name)) => literal.extend(["{", name, "}"]),
                None => literal.push_str(character),
            }
        }
        let Range { start, end } = self.nodes[node].place;
        format!("{}\"{literal}\"{}", &self.text[..start], &self.text[end..])
    }

    /// The text with marks in place of items; the contents of a marked item are ignored.
    pub(super) fn pattern(&self, marks: &[(usize, Mark)]) -> String {
        let mut out = String::new();
        let mut done = 0;
        let mut node = 0;
        let mut more = Vec::new();
        while node < self.nodes.len() {
            let Node { place, end, .. } = &self.nodes[node];
            let mut next = node + 1;
            for (marked, mark) in marks {
                match mark {
                    Mark::Any | Mark::Named(_) | Mark::Text { .. } if *marked == node => {
                        self.copy(&mut out, &mut done, place.start, &mut more);
                        out.push_str(&placeholder(mark));
                        (done, next) = (place.end, *end);
                        break;
                    }
                    Mark::More if *marked == node => more.push(place.end - 1),
                    _ => {}
                }
            }
            node = next;
        }
        self.copy(&mut out, &mut done, self.text.len(), &mut more);
        out
    }

    /// Copies the text up to a position, with dots where more items may follow.
    fn copy(&self, out: &mut String, done: &mut usize, to: usize, more: &mut Vec<usize>) {
        loop {
            // The first remaining one.
            let mut next = None;
            for (place, at) in more.iter().enumerate() {
                if *at < to && next.is_none_or(|(_, first)| *at < first) {
                    next = Some((place, *at));
                }
            }
            let Some((place, at)) = next else { break };
            more.swap_remove(place);
            out.push_str(&self.text[*done..at]);
            let empty = out.trim_end().ends_with('[');
            out.push_str(if empty { ".." } else { ", .." });
            *done = at;
        }
        out.push_str(&self.text[*done..to]);
        *done = to;
    }
}

/// The replacement of an item.
fn placeholder(mark: &Mark) -> String {
    let (characters, more) = match mark {
        Mark::Text { characters, more } => (characters, more),
        Mark::Named(name) => return (*name).to_owned(),
        Mark::Any | Mark::More => return "_".to_owned(),
    };
    let (or_more, plural) = (if *more { " or more" } else { "" }, if *more || *characters != 1 { "s" } else { "" });
    format!("<{characters}{or_more} character{plural}>")
}

/// An item without the name of its field.
fn value(text: &str, range: Range<usize>) -> Range<usize> {
    let item = &text[range.clone()];
    let name = item.strip_prefix("r#").unwrap_or(item);
    let Some(first) = name.chars().next() else { return range };
    if !first.is_alphabetic() && first != '_' {
        return range;
    }
    for (at, c) in name.char_indices() {
        if !c.is_alphanumeric() && c != '_' {
            return match name[at..].strip_prefix(": ") {
                Some(rest) => range.end - rest.len()..range.end,
                None => range,
            };
        }
    }
    range
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let item = &text[range.clone()];
    let start = range.start + (item.len() - item.trim_start().len());
    start..start + item.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items of one text that differ in another.
    fn changed(a: &str, b: &str) -> Vec<String> {
        let tree = Tree::new(a);
        let changed = tree.differences(&Tree::new(b));
        changed.into_iter().map(|node| tree.text[tree.nodes[node].place.clone()].to_owned()).collect()
    }

    #[test]
    fn the_smallest_changed_item_is_found() {
        assert_eq!(changed("Point { x: 0, y: -1 }", "Point { x: 0, y: 25 }"), ["-1"]);
        assert_eq!(changed("Some((1, \"a, b\"))", "Some((1, \"c\"))"), ["\"a, b\""]);
        assert_eq!(changed("f(Some(1), 2)", "f(None, 2)"), ["Some(1)"]);
        assert_eq!(changed("vec![0, 0]", "vec![0]"), ["vec![0, 0]"]);
        assert_eq!(changed("S { xs: vec![], y: 1 }", "S { xs: vec![5], y: 1 }"), ["vec![]"]);
        assert_eq!(changed("(1, 2, 3)", "(4, 2, 5)"), ["1", "3"]);
        assert_eq!(changed("[1]", "[1]"), [""; 0]);
        assert_eq!(changed("((", "("), ["(("]);
    }

    #[test]
    fn patterns_leave_items_open() {
        let tree = Tree::new("P { x: vec![0, 7], y: Some(0) }");
        let node = |text: &str| tree.nodes.iter().position(|n| &tree.text[n.place.clone()] == text).unwrap();
        let any = |text| (node(text), Mark::Any);
        assert_eq!(tree.pattern(&[any("7")]), "P { x: vec![0, _], y: Some(0) }");
        assert_eq!(tree.pattern(&[any("Some(0)"), any("vec![0, 7]")]), "P { x: _, y: _ }");
        let list = node("vec![0, 7]");
        assert!(tree.may_have_more(&[list, list]) && !tree.may_have_more(&[node("Some(0)")]));
        assert_eq!(tree.pattern(&[any("7"), (list, Mark::More)]), "P { x: vec![0, _, ..], y: Some(0) }");
        assert_eq!(Tree::new("vec![]").pattern(&[(0, Mark::More)]), "vec![..]");
        let text = Tree::new("P { name: String::from(\"ab\") }");
        let literal = text.nodes.len() - 1;
        assert!(text.is_text(literal) && !text.is_text(0));
        assert_eq!(text.characters(literal), 2);
        let escaped = Tree::new(r#""a\u{1f600}\"\\\nz""#);
        assert_eq!(escaped.spelled(0), ["a", r"\u{1f600}", "\\\"", r"\\", r"\n", "z"]);
        assert_eq!(text.with_names(literal, &[(1, "x")]), "P { name: String::from(\"a{x}\") }");
        let marked = |characters, more| text.pattern(&[(literal, Mark::Text { characters, more })]);
        assert_eq!(marked(1, false), "P { name: String::from(<1 character>) }");
        assert_eq!(marked(2, true), "P { name: String::from(<2 or more characters>) }");
        let lists = Tree::new("[[1], [2]]");
        let more = [(0, Mark::More), (1, Mark::More), (3, Mark::More)];
        assert_eq!(lists.pattern(&more), "[[1, ..], [2, ..], ..]");
        assert_eq!(tree.around(&[node("0"), node("7")]), Some(list));
        assert!(Tree::new("S { x: {1, 2} }").has_a_bare_set() && Tree::new("[{1: 1, 2: 1}]").has_a_bare_set());
        assert!(!tree.has_a_bare_set() && !Tree::new("S { x: {1} }").has_a_bare_set());
        assert_eq!(tree.around(&[node("7"), node("Some(0)")]), Some(0));
    }

    #[test]
    fn deep_and_long_texts_are_handled() {
        let deep = format!("{}{}", "(".repeat(9_000), ")".repeat(9_000));
        assert_eq!(Tree::new(&deep).differences(&Tree::new("()")), [0]);
        assert_eq!(Tree::new(&"(1)".repeat(100_000)).nodes.len(), 1);
    }
}
