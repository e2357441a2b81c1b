// Expressions that check_page.py evaluates in the page. `checks.NAME()` gives a list of defects in words.
globalThis.checks = {
  // What a card holds is made when it is opened, and may bring more to open.
  async openAll() {
    const waiting = () => [...document.querySelectorAll("details.card, details.data")].filter((one) => one.dataset.filled === undefined);
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
    while (waiting().length) await new Promise((done) => setTimeout(done, 20));
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
  },

  plots() {
    const defects = [];
    for (const svg of document.querySelectorAll("figure.plot svg")) {
      const name = svg.closest("figure").querySelector("figcaption")?.textContent || "a plot without a caption";
      const marks = [...svg.querySelectorAll("circle:not(.grid), rect, g.mark")];
      if (marks.length < 2) defects.push(`${name}: ${marks.length} marks`);
      if (marks.some((mark) => !mark.querySelector("title")?.textContent)) defects.push(`${name}: a mark without a value`);
      if (!svg.querySelector("text.label")) defects.push(`${name}: an axis without a label`);
      if (!svg.getAttribute("aria-label")) defects.push(`${name}: no description`);
      const box = svg.viewBox.baseVal;
      for (const mark of marks) {
        const inside = mark.getBBox();
        if (!(inside.x >= -1 && inside.y >= -1 && inside.x + inside.width <= box.width + 1 && inside.y + inside.height <= box.height + 1))
          defects.push(`${name}: a mark outside the drawing`);
      }
      for (const rect of svg.querySelectorAll("rect[height]"))
        if (Math.abs(rect.getBBox().height - Number(rect.getAttribute("height"))) > 0.01) defects.push(`${name}: a bar is not as high as it says`);
      if (/NaN|inf|nan/.test(svg.innerHTML)) defects.push(`${name}: draws what is no number`);
    }
    return defects;
  },

  overflow() {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const tables = [...document.querySelectorAll("table")].filter((one) => {
      const parent = one.parentElement.getBoundingClientRect();
      return one.checkVisibility() && !one.closest(".cells, .plot") && one.getBoundingClientRect().right > parent.right + 1;
    });
    return (wide > 0 ? [`the page is ${wide} px wider than ${innerWidth} px`] : [])
      .concat(tables.map((one) => `a table of class "${one.className}" is wider than its place: ${one.textContent.slice(0, 40)}`));
  },

  // Nothing that is open carries a tick.
  ticks() {
    return [...document.querySelectorAll('[data-verdict="undecided"] .status, [data-verdict="inapplicable"] .status, .cell.undecided, .cell.inapplicable')]
      .filter((one) => one.firstElementChild.textContent.includes("✓")).map((one) => `a tick: ${one.textContent.slice(0, 40)}`);
  },

  structure() {
    const defects = [];
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    if (new Set(ids).size !== ids.length) defects.push("an id occurs twice");
    for (const link of document.querySelectorAll('a[href^="#"]'))
      if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) defects.push(`a link to ${link.hash}, which is not there`);
    for (const control of document.querySelectorAll("input, select"))
      if (!control.labels?.length) defects.push(`a control without a label: ${control.id}`);
    for (const button of document.querySelectorAll("button, a, summary"))
      if (!button.textContent.trim()) defects.push(`${button.tagName} without a name`);
    for (const one of document.querySelectorAll("a, button, summary, input, select"))
      if (one.tabIndex < 0) defects.push(`${one.tagName} ${one.textContent.slice(0, 20)} cannot be reached by keyboard`);
    let level = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5")) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) defects.push(`${heading.tagName} ${heading.textContent.slice(0, 30)} after h${level}`);
      level = next;
    }
    if (document.querySelectorAll("h1").length !== 1 || document.querySelectorAll("main").length !== 1) defects.push("not one h1 and one main");
    if (!document.documentElement.lang) defects.push("no language");
    return defects;
  },

  // Text against what is behind it: 4.5 to 1, WCAG AA.
  contrast() {
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    const painted = (layers) => {
      context.clearRect(0, 0, 1, 1);
      for (const layer of layers) { context.fillStyle = layer; context.fillRect(0, 0, 1, 1); }
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = (pixel) => {
      const [r, g, b] = pixel.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const defects = new Set();
    const seen = new Set();
    for (const one of document.querySelectorAll("p, a, span, th, td, dt, dd, li, button, label, h1, h2, h3, h4, figcaption, code, summary")) {
      if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || one.closest(".sr, [hidden]") || one.matches(".skip")) continue;
      const layers = [];
      for (let up = one; up; up = up.parentElement) layers.unshift(getComputedStyle(up).backgroundColor);
      const key = getComputedStyle(one).color + layers.join();
      if (seen.has(key)) continue;
      seen.add(key);
      const behind = light(painted(layers)), text = light(painted([...layers, getComputedStyle(one).color]));
      const ratio = (Math.max(behind, text) + 0.05) / (Math.min(behind, text) + 0.05);
      if (ratio < 4.5) defects.add(`${one.tagName}.${one.className} has contrast ${ratio.toFixed(2)}`);
    }
    return [...defects];
  },
};
