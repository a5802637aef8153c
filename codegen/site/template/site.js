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
