"""Pipes without a child: the other ends are in the test's hands."""

import os
import select
import subprocess
import time
from collections.abc import Iterator
from io import FileIO

import pytest

from arena.pipes import PENDING_LIMIT, Pipes


class Ends:
    """A Pipes, and the child's ends of it."""

    def __init__(self, pid: int) -> None:
        self.input, to_child = os.pipe()
        from_child, self.output = os.pipe()
        log, self.log = os.pipe()
        files = FileIO(to_child, "w"), FileIO(from_child), FileIO(log)
        self.pipes = Pipes(pid, files)
        self.open = [self.input, self.output, self.log]

    def close(self, fd: int) -> None:
        self.open.remove(fd)
        os.close(fd)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends(os.getpid())
    yield made
    for fd in made.open:
        os.close(fd)
    made.pipes.close()
    made.pipes.close()


def waits(pipes: Pipes) -> bool:
    """Whether `wait` waits, as it should where nothing new can come."""
    start = time.monotonic()
    for _ in range(5):
        pipes.wait(10)
    return time.monotonic() - start >= 0.045


def test_what_is_written_is_taken_and_what_is_sent_is_read(ends: Ends) -> None:
    ends.pipes.send(b"question\n")
    assert os.read(ends.input, 100) == b"question\n"
    os.write(ends.output, b"answer\n")
    os.write(ends.log, b"remark\n")
    ends.pipes.drain()
    assert ends.pipes.lines.take() == b"answer"
    assert ends.pipes.log.text() == "remark\n"
    assert not ends.pipes.over
    assert waits(ends.pipes)


def test_what_is_there_already_is_read_without_waiting(ends: Ends) -> None:
    ends.pipes.look()
    assert ends.pipes.lines.take() is None
    os.write(ends.output, b"answer\n")
    ends.pipes.look()
    assert ends.pipes.lines.take() == b"answer"


def test_lines_of_a_child_that_writes_a_log_are_waited_for(ends: Ends) -> None:
    os.write(ends.log, b"remark\n")
    ends.pipes.wait(1000)
    os.write(ends.log, b"another\n")
    os.write(ends.output, b"answer\n")
    ends.pipes.look()
    assert ends.pipes.lines.empty
    ends.pipes.wait(1000)
    assert ends.pipes.lines.take() == b"answer"
    assert ends.pipes.log.text() == "remark\nanother\n"


@pytest.mark.parametrize("closed", ["input", "output", "log"])
def test_a_closed_pipe_does_not_make_it_spin(closed: str, ends: Ends) -> None:
    ends.pipes.send(b"x" * 100_000)  # more than the pipe holds
    assert ends.pipes.pending
    ends.close(getattr(ends, closed))
    ends.pipes.wait(1000)
    assert waits(ends.pipes)
    assert ends.pipes.over == (closed == "output")
    assert ends.pipes.deaf == (closed == "input")
    assert ends.pipes.pending == (closed != "input")
    ends.pipes.send(b"more")


def test_what_the_pipe_does_not_hold_is_sent_later_in_order(ends: Ends) -> None:
    sent = b"".join(b"%07d\n" % number for number in range(20_000))
    for at in range(0, len(sent), 8):
        ends.pipes.send(sent[at : at + 8])
    assert ends.pipes.pending
    received = b""
    while len(received) < len(sent):
        received += os.read(ends.input, 10_000)
        ends.pipes.drain()
    assert received == sent
    assert not ends.pipes.pending
    assert waits(ends.pipes)


def test_whole_messages_are_lost_when_too_many_wait(ends: Ends) -> None:
    message = b"x" * 999 + b"\n"
    for _ in range(3 * PENDING_LIMIT // 1000):
        ends.pipes.send(message)
    os.set_blocking(ends.input, False)
    received = b""
    while ends.pipes.pending:
        received += os.read(ends.input, 1 << 20)
        ends.pipes.drain()
    received += os.read(ends.input, 1 << 20)
    assert set(received.split(b"\n")[:-1]) == {message[:-1]}
    assert PENDING_LIMIT < len(received) < PENDING_LIMIT + 200_000


def test_nothing_is_read_beyond_the_limit(ends: Ends) -> None:
    os.set_blocking(ends.output, False)
    written = 0
    while not ends.pipes.over:
        written += os.write(ends.output, b"\n" * 65536)
        ends.pipes.drain()
    os.write(ends.output, b"\n" * 65536)
    ends.pipes.look()
    assert waits(ends.pipes)
    with pytest.raises(BlockingIOError):
        os.write(ends.output, b"\n")


def test_leaving_closes_the_input_when_all_is_sent(ends: Ends) -> None:
    ends.pipes.send(b"x" * 100_000)
    poll = select.poll()
    watched = ends.pipes.leave(poll)
    received = 0
    while data := os.read(ends.input, 10_000):
        received += len(data)
        for fd, _ in poll.poll(0):
            assert fd in watched
            ends.pipes.serve(fd)
    assert received == 100_000
    os.write(ends.output, b"late\n")
    assert poll.poll(0) != []
    ends.close(ends.output)
    ends.close(ends.log)
    for _ in range(2):
        for fd, _ in poll.poll(0):
            ends.pipes.serve(fd)
    assert poll.poll(0) == []


def test_what_the_dead_have_written_counts() -> None:
    with subprocess.Popen(["/bin/true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        ends = Ends(child.pid)
        os.write(ends.output, b"last\n")
        os.write(ends.log, b"words\n")
        *_, death = ends.pipes.leave(select.poll())
        ends.pipes.serve(death)
    assert ends.pipes.dead
    assert ends.pipes.over
    assert ends.pipes.lines.take() == b"last"
    assert ends.pipes.log.text() == "words\n"
    for fd in ends.open:
        os.close(fd)
    ends.pipes.close()
