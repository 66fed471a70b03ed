"""Checkpoints: whatever was kept whenever, standings are those of a full computation."""

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.match import MatchResult
from tests.tournaments.finished import RATING, league, margins_of, meetings_of
from tests.tournaments.league import Outcome
from tests.tournaments.small_run import RULES, SETTINGS, key, raw, result, row
from tests.tournaments.standings.test_standings import solo_league
from tournaments.exports.layout import to_json
from tournaments.files.vocabulary import Format
from tournaments.ratings import checkpoints
from tournaments.ratings.checkpoints import FILE, Checkpoint, false_checkpoint, tally_of
from tournaments.ratings.tally import Tally, TallyState
from tournaments.standings.standings import of_store, standings
from tournaments.storage.results import FinishedMatch
from tournaments.storage.store import Store

STRIDE: Final = 3
MOST: Final = 4


@pytest.fixture(autouse=True)
def close_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "STRIDE", STRIDE)
    monkeypatch.setattr(checkpoints, "MOST", MOST)


@pytest.fixture
def taken_in(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the matches that any tally takes in."""
    numbers: list[int] = []
    add = Tally.add

    def noted(self: Tally, match: FinishedMatch) -> None:
        numbers.append(match.number)
        add(self, match)

    monkeypatch.setattr(Tally, "add", noted)
    return numbers


def begin(store: Store, matches: int, **rating: float) -> None:
    """A run, or what a later one with other settings makes of it."""
    changed = {**SETTINGS, "rating": SETTINGS["rating"] | rating}
    store.begin("league", "seed 7", RULES, changed)
    store.change("league", changed)
    store.register([("a", "hash a", {}), ("b", "hash b", {})])
    store.set_schedule(map(row, range(matches)), "", legs=2, rounds=1)


def played(number: int) -> MatchResult:
    """One that differs from the others."""
    return replace(
        result(number, winner=["NS", "EW"][number * number % 3 == 1]),
        forfeited=None,
        points={"NS": 400.0 + number / 3, "EW": 300.5 - number},
        deals=5 + number % 7,
        faults={"E": {"timeout": 1 + number % 2}} if number % 3 else {},
    )


def play(store: Store, numbers: Iterable[int]) -> None:
    for number in numbers:
        store.add(row(number), played(number))


def computed(store: Store) -> str:
    """The standings without any checkpoint."""
    stored = store.tournament()
    tally = Tally(msgspec.convert(stored.settings["rating"], type(RATING)))
    for match in store.finished():
        tally.add(match)
    margins = margins_of(store.finished(), 2 if stored.settings["schedule"]["mirror"] else 1)
    meetings = meetings_of(store.finished(), stored.players)
    statuses = {bot.label: bot.status for bot in store.bots()}
    return to_json(standings(stored, statuses, tally, meetings, margins, store.counts()))


def kept(path: Path) -> list[Checkpoint]:
    _, _, text = path.read_bytes().partition(b"\n")
    return msgspec.json.decode(text, type=list[Checkpoint])


def write(path: Path, found: object) -> None:
    """As the program would."""
    text = msgspec.json.encode(found)
    path.write_bytes(sha256(text).hexdigest().encode() + b"\n" + text)


def files(store: Store) -> set[str]:
    return {path.name for path in store.folder.iterdir() if not path.name.startswith("arena.db")}


# A tally goes on where another was


@pytest.mark.parametrize("form", ["pairs", "solo"])
def test_a_tally_goes_on_from_any_state_and_comes_to_the_same_to_the_last_bit(
    form: Format,
) -> None:
    matches = list(league(11) if form == "pairs" else solo_league(5))
    straight = Tally(RATING, form)
    states = [straight.state()]
    for match in matches:
        straight.add(match)
        states.append(straight.state())
    for cut, state in enumerate(states):
        text = msgspec.json.encode(state)
        on = Tally(RATING, form, after=msgspec.json.decode(text, type=TallyState))
        for match in matches[cut:]:
            on.add(match)
        assert on.state() == states[-1]
        assert msgspec.json.encode(state) == text, "a state changes with the tally that it is from"


# What holds


def test_standings_go_on_from_the_last_checkpoint(store: Store, taken_in: list[int]) -> None:
    begin(store, 20)
    play(store, range(8))
    first = of_store(store)
    taken_in.clear()
    assert of_store(store) == first
    assert taken_in == [6, 7]
    taken_in.clear()
    play(store, range(8, 13))
    expected = computed(store)
    taken_in.clear()
    assert to_json(of_store(store)) == expected
    assert taken_in == list(range(6, 13))
    assert [each.state.matches for each in kept(store.folder / FILE)] == [3, 6, 9, 12]


def test_a_run_with_more_rounds_goes_on_from_the_checkpoints_of_the_shorter(
    store: Store, taken_in: list[int]
) -> None:
    begin(store, 6)
    play(store, range(6))
    of_store(store)
    taken_in.clear()
    begin(store, 9)
    play(store, range(6, 9))
    assert of_store(store).complete
    assert taken_in == [6, 7, 8]


def test_a_small_run_leaves_no_file(store: Store) -> None:
    begin(store, 4)
    play(store, range(STRIDE - 1))
    of_store(store)
    assert files(store) == set()


def test_of_many_checkpoints_the_latest_stay_and_some_of_the_others(store: Store) -> None:
    begin(store, 60)
    for end in range(0, 61, 6):
        play(store, range(end))
        of_store(store)
    numbers = [each.state.matches for each in kept(store.folder / FILE)]
    assert len(numbers) <= MOST
    assert numbers[-2:] == [57, 60]
    assert numbers == sorted(numbers)


# What does not hold


def change_behind(store: Store, sql: str) -> None:
    with raw(store.folder / "arena.db") as other:
        other.execute(sql)


@pytest.mark.parametrize(
    ("sql", "first"),
    [
        (f"UPDATE matches SET {change} WHERE match = '{key(7)[:16]}'", 6)
        for change in (
            "winner = 'NS'",
            """score = '{"NS":500,"EW":499}'""",
            """points = '{"NS":500.5,"EW":499.0}'""",
            "deals = deals + 1",
            """faults = '{"W":{"exit":1}}'""",
            "match = 'another'",
        )
    ]
    + [
        (f"DELETE FROM matches WHERE key = '{key(4)}'", 3),
        (f"UPDATE matches SET n = e, e = n, s = w, w = s WHERE key = '{key(8)}'", 6),
        (f"UPDATE matches SET leg = 1 WHERE key = '{key(0)}'", 0),
        ("UPDATE bots SET label = 'c' WHERE label = 'a'", 0),
        ("UPDATE tournament SET settings = replace(settings, 'true', 'false')", 24),
        ("UPDATE tournament SET settings = replace(settings, '\"tau\":0.0', '\"tau\":0.5')", 0),
    ],
)
def test_after_a_change_standings_go_on_from_the_last_checkpoint_before_it(
    store: Store, sql: str, first: int, taken_in: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "MOST", 100)
    begin(store, 24)  # enough for an interval
    play(store, range(24))
    before = to_json(of_store(store))
    change_behind(store, sql)
    expected = computed(store)
    assert before != expected or "match =" in sql
    taken_in.clear()
    assert to_json(of_store(store)) == expected
    assert [*taken_in, 24][0] == first
    taken_in.clear()
    assert to_json(of_store(store)) == expected
    assert len(taken_in) < STRIDE


def test_a_match_that_others_have_overtaken_falls_into_its_place(
    store: Store, taken_in: list[int]
) -> None:
    begin(store, 12)
    play(store, [0, 1, 2, 3, 5, 6, 7, 8])
    of_store(store)
    play(store, [4])
    expected = computed(store)
    taken_in.clear()
    assert to_json(of_store(store)) == expected
    assert taken_in == list(range(3, 9))


@pytest.mark.parametrize("name", ["ARENA", "LIBRARY", "COMPUTED_BY"])
def test_what_another_version_has_computed_does_not_hold(
    store: Store, taken_in: list[int], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    begin(store, 6)
    play(store, range(6))
    of_store(store)
    other: Any = {"ARENA": None, "LIBRARY": "0.0", "COMPUTED_BY": ("ratings.margin",)}[name]
    monkeypatch.setattr(checkpoints, name, other)
    taken_in.clear()
    of_store(store)
    assert taken_in == list(range(6))


def test_what_another_python_has_computed_does_not_hold(
    store: Store, taken_in: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, 6)
    play(store, range(6))
    of_store(store)
    monkeypatch.setattr(sys, "version", "3.99")
    taken_in.clear()
    of_store(store)
    assert taken_in == list(range(6))


def test_a_tally_is_computed_by_the_modules_that_it_imports() -> None:
    folder = Path(checkpoints.__file__).parents[1]
    named = {"files.vocabulary"}  # of which the words for formats are used, and nothing is computed
    used, new = set(), {"ratings.tally"}
    while new:
        name = new.pop()
        used.add(name)
        if name == "tournament":
            continue  # of which only types are used; its own imports say nothing of a tally
        for node in ast.walk(ast.parse((folder / f"{name.replace('.', '/')}.py").read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, module = node.module.partition(".")
                if package == "tournaments":
                    new |= {module} - used - named
    assert sorted(used) == sorted(checkpoints.COMPUTED_BY)


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(0, 19)),
        st.tuples(st.just("look"), st.just(0)),
        st.tuples(st.just("rounds"), st.integers(1, 10)),
        st.tuples(st.just("void"), st.integers(0, 19)),
        st.tuples(st.just("beta"), st.integers(0, 2)),
        st.tuples(st.just("forget"), st.just(0)),
    ),
    min_size=10,
    max_size=40,
)


@settings(max_examples=25)
@given(ACTIONS)
def test_whatever_happens_to_a_run_its_standings_are_those_of_a_full_computation(
    actions: list[tuple[str, int]],
) -> None:
    with TemporaryDirectory() as name, Store.hold(Path(name) / "run") as store:
        store._database.change("PRAGMA synchronous = OFF")
        beta, matches = 1, 20
        begin(store, matches, beta=beta)  # 0 is for auto
        for action, value in [*actions, ("look", 0)]:
            if action == "play":
                play(store, [value])
            elif action == "void":
                store.add_void(key(value), "a test")
            elif action == "forget":
                (store.folder / FILE).unlink(missing_ok=True)
            elif action == "look":
                assert to_json(of_store(store)) == computed(store)
            else:
                beta = value if action == "beta" else beta
                matches = 2 * value if action == "rounds" else matches
                begin(store, matches, beta=beta or 50 / 3, auto=not beta)


# A file that is not as it was written


def shorter(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def another_digit(path: Path) -> None:
    text = path.read_bytes()
    at = text.index(b'"points":') + len(b'"points":')
    path.write_bytes(text[:at] + (b"1" if text[at : at + 1] == b"2" else b"2") + text[at + 1 :])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def others(path: Path) -> None:
    write(path, [{"checkpoint": "of a later version"}])


def in_disorder(path: Path) -> None:
    write(path, kept(path)[::-1])


def of_fewer_matches(path: Path) -> None:
    """The digests are right, and what they are said to be of is not."""
    found = kept(path)
    found[-1].state.matches = 2
    write(path, found)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def without_end(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def far_too_long(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize(
    "harm",
    [
        shorter,
        another_digit,
        empty,
        others,
        in_disorder,
        of_fewer_matches,
        a_pipe,
        a_folder,
        without_end,
        far_too_long,
    ],
)
def test_a_damaged_file_is_dropped_without_a_word(
    store: Store, harm: Callable[[Path], None], capfd: pytest.CaptureFixture[str]
) -> None:
    begin(store, 12)
    play(store, range(12))
    of_store(store)
    harm(store.folder / FILE)
    for _ in range(2):
        assert to_json(of_store(store)) == computed(store)
    assert capfd.readouterr() == ("", "")
    assert files(store) == {FILE}


def test_the_file_is_not_written_through_a_link_that_somebody_has_laid(
    store: Store, tmp_path: Path
) -> None:
    begin(store, 3)
    play(store, range(3))
    precious = tmp_path / "precious"
    precious.write_text("precious")
    for name in (FILE, f"{FILE}.{os.getpid()}"):
        (store.folder / name).symlink_to(precious)
        of_store(store)
        assert precious.read_text() == "precious"


def test_a_file_that_can_not_be_moved_into_its_place_is_taken_away(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    begin(store, 3)
    play(store, range(3))
    monkeypatch.setattr(Path, "replace", full)
    assert to_json(of_store(store)) == computed(store)
    assert files(store) == set()


def forked(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        os._exit(1)
    os._exit(0)


def test_several_at_once_are_all_right_and_leave_one_whole_file(store: Store, folder: Path) -> None:
    begin(store, 30)
    play(store, range(15))

    def look() -> None:
        for _ in range(10):
            with Store.read(folder) as reader:
                assert tally_of(reader).state().bots
                (folder / FILE).unlink(missing_ok=True)

    children = [forked(look) for _ in range(4)]
    play(store, range(15, 30))
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert to_json(of_store(store)) == computed(store)
    assert files(store) == {FILE}
    assert kept(store.folder / FILE)[-1].state.matches == 30


# One that was made up


def forged(found: list[Checkpoint]) -> Iterator[Checkpoint]:
    for each in found:
        each.state.bots["a"].won += 1
        yield each


def test_a_checkpoint_that_was_made_up_is_found_by_computing_everything(store: Store) -> None:
    begin(store, 12)
    play(store, range(12))
    of_store(store)
    assert false_checkpoint(store) is None
    whole = kept(store.folder / FILE)
    write(store.folder / FILE, [*whole[:2], *forged(whole[2:])])
    assert to_json(of_store(store)) != computed(store)
    assert "is not what the first 9 results come to" in (false_checkpoint(store) or "")


def test_verify_names_a_file_with_a_checkpoint_that_was_made_up(
    run_copy: Path, command: Callable[..., Outcome]
) -> None:
    assert command("standings", run_copy).status == 0
    assert command("verify", run_copy).status == 0
    found = kept(run_copy / FILE)
    found[0].state.bots["low"].won += 1
    write(run_copy / FILE, found)
    outcome = command("verify", run_copy)
    assert outcome.status == 1
    assert f"{run_copy / FILE}: is not what the first" in outcome.out
    assert "delete it" in outcome.out
    (run_copy / FILE).unlink()
    assert command("verify", run_copy).status == 0
