"""The kinematic chain of a robot description, from the description alone."""

import numpy as np


def numbers(element, attribute, default="0 0 0"):
    text = default if element is None else element.get(attribute, default)
    return np.array([float(word) for word in text.split()])


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def transform(origin):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation(numbers(origin, "rpy"))
    matrix[:3, 3] = numbers(origin, "xyz")
    return matrix


def chain(robot, base, tip, positions):
    """Pose of a frame in another by the joints of the description alone."""
    parent_of = {joint.find("child").get("link"): joint for joint in robot.iter("joint")}
    total, link = np.eye(4), tip
    while link != base:
        joint = parent_of[link]
        turn = np.eye(4)
        if joint.get("type") != "fixed":
            assert numbers(joint.find("axis"), "xyz").tolist() == [0, 0, 1]
            turn[:3, :3] = rotation(np.array([0, 0, positions[joint.get("name")]]))
        total = transform(joint.find("origin")) @ turn @ total
        link = joint.find("parent").get("link")
    return total
