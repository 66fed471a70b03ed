"""Tournament files: what they come to, and every mistake at its place."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.events import Clocks, FaultPolicy
from arena.rules import PRESETS
from tournaments.bots.bots import bot_from_argument
from tournaments.config import load_tournament
from tournaments.errors import UserError
from tournaments.files import schemas
from tournaments.tournament import (
    RatingSettings,
    SandboxSettings,
    ScheduleSettings,
    Tournament,
)

BOTS = "bots: [one, {name: two, command: [sh, two.sh]}]\n"


@pytest.fixture(autouse=True)
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to be in, with a bot."""
    monkeypatch.chdir(tmp_path)
    Path("one").mkdir()
    Path("one/bot.yaml").write_text('command: ["{python}", bot.py]\n')


def load(text: str) -> Tournament:
    path = Path("league.yaml")
    path.write_text(text)
    return load_tournament(path)


def mistakes(text: str) -> list[str]:
    """Every `line:col: message` of what is wrong with a file."""
    with pytest.raises(UserError) as caught:
        load(text)
    heads = [line for line in str(caught.value).split("\n") if not line.startswith("    ")]
    return [head.removeprefix("league.yaml:") for head in heads]


def test_two_bots_are_all_that_a_file_needs() -> None:
    found = load(BOTS)
    one, two = found.bots
    assert found == Tournament(
        name="league",
        seed=None,
        rules=PRESETS["standard"],
        format="pairs",
        schedule=ScheduleSettings(type="round_robin", rounds=1, mirror=True, of=()),
        clock=Clocks(start_ms=10_000, move_ms=1_000, bank_ms=None, exit_ms=1_000),
        faults=FaultPolicy(limit=3),
        sandbox=SandboxSettings("auto", 512_000_000, 64_000_000, 1, 64, True),
        cores=1,
        rating=RatingSettings(mu=25.0, sigma=25 / 3, beta=50 / 3, tau=0.0),
        bots=(one, two),
        withdrawn=(),
        disqualified=(),
        path=Path("league.yaml"),
    )
    assert (one.name, one.command, one.owns_folder) == ("one", ("{python}", "bot.py"), True)
    assert one.folder == Path("one").resolve()
    assert one.where == "league.yaml:1:8"
    assert (two.name, two.command, two.owns_folder) == ("two", ("sh", "two.sh"), False)
    assert two.folder == Path.cwd()


def test_everything_documented_can_be_written() -> None:
    found = load(
        """
name: friday-league
seed: 2026
rules: {preset: quick, bag_penalty: 0}
format: pairs
schedule: {type: gauntlet, of: two, rounds: 4, mirror: false}
clock: {start: 500ms, move: 1.5s, bank: 2m, exit: 1h}
faults: {policy: forfeit, limit: 5, timeout: forfeit}
sandbox: {backend: bubblewrap, memory: 256MB, processes: 1, threads: 8, disk: 0.5GB, pause: false}
cores: 2
rating: {mu: 30, sigma: 30/3, beta: 50/3, tau: 1/12}
bots:
  - one
  - {name: two, command: [sh, -c, x], build: ["true"], env: {MODE: fast}, version: "1.0",
     author: me, language: sh, description: a bot, folder: one}
  - "sh three.sh --fast"
"""
    )
    assert found.name == "friday-league"
    assert found.seed == 2026
    assert found.rules == msgspec.structs.replace(PRESETS["quick"], bag_penalty=0)
    assert found.schedule == ScheduleSettings(type="gauntlet", rounds=4, mirror=False, of=("two",))
    assert found.clock == Clocks(500, 1_500, 120_000, 3_600_000)
    assert found.faults.limit == 5
    assert found.sandbox == SandboxSettings("bubblewrap", 256_000_000, 500_000_000, 1, 8, False)
    assert found.cores == 2
    assert found.rating == RatingSettings(30.0, 10.0, 50 / 3, 1 / 12)
    two, three = found.bots[1:]
    assert two.build == ("true",)
    assert two.env == {"MODE": "fast"}
    assert (two.version, two.author, two.language) == ("1.0", "me", "sh")
    assert two.description == "a bot"
    assert two.folder == Path("one").resolve()
    assert two.owns_folder
    assert (three.name, three.command) == ("sh", ("sh", "three.sh", "--fast"))


def test_a_bank_of_null_is_no_bank() -> None:
    assert load(BOTS + "clock: {bank: null}").clock.bank_ms is None


