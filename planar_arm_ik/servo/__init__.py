"""Hobby servos: calibration, bus back ends and the simulated arm."""
