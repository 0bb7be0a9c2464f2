"""cartesian_follower over real DDS, with the simulated driver or with states of the test's own."""

import itertools
import math
import signal
import time
from contextlib import contextmanager

import pytest

pytest.importorskip("rclpy")
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64MultiArray
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

from arms import DEFAULT
from planar_arm_ik.nodes.common.interfaces import FollowerState as StateMessage
from planar_arm_ik.status import FollowerState as S
from ros_support import DEADLINE, nodes, peer, start

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
START = (0.3, 1.2)
ACCELERATION = 8.0
#: Farthest a joint gets in its first cycle, which may come three periods late [rad].
FIRST_STEP = ACCELERATION * 0.03**2
#: Every follower of this file has a namespace of its own.
_NUMBERS = itertools.count()


class Rig:
    """A follower, its listeners, and an arm that the test plays: it is where it was sent."""

    def __init__(self, client, name, plays=True):
        self.client, self.name, self.q, self.plays, self.twist = client, name, START, plays, None
        node = client.node
        self.states = client.collect(StateMessage, f"/{name}/cartesian_follower/state", 1000)
        self.achieved = client.collect(TwistStamped, f"/{name}/cartesian_follower/achieved", 1000)
        self.residual = client.collect(TwistStamped, f"/{name}/cartesian_follower/residual", 1000)
        self.commands = client.collect(JointTrajectory, f"/{name}/joint_trajectory", 1000)
        self.active = client.collect(Bool, f"/{name}/cartesian_follower/active", LATCHED)
        self._joints = node.create_publisher(JointState, f"/{name}/joint_states", 10)
        self._twists = node.create_publisher(TwistStamped, f"/{name}/cartesian_follower/twist", 10)
        self.path_active = node.create_publisher(Bool, f"/{name}/path_executor/active", LATCHED)
        node.create_timer(0.01, self._play)
        client.connected(self._twists)
        client.connected(self._joints)

    def _play(self):
        if self.states and 0 <= self.states[-1].status < S.IDLE:
            self.q = tuple(self.states[-1].position)
        if self.plays:
            self._joints.publish(
                JointState(
                    name=["other", "joint2", "joint1"], position=[9.0, self.q[1], self.q[0]]
                )
            )
        if self.twist is not None:
            self._twists.publish(self.twist)

    def publish_bytes(self, data):
        """Publish raw bytes as a twist and as a joint state."""
        self._twists.publish(data)
        self._joints.publish(data)

    def follow(self, x, y, frame="", **parts):
        message = TwistStamped()
        message.header.frame_id = frame
        message.twist.linear.x, message.twist.linear.y = float(x), float(y)
        for name, value in parts.items():
            setattr(message.twist.angular, name, value)
        self.twist = message

    def until(self, status, deadline=DEADLINE):
        """Wait for a new state message with a status."""
        seen = len(self.states)
        self.client.until(
            lambda: any(message.status == status for message in self.states[seen:]),
            f"status {status.name}",
            deadline,
        )
        return next(message for message in self.states[seen:] if message.status == status)

    def place(self, q):
        """Move the arm by hand and wait until the silent follower has seen it."""
        self.q = q
        where = pytest.approx(q, abs=1e-9)
        self.client.until(
            lambda: self.states and tuple(self.states[-1].position) == where, "the new place"
        )

    def first_motion(self, since):
        """Position of the first command that moves, by the states from `since` on."""

        def moving():
            return [m for m in self.states[since:] if m.status >= 0 and any(m.velocity)]

        self.client.until(moving, "motion")
        return tuple(moving()[0].position)

    def silent(self):
        """Wait until the follower has let go of the arm."""
        self.client.until(lambda: self.active and not self.active[-1].data, "release")

    def velocities(self, since=0):
        return [tuple(message.velocity) for message in self.states[since:]]


@contextmanager
def rig(*parameters, plays=True):
    name = f"rig{next(_NUMBERS)}"
    # The test's own process plays the arm: on a busy machine its states come late.
    parameters = ("state_timeout:=1.0", *parameters)
    arguments = [item for value in parameters for item in ("-p", value)]
    with (
        nodes(["cartesian_follower"], "-r", f"__ns:=/{name}", *arguments),
        peer() as client,
    ):
        yield Rig(client, name, plays)


