//! Coverage: candidates that reach new parts of the program, or come closer to one, are kept and mutated.
//!
//! The generated C code is compiled with `-fsanitize-coverage=trace-pc,trace-cmp`, together with an object file
//! (`coverage.c`). That object counts how often each edge is taken, and records the distance between the operands of
//! each comparison, in a file that the server maps. The file is read and cleared after each candidate. A feature is an
//! edge with the magnitude of its count, or the distance of a comparison. Comparisons count even if the compiler emits
//! no branch for them, and their operands are tried as values.

use super::testing::Testing;
use forall::guide::guided;
use forall::guide::{Corpus, Feedback, Guide, Observed, Operands, Worth};
use forall::run::{Report, Run};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The number of one-byte counters, one per edge, as in `coverage.c`.
const COUNTERS: usize = 1 << 16;

/// The number of distinguished comparisons. Each has two sets of 64: of differing bits, and of magnitudes.
const PLACES: usize = 1 << 12;

/// The number of recorded pairs of operands, of 24 bytes each.
const LATEST: usize = 256;

/// The offsets of the sets and of the operands in the file, and its length.
const BITS: usize = COUNTERS;
const OPERANDS: usize = BITS + 2 * 8 * PLACES;
const LENGTH: usize = OPERANDS + 24 * LATEST;

/// The environment variable with the path of the counters, as in `coverage.c`.
const VARIABLE: &str = "FUTHARK_COVERAGE_FILE";

/// The coverage counters of a server.
///
/// ```
/// use forall_futhark::properties::Coverage;
/// let folder = std::env::temp_dir().join(format!("forall-coverage-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// let coverage = Coverage::new(&folder).unwrap();
/// assert_eq!(coverage.edges(), 0);
/// # std::fs::remove_dir_all(folder).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Coverage {
    path: PathBuf,
    file: Arc<File>,
}

impl Coverage {
    /// Creates the counters in a new file in this folder.
    ///
    /// ```
    /// use forall_futhark::properties::Coverage;
    /// assert!(Coverage::new("/no/such/folder".as_ref()).is_err());
    /// ```
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join("coverage.counters");
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        file.set_len(LENGTH as u64)?;
        Ok(Self { path, file: Arc::new(file) })
    }

    /// Returns the name and value of the variable for the server's environment.
    ///
    /// ```
    /// # use forall_futhark::properties::Coverage;
    /// # let folder = std::env::temp_dir();
    /// let (name, value) = Coverage::new(&folder).unwrap().variable();
    /// assert!(name.ends_with("COVERAGE_FILE") && value.starts_with(folder.to_str().unwrap()));
    /// ```
    pub fn variable(&self) -> (String, String) {
        (VARIABLE.to_owned(), self.path.display().to_string())
    }

    /// Returns the number of edges taken since the last reading.
    ///
    /// ```
    /// # use forall_futhark::properties::Coverage;
    /// assert_eq!(Coverage::new(&std::env::temp_dir()).unwrap().edges(), 0);
    /// ```
    pub fn edges(&self) -> usize {
        self.counters()[..COUNTERS].iter().filter(|count| **count > 0).count()
    }

    fn counters(&self) -> Vec<u8> {
        let mut counters = vec![0; LENGTH];
        // A file that cannot be read has no new features.
        let _ = self.file.read_exact_at(&mut counters, 0);
        counters
    }

    fn forget(&self) {
        let _ = self.file.write_all_at(&[0; LENGTH], 0);
    }
}

/// The features that candidates have reached so far.
struct Reached<'a> {
    coverage: &'a Coverage,
    testing: &'a Testing,
    seen: HashSet<u64>,
    /// For each set of comparisons, the smallest sum of differing bits. A condition without branches combines several
    /// comparisons, and each of them alone may already have been close.
    nearest: HashMap<u64, u32>,
    /// The comparisons of the last candidate.
    operands: Operands,
}

