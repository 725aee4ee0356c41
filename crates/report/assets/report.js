// What the pages do beyond being read: search, sorting, keys, and the pairs of a variable or of a line.
//
// It knows the tables of docs/report.md (window.dynaflowPage) and the attributes data-*. Invariant: text is set as text, never as markup.
"use strict";
(() => {
  const page = window.dynaflowPage;
  const STEP = 40;

  /** An element with attributes and children; texts become text nodes. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "onclick") element.addEventListener("click", value);
      else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    for (const child of children.flat()) {
      if (child !== null && child !== undefined) element.append(child);
    }
    return element;
  }

  const number = (n) => n.toLocaleString("en-US");
  const counted = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;

  // ---- search ----

  const tableOf = (input) => document.getElementById(input.dataset.filter);

  for (const input of document.querySelectorAll("input[data-filter]")) {
    const table = tableOf(input);
    if (table.dataset.root !== undefined) continue;
    const empty = document.querySelector(`[data-empty="${input.dataset.filter}"]`);
    const rows = [...table.tBodies[0].rows];
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        row.hidden = !words.every((word) => row.dataset.key.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      if (empty) empty.hidden = shown > 0;
    });
  }

  // ---- sorting ----

  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  /** Makes buttons of the heads of a table: `order` gets the column, and whether upwards. */
  function sortable(table, order) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = make("button", { type: "button", class: "sort" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const up = was ? was === "descending" : head.classList.contains("name");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        order(column, up);
      });
    });
  }

  for (const table of document.querySelectorAll("table[data-sortable]")) {
    sortable(table, (column, up) => {
      const value = (row) => (column === 0 ? row.dataset.key : Number(row.cells[column].dataset.value));
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (up ? 1 : -1) * compare(value(a), value(b)) || compare(a.dataset.key, b.dataset.key));
      table.tBodies[0].append(...rows);
    });
  }

  // ---- keys ----

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const search = document.querySelector("input[type=search]");
      if (search) {
        event.preventDefault();
        search.focus();
        search.select();
      }
    } else if (event.key === "Escape") {
      if (typing && event.target.value) {
        event.target.value = "";
        event.target.dispatchEvent(new Event("input"));
      } else if (panel && !panel.hidden) {
        closePanel();
      }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event);
    }
  });

  /** From one row of a table to the next one that can be opened. */
  function move(event) {
    const table = event.target.closest("table[data-rows]");
    const search = event.target.matches("input[data-filter]") ? tableOf(event.target) : null;
    if (!table && !search) return;
    const targets = [...(table || search).querySelectorAll("tbody > tr:not([hidden]) > * > a, tbody > tr:not([hidden]) > * > button")];
    const at = table ? targets.indexOf(event.target) : -1;
    const next = targets[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }

  let panel = null;
  if (!page) return;

  // ---- facts in words ----

  const lineOf = (place) => (place[1] ? `line ${place[1]}` : page.methods[place[0]]);

  /** A link to the line of a place, on this page or on that of its class. */
  function placeLink(at) {
    const place = page.places[at];
    const elsewhere = place[2] >= 0;
    const href = `${elsewhere ? `${encodeURIComponent(page.pages[place[2]])}.html` : ""}#L${place[1]}`;
    return make("a", { href, class: "place" }, lineOf(place));
  }

  const method = (at) => page.methods[page.places[at][0]];

  /** The call on the root below which something happened, and the calls below it. */
  function calls(context, at) {
    const frames = page.contexts[context].map((frame) => (frame < 0 ? "…" : page.methods[frame]));
    return frames.length ? frames : [method(at)];
  }

  /** The names of tests, as far as they are here, and how many there are besides. */
  function testsOf(set) {
    const [count, ...first] = page.sets[set];
    if (!count) return make("span", { class: "dim" }, "code outside all tests");
    const names = first.map((test) => make("li", {}, make("code", {}, page.tests[test])));
    const more = count - first.length;
    if (more > 0) names.push(make("li", { class: "dim" }, `and ${counted(more, "other test", "other tests")}`));
    return make("ul", { class: "tests" }, names);
  }

  /** The open objectives of a variable: what leaves, by what enters, without what is executed. */
  function openPairs(variable) {
    const [, definitions, uses, covered] = variable;
    const done = new Set(covered.map(([d, u]) => d * uses.length + u));
    const pairs = [];
    definitions.forEach((definition, d) => {
      if (definition[1] < 0) return;
      uses.forEach((use, u) => {
        if (use[1] >= 0 && !done.has(d * uses.length + u)) pairs.push([d, u, -1]);
      });
    });
    return pairs;
  }

  /** A list that grows by steps, as some have tens of thousands of entries. */
  function growing(entries, entry) {
    const list = make("ol", { class: "pairs" });
    const more = make("button", { type: "button", class: "more" });
    let shown = 0;
    const grow = () => {
      const next = entries.slice(shown, shown + STEP);
      list.append(...next.map(entry));
      shown += next.length;
      more.textContent = `Show ${number(Math.min(STEP, entries.length - shown))} more of ${number(entries.length)}`;
      more.hidden = shown >= entries.length;
    };
    more.addEventListener("click", () => {
      const at = list.children.length;
      grow();
      const first = list.children[at];
      if (first) first.querySelector("summary, a, button")?.focus();
    });
    grow();
    return make("div", {}, list, more);
  }

  function half(what, at, context, tests, extra) {
    const frames = calls(context, at);
    return make(
      "div", { class: "half" },
      make("h5", {}, what),
      make("p", {}, make("code", {}, method(at)), " · ", placeLink(at), extra ? make("span", { class: "dim" }, ` · ${extra}`) : null),
      frames.length > 1
        ? make("p", { class: "chain" }, frames.map((frame, n) => [n ? make("span", { class: "dim" }, " › ") : null, make("code", {}, frame)]).flat())
        : null,
      tests,
    );
  }

  /** A pair: its two calls, and on demand both halves with the tests that showed them. */
  function pairEntry(variable, [d, u, tests]) {
    const [definition, left, thrown] = variable[1][d];
    const [use, began] = variable[2][u];
    const [writeAt, writeContext, nested] = page.definitions[definition];
    const [readAt, readContext] = page.uses[use];
    const open = tests < 0;
    const summary = make(
      "summary", {},
      make("span", { class: `dot ${open ? "some" : "done"}`, role: "img", "aria-label": open ? "open" : "executed" }),
      make("code", {}, calls(writeContext, writeAt)[0]), make("span", { class: "arrow" }, " → "), make("code", {}, calls(readContext, readAt)[0]),
      make("span", { class: "dim lines" }, `${lineOf(page.places[writeAt])} → ${lineOf(page.places[readAt])}`),
    );
    const body = make("div", { class: "halves" });
    const details = make("details", { class: "pair" }, summary, body);
    details.addEventListener("toggle", () => {
      if (body.childElementCount) return;
      const how = [nested ? "replaces an object on the way" : null, thrown && open ? "also by an exception" : null].filter(Boolean).join(", ");
      const seen = (set, what) => (set < 0 ? null : make("div", {}, make("p", { class: "label" }, what), testsOf(set)));
      body.append(
        half("Definition", writeAt, writeContext, open ? seen(left, "left behind by") : null, how),
        half("Use", readAt, readContext, open ? seen(began, "begun with by") : null),
      );
      if (!open) body.append(make("div", { class: "half" }, make("h5", {}, "Executed by"), testsOf(tests)));
    });
    return make("li", {}, details);
  }

  function group(title, kind, entries, entry) {
    if (!entries.length) return null;
    return make("section", { class: `group ${kind}` }, make("h4", {}, title, " ", make("span", { class: "dim" }, number(entries.length))), growing(entries, entry));
  }

  // ---- the pairs of a variable, below its row ----

  function fold(row, detail) {
    detail.remove();
    row.querySelector("button.fold")?.setAttribute("aria-expanded", "false");
  }

  function openVariable(button) {
    const row = button.closest("tr");
    if (button.getAttribute("aria-expanded") === "true") {
      fold(row, row.nextElementSibling);
      return;
    }
    const [root, at] = button.dataset.variable.split("-").map(Number);
    const variable = page.roots[root].variables[at];
    const entry = (pair) => pairEntry(variable, pair);
    const open = group("Open objectives", "some", openPairs(variable), entry);
    const covered = group("Executed", "done", variable[3], entry);
    const nothing = open || covered ? null : make("p", { class: "note" }, "No pair: what is written here is not read by a later call, or was not written by an earlier one.");
    row.after(make("tr", { class: "detail" }, make("td", { colspan: row.cells.length }, open, covered, nothing)));
    button.setAttribute("aria-expanded", "true");
  }

  // ---- the table of variables: all of them, though a page holds the first ----

  const ROWS = 100;

  function countOf([, definitions, uses, covered]) {
    const leaving = definitions.filter((half) => half[1] >= 0).length;
    const entering = uses.filter((half) => half[1] >= 0).length;
    const met = covered.filter(([d, u]) => definitions[d][1] >= 0 && uses[u][1] >= 0).length;
    return leaving * entering - met;
  }

  function variableRow({ id, cells: [name, ...numbers] }) {
    const fold = make("button", { type: "button", class: "fold", "data-variable": id, "aria-expanded": "false" }, make("code", {}, name));
    const cell = (n) => make("td", { class: n ? "num" : "num zero", "data-value": n }, number(n));
    return make("tr", { id: `v${id}` }, make("th", { scope: "row", class: "name" }, fold), numbers.map(cell));
  }

  /** Takes over a table; gives a function that makes one of its variables visible. */
  function takeOver(table) {
    const root = table.dataset.root;
    const input = document.querySelector(`input[data-filter="${table.id}"]`);
    const empty = document.querySelector(`[data-empty="${table.id}"]`);
    const more = make("button", { type: "button", class: "more" });
    const all = page.roots[root].variables.map((variable, at) => ({
      id: `${root}-${at}`,
      at,
      key: variable[0].toLowerCase(),
      cells: [variable[0], variable[1].length, variable[2].length, variable[3].length, countOf(variable)],
    }));
    document.querySelector(`[data-rest="${table.id}"]`)?.remove();
    table.parentElement.after(more);
    let [column, up, wanted, shown] = [4, false, all, 0];
    const grow = () => {
      const next = wanted.slice(shown, shown + ROWS);
      table.tBodies[0].append(...next.map(variableRow));
      shown += next.length;
      more.textContent = `Show ${number(Math.min(ROWS, wanted.length - shown))} more of ${number(wanted.length)} variables`;
      more.hidden = shown >= wanted.length;
    };
    const draw = () => {
      const words = (input?.value || "").toLowerCase().split(/\s+/).filter(Boolean);
      const value = (row) => (column === 0 ? row.key : row.cells[column]);
      wanted = all.filter((row) => words.every((word) => row.key.includes(word)));
      wanted.sort((a, b) => (up ? 1 : -1) * compare(value(a), value(b)) || a.at - b.at);
      table.tBodies[0].replaceChildren();
      shown = 0;
      grow();
      if (empty) empty.hidden = wanted.length > 0;
    };
    more.addEventListener("click", () => {
      const at = table.tBodies[0].rows.length;
      grow();
      table.tBodies[0].rows[at]?.querySelector("button").focus();
    });
    table.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-variable]");
      if (button) openVariable(button);
    });
    input?.addEventListener("input", draw);
    sortable(table, (...order) => {
      [column, up] = order;
      draw();
    });
    draw();
    return (at) => {
      if (!all[at] || document.getElementById(`v${root}-${at}`)) return;
      if (input) input.value = all[at].cells[0];
      draw();
    };
  }

  const reveal = [...document.querySelectorAll("table[data-root]")].map(takeOver);

  // ---- what flows from and to a line ----

  const isHere = (at, line) => page.places[at][2] < 0 && page.places[at][1] === line;

  /** The pairs of a line: from it and to it, by root and variable. */
  function pairsOfLine(line) {
    const found = { from: [], to: [] };
    for (const root of page.roots) {
      for (const variable of root.variables) {
        const here = {
          from: variable[1].map(([definition]) => isHere(page.definitions[definition][0], line)),
          to: variable[2].map(([use]) => isHere(page.uses[use][0], line)),
        };
        if (!here.from.includes(true) && !here.to.includes(true)) continue;
        const all = [...openPairs(variable), ...variable[3]];
        for (const [side, end] of [["from", 0], ["to", 1]]) {
          if (!here[side].includes(true)) continue;
          const pairs = all.filter((pair) => here[side][pair[end]]);
          found[side].push({ root, variable, pairs });
        }
      }
    }
    return found;
  }

  function variableGroup({ root, variable, pairs }) {
    const entry = (pair) => pairEntry(variable, pair);
    const open = pairs.filter((pair) => pair[2] < 0);
    const covered = pairs.filter((pair) => pair[2] >= 0);
    return make(
      "section", { class: "variable" },
      make("h4", {}, make("code", {}, `${root.name}.${variable[0]}`)),
      open.length ? make("p", { class: "label some" }, counted(open.length, "open objective", "open objectives")) : null,
      open.length ? growing(open, entry) : null,
      covered.length ? make("p", { class: "label done" }, `${number(covered.length)} executed`) : null,
      covered.length ? growing(covered, entry) : null,
      pairs.length ? null : make("p", { class: "note" }, "No pair: no call that reads it came later, or none that wrote it before."),
    );
  }

  /** Pairs of objects of other classes: only counted here, their pages have the rest. */
  function elsewhere(line, side) {
    const rows = page.flows.filter((flow) => isHere(flow[side === "from" ? 2 : 3], line));
    if (!rows.length) return null;
    const entry = ([root, file, from, to, covered, open]) =>
      make(
        "li", { class: "flow" },
        make("a", { href: `${encodeURIComponent(file)}.html` }, root), " · ",
        make("code", {}, method(side === "from" ? to : from)), " · ", placeLink(side === "from" ? to : from),
        make("span", { class: "dim" }, ` · ${number(covered)} executed, ${number(open)} open`),
      );
    return make("section", { class: "variable" }, make("h4", {}, "In objects of other classes"), growing(rows, entry));
  }

  let opened = null;

  function closePanel() {
    panel.hidden = true;
    document.body.classList.remove("with-panel");
    const button = document.querySelector(`button[data-line="${opened}"]`);
    document.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    opened = null;
    button?.setAttribute("aria-expanded", "false");
    button?.focus({ preventScroll: true });
  }

  function side(title, key, groups, line) {
    const others = elsewhere(line, key);
    if (!groups.length && !others) return null;
    return make("section", { class: "side" }, make("h3", {}, title), groups.map(variableGroup), others);
  }

  function openLine(button) {
    const line = Number(button.dataset.line);
    if (opened === line) {
      closePanel();
      return;
    }
    if (!panel) {
      panel = make("aside", { class: "panel", id: "flows", "aria-label": "What flows from and to the line", tabindex: "-1" });
      document.querySelector("section.code").append(panel);
    }
    document.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    document.querySelectorAll("button[data-line][aria-expanded=true]").forEach((other) => other.setAttribute("aria-expanded", "false"));
    opened = line;
    button.closest("tr").classList.add("chosen");
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-controls", "flows");
    const found = pairsOfLine(line);
    panel.replaceChildren(
      make("header", {}, make("h2", {}, line ? `Line ${line}` : "Without a line"), make("button", { type: "button", class: "close", onclick: closePanel, "aria-label": "Close" }, "×")),
      ...[side("Defined here, read at", "from", found.from, line), side("Read here, defined at", "to", found.to, line)].filter(Boolean),
    );
    panel.hidden = false;
    panel.scrollTop = 0;
    document.body.classList.add("with-panel");
  }

  for (const button of document.querySelectorAll("button[data-line]")) {
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => openLine(button));
  }
  for (const row of document.querySelectorAll("table.source tr.site")) {
    row.addEventListener("click", (event) => {
      const selected = String(window.getSelection());
      if (!event.target.closest("button, a") && !selected) row.querySelector("button").click();
    });
  }

  /** A link to a line opens it, one to a variable unfolds it. */
  function follow() {
    const variable = /^#v(\d+)-(\d+)$/.exec(location.hash);
    if (variable) reveal[variable[1]]?.(Number(variable[2]));
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const button = target?.querySelector("button[data-line], button[data-variable]");
    if (!button) return;
    if (button.getAttribute("aria-expanded") !== "true") button.click();
    button.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
