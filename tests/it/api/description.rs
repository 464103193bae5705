//! How the API describes itself: to programs, to people, to whoever watches over it.

use std::path::Path;

use serde_json::Value;
use sim_api::api::openapi::document;
use sim_api::api::routes::ROUTES;

use crate::support::http::{get, post};
use crate::support::node::{Node, running};

#[test]
fn every_route_is_described() {
    let document = document();
    for route in ROUTES {
        let method = route.method.as_str().to_lowercase();
        let operation = &document["paths"][route.pattern][&method];
        assert!(operation["summary"].is_string(), "{method} {} is not described", route.pattern);
        assert!(operation["responses"]["200"].is_object());
    }
}

/// Every `$ref` of the document, wherever it stands.
fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let found = references(&document);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("only this document is referred to");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

/// The description is a promise. With `UPDATE_GOLDEN=1` this test writes the file instead.
#[test]
fn the_description_changes_only_on_purpose() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/openapi.json");
    let text = serde_json::to_string_pretty(&document()).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, &text).expect("writable");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == text, "the API's description has changed: look at it, then run the tests with UPDATE_GOLDEN=1");
}

#[tokio::test]
async fn the_description_is_served_and_a_page_shows_it() {
    let node = Node::showing(running()).await;
    assert_eq!(get(node.address, "/sim/api/openapi.json").await.json(), document());
    let page = get(node.address, "/sim/docs").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let text = String::from_utf8(page.body).expect("a page is text");
    assert!(text.contains("/sim/api/openapi.json"));
    assert!(!text.contains("http://") && !text.contains("https://"), "the page needs nobody else");
    node.stop().await;
}

#[tokio::test]
async fn metrics_count_answers_by_route_and_status() {
    let node = Node::showing(running()).await;
    for _ in 0..3 {
        get(node.address, "/sim/api/pose").await;
    }
    post(node.address, "/sim/api/models/box9/pose", "{}").await;
    get(node.address, "/sim/api/nothing").await;
    let metrics = get(node.address, "/sim/api/metrics").await;
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let text = String::from_utf8(metrics.body).expect("metrics are text");
    let count = "sim_api_http_request_duration_seconds_count";
    let bucket = "sim_api_http_request_duration_seconds_bucket";
    for line in [
        format!("{count}{{route=\"/sim/api/pose\",method=\"GET\",status=\"200\"}} 3"),
        format!("{bucket}{{route=\"/sim/api/pose\",method=\"GET\",status=\"200\",le=\"+Inf\"}} 3"),
        format!("{count}{{route=\"/sim/api/models/{{name}}/pose\",method=\"POST\",status=\"404\"}} 1"),
        format!("{count}{{route=\"\",method=\"\",status=\"404\"}} 1"),
        "sim_api_simulator_alive 1".to_owned(),
        "sim_api_event_clients 0".to_owned(),
        "sim_api_rtf 0.95".to_owned(),
        "sim_api_epoch 7".to_owned(),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    node.stop().await;
}
