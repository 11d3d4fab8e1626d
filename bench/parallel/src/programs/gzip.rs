//! `gunzip` inverts `gzip`. The installed programs run; the three variants differ in where the text is stored in
//! between.

use forall::prelude::*;
use forall::property::Property;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The installed programs that are required.
pub const NEEDS: &[&str] = &["gzip", "gunzip"];

/// In files of the current directory with the same names in every test: concurrent tests interfere.
pub fn naive() -> Box<dyn Property + Sync> {
    Box::new(property! { forall text: String; check through_files(Path::new("."), text) == text.as_bytes() })
}

/// In files of a separate directory per test.
pub fn own_directory() -> Box<dyn Property + Sync> {
    Box::new(property! {
        forall text: String;
        check {
            let directory = forall::scratch_dir().expect("a directory can be made");
            through_files(&directory, text) == text.as_bytes()
        }
    })
}

/// In pipes.
pub fn pipes() -> Box<dyn Property + Sync> {
    Box::new(property! { forall text: String; check through_pipes(text) == text.as_bytes() })
}

fn through_files(directory: &Path, text: &str) -> Vec<u8> {
    let (file, packed) = (directory.join("text"), directory.join("text.gz"));
    fs::write(&file, text).expect("the text can be written");
    for (program, argument) in [("gzip", &file), ("gunzip", &packed)] {
        let status = Command::new(program).arg("--force").arg("--quiet").arg(argument).stderr(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "{program} failed");
    }
    fs::read(&file).expect("the text is there again")
}

fn through_pipes(text: &str) -> Vec<u8> {
    let start = |program: &str, input: Stdio| {
        let mut command = Command::new(program);
        command.arg("--stdout").stdin(input).stdout(Stdio::piped());
        command.spawn().unwrap_or_else(|error| panic!("{program} cannot be run: {error}"))
    };
    let mut gzip = start("gzip", Stdio::piped());
    let mut gunzip = start("gunzip", gzip.stdout.take().expect("it is piped").into());
    // All texts that occur here fit into the pipe.
    gzip.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("gzip reads");
    let mut unpacked = Vec::new();
    gunzip.stdout.take().expect("it is piped").read_to_end(&mut unpacked).expect("gunzip writes");
    for mut program in [gzip, gunzip] {
        assert!(program.wait().is_ok_and(|status| status.success()), "gzip or gunzip failed");
    }
    unpacked
}
