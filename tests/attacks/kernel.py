"""System calls by number, past what libc and Python would refuse by themselves."""

import ctypes
import os

NUMBERS = {
    # name: (x86_64, aarch64)
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fork": (57, None),
    "futex": (202, 98),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_destroy": (207, 1),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "preadv2": (327, 286),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "rt_sigqueueinfo": (129, 138),
    "semctl": (66, 191),
    "semget": (64, 190),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "sethostname": (170, 161),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "syslog": (103, 116),
    "timer_create": (222, 107),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vfork": (58, None),
}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def number(name):
    """Raises OSError where this processor's kernel has no such call."""
    found = NUMBERS[name][["x86_64", "aarch64"].index(os.uname().machine)]
    if found is None:
        raise OSError(38, f"no {name} here")
    return found


def call(name, *arguments):
    """The result of a system call. Arguments are numbers, bytes or what ctypes makes."""
    return call_number(number(name), *arguments)


def call_number(number, *arguments):
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = _libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
