"""System calls by number: what a bot is refused, on each kind of processor.

The reasons stand here; `seccomp` makes the filter. Numbers are the kernel's, which never change.
"""

from typing import Final

REFUSED: Final = {
    # into other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # mounts, namespaces, files by handle
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # what two boxes could talk through
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "semop": (65, 193),
    "shmget": (29, 194),
    "shmctl": (31, 195),
    "shmat": (30, 196),
    "shmdt": (67, 197),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "inotify_rm_watch": (255, 28),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    # files on their way through sockets are counted for all boxes of a user together
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # which pages of a file are in memory, as somebody has read them
    "mincore": (27, 232),
    "fadvise64": (221, 223),
    # a timer may send SIGCONT to a bot that is stopped
    "timer_create": (222, 107),
    # the machine and its share of it
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "iopl": (172, None),
    "ioperm": (173, None),
    "vhangup": (153, 58),
    # much of the kernel that no bot needs
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
"""Name -> number on x86_64 and on aarch64 (None: it has none). They fail with EPERM."""

MISSING: Final = {
    # memory that no limit counts
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_setup": (206, 0),
    # younger forms of what is refused
    "cachestat": (451, 451),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    # rings of requests, which no filter sees
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # its arguments lie in memory, where no filter sees them; a libc falls back to clone
    "clone3": (435, 435),
}
"""Those that fail with ENOSYS, which programs take as an older kernel's answer."""

FORKS: Final = {"fork": (57, None), "vfork": (58, None)}
"""Those that make a process and nothing else."""

LOCKS: Final = {"set_robust_list": (273, 99)}
"""What only several processes need, for locks that they share; to one they are missing.

As a thread ends, the kernel wakes who waits for the locks on its list, in a file that two boxes see
as well; and it goes through a long list, in pages that are not in memory, though the bot is
stopped."""

FLOCK: Final = (73, 32)
"""Missing to bots: two boxes could talk through a lock on a file that both see. Builds have nothing
to tell, and some need it: go locks what it reads."""

CLONE: Final = (56, 220)
MMAP: Final = (9, 222)
FUTEX: Final = (202, 98)
IOCTL: Final = (16, 29)
MADVISE: Final = (28, 233)
PREADV2: Final = (327, 286)
FCNTL: Final = (72, 25)
PRLIMIT64: Final = (302, 261)
SOCKETPAIR: Final = (53, 199)
