"""Checks of how a process lives, what it uses, and how it ends."""

from typing import Final

from arena.checks.catalogue.check import Check

LIFE: Final = (
    Check(
        "stays_running",
        "runs until its input ends",
        "no fault `exit`",
        "see its standard error; read until standard input ends, and catch what goes wrong",
    ),
    Check(
        "keeps_output_open",
        "keeps its standard output open",
        "no fault `exit` while it still runs",
        "close standard output only by ending",
    ),
    Check(
        "reads_input",
        "reads its standard input to the end",
        "no fault `timeout` because nothing reaches it",
        "read each line, also those without an id, until standard input ends",
    ),
    Check(
        "lasts",
        "lasts as long as a match",
        "no fault after many deals",
        "see what it keeps from deal to deal: every request has all that is known",
    ),
    Check(
        "answers_in_time",
        "answers each request within its clock",
        "no fault `timeout`",
        "answer sooner: look at clock.move_ms and clock.bank_ms of the request, and leave a margin",
    ),
    Check(
        "decision_time",
        "decides in half of its clock",
        "a busy machine does not make it late",
        "leave a margin: what counts is when the last byte of the line has been read",
    ),
    Check(
        "rests",
        "rests while others are on turn",
        "no fault `resource` for thinking out of turn",
        "do not have yourself continued while stopped",
    ),
)

REPEATED: Final = (
    Check(
        "same_answers",
        "gives the same answers to the same lines again",
        "its matches can be repeated, and its faults found",
        "draw what is random from the seed in hello, count work and not time, sort sets",
    ),
    Check(
        "two_at_once",
        "plays both seats of a side, as two processes at once",
        "no fault because two of it share a file, a port or a lock",
        "write only to HOME, which each process has for its own",
    ),
)

END: Final = (
    Check(
        "leaves_in_time",
        "ends by itself when its input ends",
        "no match waits for it, and none has to kill it",
        "end when standard input ends: a read gives nothing more, or end of file",
    ),
    Check(
        "exit_status",
        "ends with status 0",
        "no error goes unseen at the end",
        "see its standard error: something went wrong after match_end",
    ),
    Check(
        "silent_at_end",
        "writes nothing more after its last reply",
        "no line is taken for one of another request",
        "write only replies",
    ),
    Check(
        "leaves_nothing_behind",
        "leaves no process behind",
        "nothing of it has to be hunted down",
        "be one process, or end and wait for those that were started",
    ),
)

RESOURCES: Final = (
    Check(
        "memory",
        "uses little of its memory",
        "no fault `resource` for memory",
        "use less: smaller tables; sandbox: {memory: ...} allows more",
    ),
    Check(
        "disk",
        "keeps to the limits of disk and files",
        "no fault `resource` for disk",
        "write less; sandbox: {disk: ...} allows more",
    ),
    Check(
        "one_process",
        "is one process with few threads in the box",
        "no fault because fork is refused",
        "use threads, under 64, or `exec` in a shell script; sandbox: {processes: N} allows more",
    ),
    Check(
        "scratch_only",
        "writes only to its scratch folder in the box",
        "no fault because a folder can't be written to",
        "write to HOME or TMPDIR, or not at all: its own folder is read-only",
    ),
    Check(
        "no_network",
        "needs no network in the box",
        "no fault because nothing can be reached",
        "put what is fetched into the bot's folder",
    ),
)
