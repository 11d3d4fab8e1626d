//! Searches for inputs on which surviving mutants differ from the original.

use super::super::build;
use super::super::copy::Copy;
use super::super::library::Library;
use super::super::limits::{self, End, Limits};
use super::super::mutant::{Edit, Edition, Mutant};
use super::super::reach::{Reach, in_parallel};
use super::super::tests::{Place, Setting, Test};
use super::super::text::plural;
use super::call::Types;
use super::made;
use crate::screen::{Screen, visible};
use crate::{Error, interrupt, properties};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of inputs to generate per mutant.
const TESTS: u64 = 20_000;

/// The limits of each search, including shrinking: CPU time, and time spent waiting.
const TIME: Duration = Duration::from_secs(6);

/// The maximum number of strings from tests.
const NOTES: usize = 500;

/// The number of strings from the function's own calls that suffices.
const ENOUGH: usize = 5;

/// The maximum number of tests whose calls are compared: those that reach the mutant most often.
const CALLERS: usize = 16;

/// The maximum number of functions around a function whose inputs are generated in place of its own.
const AROUND: usize = 6;

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// The input; `None` if no difference was found.
    pub found: Option<Found>,
    /// The number of generated inputs.
    generated: u64,
    /// The number of tests whose calls were compared.
    callers: usize,
    /// Whether the search reached a time limit.
    cut_short: bool,
    /// Whether inputs were generated, none of which reaches the mutant.
    unreached: bool,
    /// The stub of a property; empty if arguments cannot be generated.
    pub stub: String,
}

/// An input on which a mutant and the original differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The call as Rust code.
    pub code: String,
    /// The result of the original.
    pub original: String,
    /// The result of the mutant.
    pub mutant: String,
    /// The test that makes the call; `None` if the call was generated.
    pub test: Option<String>,
    /// The function that is called: that of the mutant, or one that calls it.
    function: usize,
}

impl Difference {
    /// Returns the text for the terminal.
    pub fn text(&self, screen: &Screen) -> String {
        let Some(Found { code, original, mutant, test, .. }) = &self.found else {
            return screen.wrap("     ", &self.nothing());
        };
        let short = |text: &str| crate::list::shortened(&visible(text), 400);
        let mut out = screen.wrap("     ", &format!("original and mutant differ for {}", short(code)));
        out += &screen.wrap("       ", &format!("original: {}", short(original)));
        out += &screen.wrap("       ", &format!("mutant:   {}", short(mutant)));
        if let Some(test) = test {
            out += &screen.wrap("       ", &format!("{} makes this call and passes", visible(test)));
        }
        if !self.stub.is_empty() {
            out += "     a property that checks the result kills it:\n";
        }
        for line in self.stub.lines() {
            out += &format!("       {}\n", visible(line));
        }
        out
    }

    /// Returns the reason why no input was found.
    fn nothing(&self) -> String {
        let generated = format!("for {} generated inputs", self.generated);
        let called = format!("in the calls of {}", plural(self.callers, "test"));
        let where_ = match (self.generated, self.callers) {
            (0, 0) if self.unreached => return "no generated input reaches the mutant".to_owned(),
            (0, 0) => return "no input tried: the arguments can be neither generated nor cloned".to_owned(),
            (0, _) => called,
            (_, 0) => generated,
            (_, _) => format!("{generated} and {called}"),
        };
        match self.cut_short {
            true => "no input found: the search reached its time limit".to_owned(),
            false => format!("same result {where_}; possibly equivalent"),
        }
    }

    /// Returns the JSON form.
    pub fn json(&self) -> Value {
        match &self.found {
            Some(Found { code, original, mutant, test, .. }) => {
                json!({"input": code, "original": original, "mutant": mutant, "test": test, "stub": self.stub})
            }
            None => json!({"tried": self.generated, "callers": self.callers, "cut_short": self.cut_short}),
        }
    }
}

