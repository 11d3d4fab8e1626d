//! The two places of a package, and what may be written where.

use crate::support::{Scratch, contents, failure};
use forall::run::Store as Setting;
use forall::store::{Backend, Cause, Directory, EntryError, Places};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn places(package: &Path) -> Places {
    Places::for_package(package, &Setting::Default, false)
}

#[test]
fn local_failures_are_ignored_by_git_and_regressions_are_not() {
    let scratch = Scratch::new("git");
    let places = places(&scratch);
    places.save(&failure("p", &[1])).unwrap();
    places.keep(&failure("p", &[2])).unwrap();
    assert_eq!(fs::read_to_string(scratch.join(".forall/.gitignore")).unwrap(), "*\n");
    assert!(!scratch.join("forall-regressions/.gitignore").exists());
    assert_eq!(contents(&scratch).len(), 3, "no temporary file is left");

    // Killed between making the directory and the .gitignore: the next one sees to it.
    fs::remove_file(scratch.join(".forall/.gitignore")).unwrap();
    self::places(&scratch).save(&failure("p", &[1])).unwrap();
    assert!(scratch.join(".forall/.gitignore").exists());

    // A directory of the user's own is left alone; one that we made is not theirs.
    fs::create_dir(scratch.join("mine")).unwrap();
    for (directory, ignored) in [("mine", false), ("new/deep", true)] {
        let places = Places::for_package(&scratch, &Setting::Directory(directory.into()), false);
        let saved = places.save(&failure("p", &[1])).unwrap();
        assert!(saved.path().unwrap().starts_with(scratch.join(directory)));
        assert_eq!(scratch.join(directory).join(".gitignore").exists(), ignored);
    }
}

#[test]
fn regressions_come_first_then_the_simplest_and_each_once() {
    let scratch = Scratch::new("order");
    let places = places(&scratch);
    for values in [&[9, 9][..], &[1], &[5, 0], &[7]] {
        places.save(&failure("p", values)).unwrap();
    }
    places.save(&failure("another", &[0])).unwrap();
    for values in [&[8, 8, 8][..], &[7]] {
        places.keep(&failure("p", values)).unwrap();
    }
    places.save(&failure("p", &[7])).unwrap();
    let found = places.failures("p");
    let values: Vec<Vec<u64>> =
        found.iter().map(|(_, entry)| entry.as_ref().unwrap().case.sequence.values().collect()).collect();
    assert_eq!(values, [&[7][..], &[8, 8, 8], &[1], &[5, 0], &[9, 9]]);
    let regressions = found.iter().map(|(origin, _)| origin.contains("forall-regressions"));
    assert_eq!(regressions.collect::<Vec<_>>(), [true, true, false, false, false]);
    assert!(places.failures("no such property").is_empty());
}

#[test]
fn an_improvement_replaces_the_saved_failure() {
    let scratch = Scratch::new("replace");
    let places = places(&scratch);
    let first = places.save(&failure("p", &[9])).unwrap();
    let second = places.replace(&first, &failure("p", &[8])).unwrap();
    let same = places.replace(&second, &failure("p", &[8])).unwrap();
    assert_eq!(same, second, "replacing by the same keeps it");
    assert!(!first.path().unwrap().exists() && second.path().unwrap().exists());
    assert_eq!(places.failures("p"), [(second.path().unwrap().display().to_string(), Ok(failure("p", &[8])))]);
}

#[test]
fn only_local_failures_are_deleted() {
    let scratch = Scratch::new("delete");
    let places = places(&scratch);
    places.keep(&failure("p", &[1])).unwrap();
    let saved = places.save(&failure("p", &[2])).unwrap();
    let [regression, local] = [0, 1].map(|at| places.failures("p")[at].0.clone());
    assert!(!places.delete(&regression).unwrap(), "a regression stays");

    let precious = scratch.join("precious.case");
    fs::write(&precious, "mine").unwrap();
    fs::write(scratch.join(".forall/here.case"), "mine").unwrap();
    let root = scratch.join(".forall").display().to_string();
    let folder = saved.path().unwrap().parent().unwrap().display().to_string();
    let hostile = [
        String::new(),
        root.clone(),
        precious.display().to_string(),
        format!("{root}/../precious.case"),
        format!("{root}/here.case"),
        format!("{folder}/../../precious.case"),
        format!("{folder}/.."),
        format!("{root}/.gitignore"),
        format!("{folder}/{}", precious.display()),
    ];
    let before = contents(&scratch);
    for origin in hostile {
        assert!(!places.delete(&origin).unwrap(), "{origin}");
    }
    assert_eq!(contents(&scratch), before);

    assert!(places.delete(&local).unwrap());
    assert!(!places.delete(&local).unwrap(), "it is gone");
    assert!(!Path::new(&folder).exists(), "the folder of the last entry goes with it");
    assert_eq!(places.failures("p").len(), 1);
    places.save(&failure("p", &[2])).unwrap();
    assert_eq!(places.failures("p").len(), 2, "and comes back with the next");
}