@pytest.mark.parametrize(
    ("stem", "name"), [("friday", "friday"), ("my league!", "my-league"), ("..,", "tournament")]
)
def test_without_a_name_it_is_the_files(stem: str, name: str) -> None:
    path = Path(f"{stem}.yaml")
    path.write_text(BOTS)
    assert load_tournament(path).name == name


def test_paths_are_relative_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path.cwd()
    (folder / "league.yaml").write_text(BOTS)
    monkeypatch.chdir("/")
    found = load_tournament(folder / "league.yaml")
    assert [bot.folder for bot in found.bots] == [folder / "one", folder]


WHOLE_SEED = "expected a whole number from 0 to 9,223,372,036,854,775,807"
TIME = "expected a time with its unit, such as 500ms, 1.5s or 2m"
SIZE = "expected a size with its unit, such as 512MB (MB is 1,000,000 bytes)"
RATIO = "expected a number (up to 1,000,000) or a fraction such as 25/3"
BOT_NAME = "expected a name of 1 to 64 characters, each one of a-z 0-9 . _ -"


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        # keys
        ("sede: 5", "2:1: unknown key 'sede': did you mean 'seed'?"),
        ("clock: {strat: 1s}", "2:9: unknown key 'strat': did you mean 'start'?"),
        ("clock: {x: 1s}", "2:9: unknown key 'x': known here are start, move, bank, exit"),
        ("rules: {targt: 250}", "2:9: unknown key 'targt': did you mean 'target'?"),
        ("cores: 1\ncores: 2", "3:1: the key 'cores' stands twice, first in line 2"),
        # types, in plain words
        ("seed: '5'", f"2:7: {WHOLE_SEED}, found the text '5': leave out the quotes"),
        ("seed: -1", f"2:7: {WHOLE_SEED}, found the number -1"),
        ("seed: 1.0", f"2:7: {WHOLE_SEED}, found the number 1.0"),
        ("seed: 9223372036854775808", f"2:7: {WHOLE_SEED}, found the number 9223372036854775808"),
        ("seed:", f"2:6: {WHOLE_SEED}, found nothing"),
        ("seed: true", f"2:7: {WHOLE_SEED}, found true"),
        ("cores: 0", "2:8: expected a whole number from 1 to 1,024, found the number 0"),
        ("schedule: []", "2:11: expected a mapping, found an empty list"),
        ("schedule: [1, 2]", "2:11: expected a mapping, found a list of 2"),
        (
            "schedule: {rounds: 100001}",
            "2:20: expected a whole number from 1 to 100,000, found the number 100001",
        ),
        (
            "schedule: {mirror: no}",
            "2:20: expected true or false, found the text 'no': write false",
        ),
        (
            "name: ../x",
            "2:7: expected a name of 1 to 64 letters, digits, spaces and . _ -, found the text"
            " '../x'",
        ),
        # words
        (
            "format: pears",
            "2:9: expected one of pairs, rotating, solo, found the text 'pears': did you mean"
            " 'pairs'?",
        ),
        (
            "format: rotatng",
            "2:9: expected one of pairs, rotating, solo, found the text 'rotatng': did you mean"
            " 'rotating'?",
        ),
        (
            "schedule: {type: robin}",
            "2:18: expected one of adaptive, gauntlet, round_robin, swiss, found the text 'robin':"
            " did you mean 'round_robin'?",
        ),
        (
            "faults: {policy: foo}",
            "2:18: expected one of forfeit, set, substitute, found the text 'foo'",
        ),
        (
            "faults: {timeout: foo}",
            "2:19: expected one of forfeit, set, substitute, found the text 'foo'",
        ),
        (
            "faults: {exit: subsitute}",
            "2:16: expected one of forfeit, set, substitute, found the text 'subsitute': did you"
            " mean 'substitute'?",
        ),
        (
            "sandbox: {backend: bublewrap}",
            "2:20: expected one of auto, bubblewrap, none, found the text 'bublewrap': did you mean"
            " 'bubblewrap'?",
        ),
        (
            "sandbox: none",
            "2:10: expected a mapping, found the text 'none': write {backend: none}",
        ),
        (
            "sandbox: auto",
            "2:10: expected a mapping, found the text 'auto': write {backend: auto}",
        ),
        ("faults: set", "2:9: expected a mapping, found the text 'set': write {policy: set}"),
        (
            "schedule: gauntlet",
            "2:11: expected a mapping, found the text 'gauntlet': write {type: gauntlet}",
        ),
        (
            "rules: {lead_spades: brokn}",
            "2:22: expected one of any_time, broken, found the text 'brokn': did you mean"
            " 'broken'?",
        ),
        (
            "rules: standrad",
            f"2:8: expected one of {', '.join(PRESETS)}, found the text 'standrad': did you mean"
            " 'standard'?",
        ),
        (
            "rules: {preset: nothing}",
            f"2:17: expected one of {', '.join(PRESETS)}, found the text 'nothing'",
        ),
        # unions: the branch that was meant
        (
            "rules: {target: big}",
            "2:17: expected a whole number from 1 to 1,000,000, found the text 'big'",
        ),
        (
            "rules: 5",
            f"2:8: expected one of {', '.join(PRESETS)}, or a mapping, found the number 5",
        ),
        (
            "rules: {floor: low}",
            "2:16: expected a whole number from -1,000,000 to -1, or null, found the text 'low'",
        ),
        (
            "rules: {floor: none}",
            "2:16: expected a whole number from -1,000,000 to -1, or null, found the text 'none':"
            " write null",
        ),
        ("schedule: {of: [one, Two]}", f"2:22: {BOT_NAME}, found the text 'Two'"),
        # times, sizes, fractions
        ("clock: {move: 1}", f"2:15: {TIME}, found the number 1: write 1s or 1000ms"),
        ("clock: {move: 1.5}", f"2:15: {TIME}, found the number 1.5: write 1.5s or 1500ms"),
        ("clock: {move: 1 s}", f"2:15: {TIME}, found the text '1 s'"),
        ('clock: {move: "1s\\n"}', f"2:15: {TIME}, found the text '1s\\n'"),
        (
            "clock: {bank: none}",
            f"2:15: {TIME}, or null for no limit, found the text 'none': write null",
        ),
        (
            "clock: {bank: 5}",
            f"2:15: {TIME}, or null for no limit, found the number 5: write 5s or 5000ms",
        ),
        ("clock: {move: none}", f"2:15: {TIME}, found the text 'none'"),
        ("clock: {exit: 0s}", "2:15: expected a time above 0 and up to 24h, found 0s"),
        ("clock: {start: 25h}", "2:16: expected a time above 0 and up to 24h, found 25h"),
        (
            "sandbox: {backend: none, memory: 512}",
            f"2:34: {SIZE}, found the number 512: write 512MB or 512000KB",
        ),
        ("sandbox: {backend: none, disk: 64Mb}", f"2:32: {SIZE}, found the text '64Mb'"),
        (
            "sandbox: {backend: none, pause: true, processes: 2}",
            "2:33: pause needs processes: 1",
        ),
        ("sandbox: {memory: 1MB}", "2:19: memory must be from 16MB to 1000GB, found 1MB"),
        ("sandbox: {memory: 1001GB}", "2:19: memory must be from 16MB to 1000GB, found 1001GB"),
        ("sandbox: {disk: 0MB}", "2:17: disk must be from 64KB to 1000GB, found 0MB"),
        (
            "sandbox: {processes: 65}",
            "2:10: each of the 65 processes is a thread at least: write threads: 65 or more",
        ),
        ("rating: {mu: 25:3}", f"2:14: {RATIO}, found the text '25:3'"),
        (
            "rating: {beta: x}",
            "2:16: expected a number (up to 1,000,000) or a fraction such as 25/3, or auto, found"
            " the text 'x'",
        ),
        ("rating: {beta: Auto}", f"2:16: {RATIO}, or auto, found the text 'Auto'"),
        ("rating: {mu: auto}", f"2:14: {RATIO}, found the text 'auto'"),
        ("rating: {beta: auto, tau: 1/12}", None),
        ("rating: {mu: .nan}", f"2:14: {RATIO}, found the number nan"),
        ("rating: {mu: 25/0}", "2:14: 25/0 divides by zero"),
        ("rating: {sigma: 0}", "2:17: sigma must be from 0.001 to 1,000,000, found 0"),
        ("rating: {tau: -1/3}", "2:15: tau must be from 0 to 1,000,000, found -1/3"),
        ("rating: {beta: 9/0.001}", None),
        (
            "rules: {floor: 0}",
            "2:16: expected a whole number from -1,000,000 to -1, or null, found the number 0",
        ),
        # schedules
        (
            "schedule: {type: gauntlet}",
            "2:11: a gauntlet needs 'of': the bot, or bots, that meet all others",
        ),
        (
            "schedule: {type: gauntlet, of: []}",
            "2:32: expected a list of names, found an empty list",
        ),
        ("schedule: {of: one}", "2:16: 'of' belongs to a gauntlet: write type: gauntlet"),
        (
            "schedule: {type: gauntlet, of: on}",
            "2:32: no bot is named 'on': did you mean 'one'?",
        ),
        (
            "schedule: {type: gauntlet, of: [one, zzz]}",
            "2:38: no bot is named 'zzz': there are one, two",
        ),
        ("schedule: {type: gauntlet, of: [one, one]}", "2:38: 'one' stands twice"),
        (
            "schedule: {type: gauntlet, of: [two, one]}",
            "2:32: 'of' names every bot, so no other is left to meet",
        ),
        # who left
        (
            "withdrawn: one\ndisqualified: [one]",
            "2:12: 'one' is disqualified as well: leave it there alone",
        ),
        ("withdrawn: [two, two]", "2:18: 'two' stands twice"),
        ("disqualified: ones", "2:15: no bot is named 'ones': did you mean 'one'?"),
        ("withdrawn: []", "2:12: expected a list of names, found an empty list"),
        # adaptive
        ("schedule: {type: adaptive, goal: {top: 1}, confidence: 0.9999, rounds: 9}", None),
        ("schedule: {type: adaptive, goal: order, confidence: 0.5}", None),
        (
            "schedule: {type: adaptive, goal: {top: 2}}",
            "2:40: of 2 bots the first 1 to 1 can be the goal, not 2: for all of them write goal:"
            " order",
        ),
        (
            "schedule: {type: adaptive, goal: {top: 0}}",
            "2:40: expected a whole number from 1 to 10,000, found the number 0",
        ),
        (
            "schedule: {type: adaptive, goal: {tpo: 1}}",
            "2:35: unknown key 'tpo': did you mean 'top'?",
        ),
        (
            "schedule: {type: adaptive, goal: ordr}",
            "2:34: expected order, found the text 'ordr': did you mean 'order'?",
        ),
        (
            "schedule: {type: adaptive, confidence: 95}",
            "2:40: expected a number from 0.5 to 0.9999, found the number 95",
        ),
        (
            "schedule: {goal: order}",
            "2:18: 'goal' belongs to an adaptive schedule: write type: adaptive",
        ),
        (
            "schedule: {type: swiss, confidence: 0.9}",
            "2:37: 'confidence' belongs to an adaptive schedule: write type: adaptive",
        ),
        (
            "schedule: {type: adaptive, of: one}",
            "2:32: 'of' belongs to a gauntlet: write type: gauntlet",
        ),
    ],
)
def test_a_mistake_has_its_line_its_column_and_what_to_write(
    line: str, mistake: str | None
) -> None:
    if mistake is None:
        assert load(BOTS + line)
    else:
        assert mistakes(BOTS + line) == [mistake]


