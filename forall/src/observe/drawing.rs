//! The picture of a parallel run of a machine, for pages that can draw.

use super::json::{Object, list};
use crate::machine::{Drawn, Picture};
use std::cell::RefCell;

thread_local! {
    /// That of the last failing run that was to be shown, as JSON.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the picture of a run that is to be shown.
pub(crate) fn keep(picture: &Picture) {
    let json = json(picture);
    LAST.with_borrow_mut(|last| *last = Some(json));
}

/// The picture that was kept.
pub(super) fn take() -> Option<String> {
    LAST.with_borrow_mut(Option::take)
}

fn json(picture: &Picture) -> String {
    // Times become ranks, so that what overlapped for a nanosecond can be seen.
    let mut times = Vec::new();
    for drawn in picture.branches.iter().flatten() {
        times.extend([drawn.called, drawn.returned.unwrap_or(u64::MAX)]);
    }
    times.sort_unstable();
    times.dedup();
    let rank = |time: u64| times.binary_search(&time).unwrap_or_else(|at| at) as u64;
    let command = |drawn: &Drawn| {
        let Drawn { command, response, called, returned } = drawn;
        let response = response.as_deref().map(super::cut);
        let object = Object::new().text("command", &super::cut(command)).maybe("response", response.as_deref());
        object.whole("from", rank(*called)).whole("to", rank(returned.unwrap_or(u64::MAX))).end()
    };
    let commands = |drawn: &[Drawn]| list(&drawn.iter().map(command).collect::<Vec<_>>());
    let branches: Vec<String> = picture.branches.iter().map(|branch| commands(branch)).collect();
    Object::new().raw("prefix", &commands(&picture.prefix)).raw("branches", &list(&branches)).end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_places_in_their_order() {
        let drawn = |command: &str, called, returned| Drawn {
            command: command.to_owned(),
            response: Some("Some(\"<b>\")".to_owned()),
            called,
            returned,
        };
        let picture = Picture {
            prefix: vec![drawn("push", 0, Some(0))],
            branches: vec![vec![drawn("pop", 10, Some(40))], vec![drawn("pop", 20, None)]],
        };
        keep(&picture);
        let read: serde_json::Value = serde_json::from_str(&take().unwrap()).unwrap();
        let span =
            |branch: usize| (read["branches"][branch][0]["from"].as_u64(), read["branches"][branch][0]["to"].as_u64());
        assert_eq!((span(0), span(1)), ((Some(0), Some(2)), (Some(1), Some(3))));
        assert_eq!(read["prefix"][0]["response"], "Some(\"<b>\")");
        assert_eq!(take(), None);
    }
}
