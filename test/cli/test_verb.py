"""How a verb is declared: what its declaration becomes in the parser."""

import pytest

from planar_arm_ik.cli.parser import Parser
from planar_arm_ik.cli.verb import Verb, add_verbs, option


@Verb("turn", "turn a wheel", examples=["turn 3"], options=[option("times", type=int, help="n")])
def turn(arguments):
    """Return the number as exit code."""
    return arguments.times


def parser_of(*verbs):
    parser = Parser(prog="planar-arm")
    add_verbs(parser, verbs, "commands", required=True)
    return parser


def test_a_declared_verb_reads_its_options_and_names_the_function_that_runs_it():
    arguments = parser_of(turn).parse_args(["turn", "3"])
    assert arguments.run(arguments) == 3


def test_a_summary_without_description_becomes_a_sentence_and_an_example_a_command(capsys):
    with pytest.raises(SystemExit):
        parser_of(turn).parse_args(["turn", "--help"])
    text = capsys.readouterr().out
    assert "\nTurn a wheel.\n" in text
    assert text.endswith("\nexample: planar-arm turn 3\n")


def test_notes_stand_as_they_are_in_place_of_examples(capsys):
    with pytest.raises(SystemExit):
        parser_of(Verb("turn", "turn", notes="a\n   b\n")).parse_args(["turn", "--help"])
    assert capsys.readouterr().out.endswith("\na\n   b\n")


def test_a_verb_that_does_not_run_requires_one_of_those_below_it(capsys):
    parser = parser_of(Verb("wheel", "wheels", verbs=[turn]))
    assert parser.parse_args(["wheel", "turn", "2"]).times == 2
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(["wheel"])
    assert caught.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_verb_that_runs_leaves_those_below_it_to_the_user():
    @Verb("wheel", "wheels", verbs=[turn], title="steps")
    def wheel(arguments):
        return 7

    parser = parser_of(wheel)
    alone, below = parser.parse_args(["wheel"]), parser.parse_args(["wheel", "turn", "2"])
    assert alone.run(alone) == 7
    assert below.run(below) == 2


def test_a_completer_reaches_the_shell_s_completion():
    parser = Parser()
    option("name", completer=lambda **_: ["a", "b"])(parser)
    assert [a.completer() for a in parser._actions if a.dest == "name"] == [["a", "b"]]
