//! `forall completions`: shell completions.

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
    /// The shell
    pub shell: Shell,
}

const HELP: &str = "\
Prints a completion script, to be installed where your shell loads completions. The bash, zsh and fish scripts also complete `cargo
forall`:

  forall completions bash > ~/.local/share/bash-completion/completions/forall
  forall completions zsh > ~/.zfunc/_forall && ln -sf _forall ~/.zfunc/_cargo-forall
  forall completions fish > ~/.config/fish/completions/forall.fish";

/// Completes `cargo forall` as `forall`, and other commands of cargo as before.
const BASH: &str = r#"
_cargo_forall() {
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == forall ]]; then
        COMP_WORDS=(forall "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _forall forall "$2" "$3"
    elif declare -F _cargo > /dev/null; then
        _cargo "$@"
    fi
}
complete -F _cargo_forall -o bashdefault -o default cargo
"#;

/// The same for fish.
const FISH: &str = r#"
function __forall_of_cargo
    set -l words (commandline -opc)
    complete -C "forall "(string join ' ' -- $words[3..])" "(commandline -ct)
end
complete -c cargo -n '__fish_seen_subcommand_from forall' -f -a '(__forall_of_cargo)'
"#;

/// The same for zsh, whose completion of cargo calls `_cargo-forall`. The words are those after `cargo`, or all of them.
const ZSH: &str = r#"
_cargo-forall() {
    local at=${words[(I)forall]}
    if (( at > 1 )); then
        words=("${(@)words[at,-1]}")
        (( CURRENT -= at - 1 ))
    fi
    _forall "$@"
}
if [ "$funcstack[1]" = "_cargo-forall" ]; then
    _cargo-forall "$@"
fi
"#;

/// Writes the script.
pub fn completions(arguments: &Completions) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "forall", &mut script);
    script.extend(match arguments.shell {
        Shell::Bash => BASH.as_bytes(),
        Shell::Fish => FISH.as_bytes(),
        Shell::Zsh => ZSH.as_bytes(),
        _ => &[],
    });
    let written = std::io::Write::write_all(&mut std::io::stdout(), &script);
    // A closed pipe is not an error.
    let written = written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) });
    written.map_err(|error| {
        format!("cannot write the script: {error}; free disk space, or redirect it to another file")
    })?;
    Ok(ExitCode::SUCCESS)
}
