"""Twists in, joint commands out: ``node`` wires the loop; open it first.

May import: nodes.common, following and below. Face: ``node.CartesianFollower``.
"""
