//! The tables for people, one for each question.

use super::lines::{Line, cases, find};
use crate::report::{Table, number};

/// A column: its head, and the tool, the metric and the form of its numbers.
type Column = (&'static str, &'static str, &'static str, Form);

#[derive(Clone, Copy)]
enum Form {
    /// A mean or median, and its spread.
    Spread,
    /// A share of all.
    Percent,
    /// How many times less it is than ours on one worker.
    FallsBy,
    /// How many times faster threads are that share nothing, in runs that are long.
    LongRuns,
    /// The part of what threads reach that share nothing.
    OfLimit,
}

/// A question, what its table shows, and the columns.
struct Shown {
    question: &'static str,
    title: &'static str,
    columns: &'static [Column],
    notes: &'static [&'static str],
}

/// How long it takes to find a bug.
const TO_BUG: &[Column] = &[
    ("seconds", "forall", "seconds_to_bug", Form::Spread),
    ("falls by", "forall", "seconds_to_bug", Form::FallsBy),
    ("share nothing", "share_nothing", "seconds_to_bug", Form::Spread),
    ("falls by", "share_nothing", "seconds_to_bug", Form::FallsBy),
    ("of that", "forall", "seconds_to_bug", Form::OfLimit),
    ("long runs", "share_nothing", "share_nothing_speedup", Form::LongRuns),
    ("tests", "forall", "tests_to_bug", Form::Spread),
];

/// The limit of a search.
const LIMIT: &str = "The limit is that of threads which share nothing and run the same tests, up to the one that fails, their start \
     and end included. Beside it, how much faster such threads are in the long runs of the question `speedup`: no bar is set on that.";

const TABLES: &[Shown] = &[
    Shown {
        question: "overhead",
        title: "One worker against the sequential loop: CPU seconds of a run, mean ± standard deviation",
        columns: &[
            ("sequential", "sequential", "cpu_seconds", Form::Spread),
            ("one worker", "forall", "cpu_seconds", Form::Spread),
            ("overhead", "forall", "one_worker_overhead", Form::Spread),
            ("with progress", "forall:progress", "one_worker_overhead", Form::Spread),
        ],
        notes: &["The overhead is the median of ratios of paired runs, ± their standard deviation."],
    },
    Shown {
        question: "speedup",
        title: "Speed-up over the sequential loop, beside threads that share nothing",
        columns: &[
            ("speed-up", "forall", "speedup", Form::Spread),
            ("share nothing", "share_nothing", "share_nothing_speedup", Form::Spread),
            ("of that", "forall", "share_of_limit", Form::Spread),
            ("with progress", "forall:progress", "speedup", Form::Spread),
        ],
        notes: &["Medians of ratios of paired runs, ± their standard deviation."],
    },
    Shown {
        question: "bugs",
        title: "Finding a planted bug: mean ± standard deviation over seeds",
        columns: TO_BUG,
        notes: &[
            "The deviation is that of the search: under each seed the number of tests is the same on all workers.",
            LIMIT,
        ],
    },
    Shown {
        question: "rare_bugs",
        title: "Finding a bug that shows in one of 32 inputs that have it: mean ± standard deviation over seeds",
        columns: TO_BUG,
        notes: &[LIMIT],
    },
    Shown {
        question: "shrinking",
        title: "Shrinking: seconds, and speed-up over one thread",
        columns: &[
            ("candidates that fail", "sequential", "shrink_success_rate", Form::Percent),
            ("sequential", "sequential", "shrink_seconds", Form::Spread),
            ("deterministic", "deterministic", "shrink_seconds", Form::Spread),
            ("speed-up", "deterministic", "shrink_speedup", Form::Spread),
        ],
        notes: &["Speed-ups are medians of ratios for the same failure, ± their standard deviation."],
    },
    Shown {
        question: "whole",
        title: "From the start of a run to its report, where a test takes so long and fails: seconds, and speed-up over one thread",
        columns: &[
            ("seconds", "forall", "seconds", Form::Spread),
            ("speed-up", "forall", "speedup", Form::Spread),
            ("reports that differ", "forall", "report_differs", Form::Percent),
        ],
        notes: &[
            "Testing, shrinking and explaining are included. Tests compute: more workers than cores gain nothing.",
        ],
    },
    Shown {
        question: "domains",
        title: "Each of 1,024 inputs once, where a test takes so long: speed-up over one thread, beside threads that share nothing",
        columns: &[
            ("speed-up", "forall", "speedup", Form::Spread),
            ("share nothing", "share_nothing", "share_nothing_speedup", Form::Spread),
            ("of that", "forall", "share_of_limit", Form::Spread),
        ],
        notes: &["Medians of ratios of paired runs, ± their standard deviation."],
    },
    Shown {
        question: "perturbed",
        title: "Disturbed runs whose report differs from that on one thread",
        columns: &[("reports that differ", "forall", "report_differs", Form::Percent)],
        notes: &["For each seed, 150 runs in which tests wait for a time that does not depend on their input."],
    },
    Shown {
        question: "threads",
        title: "Microseconds per test: pooled threads, a new thread per test, a process per worker",
        columns: &[
            ("pooled threads", "pooled_threads", "microseconds_per_test", Form::Spread),
            ("fresh threads", "fresh_threads", "microseconds_per_test", Form::Spread),
            ("processes", "processes", "microseconds_per_test", Form::Spread),
        ],
        notes: &[],
    },
    Shown {
        question: "processes",
        title: "One run on several threads compared with as many independent sequential runs",
        columns: &[
            ("seconds to the bug", "forall", "seconds_to_bug", Form::Spread),
            ("independent", "independent_processes", "seconds_to_bug", Form::Spread),
            ("tests done twice", "forall", "repeated_tests", Form::Percent),
            ("independent", "independent_processes", "repeated_tests", Form::Percent),
        ],
        notes: &[
            "The time to start processes is included on both sides.",
            "Independent runs have different seeds; with the same seed, every process would run the same tests.",
        ],
    },
    Shown {
        question: "claiming",
        title: "Speed-up: claiming blocks compared with static shares and work stealing",
        columns: &[
            ("blocks", "forall", "speedup", Form::Spread),
            ("static shares", "static_shares", "speedup", Form::Spread),
        ],
        notes: &["With static shares, timing determines which tests run, so results differ from run to run."],
    },
    Shown {
        question: "races",
        title: "Runs in which a property that races with itself was recognised",
        columns: &[("recognised", "forall", "race_recognised", Form::Percent)],
        notes: &[],
    },
];

