"""Which backend is found, and what is said where there is none."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.program import Program
from arena.sandbox import BoxFailed, NoSandbox, Sandbox, bubblewrap, find, probe, seccomp, start
from arena.sandbox.arguments import Descriptors, Tools, command_line
from arena.sandbox.places import Places
from arena.sandbox.probe import HINTS, what_to_do

WORDS = {
    "a box can't be made: [Errno 24] Too many open files": "raise the limit (ulimit -n)",
    "bwrap: Creating new namespace failed: Resource temporarily unavailable": "(ulimit -u)",
    "bwrap: Can't fork: Cannot allocate memory": "play fewer tables",
    "bwrap is not found": "apt-get install bubblewrap, or dnf install bubblewrap",
    "bwrap: setting up uid map: Permission denied": "apparmor_restrict_unprivileged_userns=0",
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted": "apparmor_restrict",
    "bwrap: No permissions to create new namespace, likely because ...": "docker run --cap-add",
    "bwrap: Creating new namespace failed: Operation not permitted": "docker run --cap-add",
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces"
    " exceeded (ENOSPC)": "sudo sysctl -w user.max_user_namespaces=",
    "bwrap: Unknown option --disable-userns": "0.8 or newer is needed",
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": "systempaths=unconfined",
    "setpriv: setresuid failed: Invalid argument": "run as a normal user in it",
    "setpriv is not found": "apt-get install util-linux",
    "setpriv: unrecognized option '--ambient-caps=-all'": "util-linux 2.33 or newer",
}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """What was found out before is not known."""
    found = [probe._why_not_bubblewrap, bubblewrap.tools]
    for each in found:
        each.cache_clear()
    yield
    for each in found:
        each.cache_clear()


@pytest.mark.parametrize("words", WORDS)
def test_what_bwrap_says_is_told_with_the_mend(words: str) -> None:
    told = what_to_do(words)
    assert WORDS[words] in told
    assert words in told


def test_every_hint_is_given_for_some_words() -> None:
    given = {next(said for said, _ in HINTS if said in words) for words in WORDS}
    assert given == {said for said, _ in HINTS}
    assert what_to_do("something else") == "something else"


@pytest.mark.parametrize("wanted", ["auto", "bubblewrap"])
def test_without_bubblewrap_nothing_else_is_taken(
    wanted: probe.Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(NoSandbox, match=r"bots can't be boxed in: .*apt-get install bubblewrap"):
        find(wanted)


def test_none_is_found_only_by_its_name() -> None:
    assert find("none") == "none"


def test_a_machine_without_a_filter_has_no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "have", lambda: False)
    with pytest.raises(NoSandbox, match="no filter of system calls for"):
        find("auto")


def test_it_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fail(*_: object) -> None:
        tried.append(1)
        raise BoxFailed("bwrap: setting up uid map: Permission denied")

    monkeypatch.setattr(bubblewrap, "tools", lambda: Tools("/usr/bin/bwrap", None))
    monkeypatch.setattr(bubblewrap, "start", fail)
    for _ in range(2):
        with pytest.raises(NoSandbox, match="AppArmor"):
            find("auto")
    assert tried == [1]


def test_a_box_that_can_be_had_no_more_is_a_failure_with_the_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(BoxFailed, match="apt-get install bubblewrap"):
        start(Sandbox("bubblewrap"), Program("a", "", ("/bin/true",), "/bin"), Path(), 0)


PLACES = Places(("/bot/bot", "x"), {"A": "b"}, (("/home/me/bot", "/bot"), ("/opt/x/f", "/opt/x/f")))


def line(setpriv: str | None) -> str:
    tools, fds = Tools("/usr/bin/bwrap", setpriv), Descriptors(11, 12, 13)
    return " ".join(command_line(tools, Sandbox("bubblewrap"), PLACES, fds, 7))


@pytest.mark.parametrize("setpriv", [None, "/usr/bin/setpriv"])
def test_a_box_is_the_same_for_root_and_others_but_for_who_is_in_it(setpriv: str | None) -> None:
    words = line(setpriv)
    root = setpriv is not None
    assert ("--unshare-user --disable-userns --uid 1000 --gid 1000" in words) != root
    assert ("--ro-bind /proc/sys /proc/sys" in words) == root
    assert ("--cap-add CAP_SETUID" in words) == root
    assert ("/usr/bin/setpriv --reuid=7 --regid=7 --clear-groups" in words) == root
    for part in (
        "/usr/bin/bwrap --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup"
        " --die-with-parent --new-session --cap-drop ALL",
        "--hostname bot --clearenv --ro-bind /usr /usr",
        "--perms 1777 --size 64000000 --tmpfs /tmp --perms 1777 --dir /tmp/bot-home",
        "--perms 0755 --dir /opt --perms 0755 --dir /opt/x --ro-bind /opt/x/f /opt/x/f",
        "--ro-bind /home/me/bot /bot",
        "--remount-ro / --chdir /bot --info-fd 11 --block-fd 12 --seccomp 13 --",
    ):
        assert part in words
    assert words.endswith(" box A=b -- /bot/bot x")
    assert words.index("--remount-ro /proc/1") < words.index("--remount-ro / ")
