"""``planar-arm check``: do arm, robot description, controllers and calibration agree?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import yaml

from planar_arm_ik.cli.findings import (
    Finding,
    calibration_findings,
    control_findings,
    controller_findings,
    expand_xacro,
    urdf_findings,
)
from planar_arm_ik.cli.options import CONFIG, JSON, config_of, description_of
from planar_arm_ik.cli.output import answer
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.config import ArmDescription, installed_config
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.settings.settings import load_settings

_HARDWARE = ("", "mock", "topic")


@Verb(
    "check",
    "compare arm, URDF, controllers and calibration",
    "Names every contradiction between the files of an arm.",
    examples=["check --calibration config/servo_feetech.yaml"],
    options=[
        option("--urdf", type=Path, metavar="FILE", help="URDF or xacro"),
        option("--controllers", type=Path, metavar="FILE", help="controllers.yaml"),
        option("--calibration", type=Path, metavar="FILE", help="servo arm's file"),
        option("--prefix", default="", help="of joints and links"),
        JSON,
        CONFIG,
    ],
)
def check(arguments: argparse.Namespace) -> int:
    """Check and print; exit code 0 when there is no contradiction."""
    checked: list[str] = []
    findings = list(_findings(arguments, checked))
    errors = sum(finding.level == "error" for finding in findings)
    answer(
        arguments.json,
        {"checked": checked, "findings": [asdict(finding) for finding in findings]},
        *(f"{finding.level}: {finding.where}: {finding.message}" for finding in findings),
        f"{len(checked)} checked, {errors} contradictions, {len(findings) - errors} warnings",
    )
    return 1 if errors else 0


def _findings(arguments: argparse.Namespace, checked: list[str]) -> Iterator[Finding]:
    config, plain = config_of(arguments), description_of(arguments)
    share = installed_config().parents[1]
    arm = plain.prefixed(arguments.prefix)
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
