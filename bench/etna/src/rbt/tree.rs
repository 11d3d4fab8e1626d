//! The program under test: red-black trees with Okasaki's insertion and Kahrs's deletion, with fifteen mutants.

use crate::bst::tree::SMALL_KEYS;
use crate::mutant::mutants;
use Colour::{Black, Red};
use Tree::{Empty, Node};
use forall::Arbitrary;
use std::cmp::Ordering::{Equal, Greater, Less};

/// The colour of a node.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A node with black children.
    Red,
    /// A node that counts for the black height.
    Black,
}

/// A binary tree of coloured entries. A red-black tree if [`is_rbt`] holds.
#[derive(Arbitrary, Clone, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// The empty tree, which counts as black.
    #[default]
    Empty,
    /// An entry with two subtrees.
    Node(Box<NodeOf>),
}

/// A coloured entry, and the subtrees of smaller and greater keys.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub struct NodeOf {
    /// The colour.
    pub colour: Colour,
    /// The tree of smaller keys.
    pub left: Tree,
    /// The entry.
    pub entry: Entry,
    /// The tree of greater keys.
    pub right: Tree,
}

/// A key and its value.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    #[forall(with = SMALL_KEYS)]
    pub key: i32,
    /// The value of the key.
    pub value: i32,
}

/// The error of operations that need the invariants, on trees that violate them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenInvariant;

/// A tree, or an error if the required invariants did not hold.
pub type Built = Result<Tree, BrokenInvariant>;

mutants! {
    /// Inserting into a tree discards the tree.
    Insert1 = "insert_1",
    /// A greater key overwrites the value of the node.
    Insert2 = "insert_2",
    /// An equal key does not change the value.
    Insert3 = "insert_3",
    /// Deleting below a node discards the node and its other side.
    Delete4 = "delete_4",
    /// Deletion searches for greater keys on the left, and for smaller ones on the right.
    Delete5 = "delete_5",
    /// A new node is black.
    MiscolorInsert = "miscolor_insert",
    /// Deletion does not recolour the root.
    MiscolorDelete = "miscolor_delete",
    /// Balancing a short left side does not redden the far right.
    MiscolorBalLeft = "miscolor_balLeft",
    /// Balancing a short right side does not redden the far left.
    MiscolorBalRight = "miscolor_balRight",
    /// Joining red trees around a red one blackens them.
    MiscolorJoin1 = "miscolor_join_1",
    /// Joining black trees around a red one reddens them.
    MiscolorJoin2 = "miscolor_join_2",
    /// Insertion does not balance on the left.
    NoBalanceInsert1 = "no_balance_insert_1",
    /// Insertion does not balance on the right, and blackens the new subtree.
    NoBalanceInsert2 = "no_balance_insert_2",
    /// Balancing swaps two subtrees if the red nodes are the left child and its left child.
    SwapCd = "swap_cd",
    /// Balancing swaps two subtrees if the red nodes are the right child and its left child.
    SwapBc = "swap_bc",
}

impl Tree {
    /// Returns a node with an entry and two subtrees.
    pub fn node(colour: Colour, left: Tree, entry: Entry, right: Tree) -> Self {
        Node(Box::new(NodeOf { colour, left, entry, right }))
    }

    /// Returns the colour of the root.
    pub fn colour(&self) -> Colour {
        match self {
            Empty => Black,
            Node(node) => node.colour,
        }
    }

    /// Returns the value of a key.
    pub fn find(&self, key: i32) -> Option<i32> {
        match self {
            Empty => None,
            Node(node) => match key.cmp(&node.entry.key) {
                Less => node.left.find(key),
                Equal => Some(node.entry.value),
                Greater => node.right.find(key),
            },
        }
    }

    /// Returns the entries in the order of the tree.
    pub fn entries(&self) -> Vec<(i32, i32)> {
        fn add(tree: &Tree, entries: &mut Vec<(i32, i32)>) {
            if let Node(node) = tree {
                add(&node.left, entries);
                entries.push((node.entry.key, node.entry.value));
                add(&node.right, entries);
            }
        }
        let mut entries = Vec::new();
        add(self, &mut entries);
        entries
    }

    fn is_red(&self) -> bool {
        self.colour() == Red
    }

    fn is_black_node(&self) -> bool {
        matches!(self, Node(node) if node.colour == Black)
    }

    fn is_red_with_red_left(&self) -> bool {
        matches!(self, Node(node) if node.colour == Red && node.left.is_red())
    }

    fn is_red_with_red_right(&self) -> bool {
        matches!(self, Node(node) if node.colour == Red && node.right.is_red())
    }

