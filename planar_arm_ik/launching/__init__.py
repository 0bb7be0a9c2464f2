"""What the launch files share: ``plan`` decides without ROS, ``bringup`` starts.

May import: errors; launch where it is installed. Open ``plan`` first.
"""
