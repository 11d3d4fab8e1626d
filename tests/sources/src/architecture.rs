//! `ARCHITECTURE.md` can be read in ten minutes and is true, and the library has few features.

use crate::layers::ORDER;
use crate::{files, root};

/// What a reader manages in ten minutes.
const MOST_WORDS: usize = 1800;

/// Features of the library, without `default`.
const MOST_FEATURES: usize = 14;

/// Lines of the library that depend on a feature.
const MOST_CONDITIONAL_LINES: usize = 120;

/// The folders that paths in `ARCHITECTURE.md` start from.
const FOLDERS: [&str; 3] = ["", "forall/src", "cargo-forall/src"];

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

#[test]
fn the_architecture_can_be_read_in_ten_minutes() {
    let words = read("ARCHITECTURE.md").split_whitespace().count();
    assert!(words <= MOST_WORDS, "ARCHITECTURE.md has {words} words: move details to docs/design/");
}

#[test]
fn files_named_in_the_architecture_exist() {
    let text = read("ARCHITECTURE.md");
    // Every second part is between backticks.
    let code = text.split('`').skip(1).step_by(2).filter(|code| is_path(code));
    let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let paths: Vec<&str> = code.chain(links).collect();
    assert!(paths.len() > 50, "{paths:?}");
    let exists = |path: &str| FOLDERS.iter().any(|folder| root().join(folder).join(path).exists());
    let missing: Vec<&str> = paths.into_iter().filter(|path| !exists(path)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that do not exist: {missing:?}");
}

/// Whether code names a file or a folder.
fn is_path(code: &str) -> bool {
    let is_plain = code.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    is_plain && (code.contains('/') || code.ends_with(".rs") || code.ends_with(".md"))
}

#[test]
fn the_table_of_layers_lists_the_checked_order() {
    let text = read("ARCHITECTURE.md");
    let (_, table) = text.split_once("| layer | modules of `forall/src` |").expect("there is a table of layers");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let layers: Vec<(&str, Vec<&str>)> = rows
        .map(|row| {
            let mut cells = row.split('|').skip(1).map(str::trim);
            let (layer, modules) = (cells.next().unwrap(), cells.next().unwrap());
            (layer, modules.split(", ").map(|module| module.trim_matches('`')).collect())
        })
        .collect();
    let checked: Vec<(&str, Vec<&str>)> = ORDER.iter().map(|(layer, modules)| (*layer, modules.to_vec())).collect();
    assert_eq!(layers, checked, "the table in ARCHITECTURE.md, and ORDER in layers.rs");
}

#[test]
fn features_are_few() {
    let manifest = read("forall/Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").unwrap();
    let keys = features.lines().take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
    let names: Vec<&str> = keys.map(|(name, _)| name).filter(|name| *name != "default").collect();
    assert!(names.contains(&"full") && names.len() <= MOST_FEATURES, "{} features: {names:?}", names.len());
}

#[test]
fn few_lines_depend_on_a_feature() {
    let mut count = 0;
    for file in files(&["forall/src"]) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        count += text.lines().filter(|line| line.contains("cfg") && line.contains("feature = \"")).count();
    }
    assert!((1..=MOST_CONDITIONAL_LINES).contains(&count), "{count} lines, of at most {MOST_CONDITIONAL_LINES}");
}
