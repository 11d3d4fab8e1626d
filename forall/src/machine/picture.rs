//! Runs drawn for people: steps in a column, and branches side by side, with their overlaps.

use crate::report::type_annotation;
use crate::sort::sort_by;
use crate::text::columns;
use std::fmt::Write;

/// A run of a parallel program: the prefix, and the branches with their responses and times.
///
/// A failing test shows it; [`Ran::picture`](super::Ran) has it as a value.
///
/// ```
/// use forall::machine::{Drawn, Picture};
/// let drawn = |command: &str, response: &str, called, returned| Drawn {
///     command: command.into(), response: Some(response.into()), called, returned: Some(returned),
/// };
/// let picture = Picture {
///     prefix: vec![drawn("Push(1)", "()", 0, 1)],
///     branches: vec![
///         vec![drawn("Pop", "Some(1)", 10, 30)],
///         vec![drawn("Pop", "Some(1)", 20, 40), drawn("Pop", "None", 50, 60)],
///     ],
/// };
/// assert_eq!(picture.text(), "
/// Push(1) : ()
///            │
///     ╭──────┴──────╮
/// ╷ Pop         ·
/// │             ╷ Pop
/// ╵ : Some(1)   │
///               ╵ : Some(1)
///               ╶ Pop : None
/// ".trim_start_matches('\n'));
/// assert!(picture.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Picture {
    /// The commands before the branches.
    pub prefix: Vec<Drawn>,
    /// The branches.
    pub branches: Vec<Vec<Drawn>>,
}

/// A command in a [`Picture`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Drawn {
    /// The command.
    pub command: String,
    /// Its response; `None` if it did not return.
    pub response: Option<String>,
    /// When it was called, in nanoseconds since the branches began.
    pub called: u64,
    /// When it returned, if it did.
    pub returned: Option<u64>,
}

/// Stands for a missing response.
const NEVER: &str = "…";

/// A callback for the pictures of failed runs: a module that shows them registers it.
pub(crate) struct Drawing(pub(crate) fn(&Picture));

inventory::collect!(Drawing);

impl Picture {
    /// Returns the drawing for a terminal. Time runs downwards; a command that does not overlap with another takes one
    /// line.
    ///
    /// See [`Picture`].
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Drawn { command, response, .. } in &self.prefix {
            let _ = writeln!(text, "{command} : {}", response.as_deref().unwrap_or(NEVER));
        }
        let (rows, _) = self.rows();
        let branches = self.branches.len();
        // An empty branch is as wide as its marker.
        let mut widths = vec![1; branches];
        for Row { branch, text, .. } in &rows {
            widths[*branch] = widths[*branch].max(columns(text));
        }
        if !rows.is_empty() {
            text += &fork(&widths);
        }
        for row in &rows {
            let mut line = String::new();
            for (branch, width) in widths.iter().enumerate() {
                let cell = match row.branch == branch {
                    true => row.text.as_str(),
                    false => row.others[branch],
                };
                line += cell;
                line += &" ".repeat(width - columns(cell) + GAP);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// For each command of each branch, the rows of its call and of its return, as in [`text`](Self::text).
    pub(crate) fn places(&self) -> Vec<Vec<(usize, usize)>> {
        self.rows().1
    }

    /// One row for each call and each return, or one for both if nothing happens between them; and the rows of each
    /// command.
    fn rows(&self) -> (Vec<Row>, Vec<Vec<(usize, usize)>>) {
        let mut events = Vec::new();
        for (branch, commands) in self.branches.iter().enumerate() {
            for (at, drawn) in commands.iter().enumerate() {
                events.push((drawn.called, false, branch, at));
                events.push((drawn.returned.unwrap_or(u64::MAX), true, branch, at));
            }
        }
        // Simultaneous events overlap: calls come first.
        sort_by(&mut events, |a, b| a.cmp(b));
        let mut rows: Vec<Row> = Vec::new();
        let mut places: Vec<Vec<(usize, usize)>> =
            self.branches.iter().map(|commands| vec![(0, 0); commands.len()]).collect();
        // The text of each branch in the rows of other branches.
        let mut between = vec!["·"; self.branches.len()];
        let mut skip = None;
        for (at_event, &(_, returns, branch, at)) in events.iter().enumerate() {
            let Drawn { command, response, .. } = &self.branches[branch][at];
            let response = response.as_deref().unwrap_or(NEVER);
            // A return in the row of its call needs no row of its own.
            match returns {
                true if skip == Some((branch, at)) => {}
                true => places[branch][at].1 = rows.len(),
                false => places[branch][at] = (rows.len(), rows.len()),
            }
            let text = if returns {
                if skip.take() == Some((branch, at)) {
                    continue;
                }
                format!("╵ : {response}")
            } else if events.get(at_event + 1).is_some_and(|next| (next.2, next.3) == (branch, at)) {
                skip = Some((branch, at));
                format!("╶ {command} : {response}")
            } else {
                format!("╷ {command}")
            };
            let under_way = !returns && skip.is_none();
            between[branch] = if under_way { "│" } else { "" };
            rows.push(Row { branch, text, others: between.clone() });
        }
        (rows, places)
    }
}

/// The space between two branches.
const GAP: usize = 3;

struct Row {
    branch: usize,
    text: String,
    /// The text of the other branches in this row.
    others: Vec<&'static str>,
}

/// The lines that lead from the prefix to the branches.
fn fork(widths: &[usize]) -> String {
    if widths.len() < 2 {
        return String::new();
    }
    // The middles of the columns, and of all of them.
    let mut at = 0;
    let mut middles = Vec::new();
    for width in widths {
        middles.push(at + width.min(&8) / 2);
        at += width + GAP;
    }
    let (first, last) = (middles[0], middles[middles.len() - 1]);
    let stem = (first + last) / 2;
    let mut line = " ".repeat(first);
    for column in first..=last {
        line.push(match column {
            _ if column == first => '╭',
            _ if column == last => '╮',
            _ if column == stem => '┴',
            _ if middles.contains(&column) => '┬',
            _ => '─',
        });
    }
    format!("{}│\n{line}\n", " ".repeat(stem))
}

/// The steps of a sequence, one per line, with a remark about the last.
#[inline]
pub(super) fn steps(rows: &[(String, Option<String>)], last: Option<&str>) -> String {
    // Numbers help where commands refer to others.
    let numbered = rows.iter().any(|(command, _)| command.contains('#'));
    let width = rows.iter().map(|(command, _)| columns(command)).max().unwrap_or(0);
    let mut text = String::new();
    for (number, (command, response)) in rows.iter().enumerate() {
        let label = if numbered { format!("#{number:<3} ") } else { String::new() };
        let pad = " ".repeat(width - columns(command));
        let response = response.as_deref().map_or(String::new(), |response| format!("{pad} : {response}"));
        let said = last.filter(|_| number + 1 == rows.len()).map_or(String::new(), |said| format!("    {said}"));
        let _ = writeln!(text, "    {label}{command}{response}{said}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The name of a type as it is written where the type is in scope.
pub(super) fn type_of<T>() -> String {
    let name = std::any::type_name::<T>();
    type_annotation(name).unwrap_or_else(|| name.rsplit("::").next().unwrap_or(name).to_owned())
}
