//! Results in the form that JUnit has, which most services for continuous integration read.

use std::time::Duration;

/// A group of cases.
#[derive(Clone, Debug)]
pub struct Suite {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub cases: Vec<Case>,
}

/// One case, and what came of it.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    end: End,
    time: Option<Duration>,
}

#[derive(Clone, Debug)]
enum End {
    Passed,
    Failed {
        /// All that is to be said about it.
        text: String,
        /// What stands in lists of failures, if it is not how the text begins.
        headline: Option<String>,
    },
    Skipped,
}

impl Case {
    /// One that passed.
    pub fn passed(name: &str) -> Self {
        Self { name: name.to_owned(), end: End::Passed, time: None }
    }

    /// One that failed, and all that is to be said about it.
    pub fn failed(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), end: End::Failed { text: text.to_owned(), headline: None }, time: None }
    }

    /// The same, with what of it matters most, for services that list failures.
    pub fn headed(mut self, line: String) -> Self {
        if let End::Failed { headline, .. } = &mut self.end {
            *headline = Some(line);
        }
        self
    }

    /// The same, and how long it took.
    pub fn taking(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// One that was not run.
    pub fn skipped(name: &str) -> Self {
        Self { name: name.to_owned(), end: End::Skipped, time: None }
    }
}

/// The whole document.
pub fn document(name: &str, suites: &[Suite]) -> String {
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n", escaped(name));
    for suite in suites {
        let count = |is: fn(&End) -> bool| suite.cases.iter().filter(|case| is(&case.end)).count();
        let failed = count(|end| matches!(end, End::Failed { .. }));
        let skipped = count(|end| matches!(end, End::Skipped));
        let (suite_name, tests) = (escaped(&suite.name), suite.cases.len());
        let time = suite.cases.iter().filter_map(|case| case.time).sum::<Duration>().as_secs_f64();
        text += &format!(
            "  <testsuite name=\"{suite_name}\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" \
             time=\"{time:.3}\">\n"
        );
        for case in &suite.cases {
            let time = case.time.map_or(String::new(), |time| format!(" time=\"{:.3}\"", time.as_secs_f64()));
            let start = format!("    <testcase classname=\"{suite_name}\" name=\"{}\"{time}", escaped(&case.name));
            text += &match &case.end {
                End::Passed => format!("{start}/>\n"),
                End::Skipped => format!("{start}><skipped/></testcase>\n"),
                End::Failed { text, headline } => format!(
                    "{start}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                    escaped(&beginning(headline.as_ref().unwrap_or(text))),
                    escaped(text)
                ),
            };
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// So many characters of a text are its beginning, at most.
const BEGINNING: usize = 300;

/// The first paragraph of a text in one line, for services that list failures.
fn beginning(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ").chars().take(BEGINNING).collect()
}

/// Text that can stand anywhere in a document. Characters that no document may have are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let suite = Suite { name: "a<b".to_owned(), cases: vec![Case::failed("x \"y\"", "1 < 2 && \u{1b}[31mred")] };
        let document = document("all", &[suite]);
        assert!(
            document.contains("name=\"a&lt;b\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.000\">"),
            "{document}"
        );
        let failure =
            "<failure message=\"1 &lt; 2 &amp;&amp; \u{fffd}[31mred\">1 &lt; 2 &amp;&amp; \u{fffd}[31mred</failure>";
        assert!(document.contains(failure), "{document}");
        assert!(document.contains("name=\"x &quot;y&quot;\""), "{document}");
        let headed = Case::failed("z", "all of it").headed("n = 7: <wrong>\n\nmore".to_owned());
        let document = super::document("all", &[Suite { name: "a".to_owned(), cases: vec![headed] }]);
        assert!(document.contains("<failure message=\"n = 7: &lt;wrong&gt;\">all of it</failure>"), "{document}");
    }
}