@pytest.mark.parametrize(("bots", "top"), [(501, 4), (500, 500)])
def test_an_adaptive_schedule_has_a_bound_on_its_bots_and_a_goal_within_them(
    bots: int, top: int
) -> None:
    entries = "".join(f"  - {{name: b{i}, command: [sh, {i}.sh]}}\n" for i in range(bots))
    found = mistakes(f"schedule: {{type: adaptive, goal: {{top: {top}}}}}\nbots:\n{entries}")
    assert found == [
        "1:18: an adaptive schedule compares every two bots, and takes 500 at most, not 501: write"
        " type: swiss, or name fewer"
        if bots == 501
        else "1:40: of 500 bots the first 1 to 499 can be the goal, not 500: for all of them write"
        " goal: order"
    ]


FOUR = """
bots:
  - one
  - {name: two, command: [sh, two.sh]}
  - {name: three, command: [sh, three.sh]}
  - {name: four, command: [sh, four.sh]}
""".lstrip()


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (
            "format: rotating\nschedule: {type: adaptive}",
            "7:18: an adaptive schedule plays in the format 'pairs', not in 'rotating': write"
            " format: pairs, or another schedule",
        ),
        (
            "rules: solo",
            "6:8: the rules are for solo, and the format 'pairs' is not: write format: solo",
        ),
        (
            "rules: {preset: solo}",
            "6:17: the rules are for solo, and the format 'pairs' is not: write format: solo",
        ),
        (
            "format: pairs\nrules: {players: solo, target: 300}",
            "7:18: the rules are for solo, and the format 'pairs' is not: write format: solo",
        ),
        (
            "format: solo",
            "6:9: the rules are for partners, and the format 'solo' is not: write rules: solo",
        ),
        (
            "format: solo\nrules: standard",
            "7:8: the rules are for partners, and the format 'solo' is not: write rules: solo",
        ),
        (
            "format: solo\nrules: {target: 300}",
            "7:8: the rules are for partners, and the format 'solo' is not: write rules: solo",
        ),
        (
            "format: solo\nrules: {preset: solo, players: partners}",
            "7:32: the rules are for partners, and the format 'solo' is not: write rules: solo",
        ),
    ],
)
def test_rules_and_format_must_be_for_the_same_number_of_sides(lines: str, mistake: str) -> None:
    assert mistakes(FOUR + lines) == [mistake]


