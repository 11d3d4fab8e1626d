//! The parser of test blocks.

use super::{BlockError, Blocks, Case, Expected, Input, Kind, Test};
use crate::data::{Cursor, Primitive, TextError, Value};

/// The maximum length of a name derived from values.
const NAME_LENGTH: usize = 50;

pub(super) fn blocks(text: &str) -> Result<Blocks, BlockError> {
    let mut all = Blocks::default();
    for (number, block) in find(text).into_iter().enumerate() {
        let mut parser = Parser { text: &block.text, at: 0, first_line: block.line };
        parser.block(number == 0, &mut all)?;
    }
    unique_names(&all)?;
    Ok(all)
}

/// The text of a block, and the line where it begins.
struct Found {
    line: usize,
    text: String,
}

/// Finds all blocks. Dashes become blanks, so that positions do not change.
fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.lines().enumerate() {
        match line.strip_prefix("--") {
            Some(rest) if is_inside => {
                if let Some(block) = found.last_mut() {
                    block.text += "  ";
                    block.text += rest;
                    block.text.push('\n');
                }
            }
            Some(" ==") => {
                is_inside = true;
                found.push(Found { line: index + 1, text: "\n".to_owned() });
            }
            _ => is_inside = false,
        }
    }
    found
}

/// Checks that no two cases of one entry point have the same name.
fn unique_names(blocks: &Blocks) -> Result<(), BlockError> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for test in &blocks.tests {
        let Test::Cases { entry_points, cases } = test else { continue };
        for entry_point in entry_points {
            for case in cases {
                let name = (&**entry_point, &*case.name);
                // Derived names include the number of the case in its block.
                if seen.contains(&name) && !case.name.starts_with('#') {
                    let message = format!("multiple datasets with name {:?}; give each a name of its own", case.name);
                    return Err(BlockError { line: case.line, column: 1, message });
                }
                seen.push(name);
            }
        }
    }
    Ok(())
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    first_line: usize,
}

impl<'a> Parser<'a> {
    fn block(&mut self, is_first: bool, all: &mut Blocks) -> Result<(), BlockError> {
        if self.keyword("tags") {
            self.only_in_the_first(is_first, "tags")?;
            all.tags = self.braced_words()?;
        }
        if self.is_next("error:") {
            self.only_in_the_first(is_first, "a compile-time `error:`")?;
            self.keyword("error:");
            all.compile_error = Some(self.rest_of_line());
            return self.end("nothing follows an error of the compiler");
        }
        if self.is_next("property:") {
            return self.properties(all);
        }
        self.cases(is_first, all)
    }

    fn properties(&mut self, all: &mut Blocks) -> Result<(), BlockError> {
        while self.keyword("property:") {
            let line = self.line();
            let names = self.rest_of_line().unwrap_or_default();
            if names.is_empty() {
                return Err(self.error("the names of properties follow `property:` on the same line"));
            }
            all.tests.extend(names.split_whitespace().map(|name| Test::Property { name: name.to_owned(), line }));
        }
        self.end("a block has either properties or cases: begin another one, with `-- ==`")
    }

    fn cases(&mut self, is_first: bool, all: &mut Blocks) -> Result<(), BlockError> {
        let mut entry_points = vec!["main".to_owned()];
        if self.keyword("entry:") {
            let names = self.rest_of_line().unwrap_or_default();
            entry_points = names.split_whitespace().map(str::to_owned).collect();
            if entry_points.is_empty() {
                return Err(self.error("the names of entry points follow `entry:` on the same line"));
            }
        }
        let mut cases = Vec::new();
        while let Some(case) = self.case(cases.len())? {
            cases.push(case);
        }
        while self.keyword("structure") {
            self.only_in_the_first(is_first, "structure")?;
            while !self.is_next("{") && !self.word().is_empty() {
                self.at += self.word().len();
            }
            self.braced_words()?;
            all.structures += 1;
        }
        while self.keyword("warning:") {
            self.only_in_the_first(is_first, "warning:")?;
            all.warnings.push(self.rest_of_line().unwrap_or_default());
        }
        all.tests.push(Test::Cases { entry_points, cases });
        self.end("expected `input`, `structure`, `warning:` or the end of the block")
    }

