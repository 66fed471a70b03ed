/* Walks through a match: `viewer.mount(element, replay)`, a replay as `arena/packed.py` describes it.

   Whatever comes from a bot becomes text, never markup. In the view of a seat nothing is made of what
   that seat can't know: neither in what is seen nor in what is read aloud. */
"use strict";

const viewer = (() => {
  const SEATS = "NESW";
  const SUITS = ["clubs", "diamonds", "hearts", "spades"];
  const SIGNS = ["\u2663\ufe0e", "\u2666\ufe0e", "\u2665\ufe0e", "\u2660\ufe0e"];
  const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
  const JOKERS = {
    BJ: { sign: "\u2605\ufe0e", name: "big joker" }, LJ: { sign: "\u2606\ufe0e", name: "little joker" },
  };
  const REASONS = {
    target: "the target was reached", floor: "a side fell to the floor",
    max_deals: "all deals were played", forfeit: "a forfeit",
  };
  const PLACES = ["top", "right", "bottom", "left"];
  const TRICKS = 13;
  const OPEN = -1;
  const TEXT_SHOWN = 300;
  const NAME_SHOWN = 60;
  const ADDRESS_MS = 250; // a browser takes only so many changes of the address
  const partner = (seat) => (seat + 2) % 4;
  const after = (seat) => (seat + 1) % 4;

  /* ---- A replay as moments ---- */

  function unpack(replay) {
    const match = {
      replay,
      cards: Array.from({ length: 52 }, (_, i) => replay.cards.slice(2 * i, 2 * i + 2)),
      suits: replay.suits.flatMap((count, suit) => Array(count).fill(suit)),
      sides: replay.solo ? [[0], [1], [2], [3]] : [[0, 2], [1, 3]],
      labels: replay.solo ? [...SEATS] : ["NS", "EW"],
    };
    const zero = match.sides.map(() => 0);
    const empty = { hands: [[], [], [], []], seen: Array(4).fill(true), dealer: null };
    const start = { ...begun(empty), score: zero, bags: zero };
    const moments = [
      { ...start, kind: "start", at: "0", deal: 0, faults: replay.faults ?? [],
        greetings: replay.greetings ?? [] },
    ];
    replay.deals.forEach((deal, i) => {
      const { score, bags } = moments.at(-1);
      moments.push(...momentsOf(match, deal, i + 1, { score, bags }));
    });
    moments.at(-1).result = true;
    return { ...match, moments };
  }

  /* What is true before anybody has decided anything. */
  function begun(dealt) {
    return {
      ...dealt, bids: Array(4).fill(null), blind: Array(4).fill(false), trick: [], tricks: [],
      taken: [0, 0, 0, 0], next: null, faults: [], greetings: [],
    };
  }

  function momentsOf(match, deal, number, standing) {
    const decided = [...decisionsOf(match, deal)];
    const hands = [0, 1, 2, 3].map((seat) => cardsOf(deal.dealt, seat));
    const seen = hands.map((_, seat) => !match.replay.blind || asked(decided[0], seat));
    const about = (at) => ({
      faults: (deal.faults ?? []).filter((fault) => (fault.at ?? 0) === at),
      greetings: (deal.greetings ?? []).filter((greeting) => (greeting.at ?? 0) === at),
    });
    let now = { ...begun({ hands, seen, dealer: deal.dealer }), ...standing, deal: number };
    const moments = [{ ...now, kind: "deal", at: `${number}/0/0`, next: decided[0] ?? null }];
    decided.forEach((decision, i) => {
      now = follow(match, deal, { ...now, decision: null }, decision, decided[i + 1]);
      const place = now.tricks.length ? [now.tricks.length, now.trick.length] : [0, i + 1];
      moments.push({
        ...now, ...about(i), kind: "decision", decision, at: `${number}/${place.join("/")}`,
        next: decided[i + 1] ?? null,
      });
    });
    const last = { ...now, ...about(decided.length), decision: null, next: null, trick: [] };
    if (deal.delta) {
      last.delta = deal.delta;
      last.score = now.score.map((points, side) => points + deal.delta[side]);
      last.bags = deal.bags;
    }
    return [...moments, { ...last, kind: "end", at: `${number}/end` }];
  }

  const cardsOf = (dealt, seat) =>
    [...dealt].flatMap((owner, card) => (Number(owner) === seat ? [card] : []));

  /* A seat that is asked for a bid sees its cards. */
  const asked = (decision, seat) => decision?.kind === "bid" && decision.seat === seat;

  /* Each decision of a deal with who made it and what was legal. */
  function* decisionsOf(match, deal) {
    const hands = [0, 1, 2, 3].map((seat) => cardsOf(deal.dealt, seat));
    const remarks = (at) => ({
      ms: deal.ms?.[at] ?? null, cpu: deal.cpu_ms?.[at] ?? null, note: deal.notes?.[at] ?? null,
      substituted: deal.substituted?.includes(at) ?? false,
    });
    const calls = deal.calls ?? [];
    const lowest = [...(deal.lowest ?? "")];
    let seat = after(deal.dealer);
    for (const [at, call] of calls.entries()) {
      if (Array.isArray(call)) {
        const [giver, passed] = call;
        hands[giver] = hands[giver].filter((card) => !passed.includes(card));
        hands[partner(giver)] = [...hands[partner(giver)], ...passed].sort((a, b) => a - b);
        yield { kind: "exchange", seat: giver, passed, ...remarks(at) };
      } else if (typeof call === "boolean") {
        yield { kind: "blind_nil", seat, blind: call, ...remarks(at) };
        seat = call ? after(seat) : seat;
      } else {
        yield { kind: "bid", seat, bid: call, lowest: parseInt(lowest.shift(), 16), ...remarks(at) };
        seat = after(seat);
      }
    }
    seat = after(deal.dealer);
    for (let i = 0; i < (deal.picks ?? "").length; i++) {
      if (i && i % 4 === 0) seat = Number(deal.winners[i / 4 - 1]);
      const allowed = parseInt(deal.legal[i], 16);
      const legal = hands[seat].filter((card) => (allowed >> match.suits[card]) & 1);
      const card = legal[parseInt(deal.picks[i], 16)];
      hands[seat] = hands[seat].filter((held) => held !== card);
      yield { kind: "play", seat, card, legal, ...remarks(calls.length + i) };
      seat = after(seat);
    }
  }

  const put = (list, i, value) => list.map((old, j) => (i === j ? value : old));

  /* What a decision makes of the moment before it. */
  function follow(match, deal, now, decision, next) {
    const { seat, kind } = decision;
    const seen = now.seen.map(
      (saw, i) => saw || asked(decision, i) || asked(next, i) || ["exchange", "play"].includes(next?.kind));
    if (kind === "bid") return { ...now, seen, bids: put(now.bids, seat, decision.bid) };
    if (kind === "blind_nil") {
      if (!decision.blind) return { ...now, seen: put(seen, seat, true) };
      return { ...now, seen, bids: put(now.bids, seat, 0), blind: put(now.blind, seat, true) };
    }
    if (kind === "exchange") {
      const given = now.hands[seat].filter((card) => !decision.passed.includes(card));
      const got = [...now.hands[partner(seat)], ...decision.passed].sort((a, b) => a - b);
      return { ...now, seen, hands: put(put(now.hands, seat, given), partner(seat), got) };
    }
    const hands = put(now.hands, seat, now.hands[seat].filter((card) => card !== decision.card));
    const leads = now.trick.length % 4 === 0;
    const trick = [...(leads ? [] : now.trick), { seat, card: decision.card }];
    const number = leads ? now.tricks.length : now.tricks.length - 1;
    const winner = trick.length === 4 ? Number(deal.winners[number]) : null;
    const tricks = [...now.tricks.slice(0, number), { cards: trick, winner }];
    const taken = winner === null ? now.taken : put(now.taken, winner, now.taken[winner] + 1);
    return { ...now, seen, hands, trick, tricks, taken };
  }

  /* ---- Words ---- */

  /* Bots choose names, notes and replies: what can't be seen is written as an escape. */
  function shown(text, limit = Infinity) {
    const cut = text.length > limit ? text.slice(0, limit) : text;
    const plain = cut.replace(
      /[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
    return cut === text ? plain : `${plain}\u2026`;
  }

  /* What stands on a card: rank, sign, and its name as it is spoken. */
  function printed(match, card) {
    const [rank, suit] = match.cards[card];
    const joker = JOKERS[match.cards[card]];
    if (joker) return { rank: joker.sign, sign: "J", name: joker.name };
    const place = "CDHS".indexOf(suit);
    return {
      rank: rank === "T" ? "10" : rank, sign: SIGNS[place], name: `${RANKS[rank] ?? rank} of ${SUITS[place]}`,
    };
  }

  const spoken = (match, card) => printed(match, card).name;

  function written(match, card) {
    const { rank, sign } = printed(match, card);
    return JOKERS[match.cards[card]] ? match.cards[card] : `${rank}${sign}`;
  }

  const bidWords = (bid, blind) => (blind ? "blind nil" : bid === 0 ? "nil" : String(bid));
  const minus = (points) => String(points).replace("-", "\u2212");
  const signed = (points) => (points < 0 ? minus(points) : `+${points}`);
  const milliseconds = (ms) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);

  function knows(view, seat) {
    return view === OPEN || view === seat;
  }

  /* A moment in a sentence; `name` writes a card. */
  function sentence(match, moment, view, name) {
    const { kind, decision } = moment;
    if (kind === "start") return moment.result ? ending(match, moment) : "The match begins";
    if (kind === "deal") return `Deal ${moment.deal}, dealt by ${SEATS[moment.dealer]}`;
    if (kind === "end") return ending(match, moment);
    const seat = SEATS[decision.seat];
    const who = decision.substituted ? `The arena, for ${seat},` : seat;
    if (decision.kind === "bid") return `${who} bids ${bidWords(decision.bid)}`;
    if (decision.kind === "blind_nil") {
      return `${who} ${decision.blind ? "bids blind nil" : "declines blind nil"}`;
    }
    if (decision.kind === "exchange") {
      const to = partner(decision.seat);
      const open = knows(view, decision.seat) || knows(view, to);
      const count = decision.passed.length;
      const cards = open ? decision.passed.map(name).join(" ") : count === 1 ? "a card" : `${count} cards`;
      return `${who} passes ${cards} to ${SEATS[to]}`;
    }
    const winner = moment.tricks.at(-1).winner;
    const takes = winner === null ? "" : `, ${SEATS[winner]} takes trick ${moment.tricks.length}`;
    return `${who} plays ${name(decision.card)}${takes}`;
  }

  function ending(match, moment) {
    const { replay, labels } = match;
    const parts = [];
    if (moment.delta) {
      const scores = labels.map((side, i) => `${side} ${signed(moment.delta[i])}`).join(", ");
      parts.push(`Deal ${moment.deal}: ${scores}`);
    }
    if (moment.result) {
      const why = replay.forfeited === undefined
        ? REASONS[replay.reason] : `${labels[replay.forfeited]} forfeits`;
      const won = replay.winner === undefined ? "Nobody wins" : `${labels[replay.winner]} wins`;
      const score = replay.score.map(minus).join(" : ");
      parts.push(`${won} ${score}, as ${why}`);
    }
    return parts.join(". ");
  }

  /* ---- Elements ---- */

  /* make("p.note", {title: ...}, child, ...): a string becomes text. */
  function make(what, attributes = {}, ...children) {
    const [tag, ...classes] = what.split(".");
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(" ");
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== null && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  const aside = (text) => make("span.aside", {}, text);

  /* Text that bots may have a hand in, in an element of that kind; the rest of a long one is folded away. */
  function folded(tag, text) {
    if (text.length <= TEXT_SHOWN) return make(`${tag}.bots`, { dir: "ltr" }, shown(text));
    return make("details.bots", { dir: "ltr" },
      make("summary", {}, make(tag, {}, shown(text, TEXT_SHOWN))), make("p", {}, shown(text)));
  }

  const quoted = (text) => folded("q", text);

  function face(match, card, more = "") {
    const { rank, sign, name } = printed(match, card);
    return make(`span.card.${SUITS[match.suits[card]]}${more && `.${more}`}`, {},
      make("span.index", { "aria-hidden": "true" }, make("b", {}, rank), make("i", {}, sign)), aside(name));
  }

  function handOf(match, moment, seat, view) {
    const cards = moment.hands[seat];
    const name = SEATS[seat];
    if (!knows(view, seat) || (view === seat && !moment.seen[seat])) {
      const backs = cards.map(() => make("span.slot", {}, make("span.card.back")));
      const label = `${name} holds ${cards.length} cards, face down`;
      return make("div.hand.down", { role: "img", "aria-label": label }, ...backs);
    }
    const next = moment.next;
    const legal = next?.kind === "play" && next.seat === seat ? next.legal : null;
    const suits = SUITS.map((_, suit) => cards.filter((card) => match.suits[card] === suit));
    const rows = suits.filter((row) => row.length).map((row) =>
      make("ul.suit", {}, ...row.map((card) => {
        const allowed = legal === null ? "" : legal.includes(card) ? "legal" : "illegal";
        const item = make("li.slot", {}, face(match, card, allowed));
        if (allowed === "legal") item.append(aside(", legal"));
        return item;
      })));
    return make("div.hand", { role: "group", "aria-label": `${name}'s hand` }, ...rows);
  }

  function seatOf(match, moment, seat, view, place) {
    const { replay } = match;
    const bid = moment.bids[seat];
    const turn = moment.next?.seat === seat;
    const plate = make(`div.plate${turn ? ".turn" : ""}`, {},
      make("span.letter", {}, SEATS[seat]),
      make("span.name", { title: shown(replay.names[seat], 300) }, shown(replay.names[seat], NAME_SHOWN)),
      moment.dealer === seat
        ? make("span.dealer", { title: "dealer" }, make("span", { "aria-hidden": "true" }, "D"), aside("dealer"))
        : null,
      turn ? aside("on turn") : null);
    const contract = bid === null
      ? make("span.contract", {}, moment.kind === "start" ? "" : "no bid yet")
      : make("span.contract", {}, "bid ", make("b", {}, bidWords(bid, moment.blind[seat])),
        ", took ", make("b", {}, String(moment.taken[seat])));
    return make(`section.seat.${place}`, { "aria-label": `Seat ${SEATS[seat]}` },
      make("div.label", {}, plate, contract), handOf(match, moment, seat, view));
  }

  function trickOf(match, moment, placeOf) {
    if (moment.kind !== "decision") {
      return make("div.trick.said", {}, make("p", {}, sentence(match, moment, OPEN, () => "")));
    }
    const winner = moment.trick.length === 4 ? moment.tricks.at(-1).winner : null;
    return make("div.trick", { role: "group", "aria-label": "On the table" },
      ...moment.trick.map(({ seat, card }, i) =>
        make(`div.played.${placeOf(seat)}${seat === winner ? ".winner" : ""}`
          + (i === moment.trick.length - 1 ? ".latest" : ""), {},
        face(match, card), aside(` of ${SEATS[seat]}${seat === winner ? ", takes the trick" : ""}`))));
  }

  function boardOf(match, moment) {
    return match.labels.map((label, side) => {
      const seats = match.sides[side];
      const names = [...new Set(seats.map((seat) => match.replay.names[seat]))];
      const bids = seats.map((seat) => moment.bids[seat]).filter((bid) => bid !== null);
      const taken = seats.reduce((sum, seat) => sum + moment.taken[seat], 0);
      const wins = moment.result && match.replay.winner === side;
      return make(`div.side${wins ? ".wins" : ""}`, {},
        make("span.letter", {}, label),
        make("span.name", {}, names.map((name) => shown(name, NAME_SHOWN)).join(" and ")),
        make("b.score", {}, minus(moment.score[side]), aside(" points")),
        make("span.more", {}, `${moment.bags[side]} ${moment.bags[side] === 1 ? "bag" : "bags"}`,
          bids.length
            ? make("span.sum", {}, ` \u00b7 bid ${bids.reduce((a, b) => a + b, 0)}, took ${taken}`) : null));
    });
  }

  /* What was decided, how long it took, what else was legal, and what went wrong. */
  function decisionOf(match, moment, view) {
    const { decision } = moment;
    const parts = [make("h2", {}, sentence(match, moment, view, (card) => written(match, card)))];
    if (decision) {
      const open = knows(view, decision.seat);
      parts.push(make("dl", {}, ...timeOf(match, decision), ...(open ? legalOf(match, decision) : []),
        ...(open && decision.note ? term("note", quoted(decision.note)) : [])));
    }
    for (const greeting of moment.greetings) {
      const called = [greeting.name, greeting.version].filter(Boolean).join(" ");
      const open = knows(view, greeting.seat);
      parts.push(make("p.greeting", {},
        `${SEATS[greeting.seat]} ${moment.kind === "start" ? "started" : "was started again"}`
        + (greeting.ms === undefined ? "" : ` in ${milliseconds(greeting.ms)}`),
        ...(called && open ? [" and calls itself ", quoted(called)] : []),
        ...(greeting.note && open ? [": ", quoted(greeting.note)] : [])));
    }
    return [...parts, ...moment.faults.map((fault) => faultOf(fault, view))];
  }

  const term = (name, ...values) => [make("dt", {}, name), make("dd", {}, ...values)];

  function timeOf(match, decision) {
    if (decision.ms === null) return [];
    const cpu = decision.cpu === null ? "" : `, ${milliseconds(decision.cpu)} of processor time`;
    return term("time", `${milliseconds(decision.ms)} of ${milliseconds(match.replay.move_ms)}${cpu}`);
  }

  function legalOf(match, decision) {
    if (decision.kind === "bid") {
      return term("legal", decision.lowest === 13 ? "13" : `${decision.lowest} to 13`);
    }
    if (decision.kind !== "play") return [];
    return term("legal", make("ul.choices", {}, ...decision.legal.map((card) => {
      const chosen = card === decision.card;
      return make(`li.${SUITS[match.suits[card]]}${chosen ? ".chosen" : ""}`, {},
        make("span", { "aria-hidden": "true" }, written(match, card)),
        aside(spoken(match, card) + (chosen ? ", chosen" : "")));
    })));
  }

  /* Its sentence names cards of the offender's hand. */
  function faultOf(fault, view) {
    const asked = fault.request.replace("_", " ");
    const parts = [make("h3", {}, `Fault of ${SEATS[fault.seat]}: ${fault.kind}`),
      make("p", {}, `asked for ${asked}; ruling: ${fault.ruling}`)];
    if (knows(view, fault.seat)) {
      parts.push(make("div", {}, folded("span", fault.detail)));
      parts.push(make("dl", {}, ...(fault.raw ? term("it wrote", quoted(fault.raw)) : []),
        ...(fault.debug ? term("to reproduce", make("code", {}, fault.debug)) : [])));
    }
    return make("div.fault", {}, ...parts);
  }

  function whereOf(match, moment) {
    if (!moment.deal) return "Before the first deal";
    const trick = moment.trick.length ? `, trick ${moment.tricks.length}` : "";
    return `Deal ${moment.deal} of ${match.replay.deals.length}${trick}`;
  }

  function tricksOf(match, moment) {
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "trick"),
      ...[...SEATS].map((seat) => make("th", { scope: "col" }, seat))));
    const rows = Array.from({ length: TRICKS }, (_, i) => make("tr", {},
      make("th", { scope: "row" }, String(i + 1)),
      ...[0, 1, 2, 3].map((seat) => {
        const trick = moment.tricks[i];
        const place = trick?.cards.findIndex((played) => played.seat === seat) ?? -1;
        if (place < 0) return make("td", {}, "\u00a0");
        const { card } = trick.cards[place];
        const won = trick.winner === seat;
        return make(`td.${SUITS[match.suits[card]]}${won ? ".won" : ""}${place === 0 ? ".led" : ""}`, {},
          make("span", { "aria-hidden": "true" }, written(match, card)),
          aside(spoken(match, card) + (place === 0 ? ", led" : "") + (won ? ", takes it" : "")));
      })));
    return [head, make("tbody", {}, ...rows)];
  }

  /* ---- Controls ---- */

  const ICONS = {
    back: "M16 5v14L6 12z", step: "M8 5v14l10-7z", play: "M6 4v16l14-8z",
    pause: "M6 5h4v14H6zM14 5h4v14h-4z", trickBack: "M12 5v14L3 12zM21 5v14l-9-7z",
    trickStep: "M3 5v14l9-7zM12 5v14l9-7z", dealBack: "M4 5h3v14H4zM20 5v14L8 12z",
    dealStep: "M17 5h3v14h-3zM4 5v14l12-7z", flip: "M8 3 3 8h4v8h2V8h4zM16 21l5-5h-4V8h-2v8h-4z",
    faultBack: "M11 4h3l-1 10h-1zM11 17h3v3h-3zM8 8v8l-5-4z",
    faultStep: "M10 4h3l-1 10h-1zM10 17h3v3h-3zM16 8v8l5-4z",
  };

  function icon(name) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = svg.appendChild(document.createElementNS(space, "path"));
    path.setAttribute("d", ICONS[name]);
    return svg;
  }

  /* Each button: its icon, what it does, the keys that do the same. */
  const BUTTONS = [
    ["dealBack", "Previous deal", ["PageUp"]], ["trickBack", "Previous trick", ["ArrowUp"]],
    ["back", "Back", ["ArrowLeft"]], ["play", "Play", [" "]], ["step", "Step", ["ArrowRight"]],
    ["trickStep", "Next trick", ["ArrowDown"]], ["dealStep", "Next deal", ["PageDown"]],
    ["faultBack", "Previous fault", ["X"]], ["faultStep", "Next fault", ["x"]],
    ["flip", "Flip the table", ["f"]],
  ];
  const MORE_KEYS = [
    ["first", "Start of the match", ["Home"]], ["last", "End of the match", ["End"]],
    ["view", "Next view: open, or the hand of one seat", ["h"]], ["help", "These keys", ["?"]],
  ];
  const KEY_NAMES = {
    " ": "space", ArrowLeft: "\u2190", ArrowRight: "\u2192", ArrowUp: "\u2191", ArrowDown: "\u2193",
    PageUp: "Page up", PageDown: "Page down",
  };
  const KEYS = new Map(
    [...BUTTONS, ...MORE_KEYS].flatMap(([name, , keys]) => keys.map((key) => [key, name])));
  const SPEEDS = [["0.5", "\u00bd\u00d7"], ["1", "1\u00d7"], ["2", "2\u00d7"], ["4", "4\u00d7"], ["10", "10\u00d7"]];

  function chooser(label, options, value) {
    const select = make("select", {}, ...options.map(([key, text]) =>
      make("option", { value: key, selected: key === value }, text)));
    return [select, make("label.chooser", {}, label, select)];
  }

  function frame(match) {
    const parts = { buttons: {} };
    const button = ([name, does, keys]) => {
      const title = `${does} (${keys.map((key) => KEY_NAMES[key] ?? key).join(", ")})`;
      return (parts.buttons[name] = make("button", { type: "button", title, "aria-label": does }, icon(name)));
    };
    const views = [[String(OPEN), "open"], ...[...SEATS].map((seat, i) => [String(i), `only ${seat}`])];
    const [speed, speedLabel] = chooser("speed ", SPEEDS, "1");
    const [view, viewLabel] = chooser("hands ", views, String(OPEN));
    Object.assign(parts, {
      speed, view,
      board: make("div.board"), felt: make("div.felt"),
      slider: make("input", { type: "range", min: 0, step: 1, "aria-label": "Moment of the deal" }),
      decision: make("section.decision", { "aria-label": "What happened" }),
      tricks: make("table.tricks"),
      deals: make("nav.deals", { "aria-label": "Deals" }),
      live: make("p.aside", { "aria-live": "polite" }),
      help: helpOf(), helpButton: make("button.help", { type: "button", "aria-label": "Keys", title: "Keys (?)" }, "?"),
    });
    const layout = make("div.layout", {}, parts.board,
      make("div.main", {}, parts.felt,
        make("div.controls", {}, parts.slider,
          make("div.buttons", { role: "group", "aria-label": "Controls" }, ...BUTTONS.map(button), parts.helpButton),
          make("div.choosers", {}, speedLabel, viewLabel))),
      make("div.beside", {}, parts.decision, make("section", { "aria-label": "Tricks" }, parts.tricks), parts.deals));
    parts.whole = make("div.viewer", {}, layout, parts.live, parts.help);
    parts.dealButtons = dealButtons(match);
    parts.deals.append(make("h2", {}, "Deals"), make("div.list", {}, ...parts.dealButtons));
    return parts;
  }

  function helpOf() {
    const keys = [...BUTTONS, ...MORE_KEYS].map(([, does, keys]) => make("div", {},
      make("dt", {}, ...keys.map((key) => make("kbd", {}, KEY_NAMES[key] ?? key))), make("dd", {}, does)));
    const close = make("button", { type: "button" }, "Close");
    const dialog = make("dialog", { "aria-label": "Keys" },
      make("h2", {}, "Keys"), make("dl.keys", {}, ...keys), close);
    close.addEventListener("click", () => dialog.close());
    return dialog;
  }

  function dealButtons(match) {
    const deals = [];
    for (const { deal, score, faults } of match.moments) {
      deals[deal] = { score, faults: (deals[deal]?.faults ?? 0) + faults.length };
    }
    return deals.map(({ score, faults }, deal) => make("button", { type: "button", "data-deal": deal },
      make("b", {}, deal ? String(deal) : "\u2013"),
      make("span", {}, deal ? score.map(minus).join(" : ") : "start"),
      faults ? make("span.faults", { title: "faults" },
        make("span", { "aria-hidden": "true" }, "!".repeat(Math.min(faults, 3))),
        aside(`, ${faults} ${faults === 1 ? "fault" : "faults"}`)) : null));
  }

  /* ---- A mounted viewer ---- */

  const isFaulty = (moment) => moment.faults.length > 0;
  const isTrickEnd = (moment) =>
    moment.kind !== "decision" || (moment.decision.kind === "play" && moment.trick.length === 4);
  const isBeginning = (moment) => moment.kind === "deal" || moment.kind === "start";
  const isDealOrResult = (moment) => moment.kind === "deal" || moment.result;

  class Viewer {
    #match; #moments; #index; #parts; #address;
    #at = 0;
    #view = OPEN;
    #flipped = false;
    #playing = null; // timers
    #writing = null;
    #press = (event) => this.#pressed(event);
    #read = () => this.#readAddress();

    constructor(element, replay, address) {
      this.#match = unpack(replay);
      this.#moments = this.#match.moments;
      this.#index = new Map(this.#moments.map((moment, i) => [moment.at, i]));
      this.#parts = frame(this.#match);
      this.#address = address;
      this.#listen();
      element.replaceChildren(this.#parts.whole);
      this.#draw();
      this.#readAddress();
    }

    /* Takes it away again, with what it listens to. */
    unmount() {
      this.#pause();
      clearTimeout(this.#writing);
      document.removeEventListener("keydown", this.#press);
      removeEventListener("popstate", this.#read);
      this.#parts.whole.remove();
    }

    #listen() {
      const { buttons, helpButton, dealButtons, slider, view } = this.#parts;
      for (const [name, button] of Object.entries(buttons)) {
        button.addEventListener("click", () => this.#act(name));
      }
      helpButton.addEventListener("click", () => this.#act("help"));
      dealButtons.forEach((button, deal) => button.addEventListener("click", () => {
        this.#pause();
        this.#jump(this.#first(deal));
      }));
      slider.addEventListener("input", () => {
        this.#pause();
        this.#go(this.#first(this.#moment.deal) + Number(slider.value));
      });
      view.addEventListener("change", () => this.#look(Number(view.value)));
      document.addEventListener("keydown", this.#press);
      addEventListener("popstate", this.#read);
    }

    get #moment() {
      return this.#moments[this.#at];
    }

    get #last() {
      return this.#moments.length - 1;
    }

    #first(deal) {
      return this.#moments.findIndex((moment) => moment.deal === deal);
    }

    /* The nearest moment before or after this one that is so, or -1. */
    #find(by, isSo) {
      for (let i = this.#at + by; i in this.#moments; i += by) if (isSo(this.#moments[i])) return i;
      return -1;
    }

    /* -- What is shown -- */

    #draw() {
      const match = this.#match, parts = this.#parts, moment = this.#moment, view = this.#view;
      const placeOf = (seat) => this.#placeOf(seat);
      const seats = [0, 1, 2, 3].map((seat) => seatOf(match, moment, seat, view, placeOf(seat)));
      parts.board.replaceChildren(...boardOf(match, moment));
      parts.felt.replaceChildren(...seats, trickOf(match, moment, placeOf));
      parts.decision.replaceChildren(...decisionOf(match, moment, view));
      parts.tricks.replaceChildren(make("caption", {}, whereOf(match, moment)), ...tricksOf(match, moment));
      parts.view.value = String(view);
      this.#drawControls();
    }

    #drawControls() {
      const { buttons, slider, dealButtons } = this.#parts;
      const { deal, at } = this.#moment;
      slider.max = this.#moments.findLastIndex((moment) => moment.deal === deal) - this.#first(deal);
      slider.value = this.#at - this.#first(deal);
      slider.setAttribute("aria-valuetext", at);
      dealButtons.forEach((button, number) => {
        if (number === deal) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
      // A button that can do nothing stays where it is, so that the focus does, too.
      const disable = (name, off) => buttons[name].setAttribute("aria-disabled", String(off));
      for (const name of ["back", "trickBack", "dealBack"]) disable(name, this.#at === 0);
      for (const name of ["step", "trickStep", "dealStep", "play"]) disable(name, this.#at === this.#last);
      disable("faultBack", this.#find(-1, isFaulty) < 0);
      disable("faultStep", this.#find(1, isFaulty) < 0);
    }

    /* The seat that is looked from, or else south, sits below. */
    #placeOf(seat) {
      const below = this.#view === OPEN ? 2 : this.#view;
      return PLACES[(seat - below + 6 + (this.#flipped ? 2 : 0)) % 4];
    }

    #announce() {
      const moment = this.#moment;
      const faults = moment.faults.map((fault) => `. Fault of ${SEATS[fault.seat]}: ${fault.kind}`);
      const told = sentence(this.#match, moment, this.#view, (card) => spoken(this.#match, card));
      this.#parts.live.textContent = told + faults.join("");
    }

    /* -- Where it is: a jump is a step of the browser's history, and single steps change that one -- */

    #go(at) {
      if (!(at in this.#moments) || at === this.#at) return;
      this.#at = at;
      this.#draw();
      this.#announce();
      this.#writing ??= setTimeout(() => this.#writeAddress(), ADDRESS_MS);
    }

    #jump(at) {
      if (!(at in this.#moments) || at === this.#at) return;
      this.#writeAddress();
      this.#go(at);
      this.#unschedule();
      history.pushState(null, "", this.#hash);
    }

    get #hash() {
      return `#${this.#address}${this.#moment.at}`;
    }

    #unschedule() {
      clearTimeout(this.#writing);
      this.#writing = null;
    }

    #writeAddress() {
      this.#unschedule();
      if (location.hash !== this.#hash) history.replaceState(null, "", this.#hash);
    }

    #readAddress() {
      this.#unschedule();
      const wanted = location.hash.slice(1);
      if (!wanted.startsWith(this.#address)) return;
      const at = wanted.slice(this.#address.length);
      const found = [at, `${at}/0/0`, `${at}/1`].find((name) => this.#index.has(name));
      if (found === undefined) return;
      this.#at = this.#index.get(found);
      this.#draw();
    }

    /* -- What can be done -- */

    #actions = {
      back: () => this.#go(this.#at - 1),
      step: () => this.#go(this.#at + 1),
      trickBack: () => this.#jump(this.#find(-1, isTrickEnd)),
      trickStep: () => this.#jump(this.#find(1, isTrickEnd)),
      dealBack: () => this.#jump(this.#find(-1, isBeginning)),
      dealStep: () => this.#jump(this.#find(1, isDealOrResult)),
      faultBack: () => this.#jump(this.#find(-1, isFaulty)),
      faultStep: () => this.#jump(this.#find(1, isFaulty)),
      first: () => this.#jump(0),
      last: () => this.#jump(this.#last),
      view: () => this.#look(this.#view === 3 ? OPEN : this.#view + 1),
      help: () => this.#parts.help.showModal(),
      flip: () => {
        this.#flipped = !this.#flipped;
        this.#draw();
      },
    };

    #act(name) {
      const playing = this.#playing !== null;
      this.#pause();
      if (name !== "play") this.#actions[name]();
      else if (!playing && this.#at < this.#last) this.#play();
    }

    #look(view) {
      this.#view = view;
      this.#parts.live.textContent = view === OPEN ? "All hands open" : `Only the hand of ${SEATS[view]}`;
      this.#draw();
    }

    #play() {
      this.#showPlaying("pause", "Pause");
      const tick = () => {
        this.#go(this.#at + 1);
        if (this.#at === this.#last) this.#pause();
        else this.#playing = setTimeout(tick, 1000 / Number(this.#parts.speed.value));
      };
      this.#playing = setTimeout(tick, 0);
    }

    #pause() {
      clearTimeout(this.#playing);
      this.#playing = null;
      this.#showPlaying("play", "Play");
    }

    #showPlaying(name, label) {
      const { play } = this.#parts.buttons;
      play.replaceChildren(icon(name));
      play.setAttribute("aria-label", label);
    }

    #pressed(event) {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || this.#parts.help.open) return;
      if (target.matches?.("select, textarea, input:not([type=range])")) return;
      if (key === " " && target.matches?.("button, summary, a")) return; // it presses that
      const name = KEYS.get(key);
      if (name === undefined) return;
      event.preventDefault();
      this.#act(name);
    }
  }

  /* Shows a replay in an element. `address` is a text before the position in the address, for a page of several
     matches. What it returns has a method `unmount`. */
  const mount = (element, replay, address = "") => new Viewer(element, replay, address);

  return { mount, unpack };
})();
