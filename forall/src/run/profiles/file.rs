//! Parsing `forall.toml`: the subset of TOML that such a file needs.

/// A file: the lines before the first section, and the sections.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) common: Vec<Line>,
    pub(super) sections: Vec<Section>,
}

/// `[name]` and the lines under it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
}

/// `key = value`.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) key: String,
    /// A string without its quotes.
    pub(super) value: String,
    /// From 1, like the columns.
    pub(super) number: usize,
    pub(super) column: usize,
    pub(super) value_column: usize,
}

/// A line and a column, and the problem.
type Wrong = (usize, usize, String);

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, Wrong> {
        let mut file = Self::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let mut cursor = Cursor { line, at: 0 };
            file.line(&mut cursor, index + 1).map_err(|message| (index + 1, cursor.column(), message))?;
        }
        Ok(file)
    }

    fn line(&mut self, cursor: &mut Cursor<'_>, number: usize) -> Result<(), String> {
        cursor.spaces();
        if cursor.is_at_end() {
            return Ok(());
        }
        if cursor.eat("[") {
            cursor.spaces();
            let (column, name) = (cursor.at, cursor.name("the name of a profile, such as `[ci]`")?);
            cursor.spaces();
            if !cursor.eat("]") {
                return Err(format!("`]` is missing after `[{name}`"));
            }
            cursor.end()?;
            if self.section(&name).is_some() {
                cursor.at = column;
                return Err(format!("duplicate profile `{name}`; merge the two"));
            }
            self.sections.push(Section { name, lines: Vec::new() });
            return Ok(());
        }
        let start = cursor.at;
        let column = cursor.column();
        let key = cursor.name("a setting, such as `tests = 1000`, or a profile, such as `[ci]`")?;
        cursor.spaces();
        if !cursor.eat("=") {
            return Err(format!("`=` and a value are missing after `{key}`"));
        }
        cursor.spaces();
        let value_column = cursor.column();
        let value = cursor.value()?;
        cursor.end()?;
        let lines = match self.sections.last_mut() {
            Some(section) => &mut section.lines,
            None => &mut self.common,
        };
        if let Some(first) = lines.iter().find(|line| line.key == key) {
            cursor.at = start;
            return Err(format!("duplicate key `{key}`; it is already set in line {}", first.number));
        }
        lines.push(Line { key, value, number, column, value_column });
        Ok(())
    }

    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.common.iter().chain(self.sections.iter().flat_map(|section| &section.lines))
    }
}

/// A position in a line.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// From 1, in characters.
    fn column(&self) -> usize {
        self.line[..self.at].chars().count() + 1
    }

    fn spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Whether only a comment is left.
    fn is_at_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with('#')
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len() } else { 0 };
        is_there
    }

    fn end(&mut self) -> Result<(), String> {
        self.spaces();
        match self.is_at_end() {
            true => Ok(()),
            false => Err(format!("unexpected `{}`; a comment begins with `#`", self.rest())),
        }
    }

    fn name(&mut self, expected: &str) -> Result<String, String> {
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let rest = self.rest();
        let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(format!("expected {expected}"));
        }
        self.at += length;
        Ok(rest[..length].to_owned())
    }

    /// A string, a number or a word.
    fn value(&mut self) -> Result<String, String> {
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let inside = &rest[1..];
            let Some(length) = inside.find(quote) else {
                return Err(format!("unterminated string: add `{quote}` on the same line"));
            };
            let value = &inside[..length];
            if quote == '"' && value.contains('\\') {
                return Err("escapes are not supported in strings; to write a `\\`, use single quotes".to_owned());
            }
            self.at += length + 2;
            return Ok(value.to_owned());
        }
        let length = rest.find([' ', '\t', '#']).unwrap_or(rest.len());
        let value = &rest[..length];
        if !is_number(value) && !matches!(value, "true" | "false") {
            return Err(match value {
                "" => "missing value: a number, `true`, `false`, or a string in quotes".to_owned(),
                number if number.strip_prefix(['-', '+']).is_some_and(is_number) => {
                    format!("`{number}` has a sign; settings are whole numbers from 0 up")
                }
                word if word.starts_with(['[', '{']) => {
                    format!(
                        "`{word}` is a list or a table; a setting has one value: a number, `true`, `false`, or a string"
                    )
                }
                word => format!("`{word}` is not a number, `true` or `false`; write strings in quotes: `\"{word}\"`"),
            });
        }
        self.at += length;
        Ok(value.to_owned())
    }
}

/// Whether it is a non-negative TOML number.
fn is_number(value: &str) -> bool {
    let digits = value.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).is_ok(),
        None => digits.starts_with(|c: char| c.is_ascii_digit()) && digits.parse::<f64>().is_ok(),
    }
}

/// Whether one name is likely a typo of the other: one letter differs, is missing, or two are swapped.
pub(super) fn alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let after = a[before..].iter().rev().zip(b[before..].iter().rev()).take_while(|(a, b)| a == b).count();
    let differ = |letters: &[char]| letters.len() - before - after;
    differ(&a).max(differ(&b)) <= 2 && before + after > 0
}
