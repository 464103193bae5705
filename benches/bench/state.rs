//! `GET /state` beside a bare warp server that answers the same bytes, in turns within one run.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sim_api::api::{self, ApiOptions, WorldStock};
use sim_api::app::vehicle_file;
use sim_api::bridge;
use sim_api::domain::{EntityState, ModelName, Pose, Snapshot, Twist, WorldName};
use sim_api::worlds::{Catalogue, Cdn, InstallOptions, Installer, Library, Store};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use warp::Filter;

use crate::support::http::{Connection, request};

const CLIENTS: usize = 16;
const ROUNDS: usize = 8;
const ROUND: Duration = Duration::from_millis(800);
const OBJECTS: usize = 20;

pub async fn run() {
    let stop = CancellationToken::new();
    let (handle, owner) = bridge::channel(snapshot(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let ours = listener.local_addr().expect("it has an address");
    let vehicle = vehicle_file::built_in().expect("the built-in vehicle is valid");
    let nowhere = Path::new("/nonexistent");
    let store = Store::new(nowhere);
    let installer = Installer::new(store.clone(), InstallOptions::new("http://127.0.0.1:9")).expect("a valid address");
    let library = Arc::new(Library::new(Catalogue::new(Vec::new(), nowhere.into())));
    let worlds = WorldStock { library, store, installer, cdn: Cdn::new(nowhere), worlds_url: None };
    let judge = sim_api::judge::channel(Arc::new(sim_api::record::Store::open(nowhere))).0;
    let serving =
        tokio::spawn(api::serve(listener, ApiOptions::default(), vehicle, worlds, handle, judge, stop.clone()));
    // The state changes as often as the simulator tells it at most.
    let changing = tokio::spawn(async move {
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        for seq in 1.. {
            tick.tick().await;
            owner.publish(snapshot(seq));
        }
    });
    let mut connection = Connection::open(ours).await;
    connection.send(&request("GET", "/sim/api/state", "", b"")).await;
    let body: Arc<[u8]> = connection.answer().await.expect("an answer").body.into();
    let bare = bare_warp(body).await;

    let (mut ratios, mut best) = (Vec::new(), 0.0_f64);
    for _ in 0..ROUNDS {
        let theirs = throughput(bare).await;
        let mine = throughput(ours).await;
        best = best.max(mine);
        ratios.push(mine / theirs);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ROUNDS / 2] * 100.0;
    crate::judged("GET /state beside bare warp: median ratio", ">= 60 %", &format!("{median:.0} %"), median >= 60.0);
    crate::row("GET /state: best round", &format!("{best:.0} /s"));
    changing.abort();
    stop.cancel();
    serving.await.expect("no panic").expect("it ends well");
}

async fn bare_warp(body: Arc<[u8]>) -> SocketAddr {
    let answer = warp::path!("sim" / "api" / "state")
        .map(move || warp::reply::with_header(body.to_vec(), "content-type", "application/json"));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it has an address");
    tokio::spawn(warp::serve(answer).incoming(listener).run());
    address
}

/// Answers per second to a few clients that ask as fast as they can.
async fn throughput(address: SocketAddr) -> f64 {
    let until = Instant::now() + ROUND;
    let clients = (0..CLIENTS).map(|_| {
        tokio::spawn(async move {
            let mut connection = Connection::open(address).await;
            let request = request("GET", "/sim/api/state", "", b"");
            let mut count = 0_u32;
            while Instant::now() < until {
                connection.send(&request).await;
                connection.answer().await.expect("an answer");
                count += 1;
            }
            count
        })
    });
    let mut total = 0;
    for client in clients.collect::<Vec<_>>() {
        total += client.await.expect("no panic");
    }
    f64::from(total) / ROUND.as_secs_f64()
}

fn snapshot(seq: u64) -> Snapshot {
    let entity = |name: &str| EntityState {
        name: ModelName::parse(name).expect("a name"),
        pose: Pose::upright(1.0 + seq as f64 * 1e-3, 2.0, 0.0, 0.5),
        twist: Twist::default(),
    };
    Snapshot {
        simulator_alive: true,
        world: Some(WorldName::parse("plain").expect("a name")),
        seq,
        vehicle: Some(entity("vehicle")),
        objects: (0..OBJECTS).map(|i| entity(&format!("box{i}"))).collect(),
        ..Snapshot::default()
    }
}
