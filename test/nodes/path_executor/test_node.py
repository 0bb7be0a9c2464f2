"""path_executor and the simulated driver over real DDS, each in a process of its own."""

import signal
import time

import numpy as np
import pytest

pytest.importorskip("rclpy")
from action_msgs.msg import GoalStatus
from nav_msgs.msg import Path
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from std_srvs.srv import SetBool, Trigger
from trajectory_msgs.msg import JointTrajectory

from arms import DEFAULT
from places import DATA
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.path_executor.client import path_message
from planar_arm_ik.paths.waypoints import example_arc
from planar_arm_ik.status import IkStatus
from ros_support import DEADLINE, PATIENT, nodes, peer, start

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Arm:
    """The peer with the action's client and what the arm publishes."""

    def __init__(self, client, namespace=""):
        self.peer = client
        self.states = client.collect(JointState, f"{namespace}joint_states")
        self.active = client.collect(Bool, f"{namespace}path_executor/active", LATCHED)
        self.commands = client.collect(JointTrajectory, f"{namespace}joint_trajectory")
        name = f"{namespace}path_executor/execute_path"
        self.action = client.action(ExecutePath, name)
        client.call(SetBool, f"{namespace}servo_driver/enable", SetBool.Request(data=True))
        client.until(lambda: self.states, "joint_states")
        deadline = time.monotonic() + DEADLINE
        while self.nothing().code == IkStatus.NO_STATE:  # the executor has heard of none yet
            assert time.monotonic() < deadline, "the executor hears no joint_states"

    def nothing(self):
        """Ask to go where the arm is."""
        tip = DEFAULT.forward(np.array(self.states[-1].position))
        return self.result(self.send([tip])).result.status

    def send(self, waypoints, **fields):
        goal = ExecutePath.Goal(path=path_message(waypoints), **fields)
        future = self.action.send_goal_async(goal, feedback_callback=self.feedback.append)
        self.peer.until(future.done, "acceptance")
        return future.result()

    feedback = []  # noqa: RUF012 - one client in this file

    def result(self, handle):
        future = handle.get_result_async()
        self.peer.until(future.done, "a result")
        return future.result()

    def position(self):
        del self.states[:]
        self.peer.until(lambda: self.states, "joint_states")
        return np.array(self.states[-1].position)


@pytest.fixture(scope="module")
def arm():
    with nodes(["servo_driver"]), nodes(["path_executor"], *PATIENT), peer() as client:
        yield Arm(client)


def test_the_arc_is_traced(arm):
    handle = arm.send(example_arc(), tip_speed=0.2)
    del arm.states[:]
    answer = arm.result(handle)
    assert answer.status == GoalStatus.STATUS_SUCCEEDED, answer.result.status
    result = answer.result
    assert result.status.code == IkStatus.OK
    assert result.fraction == 1.0
    assert result.failed_index == -1
    assert result.largest_joint_step == pytest.approx(0.01, abs=1e-12)
    end = example_arc()[-1]

    def there():
        tip = DEFAULT.forward(np.array(arm.states[-1].position))
        return np.abs(tip - end).max() < 1e-3

    arm.peer.until(there, "the end of the arc")
    tips = DEFAULT.forward(np.array([state.position for state in arm.states]))
    begin = int(np.argmin(np.linalg.norm(tips - example_arc()[0], axis=1)))
    assert np.abs(np.hypot(*tips[begin:].T) - 0.6).max() < 1e-3
    fractions = [message.feedback.fraction for message in arm.feedback]
    assert fractions == sorted(fractions)


def test_the_trajectory_keeps_the_rules_of_the_controller(arm):
    goal = arm.send(example_arc(), plan_only=True)
    message = arm.result(goal).result.trajectory
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (0, 0)
    assert list(message.joint_names) == ["joint1", "joint2"]
    times = [p.time_from_start.sec + 1e-9 * p.time_from_start.nanosec for p in message.points]
    assert np.diff(times).min() >= 1e-3
    assert list(message.points[-1].velocities) == [0.0, 0.0]
    for point in message.points:
        assert (len(point.positions), len(point.velocities), len(point.effort)) == (2, 2, 0)


def test_plan_only_moves_nothing(arm):
    before = arm.position()
    answer = arm.result(arm.send([(0.3, 0.3), (0.35, 0.3)], plan_only=True))
    assert answer.status == GoalStatus.STATUS_SUCCEEDED
    assert len(answer.result.trajectory.points) > 2
    np.testing.assert_array_equal(arm.position(), before)


