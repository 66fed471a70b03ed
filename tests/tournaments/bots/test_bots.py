"""Bots as users name them: found, hashed, built."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.program import Program
from tournaments.bots import fingerprint, snapshot
from tournaments.bots.bots import BotSource, bot_from_argument, bot_from_entry, distinct
from tournaments.bots.builds import run_build
from tournaments.bots.preparation import hashes_of, prepare_all
from tournaments.errors import UserError
from tournaments.files.positions import Spot
from tournaments.files.vocabulary import BotEntry
from tournaments.signals import Interrupted


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and a cache of its own."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: str, text: str, *, executable: bool = False) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755 if executable else 0o644)
    return file


def script(path: str, text: str = "true") -> Path:
    return write(path, f"#!/bin/sh\n{text}\n", executable=True)


def prepare(source: BotSource) -> Program:
    return prepare_all([source])[0]


def named(text: str) -> BotSource:
    return bot_from_argument(text, Path())


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(UserError) as caught:
        action()
    return str(caught.value)


# What a text names


def test_a_folder_with_bot_yaml_is_a_bot_with_all_it_says(here: Path) -> None:
    write(
        "bots/mine/bot.yaml",
        """
name: my-bot
command: ["{python}", bot.py]
build: [make]
env: {MODE: fast}
version: "1.0"
author: me
language: Python
description: it plays
""",
    )
    assert named("bots/mine") == BotSource(
        name="my-bot",
        command=("{python}", "bot.py"),
        folder=here / "bots/mine",
        build=("make",),
        env={"MODE": "fast"},
        version="1.0",
        author="me",
        language="Python",
        description="it plays",
        where="bots/mine",
        command_at=Spot(
            "bots/mine/bot.yaml:3:11", '    command: ["{python}", bot.py]\n              ^'
        ),
        owns_folder=True,
    )


def test_a_folder_that_gives_no_name_is_called_by_its_own() -> None:
    write("My Bot_2/bot.yaml", "command: [sh]")
    assert named("My Bot_2").name == "my-bot_2"
    assert bot_from_argument(".", Path("My Bot_2")).name == "my-bot_2"


def test_a_python_file_runs_with_the_arenas_interpreter_in_its_folder(here: Path) -> None:
    write("bots/Fast.py", "pass")
    assert named("bots/Fast.py") == BotSource(
        "fast", ("{python}", "Fast.py"), here / "bots", where="bots/Fast.py"
    )


def test_another_file_runs_by_itself_in_its_folder(here: Path) -> None:
    script("bots/fast.sh")
    assert named("bots/fast.sh") == BotSource(
        "fast", ("./fast.sh",), here / "bots", where="bots/fast.sh"
    )


def test_anything_else_is_a_command_run_here(here: Path) -> None:
    script("bots/fast")
    text = "bots/fast --level 3 'two words'"
    assert named(text) == BotSource(
        "fast", ("bots/fast", "--level", "3", "two words"), here, where=text
    )
    assert named("{python} -m bot").command == ("{python}", "-m", "bot")
    assert named("{python} -m bot").name == "python"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("python3 lowest.py", "lowest"),
        ("{python} lowest.py --fast", "lowest"),
        ("{python} -u bots/Deep.py", "deep"),
        ("sh x.js", "x"),
        (f"{sys.executable} lowest.py", "lowest"),
        ("python3 -m lowest", "python3"),
        ("sh -c lowest", "sh"),
        ("./run.sh lowest.py", "run"),
        ("bots/fast x.js", "fast"),
    ],
)
def test_a_command_is_called_by_its_script(text: str, name: str) -> None:
    for file in ("lowest.py", "bots/Deep.py", "x.js"):
        write(file, "")
    script("run.sh")
    script("bots/fast")
    assert named(text).name == name


def test_a_bare_word_is_a_path_before_it_is_a_program_on_path(here: Path) -> None:
    assert named("sh") == BotSource("sh", ("sh",), here, where="sh")
    write("sh/bot.yaml", "command: [true]\n".replace("true", '"true"'))
    assert named("sh").command == ("true",)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("random_legl", "'random_legl' is no folder, no file, and no program on PATH: did you"
         " mean 'random_legal'?"),
        ("./random_legl", "'./random_legl' does not exist: did you mean 'random_legal'?"),
        ("no/such --fast", "'no/such' does not exist"),
        ("no_such_program --fast", "'no_such_program' is not on PATH"),
        ("random_legal", "the folder 'random_legal' has no bot.yaml: write one, or name a program"
         " in it"),
        ("notes.txt", "'./notes.txt' is not executable: run chmod +x on it, or put its"
         " interpreter before it in the command"),
        ("notes.txt --fast", "'notes.txt' is not on PATH: write ./notes.txt for the file in the"
         " bot's folder"),
        ("lowest.py --fast", "'lowest.py' is a script in Python: write \"{python} lowest.py"
         ' --fast"'),
        ("./lowest.py --fast", "'./lowest.py' is a script in Python: write \"{python}"
         ' ./lowest.py --fast"'),
        ("./random_legal --fast", "'./random_legal' is not a file"),
        ("", "expected a bot's folder, file or command, found an empty text"),
        ("sh 'x", '"sh \'x" is no command: no closing quotation'),
        ("git:v1", "'git:v1': write git:REF:PATH, such as git:main:bots/mine; git:main:. is the"
         " whole repository"),
    ],
)  # fmt: skip
def test_what_is_no_bot_is_refused_with_what_to_do(text: str, mistake: str) -> None:
    Path("random_legal").mkdir()
    write("notes.txt", "x")
    write("lowest.py", "x")
    assert refusal(lambda: named(text)) == mistake


@pytest.mark.parametrize("text", ["x" * 5000, "a/" * 3000, "\udcff", "x\ny", "-", "/", "~"])
def test_odd_texts_are_refused_like_any_other(text: str) -> None:
    assert refusal(lambda: named(text))


def test_all_mistakes_of_a_bot_yaml_are_told_at_once_with_their_places() -> None:
    write(
        "mine/bot.yaml", "nmae: x\ncommand: bot.py\nversion: 1.0\nenv: {A: 1, 2x: y}\nbuild: []\n"
    )
    heads = [
        line
        for line in refusal(lambda: named("mine")).split("\n")
        if line.startswith("mine/bot.yaml")
    ]
    assert heads == [
        "mine/bot.yaml:1:1: unknown key 'nmae': did you mean 'name'?",
        "mine/bot.yaml:2:10: expected a list of words, such as [./mybot, --fast], found the text"
        " 'bot.py'",
        "mine/bot.yaml:3:10: expected text of up to 1,000 characters, found the number 1.0: put"
        " it in quotes",
        "mine/bot.yaml:4:10: expected a word of up to 4,096 characters, found the number 1: put"
        " it in quotes",
        "mine/bot.yaml:4:13: expected the name of a variable (but HOME and TMPDIR, which the"
        " arena sets), found the text '2x'",
        "mine/bot.yaml:5:8: expected a list of words, such as [make] or [cc, -O2, -o, bot, bot.c],"
        " found an empty list",
    ]


def test_the_same_bot_twice_gets_two_names() -> None:
    write("a.py", "")
    sources = [named("a.py")] * 3 + [BotSource("a-2", ("sh",), Path())]
    assert [source.name for source in distinct(sources)] == ["a", "a-3", "a-4", "a-2"]
    long = [BotSource("x" * 64, ("sh",), Path())] * 2
    assert [source.name for source in distinct(long)] == ["x" * 64, "x" * 62 + "-2"]


# Programs


def test_a_program_is_ready_to_be_run(here: Path) -> None:
    write("mine/bot.yaml", 'name: mine\ncommand: ["{python}", -S, bot.py]\nenv: {A: b}\n')
    program = prepare(named("mine"))
    assert program.name == "mine"
    assert program.command == (sys.executable, "-S", "bot.py")
    assert program.folder == str(here / "mine")
    assert program.env == {"A": "b"}
    assert len(program.hash) == 64


def test_a_bare_name_is_looked_up_on_path_and_a_path_in_the_bots_folder(here: Path) -> None:
    script("mine/run")
    write("mine/bot.yaml", "command: [./run]\n")
    assert prepare(named("mine")).command == (str(here / "mine/run"),)
    assert prepare(named("sh -c x")).command == (shutil.which("sh"), "-c", "x")


def test_a_shim_is_replaced_by_what_its_manager_says_it_runs(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = script("versions/3/bin/tool")
    script(".pyenv/shims/tool")
    script("bin/pyenv", f'[ "$1 $2" = "which tool" ] && echo {real.absolute()}')
    monkeypatch.setenv("PATH", f"{here}/.pyenv/shims:{here}/bin:{os.environ['PATH']}")
    assert prepare(named("tool")).command == (str(real.absolute()),)
    script("bin/pyenv", "exit 1")
    assert prepare(named("tool")).command == (f"{here}/.pyenv/shims/tool",)


def test_a_link_to_rustup_is_replaced_by_the_toolchain_that_it_stands_for(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script("toolchain/bin/cargo")
    asked = f'[ "$1 $2 $PWD" = "which cargo /" ] && echo {here}/toolchain/bin/cargo'
    script("cargo/bin/rustup", asked)
    Path("cargo/bin/cargo").symlink_to("rustup")
    monkeypatch.setenv("PATH", f"{here}/cargo/bin:{os.environ['PATH']}")
    assert prepare(named("cargo run")).command == (f"{here}/toolchain/bin/cargo", "run")
    assert prepare(named("rustup")).command == (f"{here}/cargo/bin/rustup",)


def test_a_program_that_is_missing_is_told_of_before_anything_is_built() -> None:
    write("a/bot.yaml", "command: [./run]\n")
    write("b/bot.yaml", "command: [./run]\nbuild: [touch, built]\n")
    write("c/bot.yaml", "command: [bot.sh]\n")
    script("c/bot.sh")
    write("d/bot.yaml", "command: [bot.py]\n")
    write("d/bot.py", "")
    write("e/bot.yaml", "command: [./bot.py]\n")
    write("e/bot.py", "")
    write("f/bot.yaml", "command: [./run --fast]\n")
    write("g/bot.yaml", "name: g\ncommand: ['{pyton}', bot.py]\n")
    message = refusal(lambda: prepare_all([named(name) for name in "abcdefg"]))
    assert [line for line in message.split("\n") if not line.startswith(" ")] == [
        "a/bot.yaml:1:11: './run' does not exist",
        "c/bot.yaml:1:11: 'bot.sh' is not on PATH: write ./bot.sh for the file in the bot's folder",
        "d/bot.yaml:1:11: 'bot.py' is not on PATH: put \"{python}\" before it in the command",
        "e/bot.yaml:1:11: './bot.py' is not executable: run chmod +x on it, or put \"{python}\""
        " before it in the command",
        "f/bot.yaml:1:11: './run --fast' does not exist: words are separated by commas: [./run,"
        " --fast]",
        "g/bot.yaml:2:11: '{pyton}' is not on PATH: did you mean '{python}'?",
    ]
    assert not Path("b/built").exists()


# Builds


def built(build: str, command: str = "./made") -> BotSource:
    """A bot with a build that is this shell script."""
    script("bot/build.sh", build)
    write("bot/bot.yaml", f"command: [{command}]\nbuild: [./build.sh]\n")
    return named("bot")


def test_a_build_runs_in_the_bots_folder_and_makes_its_program(here: Path) -> None:
    program = prepare(built("printf '#!/bin/sh\\n' > made; chmod +x made"))
    assert program.command == (str(here / "bot/made"),)


def test_a_build_has_no_input_and_the_arenas_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TEST", "seen")
    prepare(built('cat > input; echo "$ARENA_TEST" > variable', command="sh"))
    assert Path("bot/input").read_text() == ""
    assert Path("bot/variable").read_text() == "seen\n"


def test_of_a_build_that_fails_the_last_lines_are_quoted() -> None:
    source = built('i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "line $i"; done; exit 7')
    lines = refusal(lambda: prepare(source)).split("\n")
    assert lines[0] == "bot: bot 'bot': the build `./build.sh` ended with status 7"
    assert lines[1:] == [f"    | line {n}" for n in range(11, 31)]


def test_a_build_that_fails_in_silence_or_by_a_signal_says_so() -> None:
    assert refusal(lambda: prepare(built("exit 1"))).endswith("with status 1 and printed nothing")
    assert refusal(lambda: prepare(built("kill -9 $$"))).endswith("signal 9 and printed nothing")


def test_what_a_terminal_would_obey_is_not_quoted_of_a_build() -> None:
    assert "\x1b" not in refusal(lambda: prepare(built("printf '\\033[2J\\377x'; exit 1")))


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        ("ccc, -O2", "`ccc -O2` cannot be started: 'ccc' is not on PATH"),
        ("./make.sh", "`./make.sh` cannot be started: './make.sh' does not exist"),
        ("./text", "`./text` cannot be started: Permission denied"),
        ("./lost", "`./lost` cannot be started: No such file or directory"),
        (
            "cc -O2 -o bot bot.c",
            "`cc -O2 -o bot bot.c` cannot be started: 'cc -O2 -o bot bot.c' is not on PATH: words"
            " are separated by commas: [cc, -O2, -o, bot, bot.c]",
        ),
        (
            "./make a b c d e f g h",
            "`./make a b c d e f g h` cannot be started: './make a b c d e f g h' does not exist:"
            " words are separated by commas: [./make, a, b, c, d, e, f, g, ...]",
        ),
    ],
)
def test_a_build_that_cannot_be_started_says_why(build: str, reason: str) -> None:
    write("bot/text", "")
    write("bot/lost", "#!/no/interpreter\n", executable=True)
    write("bot/bot.yaml", f"command: [sh]\nbuild: [{build}]\n")
    assert refusal(lambda: prepare(named("bot"))) == f"bot: bot 'bot': the build {reason}"


def test_a_build_that_does_not_make_the_program_is_told_so() -> None:
    assert refusal(lambda: prepare(built("true"))) == (
        "bot/bot.yaml:1:11: './made' does not exist\n    command: [./made]\n              ^"
    )


def test_all_builds_that_fail_are_told_at_once() -> None:
    for name in ("a", "b", "c"):
        status = 0 if name == "b" else 1
        write(f"{name}/bot.yaml", f"command: [sh]\nbuild: [sh, -c, exit {status}]\n")
    message = refusal(lambda: prepare_all([named("a"), named("b"), named("c")]))
    assert [line.partition(":")[0] for line in message.split("\n")] == ["a", "c"]


def gone(pid: int) -> bool:
    """The process ends within the time that a slow machine may take."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_a_build_that_takes_too_long_is_stopped(here: Path) -> None:
    assert refusal(lambda: run_build(["sleep", "1000"], here, time_limit=0.1)) == (
        "the build `sleep 1000` was stopped after 0.1 seconds and printed nothing"
    )


