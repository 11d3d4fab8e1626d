//! The source lines that the tests of a property reached, and the inputs of its local corpus, for the page.

use super::data::cut;
use super::profile::{self, Counts, Lines, Reach};
use crate::campaign::{self, Running};
use crate::properties::Property;
use crate::{Error, interrupt, process, results};
use forall::protocol::{Kind as _, Request, Step};
use forall::store::Seeds;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// The number of inputs of the corpus that run again, the smallest.
const INPUTS: usize = 300;

/// The time limit of one input.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The length at which an input is truncated.
const TEXT: usize = 300;

/// The ending of the profiles that an instrumented program writes.
const ENDING: &str = "profraw";

/// Returns the value of `LLVM_PROFILE_FILE` for profiles in a directory: one for each process.
pub(super) fn pattern(folder: &Path) -> String {
    format!("{}.{ENDING}", folder.join("%p").display())
}

/// Returns the sources of a property whose tests left profiles in a directory, in about `budget` bytes. `None` if the
/// compiler's formats are not known.
pub(super) fn of(property: &Property, folder: &Path, root: &Path, budget: usize) -> Result<Option<Value>, Error> {
    let mut counts = Counts::new();
    if add(folder, &mut counts).is_none() {
        return Ok(None);
    }
    let program = fs::read(&property.binary.path).unwrap_or_default();
    let inputs = corpus(property, &program, folder, &mut counts)?;
    Ok(profile::lines(&program, &counts).map(|files| shown(&files, &inputs, root, budget)))
}

/// Adds the profiles in a directory, and removes them.
fn add(folder: &Path, counts: &mut Counts) -> Option<()> {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = file.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            profile::add(&fs::read(&path).ok()?, counts)?;
            let _ = fs::remove_file(path);
        }
    }
    Some(())
}

/// An input of the corpus, and the number of lines that it reaches first.
type Input = (String, usize);

/// Runs the local corpus, the smallest inputs first. Returns those that reach anything that tests and smaller ones do not.
fn corpus(property: &Property, program: &[u8], folder: &Path, counts: &mut Counts) -> Result<Vec<Input>, Error> {
    let package = &property.binary.package_directory;
    let store = results::local_store(package).unwrap_or_else(|| package.join(".forall"));
    let mut seeds = Seeds::new(&store, &property.name).load().seeds;
    seeds.sort_by_key(|(_, case)| case.sequence.len());
    let (running, events) = (Running::new(&property.binary.path)?, folder.join("input.jsonl"));
    let (mut found, mut before) = (Vec::new(), reached(program, counts));
    for (_, case) in seeds.into_iter().take(INPUTS) {
        if interrupt::came() {
            break;
        }
        let shape = case.sequence.shape();
        let request = Request::Replay { property: property.name.clone(), case, shape, before: Vec::new() };
        let mut command = campaign::run(property, &request, &running);
        command.stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.env("FORALL_STORE", "off").env("FORALL_EVENTS", &events);
        command.env("LLVM_PROFILE_FILE", pattern(folder));
        campaign::ends_within(&mut command, TIMEOUT)?;
        // A process that crashes writes none.
        let _ = add(folder, counts);
        let now = reached(program, counts);
        if now > before {
            let events = process::events_of(&fs::read_to_string(&events).unwrap_or_default(), &property.name)?;
            let step = events.iter().rev().find_map(Step::of);
            found.push((cut(&step.map_or_else(String::new, values), TEXT), now - before));
            before = now;
        }
        let _ = fs::remove_file(&events);
    }
    Ok(found)
}

/// The values of an input, in one line.
fn values(step: &Step) -> String {
    step.values.iter().map(|value| format!("{} = {}", value.name, value.text)).collect::<Vec<_>>().join(", ")
}

/// The number of lines that were executed. Counters of generated code have no lines.
fn reached(program: &[u8], counts: &Counts) -> usize {
    profile::lines(program, counts).unwrap_or_default().values().map(number).sum()
}

/// The number of lines of a file that were executed.
fn number(lines: &Lines) -> usize {
    lines.values().filter(|reach| **reach != Reach::Nothing).count()
}

