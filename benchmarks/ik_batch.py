"""A million targets: both elbows, statuses and limits, beside a compiled loop and EAIK.

Run with ``python benchmarks/ik_batch.py``; the comparison needs the extra ``[bench]``. Everything
runs on one core. Repeats are interleaved and the fastest of each counts, by processor time: only
the ratios mean anything. The compiled loop is the bare two-branch formula (numba ``njit``,
float64): no reach test, no limits, no status.
"""

from __future__ import annotations

import argparse
import math
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import JointLimits, PlanarArm, solve_batch

Array = NDArray[np.float64]
Work = Callable[[], object]

DEFAULT = PlanarArm(
    0.5,
    0.4,
    JointLimits(-math.radians(170.0), math.radians(170.0)),
    JointLimits(-math.radians(150.0), math.radians(150.0)),
)
TURNING = PlanarArm(0.5, 0.4, JointLimits(continuous=True), JointLimits(continuous=True))
SEED = (0.1, 0.9)


def reachable_targets(arm: PlanarArm, n: int) -> Array:
    """Targets spread evenly over the ring [m], shape (n, 2)."""
    rng = np.random.default_rng(0)
    edges = 1.01 * arm.inner_radius, 0.999 * arm.outer_radius
    r = np.sqrt(rng.uniform(edges[0] ** 2, edges[1] ** 2, n))
    bearing = rng.uniform(-math.pi, math.pi, n)
    return np.stack((r * np.cos(bearing), r * np.sin(bearing)), axis=-1)


def compiled_loop(arm: PlanarArm) -> Callable[[Array], Array] | None:
    """Return the bare formula as a compiled scalar loop, or None without numba."""
    try:
        import numba
    except ImportError:
        print("numba is missing: pip install 'planar_arm_ik[bench]'")
        return None

    def bare(l1: float, l2: float, targets: Array, q: Array) -> None:
        for i in range(targets.shape[0]):
            x, y = targets[i, 0], targets[i, 1]
            c = (x * x + y * y - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)
            s = math.sqrt(1.0 - c * c)
            elbow, bearing = math.atan2(s, c), math.atan2(y, x)
            offset = math.atan2(l2 * s, l1 + l2 * c)
            q[i, 0, 0], q[i, 0, 1] = bearing - offset, elbow
            q[i, 1, 0], q[i, 1, 1] = bearing + offset, -elbow

    loop = numba.njit(bare)

    def run(targets: Array) -> Array:
        q = np.empty((len(targets), 2, 2))
        loop(arm.l1, arm.l2, targets, q)
        return q

    run(np.array([(0.6, 0.0)]))
    return run


def eaik_batch(arm: PlanarArm, targets: Array) -> Work | None:
    """Return EAIK's batched call on one thread, poses made beforehand; None without EAIK."""
    try:
        from eaik.IK_DH import DhRobot
    except ImportError:
        print("EAIK is missing: pip install 'planar_arm_ik[bench]'")
        return None
    zero = np.zeros(2)
    robot = DhRobot(zero, np.array((arm.l1, arm.l2)), zero)
    poses = list(np.tile(np.eye(4), (len(targets), 1, 1)))
    for pose, target in zip(poses, targets, strict=True):
        pose[:2, 3] = target
    return lambda: robot.IK_batched(poses, 1)


def fastest(works: dict[str, Work], repeats: int) -> dict[str, float]:
    """Shortest processor time of each work [s] over interleaved repeats."""
    times = dict.fromkeys(works, math.inf)
    for _ in range(repeats):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name] = min(times[name], time.process_time() - start)
    return times


def table(title: str, rows: list[tuple[str, ...]]) -> None:
    """Print rows of text as columns."""
    print(f"\n{title}")
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for name, *cells in rows:
        print("  " + name.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:])))  # noqa: B905


