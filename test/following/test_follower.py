"""The follower's state machine: start, stop, watchdogs, hand-over, and long teleoperation."""

import math
from dataclasses import replace

import numpy as np
import pytest
from teleoperation import teleoperate

from arms import DEFAULT
from planar_arm_ik import Branch, JointLimits, PlanarArm, PlanarArmError
from planar_arm_ik import FollowerState as S
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.follower import Follower, Memory
from planar_arm_ik.following.report import Sensed, Twist, explain

CONFIG = FollowerConfig(DEFAULT)
START = (0.3, 1.2)
RIGHT = Twist(0.05, 0.0)
T = CONFIG.period


class Loop:
    """A follower and an ideal arm, cycle by cycle."""

    def __init__(self, config=CONFIG, q=START):
        self.follower, self.memory, self.q = Follower(config), Memory(), q
        self.commands, self.reports = [], []

    def __call__(self, twist=RIGHT, cycles=1, ideal=True, **sensed):
        for _ in range(cycles):
            now = Sensed(T, twist, 0.0, self.q, 0.0)._replace(**sensed)
            outcome = self.follower.step(self.memory, now)
            self.memory = outcome.memory
            self.commands.append(outcome.command)
            self.reports.append(outcome.report)
            if outcome.command and ideal:
                self.q = outcome.command.position
        return self.reports[-1]

    @property
    def sent(self):
        return [command for command in self.commands if command is not None]

    def ramp_down(self, **sensed):
        """Cycles until the arm rests, starting now."""
        before = len(self.commands)
        while self.memory.has_arm and self.memory.qd != (0.0, 0.0):
            self(**sensed)
            assert len(self.commands) - before < 100
        return len(self.commands) - before


def test_it_follows_a_twist_without_residual():
    loop = Loop()
    report = loop(cycles=20)
    assert report.status is S.OK
    assert report.achieved == pytest.approx((0.05, 0.0), abs=1e-12)
    assert report.residual == pytest.approx((0.0, 0.0), abs=1e-12)
    assert report.direction_kept
    assert explain(report) == "following"


def test_a_constant_twist_moves_the_tip_strictly_monotone():
    loop = Loop()
    loop(cycles=100)
    x = [DEFAULT.forward(command.position)[0] for command in loop.sent]
    assert (np.diff(x) > 0.0).all()


@pytest.mark.parametrize("speed", [0.1, 0.2, 0.5])
@pytest.mark.parametrize("q", [(0.7, 0.86), (0.24, -0.44), (-0.4, 2.1)])
def test_a_steady_twist_never_makes_the_tip_faster_than_it_asks(q, speed):
    for bearing in np.radians(np.arange(0.0, 360.0, 15.0)):
        loop = Loop(q=q)
        loop(Twist(speed * math.cos(bearing), speed * math.sin(bearing)), cycles=int(100 / speed))
        fastest = max(math.hypot(*report.achieved) for report in loop.reports)
        assert fastest <= speed * (1.0 + 1e-9)


def test_nothing_is_sent_before_a_full_state_and_then_it_starts_there():
    loop = Loop(q=(0.7, -1.1))
    assert loop(cycles=100, position=None).status is S.NO_STATE
    assert not loop.sent
    loop()
    assert loop.sent[0].position == pytest.approx((0.7, -1.1), abs=1e-3)


def test_nothing_is_sent_and_nothing_drifts_without_a_twist():
    loop = Loop()
    assert loop(None, cycles=6000).status is S.IDLE
    assert loop(Twist(0.0, 0.0), cycles=100).status is S.IDLE
    assert not loop.sent


REASONS = {
    S.CLOCK: {"clock_runs": False},
    S.NO_STATE: {"position": None},
    S.STALE_STATE: {"state_age": 0.26},
    S.STATE_JUMP: {"position": (0.8, 1.2)},
    S.PAUSED: {"paused": True},
    S.PATH_ACTIVE: {"path_active": True},
    S.INVALID_INPUT: {"fault": S.INVALID_INPUT},
    S.FRAME: {"fault": S.FRAME},
    S.STALE_COMMAND: {"command_age": 0.26},
}


