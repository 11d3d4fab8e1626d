//! The ready-made generators: their values are valid for all choices, they reach the expected values, and they shrink.

use forall::extra::{self, Date, Graph, Json};
use forall::generate::{check_generator, sample_with, string};
use forall::prelude::*;
use forall::run::{Run, Settings, Store};
use std::fmt::Debug;
use std::path::Component;

/// The smallest value that fails, as its `Debug` shows it, which must be the same from several seeds.
#[track_caller]
fn smallest<G: Generator<Value: Debug>>(generator: G, holds: impl Fn(&G::Value) -> bool) -> String {
    let first = found(&generator, &holds, 0);
    for seed in 1..5 {
        assert_eq!(found(&generator, &holds, seed), first, "from seed {seed}");
    }
    first
}

/// The shrunk counterexample of one seed.
fn found<G: Generator<Value: Debug>>(generator: &G, holds: impl Fn(&G::Value) -> bool, seed: u64) -> String {
    let property = property! { forall value in generator; check holds(value) };
    let settings = Settings::new().seed(seed).tests(5000).explain(0).store(Store::Off);
    let report = Run::new("smallest", &property).settings(settings).report();
    report.counterexample.expect("one of 5000 fails").bindings[0].printed.debug.clone().unwrap()
}

#[test]
fn dates_are_those_of_the_calendar() {
    let valid = |date: &Date| {
        (1..=9999).contains(&date.year)
            && (1..=12).contains(&date.month)
            && (1..=Date::days_of(date.year, date.month)).contains(&date.day)
    };
    check_generator(extra::date())
        .valid(valid)
        .reaches("a leap day", |date| (date.month, date.day) == (2, 29))
        .reaches("the end of a year", |date| (date.month, date.day) == (12, 31))
        .reaches("before our time", |date| date.year < 1900)
        .reaches("a century without a leap day", |date| date.year % 100 == 0 && date.year % 400 != 0)
        .run()
        .unwrap();
    let day = |year, month, day| format!("{:?}", Date { year, month, day });
    assert_eq!(smallest(extra::date(), |date| date.month < 3), day(2000, 3, 1));
    assert_eq!(smallest(extra::date(), |date| date.year >= 1970), day(1969, 1, 1));
    assert_eq!(smallest(extra::date(), |date| date.year <= 2038), day(2039, 1, 1));
    assert_eq!(smallest(extra::date(), |date| (date.month, date.day) != (2, 29)), day(2000, 2, 29));
    let property = property! {
        forall date in extra::date();
        check {
            cover!(1, (date.month, date.day) == (2, 29), "leap days");
            cover!(10, date.day == Date::days_of(date.year, date.month), "ends of months");
            cover!(2, (date.month, date.day) == (12, 31), "ends of years");
            cover!(50, (1900..2100).contains(&date.year), "of our time");
        }
    };
    forall::check("days that software gets wrong", &property);
    check_generator(extra::date_time())
        .valid(move |time| {
            let text = time.to_string();
            valid(&time.date) && time.hour < 24 && time.minute < 60 && time.second < 60 && text.len() >= 20
        })
        .reaches("west of UTC", |time| time.offset < 0)
        .run()
        .unwrap();
}

