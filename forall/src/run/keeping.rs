//! How a run keeps what it finds: on disk before shrinking, and again each time it gets smaller.

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
        self.saved = Some(self.save(self.saved.as_ref(), &entry)?);
        self.last = Some(Instant::now());
        self.minimal = stage == Stage::Minimal;
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
        (self.saved, self.last, self.tried) = (None, None, 0);
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
    use std::fs;

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
