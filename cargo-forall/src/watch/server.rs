//! Serves the page over HTTP, on this machine only, and only for requests with the token.
//!
//! There are two addresses: `/` is the page, and `/data` waits for changes since a version. Both need the token. The header
//! `Host` must name this machine, which prevents DNS rebinding by other sites.

use super::board::Board;
use crate::Error;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a request for changes waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// The size limit of a request, in bytes.
const REQUEST: u64 = 16 << 10;

/// The time within which a request must be complete: otherwise a few programs that send a byte now and then would take all
/// connections.
const PROMPT: Duration = Duration::from_secs(5);

/// The number of connections at once.
const CONNECTIONS: usize = 64;

/// A server that runs until the process ends.
#[derive(Debug)]
pub(super) struct Server {
    address: SocketAddr,
    token: String,
}

impl Server {
    /// Starts the server on a port, or on any free one.
    pub(super) fn start(port: Option<u16>, board: Arc<Board>) -> Result<Self, Error> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).map_err(|error| no_port(port, &error))?;
        let address = listener.local_addr().map_err(|error| no_port(port, &error))?;
        let token = token();
        let gate = Arc::new(Gate { token: token.clone(), address, board });
        std::thread::spawn(move || {
            let open = Arc::new(AtomicUsize::new(0));
            for stream in listener.incoming().flatten() {
                let (gate, open) = (gate.clone(), open.clone());
                if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                std::thread::spawn(move || {
                    // A closed connection is not an error.
                    let _ = gate.serve(stream);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
        Ok(Self { address, token })
    }

    /// The address to open.
    pub(super) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }
}

fn no_port(port: Option<u16>, error: &io::Error) -> Error {
    match port {
        Some(port) if error.kind() == io::ErrorKind::AddrInUse => {
            format!("port {port} is in use; choose another with --port, or omit --port to use any free one").into()
        }
        Some(port) => format!("cannot listen on port {port}: {error}; choose another with --port").into(),
        None => format!("cannot listen on this machine: {error}; `forall report` writes the page to a file").into(),
    }
}

/// 128 random bits: the standard library seeds its hashers from the system's random numbers.
fn token() -> String {
    let random = RandomState::new();
    format!("{:016x}{:016x}", random.hash_one(1), random.hash_one(2))
}

/// Checks and answers requests.
struct Gate {
    token: String,
    address: SocketAddr,
    board: Arc<Board>,
}

impl Gate {
    fn serve(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        let request = Request { stream: stream.try_clone()?, until: Instant::now() + PROMPT };
        let mut reader = BufReader::new(request.take(REQUEST));
        let (mut first, mut host) = (String::new(), None);
        reader.read_line(&mut first)?;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = Some(value.trim().to_owned());
            }
        }
        let (status, kind, body) = self.answer(&first, host.as_deref());
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(body.as_bytes())?;
        stream.flush()
    }

    /// Returns the status, content type and body of the response to a request.
    fn answer(&self, first: &str, host: Option<&str>) -> (&'static str, &'static str, String) {
        let plain = |status: &'static str, text: &str| (status, "text/plain", format!("{text}\n"));
        let mut words = first.split_whitespace();
        let (Some("GET"), Some(target)) = (words.next(), words.next()) else {
            return plain("405 Method Not Allowed", "only GET requests are answered here");
        };
        if !host.is_some_and(|host| is_here(host, self.address.port())) {
            return plain("403 Forbidden", "open the address that `forall watch` printed, on the same machine");
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let field = |name: &str| {
            query
                .split('&')
                .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value))
        };
        if !field("token").is_some_and(|token| is_same(token, &self.token)) {
            return plain("403 Forbidden", "open the address that `forall watch` printed: it contains a token");
        }
        match path {
            "/" => ("200 OK", "text/html", self.board.page()),
            "/data" => {
                let after = field("after").and_then(|after| after.parse().ok()).unwrap_or(0);
                ("200 OK", "application/json", self.board.news(after, PATIENCE).to_string())
            }
            _ => plain("404 Not Found", "there is only one page here: /"),
        }
    }
}

