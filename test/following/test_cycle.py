"""The motion of one cycle: limits together, escapes, directions, residuals."""

import ast
import inspect
import math
import random
import re
import textwrap

import numpy as np
import pytest
from escapes import SPEED, drive, free_arm, from_fold, from_stretch

from arms import DEFAULT
from places import ROOT
from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import cycle
from planar_arm_ik.following.desired import Elbow
from planar_arm_ik.following.follower import Follower

ARMS = {
    "longer": DEFAULT,
    "shorter": PlanarArm(0.3, 0.5, DEFAULT.joint1, DEFAULT.joint2),
    "equal": PlanarArm(0.4, 0.4, DEFAULT.joint1, DEFAULT.joint2),
}
POLICIES = ("scale", "project")


def random_cycle(rng, arm, policy):
    """One cycle from a random state that braking can save."""
    model = FollowerConfig(arm, limit_policy=policy, position_margin=0.0).model
    q = tuple(rng.uniform(joint.lower, joint.upper) for joint in arm.joints)
    if rng.random() < 0.3:
        q = (q[0], rng.choice((0.0, 1e-9, -1e-9, 1e-3, 0.05, -0.05)))
    branch = rng.choice((1, -1)) if q[1] == 0.0 else (1 if q[1] > 0.0 else -1)
    elbow = Elbow.of(branch, q[1], model.joint2)
    qd = []
    for angle, joint in zip(q, (model.joint1, elbow.bounds), strict=True):
        down = min(2.0, math.sqrt(16.0 * max(angle - joint.lower, 0.0)))
        up = min(2.0, math.sqrt(16.0 * max(joint.upper - angle, 0.0)))
        qd.append(rng.uniform(-down, up))
    speed, angle = 10 ** rng.uniform(-3, 0.5), rng.uniform(-math.pi, math.pi)
    v = (speed * math.cos(angle), speed * math.sin(angle))
    dt = 0.01 * rng.uniform(0.05, 3.0)
    return q, tuple(qd), elbow, v, dt, cycle(model, q, tuple(qd), elbow, v, dt, dt)


def check_random_cycles(seed, count):
    rng = random.Random(seed)
    arms = list(ARMS.values())
    for _ in range(count):
        arm, policy = rng.choice(arms), rng.choice(POLICIES)
        q, qd, elbow, _, dt, motion = random_cycle(rng, arm, policy)
        new = (motion.qd1, motion.qd2)
        J = arm.jacobian(q)
        assert np.abs(J @ new - (motion.achieved_x, motion.achieved_y)).max() <= 1e-12
        for angle, old, speed, joint in zip(q, qd, new, arm.joints, strict=True):
            assert abs(speed) <= joint.velocity + 1e-12
            assert abs(speed - old) <= joint.acceleration * dt + 1e-12
            assert joint.lower - 1e-12 <= angle + speed * dt <= joint.upper + 1e-12
        assert elbow.lower - 2e-9 <= q[1] + new[1] * dt <= elbow.upper + 2e-9


def test_random_cycles_keep_every_limit_and_tell_the_truth():
    check_random_cycles(1, 2_000)


@pytest.mark.faults
def test_a_hundred_thousand_random_cycles_keep_every_limit_and_tell_the_truth():
    check_random_cycles(2, 100_000)


def worst_escape(starts, seconds):
    time, sideways = 0.0, 0.0
    for start in starts:
        took, error = start.escape(seconds)
        assert took < seconds, start
        time, sideways = max(time, took), max(sideways, error / start.arm.outer_radius)
    return time, sideways


ESCAPES = [
    ("stretch", None, None, 1.0),
    ("fold", "hole", "outward", 1.0),
    ("fold", "small", "outward", 3.0),
    ("fold", "small", "random", 3.0),
    ("fold", "equal", "random", 3.0),
    ("fold", "small", "against", 6.0),
    ("fold", "equal", "against", 6.0),
]


def starts(place, kind, command, count):
    rng = random.Random(f"{place} {kind} {command}")
    for _ in range(count):
        yield from_stretch(rng) if place == "stretch" else from_fold(rng, kind, command)


@pytest.mark.parametrize(("place", "kind", "command", "promised"), ESCAPES)
def test_every_arm_gets_out_in_time_on_its_own_elbow_side(place, kind, command, promised):
    time, sideways = worst_escape(starts(place, kind, command, 8), 16.0)
    assert time <= promised
    assert sideways <= 0.05


@pytest.mark.faults
@pytest.mark.parametrize(("place", "kind", "command", "promised"), ESCAPES)
def test_a_thousand_arms_get_out_in_time(place, kind, command, promised):
    time, sideways = worst_escape(starts(place, kind, command, 1000), 16.0)
    print(f"\n{place} {kind or ''} {command or ''}: {time:.2f} s, {100 * sideways:.2f} % sideways")
    assert time <= promised
    assert sideways <= 0.05


