//! `--metrics`: the figures of a worker in Prometheus' text format, in a file or on a port of this machine.
//!
//! The file is replaced in one step, so that a collector (node_exporter's textfile collector, for example) never reads a part
//! of it. The port answers on the local machine only, and needs no token: the figures contain names of properties, no inputs.

use crate::corpus::link::Link;
use crate::screen::{aside, is_new};
use crate::shard::Part;
use crate::{Error, lines, scratch};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The interval at which the figures of a running property are published.
const PERIOD: Duration = Duration::from_secs(5);

/// The time limit of a request, so that a client that sends nothing does not occupy the port.
const PROMPT: Duration = Duration::from_secs(2);

/// The size limit of a request, in bytes.
const REQUEST: u64 = 8 << 10;

/// The value of `--metrics`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file.
    File(PathBuf),
    /// A port of this machine.
    Port(u16),
}

/// Reads the argument.
pub fn target(text: &str) -> Result<Target, String> {
    let port = text.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
    match port {
        Some(("" | "localhost" | "127.0.0.1", port)) => Ok(Target::Port(port)),
        Some((host, port)) if !host.contains(['/', '\\']) => Err(format!(
            "metrics are served on this machine only, not on `{host}`: write localhost:{port}, or the path of a file"
        )),
        _ if text.is_empty() => Err("write localhost:9464, or the path of a file".to_owned()),
        _ => Ok(Target::File(text.into())),
    }
}

/// The figures of one property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of tests, or of executions of a search.
    pub tests: u64,
    /// Seconds of running.
    pub seconds: f64,
    /// Whether a test failed.
    pub fails: bool,
    /// The expected number of new behaviours per second.
    pub rate: f64,
    /// The edges that a search reached.
    pub edges: Option<u64>,
}

/// The metrics of a worker.
#[derive(Debug)]
pub struct Metrics {
    sink: Sink,
    shard: Option<String>,
    properties: BTreeMap<String, Figures>,
    new_failures: u64,
    /// Whether the corpus is reachable, and the number of failures that wait for it.
    corpus: Option<(bool, usize)>,
    next: Instant,
}

#[derive(Debug)]
enum Sink {
    File(PathBuf),
    Page(Arc<Mutex<String>>),
}

impl Metrics {
    /// Begins to publish metrics. Fails if that is impossible, before any test runs.
    pub fn begin(target: Option<&Target>, part: Option<&Part>) -> Result<Option<Self>, Error> {
        let sink = match target {
            None => return Ok(None),
            Some(Target::File(path)) => Sink::File(path.clone()),
            Some(Target::Port(port)) => {
                let listener =
                    TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).map_err(|error| no_port(*port, &error))?;
                Sink::Page(serve(listener))
            }
        };
        let shard = part.map(|part| part.shard.to_string());
        let (properties, next) = (BTreeMap::new(), Instant::now());
        let mut metrics = Self { sink, shard, properties, new_failures: 0, corpus: None, next };
        metrics.publish()?;
        Ok(Some(metrics))
    }

    /// Sets the figures of a property, over all its slices.
    pub fn set(&mut self, property: &str, figures: Figures) {
        self.properties.insert(property.to_owned(), figures);
    }

    /// Sets the number of failures that are new in the corpus.
    pub fn new_failures(&mut self, number: usize) {
        self.new_failures = number as u64;
    }

    /// Sets the state of the corpus.
    fn corpus(&mut self, link: &Link) {
        self.corpus = Some((!link.is_away(), link.waiting()));
    }

    /// Publishes the figures from time to time.
    pub fn tick(&mut self, link: Option<&Link>) {
        if Instant::now() >= self.next {
            self.update(link);
        }
    }

    /// Publishes the figures. A file that cannot be written any more is reported once, and does not end the campaign.
    pub fn update(&mut self, link: Option<&Link>) {
        link.inspect(|link| self.corpus(link));
        if let Err(why) = self.publish()
            && is_new(&why.to_string())
        {
            aside(&format!("forall: warning: {why}\n"));
        }
    }

    /// Publishes the figures.
    fn publish(&mut self) -> Result<(), Error> {
        self.next = Instant::now() + PERIOD;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let text = self.text(now.as_secs());
        match &self.sink {
            Sink::File(path) => write(path, &text).map_err(|error| lines::unwritable(path, error)),
            Sink::Page(page) => {
                *page.lock().unwrap_or_else(PoisonError::into_inner) = text;
                Ok(())
            }
        }
    }

    fn text(&self, now: u64) -> String {
        let mut out = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: Vec<(String, f64)>| {
            if samples.is_empty() {
                return;
            }
            out += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
            for (labels, value) in samples {
                out += &format!("{name}{labels} {value}\n");
            }
        };
        let shard = self.shard.as_ref().map(|shard| ("shard", shard.as_str()));
        let of_all = |value: f64| vec![(labels(shard.into_iter()), value)];
        let each = |value: &dyn Fn(&Figures) -> Option<f64>| -> Vec<(String, f64)> {
            let sample = |(name, figures): (&String, &Figures)| {
                Some((labels([("property", name.as_str())].into_iter().chain(shard)), value(figures)?))
            };
            self.properties.iter().filter_map(sample).collect()
        };
        family("forall_tests_total", "counter", "Tests, or executions of a search.", each(&|of| Some(of.tests as f64)));
        family("forall_run_seconds_total", "counter", "Seconds of running.", each(&|of| Some(of.seconds)));
        family("forall_failing", "gauge", "1 if a test of the property fails.", each(&|of| Some(f64::from(of.fails))));
        family(
            "forall_expected_new_behaviours_per_second",
            "gauge",
            "The estimate by which time is divided among properties.",
            each(&|of| Some(of.rate).filter(|rate| rate.is_finite())),
        );
        family("forall_edges", "gauge", "Edges that a search reached.", each(&|of| of.edges.map(|edges| edges as f64)));
        if let Some((reachable, waiting)) = self.corpus {
            let new = of_all(self.new_failures as f64);
            family("forall_new_failures_total", "counter", "Failures that are new in the corpus.", new);
            let reachable = of_all(f64::from(reachable));
            family("forall_corpus_reachable", "gauge", "1 if the corpus is reachable.", reachable);
            let waiting = of_all(waiting as f64);
            family("forall_corpus_waiting_failures", "gauge", "Failures that are not in the corpus yet.", waiting);
        }
        family("forall_updated_timestamp_seconds", "gauge", "Unix time of these figures.", of_all(now as f64));
        out
    }
}

