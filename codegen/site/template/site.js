"use strict";
// The theme is set before the page is drawn, so that it does not flash.
(function () {
  const root = document.documentElement;
  const read = () => { try { return localStorage.getItem("aml-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("aml-theme", theme); } catch { /* the choice is lost with the page */ } };
  const chosen = read();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

  document.addEventListener("DOMContentLoaded", () => {
    theme();
    menu();
    search();
    printing();
  });

  function theme() {
    const button = document.getElementById("theme");
    const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
    name();
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      keep(root.dataset.theme);
      name();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  }

  // On a narrow screen the list of pages is closed until its button is used.
  function menu() {
    const button = document.getElementById("menu");
    button.hidden = false;
    root.classList.add("scripted");
    const open = (is) => {
      root.classList.toggle("open", is);
      button.setAttribute("aria-expanded", String(is));
    };
    button.addEventListener("click", () => open(!root.classList.contains("open")));
    document.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && root.classList.contains("open")) { open(false); button.focus(); }
    });
    const current = document.querySelector("#navigation a[aria-current]");
    const list = document.getElementById("navigation");
    if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 3;
  }

  // The names are in names.js, because a page that is opened from disk cannot read other files.
  function search() {
    const box = document.querySelector(".search");
    const input = document.getElementById("search");
    const results = document.getElementById("results");
    let names = null, at = -1;
    box.hidden = false;

    const load = () => {
      if (names) return;
      names = [];
      const script = document.createElement("script");
      script.src = "names.js";
      script.onload = () => { names = window.amlNames; show(); };
      document.head.append(script);
    };
    const rank = (entry, query) => {
      const label = entry[0].toLowerCase();
      if (label === query) return 0;
      if (label.startsWith(query)) return 1;
      if (label.includes(query)) return 2;
      return (entry[0] + " " + entry[3]).toLowerCase().includes(query) ? 3 : -1;
    };
    const find = (query) => names
      .map((entry, i) => [rank(entry, query), i, entry])
      .filter(([r]) => r >= 0)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .slice(0, 20)
      .map(([, , entry]) => entry);
    const span = (className, text) => {
      const s = document.createElement("span");
      s.className = className;
      s.textContent = text;
      return s;
    };
    const option = ([label, kind, href, of], i) => {
      const a = document.createElement("a");
      a.href = href;
      a.id = "result-" + i;
      a.tabIndex = -1;
      a.setAttribute("role", "option");
      a.append(span("label", label), span("kind", of ? kind + " of " + of : kind));
      return a;
    };
    const select = (to) => {
      at = to;
      [...results.children].forEach((o, i) => o.setAttribute("aria-selected", String(i === at)));
      if (at < 0) { input.removeAttribute("aria-activedescendant"); return; }
      input.setAttribute("aria-activedescendant", "result-" + at);
      results.children[at].scrollIntoView({ block: "nearest" });
    };
    const close = () => { results.hidden = true; input.setAttribute("aria-expanded", "false"); };
    const show = () => {
      const query = input.value.trim().toLowerCase();
      if (!query || !names) { close(); return; }
      const found = find(query);
      results.replaceChildren(...found.map(option));
      if (found.length === 0) results.append(span("none", "No name contains this text."));
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
  }

  // A printed page shows everything, including closed details.
  function printing() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      opened.forEach((d) => { d.open = true; });
    });
    addEventListener("afterprint", () => { opened.forEach((d) => { d.open = false; }); });
  }
})();
