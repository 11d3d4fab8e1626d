//! Runs all tests of one program.

use super::cases::{Ended, Reference, Running, another_error, no_regex};
use super::compile::Uncompiled;
use super::{Options, compile};
use crate::blocks::{Blocks, Case, Test};
use crate::client::{self, Error, Generation, STOPPED, Server, is_stopping};
use crate::properties::{
    self, ARGUMENTS, Attribute, Failure, Passed, Property, Rules, Settings, Stopped, attributes_in, imported_by,
    run_compatible, validate,
};
use regex_lite::Regex;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The outcome of a program.
///
/// ```no_run
/// use forall_futhark::programs::{Options, test_program};
/// let outcome = test_program("lib/sort.fut".as_ref(), &Options::default());
/// assert!(outcome.failures.is_empty(), "{}", outcome.text());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The source file of the program.
    pub program: PathBuf,
    /// The number of runs in the program's test blocks.
    pub runs: usize,
    /// The number of passed runs.
    pub passed: usize,
    /// Skipped tests, each with its name and the reason.
    pub skipped: Vec<String>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// The activities during which the failure occurred, outermost first.
    pub context: Vec<String>,
    /// The failures, each of one or more lines.
    pub failures: Vec<String>,
    /// The failed properties.
    pub failed: Vec<Failure>,
    /// The failed cases: the name of each, and its failure, which has that name in its first line.
    pub failed_cases: Vec<(String, String)>,
    /// The passed tests: properties by name, cases by the first line of their failures.
    pub succeeded: Vec<String>,
    /// The passed properties, with the statistics of their candidates.
    pub properties: Vec<(String, Passed)>,
    /// Whether the program was skipped because of its tags.
    pub is_excluded: bool,
    /// Whether the run was interrupted before all tests ran.
    pub was_stopped: bool,
    /// Whether no test could run: the compiler produces no program, the server does not start or ends before the first
    /// test, or it has no property to test. A program that the compiler rejects has failed.
    pub could_not_run: bool,
}

impl Outcome {
    /// Returns the complete message of a failed program.
    ///
    /// ```
    /// assert_eq!(forall_futhark::programs::Outcome::default().text(), "");
    /// ```
    pub fn text(&self) -> String {
        let mut lines = self.context.clone();
        lines.extend(self.failures.iter().cloned());
        lines.join("\n")
    }

    /// Records the failure of a case.
    fn fail_case(&mut self, name: &str, why: &str) {
        let text = format!("{name}\n{why}");
        self.failures.push(text.clone());
        self.failed_cases.push((name.to_owned(), text));
    }

    /// Records that no test of the program can run.
    fn unable(mut self, why: String) -> Self {
        self.could_not_run = true;
        self.failed(why)
    }

    fn failed(mut self, failure: String) -> Self {
        // An interrupt kills compilers and servers, so the program itself did not fail.
        match is_stopping() {
            true => self.skipped.push(format!("not run: {STOPPED}")),
            false => self.failures.push(failure),
        }
        self
    }
}

/// Tests one program.
///
/// ```no_run
/// # use forall_futhark::programs::{Options, test_program};
/// let outcome = test_program("lib/sort.fut".as_ref(), &Options::default());
/// println!("{} of {} runs passed", outcome.passed, outcome.runs);
/// ```
pub fn test_program(source: &Path, options: &Options) -> Outcome {
    let outcome = outcome_of(source, options);
    Outcome { was_stopped: is_stopping() && !outcome.skipped.is_empty(), ..outcome }
}

fn outcome_of(source: &Path, options: &Options) -> Outcome {
    let outcome = Outcome { program: source.to_owned(), ..Outcome::default() };
    let text = match std::fs::read(source).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return outcome.failed("The file is not UTF-8. Save it as UTF-8, or leave it out.".to_owned()),
        Err(error) => return outcome.unable(format!("cannot read it: {error}; name a file that can be read")),
    };
    let blocks = match Blocks::parse(&text) {
        Ok(blocks) => blocks,
        Err(error) => {
            return outcome.failed(format!("{}:{}:{}: {}", source.display(), error.line, error.column, error.message));
        }
    };
    let outcome = Outcome { runs: options.runs(&blocks), is_excluded: options.excludes(&blocks.tags), ..outcome };
    if outcome.is_excluded {
        return outcome;
    }
    if let Some(expected) = &blocks.compile_error {
        return refuses(outcome, source, expected.as_deref(), options);
    }
    let server = match compile::compile(source, options) {
        Ok(server) => server,
        Err(why) => {
            let context = vec![format!("Compiling with --backend={}:", options.backend)];
            let outcome = Outcome { context, ..outcome };
            return match why {
                Uncompiled::Rejected(message) => outcome.failed(message),
                Uncompiled::Unable(why) => outcome.unable(why),
            };
        }
    };
    if !server.executable.exists() {
        let (futhark, context) = (&options.futhark, vec![format!("Compiling with --backend={}:", options.backend)]);
        let why = format!(
            "`{futhark}` reports no error and produces no program: is it a Futhark compiler? --futhark names another"
        );
        return Outcome { context, ..outcome }.unable(why);
    }
    let mut outcome = outcome;
    outcome.failures.extend(missing_warnings(&blocks.warnings, &server.warnings));
    if options.compatible && !outcome.failures.is_empty() {
        outcome.context = vec![format!("Compiling with --backend={}:", options.backend)];
        return outcome;
    }
    let program = source.with_extension("");
    let end = Instant::now() + options.timeout;
    run(outcome, &Compiled { source, text: &text, blocks: &blocks, program: &program, server: &server, options, end })
}

