"""Tests that run in 16 processes at the same time, each in a world of its own in one mock server.

    orgchat mock start                    # in another terminal
    python3 parallel_tests.py             # --workers 4 for fewer, --shared for one world: then they fail
"""

import argparse
import io
import multiprocessing
import sys
import unittest
import uuid

from orgchat import operation_id
from world import World

VIP = {"action": "create-tags", "data": {"name": "VIP", "color": "pink"}}


class Tests(unittest.TestCase):
    """Every test expects the demo as it begins: no other test may be seen."""

    world = None
    everyone = None

    def setUp(self):
        self.client = self.world.client
        # All workers begin each test together, so that each could see what the others do.
        self.everyone.wait(timeout=60)
        self.world.control("POST", "/reset")

    def names(self):
        return [tag["name"] for tag in self.client.read({"resource": "tags"})["records"]]

    def test_sees_only_what_it_created(self):
        before = self.names()
        own = {"action": "create-tags", "data": {"name": self.world.name, "color": "blue"}}
        self.client.change(str(uuid.uuid4()), own)
        self.everyone.wait(timeout=60)
        self.assertEqual(self.names(), [self.world.name, *before])

    def test_has_operations_of_its_own(self):
        # All workers send the same operationId. In one world, only one of them would apply it.
        status, body = self.client.post(
            "/chat/changes", {"operationId": operation_id("the same"), "change": VIP}
        )
        self.assertEqual((status, body.get("replayed")), (200, False))
        self.everyone.wait(timeout=60)
        applied = {"action": "create-tags", "applied": True, "times": 1}
        self.assertEqual(self.world.control("POST", "/requests/verify", applied), {"ok": True})

    def test_has_faults_of_its_own(self):
        self.world.control("POST", "/faults", {"effect": "lose-response", "action": "create-tags"})
        self.client.change(str(uuid.uuid4()), VIP)
        self.everyone.wait(timeout=60)
        (fault,) = self.world.control("GET", "/faults")["faults"]
        self.assertEqual((fault["seen"], len(fault["hits"])), (2, 1))

    def test_has_a_clock_and_limits_of_its_own(self):
        self.world.control("PATCH", "/limits", {"rateLimit": 2})
        self.everyone.wait(timeout=60)
        tags = {"resource": "tags"}
        statuses = [self.client.post("/chat/read", tags)[0] for _ in range(3)]
        self.world.control("POST", "/clock", {"advanceMs": 60_000})
        self.assertEqual([*statuses, self.client.post("/chat/read", tags)[0]], [200, 200, 429, 200])

    def test_can_go_back(self):
        before = self.names()
        self.client.change(str(uuid.uuid4()), VIP)
        *_, created = self.world.control("GET", "/requests")["requests"]
        self.world.control("POST", "/rewind", {"requestId": created["id"]})
        self.assertEqual(self.names(), before)


def work(number, everyone, shared, results):
    """One worker: a world, all tests, and their result."""
    world = shared or World(f"worker {number}", history=10)
    Tests.world, Tests.everyone = world, everyone
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Tests)
    try:
        result = unittest.TextTestRunner(stream=io.StringIO(), failfast=True).run(tests)
        if not result.wasSuccessful():
            # The other workers would wait for this one.
            everyone.abort()
    finally:
        if not shared:
            world.drop()
    problems = [text for _, text in [*result.failures, *result.errors]]
    results.put((number, result.testsRun, problems))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--shared", action="store_true", help="all workers in one world")
    options = parser.parse_args()
    everyone = multiprocessing.Barrier(options.workers)
    results = multiprocessing.Queue()
    shared = World("everyone", history=10) if options.shared else None
    workers = [
        multiprocessing.Process(target=work, args=(number, everyone, shared, results))
        for number in range(1, options.workers + 1)
    ]
    for worker in workers:
        worker.start()
    finished = [results.get(timeout=300) for _ in workers]
    for worker in workers:
        worker.join()
    if shared:
        shared.drop()
    for number, _, problems in sorted(finished):
        for problem in problems:
            print(f"worker {number}: {problem}", file=sys.stderr)
    failed = sum(len(problems) for _, _, problems in finished)
    print(f"{len(finished)} workers, {sum(ran for _, ran, _ in finished)} tests, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
