//! The robot's speaker: what it plays, and what it was told.

use std::sync::Arc;
use std::time::Instant;

use sim_api::bridge::live::{Live, Status};
use sim_api::bridge::{self, BridgeOptions, NoCatalogue, WayIn};
use sim_api::domain::snapshot::ClockReading;
use sim_api::domain::{AudioAction, AudioEvent, Epoch, SimTime, Snapshot, SoundKind};
use sim_api::ros::msg::sim_api_msgs as wire;
use sim_api::ros::{Node, NodeOptions, topics};
use tokio_util::sync::CancellationToken;

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::wait::{wait_for, wait_until};

const SECOND: u64 = 200;

fn event(step: u64, id: &str, action: AudioAction) -> AudioEvent {
    AudioEvent { stamp: SimTime::ZERO.plus_steps(step), id: id.into(), action }
}

fn play(data: &[u8], url: Option<&str>) -> AudioAction {
    AudioAction::Play { data: data.to_vec().into(), url: url.map(str::to_owned) }
}

/// This many milliseconds of silence at 8 kHz.
fn chunk(millis: usize) -> AudioAction {
    AudioAction::Chunk { data: vec![0; millis * 16].into(), sample_rate_hz: 8000, channels: 1 }
}

/// One second in 8000 samples of one byte, after a chunk that means nothing here.
fn wav() -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0".to_vec();
    file.extend_from_slice(&8000_u32.to_le_bytes());
    file.extend_from_slice(&8000_u32.to_le_bytes());
    file.extend_from_slice(b"\x01\0\x08\0data");
    file.extend_from_slice(&8000_u32.to_le_bytes());
    file.extend_from_slice(&[128; 8000]);
    file
}

fn at(live: &mut Live, epoch: u64, step: u64) -> Vec<String> {
    let sim_time = SimTime::ZERO.plus_steps(step);
    let clock = ClockReading { sim_time, real_time_s: 0.0, rtf: 1.0, paused: false };
    let status = Status { clock, epoch: Epoch(epoch), revision: step, world: None, loading: false, vehicle: None };
    live.note_status(status, Instant::now());
    live.snapshot().playing.iter().map(|sound| sound.id.clone()).collect()
}

#[test]
fn a_sound_plays_until_it_ends_or_is_stopped() {
    let mut live = Live::default();
    at(&mut live, 1, 0);
    live.note_audio(&event(0, "horn", play(&wav(), None)));
    live.note_audio(&event(0, "song", play(b"", Some("file:///song.mp3"))));
    live.note_audio(&event(0, "voice", chunk(500)));
    live.note_audio(&event(0, "voice", chunk(1000)));
    let kinds: Vec<_> = live.snapshot().playing.iter().map(|sound| (sound.kind, sound.url.clone())).collect();
    let song = Some("file:///song.mp3".to_owned());
    assert_eq!(kinds, [(SoundKind::File, None), (SoundKind::File, song), (SoundKind::Stream, None)]);
    assert_eq!(at(&mut live, 1, SECOND - 1), ["horn", "song", "voice"]);
    assert_eq!(at(&mut live, 1, SECOND), ["song", "voice"], "the WAV file lasts one second");
    assert_eq!(at(&mut live, 1, SECOND * 3 / 2), ["song"], "both chunks last one and a half");
    live.note_audio(&event(SECOND * 2, "voice", chunk(1)));
    live.note_audio(&event(SECOND * 2, "song", AudioAction::Stop));
    assert_eq!(at(&mut live, 1, SECOND * 2), ["voice"]);
    live.note_audio(&event(SECOND * 2, "a", play(b"not a sound", None)));
    live.note_audio(&event(SECOND * 2, "", AudioAction::Stop));
    assert!(live.snapshot().playing.is_empty(), "a stop without a name stops everything");
}

