//! Bird's Huffman codec.

use crate::Program;
use crate::lists::{L, elements};
use forall::lazy::Lazy;
use forall::prelude::*;

/// What was encoded is decoded as it was.
pub const DECODE_ENCODE: Program = Program {
    name: "huffman1",
    property: || {
        Box::new(property! {
            forall text: L<char>;
            check {
                let letters = collate(&elements(text));
                letters.len() <= 1 || {
                    let tree = huffman_tree(letters);
                    let text: Vec<char> = text.iter().map(|letter| **letter).collect();
                    decode(&tree, &encode(&tree, &text)) == text
                }
            }
        })
    },
    recorded: &[3, 5, 12, 39, 166, 851, 5142, 36049, 288470, 2596335],
    fails_at: None,
    counterexample: &[],
    space: Some((8, 109601.0)),
    suite: Some((8, 333.0)),
};

/// No tree over the letters of a text is cheaper than the Huffman tree.
pub const OPTIMAL: Program = Program {
    name: "huffman2",
    property: || {
        Box::new(property! {
            forall text: L<char>;
            forall tree: Lazy<Tree>;
            check {
                // The letters are looked at when the first leaf of the tree is known.
                let mut letters: Option<Vec<(i64, Lazy<char>)>> = None;
                let is_over = is_tree_over(tree, &mut |leaf| {
                    let letters = letters.get_or_insert_with(|| collate(&elements(text)));
                    // A letter that was used is worth nothing.
                    let place = letters.iter().position(|(weight, letter)| *weight > 0 && letter == leaf);
                    place.map(|place| letters[place].0 = -letters[place].0).is_some()
                });
                let letters = letters.unwrap_or_default();
                !(is_over && letters.iter().all(|(weight, _)| *weight < 0)) || {
                    let letters: Vec<(i64, Lazy<char>)> = letters.iter().map(|(weight, letter)| (-weight, letter.clone())).collect();
                    cost(&letters, tree) >= cost(&letters, &huffman_tree(letters.clone()))
                }
            }
        })
    },
    recorded: &[1, 10, 45, 346, 4406, 89281, 2709257],
    fails_at: None,
    counterexample: &[],
    space: Some((5, 7142334.0)),
    suite: Some((5, 68.0)),
};

#[derive(Arbitrary, Clone, Debug)]
pub enum Tree {
    Leaf(Lazy<char>),
    Fork(Lazy<Tree>, Lazy<Tree>),
}

/// The letters of a text and how often each occurs, rare ones first.
fn collate(text: &[Lazy<char>]) -> Vec<(i64, Lazy<char>)> {
    let [first, rest @ ..] = text else { return Vec::new() };
    let (same, others): (Vec<Lazy<char>>, Vec<Lazy<char>>) = rest.iter().cloned().partition(|letter| letter == first);
    let mut letters = collate(&others);
    let weight = 1 + same.len() as i64;
    let place = letters.iter().position(|(other, _)| weight <= *other).unwrap_or(letters.len());
    letters.insert(place, (weight, first.clone()));
    letters
}

fn huffman_tree(letters: Vec<(i64, Lazy<char>)>) -> Tree {
    let mut trees: Vec<(i64, Tree)> =
        letters.into_iter().map(|(weight, letter)| (weight, Tree::Leaf(letter))).collect();
    while trees.len() > 1 {
        let ((first, left), (second, right)) = (trees.remove(0), trees.remove(0));
        let weight = first + second;
        let place = trees.iter().position(|(other, _)| weight <= *other).unwrap_or(trees.len());
        trees.insert(place, (weight, Tree::Fork(Lazy::new(left), Lazy::new(right))));
    }
    trees.pop().expect("a text with letters").1
}

/// Each letter with its code.
fn codes(tree: &Tree, prefix: &mut Vec<bool>, table: &mut Vec<(char, Vec<bool>)>) {
    match tree {
        Tree::Leaf(letter) => table.push((**letter, prefix.clone())),
        Tree::Fork(left, right) => {
            for (bit, side) in [(false, left), (true, right)] {
                prefix.push(bit);
                codes(side, prefix, table);
                prefix.pop();
            }
        }
    }
}

fn encode(tree: &Tree, text: &[char]) -> Vec<bool> {
    let mut table = Vec::new();
    codes(tree, &mut Vec::new(), &mut table);
    let code = |letter: &char| table.iter().find(|(other, _)| other == letter).map(|(_, code)| code.clone());
    text.iter().flat_map(|letter| code(letter).expect("a letter of the text")).collect()
}

fn decode(tree: &Tree, bits: &[bool]) -> Vec<char> {
    let (mut text, mut place) = (Vec::new(), tree);
    for bit in bits {
        if let Tree::Fork(left, right) = place {
            place = if *bit { right } else { left };
        }
        if let Tree::Leaf(letter) = place {
            text.push(**letter);
            place = tree;
        }
    }
    text
}

/// Whether each leaf of a tree, from the left, is taken.
fn is_tree_over(tree: &Tree, take: &mut dyn FnMut(&Lazy<char>) -> bool) -> bool {
    match tree {
        Tree::Leaf(letter) => take(letter),
        Tree::Fork(left, right) => is_tree_over(left, take) && is_tree_over(right, take),
    }
}

fn cost(letters: &[(i64, Lazy<char>)], tree: &Tree) -> i64 {
    let mut table = Vec::new();
    codes(tree, &mut Vec::new(), &mut table);
    let weight = |letter: &char| letters.iter().find(|(_, other)| **other == *letter).map_or(0, |(weight, _)| *weight);
    table.iter().map(|(letter, code)| weight(letter) * code.len() as i64).sum()
}
