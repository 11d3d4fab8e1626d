//! Entries as text, and stores that agree with each other.

use crate::support::{Scratch, contents, failure, random, random_entry};
use forall::choice::{Choice, Item, Sequence, Span};
use forall::property::Step;
use forall::run::Case;
use forall::store::{Backend, Directory, Entry, EntryError, Memory, Variable, merge};
use std::fs;

#[test]
fn a_file_is_human_readable() {
    let items = vec![Item::Choice(Choice { value: 3, max: 100 }), Item::Choice(Choice { value: 0, max: 1 })];
    let sequence = Sequence { size: 10, items, spans: vec![Span { label: 1, start: 0, end: 2 }] };
    let case = Case { sequence, steps: vec![Step::Shrink { quantifier: 0, candidate: 2 }] };
    let mut entry = Entry::failure("my_crate::tests::sorts", case);
    entry.forall_version = "0.1.0".to_owned();
    entry.printed.push(Variable::new(
        "xs",
        "Vec<Result<u8, String>>",
        "vec![\n    Ok(1),\n    Err(\"\\n\".into()),\n]",
    ));
    entry.printed.push(Variable::new("bell", "", "\x07\\"));
    entry.place = Some("src/lib.rs:9:5".to_owned());
    entry.message = "assertion failed: is_sorted(&xs)\n\n  left: 1 ".to_owned();
    let expected = "\
forall 1
# A failing input that forall found. The property's test replays it first.
# To make it a regression test, move it to forall-regressions/ (`commit:` in the report) and commit it.
kind failure
property my_crate::tests::sorts
version 0.1.0
case 2-CuPFA4xQnIEIBgBflu0j+s0.2
#place src/lib.rs:9:5
value xs: Vec<Result<u8, String>>
| vec![
|     Ok(1),
|     Err(\"\\n\".into()),
| ]
value bell:
\\ \\u{7}\\\\
message
| assertion failed: is_sorted(&xs)
|
\\ \\u{20} left: 1\\u{20}
";
    assert_eq!(entry.to_text(), expected);
    let windows = expected.replace('\n', "\r\n");
    for file in [expected, &windows, &format!("{expected}\n# issue 42, see the wiki\n")] {
        let read = Entry::from_bytes(file.as_bytes()).unwrap();
        assert_eq!((read.id(), read.to_text().as_str()), (entry.id(), expected));
        assert_eq!((&read.printed, &read.message, read.shape), (&entry.printed, &entry.message, entry.shape));
        assert_eq!(read.place, entry.place);
    }
    // To a version without places, the line is a comment; one that cannot be read is one here as well.
    let damaged = expected.replace("#place src", "#place \\q");
    assert_eq!(Entry::from_bytes(damaged.as_bytes()).unwrap().place, None);
}

#[test]
fn every_entry_survives_being_written_and_read() {
    for index in 0..3000 {
        let entry = random_entry(&mut random(1, index));
        let text = entry.to_text();
        let read = Entry::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.kind, entry.kind);
        assert_eq!(read.place, entry.place);
        assert_eq!(read.property, entry.property);
        assert_eq!(read.forall_version, entry.forall_version);
        assert_eq!((read.minimal, read.unfinished), (entry.minimal, entry.unfinished));
        assert_eq!(read.before, entry.before);
        assert_eq!(read.shape, entry.case.sequence.shape());
        assert_eq!(read.case.steps, entry.case.steps);
        assert_eq!(read.case.sequence.size, entry.case.sequence.size);
        let weights = |entry: &Entry| entry.case.sequence.items.iter().map(Item::weight).collect::<Vec<_>>();
        assert_eq!(weights(&read), weights(&entry));
        assert_eq!(read.printed, entry.printed);
        assert_eq!(read.message, entry.message);
        assert_eq!(read.id(), entry.id());
        assert_eq!(read.to_text(), text, "what was read is written again byte by byte, its shape included");
        assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{text:?}");
    }
}

#[test]
fn very_long_strings_are_truncated_and_the_case_is_not() {
    let mut entry = failure("p", &(0..100_000).map(|n| u64::MAX - n).collect::<Vec<_>>());
    let long = "\u{1}\n".repeat(1 << 12);
    entry.message = long.clone();
    entry.printed = (0..5000).map(|_| Variable::new(long.as_str(), long.as_str(), "é".repeat(1 << 12))).collect();
    let text = entry.to_text();
    let read = Entry::from_bytes(text.as_bytes()).unwrap();
    assert_eq!((read.id(), &read.case), (entry.id(), &entry.case));
    assert!(read.message.contains("truncated"), "{}", read.message);
    assert_eq!(read.to_text(), text);
}