@pytest.mark.parametrize(
    ("waypoints", "fields", "status", "index"),
    [
        ([(0.5, 0.0), (0.5, 0.8)], {}, IkStatus.TOO_FAR, 1),
        ([(0.5, 0.0), (0.05, 0.0)], {}, IkStatus.TOO_CLOSE, 1),
        ([(0.5, 0.0), (float("nan"), 0.0)], {}, IkStatus.INVALID_INPUT, 1),
        ([], {}, IkStatus.INVALID_INPUT, -1),
        ([(0.5, 0.0)], {"rule": "up"}, IkStatus.INVALID_INPUT, -1),
        ([(0.5, 0.0)], {"velocity_scaling": 1.5}, IkStatus.INVALID_INPUT, -1),
        (example_arc(), {"rule": "min_shoulder"}, IkStatus.BRANCH_SWITCH, 15),
    ],
)
def test_a_refused_path_moves_nothing(arm, waypoints, fields, status, index):
    before = arm.position()
    answer = arm.result(arm.send(waypoints, **fields))
    assert answer.status == GoalStatus.STATUS_ABORTED
    assert answer.result.status.code == status
    assert answer.result.failed_index == index
    assert answer.result.status.message
    np.testing.assert_array_equal(arm.position(), before)


def test_cancel_stops_and_nothing_moves_afterwards(arm):
    handle = arm.send([(0.6, -0.3), (0.6, 0.3)], tip_speed=0.1)
    arm.peer.until(lambda: arm.active[-1].data, "motion")
    seen = len(arm.states)
    arm.peer.until(
        lambda: any(abs(v) > 0.05 for s in arm.states[seen:] for v in s.velocity), "speed"
    )
    cancel = handle.cancel_goal_async()
    arm.peer.until(cancel.done, "the cancel's answer")
    answer = arm.result(handle)
    assert answer.status == GoalStatus.STATUS_CANCELED
    assert answer.result.status.code == IkStatus.CANCELED
    arm.peer.until(lambda: not arm.active[-1].data, "the end")
    np.testing.assert_allclose(arm.position(), arm.position(), rtol=0.0, atol=1e-3)


def test_a_new_goal_preempts_the_old(arm):
    first = arm.send([(0.6, -0.3), (0.6, 0.3)], tip_speed=0.1)
    second = arm.send([(0.6, 0.0), (0.6, 0.1)])
    assert arm.result(first).result.status.code == IkStatus.PREEMPTED
    assert arm.result(second).status == GoalStatus.STATUS_SUCCEEDED
    arm.peer.until(
        lambda: np.linalg.norm(DEFAULT.forward(arm.states[-1].position) - (0.6, 0.1)) < 1e-6,
        "the end of the second path",
    )


def test_a_path_on_the_topic_is_executed(arm):
    publisher = arm.peer.node.create_publisher(Path, "path_executor/path", 10)
    arm.peer.connected(publisher)
    publisher.publish(path_message(np.array([(0.5, 0.1), (0.5, 0.2)])))
    arm.peer.until(
        lambda: np.linalg.norm(DEFAULT.forward(arm.states[-1].position) - (0.5, 0.2)) < 1e-6,
        "the end of the path",
    )


def test_a_path_that_ends_where_it_began_with_corners_and_repeats(arm):
    square = [(0.5, 0.1), (0.55, 0.1), (0.55, 0.1), (0.55, 0.15), (0.5, 0.15), (0.5, 0.1)]
    answer = arm.result(arm.send(square, search="global"))
    assert answer.status == GoalStatus.STATUS_SUCCEEDED, answer.result.status
    times = [
        p.time_from_start.sec + 1e-9 * p.time_from_start.nanosec
        for p in answer.result.trajectory.points
    ]
    assert np.diff(times).min() >= 1e-3
    assert np.diff(times).max() <= 0.02 + 1e-9
    assert answer.result.max_tracking_error < 0.2


def test_a_path_to_where_the_arm_is_sends_nothing(arm):
    tip = DEFAULT.forward(arm.position())
    seen = len(arm.commands)
    answer = arm.result(arm.send([tip]))
    assert answer.status == GoalStatus.STATUS_SUCCEEDED
    assert "nothing to do" in answer.result.status.message
    assert len(answer.result.trajectory.points) == 0
    assert len(arm.commands) == seen


def stamped(waypoints, seconds_ahead, node):
    path = path_message(np.array(waypoints))
    now = node.get_clock().now().nanoseconds + int(1e9 * seconds_ahead)
    path.header.stamp.sec, path.header.stamp.nanosec = divmod(now, 10**9)
    return path