def test_of_a_bot_that_left_nothing_need_be_there_but_its_name() -> None:
    load(
        "bots: [{name: one}, {name: two, command: [./gone]}, {name: three, folder: none}]\n"
        "withdrawn: one\ndisqualified: [two, three]\n"
    )
    left = load(FOUR + "withdrawn: [one]")
    assert [bot.name for bot in left.bots] == ["one", "two", "three", "four"]
    assert [bot.name for bot in left.playing] == ["two", "three", "four"]


@pytest.mark.parametrize(
    ("schedule", "mistake"),
    [
        ("", "2:3: a round_robin of 4 bots and rounds: 1 has 12 matches"),
        ("{rounds: 9}", "6:20: a round_robin of 4 bots and rounds: 9 has 108 matches"),
        ("{type: swiss, rounds: 9}", "6:33: a swiss of 4 bots and rounds: 9 has 36 matches"),
    ],
)
def test_more_matches_than_a_disk_holds_are_refused(
    monkeypatch: pytest.MonkeyPatch, schedule: str, mistake: str
) -> None:
    text = f"{FOUR}schedule: {schedule}" if schedule else FOUR
    load(text)
    monkeypatch.setattr("tournaments.entrants.MOST_MATCHES", 11)
    assert mistakes(text) == [f"{mistake}; a tournament has at most 11"]