    fn case(&mut self, number: usize) -> Result<Option<Case>, BlockError> {
        self.skip_blanks();
        let line = self.line();
        let start = self.at;
        let name = if self.is_next("\"") { Some(self.name()?) } else { None };
        let mut tags = Vec::new();
        loop {
            self.skip_blanks();
            let word = self.word();
            match word {
                "input" => break,
                "structure" | "warning:" | "" => {
                    self.at = start;
                    return Ok(None);
                }
                word if word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)) => {
                    tags.push(word.to_owned());
                    self.at += word.len();
                }
                _ => {
                    self.at = start;
                    return Ok(None);
                }
            }
        }
        self.at += "input".len();
        let is = |tag: &str| tags.iter().any(|own| own == tag);
        let input = self.input(is("random"), is("script"))?;
        let expected = self.expected()?;
        let name = name.unwrap_or_else(|| made_name(number, &input));
        Ok(Some(Case { name, tags, input, expected, line }))
    }

    /// Parses a name in quotes.
    fn name(&mut self) -> Result<String, BlockError> {
        let rest = &self.text[self.at + 1..];
        match rest.split_once(['"', '\n']) {
            Some((name, _)) if rest[name.len()..].starts_with('"') => {
                self.at += name.len() + 2;
                Ok(name.to_owned())
            }
            _ => Err(self.error("a name that does not end: close its quotes on the same line")),
        }
    }

    fn input(&mut self, is_random: bool, is_script: bool) -> Result<Input, BlockError> {
        if self.keyword("@") {
            let file = self.file()?;
            return Ok(if is_script { Input::Script(format!("@{file}")) } else { Input::File(file) });
        }
        if !self.is_next("{") {
            return Err(self.error("expected `{` and values, or `@` and a file"));
        }
        if is_script {
            return self.braced_text().map(Input::Script);
        }
        self.keyword("{");
        if is_random { self.kinds().map(Input::Random) } else { self.values().map(Input::Values) }
    }

    fn expected(&mut self) -> Result<Expected, BlockError> {
        if self.keyword("error:") {
            return Ok(Expected::Error(self.rest_of_line()));
        }
        if self.word_is("auto") {
            self.at += "auto".len();
            return match self.word_is("output") {
                true => {
                    self.at += "output".len();
                    Ok(Expected::Auto)
                }
                false => Err(self.error("`output` follows `auto`")),
            };
        }
        if !self.word_is("output") {
            return Ok(Expected::Success);
        }
        self.at += "output".len();
        if self.keyword("@") {
            return self.file().map(Expected::File);
        }
        if !self.keyword("{") {
            return Err(self.error("expected `{` and values, or `@` and a file"));
        }
        self.values().map(Expected::Values)
    }

    /// Parses values up to the closing brace.
    fn values(&mut self) -> Result<Vec<Value>, BlockError> {
        let mut values = Vec::new();
        while !self.keyword("}") {
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Value, BlockError> {
        self.skip_blanks();
        if self.at == self.text.len() {
            return Err(self.error("the block ends before `}`"));
        }
        let mut cursor = Cursor::without_comments(self.text, self.at);
        match cursor.value() {
            Ok(value) => {
                self.at = cursor.read();
                Ok(value)
            }
            Err(TextError { line, column, message }) => {
                Err(BlockError { line: self.first_line + line - 1, column, message })
            }
        }
    }

    /// Parses types with shapes, and values, up to the closing brace.
    fn kinds(&mut self) -> Result<Vec<Kind>, BlockError> {
        let mut kinds = Vec::new();
        while !self.keyword("}") {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let end = rest.find(|c: char| c.is_whitespace() || c == '}').unwrap_or(rest.len());
            match kind(&rest[..end]) {
                Some(kind) => {
                    kinds.push(kind);
                    self.at += end;
                }
                None => kinds.push(Kind::Given(self.value()?)),
            }
        }
        Ok(kinds)
    }

    fn file(&mut self) -> Result<String, BlockError> {
        self.skip_blanks();
        let name = self.word().to_owned();
        self.at += name.len();
        if name.is_empty() { Err(self.error("the name of a file follows `@`")) } else { Ok(name) }
    }

    fn braced_words(&mut self) -> Result<Vec<String>, BlockError> {
        Ok(self.braced_text()?.split_whitespace().map(str::to_owned).collect())
    }

    /// Parses the text between braces, which may nest.
    fn braced_text(&mut self) -> Result<String, BlockError> {
        if !self.keyword("{") {
            return Err(self.error("expected `{`"));
        }
        let start = self.at;
        let mut depth = 1;
        for (offset, c) in self.text[start..].char_indices() {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            if depth == 0 {
                self.at = start + offset + 1;
                return Ok(self.text[start..start + offset].trim().to_owned());
            }
        }
        self.at = self.text.len();
        Err(self.error("the block ends before `}`"))
    }

    /// Returns the rest of this line, without surrounding blanks; `None` if it is empty.
    fn rest_of_line(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let line = rest.split('\n').next().unwrap_or_default();
        self.at += line.len();
        Some(line.trim().to_owned()).filter(|line| !line.is_empty())
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn is_next(&mut self, what: &str) -> bool {
        self.skip_blanks();
        self.text[self.at..].starts_with(what)
    }

    /// Consumes this token if it is next.
    fn keyword(&mut self, what: &str) -> bool {
        let is_next = self.is_next(what);
        self.at += if is_next { what.len() } else { 0 };
        is_next
    }

    /// Returns the text up to the next blank, brace or quote.
    fn word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(|c: char| c.is_whitespace() || "{}\"".contains(c)).unwrap_or(rest.len())]
    }

    fn word_is(&mut self, what: &str) -> bool {
        self.skip_blanks();
        self.word() == what
    }

    fn only_in_the_first(&self, is_first: bool, what: &str) -> Result<(), BlockError> {
        if is_first { Ok(()) } else { Err(self.error(&format!("only the first block of a file may have {what}"))) }
    }

    fn end(&mut self, otherwise: &str) -> Result<(), BlockError> {
        self.skip_blanks();
        if self.at == self.text.len() {
            return Ok(());
        }
        let begins_another = self.text[self.at..].split('\n').next().is_some_and(|line| line.trim() == "==");
        let what = if begins_another {
            "another block begins after a line that is no comment: leave one empty"
        } else {
            otherwise
        };
        let word = self.word().to_owned();
        let is_keyword = KEYWORDS.contains(&&*word);
        match KEYWORDS.iter().find(|keyword| is_misspelled(&word, keyword)) {
            Some(keyword) if !is_keyword => {
                Err(self.error(&format!("`{word}` means nothing here; did you mean `{keyword}`?")))
            }
            _ => Err(self.error(what)),
        }
    }

    fn line(&self) -> usize {
        self.first_line + self.text[..self.at].matches('\n').count()
    }

    fn error(&self, message: &str) -> BlockError {
        let before = self.text[..self.at].trim_end_matches('\n');
        // The current line; at the end of the block, its last line.
        let before = if self.at == self.text.len() { before } else { &self.text[..self.at] };
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.first_line + before.matches('\n').count();
        BlockError { line, column: 1 + before[start..].chars().count(), message: message.to_owned() }
    }
}