def rests(arm, q, branch, v):
    """Whether the arm comes to rest for good under the command, and where."""
    last = []
    drive(arm, q, branch, v, 4.0, lambda _t, q, motion: last.append((q, motion)) or False)
    tail = last[-20:]
    still = all(abs(m.qd1) + abs(m.qd2) < 1e-6 for _, m in tail)
    return still, tail[-1]


def check_never_at_rest(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        l1 = rng.uniform(0.1, 1.0)
        l2 = l1 if rng.random() < 0.3 else rng.uniform(0.1, 1.0)
        arm = free_arm(l1, l2)
        edge = rng.choice((0.0, math.pi))
        offset = rng.choice((0.0, 1e-9, -1e-9, 1e-3, -1e-3))
        branch = 1 if math.sin(edge + offset) >= 0.0 else -1
        q = (rng.uniform(-3.0, 3.0), edge + offset)
        direction = q[0] + rng.choice((0.0, math.pi, 0.5 * math.pi, rng.uniform(-3.0, 3.0)))
        v = (SPEED * math.cos(direction), SPEED * math.sin(direction))
        still, (end, motion) = rests(arm, q, branch, v)
        if still:
            tip = arm.forward(end)
            out = math.copysign(1.0, math.cos(end[1])) * float(np.dot(tip, v))
            assert motion.sigma_min < 1e-3, (arm, q, v)
            assert out >= 0.99 * SPEED * math.hypot(*tip), (arm, q, v)
            assert edge == 0.0 or abs(l1 - l2) > 1e-6


def test_no_start_comes_to_rest_but_at_the_edge_with_the_command_pointing_out():
    check_never_at_rest(3, 25)


@pytest.mark.faults
def test_twenty_thousand_starts_never_come_to_rest():
    check_never_at_rest(4, 20_000)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("speed", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_outward_motion_settles_at_the_edge_without_chatter(arm, speed, policy):
    free = free_arm(arm.l1, arm.l2)
    for direction in (0.0, -2.5):
        v = (speed * math.cos(direction), speed * math.sin(direction))
        track = []
        drive(
            free,
            (0.3, 0.8),
            1,
            v,
            15.0 if speed > 0.1 else 80.0,
            lambda _t, _q, motion, track=track: track.append((motion.qd1, motion.qd2)) or False,
            dt=0.01 if speed > 0.1 else 0.02,
            limit_policy=policy,
        )
        tail = np.array(track[-200:])
        turns = (np.diff(np.sign(tail), axis=0) != 0) & (np.abs(tail[1:]) > 1e-6)
        assert not turns.any()
        size = np.abs(tail).max(axis=1)
        assert (np.diff(size) <= 1e-9).all()
        assert size[-1] <= 0.5 * speed


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_there_is_no_residual_above_the_threshold_when_no_limit_acts(arm):
    rng = random.Random(5)
    config = FollowerConfig(arm, position_margin=0.0)
    model, wide = config.model, 10.0
    for _ in range(500):
        q2 = rng.uniform(-2.4, 2.4)
        q = (rng.uniform(-2.5, 2.5), q2)
        v = (1e-2 * rng.uniform(-1, 1), 1e-2 * rng.uniform(-1, 1))
        elbow = Elbow.of(1 if q2 > 0.0 else -1, q2, model.joint2)
        motion = cycle(model, q, (0.0, 0.0), elbow, v, wide, 0.01)
        if motion.sigma_min >= config.eps and not motion.at_limit:
            lost = math.hypot(v[0] - motion.achieved_x, v[1] - motion.achieved_y)
            assert lost <= 1e-12 * math.hypot(*v) + 1e-17


def test_the_gain_is_continuous_at_the_threshold():
    config = FollowerConfig(free_arm(0.5, 0.4))
    arm, model = config.arm, config.model
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if arm.singular_values((0.0, middle))[1] < config.eps:
            low = middle
        else:
            high = middle
    for v in ((0.01, 0.0), (-0.01, 0.0), (0.003, 0.004)):
        below, above = (
            cycle(model, (0.0, q2), (0.0, 0.0), Elbow.of(1, q2, model.joint2), v, 10.0, 0.01)
            for q2 in (low - 1e-9, high + 1e-9)
        )
        assert (below.qd1, below.qd2) == pytest.approx((above.qd1, above.qd2), rel=1e-5)


@pytest.mark.parametrize("damping_law", ["threshold", "constant"])
def test_joint_speeds_never_exceed_the_command_over_the_threshold(damping_law):
    rng = random.Random(6)
    fast = JointLimits(velocity=1e6, acceleration=1e9, continuous=True)
    for _ in range(2000):
        arm = PlanarArm(rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), fast, fast)
        config = FollowerConfig(arm, damping_law=damping_law)
        q2 = rng.choice((0.0, math.pi)) + rng.choice((0.0, rng.uniform(-0.3, 0.3)))
        elbow = Elbow.of(rng.choice((1, -1)), q2, config.model.joint2)
        v = (rng.normalvariate(), rng.normalvariate())
        motion = cycle(config.model, (0.2, q2), (0.0, 0.0), elbow, v, 0.01, 1e-9)
        assert math.hypot(motion.qd1, motion.qd2) <= math.hypot(*v) / config.eps * (1.0 + 1e-9)


def test_the_direction_is_kept_whenever_the_ray_meets_the_box():
    rng = random.Random(7)
    met = 0
    for _ in range(6000):
        _, _, _, v, _, motion = random_cycle(rng, DEFAULT, "scale")
        config_eps = DEFAULT.singular_threshold
        if not motion.on_ray or motion.sigma_min < 2.0 * config_eps:
            continue
        x, y = motion.achieved_x, motion.achieved_y
        if math.hypot(x, y) > 1e-9:
            met += 1
            assert abs(math.atan2(v[0] * y - v[1] * x, v[0] * x + v[1] * y)) < math.radians(0.1)
    assert met > 50


def test_scaling_both_joints_gives_the_worked_direction():
    limits = JointLimits(velocity=1.0, acceleration=1e6, continuous=True)
    arm = PlanarArm(0.30, 0.25, limits, limits)
    config = FollowerConfig(arm)
    elbow = Elbow.of(1, 0.4, config.model.joint2)
    motion = cycle(config.model, (0.3, 0.4), (0.0, 0.0), elbow, (0.3, 0.0), 0.01, 0.01)
    assert motion.scale == pytest.approx(0.2037, abs=1e-4)
    assert (motion.achieved_x, motion.achieved_y) == pytest.approx((0.0611, 0.0), abs=1e-4)
    assert motion.saturated2
    assert not motion.saturated1


def test_projection_loses_less_than_scaling():
    rng_a, rng_b = random.Random(8), random.Random(8)
    losses = []
    for _ in range(1000):
        *_, v, _, scaled = random_cycle(rng_a, DEFAULT, "scale")
        *_, w, _, projected = random_cycle(rng_b, DEFAULT, "project")
        assert v == w
        if scaled.sigma_min >= DEFAULT.singular_threshold:
            losses.append(
                [math.hypot(v[0] - m.achieved_x, v[1] - m.achieved_y) for m in (scaled, projected)]
            )
    lost = np.array(losses)
    # Where the least-squares answer would make the tip too fast, it gives way in part.
    assert np.mean(lost[:, 1] <= lost[:, 0] + 1e-9) > 0.95
    assert lost[:, 1].sum() < lost[:, 0].sum()


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_projection_never_spends_the_margin_on_making_up_for_the_other_joint(arm):
    rng, margin = random.Random(9), 0.05
    model = FollowerConfig(arm, limit_policy="project", position_margin=margin).model
    touched = 0
    for _ in range(60):
        q = [rng.uniform(joint.lower + 0.1, joint.upper - 0.1) for joint in arm.joints]
        elbow, qd = Elbow.of(1 if q[1] > 0.0 else -1, q[1], model.joint2), (0.0, 0.0)
        for index in range(150):
            if index % 50 == 0:
                speed, angle = rng.uniform(0.3, 3.0), rng.uniform(-math.pi, math.pi)
            v, dt = (speed * math.cos(angle), speed * math.sin(angle)), rng.uniform(0.001, 0.03)
            motion = cycle(model, tuple(q), qd, elbow, v, dt, dt)
            qd = (motion.qd1, motion.qd2)
            for place, joint in enumerate(arm.joints):
                q[place] += qd[place] * dt
                inside = min(q[place] - joint.lower, joint.upper - q[place])
                assert inside >= margin - 1e-9
                touched += inside < margin + 1e-3
    assert touched > 100


def test_a_constant_damping_leaves_the_singularity_too():
    took = drive(
        free_arm(0.3, 0.25),
        (0.3, 0.0),
        1,
        (-SPEED * math.cos(0.3), -SPEED * math.sin(0.3)),
        2.0,
        lambda _t, q, _m: q[1] > 0.05,
        damping_law="constant",
        damping=0.05,
    )
    assert took < 1.0


def calls_in(function):
    """Names of the plain functions that a function calls, in the order of its lines."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name)]
    return [call.func.id for call in sorted(named, key=lambda call: call.lineno)]


def test_a_cycle_takes_the_documented_steps_in_their_order():
    text = (ROOT / "docs/follower.md").read_text(encoding="utf-8")
    table = text.partition("One cycle (`following/cycle.py`) takes these steps")[2]
    steps = re.findall(r"^\| [a-z ]+ \| `(\w+)` \|", table.partition("\n\n**")[0], re.MULTILINE)
    helpers = {"_make", "abs", "along", "clip", "plainly_slow"}
    taken = [name for name in dict.fromkeys(calls_in(cycle)) if name not in helpers]
    assert [*taken, "moving_report"] == steps
    assert calls_in(Follower._moved).index("cycle") < calls_in(Follower._moved).index(steps[-1])
