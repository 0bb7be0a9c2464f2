"""Make the pictures of docs/view.md: the real page, a real browser, the package's own solvers.

    python docs/make_screenshots.py              all pictures and the animation
    python docs/make_screenshots.py still small  some of them

The page runs in this process without ROS: the script plays the arm, by the follower and the
trajectory timing of the package, and steps the page itself, so that every run gives the same
pictures. It needs Chromium (apt install chromium), viser and Pillow.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tools"))

from browser import Tab, browser  # noqa: E402

from planar_arm_ik import load_arm  # noqa: E402
from planar_arm_ik.arm.planar_arm import Array  # noqa: E402
from planar_arm_ik.following.config import FollowerConfig  # noqa: E402
from planar_arm_ik.following.follower import Follower, Memory  # noqa: E402
from planar_arm_ik.following.report import Sensed, Twist  # noqa: E402
from planar_arm_ik.following.report import explain as explain_twist  # noqa: E402
from planar_arm_ik.keep_out.obstacles import Obstacles  # noqa: E402
from planar_arm_ik.keep_out.shapes import Circle, Polygon  # noqa: E402
from planar_arm_ik.scene.follower_texts import follower_text  # noqa: E402
from planar_arm_ik.scene.study import EXAMPLES  # noqa: E402
from planar_arm_ik.scene.texts import good  # noqa: E402
from planar_arm_ik.trajectories.timing import time_path  # noqa: E402
from planar_arm_ik.viewer.inbox import Act  # noqa: E402
from planar_arm_ik.viewer.page import Page, PageOptions  # noqa: E402
from planar_arm_ik.viewer.robot import NoRobot, Report, TwistReport  # noqa: E402

ARM = load_arm(DOCS.parent / "config" / "arm.yaml")
IMAGES = DOCS / "images"
SHAPES = Obstacles(
    (
        Circle("post", -0.02, 0.29, 0.07),
        Polygon("table", ((-0.65, -0.62), (0.1, -0.62), (0.1, -0.35), (-0.55, -0.35))),
    ),
    link_radius=0.02,
)
PARTS = {"path executor": True, "follower": True, "servo driver": True}
SIZE, SMALL, FILM = (1280, 760), (390, 780), (900, 560)


class Studio:
    """The page, the browser that shows it, and a clock that this script turns."""

    def __init__(self, tab: Tab, obstacles: Obstacles | None = None) -> None:
        self.tab = tab
        self.page = Page(ARM, NoRobot(), PageOptions(port=0), obstacles)
        self.clock = 0.0
        self.report = Report(q=np.array([0.5, 0.9]), parts=PARTS)
        tab.open(self.page.url)
        tab.wait(self._shown, "the page")
        time.sleep(4.0)
        tab.evaluate(
            "document.head.insertAdjacentHTML('beforeend',"
            "'<style>.mantine-Notifications-root{display:none}</style>')"
        )

    def _shown(self) -> bool:
        self.step(0.1)
        return self.tab.text("#status") != ""

    def step(self, seconds: float, report: Report | None = None) -> None:
        """Let time pass on the page."""
        self.report = report or self.report
        self.clock += seconds
        self.page.step(self.clock, lambda: self.report)

    def do(self, act: Act, value: object = None) -> None:
        """Do what a person would do on the page."""
        self.page.inbox.put(act, value)
        self.step(0.3)

    def open_tab(self, name: str) -> None:
        """Click a tab of the panel until it is the open one."""

        def opened() -> bool:
            self.tab.press(name, "[role=tab]")
            self.tab.settle(2)
            return self.tab.text("[role=tab][aria-selected=true]") == name

        self.tab.wait(opened, f"the tab {name}")

    def shot(self, path: Path) -> None:
        """Save what the page shows now."""
        self.step(0.3)
        time.sleep(0.2)
        self.tab.settle(4)
        self.tab.screenshot(path)


def resting(q: Sequence[float]) -> Report:
    """An arm that stands still."""
    return Report(q=np.array(q), parts=PARTS)


def followed(
    q: tuple[float, float], velocity: tuple[float, float], seconds: float
) -> list[Report]:
    """What the follower makes of a twist, at 100 Hz."""
    config = FollowerConfig(ARM)
    follower, memory, reports = Follower(config), Memory(), []
    for _ in range(round(seconds * 100.0)):
        sensed = Sensed(0.01, Twist(*velocity), 0.0, q, 0.0)
        memory, command, told = follower.step(memory, sensed)
        q = command.position if command else q
        missing = math.hypot(*told.residual)
        text = follower_text(
            told.status, explain_twist(told), told.scale, missing, told.motion.sigma_min
        )
        vectors = (np.array(v) for v in (told.commanded, told.achieved, told.residual))
        twist = TwistReport(*vectors, told.motion.sigma_min, told.motion.damping, told.scale, text)
        reports.append(Report(q=np.array(q), parts=PARTS, twist=twist, paused=False))
    return reports


def stills(studio: Studio) -> Iterator[str]:
    """The pictures of a wide window; yields each name when the page shows it."""
    studio.step(0.1, resting((0.5, 0.9)))
    studio.do(Act.TARGET, (0.45, 0.42))
    yield "page_two_elbows"
    studio.do(Act.TARGET, (0.93 * math.cos(0.84), 0.93 * math.sin(0.84)))
    yield "page_too_far"
    studio.do(Act.TARGET, (0.45, 0.42))
    studio.open_tab("Path")
    studio.step(0.1, resting((0.55, -1.7)))
    studio.do(Act.RULE, "min_shoulder")
    studio.do(Act.EXAMPLE, EXAMPLES[0])
    yield "page_path_refused"
    studio.do(Act.RULE, "nearest")
    studio.do(Act.EXAMPLE, "circle")
    yield "page_path"
    studio.do(Act.CLEAR)
    studio.open_tab("Drive")
    for report in followed((0.25, 1.1), (0.2, 0.12), 2.2):
        studio.step(0.01, report)
    yield "page_drive"
    studio.open_tab("Plots")
    yield "page_plots"
    studio.open_tab("Compare")
    studio.do(Act.STUDY, True)
    studio.step(17 * 0.12)
    yield "page_compare"
    studio.do(Act.STUDY, False)
    studio.open_tab("Target")


def film(studio: Studio, keep: Callable[[], None]) -> None:
    """A target dragged about and out of the ring, a circle followed, two rules compared."""
    studio.step(0.1, resting((0.3, 1.3)))
    for angle in np.linspace(0.35, 1.25, 10):
        radius = 0.62 + 0.36 * math.sin(2.4 * (angle - 0.35)) ** 2
        studio.do(Act.TARGET, (radius * math.cos(angle), radius * math.sin(angle)))
        keep()
    studio.do(Act.EXAMPLE, "circle")
    plan = studio.page.session.plan
    assert plan is not None
    way = np.vstack((studio.page.session.q, plan.q))
    motion = time_path(ARM, way, velocity_scaling=0.4).trajectory
    for moment in np.linspace(0.0, motion.duration, 22):
        q: Array = motion.sample(float(moment))[0]
        part = good(f"executing, {100.0 * moment / motion.duration:.0f} %")
        studio.step(0.1, Report(q=q, parts=PARTS, task=part, moving=True))
        keep()
    studio.do(Act.CLEAR)
    studio.do(Act.STUDY, True)
    for _ in range(20):
        studio.step(2 * 0.12)
        keep()


def make_stills() -> None:
    """All pictures of a wide window."""
    with browser(*SIZE) as tab:
        studio = Studio(tab)
        for name in stills(studio):
            studio.shot(IMAGES / f"{name}.png")
        studio.page.close()
    for path in IMAGES.glob("page_*.png"):
        _shrink(path)


def make_keep_out() -> None:
    """A table and a post: one elbow of the target touches the post."""
    with browser(*SIZE) as tab:
        studio = Studio(tab, SHAPES)
        studio.step(0.1, resting((0.5, 0.9)))
        studio.do(Act.TARGET, (0.45, 0.42))
        studio.shot(IMAGES / "page_keep_out.png")
        studio.page.close()
    _shrink(IMAGES / "page_keep_out.png")


def make_small() -> None:
    """The page on a telephone."""
    with browser(*SMALL) as tab:
        studio = Studio(tab)
        studio.do(Act.TARGET, (0.45, 0.42))
        studio.shot(IMAGES / "page_small.png")
        studio.page.close()
    _shrink(IMAGES / "page_small.png")


def make_film() -> None:
    """The animation."""
    frames: list[Image.Image] = []
    with browser(*FILM) as tab, tempfile.TemporaryDirectory() as folder:
        studio = Studio(tab)

        def keep() -> None:
            path = Path(folder) / "frame.png"
            studio.shot(path)
            with Image.open(path) as image:
                small = image.convert("RGB").resize((720, 448), Image.Resampling.LANCZOS)
            frames.append(small)

        film(studio, keep)
        studio.page.close()
    first, *others = _one_palette(frames)
    first.save(
        IMAGES / "page.gif", save_all=True, append_images=others, duration=150, loop=0,
        optimize=True,
    )  # fmt: skip


def _shrink(path: Path) -> None:
    """Store a screenshot as small as PNG can without a change of colours."""
    with Image.open(path) as image:
        image.convert("RGB").save(path, optimize=True)


def _one_palette(frames: list[Image.Image]) -> list[Image.Image]:
    """255 colours for all frames alike, or flat areas would flicker."""
    width, height = frames[0].size
    some = frames[:: max(1, len(frames) // 8)]
    sheet = Image.new("RGB", (width, height * len(some)))
    for place, frame in enumerate(some):
        sheet.paste(frame, (0, place * height))
    palette = sheet.quantize(255, Image.Quantize.MEDIANCUT, kmeans=3)
    return [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]


MAKERS = {"still": make_stills, "keep_out": make_keep_out, "small": make_small, "film": make_film}


def main(names: Sequence[str]) -> None:
    """Make the pictures named, or all."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or MAKERS:
        MAKERS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
