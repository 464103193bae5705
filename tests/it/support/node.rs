//! The real HTTP edge in this process, on a port of its own, with a test in the place of the simulator.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use nalgebra::Vector3;
use sim_api::api::{self, ApiOptions, ApiServeError, WorldStock};
use sim_api::bridge::live::{Live, Status};
use sim_api::bridge::saved::Saved;
use sim_api::bridge::sensors::SensorsEnd;
use sim_api::bridge::{BridgeError, BridgeHandle, Change, Done, OwnerEnd, WorldCatalogue, Write, channel, policy};
use sim_api::domain::snapshot::ClockReading;
use sim_api::domain::{
    Command, EntityState, Epoch, Light, LightSpec, LightState, ModelName, Panel, Pose, SimTime, Snapshot, Twist,
    WorldContents, WorldName, WorldState,
};
use sim_api::worlds::{Catalogue, Cdn, InstallOptions, Installer, Library, Store};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{in_time, vehicle};

pub struct Node {
    pub address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<Result<(), ApiServeError>>,
}

impl Node {
    pub async fn serve(options: ApiOptions, bridge: BridgeHandle) -> Self {
        Self::serve_worlds(options, bridge, no_worlds()).await
    }

    pub async fn serve_worlds(options: ApiOptions, bridge: BridgeHandle, worlds: WorldStock) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shutdown = CancellationToken::new();
        let serving =
            tokio::spawn(api::serve(listener, options, vehicle(), worlds, bridge, no_judge(), shutdown.clone()));
        Self { address, shutdown, serving }
    }

    /// In this world for ever.
    pub async fn showing_world(worlds: WorldStock, world: &str) -> Self {
        let world = WorldName::parse(world).expect("a valid name");
        worlds.library.read(&world).expect("a world that can be read");
        let (bridge, _) = channel(Snapshot { world: Some(world), ..running() });
        Self::serve_worlds(ApiOptions::default(), bridge, worlds).await
    }

    /// With this state for ever, and a car that goes where it is put.
    pub async fn showing(snapshot: Snapshot) -> Self {
        let (bridge, owner) = channel(snapshot.clone());
        tokio::spawn(obey(owner, snapshot));
        Self::serve(ApiOptions::default(), bridge).await
    }

    /// The same, with worlds of its own.
    pub async fn showing_worlds(snapshot: Snapshot, options: ApiOptions, worlds: WorldStock) -> Self {
        let (bridge, owner) = channel(snapshot.clone());
        tokio::spawn(obey(owner, snapshot));
        Self::serve_worlds(options, bridge, worlds).await
    }

    /// The same, with the end that shows what the sensors see.
    pub async fn showing_with_sensors(snapshot: Snapshot) -> (Self, SensorsEnd) {
        let (bridge, mut owner) = channel(snapshot.clone());
        let sensors = owner.take_sensors().expect("nobody else takes them");
        tokio::spawn(obey(owner, snapshot));
        (Self::serve(ApiOptions::default(), bridge).await, sensors)
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        in_time(self.serving).await.expect("the server does not panic").expect("the server ends well");
    }
}

/// Plays the owner of the live state and the simulator behind it: what is asked for is in effect, and published, before it is
/// answered.
async fn obey(mut owner: OwnerEnd, snapshot: Snapshot) {
    let mut sim = FakeSimulator::showing(&snapshot);
    while let Some(Write { change, reply }) = owner.next_write().await {
        let done = policy::check(sim.live.snapshot(), &change).and_then(|()| sim.carry_out(change));
        let snapshot = owner.publish(sim.live.snapshot().clone());
        let _ = reply.send(done.map(|state| Done { snapshot, state }));
    }
}

/// A world in which everything is where it was last put.
struct FakeSimulator {
    live: Live,
    state: WorldState,
}

/// Knows one world, or the same of every world.
#[derive(Debug)]
pub struct OneWorld(pub Arc<WorldContents>);

impl WorldCatalogue for OneWorld {
    fn contents(&self, _world: &WorldName) -> Arc<WorldContents> {
        self.0.clone()
    }
}

impl FakeSimulator {
    fn showing(snapshot: &Snapshot) -> Self {
        let mut live = Live::new(Arc::new(OneWorld(snapshot.contents.clone())), Saved::default());
        let clock = snapshot.clock.unwrap_or(ClockReading {
            sim_time: SimTime::ZERO,
            real_time_s: 0.0,
            rtf: 0.0,
            paused: false,
        });
        live.note_status(
            Status {
                clock,
                epoch: snapshot.epoch,
                revision: snapshot.seq,
                world: snapshot.world.clone(),
                loading: false,
                vehicle: snapshot.vehicle.as_ref().map(|vehicle| vehicle.name.clone()),
            },
            Instant::now(),
        );
        let state = WorldState {
            step: snapshot.seq,
            revision: snapshot.seq,
            stamp: clock.sim_time,
            epoch: snapshot.epoch,
            entities: snapshot.objects.iter().chain(&snapshot.vehicle).cloned().collect(),
        };
        live.note_states(&state);
        Self { live, state }
    }

