//! Plots against the number of workers: speed-up, and time to find a bug.

use super::lines::{Line, cases, find};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const COLOURS: [&str; 7] = ["#1b4f8a", "#c0392b", "#27864a", "#8e44ad", "#b9770e", "#117a8b", "#555555"];
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
const LEGEND: f64 = 220.0;

/// A line of a plot.
struct Series {
    name: String,
    /// Where several lines belong together they have one colour.
    colour: usize,
    dashed: bool,
    /// Workers, and the value.
    points: Vec<(f64, f64)>,
}

/// Writes the plots that there are numbers for.
pub fn write(directory: &Path, lines: &[Line]) -> Result<(), String> {
    fs::create_dir_all(directory).map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
    let speedups = speedups(lines);
    let bugs = bugs(lines);
    for (name, title, series) in [
        ("parallel-speedup", "Speed-up by workers (dashed: threads that share nothing)", speedups),
        ("parallel-bugs", "Time to find a planted bug, by workers, as a part of the time on one", bugs),
    ] {
        if series.is_empty() {
            continue;
        }
        let path = directory.join(format!("{name}.svg"));
        fs::write(&path, plot(title, &series)).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn speedups(lines: &[Line]) -> Vec<Series> {
    let mut series = Vec::new();
    for (colour, benchmark) in benchmarks(lines, "speedup").into_iter().enumerate() {
        for (tool, metric, dashed) in [("forall", "speedup", false), ("share_nothing", "share_nothing_speedup", true)] {
            let mut points = points(lines, "speedup", benchmark, tool, metric);
            points.insert(0, (1.0, 1.0));
            series.push(Series { name: benchmark.to_owned(), colour, dashed, points });
        }
    }
    series
}

fn bugs(lines: &[Line]) -> Vec<Series> {
    let mut series = Vec::new();
    for (colour, benchmark) in benchmarks(lines, "bugs").into_iter().enumerate() {
        let points = points(lines, "bugs", benchmark, "forall", "seconds_to_bug");
        let Some(&(_, alone)) = points.first() else { continue };
        let points = points.into_iter().map(|(workers, seconds)| (workers, seconds / alone)).collect();
        series.push(Series { name: benchmark.to_owned(), colour, dashed: false, points });
    }
    series
}

fn benchmarks<'a>(lines: &'a [Line], question: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = cases(lines, question).into_iter().map(|(benchmark, _)| benchmark).collect();
    names.dedup();
    names
}

fn points(lines: &[Line], question: &str, benchmark: &str, tool: &str, metric: &str) -> Vec<(f64, f64)> {
    let own = cases(lines, question).into_iter().filter(|(other, _)| *other == benchmark);
    own.filter_map(|case| Some((case.1 as f64, find(lines, question, case, tool, metric)?.value()))).collect()
}

fn plot(title: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|series| &series.points);
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(1.0, f64::max);
    let (right, top) = (most(|point| point.0).max(2.0), most(|point| point.1) * 1.05);
    let x = |workers: f64| LEFT + WIDTH * (workers - 1.0) / (right - 1.0);
    let y = |value: f64| TOP + HEIGHT * (1.0 - value / top);
    let (width, height) = (LEFT + WIDTH + LEGEND, TOP + HEIGHT + 50.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"14\">{title}</text>\n"
    );
    let mut ticks: Vec<f64> = all().map(|point| point.0).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    for tick in ticks {
        let (at, bottom) = (x(tick), TOP + HEIGHT);
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>", bottom + 18.0);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#dddddd\"/>");
    }
    for fifth in 0..=5 {
        let value = top * f64::from(fifth) / 5.0;
        let at = y(value);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>", LEFT - 8.0, at + 4.0);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#dddddd\"/>", LEFT + WIDTH);
    }
    for Series { name, colour, dashed, points } in series {
        let ink = COLOURS[colour % COLOURS.len()];
        let path: Vec<String> = points.iter().map(|&(at, value)| format!("{:.1} {:.1}", x(at), y(value))).collect();
        let dashes = if *dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"{dashes}/>",
            path.join("L")
        );
        if !dashed {
            let (at, line) = (LEFT + WIDTH + 20.0, TOP + 12.0 + 20.0 * *colour as f64);
            let _ = writeln!(svg, "<text x=\"{at}\" y=\"{line}\" fill=\"{ink}\">{name}</text>");
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_a_line_for_each_series_and_a_name_for_each_benchmark() {
        let line = |tool, metric, workers: u32| {
            Line::parse(&format!("speedup\tverse\t{workers}\t{tool}\t{metric}\t2\t0\t2\t20")).unwrap()
        };
        let lines = [2, 4].map(|workers| {
            [line("forall", "speedup", workers), line("share_nothing", "share_nothing_speedup", workers)]
        });
        let series = speedups(&lines.concat());
        assert_eq!(series[0].points, [(1.0, 1.0), (2.0, 2.0), (4.0, 2.0)]);
        let plot = plot("Speed-up", &series);
        assert_eq!(plot.matches("stroke-width").count(), 2);
        assert_eq!(plot.matches(">verse</text>").count(), 1);
    }
}
