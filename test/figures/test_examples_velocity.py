"""The worked examples of joint speed against their reference values."""

import json
import math

import numpy as np
import pytest

from places import DATA
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.figures.examples_velocity import (
    TIP_VELOCITY,
    UNIT_ARM,
    run_damped,
    run_follower,
    step_near_stretch,
)

TABLE = json.loads((DATA / "dls_table.json").read_text())
LIMITS = JointLimits(-2.9, 2.9, 2.0, 8.0)
ARM = PlanarArm(0.5, 0.4, LIMITS, LIMITS)
INWARD = -0.05 * np.array((math.cos(0.3), math.sin(0.3)))


def test_the_example_is_that_of_the_reference_table():
    assert [UNIT_ARM.l1, UNIT_ARM.l2] == TABLE["link_lengths"]
    assert list(TIP_VELOCITY) == TABLE["tip_velocity"]


@pytest.mark.parametrize("row", TABLE["rows"], ids=lambda row: f"{row['q2_deg']}-{row['damping']}")
def test_joint_speed_and_residual_near_stretch(row):
    step = step_near_stretch(row["q2_deg"], row["damping"])
    largest = max(1.0, row["joint_speed"])
    np.testing.assert_allclose(
        step.joint_velocity, row["joint_velocity"], atol=1e-12 * largest, rtol=0
    )
    np.testing.assert_allclose(step.residual, row["residual"], atol=1e-12)


def test_from_exact_stretch_only_the_follower_comes_back():
    for damping in (0.0, 0.05):
        stuck = run_damped(ARM, (0.3, 0.0), INWARD, damping, 0.5)
        assert np.abs(stuck.q - stuck.q[0]).max() < 1e-12
    freed = run_follower(ARM, (0.3, 0.0), INWARD, 1.0)
    assert freed.q[-1, 1] > 0.05
    assert np.abs(freed.joint_velocity).max() <= 2.0


def test_the_pseudoinverse_leaves_the_singularity_wildly_and_the_follower_within_its_limits():
    wild = run_damped(ARM, (0.3, 0.01), INWARD, 0.0, 0.01, 1e-4)
    assert np.abs(wild.joint_velocity[1]).max() > 20.0
    calm = run_follower(ARM, (0.3, 0.01), INWARD, 0.5)
    assert np.abs(calm.joint_velocity).max() <= 2.0
    assert np.abs(np.diff(calm.joint_velocity, axis=0)).max() <= 8.0 * 0.01 + 1e-9


def test_times_and_rows_belong_together():
    for run in (run_damped(ARM, (0, 1), INWARD, 0.1, 0.2), run_follower(ARM, (0, 1), INWARD, 0.2)):
        assert len(run.t) == len(run.q) == len(run.joint_velocity)
        assert run.t[-1] == pytest.approx(0.2)
