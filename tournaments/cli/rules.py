"""`rules` and `judge`: the rules in words, and answers to questions about them."""

import codecs
import os
import sys
import textwrap
from collections.abc import Iterator
from typing import Final

import click
import msgspec

from arena.answers import refuse_long_line
from arena.rules import PRESETS
from arena.rules.words import (
    DOCUMENTS,
    PRESET_WORDS,
    Choice,
    Rule,
    as_yaml,
    cited,
    differences,
    in_words,
    instead,
)
from protocol.messages import LINE_LIMIT
from protocol.rules import Rules
from tournaments.errors import UserError, did_you_mean, quoted
from tournaments.judging import answered

WIDTH: Final = 80
"""Columns of what `rules` prints."""
CHUNK: Final = 1 << 16
"""Bytes of questions that are answered in one write."""


@click.command(short_help="Show the presets of the rules, or one of them in words.")
@click.argument("preset", required=False)
def rules(preset: str | None) -> None:
    """Show the presets of the rules, or all rules of PRESET in words and as YAML.

    \b
    spades-arena rules
    spades-arena rules classic
    """
    if preset is None:
        _list_presets()
    elif preset not in PRESETS:
        near = did_you_mean(preset, PRESETS)
        raise UserError(
            f"there is no preset {quoted(preset)}{near or ': there are ' + ', '.join(PRESETS)}"
        )
    else:
        _show_preset(preset)


def _list_presets() -> None:
    _heading("Presets")
    for name, rules in PRESETS.items():
        words = PRESET_WORDS[name]
        lines = ", ".join(as_yaml(*each) for each in differences(rules).items())
        _wrapped(words.sentence, first=f"  {name:<13}", then=" " * 15)
        for line in (f"source: {words.source}", f"options: {lines or 'the defaults'}"):
            _wrapped(line, first=" " * 15, then=" " * 17)
    _wrapped(
        "`rules: NAME` in a tournament file chooses one, `rules: {preset: NAME, target: 250}` one"
        " with changes. `spades-arena rules NAME` explains it.",
        first="\n",
    )
    _list_documents()


def _list_documents() -> None:
    _heading("\nThe documents behind them")
    for label, document in DOCUMENTS.items():
        _wrapped(f"{document.title}: {document.about}", first=f"  {label:<17}", then=" " * 19)


def _show_preset(name: str) -> None:
    rules = PRESETS[name]
    words = PRESET_WORDS[name]
    click.echo(click.style(name, bold=True) + f" ({words.source})")
    _wrapped(words.sentence)
    _show_differences(rules)
    for section in in_words(rules):
        _heading(f"\n{section.number} {section.title}")
        for rule in section.rules:
            _show_rule(rules, rule)
    _heading("\nUnder `rules:` in a tournament file")
    for key, value in msgspec.to_builtins(rules).items():
        click.echo(f"  {as_yaml(key, value)}")
    _list_documents()


def _show_differences(rules: Rules) -> None:
    """What the preset changes: the options, and the rules that read otherwise."""
    standard = PRESETS["standard"]
    if rules == standard:
        click.echo("This is what other presets are compared with.")
        return
    _heading("\nDiffers from standard")
    for key, value in differences(rules).items():
        click.echo(f"  {as_yaml(key, value):<32}# standard: {as_yaml(key, getattr(standard, key))}")
    usual = {rule.number: rule for section in in_words(standard) for rule in section.rules}
    for section in in_words(rules):
        for rule in section.rules:
            if rule.text != usual[rule.number].text:
                _wrapped(rule.text, first=f"  {rule.number:<6}", then=" " * 8)


def _show_rule(rules: Rules, rule: Rule) -> None:
    _wrapped(_cited(rule), first=f"  {rule.number:<6}", then=" " * 8)
    if rule.note:
        _wrapped(rule.note, first=" " * 8, then=" " * 8)
    for choice in rule.alternatives:
        _show_choice(rules, rule, choice)


def _show_choice(rules: Rules, rule: Rule, choice: Choice) -> None:
    other = instead(rules, rule.number, choice)
    _wrapped(f"{as_yaml(*choice)} -> {_cited(other)}", first=" " * 8, then=" " * 10)


def _cited(rule: Rule) -> str:
    return f"{rule.text} [{cited(rule.documents)}]"


def _heading(text: str) -> None:
    click.secho(text, bold=True)


def _wrapped(text: str, first: str = "", then: str = "") -> None:
    click.echo(
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=then,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


@click.command()
def judge() -> None:
    """Answer questions about the rules, JSON lines in and out.

    For testing one's own engine. A question has a `kind`: `scoring`, `match_end`, `bidding`,
    `legality` or `trick_winner`; `rules` as in a tournament file; an `id`, which its answer has
    too; and what docs/judge.md says of its kind. An answer is the fields asked for, or `error`.

    \b
    spades-arena judge < questions.jsonl
    """
    for lines in _arriving():
        answers = [refuse_long_line() if line is None else answered(line) for line in lines]
        click.echo(b"".join(answer + b"\n" for answer in answers), nl=False)


def _arriving() -> Iterator[list[bytes | None]]:
    """The lines that can be had without waiting for more, again and again; None: one too long.

    So whoever writes a line and waits has the answer, and a file is answered in large pieces.
    Blank lines are left out, and so is a byte order mark before the first.
    """
    rest, too_long, mark = b"", False, codecs.BOM_UTF8
    while data := _read():
        *ended, rest = (rest + data).split(b"\n")
        lines: list[bytes | None] = []
        for line in ended:
            line, mark = line.removeprefix(mark), b""
            if too_long or len(line) > LINE_LIMIT:
                lines.append(None)
            elif line.strip():
                lines.append(line)
            too_long = False
        if len(rest) > LINE_LIMIT:
            rest, too_long = b"", True
        yield lines
    if too_long:
        yield [None]
    elif rest := rest.removeprefix(mark).strip():
        yield [rest]


def _read() -> bytes:
    """What stands in standard input now, at most CHUNK; waits for some; empty at its end."""
    if sys.stdin is None:
        raise UserError("standard input is closed: give it the questions, a line each")
    try:
        return os.read(sys.stdin.fileno(), CHUNK)
    except OSError as error:
        raise UserError(f"standard input can't be read: {error.strerror}") from None
