"""Many targets at once, in blocks of columns, with the answers of ``inverse``.

May import: inverse and below. Open ``batch`` first, then ``block`` and ``kernel``.
"""

from planar_arm_ik.batch.batch import choose_batch, solve_batch
from planar_arm_ik.batch.columns import IkBatch, IkChoice

__all__ = ["IkBatch", "IkChoice", "choose_batch", "solve_batch"]