    /// Returns the node of a tree that is not empty.
    fn unwrap_node(self) -> Box<NodeOf> {
        match self {
            Node(node) => node,
            Empty => unreachable!("the tree was seen to have a node"),
        }
    }
}

/// Returns whether keys are ordered, all paths have equally many black nodes, no red node has a red child, and the root
/// is black.
pub fn is_rbt(tree: &Tree) -> bool {
    /// Returns the black height, if the invariants hold.
    fn height(tree: &Tree, low: Option<i32>, high: Option<i32>) -> Option<u32> {
        let Node(node) = tree else { return Some(0) };
        let NodeOf { colour, left, entry: Entry { key, .. }, right } = &**node;
        let in_order = low.is_none_or(|low| low < *key) && high.is_none_or(|high| *key < high);
        if !in_order || *colour == Red && (left.is_red() || right.is_red()) {
            return None;
        }
        let below = height(left, low, Some(*key))?;
        (height(right, Some(*key), high)? == below).then_some(below + u32::from(*colour == Black))
    }
    tree.colour() == Black && height(tree, None, None).is_some()
}

/// Adds an entry, or replaces the value of its key.
pub fn insert(key: i32, value: i32, tree: Tree) -> Tree {
    blacken(insert_below(Entry { key, value }, tree))
}

fn insert_below(entry: Entry, tree: Tree) -> Tree {
    let Node(mut node) = tree else {
        let colour = if Mutant::MiscolorInsert.is_on() { Black } else { Red };
        return Tree::node(colour, Empty, entry, Empty);
    };
    if Mutant::Insert1.is_on() {
        return Tree::node(Red, Empty, entry, Empty);
    }
    match entry.key.cmp(&node.entry.key) {
        Less => {
            node.left = insert_below(entry, node.left);
            if Mutant::NoBalanceInsert1.is_on() { Node(node) } else { balance(node) }
        }
        Greater if Mutant::NoBalanceInsert2.is_on() => {
            node.right = insert(entry.key, entry.value, node.right);
            Node(node)
        }
        Greater if !Mutant::Insert2.is_on() => {
            node.right = insert_below(entry, node.right);
            balance(node)
        }
        Equal if Mutant::Insert3.is_on() => Node(node),
        Equal | Greater => {
            node.entry.value = entry.value;
            Node(node)
        }
    }
}

/// Removes a key.
pub fn delete(key: i32, tree: Tree) -> Built {
    let tree = delete_below(key, tree)?;
    Ok(if Mutant::MiscolorDelete.is_on() { tree } else { blacken(tree) })
}

fn delete_below(key: i32, tree: Tree) -> Built {
    let Node(node) = tree else { return Ok(Empty) };
    let NodeOf { left, entry, right, .. } = *node;
    let side = key.cmp(&entry.key);
    match if Mutant::Delete5.is_on() { side.reverse() } else { side } {
        Less if Mutant::Delete4.is_on() => delete_below(key, left),
        Greater if Mutant::Delete4.is_on() => delete_below(key, right),
        Less => {
            let gets_short = left.is_black_node();
            let left = delete_below(key, left)?;
            if gets_short { balance_left(left, entry, right) } else { Ok(Tree::node(Red, left, entry, right)) }
        }
        Greater => {
            let gets_short = right.is_black_node();
            let right = delete_below(key, right)?;
            if gets_short { balance_right(left, entry, right) } else { Ok(Tree::node(Red, left, entry, right)) }
        }
        Equal => join(left, right),
    }
}

fn blacken(mut tree: Tree) -> Tree {
    if let Node(node) = &mut tree {
        node.colour = Black;
    }
    tree
}

/// Colours a black node red.
fn redden(mut tree: Tree) -> Built {
    match &mut tree {
        Node(node) if node.colour == Black => {
            node.colour = Red;
            Ok(tree)
        }
        _ => Err(BrokenInvariant),
    }
}

