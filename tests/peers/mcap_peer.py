"""The MCAP library and its ROS 2 reader, which know nothing of us, against the recording of an evaluation.

    python mcap_peer.py http://ADDRESS:PORT

A simulator with the world vehicle_base runs there. Judges a short run, fetches its recording and decodes every message by the
definition that the file brings. Ends with `N passed, M failed`.
"""

import io
import json
import math
import sys
import time
import urllib.request
from collections import defaultdict

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

LIMIT_S = 120.0
# Gives up after three simulated seconds, which is as good an end as any.
RUN = {'command': 'echo hello from the student; sleep 60', 'time_limit_s': 3}


def ask(base: str, path: str, body: dict | None = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f'{base}/sim/api/{path}', data), timeout=LIMIT_S) as answer:
        return answer.read()


def judged(base: str) -> dict:
    session = json.loads(ask(base, 'evaluation/start', RUN))['session_id']
    until = time.monotonic() + LIMIT_S
    while json.loads(ask(base, 'evaluation/session'))['active']:
        assert time.monotonic() < until, 'the run does not end'
        time.sleep(0.2)
    return json.loads(ask(base, f'evaluation/record?session={session}&full=true'))


class Recording:
    def __init__(self, content: bytes):
        reader = make_reader(io.BytesIO(content), decoder_factories=[DecoderFactory()])
        self.profile = reader.get_header().profile
        self.about = {entry.name: entry.metadata for entry in reader.iter_metadata()}
        self.topics = defaultdict(list)
        for _, channel, message, decoded in reader.iter_decoded_messages():
            self.topics[channel.topic].append((message.log_time, decoded))
        summary = reader.get_summary()
        self.announced = summary.statistics.message_count
        self.decoded = sum(len(messages) for messages in self.topics.values())


def check_whole(recording: Recording, record: dict) -> None:
    assert recording.profile == 'ros2', recording.profile
    assert recording.decoded == recording.announced > 50, f'{recording.decoded} of {recording.announced}'
    assert recording.about['session']['session_id'] == record['session_id'], recording.about


def check_poses(recording: Recording, record: dict) -> None:
    poses = recording.topics['/sim/vehicle/pose']
    rows = {(row[1], row[2]) for row in record['trajectory']['rows']}
    seen = {(round(pose.pose.position.x, 6), round(pose.pose.position.y, 6)) for _, pose in poses}
    assert seen & rows, 'the tape and the record have no place of the car in common'
    for time_ns, pose in poses:
        assert pose.header.stamp.sec * 10**9 + pose.header.stamp.nanosec == time_ns
        q = pose.pose.orientation
        assert math.isclose(math.hypot(q.x, q.y, q.z, q.w), 1.0, abs_tol=1e-6)
    frames = {frame.child_frame_id for _, tf in recording.topics['/tf'] for frame in tf.transforms}
    assert 'base_footprint' in frames and len(frames) > 1, frames


def check_lines(recording: Recording, _: dict) -> None:
    lines = {(log.name, log.msg) for _, log in recording.topics['/rosout']}
    assert ('student', 'hello from the student') in lines, lines


def check_events(recording: Recording, record: dict) -> None:
    events = [json.loads(text.data) for _, text in recording.topics['/sim/evaluation/events']]
    assert events == record['events'], 'not the events of the record'
    last = recording.topics['/sim/evaluation'][-1][1]
    assert (last.active, last.phase, last.outcome) == (False, 'ended', record['outcome']), last


def main() -> int:
    base = sys.argv[1]
    record = judged(base)
    assert record['mcap'], record['reason']
    recording = Recording(ask(base, f'evaluation/records/{record["session_id"]}/mcap'))
    checks = [
        ('every message decodes', check_whole),
        ('the car is where the record saw it', check_poses),
        ('the lines of the log', check_lines),
        ('the events of the judge', check_events),
    ]
    failed = 0
    for what, check in checks:
        try:
            check(recording, record)
            print(f'ok      {what}')
        except (AssertionError, KeyError, IndexError) as error:
            failed += 1
            print(f'FAILED  {what}: {error!r}')
    print(f'{len(checks) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
