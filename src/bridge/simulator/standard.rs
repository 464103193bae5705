//! Another simulator, through the services of the ROS standard `simulation_interfaces`.
//!
//! It is asked where everything is many times a second, and its answers make the news. It knows neither epochs nor revisions:
//! they are counted here (`story`). An order is carried out command by command and counts as done when a state shows it that was
//! asked for afterwards (`orders`). What the simulator does not offer is refused with a sentence that says so.

mod orders;
mod services;
mod story;

use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, StreamExt, select};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{News, Opened, Order, Simulator, StandardOptions, TakenDrives};
use crate::bridge::error::BridgeError;
use crate::bridge::wire;
use crate::domain::{EntityState, SimTime, WorldState};
use crate::ros::msg::simulation_interfaces as si;
use crate::ros::{Node, RosError, topics};
use services::Services;
use story::{Look, Story};

/// Its answers take a turn of their own, and somebody else's simulator may be busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// As often as events go out.
const LOOK_PERIOD: Duration = Duration::from_millis(33);
const LOOK_LIMIT: Duration = Duration::from_secs(1);
/// How often it is asked for what changes seldom: its features, its world, whether it runs.
const ABOUT_PERIOD: Duration = Duration::from_millis(500);

struct Standard {
    services: Services,
    options: StandardOptions,
    story: Mutex<Story>,
    /// Orders take turns: each is confirmed by a state that no other order has made.
    turn: tokio::sync::Mutex<()>,
}

pub(super) fn open(node: &Node, options: StandardOptions) -> Result<Opened, RosError> {
    let standard = Arc::new(Standard {
        services: Services::open(node, &options.prefix)?,
        story: Mutex::new(Story::new(PATIENCE)),
        options,
        turn: tokio::sync::Mutex::default(),
    });
    let clock = {
        let standard = standard.clone();
        node.subscriber(&topics::CLOCK)?.filter_map(move |clock| {
            standard.story().note_clock(clock.clock.into());
            ready(None)
        })
    };
    let looks = every(LOOK_PERIOD, standard.clone(), |standard| async move {
        let look = standard.look(LOOK_LIMIT).await;
        look.map(|look| look.news(&standard.options.vehicle)).unwrap_or_default()
    });
    let abouts = every(ABOUT_PERIOD, standard.clone(), |standard| async move {
        standard.ask_about().await;
        Vec::new()
    });
    Ok((Box::new(standard), select(clock, select(looks, abouts)).boxed()))
}

/// What `ask` answers, again and again.
fn every<A>(
    period: Duration,
    standard: Arc<Standard>,
    ask: impl Fn(Arc<Standard>) -> A + Send + 'static,
) -> stream::BoxStream<'static, News>
where
    A: Future<Output = Vec<News>> + Send + 'static,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    stream::unfold((ticks, ask), move |(mut ticks, ask)| {
        let standard = standard.clone();
        async move {
            ticks.tick().await;
            let news = ask(standard).await;
            Some((stream::iter(news), (ticks, ask)))
        }
    })
    .flatten()
    .boxed()
}

impl Simulator for Arc<Standard> {
    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn carry_out<'a>(
        &'a self,
        order: &'a Order,
        _silence: CancellationToken,
    ) -> BoxFuture<'a, Result<WorldState, BridgeError>> {
        self.obey(order).boxed()
    }

    fn drives(&self, _known: u64) -> BoxFuture<'_, Result<TakenDrives, BridgeError>> {
        let refusal = BridgeError::Unsupported("this simulator does not say which drives it takes".to_owned());
        std::future::ready(Err(refusal)).boxed()
    }
}

impl Standard {
    fn story(&self) -> MutexGuard<'_, Story> {
        self.story.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where everything is now: the answer to a question that is asked after this call.
    async fn look(&self, limit: Duration) -> Result<Look, BridgeError> {
        let age = self.story().begin_look();
        let answer = self.services.states(limit).await?;
        let (entities, stamp) = match answer.result.result {
            // Without a world it has nothing to show, and lives.
            si::Result::RESULT_INCORRECT_STATE => (Vec::new(), None),
            _ => {
                services::understand(&answer.result)?;
                (entities(&answer), answer.states.iter().map(|state| SimTime::from(state.header.stamp)).max())
            }
        };
        Ok(self.story().take_in(age, entities, stamp, Instant::now()))
    }

    /// What changes seldom.
    async fn ask_about(&self) {
        let again = self.story().lately_silent();
        self.services.ask_features(again).await;
        let (state, world) = futures::join!(self.services.simulation_state(), self.services.current_world());
        let mut story = self.story();
        if let Some(state) = state {
            story.note_state(state);
        }
        match world {
            Some(world) => story.note_world(services::world_name(&world), world.world_resource),
            None => story.assume_world(&self.options.world),
        }
    }
}

/// Entities whose names or numbers are no names or numbers are left out.
fn entities(answer: &si::GetEntitiesStatesResponse) -> Vec<EntityState> {
    let states = answer.entities.iter().zip(&answer.states);
    states.filter_map(|(name, state)| wire::entity(name, &state.pose, &state.twist)).collect()
}
