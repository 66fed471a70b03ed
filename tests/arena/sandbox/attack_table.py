"""Every attack that the box is judged by: what it tries, how success shows, and the verdict.

`docs/security.md` shows the same table, and a test holds the two together.
"""

from typing import Final, Literal

from msgspec import Struct

Shows = Literal[
    "told", "done", "arrived", "written", "felt", "crossed", "thought", "fooled", "remained"
]
"""How an attack that succeeded shows itself:

- told: the bot knows what stands where it may not read
- done: the kernel did what was asked, or the bot found what it looked for
- arrived: something came through a socket or a terminal of somebody else's
- written: a file has changed
- felt: another process was ended, slowed, moved or limited
- crossed: what a bot heard differs with the bits that another one sent
- thought: it used the processor while it was not on turn
- fooled: its fault was not the one that it should get
- remained: something of it was there when all was over
"""

Control = Literal["anybody", "root", "user", "bare"]
"""Who succeeds without a box, so that a broken attack can't pass for one that is blocked: anybody,
root alone, a normal user alone, or whoever runs it with no arena around it."""


class Attack(Struct, frozen=True):
    """A function of a program of tests/attacks, or for collusion a class."""

    name: str
    """Program and function."""
    tries: str
    shows: Shows
    control: Control | None = "anybody"
    uncontrolled: str = ""
    """Why it does not succeed without a box either."""
    dangerous: str = ""
    """Why it must never be run without a box."""
    open: str = ""
    """Why it is not blocked."""
    fault: str = ""
    """The kind of fault that it must end in, where it must."""
    processes: int = 1
    """How many its box allows."""

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]

    @property
    def function(self) -> str:
        return self.name.partition(".")[2]

    @property
    def shares_a_box(self) -> bool:
        """It needs no box of its own: it leaves enough for the next, and what it finds is the same
        whatever others have done before it."""
        if self.processes > 1 or self.control == "bare" or self.group in ("memory", "disk"):
            return False
        return self.shows in ("told", "done", "arrived", "written", "felt")

    @property
    def verdict(self) -> str:
        return "open" if self.open else "blocked"


_FILES: Final = [
    Attack("files.reads_the_run_folder", "read the database of the run", "told"),
    Attack("files.reads_the_folder_of_another_bot", "read another bot's files", "told"),
    Attack("files.reads_a_home_folder", "read the home folder of whoever runs the arena", "told"),
    Attack("files.lists_the_home_of_root", "list `/root`", "done", "root"),
    Attack("files.reads_the_passwords", "read `/etc/shadow`", "done", "root"),
    Attack("files.lists_the_accounts", "read `/etc/passwd`", "done"),
    Attack(
        "files.walks_out_through_proc", "reach files by the root folder of other processes", "told"
    ),
    Attack(
        "files.walks_out_of_a_root_of_its_own", "escape upwards from a `chroot`", "told", "root"
    ),
    Attack("files.writes_into_the_run_folder", "make a file in the run folder", "written"),
    Attack(
        "files.writes_outside_its_folder",
        "make a file anywhere in the system, or in what the box is made of",
        "done",
        None,
        dangerous="it would write into the system",
    ),
    Attack("files.changes_its_own_folder", "make a file beside its program", "written"),
    Attack("files.replaces_its_own_program", "replace the program that was hashed", "written"),
    Attack("files.opens_devices", "open a disk, the kernel's log, a tunnel", "done", "root"),
    Attack("files.makes_a_device", "make a device file and open it", "done", "root"),
    Attack(
        "files.overwrites_what_started_it",
        "open `/proc/1/exe` to write",
        "done",
        None,
        uncontrolled="a program that runs can't be written to, so only a box can be weak here",
    ),
    Attack("files.writes_settings_of_the_kernel", "open `core_pattern` to write", "done", "root"),
    Attack("files.keeps_rights_of_root", "hold capabilities, or gain them by set-user-id", "done"),
    Attack("files.makes_namespaces", "be root in a namespace of its own", "done", "root"),
    Attack(
        "files.mounts_over_the_system",
        "uncover, make writable or cover a part of the system",
        "done",
        None,
        dangerous="it would change the mounts of the system",
    ),
    Attack("files.opens_files_by_handle", "open a file by its number on the disk", "done", "root"),
]

