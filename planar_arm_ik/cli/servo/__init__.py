"""``planar-arm servo ...``: servos on a bench, moved by hand, and calibrated.

May import: cli's shared modules, servo and below. Open ``verbs`` first: it lists them.
"""
