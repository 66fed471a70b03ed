"""Matches played in this process, one after the other: as real as elsewhere, started faster."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")


class HereExecutor(Executor):
    """Plays a match when it is submitted, in place of `LocalExecutor`."""

    def __init__(self, tables: object, prefix: str) -> None:
        pass

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def close(self) -> None:
        pass