@pytest.mark.parametrize("output", ["position", "velocity"])
@pytest.mark.parametrize(
    ("status", "sensed"), REASONS.items(), ids=lambda x: getattr(x, "name", "")
)
def test_every_watchdog_stops_the_arm_at_once_and_in_v_over_a(status, sensed, output):
    loop = Loop(replace(CONFIG, output=output))
    loop(Twist(0.3, 0.2), cycles=50)
    speed = max(abs(v) for v in loop.reports[-1].velocity)
    first = loop(Twist(0.3, 0.2), **sensed)
    assert first.status is status
    assert max(abs(v) for v in first.velocity) == pytest.approx(speed - 8.0 * T)
    cycles = 1 + loop.ramp_down(twist=Twist(0.3, 0.2), **sensed)
    assert cycles == math.ceil(speed / (8.0 * T))
    steps = np.diff([report.velocity for report in loop.reports], axis=0)
    assert np.abs(steps).max() <= 8.0 * T + 1e-12
    before = len(loop.sent)
    loop(Twist(0.3, 0.2), cycles=50, **sensed)
    assert len(loop.sent) - before == CONFIG.halt_messages - 1
    assert loop.commands[-1] is None
    assert explain(loop.reports[-1])


def test_the_limit_of_every_watchdog_is_its_parameter():
    for sensed in ({"state_age": 0.25}, {"command_age": 0.25}, {"position": (0.59, 1.2)}):
        loop = Loop()
        loop(cycles=1)
        assert loop(**sensed).status >= 0


def test_a_twist_may_have_a_timeout_of_its_own():
    loop = Loop()
    loop(cycles=20)
    assert loop(command_age=0.5, command_timeout=0.6).status is S.OK
    assert loop(command_age=0.7, command_timeout=0.6).status is S.STALE_COMMAND


def test_a_bad_twist_does_not_poison_the_next_good_one():
    loop = Loop()
    loop(cycles=20)
    loop(None, fault=S.INVALID_INPUT)
    loop()
    assert loop(cycles=5).status is S.OK


def test_after_a_short_stop_it_goes_on_from_its_own_command():
    loop = Loop()
    loop(cycles=20)
    loop(None, cycles=15)
    lagging = (loop.q[0] - 0.01, loop.q[1])
    before = loop.sent[-1].position
    loop(position=lagging, ideal=False)
    assert loop.sent[-1].position == pytest.approx(before, abs=2e-3)


def test_after_another_mover_it_starts_at_the_measured_state():
    loop = Loop(q=(0.2, 1.0))
    loop(cycles=20)
    loop(None, cycles=100)
    loop.q = (0.8, 0.4)
    loop(Twist(0.0, 0.0))
    loop(Twist(0.01, 0.0))
    assert loop.sent[-1].position == pytest.approx((0.8, 0.4), abs=1e-3)


def test_after_a_pause_it_starts_at_rest_at_the_measured_state():
    loop = Loop()
    loop(cycles=20)
    loop(paused=True, cycles=200)
    loop.q = (0.8, 0.4)
    report = loop()
    assert loop.sent[-1].position == pytest.approx((0.8, 0.4), abs=1e-3)
    assert max(abs(v) for v in report.velocity) <= 8.0 * T + 1e-12


def test_a_paused_follower_says_what_it_does_not_do():
    report = Loop()(paused=True)
    assert report.commanded == report.residual == (0.05, 0.0)
    assert report.achieved == (0.0, 0.0)
    assert report.scale == 0.0


def test_a_pushed_arm_stays_stopped_until_the_twist_is_let_go():
    loop = Loop()
    loop(cycles=20)
    pushed = (loop.q[0] + 0.5, loop.q[1])
    loop(cycles=100, position=pushed, ideal=False)
    assert loop.reports[-1].status is S.STATE_JUMP
    silent = len(loop.sent)
    assert loop(cycles=100, position=pushed).status is S.STATE_JUMP
    assert len(loop.sent) == silent
    loop(None, position=pushed)
    loop(position=pushed)
    assert loop.sent[-1].position == pytest.approx(pushed, abs=1e-3)


def test_a_late_state_is_no_jump():
    loop = Loop()
    loop(Twist(0.5, 0.3), cycles=60)
    late = loop.commands[-25].position
    assert loop(Twist(0.5, 0.3), position=late, state_age=0.24).status >= 0


def test_holding_keeps_sending_and_survives_a_push_at_rest():
    loop = Loop(replace(CONFIG, hold=True))
    loop(cycles=20)
    loop(None, cycles=300)
    assert loop.commands[-1] is not None
    sagged = (loop.q[0] - 0.01, loop.q[1])
    loop(position=sagged, ideal=False)
    assert loop.sent[-1].position == pytest.approx(loop.q, abs=1e-3)
    loop(None, cycles=100)
    moved = (loop.q[0] - 0.1, loop.q[1])
    loop(position=moved)
    assert loop.sent[-1].position == pytest.approx(moved, abs=1e-3)
    loop(None, cycles=100, position=(moved[0] - 0.6, moved[1]), ideal=False)
    assert loop.commands[-1] is None


@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan])
def test_no_time_means_no_motion(dt):
    loop = Loop()
    loop(cycles=20)
    before = loop.sent[-1]
    loop(dt=dt)
    assert loop.sent[-1] == before


