//! How a corpus grows while one worker searches: read off the log of a real campaign.

use std::fmt;

/// How many entries a search has after so many executions.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Executions and entries, both growing.
    points: Vec<(f64, f64)>,
    /// The state at the end of the log.
    pub edges: u64,
    /// Executions of one worker in a second, on a processor of its own.
    pub per_second: f64,
    /// The size of an entry, on the average.
    pub bytes: f64,
    /// Behind the end of the log entries grow as this power of executions: as they did in the last tenfold of it.
    pub exponent: f64,
}

/// Why a log cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is no log of a campaign: {}", self.0)
    }
}

impl Curve {
    /// Reads a log: the lines that a test program says of itself while it searches, and a last one with the time that the
    /// processor took, and with how many entries of how many bytes were in the store of a campaign of this property.
    pub fn read(log: &str) -> Result<Self, Unusable> {
        let (mut points, mut edges, mut last_line) = (Vec::new(), 0, None);
        for (number, line) in log.lines().enumerate() {
            let line: serde_json::Value =
                serde_json::from_str(line).map_err(|error| Unusable(format!("line {}: {error}", number + 1)))?;
            let of = |field: &str| line[field].as_f64();
            if let (Some(entries), Some(bytes), Some(time)) =
                (of("stored_entries"), of("stored_bytes"), of("processor_seconds"))
            {
                last_line = Some((bytes / entries, time));
            } else if let (Some(executions), Some(entries)) = (of("executions"), of("corpus")) {
                let last: (f64, f64) = points.last().copied().unwrap_or((0.0, 0.0));
                if executions > last.0 && entries >= last.1 {
                    points.push((executions, entries));
                }
                edges = line["edges"].as_u64().unwrap_or(edges);
            }
        }
        let (Some(&last), Some((bytes, time))) = (points.last().filter(|last| last.1 > 0.0), last_line) else {
            let lines = "lines with `executions` and `corpus`, and one with `stored_bytes` and `processor_seconds`";
            return Err(Unusable(format!("it needs {lines}")));
        };
        let mut curve = Self { points, edges, per_second: last.0 / time, bytes, exponent: 0.0 };
        curve.exponent = (last.1 / curve.entries(last.0 / 10.0)).log10();
        Ok(curve)
    }

    /// The last line of the log: executions and entries.
    pub fn end(&self) -> (f64, f64) {
        self.points[self.points.len() - 1]
    }

    /// Entries after so many executions.
    pub fn entries(&self, executions: f64) -> f64 {
        let (last, entries) = self.end();
        if executions >= last {
            return entries * (executions / last).powf(self.exponent);
        }
        let behind = self.points.partition_point(|point| point.0 <= executions);
        let right = self.points[behind];
        let left = if behind == 0 { (0.0, 0.0) } else { self.points[behind - 1] };
        left.1 + (right.1 - left.1) * (executions - left.0) / (right.0 - left.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_through_its_points_and_on_as_it_did() {
        let log = "{\"executions\":100,\"corpus\":10,\"edges\":5}\n\
                   {\"executions\":1000,\"corpus\":20,\"edges\":7}\n\
                   {\"stored_entries\":20,\"stored_bytes\":4000,\"processor_seconds\":0.1}\n";
        let curve = Curve::read(log).unwrap();
        assert_eq!([0.0, 50.0, 100.0, 1000.0].map(|executions| curve.entries(executions)), [0.0, 5.0, 10.0, 20.0]);
        assert!((curve.entries(10_000.0) - 40.0).abs() < 1e-9, "it doubled in the last tenfold");
        assert_eq!((curve.edges, curve.bytes, curve.per_second), (7, 200.0, 10_000.0));
    }

    #[test]
    fn an_invalid_log_is_reported() {
        assert!(Curve::read("").unwrap_err().to_string().contains("stored_bytes"));
        assert!(Curve::read("{").unwrap_err().to_string().contains("line 1"));
    }
}
