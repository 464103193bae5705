//! Who may ask: every rule of the guard, on requests as clients write them.

use sim_api::api::ApiOptions;
use sim_api::api::guard::{GuardOptions, check, cookie_to_set};
use sim_api::api::request::RequestHead;
use sim_api::bridge::channel;
use warp::http::{HeaderMap, HeaderName, HeaderValue, Method, Version};

use crate::support::http::{exchange, request};
use crate::support::node::{Node, running};

fn head(method: Method, headers: &[(&'static str, &'static str)]) -> RequestHead {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    let (path, query) = ("/sim/api/pose".to_owned(), String::new());
    RequestHead { method, version: Version::HTTP_11, path, query, headers: map }
}

/// The status that the guard answers with; 200 for a pass.
fn verdict(head: &RequestHead, options: &GuardOptions) -> u16 {
    check(head, options).map_or_else(|err| err.status.as_u16(), |()| 200)
}

fn open() -> GuardOptions {
    GuardOptions { token: None, allowed_hosts: vec!["sim.example".into(), "Lab.example:8080".into()] }
}

fn closed() -> GuardOptions {
    GuardOptions { token: Some("s3cret+/=;%".into()), ..open() }
}

#[test]
fn only_loopback_and_allowed_names_are_served() {
    for (host, status) in [
        ("localhost", 200),
        ("LOCALHOST:8080", 200),
        ("127.0.0.1:1", 200),
        ("[::1]", 200),
        ("[::1]:8080", 200),
        ("sim.example:99", 200),
        ("lab.example:8080", 200),
        ("lab.example:8081", 421),
        ("lab.example", 421),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("evil.localhost", 421),
        ("localhost:80:80", 421),
        ("localhost:x", 421),
        ("localhost@evil.example", 421),
        ("[::1]x", 421),
        ("[::1", 421),
        ("127.0.0.2", 421),
        ("", 421),
        (":80", 421),
    ] {
        assert_eq!(verdict(&head(Method::GET, &[("host", host)]), &open()), status, "{host}");
    }
    assert_eq!(verdict(&head(Method::GET, &[("host", "localhost"), ("host", "localhost")]), &open()), 421);
}

#[test]
fn a_missing_host_is_fine_only_in_http_1_0() {
    let mut missing = head(Method::GET, &[]);
    assert_eq!(verdict(&missing, &open()), 421);
    missing.version = Version::HTTP_10;
    assert_eq!(verdict(&missing, &open()), 200);
}

#[test]
fn foreign_origins_are_refused_for_reads_and_writes() {
    for (host, origin, status) in [
        ("localhost:8080", "http://localhost:8080", 200),
        ("localhost:8080", "HTTP://LocalHost:8080", 200),
        ("localhost", "http://localhost:80", 200),
        ("sim.example", "https://sim.example", 200),
        ("localhost:8080", "http://localhost:8081", 403),
        ("localhost:8080", "http://localhost", 403),
        ("localhost:8080", "http://127.0.0.1:8080", 403),
        ("localhost:8080", "https://evil.example", 403),
        ("localhost:8080", "http://localhost:8080.evil.example", 403),
        ("localhost:8080", "null", 403),
        ("localhost:8080", "", 403),
        ("localhost:8080", "file://", 403),
    ] {
        for method in [Method::GET, Method::POST, Method::OPTIONS] {
            let headers = [("host", host), ("origin", origin), ("content-type", "application/json")];
            assert_eq!(verdict(&head(method, &headers), &open()), status, "{host} {origin}");
        }
    }
}

#[test]
fn cross_site_fetches_are_refused() {
    for (site, status) in [("cross-site", 403), ("Cross-Site", 403), ("same-origin", 200), ("none", 200)] {
        let headers = [("host", "localhost"), ("sec-fetch-site", site)];
        assert_eq!(verdict(&head(Method::GET, &headers), &open()), status, "{site}");
    }
}

#[test]
fn a_browser_must_write_json_and_a_plain_client_need_not() {
    let same_origin = ("origin", "http://localhost");
    for browser in [same_origin, ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "no-cors")] {
        for (content_type, status) in [
            ("application/json", 200),
            ("Application/JSON; charset=utf-8", 200),
            ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("application/jsonp", 415),
            ("text/plain; application/json", 415),
        ] {
            let headers = [("host", "localhost"), browser, ("content-type", content_type)];
            assert_eq!(verdict(&head(Method::POST, &headers), &open()), status, "{content_type}");
            assert_eq!(verdict(&head(Method::GET, &headers), &open()), 200);
        }
        assert_eq!(verdict(&head(Method::DELETE, &[("host", "localhost"), browser]), &open()), 415);
    }
    assert_eq!(verdict(&head(Method::POST, &[("host", "localhost"), ("content-type", "text/plain")]), &open()), 200);
}

