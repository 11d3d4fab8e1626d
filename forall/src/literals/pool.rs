//! All literals of a property, and the assignment of literals to tests.

use crate::choice::Literal;

/// More tests for each literal would not find more.
const TESTS_EACH: u64 = 256;

/// The number of other literals of a test, beside its subject.
const OTHERS: u64 = 3;

/// Literals in source form: of the body, of its file, of other files of the package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    groups: [Vec<String>; 3],
    /// The first line of the input that is not a literal: its number, from 1, and its text.
    pub(crate) not_read: Option<(usize, String)>,
}

/// The groups, in turn. Closer ones come more often.
const TURNS: [usize; 4] = [0, 1, 0, 2];

impl Pool {
    /// The literals of the body of a property in `file`, and the given ones.
    pub(crate) fn new(body: &str, handed_over: &str, file: &str) -> Self {
        let mut pool = Self::default();
        for line in body.lines() {
            pool.add(0, line);
        }
        let mut group = 2;
        for (index, line) in handed_over.lines().enumerate() {
            let line = line.trim();
            match line.strip_prefix('#') {
                Some(path) => group = if is_same_file(path.trim(), file) { 1 } else { 2 },
                None => {
                    let is_read = line.is_empty() || pool.add(group, line);
                    if !is_read && pool.not_read.is_none() {
                        pool.not_read = Some((index + 1, line.to_owned()));
                    }
                }
            }
        }
        pool
    }

    /// Returns whether it is a literal.
    fn add(&mut self, group: usize, token: &str) -> bool {
        let known = self.groups[..=group].iter().any(|group| group.iter().any(|other| other == token));
        if known {
            return true;
        }
        let literal = Literal::read(token);
        if literal.as_ref().is_some_and(Literal::is_worth_trying) {
            self.groups[group].push(token.to_owned());
        }
        literal.is_some()
    }

    /// The number of tests with literals.
    pub(crate) fn tests(&self) -> u64 {
        TESTS_EACH * self.groups.iter().map(|group| group.len() as u64).sum::<u64>()
    }

    /// The literals of test `number` of a run with `seed`.
    pub(crate) fn literals_of(&self, number: u64, seed: u64) -> String {
        let turns: Vec<usize> = TURNS.into_iter().filter(|&group| !self.groups[group].is_empty()).collect();
        let mut text = String::new();
        // Its subject, and those of the next tests.
        for number in number..=number.saturating_add(OTHERS) {
            let Some(round) = number.checked_div(turns.len() as u64) else { break };
            let turn = (number % turns.len() as u64) as usize;
            let group = turns[turn];
            let times = |turns: &[usize]| turns.iter().filter(|&&other| other == group).count() as u64;
            let before = round * times(&turns) + times(&turns[..turn]);
            // If there are more literals than tests, each seed uses others.
            let group = &self.groups[group];
            text += &group[(before.wrapping_add(seed) % group.len() as u64) as usize];
            text.push('\n');
        }
        text
    }
}

/// Whether two paths mean the same file, relative to the package or the workspace.
fn is_same_file(path: &str, other: &str) -> bool {
    let ends_with = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
    };
    ends_with(path, other) || ends_with(other, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_the_own_file_come_first_and_all_are_used() {
        let handed_over = "# src/other.rs\n300\n400\n# src/lib.rs\n\"word\"\n100\n";
        let pool = Pool::new("100\n200\n3", handed_over, "crates/one/src/lib.rs");
        assert_eq!(pool.tests(), 5 * TESTS_EACH);
        let mut first = Vec::new();
        for number in 0..16 {
            first.push(pool.literals_of(number, 0).lines().next().unwrap().to_owned());
        }
        for token in ["100", "200", "\"word\"", "300"] {
            assert!(first.iter().any(|other| other == token), "{token} in {first:?}");
        }
        assert_eq!(first.iter().filter(|token| *token == "\"word\"").count(), 4);
    }

    #[test]
    fn without_literals_there_are_no_tests() {
        let pool = Pool::new("1\n2", "", "src/lib.rs");
        assert_eq!((pool.tests(), pool.literals_of(0, 0)), (0, String::new()));
    }

    #[test]
    fn the_first_line_that_is_not_a_literal_is_reported() {
        let not_read = |text: &str| Pool::new("", text, "src/lib.rs").not_read;
        assert_eq!(not_read("# src/lib.rs\n#src/other.rs\n\n 3\n\"\"\n-4.5\n'a'\n"), None);
        assert_eq!(not_read("17\n\nmagic\n\"open\n"), Some((3, "magic".to_owned())));
        assert_eq!(not_read("\"open\n17"), Some((1, "\"open".to_owned())));
    }

    #[test]
    fn files_are_distinguished_by_whole_names() {
        assert!(is_same_file("src/lib.rs", "crates/one/src/lib.rs"));
        assert!(!is_same_file("lib.rs", "src/mylib.rs"));
    }
}
