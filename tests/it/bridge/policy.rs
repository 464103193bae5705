//! Which change may be made when.

use sim_api::bridge::policy::check;
use sim_api::bridge::{BridgeError, Change};
use sim_api::domain::{Caption, Command, Snapshot, Transition, WorldName};

use crate::support::node::running;

#[test]
fn every_change_needs_a_living_simulator_and_no_transition() {
    let changes = [
        Change::Apply { commands: vec![Command::Reset], advance_steps: 0 },
        Change::Load { world: None },
        Change::Load { world: WorldName::parse("oval").ok() },
        Change::Drive { speed_m_s: None, steering_rad: None },
        Change::Caption(Caption::default()),
    ];
    for change in changes {
        assert_eq!(check(&running(), &change), Ok(()), "{change:?}");
        let dead = Snapshot { simulator_alive: false, ..running() };
        assert_eq!(check(&dead, &change), Err(BridgeError::SimulatorNotRunning), "{change:?}");
        let moving = Snapshot { transition: Some(Transition::Switching), ..running() };
        assert_eq!(check(&moving, &change), Err(BridgeError::NotReady), "{change:?}");
    }
}

#[test]
fn without_a_world_only_another_world_can_be_loaded() {
    let empty = Snapshot { world: None, vehicle: None, ..running() };
    assert_eq!(check(&empty, &Change::Load { world: None }), Err(BridgeError::NoWorld));
    assert_eq!(check(&empty, &Change::Load { world: WorldName::parse("oval").ok() }), Ok(()));
    assert_eq!(check(&empty, &Change::Caption(Caption::default())), Err(BridgeError::NotReady));
}

#[test]
fn only_a_paused_simulation_can_be_stepped() {
    let step = Change::Apply { commands: Vec::new(), advance_steps: 1 };
    let mut snapshot = running();
    assert_eq!(check(&snapshot, &step), Err(BridgeError::NotPaused));
    snapshot.clock.as_mut().unwrap().paused = true;
    assert_eq!(check(&snapshot, &step), Ok(()));
}
