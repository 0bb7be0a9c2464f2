"""The command line ``planar-arm``: one module per verb, each declared beside what runs it.

May import: everything below. Open ``main`` first (it lists the verbs), then ``verb`` (how one is
declared); ``options`` and ``output`` are what they share.
"""

from planar_arm_ik.cli.main import main

__all__ = ["main"]
