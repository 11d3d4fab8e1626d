//! `forall completions`: what a shell needs to complete command lines.

use crate::Error;
use crate::arguments::Arguments;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::ErrorKind;
use std::process::ExitCode;

/// The arguments of `completions`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Completions {
    /// Which shell
    pub shell: Shell,
}

const HELP: &str = "\
Writes a script to standard output; put it where your shell looks:

  forall completions bash > ~/.local/share/bash-completion/completions/forall
  forall completions zsh > ~/.zfunc/_forall
  forall completions fish > ~/.config/fish/completions/forall.fish";

/// Writes the script.
pub fn completions(arguments: &Completions) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "forall", &mut script);
    let written = std::io::Write::write_all(&mut std::io::stdout(), &script);
    // Whoever read the beginning, and went, has what was wanted.
    let written = written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) });
    written.map_err(|error| format!("cannot write the script: {error}; write it to a file on a disk with room"))?;
    Ok(ExitCode::SUCCESS)
}