@pytest.fixture(scope="module")
def shared():
    with rig() as made:
        yield made


@pytest.fixture
def arm(shared):
    """The shared rig, at rest and silent, with nothing remembered."""
    shared.twist, shared.plays = None, True
    shared.client.until(lambda: shared.states, "states")
    shared.silent()
    shared.until(S.IDLE)
    shared.place(START)
    for messages in (shared.states, shared.achieved, shared.residual, shared.commands):
        messages.clear()
    return shared


def by_stamp(messages):
    return {(m.header.stamp.sec, m.header.stamp.nanosec): m for m in messages}


def test_it_follows_and_residual_is_commanded_minus_achieved_of_what_was_sent(arm):
    arm.follow(0.05, 0.02, z=0.7)
    arm.until(S.OK)
    arm.client.until(lambda: len(arm.commands) > 30, "commands")
    achieved, residual = by_stamp(arm.achieved), by_stamp(arm.residual)
    compared = 0
    for state in arm.states:
        key = (state.header.stamp.sec, state.header.stamp.nanosec)
        if key not in achieved or key not in residual:
            continue
        got, lost = achieved[key].twist, residual[key].twist
        assert lost.linear.x == pytest.approx(state.commanded.x - got.linear.x, abs=1e-12)
        assert lost.linear.y == pytest.approx(state.commanded.y - got.linear.y, abs=1e-12)
        assert got.angular.z == pytest.approx(sum(state.velocity), abs=1e-12)
        assert lost.angular.z == pytest.approx(0.7 - got.angular.z, abs=1e-12)
        compared += 1
    assert compared > 20


def test_a_command_is_one_point_of_positions_three_periods_ahead(arm):
    arm.follow(0.05, 0.0)
    arm.client.until(lambda: len(arm.commands) > 10, "commands")
    for command in arm.commands:
        assert (command.header.stamp.sec, command.header.stamp.nanosec) == (0, 0)
        assert list(command.joint_names) == ["joint1", "joint2"]
        (point,) = command.points
        assert len(point.velocities) == len(point.accelerations) == len(point.effort) == 0
        assert point.time_from_start.nanosec == 30_000_000


def test_it_begins_at_the_measured_state(arm):
    arm.place((0.7, -1.1))
    seen = len(arm.states)
    arm.follow(0.05, 0.0)
    assert arm.first_motion(seen) == pytest.approx((0.7, -1.1), abs=FIRST_STEP)


def test_bytes_that_are_no_message_disturb_nothing(arm):
    junk = [b"", b"\x00", b"\x00\x01\x00\x00" + bytes(20), b"\xff" * 300]
    arm.follow(0.05, 0.0)
    arm.until(S.OK)
    arm.twist = None
    for data in junk:
        arm.publish_bytes(data)
    arm.until(S.INVALID_INPUT)
    arm.follow(0.05, 0.0)
    arm.until(S.OK)


def test_at_rest_it_answers_a_path_that_claims_the_arm(arm):
    before = len(arm.active)
    arm.path_active.publish(Bool(data=True))
    arm.until(S.PATH_ACTIVE)
    arm.client.until(lambda: len(arm.active) > before, "an answer")
    assert not arm.active[-1].data
    arm.path_active.publish(Bool(data=False))
    arm.until(S.IDLE)
    assert len(arm.active) == before + 1


def test_it_ramps_down_and_falls_silent_when_the_twist_stops(arm):
    arm.follow(-0.2, -0.1)
    arm.client.until(lambda: len(arm.states) and arm.states[-1].status == S.OK, "full speed")
    arm.twist = None
    arm.until(S.STALE_COMMAND)
    arm.silent()
    arm.until(S.IDLE)
    # The last one: on a busy machine twists come late, and the arm may stop and go on.
    last_ok = max(index for index, m in enumerate(arm.states) if m.status == S.OK)
    speed = max(abs(v) for v in arm.states[last_ok].velocity)
    steps = [v for v in arm.velocities(last_ok + 1) if v != (0.0, 0.0)]
    assert len(steps) <= math.ceil(speed / (ACCELERATION * 0.01)) + 2
    last = len(arm.commands)
    arm.until(S.IDLE)
    assert len(arm.commands) == last


