"""The hardware side: ``node`` wires a servo loop to ROS; open it first.

May import: nodes.common, servo. Face: ``node.ServoDriver``.
"""
