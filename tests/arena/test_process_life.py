"""Child processes as bots: how they are started, and how nothing is left of them."""

import errno
import os
import stat
import time
from pathlib import Path

import pytest
from msgspec import structs

from arena import process, scratch
from arena.bot import BotFault
from arena.process import BotProcess, close_all
from arena.program import Program
from arena.sandbox import none
from tests.arena.programs import (
    PATIENT,
    bad_bot,
    bid,
    children,
    echo,
    hello,
    match_end,
    note,
    processes_with,
    seated,
    written,
)

# The start


def test_a_process_gets_a_clean_environment_and_an_empty_folder(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1")
    tell_all = (
        "json.dumps([dict(os.environ), os.getcwd(), os.listdir(os.environ['HOME']),"
        " os.stat(os.environ['HOME']).st_mode, os.getsid(0) == os.getpid(),"
        " sorted(os.listdir('/proc/self/fd'))])"
    )
    program = echo(home, tell_all, "import os")
    program = structs.replace(program, env={"EXTRA": "x", "HOME": "/root"})
    with seated(desk, PATIENT, program, program) as [bot, other]:
        environment, folder, listing, mode, leads, descriptors = note(bot.ask(hello()))
        other_home = note(other.ask(hello()))[0]["HOME"]
    own = environment.pop("HOME")
    assert environment == {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": own,
        "EXTRA": "x",
    }
    assert Path(own).parent == desk
    assert own != other_home
    assert (folder, listing, stat.S_IMODE(mode), leads) == (str(home), [], 0o700, True)
    assert descriptors == ["0", "1", "2", "3"]  # the last is that of the listing


def test_a_relative_scratch_folder_will_do(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.parent)
    program = echo(home, "json.dumps(os.listdir(os.environ['HOME']))", "import os")
    bot = BotProcess(program, PATIENT, Path(desk.name))
    try:
        assert note(bot.ask(hello())) == []
    finally:
        close_all([bot], 10)
    assert list(desk.iterdir()) == []


NOT_STARTABLE = {
    "missing": (None, 0, "'bot' can't be started: there is no such file - check the command"),
    "not executable": ("#!/bin/sh\n", 0o644, "permission denied - make it, and the interpreter"),
    "without interpreter": ("print(1)\n", 0o755, "begin a script with a line such as #!/usr/bin"),
    "lost interpreter": ("#!/no/python\n", 0o755, "first line '#!/no/python' does not exist"),
    "Windows": ("#!/bin/sh\r\n", 0o755, "first line '#!/bin/sh\\r' does not exist"),
    "damaged": ("\x7fELF\x02\x01\x01", 0o755, "neither a program for this machine"),
}


@pytest.mark.parametrize("case", NOT_STARTABLE)
def test_what_cannot_be_started_is_told_why(case: str, desk: Path, home: Path) -> None:
    text, mode, sentence = NOT_STARTABLE[case]
    file = home / "bot"
    if text is not None:
        file.write_text(text, newline="")
        file.chmod(mode)
    check_start_fault(desk, Program("bot", "", (str(file),), str(home)), sentence)


def test_folders_that_cannot_be_started_in_are_told_apart(desk: Path, home: Path) -> None:
    true = "/bin/true"
    check_start_fault(desk, Program("bot", "", (str(home),), str(home)), "it is a folder - name")
    gone = str(home / "gone")
    check_start_fault(desk, Program("bot", "", (true,), gone), "its folder does not exist")
    strange = Program("bot", "", (true, "a\0b"), str(home))
    check_start_fault(desk, strange, "embedded null byte - check the command")


def check_start_fault(desk: Path, program: Program, sentence: str) -> None:
    with seated(desk, PATIENT, program) as [bot]:
        with pytest.raises(BotFault) as caught:
            bot.ask(hello())
        with pytest.raises(BotFault, match="start"):
            bot.ask(bid())
    assert caught.value.kind == "start"
    assert sentence in caught.value.detail
    assert str(desk.parent) not in caught.value.detail


def test_trouble_of_the_arena_is_never_the_fault_of_a_bot(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file_left(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with seated(desk, PATIENT, echo(home, "''")) as [bot]:
        monkeypatch.setattr(none, "Popen", no_file_left)
        with pytest.raises(OSError, match="Too many open files"):
            bot.ask(hello())


def test_a_child_that_cannot_be_watched_is_ended_all_the_same(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file_left(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with seated(desk, PATIENT, echo(home, "''")) as [bot]:
        with monkeypatch.context() as patched:
            patched.setattr(os, "pidfd_open", no_file_left)
            with pytest.raises(OSError, match="Too many open files"):
                bot.ask(hello())
        assert children() == []


# The way out


LAST_WORDS = """
import sys, time
sys.stdin.readline()
print('{"id": 1}', flush=True)
rest = sys.stdin.read()
time.sleep(0.05)
print("bye\\x1b[2J\\n" + "x" * 10_000, rest.strip()[-200:], file=sys.stderr)
"""


def test_all_leave_together_and_are_waited_for_no_longer_than_needed(
    desk: Path, home: Path
) -> None:
    program = written(home, LAST_WORDS)
    start = time.monotonic()
    with seated(desk, structs.replace(PATIENT, exit_ms=60_000), *[program] * 4) as bots:
        for bot in bots:
            bot.ask(hello())
        for bot in bots:
            bot.tell(match_end())
    assert time.monotonic() - start < 30
    for bot in bots:
        assert bot.log.startswith("bye\\x1b[2J\nxxx")
        assert "bytes left out ...]\nxxx" in bot.log
        assert '{"type":"match_end","winner":"NS","reason":"target"' in bot.log


def test_a_flood_does_not_outlast_the_exit_time(desk: Path) -> None:
    with seated(desk, PATIENT, bad_bot("floods_blank_lines"), bad_bot("never_leaves")) as bots:
        for bot in bots:
            bot.ask(hello())


def test_closing_is_possible_before_the_start_and_again_later(desk: Path, home: Path) -> None:
    bot = BotProcess(echo(home, "''"), PATIENT, desk)
    close_all([bot], 10)
    bot.ask(hello())
    close_all([bot], 10)
    close_all([bot], 10)
    assert list(desk.iterdir()) == []
    assert children() == []


def test_one_bot_that_cannot_be_cleared_away_does_not_save_the_others(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [BotProcess(echo(home, "''"), PATIENT, desk) for _ in range(3)]
    for bot in bots:
        bot.ask(hello())
    remove, calls = scratch.remove, []

    def fail_once(folder: Path) -> None:
        calls.append(folder)
        remove(folder)
        if len(calls) == 1:
            raise OSError("no")

    monkeypatch.setattr(scratch, "remove", fail_once)
    with pytest.raises(OSError, match="no"):
        close_all(bots, 10)
    assert len(calls) == 3
    assert list(desk.iterdir()) == []
    assert children() == []


def test_an_interrupt_leaves_nothing_behind(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def play() -> None:
        with seated(desk, PATIENT, bad_bot("never_leaves"), bad_bot("forks_many")) as bots:
            for bot in bots:
                bot.ask(hello())
            monkeypatch.setattr(process, "encode", interrupted)
            bots[0].ask(bid())

    with pytest.raises(KeyboardInterrupt):
        play()
    assert processes_with(str(desk)) == []
    assert children() == []
    assert list(desk.iterdir()) == []


def test_bots_of_another_table_play_on(desk: Path, home: Path) -> None:
    other_desk = desk.parent / "other"
    other_desk.mkdir()
    with seated(other_desk, PATIENT, bad_bot("forks_many")) as [staying]:
        staying.ask(hello())
        bot = BotProcess(echo(home, "''"), PATIENT, desk)
        bot.ask(hello())
        close_all([bot], 10)
        assert len(children()) == 1
        assert staying.ask(bid()).reply.id == 2
