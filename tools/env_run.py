"""Running programs quietly: output goes to a log, the user sees one line per stage."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from env_error import SetupError
from env_place import Place


@contextlib.contextmanager
def stage(title: str) -> Iterator[None]:
    """Say what takes so long, and how long it took."""
    begin = time.monotonic()
    print(f"planar_arm_ik: {title} ...", file=sys.stderr, flush=True)
    yield
    print(f"planar_arm_ik: {title}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)


def run_logged(
    place: Place,
    name: str,
    command: list[str],
    failure: str,
    hint: Callable[[str], str] = lambda output: "",
    environ: Mapping[str, str] | None = None,
) -> None:
    """Run a command into `log/<name>.log`; a failure is one sentence, by `hint` if it knows."""
    place.log.mkdir(parents=True, exist_ok=True)
    log = place.log / f"{name}.log"
    with open(log, "wb") as output:
        code = subprocess.run(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=place.root,
            env=clean(os.environ) if environ is None else environ,
            close_fds=False,  # the lock
        ).returncode
    if code:
        text = log.read_text(errors="replace")
        raise SetupError(
            hint(text) or f"{failure} (exit code {code}), see why: tail -n 40 '{log}'"
        )


def quiet_python(place: Place, code: str) -> subprocess.CompletedProcess[str]:
    """Run a line of Python in the venv."""
    command = [str(place.python), "-c", code]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=place.folder, env=clean(os.environ)
    )


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """Leave out what an outer make would tell the makes inside."""
    return {
        k: v
        for k, v in environ.items()
        if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
    }
