//! Code shared by the tests of the store: a temporary directory, random entries, the contents of a directory.

use forall::choice::{AtEnd, Choice, Item, Sequence, Source, Span};
use forall::property::Step;
use forall::run::Case;
use forall::store::{Entry, Variable};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A directory of its own for a test, removed in the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(test: &str) -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("forall-store-{test}-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A failure of `property` by the choices `values`.
pub fn failure(property: &str, values: &[u64]) -> Entry {
    Entry::failure(property, Case { sequence: Sequence::from_values(10, values), steps: Vec::new() })
}

pub fn random(seed: u64, index: u64) -> Source {
    Source::tape(&Sequence::from_values(100, &[]), AtEnd::Random(seed << 32 | index))
}

/// A random entry as a run makes it: with maxima, spans, forks, steps, and texts of the worst kind.
pub fn random_entry(s: &mut Source) -> Entry {
    let mut sequence = Sequence { size: s.choice(u64::from(u32::MAX)) as u32, ..Sequence::default() };
    while s.choice(9) > 0 {
        let item = match s.choice(3) {
            0 => Item::Fork { len: 0 },
            kind => {
                let max = if kind == 1 { 3 } else { u64::MAX };
                Item::Choice(Choice { value: s.choice(max), max })
            }
        };
        sequence.items.push(item);
    }
    let end = sequence.items.len() as u32;
    if let Some(Item::Fork { len }) = sequence.items.first_mut() {
        *len = s.choice(u64::from(end) - 1) as u32;
    }
    sequence.spans = (0..s.choice(3)).map(|label| Span { label: label as u32, start: 0, end }).collect();
    let steps = (0..s.choice(3)).map(|_| {
        let quantifier = s.choice(u64::from(u32::MAX)) as u32;
        match s.choice(1) {
            0 => Step::Shrink { quantifier, candidate: s.choice(u64::from(u32::MAX)) as u32 },
            _ => Step::Mutate { quantifier, seed: s.choice(u64::MAX) },
        }
    });
    let steps = steps.collect();
    let mut entry = Entry::failure(random_text(s), Case { sequence, steps });
    entry.forall_version = random_text(s);
    for _ in 0..s.choice(6).saturating_sub(4) {
        let sequence = Sequence::from_values(s.choice(100) as u32, &[s.choice(u64::MAX)]);
        entry.before.push(Case { sequence, steps: Vec::new() });
    }
    entry.minimal = s.choice(1) == 1;
    entry.unfinished = s.choice(3) as u32;
    entry.place = (s.choice(1) == 1).then(|| random_text(s)).filter(|place| !place.is_empty());
    for _ in 0..s.choice(3) {
        entry.printed.push(Variable::new(random_text(s), random_text(s), random_text(s)));
    }
    entry.message = random_text(s);
    entry
}

pub fn random_text(s: &mut Source) -> String {
    const PIECES: &[&str] = &[
        "a",
        "xs",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\\",
        "\\u{41}",
        "|",
        "| ",
        "#",
        ":",
        ": ",
        "::",
        "=",
        "é",
        "😀",
        "\0",
        "\x1b[2J",
        "\x7f",
        "\u{85}",
        "\u{202e}",
        "\u{2028}",
        "\u{feff}",
        "\u{200b}",
        "message",
        "\nmessage\n",
        "value x: T",
        "\nforall 1\n",
        "\u{a0}",
        "\u{3000}",
        "\"",
        "vec![1]",
        "/",
        "..",
        "\u{fffd}",
        "\u{10ffff}",
    ];
    (0..s.choice(6)).map(|_| PIECES[s.choice(PIECES.len() as u64 - 1) as usize]).collect()
}

/// All files under a directory, with what they hold, links not followed.
pub fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            let kind = file.file_type().unwrap();
            if kind.is_dir() {
                folders.push(file.path());
            } else if kind.is_file() {
                // One that is gone was another process's temporary file.
                found.extend(fs::read(file.path()).map(|bytes| (file.path(), bytes)));
            }
        }
    }
    found
}

/// Says that a test could not be made here, or fails where all must be.
pub fn skip(test: &str, reason: &str) {
    println!("SKIPPED {test}: {reason}");
    assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none_or(|set| set != "1"), "{test} needs its tool: {reason}");
}
