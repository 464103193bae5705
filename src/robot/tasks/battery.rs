//! The fused state to `/battery_state`.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::robot::battery::{Battery, BatteryOptions, BatteryReading};
use crate::robot::fusion::OdomEstimate;
use crate::robot::mounting::BASE_LINK;
use crate::ros::msg::sensor_msgs::BatteryState;
use crate::ros::msg::std_msgs::Header;
use crate::ros::{Node, RosError, topics};

/// Opens the topic; the future discharges.
pub fn open(
    node: &Node,
    options: BatteryOptions,
    mut odometry: watch::Receiver<Option<OdomEstimate>>,
    shutdown: CancellationToken,
) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let publisher = node.publisher(&topics::BATTERY)?;
    let mut battery = Battery::new(options.clone());
    Ok(async move {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                changed = odometry.changed() => if changed.is_err() { return },
            }
            let state = odometry.borrow_and_update().as_ref().map(|odom| (odom.stamp, odom.velocity.x));
            let reading = state.and_then(|(stamp, speed)| battery.advance(stamp, speed));
            if let Some(reading) = reading {
                publisher.publish(message(&options, &reading));
            }
        }
    })
}

fn message(options: &BatteryOptions, reading: &BatteryReading) -> BatteryState {
    BatteryState {
        header: Header { stamp: reading.stamp.into(), frame_id: BASE_LINK.into() },
        voltage: reading.voltage_v as f32,
        temperature: f32::NAN,
        current: -reading.current_a as f32,
        charge: reading.charge_ah as f32,
        capacity: options.capacity_ah as f32,
        design_capacity: options.capacity_ah as f32,
        percentage: reading.share as f32,
        power_supply_status: BatteryState::POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health: BatteryState::POWER_SUPPLY_HEALTH_GOOD,
        power_supply_technology: BatteryState::POWER_SUPPLY_TECHNOLOGY_LIPO,
        present: true,
        ..BatteryState::default()
    }
}
