"""Joint angles and raw servo units: one exact round trip, and fitting it from samples.

May import: arm. Open ``calibration`` first; ``teach`` fits one.
"""
