"""Limits that the kernel holds a process to, as `prlimit` takes them."""

import resource
from collections.abc import Mapping
from typing import Final

from arena.sandbox.box import Sandbox

DESCRIPTORS: Final = 64

WIDE: Final = 64 * 2**30
"""Addresses that may be mapped, in bytes: virtual machines reserve many. It bounds page tables."""


PENDING: Final = 1024
"""Signals that wait; without a limit they are taken from what the user has for all."""


def limits(sandbox: Sandbox) -> dict[int, int]:
    """Resource -> its limit, for each process of a bot; bytes or pieces."""
    return {
        resource.RLIMIT_DATA: sandbox.memory,
        resource.RLIMIT_AS: max(WIDE, sandbox.memory),
        resource.RLIMIT_FSIZE: sandbox.disk,
        resource.RLIMIT_NOFILE: DESCRIPTORS,
        resource.RLIMIT_SIGPENDING: PENDING,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 65_536,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }


def impose(pid: int, limits: Mapping[int, int]) -> None:
    """Sets soft and hard limits of a process. One that has lower limits keeps them."""
    for kind, wanted in limits.items():
        _, hard = resource.prlimit(pid, kind)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.prlimit(pid, kind, (value, value))
