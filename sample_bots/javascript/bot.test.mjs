// Holds the bot to conversation.txt: `>` is what it is sent, `<` what it must reply, `#` says why.
//
// node --test

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { makeBot } from "./main.mjs";
import { answer } from "./wire.mjs";

test("the replies are those of the conversation", () => {
  const text = readFileSync(new URL("conversation.txt", import.meta.url), "utf8");
  const lines = text.split("\n");
  const decide = makeBot();
  lines.forEach((line, i) => {
    if (!line.startsWith("> ")) return;
    const expected = lines[i + 1]?.startsWith("< ") ? lines[i + 1].slice(2) : null;
    assert.equal(answer(line.slice(2), decide), expected, line);
  });
});
