"""What several nodes share: parameters, clocks, loops, claims, frames, wire.

May import: trajectories and below, config. Open ``runtime`` first, then ``parameters``.
"""
