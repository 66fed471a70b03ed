"""Every block of the documentation is run or checked, or carries the reason why it is not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import BLOCKS, PAGES, ROOT, Block
from tests.docs.stories import Step, matches, steps, tell
from tests.tournaments.replayed import record
from tournaments.files import source
from tournaments.files.shape import check_shape
from tournaments.files.vocabulary import BotFile, TournamentFile

STORIES = sorted({block.page for block in BLOCKS if block.language == "console"})
"""Pages that are gone through from their first block to their last."""

HELD_ELSEWHERE = {
    ("protocol/README.md", "python"): "tests/protocol/test_readme.py",
    ("protocol/README.md", "sh"): "tests/protocol/test_readme.py",
    ("README.md", "python"): "tests/test_docs.py",
    ("docs/bots.md", "make"): "tests/test_docs.py",
    ("docs/replay.md", "python"): "tests/docs/test_blocks.py",
}
"""Page and language -> the tests that run such blocks there."""


def whole(block: Block) -> str:
    """A tournament file of which a page shows a part, with bots."""
    return block.text if "bots:" in block.text else f"{block.text}\nbots: [a, b]\n"


def is_yaml(block: Block) -> None:
    read = source.parse(Path("block.yaml"), block.text)
    if isinstance(read.data, dict) and "command" in read.data:
        check_shape(read, BotFile)
    else:
        read = source.parse(Path("block.yaml"), whole(block))
        check_shape(read, TournamentFile)
    read.raise_problems()


def is_json(block: Block) -> None:
    try:
        json.loads(block.text)
    except ValueError:
        for line in block.text.splitlines():
            json.loads(line)


def is_shell(block: Block) -> None:
    subprocess.run(["sh", "-n"], input=block.text, text=True, check=True)


def is_output(_: Block) -> None:
    """It shows what was printed elsewhere, or a picture."""


CHECKS = {"yaml": is_yaml, "json": is_json, "sh": is_shell, "text": is_output}
"""Language -> what is checked of a block on a page that is no story."""


@pytest.mark.parametrize("page", STORIES)
def test_a_story_goes_as_it_is_told(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    tell([block for block in BLOCKS if block.page == page and block.language != "text"], folder)


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.page not in STORIES],
    ids=[f"{block.page}:{block.line}" for block in BLOCKS if block.page not in STORIES],
)
def test_a_block_is_checked_or_says_why_not(block: Block) -> None:
    if block.reason:
        return
    held = HELD_ELSEWHERE.get((block.page, block.language))
    if held:
        assert Path(block.page).name in (ROOT / held).read_text()
    else:
        assert block.language in CHECKS, (
            f"{block.page}:{block.line}: nobody runs a block {block.language!r} there: make it a"
            " transcript (`console`), a file of one, or say why not: <!-- not run: ... -->"
        )
        CHECKS[block.language](block)


def test_a_replay_is_packed_as_its_page_says(tmp_path: Path) -> None:
    (program,) = [block for block in BLOCKS if block.page == "docs/replay.md" and not block.file]
    (tmp_path / "match.jsonl").write_bytes(record())
    subprocess.run(
        [sys.executable, "-c", program.text],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert json.loads((tmp_path / "match.json").read_text())


def test_every_page_has_its_place_in_the_index() -> None:
    index = PAGES["docs/README.md"]
    pages = {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")}
    assert {page for page in pages - {"README.md"} if f"]({page})" not in index} == set()


def test_nothing_that_is_typed_hides_in_a_block_that_is_not_run() -> None:
    for block in BLOCKS:
        if block.language == "text" and block.page != "protocol/README.md":
            typed = [line for line in block.text.splitlines() if line.startswith("$ ")]
            assert not typed, f"{block.page}:{block.line}"


def test_a_transcript_is_commands_and_what_they_print() -> None:
    assert list(steps("$ one\nfirst\n\n$ two \\\n>   three\n$ four\n")) == [
        Step("one", ["first", ""]),
        Step("two \\\n  three", []),
        Step("four", []),
    ]


SHOWN = [
    (["a"], "a\n", True),
    (["a"], "b\n", False),
    (["a"], "", False),
    ([], "", True),
    ([], "a\n", False),
    (["a b"], "a    b  \n", True),
    (["  a"], "    a\n", True),
    (["ab"], "a b\n", False),
    (["match ... ends"], "match 12ef ends\n", True),
    (["match ... ends"], "match 12ef\nends\n", False),
    (["a", "..."], "a\n", True),
    (["a", "...", "d"], "a\nb\nc\nd\n", True),
    (["a", "...", "d"], "a\nb\nc\n", False),
    (["(a|b)*"], "(a|b)*\n", True),
]


@pytest.mark.parametrize(("shown", "printed", "same"), SHOWN)
def test_what_is_printed_is_held_against_what_is_shown(
    shown: list[str], printed: str, same: bool
) -> None:
    assert matches(shown, printed) is same


def made(language: str, text: str, *, file: str = "", reason: str = "") -> Block:
    return Block("page.md", 7, language, file, text, reason)


def test_a_story_saves_files_and_runs_what_is_typed(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    tell(
        [
            made("sh", "echo $1\n", file="inner/say.sh"),
            made("console", "$ sh inner/say.sh hello\nhello\n$ spades-arena --version\n...\n"),
            made("console", "$ false\nnot so\n", reason="it is not so"),
        ],
        folder,
    )
    for wrong in (made("console", "$ echo a\nb\n"), made("python", "pass\n")):
        with pytest.raises(AssertionError, match=r"page\.md:7"):
            tell([wrong], folder)
