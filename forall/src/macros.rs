//! The `macro_rules` macros: [`property!`](crate::prelude::property!), and those for notes, labels and statistics in a
//! body. The others are in the crate `forall-macros`.

/// Creates a property as a value.
///
/// Clauses are separated by `;`. A bound variable is in scope, by reference, in every later clause.
///
/// ```
/// use forall::prelude::*;
///
/// let property = property! {
///     forall xs: Vec<i32>;
///     implies !xs.is_empty();
///     forall n in 0..xs.len();
///     check xs.iter().nth(*n) == xs.get(*n)
/// };
/// forall::check("nth is get", &property);
/// ```
///
/// | clause | meaning |
/// | --- | --- |
/// | `forall x: Type` | for all values of a type that is [`Arbitrary`](crate::Arbitrary) |
/// | `forall x in generator` | for all values of a [generator](crate::generate), which may depend on earlier variables |
/// | `forall x: Type in generator` | the same, with an explicit type |
/// | `implies condition` | an assumption: tests in which it does not hold are discarded |
/// | `check body` | the conclusion, which must hold: the last clause |
///
/// The body is a `bool`, `()`, a `Result` or an [`Outcome`](crate::property::Outcome); it may use `?` on errors of any
/// type that has `Debug`; assertions and panics are failures.
///
/// ```
/// # use forall::prelude::*;
/// let property = property! {
///     forall n: i64;
///     check {
///         let text = n.to_string();
///         text.parse::<i64>()? == *n
///     }
/// };
/// forall::check("numbers are read back", &property);
/// ```
///
/// The body may draw while it runs, from a variable `&mut Source`, which is a [`Draws`](crate::property::Draws) there:
///
/// ```
/// # use forall::prelude::*;
/// let property = property! {
///     forall limit in 1..100u32;
///     forall s: &mut Source;
///     check s.draw_as("n", 0..*limit) < *limit
/// };
/// forall::check("draws below a limit", &property);
/// ```
///
/// # Annotations
///
/// After its generator, a variable may have annotations. They see the earlier variables by name, and their own variable
/// as the parameter of a function.
///
/// ```
/// # use forall::prelude::*;
/// struct Weight(u32);
///
/// let property = property! {
///     forall low in 0..10u32;
///     forall n in *low..100,
///         shrink |n| *low..*n,                        // simpler values, the simplest first
///         mutate |n, source| source.draw(*low..=n),   // another value
///         print |n| format!("{low} + {}", n - low),   // its printed form
///         feedback |n| f64::from(*n),                 // its score
///         contract n >= low,                          // the generator's contract
///         with Weight(3);                             // an annotation for your own runner
///     check n >= low
/// };
/// forall::check("in range", &property);
/// ```
///
/// `mutate` alone lets guided runners mutate the value by its type, by [`Arbitrary::mutate`](trait@crate::prelude::Arbitrary),
/// in addition to its choices. The derive implements that; write your own where you know better what a small change is.
///
/// ```
/// # use forall::prelude::*;
/// #[derive(Arbitrary, Clone, Debug)]
/// enum Shape { Circle { radius: u8 }, Square { side: u8 } }
/// let property = property! { forall shape: Shape, mutate; check matches!(shape, Shape::Circle { .. } | Shape::Square { .. }) };
/// # use forall::property::Property;
/// assert!(property.outline().quantifiers[0].mutates);
/// ```
///
/// A property that outlives the variables around it captures them by value: `property! { move forall …; check … }`.
///
/// ```
/// # use forall::prelude::*;
/// fn below(limit: u32) -> impl forall::property::Property {
///     property! { move forall n in 0..limit; check *n < limit }
/// }
/// forall::check("below a hundred", &below(100));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __property {
    ($($clauses:tt)*) => {
        $crate::__private::property_value! { [$crate] $($clauses)* }
    };
}

