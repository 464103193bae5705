//! The rules that hold for every endpoint.

use serde_json::json;
use sim_api::api::routes::match_pattern;

use crate::support::http::{Connection, exchange, get, post, request};
use crate::support::node::{Node, running};

#[tokio::test]
async fn unknown_paths_are_404_with_the_error_body() {
    let node = Node::showing(running()).await;
    for path in [
        "/sim/api",
        "/sim/api/",
        "/sim/api/nothing",
        "/sim/api/pose/x",
        "/sim/api//pose",
        "/x",
        "/sim/page",
        "/sim/api/%2e%2e",
        "/sim/api/%zz",
    ] {
        let answer = get(node.address, path).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "no_such_address"), "{path}");
    }
    node.stop().await;
}

#[tokio::test]
async fn wrong_methods_are_405_and_say_which_are_right() {
    let node = Node::showing(running()).await;
    for (method, path, allow) in [
        ("POST", "/sim/api/state", "GET, HEAD, OPTIONS"),
        ("DELETE", "/sim/api/pose", "GET, HEAD, POST, OPTIONS"),
        ("PATCH", "/sim/api/pose/", "GET, HEAD, POST, OPTIONS"),
        ("BREW", "/sim/api/clock", "GET, HEAD, OPTIONS"),
    ] {
        let answer = exchange(node.address, &request(method, path, "", b"")).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{method} {path}");
        assert_eq!(answer.code(), "method_not_allowed");
    }
    node.stop().await;
}

#[tokio::test]
async fn trailing_slash_head_and_options_work() {
    let node = Node::showing(running()).await;
    for path in ["status", "clock", "pose", "state"] {
        let plain = get(node.address, &format!("/sim/api/{path}")).await;
        let slash = get(node.address, &format!("/sim/api/{path}/?x=1")).await;
        assert_eq!((slash.status, &slash.body), (200, &plain.body));
        let options = exchange(node.address, &request("OPTIONS", &format!("/sim/api/{path}"), "", b"")).await;
        assert_eq!((options.status, options.header("access-control-allow-origin")), (204, None));
        assert!(options.header("allow").is_some_and(|allow| allow.starts_with("GET, HEAD")));

        let mut connection = Connection::open(node.address).await;
        connection.send(&request("HEAD", &format!("/sim/api/{path}"), "Connection: close\r\n", b"")).await;
        let head = connection.head().await.expect("an answer");
        assert_eq!((head.status, head.header("content-type")), (200, Some("application/json")));
        assert_eq!(head.header("content-length"), Some(plain.body.len().to_string().as_str()));
        assert_eq!(connection.read_to_end().await, b"");
    }
    node.stop().await;
}

#[tokio::test]
async fn head_of_the_event_stream_ends_at_once() {
    let node = Node::showing(running()).await;
    let mut connection = Connection::open(node.address).await;
    connection.send(&request("HEAD", "/sim/api/events", "Connection: close\r\n", b"")).await;
    let head = connection.head().await.expect("an answer");
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(connection.read_to_end().await, b"");
    node.stop().await;
}

#[tokio::test]
async fn the_root_says_where_the_api_is() {
    let node = Node::showing(running()).await;
    for path in ["/", "/sim", "/sim/"] {
        let answer = get(node.address, path).await;
        assert_eq!(answer.status, 200);
        assert!(String::from_utf8_lossy(&answer.body).contains("/sim/api/status"));
    }
    node.stop().await;
}

#[tokio::test]
async fn bodies_that_make_no_sense_are_400_and_change_nothing() {
    let node = Node::showing(running()).await;
    let deep = "[".repeat(30_000);
    let bodies: [&[u8]; 12] = [
        b"{",
        b"[1]",
        b"3",
        b"null",
        b"\"x\"",
        b"{} {}",
        b"{\"x\":1,}",
        b"\xff\xfe",
        b"{\"x\": \"\xff\"}",
        b"x=1",
        b"{x: 1}",
        deep.as_bytes(),
    ];
    for body in bodies {
        let answer = post(node.address, "/sim/api/pose", body).await;
        assert_eq!(answer.status, 400, "{}", String::from_utf8_lossy(&body[..body.len().min(40)]));
        answer.code();
    }
    assert_eq!(get(node.address, "/sim/api/pose").await.json()["seq"], json!(2469));
    node.stop().await;
}

