"""Servo hardware: calibration, buses, the arm's state machine and its loop."""
