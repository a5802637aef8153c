"use strict";
// The search finds entries by the words of their names, in any order: whole words, the beginnings of words, parts of names, and words that are spelled
// in a similar way. The entries are in names.js, because a page that is opened from disk cannot read other files.
document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".search");
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const shown = 20;
  let entries = null, vocabulary = [], at = -1;
  box.hidden = false;

  // ArtifactByVenue, artifacts_by_venue and Artifacts.ByVenue have the words artifact or artifacts, by and venue.
  const split = (text) => text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2").toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
  const load = () => {
    if (entries) return;
    entries = [];
    const script = document.createElement("script");
    script.src = "names.js";
    script.onload = () => {
      entries = window.amlNames.map(([label, kind, href, of]) => ({ label, kind, href, of, name: label.toLowerCase(), words: split(label), about: split(kind + " " + of) }));
      vocabulary = [...new Set(entries.flatMap((e) => [...e.words, ...e.about]))];
      show();
    };
    document.head.append(script);
  };

  // The number of characters to insert, delete, replace or exchange with the next one.
  const distance = (a, b) => {
    let before = [], row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      [before, row] = [row, next];
    }
    return row[b.length];
  };
  // A word that no entry contains stands for the words that are spelled most similarly, or begin so.
  const similar = (word) => {
    const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
    let best = most, found = [];
    for (const w of vocabulary) {
      const d = Math.min(...[w.length, word.length - 1, word.length, word.length + 1].map((n) => distance(word, w.slice(0, n))));
      if (d > 0 && d < best) { best = d; found = []; }
      if (d > 0 && d === best) found.push(w);
    }
    return found;
  };
  const meant = (word) => entries.some((e) => e.name.includes(word)) || vocabulary.some((w) => w.includes(word)) ? [word] : similar(word);
  const best = (words, word, whole) => {
    let points = 0;
    for (const w of words) {
      if (w === word) return whole;
      if (w.startsWith(word)) points = Math.max(points, whole * 0.75);
      else if (w.includes(word)) points = Math.max(points, whole * 0.4);
    }
    return points;
  };
  // 0 if the entry has none of the words that one word of the query stands for.
  const rank = (entry, groups, query) => {
    let points = 0;
    for (const group of groups) {
      const most = Math.max(0, ...group.map((word) => Math.max(best(entry.words, word, 8), best(entry.about, word, 3), entry.name.includes(word) ? 3 : 0)));
      if (most === 0) return 0;
      points += most;
    }
    if (entry.name === query) points += 40;
    else if (entry.name.startsWith(query)) points += 12;
    else if (entry.name.includes(query)) points += 4;
    return points - entry.words.length / 10;
  };
  const find = (query) => {
    const groups = split(query).map(meant);
    if (groups.length === 0) return [];
    return entries.map((entry, i) => [rank(entry, groups, query.toLowerCase()), i, entry]).filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, shown).map(([, , entry]) => entry);
  };

  const span = (className, text) => {
    const s = document.createElement("span");
    s.className = className;
    s.textContent = text;
    return s;
  };
  const option = ({ label, kind, href, of }, i) => {
    const a = document.createElement("a");
    a.href = href;
    a.id = "result-" + i;
    a.tabIndex = -1;
    a.setAttribute("role", "option");
    a.append(span("label", label), span("kind", of ? kind + " of " + of : kind));
    return a;
  };
  const none = () => {
    const s = span("none", "Nothing is found.");
    s.setAttribute("role", "option");
    s.setAttribute("aria-disabled", "true");
    return s;
  };
  const select = (to) => {
    at = to;
    [...results.querySelectorAll("a")].forEach((o, i) => o.setAttribute("aria-selected", String(i === at)));
    if (at < 0) { input.removeAttribute("aria-activedescendant"); return; }
    input.setAttribute("aria-activedescendant", "result-" + at);
    results.children[at].scrollIntoView({ block: "nearest" });
  };
  const close = () => { results.hidden = true; input.setAttribute("aria-expanded", "false"); };
  const show = () => {
    const query = input.value.trim();
    if (!query || !entries || entries.length === 0) { close(); return; }
    const found = find(query);
    results.replaceChildren(...(found.length > 0 ? found.map(option) : [none()]));
    results.hidden = false;
    input.setAttribute("aria-expanded", "true");
    select(found.length > 0 ? 0 : -1);
  };

  input.addEventListener("focus", load);
  input.addEventListener("input", () => { load(); show(); });
  input.addEventListener("keydown", (e) => {
    const n = results.querySelectorAll("a").length;
    if (e.key === "ArrowDown" && n > 0) { e.preventDefault(); select((at + 1) % n); }
    if (e.key === "ArrowUp" && n > 0) { e.preventDefault(); select((at + n - 1) % n); }
    if (e.key === "Enter" && at >= 0 && !results.hidden) { e.preventDefault(); close(); results.children[at].click(); }
    if (e.key === "Escape") { if (results.hidden) input.blur(); close(); }
  });
  results.addEventListener("click", () => { close(); input.blur(); });
  document.addEventListener("click", (e) => { if (!box.contains(e.target)) close(); });
  box.addEventListener("focusout", (e) => { if (e.relatedTarget && !box.contains(e.relatedTarget)) close(); });
  document.addEventListener("keydown", (e) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); input.focus(); input.select(); }
  });
});
