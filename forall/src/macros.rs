//! The macros that are written with `macro_rules`: [`property!`](crate::prelude::property!), and what a body can say
//! about its test. The others are in the crate `forall-macros`.

/// A property as a value.
///
/// Clauses are separated by `;`. Variables that are bound are in scope, by reference, in every clause after them.
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
/// | `forall x: Type in generator` | the same, with the type written down |
/// | `implies condition` | only where the condition holds: other tests are discarded |
/// | `check body` | what must hold: the last clause |
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
///         print |n| format!("{low} + {}", n - low),   // how it is shown
///         feedback |n| f64::from(*n),                 // how promising it is
///         contract n >= low,                          // what the generator promises
///         with Weight(3);                             // whatever a runner of your own wants
///     check n >= low
/// };
/// forall::check("in range", &property);
/// ```
///
/// `mutate` alone has guided runners change the value by its type, as [`Arbitrary::mutate`](trait@crate::prelude::Arbitrary) does it,
/// beside changing its choices. The derive writes that; write your own where you know better what a small change is.
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
/// A property that is to outlive the variables around it takes them along: `property! { move forall …; check … }`.
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
/// Where nothing but the condition decides, an `implies` of [`property!`](crate::prelude::property!) tells more:
/// reports say which one discarded how many tests.
#[macro_export]
macro_rules! assume {
    ($condition:expr $(,)?) => {
        $crate::__private::assume($condition, ::core::stringify!($condition))
    };
}

/// Says something that is shown with the counterexample. Arguments as for `format!`; nothing is formatted until then.
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

/// Gives the test a label; how many tests had it is shown after the run. Arguments as for `format!`.
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

/// Gives the test a label if a condition holds.
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
#[macro_export]
macro_rules! classify {
    ($condition:expr, $($argument:tt)+) => {
        if $condition {
            $crate::label!($($argument)+);
        }
    };
}

/// Gives the test a value, by its `Debug`, as a label.
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

/// Demands that a condition holds in at least so many percent of the tests.
///
/// The run goes on until it is sure whether the generator keeps that, but for one chance in a billion: as QuickCheck's
/// `checkCoverage` does, with a tolerance of a tenth of the demand. If it does not, the test does not pass, and the report says
/// how many percent there are. If it is not sure after a minute, or when the [`time`](crate::run::Settings::time) of the run is
/// over, it warns. Where all inputs are tried, they are counted. Runners that search (`targeted` and the like) warn, since what
/// they test is not what the generator gives.
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

/// Counts rows of a table, by their `Display`: what a test is made of, where labels say what it is.
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

/// Attaches a number or a text to the test, under a name: how deep a tree is, which parser took the input.
///
/// Features are for whoever looks at a run. `forall report` draws each as a chart, of numbers by their size, and shows the tests
/// behind a bar when it is clicked; Tyche does the same; `forall run --verbose` has them as tables. In `cargo test` nobody looks,
/// and the value is not even computed. What should be seen there is a [`label!`] or a row of a [table](tabulate!).
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

/// Tells a runner that searches how close the test came: higher is closer. If a test says it more than once, the highest
/// counts.
///
/// `#[forall::test(runner = "targeted")]` searches for high scores; other runners pay no attention to them. See
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
#[macro_export]
macro_rules! target {
    ($score:expr $(,)?) => {
        $crate::__private::target($score)
    };
}

/// Requires the feature `full`, which is on by default.
#[cfg(not(feature = "full"))]
#[macro_export]
macro_rules! machine {
    ($($specification:tt)*) => {
        compile_error!(
            "`forall::machine!` requires the feature `full` of forall: run `cargo add --dev forall --features full`"
        );
    };
}
