"""Reports of a servo arm as ``/diagnostics`` messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue

from planar_arm_ik.servo.control.report import ArmReport, ArmState

_WHAT = {
    ArmState.LIMP: "limp: call ~/enable",
    ArmState.HOMING: "switching on one joint after the other",
    ArmState.STOPPING: "shutting down",
    ArmState.CLOSED: "shut down",
}


def diagnostics_name(driver: str) -> str:
    """Name of a driver's status, from its fully qualified node name."""
    return f"{driver}: servos"


def to_diagnostics(
    report: ArmReport, driver: str, hardware: str, names: Sequence[str], periods: Sequence[float]
) -> DiagnosticStatus:
    """Fill a diagnostic status: OK when it follows, WARN when it does not, ERROR in a fault.

    Args:
        report: of the last cycle.
        driver: fully qualified name of the node.
        hardware: backend and address.
        names: of the joints.
        periods: measured times between cycles [s].
    """
    status = DiagnosticStatus(name=diagnostics_name(driver), hardware_id=hardware)
    status.level, status.message = _summary(report)
    values: dict[str, object] = {
        "state": report.state.name.lower(),
        "gate": "open" if report.gate_open else "closed",
        "position": "measured" if report.measured else "estimated (no feedback)",
        "misses in a row": report.misses,
        "misses": report.total_misses,
        "last bus error": report.reason,
    }
    if periods:
        values["rate [Hz]"] = f"{1.0 / float(np.mean(periods)):.2f}"
        values["period p99 [ms]"] = f"{1e3 * float(np.percentile(periods, 99)):.2f}"
    for k, name in enumerate(names):
        health = report.health[k]
        if report.position is not None:
            values[f"{name} angle [rad]"] = f"{report.position[k]:.5f}"
        if report.ticks:
            values[f"{name} goal [ticks]"] = report.ticks[k]
        if health.voltage is not None:
            values[f"{name} supply [V]"] = f"{health.voltage:.1f}"
        if health.temperature is not None:
            values[f"{name} temperature [deg C]"] = f"{health.temperature:.0f}"
    status.values = [KeyValue(key=key, value=str(value)) for key, value in values.items()]
    return status


def _summary(report: ArmReport) -> tuple[bytes, str]:
    if report.state is ArmState.FAULT:
        return DiagnosticStatus.ERROR, f"fault: {report.reason}"
    if report.state is not ArmState.ENABLED:
        return DiagnosticStatus.WARN, _WHAT[report.state]
    if not report.gate_open:
        return DiagnosticStatus.WARN, "enabled and holding: no command near the arm yet"
    if report.misses:
        return DiagnosticStatus.WARN, f"bad cycle: {report.reason}"
    return DiagnosticStatus.OK, "following" if report.measured else "following, pose estimated"
