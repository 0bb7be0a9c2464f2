"""What the caller could have prevented, raised as exceptions.

Everything the world does (targets out of reach, limits, stale states) is a returned value with a
status of :mod:`planar_arm_ik.status`, never an exception.
"""

from __future__ import annotations


class PlanarArmError(ValueError):
    """A value breaks a rule the caller knew; the message names the value and the rule."""


class ConfigError(PlanarArmError):
    """A configuration file is missing, malformed, or holds a key or value it must not hold."""
