//! A simulator and somebody who talks to it.

use std::sync::Arc;

use sim_api::backend::catalogue::{BuiltIn, WorldSource};
use sim_api::backend::simulation::SimulationOptions;
use sim_api::backend::{self, BackendError, BackendOptions};
use sim_api::domain::WorldName;
use sim_api::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse, Command};
use sim_api::ros::{Client, Node, NodeOptions, services};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::vehicle;
use crate::support::wait::{LIMIT, within};

pub struct Rig {
    pub node: Node,
    pub apply: Client<Apply>,
    pub data: TempFolder,
    worlds: Arc<dyn WorldSource>,
    domain: TestDomain,
    stop: CancellationToken,
    backend: Option<JoinHandle<Result<(), BackendError>>>,
}

impl Rig {
    /// With a simulator running at this real-time factor.
    pub fn start(real_time_factor: f64) -> Self {
        Self::start_with(real_time_factor, Arc::new(BuiltIn))
    }

    /// With other worlds to load than the built-in one.
    pub fn start_with(real_time_factor: f64, worlds: Arc<dyn WorldSource>) -> Self {
        let domain = TestDomain::claim();
        let node = Node::open(NodeOptions::new("tester", domain.id)).expect("a node opens");
        let apply = node.client(&services::APPLY).expect("a client opens");
        let data = TempFolder::new();
        let mut rig = Self { node, apply, data, worlds, domain, stop: CancellationToken::new(), backend: None };
        rig.restart(real_time_factor);
        rig
    }

    pub fn restart(&mut self, real_time_factor: f64) {
        self.stop = CancellationToken::new();
        let node = Node::open(NodeOptions::new("sim_backend", self.domain.id)).expect("a node opens");
        let options = BackendOptions {
            data: self.data.path().to_owned(),
            simulation: SimulationOptions {
                otherwise: None,
                world: WorldName::parse("plain").expect("a name"),
                worlds: self.worlds.clone(),
                vehicle: vehicle(),
                seed: 1,
                real_time_factor,
            },
        };
        self.backend = Some(tokio::spawn(backend::run(options, node, self.stop.clone())));
    }

    pub async fn stop(&mut self) {
        self.stop.cancel();
        let backend = self.backend.take().expect("it runs");
        within("the end of the simulator", backend).await.expect("no panic").expect("no error");
    }

    /// Sends a request, repeating it while the two are still getting to know each other. One that advances is sent once, behind
    /// an empty one.
    pub async fn request(&self, request: ApplyRequest) -> ApplyResponse {
        if request.advance_steps == 0 {
            return self.apply.call_idempotent(request, LIMIT).await.expect("an answer");
        }
        self.apply.call_idempotent(ApplyRequest::default(), LIMIT).await.expect("an answer");
        self.apply.call(request, LIMIT).await.expect("an answer")
    }

    pub async fn apply(&self, commands: Vec<Command>, advance_steps: u32) -> ApplyResponse {
        self.request(ApplyRequest { commands, advance_steps, ..Default::default() }).await
    }

    /// As [`Rig::apply`], where a refusal is a fault.
    pub async fn expect(&self, commands: Vec<Command>, advance_steps: u32) -> ApplyResponse {
        let response = self.apply(commands, advance_steps).await;
        assert_eq!(response.result, ApplyResponse::OK, "{}", response.message);
        response
    }
}

/// Where an entity is in an answer: x, y, z.
pub fn position(response: &ApplyResponse, name: &str) -> [f64; 3] {
    let index = response.states.names.iter().position(|n| n == name).expect("the entity is listed");
    let position = &response.states.poses[index].position;
    [position.x, position.y, position.z]
}

pub fn pause(paused: bool) -> Command {
    Command { kind: Command::SET_PAUSED, paused, ..Default::default() }
}

pub fn reset() -> Command {
    Command { kind: Command::RESET, ..Default::default() }
}

pub fn drive(speed: f64) -> Command {
    Command { kind: Command::DRIVE, speed, ..Default::default() }
}

pub fn place(entity: &str, x: f64) -> Command {
    Command { kind: Command::SET_POSE, entity: entity.into(), fields: Command::FIELD_X, x, ..Default::default() }
}

pub fn load(world: &str) -> Command {
    Command { kind: Command::LOAD_WORLD, world: world.into(), ..Default::default() }
}
