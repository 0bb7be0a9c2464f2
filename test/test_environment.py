"""The set-up tool: what it repairs, what it remembers, what it says when something is missing."""

import os
import subprocess
import sys

import pytest

from places import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import env_activate
import env_build
import env_checks
import env_place
import env_run
import env_wheels
from env_error import SetupError


@pytest.fixture
def place(tmp_path):
    """A checkout with a space in its path and only the files that stamps look at."""
    root = tmp_path / "a checkout"
    (root / "requirements").mkdir(parents=True)
    for name in ("kilted", "common", "bench", "ros"):
        (root / "requirements" / f"{name}.txt").write_text("numpy==2.0.0\n")
    (root / "planar_arm_ik_interfaces" / "msg").mkdir(parents=True)
    (root / "planar_arm_ik_interfaces" / "msg" / "A.msg").write_text("int8 a\n")
    (root / "launch").mkdir()
    for name in env_build.PACKAGE_FILES:
        (root / name).write_text(name)
    result = env_place.Place(root, "kilted")
    result.folder.mkdir(parents=True)
    return result


def fake_venv(place):
    (place.venv / "bin").mkdir(parents=True, exist_ok=True)
    place.python.touch()


def stamp_wheels(place):
    value = f"{env_wheels.origin(place)} {env_wheels.wanted(place)}"
    env_place.write_stamp(place, "wheels", value)


def stamp_build(place):
    env_place.write_stamp(place, "interfaces", env_build.interfaces_wanted(place))
    env_place.write_stamp(place, "package", env_build.package_wanted(place))


class TestRepair:
    def test_include_and_site_packages_of_the_build_machine_are_replaced(self):
        text = (
            'set_target_properties(x INTERFACE_INCLUDE_DIRECTORIES "${_IMPORT_PREFIX}/include;'
            "/opt/python/cp311-cp311/include/python3.11;"
            '/opt/python/cp311-cp311/lib/python3.11/site-packages/numpy/_core/include")'
        )
        mended = env_wheels.repair_text(text, "/usr/include/python3.11", "/a b/site-packages")
        assert mended == (
            'set_target_properties(x INTERFACE_INCLUDE_DIRECTORIES "${_IMPORT_PREFIX}/include;'
            '/usr/include/python3.11;/a b/site-packages/numpy/_core/include")'
        )

    @pytest.mark.parametrize("tag", ["cp310-cp310", "cp313-cp313", "cp314-cp314t"])
    def test_every_python_of_the_build_machine_is_known(self, tag):
        version = f"python3.{tag[3:5]}{'t' if tag.endswith('t') else ''}"
        mended = env_wheels.repair_text(f"/opt/python/{tag}/include/{version}", "/here", "/there")
        assert mended == "/here"

    def test_a_second_repair_changes_nothing(self):
        text = "/opt/python/cp311-cp311/include/python3.11 \\1"
        once = env_wheels.repair_text(text, "/i", "/s")
        assert env_wheels.repair_text(once, "/i", "/s") == once == "/i \\1"


