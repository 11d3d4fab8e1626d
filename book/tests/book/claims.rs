//! Names that can be looked up: chapters, links, files, variables, commands, functions, settings files.

use crate::blocks::{Chapter, chapters, source};
use clap::{Command, CommandFactory};
use forall::run::profiles::Profiles;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use yaml_rust2::YamlLoader;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn find_all<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect()
}

/// Fails with all that is wrong, and not with the first.
fn none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_a_chapter_and_in_the_summary() {
    let summary = fs::read_to_string(source().join("SUMMARY.md")).unwrap();
    let linked: BTreeSet<&str> = find_all(r"\]\((\w+)\.md\)", &summary).into_iter().collect();
    let chapters: BTreeSet<&str> = forall_book::CHAPTERS.iter().copied().collect();
    assert_eq!(linked, chapters);
    let files = fs::read_dir(source()).unwrap().map(|file| file.unwrap().path().file_stem().unwrap().to_owned());
    let files: BTreeSet<String> = files.map(|name| name.into_string().unwrap()).collect();
    assert_eq!(files.len(), chapters.len() + 1, "{files:?}: all but SUMMARY is tested");
}

#[test]
fn linked_chapters_and_files_exist() {
    let mut wrong = Vec::new();
    for Chapter { name, path, text, .. } in chapters() {
        for link in find_all(r"\]\(([^)]+)\)", &text) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let page = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            if !page.exists() {
                wrong.push(format!("{name}.md: no page {link}"));
            } else if !section.is_empty() && !sections(&page).contains(section) {
                wrong.push(format!("{name}.md: no section {link}"));
            }
        }
        for file in find_all(r"`((?:forall|forall-futhark|bench|examples|tests/migrated|\.ci)/[^`*]+)`", &text) {
            if !repository().join(file).exists() {
                wrong.push(format!("{name}.md: no file {file}"));
            }
        }
    }
    none(wrong);
}

/// Returns the anchors of a page's headings, as mdBook and GitHub write them.
fn sections(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' '));
        kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
    };
    find_all(r"(?m)^#+ (.+)$", &text).into_iter().map(anchor).collect()
}

