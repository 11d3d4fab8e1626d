//! Committed regressions without a property, most likely because it was renamed: they would silently never run.

use super::{Identity, environment};
use crate::fact::Fact;
use crate::registry;
use crate::store::Places;
use crate::text::visible;
use crate::within;
use std::sync::atomic::{AtomicBool, Ordering};

/// At most this many are listed.
const LISTED: usize = 3;

/// The warning about regressions without a property, when the first property of its package runs.
///
/// The test programs of a package share the directory, and each has the properties of its own crate: a name belongs to
/// this program if one of its properties is in the same crate. That is not enough if `src/lib.rs` and `src/main.rs` are
/// two programs with the same crate name: then this program must have a property in the same module, and the module
/// must not be one that both are likely to have.
pub(crate) fn warning(identity: &Identity) -> Option<Fact> {
    static LOOKED: AtomicBool = AtomicBool::new(false);
    let package = identity.package_directory;
    if package.is_empty() || LOOKED.swap(true, Ordering::Relaxed) {
        return None;
    }
    let mut own = Vec::new();
    for entry in &registry::all() {
        if entry.identity.package_directory == package {
            own.push(&*entry.identity.name);
        }
    }
    let directory = environment::package_directory(identity);
    let two_programs = directory.join("src/lib.rs").is_file() && directory.join("src/main.rs").is_file();
    let (mut count, mut listed) = (0, Vec::new());
    for property in &Places::unclaimed(&directory, &own) {
        if is_of_this_program(property, &own, two_programs) {
            count += 1;
            if count <= LISTED {
                listed.push(format!("`{}` ({})", visible(property), Places::regressions_of(property)));
            }
        }
    }
    if count > 0 { Some(Fact::RegressionsUnclaimed { count: count as u64, listed }) } else { None }
}

fn is_of_this_program(property: &str, own: &[&str], two_programs: bool) -> bool {
    let path = path_of(property);
    if path.len() < 2 {
        return false;
    }
    // `my_crate::parser::tests` belongs to one program; `my_crate::tests` may be in both.
    let part = if two_programs { path.len() - 1 } else { 1 };
    let mut is_here = false;
    for other in own {
        let other = path_of(other);
        let same_module = other.len() == path.len() || !two_programs;
        is_here |= same_module && other[..part] == path[..part];
    }
    is_here && (!two_programs || path.len() > 3)
}

fn path_of(name: &str) -> Vec<&str> {
    let (mut path, mut rest) = (Vec::new(), name);
    while let Some((first, behind)) = within::split_once(rest, "::") {
        path.push(first);
        rest = behind;
    }
    path.push(rest);
    path
}

#[cfg(test)]
mod tests {
    use super::is_of_this_program;

    #[test]
    fn a_property_belongs_to_the_program_that_has_others_of_its_crate() {
        let own = ["demo::tests::sorts", "demo::parser::tests::reads"];
        assert!(is_of_this_program("demo::tests::gone", &own, false));
        assert!(is_of_this_program("demo::gone::tests::gone", &own, false));
        assert!(!is_of_this_program("integration::gone", &own, false), "it is in tests/integration.rs");
        assert!(!is_of_this_program("a name that somebody chose", &own, false));
    }

    #[test]
    fn if_library_and_program_share_a_name_only_own_modules_are_certain() {
        let own = ["demo::tests::sorts", "demo::parser::tests::reads"];
        assert!(is_of_this_program("demo::parser::tests::gone", &own, true));
        assert!(!is_of_this_program("demo::tests::gone", &own, true), "it may be in src/main.rs");
        assert!(!is_of_this_program("demo::commands::tests::gone", &own, true));
    }
}
