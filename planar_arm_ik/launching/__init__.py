"""What the launch files share: which parts to start, and how; `launch` is imported in actions."""