def test_an_interrupted_build_is_stopped_with_its_children(here: Path) -> None:
    script("slow.sh", "sleep 1000 & echo $! > part; mv part child; wait")

    def interrupt() -> None:
        while not Path("child").exists():
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises((KeyboardInterrupt, Interrupted)):  # that is while the build starts
        run_build(["./slow.sh"], here, time_limit=60)
    thread.join()
    assert gone(int(Path("child").read_text()))


# Hashes


def hash_of(text: str = "bot") -> str:
    return prepare(named(text)).hash


@pytest.fixture
def bot() -> Path:
    write("bot/bot.yaml", "name: bot\ncommand: [sh, run.sh]\n")
    write("bot/run.sh", "exit\n")
    write("bot/data/weights", "1 2 3")
    Path("bot/link").symlink_to("data/weights")
    return Path("bot")


def link_anew(target: str) -> None:
    Path("bot/link").unlink()
    Path("bot/link").symlink_to(target)


def link_to_copy() -> None:
    Path("bot/link").unlink()
    shutil.copy("bot/data/weights", "bot/link")


def test_the_hash_is_the_same_wherever_the_folder_is_and_whenever_it_was_written(
    bot: Path,
) -> None:
    before = hash_of()
    shutil.copytree(bot, "elsewhere/other", symlinks=True)
    for path in Path("elsewhere").rglob("*"):
        os.utime(path, (1, 1), follow_symlinks=False)
    assert hash_of("elsewhere/other") == before
    Path("by_link").symlink_to("bot")
    assert hash_of("by_link") == before


