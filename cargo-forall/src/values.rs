//! Renders the values of an input.

use crate::list::shortened;
use crate::screen::{Screen, visible};
use forall::protocol::Value;

/// The length at which a value is truncated: a megabyte of `Debug` output is of no use.
const MOST: usize = 800;

/// In one line, truncated to the width after `used` characters.
pub fn line(values: &[Value], used: usize, screen: &Screen) -> String {
    shortened(&visible(&assigned(values)).replace('\n', " "), screen.width.saturating_sub(used).max(20))
}

/// Each with its name, not truncated to a line.
pub fn assigned(values: &[Value]) -> String {
    let each: Vec<String> = values.iter().map(|value| format!("{} = {}", value.name, value.text)).collect();
    each.join(", ")
}

/// Each on separate lines, indented by four spaces.
pub fn lines(values: &[Value]) -> String {
    let mut out = String::new();
    for Value { name, type_text, text } in values {
        let text = format!("{}: {} = {}", visible(name), visible(type_text), shortened_to(&visible(text), MOST));
        for line in text.lines() {
            out += &format!("    {line}\n");
        }
    }
    out
}

fn shortened_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… (truncated)", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::json;

    #[test]
    fn values_are_shown_in_a_line_or_in_several() {
        let values: Vec<Value> = read(
            json!([{"name": "n", "type": "u8", "text": "7"}, {"name": "xs", "type": "Vec<u8>", "text": "vec![\n1]"}]),
        );
        assert_eq!(line(&values, 0, &Screen::plain()), "n = 7, xs = vec![ 1]");
        assert_eq!(lines(&values), "    n: u8 = 7\n    xs: Vec<u8> = vec![\n    1]\n");
    }

    #[test]
    fn a_value_cannot_flood_or_command_the_terminal() {
        let text = "\u{1b}]0;title\u{7}".repeat(100_000);
        let values = [Value { name: "s".to_owned(), type_text: "String".to_owned(), text }];
        let text = lines(&values);
        assert!(text.len() < 10_000 && !text.contains('\u{1b}'), "{} bytes", text.len());
        assert!(console::measure_text_width(&line(&values, 0, &Screen::plain())) <= 100);
    }
}