class TestStamps:
    def test_nothing_is_current_in_an_empty_place(self, place):
        assert not env_wheels.is_current(place)
        assert not env_build.is_current(place)

    def test_a_completed_venv_is_current_until_its_python_goes(self, place):
        fake_venv(place)
        stamp_wheels(place)
        assert env_wheels.is_current(place)
        place.python.unlink()
        assert not env_wheels.is_current(place)

    def test_new_requirements_make_the_wheels_stale(self, place):
        fake_venv(place)
        stamp_wheels(place)
        place.requirements("common").write_text("numpy==2.0.1\n")
        assert not env_wheels.is_current(place)

    def test_a_moved_checkout_makes_everything_stale(self, place, tmp_path):
        fake_venv(place)
        stamp_wheels(place)
        stamp_build(place)
        assert env_build.is_current(place)
        moved = env_place.Place(tmp_path / "moved", place.name)
        place.root.rename(moved.root)
        assert not env_wheels.is_current(moved)
        assert not env_build.is_current(moved)

    @pytest.mark.parametrize("change", ["edit", "add", "remove"])
    def test_every_change_of_the_interfaces_asks_for_their_build(self, place, change):
        stamp_build(place)
        folder = place.root / "planar_arm_ik_interfaces" / "msg"
        if change == "edit":
            (folder / "A.msg").write_text("int8 b\n")
        elif change == "add":
            (folder / "B.msg").write_text("int8 b\n")
        else:
            (folder / "A.msg").unlink()
        assert not env_build.are_interfaces_current(place)

    def test_a_new_launch_file_asks_for_the_package_only_and_an_edit_for_nothing(self, place):
        stamp_build(place)
        file = place.root / "launch" / "view.launch.py"
        file.write_text("a = 1\n")
        assert env_build.are_interfaces_current(place)
        assert not env_build.is_package_current(place)
        stamp_build(place)
        file.write_text("a = 2\n")
        assert env_build.is_current(place)

    def test_a_dropped_stamp_is_empty_and_may_be_dropped_again(self, place):
        env_place.write_stamp(place, "package", "x")
        env_place.drop_stamp(place, "package")
        env_place.drop_stamp(place, "package")
        assert env_place.read_stamp(place, "package") == ""


class TestChoiceOfPlace:
    def test_without_ros_it_is_kilted_and_distro_names_another(self, tmp_path):
        assert env_place.choose_place(tmp_path, {}).name == "kilted"
        assert env_place.choose_place(tmp_path, {"DISTRO": "jazzy"}).name == "jazzy"

    def test_an_unknown_distro_is_refused_with_the_known_ones(self, tmp_path):
        with pytest.raises(SetupError, match=r"DISTRO=humble is not known.*kilted, jazzy"):
            env_place.choose_place(tmp_path, {"DISTRO": "humble"})

    def test_a_sourced_ros_is_used_unless_another_distro_is_asked_for(self, tmp_path):
        (tmp_path / "share" / "rclpy").mkdir(parents=True)
        sourced = {"ROS_DISTRO": "rolling", "AMENT_PREFIX_PATH": str(tmp_path)}
        assert env_place.choose_place(tmp_path, sourced).name == "ros-rolling"
        assert not env_place.choose_place(tmp_path, sourced).uses_wheels
        asked = env_place.choose_place(tmp_path, {**sourced, "DISTRO": "kilted"})
        assert asked.name == "kilted"

    def test_a_ros_without_rclpy_does_not_count(self, tmp_path):
        sourced = {"ROS_DISTRO": "rolling", "AMENT_PREFIX_PATH": str(tmp_path)}
        assert env_place.choose_place(tmp_path, sourced).name == "kilted"

    def test_inside_an_environment_the_same_one_is_used_again(self, tmp_path):
        (tmp_path / "share" / "rclpy").mkdir(parents=True)
        inside = {env_place.ACTIVE: "jazzy", "AMENT_PREFIX_PATH": str(tmp_path)}
        inside["ROS_DISTRO"] = "jazzy"
        assert env_place.choose_place(tmp_path, inside).name == "jazzy"
        assert env_place.choose_place(tmp_path, {**inside, "DISTRO": "kilted"}).name == "kilted"


