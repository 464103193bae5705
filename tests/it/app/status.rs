//! Asking a node for its status, and the banner that follows.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use sim_api::app::settings::{Sources, Surroundings, Token};
use sim_api::app::supervise::announce::banner;
use sim_api::app::supervise::status::{Status, ask};
use sim_api::app::{Program, Settings};

/// Answers one request with the given text and returns what was asked.
fn one_answer(answer: &'static str) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            request.push(byte[0].into());
        }
        stream.write_all(answer.as_bytes()).unwrap();
        request
    });
    (address, server)
}

#[tokio::test]
async fn status_of_a_running_node_is_understood() {
    let (address, server) = one_answer(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"running\":true,\"current\":\"plain\",\"epoch\":3}",
    );
    let status = ask(address, Some(&Token::new("secret"))).await;
    assert_eq!(status, Some(Status { running: true, current: Some("plain".to_owned()) }));
    let request = server.join().unwrap();
    assert!(request.starts_with("GET /sim/api/status HTTP/1.0\r\n"), "{request}");
    assert!(request.contains("Authorization: Bearer secret\r\n"), "{request}");
}

#[tokio::test]
async fn foreign_and_missing_servers_have_no_status() {
    let (address, server) = one_answer("HTTP/1.1 404 Not Found\r\n\r\n{\"running\":true}");
    assert_eq!(ask(address, None).await, None);
    server.join().unwrap();
    assert_eq!(ask(address, None).await, None);
}

#[test]
fn banner_names_addresses_and_what_ros_tools_need() {
    let around = Surroundings { home: Some("/home/me".into()), ..Default::default() };
    let settings = Sources { around, ..Default::default() }.resolve(Program::Node.name()).unwrap();
    let plain = banner(settings.bind, &settings);
    assert!(plain.contains("http://127.0.0.1:8080/sim\n"), "{plain}");
    assert!(plain.contains("http://127.0.0.1:8080/sim/api\n"), "{plain}");
    assert!(plain.contains("export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST\n"), "{plain}");
    assert!(!plain.contains("ROS_DOMAIN_ID") && !plain.contains("token"), "{plain}");

    let settings = Settings { domain: 7, token: Some(Token::new("secret")), ..settings };
    let special = banner(settings.bind, &settings);
    assert!(special.contains("export ROS_DOMAIN_ID=7\n"), "{special}");
    assert!(special.contains("?token=") && !special.contains("secret"), "{special}");
}
