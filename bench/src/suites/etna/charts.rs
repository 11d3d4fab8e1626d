//! Bucket charts: for each workload a bar per tool, cut by how long tasks took; the darkest part is the quickest, the white
//! one at the end was not solved by every trial.

use super::tables::{buckets, distinct};
use super::trials::Solved;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The legend. It is XML.
const LABELS: [&str; 5] = ["&lt; 0.1 s", "&lt; 1 s", "&lt; 10 s", "&lt; 60 s", "not solved"];
/// How dark each bucket is: the part of the colour that is left.
const OPACITY: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
const COLOUR: &str = "#1b4f8a";
const NAMES: usize = 260;
const BAR: usize = 560;
const ROW: usize = 26;
const TOP: usize = 64;

/// Writes a chart per workload.
pub fn write(directory: &Path, solved: &[Solved]) -> Result<(), String> {
    fs::create_dir_all(directory).map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
    for workload in distinct(solved, |task| &task.workload) {
        let tasks: Vec<&Solved> = solved.iter().filter(|task| task.workload == *workload).collect();
        let path = directory.join(format!("{workload}.svg"));
        fs::write(&path, chart(workload, &tasks))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn chart(workload: &str, tasks: &[&Solved]) -> String {
    let tools = distinct(tasks, |task| &task.tool);
    let (width, height) = (NAMES + BAR + 20, TOP + ROW * tools.len() + 10);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{workload}: tasks by the time to solve them</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"14\">{workload}: tasks by the mean CPU time to solve them</text>\n"
    );
    for (i, (label, opacity)) in LABELS.iter().zip(OPACITY).enumerate() {
        let x = NAMES + 112 * i;
        part(&mut svg, x, 32, 14, 14, opacity);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"44\">{label}</text>", x + 20);
    }
    for (i, tool) in tools.iter().enumerate() {
        let counts = buckets(tasks.iter().copied().filter(|task| task.tool == **tool));
        let all: usize = counts.iter().sum();
        let y = TOP + ROW * i;
        let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{tool}</text>", y + 15);
        let mut before = 0;
        for (count, opacity) in counts.into_iter().zip(OPACITY).filter(|(count, _)| *count > 0) {
            let (from, to) = (NAMES + BAR * before / all, NAMES + BAR * (before + count) / all);
            part(&mut svg, from, y, to - from, ROW - 6, opacity);
            let ink = if opacity > 0.5 { "white" } else { "black" };
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"{ink}\" text-anchor=\"middle\">{count}</text>",
                (from + to) / 2,
                y + 15
            );
            before += count;
        }
    }
    svg + "</svg>\n"
}

fn part(svg: &mut String, x: usize, y: usize, width: usize, height: usize, opacity: f64) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{COLOUR}\" fill-opacity=\"{opacity}\" \
         stroke=\"{COLOUR}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::super::trials::{Trial, by_task};
    use super::*;

    #[test]
    fn a_bar_has_a_part_per_bucket_and_the_number_of_its_tasks() {
        let line = |mutant: &str, solved, milliseconds: u64| {
            let nanoseconds = milliseconds * 1_000_000;
            format!("bst\t{mutant}\tInsertPost\ttype\tgenerational\ttrue\t{solved}\t9\t{nanoseconds}")
        };
        let lines = [line("insert_1", true, 50), line("insert_2", true, 500), line("insert_3", false, 50)];
        let trials: Vec<Trial> = lines.iter().map(|line| Trial::from_line("forall", line).unwrap()).collect();
        let solved = by_task(&trials);
        assert_eq!(buckets(solved.iter()), [1, 1, 0, 0, 1]);
        let chart = chart("bst", &solved.iter().collect::<Vec<_>>());
        assert_eq!(chart.matches(">forall:type:generational</text>").count(), 1);
        assert_eq!(chart.matches(">1</text>").count(), 3);
        assert!(!chart.contains("< "), "only tags begin with this");
        // The background, five in the legend, three in the bar.
        assert_eq!(chart.matches("<rect").count(), 9);
    }
}
