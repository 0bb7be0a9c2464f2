"""From commands to set points, cycle by cycle: enable, follow, fault, relax.

May import: servo.settings and below, trajectories. Open ``machine`` first, then ``loop``.
"""
