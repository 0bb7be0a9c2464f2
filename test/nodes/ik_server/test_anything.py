"""Anything as a request of the ik_server: it answers every one, and its answers are poses."""

import array
import math

import numpy as np
import pytest

pytest.importorskip("rclpy")
from sensor_msgs.msg import JointState

from arms import DEFAULT
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.nodes.common.interfaces import SolveFk, SolveIk, SolveIkBatch
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer

ODD = [math.nan, math.inf, -math.inf, 5e-324, -1e-310, 1e308, -1e9, 0.0, -0.0, 0.9, 0.1]
NAMES = ["joint1", "joint2", "wheel", "", "joint1 ", "Joint2", "joint3"]
RULES = [rule.value for rule in Rule]
STATUSES = {int(status) for status in IkStatus}


@pytest.fixture(scope="module")
def server():
    with nodes(["ik_server"]), peer() as client:
        yield client


class Requests:
    """Random requests, most of them with something wrong."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def number(self, scale=0.6):
        odd = self.rng.random() < 0.08
        return float(self.rng.choice(ODD) if odd else self.rng.normal() * scale)

    def text(self, usual, odd):
        return str(self.rng.choice(odd)) if self.rng.random() < 0.08 else usual

    def joints(self):
        kind = self.rng.random()
        if kind < 0.3:
            return JointState()
        if kind < 0.8:
            return JointState(name=["joint2", "joint1"], position=[self.number(2), self.number(2)])
        names = [str(name) for name in self.rng.choice(NAMES, self.rng.integers(0, 5))]
        count = self.rng.integers(0, 5) if kind > 0.9 else len(names)
        return JointState(name=names, position=[self.number(3) for _ in range(count)])

    def solve(self):
        made = SolveIk.Request(seed=self.joints())
        made.target.header.frame_id = self.text("", ["foo", "base_link", "BASE", "\u00e9"])
        point = made.target.point
        point.x, point.y, point.z = self.number(), self.number(), self.number(0.0)
        made.rule = self.text(str(self.rng.choice(RULES)), ["up", "NEAREST", " ", ""])
        made.max_joint_step = float(self.rng.choice([0.0, 0.0, self.number(2.0)]))
        return made

    def batch(self):
        n = int(self.rng.integers(0, 40))
        made = SolveIkBatch.Request(seed=self.joints(), rule=self.text("", ["up", "keep"]))
        x = self.rng.normal(size=n) * 0.6
        y = self.rng.normal(size=n if self.rng.random() < 0.95 else n + 1) * 0.6
        if n and self.rng.random() < 0.2:
            x[self.rng.integers(n)] = self.rng.choice(ODD)
        made.x, made.y = (array.array("d", column.tobytes()) for column in (x, y))
        return made


def check_solve(request, reply):
    assert reply.status.code in STATUSES
    assert reply.status.message
    numbers = [reply.shortfall, reply.off_plane, reply.sigma_min]
    for candidate in reply.candidates:
        numbers += [*candidate.position, candidate.position_error, candidate.distance]
    assert np.isfinite(numbers).all()
    if reply.status.code < 0:
        assert len(reply.solution.position) == 0
        assert reply.branch == 0
        return
    target = (request.target.point.x, request.target.point.y)
    check_pose(np.array(reply.solution.position), target)
    if request.max_joint_step > 0.0:
        seed = dict(zip(request.seed.name, request.seed.position, strict=True))
        step = np.abs(reply.solution.position - np.array([seed["joint1"], seed["joint2"]]))
        assert step.max() <= request.max_joint_step


def check_pose(q, target):
    assert math.dist(DEFAULT.forward(q), target) <= 1e-9 * DEFAULT.outer_radius
    for joint, angle in zip(DEFAULT.joints, q, strict=True):
        assert joint.lower <= angle <= joint.upper


def check_batch(request, reply):
    assert reply.status.code in STATUSES
    n = len(reply.statuses)
    assert n in (0, len(request.x))
    assert len(reply.branches) == len(reply.joint1) == len(reply.joint2) == n
    q = np.stack((reply.joint1, reply.joint2), axis=-1)
    for i, status in enumerate(reply.statuses):
        if status >= 0:
            check_pose(q[i], (request.x[i], request.y[i]))
        else:
            assert np.isnan(q[i]).all()
    failed = np.flatnonzero(np.asarray(reply.statuses) < 0)
    if n:
        assert reply.failed_index == (failed[0] if failed.size else -1)


def sweep(server, seed, count):
    requests = Requests(seed)
    call = {
        kind: server.caller(kind, f"ik_server/{name}")
        for kind, name in ((SolveIk, "solve"), (SolveIkBatch, "solve_batch"), (SolveFk, "forward"))
    }
    answered = 0
    for index in range(count):
        if index % 10 == 0:
            batch = requests.batch()
            check_batch(batch, call[SolveIkBatch](batch))
        elif index % 10 == 1:
            reply = call[SolveFk](SolveFk.Request(state=requests.joints()))
            assert reply.status.code in STATUSES
            assert np.isfinite([reply.tip.point.x, reply.elbow.point.y, *reply.jacobian]).all()
        else:
            one = requests.solve()
            reply = call[SolveIk](one)
            check_solve(one, reply)
            answered += reply.status.code >= 0
    assert 0.1 * count < answered < 0.8 * count


def test_any_request_is_answered_and_every_answer_is_a_pose(server):
    sweep(server, 50, 500)


@pytest.mark.faults
def test_twenty_thousand_requests_are_answered_and_every_answer_is_a_pose(server):
    sweep(server, 51, 20_000)