/// Declares the lazy twin of a type of another crate, see [`Twin`](crate::lazy::Twin).
///
/// Write the variants or the fields of the type; other twins stand for other types of that crate. If a variant cannot
/// be built from its fields alone, because they are private or of other types, add a function of the fields' plain
/// values after `=>`.
///
/// ```
/// use forall::lazy::explore;
/// use serde_json::Value;
/// use std::collections::BTreeMap;
///
/// forall::twin! {
///     enum JsonTwin for Value {
///         Null,
///         Bool(bool),
///         Number(i64) => |n: i64| Value::from(n),
///         String(String),
///         Array(Vec<JsonTwin>),
///         Object(BTreeMap<String, JsonTwin>) => |map: BTreeMap<String, Value>| Value::Object(map.into_iter().collect()),
///     }
/// }
///
/// fn is_record(json: &JsonTwin) -> bool {
///     matches!(json, JsonTwin::Object(fields) if fields.values().all(|field| matches!(**field, JsonTwin::Number(_))))
/// }
///
/// #[forall::test(runner = exhaustive, depth = 3)]
/// fn records_are_read_back(#[forall(twin = JsonTwin, given = is_record)] json: Value) {
///     assert_eq!(serde_json::from_str::<Value>(&json.to_string()).unwrap(), json);
/// }
///
/// # fn main() {
/// assert!(explore(&records_are_read_back::property(), 3).holds());
/// # }
/// ```
///
/// For a struct, write the function after the fields:
///
/// ```
/// use forall::lazy::Lazy;
/// use std::time::Duration;
///
/// forall::twin! {
///     pub struct PauseTwin for Duration { seconds: u64, nanos: u32 } => |seconds, nanos| Duration::new(seconds, nanos)
/// }
/// let pause = PauseTwin { seconds: Lazy::new(2), nanos: Lazy::new(5) };
/// assert_eq!(pause.plain(), Duration::new(2, 5));
/// ```
#[macro_export]
macro_rules! twin {
    ($($declaration:tt)*) => {
        $crate::__with_twins! { $crate::__private::twin::twin_type! { [$crate] $($declaration)* } }
    };
}

/// Items that need twins: an error, unless this crate has them.
#[cfg(feature = "full")]
#[doc(hidden)]
#[macro_export]
macro_rules! __with_twins {
    ($($item:tt)*) => { $($item)* };
}

#[cfg(not(feature = "full"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __with_twins {
    ($($item:tt)*) => {
        ::core::compile_error! {
            "lazy twins require the `full` feature of `forall`: run `cargo add --dev forall --features full`"
        }
    };
}

/// Discards the test if the condition does not hold.
///
/// ```
/// use forall::prelude::*;
///
/// #[forall::property]
/// fn division_undoes_multiplication(a: u32, b: u32) {
///     assume!(b != 0);
///     assert_eq!(u64::from(a) * u64::from(b) / u64::from(b), u64::from(a));
/// }
/// forall::check("division", &division_undoes_multiplication::property());
/// ```
///
/// If the condition depends only on the variables, prefer an `implies` clause of
/// [`property!`](crate::prelude::property!): reports then say which assumption discarded how many tests.
#[doc(alias("discard", "prop_assume", "TestResult"))]
#[macro_export]
macro_rules! assume {
    ($condition:expr $(,)?) => {
        $crate::__private::assume($condition, ::core::stringify!($condition))
    };
}

/// Adds a note that is printed with the counterexample. Takes the arguments of `format!`, and formats them only then.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<u8>;
///     check {
///         let sorted = { let mut sorted = xs.clone(); sorted.sort(); sorted };
///         note!("sorted: {sorted:?}");
///         sorted.len() == xs.len()
///     }
/// };
/// forall::check("sorting keeps the length", &property);
/// ```
#[macro_export]
macro_rules! note {
    ($($argument:tt)+) => {
        if $crate::__private::wants_notes() {
            $crate::__private::note(::std::format!($($argument)+));
        }
    };
}

/// Labels the test; the number of tests per label is printed after the run. Takes the arguments of `format!`.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall n: u32;
///     check {
///         label!("{} digits", n.to_string().len());
///         true
///     }
/// };
/// forall::check("numbers have digits", &property);
/// ```
#[macro_export]
macro_rules! label {
    ($($argument:tt)+) => {
        $crate::__private::label(::std::format!($($argument)+))
    };
}

/// Labels the test if a condition holds.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<u8>;
///     check {
///         classify!(xs.is_empty(), "empty");
///         classify!(xs.len() > 10, "longer than {}", 10);
///         true
///     }
/// };
/// forall::check("vectors come in sizes", &property);
/// ```
#[doc(alias("label", "statistics"))]
#[macro_export]
macro_rules! classify {
    ($condition:expr, $($argument:tt)+) => {
        if $condition {
            $crate::label!($($argument)+);
        }
    };
}

