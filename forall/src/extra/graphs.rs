//! Graphs.

use crate::choice::Source;
use crate::generate::{Generator, GeneratorExt, Lengths, from_fn, vec};
use crate::sort::sort_by;
use std::cell::RefCell;

/// A graph without self-loops and without duplicate edges. Nodes are numbers from 0.
///
/// ```
/// use forall::extra::Graph;
/// let triangle = Graph { nodes: 3, edges: vec![(0, 1), (0, 2), (1, 2)] };
/// assert_eq!(triangle.neighbours(2), [0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// The number of nodes.
    pub nodes: usize,
    /// The edges, sorted. The lower node of an undirected edge comes first.
    pub edges: Vec<(usize, usize)>,
}

impl Graph {
    /// Returns the nodes that share an edge with this one.
    ///
    /// ```
    /// use forall::extra::Graph;
    /// assert!(Graph { nodes: 2, edges: vec![] }.neighbours(0).is_empty());
    /// ```
    #[inline]
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let other = |&(a, b): &(usize, usize)| if a == node { Some(b) } else { (b == node).then_some(a) };
        self.edges.iter().filter_map(other).collect()
    }
}

/// Returns a generator of graphs with this many nodes and any edges. The result has methods that restrict it.
///
/// ```
/// use forall::{choice::Source, extra::graph};
/// let mut source = Source::random(1, 0, 100);
/// assert!(source.draw(graph(5)).edges.iter().all(|(a, b)| a < b && *b < 5));
/// let tree = source.draw(graph(2..10).connected().acyclic());
/// assert_eq!(tree.edges.len(), tree.nodes - 1);
/// ```
pub fn graph(nodes: impl Into<Lengths>) -> Graphs {
    Graphs { nodes: nodes.into(), connected: false, acyclic: false, bipartite: false, directed: false }
}

/// The generator that [`graph`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Graphs {
    nodes: Lengths,
    connected: bool,
    acyclic: bool,
    bipartite: bool,
    directed: bool,
}

impl Graphs {
    /// Requires a path from every node to every other, ignoring the directions of the edges.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(10).connected());
    /// assert!((0..10).all(|node| !graph.neighbours(node).is_empty()));
    /// ```
    #[inline]
    pub fn connected(self) -> Self {
        Self { connected: true, ..self }
    }

    /// Requires that there is no cycle: trees and forests; if [`directed`](Graphs::directed), any directed acyclic
    /// graph.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// assert!(Source::random(1, 0, 100).draw(graph(10).acyclic()).edges.len() < 10);
    /// ```
    #[inline]
    pub fn acyclic(self) -> Self {
        Self { acyclic: true, ..self }
    }

    /// Requires two kinds of nodes, with edges only between different kinds. A node is of the second kind if an edge
    /// leads to it from one of the first.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(3).bipartite().connected());
    /// assert_eq!(graph.edges.len(), 2, "a triangle is not of two parts");
    /// ```
    #[inline]
    pub fn bipartite(self) -> Self {
        Self { bipartite: true, ..self }
    }

    /// Makes the edges directed, from the first node to the second. Both directions may occur.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(20).directed());
    /// assert!(graph.edges.iter().any(|(a, b)| a > b));
    /// ```
    #[inline]
    pub fn directed(self) -> Self {
        Self { directed: true, ..self }
    }
}

impl Generator for Graphs {
    type Value = Graph;

    #[inline]
    fn generate(&self, source: &mut Source) -> Graph {
        // Nodes are the elements of a list, so that shrinking removes them one by one, with their edges.
        let state = RefCell::new(Growing::default());
        source.draw(vec(from_fn(|source| self.add_node(&mut state.borrow_mut(), source))).len(self.nodes));
        let Growing { numbered, ordered, edges, .. } = state.into_inner();
        let (numbers, ranks) = (places(&numbered), places(&ordered));
        let number = |(mut from, mut to): (usize, usize)| {
            let turned = match self.directed {
                true => ranks.get(from) > ranks.get(to),
                false => numbers[from] > numbers[to],
            };
            if turned {
                (from, to) = (to, from);
            }
            (numbers[from], numbers[to])
        };
        let mut edges: Vec<(usize, usize)> = edges.into_iter().map(number).collect();
        sort_by(&mut edges, |a, b| a.cmp(b));
        edges.dedup();
        Graph { nodes: numbered.len(), edges }
    }
}

impl GeneratorExt for Graphs {}

/// A graph that is built node by node.
#[derive(Default)]
struct Growing {
    /// The kind of each node, if the graph is bipartite.
    sides: Vec<bool>,
    edges: Vec<(usize, usize)>,
    /// The final numbers of the nodes. Without a permutation, topological sorts would be tested with sorted nodes only.
    numbered: Vec<usize>,
    /// Without cycles, edges lead from earlier nodes in this order to later ones. It matters if each node is attached
    /// to an earlier one: without it the first would precede all others.
    ordered: Vec<usize>,
}

/// The maximum number of edges to earlier nodes.
const MOST_EDGES: usize = 4;

impl Graphs {
    /// Every node makes choices of the same kind, independent of its number and their outcome, so that shrinking can
    /// remove any node.
    #[inline]
    fn add_node(&self, graph: &mut Growing, source: &mut Source) {
        let node = graph.sides.len();
        let edge = from_fn(|source: &mut Source| {
            let earlier = source.choice((node as u64).saturating_sub(1)) as usize;
            (earlier, self.directed && !self.acyclic && source.choice(1) == 1)
        });
        let least = usize::from(self.connected);
        // One edge to an earlier node cannot close a cycle; more can, unless all go one way.
        let edges = match self.acyclic && !self.directed {
            true if self.connected || source.choice_with(1, |random, _| random.up_to(3).min(1)) == 1 => {
                vec![source.draw(edge)]
            }
            true => Vec::new(),
            false => source.draw(vec(edge).len(least..=MOST_EDGES)),
        };
        // The other kind than that of the first node it is attached to.
        let side = match edges.first() {
            Some((other, _)) if node > 0 => !graph.sides[*other],
            _ => self.bipartite && source.choice(1) == 1,
        };
        graph.sides.push(side);
        insert(&mut graph.numbered, source);
        if self.directed && self.acyclic && self.connected {
            insert(&mut graph.ordered, source);
        }
        for (other, turned) in edges.into_iter().filter(|_| node > 0) {
            if !self.bipartite || graph.sides[other] != graph.sides[node] {
                graph.edges.push(if turned { (node, other) } else { (other, node) });
            }
        }
    }
}

/// Inserts the next node into a permutation, at any position: at the end, if it is the simplest.
#[inline]
fn insert(permutation: &mut Vec<usize>, source: &mut Source) {
    let node = permutation.len();
    permutation.insert(node - source.choice(node as u64) as usize, node);
}

/// The position of each node in a permutation.
#[inline]
fn places(permutation: &[usize]) -> Vec<usize> {
    let mut places = vec![0; permutation.len()];
    for (place, node) in permutation.iter().enumerate() {
        places[*node] = place;
    }
    places
}
