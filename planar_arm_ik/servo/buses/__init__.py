"""How goals and positions reach servos: one bus class a maker, and a simulated one.

May import: servo.calibration. Open ``bus`` first: it is what every maker provides.
"""
