"""What a view shows, without a viewer or ROS: shapes, workspace, ghosts, paths, arrows, words."""
