"""The command line ``planar-arm``: one module per sub-command."""

from planar_arm_ik.cli.main import main

__all__ = ["main"]
