"""ROS 2 nodes: thin classes around the core, and what they share."""
