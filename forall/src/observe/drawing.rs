//! The diagram of a parallel run of a machine, for pages that can draw it.

use crate::machine::{Drawing, Drawn, Picture};
use crate::protocol::{self, DrawnCommand};
use crate::run::Counterexample;
use std::cell::RefCell;
use std::collections::VecDeque;

/// The number of diagrams to keep: the requested one belongs to one of the last runs.
const WAITING: usize = 1000;

thread_local! {
    /// The diagrams of failing runs, as text and for tools. Runs of threads differ, and which one is reported is not
    /// known yet.
    static KEPT: RefCell<VecDeque<(String, protocol::Picture)>> = const { RefCell::new(VecDeque::new()) };
}

inventory::submit! { Drawing(keep) }

/// Keeps the diagram of a failing run.
fn keep(picture: &Picture) {
    let (text, encoded) = (picture.text().trim_end().to_owned(), encode(picture));
    KEPT.with_borrow_mut(|kept| {
        if kept.len() == WAITING {
            kept.pop_front();
        }
        kept.push_back((text, encoded));
    });
}

/// The diagram of the reported run: it matches the report.
pub(super) fn take(found: Option<&Counterexample>) -> Option<protocol::Picture> {
    let kept = KEPT.with_borrow_mut(std::mem::take);
    let found = found?;
    let is_shown =
        |text: &str| found.failure.message.contains(text) || found.notes.iter().any(|note| note.contains(text));
    kept.into_iter().rev().find(|(text, _)| is_shown(text)).map(|(_, encoded)| encoded)
}

fn encode(picture: &Picture) -> protocol::Picture {
    let commands = |drawn: &[Drawn], places: &[(usize, usize)]| {
        let mut commands = Vec::new();
        for (Drawn { command, response, .. }, (from, to)) in drawn.iter().zip(places) {
            let response = response.as_deref().map(super::cut);
            commands.push(DrawnCommand { command: super::cut(command), response, from: *from as u64, to: *to as u64 });
        }
        commands
    };
    let branches = picture.branches.iter().zip(picture.places()).map(|(branch, places)| commands(branch, &places));
    let prefix = commands(&picture.prefix, &vec![(0, 0); picture.prefix.len()]);
    protocol::Picture { prefix, branches: branches.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{Failure, FailureKind};
    use crate::run::{Case, Found};

    fn drawn(command: &str, called: u64, returned: Option<u64>) -> Drawn {
        Drawn { command: command.to_owned(), response: Some("Some(\"<b>\")".to_owned()), called, returned }
    }

    fn shown(message: String) -> Counterexample {
        Counterexample::new(Case::default(), Vec::new(), Failure::new(FailureKind::Error, message), Found::Given)
    }

    #[test]
    fn the_diagram_matches_the_report_row_by_row() {
        let overlapping = Picture {
            prefix: vec![drawn("push", 0, Some(0))],
            branches: vec![vec![drawn("pop", 10, Some(40))], vec![drawn("pop", 20, None)]],
        };
        let in_turn = Picture {
            prefix: Vec::new(),
            branches: vec![
                vec![drawn("pop", 10, Some(15)), drawn("push", 50, Some(60))],
                vec![drawn("pop", 20, Some(30))],
            ],
        };
        let spans = |picture: &Picture| {
            keep(&overlapping);
            keep(&in_turn);
            keep(&overlapping);
            let encoded = take(Some(&shown(format!("no order\n\n{}", picture.text().trim_end())))).unwrap();
            encoded.branches.iter().flatten().map(|command| (command.from, command.to)).collect::<Vec<_>>()
        };
        assert_eq!(spans(&overlapping), [(0, 2), (1, 3)], "{}", overlapping.text());
        assert_eq!(spans(&in_turn), [(0, 0), (2, 2), (1, 1)], "{}", in_turn.text());
        keep(&in_turn);
        assert_eq!(take(Some(&shown("another".to_owned()))), None, "no picture is better than a wrong one");
        assert_eq!(take(None), None);
    }
}
