"""ROS 2 services over CycloneDDS: the caller's number goes before the request, and comes back before the answer."""

import random
import time

from ros_dds import RELIABLE, Ros, take


class ServiceCaller:
    def __init__(self, peer: Ros, name: str, request_kind, response_kind):
        self.requests = peer.writer(f'rq{name}Request', request_kind, RELIABLE)
        self.replies = peer.reader(f'rr{name}Reply', response_kind, RELIABLE)
        self.guid = random.getrandbits(63)
        self.sent = 0

    def call(self, request, limit_s: float):
        """The answer to this very request; None when there is none in time."""
        self.sent += 1
        request.guid, request.sequence_number = self.guid, self.sent
        self.requests.write(request)
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            for reply in take(self.replies):
                if (reply.guid, reply.sequence_number) == (self.guid, self.sent):
                    return reply
            time.sleep(0.002)
        return None


class ServiceServer:
    def __init__(self, peer: Ros, name: str, request_kind, response_kind):
        self.requests = peer.reader(f'rq{name}Request', request_kind, RELIABLE)
        self.replies = peer.writer(f'rr{name}Reply', response_kind, RELIABLE)

    def serve(self, answer):
        """Answers everything that has come, with what `answer` makes of each request."""
        for request in take(self.requests):
            response = answer(request)
            response.guid, response.sequence_number = request.guid, request.sequence_number
            self.replies.write(response)
