//! The events of a run: a line of JSON each. `forall::observe` has their meaning.

use super::Fields;
use super::record::words;
use super::{Encode, Record, VERSION, Verdict};
use crate::__record as record;
pub use crate::fact::Value as Figure;
use crate::json::Object;
use crate::statistics::ByName;

use super::{Decode, OtherVersion, record::field};
use crate::json::JsonValue;

/// An event, and its property.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The name of the property.
    pub property: String,
    /// The event.
    pub event: Event,
}

impl Encode for Told {
    fn encode(&self) -> String {
        let mut object = Object::new();
        object.raw("v", &VERSION.encode());
        object.raw("event", &crate::json::quoted(self.event.word()));
        object.raw("property", &crate::json::quoted(&self.property));
        self.event.fields(&mut object);
        object.end()
    }
}

impl Told {
    /// Parses a line. `None` if it is truncated, because the process crashed, or has an event of a later version.
    #[inline]
    pub fn read(line: &str) -> Result<Option<Self>, OtherVersion> {
        let Some(json @ JsonValue::Object(_)) = JsonValue::read(line) else { return Ok(None) };
        let version = field(&json, "v");
        if version != VERSION {
            return Err(OtherVersion(version));
        }
        let event = json.get("event").and_then(JsonValue::as_str).and_then(|word| Event::decode(word, &json));
        Ok(event.map(|event| Self { property: field(&json, "property"), event }))
    }
}