FORMS = {"solo": "format: solo\nrules: solo\n", "rotating": "format: rotating\n"}


@pytest.mark.parametrize("form", FORMS)
def test_four_at_a_table_are_four_bots_or_more(form: str) -> None:
    five = [*FOUR.splitlines(), "  - {name: five, command: [sh, five.sh]}"]
    for count in (2, 3):
        text = "\n".join([*five[: count + 1], FORMS[form]])
        assert mistakes(text) == [
            f"2:3: a round_robin in the format '{form}' needs 4 bots or more, not {count}",
        ]
    assert len(load("\n".join([*five, FORMS[form]])).bots) == 5


@pytest.mark.parametrize("form", FORMS)
def test_a_gauntlet_of_four_at_a_table_leaves_three_others(form: str) -> None:
    assert load(FOUR + FORMS[form] + "schedule: {type: gauntlet, of: two}").schedule.of == ("two",)
    (mistake,) = mistakes(FOUR + FORMS[form] + "schedule: {type: gauntlet, of: [one, two]}")
    assert mistake.endswith(f"a gauntlet in the format '{form}' needs 5 bots or more, not 4")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_by_four_bots_in_its_format(preset: str) -> None:
    form = "solo" if PRESETS[preset].players == "solo" else "pairs"
    found = load(FOUR + f"format: {form}\nrules: {preset}")
    assert (found.format, found.rules, len(found.bots)) == (form, PRESETS[preset], 4)


@pytest.mark.parametrize(
    ("form", "rules", "options"),
    [
        (
            "pairs",
            "{preset: barmore, blind_nil: 200, blind_nil_exchange: 3}",
            {"deck": "jokers", "blind_nil": 200, "blind_nil_exchange": 3},
        ),
        ("pairs", "{preset: nyc, blind_nil: 100, floor: -500}", {"floor": -500}),
        ("pairs", "{preset: blind, min_team_bid: 4}", {"min_team_bid": 4, "blind_nil": 200}),
        ("pairs", "{preset: app, floor: null}", {"floor": None}),
        ("solo", "{preset: solo, floor: -200}", {"floor": -200, "players": "solo"}),
        ("solo", "{preset: solo_bags, deck: jokers_nyc}", {"deck": "jokers_nyc"}),
        (
            "solo",
            "{preset: solo, blind_nil: 200, blind_nil_deficit: 100}",
            {"blind_nil": 200, "blind_nil_deficit": 100, "nil": 0},
        ),
        ("solo", "{preset: solo, min_bid: 0, nil: 50}", {"min_bid": 0, "nil": 50}),
        ("solo", "{players: solo}", {"players": "solo", "nil": 100}),
    ],
)
def test_sensible_rules_go_together(form: str, rules: str, options: dict[str, Any]) -> None:
    found = msgspec.structs.asdict(load(FOUR + f"format: {form}\nrules: {rules}").rules)
    assert options.items() <= found.items()


