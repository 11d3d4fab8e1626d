//! `quick-xml` (pull request 88): the output was wrong from the third escaped character on. In this model, the text
//! between escapes is sliced from the wrong start.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    Some(
        escape(bug, text)
            == text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"),
    )
}

pub fn witness() -> (String,) {
    ("a < b && c".to_owned(),)
}

fn escape(bug: Bug, text: &str) -> String {
    let places: Vec<(usize, &str)> = text
        .char_indices()
        .filter_map(|(place, c)| match c {
            '&' => Some((place, "&amp;")),
            '<' => Some((place, "&lt;")),
            '>' => Some((place, "&gt;")),
            '"' => Some((place, "&quot;")),
            _ => None,
        })
        .collect();
    let (mut escaped, mut from) = (String::new(), 0);
    for (index, &(place, entity)) in places.iter().enumerate() {
        let from_here = if bug == Bug::Present && index == 2 { from.min(places[0].0 + 1) } else { from };
        escaped += &text[from_here..place];
        escaped += entity;
        from = place + 1;
    }
    escaped + &text[from..]
}