/// All tables that there are numbers for.
pub fn tables(lines: &[Line]) -> Vec<Table> {
    TABLES.iter().map(|shown| table(lines, shown)).filter(|table| !table.rows.is_empty()).collect()
}

fn table(lines: &[Line], shown: &Shown) -> Table {
    let cells = |case: (&str, usize)| {
        let cell = |&(_, tool, metric, form): &Column| {
            let line = |case, tool| find(lines, shown.question, case, tool, metric);
            let ratio = |whole: Option<&Line>, part: Option<&Line>| Some(number(whole?.value() / part?.value()));
            let text = match form {
                Form::FallsBy if case.1 == 1 => None,
                Form::FallsBy => ratio(line((case.0, 1), "forall"), line(case, tool)),
                Form::OfLimit => ratio(line(case, "share_nothing"), line(case, tool)),
                Form::LongRuns => find(lines, "speedup", case, tool, metric).map(|line| number(line.value())),
                Form::Spread | Form::Percent => line(case, tool).map(|line| text(line, form)),
            };
            text.unwrap_or_default()
        };
        std::iter::once(format!("{}/{}", case.0, case.1)).chain(shown.columns.iter().map(cell)).collect()
    };
    let count = |line: &Line| (line.question == shown.question).then_some(line.count);
    let (least, most) = (lines.iter().filter_map(count).min(), lines.iter().filter_map(count).max());
    let mut notes: Vec<String> = shown.notes.iter().map(|note| (*note).to_owned()).collect();
    notes.extend(least.zip(most).map(|(least, most)| match least == most {
        true => format!("n = {least}"),
        false => format!("n = {least} to {most}"),
    }));
    Table {
        title: shown.title.to_owned(),
        head: std::iter::once("benchmark/workers")
            .chain(shown.columns.iter().map(|column| column.0))
            .map(str::to_owned)
            .collect(),
        rows: cases(lines, shown.question).into_iter().map(cells).collect(),
        notes,
    }
}

fn text(line: &Line, form: Form) -> String {
    if let Form::Percent = form {
        return format!("{} %", number(100.0 * line.value()));
    }
    format!("{} ± {}", short(line.value()), short(line.spread))
}

/// Prints three digits, even of a small number.
fn short(value: f64) -> String {
    if value == 0.0 || value.abs() >= 0.1 {
        return number(value);
    }
    let digits = (2.0 - value.abs().log10().floor()) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_three_digits() {
        assert_eq!([0.0, 1.234, 0.0123456, 0.000_098_76].map(short), ["0", "1.234", "0.0123", "0.0000988"]);
    }

    #[test]
    fn a_search_is_shown_beside_threads_that_run_the_same_tests_and_beside_long_runs() {
        let line = |question, workers, tool, metric, value| {
            let text = format!("{question}\tverse\t{workers}\t{tool}\t{metric}\t{value}\t0\t{value}\t9");
            Line::parse(&text).unwrap()
        };
        let lines = [
            line("bugs", 1, "forall", "seconds_to_bug", 6.0),
            line("bugs", 2, "forall", "seconds_to_bug", 4.0),
            line("bugs", 2, "share_nothing", "seconds_to_bug", 5.0),
            line("speedup", 2, "share_nothing", "share_nothing_speedup", 1.9),
        ];
        let table = tables(&lines).into_iter().find(|table| table.title.starts_with("Finding")).unwrap();
        assert_eq!(table.rows[0], ["verse/1", "6 ± 0", "", "", "", "", "", ""]);
        assert_eq!(table.rows[1], ["verse/2", "4 ± 0", "1.5", "5 ± 0", "1.2", "1.25", "1.9", ""]);
    }

    #[test]
    fn a_table_has_a_row_for_each_measured_case() {
        let line = "races\tgzip_naive\t2\tforall\trace_recognised\t1e0\t0e0\t1e0\t2";
        let tables = tables(&[Line::parse(line).unwrap()]);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].rows, [["gzip_naive/2", "100 %"]]);
        assert_eq!(tables[0].notes, ["n = 2"]);
    }
}
