"""Attacks on what others know: their environment, their commands, their descriptors, terminals."""

import os
import termios
from pathlib import Path

import kernel
from playing import first, names_of_processes, play_one_of


def _searches(name, token):
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            if token.encode() in (process / name).read_bytes():
                return f"{process}/{name}"
        except OSError:
            continue
    return None


def reads_the_environment_of_an_opponent(backwards):
    """Told backwards what to look for, so that it does not find its own command."""
    return _searches("environ", backwards[::-1])


def reads_the_command_of_an_opponent(backwards):
    return _searches("cmdline", backwards[::-1])


def sees_other_processes():
    """More than itself and what its box is made of."""
    names = names_of_processes() - {"bwrap", "setpriv", "sh"}
    return sorted(names)[:5] if len(names) > 1 else None


def reads_the_environment_of_the_arena(hidden_backwards):
    """Its own environment, and that of what started it."""
    hidden = hidden_backwards[::-1]
    if hidden in os.environ.values():
        return "inherited"
    paths = [Path(f"/proc/{pid}/environ") for pid in (1, os.getppid())]
    return first([lambda path=path: _holds(path, hidden) for path in paths])


def _holds(path, hidden):
    return str(path) if hidden.encode() in path.read_bytes() else None


def uses_inherited_descriptors():
    """Whatever is open beside the three pipes that a bot gets."""
    found = {}
    for fd in range(3, 256):
        try:
            found[fd] = str(Path(f"/proc/self/fd/{fd}").readlink())
        except OSError:
            continue
    return found or None


def types_into_a_terminal(terminal):
    """What is typed there is run by whoever's shell reads it."""
    return _types(terminal, termios.TIOCSTI)


def types_past_a_filter_of_64_bits(terminal):
    """The kernel ignores the upper half of an ioctl's number; a filter may compare all of it."""
    return _types(terminal, termios.TIOCSTI | 1 << 32)


def _types(terminal, command):
    paths = [terminal, "/dev/tty", "/dev/console", *(f"/proc/self/fd/{fd}" for fd in (0, 1, 2))]
    return first([lambda path=path: _types_into(path, command) for path in paths])


def _types_into(path, command):
    fd = os.open(path, os.O_RDWR)
    for letter in b"typed\n":
        kernel.call("ioctl", fd, command, bytes([letter]))
    return path


def writes_to_a_terminal(terminal, token):
    """Sequences that a terminal obeys, among what a person takes for the arena's words."""
    with open(terminal, "w") as screen:
        screen.write(token)


if __name__ == "__main__":
    play_one_of(globals())
