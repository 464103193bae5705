//! The page at `/sim`, when it was built and when not.

use std::fs;

use sim_api::api::ApiOptions;
use sim_api::bridge::channel;

use crate::support::folder::TempFolder;
use crate::support::http::{Answer, exchange, get, request};
use crate::support::node::{Node, running};

/// A page as a build leaves it.
async fn node_with_page(folder: &TempFolder) -> Node {
    fs::create_dir(folder.path().join("assets")).expect("writable");
    for (name, content) in [
        ("index.html", "<!doctype html><script type=module src=/sim/assets/index-1a2b.js></script>"),
        ("assets/index-1a2b.js", "plain script"),
        ("assets/index-1a2b.js.gz", "gzip script"),
        ("assets/index-1a2b.js.br", "brotli script"),
        ("assets/index-3c4d.css", "plain style"),
        ("assets/notes.txt", "not for browsers"),
        ("secret.js", "outside of the assets"),
    ] {
        fs::write(folder.path().join(name), content).expect("writable");
    }
    let options = ApiOptions { viewer: Some(folder.path().to_owned()), ..ApiOptions::default() };
    Node::serve(options, channel(running()).0).await
}

async fn script(node: &Node, accepts: &str) -> Answer {
    let headers = format!("Accept-Encoding: {accepts}\r\n");
    exchange(node.address, &request("GET", "/sim/assets/index-1a2b.js", &headers, b"")).await
}

#[tokio::test]
async fn without_a_built_page_sim_says_where_the_api_is() {
    let folder = TempFolder::new();
    let options = ApiOptions { viewer: Some(folder.path().join("nowhere")), ..ApiOptions::default() };
    let node = Node::serve(options, channel(running()).0).await;
    let page = get(node.address, "/sim").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    assert!(String::from_utf8_lossy(&page.body).contains("/sim/api/status"));
    node.stop().await;
}

#[tokio::test]
async fn the_page_runs_no_script_but_its_own_files() {
    let folder = TempFolder::new();
    let node = node_with_page(&folder).await;
    for address in ["/sim", "/sim/", "/sim?token=x"] {
        let page = get(node.address, address).await;
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{address}");
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("cache-control"), Some("no-cache"));
    }
    node.stop().await;
}

#[tokio::test]
async fn assets_come_as_small_as_the_client_can_read_them_and_are_kept() {
    let folder = TempFolder::new();
    let node = node_with_page(&folder).await;
    for (accepts, encoding, body) in [
        ("gzip, deflate, br, zstd", Some("br"), "brotli script"),
        ("gzip;q=1.0, br;q=0", Some("gzip"), "gzip script"),
        ("identity", None, "plain script"),
        ("", None, "plain script"),
    ] {
        let asset = script(&node, accepts).await;
        assert_eq!((asset.status, asset.header("content-encoding")), (200, encoding), "{accepts}");
        assert_eq!(asset.header("content-type"), Some("text/javascript; charset=utf-8"));
        assert_eq!((asset.header("vary"), asset.body.as_slice()), (Some("Accept-Encoding"), body.as_bytes()));
        assert_eq!(asset.header("cache-control"), Some("private, max-age=31536000, immutable"));
    }
    assert_eq!(get(node.address, "/sim/assets/index-3c4d.css").await.body, b"plain style");
    node.stop().await;
}

#[tokio::test]
async fn nothing_else_is_ever_the_page() {
    let folder = TempFolder::new();
    let node = node_with_page(&folder).await;
    for path in [
        "/sim/assets/index-old.js",
        "/sim/assets/notes.txt",
        "/sim/assets/index-1a2b.js.br",
        "/sim/assets/..%2Fsecret.js",
        "/sim/secret.js",
        "/sim/index.html",
        "/sim/some/page",
        "/sim/api",
        "/sim/api/unknown",
    ] {
        let missing = get(node.address, path).await;
        assert_eq!((missing.status, missing.header("content-type")), (404, Some("application/json")), "{path}");
    }
    node.stop().await;
}
