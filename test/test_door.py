"""Types at the door: every public callable refuses what it does not take, and says so."""

import inspect
from types import MappingProxyType

import numpy as np
import pytest

import planar_arm_ik
from arms import DEFAULT
from places import ROOT
from planar_arm_ik import PlanarArmError, plan_path, solve_batch, time_path
from planar_arm_ik.chains.rows import DhRow

LINE = [[0.4, 0.3], [0.41, 0.3]]
PATH = [[0.0, 1.0], [0.1, 1.0]]
TRIANGLE = ((1.0, 1.0), (1.2, 1.0), (1.0, 1.2))

#: Arguments that will do, for every public callable that takes what users make.
GOOD = MappingProxyType(
    {
        "solve": {"arm": DEFAULT, "target": (0.4, 0.3), "seed": (0.0, 1.0)},
        "solve_batch": {"arm": DEFAULT, "targets": LINE},
        "choose_batch": {"arm": DEFAULT, "x": [0.4], "y": [0.3]},
        "plan_path": {"arm": DEFAULT, "waypoints": LINE},
        "time_path": {"arm": DEFAULT, "q": PATH},
        "damped_step": {
            "arm": DEFAULT,
            "q": (0.0, 1.0),
            "tip_velocity": (0.1, 0.0),
            "damping": 0.0,
        },
        "load_arm": {"path": ROOT / "config" / "arm.yaml"},
        "PlanarArm": {"l1": 0.5, "l2": 0.4},
        "JointLimits": {"lower": -1.0, "upper": 1.0},
        "Circle": {"name": "post", "x": 1.0, "y": 1.0, "radius": 0.1},
        "Polygon": {"name": "table", "corners": TRIANGLE},
        "Obstacles": {"shapes": (planar_arm_ik.Circle("post", 1.0, 1.0, 0.1),)},
        "DhChain": {"rows": [DhRow("R")]},
    }
)
#: What the package returns or raises: users make none of these.
RESULTS = frozenset(
    {
        *("Branch", "ConfigError", "FollowerState", "IkBatch", "IkCandidate", "IkChoice"),
        *("IkSolution", "IkStatus", "PathPlan", "PlanarArmError", "TimedPath", "VelocityStep"),
    }
)
WRONG = {
    "None": None,
    "string": "wrong",
    "dict": {"wrong": 1},
    "five": [1.0, 2.0, 3.0, 4.0, 5.0],
    "ragged": [[1.0, 2.0], [3.0]],
    "object": object(),
    "complex": 1.0 + 2.0j,
    "bools": np.array([True, False]),
    "complexes": [1.0j, 2.0j],
}
#: Wrong kinds that are right for an argument.
RIGHT = {
    "None": "seed start rule singular_threshold obstacles corners line_tolerance out progress",
    "string": "path name",
    "five": "x y",
    "bools": "corners",
}


def cases():
    """Every argument of every row with every wrong kind that it does not take after all."""
    for name in GOOD:
        for argument in inspect.signature(getattr(planar_arm_ik, name)).parameters:
            for kind in WRONG:
                optional = argument != "rule" or name == "solve_batch"
                if argument not in RIGHT.get(kind, "").split() or not optional:
                    yield pytest.param(name, argument, kind, id=f"{name}-{argument}-{kind}")


def test_every_public_callable_has_a_row():
    public = {name for name in planar_arm_ik.__all__ if callable(getattr(planar_arm_ik, name))}
    assert set(GOOD) | RESULTS == public


@pytest.mark.parametrize("name", GOOD)
def test_the_good_arguments_will_do(name):
    getattr(planar_arm_ik, name)(**GOOD[name])


@pytest.mark.parametrize(("name", "argument", "kind"), list(cases()))
def test_a_wrong_type_or_shape_is_named_with_what_it_got_and_takes(name, argument, kind):
    with pytest.raises(PlanarArmError) as raised:
        getattr(planar_arm_ik, name)(**{**GOOD[name], argument: WRONG[kind]})
    message = str(raised.value)
    assert argument in message or argument.replace("_", " ") in message
    assert "\n" not in message


def test_what_is_wrong_is_said_in_one_sentence():
    with pytest.raises(PlanarArmError, match=r"arm must be a PlanarArm, got 'wrong' \(str\)"):
        plan_path("wrong", LINE)
    with pytest.raises(PlanarArmError, match=r"targets must be numbers of shape \(\.\.\., 2\)"):
        solve_batch(DEFAULT, WRONG["ragged"])


def test_a_plan_can_be_timed_as_it_is():
    plan = plan_path(DEFAULT, LINE)
    timed, same = time_path(DEFAULT, plan), time_path(DEFAULT, plan.q)
    assert np.array_equal(timed.trajectory.q, same.trajectory.q)


def test_a_refused_plan_cannot_be_timed_and_its_reason_is_said():
    plan = plan_path(DEFAULT, [[0.4, 0.3], [9.0, 0.3]])
    with pytest.raises(PlanarArmError, match="TOO_FAR"):
        time_path(DEFAULT, plan)
