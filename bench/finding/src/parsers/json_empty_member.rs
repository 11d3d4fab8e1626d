//! `sval_json` (pull request 177 of `sval`), and serde's JSON in 2015 (issue 101): after an empty array or object, the comma
//! before the next value was missing.

use crate::Bug;
use crate::shapes::Json;

pub fn holds(bug: Bug, document: &Json) -> Option<bool> {
    let mut writer = Writer { bug, text: String::new(), comma: false };
    writer.value(document);
    Some(writer.text == expected(document))
}

pub fn witness() -> (Json,) {
    (Json::Array(vec![Json::Array(vec![]), Json::Null]),)
}

struct Writer {
    bug: Bug,
    text: String,
    /// Whether an earlier value exists on this level.
    comma: bool,
}

impl Writer {
    fn value(&mut self, value: &Json) {
        if self.comma {
            self.text.push(',');
        }
        match value {
            Json::Array(values) => self.nested('[', ']', values.iter().map(|value| ("", value))),
            Json::Object(members) => self.nested('{', '}', members.iter().map(|(key, value)| (key.as_str(), value))),
            leaf => {
                self.text += &expected(leaf);
                self.comma = true;
            }
        }
    }

    fn nested<'a>(&mut self, open: char, close: char, values: impl Iterator<Item = (&'a str, &'a Json)>) {
        self.text.push(open);
        self.comma = false;
        for (key, value) in values {
            if open == '{' {
                self.text += &format!("{}{key:?}:", if self.comma { "," } else { "" });
                self.comma = false;
            }
            self.value(value);
        }
        self.text.push(close);
        self.comma |= self.bug == Bug::Fixed;
    }
}

fn expected(value: &Json) -> String {
    let join = |parts: Vec<String>| parts.join(",");
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(bool) => bool.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => format!("{text:?}"),
        Json::Array(values) => format!("[{}]", join(values.iter().map(expected).collect())),
        Json::Object(members) => {
            let member = |(key, value): &(String, Json)| format!("{key:?}:{}", expected(value));
            format!("{{{}}}", join(members.iter().map(member).collect()))
        }
    }
}
