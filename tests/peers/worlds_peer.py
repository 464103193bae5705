"""NumPy against our route files: another people's reader opens what we serve.

    python worlds_peer.py http://ADDRESS:PORT

The simulator runs there. Ends with `N passed, M failed`.
"""

import io
import json
import sys
import urllib.error
import urllib.request

import numpy

LIMIT_S = 30.0


def fetch(base: str, path: str) -> bytes:
    with urllib.request.urlopen(f'{base}/sim/api/{path}', timeout=LIMIT_S) as answer:
        return answer.read()


def check_route(base: str, name: str) -> None:
    route = numpy.load(io.BytesIO(fetch(base, f'worlds/{name}/waypoints.npy')), allow_pickle=False)
    assert route.ndim == 2 and route.shape[1] == 6, f'shape {route.shape}'
    assert route.shape[0] >= 3, f'only {route.shape[0]} rows'
    assert route.dtype == numpy.float64, f'type {route.dtype}'
    assert numpy.isfinite(route).all(), 'numbers that are not finite'
    assert numpy.array_equal(route[0], route[-1]), 'the loop is open'
    centre, inner, outer = route[:, 0:2], route[:, 2:4], route[:, 4:6]
    widths = numpy.linalg.norm(inner - outer, axis=1)
    assert (widths > 0.1).all(), f'the track is {widths.min()} m wide'
    assert (numpy.linalg.norm(centre - inner, axis=1) < widths).all(), 'the centre is not between the edges'


def check_present(base: str, name: str) -> None:
    """The file says the same as the JSON beside it, to its rounding."""
    route = numpy.load(io.BytesIO(fetch(base, f'worlds/{name}/waypoints.npy')))
    told = json.loads(fetch(base, 'route'))
    for key, first in (('waypoints', 0), ('inner', 2), ('outer', 4)):
        assert numpy.allclose(route[:, first:first + 2], numpy.array(told[key]), rtol=0, atol=1e-6), key


def main() -> int:
    base = sys.argv[1]
    listed = json.loads(fetch(base, 'worlds'))
    checks = [(f'the route of {world["name"]}', check_route, world['name']) for world in listed['worlds']]
    checks.append((f'the route of {listed["current"]} against /route', check_present, listed['current']))
    failed = 0
    for what, check, name in checks:
        try:
            check(base, name)
            print(f'ok      {what}')
        except (AssertionError, ValueError, urllib.error.URLError) as error:
            failed += 1
            print(f'FAILED  {what}: {error}')
    print(f'{len(checks) - failed} passed, {failed} failed')
    return 1 if failed or len(checks) < 2 else 0


if __name__ == '__main__':
    sys.exit(main())
