//! Saving failures: on disk before any more of the user's code runs, and again after each improvement by shrinking. An
//! unchanged case is not written again.

use super::{Case, Identity, Settings, Tester};
use crate::property::{Binding, Failure};
use crate::store::{Entry, EntryError, Others, Places, Saved, Working};
use crate::testing::guest::WriteDown;
use crate::testing::summary;
use crate::{fact::Fact, store::Mark};
use std::path::Path;
use std::time::{Duration, Instant};

/// Improvements within this interval are saved together: each write waits for the disk, and would hold up shrinking.
/// The first is saved immediately; of those that follow, the last is saved after the interval.
const PAUSE: Duration = Duration::from_millis(50);

/// How often shrinking a case is attempted if the process ends at the same input each time. A single end may be Ctrl-C;
/// an input that exhausts the memory ends the process every time. The first attempt does not record its inputs.
const MOST_TRIES: u32 = 3;

/// How often shrinking a case is attempted if the process ends at different inputs, without any progress: it may have
/// been killed, or inputs crash it at random.
const MOST_ENDS: u32 = 10;

/// Inputs are truncated to this many columns in the message about an exit.
pub(super) const AT_HAND: usize = 300;

/// The progress on a failing case.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stage {
    /// It failed.
    Found,
    /// It is being shrunk. The file is marked, in case that ends the process.
    Shrinking,
    /// Shrinking reached a limit.
    CutShort,
    /// It is minimal, and is being explained, which may end the process as well.
    Explaining,
    /// It is minimal.
    Minimal,
}

/// The attempts at shrinking or explaining a saved case in which the process ended, without progress.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Attempts {
    /// Their number.
    pub(super) times: u32,
    /// Whether no more are made.
    pub(super) are_enough: bool,
}

pub(super) struct Keeper {
    places: Places,
    property: String,
    saved: Option<Saved>,
    /// The entry in `saved`.
    written: Option<Entry>,
    last: Option<Instant>,
    /// An improvement that is not saved yet.
    pending: Option<(Case, Failure)>,
    /// The earlier attempts at the case, without progress.
    tried: Attempts,
    /// A lock that is held while a case is being worked on, visible to other processes.
    working: Option<Working>,
    /// Whether the inputs that run are recorded in the locked file.
    pub(super) is_traced: bool,
    /// Whether the saved case is minimal.
    minimal: bool,
    /// Cases that must run before this one in the same process.
    before: Vec<Case>,
    /// The number of threads that ran the case at once.
    pub(super) beside: usize,
    /// Whether a write error was reported, or need not be.
    trouble_is_told: bool,
    /// Whether another property has the same name: saved failures may belong to it.
    pub(super) has_namesake: bool,
}

impl Keeper {
    pub(super) fn new(identity: &Identity, settings: &Settings, package: &Path) -> Self {
        let places = Places::for_package(package, &settings.store, settings.read_only);
        let places = match &settings.corpus {
            Some(corpus) => places.with_corpus(package.join(corpus)),
            None => places,
        };
        Self {
            places,
            property: identity.name.clone().into_owned(),
            saved: None,
            written: None,
            last: None,
            pending: None,
            tried: Attempts::default(),
            working: None,
            is_traced: false,
            minimal: false,
            before: Vec::new(),
            beside: 1,
            trouble_is_told: false,
            has_namesake: false,
        }
    }

    /// Whether this is the first write error, which is reported.
    pub(super) fn is_first_trouble(&mut self) -> bool {
        !std::mem::replace(&mut self.trouble_is_told, true)
    }

    /// Suppresses further write errors: the store cannot be read, which was reported, so it cannot be written either.
    pub(super) fn expect_trouble(&mut self) {
        self.trouble_is_told = true;
    }

    /// The saved failures of this property, with their locations.
    pub(super) fn stored(&self) -> Vec<(String, Result<Entry, EntryError>)> {
        self.places.failures(&self.property)
    }

