"""What a view shows (ring, ghosts, colours, texts), without viewer or ROS.

May import: paths and below. Open ``workspace`` and ``texts`` first.
"""
