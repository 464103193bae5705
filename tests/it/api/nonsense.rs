//! Ten thousand random requests that make little sense: each is answered or cut off, none breaks anything.
//!
//! The numbers are drawn from a fixed seed, so that a failure can be repeated; the request is part of the message.

use std::net::SocketAddr;

use serde_json::Value;
use sim_api::api::routes::ROUTES;
use sim_api::domain::{Picture, SimTime};

use crate::support::http::{Answer, Connection, get};
use crate::support::node::{Node, with_lights};

const SEED: u64 = 0x5eed_0005;
const REQUESTS: usize = 10_000;
const AT_ONCE: usize = 20;
/// The documented reasons for a 503 that a node without a robot and without a judge can give.
const UNAVAILABLE: [&str; 4] = ["simulator_busy", "robot_not_running", "clock_not_started", "shutting_down"];

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.roll() % end as u64) as usize
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.roll() as u8).collect()
    }
}

const METHODS: [&str; 9] = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"];
const ODD_PATHS: [&str; 12] = [
    "/",
    "//",
    "/sim/api/../../etc/passwd",
    "/sim/api/%2e%2e/%2e%2e",
    "/sim/api/pose%00",
    "/sim/api/\u{1F697}",
    "/sim/api/models//pose",
    "/sim/api/models/%ff%fe/pose",
    "/sim/api/worlds/..%2f..%2fx/picture.png",
    "*",
    "http://localhost/sim/api/state",
    "/sim/api/state?%zz=&&&===#x",
];
const NAMES: [&str; 8] = ["box1", "vehicle", "wall_0", "signal1", "", "%20", "..", "no_such_model_at_all"];
const HEADERS: [&str; 14] = [
    "Host: example.org\r\n",
    "Origin: https://example.org\r\n",
    "Origin: null\r\n",
    "Sec-Fetch-Site: cross-site\r\n",
    "Content-Type: text/plain\r\n",
    "Content-Type: application/json; charset=nonsense\r\n",
    "Authorization: Bearer \u{7f}\r\n",
    "Cookie: sim_token=%zz\r\n",
    "Accept: application/x-nothing;q=7\r\n",
    "Expect: 100-continue\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "Content-Length: 18446744073709551616\r\n",
    "Range: bytes=5-1\r\n",
    "Connection: upgrade\r\nUpgrade: websocket\r\n",
];
const BODIES: [&str; 16] = [
    "{",
    "[]",
    "null",
    "7",
    "\"x\"",
    "{\"x\": 1e999}",
    "{\"x\": NaN}",
    "{\"x\": \"1\"}",
    "{\"x\": true, \"x\": 2}",
    "{\"paused\": 1}",
    "{\"steps\": -1}",
    "{\"steps\": 18446744073709551616}",
    "{\"state\": \"blue\"}",
    "{\"value\": [0.5]}",
    "{\"text\": {}, \"ttl\": 1e308}",
    "{\"world\": \"../../x.world\", \"world_id\": 0}",
];