impl Reached<'_> {
    /// Returns the features of the last candidate, and its set of comparisons with the sum of differing bits.
    fn features(&mut self) -> (Vec<u64>, (u64, u32)) {
        let counters = self.coverage.counters();
        self.coverage.forget();
        let mut features = Vec::new();
        for (edge, count) in counters[..COUNTERS].iter().enumerate().filter(|(_, count)| **count > 0) {
            let about_how_often = u64::from(count.ilog2());
            features.push((edge as u64) << 3 | about_how_often);
        }
        let (mut places, mut sum) = (DefaultHasher::new(), 0);
        let numbers =
            counters[BITS..].chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        let numbers: Vec<u64> = numbers.collect();
        for (place, set) in numbers[..2 * PLACES].iter().enumerate().filter(|(_, set)| **set != 0) {
            if place < PLACES {
                place.hash(&mut places);
                sum += set.trailing_zeros();
            }
            let nearest = u64::from(set.trailing_zeros());
            features.push(1 << 32 | (place as u64) << 6 | nearest);
        }
        self.operands = Operands::default();
        for pair in numbers[2 * PLACES..].chunks_exact(3) {
            match pair[2] {
                0 => {}
                1 => self.operands.byte(pair[0] as u8, pair[1] as u8),
                _ => self.operands.number(pair[0], pair[1]),
            }
        }
        (features, (places.finish(), sum))
    }
}

impl Feedback for Reached<'_> {
    fn needs_discards(&self) -> bool {
        false
    }

    fn skip(&mut self) {
        self.coverage.forget();
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        let (features, (places, sum)) = self.features();
        if !test.is_valid() {
            return None;
        }
        let nearest = self.nearest.entry(places).or_insert(u32::MAX);
        let is_nearer = sum < *nearest;
        *nearest = sum.min(*nearest);
        let new = features.into_iter().filter(|feature| self.seen.insert(*feature)).count() + usize::from(is_nearer);
        if new == 0 {
            return None;
        }
        self.testing.coverage.set((self.seen.len() as u64, test.index));
        Some(Worth { operands: self.operands.clone(), ..Worth::new(new as f64) })
    }

    fn compared(&mut self) -> Operands {
        self.operands.clone()
    }
}

/// Compiles the counting object. Returns the C compiler flags that enable it.
///
/// ```no_run
/// let flags = forall_futhark::properties::coverage_flags("/tmp".as_ref()).unwrap();
/// assert!(flags.contains("trace-pc"));
/// ```
pub fn coverage_flags(folder: &Path) -> Result<String, String> {
    let (source, object) = (folder.join("coverage.c"), folder.join("coverage.o"));
    let cannot = |error: std::io::Error| format!("cannot write {}: {error}", source.display());
    std::fs::write(&source, include_str!("coverage.c")).map_err(cannot)?;
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let ran = Command::new(&compiler).args(["-O2", "-c", "-o"]).arg(&object).arg(&source).output();
    let output = ran.map_err(|error| {
        format!("coverage needs a C compiler, but `{compiler}` cannot be run: {error}; install one, or name it with CC")
    })?;
    if !output.status.success() {
        return Err(format!("`{compiler}` refused {}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr)));
    }
    // Higher optimisation levels merge consecutive conditions, which then no longer guide the search step by step.
    // `__NO_INLINE__` disables glibc's inline functions, such as getline.
    let pauses = ["fflush", "getline", "gettimeofday"].map(|name| format!("-D{name}=coverage_{name}")).join(" ");
    let instrumented = ["-O1", "-std=c99", "-fsanitize-coverage=trace-pc,trace-cmp", "-D__NO_INLINE__"].join(" ");
    Ok(format!("{instrumented} {pauses} {}", object.display()))
}

/// Runs a property under coverage.
pub(super) fn run(run: Run<'_>, coverage: &Coverage, testing: &Testing) -> Report {
    let session = match run.session() {
        Ok(session) => session,
        Err(report) => return *report,
    };
    coverage.forget();
    let (seen, nearest) = (HashSet::new(), HashMap::new());
    let reached = Reached { coverage, testing, seen, nearest, operands: Operands::default() };
    guided(session, &mut [Guide::new(reached, Corpus::new())])
}
