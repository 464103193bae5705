//! `sim echo`: what a topic carries, for machines without ROS tools.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::settings::{SettingsLayer, Sources};
use super::{ros_node, shutdown};
use crate::ros::topics::{self, Topic, TopicVisitor};
use crate::ros::{Message, Node};

#[derive(Debug, Args)]
pub struct EchoArgs {
    /// Name of the topic, such as /sim/status
    topic: String,

    /// Print the rate once a second, not the messages
    #[arg(long)]
    rate: bool,

    #[command(flatten)]
    pub settings: SettingsLayer,
}

/// Prints one JSON object per line until Ctrl-C, or until the reader of a pipe goes away.
pub fn run(args: &EchoArgs, sources: &Sources) -> anyhow::Result<ExitCode> {
    let settings = sources.resolve("sim_echo")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start tokio")?;
    runtime.block_on(async {
        let stop = shutdown::on_signal()?;
        let node = ros_node::open("sim_echo", &settings)?;
        let Some(listening) = topics::find(&args.topic, Listen { node: &node, rate: args.rate }) else {
            let known = topics::NAMES.iter().map(|name| format!("/{}", name.trim_start_matches('/')));
            bail!("there is no topic {}; known are {}", args.topic, known.collect::<Vec<_>>().join(" "));
        };
        tokio::select! {
            () = stop.cancelled() => Ok(()),
            ended = listening => ended,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

struct Listen<'a> {
    node: &'a Node,
    rate: bool,
}

impl<'a> TopicVisitor for Listen<'a> {
    type Output = BoxFuture<'a, anyhow::Result<()>>;

    fn visit<M: Message>(self, topic: &Topic<M>) -> Self::Output {
        let subscriber = self.node.subscriber(topic);
        async move {
            let messages = subscriber?;
            if self.rate { print_rate(messages).await } else { print_all(messages).await }
        }
        .boxed()
    }
}

async fn print_all<M: Message>(mut messages: crate::ros::Subscriber<M>) -> anyhow::Result<()> {
    while let Some(message) = messages.next().await {
        if !print(&serde_json::to_string(&message)?)? {
            break;
        }
    }
    Ok(())
}

async fn print_rate<M: Message>(mut messages: crate::ros::Subscriber<M>) -> anyhow::Result<()> {
    let mut tick = interval(Duration::from_secs(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick.tick().await;
    let (mut count, mut since) = (0_u32, Instant::now());
    loop {
        tokio::select! {
            Some(_) = messages.next() => count += 1,
            now = tick.tick() => {
                let hertz = f64::from(count) / now.duration_since(since).as_secs_f64();
                if !print(&format!("{hertz:.1} Hz"))? {
                    return Ok(());
                }
                (count, since) = (0, now);
            }
        }
    }
}

/// False when nobody reads any more.
fn print(line: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true),
    }
}