@pytest.mark.parametrize(
    ("twist", "status", "words"),
    [
        ({"x": math.nan, "y": 0.0}, S.INVALID_INPUT, "must be finite"),
        ({"x": 1e9, "y": 0.0}, S.INVALID_INPUT, "below"),
        ({"x": 0.1, "y": 0.0, "frame": "foo"}, S.FRAME, "'foo'"),
    ],
)
def test_a_twist_that_cannot_be_used_stops_the_arm_and_says_why(arm, twist, status, words):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    arm.follow(**twist)
    state = arm.until(status)
    assert words in state.message
    arm.silent()
    arm.follow(-0.05, 0.05)
    arm.until(S.OK)


@pytest.mark.parametrize(("seconds", "words"), [(10, "future"), (-10, "past")])
def test_a_twist_stamped_far_from_now_is_refused(arm, seconds, words):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    stamp = arm.client.node.get_clock().now().to_msg()
    arm.twist.header.stamp.sec = stamp.sec + seconds
    state = arm.until(S.INVALID_INPUT)
    assert words in state.message
    arm.silent()


def test_lost_joint_states_stop_the_arm(arm):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    arm.plays = False
    state = arm.until(S.STALE_STATE)
    assert state.state_age > 0.25
    arm.silent()


def test_a_pushed_arm_stops_until_the_twist_is_let_go(arm):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    pushed = (arm.q[0] + 0.6, arm.q[1])
    arm.plays = False
    for _ in range(3):
        arm._joints.publish(JointState(name=["joint1", "joint2"], position=list(pushed)))
    arm.until(S.STATE_JUMP)
    arm.silent()
    arm.q, arm.plays = pushed, True
    arm.until(S.STATE_JUMP)
    arm.twist = None
    arm.until(S.IDLE)
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)


def test_pause_and_resume_start_at_the_measured_state(arm):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    assert arm.client.call(
        SetBool, f"/{arm.name}/cartesian_follower/pause", SetBool.Request(data=True)
    ).success
    state = arm.until(S.PAUSED)
    assert state.paused
    arm.silent()
    arm.place((0.8, 0.4))
    seen = len(arm.states)
    arm.client.call(SetBool, f"/{arm.name}/cartesian_follower/pause", SetBool.Request(data=False))
    assert arm.first_motion(seen) == pytest.approx((0.8, 0.4), abs=FIRST_STEP)


def test_while_a_path_is_active_it_lets_go_and_waits(arm):
    arm.follow(-0.05, -0.05)
    arm.until(S.OK)
    arm.path_active.publish(Bool(data=True))
    arm.until(S.PATH_ACTIVE)
    arm.silent()
    arm.place((0.8, 0.4))
    seen = len(arm.states)
    arm.path_active.publish(Bool(data=False))
    assert arm.first_motion(seen) == pytest.approx((0.8, 0.4), abs=FIRST_STEP)


def test_the_tip_frame_turns_with_the_arm(arm):
    arm.q = (math.radians(30.0), math.radians(60.0))
    arm.until(S.IDLE)
    arm.follow(0.05, 0.0, frame="tip")
    state = arm.until(S.OK)
    assert state.commanded.y == pytest.approx(0.05, abs=2e-3)


def test_partial_states_of_two_publishers_are_merged(arm):
    arm.plays = False
    arm.follow(0.05, 0.0)
    arm.until(S.STALE_STATE)
    seen = len(arm.states)
    for _ in range(200):
        for name, value in zip(("joint1", "joint2"), START, strict=True):
            arm._joints.publish(JointState(name=[name], position=[value]))
        arm.client._executor.spin_once(timeout_sec=0.005)
        if any(message.status >= 0 for message in arm.states[seen:]):
            return
    pytest.fail("two partial states never made a full one")


