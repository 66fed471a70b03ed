"""Signals that are noted: work comes to a good end first, unless a second one comes."""

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tournaments.signals import STOPS as SIGNALS
from tournaments.signals import Interrupted, deferred, interruptible


@pytest.mark.parametrize("signum", SIGNALS)
def test_the_first_is_noted_and_raised_at_the_end(signum: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    done = []

    def work() -> None:
        with deferred() as noted:
            done.append(noted())
            signal.raise_signal(signum)
            done.append(noted())

    with pytest.raises(Interrupted, match=signum.name) as raised:
        work()
    assert done == [False, True]
    assert raised.value.exit_status == 128 + signum
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_the_second_is_raised_at_once_and_those_after_it_are_ignored() -> None:
    before = [signal.getsignal(each) for each in SIGNALS]

    def work() -> None:
        with deferred():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            raise AssertionError("it went on")

    try:
        with pytest.raises(Interrupted, match="SIGTERM"):
            work()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGHUP)
    finally:
        for each, handler in zip(SIGNALS, before, strict=True):
            signal.signal(each, handler)


def test_where_none_comes_nothing_has_changed() -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    with deferred() as noted:
        assert not noted()
    assert [signal.getsignal(each) for each in SIGNALS] == before


@pytest.mark.parametrize("signum", SIGNALS)
def test_the_first_unwinds_and_those_after_it_are_ignored(signum: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    try:
        with pytest.raises(Interrupted, match=signum.name), interruptible():
            signal.raise_signal(signum)
        for each in SIGNALS:
            signal.raise_signal(each)
    finally:
        for each, handler in zip(SIGNALS, before, strict=True):
            signal.signal(each, handler)


@pytest.mark.parametrize("within", [deferred, interruptible])
def test_who_is_to_outlive_the_terminal_does(
    within: Callable[[], AbstractContextManager[object]],
) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    try:
        with within():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
