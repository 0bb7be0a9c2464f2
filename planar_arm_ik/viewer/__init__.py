"""The browser page (extra ``[view]``, viser); no ROS here, its node is in ``nodes/views``.

May import: scene, paths and below. Open ``page`` first, then ``session``. Face: ``page.Page``.
"""