class TestActivation:
    def test_own_entries_come_first_and_stand_once(self):
        result = env_activate.with_entries({"PATH": "/usr/bin:/v/bin"}, {"PATH": ["/v/bin"]})
        assert result["PATH"] == "/v/bin:/usr/bin"

    def test_entries_of_another_environment_are_dropped(self, place):
        other = place.root / ".env" / "jazzy" / "venv" / "bin"
        kept = env_activate.without_foreign(place, {"PATH": f"{other}:/usr/bin", "HOME": "/h"})
        assert kept == {"PATH": "/usr/bin", "HOME": "/h"}

    def test_a_sourced_ros_is_dropped_when_wheels_are_asked_for(self, place, tmp_path):
        (tmp_path / "ros" / "share" / "rclpy").mkdir(parents=True)
        ros = str(tmp_path / "ros")
        sourced = {
            "ROS_DISTRO": "rolling",
            "AMENT_PREFIX_PATH": ros,
            "PYTHONPATH": f"{ros}/lib:/x",
        }
        assert env_activate.without_foreign(place, sourced)["PYTHONPATH"] == "/x"

    def test_discovery_stays_on_this_host_unless_the_user_says_otherwise(self, place):
        name = "ROS_AUTOMATIC_DISCOVERY_RANGE"
        assert env_activate.base(place, {})[name] == "LOCALHOST"
        assert env_activate.base(place, {name: "SUBNET"})[name] == "SUBNET"

    def test_an_outer_make_leaves_no_trace(self):
        assert env_run.clean({"MAKEFLAGS": "-- ARGS=x", "MAKELEVEL": "1", "A": "b"}) == {"A": "b"}


class TestMessages:
    @pytest.mark.parametrize("version", [(3, 9, 1), (3, 15, 0), (2, 7, 18)])
    def test_a_wrong_python_is_named_with_the_line_to_type(self, version):
        text = rf"Python {version[0]}\.{version[1]} does not fit .*: make setup PYTHON="
        with pytest.raises(SetupError, match=text):
            env_checks.check_python(version)

    @pytest.mark.parametrize("minor", range(10, 15))
    def test_every_supported_python_passes(self, minor):
        env_checks.check_python((3, minor, 0))

    @pytest.mark.parametrize("machine", [("Linux", "aarch64"), ("Darwin", "arm64")])
    def test_another_machine_is_told_to_install_ros(self, machine):
        with pytest.raises(SetupError, match=f"this is {' '.join(machine)}.*source /opt/ros"):
            env_checks.check_platform(*machine)

    def test_a_missing_venv_module(self):
        with pytest.raises(SetupError, match=r"sudo apt install python3.*-venv"):
            env_checks.check_venv_module(lambda name: name != "ensurepip")

    def test_a_missing_compiler_and_a_missing_make(self, tmp_path):
        with pytest.raises(SetupError, match=r"compiler is missing.*: sudo apt install g\+\+"):
            env_checks.check_compiler({"PATH": str(tmp_path)})
        (tmp_path / "g++").touch(mode=0o755)
        with pytest.raises(SetupError, match=r"make is missing.*: sudo apt install make"):
            env_checks.check_compiler({"PATH": str(tmp_path)})

    def test_missing_headers_and_a_full_disk(self, tmp_path):
        with pytest.raises(SetupError, match="sudo apt install python3-dev"):
            env_checks.check_headers(tmp_path)
        with pytest.raises(SetupError, match=r"0\.5 GB are free and 2 GB are needed"):
            env_checks.check_disk(int(0.5e9))

    def test_pip_without_network_is_told_apart_from_other_failures(self):
        lost = "WARNING: Retrying ... NewConnectionError('Temporary failure in name resolution')"
        assert "package index cannot be reached" in env_wheels.network_hint(lost)
        assert env_wheels.network_hint("ERROR: No matching distribution found for x==9") == ""

    def test_a_failed_command_names_its_log(self, place):
        command = [sys.executable, "-c", "print('because'); raise SystemExit(3)"]
        with pytest.raises(SetupError, match=r"it failed \(exit code 3\).*tail -n 40 '.*try.log'"):
            env_run.run_logged(place, "try", command, "it failed")
        assert "because" in (place.log / "try.log").read_text()

    def test_the_tool_itself_ends_with_one_sentence_and_exit_code_2(self):
        tool = [sys.executable, str(ROOT / "tools" / "environment.py"), "setup"]
        environ = {**os.environ, "DISTRO": "humble"}
        done = subprocess.run(tool, capture_output=True, text=True, env=environ, check=False)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("planar_arm_ik: DISTRO=humble is not known")