def test_states_without_use_do_not_disturb(arm):
    bad = [
        JointState(name=["joint1", "joint2"], position=[math.nan, 0.3]),
        JointState(name=["joint1", "joint2"], position=[0.1]),
        JointState(name=["joint1", "joint2"], position=list(START), velocity=[math.nan] * 2),
        JointState(),
    ]
    arm.follow(0.02, 0.0)
    arm.until(S.OK)
    for message in bad:
        arm._joints.publish(message)
    arm.until(S.OK)
    assert all(math.isfinite(v) for state in arm.states for v in (*state.position, state.scale))


def set_parameters(arm, **values):
    client = arm.client
    parameters = AsyncParameterClient(client.node, f"/{arm.name}/cartesian_follower")
    client.until(parameters.services_are_ready, "parameter services")
    future = parameters.set_parameters_atomically(
        [Parameter(name, value=value) for name, value in values.items()]
    )
    client.until(future.done, "an answer")
    return future.result().result


def test_parameters_change_in_the_next_cycle_or_not_at_all(arm):
    arm.follow(-0.2, -0.1)
    arm.until(S.OK)
    assert set_parameters(arm, max_tip_speed=0.1).successful
    state = arm.until(S.SLOWED)
    arm.client.until(
        lambda: abs(arm.states[-1].scale - 0.1 / math.hypot(0.2, 0.1)) < 1e-3, "scale"
    )
    for bad in (
        {"damping": -1.0},
        {"damping": 0.001},
        {"rate": 50.0},
        {"max_tip_speed": math.nan},
    ):
        answer = set_parameters(arm, **{"command_timeout": 0.3, **bad})
        assert not answer.successful
        assert answer.reason
    assert state.status == S.SLOWED
    assert set_parameters(arm, max_tip_speed=1).successful
    assert set_parameters(arm, max_tip_speed=0.5).successful


def test_diagnostics_tell_the_rate_and_the_status(arm):
    messages = arm.client.collect(DiagnosticArray, "/diagnostics")
    arm.client.until(lambda: messages, "diagnostics")
    (status,) = messages[0].status
    assert "cartesian_follower" in status.name
    assert {"status", "late cycles in the last second"} <= {item.key for item in status.values}


def test_nothing_is_sent_before_a_full_state():
    with rig(plays=False) as arm:
        arm.follow(0.05, 0.0)
        arm._joints.publish(JointState(name=["joint1"], position=[0.3]))
        state = arm.until(S.NO_STATE)
        assert list(state.position) == [0.0, 0.0]
        assert not arm.commands
        arm.plays = True
        arm.until(S.OK)


def test_cmd_vel_is_heard_when_accepted_and_unitless_commands_are_scaled():
    scales = ("command_units:=unitless", "linear_scale:=0.2")
    with rig("accept_cmd_vel:=true", "cmd_vel_timeout:=3.0", *scales) as arm:
        qos = qos_profile_sensor_data
        publisher = arm.client.node.create_publisher(Twist, f"/{arm.name}/cmd_vel", qos)
        message = Twist()
        message.linear.x = 0.5
        keys = arm.client.node.create_timer(0.4, lambda: publisher.publish(message))
        state = arm.until(S.OK)
        assert state.commanded.x == pytest.approx(0.1)
        message.linear.x, message.linear.y = 2.0, 1.0
        clamped = "2 is beyond 1"
        arm.client.until(lambda: clamped in arm.states[-1].message, "the clamp in the report")
        state = arm.states[-1]
        assert math.hypot(state.commanded.x, state.commanded.y) == pytest.approx(0.2)
        assert state.commanded.y / state.commanded.x == pytest.approx(0.5)
        message.linear.x, message.linear.y = 0.5, 0.0
        arm.client.until(lambda: clamped not in arm.states[-1].message, "no clamp")
        seen = len(arm.states)
        arm.client.until(lambda: len(arm.states) > seen + 80, "two repeats of the key")
        assert {state.status for state in arm.states[seen:]} <= {S.OK, S.SLOWED}
        arm.client.node.destroy_timer(keys)
        arm.until(S.STALE_COMMAND)