_NETWORK: Final = [
    Attack("network.sends_over_tcp", "connect to this machine", "arrived"),
    Attack("network.sends_over_udp", "send a packet to this machine", "arrived"),
    Attack("network.sends_to_a_unix_socket", "connect to a socket by its path", "arrived"),
    Attack("network.sends_to_an_abstract_socket", "connect to a socket by its name", "arrived"),
    Attack(
        "network.sends_from_a_pair_of_sockets",
        "send to a socket by its name without `socket` or `connect`",
        "arrived",
    ),
    Attack("network.opens_a_raw_socket", "send and read raw packets", "done", "root"),
    Attack(
        "network.opens_a_socket_of_any_family",
        "open a socket of any family, `vsock` and `netlink` among them",
        "done",
    ),
    Attack(
        "network.opens_an_io_uring", "do all that past the filter, by `io_uring`", "done", "root"
    ),
]

_MEMORY: Final = [
    Attack("memory.fills_memory", "take more memory than the limit", "done"),
    Attack("memory.fills_shared_memory", "the same as shared anonymous memory", "done"),
    Attack("memory.fills_memory_as_a_stack", "the same as memory that grows downwards", "done"),
    Attack(
        "memory.fills_its_own_stack", "the same on the stack of its first thread", "done", "bare"
    ),
    Attack(
        "memory.fills_memory_that_is_read_only",
        "the same as memory that can be written to only as long as it is filled",
        "done",
        fault="resource",
    ),
    Attack(
        "memory.writes_its_memory_as_a_file",
        "the same through `/proc/self/mem`, into memory that can't be written to",
        "done",
        fault="resource",
    ),
    Attack("memory.fills_a_file_in_memory", "the same as a file in memory (`memfd`)", "done"),
    Attack("memory.fills_memory_with_children", "the same over several processes", "done"),
    Attack("memory.fills_the_shared_folder_in_memory", "fill `/dev/shm`", "done"),
    Attack("memory.locks_memory", "lock memory, so that others are paged out", "done", "root"),
    Attack("memory.fills_pipes", "keep memory of the kernel in pipes", "done"),
]

_DISK: Final = [
    Attack("disk.fills_its_folder", "write more than the limit into its own folder", "done"),
    Attack("disk.writes_one_huge_file", "make a file larger than the limit", "done"),
    Attack(
        "disk.makes_files_without_number",
        "make 20,000 empty files",
        "done",
    ),
]