@pytest.mark.parametrize(
    ("faults", "policy"),
    [
        ("{}", FaultPolicy()),
        (
            "{policy: set}",
            FaultPolicy(
                start="set",
                timeout="set",
                exit="set",
                malformed="set",
                illegal="set",
                output="set",
                resource="set",
            ),
        ),
        ("{policy: forfeit, illegal: set}", FaultPolicy(illegal="set")),
        (
            "{policy: forfeit, timeout: substitute, limit: 1}",
            FaultPolicy(timeout="substitute", limit=1),
        ),
        (
            "{policy: substitute, illegal: set, start: forfeit}",
            FaultPolicy(
                start="forfeit",
                timeout="substitute",
                exit="substitute",
                malformed="substitute",
                illegal="set",
                output="substitute",
                resource="substitute",
            ),
        ),
        (
            "{policy: set, limit: 5, start: forfeit, exit: forfeit, resource: forfeit}",
            FaultPolicy(timeout="set", malformed="set", illegal="set", output="set", limit=5),
        ),
    ],
)
def test_the_fault_policy_has_a_ruling_for_each_kind(faults: str, policy: FaultPolicy) -> None:
    assert load(BOTS + f"faults: {faults}").faults == policy


@pytest.mark.parametrize(
    ("bots", "mistake"),
    [
        ("", "1:1: the key 'bots' is missing here"),
        ("bots:\n", "2:6: expected a list of 2 to 10,000 bots, found nothing"),
        ("bots: one", "2:7: expected a list of 2 to 10,000 bots, found the text 'one'"),
        ("bots: [one]", "2:7: expected a list of 2 to 10,000 bots, found a list of 1"),
        (
            "bots: [one, one]",
            "2:13: the name 'one' is taken by the bot at league.yaml:2:8: give this one a name"
            " of its own",
        ),
        (
            "bots: [one, {command: [sh], name: one}]",
            "2:35: the name 'one' is taken by the bot at league.yaml:2:8: give this one a name"
            " of its own",
        ),
        (
            "bots: [one, ona]",
            "2:13: 'ona' is no folder, no file, and no program on PATH: did you mean 'one'?",
        ),
        ("bots: [one, ../two]", "2:13: '../two' does not exist"),
        ("bots: [one, '']", "2:13: expected a bot's folder, file or command, found an empty text"),
        (
            "bots: [one, 5]",
            "2:13: expected a bot's folder, file or command, or a mapping, found the number 5:"
            " put it in quotes",
        ),
        ("bots: [one, {command: [sh]}]", "2:13: the key 'name' is missing here"),
        ("bots: [one, {name: x}]", "2:13: the key 'command' is missing here"),
        ("bots: [one, {name: x, command: [nosuch, -x]}]", "2:33: 'nosuch' is not on PATH"),
        (
            "bots: [one, {name: x, command: ['{pyton}', x.py]}]",
            "2:33: '{pyton}' is not on PATH: did you mean '{python}'?",
        ),
        (
            "bots: [one, {name: x, folder: one, command: [./nosuch]}]",
            "2:46: './nosuch' does not exist",
        ),
        (
            "bots: [one, {name: x, comand: [sh]}]",
            "2:23: unknown key 'comand': did you mean 'command'?",
        ),
        (
            "bots: [one, {nam: x, command: [sh]}]",
            "2:14: unknown key 'nam': did you mean 'name'?",
        ),
        (
            "bots: [one, {name: mine, folder: ../nofolder}]",
            "2:13: the folder '../nofolder' does not exist",
        ),
        (
            "bots: [one, {name: mine, folder: .}]",
            "2:13: the key 'command' is missing here, and the folder '.' has no bot.yaml",
        ),
        (
            "bots: [one, {name: x, folder: one, build: cc -O2 -o bot bot.c}]",
            "2:43: expected a list of words, such as [make] or [cc, -O2, -o, bot, bot.c], found"
            " the text 'cc -O2 -o bot bot.c'",
        ),
        (
            "bots: [one, {name: x, folder: one, build: [[make, all]]}]",
            "2:44: expected a word of up to 4,096 characters, found a list of 2: this is one"
            " command; for several: [sh, -c, 'a && b']",
        ),
        (
            "bots: [one, {name: x, command: sh}]",
            "2:32: expected a list of words, such as [./mybot, --fast], found the text 'sh'",
        ),
        (
            "bots: [one, {name: x, command: [sh, 5]}]",
            "2:37: expected a word of up to 4,096 characters, found the number 5: put it in quotes",
        ),
        ("bots: [one, {name: Mine, command: [sh]}]", f"2:20: {BOT_NAME}, found the text 'Mine'"),
        ("bots: [one, {name: .., command: [sh]}]", f"2:20: {BOT_NAME}, found the text '..'"),
        (f"bots: [one, {{name: {'a' * 65}, command: [sh]}}]", None),
        (
            "bots: [one, {nmae: x, name: x, command: [sh]}]",
            "2:14: unknown key 'nmae': did you mean 'name'?",
        ),
        (
            "bots: [one, {name: x, command: [sh], env: fast}]",
            "2:43: expected a mapping, found the text 'fast'",
        ),
        (
            "bots: [one, {name: x, command: [sh], env: {HOME: /}}]",
            "2:44: expected the name of a variable (but HOME and TMPDIR, which the arena sets),"
            " found the text 'HOME'",
        ),
        (
            "bots: [one, {name: x, command: [sh], folder: nowhere}]",
            "2:13: the folder 'nowhere' does not exist",
        ),
        (
            "bots: [one, 'git:main:/bots/x']",
            "2:13: 'git:main:/bots/x': the path counts from the repository's root: write no '..',"
            " and no '/' first",
        ),
    ],
)
def test_a_mistake_among_the_bots_has_its_place(bots: str, mistake: str | None) -> None:
    found = mistakes("name: x\n" + bots)
    assert len(found) == 1
    if mistake:
        assert found == [mistake]