@pytest.mark.parametrize("dt", [1.0, 1e9, math.inf])
def test_a_stalled_node_does_not_leap(dt):
    loop = Loop()
    loop(cycles=20)
    before = np.array(loop.q)
    loop(dt=dt)
    assert np.abs(np.array(loop.q) - before).max() <= 2.0 * 3.0 * T


def test_the_tip_frame_turns_with_the_tip():
    q = tuple(np.radians((30.0, 60.0)))
    loop = Loop(q=q)
    report = loop(Twist(0.05, 0.0, in_tip=True), cycles=10)
    phi = sum(loop.commands[-2].position)
    assert report.commanded == pytest.approx((0.05 * math.cos(phi), 0.05 * math.sin(phi)))
    assert report.commanded == pytest.approx((0.0, 0.05), abs=5e-3)


def test_a_long_twist_is_shortened_and_the_rest_is_residual():
    report = Loop(replace(CONFIG, max_tip_speed=0.1))(Twist(0.3, 0.4), cycles=40)
    assert report.status is S.SLOWED
    assert report.achieved == pytest.approx((0.06, 0.08))
    assert report.residual == pytest.approx((0.24, 0.32))
    assert report.scale == pytest.approx(0.2)
    assert report.direction_kept
    assert "slowed to 20 %" in explain(report)


def limited(lower, upper, margin):
    joint2 = JointLimits(lower, upper, 1.5, 8.0)
    arm = PlanarArm(0.30, 0.25, JointLimits(velocity=1.5, acceleration=8.0), joint2)
    return FollowerConfig(arm, position_margin=margin)


def test_inside_the_margin_inward_stops_both_joints_and_outward_goes_at_once():
    loop = Loop(limited(0.0, 2.6, 0.05), q=(0.3, 2.56))
    tip = loop.follower.config.arm.forward(loop.q)
    inward = Twist(*(-0.05 * tip / np.linalg.norm(tip)))
    report = loop(inward, cycles=200)
    assert {command.velocity for command in loop.sent} == {(0.0, 0.0)}
    assert report.status is S.AT_LIMIT
    assert "position limit" in explain(report)
    loop(Twist(-inward.x, -inward.y))
    assert loop.sent[-1].velocity[1] < 0.0


def test_outside_a_limit_the_way_back_is_open_and_the_way_out_is_not():
    loop = Loop(limited(0.0, 2.6, 0.05), q=(0.3, 2.65))
    tip = loop.follower.config.arm.forward(loop.q)
    outward = 0.05 * tip / np.linalg.norm(tip)
    loop(Twist(*-outward), cycles=50)
    assert loop.q == pytest.approx((0.3, 2.65))
    loop(Twist(*outward))
    assert loop.sent[-1].velocity[1] < 0.0


@pytest.mark.parametrize("preferred", [Branch.POSITIVE, Branch.NEGATIVE])
def test_a_straight_arm_bends_to_the_preferred_side_and_says_so(preferred):
    arm = PlanarArm(0.30, 0.25, *(JointLimits(velocity=1.5, acceleration=8.0),) * 2)
    loop = Loop(FollowerConfig(arm, preferred_branch=preferred), q=(0.3, 0.0))
    report = loop(Twist(-0.05 * math.cos(0.3), -0.05 * math.sin(0.3)), cycles=30)
    assert any(earlier.motion.escaping for earlier in loop.reports)
    assert any(earlier.status is S.ESCAPING for earlier in loop.reports)
    assert math.copysign(1.0, report.position[1]) == preferred
    assert abs(report.position[1]) > 0.05
    assert max(abs(v) for earlier in loop.reports for v in earlier.velocity) <= 1.5


@pytest.mark.parametrize(
    ("q2", "limits", "branch"),
    [
        (0.0, (-0.001, 2.6), 1),
        (-1e-9, (0.0, 2.6), 1),
        (0.0, (-2.6, 0.0), -1),
        (-1e-9, (-2, 2), -1),
    ],
)
def test_the_elbow_side_is_one_that_has_room(q2, limits, branch):
    loop = Loop(limited(*limits, 0.0), q=(0.3, q2))
    report = loop(Twist(-0.05, 0.0), cycles=60)
    assert math.copysign(1.0, report.position[1]) == branch


def test_a_noisy_straight_arm_keeps_its_elbow_side_over_a_restart():
    loop = Loop(q=(0.0, 0.02))
    loop(Twist(0.05, 0.0), cycles=100)
    loop(None, cycles=100)
    loop.q = (0.0, -0.003)
    report = loop(Twist(-0.05, 0.0), cycles=60)
    assert report.position[1] > 0.05


