//! A drawing of the workers' requests to the store over an hour.

use crate::document::short;
use crate::fleet::Moment;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Left, right, top and bottom of what is drawn.
const MARGINS: (f64, f64, f64, f64) = (70.0, 90.0, 30.0, 50.0);
/// The axes, as powers of ten: seconds, and operations a second.
const TIME: (f64, f64) = (-1.0, 3.6);
const OPERATIONS: (f64, f64) = (0.0, 9.0);
const COLOURS: [&str; 5] = ["#888888", "#1b9e77", "#7570b3", "#d95f02", "#e7298a"];

fn x(seconds: f64) -> f64 {
    let (left, right, ..) = MARGINS;
    left + (seconds.log10() - TIME.0) / (TIME.1 - TIME.0) * (WIDTH - left - right)
}

fn y(operations: f64) -> f64 {
    let (.., top, bottom) = MARGINS;
    let part = (operations.max(1.0).log10() - OPERATIONS.0) / (OPERATIONS.1 - OPERATIONS.0);
    HEIGHT - bottom - part * (HEIGHT - top - bottom)
}

/// Operations that are asked for over time, a line for each fleet, and what the store can do.
pub fn draw(fleets: &[(f64, Vec<Moment>)], capacity: f64) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Operations a second that fleets of several sizes ask of one store, over an hour</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    let (left, right, top, bottom) = MARGINS;
    for power in 0..=9 {
        let at = y(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e5e5e5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - right,
            left - 6.0,
            at + 4.0,
            short(10f64.powi(power))
        );
    }
    for (seconds, name) in
        [(0.1, "0.1 s"), (1.0, "1 s"), (10.0, "10 s"), (60.0, "1 min"), (600.0, "10 min"), (3600.0, "1 h")]
    {
        let at = x(seconds);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#e5e5e5\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
            HEIGHT - bottom,
            HEIGHT - bottom + 18.0
        );
    }
    let limit = y(capacity);
    let _ = writeln!(
        svg,
        "<line x1=\"{left}\" y1=\"{limit:.1}\" x2=\"{:.1}\" y2=\"{limit:.1}\" stroke=\"#000000\" stroke-dasharray=\"5 4\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">capacity</text>",
        WIDTH - right,
        left + 8.0,
        limit - 6.0
    );
    for ((workers, history), colour) in fleets.iter().zip(COLOURS) {
        let mut points = String::new();
        // As many points as can be told apart.
        let mut drawn = f64::NEG_INFINITY;
        for moment in history.iter().filter(|moment| moment.seconds > 0.0) {
            let at = x(moment.seconds);
            if at - drawn >= 2.0 {
                drawn = at;
                let _ = write!(points, "{at:.1},{:.1} ", y(moment.operations));
            }
        }
        let end = history.last().map_or(0.0, |moment| y(moment.operations));
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{} worker{}</text>",
            points.trim_end(),
            WIDTH - right + 4.0,
            end + 4.0,
            short(*workers),
            if *workers == 1.0 { "" } else { "s" }
        );
    }
    svg += "</svg>\n";
    svg
}
