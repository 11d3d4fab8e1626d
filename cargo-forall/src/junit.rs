//! JUnit XML, which most CI services read.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A group of cases.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name, which is the class name of its cases.
    pub name: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// One case and its result.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    end: End,
    time: Option<Duration>,
    /// File and line.
    place: Option<(String, String)>,
}

#[derive(Clone, Debug)]
enum End {
    Passed,
    Failed {
        /// The whole report.
        text: String,
        /// The line in lists of failures; the beginning of the text without it.
        headline: Option<String>,
        /// The kind of the failure, as in `falsified`.
        kind: String,
    },
    Skipped,
}

impl Case {
    /// A case that passed.
    pub fn passed(name: &str) -> Self {
        Self::new(name, End::Passed)
    }

    /// A case that failed, with its report.
    pub fn failed(name: &str, text: &str) -> Self {
        Self::new(name, End::Failed { text: text.to_owned(), headline: None, kind: "failed".to_owned() })
    }

    /// The same with a headline, for services that list failures.
    pub fn headed(mut self, line: String) -> Self {
        if let End::Failed { headline, .. } = &mut self.end {
            *headline = Some(line);
        }
        self
    }

    /// The same with the kind of the failure.
    pub fn of_kind(mut self, word: &str) -> Self {
        if let End::Failed { kind, .. } = &mut self.end {
            *kind = word.to_owned();
        }
        self
    }

    /// The same with a location, as in `src/lib.rs:7`.
    pub fn at(mut self, place: &str) -> Self {
        self.place = place.rsplit_once(':').map(|(file, line)| (file.to_owned(), line.to_owned()));
        self
    }

    fn new(name: &str, end: End) -> Self {
        Self { name: name.to_owned(), end, time: None, place: None }
    }

    /// The same with its duration.
    pub fn taking(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// A case that did not run.
    pub fn skipped(name: &str) -> Self {
        Self::new(name, End::Skipped)
    }
}

/// The whole document, as of now.
pub fn document(name: &str, suites: &[Suite]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    document_at(name, suites, now)
}

/// The document with a time stamp in Unix time.
fn document_at(name: &str, suites: &[Suite], now: u64) -> String {
    let stamp = timestamp(now);
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n", escaped(name));
    for suite in suites {
        let count = |is: fn(&End) -> bool| suite.cases.iter().filter(|case| is(&case.end)).count();
        let failed = count(|end| matches!(end, End::Failed { .. }));
        let skipped = count(|end| matches!(end, End::Skipped));
        let (suite_name, tests) = (escaped(&suite.name), suite.cases.len());
        let time = suite.cases.iter().filter_map(|case| case.time).sum::<Duration>().as_secs_f64();
        text += &format!(
            "  <testsuite name=\"{suite_name}\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" \
             time=\"{time:.3}\" timestamp=\"{stamp}\">\n"
        );
        for case in &suite.cases {
            let time = case.time.map_or(String::new(), |time| format!(" time=\"{:.3}\"", time.as_secs_f64()));
            let place = case.place.as_ref().map_or(String::new(), |(file, line)| {
                format!(" file=\"{}\" line=\"{}\"", escaped(file), escaped(line))
            });
            let start =
                format!("    <testcase classname=\"{suite_name}\" name=\"{}\"{time}{place}", escaped(&case.name));
            text += &match &case.end {
                End::Passed => format!("{start}/>\n"),
                End::Skipped => format!("{start}><skipped/></testcase>\n"),
                End::Failed { text, headline, kind } => format!(
                    "{start}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                    escaped(kind),
                    escaped(&beginning(headline.as_ref().unwrap_or(text))),
                    escaped(text)
                ),
            };
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// Unix time as a date and time of ISO 8601, in UTC.
fn timestamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that leap days are at their ends.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

/// The length at which a headline is truncated.
const BEGINNING: usize = 300;

/// The first paragraph of a text in one line, for services that list failures.
fn beginning(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ").chars().take(BEGINNING).collect()
}

/// Text that is valid anywhere in a document. Characters that XML does not allow are replaced.
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
    fn a_case_has_its_package_location_kind_and_time() {
        let case = Case::failed("tests::sorts", "wrong").of_kind("falsified").at("src/lib.rs:7");
        let suite = Suite { name: "shop".to_owned(), cases: vec![case.taking(Duration::from_millis(1500))] };
        let document = document_at("forall", &[suite], 1_709_210_096);
        assert!(document.contains("time=\"1.500\" timestamp=\"2024-02-29T12:34:56\">"), "{document}");
        let start = "<testcase classname=\"shop\" name=\"tests::sorts\" time=\"1.500\" file=\"src/lib.rs\" line=\"7\">";
        assert!(document.contains(start), "{document}");
        assert!(document.contains("<failure type=\"falsified\" message=\"wrong\">"), "{document}");
        assert_eq!(
            (timestamp(0), timestamp(951_868_799)),
            ("1970-01-01T00:00:00".into(), "2000-02-29T23:59:59".into())
        );
    }

    #[test]
    fn strings_are_escaped_in_xml() {
        let suite = Suite { name: "a<b".to_owned(), cases: vec![Case::failed("x \"y\"", "1 < 2 && \u{1b}[31mred")] };
        let document = document("all", &[suite]);
        assert!(
            document.contains(
                "name=\"a&lt;b\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.000\" timestamp="
            ),
            "{document}"
        );
        let failure = "<failure type=\"failed\" message=\"1 &lt; 2 &amp;&amp; \u{fffd}[31mred\">1 &lt; 2 &amp;&amp; \u{fffd}[31mred</failure>";
        assert!(document.contains(failure), "{document}");
        assert!(document.contains("name=\"x &quot;y&quot;\""), "{document}");
        let headed = Case::failed("z", "all of it").headed("n = 7: <wrong>\n\nmore".to_owned());
        let document = super::document("all", &[Suite { name: "a".to_owned(), cases: vec![headed] }]);
        assert!(
            document.contains("<failure type=\"failed\" message=\"n = 7: &lt;wrong&gt;\">all of it</failure>"),
            "{document}"
        );
    }
}
