"""The browser page (extra ``[view]``, viser): no ROS here, its node is in ``nodes/views``."""
