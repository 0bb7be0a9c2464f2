"""The command line as a whole: help, examples, JSON, exit codes, one sentence for a mistake."""

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys

import pytest

from planar_arm_ik.cli.main import build_parser, main
from planar_arm_ik.cli.parser import keep_values


def leaves(parser, words=()):
    """Every command that can be run, nested ones too, with its words."""
    if parser.get_default("run"):
        yield words, parser
    nested = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    for action in nested:
        for name, sub in action.choices.items():
            yield from leaves(sub, (*words, name))


def is_in_order(words, typed):
    """Whether the words of a command are typed in their order, perhaps with values between."""
    rest = iter(typed)
    return all(word in rest for word in words)


COMMANDS = dict(leaves(build_parser()))
IDS = [" ".join(words) for words in COMMANDS]
#: Its output is code for a shell.
WITHOUT_JSON = {("completion",)}


@pytest.mark.parametrize("words", COMMANDS, ids=IDS)
def test_every_command_describes_itself_with_an_example_that_parses(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main([*words, "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    examples = re.findall(r"^\s*(?:example:)?\s*planar-arm (.*)$", text, re.MULTILINE)
    own = [line for line in examples if is_in_order(words, shlex.split(line))]
    assert own, f"no example in the help of {words}"
    for line in own:
        typed = shlex.split(re.split(r"\s[>|&]", line)[0])
        assert build_parser().parse_args(keep_values(typed)).run
    for action in COMMANDS[words]._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        assert action.help, f"{action.dest} of {words} is not explained"


@pytest.mark.parametrize("words", COMMANDS, ids=IDS)
def test_every_command_knows_json(words):
    options = [text for action in COMMANDS[words]._actions for text in action.option_strings]
    assert ("--json" in options) is (words not in WITHOUT_JSON)


@pytest.mark.parametrize(
    "line",
    [
        "solve 0.6 0 --json",
        "fk 0.1 0.2 --json",
        "dh rr --json",
        "dh scara 0.1 0.2 0.3 --json --frames --jacobian",
        "trajectory --json",
        "trajectory --json --degrees",
    ],
)
def test_json_is_one_object_of_plain_numbers(line, capsys):
    assert main(line.split()) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert isinstance(document, dict)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "COMMAND"),
        ("no-such-command", "invalid choice"),
        ("solve 0.6", "y"),
        ("solve 0.6 zero", "invalid float value: 'zero'"),
        ("solve 0.6 0 --rule best", "invalid choice: 'best'"),
        ("solve 0.6 0 --no-such-option", "unrecognized arguments"),
        ("solve 0.6 0 --config no.yaml", "no.yaml"),
        ("solve 0.6 0 --seed 1 nan", "finite"),
        ("fk nan 0", "finite"),
        ("fk 0 inf", "finite"),
        ("fk 0 -inf --degrees", "finite"),
        ("dh", "TABLE"),
        ("dh no_such_table", "no such file"),
        ("dh no_such_table.csv 1 2", "no such file"),
        ("dh rr 1", "RR planar arm needs 2 joint variables, got 1"),
        ("dh rr 1 2 3", "needs 2 joint variables, got 3"),
        ("dh rr 1 nan", "finite"),
        ("dh pp 1 nan", "q2 = nan"),
        ("dh pp 1 1e99", "at most 1e"),
        ("dh rr 1 two", "invalid float value: 'two'"),
        ("dh rr 1 2 --unit parsec", "invalid choice: 'parsec'"),
        ("dh rr --frames", "needs 2 joint variables for a pose"),
        ("dh rr 1 2 --plot no.gif", "must end in one of svg"),
        ("trajectory --q1 sin", "'sin' is not understood"),
        ("trajectory --q1 log(t)", "'log(t)' is not finite at t = 0"),
        ("trajectory --q2 exec(t) --degrees", "'exec(t)' is not understood"),
        ("trajectory --samples 1", "--samples 1 must be 2"),
        ("trajectory --samples 1.5", "invalid int value"),
        ("trajectory --l1 -1", "link length l1 = -1.0 m must be finite and positive"),
        ("trajectory --l2 nan", "link length l2 = nan"),
        ("trajectory --end 1/0", "not finite"),
        ("figures", "--out"),
        ("figures portrait --out x", "figure 'portrait' is unknown"),
        ("figures --out x --formats gif", "invalid choice: 'gif'"),
        ("completion", "shell"),
        ("batch no.csv", "no.csv"),
        ("check --urdf no.urdf", "no.urdf"),
        ("emulate sts --link nowhere/link --seconds 1", "nowhere/link: No such file"),
        ("path no.csv", "no.csv"),
        ("servo", "COMMAND"),
        ("servo read no.yaml", "no.yaml"),
        ("servo jog no.yaml joint1 far", "invalid float value: 'far'"),
        ("servo scan --backend feetech", "--port is missing"),
        ("servo set-id 1 2 --backend dynamixel", "--port is missing"),
        ("servo calibrate no.yaml finish", "no.yaml"),
        ("completion cmd", "invalid choice: 'cmd'"),
    ],
)
def test_a_user_error_is_one_sentence_and_code_2(line, words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(line.split())
    except SystemExit as ended:
        code = ended.code
    output = capsys.readouterr()
    assert code == 2
    assert output.out == ""
    assert output.err.startswith("planar-arm")
    assert output.err.count("\n") == 1
    assert words in output.err
    assert list(tmp_path.iterdir()) == []


def test_negative_numbers_of_every_form_are_values(capsys):
    assert main(["solve", "-3e-1", "-.2", "--json"]) == 0
    tiny = json.loads(capsys.readouterr().out)
    assert main(["solve", "-0.3", "-0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == tiny
    assert main(["trajectory", "--q1", "-cos(t)", "--q2", "-t/2", "--end", "-pi", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["q"][0] == [-1.0, 0.0]


def test_whatever_is_typed_ends_with_an_exit_code(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(12)
    commands = ["solve", "fk", "dh", "trajectory", "batch", "check", "completion", "servo"]
    words = ["0.3", "-1", "-1e-3", "nan", "inf", "1e400", "-", "--", "", " ", "x", "--json", "rr"]
    words += ["--degrees", "--seed", "--rule", "keep", "--q1", "cos(t)", "-t", "1/t", "--samples"]
    words += ["--end", "--config", "/", ".", "no.csv", "scara", "--frames", "--unit", "mm"]
    codes = set()
    for _ in range(300):
        line = [rng.choice(commands)] + [rng.choice(words) for _ in range(rng.randint(0, 5))]
        try:
            code = main(line)
        except SystemExit as ended:
            code = ended.code
        except Exception as error:
            pytest.fail(f"{line}: {error!r}")
        output = capsys.readouterr()
        assert code in (0, 1, 2), line
        assert "Traceback" not in output.err, line
        assert (code == 2) <= (output.err != ""), line
        codes.add(code)
    assert codes >= {0, 2}


def test_a_refused_target_is_code_1(capsys):
    assert main(["solve", "5", "0"]) == 1
    assert "TOO_FAR" in capsys.readouterr().out


RUN = "import sys; from planar_arm_ik.cli import main; sys.exit(main())"


def run_in_shell(arguments, **environment):
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        capture_output=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )


def test_a_reader_that_leaves_early_is_no_traceback():
    command = f"{shlex.quote(sys.executable)} -c 'from planar_arm_ik.cli import main; main()'"
    line = f"{command} trajectory --samples 100000 | head -n 1"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, timeout=60, check=False, text=True
    )
    assert "t [s]" in done.stdout
    assert done.stderr == ""


def test_a_terminal_without_unicode_is_no_traceback():
    pytest.importorskip("sympy")
    done = run_in_shell(["dh", "rr", "--symbolic"], PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"T =" in done.stdout
