"""``planar-arm check``: do arm, robot description, controllers and calibration agree?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

from planar_arm_ik.cli.common import add_arm, add_json, print_json
from planar_arm_ik.cli.findings import (
    Finding,
    calibration_findings,
    control_findings,
    controller_findings,
    expand_xacro,
    urdf_findings,
)
from planar_arm_ik.config import ArmDescription, installed_config, load_description
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.settings.settings import load_settings

_HARDWARE = ("", "mock", "topic")


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "check",
        help="compare arm, URDF, controllers and calibration",
        description="Names every contradiction between the files of an arm.",
        epilog="example: planar-arm check --calibration config/servo_feetech.yaml",
    )
    parser.add_argument("--urdf", type=Path, metavar="FILE", help="URDF or xacro")
    parser.add_argument("--controllers", type=Path, metavar="FILE", help="controllers.yaml")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="servo arm's file")
    parser.add_argument("--prefix", default="", help="of joints and links")
    add_json(parser)
    add_arm(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; exit code 0 when there is no contradiction."""
    checked: list[str] = []
    findings = list(_findings(arguments, checked))
    errors = sum(finding.level == "error" for finding in findings)
    if arguments.json:
        print_json({"checked": checked, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            print(f"{finding.level}: {finding.where}: {finding.message}")
        print(
            f"{len(checked)} checked, {errors} contradictions, {len(findings) - errors} warnings"
        )
    return 1 if errors else 0


def _findings(arguments: argparse.Namespace, checked: list[str]) -> Iterator[Finding]:
    config = arguments.config or installed_config()
    share = installed_config().parents[1]
    arm = _prefixed(load_description(config), arguments.prefix)
    checked.append(str(config))
    urdf = arguments.urdf or share / "urdf" / "planar_arm.urdf.xacro"
    if urdf.exists() or arguments.urdf:
        yield from _urdf(urdf, config, arm, arguments.prefix, checked)
    controllers = arguments.controllers or share / "config" / "controllers.yaml"
    if controllers.exists() or arguments.controllers:
        checked.append(str(controllers))
        try:
            document = yaml.safe_load(controllers.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise PlanarArmError(f"{controllers}: {error}") from None
        yield from controller_findings(document, arm, arguments.prefix, str(controllers))
    if arguments.calibration:
        checked.append(str(arguments.calibration))
        settings = load_settings(arguments.calibration)
        plain = load_description(config)
        yield from calibration_findings(settings, plain, str(arguments.calibration))


def _urdf(
    path: Path, config: Path, arm: ArmDescription, prefix: str, checked: list[str]
) -> Iterator[Finding]:
    for hardware in _HARDWARE if path.suffix == ".xacro" else ("",):
        label = f"{path} ({hardware or 'plain'})"
        try:
            root = expand_xacro(
                path, config=str(config), prefix=prefix, ros2_control_hardware=hardware
            )
        except ImportError:
            yield Finding(
                "warning", str(path), "not checked: xacro is missing (pip install xacro)"
            )
            return
        except (OSError, ElementTree.ParseError) as error:
            raise PlanarArmError(f"{path}: {error}") from None
        except Exception as error:
            # xacro has no common base for what its expressions may raise.
            yield Finding("error", label, f"xacro fails: {' '.join(str(error).split())[:200]}")
            continue
        checked.append(label)
        yield from urdf_findings(root, arm, label)
        if hardware or root.find("ros2_control") is not None:
            yield from control_findings(root, arm, label)


def _prefixed(arm: ArmDescription, prefix: str) -> ArmDescription:
    first, second = arm.joint_names
    return replace(
        arm,
        joint_names=(prefix + first, prefix + second),
        base_frame=prefix + arm.base_frame,
        tip_frame=prefix + arm.tip_frame,
    )
