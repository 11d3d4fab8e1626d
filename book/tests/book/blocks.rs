//! Chapters as a list of blocks of code.

use std::fs;
use std::path::{Path, PathBuf};

/// A block of code in a chapter.
#[derive(Debug)]
pub struct Block {
    /// The text after the fence: `rust`, `console`, ….
    pub info: String,
    /// `src/lib.rs`, if the block is a file of the chapter's project: said in a comment before it, `<!-- file: src/lib.rs -->`.
    pub file: Option<String>,
    /// `src/lib.rs`, if the block takes the place of a function in that file: `<!-- function in: src/lib.rs -->`.
    pub function_in: Option<String>,
    /// A program that a session needs and that may be missing: `<!-- needs: futhark -->`.
    pub needs: Option<String>,
    pub text: String,
    /// The lines of the text in the chapter, from 0, without the fences.
    pub lines: std::ops::Range<usize>,
}

impl Block {
    pub fn language(&self) -> &str {
        self.info.split(',').next().unwrap_or_default()
    }

    /// Whether the block is a part of the chapter's project, where the sessions compile and run it.
    pub fn is_in_project(&self) -> bool {
        self.file.is_some() || self.function_in.is_some()
    }
}

pub struct Chapter {
    pub name: &'static str,
    pub path: PathBuf,
    pub text: String,
    pub blocks: Vec<Block>,
}

pub fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The chapters of the book, and the front page of the project.
pub fn chapters() -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> =
        forall_book::CHAPTERS.iter().map(|name| read(name, source().join(name).with_extension("md"))).collect();
    chapters.push(read("README", Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")));
    chapters
}

fn read(name: &'static str, path: PathBuf) -> Chapter {
    let text = fs::read_to_string(&path).unwrap();
    let mut blocks = Vec::new();
    let (mut file, mut function_in, mut needs) = (None, None, None);
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")).unwrap_or_default();
        file = comment.strip_prefix("file: ").map(str::to_owned).or(file);
        function_in = comment.strip_prefix("function in: ").map(str::to_owned).or(function_in);
        needs = comment.strip_prefix("needs: ").map(str::to_owned).or(needs);
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut block = Block {
            info: info.to_owned(),
            file: file.take(),
            function_in: function_in.take(),
            needs: needs.take(),
            text: String::new(),
            lines: number + 1..number + 1,
        };
        loop {
            let (number, line) = lines.next().unwrap_or_else(|| panic!("{name}.md: a block without an end"));
            if line.starts_with("```") {
                block.lines.end = number;
                break;
            }
            block.text += line;
            block.text.push('\n');
        }
        blocks.push(block);
    }
    Chapter { name, path, text, blocks }
}