def test_the_hash_does_not_depend_on_the_order_in_which_files_came(bot: Path) -> None:
    for folder, order in (("up", range(40)), ("down", range(39, -1, -1))):
        shutil.copytree(bot, folder, symlinks=True)
        for n in order:
            write(f"{folder}/more/{n}", str(n))
    assert hash_of("up") == hash_of("down")


@pytest.mark.parametrize(
    "change",
    [
        lambda: write("bot/run.sh", "exiT\n"),
        lambda: write("bot/data/weights", "1 2 4"),
        lambda: write("bot/data/weights", ""),
        lambda: write("bot/new", ""),
        lambda: Path("bot/run.sh").unlink(),
        lambda: Path("bot/run.sh").rename("bot/ran.sh"),
        lambda: Path("bot/run.sh").rename("bot/data/run.sh"),
        lambda: Path("bot/run.sh").chmod(0o755),
        lambda: link_anew("run.sh"),
        link_to_copy,
        lambda: write("bot/bot.yaml", "name: bot\ncommand: [sh, run.sh]\nauthor: x\n"),
        lambda: Path("bot/way_out").symlink_to("/"),
    ],
)
def test_any_change_to_the_files_changes_the_hash(bot: Path, change: Callable[[], object]) -> None:
    before = hash_of()
    change()
    assert hash_of() != before


