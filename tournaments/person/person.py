"""A person as a `Bot`: asked by the referee, answered by keys, and shown what happens meanwhile.

No clock runs while it shows something: the bots rest, and what they do is shown between decisions.
A person who leaves the table is at fault like a bot that exits, so the record comes to an end.
"""

import math
import time
from typing import Final

from arena import fold
from arena.bot import Answer, BotFault
from arena.events import AnyEvent, Decision, MatchStarted
from arena.record import Writer
from arena.replay import Replay, so_far
from arena.state import State, begin
from protocol.cards import Seat
from protocol.messages import DealEnd, Hello, HelloReply, MatchEnd, Message, Reply, Request
from tournaments.person import choosing as choices
from tournaments.person.choosing import Choosing, Question
from tournaments.person.hints import Adviser
from tournaments.person.screen import LEAST, at_table, keys_page, score_page, too_small, waiting
from tournaments.replays.canvas import LOOK_SECONDS, Canvas, Drawing
from tournaments.replays.keyboard import Keyboard
from tournaments.replays.walk import walk_with

DECISION_SECONDS: Final = 0.5
"""How long a decision of another seat is shown before the next; a key goes on at once."""
TRICK_SECONDS: Final = 1.5
"""How long a finished trick is."""
AFTER_DEAL: Final = "Enter next deal  w walk through it, all hands open  q leave"
AFTER_MATCH: Final = "Enter ends  w walk through the match, all hands open"
SURE: Final = "Leave the table? y leaves and forfeits the match, any other key stays"
LEFT: Final = "the person has left the table"
_CTRL_Z: Final = "\x1a"


class Person:
    """Sits at a seat, as a `Bot`, and sees what happens at the table, as a `Listener`."""

    def __init__(self, seat: Seat, keys: Keyboard, canvas: Canvas, adviser: Adviser) -> None:
        self._seat, self._keys, self._canvas, self._adviser = seat, keys, canvas, adviser
        self._events: list[tuple[AnyEvent, State]] = []
        self._replay: Replay
        """Of these events."""
        self._left = False
        self._shown: tuple[Drawing, tuple[int, int]] | None = None
        """What stands on the screen, in a window of which size."""

    @property
    def record(self) -> bytes:
        """Of all that was seen: where the match has not ended, it is cut off."""
        writer = Writer()
        for event, _ in self._events:
            writer.add(event)
        return writer.close()

    def ask(self, request: Request) -> Answer:
        """See `Bot.ask`. Raises BotFault (`exit`) once the person has left."""
        if isinstance(request, Hello):
            self._adviser.consider(request)
            return Answer(HelloReply(id=request.id))
        assert isinstance(request, Question)
        begun = time.monotonic()
        try:
            reply = None if self._left else self._choose(request)
        except EOFError:
            reply = None
        if reply is None:
            self._left = True
            raise BotFault("exit", LEFT)
        return Answer(reply, ms=round(1000 * (time.monotonic() - begun), 3))

    def tell(self, message: Message) -> None:
        """See `Bot.tell`. At the end of a deal, and of the match, it waits for a key."""
        self._adviser.tell(message)
        over = self._events[-1][1].outcome is not None
        try:
            if isinstance(message, MatchEnd):
                self._look_back(AFTER_MATCH)
            elif isinstance(message, DealEnd) and not over:
                self._look_back(AFTER_DEAL)
        except EOFError:
            self._left = True

    def happened(self, event: AnyEvent) -> None:
        """Shows it. See `arena.news.Listener`."""
        if isinstance(event, MatchStarted):
            state = begin(event)
        else:
            state = fold.apply(self._events[-1][1], event)
        self._events.append((event, state))
        self._replay = so_far(self._events)
        if self._left:
            return
        seconds = 0.0
        if isinstance(event, Decision):
            seconds = DECISION_SECONDS if event.seat != self._seat else 0.0
            phase = self._replay.moments[-1].phase
            tricks = getattr(phase, "tricks", ())
            if tricks and not getattr(phase, "cards", ()):
                seconds = TRICK_SECONDS
        try:
            self._show(self._table(None), seconds)
        except EOFError:
            self._left = True

    def logged(self, seat: Seat, data: bytes) -> None:
        """A bot's log is nothing for the table."""

    def _choose(self, question: Question) -> Reply | None:
        """The person's choice; None: they leave."""
        self._keys.forget()
        choosing, hint = choices.begin(question, self._replay.started.rules), ""
        drawing = self._table(choosing, hint)
        self._show(drawing, 0)
        advice = self._adviser.consider(question)  # while the person looks at their cards
        while True:
            made = choices.after_key(choosing, self._press(drawing))
            match made:
                case Reply():
                    return made
                case "leave":
                    return None
                case "keys":
                    self._press(keys_page)
                case "score":
                    self._press(self._sheet("any key goes back"))
                case "hint":
                    hint = advice
                case Choosing():
                    choosing = made
            drawing = self._table(choosing, hint)

    def _look_back(self, asked: str) -> None:
        """The score sheet, until the person goes on."""
        if self._left:
            return
        page, after_match = self._sheet(asked), asked == AFTER_MATCH
        self._keys.forget()
        while (key := self._press(page)) not in ("\n", "\r", "space"):
            if key == "w":
                replay = self._replay
                walk_with(self._keys, self._canvas, replay, None if after_match else replay.deals)
                self._shown = None
            elif key == "q" and after_match:
                return
            elif key == "q" and self._press(self._sheet(SURE)) == "y":
                self._left = True
                return

    def _table(self, choosing: Choosing | None, hint: str = "") -> Drawing:
        replay = self._replay
        if replay.moments[-1].position.deal == 0:
            return waiting
        return lambda width, height: at_table(replay, self._seat, choosing, hint, width, height)

    def _sheet(self, asked: str) -> Drawing:
        replay = self._replay
        return lambda width, height: score_page(replay, asked, width, height)

    def _press(self, drawing: Drawing) -> str:
        """Shows it until a key is pressed, and gives that. Raises EOFError if there are no more."""
        key = self._show(drawing, math.inf)
        assert key is not None
        return key

    def _show(self, drawing: Drawing, seconds: float) -> str | None:
        """Shows it for so long, or until a key is pressed; also in a window that changes."""
        while True:
            size = self._canvas.size
            small = size[0] < LEAST[0] or size[1] < LEAST[1]
            if self._shown != (drawing, size):
                self._draw(too_small if small else drawing, size)
                self._shown = drawing, size
            if seconds <= 0:
                return None
            key = self._keys.key(min(seconds, LOOK_SECONDS))
            if key == _CTRL_Z:
                self._keys.stop()
                self._shown = None
            elif key is not None and not small:
                return key
            seconds -= LOOK_SECONDS

    def _draw(self, drawing: Drawing, size: tuple[int, int]) -> None:
        try:
            self._canvas.draw(drawing(*size))
        except OSError:  # the terminal is gone
            raise EOFError from None
