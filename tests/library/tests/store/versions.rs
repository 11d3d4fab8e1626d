//! One file of every version of the sequence format is kept in `versions/`, named by the version: each is read, and means what it
//! meant when it was written, or is refused. When the format changes, add a file, and let those before it be migrated or explained here.

use forall::prelude::*;
use forall::property::Property;
use forall::run::{Run, Settings, Store, Tested, Tester, Verdict};
use forall::store::{Entry, EntryError};

/// The property that wrote the files. It must not change.
fn property() -> impl Property {
    property! {
        forall xs: Vec<i32>;
        forall text in forall::generate::string('a'..='z').len(0..4);
        forall n in 0..=xs.len();
        check xs[..*n].is_sorted() || text.len() < 2
    }
}

#[test]
fn files_of_sequence_format_2_are_read_and_replayed() {
    let entry = Entry::from_bytes(include_bytes!("versions/2.case")).expect("format 2 is read");
    assert_eq!((&*entry.property, &*entry.forall_version), ("store::versions::property", "0.1.0"));
    assert!(entry.minimal && entry.before.is_empty() && entry.unfinished == 0);
    assert_eq!(entry.message, "the property returned false");
    let kept: Vec<&str> = entry.printed.iter().map(|variable| &*variable.text).collect();
    assert_eq!(kept, ["vec![0, -1]", "String::from(\"aa\")", "2"]);
    // It means the same input, and that still fails; and its choices are the same in number and kind.
    let property = property();
    let tester = Tester::new("store::versions::property", &property, 0);
    let (case, tested) = tester.run(&entry.case);
    assert!(matches!(tested, Tested::Fail(_)), "{tested:?}");
    assert!(case.sequence.values().eq(entry.case.sequence.values()));
    // Entries are still written in the same form.
    assert_eq!(entry.to_text().as_bytes(), include_bytes!("versions/2.case"));
}

#[test]
fn files_of_sequence_format_1_are_rejected_and_stay() {
    let file = include_bytes!("versions/1.case");
    let error = Entry::from_bytes(file).unwrap_err();
    assert_eq!(error, EntryError::Choices(1));
    assert!(!error.is_corrupt(), "another forall can read it");
    let directory = crate::support::Scratch::new("format-1");
    let settings = || Settings::new().tests(20).store(Store::Directory(directory.to_path_buf()));
    let property = property! { forall x in 0.0..1.0; check *x < 1.0 };
    let fails = property! { forall x in 0.0..1.0; check *x == 0.0 };
    assert_eq!(Run::new("p", &fails).settings(settings()).report().verdict, Verdict::Failed);
    let cases = || {
        let folders = std::fs::read_dir(&*directory).unwrap().map(|folder| folder.unwrap().path());
        let files = folders.filter(|folder| folder.is_dir()).flat_map(|folder| std::fs::read_dir(folder).unwrap());
        files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "case"))
    };
    let path = cases().next().expect("the failure is saved");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\ncase 2-") && text.contains("\n| 0.5\n"), "{text}");
    let text = text.replacen("\ncase 2-", "\ncase 1-", 1);
    std::fs::write(&path, &text).unwrap();
    // Neither a failure that was repaired, which would be removed, nor damage, which would be put aside.
    let report = Run::new("p", &property).settings(settings()).report();
    assert_eq!(report.verdict, Verdict::Passed);
    let told: String = report.warnings.iter().map(|warning| format!("{warning}\n")).collect();
    assert!(told.contains("its input has sequence format 1") && told.contains("`#[example(…)]`"), "{told}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_file_of_a_later_format_is_explained() {
    let later = String::from_utf8_lossy(include_bytes!("versions/2.case")).replacen("forall 1", "forall 2", 1);
    let error = Entry::from_bytes(later.as_bytes()).unwrap_err();
    assert_eq!(error, EntryError::Format("\"2\"".to_owned()));
    assert_eq!(
        error.to_string(),
        "written in format \"2\", but this version of forall reads 1: use a newer forall, or delete the file"
    );
}

#[test]
fn all_old_format_files_are_covered() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/versions");
    let files: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let mut files = files;
    files.sort();
    assert_eq!(files, ["1.case", "2.case"], "each file has a test above");
}

/// Writes the file of the current format, when there is a new one: `cargo test -p forall-tests --test store -- --ignored write_a_file`.
#[test]
#[ignore = "for a new version of the format"]
fn write_a_file() {
    let directory = crate::support::Scratch::new("versions");
    let settings = Settings::new().seed(1).store(Store::Directory(directory.to_path_buf()));
    let property = property();
    Run::new("store::versions::property", &property).settings(settings).report();
    let mut files = vec![directory.to_path_buf()];
    while let Some(path) = files.pop() {
        match std::fs::read_dir(&path) {
            Ok(inside) => files.extend(inside.map(|file| file.unwrap().path())),
            Err(_) if path.extension().is_some_and(|extension| extension == "case") => {
                std::fs::copy(&path, std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("new.case")).unwrap();
            }
            Err(_) => {}
        }
    }
}
