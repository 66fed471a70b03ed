"""Every attack of tests/attacks fails under bubblewrap, as root and as a normal user.

And without a box it succeeds, wherever that can be tried: so no test passes for the reason that
its attack is broken.
"""

import os
import re
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

import msgspec
import pytest

from arena.deals import seed_root
from arena.events import FaultPolicy
from arena.match import play, specify
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.arena.programs import PATIENT
from tests.arena.sandbox import attack_runs, attack_stage
from tests.arena.sandbox.attack_runs import Outcome
from tests.arena.sandbox.attack_stage import PROGRAMS
from tests.arena.sandbox.attack_table import ATTACKS, Attack
from tests.arena.sandbox.users import USERS, as_user, need_bubblewrap

PAGE = (Path(__file__).parents[3] / "docs" / "security.md").read_text()
OURSELVES, NORMAL = USERS
SUCCEED_UNBOXED = {
    OURSELVES: ("anybody", "bare", "root" if os.geteuid() == 0 else "user"),
    NORMAL: ("anybody", "bare", "user"),
}
"""User -> the controls that he is fit for."""


class Runs(Protocol):
    def __call__(self, attack: Attack, backend: str) -> Outcome: ...


class Elsewhere:
    """Runs attacks in a process of another user, one after the other."""

    def __init__(self, user: str) -> None:
        prefix, variables = as_user(user)
        self.process: Final = subprocess.Popen(
            [*prefix, "-m", "tests.arena.sandbox.attack_runs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd="/",
            env={"PATH": os.environ["PATH"], **variables},
            text=True,
        )

    def __call__(self, attack: Attack, backend: str) -> Outcome:
        assert self.process.stdin
        assert self.process.stdout
        print(backend, attack.name, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, "it has ended; its standard error says why"
        return msgspec.json.decode(line, type=Outcome)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Runs]:
    """A process of the normal user, who runs one attack after the other."""
    runs = Elsewhere(NORMAL)
    with runs.process:
        yield runs


@pytest.fixture
def runs(user: str, request: pytest.FixtureRequest) -> Runs:
    """Runs an attack as `user`."""
    if user == OURSELVES:
        return attack_runs.run
    other: Runs = request.getfixturevalue("elsewhere")
    return other


def controlled() -> Iterator[object]:
    for user in USERS:
        for name, attack in ATTACKS.items():
            if attack.control in SUCCEED_UNBOXED[user]:
                yield pytest.param(user, name, id=f"{user}-{name}")


def has_the_rights_of_root() -> bool:
    """In a container it may lack them."""
    status = Path("/proc/self/status").read_text()
    (effective,) = re.findall(r"^CapEff:\s*(\w+)", status, re.M)
    sys_admin = 21
    return bool(int(effective, 16) >> sys_admin & 1)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", [a.name for a in ATTACKS.values() if not a.open])
def test_a_box_blocks_it(name: str, user: str, runs: Runs) -> None:
    need_bubblewrap()
    attack = ATTACKS[name]
    outcome = runs(attack, "bubblewrap")
    assert outcome.tried, outcome
    assert (outcome.fault or "").startswith(attack.fault), outcome
    assert not outcome.shown, outcome
    assert not outcome.remains, outcome


@pytest.mark.parametrize(("user", "name"), list(controlled()))
def test_without_a_box_it_succeeds(name: str, user: str, runs: Runs) -> None:
    attack = ATTACKS[name]
    if attack.control == "root" and not has_the_rights_of_root():
        pytest.skip("root has not its rights here, so its attacks prove nothing")
    outcome = runs(attack, "bare" if attack.control == "bare" else "none")
    if attack.group == "memory" and outcome.fault == "killed by SIGSEGV":
        pytest.skip("this machine holds stacks to a limit of its own, so nobody can fill one")
    assert outcome.shown, outcome
    assert not outcome.remains, outcome


@pytest.mark.parametrize("name", [a.name for a in ATTACKS.values() if a.shows == "fooled"])
def test_without_a_box_the_arena_holds_it_off_as_well(name: str) -> None:
    outcome = attack_runs.run(ATTACKS[name], "none")
    assert not outcome.shown, outcome
    assert not outcome.remains, outcome


def test_attackers_play_a_whole_match_in_boxes() -> None:
    need_bubblewrap()
    names = ["files.reads_the_run_folder", "processes.bombs_with_forks"]
    names += ["network.sends_over_tcp", "spying.uses_inherited_descriptors"]
    attacks = [ATTACKS[name] for name in names]
    with attack_stage.stage(*(attack.group for attack in attacks)) as place:
        seats = [attack_runs.program(place, attack, boxed=True) for attack in attacks]
        spec = specify(
            "m",
            seed_root(1),
            dict(zip(SEATS, seats, strict=True)),
            rules=Rules(max_deals=2),
            clock=PATIENT,
            faults=FaultPolicy(),
            sandbox=attack_runs.BOX,
        )
        result = play(spec)
        assert place.token not in zlib.decompress(result.record).decode()
        assert not place.arrived()
    assert result.faults == {}
    assert result.deals == 2


def test_the_traps_of_the_folder_are_laid() -> None:
    assert attack_runs.run(ATTACKS["endings.lays_traps_in_its_folder"], "none").got == "laid"


def test_what_would_harm_this_machine_is_never_run_without_a_box() -> None:
    dangerous = [attack for attack in ATTACKS.values() if attack.dangerous]
    assert dangerous
    for attack in dangerous:
        assert attack.control is None
        for backend in ("none", "bare"):
            with pytest.raises(ValueError, match="must not be run without a box"):
                attack_runs.run(attack, backend)


def test_an_attack_without_a_control_says_why() -> None:
    for attack in ATTACKS.values():
        assert bool(attack.control) != bool(attack.dangerous or attack.uncontrolled), attack.name


def test_every_attack_of_the_programs_is_in_the_table() -> None:
    found = {
        f"{file.stem}.{name}"
        for file in PROGRAMS.glob("*.py")
        if file.stem not in attack_stage.SHARED
        for name in re.findall(r"^(?:def|class) ([A-Za-z]\w*)", file.read_text(), re.M)
    }
    bases = {"collusion.SystemV", "collusion_files.Opened", "collusion_counts.Counted"}
    assert found - bases == set(ATTACKS)


def test_the_threat_model_shows_the_same_table() -> None:
    told = re.findall(r"^\| `(\w+\.\w+)` \| (.*) \| (.*) \|$", PAGE, re.M)
    assert told == [(attack.name, attack.tries, attack.verdict) for attack in ATTACKS.values()]


def test_what_stays_open_has_its_reason_in_the_threat_model() -> None:
    for attack in ATTACKS.values():
        if attack.open:
            assert attack.open in " ".join(PAGE.split()), attack.name