def test_every_byte_of_a_file_counts(bot: Path) -> None:
    content = (bot / "data/weights").read_bytes()
    seen = {hash_of()}
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        (bot / "data/weights").write_bytes(changed)
        seen.add(hash_of())
    assert len(seen) == len(content) + 1


def test_command_and_variables_are_part_of_the_hash(bot: Path) -> None:
    entry = BotEntry(name="x", command=["sh", "a"], folder=str(bot))
    base = bot_from_entry(entry, Path())
    others = [
        msgspec.structs.replace(base, command=("sh", "b")),
        msgspec.structs.replace(base, command=("sh", "a", "")),
        msgspec.structs.replace(base, env={"A": "1"}),
        msgspec.structs.replace(base, env={"A": "2"}),
        base,
    ]
    assert len({program.hash for program in prepare_all(others)}) == len(others)
    renamed = msgspec.structs.replace(base, name="y", where="elsewhere")
    assert prepare(renamed).hash == prepare(base).hash


@pytest.mark.parametrize("cache", sorted(fingerprint.CACHES))
def test_caches_are_left_out_wherever_they_are(bot: Path, cache: str) -> None:
    before = hash_of()
    write(f"bot/{cache}/x", "x")
    write(f"bot/data/{cache}/deep/x", "x")
    assert hash_of() == before