/// The data of the page. Files that the tests reached come first, with their source as far as the budget allows.
fn shown(files: &BTreeMap<String, Lines>, inputs: &[Input], root: &Path, budget: usize) -> Value {
    let mut sorted: Vec<(&String, &Lines)> = files.iter().collect();
    sorted.sort_by_key(|(_, lines)| (number(lines) == 0, std::cmp::Reverse(lines.len() - number(lines))));
    let mut left = budget;
    let mut source = |path: &str, lines: &Lines| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let shown = marked(&text, lines);
        let size: usize = shown.iter().map(|(_, _, text)| text.len() + 16).sum();
        if number(lines) == 0 || size > left {
            return Vec::new();
        }
        left -= size;
        shown.into_iter().map(|(at, mark, text)| json!([at, mark, text])).collect()
    };
    let file = |(path, lines): (&String, &Lines)| json!({"name": name(path, root), "reached": number(lines), "all": lines.len(), "lines": source(path, lines)});
    let (reached, all): (usize, usize) =
        files.values().fold((0, 0), |(reached, all), lines| (reached + number(lines), all + lines.len()));
    json!({"reached": reached, "all": all, "files": sorted.into_iter().map(file).collect::<Vec<_>>(), "inputs": inputs})
}

/// The lines around those with code, with their marks.
fn marked<'a>(text: &'a str, lines: &Lines) -> Vec<(u32, &'static str, &'a str)> {
    let mark = |at: u32| match lines.get(&at) {
        None => "",
        Some(Reach::Nothing) => "none",
        Some(Reach::Part) => "part",
        Some(Reach::All) => "all",
    };
    let is_near = |at: u32| lines.range(at.saturating_sub(2)..=at + 2).next().is_some();
    (1..).zip(text.lines()).filter(|(at, _)| is_near(*at)).map(|(at, line)| (at, mark(at), line)).collect()
}

/// The path below the workspace, or below the directory of downloaded packages.
fn name(path: &str, root: &Path) -> String {
    if let Ok(inside) = Path::new(path).strip_prefix(root) {
        return inside.display().to_string();
    }
    let downloaded = path.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    downloaded.map_or_else(|| path.to_owned(), |(_, rest)| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_unreached_lines_come_first_and_the_budget_limits_their_source() {
        let folder = std::env::temp_dir().join(format!("forall-sources-{}", std::process::id()));
        fs::create_dir_all(folder.join("src")).unwrap();
        let path = |name: &str| folder.join("src").join(name).display().to_string();
        fs::write(path("all.rs"), "fn f() {}\n").unwrap();
        fs::write(path("part.rs"), "\n\n\nfn g() {\n    a();\n}\n\n\n\nmod m;\n").unwrap();
        let files = BTreeMap::from([
            (path("all.rs"), Lines::from([(1, Reach::All)])),
            (path("none.rs"), Lines::from([(1, Reach::Nothing), (2, Reach::Nothing)])),
            (path("part.rs"), Lines::from([(4, Reach::Part), (5, Reach::Nothing), (6, Reach::All)])),
        ]);
        let inputs = [("n: 7".to_owned(), 2)];
        let page = shown(&files, &inputs, &folder, 1000);
        assert_eq!((&page["reached"], &page["all"], &page["inputs"]), (&json!(3), &json!(6), &json!([["n: 7", 2]])));
        let names: Vec<&str> =
            page["files"].as_array().unwrap().iter().filter_map(|file| file["name"].as_str()).collect();
        assert_eq!(names, ["src/part.rs", "src/all.rs", "src/none.rs"]);
        let lines = json!([
            [2, "", ""],
            [3, "", ""],
            [4, "part", "fn g() {"],
            [5, "none", "    a();"],
            [6, "all", "}"],
            [7, "", ""],
            [8, "", ""]
        ]);
        assert_eq!(page["files"][0]["lines"], lines);
        assert_eq!(page["files"][2]["lines"], json!([]), "nothing of it was reached");
        let small = shown(&files, &inputs, &folder, 100);
        assert_eq!(
            (&small["files"][0]["lines"], &small["files"][1]["lines"]),
            (&json!([]), &json!([[1, "all", "fn f() {}"]]))
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn paths_are_those_of_the_workspace_or_of_the_package() {
        let root = Path::new("/home/shop");
        assert_eq!(name("/home/shop/src/lib.rs", root), "src/lib.rs");
        assert_eq!(
            name("/home/me/.cargo/registry/src/index-1/iso8601-0.1.1/src/lib.rs", root),
            "iso8601-0.1.1/src/lib.rs"
        );
        assert_eq!(name("/work/parser/src/lib.rs", root), "/work/parser/src/lib.rs");
    }
}
