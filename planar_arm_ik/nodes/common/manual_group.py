"""A callback group whose entities a thread of the node's own serves, never the executor."""

from __future__ import annotations

from typing import Any

from rclpy.callback_groups import CallbackGroup


class ManualCallbackGroup(CallbackGroup):
    """Keeps the executor's hands off its entities: they stand in no wait set of an executor."""

    def can_execute(self, entity: Any) -> bool:
        """Never."""
        return False

    def beginning_execution(self, entity: Any) -> bool:
        """Never."""
        return False

    def ending_execution(self, entity: Any) -> None:
        """Nothing to do: nothing began."""
