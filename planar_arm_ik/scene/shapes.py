"""Proportions of the arm's body, as fractions of its reach.

``urdf/planar_arm.urdf.xacro`` holds the same fractions; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.arm.planar_arm import PlanarArm


@dataclass(frozen=True)
class ArmShape:
    """Sizes of links, hubs and tip [m].

    Args:
        link_radii: radius of the capsule of link 1 and of link 2.
        hub_radius: radius of the cylinder on a joint axis.
        hub_height: its height, along z.
        cap_radius: radius of the bright cap on either end of a hub.
        stack: distance in z between the axes of the two links, so that the arm can fold; link 1
            lies half of it below the plane, link 2 half of it above.
        tip_radius: radius of the cylinder that marks the tip; it is 0.9 of a hub high.
    """

    link_radii: tuple[float, float]
    hub_radius: float
    hub_height: float
    cap_radius: float
    stack: float
    tip_radius: float


def arm_shape(arm: PlanarArm) -> ArmShape:
    """Sizes for an arm of this reach."""
    reach = arm.outer_radius
    return ArmShape(
        link_radii=(0.032 * reach, 0.024 * reach),
        hub_radius=0.048 * reach,
        hub_height=0.14 * reach,
        cap_radius=0.026 * reach,
        stack=0.066 * reach,
        tip_radius=0.032 * reach,
    )
