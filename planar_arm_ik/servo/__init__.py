"""Servos without ROS, a room a concern; ``control`` on top, ``calibration`` at the bottom.

May import: trajectories, arm and below, the makers' SDKs. Open ``buses.bus`` first.
"""