    /// Saves a failure before it is shrunk, marked as unfinished. Its values are not printed yet, since a `Debug` may
    /// hang; the next write adds them.
    pub(super) fn begin_work(&mut self, case: &Case, failure: &Failure) -> Result<(), String> {
        let mut entry = self.entry(case, &[], failure, Stage::Shrinking);
        entry.unfinished += self.tried.times;
        // A saved failure is shrunk again: its values are known.
        let known = self.written.as_ref().filter(|known| known.case == *case && known.message == entry.message);
        if let Some(known) = known {
            entry.printed.clone_from(&known.printed);
        }
        self.minimal = false;
        self.write(entry)
    }

    /// Records an improvement.
    pub(super) fn improve(&mut self, case: &Case, failure: &Failure, tester: &Tester<'_>) {
        // There was progress: earlier interruptions do not count against it.
        self.tried = Attempts::default();
        self.pending = Some((case.clone(), failure.clone()));
        self.keep_pending(tester);
    }

    /// Saves the pending improvement, unless another one was just saved.
    pub(super) fn keep_pending(&mut self, tester: &Tester<'_>) {
        if self.pending.is_some() && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            let (case, failure) = self.pending.take().expect("there is one");
            let bindings = tester.print(&case);
            tester.context().put_at_hand(summary(&bindings, AT_HAND));
            // A write error here occurs again when the minimal case is saved, and is reported then.
            let _ = self.keep(&case, &bindings, &failure, Stage::Shrinking);
        }
    }

    /// Saves a failing case in place of the previous one.
    pub(super) fn keep(
        &mut self,
        case: &Case,
        bindings: &[Binding],
        failure: &Failure,
        stage: Stage,
    ) -> Result<(), String> {
        self.pending = None;
        let mut entry = self.entry(case, bindings, failure, stage);
        if stage != Stage::CutShort && stage != Stage::Minimal {
            entry.unfinished += self.tried.times;
        }
        self.minimal = stage == Stage::Minimal;
        self.write(entry)
    }

    /// Writes an entry in place of the previous one, unless it is the same.
    fn write(&mut self, entry: Entry) -> Result<(), String> {
        if self.saved.is_none() || self.written.as_ref() != Some(&entry) {
            // Before the mark: a process that sees a mark without a lock counts it as that of a crashed one.
            if entry.unfinished > 0 && self.working.is_none() {
                self.working = self.places.begin_work(&self.property);
            }
            self.saved = Some(self.save(self.saved.as_ref(), &entry)?);
            if entry.unfinished == 0
                && self.written.as_ref().is_some_and(|written| written.unfinished > 0)
                && let Some(folder) = self.places.local_folder(&self.property)
            {
                Working::forget_ended(&folder);
            }
            self.written = Some(entry);
        }
        self.last = Some(Instant::now());
        Ok(())
    }

    fn entry(&self, case: &Case, bindings: &[Binding], failure: &Failure, stage: Stage) -> Entry {
        let mut entry = Entry::failure(&*self.property, case.clone()).describe(bindings, &*failure.message);
        entry.place = place_of(failure);
        entry.before = self.before.clone();
        entry.beside = self.beside as u32;
        entry.minimal = matches!(stage, Stage::Minimal | Stage::Explaining);
        entry.unfinished = u32::from(matches!(stage, Stage::Shrinking | Stage::Explaining));
        entry
    }

    /// The attempts at a stored case in which a process crashed or was killed. The mark of a process that still runs does
    /// not count.
    ///
    /// An input that crashes ends each attempt, and a process that is killed may run any input: attempts are enough if
    /// two that recorded their inputs ended at the same one. If they cannot be recorded, their number decides.
    pub(super) fn cut_off(&mut self, entry: &Entry, can_record: bool) -> Attempts {
        let folder = match self.places.local_folder(&self.property) {
            Some(folder) if entry.unfinished > 0 => folder,
            _ => return Attempts { times: entry.unfinished, are_enough: entry.unfinished >= MOST_TRIES },
        };
        if self.working.is_none() {
            self.working = self.places.begin_work(&self.property);
        }
        let Others { are_running, mut last_inputs } =
            Working::others(&folder, self.working.as_ref(), entry.id().number());
        if are_running {
            return Attempts::default();
        }
        last_inputs.sort_unstable();
        let most = if can_record && self.working.is_some() { MOST_ENDS } else { MOST_TRIES };
        let are_alike = last_inputs.windows(2).any(|pair| pair[0] == pair[1]);
        Attempts { times: entry.unfinished, are_enough: are_alike || entry.unfinished >= most }
    }

    /// Records the inputs that run from now on, if earlier attempts at the saved case ended the process.
    pub(super) fn trace(&self) -> Option<Box<dyn WriteDown + Send>> {
        let entry = self.written.as_ref().filter(|_| self.tried.times > 0)?;
        self.working.as_ref()?.trace(entry)
    }

    /// Removes the mark of a stored case that was shown without being shrunk: the next run shrinks it again.
    pub(super) fn allow_another_try(&mut self, entry: &Entry) {
        self.tried = Attempts::default();
        // If it cannot be written, the next run shows the case as this one did.
        let _ = self.write(Entry { unfinished: 0, ..entry.clone() });
    }

    /// Continues with a stored case, which the next saved case replaces. If its input is still the same, the earlier
    /// attempts count.
    pub(super) fn go_on_with(&mut self, origin: &str, entry: &Entry, same: bool, tried: Attempts) {
        self.saved = self.places.adopt(origin, entry);
        self.written = same.then(|| entry.clone());
        self.tried = if same { tried } else { Attempts::default() };
        self.minimal = same && entry.minimal;
    }

    /// Records where a stored case fails in this build, if that is another place than before: code above it moved, or it
    /// shows another bug now. Regressions and entries of a corpus are not changed.
    pub(super) fn fails_at(&mut self, entry: &Entry, failure: &Failure) {
        let place = place_of(failure);
        if place.is_some() && place != entry.place && self.saved.is_some() {
            // If it cannot be written, the next run compares the bug with others by its message alone.
            let _ = self.write(Entry { place, message: failure.message.clone(), ..entry.clone() });
        }
    }

    /// Declares that later cases fail only if these ran before them in the same process.
    pub(super) fn run_after(&mut self, before: Vec<Case>) {
        self.before = before;
    }

    /// The cases after which the case fails.
    pub(super) fn before(&self) -> &[Case] {
        &self.before
    }

    /// Whether to report the case unshrunk, because shrinking it ends the process.
    pub(super) fn is_given_up(&self) -> bool {
        self.tried.are_enough
    }

    /// Whether the case is saved, and minimal.
    pub(super) fn has_minimal(&self) -> bool {
        self.saved.is_some() && self.minimal
    }

    /// Leaves the saved case in place: the next one belongs to another failure.
    pub(super) fn begin_another(&mut self) {
        (self.saved, self.written, self.last, self.working) = (None, None, None, None);
        self.tried = Attempts::default();
    }

    /// Saves another failing case alongside the one that is being shrunk, replacing its own previous version.
    pub(super) fn keep_beside(
        &self,
        before: Option<&Saved>,
        case: &Case,
        bindings: &[Binding],
        failure: &Failure,
        stage: Stage,
    ) -> Result<Saved, String> {
        let mut entry = self.entry(case, bindings, failure, stage);
        entry.before.clear();
        self.save(before, &entry)
    }

    fn save(&self, before: Option<&Saved>, entry: &Entry) -> Result<Saved, String> {
        let saved = match before {
            Some(old) => self.places.replace(old, entry),
            None => self.places.save(entry),
        };
        saved.map_err(|error| error.to_string())
    }

    /// The file of the last saved case.
    pub(super) fn path(&self) -> Option<String> {
        self.saved.as_ref().and_then(Saved::path).map(|path| path.display().to_string())
    }

    /// The corpus of this property; `None` if the store is off.
    #[cfg(feature = "coverage")]
    pub(super) fn corpus(&self) -> Option<crate::store::Seeds> {
        self.places.corpus(&self.property)
    }

    /// Moves the local failures to the regressions. Returns the new path of each, or the error.
    pub(super) fn keep_for_good(&self) -> Vec<Result<String, String>> {
        let mut kept = Vec::new();
        for (origin, entry) in &self.stored() {
            if self.places.is_regression(origin) {
                continue;
            }
            kept.push(match entry {
                Ok(entry) => match self.places.keep(entry) {
                    Ok(path) => Ok(path.display().to_string()),
                    Err(error) => Err(error.to_string()),
                },
                Err(error) => Err(error.to_string()),
            });
        }
        kept
    }

    /// Whether the case at this location is a committed regression.
    pub(super) fn is_committed(&self, origin: &str) -> bool {
        self.places.is_regression(origin)
    }

    /// Whether the case belongs to a shared corpus, whose other users may test another build.
    pub(super) fn is_of_corpus(&self, origin: &str) -> bool {
        self.places.is_of_corpus(origin)
    }

    /// Deletes a local failure that no longer fails. Regressions stay. Returns whether it was deleted.
    pub(super) fn forget(&self, origin: &str) -> Result<bool, String> {
        self.places.delete(origin).map_err(|error| error.to_string())
    }
}

