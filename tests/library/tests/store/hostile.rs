//! Files are untrusted input: whatever stands in a store, it is an entry or a clear error, in bounded time and memory.

use crate::support::{Scratch, contents, failure, random, random_entry, skip};
use forall::run;
use forall::store::{Backend, Cause, Directory, Entry, EntryError, Places, StoreError};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The results of reading the files of property `p` in a package's `.forall`, by file name.
fn told(package: &Path) -> Vec<(String, Result<Entry, EntryError>)> {
    let places = Places::for_package(package, &run::Store::Default, false);
    let name = |origin: String| origin.rsplit('/').next().unwrap_or_default().to_owned();
    places.failures("p").into_iter().map(|(origin, result)| (name(origin), result)).collect()
}

#[test]
fn any_bytes_are_an_entry_or_an_error() {
    for index in 0..20_000 {
        let s = &mut random(3, index);
        let mut bytes = random_entry(s).to_text().into_bytes();
        if s.choice(9) == 0 {
            bytes = (0..s.choice(300)).map(|_| s.choice(255) as u8).collect();
        }
        for _ in 0..=s.choice(3) {
            let at = s.choice(bytes.len() as u64) as usize;
            match s.choice(4) {
                0 => bytes.truncate(at),
                1 if at < bytes.len() => bytes[at] = s.choice(255) as u8,
                2 if at < bytes.len() => drop(bytes.remove(at)),
                3 => bytes.insert(at, s.choice(255) as u8),
                _ => {
                    let copy = bytes[at..].to_vec();
                    bytes.extend(copy);
                }
            }
        }
        match Entry::from_bytes(&bytes) {
            Ok(entry) => {
                let again = Entry::from_bytes(entry.to_text().as_bytes()).unwrap();
                assert_eq!(again, entry, "what was made sense of once is made sense of again");
                assert_eq!(again.id(), entry.id());
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.len() < 1000 && !text.contains(char::is_control), "{text:?}");
            }
        }
    }
}

#[test]
fn a_truncated_file_is_the_same_case_or_an_error() {
    let scratch = Scratch::new("truncated");
    let store = Directory::new(&*scratch);
    let mut entry = failure("p", &[3, 1 << 40]);
    entry.case.steps.push(forall::property::Step::Shrink { quantifier: 0, candidate: 123 });
    entry.message = "no".to_owned();
    let id = store.save(&entry).unwrap();
    let path = store.path("p", id);
    let whole = fs::read(&path).unwrap();
    let mut errors = 0;
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        match store.fetch("p", id) {
            Ok(found) => assert_eq!(found.unwrap().case, entry.case, "cut at {end}"),
            Err(_) => errors += 1,
        }
    }
    assert!(errors > whole.len() / 2);
}

#[test]
fn a_flipped_bit_in_the_replayed_part_is_detected() {
    let mut entry = failure("p", &[3, 1 << 40]);
    entry.case.steps.push(forall::property::Step::Mutate { quantifier: 1, seed: 77 });
    let whole = entry.to_text().into_bytes();
    for bit in 0..whole.len() * 8 {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        // A store compares the property and the id, as is done here.
        if let Ok(found) = Entry::from_bytes(&changed)
            && found.property == entry.property
            && found.id() == entry.id()
        {
            assert_eq!(found.case, entry.case, "bit {bit}");
        }
    }
}

