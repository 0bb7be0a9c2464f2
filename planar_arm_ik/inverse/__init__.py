"""One target: both elbows, the rule that chooses, the sentence that explains a refusal.

May import: arm, keep_out. Open ``solver`` first, then ``closed_form`` and ``branches``.
"""

from planar_arm_ik.inverse.solution import IkCandidate, IkSolution
from planar_arm_ik.inverse.solver import solve

__all__ = ["IkCandidate", "IkSolution", "solve"]
