r"""Singular value decomposition of the arm's Jacobian in closed form, in plain floats.

J = [J1 J2] = U diag(sigma1, sigma2) V^T, where U = [u1 u2] and V = [v1 v2] are rotations, so that
det J = l1 l2 sin q2 = sigma1 sigma2 and the sign of sigma2 is the elbow branch:

    v1 = (cos t, sin t),  2 t = atan2(2 J1.J2, |J1|^2 - |J2|^2)
    sigma1 = |J v1|,  u1 = J v1 / sigma1,  sigma2 = det J / sigma1
    u2 = rot90(u1) = (-u1_y, u1_x),  v2 = rot90(v1) = (-v1_y, v1_x)

The determinant comes from sin q2 alone, so sigma2 keeps its digits near the singularities, and
sigma1 >= l2 never vanishes.
(Golub and Van Loan, *Matrix Computations*, 8.6: the two-sided Jacobi rotation of a 2x2 matrix.)
"""

from __future__ import annotations

import math

#: (j1x, j1y, j2x, j2y, ux, uy, vx, vy, sigma1, sigma2): the Jacobian by columns [m/rad], u1, v1,
#: and the singular values [m/rad], the smaller one with the sign of sin q2. A plain tuple, because
#: it is made in every cycle and a named one would double the cost.
Decomposition = tuple[float, float, float, float, float, float, float, float, float, float]


def decompose(l1: float, l2: float, q1: float, q2: float) -> Decomposition:
    """Decompose the Jacobian at (q1, q2) [rad] for links l1, l2 [m]."""
    q12 = q1 + q2
    j2x = -l2 * math.sin(q12)
    j2y = l2 * math.cos(q12)
    j1x = j2x - l1 * math.sin(q1)
    j1y = j2y + l1 * math.cos(q1)
    dot = j1x * j2x + j1y * j2y
    t = 0.5 * math.atan2(dot + dot, j1x * j1x + j1y * j1y - l2 * l2)
    vx = math.cos(t)
    vy = math.sin(t)
    ux = j1x * vx + j2x * vy
    uy = j1y * vx + j2y * vy
    sigma1 = math.sqrt(ux * ux + uy * uy)
    sigma2 = l1 * l2 * math.sin(q2) / sigma1
    return j1x, j1y, j2x, j2y, ux / sigma1, uy / sigma1, vx, vy, sigma1, sigma2


def metric_of(now: Decomposition, damping: float) -> tuple[float, float, float]:
    """Return J^T J + damping^2 I as (A11, A12, A22)."""
    j1x, j1y, j2x, j2y, _, _, _, _, _, _ = now
    square = damping * damping
    return (
        j1x * j1x + j1y * j1y + square,
        j1x * j2x + j1y * j2y,
        j2x * j2x + j2y * j2y + square,
    )
