"""The command as a user without rights, for tests that run as root."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.arena.sandbox.users import NOBODY, ROOT, as_user, open_folder

_LIBRARIES = (
    *("attr", "attrs", "click", "jinja2", "jsonschema", "jsonschema_specifications"),
    *("markdown_it", "markupsafe", "mdurl", "numpy", "pygments", "referencing", "rich"),
    *("rpds", "six", "trueskill", "typing_extensions", "yaml"),
)
"""What `tournaments` imports beside what the tests of boxes have copied already."""


@contextmanager
def command_of_a_normal_user() -> Iterator[tuple[list[str], dict[str, str], Path]]:
    """The words that `spades-arena` is for that user, its environment, and a folder of its own."""
    prefix, variables = as_user("a normal user")
    ignored = shutil.ignore_patterns("__pycache__")
    with open_folder() as place:
        shutil.copytree(ROOT / "tournaments", place / "modules" / "tournaments", ignore=ignored)
        shutil.copytree(ROOT / "sample_bots", place / "sample_bots", ignore=ignored)
        for name in _LIBRARIES:
            spec = importlib.util.find_spec(name)
            if spec is None or spec.origin is None:
                continue
            source = Path(spec.origin)
            if source.name == "__init__.py":
                target = place / "modules" / name
                shutil.copytree(source.parent, target, ignore=ignored, dirs_exist_ok=True)
                shared = source.parent.with_name(f"{name}.libs")  # what a wheel brings compiled
                if shared.is_dir():
                    shutil.copytree(shared, place / "modules" / shared.name)
            else:
                shutil.copy(source, place / "modules")
        own = place / "own"
        own.mkdir()
        shutil.chown(own, NOBODY, NOBODY)
        environment = {
            **variables,
            "PYTHONPATH": f"{place / 'modules'}:{variables['PYTHONPATH']}",
            "PATH": "/usr/bin:/bin",
            "HOME": str(own),
            "TMPDIR": str(own),
        }
        yield [*prefix, "-m", "tournaments.cli"], environment, own
