"""The whole arm on emulated servos: cold start, enable, a path, a twist, disable."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("rclpy")
pytest.importorskip("serial")
from geometry_msgs.msg import TwistStamped
from sensor_msgs.msg import JointState
from servo_support import emulated, joint_blocks
from std_srvs.srv import SetBool

from arms import DEFAULT
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.path_executor.client import path_message
from ros_support import nodes, peer

HARDWARE = {"sts": "feetech", "dxl": "dynamixel", "pca9685": "pca9685"}
SPEED = 2.0
START = (0.6, 0.9)
RAW = {"sts": (2048, 651.8986), "dxl": (2048, 651.8986), "pca9685": (1500, 560.0)}


def long(family):
    """A family for the long run only."""
    return pytest.param(family, marks=pytest.mark.faults)


def sent(arm):
    """Goals of each servo as they came over the wire [raw]."""
    if arm.chip is not None:
        goals = {10: [], 14: []}
        for register, data in list(arm.chip.written):
            for k in range(0, len(data), 4):
                if register + k in goals and len(data) >= 4 and not data[k + 3] & 0x10:
                    goals[register + k].append(4.88 * (data[k + 2] | data[k + 3] << 8))
        return [goals[10], goals[14]]
    address, size = (42, 2) if arm.family == "sts" else (116, 4)
    return [
        [
            float(int.from_bytes(data, "little"))
            for place, data in list(servo.written)
            if place == address and len(data) == size
        ]
        for servo in arm.servos
    ]


def enable(client):
    """Ask for torque; again when a busy machine let an emulated servo answer too late."""

    def enabled():
        answer = client.call(SetBool, "servo_driver/enable", SetBool.Request(data=True))
        assert answer.success or "not answer" in answer.message, answer.message
        return answer.success

    client.until(enabled, "torque")


def execute(client, waypoints):
    """Trace a path; returns the result."""
    action = client.action(ExecutePath, "path_executor/execute_path")
    goal = ExecutePath.Goal(path=path_message(waypoints), tip_speed=0.2)
    accepted = action.send_goal_async(goal)
    client.until(accepted.done, "an answer to the goal")
    result = accepted.result().get_result_async()
    client.until(result.done, "the path")
    return result.result().result


@pytest.mark.parametrize("family", ["sts", long("dxl"), long("pca9685")])
def test_path_and_twist_on_emulated_servos_never_leap(family, tmp_path):
    zero, scale = RAW[family]
    places = [round(zero + scale * q) for q in START]
    low, high = (400, 2600) if family == "pca9685" else (0, 4095)
    block = {
        "lower": -1.6, "upper": 1.6, "raw_min": low, "raw_max": high, "zero": zero,
        "scale": scale, "max_speed": SPEED, "rest": 0.8,
    }  # fmt: skip
    with emulated(family, tmp_path, positions=places) as arm, peer() as client:
        file = tmp_path / "servo.yaml"
        joints = joint_blocks(family, **block)
        joints[0]["rest"], joints[1]["rest"] = START
        file.write_text(
            json.dumps({"bus": {**arm.bus_block, "misses": 50, "watchdog": 2.0}, "joints": joints})
        )
        options = ["-p", f"hardware:={HARDWARE[family]}", "-p", f"calibration:={file}"]
        loose = ["-p", "goal_tolerance:=0.05"]
        with (
            nodes(["servo_driver"], *options),
            nodes(["path_executor"], *loose),
            nodes(["cartesian_follower"]),
        ):
            states = client.collect(JointState, "joint_states")
            client.until(lambda: states, "joint_states")
            assert not any(sent(arm))
            enable(client)
            client.until(lambda: all(sent(arm)), "the first goals")
            for goals, place in zip(sent(arm), places, strict=True):
                assert goals[0] == pytest.approx(place, abs=2.5 if family == "pca9685" else 0.0)
            tip = DEFAULT.forward(START)
            middle, last = tip + np.array((-0.1, 0.05)), tip + np.array((-0.15, -0.05))
            if family == "pca9685":
                client.until(lambda: len(states) > 80, "both servos up")
            result = execute(client, [tip, middle, last])
            assert result.status.code >= 0, result.status.message
            end = DEFAULT.forward(list(states[-1].position))
            assert math.dist(end, last) < 0.02
            twists = client.node.create_publisher(TwistStamped, "cartesian_follower/twist", 10)
            client.connected(twists)
            twist = TwistStamped()
            twist.twist.linear.y = 0.05
            before = DEFAULT.forward(list(states[-1].position))

            def moved():
                twists.publish(twist)
                return DEFAULT.forward(list(states[-1].position))[1] - before[1] > 0.03

            client.until(moved, "motion by the twist")
            client.call(SetBool, "servo_driver/enable", SetBool.Request(data=False))
        reach = 2.0 * SPEED * 0.02 * scale + 5.0
        for goals in sent(arm):
            assert len(goals) > 20
            assert all(low <= goal <= high for goal in goals)
            assert max(abs(b - a) for a, b in pairwise(goals)) <= reach