@pytest.mark.parametrize(("entry", "name"), [("lost", "lost"), ("{name: x, folder: lost}", "x")])
def test_a_program_that_a_bot_yaml_names_and_is_not_there_has_its_place_in_that_file(
    entry: str, name: str
) -> None:
    Path("lost").mkdir()
    Path("lost/bot.yaml").write_text("# a bot\ncommand: [nosuch, -x]\n")
    with pytest.raises(UserError) as caught:
        load(f"bots: [one, {entry}]\n")
    assert str(caught.value) == (
        "lost/bot.yaml:2:11: 'nosuch' is not on PATH\n    command: [nosuch, -x]\n              ^"
    )
    load(f"bots: [one, {{name: two, command: [sh]}}, {entry}]\nwithdrawn: {name}\n")


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file_is_said_to_be_empty(text: str) -> None:
    (mistake,) = mistakes(text)
    assert mistake.partition(": ")[2] == "the file is empty: write at least 'bots'"


def test_an_entry_has_what_it_does_not_say_from_the_bot_yaml_in_its_folder() -> None:
    Path("two").mkdir()
    Path("two/bot.yaml").write_text(
        "name: two\ncommand: [sh, two.sh]\nbuild: [make]\nenv: {A: a, B: b}\nversion: '2'\n"
        "author: me\nlanguage: sh\ndescription: it plays\n"
    )
    entries = (
        "{name: a, folder: two}",
        "{name: b, folder: two, command: [sh, b.sh], env: {A: x}, version: '3'}",
        "{name: c, folder: two, build: ['true'], env: {}}",
    )
    a, b, c = load(f"bots: [{', '.join(entries)}]").bots
    described = bot_from_argument("two", Path())
    assert a == msgspec.structs.replace(described, name="a", where=a.where)
    assert b == msgspec.structs.replace(
        a,
        name="b",
        command=("sh", "b.sh"),
        command_at=b.command_at,
        env={"A": "x"},
        version="3",
        where=b.where,
    )
    assert c == msgspec.structs.replace(a, name="c", build=("true",), env={}, where=c.where)