    fn carry_out(&mut self, change: Change) -> Result<WorldState, BridgeError> {
        match change {
            Change::Apply { commands, advance_steps } => Ok(self.apply(&commands, advance_steps)),
            Change::Load { world } => {
                let world = world.or(self.live.snapshot().world.clone()).expect("the policy asks for a world");
                Ok(self.apply(&[Command::LoadWorld { world, seed: 0 }], 0))
            }
            Change::Drive { .. } => Err(BridgeError::RobotNotRunning),
            Change::Drives => Ok(WorldState::default()),
            Change::Light { name, command } => {
                self.live.command_light(&name, command)?;
                Ok(WorldState::default())
            }
            Change::Brightness(brightness) => {
                self.live.set_brightness(brightness);
                Ok(WorldState::default())
            }
            Change::Evaluation { run, session } => {
                self.live.set_evaluation(run, session);
                Ok(WorldState::default())
            }
            Change::Caption(caption) => {
                self.live.show(caption, Instant::now());
                Ok(WorldState::default())
            }
        }
    }

    fn apply(&mut self, commands: &[Command], advance_steps: u32) -> WorldState {
        let steps = u64::from(advance_steps);
        self.state.revision += steps + u64::from(!commands.is_empty());
        self.state.stamp = self.state.stamp.plus_steps(steps);
        for command in commands {
            match command {
                Command::SetPose { entity, change } => {
                    let known = self.state.entities.iter_mut().find(|state| state.name == *entity);
                    let known = known.expect("only what exists is put elsewhere");
                    let old = known.pose;
                    known.pose = Pose::upright(
                        change.x.unwrap_or(old.position.x),
                        change.y.unwrap_or(old.position.y),
                        change.z.unwrap_or(old.position.z),
                        change.yaw.unwrap_or(old.yaw()),
                    );
                    known.twist = Twist::default();
                }
                Command::Reset | Command::LoadWorld { .. } => self.state.epoch.0 += 1,
                _ => {}
            }
        }
        self.live.note_applied(commands, &self.state);
        self.state.clone()
    }
}

pub fn entity(name: &str, pose: Pose) -> EntityState {
    EntityState { name: ModelName::parse(name).expect("a valid name"), pose, twist: Twist::default() }
}

pub fn model(name: &str) -> ModelName {
    ModelName::parse(name).expect("a valid name")
}

/// A world with two lights, of which `signal2` can be moved, and a wall.
pub fn contents() -> WorldContents {
    let panel = Panel { x_m: 0.02, z_m: 0.16, pitch_rad: 0.25, lamp_radius_m: 0.04 };
    let light = |name, x| LightSpec { name: model(name), origin: Pose::upright(x, 1.0, 0.0, 0.5), panel };
    WorldContents {
        lights: vec![light("signal2", 4.0), light("signal1", 3.0)],
        fixed: vec![model("wall_0")],
        world_id: None,
    }
}

/// The car beside the box, with these lights, all green, and the wall.
pub fn with_lights() -> Snapshot {
    let contents = contents();
    let shown = |spec: &LightSpec| Light {
        name: spec.name.clone(),
        pose: spec.origin,
        panel: spec.panel,
        state: LightState::Green,
    };
    let lights = contents.lights.iter().rev().map(shown).collect();
    let mut snapshot = Snapshot { lights, contents: Arc::new(contents), ..running() };
    snapshot.objects.push(entity("signal2", Pose::upright(4.0, 1.0, 0.0, 0.5)));
    snapshot
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
        stamp: SimTime::from_nanos(12_345_000_000),
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

/// Without a world, and with nowhere to get one from.
pub fn no_worlds() -> WorldStock {
    stock(Path::new("/nonexistent"), "http://127.0.0.1:9")
}

/// The custom worlds of a data folder, and a worlds server to install from.
pub fn stock(data: &Path, worlds_url: &str) -> WorldStock {
    let store = Store::new(data);
    let options = InstallOptions::new(worlds_url);
    WorldStock {
        library: Arc::new(Library::new(Catalogue::new(Vec::new(), data.join("worlds")))),
        installer: Installer::new(store.clone(), options).expect("a valid address"),
        store,
        cdn: Cdn::new(&data.join("cdn")),
        worlds_url: Some(worlds_url.to_owned()),
    }
}

/// The official worlds, and the custom ones of a data folder.
pub fn official_worlds(data: &Path) -> WorldStock {
    let official = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds");
    let library = Arc::new(Library::new(Catalogue::new(vec![official], data.join("worlds"))));
    WorldStock { library, ..stock(data, "http://127.0.0.1:9") }
}

/// A judge whose owner is gone, without a record.
pub fn no_judge() -> sim_api::judge::JudgeHandle {
    let store = sim_api::record::Store::open(std::path::Path::new("/nonexistent"));
    sim_api::judge::channel(Arc::new(store)).0
}
