"""The numbers of the enums are the constants of the interfaces."""

import re

import pytest

from places import ROOT
from planar_arm_ik import Branch, FollowerState, IkStatus

MESSAGES = ROOT / "planar_arm_ik_interfaces" / "msg"


@pytest.mark.parametrize("enum", [IkStatus, FollowerState], ids=lambda enum: enum.__name__)
def test_enum_and_message_agree_on_every_constant(enum):
    text = (MESSAGES / f"{enum.__name__}.msg").read_text()
    constants = dict(re.findall(r"^int8 ([A-Z_]+)\s*=\s*(-?\d+)", text, re.MULTILINE))
    assert {name: int(value) for name, value in constants.items()} == {
        member.name: member.value for member in enum
    }


def test_the_other_branch_of_none_is_none():
    assert Branch.POSITIVE.other is Branch.NEGATIVE
    assert Branch.NEGATIVE.other is Branch.POSITIVE
    assert Branch.NONE.other is Branch.NONE
