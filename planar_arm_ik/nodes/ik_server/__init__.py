"""The solve services: ``node`` wires them; open it first.

May import: nodes.common, batch and below. Face: ``node.IkServer``.
"""
