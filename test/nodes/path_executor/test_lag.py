"""A straight line on simulated servos that lag: late along the line, hardly beside it."""

import numpy as np
import pytest

pytest.importorskip("rclpy")
from action_msgs.msg import GoalStatus
from sensor_msgs.msg import JointState

from arms import DEFAULT
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.path_executor.client import path_message
from ros_support import PATIENT, nodes, peer

LAG = 0.05
TIP_SPEED = 0.1
START = (-0.9, 1.9)
LINE = np.array([(0.5, -0.15), (0.5, 0.15)])
JOINT = """
  - {{joint: {name}, id: {id}, zero: 50000.0, scale: 10000.0, sign: 1, lower: -2.6, upper: 2.6,
     raw_min: 0.0, raw_max: 100000.0, max_speed: 2.0, rest: 0.0}}"""


def arm_file(folder):
    """Settings of two fine-grained servos with a lag."""
    file = folder / "servo.yaml"
    sim = f"{{lag: {LAG}, start: [{START[0]}, {START[1]}]}}"
    joints = "".join(JOINT.format(name=f"joint{k}", id=k) for k in (1, 2))
    file.write_text(
        f"bus: {{backend: sim, rate: 100.0, max_jump: 0.3, sim: {sim}}}\njoints:{joints}\n"
    )
    return file


def test_the_tip_keeps_to_the_line_though_the_servos_lag(tmp_path):
    driver = ["-p", f"calibration:={arm_file(tmp_path)}", "-p", "enable_on_start:=true"]
    space = ["-r", "__ns:=/lagging"]
    with (
        nodes(["servo_driver"], *space, *driver),
        nodes(["path_executor"], *space, *PATIENT),
        peer() as client,
    ):
        states = client.collect(JointState, "/lagging/joint_states", 1000)
        action = client.action(ExecutePath, "/lagging/path_executor/execute_path")
        client.until(lambda: states, "joint_states")
        goal = ExecutePath.Goal(
            path=path_message(LINE), rule="positive", line_tolerance=1e-3, tip_speed=TIP_SPEED
        )
        sent = action.send_goal_async(goal)
        client.until(sent.done, "acceptance")
        answer = sent.result().get_result_async()
        client.until(answer.done, "the result")
        result = answer.result().result
        assert answer.result().status == GoalStatus.STATUS_SUCCEEDED, result.status
    tips = DEFAULT.forward(np.array([state.position for state in states]))
    begin = int(np.argmin(np.linalg.norm(tips - LINE[0], axis=1)))
    beside = np.abs(tips[begin:, 0] - LINE[0, 0]).max()
    error = result.max_tracking_error
    print(f"beside the line {1e3 * beside:.3f} mm, tracking error {error:.4f} rad")
    assert beside < 1e-3
    assert error > 0.2 * LAG * TIP_SPEED  # it does lag
