"""What shows the arm: ``markers`` for RViz, ``viewer`` for the page; open either first.

May import: the other node rooms, scene, viewer. Face: ``markers.Markers``, ``viewer.Viewer``.
"""
