"""Denavit-Hartenberg chains of any length: poses, Jacobians, tables, formulas.

May import: arm; PyYAML in ``tables``, SymPy in ``symbolic``. Open ``chain`` first.
"""

from planar_arm_ik.chains.chain import DhChain

__all__ = ["DhChain"]
