//! The file that marks a directory as a corpus of `cargo forall run --corpus`, with its version.

use super::directory::read_some;
use crate::text::visible;
use std::io::ErrorKind;
use std::path::Path;
use std::{fs, io};

/// Marks are shorter than this: a longer file counts as an unknown version.
const LONGEST: u64 = 100;

/// The mark of a directory.
///
/// ```
/// use forall::store::Mark;
/// let root = std::env::temp_dir().join(format!("forall-doc-mark-{}", std::process::id()));
/// assert_eq!(Mark::of(&root).unwrap(), Mark::Nothing);
/// std::fs::create_dir_all(&root).unwrap();
/// std::fs::write(root.join(Mark::FILE), Mark::TEXT).unwrap();
/// assert_eq!(Mark::of(&root).unwrap(), Mark::Known);
/// # std::fs::remove_dir_all(&root).unwrap();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Mark {
    /// A corpus of the version that this library supports.
    Known,
    /// A corpus of another version, with the contents of its mark.
    Other(String),
    /// Not a corpus.
    Nothing,
}

impl Mark {
    /// The name of the file.
    ///
    /// ```
    /// assert_eq!(forall::store::Mark::FILE, "forall-corpus");
    /// ```
    pub const FILE: &str = "forall-corpus";

    /// Its content: the version that this library supports.
    ///
    /// ```
    /// assert_eq!(forall::store::Mark::TEXT, "forall corpus 1\n");
    /// ```
    pub const TEXT: &str = "forall corpus 1\n";

    /// Reads the mark of a directory. An error means that it cannot be read, which may be temporary.
    ///
    /// ```
    /// use forall::store::Mark;
    /// assert_eq!(Mark::of("/is/not/there").unwrap(), Mark::Nothing);
    /// ```
    pub fn of(root: impl AsRef<Path>) -> io::Result<Self> {
        let path = root.as_ref().join(Self::FILE);
        match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error),
            // A pipe would block.
            Ok(found) if !found.is_file() => return Ok(Self::Other("not a file".to_owned())),
            Ok(_) => {}
        }
        let bytes = read_some(&path, LONGEST)?;
        if bytes == Self::TEXT.as_bytes() {
            return Ok(Self::Known);
        }
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST as usize)]);
        Ok(Self::Other(visible(text.lines().next().unwrap_or_default())))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn any_other_content_counts_as_another_version() {
        let root = std::env::temp_dir().join(format!("forall-mark-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let file = root.join(Mark::FILE);
        let said = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            match Mark::of(&root).unwrap() {
                Mark::Other(said) => said,
                mark => panic!("{mark:?}"),
            }
        };
        assert_eq!(said(b"forall corpus 7\nmore"), "forall corpus 7");
        assert_eq!(said(b""), "");
        assert!(said(&[0xff, 0xfe, 0x1b]).contains('\u{fffd}'));
        assert!(said(&[b'x'; 1 << 20]).len() <= 100);
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(Mark::of(&root).unwrap(), Mark::Other("not a file".to_owned()));
        fs::remove_dir_all(root).unwrap();
    }
}