def test_a_stamp_ahead_is_kept_and_a_late_one_starts_now(arm):
    def run(path):
        goal = ExecutePath.Goal(path=path)
        sent = arm.action.send_goal_async(goal)
        arm.peer.until(sent.done, "acceptance")
        return sent.result()

    seen = len(arm.commands)
    begin = time.monotonic()
    handle = run(stamped([(0.55, 0.1), (0.55, 0.2)], 0.8, arm.peer.node))
    arm.peer.until(lambda: len(arm.commands) > seen, "the trajectory")
    assert time.monotonic() - begin >= 0.75
    assert arm.commands[-1].header.stamp.sec == 0
    assert arm.result(handle).status == GoalStatus.STATUS_SUCCEEDED
    late = run(stamped([(0.55, 0.2), (0.5, 0.2)], -10.0, arm.peer.node))
    assert arm.result(late).status == GoalStatus.STATUS_SUCCEEDED
    far = arm.result(run(stamped([(0.5, 0.2)], 1000.0, arm.peer.node)))
    assert far.result.status.code == IkStatus.INVALID_INPUT
    assert "more than max_wait" in far.result.status.message
    waiting = run(stamped([(0.55, 0.2)], 50.0, arm.peer.node))
    cancel = waiting.cancel_goal_async()
    arm.peer.until(cancel.done, "the cancel's answer")
    assert arm.result(waiting).status == GoalStatus.STATUS_CANCELED


def preempt(arm, count):
    before = len(arm.commands)
    handles = []
    for index in range(count):
        handles.append(arm.send([(0.6, -0.3 + 0.5 * (index % 2)), (0.6, 0.2)], tip_speed=0.3))
        goal = len(arm.commands) + 1
        if index % 3:  # some before the one before has begun, some while it moves
            arm.peer.until(lambda goal=goal: len(arm.commands) >= goal, "its trajectory")
    answers = [arm.result(handle) for handle in handles]
    codes = [answer.result.status.code for answer in answers]
    assert codes == [IkStatus.PREEMPTED] * (count - 1) + [IkStatus.OK], codes
    assert answers[-1].status == GoalStatus.STATUS_SUCCEEDED
    assert len(arm.commands) > before
    arm.peer.until(lambda: not arm.active[-1].data, "the end")


def test_preemptions_in_a_row_end_once_each(arm):
    preempt(arm, 6)


@pytest.mark.faults
def test_fifty_preemptions_in_a_row_end_once_each(arm):
    preempt(arm, 50)


def test_a_goal_says_how_far_its_corners_may_be_missed(arm):
    corners = [(0.45, 0.1), (0.5, 0.15), (0.45, 0.2), (0.5, 0.25), (0.45, 0.3)]

    def tips(tolerance):
        answer = arm.result(arm.send(corners, plan_only=True, blend_tolerance=tolerance))
        points = answer.result.trajectory.points
        return DEFAULT.forward(np.array([list(point.positions) for point in points]))

    def miss(tolerance):
        return float(np.hypot(*(tips(tolerance) - corners[2]).T).min())

    assert miss(-1.0) < 1e-9
    assert miss(0.0) < 1e-3 < miss(5e-3)


def test_numbers_of_a_goal_are_checked(arm):
    for field in ("max_joint_step", "line_tolerance", "tip_speed", "acceleration_scaling"):
        for value in (-1.0, float("nan")):
            answer = arm.result(arm.send([(0.5, 0.0)], **{field: value}))
            assert answer.result.status.code == IkStatus.INVALID_INPUT
            assert field in answer.result.status.message
    frame = arm.send([(0.5, 0.0)])
    arm.result(frame)
    goal = ExecutePath.Goal(path=path_message(np.array([(0.5, 0.0)])))
    goal.path.header.frame_id = "nowhere"
    sent = arm.action.send_goal_async(goal)
    arm.peer.until(sent.done, "acceptance")
    assert arm.result(sent.result()).result.status.code == IkStatus.FRAME


def test_a_driver_that_dies_ends_the_path_with_the_age_of_its_states():
    with nodes(["path_executor"], *PATIENT, "-r", "__ns:=/dying"), peer() as client:
        driver = start(["servo_driver"], "-r", "__ns:=/dying")
        try:
            arm = Arm(client, "/dying/")
            handle = arm.send([(0.6, -0.3), (0.6, 0.3)], tip_speed=0.05)
            client.until(lambda: arm.active and arm.active[-1].data, "motion")
            driver.kill()
            driver.communicate()
            result = arm.result(handle).result
        finally:
            driver.kill()
            driver.communicate()
        assert result.status.code in (IkStatus.NO_STATE, IkStatus.CONTROLLER)
        assert result.status.message
        client.until(lambda: not arm.active[-1].data, "the end")