/// Returns labels in braces, or nothing if there are none.
fn labels<'a>(labels: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let all: Vec<String> = labels.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
}

/// Replaces a file in one step.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".tmp-{}", scratch::own_name()));
    let temporary = PathBuf::from(temporary);
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // It may not exist.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn no_port(port: u16, error: &io::Error) -> Error {
    let why = match error.kind() {
        io::ErrorKind::AddrInUse => "it is in use".to_owned(),
        _ => error.to_string(),
    };
    format!("cannot serve metrics on port {port}: {why}; choose another port, or a file, with --metrics").into()
}

/// Serves a page until the process ends.
fn serve(listener: TcpListener) -> Arc<Mutex<String>> {
    let page = Arc::new(Mutex::new(String::new()));
    let served = page.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let text = served.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // A closed connection is not an error.
            let _ = answer(stream, &text);
        }
    });
    page
}

fn answer(mut stream: TcpStream, text: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PROMPT))?;
    stream.set_write_timeout(Some(PROMPT))?;
    let (mut request, mut piece, until) = (Vec::new(), [0; 1024], Instant::now() + PROMPT);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let length = stream.read(&mut piece)?;
        request.extend_from_slice(&piece[..length]);
        if length == 0 || request.len() as u64 > REQUEST || Instant::now() > until {
            return Ok(());
        }
    }
    let (status, body) = match request.starts_with(b"GET /metrics ") {
        true => ("200 OK", text),
        false => ("404 Not Found", "there is only one page here: /metrics\n"),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(sink: Sink) -> Metrics {
        let next = Instant::now();
        let mut metrics =
            Metrics { sink, shard: None, properties: BTreeMap::new(), new_failures: 2, corpus: Some((true, 3)), next };
        let figures = Figures { tests: 1200, seconds: 2.5, fails: true, rate: 0.25, edges: None };
        metrics.set("shop::sums", figures);
        metrics.set("odd \"name\"\\", Figures { edges: Some(7), ..Figures::default() });
        metrics
    }

    #[test]
    fn figures_are_in_the_text_format_of_prometheus() {
        let mut metrics = metrics(Sink::Page(Arc::default()));
        insta::assert_snapshot!(metrics.text(1_800_000_000));
        metrics.shard = Some("3/64".to_owned());
        let text = metrics.text(1_800_000_000);
        assert!(text.contains("forall_tests_total{property=\"shop::sums\",shard=\"3/64\"} 1200\n"), "{text}");
        assert!(text.contains("forall_corpus_reachable{shard=\"3/64\"} 1\n"), "{text}");
        // Without a corpus, no failure is known to be new.
        metrics.corpus = None;
        assert!(!metrics.text(0).contains("corpus"));
    }

    #[test]
    fn the_argument_is_a_file_or_a_port_of_this_machine() {
        assert_eq!(target("localhost:9464"), Ok(Target::Port(9464)));
        assert_eq!((target("127.0.0.1:1"), target(":80")), (Ok(Target::Port(1)), Ok(Target::Port(80))));
        for file in ["forall.prom", "/var/lib/a:b/forall.prom", "C:\\forall.prom", "a/b:9464"] {
            assert_eq!(target(file), Ok(Target::File(file.into())));
        }
        let wrong = target("0.0.0.0:9464").unwrap_err();
        assert_eq!(
            wrong,
            "metrics are served on this machine only, not on `0.0.0.0`: write localhost:9464, or the path of a file"
        );
        assert_eq!(target("").unwrap_err(), "write localhost:9464, or the path of a file");
    }

    #[test]
    fn a_file_is_replaced_and_an_unwritable_one_is_reported_at_once() {
        let root = std::env::temp_dir().join(format!("forall-metrics-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let path = root.join("forall.prom");
        fs::write(&path, "an earlier text").unwrap();
        let mut metrics = metrics(Sink::File(path.clone()));
        metrics.publish().unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with("# HELP forall_tests_total "));
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "nothing is left beside it");
        let nowhere = Target::File(root.join("gone/forall.prom"));
        let wrong = Metrics::begin(Some(&nowhere), None).unwrap_err().to_string();
        assert!(wrong.contains("gone/forall.prom"), "{wrong}");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_port_serves_the_latest_figures_and_nothing_else() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut metrics = metrics(Sink::Page(serve(listener)));
        metrics.publish().unwrap();
        let ask = |request: &str| {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let said = ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(said.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"), "{said}");
        assert!(said.contains("\nforall_tests_total{property=\"shop::sums\"} 1200\n"), "{said}");
        let other = ask("GET / HTTP/1.1\r\n\r\n");
        assert!(
            other.starts_with("HTTP/1.1 404") && other.ends_with("there is only one page here: /metrics\n"),
            "{other}"
        );
        let wrong = Metrics::begin(Some(&Target::Port(port)), None).unwrap_err().to_string();
        let says = format!(
            "cannot serve metrics on port {port}: it is in use; choose another port, or a file, with --metrics"
        );
        assert_eq!(wrong, says);
    }
}
