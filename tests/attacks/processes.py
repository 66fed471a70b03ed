"""Attacks with processes and threads, on the processes of others, and on limits."""

import ctypes
import mmap
import os
import resource
import signal
import sys
import threading
import time

import kernel
from playing import first, play_one_of

CLONE_PARENT = 0x8000


def bombs_with_forks(forks):
    """Ends at the first fork that fails, so that it can be run without a box with small numbers."""
    children = []
    for _ in range(forks):
        child = os.fork()
        if child == 0:
            time.sleep(0.3)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return len(children)


def exceeds_its_number(allowed, hold):
    """As many children as processes are allowed, itself included."""
    children = []
    try:
        for _ in range(allowed):
            if (child := os.fork()) == 0:
                time.sleep(30)
                os._exit(0)
            children.append(child)
        time.sleep(hold)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return 1 + len(children)


def outlives_the_match():
    return escapes_as_a_daemon()


def outruns_the_end():
    return races_with_forks()


def bombs_with_threads(threads):
    """As many threads as there may be, and then as many again."""
    done = threading.Event()
    started = []
    try:
        for _ in range(2 * threads):
            started.append(threading.Thread(target=done.wait, daemon=True))
            started[-1].start()
    except RuntimeError:
        del started[-1]
    alive = len(os.listdir("/proc/self/task"))
    done.set()
    return alive if alive > threads else None


def escapes_as_a_daemon():
    """In a session of its own, child of nobody, and with the bot's pipes."""
    if (child := os.fork()) == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)
    os.waitpid(child, 0)
    return "escaped"


def ignores_being_ended():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    stay = threading.Thread(target=time.sleep, args=(30,))  # no daemon: Python waits for it
    stay.start()
    return "stays"


def forks_as_a_sibling():
    """The child of a child that isn't its own: the arena would have to know of it."""
    child = kernel.call("clone", CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        time.sleep(0.2)
        os._exit(0)
    return child


def races_with_forks():
    """Forks and exits on and on, so that whoever lists and kills is always too late."""
    if (child := os.fork()) == 0:
        end = time.monotonic() + 2
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            os.setsid()
        os._exit(0)
    os.waitpid(child, 0)
    return "races"


def forks_by_any_call():
    """Every number under which the kernel makes a process; a filter may know only some."""
    settings = (ctypes.c_uint64 * 11)(0, 0, 0, 0, signal.SIGCHLD)
    x32 = 0x40000000
    return first(
        [
            lambda: _child(kernel.call("fork")),
            lambda: _child(kernel.call("clone", signal.SIGCHLD, 0, 0, 0, 0)),
            lambda: _child(kernel.call("clone3", settings, ctypes.sizeof(settings))),
            lambda: _child(kernel.call_number(x32 | kernel.number("fork"))),
        ]
    )


def _child(pid):
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def calls_the_kernel_of_32_bits():
    """Its calls have other numbers: where a filter lets 64 bits pass, it may mean a fork here."""
    if os.uname().machine != "x86_64":
        return None
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    begin = ctypes.addressof(ctypes.c_char.from_buffer(code))
    got = ctypes.CFUNCTYPE(ctypes.c_int)(begin)()
    return got if got > 0 else None


def signals_another(witness):
    os.kill(witness, signal.SIGTERM)


def signals_another_by_its_file(witness):
    kernel.call("pidfd_send_signal", kernel.call("pidfd_open", witness, 0), signal.SIGTERM, None, 0)


def slows_another(witness):
    os.setpriority(os.PRIO_PROCESS, witness, 19)
    os.sched_setscheduler(witness, os.SCHED_BATCH, os.sched_param(0))


def slows_the_disk_of_another(witness):
    idle = 3 << 13
    kernel.call("ioprio_set", 1, witness, idle)


def moves_another_to_a_processor(witness, processor):
    os.sched_setaffinity(witness, {processor})


def limits_another(witness):
    resource.prlimit(witness, resource.RLIMIT_NOFILE, (10, 10))


def traces_another(witness):
    """As a debugger does, which may read and change everything."""
    attach, detach = 16, 17
    kernel.call("ptrace", attach, witness, 0, 0)
    os.waitpid(witness, 0x40000000)
    kernel.call("ptrace", detach, witness, 0, 0)
    return "traced"


def reads_the_memory_of_another(witness):
    with open(f"/proc/{witness}/maps") as maps:
        begin = int(maps.readline().partition("-")[0], 16)
    into = ctypes.create_string_buffer(4)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(into), 4)
    there = (ctypes.c_void_p * 2)(begin, 4)
    kernel.call("process_vm_readv", witness, here, 1, there, 1, 0)
    return into.raw.hex()


def takes_files_of_another(witness):
    """Its open files, by a number: they need no path that the box would have to show."""
    other = kernel.call("pidfd_open", witness, 0)
    return kernel.call("pidfd_getfd", other, 0, 0)


def raises_its_limits():
    limits = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    return first([lambda limit=limit: _raises(limit) for limit in limits])


def _raises(limit):
    soft, hard = resource.getrlimit(limit)
    if hard == resource.RLIM_INFINITY:
        return None
    try:
        resource.setrlimit(limit, (soft, hard + 1))
    except ValueError as error:
        raise PermissionError(str(error)) from None
    resource.setrlimit(limit, (soft, hard))
    return f"limit {limit} of {hard}"


def takes_precedence():
    """A better niceness, or the class of real time, which nothing else interrupts."""
    return first(
        [
            lambda: (os.setpriority(os.PRIO_PROCESS, 0, -5), "nice")[1],
            lambda: (os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)), "real time")[1],
        ]
    )


def lets_others_be_killed_first():
    """When memory is short, the kernel ends the process with the highest score."""
    with open("/proc/self/oom_score_adj", "r+") as file:
        score = int(file.read())
        file.seek(0)
        file.write(str(score - 1))
    return score - 1


def reaches_rare_parts_of_the_kernel():
    """Calls that no bot needs, and that much of what went wrong with kernels went through."""
    attempts = {
        "bpf": (0, bytes(128), 128),
        "fanotify_init": (0, 0),
        "kcmp": (os.getpid(), os.getpid(), 1, 0, 0),
        "keyctl": (0, -3, 1),
        "perf_event_open": (bytes([1, 0, 0, 0, 128]) + bytes(123), 0, -1, -1, 0),
        "syslog": (10, None, 0),
        "userfaultfd": (1,),
    }
    return first([lambda name=name: _reaches(name, *attempts[name]) for name in attempts])


def _reaches(name, *arguments):
    return f"{name} {kernel.call(name, *arguments)}"


if __name__ == "__main__":
    sys.stdout.flush()
    play_one_of(globals())
