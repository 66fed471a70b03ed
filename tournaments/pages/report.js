/* What moves in the page of a report: sorting, charts, the list of matches, and the page of one match.

   Whatever comes from a bot becomes text, never markup. */
"use strict";

(() => {
  const ROWS = 25; // matches that are shown at a time
  const DASHES = [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0], [1, 0], [8, 4], [8, 4], [8, 4], [2, 3], [2, 3], [2, 3]];
  const LINES = DASHES.length;
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  function chooser(label, names, chosen) {
    const select = make("select", {}, ...names.map((name, i) => make("option", { value: i }, name)));
    select.addEventListener("change", () => chosen(Number(select.value)));
    return make("label", {}, label, select);
  }

  const problem = (text) => byId("problem").replaceChildren(text);

  /* ---- What is compressed ---- */

  async function unpacked(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  /* ---- Sorting ---- */

  /* Numbers go by what they are and come largest first, texts by their letters; what has neither comes last. */
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(column));
    });

    function sort(column) {
      const rows = [...body.rows];
      const numbers = rows.some((row) => "value" in row.cells[column].dataset);
      const before = heads[column].ariaSort;
      const first = numbers && heads[column].textContent !== "#" ? "descending" : "ascending";
      const order = before === null ? first : before === "ascending" ? "descending" : "ascending";
      const keyOf = (row) => {
        const cell = row.cells[column];
        if (!numbers) return cell.textContent;
        return "value" in cell.dataset ? Number(cell.dataset.value) : null;
      };
      const sign = order === "ascending" ? 1 : -1;
      const keyed = rows.map((row) => [keyOf(row), row]);
      keyed.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * (numbers ? a - b : a.localeCompare(b));
      });
      body.append(...keyed.map(([, row]) => row));
      heads.forEach((head, i) => (head.ariaSort = i === column ? order : null));
    }
  }

  /* ---- Charts ---- */

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  function looks() {
    const [ink, dim, line, grid, accent, good, bad] =
      ["ink", "dim", "line", "grid", "accent", "good", "bad"].map(colour);
    const font = getComputedStyle(document.body).fontFamily;
    return {
      background: null, font,
      view: { stroke: null },
      axis: {
        labelColor: dim, titleColor: dim, gridColor: grid, domainColor: line, tickColor: line, labelFontSize: 12,
        titleFontSize: 12, titleFontWeight: 400, labelLimit: innerWidth < 600 ? 104 : 190, titlePadding: 8,
      },
      axisY: { domain: false, ticks: false, labelPadding: 8 },
      axisYBand: { grid: false, labelColor: ink }, axisYPoint: { grid: false, labelColor: ink },
      legend: { labelColor: ink, titleColor: dim, titleFontWeight: 400, labelFontSize: 12 },
      range: {
        category: Array.from({ length: LINES }, (_, i) => colour(`line-${i}`)),
        ramp: [colour("low"), colour("high")], heatmap: [colour("low"), colour("high")],
      },
      bar: { color: accent, height: { band: 0.6 }, cornerRadiusEnd: 2 },
      style: {
        zero: { color: dim, strokeDash: [3, 3] }, interval: { color: accent, strokeWidth: 6, opacity: 0.35, strokeCap: "round" },
        dot: { color: accent, filled: true, size: 90, opacity: 1 }, longest: { color: accent, thickness: 3, height: 14 },
        clock: { color: bad, strokeWidth: 2, strokeDash: [6, 4] },
        exact: { fillOpacity: 0, stroke: ink, strokeWidth: 1.5 },
      },
      good, bad,
    };
  }

  /* The words `good` and `bad` in a chart are colours of the page, and its lines have patterns, too. A height that
     goes by rows is that of all of them: else Vega-Lite warns that it can't fit it. */
  function dressed(spec, rows, { good, bad }) {
    const text = JSON.stringify(spec).replaceAll('"good"', JSON.stringify(good)).replaceAll('"bad"', JSON.stringify(bad));
    const mine = JSON.parse(text);
    for (const layer of mine.layer ?? []) {
      if (layer.encoding?.strokeDash) layer.encoding.strokeDash.scale = { range: DASHES };
    }
    if (mine.height.step) mine.height = mine.height.step * (mine.encoding.y.scale?.domain?.length ?? rows);
    return mine;
  }

  const charts = {
    specs: null, data: null, views: {},

    async begin() {
      this.specs = read("charts");
      this.data = read("data");
      this.data.exact = Array.from({ length: 14 }, (_, n) => ({ bid: n, taken: n }));
      this.chooseBids();
      this.legend();
      for (const script of document.querySelectorAll("script.library")) {
        document.head.append(make("script", {}, await unpacked(script.textContent)));
      }
      await this.draw();
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    },

    async draw() {
      const { good, bad, ...config } = looks();
      for (const [name, spec] of Object.entries(this.specs)) {
        const element = byId(`chart-${name}`);
        this.views[name]?.finalize();
        const rows = new Set(this.data[name].map(({ bot }) => bot)).size;
        if (!rows) {
          element.classList.add("empty");
          element.replaceChildren("Nothing to show yet.");
          continue;
        }
        const mine = dressed(spec, rows, { good, bad });
        mine.datasets = this.data;
        mine.autosize = { type: "fit-x", contains: "padding" };
        const { view } = await vegaEmbed(element, mine, {
          mode: "vega-lite", ast: true, actions: false, defaultStyle: false, renderer: "svg", config,
          tooltip: { disableDefaultStyle: true, sanitize: escaped },
        });
        // The element is an image with a name, so what is in it is not read out piece by piece.
        element.querySelector("svg").setAttribute("aria-hidden", "true");
        this.views[name] = view;
      }
      document.documentElement.dataset.drawn = Object.keys(this.views).length;
    },

    /* The hands of one bot as rows for the chart and as a table beside it. */
    chooseBids() {
      const bots = this.data.bids;
      if (!bots.length) return;
      const choose = (i) => {
        const sums = new Map();
        for (const [bid, , times] of bots[i].hands) sums.set(bid, (sums.get(bid) ?? 0) + times);
        this.data.bids = bots[i].hands.map(([bid, taken, hands]) => (
          { bid, taken, hands, share: hands / sums.get(bid) }));
        byId("table-bids").replaceChildren(...bidsTable(bots[i], sums));
        this.views.bids?.data("bids", this.data.bids).run();
      };
      byId("bids-chooser").append(chooser("of ", bots.map(({ bot }) => bot), choose));
      choose(0);
    },

    legend() {
      const names = [...new Set(this.data.ratings.map(({ bot }) => bot))];
      const buttons = names.map((name, i) => {
        const button = make("button", { type: "button", "aria-pressed": "false" }, make("span", {}, name));
        button.style.setProperty("--mark", `var(--line-${i % LINES})`);
        button.addEventListener("click", () => {
          const on = button.getAttribute("aria-pressed") === "false";
          buttons.forEach((each) => each.setAttribute("aria-pressed", String(on && each === button)));
          this.views.ratings?.signal("only", on ? name : "").run();
        });
        return button;
      });
      byId("legend").append(...buttons);
    },
  };

  /* For the tooltips, which are made as markup. */
  const escaped = (value) => make("p", {}, String(value)).innerHTML;

  function bidsTable({ bot, hands }, sums) {
    const rows = [...sums].map(([bid, times]) => {
      const of = hands.filter(([each]) => each === bid);
      const mean = of.reduce((sum, [, taken, n]) => sum + taken * n, 0) / times;
      const made = of.filter(([, taken]) => (bid ? taken >= bid : taken === 0)).reduce((sum, [, , n]) => sum + n, 0);
      return make("tr", {}, make("th", { scope: "row" }, bid ? String(bid) : "nil"),
        ...[times.toLocaleString("en"), mean.toFixed(2), `${Math.round((100 * made) / times)}%`].map((text) =>
          make("td", {}, text)));
    });
    const heads = ["bid", "hands", "took", "made it"].map((text) => make("th", { scope: "col" }, text));
    return [make("caption", {}, `What ${bot} took with each bid`), make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...rows)];
  }

  /* ---- Replays ---- */

  const replays = {
    bundles: new Map(), // id -> the bundle that has it, and its place there
    viewer: null, shown: null, opened: null, from: 0,

    begin() {
      for (const script of document.querySelectorAll("script.bundle")) {
        script.dataset.matches.split(" ").forEach((id, place) => this.bundles.set(id, { script, place }));
      }
      for (const link of document.querySelectorAll("a[data-match]")) {
        if (!this.bundles.has(link.dataset.match)) link.replaceWith(link.textContent);
      }
      addEventListener("hashchange", () => this.route());
      addEventListener("popstate", () => this.route());
      this.route();
    },

    /* The address `#match/ID`, with a position behind it, is the page of a match. */
    route() {
      const [, id] = /^#match\/([^/]+)/.exec(location.hash) ?? [];
      if (id === undefined) this.close();
      else if (this.bundles.has(id)) this.open(id);
      else {
        this.close();
        problem(`The match ${id} is not in this page.`);
      }
    },

    async open(id) {
      if (this.shown === id) return;
      if (this.shown === null) this.from = scrollY;
      this.viewer?.unmount();
      this.shown = id;
      problem("");
      const { script, place } = this.bundles.get(id);
      if (this.opened?.script !== script) this.opened = { script, replays: JSON.parse(await unpacked(script.textContent)) };
      if (this.shown !== id) return; // another was asked for meanwhile
      byId("report").hidden = true;
      byId("replay").hidden = false;
      byId("replay-title").textContent = `Match ${id}`;
      this.viewer = viewer.mount(byId("viewer"), this.opened.replays[place], `match/${id}/`);
      scrollTo({ top: 0, behavior: "instant" });
      byId("replay-title").focus({ preventScroll: true });
    },

    close() {
      problem("");
      if (this.shown === null) return;
      const link = document.querySelector(`#report a[href="#match/${this.shown}"]`);
      this.viewer?.unmount();
      this.viewer = this.shown = null;
      byId("replay").hidden = true;
      byId("report").hidden = false;
      const target = byId(location.hash.slice(1));
      if (target) target.scrollIntoView({ behavior: "instant" });
      else {
        link?.focus({ preventScroll: true });
        scrollTo({ top: this.from, behavior: "instant" });
      }
    },
  };

  /* ---- The list of matches ---- */

  function listMatches() {
    const { names, sides, rows } = read("match-list");
    const table = byId("table-matches"), more = byId("more-matches");
    let bot = -1, faulty = false, most = ROWS;

    const seatsOf = (i) => (sides.length === 2 ? [i, i + 2] : [i]);
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "name" }, "match"),
      ...sides.map((side) => make("th", { scope: "col", class: "text" }, side)),
      ...["score", "deals", "faults"].map((text) => make("th", { scope: "col" }, text))));

    function row([id, seats, score, winner, deals, faults, forfeited]) {
      const name = replays.bundles.has(id) ? make("a", { href: `#match/${id}` }, id) : id;
      const who = sides.map((_, i) => {
        const bots = [...new Set(seatsOf(i).map((seat) => names[seats[seat]]))];
        return make("td", { class: i === winner ? "side wins" : "side" }, make("bdi", {}, bots.join(" + ")));
      });
      const points = score.map((n) => String(n).replace("-", "\u2212")).join(" : ");
      return make("tr", {}, make("th", { scope: "row", class: "name" }, make("code", {}, name)), ...who,
        make("td", {}, points, forfeited ? make("small", {}, "forfeit") : null),
        make("td", {}, String(deals)), make("td", { class: faults ? "bad" : null }, String(faults)));
    }

    function draw() {
      const wanted = rows.filter((each) => (bot < 0 || each[1].includes(bot)) && (!faulty || each[5]));
      table.replaceChildren(head, make("tbody", {}, ...wanted.slice(0, most).map(row)));
      more.hidden = wanted.length <= most;
      const count = Math.min(most, wanted.length);
      byId("matches-shown").textContent = `${count.toLocaleString("en")} of ${wanted.length.toLocaleString("en")}`;
    }

    const check = make("input", { type: "checkbox" });
    check.addEventListener("change", () => { faulty = check.checked; most = ROWS; draw(); });
    byId("match-choosers").append(
      chooser("bot ", ["all", ...names], (i) => { bot = i - 1; most = ROWS; draw(); }),
      make("label", {}, check, "with faults"));
    more.addEventListener("click", () => { most += ROWS; draw(); });
    draw();
  }

  /* ---- */

  function markSection() {
    const links = new Map([...document.querySelectorAll("#report nav a")].map((a) => [a.hash.slice(1), a]));
    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        for (const [id, link] of links) {
          if (id === target.id) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
      }
    }, { rootMargin: "-15% 0px -75% 0px" });
    for (const id of links.keys()) if (byId(id)) seen.observe(byId(id));
  }

  document.querySelectorAll("table.sortable").forEach(sortable);
  replays.begin();
  listMatches();
  markSection();
  charts.begin().catch((error) => problem(`The charts can't be drawn: ${error}`));
})();