#[test]
fn a_world_that_is_set_anew_is_silent_and_noise_is_bounded() {
    let mut live = Live::default();
    at(&mut live, 1, 0);
    for number in 0..1000 {
        live.note_audio(&event(0, &number.to_string(), play(b"", Some("x"))));
    }
    let playing = &live.snapshot().playing;
    assert_eq!((playing.len(), playing.last().unwrap().id.as_str()), (64, "999"));
    assert!(at(&mut live, 2, 1).is_empty());
}

#[test]
fn files_that_lie_about_themselves_are_survived() {
    let whole = wav();
    for end in 0..60 {
        let mut live = Live::default();
        at(&mut live, 1, 0);
        let cut = &whole[..end];
        live.note_audio(&event(0, "cut", play(cut, None)));
        let mut endless = cut.to_vec();
        endless.extend_from_slice(&[0xff; 12]);
        live.note_audio(&event(0, "endless", play(&endless, None)));
    }
}

#[test]
fn who_listens_gets_everything_once_and_is_told_of_what_was_too_much() {
    let (handle, end) = bridge::channel(Snapshot::default());
    end.note_audio(event(0, "before", AudioAction::Stop));
    let mut first = handle.audio_events();
    assert_eq!(first.take(), bridge::Heard::default(), "what was before is not heard");
    end.note_audio(event(1, "a", play(b"abc", None)));
    let mut second = handle.audio_events();
    end.note_audio(event(2, "b", chunk(1)));
    let ids = |heard: bridge::Heard| heard.events.iter().map(|event| event.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(second.take()), ["b"]);
    let heard = first.take();
    assert_eq!((heard.events[0].action.data(), heard.lost), (&b"abc"[..], 0));
    assert_eq!(ids(heard), ["a", "b"]);
    assert_eq!(first.take(), bridge::Heard::default());
    drop(second);

    for number in 0..5000 {
        end.note_audio(event(3, &number.to_string(), AudioAction::Stop));
    }
    let heard = first.take();
    assert_eq!((heard.events.len() as u64 + heard.lost, heard.events.last().unwrap().id.as_str()), (5000, "4999"));
    for _ in 0..100 {
        end.note_audio(event(4, "long", play(&vec![0; 1 << 20], None)));
    }
    let heard = first.take();
    assert!(heard.events.len() <= 32 && heard.events.len() as u64 + heard.lost == 100, "{}", heard.events.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_played_file_arrives_with_all_its_bytes_over_ros() {
    let (folder, domain) = (TempFolder::new(), TestDomain::claim());
    let (handle, end) = bridge::channel(Snapshot::default());
    let options = BridgeOptions {
        data: folder.path().join("data"),
        seed: 0,
        catalogue: Arc::new(NoCatalogue),
        way_in: WayIn::Apply,
    };
    let shutdown = CancellationToken::new();
    let (ros, stop) = (Node::open(NodeOptions::new("sim_api_node", domain.id)).unwrap(), shutdown.clone());
    let bridging = tokio::spawn(async move { bridge::run(&ros, end, options, stop).await });

    let student = Node::open(NodeOptions::new("student", domain.id)).unwrap();
    let speaker = student.publisher(&topics::AUDIO).unwrap();
    let mut listener = handle.audio_events();
    wait_until("the node", || speaker.subscriber_count() == 1).await;
    let file: Vec<u8> = (0..200_000_u32).map(|at| (at % 251) as u8).collect();
    let message =
        wire::AudioEvent { kind: wire::AudioEvent::PLAY, id: "horn".into(), data: file.clone(), ..Default::default() };
    speaker.publish(message);
    let heard = wait_for("the file", async || {
        let heard = listener.take();
        (!heard.events.is_empty()).then_some(heard)
    })
    .await;
    assert_eq!(heard.events[0].action, play(&file, None));
    wait_until("the speaker", || handle.snapshot().playing.first().is_some_and(|sound| sound.id == "horn")).await;
    shutdown.cancel();
    in_time(bridging).await.unwrap().unwrap();
}
