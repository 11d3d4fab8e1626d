//! The picture of a parallel run of a machine, for pages that can draw.

use super::json::{Object, list};
use crate::machine::{Drawn, Picture};
use crate::run::Counterexample;
use std::cell::RefCell;
use std::collections::VecDeque;

/// So many pictures wait to be asked for: the one that is asked for is of one of the last runs.
const WAITING: usize = 1000;

thread_local! {
    /// Those of failing runs, as text and as JSON. No two runs of threads are alike, and which is shown is not known yet.
    static KEPT: RefCell<VecDeque<(String, String)>> = const { RefCell::new(VecDeque::new()) };
}

/// Keeps the picture of a run that failed.
pub(crate) fn keep(picture: &Picture) {
    let (text, json) = (picture.text().trim_end().to_owned(), json(picture));
    KEPT.with_borrow_mut(|kept| {
        if kept.len() == WAITING {
            kept.pop_front();
        }
        kept.push_back((text, json));
    });
}

/// The picture of the run that is reported: what is drawn is what the report says.
pub(super) fn take(found: Option<&Counterexample>) -> Option<String> {
    let kept = KEPT.with_borrow_mut(std::mem::take);
    let found = found?;
    let is_shown =
        |text: &str| found.failure.message.contains(text) || found.notes.iter().any(|note| note.contains(text));
    kept.into_iter().rev().find(|(text, _)| is_shown(text)).map(|(_, json)| json)
}

fn json(picture: &Picture) -> String {
    let command = |drawn: &Drawn, (from, to): (usize, usize)| {
        let Drawn { command, response, .. } = drawn;
        let response = response.as_deref().map(super::cut);
        let object = Object::new().text("command", &super::cut(command)).maybe("response", response.as_deref());
        object.whole("from", from as u64).whole("to", to as u64).end()
    };
    let commands = |drawn: &[Drawn], places: &[(usize, usize)]| {
        let each = drawn.iter().zip(places).map(|(drawn, place)| command(drawn, *place));
        list(&each.collect::<Vec<_>>())
    };
    let branches: Vec<String> =
        picture.branches.iter().zip(picture.places()).map(|(branch, places)| commands(branch, &places)).collect();
    let prefix = commands(&picture.prefix, &vec![(0, 0); picture.prefix.len()]);
    Object::new().raw("prefix", &prefix).raw("branches", &list(&branches)).end()
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
    fn the_picture_that_is_drawn_is_that_of_the_report_row_by_row() {
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
            let json = take(Some(&shown(format!("no order\n\n{}", picture.text().trim_end())))).unwrap();
            let read: serde_json::Value = serde_json::from_str(&json).unwrap();
            let mut spans = Vec::new();
            for command in read["branches"].as_array().unwrap().iter().flat_map(|branch| branch.as_array().unwrap()) {
                spans.push((command["from"].as_u64().unwrap(), command["to"].as_u64().unwrap()));
            }
            spans
        };
        assert_eq!(spans(&overlapping), [(0, 2), (1, 3)], "{}", overlapping.text());
        assert_eq!(spans(&in_turn), [(0, 0), (2, 2), (1, 1)], "{}", in_turn.text());
        keep(&in_turn);
        assert_eq!(take(Some(&shown("another".to_owned()))), None, "no picture is better than a wrong one");
        assert_eq!(take(None), None);
    }
}