#[test]
fn variables_exist_and_all_are_documented() {
    let reader = fs::read_to_string(repository().join("forall/src/run/environment.rs")).unwrap();
    let known: BTreeSet<&str> = find_all(r#""(FORALL_[A-Z_]+)""#, &reader).into_iter().collect();
    let chapters = chapters();
    let mut wrong = Vec::new();
    for Chapter { name, text, .. } in &chapters {
        for variable in find_all(r"\b(FORALL_[A-Z_]*[A-Z])", text) {
            if !known.contains(variable) {
                wrong.push(format!("{name}.md: no variable {variable}"));
            }
        }
    }
    let settings = &chapters.iter().find(|chapter| chapter.name == "settings").unwrap().text;
    // The tool sets the first three for test programs; the last is for our own tests.
    let internal = ["FORALL_RUNNING", "FORALL_CARGO_OPTIONS", "FORALL_RACE_OPTIONS", "FORALL_REQUIRE_TOOLS"];
    for variable in known.into_iter().filter(|name| !internal.contains(name)) {
        if !settings.contains(variable) {
            wrong.push(format!("settings.md: nothing on {variable}"));
        }
    }
    none(wrong);
}

#[test]
fn keys_of_settings_are_keys_of_the_attribute() {
    let macros = fs::read_to_string(repository().join("forall-macros/src/settings.rs")).unwrap();
    let text = fs::read_to_string(source().join("settings.md")).unwrap();
    let keys = find_all(r"(?m)^\| `([a-z_]+)` \|", &text);
    assert!(keys.len() > 20);
    none(
        keys.into_iter()
            .filter(|key| !macros.contains(&format!("{key:?}")))
            .map(|key| format!("no key {key}"))
            .collect(),
    );
}

#[test]
fn commands_and_their_options_exist() {
    let tool = cargo_forall::arguments::Arguments::command();
    let line = Regex::new(r"(?m)(?:cargo forall|^\$ forall|`forall) ([a-z][^`\n]*)").unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for Chapter { name, text, .. } in chapters() {
        // The title of a chapter is not a command.
        let text = text.replace("cargo forall tool", "");
        for found in line.captures_iter(&text) {
            seen += 1;
            if let Err(why) = known(&tool, &found[1]) {
                wrong.push(format!("{name}.md: {}: {why}", &found[0]));
            }
        }
    }
    assert!(seen > 30, "{seen}");
    none(wrong);
}

/// Whether a command line names commands and options that there are.
fn known(tool: &Command, line: &str) -> Result<(), String> {
    let mut command = tool;
    for (place, word) in line.split_whitespace().enumerate() {
        let option = |option: &str| {
            let mut all = command.get_arguments();
            let short = |arg: &clap::Arg| arg.get_short().map(|letter| format!("-{letter}"));
            all.any(|arg| {
                arg.get_long().map(|long| format!("--{long}")).as_deref() == Some(option)
                    || short(arg).as_deref() == Some(option)
            })
        };
        if word.starts_with('-') && word != "--help" && word != "--" && !option(word) {
            return Err(format!("no option {word}"));
        }
        match command.find_subcommand(word) {
            Some(inner) => command = inner,
            None if place == 0 => return Err(format!("no command {word}")),
            None => {}
        }
    }
    Ok(())
}

#[test]
fn files_of_settings_can_be_read() {
    let mut profiles = 0;
    for Chapter { name, blocks, .. } in chapters() {
        for block in blocks {
            let place = format!("{name}.md:{}", block.lines.start);
            match block.info.as_str() {
                "toml,forall" => {
                    profiles += 1;
                    Profiles::parse(&block.text, &place).unwrap();
                }
                "yaml" => drop(YamlLoader::load_from_str(&block.text).unwrap_or_else(|why| panic!("{place}: {why}"))),
                _ => {}
            }
        }
    }
    assert!(profiles > 0);
}

#[test]
fn every_program_is_run() {
    let mut wrong = Vec::new();
    for Chapter { name, blocks, .. } in chapters() {
        for (number, block) in blocks.iter().enumerate() {
            let mut note = |why| wrong.push(format!("{name}.md:{}: {why}", block.lines.start));
            let later = || blocks[number + 1..].iter().any(|block| block.language() == "console");
            match block.info.as_str() {
                // The README is not a doc test; the test of its picture runs its code.
                "rust" if name == "README" && block.is_in_project() => {}
                "rust" if block.text.contains("#[forall::test") && !block.text.contains("::property()") => {
                    note("a test that no hidden line runs")
                }
                "rust,ignore" if !block.is_in_project() => {
                    note("only what a session runs may be left out of doc tests")
                }
                "rust" if block.is_in_project() => note("what is in a project is run there: say `rust,ignore`"),
                "rust" | "sh" | "toml" | "toml,forall" | "yaml" | "futhark" => {}
                "rust,ignore" if later() => {}
                "rust,ignore" => note("no session runs it"),
                _ if block.language() == "console" => {
                    let shown = block.text.lines().filter(|line| !line.starts_with('$') && *line != "...");
                    let silent = block.text.lines().all(|line| line.starts_with("$ rm") || line.starts_with("$ touch"));
                    if shown.count() == 0 && !silent {
                        note("a session that shows nothing")
                    }
                }
                _ => note("a block of a kind that nothing looks at"),
            }
        }
    }
    none(wrong);
}

/// The rows of all tables with this header, as columns.
fn rows(text: &str, header: &str) -> Vec<Vec<String>> {
    let mut inside = false;
    let mut rows = Vec::new();
    for line in text.lines() {
        inside = line == header || inside && line.starts_with('|');
        if inside && line != header && !line.starts_with("| ---") {
            let columns = line.trim_matches('|').split(" | ");
            rows.push(columns.map(|column| column.replace(r"\|", " ")).collect());
        }
    }
    assert!(!rows.is_empty(), "no table has the header {header}");
    rows
}

#[test]
fn names_in_the_migration_tables_exist_in_both_libraries() {
    let ours = ["forall/src", "forall-macros/src", "cargo-forall/src"]
        .map(|folder| sources(&repository().join(folder)))
        .concat();
    for chapter in ["proptest", "quickcheck"] {
        let theirs = sources(&package(chapter));
        let text = fs::read_to_string(source().join(chapter).with_extension("md")).unwrap();
        let mut wrong = Vec::new();
        for columns in rows(&text, &format!("| {chapter} | forall |")) {
            // The derive, the attribute and state machines are in other packages.
            if !["#[proptest(", "derive", "state-machine", "#[quickcheck]"]
                .iter()
                .any(|other| columns[0].contains(other))
            {
                wrong
                    .extend(unknown(&columns[0], &theirs).map(|name| format!("{chapter}.md: {chapter} has no {name}")));
            }
            wrong.extend(unknown(&columns[1], &ours).map(|name| format!("{chapter}.md: forall has no {name}")));
        }
        for columns in rows(&text, "| failure | reason | restore |") {
            wrong.extend(unknown(&columns[2], &ours).map(|name| format!("{chapter}.md: forall has no {name}")));
        }
        none(wrong);
    }
}

/// Public items, methods, settings and environment variables: a reader who migrates can look up each of them.
#[test]
fn migration_tables_list_every_item_of_the_other_library() {
    const ITEM: &str = r"(?m)^(?:    )?pub (?:fn|struct|trait|type|enum) (?:r#)?(\w+)";
    const VARIABLE: &str = r#""((?:PROPTEST|QUICKCHECK)_\w+)""#;
    const PROPTEST: &[(&str, &str)] = &[
        ("prelude.rs", r"\b([A-Za-z]\w+)[,};]"),
        ("strategy", r"(?m)^pub (?:fn|struct|trait|type|enum) (\w+)"),
        ("strategy/traits.rs", r"(?m)^    fn (prop_\w+|boxed|sboxed|no_shrink|new_tree)"),
        ("collection.rs", ITEM),
        ("test_runner/config.rs", r"(?m)^    pub ([a-z]\w+):"),
        ("test_runner/config.rs", VARIABLE),
    ];
    const QUICKCHECK: &[(&str, &str)] = &[
        ("arbitrary.rs", ITEM),
        ("tester.rs", ITEM),
        ("tester.rs", VARIABLE),
        ("lib.rs", r"macro_rules! (quickcheck)"),
    ];
    let mut missing = Vec::new();
    for (chapter, lists) in [("proptest", PROPTEST), ("quickcheck", QUICKCHECK)] {
        let package = package(chapter);
        let text = fs::read_to_string(source().join(chapter).with_extension("md")).unwrap();
        for (file, pattern) in lists {
            let path = package.join(file);
            let code = if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap() };
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let code = code.join("\n");
            let names = find_all(pattern, &code);
            assert!(!names.is_empty(), "{file} of {chapter} has no match for {pattern}");
            let is_missing = |name: &&str| !Regex::new(&format!(r"\b{name}\b")).unwrap().is_match(&text);
            missing.extend(names.into_iter().filter(is_missing).map(|name| format!("{chapter}.md: nothing on {name}")));
        }
    }
    none(missing);
}

