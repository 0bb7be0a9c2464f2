"""~/compute_ik over real DDS with the real moveit_msgs, where they are installed."""

import math

import numpy as np
import pytest

pytest.importorskip("rclpy")
pytest.importorskip("moveit_msgs.srv", reason="moveit_msgs is not installed")
from geometry_msgs.msg import PoseStamped
from moveit_msgs.msg import JointConstraint, MoveItErrorCodes, RobotState
from moveit_msgs.srv import GetPositionIK

from arms import DEFAULT
from ros_support import nodes, peer


@pytest.fixture(scope="module")
def server():
    with nodes(["ik_server"]), peer() as client:
        yield client


def pose(x, y, z=0.0, frame="base_link"):
    made = PoseStamped()
    made.header.frame_id = frame
    made.pose.position.x, made.pose.position.y, made.pose.position.z = x, y, z
    made.pose.orientation.w = 1.0
    return made


def state(**positions):
    made = RobotState()
    made.joint_state.name = list(positions)
    made.joint_state.position = list(positions.values())
    return made


def request(x=0.6, y=0.0, z=0.0, frame="base_link", **fields):
    made = GetPositionIK.Request()
    made.ik_request.group_name = "arm"
    made.ik_request.pose_stamped = pose(x, y, z, frame)
    for name, value in fields.items():
        setattr(made.ik_request, name, value)
    return made


def ask(server, made):
    return server.call(GetPositionIK, "ik_server/compute_ik", made)


@pytest.mark.parametrize(("elbow", "sign"), [(1.7, 1), (-1.7, -1)])
def test_the_full_robot_state_is_the_seed_and_comes_back_with_the_arm_moved(server, elbow, sign):
    seed = state(wheel=7.0, joint2=elbow, gripper=0.02, joint1=-0.7 * sign)
    reply = ask(server, request(robot_state=seed, ik_link_name="tip"))
    assert reply.error_code.val == MoveItErrorCodes.SUCCESS
    assert list(reply.solution.joint_state.name) == ["wheel", "joint2", "gripper", "joint1"]
    found = dict(
        zip(reply.solution.joint_state.name, reply.solution.joint_state.position, strict=True)
    )
    assert (found["wheel"], found["gripper"]) == (7.0, 0.02)
    q = (found["joint1"], found["joint2"])
    np.testing.assert_allclose(DEFAULT.forward(q), (0.6, 0.0), atol=1e-12)
    assert math.copysign(1, q[1]) == sign


def test_without_a_state_both_joints_come_back(server):
    reply = ask(server, request(frame="", avoid_collisions=True))
    assert reply.error_code.val == MoveItErrorCodes.SUCCESS
    assert list(reply.solution.joint_state.name) == ["joint1", "joint2"]
    assert "no seed" in reply.error_code.message
    assert reply.error_code.source == "planar_arm_ik"


def test_one_pose_in_the_vector_is_as_good(server):
    made = request(9.0, 9.0, pose_stamped_vector=[pose(0.6, 0.1)], ik_link_names=["tip"])
    assert ask(server, made).error_code.val == MoveItErrorCodes.SUCCESS


def constrained():
    made = request()
    made.ik_request.constraints.joint_constraints = [JointConstraint(joint_name="joint1")]
    return made


@pytest.mark.parametrize(
    ("made", "code", "words"),
    [
        (request(2.0), "NO_IK_SOLUTION", "TOO_FAR: the target is 2 m from the shoulder"),
        (request(0.15), "NO_IK_SOLUTION", "JOINT_LIMIT"),
        (request(z=0.05), "NO_IK_SOLUTION", "0.05 m off the plane"),
        (request(math.nan), "INVALID_GOAL_CONSTRAINTS", "finite"),
        (request(frame="foo"), "FRAME_TRANSFORM_FAILURE", "foo"),
        (request(ik_link_name="link1"), "INVALID_LINK_NAME", "link1"),
        (request(pose_stamped_vector=[pose(0, 1)] * 2), "INVALID_LINK_NAME", "2 poses"),
        (request(robot_state=state(joint1=0.1)), "INVALID_ROBOT_STATE", "joint1 and joint2"),
        (request(robot_state=state(joint1=math.nan, joint2=0.0)), "INVALID_ROBOT_STATE", "finite"),
        (request(robot_state=state(joint1=1e9, joint2=0.0)), "INVALID_ROBOT_STATE", "1e+06"),
        (constrained(), "INVALID_GOAL_CONSTRAINTS", "constraints"),
    ],
)
def test_a_refusal_has_the_error_code_of_moveit(server, made, code, words):
    reply = ask(server, made)
    assert reply.error_code.val == getattr(MoveItErrorCodes, code)
    assert words in reply.error_code.message
    assert len(reply.solution.joint_state.position) == 0
