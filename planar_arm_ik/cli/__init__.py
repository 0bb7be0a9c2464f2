"""The command line ``planar-arm``: one module per sub-command.

May import: everything below. Open ``main`` first; ``common`` is what the verbs share.
"""

from planar_arm_ik.cli.main import main

__all__ = ["main"]