/// Labels the test with the `Debug` output of a value.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<bool>;
///     check {
///         collect!(xs.first());
///         true
///     }
/// };
/// forall::check("first elements", &property);
/// ```
#[macro_export]
macro_rules! collect {
    ($value:expr $(,)?) => {
        $crate::__private::label(::std::format!("{:?}", $value))
    };
}

/// Requires that a condition holds in at least this percentage of the tests.
///
/// The run continues until it is certain whether the generator meets the requirement, with an error probability of one
/// in a billion. The procedure is that of QuickCheck's `checkCoverage`, with a tolerance of a tenth of the requirement.
/// If the requirement is not met, the test fails, and the report shows the percentage. If it is undecided after a minute,
/// or when the [`max_time`](crate::run::Settings::max_time) of the run is over, the run warns. If all inputs are
/// enumerated, the exact percentage decides. Guided runners (such as `targeted`) warn, since their tests do not follow
/// the distribution of the generator.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall flag: bool;
///     check {
///         cover!(20, *flag, "set");
///         true
///     }
/// };
/// forall::check("flags are set", &property);
/// ```
#[macro_export]
macro_rules! cover {
    ($percent:expr, $condition:expr, $($argument:tt)+) => {
        $crate::__private::cover($percent as f64, $condition, ::std::format!($($argument)+))
    };
}

/// Counts rows of a table, by their `Display` output. Labels describe a whole test, rows its parts.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<bool>;
///     check {
///         for x in xs {
///             tabulate!("elements", x);
///         }
///         tabulate!("ends", format!("{:?}", xs.first()), format!("{:?}", xs.last()));
///         true
///     }
/// };
/// forall::check("elements", &property);
/// ```
#[macro_export]
macro_rules! tabulate {
    ($table:expr, $($row:expr),+ $(,)?) => {
        $($crate::__private::tabulate($table, ::std::string::ToString::to_string(&$row));)+
    };
}

/// Attaches a named number or string to the test, such as the depth of a tree or the parser that accepted the input.
///
/// Features are for observed runs. `forall report` and Tyche draw each feature as a chart, with numbers in order of
/// size; click a bar to list its tests. `forall run --verbose` prints features as tables. In plain `cargo test` the
/// value is not even computed; use a [`label!`] or a row of a [table](tabulate!) there.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<i32>;
///     check {
///         feature!("length", xs.len());
///         feature!("order", if xs.is_sorted() { "sorted" } else { "mixed" });
///         true
///     }
/// };
/// forall::check("vectors", &property);
/// ```
#[macro_export]
macro_rules! feature {
    ($name:expr, $value:expr $(,)?) => {
        if $crate::__private::wants_features() {
            let value = ::std::string::ToString::to_string(&$value);
            $crate::__private::feature(::std::string::ToString::to_string(&$name), value);
        }
    };
}

/// Reports a score to a guided runner: higher is closer to a failure. If a test reports several, the highest counts.
///
/// `#[forall::test(runner = "targeted")]` searches for high scores; other runners ignore them. See
/// [`run::targeted`](crate::guide::targeted).
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall xs: Vec<u8>;
///     check {
///         target!(xs.len() as f64);
///         true
///     }
/// };
/// forall::check("towards long vectors", &property);
/// ```
///
/// A name distinguishes several scores: `target!(xs.len() as f64, "length")`. Your own runner reads them with
/// [`Context::scores`](crate::Context::scores), for example to search the Pareto front of two scores.
#[macro_export]
macro_rules! target {
    ($score:expr $(,)?) => {
        $crate::__private::target($score)
    };
    ($score:expr, $name:expr $(,)?) => {
        $crate::__private::target_named($score, $name)
    };
}

/// Requires the `full` feature, which is enabled by default.
#[cfg(not(feature = "full"))]
#[macro_export]
macro_rules! machine {
    ($($specification:tt)*) => {
        compile_error!(
            "`forall::machine!` requires the feature `full` of forall: run `cargo add --dev forall --features full`"
        );
    };
}
