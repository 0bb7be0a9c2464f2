"""Forward kinematics of many poses of the ABB IRB 140, beside Robotics Toolbox.

Run with ``python benchmarks/dh.py``; the comparison needs the extra ``[bench]``. Every method
answers the same poses; repeats are interleaved and the fastest of each counts. Times depend on
the machine, so only the ratios mean anything.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.tables import load_table

Array = NDArray[np.float64]
Method = Callable[[Array], Array]


def product_of_matrices(chain: DhChain, q: Array) -> Array:
    """T as the batched product of 4x4 matrices: the obvious way, for comparison."""
    poses = np.broadcast_to(np.eye(4), (len(q), 4, 4))
    for i, row in enumerate(chain.rows):
        poses = poses @ DhChain([row], chain.length_unit).forward(q[:, i : i + 1])
    return poses


def toolbox_methods(chain: DhChain) -> dict[str, Method]:
    """Return the three ways of Robotics Toolbox, or nothing when it is not installed."""
    try:
        import roboticstoolbox as rtb
    except ImportError:
        print("Robotics Toolbox is missing; pip install 'planar_arm_ik[bench]'")
        return {}
    links = [rtb.RevoluteDH(a=row.a, d=row.d, alpha=row.alpha) for row in chain.rows]
    robot = rtb.DHRobot(links)
    ets = robot.ets()
    return {
        "Robotics Toolbox robot.ets().eval (compiled)": ets.eval,
        "Robotics Toolbox robot.ets().fkine (compiled)": lambda q: ets.fkine(q).A,
        "Robotics Toolbox robot.fkine": lambda q: robot.fkine(q).A,
    }


def fastest(methods: dict[str, Method], q: Array, repeats: int) -> dict[str, float]:
    """Return the shortest time of each method [s] over interleaved repeats."""
    times = dict.fromkeys(methods, float("inf"))
    for _ in range(repeats):
        for name, method in methods.items():
            if times[name] < float("inf") and times[name] > 1.0:
                continue  # slow ones are timed once
            start = time.perf_counter()
            method(q)
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def main() -> None:
    """Time every method and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--poses", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=9)
    args = parser.parse_args()
    chain = load_table("abb_irb_140")
    methods: dict[str, Method] = {
        "DhChain.forward": chain.forward,
        "product of 4x4 matrices": lambda q: product_of_matrices(chain, q),
        **toolbox_methods(chain),
    }
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (args.poses, len(chain)))
    expected = chain.forward(q[:50])
    for name, method in methods.items():
        error = np.abs(np.asarray(method(q[:50])) - expected).max() / np.abs(expected).max()
        if not error < 1e-12:
            raise SystemExit(f"{name} gives other poses (relative difference {error:.1e})")
    times = fastest(methods, q, args.repeats)
    reference = times.get("Robotics Toolbox robot.ets().eval (compiled)")
    print(f"{args.poses} poses of the {chain.name}, fastest of {args.repeats} interleaved runs\n")
    print(f"{'method':47} {'us a pose':>10} {'against ets().eval':>19}")
    for name, seconds in times.items():
        ratio = f"{seconds / reference:19.2f}" if reference else f"{'-':>19}"
        print(f"{name:47} {1e6 * seconds / args.poses:10.3f} {ratio}")


if __name__ == "__main__":
    main()