#[test]
fn the_longest_path_and_the_deepest_forks_are_saved() {
    let depth = 100_000;
    let items = (0..depth).map(|at| Item::Fork { len: depth - 1 - at }).collect();
    let steps = (0..10_000).map(|candidate| Step::Shrink { quantifier: 0, candidate }).collect();
    let entry = Entry::failure("deep", Case { sequence: Sequence { size: 1, items, spans: Vec::new() }, steps });
    let scratch = Scratch::new("deep");
    let store = Directory::new(&*scratch);
    let id = store.save(&entry).unwrap();
    assert_eq!(store.fetch("deep", id).unwrap().unwrap().case, entry.case);
}

#[test]
fn hidden_characters_of_a_file_are_escaped() {
    let file = "forall 1\nkind failure\nproperty p\nversion \u{1b}[31m\ncase 2-AAAA\nvalue x: T\n| \u{202e}gnorw\n";
    let error = Entry::from_bytes(file.as_bytes()).unwrap_err();
    assert!(matches!(error, EntryError::Case(_)), "{error}");
}

#[test]
fn every_error_has_advice() {
    let case = failure("p", &[1]).case.to_text();
    let head = "forall 1\nkind failure\nproperty p\nversion 1\n";
    let told = |file: &str| match Entry::from_bytes(file.as_bytes()) {
        Ok(_) => "an entry".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(told(&format!("{head}case {case}")), "an entry");
    let table = [
        (String::new(), "not an entry: the first line of one is `forall 1`; restore the file, or delete it"),
        ("forall".into(), "not an entry: the first line of one is `forall 1`; restore the file, or delete it"),
        (
            "forall 2\n".into(),
            "written in format \"2\", but this version of forall reads 1: use a newer forall, or delete the file",
        ),
        (
            "forall \u{1b}]0;title\u{7}".into(),
            "written in format \"\\u{1b}]0;title\\u{7}\", but this version of forall reads 1: use a newer forall, or delete the file",
        ),
        (head.replace("failure", "corpus") + "case 2-A", "unknown kind of entry \"corpus\": use a newer forall"),
        (head.to_owned(), "truncated: no line begins with `case`; restore the file, or delete it"),
        (
            format!("{head}case {}", &case[..case.len() - 4]),
            "the sequence is truncated; paste all of it; restore the file, or delete it",
        ),
        (
            format!("{head}case 9{}", &case[1..]),
            "its input has sequence format 9, but this version of forall reads format 2: use a newer forall, or delete the file",
        ),
        (
            format!("{head}case 1{}", &case[1..]),
            "its input has sequence format 1, but this version of forall reads format 2, which encodes floats in ranges \
             differently: it was not replayed, and the file was not changed; add the values that it lists as an \
             `#[example(…)]` of the property, and \
             delete the file",
        ),
        (
            format!("{head}case {case}+x1.1\u{7}"),
            "`\"x1.1\\u{7}\"` is not a step: steps look like s0.3, m0.17 or d4; restore the file, or delete it",
        ),
        (
            format!("{head}version 2\ncase {case}"),
            "line 5: expected no second line of this kind, found \"version 2\"; restore the file, or delete it",
        ),
        (
            format!("{head}| text\ncase {case}"),
            "line 5: expected `value` or `message` before its text, found \"| text\"; restore the file, or delete it",
        ),
        (
            format!("{head}<<<<<<< HEAD\ncase {case}"),
            "line 5: expected `kind`, `property`, `version`, `case`, `after`, `beside`, `minimal`, `unfinished`, `value`, `message`, or a \
             comment after `#`, found \"<<<<<<< HEAD\"; restore the file, or delete it",
        ),
    ];
    for (file, expected) in table {
        assert_eq!(told(&file), expected, "{file:?}");
    }
    let error = Entry::from_bytes(b"forall 1\nkind \xff").unwrap_err();
    assert_eq!(error.to_string(), "line 2 is not UTF-8 text; restore the file, or delete it");
}

#[test]
fn directory_and_memory_stores_agree() {
    for run in 0..20 {
        let scratch = Scratch::new("agree");
        let stores: [&dyn Backend; 2] = [&Directory::new(scratch.join("a/b")), &Memory::new()];
        let mut cursors = [None, None];
        let s = &mut random(2, run);
        for _ in 0..30 {
            let entry = failure(["p", "q::r"][s.choice(1) as usize], &[s.choice(3)]);
            let (property, id) = (entry.property.as_str(), entry.id());
            let act = s.choice(4);
            let [directory, memory] = [0, 1].map(|which| {
                let store = stores[which];
                match act {
                    0 | 1 => format!("{:?}", store.save(&entry)),
                    2 => format!("{:?}", store.fetch(property, id)),
                    3 => format!("{:?}", store.delete(property, id)),
                    _ => {
                        let listing = store.list("p", cursors[which].as_ref());
                        cursors[which] = listing.clone().ok().map(|listing| listing.cursor);
                        format!("{listing:?}")
                    }
                }
            });
            assert_eq!(directory, memory, "act {act} on {entry:?}");
        }
    }
}

#[test]
fn merging_is_the_union_of_sets() {
    let scratch = Scratch::new("merge");
    let [ours, theirs] = ["ours", "theirs"].map(|name| Directory::new(scratch.join(name)));
    for n in 0..10 {
        ours.save(&failure("p", &[n])).unwrap();
        theirs.save(&failure("p", &[n + 5])).unwrap();
    }
    let broken = theirs.path("p", failure("p", &[99]).id());
    fs::write(&broken, "forall 1\nnonsense").unwrap();

    let merged = merge(&theirs, &ours, "p", None).unwrap();
    assert_eq!(merged.copied.len(), 10);
    assert_eq!(merged.unreadable.len(), 1, "one broken file does not stop the others");
    assert!(broken.exists());
    let expected: Vec<_> = {
        let mut ids: Vec<_> = (0..15).map(|n| failure("p", &[n]).id()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ours.list("p", None).unwrap().ids, expected);

    let new = theirs.save(&failure("p", &[50])).unwrap();
    assert_eq!(merge(&theirs, &ours, "p", Some(&merged.cursor)).unwrap().copied, [new], "only what is new is copied");
    let before = contents(&scratch.join("ours"));
    merge(&theirs, &ours, "p", None).unwrap();
    assert_eq!(contents(&scratch.join("ours")), before, "merging again changes nothing");
}

#[test]
fn copying_files_merges_stores() {
    let scratch = Scratch::new("copy");
    let [ours, theirs] = ["ours", "theirs"].map(|name| Directory::new(scratch.join(name)));
    let a = ours.save(&failure("p", &[1])).unwrap();
    let b = theirs.save(&failure("p", &[2])).unwrap();
    fs::copy(theirs.path("p", b), ours.path("p", b)).unwrap();
    let mut both = [a, b];
    both.sort();
    assert_eq!(ours.list("p", None).unwrap().ids, both);
    assert_eq!(ours.fetch("p", b).unwrap(), Some(failure("p", &[2])));
}

#[test]
fn any_property_name_is_a_folder_in_the_root() {
    let scratch = Scratch::new("names");
    let store = Directory::new(scratch.join("root"));
    let long = "x::".repeat(10_000);
    let names = [
        "",
        ".",
        "..",
        "/",
        "../../../etc/passwd",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a::b",
        "a-b",
        "a b",
        "A::B",
        "CON",
        "nul",
        "café::größe",
        "日本語",
        "日本",
        "\0",
        "\n",
        "a\u{202e}b",
        "-rf",
        "tmp-1-1",
        ".gitignore",
        "a.case",
        "<T as Trait>::f",
        &long,
        &long[3..],
    ];
    let folders: std::collections::BTreeSet<_> = names.iter().map(|name| store.folder(name)).collect();
    assert_eq!(folders.len(), names.len(), "each has its own");
    for name in names {
        let entry = failure(name, &[7]);
        let id = store.save(&entry).unwrap();
        assert_eq!(store.fetch(name, id).unwrap(), Some(entry));
        let folder = store.folder(name);
        assert_eq!(folder.parent(), Some(store.root()), "{name:?}");
        let folder = folder.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(folder.len() < 100 && folder.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'), "{folder}");
        assert!(folder.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{folder}");
    }
    assert_eq!(store.folder("my_crate::tests::sorts").file_name().unwrap(), "my_crate-tests-sorts-a93f3e96");
    assert_eq!(contents(&scratch).len(), names.len(), "nothing was written elsewhere");
    assert!(contents(&scratch).keys().all(|path| path.starts_with(store.root())));
}
