"""The settings file of a servo arm, and the bus it names.

May import: servo.buses and below. Open ``settings`` first; ``backends`` is the table of makers.
"""
