"""``python -m planar_arm_ik.nodes NAME... [--ros-args ...]``: any set of nodes in one process."""

from __future__ import annotations

import sys

from planar_arm_ik.nodes.entry import NODES, run_nodes


def main() -> int:
    """Run the nodes named before ``--ros-args``."""
    arguments = sys.argv[1:]
    split = arguments.index("--ros-args") if "--ros-args" in arguments else len(arguments)
    names = arguments[:split]
    unknown = [name for name in names if name not in NODES]
    if not names or unknown:
        print(f"name nodes among {', '.join(NODES)}; got {names}", file=sys.stderr)
        return 2
    return run_nodes(names, [sys.argv[0], *arguments[split:]])


if __name__ == "__main__":
    sys.exit(main())
