"""The loop for Python bots, called directly and as a real process."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from protocol.client import Bot, answer
from protocol.codec import decode_reply, encode
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    DealEnd,
    Exchange,
    ExchangeReply,
    Fault,
    Hello,
    HelloReply,
    MatchEnd,
    Play,
    PlayReply,
    Reply,
    Request,
)
from tests.protocol.examples import BID, BLIND_NIL, EXCHANGE, HELLO, MESSAGES, PLAY

BOT = """
    from protocol.client import Bot, run

    class Loud(Bot):
        name = "loud"

        def bid(self, request):
            print("thinking", flush=True)
            return request.legal[0]

        def play(self, request):
            self.note = "lowest"
            return request.legal[0]

    run(Loud())
"""


class Recorder(Bot):
    """Remembers what it was called with."""

    name, version = "recorder", "3"

    def __init__(self) -> None:
        self.seen: list[object] = []

    def hello(self, request: Hello) -> None:
        self.seen.append(request)

    def bid(self, request: Bid) -> int:
        self.seen.append(request)
        return 4

    def blind_nil(self, request: BlindNil) -> bool:
        self.seen.append(request)
        self.note = "never"
        return True

    def exchange(self, request: Exchange) -> list[str]:
        self.seen.append(request)
        return ["9H", "2C"]

    def play(self, request: Play) -> str:
        self.seen.append(request)
        self.note = "why not"
        return "2C"

    def fault(self, message: Fault) -> None:
        self.seen.append(message)

    def deal_end(self, message: DealEnd) -> None:
        self.seen.append(message)

    def match_end(self, message: MatchEnd) -> None:
        self.seen.append(message)


def converse(program: Path, *lines: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, program], input=b"".join(lines), capture_output=True, timeout=60
    )


def write(tmp_path: Path, program: str) -> Path:
    file = tmp_path / "bot.py"
    file.write_text(textwrap.dedent(program))
    return file


def test_each_message_reaches_its_method() -> None:
    bot = Recorder()
    for message in MESSAGES:
        answer(bot, encode(message))
    assert bot.seen == MESSAGES


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        (HELLO, HelloReply(id=7, name="recorder", version="3")),
        (BLIND_NIL, BlindNilReply(id=7, blind_nil=True, note="never")),
        (BID, BidReply(id=7, bid=4)),
        (EXCHANGE, ExchangeReply(id=7, cards=["9H", "2C"])),
        (PLAY, PlayReply(id=7, card="2C", note="why not")),
    ],
    ids=["hello", "blind_nil", "bid", "exchange", "play"],
)
def test_a_request_gets_a_reply_with_its_id(message: Request, reply: Reply) -> None:
    found = answer(Recorder(), encode(message))
    assert found == reply
    assert decode_reply(encode(reply).rstrip(), message) == reply


def test_what_wants_no_reply_gets_none() -> None:
    for message in MESSAGES:
        if not hasattr(message, "id"):
            assert answer(Recorder(), encode(message)) is None


def test_a_note_goes_with_one_reply_only() -> None:
    bot = Recorder()
    assert answer(bot, encode(PLAY)) == PlayReply(id=7, card="2C", note="why not")
    assert answer(bot, encode(BID)) == BidReply(id=7, bid=4)


class Plain(Bot):
    """Writes no more than it must."""


def test_what_a_bot_does_not_write_declines_a_blind_nil_and_passes_the_lowest_cards() -> None:
    assert answer(Plain(), encode(BLIND_NIL)) == BlindNilReply(id=7, blind_nil=False)
    assert answer(Plain(), encode(EXCHANGE)) == ExchangeReply(id=7, cards=["2C", "3C"])


def test_a_request_of_a_later_version_is_declined() -> None:
    reply = answer(Recorder(), b'{"type":"claim","id":12,"count":2}\n')
    assert reply is not None
    assert encode(reply) == b'{"id":12}\n'


def test_a_message_of_a_later_version_that_wants_no_reply_is_ignored() -> None:
    assert answer(Recorder(), b'{"type":"weather","rain":true}\n') is None


def test_fields_of_a_later_version_are_ignored() -> None:
    line = encode(BID).replace(b'"deal":1,', b'"deal":1,"moon":"full",')
    assert answer(Recorder(), line) == BidReply(id=7, bid=4)


def test_the_loop_reads_on_through_all_that_a_later_version_may_send(tmp_path: Path) -> None:
    fault, _, match_end = (each for each in MESSAGES if not isinstance(each, Request))
    later = [
        encode(HELLO).replace(b'"rules":{', b'"rules":{"joker_points":5,'),
        encode(fault).replace(b'"ruling":"', b'"ruling":"later '),
        encode(BID).replace(b'"clock":{', b'"clock":{"lag_ms":1,'),
        encode(match_end).replace(b'"reason":"', b'"reason":"later '),
    ]
    assert all(b"joker" in line or b"later" in line or b"lag_ms" in line for line in later)
    done = converse(write(tmp_path, BOT), *later)
    assert done.stdout.splitlines() == [b'{"id":7,"name":"loud"}', b'{"id":7,"bid":0}']
    assert done.returncode == 0


def test_the_loop_answers_until_standard_input_ends(tmp_path: Path) -> None:
    done = converse(write(tmp_path, BOT), encode(HELLO), encode(BID), encode(PLAY))
    assert done.stdout.splitlines() == [
        b'{"id":7,"name":"loud"}',
        b'{"id":7,"bid":0}',
        b'{"id":7,"note":"lowest","card":"2C"}',
    ]
    assert done.returncode == 0


def test_what_a_bot_prints_is_in_its_log(tmp_path: Path) -> None:
    done = converse(write(tmp_path, BOT), encode(BID))
    assert done.stdout == b'{"id":7,"bid":0}\n'
    assert done.stderr == b"thinking\n"


def test_a_reply_is_sent_before_the_next_request_comes(tmp_path: Path) -> None:
    command = [sys.executable, str(write(tmp_path, BOT))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as process:
        assert process.stdin and process.stdout
        for message in (HELLO, BID, PLAY):
            process.stdin.write(encode(message))
            assert process.stdout.readline().startswith(b'{"id":7')
        process.stdin.close()


def test_an_exception_in_a_bot_ends_it_with_a_traceback(tmp_path: Path) -> None:
    broken = write(tmp_path, BOT.replace("return request.legal[0]", "return request.legal[99]"))
    done = converse(broken, encode(HELLO), encode(BID), encode(PLAY))
    assert done.returncode == 1
    assert done.stdout == b'{"id":7,"name":"loud"}\n'
    assert b"IndexError: tuple index out of range" in done.stderr


@pytest.mark.parametrize(("method", "message"), [("bid", BID), ("play", PLAY)])
def test_a_bot_without_bid_and_play_says_so(method: str, message: Request) -> None:
    for bot in (Bot(), Plain()):
        with pytest.raises(NotImplementedError) as caught:
            answer(bot, encode(message))
        name = type(bot).__name__
        assert str(caught.value) == f"{name}.{method}(self, request) is not written"


@pytest.mark.parametrize(
    ("method", "message", "returned", "error"),
    [
        ("play", PLAY, None, "Plain.play() returned None (is a return missing?), and not a card,"),
        ("play", PLAY, 3, "Plain.play() returned 3 (int), and not a card, which is a string"),
        ("play", PLAY, ("AS",), "Plain.play() returned ('AS',) (tuple), and not a card,"),
        ("bid", BID, None, "Plain.bid() returned None (is a return missing?), and not a bid,"),
        ("bid", BID, 3.0, "Plain.bid() returned 3.0 (float), and not a bid, which is an int"),
        ("bid", BID, True, "Plain.bid() returned True (bool), and not a bid, which is an int"),
        ("blind_nil", BLIND_NIL, None, "Plain.blind_nil() returned None (is a return missing?)"),
        ("blind_nil", BLIND_NIL, 1, "Plain.blind_nil() returned 1 (int), and not True or False"),
        ("exchange", EXCHANGE, None, "Plain.exchange() returned None (is a return missing?), and"),
        ("exchange", EXCHANGE, "2S9H", "Plain.exchange() returned 2S9H (str), and not a list of"),
        ("exchange", EXCHANGE, [2, 9], "Plain.exchange() returned [2, 9] (list), and not a list"),
    ],
)
def test_a_method_that_returns_what_is_no_answer_is_named(
    method: str, message: Request, returned: object, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plain, method, lambda self, request: returned)
    with pytest.raises(TypeError) as caught:
        answer(Plain(), encode(message))
    assert str(caught.value).startswith(error)


def test_an_author_who_forgets_a_return_finds_it_in_the_log(tmp_path: Path) -> None:
    broken = write(
        tmp_path, BOT.replace("            return request.legal[0]\n\n    run", "\n    run")
    )
    done = converse(broken, encode(HELLO), encode(PLAY))
    assert (done.returncode, done.stdout) == (1, b'{"id":7,"name":"loud"}\n')
    assert b"TypeError: Loud.play() returned None (is a return missing?)" in done.stderr


def test_no_other_library_than_msgspec_is_loaded() -> None:
    script = """
        import sys
        before = set(sys.modules)
        import protocol.client
        loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(*loaded - sys.stdlib_module_names)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60
    )
    # msgspec takes typing_extensions where it is there.
    assert set(done.stdout.split()) - {"typing_extensions"} == {"protocol", "msgspec"}
