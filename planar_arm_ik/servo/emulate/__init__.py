"""Emulated servos at the level of the wire, with faults that can be switched on."""
