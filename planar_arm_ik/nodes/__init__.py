"""Everything that knows ROS: a room a node, ``common`` below them all.

May import: all but cli. A node never imports a node; views may read the others' messages.
Open ``entry`` first: it starts them.
"""
