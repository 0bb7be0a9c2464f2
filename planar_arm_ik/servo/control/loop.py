"""The thread that owns the bus: paced cycles, requests in between, one orderly end.

A missing answer blocks a bus for 30 to 50 ms, so nothing else waits for it: others leave requests
and commands here and read the last report.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import pairwise

from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.servo.control.commands import Commands
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmReport, ArmState
from planar_arm_ik.servo.control.setpoints import Verdict
from planar_arm_ik.trajectories.trajectory import Trajectory

#: The shutdown may take this long [s], whatever the bus does.
SHUTDOWN_TIME = 3.0
_PERIODS = 500


class ServoLoop:
    """Runs a :class:`ServoArm` at its rate in a thread of its own.

    Args:
        arm: the arm, already open.
        rate: cycles per second [Hz].
        on_cycle: called in the thread with every report; must be quick.
        on_end: called in the thread when it ends, with the exception that ended it, or None.
        clock: what the cycles are timed by.
    """

    def __init__(
        self,
        arm: ServoArm,
        rate: float,
        on_cycle: Callable[[ArmReport], None],
        on_end: Callable[[BaseException | None], None] = lambda error: None,
        clock: Clock = STEADY,
    ) -> None:
        self._arm = arm
        self._period = 1.0 / rate
        self._on_cycle = on_cycle
        self._on_end = on_end
        self._clock = clock
        self._stop = threading.Event()
        self._requests: deque[tuple[Callable[[], Verdict], Future[Verdict]]] = deque()
        self._order: Callable[[Commands], Verdict] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.run, name="servo bus", daemon=True)
        self._runs = False
        self._starts: deque[float] = deque(maxlen=_PERIODS)

    def start(self) -> None:
        """Start the thread."""
        self._runs = True
        self._thread.start()

    def stop(self) -> bool:
        """Shut the arm down as chosen and end the thread; safe to call again.

        Returns:
            Whether it ended within :data:`SHUTDOWN_TIME`.
        """
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(SHUTDOWN_TIME)
        return not self._runs

    @property
    def report(self) -> ArmReport:
        """What the last cycle found."""
        return self._arm.report

    def periods(self) -> list[float]:
        """Measured times between the starts of the latest cycles [s]."""
        starts = list(self._starts)
        return [later - sooner for sooner, later in pairwise(starts)]

    def enable(self) -> Future[Verdict]:
        """Ask for torque; the answer comes from the bus thread."""
        return self._request(lambda: self._arm.enable(self._clock.now()))

    def relax(self) -> Future[Verdict]:
        """Ask for torque off."""
        return self._request(lambda: self._arm.relax(self._clock.now()))

    def command(self, target: Sequence[float]) -> None:
        """Leave joint angles [rad] for the next cycle; the newest command wins."""
        with self._lock:
            self._order = lambda commands: commands.aim(target)

    def play(self, trajectory: Trajectory, delay: float = 0.0) -> None:
        """Leave a trajectory for the next cycle; the newest command wins.

        Args:
            trajectory: joint angles over time.
            delay: time from now to its start [s]; negative when it should have started before.
        """
        now = self._clock.now()
        with self._lock:
            self._order = lambda commands: commands.play(trajectory, now + delay, now)

    def stay(self) -> None:
        """Stop where the set point is."""
        with self._lock:
            self._order = Commands.stay

    def _request(self, action: Callable[[], Verdict]) -> Future[Verdict]:
        future: Future[Verdict] = Future()
        if self._runs:
            self._requests.append((action, future))
        else:
            future.set_result(Verdict(False, "the driver is shut down"))
        return future

    def run(self) -> None:
        """Run the cycles in the calling thread until the loop is stopped, then shut the arm down.

        :meth:`start` does it in a thread of its own. Who stops a loop that runs in his own thread
        does so from within a cycle or from the clock, and gets the end when this returns.
        """
        self._runs = True
        ended: BaseException | None = None
        try:
            self._pace(self._turn, self._stop.is_set)
        except Exception as error:  # whatever it is, the arm is shut down in order
            ended = error
        try:
            self._end()
        finally:
            self._runs = False
            self._on_end(ended)

    def _end(self) -> None:
        """The chosen shutdown, once, within its time."""
        deadline = self._clock.now() + SHUTDOWN_TIME
        self._arm.shut_down(self._clock.now())
        self._pace(
            lambda: self._arm.cycle(self._clock.now()),
            lambda: self._arm.report.state is ArmState.CLOSED or self._clock.now() > deadline,
        )
        while self._requests:
            self._requests.popleft()[1].set_result(Verdict(False, "the driver is shut down"))

    def _turn(self) -> None:
        self._starts.append(self._clock.now())
        while self._requests:
            action, future = self._requests.popleft()
            future.set_result(action())
        with self._lock:
            order, self._order = self._order, None
        if order is not None:
            self._arm.follow(order)
        self._on_cycle(self._arm.cycle(self._clock.now()))

    def _pace(self, turn: Callable[[], object], done: Callable[[], bool]) -> None:
        """Call `turn` once a period until done; a late turn does not make the next ones hurry."""
        due = self._clock.now()
        while not done():
            turn()
            due = max(due + self._period, self._clock.now())
            self._clock.wait_until(due)
