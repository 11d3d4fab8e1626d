//! The macro for the common case: methods of a type against methods of a model.

/// Defines a specification for the common case: the methods of a type return what those of a model return.
///
/// ```
/// use forall::machine::Sequential;
/// use std::collections::VecDeque;
///
/// /// A queue in a ring of four, that panics when it is full.
/// #[derive(Default)]
/// struct Ring { slots: [u8; 4], first: usize, len: usize }
///
/// impl Ring {
///     fn push(&mut self, value: u8) -> bool {
///         if self.len == 4 { return false }
///         self.slots[(self.first + self.len) % 4] = value;
///         self.len += 1;
///         true
///     }
///     fn pop(&mut self) -> Option<u8> {
///         if self.len == 0 { return None }
///         let value = self.slots[self.first];
///         (self.first, self.len) = ((self.first + 1) % 4, self.len - 1);
///         Some(value)
///     }
///     fn len(&self) -> usize { self.len }
/// }
///
/// /// The same, as simple as can be.
/// #[derive(Clone, Default, PartialEq)]
/// struct Model(VecDeque<u8>);
///
/// impl Model {
///     fn push(&mut self, value: u8) -> bool {
///         if self.0.len() < 4 { self.0.push_back(value); true } else { false }
///     }
///     fn pop(&mut self) -> Option<u8> { self.0.pop_front() }
///     fn len(&self) -> usize { self.0.len() }
/// }
///
/// forall::machine! {
///     spec RingSpec for Ring = Ring::default(), like Model = Model::default();
///     fn push(value: u8) -> bool;
///     fn pop() -> Option<u8>;
///     fn len() -> usize;
/// }
///
/// let property = forall::prelude::property! { forall commands: Sequential<RingSpec>; check commands.check() };
/// forall::check("ring", &property);
///
/// // A test by hand, as reports show it: each method is a command.
/// Sequential::<RingSpec>::of([RingSpec::push(1), RingSpec::len(), RingSpec::pop()]).test();
/// ```
///
/// Commands are drawn by the types of their arguments, which must be `Arbitrary` and `Clone`; all are equally likely. Methods of
/// the model may take `&mut self`; it must be `Clone`. What methods return must be `PartialEq` and `Debug`. With `spec RingSpec for
/// shared Ring` the methods of the system take `&self` and the specification is [`Shared`](crate::machine::Shared), so that
/// [`Parallel`](crate::machine::Parallel) tests it; its arguments and what it returns must be `Send` and `Sync`, and the model
/// `PartialEq`. A line `tuning Tuning { … };` before the methods is what [`Spec::tuning`](crate::machine::Spec::tuning) returns. What needs more (preconditions, other generators, answers that may differ) is an
/// [`impl Spec`](crate::machine::Spec).
#[macro_export]
macro_rules! machine {
    (
        $(#[$attribute:meta])*
        $visibility:vis spec $spec:ident for shared $system:ty = $start:expr, like $model:ty = $model_start:expr;
        $($methods:tt)*
    ) => {
        $crate::__machine! {
            $(#[$attribute])* $visibility $spec, ::std::sync::Arc<$system>, ::std::sync::Arc::new($start),
            $model, $model_start, $($methods)*
        }
        impl $crate::machine::Shared for $spec {
            fn share(&self, system: &mut ::std::sync::Arc<$system>) -> ::std::sync::Arc<$system> {
                ::std::sync::Arc::clone(system)
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis spec $spec:ident for $system:ty = $start:expr, like $model:ty = $model_start:expr;
        $($methods:tt)*
    ) => {
        $crate::__machine! {
            $(#[$attribute])* $visibility $spec, $system, $start, $model, $model_start, $($methods)*
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __machine {
    (
        $(#[$attribute:meta])*
        $visibility:vis $spec:ident, $system:ty, $start:expr, $model:ty, $model_start:expr,
        $(tuning $tuning:expr;)?
        $(fn $method:ident($($argument:ident: $type:ty),* $(,)?) $(-> $returned:ty)?;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default)]
        $visibility struct $spec;

        const _: () = {
            // The names are those of the methods.
            #[allow(non_camel_case_types)]
            #[derive($crate::Arbitrary, Clone)]
            pub enum Command {
                $($method { $($argument: $type),* },)*
            }

            impl ::std::fmt::Debug for Command {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    match self {
                        $(Command::$method { $($argument),* } => {
                            #[allow(unused_mut)]
                            let mut arguments: Vec<String> = Vec::new();
                            $(arguments.push(format!("{:?}", $argument));)*
                            write!(f, "{}({})", stringify!($method), arguments.join(", "))
                        })*
                    }
                }
            }

            #[allow(non_camel_case_types)]
            #[derive(PartialEq)]
            pub enum Response {
                $($method(($($returned)?)),)*
            }

            impl ::std::fmt::Debug for Response {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    match self {
                        $(Response::$method(returned) => ::std::fmt::Debug::fmt(returned, f),)*
                    }
                }
            }

            impl $crate::machine::Spec for $spec {
                type Command = Command;
                type Model = $model;
                type System = $system;
                type Response = Response;

                fn model(&self) -> $model {
                    $model_start
                }

                fn generate(&self, _: &$model, source: &mut $crate::choice::Source) -> Command {
                    $crate::generate::Arbitrary::arbitrary(source)
                }

                fn next(&self, model: &mut $model, command: &Command) {
                    match command.clone() {
                        $(Command::$method { $($argument),* } => {
                            let _ = model.$method($($argument),*);
                        })*
                    }
                }

                fn system(&self) -> $system {
                    $start
                }

                fn run(&self, system: &mut $system, command: &Command) -> Response {
                    match command.clone() {
                        $(Command::$method { $($argument),* } => Response::$method(system.$method($($argument),*)),)*
                    }
                }

                fn postcondition(&self, model: &$model, command: &Command, response: &Response) -> bool {
                    let mut model = model.clone();
                    let expected = match command.clone() {
                        $(Command::$method { $($argument),* } => Response::$method(model.$method($($argument),*)),)*
                    };
                    expected == *response
                }

                fn expected(&self, model: &$model, command: &Command) -> Option<String> {
                    let mut model = model.clone();
                    let expected = match command.clone() {
                        $(Command::$method { $($argument),* } => Response::$method(model.$method($($argument),*)),)*
                    };
                    Some(format!("{expected:?}"))
                }

                fn code(&self, command: &Command) -> Option<String> {
                    let mut code = $crate::generate::Code::default();
                    match command {
                        $(Command::$method { $($argument),* } => {
                            code.push(concat!(stringify!($spec), "::", stringify!($method)));
                            $crate::__machine_arguments!(code, $($argument),*);
                        })*
                    }
                    code.finish()
                }

                $(fn tuning(&self) -> $crate::machine::Tuning {
                    $tuning
                })?
            }

            // One constructor for each command, for tests that are written by hand or pasted.
            #[allow(dead_code, clippy::all)]
            impl $spec {
                $(
                    #[doc = concat!("The command that calls `", stringify!($method), "`.")]
                    $visibility fn $method($($argument: $type),*) -> Command {
                        Command::$method { $($argument),* }
                    }
                )*
            }
        };
    };
}

/// Writes the arguments of a command as code.
#[doc(hidden)]
#[macro_export]
macro_rules! __machine_arguments {
    ($code:ident, $($first:ident $(, $argument:ident)*)?) => {
        $code.push("(");
        $(
            $crate::generate::Arbitrary::print($first, &mut $code);
            $(
                $code.push(", ");
                $crate::generate::Arbitrary::print($argument, &mut $code);
            )*
        )?
        $code.push(")");
    };
}