/// The names in the code of a cell that do not occur in the source of a library. Short ones stand for something.
fn unknown<'a>(cell: &'a str, library: &'a str) -> impl Iterator<Item = &'a str> {
    const OF_RUST: [&str; 9] = [
        "catch_unwind",
        "try_from",
        "into_bytes",
        "is_normal",
        "is_finite",
        "RUST_LOG",
        "should_panic",
        "is_err",
        "unwind",
    ];
    let code = find_all(r"`([^`]+)`", cell);
    let names =
        code.into_iter().flat_map(|code| find_all(r"\b([A-Za-z][A-Za-z0-9]*_\w+|[A-Z]\w{3,}|[a-z]{5,}!)", code));
    names.filter(move |name| !OF_RUST.contains(name) && !library.contains(name.trim_end_matches('!')))
}

fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

/// Where cargo has the source of a dependency.
fn package(name: &str) -> PathBuf {
    // Packages for other systems may be missing.
    let host = said("rustc", &["--version", "--verbose"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("the compiler says what it runs on");
    let text = said(env!("CARGO"), &["metadata", "--offline", "--filter-platform", host, "--format-version", "1"]);
    let manifest = find_all(&format!(r#""manifest_path":"([^"]*/{name}-1[^"/]*/Cargo\.toml)""#), &text)[0].to_owned();
    Path::new(&manifest).with_file_name("src")
}

/// The output of a program.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = std::process::Command::new(program).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let output = output.unwrap_or_else(|error| panic!("{program} does not run: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