/// Declares the events: a record for each, the enum of all, and its keywords.
macro_rules! events {
    ($($(#[$about:meta])* $name:ident $word:literal { $($fields:tt)* })*) => {
        record! { $($(#[$about])* $name { $($fields)* })* }

        /// Something that happened in a run.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "the large one is the last of each run")]
        pub enum Event {
            $($(#[$about])* $name($name),)*
        }

        impl Event {
            /// Returns the kind of the event.
            pub fn word(&self) -> &'static str {
                match self {
                    $(Event::$name(_) => $word,)*
                }
            }

            fn fields(&self, object: &mut Object) {
                match self {
                    $(Event::$name(event) => event.fields(object),)*
                }
            }

            #[inline]
            fn decode(word: &str, json: &JsonValue) -> Option<Self> {
                match word {
                    $($word => $name::decode(json).map(Event::$name),)*
                    _ => None,
                }
            }
        }

        $(
            impl From<$name> for Event {
                fn from(event: $name) -> Self {
                    Event::$name(event)
                }
            }

            impl Kind for $name {
                #[inline]
                fn of(event: &Event) -> Option<&Self> {
                    match event {
                        Event::$name(event) => Some(event),
                        _ => None,
                    }
                }

                #[inline]
                fn of_mut(event: &mut Event) -> Option<&mut Self> {
                    match event {
                        Event::$name(event) => Some(event),
                        _ => None,
                    }
                }
            }
        )*
    };
}

/// An event of one kind.
pub trait Kind: Sized {
    /// The event, if it is of this kind.
    fn of(event: &Event) -> Option<&Self>;

    /// The same, as a mutable reference.
    fn of_mut(event: &mut Event) -> Option<&mut Self>;
}

events! {
    /// A run begins.
    Started "started" {
        /// The file of the property.
        file: String,
        /// The line of the property.
        line: u64,
        /// The seed, like `0x1f`: it has 64 bits, which JSON numbers need not support.
        seed: String,
        /// The number of requested tests.
        tests: u64,
        /// The runner.
        runner: String,
        /// The number of threads.
        threads: u64,
        /// The time limit in seconds.
        time_limit: Option<f64>,
        /// When it began: Unix time.
        at: f64,
    }

    /// A saved failure is about to run.
    Replaying "replaying" {
        /// Where it is.
        origin: String,
    }

    /// A saved failure ran.
    Replayed "replayed" {
        /// Where it is.
        origin: String,
        /// The outcome, as text.
        outcome: String,
        /// The same as data.
        fact: Option<Noticed>,
    }

    /// A test failed.
    Failed "failed" {
        /// The input, in a form that can be pasted.
        case: String,
        /// The failure message.
        message: String,
    }

    /// Shrinking accepted a candidate.
    Shrunk "shrunk" {
        /// The input, in a form that can be pasted.
        case: String,
        /// The number of inputs that ran so far.
        evaluations: u64,
        /// The pass that proposed it.
        pass: String,
        /// Its values.
        values: Vec<Value>,
    }

    /// Shrinking ran a candidate and rejected it. Only a sample is written.
    Tried "tried" {
        /// The number of inputs that ran so far.
        evaluations: u64,
        /// The pass that proposed it.
        pass: String,
        /// The outcome, as text.
        outcome: String,
        /// Its values.
        values: Vec<Value>,
    }

    /// A parallel run of a machine failed.
    Drawn "drawn" {
        /// The diagram.
        picture: Picture,
    }

    /// Tests with literals from the source code ran, before the counted ones.
    Quoted "quoted" {
        /// The number of tests.
        tests: u64,
        /// Whether all of them ran.
        complete: bool,
    }

    /// The counterexample was explained.
    Explained "explained" {
        /// The number of claims.
        claims: u64,
        /// The number of inputs that ran for them.
        evaluations: u64,
    }

    /// A failure was saved.
    Kept "kept" {
        /// Where.
        path: String,
    }

    /// A depth was searched.
    Searched "searched" {
        /// Which one.
        depth: u64,
        /// The number of inputs that ran.
        evaluations: u64,
        /// The number of inputs, if that is known.
        inputs: Option<f64>,
        /// Whether the depth was searched to its end.
        complete: bool,
    }

    /// A warning.
    Warned "warned" {
        /// The text.
        text: String,
        /// The same as data.
        fact: Option<Noticed>,
    }

    /// An urgent fact: a test takes long, or ends the process.
    Urgent "urgent" {
        /// The text.
        text: String,
        /// The same as data.
        fact: Option<Noticed>,
    }

    /// An input was generated for `FORALL_DO='sample PROPERTY N'`.
    Sampled "sampled" {
        /// Which test.
        index: u64,
        /// Its size.
        size: u64,
        /// Its values.
        values: Vec<Value>,
        /// Whether the property discards it.
        discarded: bool,
    }

    /// The inputs of the run were generated again.
    Profiled "profiled" {
        /// The number of inputs.
        inputs: u64,
        /// The number of duplicates among them.
        duplicates: u64,
        /// How long each variable took.
        draws: Vec<Draws>,
    }

    /// A replayed input, after a step of a shrinker on its values.
    Step "step" {
        /// Which step.
        number: u64,
        /// The number of steps.
        of: u64,
        /// The values after it.
        values: Vec<Value>,
    }

    /// The tests of `FORALL_DO='bench PROPERTY N'` ran.
    Measured "measured" {
        /// The number of tests.
        tests: u64,
        /// How long they took.
        seconds: f64,
        /// How much of that time was spent generating inputs.
        generating: f64,
    }

    /// A run ends.
    Finished "finished" {
        /// The verdict.
        verdict: Verdict,
        /// The reason, as text.
        why: Option<String>,
        /// The same as data.
        fact: Option<Noticed>,
        /// The number of valid tests.
        valid: u64,
        /// The number of discarded tests.
        discarded: u64,
        /// The number of inputs, if all were tried.
        inputs: Option<u64>,
        /// The seed, like `0x1f`.
        seed: String,
        /// How long it took, in seconds.
        time: f64,
        /// The number of tests with each label.
        labels: ByName<u64>,
        /// The tables, each by its rows.
        tables: ByName<ByName<u64>>,
        /// The `cover!` requirements.
        covers: ByName<Cover>,
        /// The features, each by its values.
        features: ByName<ByName<u64>>,
        /// The warnings, as text.
        warnings: Vec<String>,
        /// The warnings as data.
        facts: Vec<Noticed>,
        /// The number of tests that each thread ran.
        workers: Vec<u64>,
        /// The counterexample.
        counterexample: Option<Counterexample>,
        /// The whole report, as text.
        text: String,
        [
            /// The number of tests that were valid in the extra time, beyond the requested ones.
            explored: u64,
            /// The progress of a search: written by tools that forward the event.
            searched: Option<Searched>,
        ]
    }
}

words! {
    /// How a counterexample was found.
    Found {
        /// At random.
        Random "random",
        /// With literals from the source code.
        Literals "literals",
        /// By a guided runner.
        Guided "guided",
        /// By extra tests after the last one.
        Explored "explored",
        /// By exhaustive testing.
        Enumerated "enumerated",
        /// It is an `#[example]`.
        Example "example",
        /// It was saved.
        Stored "stored",
        /// It was given.
        Given "given",
    } else
    /// In another way.
    Otherwise "otherwise"
}

record! {
    /// A value of an input.
    Value {
        /// The variable.
        name: String,
        /// Its type, as written in the source.
        type_text as "type": String,
        /// The value, as it is printed.
        text: String,
    }

    /// A `cover!` requirement, and its hits.
    Cover {
        /// The required percentage.
        percent: f64,
        /// The number of tests that covered it.
        hits: u64,
    }

    /// The time for drawing a variable.
    Draws {
        /// Its name.
        variable: String,
        /// The total time in seconds.
        seconds: f64,
        /// The time of the slowest draw.
        slowest: f64,
        /// The test with the slowest draw.
        test: u64,
    }

    /// A parallel run of a machine.
    Picture {
        /// The commands before the branches.
        prefix: Vec<DrawnCommand>,
        /// The parallel commands.
        branches: Vec<Vec<DrawnCommand>>,
    }

    /// A command of a parallel run.
    DrawnCommand {
        /// The printed command.
        command: String,
        /// Its response, if it returned.
        response: Option<String>,
        /// The row of its call in the diagram.
        from: u64,
        /// The row of its return.
        to: u64,
    }

    /// A counterexample.
    Counterexample {
        /// The input, in a form that can be pasted.
        case: String,
        /// How it was found.
        found: Found,
        /// Its values.
        values: Vec<Value>,
        /// The failure message.
        message: String,
        /// Where it failed.
        location: Option<String>,
        /// The notes of the test.
        notes: Vec<String>,
        /// Its caveats.
        caveats: Vec<Noticed>,
        /// The claims about it.
        claims: Vec<Claim>,
        /// Where it is saved.
        stored: Option<String>,
        /// How it was shrunk.
        shrinking: Shrinking,
        /// How often it ran again.
        reruns: Reruns,
    }

    /// A claim about a counterexample.
    Claim {
        /// The variable, if it is about one.
        variable: Option<String>,
        /// Whether the whole value is irrelevant.
        whole: bool,
        /// The text.
        text: String,
        /// The number of values that were tried.
        runs: u64,
        /// Whether these are all values.
        every: bool,
        /// Whether it holds together with the claims on other variables.
        together: bool,
    }

    /// How a counterexample was shrunk.
    Shrinking {
        /// The number of accepted candidates.
        accepted: u64,
        /// The number of candidates that ran.
        evaluations: u64,
        /// How long it took, in seconds.
        time: f64,
        /// The passes.
        passes: Vec<Pass>,
    }

    /// The statistics of a pass.
    Pass {
        /// Its name.
        name: String,
        /// The number of candidates that it proposed.
        tried: u64,
        /// The number of accepted candidates.
        accepted: u64,
    }

    /// How often a flaky input ran again.
    Reruns {
        /// How often.
        runs: u64,
        /// How often it failed.
        failed: u64,
    }
}

/// A fact: its name and its text, and the figures that it has, in one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noticed {
    /// Which fact it is: `forall::run::Fact::name`.
    pub name: String,
    /// The text.
    pub text: String,
    /// Its figures.
    pub figures: Fields<Figure>,
}

impl Record for Noticed {
    fn fields(&self, object: &mut Object) {
        object.raw("name", &self.name.encode());
        object.raw("text", &self.text.encode());
        for (name, figure) in &self.figures.0 {
            object.raw(name, &figure.encode());
        }
    }
}

impl Decode for Noticed {
    #[inline]
    fn decode(json: &JsonValue) -> Option<Self> {
        let Fields(mut figures) = Fields::<Figure>::decode(json)?;
        let mut text = |key: &str| match figures.iter().position(|(name, _)| name == key).map(|at| figures.remove(at)) {
            Some((_, Figure::Text(text))) => text,
            _ => String::new(),
        };
        Some(Self { name: text("name"), text: text("text"), figures: Fields(figures) })
    }
}

impl Encode for Figure {
    fn encode(&self) -> String {
        match self {
            Figure::Text(text) => text.encode(),
            Figure::Whole(number) => number.encode(),
            Figure::Number(number) => number.encode(),
            Figure::Flag(flag) => flag.encode(),
            Figure::List(texts) => texts.encode(),
            Figure::Nothing => "null".to_owned(),
        }
    }
}

impl Decode for Figure {
    #[inline]
    fn decode(json: &JsonValue) -> Option<Self> {
        Some(match json {
            JsonValue::Null => Figure::Nothing,
            JsonValue::Bool(flag) => Figure::Flag(*flag),
            JsonValue::String(text) => Figure::Text(text.clone()),
            JsonValue::Array(_) => Figure::List(Decode::decode(json)?),
            JsonValue::Number(_) => match u64::decode(json) {
                Some(whole) => Figure::Whole(whole),
                None => Figure::Number(f64::decode(json)?),
            },
            JsonValue::Object(_) => return None,
        })
    }
}
