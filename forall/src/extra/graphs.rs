//! Graphs.

use crate::choice::Source;
use crate::generate::{Combine, Generator, Lengths, from_fn, vec};
use std::cell::RefCell;

/// A graph without loops at a node and without edges that come twice. Nodes are numbers from 0.
///
/// ```
/// use forall::extra::Graph;
/// let triangle = Graph { nodes: 3, edges: vec![(0, 1), (0, 2), (1, 2)] };
/// assert_eq!(triangle.neighbours(2), [0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// How many nodes there are.
    pub nodes: usize,
    /// The edges, sorted. Of one that has no direction, the lower node comes first.
    pub edges: Vec<(usize, usize)>,
}

impl Graph {
    /// The nodes that an edge leads to, from or to this one.
    ///
    /// ```
    /// use forall::extra::Graph;
    /// assert!(Graph { nodes: 2, edges: vec![] }.neighbours(0).is_empty());
    /// ```
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let other = |&(a, b): &(usize, usize)| if a == node { Some(b) } else { (b == node).then_some(a) };
        self.edges.iter().filter_map(other).collect()
    }
}

/// Graphs of so many nodes, with any edges between them. What is returned can be asked for more.
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

/// What [`graph`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Graphs {
    nodes: Lengths,
    connected: bool,
    acyclic: bool,
    bipartite: bool,
    directed: bool,
}

impl Graphs {
    /// From every node there is a way to every other, whatever the directions of the edges.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(10).connected());
    /// assert!((0..10).all(|node| !graph.neighbours(node).is_empty()));
    /// ```
    pub fn connected(self) -> Self {
        Self { connected: true, ..self }
    }

    /// No way along edges comes back to where it began: trees and forests; if [`directed`](Graphs::directed), any graph whose
    /// nodes can be put in order.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// assert!(Source::random(1, 0, 100).draw(graph(10).acyclic()).edges.len() < 10);
    /// ```
    pub fn acyclic(self) -> Self {
        Self { acyclic: true, ..self }
    }

    /// The nodes are of two kinds, and edges only between one and the other. A node is of the second kind if an edge leads
    /// to it from one of the first.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(3).bipartite().connected());
    /// assert_eq!(graph.edges.len(), 2, "a triangle is not of two parts");
    /// ```
    pub fn bipartite(self) -> Self {
        Self { bipartite: true, ..self }
    }

    /// Edges have a direction: from the first node to the second. Both may be there.
    ///
    /// ```
    /// use forall::{choice::Source, extra::graph};
    /// let graph = Source::random(1, 0, 100).draw(graph(20).directed());
    /// assert!(graph.edges.iter().any(|(a, b)| a > b));
    /// ```
    pub fn directed(self) -> Self {
        Self { directed: true, ..self }
    }
}

impl Generator for Graphs {
    type Value = Graph;

    fn generate(&self, source: &mut Source) -> Graph {
        // Nodes are the elements of a list, so that shrinking takes them away one by one, with what belongs to them.
        let state = RefCell::new(Growing::default());
        source.draw(vec(from_fn(|source| self.add_node(&mut state.borrow_mut(), source))).len(self.nodes));
        let Growing { sides, mut edges } = state.into_inner();
        edges.sort_unstable();
        edges.dedup();
        Graph { nodes: sides.len(), edges }
    }
}

impl Combine for Graphs {}

/// A graph that gets its nodes one by one.
#[derive(Default)]
struct Growing {
    /// The kind of each node, if it is of two parts.
    sides: Vec<bool>,
    edges: Vec<(usize, usize)>,
}

impl Graphs {
    /// Every node makes the same choices, whatever its number and whatever becomes of them: so nodes can be taken away from
    /// among the others.
    fn add_node(&self, graph: &mut Growing, source: &mut Source) {
        let node = graph.sides.len();
        let earlier = |source: &mut Source| source.choice((node as u64).saturating_sub(1)) as usize;
        let anchored = self.connected || source.choice(3) > 0;
        let anchor = if anchored { Some((earlier(source), self.turned(source))) } else { None };
        let side = if anchored { false } else { source.choice(1) == 1 };
        // One edge to what was there before cannot close a cycle; more can, unless all go one way.
        let more = match self.acyclic && !self.directed {
            true => Vec::new(),
            false => source.draw(vec(from_fn(|source| (earlier(source), self.turned(source)))).len(0..=3)),
        };
        if node == 0 {
            return graph.sides.push(false);
        }
        // The other kind than that of the node that it hangs on.
        graph.sides.push(anchor.map_or(side, |(anchor, _)| !graph.sides[anchor]));
        for (other, turned) in anchor.into_iter().chain(more) {
            if !self.bipartite || graph.sides[other] != graph.sides[node] {
                graph.edges.push(if turned { (node, other) } else { (other, node) });
            }
        }
    }

    /// Whether an edge leads to the earlier node. From earlier nodes to later ones there is no way back.
    fn turned(&self, source: &mut Source) -> bool {
        self.directed && !self.acyclic && source.choice(1) == 1
    }
}
