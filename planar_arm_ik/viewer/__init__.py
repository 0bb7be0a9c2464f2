"""The browser page (extra ``[view]``, viser): no ROS in here, the node is ``nodes/viewer.py``."""