/// The inputs of a search.
#[derive(Debug)]
pub struct Search<'a> {
    /// The code.
    pub library: &'a Library,
    /// The mutants that compile.
    pub compiled: &'a BTreeSet<u32>,
    /// The survivors, most often executed first.
    pub survivors: &'a [&'a Mutant],
    /// The tests.
    pub tests: &'a [Test],
    /// The baseline of each test.
    pub reached: &'a [Reach],
    /// The copy of the workspace.
    pub copy: &'a Copy,
    /// The name under which packages import forall.
    pub forall: &'a str,
    /// The settings of runs.
    pub setting: &'a Setting,
    /// The working directory.
    pub directory: &'a Path,
    /// The number of cores.
    pub workers: usize,
    /// The deadline.
    pub until: Option<Instant>,
}

/// A string in hexadecimal digits after its length, so that the shortest sorts first.
type Note = (usize, String);

/// Returns the strings from tests for a function: its own if there are enough of them, otherwise all.
fn strings_for(function: usize, known: &BTreeMap<usize, BTreeSet<Note>>) -> String {
    let own = known.get(&function).filter(|own| own.len() >= ENOUGH);
    let strings: BTreeSet<&Note> = own.map_or_else(|| known.values().flatten().collect(), |own| own.iter().collect());
    // If there are too many, every n-th, so that all lengths occur.
    let step = strings.len().div_ceil(NOTES).max(1);
    strings.iter().step_by(step).map(|(_, line)| format!("{line}\n")).collect()
}

/// The build with comparing code, by function.
struct Comparing {
    /// The comparing properties.
    properties: BTreeMap<usize, Test>,
    /// The functions whose calls are compared.
    observed: BTreeSet<usize>,
    /// For each function with survivors, the functions whose inputs are generated in place of its own.
    around: BTreeMap<usize, Vec<usize>>,
}

/// The outcome of comparing a mutant with the original in a test.
struct Compared {
    /// Whether any result was compared: it may be impossible to build or copy the arguments.
    any: bool,
    /// Whether the process ended without a result.
    has_crashed: bool,
}