#[test]
fn mismatched_names_are_reported_and_nothing_is_deleted() {
    let scratch = Scratch::new("misnamed");
    let store = Directory::new(scratch.join(".forall"));
    let (entry, other) = (failure("p", &[1]), failure("q", &[1]));
    let id = store.save(&entry).unwrap();
    let folder = store.folder("p");
    let path = store.path("p", id);
    fs::copy(&path, folder.join("issue-42.case")).unwrap();
    fs::copy(&path, folder.join("ffffffffffffffff.case")).unwrap();
    fs::write(folder.join("eeeeeeeeeeeeeeee.case"), other.to_text()).unwrap();
    fs::write(folder.join("README.md"), "not ours").unwrap();
    fs::write(folder.join("tmp-1-1"), "half an ent").unwrap();
    let before = contents(&scratch);

    let mut found = told(&scratch);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let misnamed = EntryError::Name { expected: id };
    let elsewhere = EntryError::Property { expected: "p".to_owned(), found: "\"q\"".to_owned() };
    let expected = vec![
        (format!("{id}.case"), Ok(entry)),
        ("eeeeeeeeeeeeeeee.case".to_owned(), Err(elsewhere)),
        ("ffffffffffffffff.case".to_owned(), Err(misnamed.clone())),
        ("issue-42.case".to_owned(), Err(misnamed.clone())),
    ];
    assert_eq!(found, expected);
    assert!(misnamed.to_string().ends_with(&format!("rename the file to {id}.case")), "{misnamed}");
    assert_eq!(contents(&scratch), before);
}

#[cfg(unix)]
#[test]
fn irregular_files_are_reported_and_do_not_block() {
    use std::os::unix::{ffi::OsStrExt, fs::symlink};
    let scratch = Scratch::new("no-file");
    let store = Directory::new(scratch.join(".forall"));
    let kept = store.save(&failure("p", &[1])).unwrap();
    let folder = store.folder("p");
    fs::create_dir(folder.join("0000000000000001.case")).unwrap();
    symlink("0000000000000002.case", folder.join("0000000000000002.case")).unwrap();
    symlink("/etc/passwd", folder.join("0000000000000003.case")).unwrap();
    symlink("/dev/zero", folder.join("0000000000000004.case")).unwrap();
    fs::write(folder.join(std::ffi::OsStr::from_bytes(b"\xff\x1b.case")), "forall 1").unwrap();
    if !Command::new("mkfifo").arg(folder.join("0000000000000005.case")).status().is_ok_and(|status| status.success()) {
        return skip("irregular_files_are_reported_and_do_not_block", "no mkfifo");
    }
    let found = told(&scratch);
    assert_eq!(found.len(), 7);
    assert_eq!(found.iter().filter(|(_, result)| *result == Err(EntryError::NotAFile)).count(), 5, "{found:?}");
    assert!(found.iter().any(|(name, _)| name == "\u{fffd}\\u{1b}.case"), "{found:?}");
    assert!(found.iter().any(|(name, result)| *name == format!("{kept}.case") && result.is_ok()));
    // Saving over a link replaces the link; its target is unchanged. Over a directory it is an error.
    let target = scratch.join("target");
    fs::write(&target, "precious").unwrap();
    let entry = failure("p", &[2]);
    symlink(&target, store.path("p", entry.id())).unwrap();
    store.save(&entry).unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"precious");
    assert_eq!(store.fetch("p", entry.id()).unwrap(), Some(entry));
    let entry = failure("p", &[3]);
    fs::create_dir(store.path("p", entry.id())).unwrap();
    let error = store.save(&entry).unwrap_err();
    assert!(error.to_string().contains("remove the file that is in the way"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_writes_out_of_the_store() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("links");
    let store = Directory::new(scratch.join("root"));
    fs::create_dir_all(scratch.join("outside")).unwrap();
    fs::create_dir_all(store.root()).unwrap();
    symlink(scratch.join("outside"), store.folder("p")).unwrap();
    symlink(store.folder("loop"), store.folder("loop")).unwrap();
    fs::write(store.folder("file"), "a file").unwrap();
    for property in ["p", "loop", "file"] {
        let error = store.save(&failure(property, &[1])).unwrap_err();
        assert_eq!((&error.cause, &error.path), (&Cause::Link, &store.folder(property)), "{error}");
    }
    assert!(fs::read_dir(scratch.join("outside")).unwrap().next().is_none());
    for property in ["loop", "file"] {
        let error = store.list(property, None).unwrap_err();
        assert!(matches!(error, StoreError { cause: Cause::Io { .. }, .. }), "{error}");
    }
    let places = Places::for_package(&scratch, &run::Store::Directory("root".into()), false);
    for property in ["loop", "file"] {
        assert!(matches!(&places.failures(property)[..], [(_, Err(EntryError::Unreadable(_)))]));
    }
}

#[cfg(unix)]
#[test]
fn a_symlinked_store_is_followed_and_nothing_else_is_written_through_it() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("linked-store");
    fs::create_dir_all(scratch.join("elsewhere")).unwrap();
    symlink(scratch.join("elsewhere"), scratch.join(".forall")).unwrap();
    let places = Places::for_package(&scratch, &run::Store::Default, false);
    let entry = failure("p", &[1]);
    let saved = places.save(&entry).unwrap();
    assert!(fs::canonicalize(saved.path().unwrap()).unwrap().starts_with(scratch.join("elsewhere")));
    assert_eq!(told(&scratch), [(format!("{}.case", entry.id()), Ok(entry))]);
    // A directory that may be the user's gets no `.gitignore`.
    assert!(!scratch.join("elsewhere/.gitignore").exists());
    // A link that leads nowhere is an error that says so, not a directory made wherever it points.
    fs::remove_file(scratch.join(".forall")).unwrap();
    symlink(scratch.join("nowhere"), scratch.join(".forall")).unwrap();
    let error = places.save(&failure("p", &[2])).unwrap_err();
    assert!(error.to_string().contains(".forall"), "{error}");
    assert!(!scratch.join("nowhere").exists());
}

