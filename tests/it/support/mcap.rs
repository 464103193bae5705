//! Reads the tape of a session.

use mcap::MessageStream;
use sim_api::ros::{Message, cdr};

/// The messages of a topic with their times, each decoded as the type that its definition names.
pub fn read<M: Message>(bytes: &[u8], topic: &str) -> Vec<(u64, M)> {
    let messages = MessageStream::new(bytes).expect("an MCAP file").map(|message| message.expect("a whole message"));
    let wanted = messages.filter(|message| message.channel.topic == topic);
    wanted
        .map(|message| {
            assert_eq!(message.channel.message_encoding, "cdr");
            let schema = message.channel.schema.as_ref().expect("a definition");
            assert_eq!(
                (schema.name.as_str(), schema.encoding.as_str()),
                (format!("{}/msg/{}", M::PACKAGE, M::NAME).as_str(), "ros2msg")
            );
            (message.log_time, cdr::from_slice(&message.data).expect("decodes as its type"))
        })
        .collect()
}