_PROCESSES: Final = [
    Attack("processes.bombs_with_forks", "start processes without end", "done"),
    Attack("processes.bombs_with_threads", "start more threads than the limit", "done"),
    Attack("processes.escapes_as_a_daemon", "leave its session and parent behind", "done"),
    Attack(
        "processes.exceeds_its_number",
        "start more processes where a few are allowed",
        "done",
        processes=4,
    ),
    Attack(
        "processes.outlives_the_match",
        "stay as a daemon where a few processes are allowed",
        "remained",
        None,
        uncontrolled="it is killed there as well",
        processes=4,
    ),
    Attack(
        "processes.outruns_the_end",
        "fork on and on at the end, where a few processes are allowed",
        "remained",
        None,
        uncontrolled="it is killed there as well",
        processes=4,
    ),
    Attack(
        "processes.ignores_being_ended",
        "ignore the signals that ask it to leave",
        "remained",
        None,
        uncontrolled="it is killed there as well",
    ),
    Attack("processes.forks_as_a_sibling", "make the arena parent of its child", "done"),
    Attack("processes.races_with_forks", "fork faster than a list can be read", "done"),
    Attack("processes.forks_by_any_call", "make a process by any system call", "done"),
    Attack(
        "processes.calls_the_kernel_of_32_bits",
        "make 32-bit system calls, which have other numbers",
        "done",
    ),
    Attack("processes.signals_another", "end another process", "felt"),
    Attack("processes.signals_another_by_its_file", "the same by a pidfd", "felt"),
    Attack("processes.slows_another", "give another process a worse niceness", "felt"),
    Attack("processes.slows_the_disk_of_another", "let another process read last", "felt"),
    Attack("processes.moves_another_to_a_processor", "pin another process to a core", "felt"),
    Attack("processes.limits_another", "set limits of another process", "felt"),
    Attack("processes.traces_another", "attach to another process as a debugger", "done", "root"),
    Attack(
        "processes.reads_the_memory_of_another", "read another process's memory", "done", "root"
    ),
    Attack("processes.takes_files_of_another", "take another process's open files", "done", "root"),
    Attack(
        "processes.raises_its_limits",
        "raise a limit of its own",
        "done",
        None,
        uncontrolled="what was lowered can be raised only with a right that root may lack as well",
    ),
    Attack("processes.takes_precedence", "run before all others", "done", "root"),
    Attack(
        "processes.lets_others_be_killed_first",
        "lower its own score of being killed when memory is short",
        "done",
        None,
        uncontrolled="what was lowered can be raised only with a right that root may lack as well",
    ),
    Attack(
        "processes.reaches_rare_parts_of_the_kernel",
        "call what no bot needs: bpf, performance events, page faults, keys",
        "done",
    ),
]

_SPYING: Final = [
    Attack("spying.reads_the_environment_of_an_opponent", "read it from `/proc`", "done"),
    Attack("spying.reads_the_command_of_an_opponent", "read it from `/proc`", "done"),
    Attack("spying.sees_other_processes", "list processes that are not its own", "done"),
    Attack(
        "spying.reads_the_environment_of_the_arena",
        "find a secret in its own or its parent's environment",
        "done",
        "bare",
    ),
    Attack("spying.uses_inherited_descriptors", "find an open file of the arena's", "done", "bare"),
    Attack("spying.types_into_a_terminal", "type commands into a terminal", "arrived", "root"),
    Attack(
        "spying.types_past_a_filter_of_64_bits",
        "the same with a number that only looks different",
        "arrived",
        "root",
    ),
    Attack("spying.writes_to_a_terminal", "show something on the arena's screen", "arrived"),
]

_CLOCKS: Final = [
    Attack("clocks.thinks_with_a_thread", "think while others are on turn", "thought"),
    Attack("clocks.thinks_on_a_timer", "the same, woken by an alarm", "thought"),
    Attack("clocks.thinks_in_a_child", "the same in a child that nobody stops", "thought"),
    Attack(
        "clocks.hides_its_thinking_in_children",
        "think in a child, where the bot's own processor clock stands still",
        "done",
    ),
    Attack("clocks.has_a_timer_continue_it", "have a timer undo that it is stopped", "done"),
    Attack("clocks.has_a_file_continue_it", "have arriving input undo it", "done"),
    Attack("clocks.sets_the_clock", "set the clock of the machine", "done", "root"),
    Attack("clocks.renames_the_machine", "set the name of the machine", "done", "root"),
    Attack("clocks.chooses_its_processor", "move to the core of another table", "done"),
]

