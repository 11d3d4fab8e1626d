//! `quick-xml` (issue 517): the numbers in the escapes of line feed and carriage return were swapped.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    Some(unescape(&escape(bug, text)) == text)
}

pub fn witness() -> (String,) {
    ("two\nlines".to_owned(),)
}

fn escape(bug: Bug, text: &str) -> String {
    let (line_feed, carriage_return) = match bug {
        Bug::Present => ("&#13;", "&#10;"),
        Bug::Fixed => ("&#10;", "&#13;"),
    };
    text.replace('&', "&amp;").replace('<', "&lt;").replace('\n', line_feed).replace('\r', carriage_return)
}

fn unescape(text: &str) -> String {
    text.replace("&#10;", "\n").replace("&#13;", "\r").replace("&lt;", "<").replace("&amp;", "&")
}