#[test]
fn addresses_are_valid() {
    let host = |text: &str| {
        let fits = |label: &str| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        text.len() <= 253 && text.contains('.') && text.split('.').all(fits)
    };
    check_generator(extra::host_name())
        .valid(move |text: &String| host(text))
        .reaches("a hyphen", |text| text.split('.').next().is_some_and(|label| label.contains('-')))
        .reaches("the longest label", |text| text.split('.').any(|label| label.len() > 50))
        .run()
        .unwrap();
    check_generator(extra::email())
        .valid(move |text: &String| {
            let (local, at) = text.rsplit_once('@').unwrap_or_default();
            let number = at.strip_prefix('[').and_then(|at| at.strip_suffix(']'));
            let at_is_right = number.map_or_else(|| host(at), |number| number.parse::<std::net::Ipv4Addr>().is_ok());
            let plain = !local.starts_with('.')
                && !local.ends_with('.')
                && !local.contains("..")
                && !local.contains([' ', '@', ',']);
            at_is_right && (1..=64).contains(&local.len()) && (plain || local.starts_with('"') && local.ends_with('"'))
        })
        .reaches("quotes", |text| text.starts_with('"'))
        .reaches("a tag", |text| text.contains('+'))
        .run()
        .unwrap();
    check_generator(extra::url())
        .valid(move |text: &String| {
            let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")).unwrap_or_default();
            let authority = rest.split('/').next().unwrap_or_default();
            !authority.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) && text.matches('#').count() <= 1
        })
        .reaches("a port", |text| text.split('/').nth(2).is_some_and(|host| host.contains(':')))
        .reaches("a query", |text| text.contains('?'))
        .reaches("what is encoded", |text| text.contains('%'))
        .run()
        .unwrap();
}

#[test]
fn json_is_read_back() {
    check_generator(extra::json())
        .valid(|value: &Json| serde_json::from_str::<serde_json::Value>(&value.to_string()).is_ok())
        .reaches(
            "nesting",
            |value| matches!(value, Json::Array(values) if values.iter().any(|inner| matches!(inner, Json::Object(_)))),
        )
        .run()
        .unwrap();
    let property = property! {
        forall value in extra::json();
        check {
            assume!(matches!(value, Json::Object(entries) if entries.len() > 2));
            let Json::Object(entries) = value else { unreachable!("assumed") };
            let keys: std::collections::BTreeSet<&String> = entries.iter().map(|(key, _)| key).collect();
            cover!(40, keys.len() == entries.len(), "all keys differ");
            cover!(5, keys.len() < entries.len(), "a key comes twice");
            cover!(10, entries.iter().any(|(_, value)| matches!(value, Json::Object(inner) if !inner.is_empty())), "nested");
        }
    };
    Run::new("keys", &property).settings(Settings::new().discard_ratio(50).store(Store::Off)).test();
    let deep = |value: &Json| !value.to_string().contains("[[");
    assert_eq!(smallest(extra::json(), deep), "Array([Array([])])");
}

