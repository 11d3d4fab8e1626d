//! Tasks: a mutant, and a property that it can falsify.

/// A mutant, and a property that it can falsify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name of the mutant.
    pub mutant: &'static str,
    /// The name of the property.
    pub property: &'static str,
    /// Whether the task is also in the newer lists, which exist for all languages: BST 52, red-black trees 38, STLC 20.
    pub common: bool,
}

/// A line of a workload's list of tasks: a mutant with the properties that it can falsify.
#[derive(Clone, Copy, Debug)]
pub struct Falsifies {
    /// The name of the mutant.
    pub mutant: &'static str,
    /// The properties whose task is in all lists.
    pub common: &'static [&'static str],
    /// The properties whose task is in the original list only.
    pub original: &'static [&'static str],
}

/// Returns a line whose tasks are all in the newer lists as well.
pub const fn common(mutant: &'static str, properties: &'static [&'static str]) -> Falsifies {
    Falsifies { mutant, common: properties, original: &[] }
}

/// Returns all tasks of a list.
pub fn tasks(lines: &[Falsifies]) -> Vec<Task> {
    let mut tasks = Vec::new();
    for &Falsifies { mutant, common, original } in lines {
        tasks.extend(common.iter().map(|&property| Task { mutant, property, common: true }));
        tasks.extend(original.iter().map(|&property| Task { mutant, property, common: false }));
    }
    tasks
}

/// Returns the tasks of a workload in which every mutant can falsify every property.
pub fn all_pairs(mutants: &[&'static str], properties: &[&'static str], common: bool) -> Vec<Task> {
    let with = |&mutant| properties.iter().map(move |&property| Task { mutant, property, common });
    mutants.iter().flat_map(with).collect()
}