def test_mistakes_in_the_bot_yaml_of_an_entrys_folder_are_told() -> None:
    Path("two").mkdir()
    Path("two/bot.yaml").write_text("comand: [sh]\n")
    assert mistakes("bots: [one, {name: mine, folder: two}]") == [
        "two/bot.yaml:1:1: unknown key 'comand': did you mean 'command'?"
    ]


@pytest.mark.parametrize("text", ["just text", "[one, two]", "5"])
def test_a_file_that_is_no_mapping_is_refused(text: str) -> None:
    (mistake,) = mistakes(text)
    assert "expected a mapping, found " in mistake


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    assert mistakes(
        """
name: /
seed: x
rules: {preset: standard, taget: 250}
format: rotating
schedule: {type: adaptive, rounds: 0, of: zzz}
clock: {start: 10, move: 0s}
rating: {mu: 1/0, sigma: x, tau: -1}
bots:
  - {name: X, command: []}
  - missing
  - one
  - one
""".lstrip()
    ) == [
        "1:7: expected a name of 1 to 64 letters, digits, spaces and . _ -, found the text '/'",
        f"2:7: {WHOLE_SEED}, found the text 'x'",
        "3:27: unknown key 'taget': did you mean 'target'?",
        "5:36: expected a whole number from 1 to 100,000, found the number 0",
        f"6:16: {TIME}, found the number 10: write 10s or 10000ms",
        "6:26: expected a time above 0 and up to 24h, found 0s",
        "7:14: 1/0 divides by zero",
        f"7:26: {RATIO}, found the text 'x'",
        "7:34: tau must be from 0 to 1,000,000, found -1",
        f"9:12: {BOT_NAME}, found the text 'X'",
        "9:24: expected a list of words, such as [./mybot, --fast], found an empty list",
        "10:5: 'missing' is no folder, no file, and no program on PATH",
        "12:5: the name 'one' is taken by the bot at league.yaml:11:5: give this one a name of its"
        " own",
    ]


def test_mistakes_in_a_bot_yaml_are_told_with_those_of_the_file() -> None:
    Path("two").mkdir()
    Path("two/bot.yaml").write_text("nam: two\ncommand: bot.py\n")
    assert mistakes("bots: [one, two]\nseed: x\n") == [
        "two/bot.yaml:1:1: unknown key 'nam': did you mean 'name'?",
        "two/bot.yaml:2:10: expected a list of words, such as [./mybot, --fast], found the text"
        " 'bot.py'",
        f"2:7: {WHOLE_SEED}, found the text 'x'",
    ]


def test_a_mistake_shows_its_line_and_a_caret() -> None:
    with pytest.raises(UserError) as caught:
        load("bots: [one, {name: two, command: [sh]}]\nclock:\n  strat: 1s\n")
    assert str(caught.value) == (
        "league.yaml:3:3: unknown key 'strat': did you mean 'start'?\n      strat: 1s\n      ^"
    )


@pytest.mark.parametrize("jargon", ["schema", "anyOf", "is not of type", "Expected `", "$."])
def test_no_message_speaks_the_language_of_a_library(jargon: str) -> None:
    wrong: Any
    for wrong in ("[]", "{}", "{a: {b: c}}", "x", "5", "1.5", "true", "[[1]]", "''"):
        for key in schemas.tournament()["$defs"]["TournamentFile"]["properties"]:
            for mistake in mistakes(f"{key}: {wrong}\nzzz: 1"):
                assert jargon not in mistake


def test_the_schema_is_that_of_a_tournament_file() -> None:
    assert schemas.tournament()["$defs"]["TournamentFile"]["required"] == ["bots"]


@pytest.mark.parametrize(
    ("section", "found"),
    [
        ("{}", SandboxSettings()),
        ("{backend: auto}", SandboxSettings()),
        ("{backend: none}", SandboxSettings("none")),
        ("{memory: 1.5GB, disk: 100KB}", SandboxSettings(memory=1_500_000_000, disk=100_000)),
        ("{processes: 2}", SandboxSettings(processes=2, pause=False)),
        ("{processes: 2, pause: false}", SandboxSettings(processes=2, pause=False)),
        (
            "{processes: 100, threads: 100}",
            SandboxSettings("auto", processes=100, threads=100, pause=False),
        ),
    ],
)
def test_a_box_has_the_limits_that_are_written_and_stops_bots_where_it_can(
    section: str, found: SandboxSettings
) -> None:
    assert load(f"{BOTS}\nsandbox: {section}\n").sandbox == found
