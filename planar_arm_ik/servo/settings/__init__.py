"""The settings file of a servo arm, and the bus it names.

May import: servo.buses and below. Open ``settings`` first; ``makers`` is the table of backends.
"""