def contents(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


MORE = [
    (".git", False, False),  # in a worktree it is a file
    (".git/config", False, False),
    ("lib/__pycache__/x.pyc", False, False),
    ("node_modules/dep.js", True, True),
    ("lib/node_modules/dep.js", True, True),
    (".venv/lib/dep.py", True, True),
    ("vendor/dep.c", True, True),
    ("target", True, True),
    ("target/program", True, False),
    ("vendor/cc/src/target/x.rs", True, True),
]
"""A file of a bot, whether it is part of the bot, and whether it is where the bot has a build."""


@pytest.mark.parametrize(("path", "plain", "of_a_build"), MORE)
@pytest.mark.parametrize("with_a_build", [False, True])
def test_what_is_hashed_is_what_is_copied(
    path: str, plain: bool, of_a_build: bool, with_a_build: bool, bot: Path
) -> None:
    def source() -> BotSource:
        return built("true", command="sh") if with_a_build else named("bot")

    part = of_a_build if with_a_build else plain
    before = hashes_of([source()])
    write(f"bot/{path}", "1")
    (first,) = prepare_all([source()], Path("run/bots").absolute())
    assert ([first.hash] != before) == part
    assert contents(Path(first.folder)) == contents(bot) - (set() if part else {path})
    write(f"bot/{path}", "2")
    (second,) = prepare_all([source()], Path("run/bots").absolute())
    assert (second.hash != first.hash) == (second.folder != first.folder) == part


def test_a_build_is_part_of_a_bot_and_what_it_makes_in_the_copy_is_not(bot: Path) -> None:
    makes = "mkdir -p node_modules .venv target && date > node_modules/a && date > target/b"
    one = snapshot_of(built(makes, command="sh"))
    assert snapshot_of(built(makes, command="sh")) == one
    other = msgspec.structs.replace(built(makes, command="sh"), build=("sh", "-c", "true"))
    assert snapshot_of(other).hash != one.hash


def test_links_are_not_followed_and_pipes_not_waited_for(bot: Path) -> None:
    write("outside/file", "1")
    (bot / "way_out").symlink_to("../outside")
    os.mkfifo(bot / "pipe")
    before = hash_of()
    write("outside/file", "2")
    assert hash_of() == before


def test_of_a_command_its_words_and_the_files_that_they_name_are_hashed() -> None:
    script("run.sh")
    write("weights", "1")
    write("beside", "1")
    before = hash_of("./run.sh weights --fast")
    write("beside", "2")
    assert hash_of("./run.sh weights --fast") == before
    assert hash_of("./run.sh weights --slow") != before
    write("weights", "2")
    changed = hash_of("./run.sh weights --fast")
    assert changed != before
    script("run.sh", "false")
    assert hash_of("./run.sh weights --fast") != changed
    assert hash_of(f"./run.sh {'x' * 5000}") != changed  # longer than any path


def test_of_a_program_on_path_only_the_name_is_hashed(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script("bin/tool")
    monkeypatch.setenv("PATH", f"{here}/bin:{os.environ['PATH']}")
    before = hash_of("tool x")
    script("bin/tool", "false")
    write("tool", "not the program")
    assert hash_of("tool x") == before


# Snapshots


def snapshot_of(source: BotSource) -> Program:
    return prepare_all([source], Path("run/bots").absolute())[0]


def test_a_bot_that_owns_its_folder_is_copied_built_and_run_there(here: Path) -> None:
    program = snapshot_of(built("printf '#!/bin/sh\\n' > made; chmod +x made"))
    assert Path(program.folder).parent == here / "run/bots"
    assert program.command == (f"{program.folder}/made",)
    assert not Path("bot/made").exists()


def test_a_build_does_not_change_the_hash_and_is_not_run_again() -> None:
    source = built("date +%N >> made", command="sh")
    first = snapshot_of(source)
    assert snapshot_of(source) == first
    assert len(Path(first.folder, "made").read_text().splitlines()) == 1


def test_a_changed_bot_gets_a_snapshot_of_its_own_and_the_old_one_stays() -> None:
    source = built("true", command="sh")
    first = snapshot_of(source)
    write("bot/source.c", "changed")
    second = snapshot_of(source)
    assert second.hash != first.hash
    assert second.folder != first.folder
    assert not Path(first.folder, "source.c").exists()


def test_a_snapshot_whose_build_failed_or_that_was_deleted_is_made_anew() -> None:
    source = built("test -e ../../../works; touch made", command="sh")
    refusal(lambda: snapshot_of(built("test -e ../../../works", command="sh")))
    write("works", "")
    program = snapshot_of(source)
    shutil.rmtree(program.folder)
    assert Path(snapshot_of(source).folder, "bot.yaml").exists()


def test_a_snapshot_that_was_changed_is_made_anew() -> None:
    source = built("echo program > made", command="sh")
    program = snapshot_of(source)
    Path(program.folder, "made").write_text("another program")
    assert snapshot_of(source) == program
    assert Path(program.folder, "made").read_text() == "program\n"


def test_a_run_folder_among_a_bots_files_is_no_part_of_the_bot(bot: Path) -> None:
    before = hash_of()
    write("bot/runs/league/arena.db", "results")
    write("bot/runs/league/bots/x", "x")
    program = prepare_all([named("bot")], Path("bot/runs/league/bots").absolute())[0]
    assert program.hash == before
    assert not list(Path(program.folder).rglob("arena.db"))
    assert prepare_all([named("bot")], Path("bot/runs/league/bots").absolute())[0] == program


def test_a_snapshot_has_the_links_of_a_bot_as_they_are(bot: Path) -> None:
    program = snapshot_of(named("bot"))
    assert Path(program.folder, "link").readlink() == Path("data/weights")


def test_what_cannot_be_copied_is_a_mistake_with_its_path(bot: Path) -> None:
    os.mkfifo(bot / "pipe")
    assert "bot/pipe can't be copied" in refusal(lambda: snapshot_of(named("bot")))


def test_a_bot_that_changes_while_it_is_copied_is_refused(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = snapshot.take

    def edit_and_take(folder: Path, into: Path, **steps: Any) -> Path:
        write("bot/run.sh", "echo edited")
        return take(folder, into, **steps)

    monkeypatch.setattr(snapshot, "take", edit_and_take)
    assert "was changed while it was copied" in refusal(lambda: snapshot_of(named("bot")))


def test_a_command_and_a_file_play_where_they_are(here: Path) -> None:
    write("mine.py", "pass\n")
    assert snapshot_of(named("mine.py")).folder == str(here)


@pytest.mark.parametrize(
    ("limit", "value", "mistake"),
    [("FILE_LIMIT", 3, "over 3 files"), ("BYTE_LIMIT", 10, "keep a bot in a folder of its own")],
)
def test_a_folder_over_the_limits_is_refused(
    bot: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, mistake: str
) -> None:
    monkeypatch.setattr(fingerprint, limit, value)
    assert mistake in refusal(hash_of)


def test_a_file_that_vanishes_or_cannot_be_read_is_a_mistake_with_its_path(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(fingerprint, "file_digest", fail)
    assert refusal(hash_of).endswith("bot.yaml: cannot be read: Permission denied")


def test_the_hash_is_the_same_in_another_locale(bot: Path) -> None:
    (bot / os.fsdecode(b"caf\xe9")).write_text("x")
    code = (
        "from pathlib import Path; from tournaments.bots.bots import *;"
        "from tournaments.bots.preparation import *;"
        "print(prepare_all([bot_from_argument('bot', Path())])[0].hash)"
    )
    root = str(Path(fingerprint.__file__).parents[2])
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"LC_ALL": locale, "PYTHONPATH": root, "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for locale in ("C", "C.UTF-8")
    }
    assert seen == {hash_of()}
