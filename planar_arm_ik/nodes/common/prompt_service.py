"""A service that answers in a thread of its own, beside the executor.

An executor builds its wait set of everything the node has and makes a task of every request; and
whatever else the node does comes first. A thread that waits for one service spares that time (see
``benchmarks/ik_service.py``) and answers while the executor is held up. Where the handle's calls
are missing, the service falls back to the executor.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node

from planar_arm_ik.nodes.common.manual_group import ManualCallbackGroup


class PromptService:
    """A service with a thread.

    What `answer` raises is raised again in the executor, as from any other callback.

    Args:
        node: the owner; it calls :meth:`stop` before it is destroyed.
        kind: service type.
        name: service name.
        answer: takes a request and an empty response and returns the response; it runs in the
            service's thread, at the same time as the node's callbacks.
    """

    def __init__(
        self, node: Node, kind: Any, name: str, answer: Callable[[Any, Any], Any]
    ) -> None:
        self._kind = kind
        self._answer = answer
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._failure: Exception | None = None
        group = ManualCallbackGroup()
        self._service = node.create_service(kind, name, answer, callback_group=group)
        wait_set = getattr(rclpy_implementation, "WaitSet", None)
        if wait_set is None or not hasattr(self._service.handle, "service_take_request"):
            node.destroy_service(self._service)
            self._service = node.create_service(kind, name, answer)
            return
        self._wake = node.create_guard_condition(lambda: None, group)
        self._failed = node.create_guard_condition(self._raise)
        self._context = node.context
        self._thread = threading.Thread(target=self._run, args=(wait_set,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the answer under way and wait for it; again does nothing."""
        if self._thread is not None:
            self._stopping = True
            self._wake.trigger()
            self._thread.join()
            self._thread = None

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _run(self, wait_set: Any) -> None:
        try:
            self._serve(wait_set)
        except Exception as error:
            self._failure = error
            self._failed.trigger()

    def _serve(self, wait_set: Any) -> None:
        service, wake, context = self._service.handle, self._wake.handle, self._context.handle
        with service, wake, context:
            waiting = wait_set(0, 1, 0, 0, 1, 0, context)
            while not self._stopping:
                waiting.clear_entities()
                waiting.add_service(service)
                waiting.add_guard_condition(wake)
                waiting.wait(-1)
                request, header = service.service_take_request(self._kind.Request)
                if header is not None:
                    response = self._answer(request, self._kind.Response())
                    self._service.send_response(response, header)