_COLLUSION: Final = [
    Attack("collusion.Files", "a file in `/tmp`, `/var/tmp` or `/dev/shm`", "crossed"),
    Attack("collusion.FolderOfTheBot", "a file in the folder partners run from", "crossed"),
    Attack("collusion.NamesOfProcesses", "the name of a process in `/proc`", "crossed"),
    Attack("collusion.Loopback", "a port of this machine", "crossed"),
    Attack("collusion.AbstractSockets", "a socket's name", "crossed"),
    Attack("collusion.SharedMemory", "shared memory of System V", "crossed"),
    Attack("collusion.Semaphores", "semaphores of System V", "crossed"),
    Attack("collusion.Messages", "message queues of System V", "crossed"),
    Attack(
        "collusion.PosixQueues",
        "message queues of POSIX",
        "crossed",
        None,
        uncontrolled="a limit forbids them there as well",
    ),
    Attack("collusion.Keys", "a key in the keyring of the user", "crossed"),
    Attack("collusion_files.WholeLocks", "`flock` on a file of the system", "crossed"),
    Attack("collusion_files.RecordLocks", "a record lock on a file of the system", "crossed"),
    Attack("collusion_files.LocksOfOpenFiles", "a lock of an open file of the system", "crossed"),
    Attack("collusion_files.Leases", "a lease on a file that both run from", "crossed"),
    Attack("collusion_files.WatchedFiles", "`inotify` on a file that both run from", "crossed"),
    Attack("collusion_files.TimesOfAccess", "the time a file was last read", "crossed"),
    Attack("collusion_files.CachedPages", "whether a page of a file is in memory", "crossed"),
    Attack("collusion_files.WaitingThreads", "a futex in a file of the system", "crossed"),
    Attack(
        "collusion_files.EndingThreads",
        "the same, woken by the kernel as a thread ends",
        "crossed",
    ),
    Attack(
        "collusion_files.EndingOwners",
        "the same, as a thread ends that says it was about to release a lock",
        "crossed",
    ),
    Attack(
        "collusion_counts.FilesInFlight",
        "the number of files a user has on their way through sockets",
        "crossed",
        "user",
    ),
    Attack(
        "collusion_counts.SignalsInQueues", "the number of a user's signals that wait", "crossed"
    ),
    Attack(
        "collusion_counts.TerminalsCounted", "the number of terminals in `/proc/sys`", "crossed"
    ),
    Attack(
        "collusion_counts.RequestsCounted", "the number of asynchronous requests there", "crossed"
    ),
    Attack(
        "collusion_counts.ThreadsCounted",
        "how many threads the machine runs",
        "crossed",
        None,
        uncontrolled="whatever else the machine does disturbs it",
        open="A bot may use memory and threads up to its limits, and the system tells how much is"
        " in use",
    ),
    Attack(
        "collusion_counts.MemoryInUse",
        "how much memory the machine has in use",
        "crossed",
        None,
        uncontrolled="whatever else the machine does disturbs it",
        open="A bot may use memory and threads up to its limits, and the system tells how much is"
        " in use",
    ),
]

_ENDINGS: Final = [
    Attack(
        "endings.floods_both_outputs",
        "write without end to both outputs at once",
        "fooled",
        None,
        uncontrolled="the arena holds it off by itself",
        fault="output",
    ),
    Attack(
        "endings.falls_silent_in_half_a_line",
        "begin a line and never end it",
        "fooled",
        None,
        uncontrolled="the arena holds it off by itself",
        fault="timeout",
    ),
    Attack(
        "endings.never_reads_again",
        "leave unread what it is sent",
        "fooled",
        None,
        uncontrolled="the arena holds it off by itself",
        fault="timeout",
    ),
    Attack(
        "endings.nests_its_reply",
        "overflow the reader's stack",
        "fooled",
        None,
        uncontrolled="the arena holds it off by itself",
        fault="malformed",
    ),
    Attack(
        "endings.poisons_its_reply",
        "reply with a key twice, no number, infinity",
        "fooled",
        None,
        uncontrolled="the arena holds it off by itself",
        fault="malformed",
    ),
    Attack(
        "endings.lays_traps_in_its_folder",
        "have cleaning up fail, or remove what is somebody else's",
        "remained",
        None,
        uncontrolled="the arena holds it off by itself",
    ),
]

ATTACKS: Final = {
    attack.name: attack
    for attack in (
        *_FILES,
        *_NETWORK,
        *_MEMORY,
        *_DISK,
        *_PROCESSES,
        *_SPYING,
        *_CLOCKS,
        *_COLLUSION,
        *_ENDINGS,
    )
}
"""By name, `group.function`."""
