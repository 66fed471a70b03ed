"""Attacks on time: thinking in the opponents' turns, hiding it, changing the clocks."""

import ctypes
import fcntl
import os
import signal
import socket
import threading
import time

import kernel
from playing import play_one_of

LONG_S = 0.5
F_SETSIG = 10


def _burn():
    """So much of a processor's time, however busy it is."""
    while time.thread_time() < LONG_S:
        pass


def thinks_with_a_thread():
    threading.Thread(target=_burn, daemon=True).start()
    return "started"


def thinks_on_a_timer():
    """The alarm interrupts the wait for the next request."""
    signal.signal(signal.SIGALRM, lambda *_: _burn())
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    return "armed"


def thinks_in_a_child():
    """The child is in a session of its own: whoever stops the bot may not know of it."""
    if os.fork() == 0:
        os.setsid()
        _burn()
        os._exit(0)
    return "forked"


def hides_its_thinking_in_children():
    """A child thinks in the bot's own turn, and the clock of the bot's process does not move."""
    child = os.fork()
    if child == 0:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    return time.process_time()


def has_a_timer_continue_it():
    """A timer sends SIGCONT every 10 ms: stopped processes go on, and nobody notices."""
    event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
    made = ctypes.c_int()
    kernel.call("timer_create", time.CLOCK_MONOTONIC, event, ctypes.byref(made))
    return "armed"


def has_a_file_continue_it():
    """Input that arrives sends SIGCONT, so that it thinks whenever somebody else has moved."""
    one, other = socket.socketpair()
    fcntl.fcntl(one, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(one, F_SETSIG, signal.SIGCONT)
    other.close()
    return "armed"


def sets_the_clock():
    """With the value that it has: whoever may do that may set any."""
    status_mode = 0x10
    settings = ctypes.create_string_buffer(256)
    kernel.call("adjtimex", settings)
    ctypes.c_uint.from_buffer(settings).value = status_mode
    return kernel.call("adjtimex", settings)


def renames_the_machine():
    name = os.uname().nodename.encode()
    kernel.call("sethostname", name, len(name))
    return name.decode()


def chooses_its_processor():
    """Away from the core of its own table, to one where another table is timed."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return "chosen"


if __name__ == "__main__":
    play_one_of(globals())