#[test]
fn read_only_reads_and_never_writes() {
    let scratch = Scratch::new("read-only");
    let saved = places(&scratch).save(&failure("p", &[1])).unwrap();
    places(&scratch).keep(&failure("p", &[2])).unwrap();
    let before = contents(&scratch);

    let reader = Places::for_package(&scratch, &Setting::Default, true);
    let found = reader.failures("p");
    assert_eq!(found.len(), 2);
    let unsaved = reader.save(&failure("p", &[3])).unwrap();
    assert_eq!((unsaved.id(), unsaved.path()), (failure("p", &[3]).id(), None));
    assert_eq!(reader.replace(&saved, &failure("p", &[4])).unwrap().path(), None);
    for (origin, _) in &found {
        assert!(!reader.delete(origin).unwrap());
    }
    let error = reader.keep(&failure("p", &[1])).unwrap_err();
    assert_eq!(error.cause, Cause::ReadOnly);
    assert!(error.to_string().contains("unset FORALL_READ_ONLY"), "{error}");
    assert_eq!(contents(&scratch), before);

    let empty = Scratch::new("read-only-empty");
    Places::for_package(&empty, &Setting::Default, true).save(&failure("p", &[1])).unwrap();
    assert!(fs::read_dir(&*empty).unwrap().next().is_none(), "not even a directory is made");
}

#[test]
fn a_store_that_is_off_still_replays_regressions() {
    let scratch = Scratch::new("off");
    places(&scratch).save(&failure("p", &[1])).unwrap();
    places(&scratch).keep(&failure("p", &[2])).unwrap();
    let before = contents(&scratch);
    let off = Places::for_package(&scratch, &Setting::Off, false);
    assert_eq!(off.failures("p").len(), 1);
    let saved = off.save(&failure("p", &[3])).unwrap();
    off.replace(&saved, &failure("p", &[4])).unwrap();
    assert_eq!(contents(&scratch), before);
}

#[test]
fn a_corrupt_failure_is_reported_and_preserved_even_if_it_is_found_again() {
    let scratch = Scratch::new("corrupt");
    let places = places(&scratch);
    let kept = places.keep(&failure("p", &[1])).unwrap();
    let saved = places.save(&failure("p", &[2])).unwrap();
    for path in [kept.as_path(), saved.path().unwrap()] {
        fs::write(path, "forall 1\nkind failure\n").unwrap();
    }
    let before = contents(&scratch);
    let found = places.failures("p");
    assert_eq!(found.len(), 2);
    for ((origin, error), path) in found.iter().zip([kept.as_path(), saved.path().unwrap()]) {
        assert_eq!(*origin, path.display().to_string());
        assert_eq!(*error, Err(EntryError::Missing("property")));
        assert!(error.as_ref().unwrap_err().is_corrupt());
    }
    assert_eq!(contents(&scratch), before);

    // The same is found once more, and damaged once more: nothing is written over.
    let path = saved.path().unwrap();
    for (damage, aside) in [("forall 1\nkind failure\n", "corrupt"), ("other", "corrupt-again")] {
        fs::write(path, damage).unwrap();
        places.save(&failure("p", &[2])).unwrap();
        assert_eq!(fs::read_to_string(path.with_extension(aside)).unwrap(), damage);
        assert!(matches!(&places.failures("p")[..], [(_, Err(_)), (_, Ok(_))]));
    }
    places.save(&failure("p", &[2])).unwrap();
    assert!(!path.with_extension("corrupt-again-again").exists(), "what is whole is not set aside");
}

#[test]
fn a_later_format_is_not_called_corrupt() {
    let scratch = Scratch::new("later");
    let places = places(&scratch);
    let saved = places.save(&failure("p", &[2])).unwrap();
    fs::write(saved.path().unwrap(), "forall 2\n…").unwrap();
    let (_, result) = places.failures("p").remove(0);
    assert!(!result.unwrap_err().is_corrupt());
}

#[test]
fn temporary_files_of_killed_processes_are_removed_after_an_hour() {
    let scratch = Scratch::new("stale");
    let store = Directory::new(&*scratch);
    store.save(&failure("p", &[1])).unwrap();
    let [stale, young, other] = ["tmp-1-1", "tmp-2-1", "mine"].map(|name| store.folder("p").join(name));
    for (path, age) in [(&stale, 3700), (&young, 3500), (&other, 1_000_000)] {
        let file = fs::File::create(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    // A new process: each process cleans up once.
    Directory::new(&*scratch).save(&failure("p", &[2])).unwrap();
    assert_eq!([stale, young, other].map(|path| path.exists()), [false, true, true]);
}

#[test]
fn a_store_that_is_removed_during_use_is_created_again() {
    let scratch = Scratch::new("removed");
    let store = Directory::new(scratch.join("store"));
    for n in 0..3 {
        let id = store.save(&failure("p", &[n])).unwrap();
        assert!(store.path("p", id).exists());
        fs::remove_dir_all(store.root()).unwrap();
        assert_eq!(store.list("p", None).unwrap().ids, []);
    }
}

#[test]
fn a_file_in_the_way_is_one_clear_error() {
    let scratch = Scratch::new("in-the-way");
    fs::write(scratch.join(".forall"), "a file").unwrap();
    let error = places(&scratch).save(&failure("p", &[1])).unwrap_err();
    let expected = format!("cannot make the directory {}: ", scratch.join(".forall").display());
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert!(error.to_string().contains("remove the file that is in the way, or set FORALL_STORE to another directory"));
    assert_eq!(places(&scratch).failures("p").len(), 1, "and reading says it too");
}
