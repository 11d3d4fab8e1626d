//! How a run keeps what it finds: on disk before any more of the user's code runs, and again each time it gets smaller. What is on disk
//! already is not written again.

use super::{Case, Identity, Settings, Tester};
use crate::property::{Binding, Failure};
use crate::store::{Entry, EntryError, Places, Saved};
use crate::testing::summary;
use crate::{fact::Fact, store::Mark};
use std::path::Path;
use std::time::{Duration, Instant};

/// Improvements that come quicker than this are kept together: each write waits for the disk, and shrinking would wait with
/// it. The first is kept at once, and of those that follow the last as soon as the pause is over.
const PAUSE: Duration = Duration::from_millis(50);

/// How often a case is worked on, if each time the process ends on the way. Once may have been Ctrl-C; an input that exhausts
/// the memory ends it every time.
pub(super) const MOST_TRIES: u32 = 3;

/// Columns of an input that is named when the process ends meanwhile.
pub(super) const AT_HAND: usize = 300;

/// How far a failing case has come.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stage {
    /// It failed.
    Found,
    /// It is being shrunk. If that ends the process, a file that says so is left behind.
    Shrinking,
    /// It was shrunk up to the limits, and not to the end.
    CutShort,
    /// Nothing simpler fails, and it is being explained. That may end the process, too.
    Explaining,
    /// Nothing simpler fails.
    Minimal,
}

pub(super) struct Keeper {
    places: Places,
    property: String,
    saved: Option<Saved>,
    /// What `saved` holds.
    written: Option<Entry>,
    last: Option<Instant>,
    /// An improvement that was not kept yet.
    pending: Option<(Case, Failure)>,
    /// How often the case was worked on before, without coming to an end.
    tried: u32,
    /// Whether nothing simpler fails than what is kept.
    minimal: bool,
    /// What must run before the case, in the same process.
    before: Vec<Case>,
    /// Whether a failure to write was told, or need not be.
    trouble_is_told: bool,
    /// Whether another property has the same name: what is stored may be the other's.
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
            tried: 0,
            minimal: false,
            before: Vec::new(),
            trouble_is_told: false,
            has_namesake: false,
        }
    }

    /// Whether a failure to write is the first, which is to be told.
    pub(super) fn is_first_trouble(&mut self) -> bool {
        !std::mem::replace(&mut self.trouble_is_told, true)
    }

    /// The places cannot be read, which was told; they cannot be written either.
    pub(super) fn expect_trouble(&mut self) {
        self.trouble_is_told = true;
    }

    /// What is kept for this property, each with its place.
    pub(super) fn stored(&self) -> Vec<(String, Result<Entry, EntryError>)> {
        self.places.failures(&self.property)
    }

    /// A failure is worked on from here on: saves it with a mark that this did not come to its end. Its values are not printed yet, since a
    /// `Debug` may hang; the next write adds them.
    pub(super) fn begin_work(&mut self, case: &Case, failure: &Failure) -> Result<(), String> {
        let mut entry = self.entry(case, &[], failure, Stage::Shrinking);
        entry.unfinished += self.tried;
        // A saved failure is worked on again: its values are known.
        let known = self.written.as_ref().filter(|known| known.case == *case && known.message == entry.message);
        if let Some(known) = known {
            entry.printed.clone_from(&known.printed);
        }
        self.minimal = false;
        self.write(entry)
    }

    /// An improvement is to be kept.
    pub(super) fn improve(&mut self, case: &Case, failure: &Failure, tester: &Tester<'_>) {
        // It got somewhere: what ended the process before does not count against it.
        self.tried = 0;
        self.pending = Some((case.clone(), failure.clone()));
        self.keep_pending(tester);
    }

    /// Keeps the improvement that was not kept yet, unless another one was just kept.
    pub(super) fn keep_pending(&mut self, tester: &Tester<'_>) {
        if self.pending.is_some() && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            let (case, failure) = self.pending.take().expect("there is one");
            let bindings = tester.print(&case);
            tester.context().put_at_hand(summary(&bindings, AT_HAND));
            // What goes wrong here goes wrong again when the smallest case is kept, and is told then.
            let _ = self.keep(&case, &bindings, &failure, Stage::Shrinking);
        }
    }

    /// Keeps a failing case in place of the one kept before.
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
            entry.unfinished += self.tried;
        }
        self.minimal = stage == Stage::Minimal;
        self.write(entry)
    }

    /// Writes an entry in place of the one before, unless it is the same.
    fn write(&mut self, entry: Entry) -> Result<(), String> {
        if self.saved.is_none() || self.written.as_ref() != Some(&entry) {
            self.saved = Some(self.save(self.saved.as_ref(), &entry)?);
            self.written = Some(entry);
        }
        self.last = Some(Instant::now());
        Ok(())
    }

    fn entry(&self, case: &Case, bindings: &[Binding], failure: &Failure, stage: Stage) -> Entry {
        let mut entry = Entry::failure(&*self.property, case.clone()).describe(bindings, &*failure.message);
        entry.before = self.before.clone();
        entry.minimal = matches!(stage, Stage::Minimal | Stage::Explaining);
        entry.unfinished = u32::from(matches!(stage, Stage::Shrinking | Stage::Explaining));
        entry
    }

    /// Goes on with a stored case: what is kept next takes its place. If its input is still the same, what was tried with
    /// it before counts.
    pub(super) fn go_on_with(&mut self, origin: &str, entry: &Entry, same: bool) {
        self.saved = self.places.adopt(origin, entry);
        self.written = same.then(|| entry.clone());
        self.tried = if same { entry.unfinished } else { 0 };
        self.minimal = same && entry.minimal;
    }

    /// What is kept from here on fails only after these, in the same process.
    pub(super) fn run_after(&mut self, before: Vec<Case>) {
        self.before = before;
    }

    /// What the case fails after.
    pub(super) fn before(&self) -> &[Case] {
        &self.before
    }

    /// Whether the case is to be shown as it is: whatever is tried with it ends the process.
    pub(super) fn is_given_up(&self) -> bool {
        self.tried >= MOST_TRIES
    }

    /// Whether there is a file that can be marked, and it holds a case that cannot be made simpler.
    pub(super) fn has_minimal(&self) -> bool {
        self.saved.is_some() && self.minimal
    }

    /// What was kept so far stays: the next case is another failure's.
    pub(super) fn begin_another(&mut self) {
        (self.saved, self.written, self.last, self.tried) = (None, None, None, 0);
    }

    /// Keeps another failing case, beside the one that is being shrunk, in place of what was kept of it before.
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

    /// The file of the case kept last.
    pub(super) fn path(&self) -> Option<String> {
        self.saved.as_ref().and_then(Saved::path).map(|path| path.display().to_string())
    }

    /// The corpus of this property; none when the store is off.
    #[cfg(feature = "coverage")]
    pub(super) fn corpus(&self) -> Option<crate::store::Seeds> {
        self.places.corpus(&self.property)
    }

    /// Moves the local finds to the regressions: where each is now, or why it is not there.
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

    /// Whether what is kept there was committed, as a regression.
    pub(super) fn is_committed(&self, origin: &str) -> bool {
        self.places.is_regression(origin)
    }

    /// Whether what is kept there is others', who may test another build.
    pub(super) fn is_of_corpus(&self, origin: &str) -> bool {
        self.places.is_of_corpus(origin)
    }

    /// Forgets a local find that no longer fails. Regressions stay. Whether it was forgotten.
    pub(super) fn forget(&self, origin: &str) -> Result<bool, String> {
        self.places.delete(origin).map_err(|error| error.to_string())
    }
}

