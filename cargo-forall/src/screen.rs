//! Terminal output: colours, width and character set.

use forall::text::wrap;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

pub use forall::text::{one_line, visible};

/// The smallest width.
const NARROWEST: usize = 40;

/// The width of a log or a pipe.
const USUAL: usize = 100;

/// The capabilities of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The width in columns.
    pub width: usize,
    /// Whether to use colours.
    pub colour: bool,
    /// Whether it can show Unicode.
    pub unicode: bool,
}

/// A style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Success.
    Good,
    /// Failure.
    Bad,
    /// Warning.
    Doubtful,
    /// Less important.
    Dim,
    /// A heading.
    Bold,
}

impl Screen {
    /// Without colours, 100 characters wide.
    pub fn plain() -> Self {
        Self { width: USUAL, colour: false, unicode: true }
    }

    /// The screen of standard output.
    pub fn of_this_process() -> Self {
        let size = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        Self::decide(&|name| std::env::var(name).ok(), std::io::stdout().is_terminal(), size)
    }

    fn decide(variable: &dyn Fn(&str) -> Option<String>, terminal: bool, size: Option<usize>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let able = terminal && set("TERM").is_none_or(|term| term != "dumb");
        let columns = set("COLUMNS").and_then(|columns| columns.trim().parse().ok()).or(size);
        // The first variable that is set decides, by POSIX. Without any, as in most containers, the output is UTF-8.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let unicode = locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        Self {
            width: columns.filter(|&columns| columns > 0).unwrap_or(USUAL).max(NARROWEST),
            colour: set("NO_COLOR").is_none() && (forced || able),
            unicode,
        }
    }

    /// Styled text.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Good => "1;32",
            Paint::Bad => "1;31",
            Paint::Doubtful => "1;33",
            Paint::Dim => "2",
            Paint::Bold => "1",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Writes to standard output. A closed pipe is ignored.
    pub fn print(&self, text: &str) {
        print(&self.shown(text));
    }

    /// Writes a wrapped message to standard error.
    pub fn warn(&self, prose: &str) {
        aside(&self.shown(&self.wrap("", prose)));
    }

    /// The text in the terminal's character set.
    pub fn shown(&self, text: &str) -> String {
        if self.unicode || text.is_ascii() {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                c if c.is_ascii() => plain.push(c),
                '█' => plain.push('#'),
                '·' => plain.push('.'),
                '…' => plain += "...",
                '│' | '╷' | '╵' => plain.push('|'),
                '─' => plain.push('-'),
                '╭' | '╮' | '╰' | '╯' | '┴' | '┬' | '┼' | '├' | '┤' => plain.push('+'),
                'µ' => plain.push('u'),
                c => plain += &c.escape_unicode().to_string(),
            }
        }
        plain
    }

    /// Joins two parts to a line; the second is wrapped and indented if they are too long together.
    pub fn line(&self, first: &str, second: &str) -> String {
        if second.is_empty() {
            return format!("{first}\n");
        }
        if console::measure_text_width(first) + 2 + console::measure_text_width(second) <= self.width {
            format!("{first}  {second}\n")
        } else {
            format!("{first}\n{}", self.wrap("        ", second))
        }
    }

    /// Wraps text, each line after `indent`.
    pub fn wrap(&self, indent: &str, prose: &str) -> String {
        wrap(self.width, (indent, indent), prose, &console::measure_text_width)
    }
}

/// Writes to standard output, unchanged. A closed pipe is ignored.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error, unchanged. A closed pipe is ignored.
pub fn aside(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Whether a message was not printed before: hundreds of properties may have the same trouble.
pub fn is_new(message: &str) -> bool {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    PRINTED.lock().expect("no panic while it is locked").insert(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(variables: &[(&str, &str)], terminal: bool) -> Screen {
        let variable = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        Screen::decide(&variable, terminal, None)
    }

    #[test]
    fn the_environment_decides_the_capabilities() {
        assert_eq!(decide(&[], false), Screen { width: 100, colour: false, unicode: true });
        assert!(decide(&[], true).colour && !decide(&[("NO_COLOR", "1")], true).colour);
        assert!(!decide(&[("TERM", "dumb")], true).colour && decide(&[("CLICOLOR_FORCE", "1")], false).colour);
        assert_eq!(decide(&[("COLUMNS", "7")], true).width, 40);
        assert!(!decide(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], true).unicode);
        assert!(decide(&[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")], true).unicode);
    }

    #[test]
    fn a_terminal_without_utf_8_gets_ascii() {
        let screen = Screen { unicode: false, ..Screen::plain() };
        assert_eq!(screen.shown("█·… ╭─╮ é 5 µs"), "#.... +-+ \\u{e9} 5 us");
        assert_eq!(Screen::plain().shown("█é"), "█é");
    }

    #[test]
    fn long_lines_are_wrapped() {
        let screen = Screen { width: 40, ..Screen::plain() };
        assert_eq!(screen.line("a name", "a remark"), "a name  a remark\n");
        let long = screen.line("a name that is rather long", "and a remark that is longer than that");
        assert_eq!(long, "a name that is rather long\n        and a remark that is longer than\n        that\n");
    }
}
