//! Who can see us: what a node announces, read from the wire.

use std::net::{Ipv4Addr, UdpSocket};
use std::time::Duration;

use super::types::node;
use crate::support::domain::TestDomain;
use crate::support::wait::LIMIT;

/// Parameters of a participant's announcement that carry an address: default and metatraffic unicast.
const LOCATORS: [u16; 2] = [0x0031, 0x0032];

#[tokio::test(flavor = "multi_thread")]
async fn a_node_announces_itself_on_loopback_only() {
    let domain = TestDomain::claim();
    // The port where the first participant of a domain listens for announcements; the node becomes the second.
    let port = 7400 + 250 * domain.id + 10;
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).expect("the domain is ours");
    socket.set_read_timeout(Some(LIMIT)).expect("a limit");
    let _node = node("announcer", domain.id);
    let addresses = tokio::task::spawn_blocking(move || announced(&socket)).await.expect("no panic");
    assert!(!addresses.is_empty());
    assert!(addresses.iter().all(Ipv4Addr::is_loopback), "{addresses:?}");
}

/// The addresses in the first announcement that arrives.
fn announced(socket: &UdpSocket) -> Vec<Ipv4Addr> {
    let mut buffer = [0; 65536];
    loop {
        let length = socket.recv(&mut buffer).expect("an announcement within the limit");
        let packet = &buffer[..length];
        assert_eq!(&packet[..4], b"RTPS");
        let found: Vec<_> = packet.windows(28).step_by(4).filter_map(locator).collect();
        if !found.is_empty() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A parameter of 24 bytes: kind 1 (UDP over IPv4), port, and the address in the last four bytes.
fn locator(bytes: &[u8]) -> Option<Ipv4Addr> {
    let id = u16::from_le_bytes([bytes[0], bytes[1]]);
    let is_locator = LOCATORS.contains(&id) && bytes[2..4] == [24, 0] && bytes[4..8] == [1, 0, 0, 0];
    is_locator.then(|| Ipv4Addr::new(bytes[24], bytes[25], bytes[26], bytes[27]))
}
