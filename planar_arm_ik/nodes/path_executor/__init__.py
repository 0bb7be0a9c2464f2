"""Paths planned and executed: ``node`` wires action and topics; open it first.

May import: nodes.common, trajectories and below. Face: ``node.PathExecutor`` and
``client.PathClient``.
"""
