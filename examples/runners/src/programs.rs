//! The programs under test, one for each runner.

use crate::work::visit;

/// A search tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// An empty tree.
    Leaf,
    /// Smaller keys, a key, larger keys.
    Node(Box<Tree>, u32, Box<Tree>),
}

use Tree::{Leaf, Node};

impl Tree {
    /// Creates the tree with these keys, inserted one after the other: a search tree by construction.
    pub fn of(keys: &[u32]) -> Tree {
        keys.iter().fold(Leaf, |tree, &key| tree.insert(key))
    }

    fn insert(self, new: u32) -> Tree {
        match self {
            Leaf => Node(Box::new(Leaf), new, Box::new(Leaf)),
            Node(left, key, right) if new < key => Node(Box::new(left.insert(new)), key, right),
            Node(left, key, right) if new > key => Node(left, key, Box::new(right.insert(new))),
            same => same,
        }
    }

    /// Removes a key. **Wrong**: the subtree of the key's successor is lost.
    pub fn delete(self, old: u32) -> Tree {
        match self {
            Leaf => Leaf,
            Node(left, key, right) if old < key => Node(Box::new(left.delete(old)), key, right),
            Node(left, key, right) if old > key => Node(left, key, Box::new(right.delete(old))),
            Node(left, _, right) => match right.without_smallest() {
                Some((smallest, rest)) => Node(left, smallest, Box::new(rest)),
                None => *left,
            },
        }
    }

    fn without_smallest(self) -> Option<(u32, Tree)> {
        let Node(left, key, right) = self else { return None };
        Some(match left.without_smallest() {
            Some((smallest, rest)) => (smallest, Node(Box::new(rest), key, right)),
            None => (key, Leaf),
        })
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> Vec<u32> {
        match self {
            Leaf => Vec::new(),
            Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }

    /// Returns whether smaller keys are to the left and larger keys to the right, everywhere.
    pub fn is_search_tree(&self) -> bool {
        self.keys().is_sorted_by(|a, b| a < b)
    }
}

/// Returns the share of each amount in the total, in percent. **Wrong** in three ways.
pub fn shares(amounts: &[i32]) -> Vec<i64> {
    let mut total = amounts[0];
    for &amount in &amounts[1..] {
        total = total.checked_add(amount).expect("the total fits in 32 bits");
    }
    amounts.iter().map(|&amount| i64::from(amount) * 100 / i64::from(total)).collect()
}

/// The places of [`matches()`] that count their visits.
pub const PLACES: [&str; 4] = ["end", "star", "any", "letter"];

/// Returns whether a string matches a pattern in which `*` stands for any string and `?` for any letter. Correct, but
/// **slow**: it tries every way to divide the string among the stars.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.chars();
    let Some(first) = rest.next() else {
        visit(0);
        return text.is_empty();
    };
    let pattern = rest.as_str();
    let mut behind = text.chars();
    match first {
        '*' => {
            visit(1);
            text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| matches(pattern, &text[at..]))
        }
        '?' => {
            visit(2);
            behind.next().is_some() && matches(pattern, behind.as_str())
        }
        letter => {
            visit(3);
            behind.next() == Some(letter) && matches(pattern, behind.as_str())
        }
    }
}

/// As [`matches()`], in time proportional to the product of the lengths: for each prefix of the string, whether the
/// pattern so far matches it.
pub fn matches_quickly(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut matched = vec![false; text.len() + 1];
    matched[0] = true;
    for token in pattern.chars() {
        if token == '*' {
            let first = matched.iter().position(|&matched| matched).unwrap_or(matched.len());
            matched[first..].fill(true);
        } else {
            for at in (0..text.len()).rev() {
                matched[at + 1] = matched[at] && (token == '?' || token == text[at]);
            }
            matched[0] = false;
        }
    }
    matched[text.len()]
}
