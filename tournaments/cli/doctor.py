"""`doctor`: what holds on this machine, and what is missing."""

import sys
from typing import Final

import click
import msgspec

from protocol.codec import printable
from tournaments.cli.typed import Choice
from tournaments.doctor import Finding, examine

_INDENT: Final = 36  # where the third column stands


@click.command(short_help="Tell which limits and sandboxes hold on this machine.")
@click.option(
    "--format",
    "form",
    type=Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="JSON is one array: name, status, seen, mend.",
)
@click.pass_context
def doctor(ctx: click.Context, form: str) -> None:
    """Tell which limits and sandboxes hold on this machine, each tried for real.

    Exit status 1: something does not hold; it says what to do.

    \b
    spades-arena doctor --format json
    """
    findings = []
    for finding in examine():
        findings.append(finding)
        if form == "text":
            click.echo(_lines(finding))
            sys.stdout.flush()
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(findings)).decode())
    if any(finding.status == "does not hold" for finding in findings):
        ctx.exit(1)


def _lines(finding: Finding) -> str:
    text = printable(f"{finding.name:<21} {finding.status:<14} {finding.seen}")
    mend = finding.mend
    return text if mend is None else f"{text}\n{'':{_INDENT}} -> {printable(mend)}"
