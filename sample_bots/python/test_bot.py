"""Holds the bot to conversation.txt: `>` is what it is sent, `<` what it must reply, `#` says why.

python3 -m unittest
"""

import unittest
from pathlib import Path

from main import Bot
from wire import answer


class ConversationTest(unittest.TestCase):
    def test_replies_are_those_of_the_conversation(self) -> None:
        lines = Path(__file__).with_name("conversation.txt").read_text().splitlines()
        bot = Bot()
        for line, following in zip(lines, [*lines[1:], ""], strict=True):
            if line.startswith("> "):
                with self.subTest(line):
                    expected = following[2:] if following.startswith("< ") else None
                    self.assertEqual(answer(line[2:], bot.decide), expected)


if __name__ == "__main__":
    unittest.main()