/// What is sent, and whether an answer must come: a head that is no HTTP may just be cut off.
fn draw(dice: &mut Dice) -> (Vec<u8>, bool) {
    if dice.one_in(4) {
        return (garbage(dice), false);
    }
    let method = if dice.one_in(3) { "GET" } else { dice.pick(&METHODS) };
    let path = path(dice);
    let body = body(dice);
    let mut head = format!("{method} {path} HTTP/1.1\r\n");
    if !dice.one_in(20) {
        head += "Host: localhost\r\n";
    }
    let odd = dice.one_in(3);
    if odd {
        head += dice.pick(&HEADERS);
    }
    if !body.is_empty() {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    head += "Connection: close\r\n\r\n";
    // Spaces and letters beyond ASCII in a path are no HTTP, and some odd headers are none either.
    let is_http = path.is_ascii() && !path.contains(' ') && !odd;
    (([head.into_bytes(), body]).concat(), is_http)
}

fn path(dice: &mut Dice) -> String {
    if dice.one_in(5) {
        return dice.pick(&ODD_PATHS).to_owned();
    }
    if dice.one_in(30) {
        return format!("/sim/api/{}", "x".repeat(dice.below(20_000)));
    }
    let mut path = ROUTES[dice.below(ROUTES.len())].pattern.replace("{name}", dice.pick(&NAMES));
    if dice.one_in(10) {
        path.truncate(dice.below(path.len() + 1).max(1));
    }
    if dice.one_in(8) {
        path += dice.pick(&["?", "?stream=1", "?token=x", "/", "//", "?session=%00", ";x=1"]);
    }
    path
}

fn body(dice: &mut Dice) -> Vec<u8> {
    match dice.below(8) {
        0..4 => dice.pick(&BODIES).into(),
        4 => dice.bytes(300),
        5 => "[".repeat(dice.below(5000)).into_bytes(),
        6 if dice.one_in(10) => vec![b' '; 64 * 1024 + 1],
        _ => Vec::new(),
    }
}

fn garbage(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = match dice.below(6) {
        0 => dice.bytes(2000),
        1 => b"GET / HTTP/9.9\r\nHost: localhost\r\n".to_vec(),
        2 => b"GET /sim/api/state HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n".to_vec(),
        3 => [
            &b"POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"[..],
            &dice.bytes(40),
        ]
        .concat(),
        4 => b"POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n".to_vec(),
        _ => format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n", "y".repeat(dice.below(100_000))).into_bytes(),
    };
    if dice.one_in(2) {
        bytes.truncate(dice.below(bytes.len() + 1));
    }
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// What is wrong with the answer to one request, if anything.
async fn judge(address: SocketAddr, request: &[u8], must_answer: bool) -> Result<(), String> {
    let mut connection = Connection::open(address).await;
    let head_only = request.starts_with(b"HEAD ");
    // The server may answer and close before it has read everything.
    let _ = connection.send_or_end(request).await;
    if !must_answer {
        // It may be incomplete, and the server would wait for the rest.
        connection.finish_sending().await;
    }
    let Some(mut head) = connection.head().await else {
        return if must_answer { Err("it was not answered".into()) } else { Ok(()) };
    };
    let endless = ["text/event-stream", "multipart/x-mixed-replace; boundary=picture"];
    if head.header("content-type").is_some_and(|kind| endless.contains(&kind)) {
        return if head.status == 200 { Ok(()) } else { Err("a stream with an odd status".into()) };
    }
    let length = head.header("content-length").map_or(0, |length| length.parse().unwrap_or(usize::MAX));
    let rest = connection.read_to_end().await;
    if !head_only && rest.len() < length {
        return Err(format!("{} of {length} bytes came", rest.len()));
    }
    head.body = rest;
    if !head_only {
        head.body.truncate(length);
    }
    check(&head, head_only, must_answer)
}

fn check(answer: &Answer, head_only: bool, must_answer: bool) -> Result<(), String> {
    let is_json = answer.header("content-type") == Some("application/json");
    let json: Option<Value> = serde_json::from_slice(&answer.body).ok();
    if is_json && !head_only && json.is_none() {
        return Err("its JSON is broken".into());
    }
    if answer.status < 400 {
        return Ok(());
    }
    let code = json.as_ref().and_then(|json| json["code"].as_str()).unwrap_or_default();
    if answer.status >= 500 && !(answer.status == 503 && (UNAVAILABLE.contains(&code) || head_only)) {
        return Err(format!("status {} with code `{code}`", answer.status));
    }
    // What is no HTTP is answered by the HTTP library, with a status and nothing else.
    let says_why = is_json && (head_only || (!code.is_empty() && json.is_some_and(|json| json["error"].is_string())));
    if must_answer && !says_why {
        return Err(format!("status {} without a reason: {answer:?}", answer.status));
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_bad_requests_break_nothing() {
    let (node, sensors) = Node::showing_with_sensors(with_lights()).await;
    sensors.show_picture(Picture { stamp: SimTime::ZERO, jpeg: b"picture".as_slice().into() });
    let address = node.address;
    let callers: Vec<_> = (0..AT_ONCE)
        .map(|caller| {
            tokio::spawn(async move {
                let mut dice = Dice(SEED + 1000 * caller as u64);
                for number in 0..REQUESTS / AT_ONCE {
                    let (request, must_answer) = draw(&mut dice);
                    if let Err(fault) = judge(address, &request, must_answer).await {
                        let shown = String::from_utf8_lossy(&request[..request.len().min(600)]).into_owned();
                        panic!("{fault}; request {number} of caller {caller}:\n{shown}");
                    }
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.expect("every request is answered well");
    }
    assert_eq!(get(address, "/sim/api/status").await.json()["running"], true);
    node.stop().await;
}
