"""Servos at wire level, with faults on demand: what the tests and demos talk to.

May import: servo.buses. Open ``arm`` first, then ``registers`` and ``serial_bus``.
"""
