"""`gate`: is a candidate better than a baseline? Plays until that is decided, or can't be."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from arena.rules import PRESETS
from tournaments.bots.bots import bot_from_argument
from tournaments.boxes import box_for
from tournaments.cli.gate_run import play_gate
from tournaments.cli.sandbox import sandbox_option, sandbox_settings
from tournaments.cli.seed import seed_option
from tournaments.cli.typed import Choice, Whole
from tournaments.errors import UserError
from tournaments.gates.gate import (
    BETTER,
    MAX_PAIRS,
    MOST_PAIRS,
    NO_REGRESSION,
    SEED,
    GateSettings,
    apart,
)
from tournaments.gates.layout import FORMATS
from tournaments.gates.sequential import FEWEST_PAIRS, Hypotheses

ELO_LIMIT: Final = 1000
"""Of either hypothesis, up and down: a score of 99.7 %."""


@click.command(short_help="Is a bot better than another, or not worse? For CI.")
@click.argument("candidate")
@click.option("--against", metavar="BASELINE", required=True, help="The bot that it is to beat.")
@click.option("--elo0", type=float, metavar="E", help="Not better is to be this much stronger [0].")
@click.option("--elo1", type=float, metavar="E", help="Better is to be this much stronger [20].")
@click.option(
    "--alpha",
    type=float,
    default=BETTER.alpha,
    metavar="A",
    help="Risk to pass wrongly [0.05].",
)
@click.option(
    "--beta",
    type=float,
    default=BETTER.beta,
    metavar="B",
    help="Risk to fail wrongly [0.05].",
)
@click.option(
    "--max-pairs",
    type=int,
    default=MAX_PAIRS,
    metavar="N",
    help="Pairs of matches, sides changed over [2000].",
)
@click.option("--non-regression", is_flag=True, help="Is it not worse? As --elo0 -20 --elo1 0.")
@click.option(
    "--rules",
    "preset",
    type=Choice([name for name, rules in PRESETS.items() if rules.players != "solo"]),
    default="standard",
    metavar="PRESET",
    help="A preset of the rules.",
)
@sandbox_option("auto", "auto, bubblewrap or none.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Run folder; one for these bots by default.",
)
@click.option("--jobs", type=Whole(min=1), metavar="N", help="Tables at once.")
@seed_option("Other deals than those of seed 0.")
@click.option("--quiet", is_flag=True, help="No progress and no notices.")
@click.option(
    "--format",
    "form",
    type=Choice(list(FORMATS)),
    default="text",
    metavar="FORM",
    help="text, json, markdown or junit.",
)
@click.pass_context
def gate(
    ctx: click.Context,
    candidate: str,
    against: str,
    elo0: float | None,
    elo1: float | None,
    alpha: float,
    beta: float,
    max_pairs: int,
    non_regression: bool,
    preset: str,
    backend: str,
    output: Path | None,
    jobs: int | None,
    seed: int | None,
    quiet: bool,
    form: str,
) -> None:
    """Is CANDIDATE better than BASELINE? Plays until that is decided.

    Exit status: 0 yes, 1 no, 3 undecided, 4 it is broken.

    \b
    spades-arena gate ./my-bot --against ./my-bot-1.0 --sandbox none
    """
    hypotheses = _hypotheses(elo0, elo1, alpha, beta, non_regression)
    if not FEWEST_PAIRS <= max_pairs <= MOST_PAIRS:
        raise UserError(f"--max-pairs {max_pairs}: choose {FEWEST_PAIRS} to {MOST_PAIRS:,}")
    own = bot_from_argument(candidate, Path.cwd())
    settings = GateSettings(
        candidate=own,
        baseline=apart(own, bot_from_argument(against, Path.cwd())),
        hypotheses=hypotheses,
        non_regression=non_regression,
        max_pairs=max_pairs,
        rules=preset,
        seed=SEED if seed is None else seed,
        sandbox=sandbox_settings(backend),
    )
    box_for(settings.sandbox, "--sandbox none")
    found = play_gate(settings, output, jobs, quiet)
    with suppress(BrokenPipeError):  # whoever read it has enough of it; the verdict stays
        click.echo(FORMATS[form](found), nl=False)
        sys.stdout.flush()
    ctx.exit(found.exit_status)


def _hypotheses(
    elo0: float | None, elo1: float | None, alpha: float, beta: float, non_regression: bool
) -> Hypotheses:
    """Raises UserError for what can't be tested."""
    if non_regression and (elo0 is not None or elo1 is not None):
        raise UserError(
            "--non-regression stands for --elo0 -20 --elo1 0: leave it out to give others"
        )
    usual = NO_REGRESSION if non_regression else BETTER
    wanted = Hypotheses(
        usual.elo0 if elo0 is None else elo0, usual.elo1 if elo1 is None else elo1, alpha, beta
    )
    if not -ELO_LIMIT <= wanted.elo0 < wanted.elo1 <= ELO_LIMIT:
        raise UserError(
            f"--elo0 {wanted.elo0:g} --elo1 {wanted.elo1:g}: elo0 must be below elo1, both within"
            f" -{ELO_LIMIT} and {ELO_LIMIT}"
        )
    for name, rate in (("--alpha", alpha), ("--beta", beta)):
        if not 0 < rate < 0.5:
            raise UserError(f"{name} {rate:g}: an error rate must be above 0 and below 0.5")
    return wanted
