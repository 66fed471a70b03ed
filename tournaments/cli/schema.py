"""`schema`: the JSON Schemas, for editors and for those who write bots."""

import click
import msgspec

from tournaments.cli.typed import Choice
from tournaments.files.schemas import SCHEMAS


@click.command(short_help="Print the JSON Schema of a file, a message or a record.")
@click.argument("what", type=Choice(list(SCHEMAS)))
def schema(what: str) -> None:
    """Print a JSON Schema (2020-12): of a tournament file, a bot.yaml, a line of the protocol, or
    a line of a record.

    An editor that reads the schema named in a comment at the top of a YAML file completes its keys
    and marks mistakes; see docs/tournament.md.

    \b
    spades-arena schema tournament > tournament.schema.json
    """
    click.echo(msgspec.json.format(msgspec.json.encode(SCHEMAS[what]()), indent=2))