#[test]
fn with_a_token_only_its_bearer_passes() {
    for (authorization, status) in [
        ("Bearer s3cret+/=;%", 200),
        ("bearer s3cret+/=;%", 200),
        ("Bearer s3cret+/=;", 401),
        ("Bearer s3cret+/=;%%", 401),
        ("Bearer ", 401),
        ("Basic s3cret+/=;%", 401),
        ("s3cret+/=;%", 401),
    ] {
        let headers = [("host", "localhost"), ("authorization", authorization)];
        assert_eq!(verdict(&head(Method::POST, &headers), &closed()), status, "{authorization}");
    }
    assert_eq!(verdict(&head(Method::GET, &[("host", "localhost")]), &closed()), 401);
    let empty = GuardOptions { token: Some(String::new()), ..open() };
    assert_eq!(verdict(&head(Method::GET, &[("host", "localhost"), ("authorization", "Bearer ")]), &empty), 401);
}

#[test]
fn a_token_in_the_address_sets_a_cookie_that_then_suffices() {
    let mut first = head(Method::GET, &[("host", "localhost")]);
    first.query = "a=1&token=s3cret%2B%2F%3D%3B%25".to_owned();
    assert_eq!(verdict(&first, &closed()), 200);
    let cookie = cookie_to_set(&first, &closed()).expect("a cookie");
    let cookie = cookie.to_str().expect("plain text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");

    let value = format!("theme=dark; {}", cookie.split(';').next().expect("the pair"));
    let mut second = head(Method::POST, &[("host", "localhost")]);
    second.headers.insert("cookie", HeaderValue::try_from(value).expect("plain text"));
    assert_eq!(verdict(&second, &closed()), 200);
    assert_eq!(cookie_to_set(&second, &closed()), None);

    first.method = Method::POST;
    assert_eq!(verdict(&first, &closed()), 401, "a write is not let in by its address");
    first.method = Method::GET;
    first.query = "token=wrong".to_owned();
    assert_eq!((verdict(&first, &closed()), cookie_to_set(&first, &closed())), (401, None));
    assert_eq!(cookie_to_set(&first, &open()), None);
}

#[tokio::test]
async fn the_server_asks_the_guard_first() {
    let (bridge, _owner) = channel(running());
    let options = ApiOptions { token: Some("abc".into()), ..ApiOptions::default() };
    let node = Node::serve(options, bridge).await;
    for path in ["/", "/sim/api/status", "/sim/api/nothing"] {
        let refused = exchange(node.address, &request("GET", path, "", b"")).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "token_required"), "{path}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
    let welcome = exchange(node.address, &request("GET", "/sim/api/status?token=abc", "", b"")).await;
    assert_eq!(welcome.status, 200);
    assert!(welcome.header("set-cookie").is_some_and(|cookie| cookie.starts_with("sim_token=")));
    let bearer = exchange(node.address, &request("GET", "/sim/api/status", "Authorization: Bearer abc\r\n", b"")).await;
    assert_eq!((bearer.status, bearer.header("set-cookie")), (200, None));
    node.stop().await;
}

#[tokio::test]
async fn odd_hosts_are_judged_on_the_wire_too() {
    let node = Node::showing(running()).await;
    for (start, status) in [
        ("GET /sim/api/status HTTP/1.0\r\n", 200),
        ("GET /sim/api/status HTTP/1.1\r\n", 421),
        ("GET /sim/api/status HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("GET http://localhost/sim/api/status HTTP/1.1\r\nHost: localhost\r\n", 200),
        ("GET http://evil.example/sim/api/status HTTP/1.1\r\nHost: localhost\r\n", 421),
        ("POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n", 403),
        ("POST /sim/api/pose HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n", 415),
    ] {
        let answer = exchange(node.address, format!("{start}\r\n").as_bytes()).await;
        assert_eq!(answer.status, status, "{start}");
    }
    node.stop().await;
}
