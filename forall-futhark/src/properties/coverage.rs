//! Candidates that reach new parts of the program are kept and varied.
//!
//! The C that the compiler writes is compiled with `-fsanitize-coverage=trace-pc`, together with a small object of ours
//! (`coverage.c`) that counts, for each edge, how often it was taken: in a file that the server maps and we map too. Between candidates the
//! counters are read and set to zero. What is new is a feature: an edge, and about how often it was taken.

use forall::guide::guided;
use forall::guide::{Corpus, Guide, Novelty, Observed};
use forall::run::{Report, Run};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// So many counters of one byte, as in `coverage.c`.
const COUNTERS: usize = 1 << 16;

/// The environment variable that tells the server where to count, as in `coverage.c`.
const VARIABLE: &str = "FUTHARK_COVERAGE_FILE";

/// Where a server counts which edges of its code are taken.
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
    /// Counters in a new file of this folder.
    ///
    /// ```
    /// use forall_futhark::properties::Coverage;
    /// assert!(Coverage::new("/no/such/folder".as_ref()).is_err());
    /// ```
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join("coverage.counters");
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        file.set_len(COUNTERS as u64)?;
        Ok(Self { path, file: Arc::new(file) })
    }

    /// What the server's environment must have.
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

    /// How many edges were taken since they were read last.
    ///
    /// ```
    /// # use forall_futhark::properties::Coverage;
    /// assert_eq!(Coverage::new(&std::env::temp_dir()).unwrap().edges(), 0);
    /// ```
    pub fn edges(&self) -> usize {
        self.counters().iter().filter(|count| **count > 0).count()
    }

    fn counters(&self) -> Vec<u8> {
        let mut counters = vec![0; COUNTERS];
        // A file that cannot be read shows nothing new.
        let _ = self.file.read_exact_at(&mut counters, 0);
        counters
    }

    fn forget(&self) {
        let _ = self.file.write_all_at(&[0; COUNTERS], 0);
    }

    /// Adds the features of what ran since the last time.
    fn features(&self, to: &mut Vec<u64>) {
        for (edge, count) in self.counters().into_iter().enumerate().filter(|(_, count)| *count > 0) {
            let about_how_often = u64::from(count.ilog2());
            to.push((edge as u64) << 3 | about_how_often);
        }
        self.forget();
    }
}

/// Compiles what counts; the words for the C compiler that make it count.
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
        format!("coverage needs a C compiler, and `{compiler}` does not run: {error}; install one, or name it with CC")
    })?;
    if !output.status.success() {
        return Err(format!("`{compiler}` refused {}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr)));
    }
    // With more optimisation, conditions that follow each other become one, and what leads there cannot be told any more.
    // Without glibc's inline functions, of which getline is one.
    let pauses = "-D__NO_INLINE__ -Dfflush=coverage_fflush -Dgetline=coverage_getline";
    Ok(format!("-O1 -std=c99 -fsanitize-coverage=trace-pc {pauses} {}", object.display()))
}

/// Runs a property under coverage.
pub(super) fn run(run: Run<'_>, coverage: &Coverage) -> Report {
    let session = match run.session() {
        Ok(session) => session,
        Err(report) => return *report,
    };
    coverage.forget();
    let new = Novelty::new(|_: &Observed<'_>, features: &mut Vec<u64>| coverage.features(features));
    guided(session, &mut [Guide::new(new, Corpus::new())])
}
