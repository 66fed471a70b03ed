"""In words: all of it as one page of Markdown."""

from collections.abc import Iterator
from typing import Final

from arena.rules.presets import PRESETS
from arena.rules.words.documents import DOCUMENTS, PRESET_WORDS, cited
from arena.rules.words.options import as_yaml, differences, options
from arena.rules.words.parts import Rule
from arena.rules.words.sections import in_words, instead

_STANDARD: Final = PRESETS["standard"]
_INTRODUCTION: Final = """\
# The rules of the game

Spades is played in many ways. These are the rules that the arena plays, numbered as its code, its
messages and its records cite them (`R5.4`); where people play differently, an option chooses. Each
rule names the documents that it rests on, and where these contradict each other, which of the
readings is the default and which option gives the other.

`spades-arena rules PRESET` prints them as a preset has them, and `spades-arena judge` answers
questions about them, for testing an engine of one's own.

This page is made from `arena/rules/words`; a test compares them. To write it anew:

    python -m arena.rules.words > docs/rules.md

Words: a *deal* is one round of 52 cards, played in 13 *tricks*. A *hand* is the cards of a seat. A
*match* is deals until a side has won. A *side* is a partnership or, in solo play, one seat. A *bag*
is a trick more than was bid.
"""


def page() -> str:
    """The page: documents, presets, options, and the rules at their defaults."""
    parts = [_INTRODUCTION, *_documents(), *_presets(), *_options()]
    for section in in_words(_STANDARD):
        parts.append(f"\n## {section.number} {section.title}\n")
        parts.append("\n".join(map(_rule, section.rules)).rstrip("\n"))
    return "\n".join(parts) + "\n"


def _documents() -> Iterator[str]:
    yield "## The documents\n"
    yield "| cited as | title | what it is |\n|---|---|---|"
    for label, document in DOCUMENTS.items():
        yield f"| {label} | {document.title} | {document.about} |"


def _presets() -> Iterator[str]:
    yield "\n## Presets\n"
    yield "A line of the tournament file chooses one: `rules: classic`.\n"
    yield "| name | in a sentence | source | differs from `standard` by |\n|---|---|---|---|"
    for name, rules in PRESETS.items():
        lines = ", ".join(f"`{as_yaml(*item)}`" for item in differences(rules).items())
        words = PRESET_WORDS[name]
        yield f"| `{name}` | {words.sentence} | {words.source} | {lines or 'nothing'} |"


def _options() -> Iterator[str]:
    yield "\n## Options\n"
    yield "Any of them can be set beside a preset: `rules: {preset: app, target: 250}`."
    yield "Numbers are whole.\n"
    yield "| option | values | default | sets |\n|---|---|---|---|"
    for option in options():
        default = "null" if option.default is None else option.default
        yield f"| `{option.key}` | {option.values} | {default} | {option.meaning} |"


def _rule(rule: Rule) -> str:
    lines = [f"**{rule.number}** {_cited(rule)}"]
    if rule.note:
        lines.append(f"\n{rule.note}")
    if rule.alternatives:
        lines.append("")
    for choice in rule.alternatives:
        lines.append(f"- `{as_yaml(*choice)}`: {_cited(instead(_STANDARD, rule.number, choice))}")
    return "\n".join(lines) + "\n"


def _cited(rule: Rule) -> str:
    return f"{rule.text} *({cited(rule.documents)})*"
