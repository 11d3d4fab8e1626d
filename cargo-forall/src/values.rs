//! The values of an input, for people.

use crate::list::shortened;
use crate::screen::{Screen, visible};
use serde_json::Value;

/// The longest value that is shown in full. A megabyte of `Debug` helps nobody.
const MOST: usize = 800;

/// In one line, as far as it fits behind `used` characters.
pub fn line(values: &Value, used: usize, screen: &Screen) -> String {
    let values = values.as_array().into_iter().flatten();
    let parts: Vec<String> = values.map(|value| format!("{} = {}", text(value, "name"), text(value, "text"))).collect();
    shortened(&parts.join(", ").replace('\n', " "), screen.width.saturating_sub(used).max(20))
}

/// Each in lines of its own, after four spaces.
pub fn lines(values: &Value) -> String {
    let mut out = String::new();
    for value in values.as_array().into_iter().flatten() {
        let text =
            format!("{}: {} = {}", text(value, "name"), text(value, "type"), shortened_to(&text(value, "text"), MOST));
        for line in text.lines() {
            out += &format!("    {line}\n");
        }
    }
    out
}

fn text(value: &Value, key: &str) -> String {
    visible(value[key].as_str().unwrap_or_default())
}

fn shortened_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… (cut off)", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_shown_in_a_line_or_in_several() {
        let values =
            json!([{"name": "n", "type": "u8", "text": "7"}, {"name": "xs", "type": "Vec<u8>", "text": "vec![\n1]"}]);
        assert_eq!(line(&values, 0, &Screen::plain()), "n = 7, xs = vec![ 1]");
        assert_eq!(lines(&values), "    n: u8 = 7\n    xs: Vec<u8> = vec![\n    1]\n");
    }

    #[test]
    fn a_value_cannot_flood_or_command_the_terminal() {
        let values = json!([{"name": "s", "type": "String", "text": "\u{1b}]0;title\u{7}".repeat(100_000)}]);
        let text = lines(&values);
        assert!(text.len() < 10_000 && !text.contains('\u{1b}'), "{} bytes", text.len());
        assert!(console::measure_text_width(&line(&values, 0, &Screen::plain())) <= 100);
    }
}
