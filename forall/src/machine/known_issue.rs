//! Commands that are known to be broken, and excluded until they are fixed.

use super::misused::invalid_specification;

/// The reason why a command is excluded from tests: a known issue in some versions of the tested system.
///
/// A specification returns it from [`known_issue`](super::Spec::known_issue). Such a command is not generated; the
/// number of tests that would have had it is printed after the run (`cargo test -- --nocapture`), under
/// `known issue: …`. If the tested version is not affected, the command is generated, and the run reports that the
/// issue can be removed.
///
/// ```
/// use forall::machine::KnownIssue;
/// let issue = KnownIssue::new("1.2.0..1.4.0", "1.3.7", "`drain` forgets the last element (#512)");
/// assert!(issue.applies());
/// assert!(!KnownIssue::new("..1.4", "1.4.0", "repaired").applies());
/// assert!(KnownIssue::new("..", "2.0", "in all versions so far").applies());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownIssue {
    versions: &'static str,
    current: &'static str,
    reason: &'static str,
}

impl KnownIssue {
    /// Creates an issue that affects `versions`, a range whose end is the version with the fix; either end may be
    /// omitted. `current` is the tested version.
    ///
    /// See [`KnownIssue`].
    #[inline]
    pub fn new(versions: &'static str, current: &'static str, reason: &'static str) -> Self {
        Self { versions, current, reason }
    }

    /// Returns whether the tested version has the issue.
    ///
    /// See [`KnownIssue`]. Invalid versions stop the run with a message:
    ///
    /// ```should_panic
    /// # use forall::machine::KnownIssue;
    /// KnownIssue::new("before 1.4", "1.3.7", "written wrongly").applies();
    /// ```
    #[inline]
    pub fn applies(&self) -> bool {
        let current = self.version(self.current);
        let Some((from, to)) = self.versions.split_once("..") else { self.complain(self.versions) };
        let is_before = |text: &str| !text.is_empty() && current < self.version(text);
        !is_before(from) && (to.is_empty() || is_before(to))
    }

    #[inline]
    fn version(&self, text: &str) -> [u64; 3] {
        let mut parts = [0; 3];
        // A suffix after the numbers, as in `1.0.0-beta`, is ignored.
        let numbers = text.trim().split(['-', '+', ' ']).next().unwrap_or("");
        for (at, number) in numbers.split('.').enumerate() {
            match (parts.get_mut(at), number.parse()) {
                (Some(part), Ok(number)) => *part = number,
                _ => self.complain(text),
            }
        }
        parts
    }

    #[inline]
    fn complain(&self, text: &str) -> ! {
        invalid_specification(
            None,
            &format!(
                "the known issue {:?} has the invalid version {text:?}: write a range such as \"1.2.0..1.4.0\", \"..1.4\" or \
             \"1.2..\", and the tested version such as \"1.3.7\"",
                self.reason
            ),
        )
    }

    /// Returns whether a command with this issue is excluded, and reports it.
    #[inline]
    pub(super) fn leaves_out(&self) -> bool {
        let applies = self.applies();
        if crate::context::is_active() {
            let what = if applies { "known issue" } else { "known issue that is no longer needed" };
            crate::context::label(format!("{what}: {}", self.reason));
        }
        applies
    }
}
