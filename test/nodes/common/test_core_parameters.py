"""Parameters that are settings of the core: nothing is lost between the two."""

import math
from dataclasses import fields

import pytest

from arms import DEFAULT
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.inverse.options import SolverOptions
from planar_arm_ik.nodes.cartesian_follower.parameters import FollowerParameters
from planar_arm_ik.nodes.common.core_parameters import core_values
from planar_arm_ik.nodes.ik_server.parameters import IkServerConfig
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.status import Branch
from planar_arm_ik.trajectories.motion import PathOptions
from planar_arm_ik.trajectories.tolerances import Tolerances

#: Parameters, what they are settings of, and the settings that have no parameter.
TABLES = [
    (FollowerParameters, FollowerConfig, {"output"}),  # command_interface has other words for it
    (IkServerConfig, SolverOptions, set()),
    (PathExecutorConfig, PathOptions, set()),
    (PathExecutorConfig, Tolerances, {"lead"}),
]


@pytest.mark.parametrize(("table", "core", "without"), TABLES)
def test_every_setting_of_the_core_is_a_parameter(table, core, without):
    settings = {field.name for field in fields(core) if "text" in field.metadata}
    assert set(core_values(table(), core)) == settings - without


@pytest.mark.parametrize(("table", "core", "_without"), TABLES)
def test_the_default_parameters_are_the_defaults_of_the_core(table, core, _without):
    defaults = {field.name: field.default for field in fields(core)}
    for name, value in core_values(table(), core).items():
        assert value == defaults[name], name


def test_a_zero_that_stands_for_the_default_of_the_core_is_the_only_value_replaced():
    assert PathExecutorConfig(max_approach=0.0).options.max_approach == math.inf
    assert PathExecutorConfig(max_approach=0.7).options.max_approach == 0.7
    assert PathExecutorConfig(path_tolerance=0.0).tolerances.path == 0.0
    assert IkServerConfig(singular_threshold=0.0).options.singular_threshold is None
    assert IkServerConfig(singular_threshold=0.02).options.singular_threshold == 0.02


def test_a_word_becomes_the_member_of_the_enumeration_it_names():
    config = FollowerParameters(preferred_branch="negative").config(DEFAULT)
    assert config.preferred_branch is Branch.NEGATIVE
