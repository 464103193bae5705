//! `POST /reset` through both processes: fifty objects take no longer than five.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::support::folder::TempFolder;
use crate::support::http::{Connection, request};
use crate::support::process::SimUp;

const CALLS: usize = 300;

pub async fn run() {
    let (few, many) = (median_ms(5).await, median_ms(50).await);
    // Five steps of 5 ms.
    crate::row("reset, 50 objects: median (<= 25 ms)", &format!("{many:.2} ms"));
    crate::row("reset, 50 objects beside 5: difference", &format!("{:+.2} ms", many - few));
}

async fn median_ms(objects: usize) -> f64 {
    let folder = TempFolder::new();
    let name = format!("boxes{objects}");
    let bundle = folder.path().join("data/worlds").join(&name).join("worlds");
    std::fs::create_dir_all(&bundle).expect("a writable folder");
    std::fs::write(bundle.join(format!("{name}.world")), world(objects)).expect("a writable folder");
    let sim = SimUp::start_in_folder(folder);
    let mut connection = loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if tokio::net::TcpStream::connect(sim.address).await.is_err() {
            continue;
        }
        let mut connection = Connection::open(sim.address).await;
        let body = format!("{{\"world\": \"{name}.world\"}}");
        connection.send(&request("POST", "/sim/api/switch", "", body.as_bytes())).await;
        if connection.answer().await.is_some_and(|answer| answer.status == 200) {
            break connection;
        }
    };
    let mut took = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let started = Instant::now();
        connection.send(&request("POST", "/sim/api/reset", "", b"{}")).await;
        let answer = connection.answer().await.expect("an answer");
        took.push(started.elapsed());
        let reset = answer.json()["reset"].as_array().map_or(0, Vec::len);
        assert_eq!((answer.status, reset), (200, objects + 1));
        tokio::time::sleep(Duration::from_micros(7100)).await;
    }
    took.sort_unstable();
    took[CALLS / 2].as_secs_f64() * 1e3
}

/// Boxes on a plane, ten in a row.
fn world(objects: usize) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"><world name=\"boxes\">\n");
    for number in 0..objects {
        let (x, y) = (2.0 + (number % 10) as f64 * 0.4, (number / 10) as f64 * 0.4);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<model name=\"box{number}\"><pose>{x} {y} 0.05 0 0 0</pose><link name=\"object\"><collision name=\"c\">\
             <geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision></link></model>"
        );
    }
    text + "</world></sdf>\n"
}