def simd() -> str:
    """Say which vector instructions NumPy found."""
    found: Any = np.show_config(mode="dicts")
    names = found["SIMD Extensions"].get("found", [])
    wide = any("AVX512" in name or name == "X86_V4" for name in names)
    return f"NumPy {np.__version__}, {'with' if wide else 'without'} AVX-512 ({', '.join(names)})"


def speed(n: int, repeats: int) -> None:
    """Compare the batch with the compiled loop and with EAIK."""
    targets, few = reachable_targets(DEFAULT, n), reachable_targets(DEFAULT, max(1, n // 100))
    loop, eaik = compiled_loop(DEFAULT), eaik_batch(DEFAULT, few)
    room = solve_batch(DEFAULT, targets)
    works: dict[str, Work] = {
        "both branches, limits, statuses": lambda: solve_batch(DEFAULT, targets),
        "  ... into a result used again": lambda: solve_batch(DEFAULT, targets, out=room),
        "  ... and nearest": lambda: solve_batch(DEFAULT, targets, SEED, "nearest"),
        "  ... and keep": lambda: solve_batch(DEFAULT, targets, SEED, "keep"),
        "  ... and limit_margin": lambda: solve_batch(DEFAULT, targets, SEED, "limit_margin"),
        "continuous joints, both branches": lambda: solve_batch(TURNING, targets),
        "  ... and nearest, turned to the seed": lambda: solve_batch(
            TURNING, targets, SEED, "nearest"
        ),
    }
    if loop is not None:
        check(loop, targets[:1000])
        works["compiled loop, bare formula"] = lambda: loop(targets)
    each = {name: seconds / n for name, seconds in fastest(works, repeats).items()}
    if eaik is not None:
        each["EAIK, batched, one thread"] = fastest({"": eaik}, repeats)[""] / len(few)
    base = each.get("compiled loop, bare formula")
    rows = [("", "ns a target", "of the loop")]
    rows += [
        (name, f"{1e9 * t:.1f}", f"{t / base:.2f}" if base else "") for name, t in each.items()
    ]
    table(f"{n} targets, one core, fastest of {repeats}", rows)
    if eaik is not None:
        ratio = each["EAIK, batched, one thread"] / each["  ... and nearest"]
        print(f"  targets a second with a rule, of EAIK's: {ratio:.0f} times as many")


def check(loop: Callable[[Array], Array], targets: Array) -> None:
    """Stop when both do not give the same angles."""
    error = np.abs(np.remainder(loop(targets) - solve_batch(TURNING, targets).q + 1, math.tau) - 1)
    if not error.max() < 1e-9:
        raise SystemExit(f"the compiled loop gives other angles (by {error.max():.1e} rad)")


def growth(largest: int, repeats: int) -> None:
    """Show that cost grows in step, and that memory above the result does not grow."""
    rows = [("targets", "s", "of the row above", "MiB above the result")]
    before = 0.0
    for n in (largest // 100, largest // 10, largest):
        targets = reachable_targets(DEFAULT, n)
        work = lambda targets=targets: solve_batch(DEFAULT, targets, SEED, "nearest")  # noqa: E731
        seconds = fastest({"": work}, repeats)[""]
        rows.append(
            (
                f"{n}",
                f"{seconds:.4f}",
                f"{seconds / before:.1f}" if before else "",
                f"{above(work) / 2**20:.2f}",
            )
        )
        before = seconds
    table("growth, with nearest", rows)


def above(work: Callable[[], Any]) -> int:
    """Peak memory of a work above its result [bytes]."""
    tracemalloc.start()
    result = work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    chosen = result.chosen
    arrays = (result.q, result.status, chosen.q, chosen.status, chosen.branch)
    return peak - sum(array.nbytes for array in arrays)


def main() -> None:
    """Time everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=1_000_000)
    parser.add_argument("--largest", type=int, default=10_000_000, help="for the growth")
    parser.add_argument("--repeats", type=int, default=9)
    args = parser.parse_args()
    print(simd())
    speed(args.targets, args.repeats)
    growth(args.largest, args.repeats)


if __name__ == "__main__":
    main()
