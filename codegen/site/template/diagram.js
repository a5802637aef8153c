"use strict";
// A diagram that is larger than its place has controls: zoom, fit, and a filter by name.
document.addEventListener("DOMContentLoaded", () => {
  const smallest = 0.05, largest = 4, step = 1.25;
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg.diagram"), view = figure.querySelector(".scroll");
    if (svg && (view.scrollWidth > view.clientWidth || view.scrollHeight > view.clientHeight)) control(figure, view, svg);
  }

  function control(figure, view, svg) {
    const { width, height } = svg.viewBox.baseVal;
    let scale = 1;
    // The point of the diagram in the middle of the view stays there, or the given one.
    const zoom = (to, middle) => {
      const old = scale;
      scale = Math.min(largest, Math.max(smallest, to));
      const x = middle ? middle.x : (view.scrollLeft + view.clientWidth / 2) / old, y = middle ? middle.y : (view.scrollTop + view.clientHeight / 2) / old;
      svg.style.width = width * scale + "px";
      svg.style.height = height * scale + "px";
      view.scrollTo({ left: x * scale - view.clientWidth / 2, top: y * scale - view.clientHeight / 2, behavior: "instant" });
      percent.textContent = Math.round(scale * 100) + " %";
    };
    const fit = () => {
      const style = getComputedStyle(view), room = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
      zoom(Math.min(1, (view.clientWidth - room) / width, (innerHeight * 0.85 - room) / height));
    };

    const tools = element("div", { className: "tools" });
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "Size and filter of the diagram");
    const percent = button("100 %", "Original size: key 0", () => zoom(1));
    const filter = element("input", { type: "search", placeholder: "Filter by name", autocomplete: "off", spellcheck: false });
    filter.setAttribute("aria-label", "Filter the diagram by name");
    const found = element("span", { className: "note" });
    found.setAttribute("role", "status");
    tools.append(button("\u2212", "Zoom out: key -", () => zoom(scale / step)), percent, button("+", "Zoom in: key +", () => zoom(scale * step)), button("Fit", "Show the whole diagram: key f", fit), filter, found);
    figure.prepend(tools);
    view.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const act = { "+": () => zoom(scale * step), "=": () => zoom(scale * step), "-": () => zoom(scale / step), "0": () => zoom(1), f: fit }[e.key];
      if (act) { e.preventDefault(); act(); }
    });
    view.addEventListener("wheel", (e) => {
      if (!e.ctrlKey) return; // a pinch, or the wheel with this key
      e.preventDefault();
      zoom(scale * Math.exp(-e.deltaY / 200));
    }, { passive: false });
    filterBy(filter, found, svg, (box) => zoom(Math.max(scale, 0.6), box), view);
  }

  // filterBy fades all shapes but those of the aggregates or tables whose names contain the text, and the references that begin or end at them.
  // Enter moves to the next match.
  function filterBy(input, status, svg, moveTo, view) {
    const page = (a) => a.getAttribute("href").split("#")[0];
    const name = (a) => a.getAttribute("aria-label").toLowerCase();
    const boxes = [...svg.querySelectorAll("a[aria-label]")];
    const box = (e) => { const r = e.getBBox(); return { left: r.x, top: r.y, right: r.x + r.width, bottom: r.y + r.height, x: r.x + r.width / 2, y: r.y + r.height / 2 }; };
    const inside = (p, b, more) => p.x >= b.left - more && p.x <= b.right + more && p.y >= b.top - more && p.y <= b.bottom + more;
    const rows = [...svg.querySelectorAll("a")].filter((a) => a.querySelector("rect")).map((a) => ({ a, b: box(a) }));
    let matches = [], next = 0;
    const apply = () => {
      const query = input.value.trim().toLowerCase();
      matches = query ? boxes.filter((a) => name(a).includes(query)) : [];
      next = 0;
      status.textContent = query ? matches.length + " of " + boxes.length : "";
      const pages = new Set(matches.map(page)), linked = [...svg.querySelectorAll("a")];
      const kept = linked.filter((a) => pages.has(page(a)));
      const places = kept.filter((a) => a.querySelector("rect")).map(box);
      // A border without a link is a package, or a box of a kept one; it has the middle of a kept box inside.
      const borders = [...svg.querySelectorAll(":scope > rect")].filter((r) => places.some((p) => inside(p, box(r), 0)));
      const others = rows.filter(({ a }) => !pages.has(page(a)));
      const own = borders.map(box).filter((b) => !others.some((o) => inside(o.b, b, 0))); // not those of packages
      const all = places.concat(own);
      // The queries of a table are to the right of its box.
      const beside = (at) => {
        const [nearest] = rows.filter(({ b }) => b.right <= at.left && at.y >= b.top && at.y <= b.bottom).sort((p, q) => q.b.right - p.b.right);
        return nearest !== undefined && pages.has(page(nearest.a));
      };
      const isKept = (e) => {
        if (!query || borders.includes(e)) return true;
        if (e.localName === "a") return pages.has(page(e));
        if (e.localName === "path" || e.localName === "polyline") {
          const ends = [e.getPointAtLength(0), e.getPointAtLength(e.getTotalLength())];
          return ends.some((p) => all.some((b) => inside(p, b, 4)));
        }
        const at = box(e);
        return all.some((b) => inside(at, b, 4)) || beside(at);
      };
      for (const e of svg.children) e.classList.toggle("faded", !isKept(e));
      if (matches.length > 0) move();
    };
    const move = () => {
      if (matches.length === 0) return;
      moveTo(box(matches[next]));
      next = (next + 1) % matches.length;
    };
    input.addEventListener("input", apply);
    input.addEventListener("keydown", (e) => {
      if (e.key === "Enter") { e.preventDefault(); move(); }
      if (e.key === "Escape" && input.value) { e.preventDefault(); e.stopPropagation(); input.value = ""; apply(); }
      if (e.key === "ArrowDown") { e.preventDefault(); view.focus(); }
    });
  }

  function element(name, properties) { return Object.assign(document.createElement(name), properties); }

  function button(text, title, act) {
    const b = element("button", { type: "button", textContent: text, title });
    if (text.length === 1) b.setAttribute("aria-label", title.split(":")[0]);
    b.addEventListener("click", act);
    return b;
  }
});
