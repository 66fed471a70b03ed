"""Pages to look at in a browser: one file each, with all they need and nothing from elsewhere."""

import base64
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.packed import PackedReplay
from protocol.codec import printable

NAME_SHOWN: Final = 60
"""Characters of a bot's name in a title."""

_MOUNT: Final = """
viewer.mount(
  document.getElementById("viewer"), JSON.parse(document.getElementById("replay").textContent));
"""
_ESCAPED: Final = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
"""What could end or begin something in a page, as JSON writes it otherwise."""


def replay_page(replay: PackedReplay) -> str:
    """One HTML file with the viewer of a match, which works from a disk."""
    script = asset("viewer.js") + _MOUNT
    style = asset("viewer.css") + asset("page.css")
    return (
        environment()
        .get_template("replay.html")
        .render(
            title=_title(replay),
            policy=policy([script], [style]),
            style=style,
            script=script,
            replay=in_page(msgspec.json.encode(replay).decode()),
        )
    )


def environment() -> Environment:
    """Where templates are found; whatever is put into them is escaped."""
    return Environment(
        loader=PackageLoader(__name__, ""), autoescape=True, undefined=StrictUndefined
    )


def asset(name: str) -> str:
    """A file of this package."""
    return files(__name__).joinpath(name).read_text("utf-8")


def in_page(json: str) -> str:
    """JSON that may stand in a `script` element, whatever its texts say."""
    return json.translate(_ESCAPED)


def policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """A Content-Security-Policy under which these run, and nothing else does or is loaded."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)};"
        " base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: Sequence[str]) -> str:
    digests = (base64.b64encode(sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def _title(replay: PackedReplay) -> str:
    names = [printable(name[:NAME_SHOWN]) for name in dict.fromkeys(replay.names)]
    return f"{' against '.join(names)}, match {printable(replay.match[:NAME_SHOWN])}"
