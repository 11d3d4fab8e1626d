//! Plain types by their lazy twins, beside rewrites with `Lazy` by hand: how many evaluations each takes.

use crate::report::{Bar, Limit, Report, Row, Table, number};
use forall::lazy::search;
use lazy_programs::twins::PAIRS;

/// A twin may take so many times the evaluations of a rewrite.
const MOST: f64 = 1.01;

/// Measures all of them.
pub fn measure(quick: bool, report: &mut Report) {
    let head = ["type/depth", "by hand", "by its twin", "ratio", "inputs"];
    let mut table = Table {
        title: "Plain types by their lazy twins".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        notes: vec![
            "`by hand` are evaluations of the type rewritten with `Lazy`; `inputs` is what enumeration without pruning would try. The last two \
             types belong to published crates."
                .to_owned(),
        ],
        ..Table::default()
    };
    for pair in PAIRS {
        let depth = if quick { pair.depths.0 } else { pair.depths.1 };
        let (by_hand, twin) = (search(&*(pair.by_hand)(), depth), search(&*(pair.twin)(), depth));
        let case = format!("{}/{depth}", pair.name);
        let ratio = twin.evaluations as f64 / by_hand.evaluations as f64;
        for (metric, value) in [
            ("evaluations_by_hand", by_hand.evaluations as f64),
            ("evaluations_by_twin", twin.evaluations as f64),
            ("holds", f64::from(u8::from(twin.holds() && by_hand.holds()))),
        ] {
            let (case, tool) = (case.clone(), "forall".to_owned());
            report.rows.push(Row { case, tool, profile: "release", metric, value });
        }
        let holds = Some(f64::from(u8::from(twin.holds() && by_hand.holds())));
        report.bars.push(Bar { what: format!("{case} holds by its twin"), value: holds, limit: Limit::Near(1.0) });
        // Of small searches a few more evaluations are a large part.
        if !quick {
            let what = format!("{case} by its twin, times the evaluations by hand");
            report.bars.push(Bar { what, value: Some(ratio), limit: Limit::AtMost(MOST) });
        }
        table.rows.push(vec![
            case,
            number(by_hand.evaluations as f64),
            number(twin.evaluations as f64),
            format!("{ratio:.4}"),
            twin.inputs.map_or_else(|| "?".to_owned(), |inputs| format!("{inputs:.1e}")),
        ]);
    }
    report.tables.push(table);
}