#[test]
#[ignore = "slow: 3 s"]
fn huge_files_and_huge_numbers_of_files_are_rejected_quickly() {
    let scratch = Scratch::new("huge");
    let store = Directory::new(scratch.join(".forall"));
    let kept = store.save(&failure("p", &[1])).unwrap();
    let folder = store.folder("p");
    let started = Instant::now();
    // A terabyte of nothing; where the file system has no holes, less.
    let file = File::create(folder.join("0000000000000001.case")).unwrap();
    file.set_len(1 << 40).or_else(|_| file.set_len(65 << 20)).unwrap();
    // As many small pieces as fit into a file.
    let many = "forall 1\n".to_owned() + &"value a:\n".repeat(1 << 20);
    fs::write(folder.join("0000000000000002.case"), many).unwrap();
    let steps = failure("p", &[1]).to_text().replace("\ncase ", &format!("\ncase 2-A{}\n#", "+s0.0".repeat(1 << 21)));
    fs::write(folder.join("0000000000000003.case"), steps).unwrap();
    fs::write(
        folder.join("0000000000000004.case"),
        "forall 1\nkind failure\nproperty p\nversion 1\ncase 2-".to_owned() + &"A".repeat(8 << 20),
    )
    .unwrap();
    let found = told(&scratch);
    assert_eq!(found[0], ("0000000000000001.case".to_owned(), Err(EntryError::TooLarge)));
    assert!(matches!(found[1].1, Err(EntryError::Line { number: 1026, .. })), "{:?}", found[1]);
    assert!(matches!(&found[2].1, Err(EntryError::Case(why)) if why.contains("steps")), "{:?}", found[2]);
    assert!(matches!(found[3].1, Err(EntryError::Case(_))), "{:?}", found[3]);
    assert_eq!(found[4].0, format!("{kept}.case"));
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());

    for n in 0..1100 {
        fs::write(folder.join(format!("{n:08x}00000000.case")), "").unwrap();
    }
    let found = told(&scratch);
    let left_out = EntryError::TooMany { left_out: 105 };
    assert_eq!(found.len(), 1001);
    assert!(found.iter().any(|(_, result)| *result == Err(left_out.clone())));
}
