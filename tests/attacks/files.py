"""Attacks on files: reading what is none of a bot's business, and writing anywhere."""

import ctypes
import os
import stat
import sys
from pathlib import Path

import kernel
from playing import first, only_in_a_box, play_one_of


def reads_the_run_folder(secret):
    return Path(secret).read_text()


def reads_the_folder_of_another_bot(other):
    return Path(other).read_text()


def reads_a_home_folder(home):
    return first(
        [lambda: Path(home).read_text(), lambda: Path("~/secret").expanduser().read_text()]
    )


def lists_the_home_of_root():
    mounts = Path("/proc/self/mountinfo").read_text()  # an interpreter there may be shown
    return [name for name in os.listdir("/root") if f" /root/{name}" not in mounts] or None


def reads_the_passwords():
    return Path("/etc/shadow").read_text()[:20]


def lists_the_accounts():
    accounts = Path("/etc/passwd").read_text().splitlines()
    return accounts[-1] if len(accounts) > 3 else None


def walks_out_through_proc(secret):
    """The root folder of every process that can be seen, that of the arena among them."""
    roots = [Path("/proc", pid, "root") for pid in os.listdir("/proc") if pid.isdigit()]
    return first([lambda root=root: Path(f"{root}{secret}").read_text() for root in roots])


def walks_out_of_a_root_of_its_own(secret):
    """The old way out of a chroot: a new one with a working folder outside it, and up."""
    inner = Path(os.environ["TMPDIR"], "inner")
    inner.mkdir(exist_ok=True)
    os.chroot(inner)
    for _ in range(64):
        os.chdir("..")
    return Path("." + secret).read_text()


def writes_into_the_run_folder(target, token):
    Path(target).write_text(token)


def writes_outside_its_folder():
    """In every folder but those that are the bot's own, also those that the box itself made."""
    only_in_a_box()
    folders = ["/", "/bin", "/dev", "/etc", "/lib", "/opt", "/root", "/run", "/usr", "/var"]
    return first([lambda folder=folder: _writes(f"{folder}/spades-attack") for folder in folders])


def _writes(path):
    with open(path, "x"):
        pass
    Path(path).unlink()
    return path


def changes_its_own_folder():
    Path(__file__).with_name("changed").write_text("changed")


def replaces_its_own_program():
    new = Path(os.environ["TMPDIR"], "new")
    new.write_text("changed")
    first([lambda: Path(__file__).write_text("changed"), lambda: new.replace(__file__)])


def opens_devices(devices):
    """Memory, disks, the log, tunnels: anything that is no harmless device, or those given.

    Without a box it must not be anything: some devices act when they are opened.
    """
    harmless = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "fd", "shm", "pts"}
    names = devices or [name for name in os.listdir("/dev") if name not in harmless]
    return first([lambda name=name: _opens(f"/dev/{name}") for name in names])


def _opens(path):
    device = Path(path)
    if device.is_char_device() or device.is_block_device():
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
        return path
    return None


def makes_a_device():
    path = Path(os.environ["TMPDIR"], "device")
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 9))
    try:
        with open(path, "rb") as device:
            return device.read(1).hex()
    finally:
        path.unlink()


def overwrites_what_started_it():
    """The program of process 1, which a careless box leaves to be written (CVE-2019-5736)."""
    programs = [f"/proc/{pid}/exe" for pid in (1, os.getppid())]
    return first([lambda path=path: _opens_to_write(path) for path in programs])


def writes_settings_of_the_kernel():
    """The program for crashes would run as root; it is opened here and not written."""
    paths = ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"]
    return first([lambda path=path: _opens_to_write(path) for path in paths])


def _opens_to_write(path):
    os.close(os.open(path, os.O_WRONLY))
    return path


def keeps_rights_of_root():
    """Any capability, or the way to get one from a program that is set-user-id."""
    status = dict(
        line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines() if line
    )
    sets = {name: status[name] for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")}
    if any(int(each, 16) for each in sets.values()) or status["NoNewPrivs"] == "0":
        return sets
    return None


def makes_namespaces():
    """A namespace of one's own gives the rights of root in it, and so most of the kernel's bugs."""
    kinds = {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "pid": 0x20000000}
    return first(
        [lambda kind=kind: (kernel.call("unshare", kinds[kind]), kind)[1] for kind in kinds]
    )


def mounts_over_the_system():
    """Uncovers what the box has covered, makes it writable, and covers what it shows."""
    only_in_a_box()
    remount, bind, detach = 0x20 | 0x1000, 0x1000, 2
    return first(
        [
            lambda: (kernel.call("umount2", b"/proc", detach), "uncovered")[1],
            lambda: (kernel.call("mount", None, b"/usr", None, remount, None), "writable")[1],
            lambda: (kernel.call("mount", b"/tmp", b"/usr", None, bind, None), "covered")[1],
        ]
    )


def opens_files_by_handle():
    """A file by its number on the disk, whatever folder the box shows (the attack `shocker`)."""
    handle = (ctypes.c_char * 16)(*b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0")
    folder = os.open(Path(sys.executable).resolve().parent, os.O_RDONLY)
    try:
        os.close(kernel.call("open_by_handle_at", folder, handle, os.O_RDONLY))
    except OSError as error:
        if error.errno in (22, 116):  # it looked, and there is no such file: the way is open
            return str(error)
        raise
    return "opened"


if __name__ == "__main__":
    play_one_of(globals())
