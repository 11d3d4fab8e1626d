//! GitHub Actions: annotations for failed properties.
//!
//! A workflow reads commands such as `::error file=…::…` from the output of a step. Values and messages of tests may look
//! like such commands, so everything else is printed while commands are disabled, under a token that tests cannot know.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// The output of a step in which commands are disabled.
#[derive(Debug)]
pub struct Quiet {
    token: String,
}

impl Quiet {
    /// Returns the text to print that disables workflow commands, if this process runs in a workflow.
    pub fn begin() -> Option<(Self, String)> {
        (std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")).then(|| {
            let token = format!("forall-{:016x}", RandomState::new().build_hasher().finish());
            let text = format!("::stop-commands::{token}\n");
            (Self { token }, text)
        })
    }

    /// Returns the text to print that re-enables commands and adds annotations.
    pub fn end(self, annotations: &[Annotation]) -> String {
        let mut text = format!("::{}::\n", self.token);
        for annotation in annotations {
            text += &annotation.text();
        }
        text
    }
}

/// An error at a place of the source.
#[derive(Debug)]
pub struct Annotation {
    /// The file, relative to the repository.
    pub file: String,
    /// The line.
    pub line: String,
    /// The title.
    pub title: String,
    /// The message, which may have several lines.
    pub message: String,
}

impl Annotation {
    fn text(&self) -> String {
        format!(
            "::error file={},line={},title={}::{}\n",
            parameter(&self.file),
            parameter(&self.line),
            parameter(&self.title),
            escaped(&self.message)
        )
    }
}

/// A message in one line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A parameter of a command.
fn parameter(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_forge_an_annotation() {
        let annotation = Annotation {
            file: "src/a,b.rs".to_owned(),
            line: "7".to_owned(),
            title: "FAILED a::b".to_owned(),
            message: "100 %\n::error file=x::forged\r".to_owned(),
        };
        let expected = "::error file=src/a%2Cb.rs,line=7,title=FAILED a%3A%3Ab::100 %25%0A::error file=x::forged%0D\n";
        assert_eq!(annotation.text(), expected);
        let quiet = Quiet { token: "secret".to_owned() };
        assert_eq!(quiet.end(&[annotation]), format!("::secret::\n{expected}"));
    }
}
