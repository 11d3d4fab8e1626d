//! The difference between two texts: a small longest-common-subsequence diff over words or lines, bounded in size.
//!
//! [`assertion`](super::assertion) renders it.

use std::ops::Range;

/// A part of the two sides: equal, or one in place of the other.
#[derive(Clone, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) same: bool,
    pub(crate) left: Range<usize>,
    pub(crate) right: Range<usize>,
}

/// The limit on cells of the algorithm's table (8 MB); larger inputs count as completely different.
const MAX_CELLS: usize = 1_000_000;

/// The equal and different parts from `left` to `right`, in order and alternating.
pub(crate) fn diff(left: &[&str], right: &[&str]) -> Vec<Stretch> {
    let (mut a, mut b) = (left, right);
    let (mut prefix, mut suffix) = (0, 0);
    while let ([first, rest_of_a @ ..], [other, rest_of_b @ ..]) = (a, b)
        && first == other
    {
        prefix += 1;
        (a, b) = (rest_of_a, rest_of_b);
    }
    while let ([rest_of_a @ .., last], [rest_of_b @ .., other]) = (a, b)
        && last == other
    {
        suffix += 1;
        (a, b) = (rest_of_a, rest_of_b);
    }

    let mut stretches = Stretches { all: Vec::new(), left: 0, right: 0 };
    stretches.same(prefix);
    middle(a, b, &mut stretches);
    stretches.same(suffix);
    stretches.all
}

fn middle(a: &[&str], b: &[&str], stretches: &mut Stretches) {
    let columns = b.len() + 1;
    if (a.len() + 1).saturating_mul(columns) > MAX_CELLS {
        stretches.differs(a.len(), b.len());
        return;
    }
    // common[i][j] is the length of the longest common subsequence of a[i..] and b[j..].
    let mut common = vec![0u64; (a.len() + 1) * columns];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * columns + j] = if a[i] == b[j] {
                common[(i + 1) * columns + j + 1] + 1
            } else {
                common[(i + 1) * columns + j].max(common[i * columns + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            stretches.same(1);
            (i, j) = (i + 1, j + 1);
        } else if common[(i + 1) * columns + j] >= common[i * columns + j + 1] {
            stretches.differs(1, 0);
            i += 1;
        } else {
            stretches.differs(0, 1);
            j += 1;
        }
    }
    stretches.differs(a.len() - i, b.len() - j);
}

/// Collects parts, and merges neighbours of one kind.
struct Stretches {
    all: Vec<Stretch>,
    left: usize,
    right: usize,
}

impl Stretches {
    fn same(&mut self, len: usize) {
        self.push(true, len, len);
    }

    fn differs(&mut self, left: usize, right: usize) {
        self.push(false, left, right);
    }

    fn push(&mut self, same: bool, left: usize, right: usize) {
        if left + right == 0 {
            return;
        }
        let (from_left, from_right) = (self.left, self.right);
        self.left += left;
        self.right += right;
        match self.all.last_mut() {
            Some(last) if last.same == same => {
                last.left.end = self.left;
                last.right.end = self.right;
            }
            _ => self.all.push(Stretch { same, left: from_left..self.left, right: from_right..self.right }),
        }
    }
}

/// The text in tokens to compare: words and numbers, runs of spaces, single other characters.
pub(crate) fn words(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Kind {
        Word,
        Space,
        Other,
    }
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => Kind::Word,
        ' ' => Kind::Space,
        _ => Kind::Other,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = Kind::Other;
    for (at, c) in text.char_indices() {
        let now = kind(c);
        if at > start && (now != last || now == Kind::Other) {
            words.push(&text[start..at]);
            start = at;
        }
        last = now;
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sides put together again, changed parts in brackets.
    fn marked(left: &str, right: &str) -> (String, String) {
        let (a, b) = (words(left), words(right));
        let mut out = (String::new(), String::new());
        for stretch in diff(&a, &b) {
            let (l, r) = (a[stretch.left].concat(), b[stretch.right].concat());
            if stretch.same {
                assert_eq!(l, r);
                out.0 += &l;
                out.1 += &r;
            } else {
                out.0 += &format!("‹{l}›");
                out.1 += &format!("‹{r}›");
            }
        }
        out
    }

    #[test]
    fn only_differences_are_marked() {
        assert_eq!(marked("[1, 2, 3]", "[1, 9, 3]"), ("[1, ‹2›, 3]".into(), "[1, ‹9›, 3]".into()));
        assert_eq!(marked("[0, 1]", "[1, 0]"), ("[‹0›, ‹1›]".into(), "[‹1›, ‹0›]".into()));
        assert_eq!(marked("Some(\"a\")", "None"), ("‹Some(\"a\")›".into(), "‹None›".into()));
        assert_eq!(marked("", "x"), ("‹›".into(), "‹x›".into()));
        assert_eq!(marked("a b", "a b"), ("a b".into(), "a b".into()));
    }

    #[test]
    fn words_concatenate_to_the_text() {
        for text in ["", " ", "a_b1  c", "日本, 語!", "\"x\\n\"", "é-1.5e3"] {
            assert_eq!(words(text).concat(), text);
        }
    }

    #[test]
    fn oversized_sides_differ_entirely_between_their_common_ends() {
        let mut left = vec!["left"; 5_000];
        let mut right = vec!["right"; 5_000];
        (left[0], right[0]) = ("first", "first");
        (left[4_999], right[4_999]) = ("last", "last");
        let stretches = diff(&left, &right);
        assert_eq!(stretches.len(), 3);
        assert_eq!((stretches[1].same, stretches[1].left.clone()), (false, 1..4_999));
    }
}
