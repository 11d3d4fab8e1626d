//! Tests that read the sources of this repository: every message is pinned by a test (`messages.rs`), no module of the library imports
//! one from a higher layer (`layers.rs`), `ARCHITECTURE.md` is short and true (`architecture.rs`), and every shrink pass states what it
//! does not cover (`passes.rs`).

#![cfg(test)]

mod architecture;
mod layers;
mod messages;
mod passes;

use proc_macro2::TokenStream;
use std::path::{Path, PathBuf};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// All files below some folders of the repository, except for this package and build outputs, in order.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let inside = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            open.extend(
                inside.filter(|path| !path.ends_with("target") && path != Path::new(env!("CARGO_MANIFEST_DIR"))),
            );
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn tokens(source: &str, name: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("{name} cannot be read: {error}"))
}
