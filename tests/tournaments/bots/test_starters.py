"""`new`: each bot to start from builds, passes its own test, plays, decides as all others do."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.match import play, specify
from arena.program import Program
from arena.rules import PRESETS
from arena.sandbox import NoSandbox, Sandbox, find
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.made_once import alone
from tests.sample_bots import seated
from tournaments.bots import starters
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.preparation import prepare_all
from tournaments.bots.starters import LANGUAGES, make, missing
from tournaments.errors import UserError

ROOT = Path(__file__).parents[3]
FOLDERS = ROOT / "sample_bots"
HERE = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
"""PATH with this Python first, as in an environment that has been activated."""


def new(*words: str, folder: Path, path: str = HERE) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tournaments.cli", "new", *words],
        cwd=folder,
        env={"PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    found = str(request.param)
    if lacks := missing(found):
        pytest.skip(f"a bot in {found} needs {' and '.join(lacks)}, not on PATH")
    return found


@pytest.fixture(scope="module")
def made(language: str, once: Path) -> Path:
    """The folder of a bot that the command has made in this language."""
    folder = once / "bots" / f"my-{language}"
    with alone(once / f"my-{language}"):
        if not folder.exists():
            done = new(f"bots/my-{language}", "--language", language, folder=once)
            assert (done.returncode, done.stderr) == (0, "")
    return folder


def box() -> Sandbox:
    """The box of this machine, if it has one: toolchains are to be found in it, too."""
    try:
        return Sandbox(find("bubblewrap"))
    except NoSandbox:
        return Sandbox("none")


@pytest.fixture(scope="module")
def program(made: Path, once: Path) -> Program:
    """The bot, built in a copy."""
    source = bot_from_argument(str(made), Path())
    with alone(once / made.name):
        (program,) = prepare_all([source], once, box())
    return program


def recorded(rules: Rules) -> list[bytes]:
    """What a seat of `counting` is sent in a match, which bids blind nil where it pays."""
    _, bots = seated.play("counting", "python", seed=6, rules=rules)
    return [line for line, _ in bots[0].lines]


def hands() -> list[bytes]:
    """The requests to bid of many deals, of all seats: nils are rare."""
    rules = Rules(max_deals=25, target=5_000)
    _, bots = seated.play("random_legal", "random_legal", rules=rules)
    return [line for bot in bots for line, _ in bot.lines if b'"type":"bid"' in line]


@pytest.fixture(scope="module")
def conversations() -> list[tuple[bytes, bytes]]:
    """What is sent in matches under many rules, and what the bot in Python replies."""
    kinds = [
        Rules(blind_nil=200, blind_nil_exchange=2, max_deals=3),
        Rules(blind_nil=200, blind_nil_exchange=3, max_deals=3, deck="jokers"),
        Rules(deck="jokers_nyc", lead_spades="any_time", min_team_bid=4, max_deals=3),
        PRESETS["solo_short"],
    ]
    sent = [recorded(Rules(max_deals=1)) + hands(), *map(recorded, kinds)]
    reply = seated.new("python")
    return [(b"".join(lines), b"".join(filter(None, map(reply, lines)))) for lines in sent]


def run_its_own_test(made: Path) -> None:
    first = re.search(r"^    (.*)$", (made / "README.md").read_text(), re.MULTILINE)
    assert first
    done = subprocess.run(
        ["bash", "-c", first[1]],
        cwd=made,
        env={**os.environ, "PATH": HERE},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_bot_passes_its_own_test(made: Path, once: Path) -> None:
    with alone(once / made.name):
        run_its_own_test(made)


@pytest.mark.parametrize("language", ["python", "c", "javascript", "bash"], indirect=True)
def test_its_test_finds_a_wrong_reply(made: Path, once: Path) -> None:
    file = made / "conversation.txt"
    with alone(once / made.name):
        right = file.read_text()
        file.write_text(right.replace('"bid":4}', '"bid":5}'))
        try:
            with pytest.raises(AssertionError, match='"bid":5}'):
                run_its_own_test(made)
        finally:
            file.write_text(right)


def test_all_languages_decide_alike(
    program: Program, language: str, conversations: list[tuple[bytes, bytes]]
) -> None:
    held = conversations[::2] if language == "bash" else conversations  # it takes its time
    requests, replies = map(b"".join, zip(*held, strict=True))
    done = subprocess.run(
        program.command, cwd=program.folder, input=requests, capture_output=True, timeout=300
    )
    assert done.stderr == b""
    assert done.stdout.splitlines() == replies.splitlines()
    assert done.returncode == 0


@pytest.mark.parametrize("step", [1, 2])
def test_the_conversations_ask_for_everything(
    step: int, conversations: list[tuple[bytes, bytes]]
) -> None:
    requests, replies = map(b"".join, zip(*conversations[::step], strict=True))
    for kind in ("hello", "blind_nil", "bid", "exchange", "play", "deal_end", "match_end"):
        assert requests.count(f'"type":"{kind}"'.encode()) >= 3, kind
    assert replies.count(b'"bid":0}') > 1
    assert len(replies.splitlines()) > 200


def test_a_match_is_played_without_a_fault(program: Program) -> None:
    spec = specify(
        "m",
        seed_root(1),
        dict.fromkeys(SEATS, program),
        rules=Rules(max_deals=1),
        clock=Clocks(start_ms=60_000, move_ms=60_000, exit_ms=10_000),
        faults=FaultPolicy(),
        sandbox=box(),
    )
    result = play(spec)
    assert (result.faults, result.reason, result.deals) == ({}, "max_deals", 1)


def test_it_has_the_name_of_its_folder_and_its_own_files_alone(made: Path, language: str) -> None:
    assert yaml.safe_load((made / "bot.yaml").read_text())["name"] == f"my-{language}"
    assert (made / "README.md").read_text().startswith(f"# my-{language}\n")
    source = FOLDERS / language
    listed = subprocess.run(
        ["git", "ls-files", "-s", "."], cwd=source, capture_output=True, text=True
    )
    if listed.returncode == 0 and listed.stdout:
        for mode, _, _, name in (line.split(maxsplit=3) for line in listed.stdout.splitlines()):
            assert bool((made / name).stat().st_mode & stat.S_IXUSR) == (mode == "100755"), name


def test_what_a_build_has_left_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    shutil.copytree(FOLDERS / "c", source)
    (source / "target").mkdir(exist_ok=True)
    (source / "target" / "bot").write_bytes(b"\xff")
    monkeypatch.setattr(starters, "source_of", lambda _: source)
    make(tmp_path / "bot", "c")
    assert not (tmp_path / "bot" / "target").exists()
    assert (tmp_path / "bot" / "Makefile").exists()


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("My Bot!", "my-bot"),
        ("2048", "2048"),
        ("null", "null"),
        ("ünïcode", "n-code"),
        ("...", "bot"),
    ],
)
def test_a_name_is_made_to_fit(folder: str, name: str, tmp_path: Path) -> None:
    assert make(tmp_path / folder, "python") == name
    assert bot_from_argument(folder, tmp_path).name == name


@pytest.mark.parametrize(
    ("folder", "typed"), [("-x", "./-x"), ("a b", "'a b'"), ("e\x1b[2J\nx", r"'e\x1b[2J\nx'")]
)
def test_the_folder_is_told_as_it_may_be_typed(folder: str, typed: str, tmp_path: Path) -> None:
    told = new("--", folder, folder=tmp_path).stdout
    assert told.startswith(f"{typed}: the bot ")
    assert f"spades-arena check {typed} " in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["full"], "the folder 'full' is not empty: name a new one"),
        (["full/file"], "the folder 'full/file' can't be made: it is there, and no folder"),
        (["full/file/bot"], "the folder 'full/file/bot' can't be made: Not a directory"),
        (["bot", "--language", "Rust!"], "no bot to start from in 'Rust!': did you mean 'rust'?"),
        (["bot", "--language", "cobol"], "no bot to start from in 'cobol': there are python, c, "),
    ],
)
def test_what_can_not_be_made_is_refused(words: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    done = new(*words, folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {told}")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full"]


@pytest.mark.parametrize("is_there", [True, False])
def test_what_fails_leaves_nothing_behind(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, written = tmp_path / "bot", []
    if is_there:
        folder.mkdir()
    write = Path.write_text

    def fill_the_disk(path: Path, *words: str) -> int:
        written.append(path)
        if len(written) == 8:
            raise OSError(28, "No space left on device")
        return write(path, *words)

    monkeypatch.setattr(Path, "write_text", fill_the_disk)
    with pytest.raises(UserError, match="can't be made: No space left on device"):
        make(folder, "rust")
    assert written[-1].parent.name == "src"
    assert folder.exists() == is_there
    assert not is_there or not any(folder.iterdir())


def test_it_tells_the_next_steps_and_what_the_machine_lacks(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = new("empty", "--language", "rust", folder=tmp_path, path="")
    assert done.returncode == 0
    assert "spades-arena match empty empty -o match.jsonl" in done.stdout
    assert done.stdout.endswith("lacks cargo and cc: https://rustup.rs, or apt-get install cargo\n")


def texts(name: str) -> Iterator[str]:
    for language in LANGUAGES:
        yield (FOLDERS / language / name).read_text()


def test_all_have_the_same_conversation_and_the_same_strategy_in_words() -> None:
    assert len(set(texts("conversation.txt"))) == 1
    assert len({text.partition("\n## The strategy\n")[2] for text in texts("README.md")}) == 1
    assert all("\n## The strategy\n" in text for text in texts("README.md"))


def test_the_bots_in_c_read_messages_alike() -> None:
    one, other = (FOLDERS / name / "message.h" for name in ("c", "c_counting"))
    assert one.read_text() == other.read_text()


def test_the_package_has_all_of_them() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    paths = wheel["targets"]["wheel"]["only-include"]
    packed = [path.removeprefix("sample_bots/") for path in paths if "/" in path]
    assert packed == list(LANGUAGES)
