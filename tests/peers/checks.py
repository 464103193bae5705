"""What the peer tests share: waiting, and running every test of a file."""

import time

LIMIT_S = 30.0
# Seconds of simulation time in which messages are counted, and the share of them that must arrive: all but a few, even while the
# machine is busy. A picture is left out when there is no time to draw it.
COUNTED_S = 4.0
ARRIVING = 0.8
DRAWN = 0.5


def wait_for(what: str, probe):
    """Ask again until there is an answer."""
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        value = probe()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f'waited {LIMIT_S} s in vain for {what}')


def check_stream(topic: str, stamps: list[float], rate_hz: float, least_share: float):
    """That messages with these stamps, in seconds, came in order, at their rate and with little loss."""
    assert all(a < b for a, b in zip(stamps, stamps[1:])), f'{topic} goes back in time'
    expected = (stamps[-1] - stamps[0]) * rate_hz + 1
    print(f'  {topic}: {len(stamps)} of {expected:.0f} messages', flush=True)
    assert least_share * expected <= len(stamps) <= expected + 2, f'{len(stamps)} of {expected:.0f} on {topic}'


def run_all(names: dict, subject) -> int:
    """Runs every `test_…` of a module with the subject; 0 when all are well."""
    failed = 0
    tests = [(name, test) for name, test in names.items() if name.startswith('test_')]
    for name, test in tests:
        try:
            test(subject)
            print(f'{name} ... ok', flush=True)
        except (Exception, SystemExit) as error:  # noqa: BLE001: every failure is counted and shown
            failed += 1
            print(f'{name} ... FAILED: {error!r}', flush=True)
    print(f'{len(tests) - failed} passed, {failed} failed')
    return 1 if failed else 0
