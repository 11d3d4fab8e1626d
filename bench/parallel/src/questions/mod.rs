//! The questions, one file each. The first five are the paper's.

pub mod bugs;
mod claiming;
mod domains;
mod overhead;
mod perturbed;
mod processes;
mod races;
mod shrinking;
mod speedup;
mod threads;
mod whole;

use crate::Plan;

/// Answers a question: prints rows.
type Ask = fn(&Plan) -> Result<(), String>;

/// All questions, by name.
pub const QUESTIONS: &[(&str, Ask)] = &[
    (overhead::NAME, overhead::ask),
    (speedup::NAME, speedup::ask),
    (bugs::NAME, bugs::ask),
    (bugs::RARE, bugs::ask_of_rare_ones),
    (shrinking::NAME, shrinking::ask),
    (threads::NAME, threads::ask),
    (processes::NAME, processes::ask),
    (claiming::NAME, claiming::ask),
    (races::NAME, races::ask),
    (whole::NAME, whole::ask),
    (domains::NAME, domains::ask),
    (perturbed::NAME, perturbed::ask),
];
