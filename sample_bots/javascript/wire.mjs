// The wire: a JSON object a line, requests on standard input, replies on standard output.
//
// A message with an `id` is a request and gets exactly one reply, which echoes the id. A message
// without one (`fault`, `deal_end`, `match_end`) gets none, but must be read as well.

import { createInterface } from "node:readline";

/** The reply to a line, or null where none is wanted. `decide` makes the fields besides the id. */
export function answer(line, decide) {
  const message = JSON.parse(line);
  const decision = decide(message);
  return "id" in message ? JSON.stringify({ id: message.id, ...decision }) : null;
}

/** Answers until standard input ends, which is the end of the match. */
export async function run(decide) {
  console.log = console.error; // standard output is the replies' alone
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const reply = answer(line, decide);
    if (reply !== null) process.stdout.write(`${reply}\n`);
  }
}
