//! The corpus of a property on disk: untrusted, and shared by all runs.

use forall::choice::Sequence;
use forall::property::Step;
use forall::run::{Case, Fact};
use forall::store::Seeds;
use std::fs;
use std::path::PathBuf;

struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("forall-corpus-{name}-{}", std::process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn case(values: &[u64]) -> Case {
    Case { sequence: Sequence::from_values(100, values), steps: Vec::new() }
}

fn texts(facts: &[Fact]) -> Vec<String> {
    facts.iter().map(ToString::to_string).collect()
}

#[test]
fn garbage_truncated_and_huge_files_are_reported_and_skipped() {
    let root = Temporary::new("garbage");
    let corpus = Seeds::new(&root.0, "parses");
    assert!(corpus.add(&case(&[1, 2, 3])).unwrap());
    let folder = corpus.folder();
    let whole = fs::read(&corpus.load().seeds[0].0).unwrap();
    fs::write(folder.join("cut.seed"), &whole[..whole.len() - 4]).unwrap();
    fs::write(folder.join("garbage.seed"), [0xff, 0, 7]).unwrap();
    fs::write(folder.join("empty.seed"), []).unwrap();
    fs::File::create(folder.join("huge.seed")).unwrap().set_len(1 << 40).unwrap();
    fs::create_dir(folder.join("folder.seed")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", folder.join("link.seed")).unwrap();
    fs::write(folder.join("notes.txt"), "none of ours").unwrap();

    let loaded = corpus.load();
    assert_eq!(loaded.seeds.len(), 1);
    for name in [
        "cut",
        "garbage",
        "empty",
        "huge",
        "folder",
        #[cfg(unix)]
        "link",
    ] {
        let lines: Vec<_> =
            texts(&loaded.skipped).into_iter().filter(|line| line.contains(&format!("{name}.seed"))).collect();
        assert_eq!(lines.len(), 1, "{name}: {:?}", loaded.skipped);
        assert!(!lines[0].contains('\n'));
    }
    assert!(folder.join("garbage.seed").exists(), "what is not ours is left alone");
}

#[test]
fn well_formed_files_that_no_campaign_wrote_are_skipped() {
    let root = Temporary::new("strange");
    let corpus = Seeds::new(&root.0, "parses");
    fs::create_dir_all(corpus.folder()).unwrap();
    let largest = Case { sequence: Sequence::from_values(u32::MAX, &[1, 2]), steps: Vec::new() };
    let searched = Case { steps: vec![Step::Search { depth: 3 }], ..case(&[1, 2]) };
    for (name, strange, why) in [("largest", largest, "its size is 4294967295"), ("searched", searched, "exhaustive")] {
        fs::write(corpus.folder().join(format!("{name}.seed")), strange.to_text()).unwrap();
        let loaded = corpus.load();
        assert!(loaded.seeds.is_empty());
        let named = |line: &String| line.contains(&format!("{name}.seed is not used: ")) && line.contains(why);
        assert!(texts(&loaded.skipped).iter().any(named), "{:?}", loaded.skipped);
    }
}

#[test]
fn many_bad_files_are_not_all_named() {
    let root = Temporary::new("many");
    let corpus = Seeds::new(&root.0, "parses");
    fs::create_dir_all(corpus.folder()).unwrap();
    for i in 0..150 {
        fs::write(corpus.folder().join(format!("{i}.seed")), "x").unwrap();
    }
    let skipped = texts(&corpus.load().skipped);
    assert_eq!((skipped.len(), &*skipped[100]), (101, "50 more files there are not used; delete them"));
}

#[test]
fn small_inputs_come_first() {
    let root = Temporary::new("order");
    let corpus = Seeds::new(&root.0, "parses");
    for length in [30, 1, 10] {
        corpus.add(&case(&vec![7; length])).unwrap();
    }
    let lengths: Vec<_> = corpus.load().seeds.iter().map(|(_, case)| case.sequence.len()).collect();
    assert_eq!(lengths, [1, 10, 30]);
}

#[test]
fn many_writers_lose_nothing_and_readers_see_whole_files() {
    let root = Temporary::new("writers");
    std::thread::scope(|scope| {
        for writer in 0..4u64 {
            let root = &root.0;
            scope.spawn(move || {
                let corpus = Seeds::new(root, "parses");
                for i in 0..100 {
                    // Half of what they write is the same.
                    corpus.add(&case(&[i, if i % 2 == 0 { 0 } else { writer }])).unwrap();
                    assert_eq!(corpus.load().skipped, []);
                }
            });
        }
    });
    assert_eq!(Seeds::new(&root.0, "parses").load().seeds.len(), 50 + 4 * 50);
}

#[test]
fn files_elsewhere_are_not_removed_and_too_large_ones_not_added() {
    let root = Temporary::new("elsewhere");
    let corpus = Seeds::new(&root.0, "parses");
    corpus.add(&case(&[1])).unwrap();
    let outside = root.0.join("outside.seed");
    fs::write(&outside, "mine").unwrap();
    corpus.remove(&outside);
    corpus.remove(&corpus.folder().join("../../outside.seed"));
    assert!(outside.exists());
    assert!(!corpus.add(&case(&vec![u64::MAX; 1 << 18])).unwrap());
    assert!(root.0.join(".gitignore").exists(), "the directory was made for it");
}
