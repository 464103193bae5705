"""What the peer tests share: waiting, and running every test of a file."""

import time

LIMIT_S = 30.0


def wait_for(what: str, probe):
    """Ask again until there is an answer."""
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        value = probe()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f'waited {LIMIT_S} s in vain for {what}')


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
