"""The description: a robot description parser accepts it, and its chain is the arm's."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from urdf_chain import chain, numbers, transform

from places import ROOT
from planar_arm_ik import PlanarArm
from planar_arm_ik.config import load_description
from planar_arm_ik.scene.shapes import arm_shape

xacro = pytest.importorskip("xacro")

XACRO = ROOT / "urdf" / "planar_arm.urdf.xacro"
CONFIG = ROOT / "config" / "arm.yaml"


def expand(**arguments):
    return xacro.process_file(str(XACRO), mappings=arguments).toxml()


def described(
    tmp_path, joint1, joint2="{continuous: true, velocity: 1.0, acceleration: 2.0}", l1=0.3
):
    path = tmp_path / "arm.yaml"
    path.write_text(
        "/**:\n  ros__parameters:\n    arm:\n"
        f"      l1: {l1}\n      l2: 0.2\n      joint1: {joint1}\n      joint2: {joint2}\n"
    )
    return path


@pytest.mark.parametrize("prefix", ["", "left_"])
def test_the_tip_of_the_description_is_the_tip_of_forward_kinematics(prefix):
    known = load_description(CONFIG)
    robot = ElementTree.fromstring(expand(prefix=prefix))
    rng = np.random.default_rng(2)
    names = [prefix + name for name in known.joint_names]
    for q in rng.uniform(-3.0, 3.0, (100, 2)):
        positions = dict(zip(names, q, strict=True))
        pose = chain(robot, prefix + known.base_frame, prefix + known.tip_frame, positions)
        assert pose[:2, 3] == pytest.approx(known.arm.forward(q), abs=1e-12)
        assert pose[2, 3] == 0.0
        elbow = chain(robot, prefix + known.base_frame, prefix + "link2", positions)
        assert elbow[:2, 3] == pytest.approx(known.arm.elbow(q), abs=1e-12)


def test_limits_in_the_description_are_those_of_the_arm():
    known = load_description(CONFIG)
    robot = ElementTree.fromstring(expand())
    joints = {joint.get("name"): joint for joint in robot.iter("joint")}
    for name, limits, effort in zip(
        known.joint_names, known.arm.joints, known.efforts, strict=True
    ):
        limit = joints[name].find("limit")
        assert joints[name].get("type") == "revolute"
        assert float(limit.get("lower")) == limits.lower
        assert float(limit.get("upper")) == limits.upper
        assert float(limit.get("velocity")) == limits.velocity
        assert float(limit.get("effort")) == effort


def test_every_name_takes_the_prefix():
    robot = ElementTree.fromstring(expand(prefix="left_"))
    names = [e.get("name") for kind in ("link", "joint") for e in robot.findall(kind)]
    assert names
    assert all(name.startswith("left_") for name in names)


def test_a_robot_description_parser_accepts_it():
    parser = pytest.importorskip("urdf_parser_py.urdf")
    robot = parser.URDF.from_xml_string(expand(prefix="a_").encode())
    assert robot.get_root() == "a_base_link"
    assert robot.get_chain("a_base_link", "a_tip", links=False) == [
        "a_joint1",
        "a_joint2",
        "a_tip_joint",
    ]


@pytest.mark.parametrize("hardware", ["mock", "topic"])
def test_the_description_for_ros2_control_names_the_same_joints(hardware):
    robot = ElementTree.fromstring(expand(prefix="left_", ros2_control_hardware=hardware))
    (system,) = robot.findall("ros2_control")
    assert [joint.get("name") for joint in system.findall("joint")] == [
        "left_joint1",
        "left_joint2",
    ]
    initial = system.findall(".//param[@name='initial_value']")
    assert bool(initial) == (hardware == "mock")


def test_the_plain_description_has_no_ros2_control():
    assert ElementTree.fromstring(expand()).find("ros2_control") is None


def test_a_continuous_joint_has_no_bounds_and_defaults_are_filled_in(tmp_path):
    config = described(tmp_path, "{continuous: true, velocity: 2.0, acceleration: 8.0}")
    robot = ElementTree.fromstring(expand(config=str(config)))
    joint = next(j for j in robot.iter("joint") if j.get("name") == "joint1")
    assert joint.get("type") == "continuous"
    assert joint.find("limit").get("lower") is None
    assert joint.find("limit").get("effort") == "10.0"
    known = load_description(config)
    tip = chain(robot, known.base_frame, known.tip_frame, {"joint1": 7.0, "joint2": -1.0})
    assert tip[:2, 3] == pytest.approx(known.arm.forward((7.0, -1.0)), abs=1e-12)


@pytest.mark.parametrize(
    "joint1",
    [
        "{lower: -.inf, upper: 1.0, velocity: 2.0, acceleration: 8.0}",
        "{lower: -1.0, upper: 1.0, velocity: .inf, acceleration: 8.0}",
        "{continuous: true, velocity: .nan, acceleration: 8.0}",
    ],
)
def test_infinite_limits_never_reach_the_description(tmp_path, joint1):
    config = described(tmp_path, joint1)
    with pytest.raises(Exception, match=r"joint1.*finite"):
        expand(config=str(config))


def solid(geometry, pose):
    """Whether points lie in a primitive, and a box around it."""
    shape = geometry[0]
    radius = float(shape.get("radius"))
    half = radius if shape.tag == "sphere" else 0.5 * float(shape.get("length"))

    def inside(points):
        local = (points - pose[:3, 3]) @ pose[:3, :3]
        if shape.tag == "sphere":
            return (local**2).sum(axis=1) <= radius**2
        return (np.hypot(local[:, 0], local[:, 1]) <= radius) & (np.abs(local[:, 2]) <= half)

    reach = np.abs(pose[:3, :3]) @ [radius, radius, half]
    return inside, pose[:3, 3] - reach, pose[:3, 3] + reach


def integrated(bodies, count, density):
    """Mass, centre and inertia about the centre of solids, each a union of primitives."""
    rng = np.random.default_rng(5)
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for primitives in bodies:
        low = np.min([p[1] for p in primitives], axis=0)
        high = np.max([p[2] for p in primitives], axis=0)
        points = rng.uniform(low, high, (count, 3))
        points = points[np.any([p[0](points) for p in primitives], axis=0)]
        each = density * np.prod(high - low) / count
        mass += each * len(points)
        first += each * points.sum(axis=0)
        second += each * (points.T @ points)
    centre = first / mass
    second -= mass * np.outer(centre, centre)
    return mass, centre, np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize("link", ["link1", "link2"])
def test_inertias_are_those_of_the_shapes(link):
    robot = ElementTree.fromstring(expand())
    element = next(e for e in robot.findall("link") if e.get("name") == link)
    *capsule, hub = [
        solid(c.find("geometry"), transform(c.find("origin")))
        for c in element.findall("collision")
    ]
    mass, centre, inertia = integrated([capsule, [hub]], 300_000, 1240.0)
    given = element.find("inertial")
    matrix = given.find("inertia").attrib
    tensor = [[float(matrix["i" + "".join(sorted(a + b))]) for b in "xyz"] for a in "xyz"]
    assert float(given.find("mass").get("value")) == pytest.approx(mass, rel=2e-2)
    assert numbers(given.find("origin"), "xyz") == pytest.approx(centre, abs=2e-3)
    assert np.array(tensor) == pytest.approx(inertia, rel=3e-2, abs=5e-5)
    assert np.linalg.eigvalsh(tensor).min() > 0.0


def test_shapes_of_views_and_description_are_the_same():
    robot = ElementTree.fromstring(expand())
    shape = arm_shape(load_description(CONFIG).arm)
    links = {link.get("name"): link for link in robot.findall("link")}
    for name, radius, z in (
        ("link1", shape.link_radii[0], -0.5 * shape.stack),
        ("link2", shape.link_radii[1], 0.5 * shape.stack),
    ):
        body, *_, hub, cap = links[name].findall("visual")
        assert float(body.find("geometry/cylinder").get("radius")) == pytest.approx(radius)
        assert transform(body.find("origin"))[2, 3] == pytest.approx(z)
        assert float(hub.find("geometry/cylinder").get("radius")) == pytest.approx(
            shape.hub_radius
        )
        assert float(hub.find("geometry/cylinder").get("length")) == pytest.approx(
            shape.hub_height
        )
        assert float(cap.find("geometry/cylinder").get("radius")) == pytest.approx(
            shape.cap_radius
        )
    tip = links["tip"].find("visual/geometry/cylinder")
    assert float(tip.get("radius")) == pytest.approx(shape.tip_radius)


def test_shapes_grow_with_the_arm():
    assert arm_shape(PlanarArm(1.0, 0.8)).hub_radius == pytest.approx(
        2.0 * arm_shape(PlanarArm(0.5, 0.4)).hub_radius
    )