/// What is wrong with a directory in which a corpus should be.
pub(super) fn wrong_corpus(corpus: &Path) -> Option<Fact> {
    let path = corpus.display().to_string();
    if !corpus.is_dir() {
        return Some(Fact::CorpusIsMissing { path });
    }
    // One that cannot be looked at is told where its entries are listed.
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
    use crate::store::{Backend, Cursor, Id, Listing, StoreError};
    use std::fs;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    /// How often the property has run.
    type Runs = Arc<AtomicU64>;

    /// Remembers what is saved, and how often the property had run by then.
    #[derive(Default)]
    struct Counting {
        runs: Runs,
        saved: Mutex<Vec<(u64, Entry)>>,
    }

    impl Backend for Counting {
        fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
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

    /// What is saved when the property is run by `run`, and how often it had run by then.
    fn saved(
        name: &'static str,
        property: &dyn Property,
        runs: &Runs,
        run: impl FnOnce(Session<'_>) -> Verdict,
    ) -> (Verdict, Vec<(u64, Entry)>) {
        let root = std::env::temp_dir().join(format!("forall-{name}-{}", std::process::id()));
        let counting = Arc::new(Counting { runs: Arc::clone(runs), ..Counting::default() });
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
        // The case that was found is saved before its values are printed, and with them before it runs again.
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
    fn a_directory_that_is_no_corpus_is_told() {
        let root = std::env::temp_dir().join(format!("forall-wrong-corpus-{}", std::process::id()));
        let says = |what: &str| matches!(wrong_corpus(&root), Some(warning) if warning.to_string().contains(what));
        assert!(says("where no directory is"));
        fs::create_dir_all(&root).unwrap();
        assert!(says("without a file `forall-corpus`"));
        fs::write(root.join(Mark::FILE), "forall corpus 7\n").unwrap();
        assert!(says("another version: it says `forall corpus 7`"));
        fs::write(root.join(Mark::FILE), Mark::TEXT).unwrap();
        assert_eq!(wrong_corpus(&root), None);
        fs::remove_dir_all(root).unwrap();
    }
}