def test_motors_switched_off_amid_a_path_end_it_though_the_driver_listens_on():
    space = ["-r", "__ns:=/limp"]
    with (
        nodes(["path_executor"], *PATIENT, "-p", "path_tolerance:=0.0", *space),
        nodes(["servo_driver"], *space, "-p", "enable_on_start:=true"),
        peer() as client,
    ):
        arm = Arm(client, "/limp/")
        handle = arm.send([(0.6, -0.3), (0.6, 0.3)], tip_speed=0.05)
        begin = arm.states[-1].position[0]
        client.until(lambda: abs(arm.states[-1].position[0] - begin) > 0.1, "motion")
        assert client.call(Trigger, "/limp/servo_driver/relax", Trigger.Request()).success
        result = arm.result(handle).result
        assert result.status.code == IkStatus.CONTROLLER
        assert "stands still" in result.status.message
        client.until(lambda: not arm.active[-1].data, "the end")


def test_keep_out_shapes_and_the_approach_are_parameters():
    parameters = (
        *PATIENT,
        *("-r", "__ns:=/guarded", "-p", "max_approach:=0.7"),
        *("--params-file", str(DATA / "guarded_arm.yaml")),
    )
    with nodes(["servo_driver", "path_executor"], *parameters), peer() as client:
        arm = Arm(client, "/guarded/")
        far = arm.result(arm.send([(0.3, 0.5)])).result.status
        assert far.code == IkStatus.JOINT_STEP
        assert "max_approach 0.7" in far.message
        touching = arm.result(arm.send([(0.86, 0.0)])).result.status
        assert touching.code == IkStatus.COLLISION
        assert "'post'" in touching.message


def test_without_joint_states_a_path_is_refused():
    with nodes(["path_executor"], "-r", "__ns:=/lonely"), peer() as client:
        action = client.action(ExecutePath, "/lonely/path_executor/execute_path")
        sent = action.send_goal_async(ExecutePath.Goal(path=path_message(example_arc())))
        client.until(sent.done, "acceptance")
        future = sent.result().get_result_async()
        client.until(future.done, "a result")
        assert future.result().result.status.code == IkStatus.NO_STATE


def test_a_negative_stamp_is_refused_and_ends_nothing(arm):
    path = path_message(np.array([(0.5, 0.2)]))
    path.header.stamp.sec = -5
    publisher = arm.peer.node.create_publisher(Path, "path_executor/path", 10)
    arm.peer.connected(publisher)
    publisher.publish(path)
    sent = arm.action.send_goal_async(ExecutePath.Goal(path=path))
    arm.peer.until(sent.done, "acceptance")
    result = arm.result(sent.result()).result
    assert result.status.code == IkStatus.INVALID_INPUT
    assert "negative" in result.status.message


def test_a_path_that_never_began_came_nowhere(arm):
    handle = arm.send([(0.55, 0.2), (0.5, 0.3)])
    arm.result(handle)
    path = stamped([(0.55, 0.2), (0.5, 0.2)], 50.0, arm.peer.node)
    sent = arm.action.send_goal_async(ExecutePath.Goal(path=path))
    arm.peer.until(sent.done, "acceptance")
    cancel = sent.result().cancel_goal_async()
    arm.peer.until(cancel.done, "the cancel's answer")
    result = arm.result(sent.result()).result
    assert result.status.code == IkStatus.CANCELED
    assert result.fraction == 0.0
    assert not result.trajectory.points


def test_a_motion_that_would_take_for_ever_is_refused(arm):
    result = arm.result(arm.send([(0.5, 0.2), (0.5, 0.25)], tip_speed=1e-9)).result
    assert result.status.code == IkStatus.TIMING
    assert "3600" in result.status.message


def test_an_executor_that_leaves_answers_first():
    space = ["-r", "__ns:=/departing"]
    with nodes(["servo_driver"], *space, "-p", "enable_on_start:=true"), peer() as client:
        process = start(["path_executor"], *PATIENT, *space)
        try:
            arm = Arm(client, "/departing/")
            future = arm.send([(0.6, -0.3), (0.6, 0.3)], tip_speed=0.05).get_result_async()
            client.until(lambda: arm.active and arm.active[-1].data, "motion")
            process.send_signal(signal.SIGINT)
            client.until(future.done, "the last answer")
            assert future.result().result.status.code == IkStatus.CANCELED
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=DEADLINE)
        assert process.returncode == 0, errors
