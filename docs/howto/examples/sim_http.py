"""The simulator's HTTP API in a few lines, for the examples beside this file. Python's standard library only."""

import http.client
import json
import os
import time
import urllib.parse

DEFAULT_BASE = 'http://127.0.0.1:8080'
TIMEOUT_S = 10.0


class Simulator:
    """Asks and tells over one connection that stays open."""

    def __init__(self, base: str | None = None):
        """`base` is an address such as http://127.0.0.1:8080; without it, the variable SIM_API or the usual address."""
        base = base or os.environ.get('SIM_API') or DEFAULT_BASE
        parts = urllib.parse.urlsplit(base)
        if parts.scheme != 'http' or not parts.hostname:
            raise SystemExit(f'{base} is no address of a simulator; one looks like {DEFAULT_BASE}')
        path = parts.path.rstrip('/')
        self._prefix = path if path.endswith('/sim/api') else path + '/sim/api'
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=TIMEOUT_S)
        self._headers = {'Content-Type': 'application/json'}
        if os.environ.get('SIM_API_TOKEN'):
            self._headers['Authorization'] = 'Bearer ' + os.environ['SIM_API_TOKEN']

    def get(self, path: str) -> dict:
        """`get('/pose')` is where the car is."""
        return self._ask('GET', path, None)

    def post(self, path: str, **fields) -> dict:
        """`post('/drive', speed=0.5, steering=0.2)` drives a left bend."""
        return self._ask('POST', path, json.dumps(fields))

    def _ask(self, method: str, path: str, body: str | None) -> dict:
        until = time.monotonic() + TIMEOUT_S
        while True:
            status, answer = self._exchange(method, path, body)
            if status == 200:
                return answer
            # On a busy machine the simulator may be silent for a moment; that passes.
            if status != 503 or time.monotonic() > until:
                raise SystemExit(f'{method} {path}: {answer.get("error", status)}')
            time.sleep(0.1)

    def _exchange(self, method: str, path: str, body: str | None) -> tuple[int, dict]:
        try:
            self._connection.request(method, self._prefix + path, body, self._headers)
            response = self._connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            address = f'http://{self._connection.host}:{self._connection.port}'
            raise SystemExit(f'No answer from the simulator at {address}: {error!r}. Is it running?')
