"""A joint that must brake does not leave the tip to the other one."""

import math
import random

import numpy as np
import pytest

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import cycle
from planar_arm_ik.following.desired import elbow_at


def moved(config, q, qd, v):
    model = config.model
    elbow = elbow_at(q[1], model.joint2, 0, 1)
    return cycle(model, q, qd, elbow, v, config.period, config.period)


def arm(l1, l2, velocity, acceleration):
    limits = JointLimits(-3.0, 3.0, velocity=velocity, acceleration=acceleration)
    return PlanarArm(l1, l2, limits, limits)


#: Arm, joint angles, joint speeds and twist at which the tip once became faster, cycle by cycle.
CARRIED_AWAY = [
    ((0.1, 0.08, 3.15, 9.57), (1.3482, -0.5602), (-1.2917, 2.9668), (-0.01804, 0.03115), 0.01),
    ((0.3, 0.5, 3.82, 3.02), (-0.2862, 0.6319), (1.6363, -1.9529), (0.27459, 0.29086), 0.02),
    ((0.3, 0.5, 3.82, 3.02), (-0.1136, 0.4544), (1.7802, -1.6561), (0.27459, 0.29086), 0.02),
]


@pytest.mark.parametrize("policy", ["scale", "project"])
@pytest.mark.parametrize(("links", "q", "qd", "v", "period"), CARRIED_AWAY)
def test_a_joint_that_must_brake_does_not_leave_the_tip_to_the_other(
    links, q, qd, v, period, policy
):
    config = FollowerConfig(arm(*links), period=period, limit_policy=policy, max_tip_speed=2.0)
    motion = moved(config, q, qd, v)
    was = math.hypot(*(config.arm.jacobian(q) @ qd))
    assert math.hypot(motion.achieved_x, motion.achieved_y) <= max(math.hypot(*v), was) + 1e-9


@pytest.mark.parametrize("policy", ["scale", "project"])
def test_the_tip_is_faster_than_told_only_where_no_joint_could_slow_it(policy):
    rng = random.Random(5)
    forced = 0
    for _ in range(3000):
        links = rng.choice(((0.5, 0.4), (0.3, 0.5), (0.4, 0.4)))
        made = arm(*links, rng.uniform(0.5, 4.0), rng.uniform(2.0, 20.0))
        config = FollowerConfig(made, limit_policy=policy, max_tip_speed=2.0)
        q = (rng.uniform(-2.9, 2.9), rng.choice((-1.0, 1.0)) * rng.uniform(0.01, 2.9))
        qd = tuple(rng.uniform(-1.0, 1.0) * made.joint1.velocity for _ in range(2))
        speed, angle = rng.uniform(0.0, 1.0), rng.uniform(-math.pi, math.pi)
        v = (speed * math.cos(angle), speed * math.sin(angle))
        motion = moved(config, q, qd, v)
        tip = np.array((motion.achieved_x, motion.achieved_y))
        jacobian = made.jacobian(q)
        if np.hypot(*tip) > max(speed, np.hypot(*(jacobian @ qd))) + 1e-9:
            forced += 1
            free = (not motion.saturated1, not motion.saturated2)
            slopes = np.abs(jacobian.T @ tip)
            assert all(
                slope < 1e-6 for slope, is_free in zip(slopes, free, strict=True) if is_free
            )
    assert forced < 90
