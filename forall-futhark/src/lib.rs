//! Property-based testing of Futhark programs, and of any system that implements the Futhark server protocol.
//!
//! `forall futhark test` is this library on the command line. Its layers can be used separately:
//!
//! | to | see |
//! | --- | --- |
//! | test programs, as the command does | [`programs`] |
//! | run one property | [`properties`] |
//! | test a system with state against a model | [`properties::machine`] |
//! | test a program in another language | [`programs::test_server`] |
//! | read and write Futhark's data formats | [`data`] |
//! | communicate with a server | [`client`] |
//! | serve your own functions over the protocol | [`serve`] |
//! | read test blocks | [`blocks`] |
//!
//! Generators and shrinkers for programs, written in Futhark, are in the folder `futhark/lib/forall` of this package; servers in C
//! and Python, as examples, in `servers`.
//!
//! ```
//! use forall_futhark::serve::Program;
//!
//! // A server, in this process, and what it answers.
//! let program = Program::new().function("double", |x: i64| x * 2);
//! let mut answers = Vec::new();
//! program.answer(&mut &b"entry_points\n"[..], &mut answers).unwrap();
//! assert_eq!(answers, b"%%% OK\ndouble\n%%% OK\n");
//! ```

pub mod blocks;
pub mod client;
pub mod data;
pub mod datum;
mod folder;
pub mod programs;
pub mod properties;
pub mod protocol;
pub mod serve;
