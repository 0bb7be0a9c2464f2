"""``planar-arm completion``: a real shell asks, and is answered."""

import shlex
import shutil
import subprocess
import sys

import pytest

from planar_arm_ik.cli.main import main

pytest.importorskip("argcomplete")

#: What a shell does when TAB is pressed: call the function that the code registered.
SCRIPT = """
planar-arm() {{ {python} -c 'from planar_arm_ik.cli import main; main()' "$@"; }}
{code}
COMP_LINE={line}
COMP_POINT=${{#COMP_LINE}}
COMP_TYPE=9
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
COMP_WORDS=($COMP_LINE)
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_python_argcomplete planar-arm
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_code_for_every_shell_names_the_command(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "planar-arm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("planar-arm traj", {"trajectory"}),
        ("planar-arm dh abb", {"abb_irb_140"}),
        ("planar-arm solve 0.6 0 --rule min", {"min_shoulder"}),
    ],
)
def test_bash_completes_commands_options_and_names(line, expected, capsys):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    assert main(["completion", "bash"]) == 0
    script = SCRIPT.format(
        code=capsys.readouterr().out, line=shlex.quote(line), python=shlex.quote(sys.executable)
    )
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert set(done.stdout.split()) == expected, done.stderr


def test_without_argcomplete_the_line_to_install_it_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install 'planar_arm_ik[completion]'" in capsys.readouterr().err
