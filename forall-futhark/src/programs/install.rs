//! Installation instructions for the Futhark compiler on this system.

use std::path::Path;

/// The first versions of Debian and Ubuntu with a compiler package.
const DEBIAN: f64 = 13.0;
const UBUNTU: f64 = 25.10;

/// The facts about a system that determine the instructions.
struct System<'a> {
    /// The values of `std::env::consts`.
    os: &'a str,
    arch: &'a str,
    /// The contents of `/etc/os-release`.
    release: &'a str,
    /// Returns whether this program is installed.
    has: &'a dyn Fn(&str) -> bool,
}

/// Returns the instruction, as a part of a sentence.
pub(super) fn how() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    how_on(&System { os: std::env::consts::OS, arch: std::env::consts::ARCH, release: &release, has: &has })
}

fn how_on(system: &System<'_>) -> String {
    let value = |key: &str| {
        let line = system.release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let version: f64 = value("VERSION_ID").parse().unwrap_or(0.0);
    let has_package = match &*value("ID") {
        // Testing and unstable have no number.
        "debian" => version >= DEBIAN || value("VERSION_ID").is_empty(),
        "ubuntu" => version >= UBUNTU,
        _ => false,
    };
    let has = system.has;
    if has("apt-get") && has_package {
        return "install one with `apt-get install futhark`".to_owned();
    }
    if has("brew") || system.os == "macos" {
        return "install one with `brew install futhark`".to_owned();
    }
    if has("nix-env") {
        return "install one with `nix-env -iA nixpkgs.futhark`".to_owned();
    }
    match (system.os, system.arch) {
        ("linux", "x86_64") => {
            "get one with `curl -L https://futhark-lang.org/releases/futhark-nightly-linux-x86_64.tar.xz | tar xJ`, in which bin/futhark \
             is the compiler"
                .to_owned()
        }
        _ => "https://futhark.readthedocs.io/en/latest/installation.html explains how to build one".to_owned(),
    }
}

/// Returns whether a command can be found.
pub(super) fn is_there(name: &str) -> bool {
    match name.contains('/') {
        true => Path::new(name).exists(),
        false => std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(name).is_file()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_own_way_in_one_line() {
        let on = |os: &str, arch: &str, release: &str, programs: &[&str]| {
            how_on(&System { os, arch, release, has: &|program| programs.contains(&program) })
        };
        let debian = |version: &str| format!("PRETTY_NAME=\"Debian\"\nID=debian\n{version}");
        let apt = "install one with `apt-get install futhark`";
        assert_eq!(on("linux", "x86_64", &debian("VERSION_ID=\"13\""), &["apt-get"]), apt);
        assert_eq!(on("linux", "aarch64", &debian(""), &["apt-get"]), apt);
        assert_eq!(on("linux", "x86_64", "ID=ubuntu\nVERSION_ID=\"25.10\"", &["apt-get"]), apt);
        let tar = "get one with `curl -L https://futhark-lang.org/releases/futhark-nightly-linux-x86_64.tar.xz | tar xJ`, in which \
                   bin/futhark is the compiler";
        assert_eq!(on("linux", "x86_64", &debian("VERSION_ID=\"12\""), &["apt-get"]), tar);
        assert_eq!(on("linux", "x86_64", "ID=ubuntu\nVERSION_ID=\"24.04\"", &["apt-get"]), tar);
        assert_eq!(on("macos", "aarch64", "", &[]), "install one with `brew install futhark`");
        assert_eq!(on("linux", "x86_64", "ID=nixos", &["nix-env"]), "install one with `nix-env -iA nixpkgs.futhark`");
        let docs = "https://futhark.readthedocs.io/en/latest/installation.html explains how to build one";
        assert_eq!(on("linux", "aarch64", "ID=fedora", &[]), docs);
        assert!(!how().contains('\n'));
    }
}