#[tokio::test]
async fn fields_of_the_wrong_type_are_400_by_name_and_change_nothing() {
    let node = Node::showing(running()).await;
    for value in ["\"1\"", "true", "[]", "{}", "NaN", "Infinity", "-Infinity", "1e999", "-1e999"] {
        for field in ["x", "y", "yaw"] {
            let answer = post(node.address, "/sim/api/pose", format!("{{\"{field}\": {value}}}")).await;
            assert_eq!((answer.status, answer.code().as_str()), (400, "bad_field"), "{field} {value}");
            let error = answer.json()["error"].to_string();
            assert!(error.contains(&format!("\\\"{field}\\\"")), "{error}");
        }
    }
    assert_eq!(get(node.address, "/sim/api/pose").await.json()["seq"], json!(2469));
    node.stop().await;
}

#[tokio::test]
async fn bodies_over_64_kib_are_413_announced_or_not() {
    let node = Node::showing(running()).await;
    let padded = |length: usize| format!("{{\"x\": 5{}}}", " ".repeat(length - 8));
    assert_eq!(post(node.address, "/sim/api/pose", padded(64 * 1024)).await.status, 200);
    for length in [64 * 1024 + 1, 3_000_000] {
        let answer = post(node.address, "/sim/api/pose", padded(length)).await;
        assert_eq!((answer.status, answer.code().as_str()), (413, "body_too_large"), "{length}");
    }
    let chunk = format!("{:x}\r\n{}\r\n", 50_000, " ".repeat(50_000));
    let mut chunked = request("POST", "/sim/api/pose", "Transfer-Encoding: chunked\r\n", b"");
    chunked.extend_from_slice(format!("{chunk}{chunk}{chunk}0\r\n\r\n").as_bytes());
    assert_eq!(exchange(node.address, &chunked).await.status, 413);
    // A client that waits for permission is refused before it has sent anything.
    let asking =
        "POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 99999\r\n\r\n";
    assert_eq!(exchange(node.address, asking.as_bytes()).await.status, 413);
    // One that announces too much and sends nothing is refused as well.
    let silent = "POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n";
    assert_eq!(exchange(node.address, silent.as_bytes()).await.status, 413);
    // An unknown address is unknown whatever is sent to it.
    assert_eq!(post(node.address, "/sim/api/nothing", padded(70_000)).await.status, 404);
    node.stop().await;
}

#[tokio::test]
async fn chunked_bodies_are_read_like_others() {
    let node = Node::showing(running()).await;
    let mut chunked = request("POST", "/sim/api/pose", "Transfer-Encoding: chunked\r\n", b"");
    chunked.extend_from_slice(b"5\r\n{\"x\":\r\n3\r\n 5}\r\n0\r\n\r\n");
    assert_eq!(exchange(node.address, &chunked).await.json()["pose"]["x"], json!(5.0));
    node.stop().await;
}

#[tokio::test]
async fn requests_on_one_connection_are_answered_in_order_and_garbage_ends_only_that_connection() {
    let node = Node::showing(running()).await;
    let mut connection = Connection::open(node.address).await;
    let mut pipelined = request("GET", "/sim/api/status", "", b"");
    pipelined.extend(request("POST", "/sim/api/pose", "", b"{\"x\": 4}"));
    pipelined.extend(request("GET", "/sim/api/nothing", "", b""));
    pipelined.extend(b"\x00\x01 garbage \r\n\r\n");
    connection.send(&pipelined).await;
    for status in [200, 200, 404, 400] {
        assert_eq!(connection.answer().await.expect("an answer").status, status);
    }
    assert_eq!(connection.read_to_end().await, b"");
    assert_eq!(get(node.address, "/sim/api/status").await.status, 200);
    node.stop().await;
}

#[test]
fn braces_in_a_pattern_stand_for_one_part_of_the_path() {
    let names = |path| match_pattern("/models/{name}/pose", path);
    assert_eq!(names("/models/box1/pose"), Some(vec!["box1".to_owned()]));
    assert_eq!(names("/models/a%20b%2Fc/pose"), Some(vec!["a b/c".to_owned()]));
    for path in ["/models//pose", "/models/pose", "/models/a/b/pose", "/models/a/pose/b", "/models/%ff/pose"] {
        assert_eq!(names(path), None, "{path}");
    }
    let rest = |path| match_pattern("/files/{path}", path);
    assert_eq!(rest("/files/a/b%20c.png"), Some(vec!["a/b c.png".to_owned()]));
    for path in ["/files", "/files/", "/files/a//b", "/files/a%2Fb", "/files/%ff", "/files/a/"] {
        assert_eq!(rest(path), None, "{path}");
    }
}