#[test]
fn paths_are_relative_and_can_exist() {
    check_generator(extra::file_path())
        .valid(|path| {
            path.is_relative()
                && path.to_str().is_some_and(|text| !text.is_empty() && !text.contains(['\0', '\\']))
                && path.components().all(|part| part.as_os_str().len() <= 255)
        })
        .reaches("the directory above", |path| path.components().any(|part| part == Component::ParentDir))
        .reaches("a hidden file", |path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
        .reaches("an extension", |path| path.extension().is_some_and(|extension| extension == "txt"))
        .run()
        .unwrap();
}

/// The part that each node is in.
fn parts(graph: &Graph) -> Vec<usize> {
    let mut part: Vec<usize> = (0..graph.nodes).collect();
    for _ in 0..graph.nodes {
        for &(a, b) in &graph.edges {
            let least = part[a].min(part[b]);
            (part[a], part[b]) = (least, least);
        }
    }
    part
}

fn is_simple(graph: &Graph, directed: bool) -> bool {
    graph.edges.is_sorted_by(|a, b| a < b)
        && graph.edges.iter().all(|&(a, b)| a != b && a.max(b) < graph.nodes && (directed || a < b))
}

fn is_connected(graph: &Graph) -> bool {
    parts(graph).iter().all(|part| *part == 0)
}

/// A forest has as many parts as nodes without an edge to hang on.
fn is_forest(graph: &Graph) -> bool {
    let parts: std::collections::BTreeSet<usize> = parts(graph).into_iter().collect();
    graph.edges.len() + parts.len() == graph.nodes
}

fn is_bipartite(graph: &Graph) -> bool {
    let mut sides: Vec<Option<bool>> = vec![None; graph.nodes];
    for start in 0..graph.nodes {
        let mut next = vec![(start, sides[start].unwrap_or(false))];
        while let Some((node, side)) = next.pop() {
            match sides[node] {
                Some(known) if known != side => return false,
                Some(_) => {}
                None => {
                    sides[node] = Some(side);
                    next.extend(graph.neighbours(node).into_iter().map(|other| (other, !side)));
                }
            }
        }
    }
    true
}

#[test]
fn graphs_have_the_requested_properties() {
    let any_size = || extra::graph(0..=12);
    check_generator(any_size())
        .valid(|graph| graph.nodes <= 12 && is_simple(graph, false))
        .reaches("parts", |graph| !is_connected(graph))
        .reaches("a cycle", |graph| !is_forest(graph))
        .reaches("an odd cycle", |graph| !is_bipartite(graph))
        .run()
        .unwrap();
    check_generator(any_size().connected())
        .valid(|graph| is_simple(graph, false) && is_connected(graph))
        .run()
        .unwrap();
    check_generator(any_size().acyclic())
        .valid(|graph| is_simple(graph, false) && is_forest(graph))
        .reaches("several trees", |graph| !is_connected(graph))
        .run()
        .unwrap();
    check_generator(any_size().bipartite())
        .valid(|graph| is_simple(graph, false) && is_bipartite(graph))
        .reaches("a cycle", |graph| !is_forest(graph))
        .run()
        .unwrap();
    check_generator(any_size().connected().acyclic())
        .valid(|graph| is_connected(graph) && is_forest(graph))
        .run()
        .unwrap();
    check_generator(any_size().connected().bipartite())
        .valid(|graph| is_connected(graph) && is_bipartite(graph))
        .run()
        .unwrap();
    check_generator(any_size().directed())
        .valid(|graph| is_simple(graph, true))
        .reaches("both ways", |graph| graph.edges.iter().any(|&(a, b)| graph.edges.contains(&(b, a))))
        .run()
        .unwrap();
    check_generator(any_size().directed().acyclic())
        .valid(|graph| is_simple(graph, true) && !has_circle(graph))
        .reaches("a diamond", |graph| !is_forest(graph))
        .reaches("nodes that are not in order", |graph| graph.edges.iter().any(|(a, b)| a > b))
        .run()
        .unwrap();
    check_generator(any_size().directed().acyclic().connected())
        .valid(|graph| is_simple(graph, true) && !has_circle(graph) && is_connected(graph))
        .run()
        .unwrap();
}

/// Whether a way along directed edges comes back to where it began.
fn has_circle(graph: &Graph) -> bool {
    let mut left: Vec<usize> = (0..graph.nodes).collect();
    // Nodes that nothing leads to are taken away, until all have something before them.
    while let Some(at) =
        left.iter().position(|to| !graph.edges.iter().any(|edge| edge.1 == *to && left.contains(&edge.0)))
    {
        left.remove(at);
    }
    !left.is_empty()
}

#[test]
fn every_graph_of_a_kind_is_generated() {
    let distinct = |graphs: extra::Graphs| {
        let all = sample_with(graphs, 10_000, 1, |_| 100);
        all.into_iter().map(|graph| graph.edges).collect::<std::collections::BTreeSet<_>>().len()
    };
    // The number of graphs with labelled nodes.
    for (graphs, count) in [
        (extra::graph(4), 64),
        (extra::graph(4).connected(), 38),
        (extra::graph(4).acyclic(), 38),
        (extra::graph(4).connected().acyclic(), 16),
        (extra::graph(4).bipartite(), 41),
        (extra::graph(3).directed(), 64),
        (extra::graph(3).directed().acyclic(), 25),
        (extra::graph(3).directed().acyclic().connected(), 18),
    ] {
        assert_eq!(distinct(graphs), count, "{graphs:?}");
    }
}

#[test]
fn graphs_shrink_to_the_smallest_of_their_kind() {
    let path = |graph: &Graph| {
        let rises = |(a, b): &(usize, usize)| a < b && graph.edges.iter().any(|(from, to)| from == b && b < to);
        !graph.edges.iter().any(rises)
    };
    assert_eq!(
        smallest(extra::graph(0..=12).directed().acyclic().connected(), path),
        "Graph { nodes: 3, edges: [(0, 1), (1, 2)] }"
    );
    // A topological sort must handle nodes that are not sorted.
    assert_eq!(
        smallest(extra::graph(0..=12).directed().acyclic(), |graph| graph.edges.iter().all(|(a, b)| a < b)),
        "Graph { nodes: 2, edges: [(1, 0)] }"
    );
    assert_eq!(smallest(extra::graph(0..=12), is_forest), "Graph { nodes: 3, edges: [(0, 1), (0, 2), (1, 2)] }");
    assert_eq!(
        smallest(extra::graph(0..=12).bipartite(), |graph| graph.edges.is_empty()),
        "Graph { nodes: 2, edges: [(0, 1)] }"
    );
}

#[test]
fn sorted_and_nearly_sorted_lists_are_generated() {
    let distinct = |list: &Vec<usize>| list.iter().collect::<std::collections::BTreeSet<_>>().len() == 7;
    check_generator(extra::permutation(7))
        .valid(distinct)
        .reaches("another order", |list| !list.is_sorted())
        .run()
        .unwrap();
    check_generator(extra::sorted(vec(any::<u8>()))).valid(|list| list.is_sorted()).run().unwrap();
    check_generator(extra::nearly_sorted(vec(any::<u16>()).len(0..=50)))
        .valid(|list| list.windows(2).filter(|pair| pair[0] > pair[1]).count() <= 8)
        .reaches("sorted", |list| list.len() > 5 && list.is_sorted())
        .reaches("not sorted", |list| !list.is_sorted())
        .run()
        .unwrap();
    assert_eq!(smallest(extra::nearly_sorted(vec(any::<u16>())), |list| list.is_sorted()), "[1, 0]");
    check_generator((extra::monotone::<u8>(), any::<i64>(), any::<i64>()))
        .valid(|(function, a, b)| function.at(*a.min(b)) <= function.at(*a.max(b)))
        .reaches("a step", |(function, a, b)| function.at(*a) != function.at(*b))
        .run()
        .unwrap();
}

#[test]
fn matrix_shapes_are_compatible() {
    check_generator(extra::interval(-5..=5i8))
        .valid(|interval| -5 <= *interval.start() && interval.start() <= interval.end() && *interval.end() <= 5)
        .reaches("all of it", |interval| *interval == (-5..=5))
        .run()
        .unwrap();
    check_generator(extra::disjoint_intervals(0..=20, 4))
        .valid(|list| {
            list.windows(2).all(|pair| pair[0].end() < pair[1].start())
                && list.iter().all(|one| one.start() <= one.end())
        })
        .reaches("neighbours that touch", |list| list.windows(2).any(|pair| pair[0].end() + 1 == *pair[1].start()))
        .reaches("four", |list| list.len() == 4)
        .run()
        .unwrap();
    check_generator(extra::matrix(any::<u8>(), 0..=4, 2..=3))
        .valid(|matrix| {
            matrix.rows.len() <= 4
                && (2..=3).contains(&matrix.columns)
                && matrix.rows.iter().all(|row| row.len() == matrix.columns)
        })
        .run()
        .unwrap();
    check_generator(extra::matrix_chain(0..10, 1..=4, 3))
        .valid(|chain| {
            (1..=3).contains(&chain.len())
                && chain.windows(2).all(|pair| pair[0].columns == pair[1].rows.len())
                && chain.iter().all(|one| one.rows.iter().all(|row| row.len() == one.columns))
        })
        .reaches("three", |chain| chain.len() == 3)
        .run()
        .unwrap();
}

#[test]
fn bytes_and_strings_contain_the_planted_parts() {
    check_generator(extra::nearly_utf8())
        .reaches("valid", |bytes| bytes.len() > 3 && std::str::from_utf8(bytes).is_ok())
        .reaches("a surrogate", |bytes| bytes.windows(2).any(|pair| pair == b"\xed\xa0"))
        .reaches("cut short at the end", |bytes| {
            std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
        })
        .run()
        .unwrap();
    assert_eq!(smallest(extra::nearly_utf8(), |bytes| std::str::from_utf8(bytes).is_ok()), "[128]");
    check_generator(extra::planted(any::<String>(), string('a'..='b').len(1..=3)))
        .valid(|planted| planted.text[planted.at..].starts_with(&planted.needle))
        .reaches("at the beginning", |planted| planted.at == 0 && planted.text.len() > 3)
        .reaches("after its own beginning", |planted| {
            planted.at > 0 && planted.text[..planted.at].ends_with(&planted.needle[..1])
        })
        .run()
        .unwrap();
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Open,
    Write(u8, u32),
    Close(u8),
}

/// Files that are opened, written to and closed: of each, whether it is open.
fn files() -> impl Generator<Value = Vec<Operation>> {
    extra::operations(
        Vec::new(),
        |open: &Vec<bool>, source| match source.draw(0..4u8) {
            0 => Some(Operation::Open),
            kind => {
                let file = source.draw(0..4u8);
                let is_open = open.get(usize::from(file)).is_some_and(|open| *open);
                let operation =
                    if kind < 3 { Operation::Write(file, source.draw(any())) } else { Operation::Close(file) };
                is_open.then_some(operation)
            }
        },
        |open, operation| match operation {
            Operation::Open => open.push(true),
            Operation::Write(..) => {}
            Operation::Close(file) => open[usize::from(*file)] = false,
        },
    )
}

fn is_possible(operations: &[Operation]) -> bool {
    let mut open = Vec::new();
    operations.iter().all(|operation| match operation {
        Operation::Open => {
            open.push(true);
            true
        }
        Operation::Write(file, _) => open.get(usize::from(*file)) == Some(&true),
        Operation::Close(file) => open.get_mut(usize::from(*file)).is_some_and(|open| std::mem::replace(open, false)),
    })
}

#[test]
fn sequences_of_operations_stay_valid_while_shrinking() {
    let files = files();
    let property = property! {
        forall operations in &files;
        check {
            cover!(20.0, operations.len() > 10, "long");
            cover!(20.0, operations.iter().any(|operation| matches!(operation, Operation::Close(_))), "closing");
            assert!(is_possible(operations));
        }
    };
    forall::check("files", &property);
    // A file is written to after another was closed: shrinking passes only possible sequences to the check.
    let fails = |operations: &Vec<Operation>| {
        assert!(is_possible(operations), "{operations:?}");
        let closed = operations.iter().position(|operation| matches!(operation, Operation::Close(_)));
        !closed.is_some_and(|at| operations[at..].iter().any(|operation| matches!(operation, Operation::Write(_, 9..))))
    };
    assert_eq!(smallest(files, fails), "[Open, Open, Close(0), Write(1, 9)]");
}

#[test]
fn operations_end_when_none_is_possible() {
    let countdown = extra::operations(3, |left: &u32, _| (*left > 0).then_some(()), |left, ()| *left -= 1);
    let property = property! { forall steps in &countdown; check steps.len() <= 3 };
    forall::check("countdown", &property);
}

#[test]
fn matrices_and_their_chains_shrink() {
    let has_seven = |matrix: &extra::Matrix<u8>| matrix.rows.iter().flatten().any(|element| *element == 7);
    let sizes = |most| 1..=most;
    assert_eq!(
        smallest(extra::matrix_chain(0..100u8, sizes(5), 4), |chain| chain.len() < 2 || !has_seven(&chain[1])),
        "[Matrix { rows: [[0]], columns: 1 }, Matrix { rows: [[7]], columns: 1 }]"
    );
    assert_eq!(
        smallest(extra::matrix_chain(0..100u8, sizes(5), 4), |chain| chain.iter().all(|matrix| matrix.columns < 3)),
        "[Matrix { rows: [[0, 0, 0]], columns: 3 }]"
    );
    assert_eq!(
        smallest(extra::matrix(0..100u8, 0..=6, 0..=6), |matrix| {
            matrix.rows.get(1).and_then(|row| row.get(1)).is_none_or(|element| *element < 5)
        }),
        "Matrix { rows: [[0, 0], [0, 5]], columns: 2 }"
    );
}

#[test]
fn squares_shrink_by_a_row_and_a_column_at_a_time() {
    let matrices = || extra::matrix(0..100u8, 0..=8, 0..=8);
    let is_square = |matrix: &extra::Matrix<u8>| matrix.rows.len() == matrix.columns;
    for seed in 0..20 {
        let large = |matrix: &extra::Matrix<u8>| !is_square(matrix) || matrix.columns < 2;
        assert_eq!(found(&matrices(), large, seed), "Matrix { rows: [[0, 0], [0, 0]], columns: 2 }");
        let symmetric = |matrix: &extra::Matrix<u8>| {
            let alike = |(i, j): (usize, usize)| matrix.rows[i][j] == matrix.rows[j][i];
            !is_square(matrix) || (0..matrix.columns).all(|i| (0..i).all(|j| alike((i, j))))
        };
        assert_eq!(found(&matrices(), symmetric, seed), "Matrix { rows: [[0, 1], [0, 0]], columns: 2 }");
        let light = |matrix: &extra::Matrix<u8>| {
            !is_square(matrix) || (0..matrix.columns).map(|i| u32::from(matrix.rows[i][i])).sum::<u32>() < 50
        };
        assert_eq!(found(&matrices(), light, seed), "Matrix { rows: [[50]], columns: 1 }");
    }
}

/// Of two lists side by side the first may be as long as it can be, and then has no choice to stop that would tell where it ends.
#[test]
fn lists_of_maximal_length_are_not_merged_with_the_next() {
    let two = from_fn(|s: &mut Source| {
        (s.draw(vec(0..10u8).len(0..=3)), s.draw(vec(0..10u8).len(1..=3)), s.draw(vec(0..10u8).len(1..=3)))
    });
    for seed in 0..20 {
        assert_eq!(found(&two, |(.., last)| last.len() < 2, seed), "([], [0], [0, 0])");
        assert_eq!(found(&two, |(_, second, _)| second.iter().all(|n| *n < 5), seed), "([], [5], [0])");
    }
}

#[test]
fn addresses_shrink_to_plain_ones_with_the_part_that_matters() {
    assert_eq!(smallest(extra::url(), |url| !url.contains('#')), "\"http://a.com/#\"");
    assert_eq!(smallest(extra::url(), |url| !url.contains("=z")), "\"http://a.com/?a=z\"");
    assert_eq!(smallest(extra::url(), |url| !url.starts_with("https")), "\"https://a.com/\"");
    assert_eq!(smallest(extra::url(), |url| !url.contains('[')), "\"http://[::]/\"");
    let local = |email: &str| email.rsplit_once('@').map_or(0, |(local, _)| local.len());
    for seed in 0..30 {
        let smallest = |holds: &dyn Fn(&str) -> bool| found(&extra::email(), |email: &String| holds(email), seed);
        assert_eq!(smallest(&|email| !email.contains('[')), "\"a@[0.0.0.0]\"");
        assert_eq!(smallest(&|email| !email.contains('+')), "\"a+@a.com\"");
        assert_eq!(smallest(&|email| !email.contains("museum")), "\"a@a.museum\"");
        // There are several of that size, and none has more before the `@` than it needs.
        assert_eq!(smallest(&|email| email.len() - local(email) < 11).find('@'), Some(2), "from seed {seed}");
    }
}

#[test]
fn irrelevant_nodes_are_removed() {
    let degree = |graph: &Graph, of: fn(&(usize, usize)) -> usize| {
        (0..graph.nodes).map(|node| graph.edges.iter().filter(|edge| of(edge) == node).count()).max().unwrap_or(0)
    };
    let ordered = || extra::graph(0..10).directed().acyclic();
    let forks = |graph: &Graph| degree(graph, |edge| edge.0) < 2;
    assert_eq!(smallest(ordered(), forks), "Graph { nodes: 3, edges: [(0, 1), (0, 2)] }");
    let joins = |graph: &Graph| degree(graph, |edge| edge.1) < 2;
    assert_eq!(smallest(ordered(), joins), "Graph { nodes: 3, edges: [(0, 2), (1, 2)] }");
}
