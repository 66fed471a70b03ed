"""Builds of boxed bots: what their authors are told."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import BoxFailed, Sandbox, workshop
from tests.arena.programs import processes_with
from tests.arena.sandbox.users import need_bubblewrap
from tests.tournaments.league import until
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.boxed_builds import run_boxed_build
from tournaments.bots.preparation import prepare_all
from tournaments.errors import ArenaError, UserError

NETWORK = "; it has no network: put what it fetches into the bot's folder"


def refusal(folder: Path, *command: str, **limits: Any) -> str:
    with pytest.raises(UserError) as caught:
        run_boxed_build(command, folder, **limits)
    return str(caught.value)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    need_bubblewrap()
    return tmp_path


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 3", "ended with status 3 and printed nothing"),
        ("echo bot.c:1: error; exit 1", "ended with status 1\n    | bot.c:1: error"),
        ("kill -9 $$", "ended with signal 9 and printed nothing"),
        *(
            (f"echo {words!r}; exit 6", f"ended with status 6{NETWORK}\n    | {words}")
            for words in (
                "curl: (6) Could not resolve host: example.com",
                "dial tcp: lookup proxy.golang.org: i/o timeout",
                "npm ERR! code EAI_AGAIN",
                "Temporary failure in name resolution",
                "warning: spurious network error: [6] Couldn t resolve host name",
            )
        ),
    ],
)
def test_a_build_that_fails_says_how_and_whether_it_wanted_the_network(
    script: str, told: str, here: Path
) -> None:
    assert refusal(here, "sh", "-c", script) == f"the build `sh -c {script}` {told}"


def test_a_real_download_fails_for_want_of_a_network(here: Path) -> None:
    fetch = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')"
    assert NETWORK in refusal(here, "{python}", "-c", fetch)


def test_a_build_that_takes_too_long_is_stopped(here: Path) -> None:
    assert refusal(here, "sleep", "1000", time_limit=0.1) == (
        "the build `sleep 1000` was stopped after 0.1 seconds and printed nothing"
    )


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program", "'no-such-program' is not on PATH"),
        ("./none", "'./none' does not exist"),
        ("./plain", "'./plain' is not executable: run chmod +x on it"),
        ("./lost", "No such file or directory"),
        ("./text", "Exec format error"),
        ("./foreign", "'foreign' can't be started: 'start' is neither the bot's nor below /usr"),
    ],
)
def test_a_build_that_cannot_be_started_says_why(
    command: str, told: str, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    start = tmp_path_factory.mktemp("elsewhere") / "start"
    start.write_text("#!/bin/sh\n")
    start.chmod(0o755)
    texts = {"plain": "", "lost": "#!/no/interpreter\n", "text": "", "foreign": f"#!{start}\n"}
    for name, text in texts.items():
        (here / name).write_text(text)
        (here / name).chmod(0o644 if name == "plain" else 0o755)
    assert refusal(here, command).startswith(f"the build `{command}` cannot be started: {told}")


def test_an_interrupted_build_ends_with_its_children_and_gives_the_folder_back(here: Path) -> None:
    seconds = str(2_000_000 + os.getpid())

    def interrupt() -> None:
        until((here / "begun").exists)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run_boxed_build(["sh", "-c", f"setsid sleep {seconds} & echo > begun; wait"], here)
    thread.join()
    assert not processes_with(f"sleep\0{seconds}")
    assert (here / "begun").stat().st_uid == os.geteuid()


def test_a_box_that_fails_is_no_fault_of_the_bots(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(*_: object, **__: object) -> None:
        raise BoxFailed("why")

    monkeypatch.setattr(workshop, "make", make)
    with pytest.raises(ArenaError, match=r"the build `true`: .*be boxed in: why: ask"):
        run_boxed_build(["true"], here)


def test_the_copy_is_built_in_a_box_and_the_original_is_left_alone(here: Path) -> None:
    own = here / "bot"
    own.mkdir()
    (own / "bot.yaml").write_text(
        'command: [./made]\nbuild: [sh, -c, "pwd > made; chmod +x made"]\n'
    )
    (program,) = prepare_all(
        [bot_from_argument("bot", here)], here / "copies", Sandbox("bubblewrap")
    )
    made = Path(program.command[0])
    assert made.read_text() == "/bot\n"
    assert made.is_relative_to(here / "copies")
    assert made.stat().st_uid == os.geteuid()
    assert [path.name for path in own.iterdir()] == ["bot.yaml"]


def test_what_a_stopped_build_has_left_does_not_keep_the_next_from_being_made(here: Path) -> None:
    own = here / "bot"
    own.mkdir()
    deep = "mkdir -p $(seq -s / 900); chmod 0 1/2/3"
    (own / "bot.yaml").write_text(f'command: [sh]\nbuild: [sh, -c, "{deep}"]\n')
    for _ in range(2):
        with pytest.raises(UserError, match="for making a path of more than 800 bytes"):
            prepare_all([bot_from_argument("bot", here)], here / "copies", Sandbox("bubblewrap"))
