//! The real HTTP edge in this process, on a port of its own, with a test in the place of the simulator.

use std::net::SocketAddr;

use nalgebra::Vector3;
use sim_api::api::{self, ApiOptions, ApiServeError};
use sim_api::bridge::{BridgeHandle, OwnerEnd, VehiclePlaced, Write, channel};
use sim_api::domain::snapshot::ClockReading;
use sim_api::domain::{EntityState, Epoch, ModelName, Pose, SimTime, Snapshot, Twist, WorldName};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::in_time;

pub struct Node {
    pub address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<Result<(), ApiServeError>>,
}

impl Node {
    pub async fn serve(options: ApiOptions, bridge: BridgeHandle) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shutdown = CancellationToken::new();
        let serving = tokio::spawn(api::serve(listener, options, bridge, shutdown.clone()));
        Self { address, shutdown, serving }
    }

    /// With this state for ever, and a car that goes where it is put.
    pub async fn showing(snapshot: Snapshot) -> Self {
        let (bridge, owner) = channel(snapshot.clone());
        tokio::spawn(obey(owner, snapshot));
        Self::serve(ApiOptions::default(), bridge).await
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        in_time(self.serving).await.expect("the server does not panic").expect("the server ends well");
    }
}

/// Plays the owner of the live state: what is asked for is in effect, and published, before it is answered.
async fn obey(mut owner: OwnerEnd, mut snapshot: Snapshot) {
    while let Some(Write::PlaceVehicle { change, reply }) = owner.next_write().await {
        let vehicle = snapshot.vehicle.as_mut().expect("only a ready world is asked");
        let old = vehicle.pose;
        vehicle.pose = Pose::upright(
            change.x.unwrap_or(old.position.x),
            change.y.unwrap_or(old.position.y),
            old.position.z,
            change.yaw.unwrap_or(old.yaw()),
        );
        vehicle.twist = Twist::default();
        let pose = vehicle.pose;
        snapshot.seq += 1;
        owner.publish(snapshot.clone());
        let stamp = snapshot.clock.expect("a ready world has a clock").sim_time;
        let _ = reply.send(Ok(VehiclePlaced { pose, stamp, seq: snapshot.seq, epoch: snapshot.epoch }));
    }
}

pub fn entity(name: &str, pose: Pose) -> EntityState {
    EntityState { name: ModelName::parse(name).expect("a valid name"), pose, twist: Twist::default() }
}

/// A car at (1, 2) that heads along +y and rolls backwards, beside one box, 12.345 s after the start.
pub fn running() -> Snapshot {
    let mut car = entity("vehicle", Pose::upright(1.0, 2.0, 0.0, std::f64::consts::FRAC_PI_2));
    car.twist.linear = Vector3::new(0.0, -0.5, 0.0);
    Snapshot {
        simulator_alive: true,
        world: Some(WorldName::parse("oval").expect("a valid name")),
        epoch: Epoch(7),
        seq: 2469,
        clock: Some(ClockReading {
            sim_time: SimTime::from_nanos(12_345_000_000),
            real_time_s: 13.0,
            rtf: 0.95,
            paused: false,
        }),
        vehicle: Some(car),
        objects: vec![entity("box1", Pose::upright(-3.0, 0.25, 0.1, 0.0))],
        ..Snapshot::default()
    }
}