/// Returns the expected compiler warnings that are missing.
fn missing_warnings(expected: &[String], said: &str) -> Vec<String> {
    let missing = |expected: &String| match Regex::new(expected) {
        Ok(regex) if regex.is_match(said) => None,
        Ok(_) => Some(format!("Expected warning:\n  {expected}\nGot warnings:\n  {said}")),
        Err(error) => Some(no_regex(expected, &error)),
    };
    expected.iter().filter_map(missing).collect()
}

/// Tests a program in any language that implements the protocol. Every entry point with the attribute `prop` is a
/// property.
///
/// ```no_run
/// # use forall_futhark::programs::{Options, test_server};
/// let outcome = test_server("./midpoint".as_ref(), &Options::default());
/// println!("{} of {} properties hold", outcome.passed, outcome.runs);
/// ```
pub fn test_server(program: &Path, options: &Options) -> Outcome {
    let (nothing, mut blocks) = (Blocks::default(), Blocks::default());
    let server = compile::Server::of(program);
    let end = Instant::now() + options.timeout;
    let compiled = |blocks| Compiled { source: program, text: "", blocks, program, server: &server, options, end };
    let outcome = Outcome { program: program.to_owned(), ..Outcome::default() };
    match compiled(&nothing).listed() {
        Ok(names) => blocks.tests.extend(names.into_iter().map(|name| Test::Property { name, line: 0 })),
        Err(error) => return outcome.unable(error.to_string()),
    }
    if blocks.tests.is_empty() {
        return outcome.unable(
            "It has no properties: no entry point has the attribute prop. Add it to one, so that the command `attributes` returns it."
                .to_owned(),
        );
    }
    if let Some(only) = options.entry_point.as_deref().filter(|only| !blocks.properties().any(|name| name == *only)) {
        let all: Vec<&str> = blocks.properties().collect();
        return outcome.unable(format!("It has no property {only}; it has: {}", all.join(", ")));
    }
    let outcome = run(Outcome { runs: options.runs(&blocks), ..outcome }, &compiled(&blocks));
    Outcome { was_stopped: is_stopping() && !outcome.skipped.is_empty(), ..outcome }
}

/// Tests a program that the compiler should reject.
fn refuses(outcome: Outcome, source: &Path, expected: Option<&str>, options: &Options) -> Outcome {
    let context = vec![format!("Type-checking with 'futhark check {}':", source.display())];
    let expected = expected.unwrap_or_default();
    let failure = match (compile::check(source, options), Regex::new(expected)) {
        (Err(why), _) => return Outcome { context, ..outcome }.unable(why),
        (_, Err(error)) => no_regex(expected, &error),
        (Ok(Some(said)), Ok(regex)) if regex.is_match(&said) => return outcome,
        (Ok(Some(said)), Ok(_)) => another_error(expected, &said),
        (Ok(None), Ok(_)) => "Expected failure\n".to_owned(),
    };
    Outcome { context, ..outcome }.failed(failure)
}

/// A program that is ready to run.
struct Compiled<'a> {
    source: &'a Path,
    text: &'a str,
    blocks: &'a Blocks,
    /// The source file without its extension: the prefix of all written files.
    program: &'a Path,
    server: &'a compile::Server,
    options: &'a Options,
    /// The deadline of the program.
    end: Instant,
}