/// The location of a failure as an entry has it.
fn place_of(failure: &Failure) -> Option<String> {
    failure.location.as_ref().map(ToString::to_string)
}

/// The problem with a directory that should be a corpus.
pub(super) fn wrong_corpus(corpus: &Path) -> Option<Fact> {
    let path = corpus.display().to_string();
    if !corpus.is_dir() {
        return Some(Fact::CorpusIsMissing { path });
    }
    // A directory that cannot be read is reported when its entries are listed.
    match Mark::of(corpus).ok()? {
        Mark::Known => None,
        Mark::Other(found) => Some(Fact::CorpusIsOfAnotherVersion { path, found }),
        Mark::Nothing => Some(Fact::CorpusIsNone { path }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{Empty, Property, Telescope};
    use crate::run::{Found, Run, Session, Store, Tested, Verdict};
    use crate::store::{Backend, Cursor, Directory, Id, Listing, StoreError};
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    /// How often the property has run.
    type Runs = Arc<AtomicU64>;

    /// Records what was saved, and how often the property had run by then.
    #[derive(Default)]
    struct Counting {
        runs: Runs,
        saved: Mutex<Vec<(u64, Entry)>>,
        root: PathBuf,
    }

    impl Backend for Counting {
        fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
            let folder = Directory::new(&self.root).folder(&entry.property);
            let is_locked = Working::others(&folder, None, 0).are_running;
            assert!(entry.unfinished == 0 || is_locked || cfg!(not(unix)), "a mark without a lock is that of a crash");
            self.saved.lock().unwrap().push((self.runs.load(Ordering::Relaxed), entry.clone()));
            Ok(entry.id())
        }

        fn fetch(&self, _: &str, _: Id) -> Result<Option<Entry>, StoreError> {
            Ok(None)
        }

        fn list(&self, _: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
            Ok(Listing::since(std::iter::empty(), since))
        }

        fn delete(&self, _: &str, _: Id) -> Result<bool, StoreError> {
            Ok(false)
        }
    }

    /// The entries that a run saved, and how often the property had run by then.
    fn saved(
        name: &'static str,
        property: &dyn Property,
        runs: &Runs,
        run: impl FnOnce(Session<'_>) -> Verdict,
    ) -> (Verdict, Vec<(u64, Entry)>) {
        let root = std::env::temp_dir().join(format!("forall-{name}-{}", std::process::id()));
        let counting = Arc::new(Counting { runs: Arc::clone(runs), root: root.clone(), ..Counting::default() });
        let settings = Settings::new().seed(7).store(Store::Directory(root.clone()));
        let mut session = Run::new(name, property).settings(settings).session().unwrap();
        session.keeper.places.witness.0 = Some(Arc::clone(&counting) as Arc<dyn Backend>);
        let verdict = run(session);
        fs::remove_dir_all(root).unwrap();
        let saved = std::mem::take(&mut *counting.saved.lock().unwrap());
        (verdict, saved)
    }

    #[test]
    fn a_failure_is_saved_before_it_is_printed_and_before_it_is_shrunk_and_never_twice_with_the_same_bytes() {
        let runs = Runs::default();
        let property = Empty.forall("n", |(), s| s.draw(0..1_000_000u32)).check(|(n, ())| {
            runs.fetch_add(1, Ordering::Relaxed);
            *n < 1000
        });
        let (verdict, saved) =
            saved("saved-once", &property, &runs, |session| crate::run::generational(session).verdict);
        assert_eq!(verdict, Verdict::Failed);
        let original = &saved[0].1;
        assert_eq!((original.unfinished, original.minimal, original.printed.len()), (1, false, 0));
        // The failing case is saved before its values are printed, and with them before it runs again.
        let before: Vec<_> = saved.iter().filter(|(runs, _)| *runs == saved[0].0).collect();
        assert_eq!(before.iter().map(|(_, entry)| entry.printed.len()).collect::<Vec<_>>(), [0, 1]);
        assert!(before.iter().all(|(_, entry)| entry.case == original.case));
        for pair in saved.windows(2) {
            assert_ne!(pair[0].1.to_text(), pair[1].1.to_text());
        }
        let (_, last) = saved.last().unwrap();
        assert_eq!((last.unfinished, last.minimal, &*last.printed[0].text), (0, true, "1000"));
    }

    #[test]
    fn a_flaky_failure_is_left_without_a_mark() {
        let runs = Runs::default();
        let property =
            Empty.forall("n", |(), s| s.draw(0..1_000_000u32)).check(|_| runs.fetch_add(1, Ordering::Relaxed) > 0);
        let (verdict, saved) = saved("saved-flaky", &property, &runs, |mut session| {
            let (case, Tested::Fail(failure)) = session.tester.record(0, 100) else { panic!("the first fails") };
            session.found(case, failure, Found::Random { index: 0, size: 100 }).0
        });
        assert_eq!((verdict, saved.len()), (Verdict::Flaky, 3));
        assert_eq!((saved[0].0, saved[0].1.unfinished), (1, 1), "saved before the second run, with a mark");
        assert_eq!((saved[1].0, saved[1].1.unfinished, saved[1].1.printed.len()), (1, 1, 1), "and with its values");
        assert_eq!((saved[2].1.unfinished, saved[2].1.printed.len()), (0, 1));
    }

    #[test]
    fn an_entry_has_the_place_where_it_fails_in_the_build_that_replayed_it_last() {
        let root = std::env::temp_dir().join(format!("forall-place-{}", std::process::id()));
        let run = |property: &dyn Property| {
            let settings = Settings::new().seed(7).store(Store::Directory(root.clone()));
            let mut session = Run::new("place", property).settings(settings).session().unwrap();
            let ending = session.replay_stored().or_else(|| {
                crate::run::generational(session).counterexample.map(|found| (Verdict::Failed, Some(found)))
            });
            let found = ending.and_then(|(_, found)| found).expect("it fails");
            let entries = Places::for_package(&root, &Store::Directory(root.clone()), false).failures("place");
            let [(_, Ok(entry))] = &entries[..] else { panic!("{entries:?}") };
            assert_eq!(entry.place, found.failure.location.map(|place| place.to_string()));
            assert!(Entry::from_bytes(entry.to_text().as_bytes()).as_ref() == Ok(entry));
            entry.clone()
        };
        let before = Empty.forall("n", |(), s| s.draw(0..100u32)).check(|(n, ())| assert!(*n < 9, "too many"));
        let edited = Empty.forall("n", |(), s| s.draw(0..100u32)).check(|(n, ())| assert!(*n < 9, "too many"));
        let (before, edited) = (run(&before), run(&edited));
        assert!(before.place.is_some() && before.place != edited.place, "{before:?}");
        assert_eq!(Entry { place: None, ..before }, Entry { place: None, ..edited });
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_directory_that_is_not_a_corpus_is_reported() {
        let root = std::env::temp_dir().join(format!("forall-wrong-corpus-{}", std::process::id()));
        let says = |what: &str| matches!(wrong_corpus(&root), Some(warning) if warning.to_string().contains(what));
        assert!(says("does not exist; shared counterexamples"));
        fs::create_dir_all(&root).unwrap();
        assert!(says("has no file `forall-corpus`"));
        fs::write(root.join(Mark::FILE), "forall corpus 7\n").unwrap();
        assert!(says("has the format `forall corpus 7`"));
        fs::write(root.join(Mark::FILE), Mark::TEXT).unwrap();
        assert_eq!(wrong_corpus(&root), None);
        fs::remove_dir_all(root).unwrap();
    }
}