/// A request, which must arrive in time.
struct Request {
    stream: TcpStream,
    until: Instant,
}

impl Read for Request {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

/// Whether a `Host` names this machine and this port. Browsers leave out the usual port.
fn is_here(host: &str, port: u16) -> bool {
    const USUAL: u16 = 80;
    let (name, given) = host.split_once(':').map_or((host, None), |(name, given)| (name, Some(given)));
    let is_port = given.map_or(port == USUAL, |given| given == port.to_string());
    matches!(name, "127.0.0.1" | "localhost") && is_port
}

/// Compares in constant time, so that a timing attack cannot guess the token.
fn is_same(given: &str, own: &str) -> bool {
    given.len() == own.len() && given.bytes().zip(own.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn only_those_with_the_token_get_the_page_and_only_on_this_machine() {
        let server = Server::start(None, Arc::new(Board::default())).unwrap();
        let (token, host) = (&server.token, server.address);
        assert!(host.ip().is_loopback() && token.len() == 32, "{token}");
        let asked = |target: &str, host: &str| get(&server, &format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        let (own, named) = (host.to_string(), format!("localhost:{}", host.port()));
        for host in [&own, &named] {
            let page = asked(&format!("/?token={token}"), host);
            assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("connect-src 'self'"), "{page}");
        }
        let data = asked(&format!("/data?token={token}&after=x"), &own);
        assert!(data.ends_with('}') && data.contains("application/json"), "{data}");
        let refused = [
            asked("/", &own),
            asked("/?token=", &own),
            asked(&format!("/data?token={}", "0".repeat(32)), &own),
            asked(&format!("/?token={token}"), "rebound.example"),
            asked(&format!("/favicon.ico?token={token}"), &own),
            get(&server, &format!("POST /?token={token} HTTP/1.1\r\nHost: {own}\r\n\r\n")),
            get(&server, "\r\n\r\n"),
            // Above the limit of a request.
            get(&server, &format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(14_000))),
        ];
        let said = refused.map(|answer| {
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            format!("{}: {}", head.lines().next().unwrap(), body.trim())
        });
        insta::assert_snapshot!(said.join("\n"));
        assert_ne!(self::token(), self::token());
    }

    #[test]
    fn a_host_is_this_machine_with_the_port_of_the_server() {
        assert!(is_here("127.0.0.1:8080", 8080) && is_here("localhost:8080", 8080));
        assert!(is_here("127.0.0.1", 80) && is_here("localhost:80", 80), "the usual port is left out");
        for (host, port) in [("127.0.0.1", 8080), ("localhost:80", 8080), ("localhost.example:80", 80), ("", 80)] {
            assert!(!is_here(host, port), "{host} {port}");
        }
    }

    #[test]
    fn a_request_that_arrives_byte_by_byte_is_given_up() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut slow = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let until = Instant::now() + Duration::from_millis(300);
        let reading = std::thread::spawn(move || Request { stream, until }.read_to_end(&mut Vec::new()));
        let began = Instant::now();
        while !reading.is_finished() {
            assert!(began.elapsed() < Duration::from_secs(30), "each byte prolongs it");
            let _ = slow.write_all(b"x");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(reading.join().unwrap().is_err());
    }

    #[test]
    fn a_port_in_use_is_named() {
        let server = Server::start(None, Arc::new(Board::default())).unwrap();
        let port = server.address.port();
        let said = Server::start(Some(port), Arc::new(Board::default())).unwrap_err().to_string();
        assert_eq!(
            said,
            format!("port {port} is in use; choose another with --port, or omit --port to use any free one")
        );
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(
            no_port(Some(80), &denied()).to_string(),
            "cannot listen on port 80: permission denied; choose another with --port"
        );
        assert_eq!(
            no_port(None, &denied()).to_string(),
            "cannot listen on this machine: permission denied; `forall report` writes the page to a file"
        );
    }
}