fn run(mut outcome: Outcome, compiled: &Compiled<'_>) -> Outcome {
    let options = compiled.options;
    let (executable, server_options) = compiled.server();
    outcome.context = vec![format!("Running {}:", compiled.here())];
    if compiled.server.is_compiled() {
        let before = [format!("Compiling with --backend={}:", options.backend), "Running compiled program:".to_owned()];
        outcome.context.splice(0..0, before);
    }
    let end = compiled.end;
    let start = || {
        if Instant::now() >= end {
            return Err(Error::Impossible(format!(
                "the time limit of this program was reached ({:?})",
                options.timeout
            )));
        }
        let server = Server::start(&executable, &server_options)?;
        server.ends_at(Some(end));
        Ok(server)
    };
    let server = match start() {
        Ok(server) => server,
        Err(error) if !options.compatible => return outcome.unable(error.to_string()),
        Err(error) => {
            outcome.context.clear();
            return outcome.unable(error.to_string());
        }
    };
    let ran = compiled.all(server, &start, &mut outcome);
    if let Err(Over(text)) = ran {
        if options.compatible {
            // For an error that ends the whole file, `futhark test` omits all earlier output.
            outcome.context.clear();
            outcome.failures.clear();
            outcome.failed_cases.clear();
        }
        outcome = outcome.failed(text);
    }
    outcome
}

/// Records that no further test of this program can run, and why.
struct Over(String);

impl From<Error> for Over {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// Returns candidates of a property of a program, in Futhark syntax.
///
/// ```no_run
/// use forall_futhark::programs::{Options, sample_program};
/// for candidate in sample_program("lib/sort.fut".as_ref(), "is_sorted", 10, &Options::default()).unwrap() {
///     println!("{candidate}");
/// }
/// ```
pub fn sample_program(source: &Path, property: &str, count: u64, options: &Options) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(source).map_err(|error| format!("cannot read {}: {error}", source.display()))?;
    let blocks = Blocks::parse(&text).map_err(|error| format!("{}: {error}", source.display()))?;
    let program = source.with_extension("");
    let server = compile::compile(source, options).map_err(Uncompiled::into_message)?;
    let end = Instant::now() + options.timeout;
    let compiled = Compiled { source, text: &text, blocks: &blocks, program: &program, server: &server, options, end };
    let (executable, server_options) = compiled.server();
    let start = || Server::start(&executable, &server_options);
    let server = start().map_err(|error| error.to_string())?;
    let (properties, problems) = compiled.validated(&server).map_err(|error| error.to_string())?;
    let Some(found) = properties.iter().find(|known| known.name == property) else {
        let names: Vec<&str> = properties.iter().map(|known| &*known.name).collect();
        let problems = problems.join("\n");
        return Err(format!(
            "{} has no property {property}; it has: {}\n{problems}",
            source.display(),
            names.join(", ")
        ));
    };
    properties::sample(&start, found, &compiled.settings(), count).map_err(|error| error.to_string())
}