def test_velocities_can_be_the_command():
    with rig("command_interface:=velocity") as arm:
        commands = arm.client.collect(
            Float64MultiArray, f"/{arm.name}/joint_velocity_commands", 100
        )
        arm.follow(-0.05, -0.05)
        state = arm.until(S.OK)
        arm.client.until(lambda: len(commands) > 5, "velocities")
        sent = {tuple(message.data) for message in commands}
        assert sent & set(arm.velocities())
        arm.twist = None
        arm.until(S.IDLE)
        assert list(commands[-1].data) == [0.0, 0.0]
        assert state.scale == 1.0
        assert not arm.commands


def test_a_stopped_clock_stops_the_arm_and_a_jump_back_makes_no_burst():
    with rig("use_sim_time:=true") as arm:
        clock = arm.client.node.create_publisher(Clock, "/clock", 10)
        now, runs = [10.0], [True]

        def tick():
            if runs[0]:
                now[0] += 0.01
                message = Clock()
                message.clock.sec, message.clock.nanosec = int(now[0]), int(now[0] % 1.0 * 1e9)
                clock.publish(message)

        arm.follow(-0.05, -0.05)
        arm.until(S.CLOCK)
        arm.client.node.create_timer(0.01, tick)
        arm.until(S.OK)
        runs[0] = False
        arm.until(S.CLOCK)
        arm.silent()
        runs[0], now[0] = True, 5.0
        arm.until(S.CLOCK)
        arm.until(S.OK)
        moved = [state for state in arm.states if state.status >= 0]
        for before, after in itertools.pairwise(moved):
            assert abs(after.position - before.position).max() < 0.2


def test_preempt_asks_for_the_arm_while_a_path_is_active():
    with rig("path_policy:=preempt") as arm:
        arm.path_active.publish(Bool(data=True))
        arm.until(S.PATH_ACTIVE)
        arm.client.until(lambda: arm.active and not arm.active[-1].data, "no claim yet")
        arm.follow(-0.05, -0.05)
        arm.client.until(lambda: arm.active[-1].data, "the claim")
        assert not arm.commands
        arm.path_active.publish(Bool(data=False))
        arm.until(S.OK)


def halts(commands):
    """The last commands: the same one over and over once the arm rests."""
    return {tuple(command.points[0].positions) for command in commands[-4:]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signalled_while_moving_it_ramps_down_before_it_leaves(number):
    name = f"rig{next(_NUMBERS)}"
    process = start(["cartesian_follower"], "-r", f"__ns:=/{name}")
    with peer() as client:
        arm = Rig(client, name)
        arm.follow(-0.2, -0.1)
        arm.until(S.OK)
        began = time.monotonic()
        process.send_signal(number)
        process.send_signal(number)
        client.until(lambda: process.poll() is not None, "the end")
        assert time.monotonic() - began < 5.0
        client.until(lambda: list(arm.states[-1].velocity) == [0.0, 0.0], "rest")
        client.until(lambda: len(halts(arm.commands)) == 1, "the last words")
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def test_it_drives_the_simulated_arm_and_two_of_them_do_not_mix():
    names = ["cartesian_follower", "servo_driver"]
    left = ["-r", "__ns:=/left", "-p", "prefix:=left_", "-p", "initial_position:=[0.3, 1.2]"]
    with nodes(names, *left, "-p", "enable_on_start:=true"), peer() as client:
        joints = client.collect(JointState, "/left/joint_states", 100)
        publisher = client.node.create_publisher(
            TwistStamped, "/left/cartesian_follower/twist", 10
        )
        client.until(lambda: joints, "joint states")
        message = TwistStamped()
        message.twist.linear.x = -0.1
        client.node.create_timer(0.02, lambda: publisher.publish(message))
        x0, y0 = DEFAULT.forward(START)

        def moved():
            x, y = DEFAULT.forward(joints[-1].position)
            return x < x0 - 0.05 and abs(y - y0) < 0.005

        client.until(moved, "the arm")
        assert list(joints[-1].name) == ["left_joint1", "left_joint2"]
