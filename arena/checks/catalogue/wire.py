"""Checks of how a bot starts and writes."""

from typing import Final

from arena.checks.catalogue.check import Check

START: Final = (
    Check(
        "starts",
        "starts, and stays until it is greeted",
        "no fault `start` because nothing runs",
        "check the command, that the program is executable, and what it says on standard error",
    ),
    Check(
        "answers_hello",
        "answers hello within the start time",
        "no fault `start` because it is late",
        'reply {"id": n} to hello at once, and load what takes long afterwards',
    ),
    Check(
        "start_time",
        "starts in half of its time",
        "a busy machine does not make it late",
        "load large tables later, or a little at a time; a build can prepare them",
    ),
    Check(
        "name_and_version",
        "calls itself by short, printable names",
        "its names are shown as they were written",
        "leave name and version away, or write at most 100 characters without control characters",
    ),
)

LINES: Final = (
    Check(
        "flushes",
        "flushes standard output after each line",
        "no fault `timeout` for a reply that lies in a buffer",
        "flush after each line: print(..., flush=True), fflush(stdout), System.out.flush()",
    ),
    Check(
        "complete_lines",
        "ends each reply with a newline",
        "no fault `timeout` for half a line",
        "end each reply with one newline, and write it as a whole",
    ),
    Check(
        "clean_output",
        "writes replies to standard output and nothing else",
        "no fault `malformed` for a banner or a word for people",
        "print debug output to standard error: it is kept, and shown with a fault",
    ),
    Check(
        "json",
        "writes each reply as one JSON object",
        "no fault `malformed` for what is no JSON",
        "write replies by a JSON library; keys and strings are in double quotes",
    ),
    Check(
        "utf8",
        "writes UTF-8",
        "no fault `malformed` for bytes that are no text",
        "write UTF-8, or plain ASCII with escapes in strings",
    ),
    Check(
        "unique_keys",
        "writes no key twice",
        "no fault `malformed` for an ambiguous reply",
        "write each key once",
    ),
    Check(
        "echoes_ids",
        "echoes the id of the request",
        "no fault `malformed` for a reply to something else",
        'copy "id" from the request into the reply, as the integer that it is',
    ),
    Check(
        "fields",
        "writes the field that was asked for, of its type",
        "no fault `malformed` for 3.0, true, or a bid for a card",
        '"bid" is an integer, "card" a string, "cards" a list of strings',
    ),
    Check(
        "one_line_each",
        "writes one line for each request",
        "no fault `malformed` for a line too many",
        "write exactly one line for each message that has an id, when it has come",
    ),
    Check(
        "silent_unless_asked",
        "writes nothing for messages that have no id",
        "no fault `malformed` for an answer to deal_end or match_end",
        'reply only to messages that have an "id"',
    ),
    Check(
        "line_length",
        "writes lines of less than 64 KiB",
        "no fault `output` for a line without end",
        "write short lines, and end them",
    ),
    Check(
        "output_volume",
        "writes short lines on the whole",
        "no fault `output` for more than 16 MiB of standard output",
        "shorten notes, and what else goes with each reply",
    ),
    Check(
        "log_volume",
        "keeps its log short",
        "no fault `output` for more than 64 MiB of standard error",
        "log less: under 40 KiB for each decision",
    ),
    Check(
        "note_length",
        "writes notes of at most 1,000 characters",
        "no note is cut in the record",
        "shorten the note: what is over 1,000 characters is not kept",
    ),
    Check(
        "plain_notes",
        "writes no control characters in notes",
        "notes are shown as they were written",
        "write notes as one line of printable text",
    ),
)