impl Compiled<'_> {
    /// Returns the entry points with the attribute `prop`.
    fn listed(&self) -> Result<Vec<String>, Error> {
        let (executable, options) = self.server();
        let server = Server::start(&executable, &options)?;
        let mut names = Vec::new();
        for name in server.entry_points() {
            let is_property = server.attributes(name)?.iter().any(|text| Attribute::parse(text).is_some());
            if is_property {
                names.push(name.clone());
            }
        }
        Ok(names)
    }

    /// Returns the name of the program.
    fn here(&self) -> String {
        match self.program.is_absolute() || !self.server.is_compiled() {
            true => self.program.display().to_string(),
            false => format!("./{}", self.program.display()),
        }
    }

    /// Returns the command that starts the server, and its options.
    fn server(&self) -> (String, client::Options) {
        let mut options = client::Options::default().timeout(self.options.call_timeout);
        for word in &self.options.program_options {
            options = options.argument(word);
        }
        if let Some(runner) = &self.options.runner {
            options = options.runner(runner);
        }
        if let Some(coverage) = &self.server.coverage {
            let (name, value) = coverage.variable();
            options = options.variable(name, value);
        }
        (self.server.executable.display().to_string(), options)
    }

    fn settings(&self) -> Settings {
        Settings {
            tests: self.options.tests,
            size: self.options.size,
            seed: self.options.seed,
            tries: self.options.tries,
            program: self.program.to_owned(),
            log: self.options.log_candidates.clone(),
            extra_time: self.options.extra_time,
            shrink_time: self.options.shrink_time,
            hang_time: self.options.timeout,
            coverage: self.server.coverage.clone(),
        }
    }

    /// Returns the valid properties, and the errors of the others.
    fn validated(&self, server: &Server) -> Result<(Vec<Property>, Vec<String>), Error> {
        let from_source = (server.generation() == Generation::Legacy).then(|| attributes_in(self.text));
        let attributes_of = |name: &str| {
            let known = from_source.as_ref()?;
            Some(known.get(name).cloned().unwrap_or_default())
        };
        let rules = if self.options.compatible { Rules::Compatible } else { Rules::Ours };
        let (properties, problems) = validate(server, self.blocks, rules, &attributes_of)?;
        let imported = imported_by(self.source, self.text);
        let known = properties.into_iter().map(|property| property.in_sources(self.text, &imported));
        Ok((known.collect(), problems))
    }

    /// Returns the valid properties, and records the problems and warnings of the others; `None` if none of the program's
    /// tests are run.
    fn checked(&self, server: &Server, outcome: &mut Outcome) -> Result<Option<Vec<Property>>, Error> {
        let (properties, problems) = self.validated(server)?;
        if self.options.compatible && !problems.is_empty() {
            outcome.failures.push(problems.join("\n"));
            return Ok(None);
        }
        outcome.failures.extend(problems);
        if !self.options.compatible {
            self.warn_of_unknown_arguments(&properties, outcome);
            self.warn_of_misspelled_attributes(server, outcome)?;
        }
        Ok(Some(properties))
    }

    /// Runs all tests.
    fn all(
        &self,
        mut server: Server,
        start: &dyn Fn() -> Result<Server, Error>,
        outcome: &mut Outcome,
    ) -> Result<(), Over> {
        let checked = self.checked(&server, outcome);
        // The server was lost before the first test.
        outcome.could_not_run = checked.is_err() && outcome.failures.is_empty();
        let Some(properties) = checked? else { return Ok(()) };
        let mut over = None;
        let reference = Reference::default();
        for (entry_point, number, case) in self.cases() {
            let name = format!("Entry point: {entry_point}; dataset: {}:", case.name);
            if let Some(Over(why)) = &over {
                outcome.skipped.push(format!("{name} not run: {why}"));
                continue;
            }
            let running = Running {
                server: &server,
                source: self.source,
                entry_point,
                case,
                number,
                options: self.options,
                reference: &reference,
            };
            let Err(lost) = self.case(&running, &name, outcome) else { continue };
            if self.options.compatible {
                return Err(lost.into());
            }
            match is_stopping() {
                true => outcome.skipped.push(format!("{name} not completed: {STOPPED}")),
                false => outcome.fail_case(&name, &lost.to_string()),
            }
            match start() {
                Ok(another) => server = another,
                Err(error) => over = Some(Over::from(error)),
            }
        }
        match over {
            Some(over) => self.leave_out(0, &properties, &over, outcome),
            None => self.properties(&server, start, &properties, outcome)?,
        }
        Ok(())
    }

    /// Returns every case of every selected entry point, with its number in its block.
    fn cases(&self) -> impl Iterator<Item = (&str, usize, &Case)> {
        self.blocks.tests.iter().flat_map(|test| {
            let (entry_points, cases) = match test {
                Test::Cases { entry_points, cases } => (&entry_points[..], &cases[..]),
                _ => (&[][..], &[][..]),
            };
            let asked_for = entry_points.iter().filter(|name| self.is_asked_for(name));
            asked_for
                .flat_map(move |name| cases.iter().enumerate().map(move |(number, case)| (name.as_str(), number, case)))
        })
    }

    /// Returns the time limit for calls that time out in the property with this number: half of its share of the
    /// remaining time.
    fn hang_time(&self, number: usize) -> Duration {
        let left = self.blocks.properties().count().saturating_sub(number).max(1);
        self.end.saturating_duration_since(Instant::now()) / (2 * u32::try_from(left).unwrap_or(u32::MAX / 2))
    }

    /// Records the properties from this number on as skipped.
    fn leave_out(&self, from: usize, valid: &[Property], Over(why): &Over, outcome: &mut Outcome) {
        let names = self.blocks.properties().skip(from);
        for name in names.filter(|name| self.is_asked_for(name) && valid.iter().any(|property| property.name == *name))
        {
            outcome.skipped.push(format!("Property {name}: not run: {why}"));
        }
    }

    fn is_asked_for(&self, entry_point: &str) -> bool {
        self.options.asks_for(entry_point)
    }

    fn warn_of_unknown_arguments(&self, properties: &[Property], outcome: &mut Outcome) {
        for property in properties {
            for argument in &property.attribute.unknown {
                let (file, name) = (self.source.display(), &property.name);
                if let Some(size) = argument.strip_prefix("size(").and_then(|rest| rest.strip_suffix(')')) {
                    let why = format!("`{size}` is not a number: write size(50), for example");
                    outcome.warnings.push(format!("{file}: #[prop(…)] of {name} says `{argument}`, but {why}"));
                    continue;
                }
                outcome.warnings.push(format!(
                    "{}: #[prop(…)] of {} says `{argument}`, which is unknown; expected {ARGUMENTS}",
                    self.source.display(),
                    property.name
                ));
            }
        }
    }

    /// Warns about misspelled attributes: without the warning, the property would silently not be tested.
    fn warn_of_misspelled_attributes(&self, server: &Server, outcome: &mut Outcome) -> Result<(), Error> {
        let from_source = attributes_in(self.text);
        for name in server.entry_points() {
            let attributes = match server.generation() {
                Generation::Legacy => from_source.get(name).cloned().unwrap_or_default(),
                Generation::Current => server.attributes(name)?,
            };
            for written in attributes.iter().filter(|text| Attribute::parse(text).is_none()) {
                let word: String = written.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if word.to_lowercase().starts_with("prop") {
                    outcome.warnings.push(format!(
                        "{}: #[{written}] of {name} is unknown; #[prop] or #[prop(…)] declares a property",
                        self.source.display(),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Runs a case. Fails if the server is lost.
    fn case(&self, running: &Running<'_>, name: &str, outcome: &mut Outcome) -> Result<(), Error> {
        if self.options.excludes(&running.case.tags) {
            outcome.skipped.push(format!("{name} excluded by its tags"));
            return Ok(());
        }
        match running.run() {
            Ok(()) => {
                outcome.passed += 1;
                outcome.succeeded.push(name.to_owned());
            }
            Err(Ended::Failed(text)) => outcome.fail_case(name, &text),
            Err(Ended::Lost(error)) => return Err(error),
        }
        Ok(())
    }

    /// Runs the properties in the listed order, including repetitions.
    fn properties(
        &self,
        server: &Server,
        start: &dyn Fn() -> Result<Server, Error>,
        valid: &[Property],
        outcome: &mut Outcome,
    ) -> Result<(), Over> {
        let options = self.options;
        let mut settings = self.settings();
        let mut failed = Vec::new();
        for (number, name) in self.blocks.properties().enumerate() {
            if is_stopping() {
                self.leave_out(number, valid, &Over(STOPPED.to_owned()), outcome);
                break;
            }
            settings.hang_time = self.hang_time(number);
            let Some(property) = valid.iter().find(|property| property.name == name) else { continue };
            // `futhark test` runs properties regardless of the selected entry point.
            if !options.compatible && !self.is_asked_for(name) {
                continue;
            }
            let ran = match options.compatible {
                true => run_compatible(server, property, &settings),
                false => properties::run(start, property, &settings).map(|passed| {
                    let warning = |note: &String| format!("{}: {name}: {note}", self.source.display());
                    outcome.warnings.extend(passed.notes.iter().map(warning));
                    outcome.properties.push((name.to_owned(), passed));
                }),
            };
            match ran {
                Ok(()) => {
                    outcome.passed += 1;
                    outcome.succeeded.push(name.to_owned());
                    self.forget_counterexample(&settings, name);
                }
                Err(Stopped::Failed(failure)) => failed.push(failure),
                Err(Stopped::Lost(error)) if is_stopping() => {
                    outcome.skipped.push(format!("Property {name}: not completed: {error}"));
                    self.leave_out(number + 1, valid, &Over(STOPPED.to_owned()), outcome);
                    break;
                }
                Err(Stopped::Critical(text)) => return Err(Over(text)),
                Err(Stopped::TimedOut(phase)) => {
                    let timeout = options.timeout.as_micros();
                    return Err(Over(format!("user error (test timeout after {timeout} microseconds{phase})")));
                }
                Err(Stopped::Lost(error)) => return Err(error.into()),
            }
        }
        let texts: Vec<String> = failed.iter().map(|failure| failure.text.clone()).collect();
        let file = self.program.with_extension("prop_result");
        if !texts.is_empty() {
            if let Err(error) = std::fs::write(&file, texts.join("\n") + "\n") {
                outcome.warnings.push(format!("cannot write {}: {error}", file.display()));
            }
        } else if !options.compatible && options.entry_point.is_none() {
            // The file may not exist; a file that cannot be removed does no harm.
            let _ = std::fs::remove_file(&file);
        }
        outcome.failures.extend(texts);
        outcome.failed.extend(failed);
        Ok(())
    }

    /// Deletes the saved counterexample of a property that now passes.
    fn forget_counterexample(&self, settings: &Settings, property: &str) {
        if !self.options.compatible && settings.tests > 0 {
            // The file may not exist; a file that cannot be removed does no harm.
            let _ = std::fs::remove_file(settings.counterexample_file(property));
        }
    }
}