/// Removes two consecutive red nodes below a black one: of `a x b y c z d`, the middle becomes the root.
fn balance(node: Box<NodeOf>) -> Tree {
    let apart = |a, x, b, y, c, z, d| Tree::node(Red, Tree::node(Black, a, x, b), y, Tree::node(Black, c, z, d));
    if node.colour == Red {
        return Node(node);
    }
    if node.left.is_red_with_red_left() {
        let (upper, z, d) = parts(*node);
        let (lower, y, c) = parts(*upper.unwrap_node());
        let (a, x, b) = parts(*lower.unwrap_node());
        let (c, d) = if Mutant::SwapCd.is_on() { (d, c) } else { (c, d) };
        apart(a, x, b, y, c, z, d)
    } else if node.left.is_red_with_red_right() {
        let (upper, z, d) = parts(*node);
        let (a, x, lower) = parts(*upper.unwrap_node());
        let (b, y, c) = parts(*lower.unwrap_node());
        apart(a, x, b, y, c, z, d)
    } else if node.right.is_red_with_red_left() {
        let (a, x, upper) = parts(*node);
        let (lower, z, d) = parts(*upper.unwrap_node());
        let (b, y, c) = parts(*lower.unwrap_node());
        let (b, c) = if Mutant::SwapBc.is_on() { (c, b) } else { (b, c) };
        apart(a, x, b, y, c, z, d)
    } else if node.right.is_red_with_red_right() {
        let (a, x, upper) = parts(*node);
        let (b, y, lower) = parts(*upper.unwrap_node());
        let (c, z, d) = parts(*lower.unwrap_node());
        apart(a, x, b, y, c, z, d)
    } else {
        Node(node)
    }
}

fn parts(node: NodeOf) -> (Tree, Entry, Tree) {
    (node.left, node.entry, node.right)
}

fn black(left: Tree, entry: Entry, right: Tree) -> Box<NodeOf> {
    Box::new(NodeOf { colour: Black, left, entry, right })
}

/// Rebalances a tree whose left side is one black node short.
fn balance_left(left: Tree, entry: Entry, right: Tree) -> Built {
    if left.is_red() {
        return Ok(Tree::node(Red, blacken(left), entry, right));
    }
    let Node(mut right) = right else { return Err(BrokenInvariant) };
    if right.colour == Black {
        right.colour = Red;
        return Ok(balance(black(left, entry, Node(right))));
    }
    let (near, z, far) = parts(*right);
    let Node(near) = near else { return Err(BrokenInvariant) };
    if near.colour == Red {
        return Err(BrokenInvariant);
    }
    let (a, y, b) = parts(*near);
    let far = if Mutant::MiscolorBalLeft.is_on() { far } else { redden(far)? };
    Ok(Tree::node(Red, Tree::node(Black, left, entry, a), y, balance(black(b, z, far))))
}

/// Rebalances a tree whose right side is one black node short.
fn balance_right(left: Tree, entry: Entry, right: Tree) -> Built {
    if right.is_red() {
        return Ok(Tree::node(Red, left, entry, blacken(right)));
    }
    let Node(mut left) = left else { return Err(BrokenInvariant) };
    if left.colour == Black {
        left.colour = Red;
        return Ok(balance(black(Node(left), entry, right)));
    }
    let (far, w, near) = parts(*left);
    let Node(near) = near else { return Err(BrokenInvariant) };
    if near.colour == Red {
        return Err(BrokenInvariant);
    }
    let (b, y, c) = parts(*near);
    let far = if Mutant::MiscolorBalRight.is_on() { far } else { redden(far)? };
    Ok(Tree::node(Red, balance(black(far, w, b)), y, Tree::node(Black, c, entry, right)))
}

/// Joins two trees; all keys of the first must be smaller than those of the second.
fn join(left: Tree, right: Tree) -> Built {
    match (left, right) {
        (Empty, tree) | (tree, Empty) => Ok(tree),
        (Node(left), Node(right)) => match (left.colour, right.colour) {
            (Red, Red) => {
                let ((a, x, b), (c, y, d)) = (parts(*left), parts(*right));
                let inner = if Mutant::MiscolorJoin1.is_on() { Black } else { Red };
                match join(b, c)? {
                    Node(middle) if middle.colour == Red => {
                        let (b, z, c) = parts(*middle);
                        Ok(Tree::node(Red, Tree::node(inner, a, x, b), z, Tree::node(inner, c, y, d)))
                    }
                    middle => Ok(Tree::node(Red, a, x, Tree::node(Red, middle, y, d))),
                }
            }
            (Black, Black) => {
                let ((a, x, b), (c, y, d)) = (parts(*left), parts(*right));
                let inner = if Mutant::MiscolorJoin2.is_on() { Red } else { Black };
                match join(b, c)? {
                    Node(middle) if middle.colour == Red => {
                        let (b, z, c) = parts(*middle);
                        Ok(Tree::node(Red, Tree::node(inner, a, x, b), z, Tree::node(inner, c, y, d)))
                    }
                    middle => balance_left(a, x, Tree::node(Black, middle, y, d)),
                }
            }
            (Black, Red) => {
                let (b, x, c) = parts(*right);
                Ok(Tree::node(Red, join(Node(left), b)?, x, c))
            }
            (Red, Black) => {
                let (a, x, b) = parts(*left);
                Ok(Tree::node(Red, a, x, join(b, Node(right))?))
            }
        },
    }
}