def test_at_the_edge_it_says_that_the_edge_holds_it():
    report = Loop(q=(0.3, 0.1))(Twist(0.2 * math.cos(0.3), 0.2 * math.sin(0.3)), cycles=300)
    assert report.status in (S.AT_LIMIT, S.SLOWED)
    assert math.hypot(*report.residual) == pytest.approx(0.2, abs=1e-3)
    assert not report.motion.escaping


def test_a_wrapped_continuous_joint_is_no_jump():
    free = JointLimits(velocity=2.0, acceleration=8.0, continuous=True)
    loop = Loop(FollowerConfig(PlanarArm(0.5, 0.4, free, free)), q=(3.1, 1.0))
    for _ in range(300):
        wrapped = math.remainder(loop.q[0], 2.0 * math.pi)
        phi = loop.q[0]
        loop(Twist(-0.2 * math.sin(phi), 0.2 * math.cos(phi)), position=(wrapped, loop.q[1]))
    assert loop.q[0] > 3.3
    assert {report.status for report in loop.reports} <= {S.OK, S.SLOWED}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"period": 0.0}, "period = 0.0 must be finite and positive"),
        ({"command_timeout": math.nan}, "command_timeout = nan"),
        ({"command_timeout": 0.015}, "two periods"),
        ({"damping": -1.0}, "damping = -1.0"),
        ({"damping": 0.01}, "at least half the singular_threshold"),
        ({"singular_threshold": 0.5}, "largest sigma_min"),
        ({"limit_policy": "clip"}, "limit_policy = 'clip' must be one of scale, project"),
        ({"position_margin": 3.0}, "leaves joint1 no room"),
        ({"halt_messages": 0}, "at least 1"),
        ({"preferred_branch": Branch.NONE}, "preferred_branch"),
        ({"arm": PlanarArm(0.5, 0.4)}, "joint1 has no velocity limit"),
        ({"arm": PlanarArm(0.5, 0.4, JointLimits(velocity=1.0))}, "joint1 has no acceleration"),
    ],
)
def test_settings_that_break_a_rule_are_refused_by_name(change, words):
    with pytest.raises(PlanarArmError, match=words):
        replace(CONFIG, **change)


def promises(worst):
    assert worst.speed <= 1e-12
    assert worst.acceleration <= 1e-12
    assert worst.position <= 1e-12
    assert worst.branch <= 1e-12
    assert worst.haste <= 1e-12
    assert worst.dash <= 0.03  # cycles that come early: less than 1 % of the fastest command
    assert worst.residual <= 1e-12
    assert worst.direction_deg < 0.1
    assert worst.starts > 0
    assert {S.OK, S.SLOWED, S.ESCAPING, S.AT_LIMIT, S.IDLE, S.STALE_STATE} <= worst.statuses


def teleoperated(l1, l2, rate, policy, output):
    arm = PlanarArm(l1, l2, DEFAULT.joint1, DEFAULT.joint2)
    return FollowerConfig(
        arm,
        period=1.0 / rate,
        limit_policy=policy,
        output=output,
        position_margin=0.0,
        max_tip_speed=10.0,
    )


LINKS = [(0.5, 0.4), (0.3, 0.5), (0.4, 0.4)]


@pytest.mark.parametrize("output", ["position", "velocity"])
@pytest.mark.parametrize("policy", ["scale", "project"])
@pytest.mark.parametrize("links", LINKS)
def test_a_minute_of_random_teleoperation_keeps_every_limit(links, policy, output):
    config = teleoperated(*links, 50.0, policy, output)
    longest = 5.0 if output == "position" else 2.0
    promises(teleoperate(config, 60.0, 1, (0.05, longest)))


@pytest.mark.parametrize("output", ["position", "velocity"])
@pytest.mark.parametrize("policy", ["scale", "project"])
@pytest.mark.parametrize("links", LINKS)
def test_the_tip_is_never_faster_than_asked_when_no_cycle_comes_early(links, policy, output):
    config = teleoperated(*links, 100.0, policy, output)
    late = 5.0 if output == "position" else 2.0
    for periods in ((1.0, late), (1.0, 1.0)):
        worst = teleoperate(config, 60.0, 2, periods)
        assert worst.haste <= 1e-12
        assert worst.dash <= 1e-12


@pytest.mark.faults
@pytest.mark.parametrize("rate", [50.0, 100.0, 500.0])
@pytest.mark.parametrize("policy", ["scale", "project"])
@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_an_hour_of_random_teleoperation_keeps_every_limit(links, policy, rate, seed):
    worst = teleoperate(teleoperated(*links, rate, policy, "position"), 3600.0, seed)
    print(f"\n{links} {policy} {rate:g} Hz seed {seed}: {worst}")
    promises(worst)