/// Parses a type such as `[2][3]i32`.
fn kind(word: &str) -> Option<Kind> {
    let mut shape = Vec::new();
    let mut rest = word;
    while let Some(inside) = rest.strip_prefix('[') {
        let (length, after) = inside.split_once(']')?;
        shape.push(length.parse().ok()?);
        rest = after;
    }
    let primitive: Primitive = rest.parse().ok()?;
    Some(Kind::Shaped { shape, primitive })
}

/// The keywords at the start of a line.
const KEYWORDS: [&str; 8] = ["property:", "entry:", "tags", "input", "output", "structure", "warning:", "error:"];

/// Returns whether a word differs from a keyword by one letter, two swapped letters, or the colon.
fn is_misspelled(word: &str, keyword: &str) -> bool {
    let (word, keyword) = (word.trim_end_matches(':').to_lowercase(), keyword.trim_end_matches(':'));
    if word == keyword {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (word.chars().collect(), keyword.chars().collect());
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let rest = |from: &[char], skip: usize| from.get(skip..).map(<[char]>::to_vec);
    same + 3 >= keyword.len()
        || same > 1
            && (rest(a, 1) == rest(b, 1)
                || rest(a, 1) == rest(b, 0)
                || rest(a, 0) == rest(b, 1)
                || a.len() > 1 && b.len() > 1 && (a[0], a[1]) == (b[1], b[0]) && a[2..] == b[2..])
}

/// Generates the name of an unnamed case.
fn made_name(number: usize, input: &Input) -> String {
    match input {
        Input::File(file) => file.strip_suffix(".gz").unwrap_or(file).to_owned(),
        Input::Random(kinds) => kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Input::Script(script) => script.clone(),
        Input::Values(values) => {
            let text = values.iter().map(|value| value.to_string().replace(",\n", ", ")).collect::<Vec<_>>().join(" ");
            let cut: String = text.chars().take(NAME_LENGTH).collect();
            let dots = if cut.len() < text.len() { "..." } else { "" };
            format!("#{number} (\"{cut}{dots}\")")
        }
    }
}