impl Search<'_> {
    /// Builds comparing code for each function with survivors, and runs it for each survivor. `command` builds all
    /// tests.
    pub fn run(&self, command: &dyn Fn() -> Result<Command, Error>) -> Result<BTreeMap<u32, Difference>, Error> {
        let types = Types::new(
            self.library.functions.iter().filter_map(|function| function.signature.as_ref()),
            &self.library.types,
        );
        let comparing = self.build(&types, command)?;
        let known = self.known()?;
        let found = Mutex::new(BTreeMap::new());
        let next = Mutex::new(self.survivors.iter());
        in_parallel(self.workers, &|worker| {
            let mut place = Place::new(self.directory.join(worker.to_string()))?;
            let file = self.directory.join(format!("{worker}.difference"));
            loop {
                let is_over = interrupt::came() || self.until.is_some_and(|until| Instant::now() >= until);
                let item = next.lock().expect("no worker panics").next().filter(|_| !is_over);
                let Some(mutant) = item else { return Ok(()) };
                let mut difference = self.difference(mutant, &comparing, &known, &mut place, &file)?;
                let called = difference.found.as_ref().map_or(mutant.function, |found| found.function);
                let signature = self.library.functions[called].signature.as_ref();
                difference.stub = signature.filter(|it| types.has(it)).map(|it| it.stub(&types)).unwrap_or_default();
                found.lock().expect("no worker panics").insert(mutant.id, difference);
            }
        })?;
        Ok(found.into_inner().expect("no worker panics"))
    }

    fn build(&self, types: &Types, command: &dyn Fn() -> Result<Command, Error>) -> Result<Comparing, Error> {
        let mut library = Library {
            files: self.library.files.clone(),
            functions: self.library.functions.clone(),
            mutants: self.library.mutants.iter().filter(|mutant| self.compiled.contains(&mutant.id)).cloned().collect(),
            ..Library::default()
        };
        let mut id = self.library.mutants.iter().map(|mutant| mutant.id).max().unwrap_or(0);
        let mut add = |function: usize, at: usize, code: String| {
            id += 1;
            let (replacement, what) = (String::new(), String::new());
            let edit = Edit::Beside(at, code);
            library.mutants.push(Mutant { id, function, range: at..at, replacement, what, edit });
            id
        };
        let own: BTreeSet<usize> = self.survivors.iter().map(|mutant| mutant.function).collect();
        let around: BTreeMap<usize, Vec<usize>> = own.iter().map(|&it| (it, self.around(it, types))).collect();
        let functions: BTreeSet<usize> = own.iter().chain(around.values().flatten()).copied().collect();
        let mut observing: BTreeMap<usize, u32> = BTreeMap::new();
        for function in functions {
            let found = &self.library.functions[function];
            if let Some(signature) = found.signature.as_ref().filter(|it| types.has(it))
                && let Some(code) = signature.property(function, self.forall, types)
            {
                // The 2015 edition looks for `::forall` in the crate.
                let code = match self.library.files[found.file].edition {
                    Edition::Since2018 => code,
                    _ => code.replace(&format!("::{}::", self.forall), &format!("{}::", self.forall)),
                };
                add(function, signature.after, code);
            }
            if let Some(observed) = found.observed.as_ref().filter(|_| own.contains(&function)) {
                observing.insert(function, add(function, found.start, observed.code(function)));
            }
        }
        for (function, found) in self.library.functions.iter().enumerate().filter(|(_, found)| !found.notes.is_empty())
        {
            add(function, found.start, made::noting(function, &found.notes));
        }
        let built = build::build(&library, self.copy, command)?;
        let mut properties = BTreeMap::new();
        for binary in &built.binaries {
            for name in properties::tests_of(binary)? {
                let number = name.strip_suffix("::differ").and_then(|path| path.rsplit("__forall_differ_").next());
                let Some(function) = number.and_then(|number| number.parse().ok()) else { continue };
                let (harness_name, binary) = (name.clone(), binary.clone());
                let test = Test { name, harness_name, place: String::new(), is_property: true, binary };
                properties.insert(function, test);
            }
        }
        let is_built = |(_, id): &(usize, u32)| built.compiled.contains(id);
        let observed = observing.into_iter().filter(is_built).map(|(function, _)| function).collect();
        Ok(Comparing { properties, observed, around })
    }

    /// Returns the nearest functions that call a function and whose arguments can be generated. A caller is a function
    /// that mentions the name: types are not resolved, and a function that does not reach the mutant is given up soon.
    fn around(&self, function: usize, types: &Types) -> Vec<usize> {
        let functions = &self.library.functions;
        let name = |function: usize| functions[function].name.rsplit("::").next().unwrap_or_default();
        let mentions = |caller: usize, called: usize| {
            let text = &self.library.files[functions[caller].file].text[functions[caller].range.clone()];
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| word == name(called))
        };
        let can_be_called = |function: usize| functions[function].signature.as_ref().is_some_and(|it| types.has(it));
        let (mut seen, mut next, mut found) = (BTreeSet::from([function]), vec![function], Vec::new());
        while !next.is_empty() && found.len() < AROUND {
            let is_caller = |it: &usize| !seen.contains(it) && next.iter().any(|called| mentions(*it, *called));
            let mut callers: Vec<usize> = (0..functions.len()).filter(is_caller).collect();
            callers.sort_by_key(|caller| functions[*caller].file != functions[function].file);
            seen.extend(&callers);
            found.extend(callers.iter().copied().filter(|caller| can_be_called(*caller)));
            next = callers;
        }
        found.truncate(AROUND);
        found
    }

    /// Returns the string arguments of functions in tests, by function.
    fn known(&self) -> Result<BTreeMap<usize, BTreeSet<Note>>, Error> {
        let noted: Mutex<BTreeMap<usize, BTreeSet<Note>>> = Mutex::new(BTreeMap::new());
        let next = AtomicUsize::new(0);
        in_parallel(self.workers, &|worker| {
            let mut place = Place::new(self.directory.join(worker.to_string()))?;
            let file = self.directory.join(format!("{worker}.notes"));
            loop {
                let test = self.tests.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !interrupt::came());
                let Some(test) = test else { return Ok(()) };
                let _ = std::fs::remove_file(&file);
                let limits = Limits { processor: TIME, waiting: TIME, memory: self.setting.memory };
                let mut command = place.command(test, self.setting, limits)?;
                limits::run(command.env("__FORALL_NOTES", &file).env("__FORALL_MUTANT", "0"), limits)?;
                place.restore(&test.binary)?;
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                let mut noted = noted.lock().expect("no worker panics");
                for (function, line) in text.lines().filter_map(|line| line.split_once(' ')) {
                    let Ok(function) = function.parse() else { continue };
                    noted.entry(function).or_default().insert((line.len(), line.to_owned()));
                }
            }
        })?;
        Ok(noted.into_inner().expect("no worker panics"))
    }

    /// Generates inputs, and then compares calls in tests, until a result differs.
    fn difference(
        &self,
        mutant: &Mutant,
        comparing: &Comparing,
        known: &BTreeMap<usize, BTreeSet<Note>>,
        place: &mut Place,
        file: &Path,
    ) -> Result<Difference, Error> {
        let mut difference = Difference::default();
        self.generate(mutant, mutant.function, comparing, known, place, file, &mut difference)?;
        self.observe(mutant, comparing, place, file, &mut difference)?;
        for caller in comparing.around.get(&mutant.function).into_iter().flatten() {
            if difference.found.is_some() {
                break;
            }
            self.generate(mutant, *caller, comparing, known, place, file, &mut difference)?;
        }
        Ok(difference)
    }

    /// Generates inputs of a function: that of the mutant, or one that calls it.
    #[allow(clippy::too_many_arguments, reason = "they are passed on")]
    fn generate(
        &self,
        mutant: &Mutant,
        function: usize,
        comparing: &Comparing,
        known: &BTreeMap<usize, BTreeSet<Note>>,
        place: &mut Place,
        file: &Path,
        difference: &mut Difference,
    ) -> Result<(), Error> {
        let Some(test) = comparing.properties.get(&function) else { return Ok(()) };
        let strings = file.with_extension("known");
        let _ = std::fs::write(&strings, strings_for(function, known));
        let (numbers, literals) = (self.numbers(mutant), file.with_extension("literals"));
        let text: String = numbers.iter().map(|number| format!("{number}\n")).collect();
        let _ = std::fs::write(&literals, format!("# {}\n{text}", self.library.file(mutant).name));
        let more = [
            ("FORALL_TESTS", TESTS.to_string()),
            ("FORALL_HEALTH", "off".to_owned()),
            ("FORALL_LITERALS", literals.display().to_string()),
            ("__FORALL_KNOWN", strings.display().to_string()),
            ("__FORALL_NUMBERS", numbers.join(" ")),
        ];
        let mut compared = self.compare(mutant, test, &more, place, file, difference)?;
        if compared.has_crashed {
            // A function that allocates as much memory as an argument says, for example.
            let more = [&more[..], &[("__FORALL_SMALL", String::new())]].concat();
            compared = self.compare(mutant, test, &more, place, file, difference)?;
        }
        match compared.any {
            true => difference.generated += TESTS,
            false => difference.unreached = true,
        }
        if let Some(found) = &mut difference.found {
            found.function = function;
        }
        Ok(())
    }

    /// Compares the calls that tests make.
    fn observe(
        &self,
        mutant: &Mutant,
        comparing: &Comparing,
        place: &mut Place,
        file: &Path,
        difference: &mut Difference,
    ) -> Result<(), Error> {
        if difference.found.is_some() || !comparing.observed.contains(&mutant.function) {
            return Ok(());
        }
        let count = |test: &usize| self.reached[*test].mutants.get(&mutant.id).copied();
        let mut callers: Vec<usize> = (0..self.tests.len()).filter(|test| count(test).is_some()).collect();
        callers.sort_by_key(|test| std::cmp::Reverse(count(test)));
        for &test in callers.iter().take(CALLERS) {
            if difference.found.is_some() {
                break;
            }
            let more = [("__FORALL_OBSERVED", mutant.function.to_string())];
            if self.compare(mutant, &self.tests[test], &more, place, file, difference)?.any {
                difference.callers += 1;
            }
            if let Some(found) = &mut difference.found {
                found.test = Some(self.tests[test].name.clone());
            }
        }
        Ok(())
    }

    /// Returns the integer literals of a function. Those of the changed line are repeated so that they are half of
    /// all: an input that shows the change often has a number next to them.
    fn numbers(&self, mutant: &Mutant) -> Vec<String> {
        let text = &self.library.file(mutant).text;
        let of = |text: &str| -> BTreeSet<u64> {
            let text = text.replace('_', "");
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.parse().ok()).collect()
        };
        let all = of(&text[self.library.functions[mutant.function].range.clone()]);
        let start = text[..mutant.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[mutant.range.start..].find('\n').map_or(text.len(), |at| mutant.range.start + at);
        let near = of(&text[start..end]);
        let repeated = near.iter().cycle().take(if near.is_empty() { 0 } else { all.len() });
        all.iter().chain(repeated).map(u64::to_string).collect()
    }

    /// Runs a test that compares a mutant with the original.
    fn compare(
        &self,
        mutant: &Mutant,
        test: &Test,
        more: &[(&str, String)],
        place: &mut Place,
        file: &Path,
        difference: &mut Difference,
    ) -> Result<Compared, Error> {
        let comparisons = file.with_extension("compared");
        let _ = (std::fs::remove_file(file), std::fs::remove_file(&comparisons));
        let limits = Limits { processor: TIME, waiting: TIME, memory: self.setting.memory };
        let mut command = place.command(test, self.setting, limits)?;
        command.env("__FORALL_COMPARED", mutant.id.to_string()).env("__FORALL_DIFFERENCE", file);
        command.env("__FORALL_COMPARISONS", &comparisons);
        // Shrinking is limited by its number of evaluations, so that the result does not depend on the machine's load.
        command.env_remove("FORALL_SHRINK_EVALUATIONS").env("FORALL_SHRINK_TIME", "1h").env("__FORALL_MUTANT", "0");
        command.envs(more.iter().map(|(name, value)| (name, value)));
        let ended = limits::run(&mut command, limits)?;
        place.restore(&test.binary)?;
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let lines: Vec<String> = text.splitn(3, '\n').map(str::to_owned).collect();
        let mut has_crashed = false;
        match <[String; 3]>::try_from(lines) {
            Ok([code, original, changed]) => {
                difference.found =
                    Some(Found { code, original, mutant: changed, test: None, function: mutant.function });
            }
            Err(_) => {
                difference.cut_short |= ended.end == End::TimedOut;
                has_crashed = ended.end == End::Failed;
            }
        }
        Ok(Compared { any: comparisons.exists(), has_crashed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survivor_without_a_difference_may_be_equivalent() {
        let text = |difference: &Difference| difference.text(&Screen::plain()).trim().to_owned();
        let mut none = Difference { generated: 5000, ..Difference::default() };
        assert_eq!(text(&none), "same result for 5000 generated inputs; possibly equivalent");
        assert_eq!(none.json(), json!({"tried": 5000, "callers": 0, "cut_short": false}));
        none.callers = 1;
        let both = "same result for 5000 generated inputs and in the calls of 1 test; possibly equivalent";
        assert_eq!(text(&none), both);
        none.generated = 0;
        assert_eq!(text(&none), "same result in the calls of 1 test; possibly equivalent");
        none.cut_short = true;
        assert_eq!(text(&none), "no input found: the search reached its time limit");
        let nothing = "no input tried: the arguments can be neither generated nor cloned";
        assert_eq!(text(&Difference::default()), nothing);
        let unreached = Difference { unreached: true, ..Difference::default() };
        assert_eq!(text(&unreached), "no generated input reaches the mutant");
    }

    #[test]
    fn a_difference_in_the_call_of_a_test_names_the_test() {
        let test = Some("tests::round_trip".to_owned());
        let [code, original, mutant] = ["f(1)", "2", "3"].map(str::to_owned);
        let found = Some(Found { code, original, mutant, test, function: 0 });
        let text = Difference { found, ..Difference::default() }.text(&Screen::plain());
        let expected = "     original and mutant differ for f(1)\n       original: 2\n       mutant:   3\n       tests::round_trip makes this call and passes\n";
        assert_eq!(text, expected);
    }
}
