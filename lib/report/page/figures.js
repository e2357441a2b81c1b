"use strict";
// Figures say their values: to who points at a mark, and to who goes through the marks with the arrow keys.
(() => {
  const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
  tip.setAttribute("role", "status");
  document.body.append(tip);

  const titleOf = (node) => [...node.children].find((child) => child.localName === "title");
  const markAt = (target) => {
    for (let node = target; node instanceof SVGElement && node.localName !== "svg"; node = node.parentNode) if (titleOf(node)) return node;
    return null;
  };
  const isShown = (mark) => { const box = mark.getBoundingClientRect(); return box.width > 0 || box.height > 0; };

  let pointed = null;
  const unpoint = () => {
    if (!pointed) return;
    pointed.mark.classList.remove("pointed");
    // The browser's own hint was put aside: one is enough.
    pointed.title.textContent = pointed.text;
    pointed = null;
    tip.hidden = true;
  };
  const place = () => {
    if (!pointed) return;
    const at = pointed.mark.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const above = at.top - size.height - 8;
    tip.style.left = `${Math.max(4, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 4))}px`;
    tip.style.top = `${above >= 4 ? above : Math.min(at.bottom + 8, innerHeight - size.height - 4)}px`;
  };
  const point = (mark) => {
    if (pointed?.mark === mark) return;
    unpoint();
    const title = titleOf(mark);
    pointed = { mark, title, text: title.textContent };
    title.textContent = "";
    mark.classList.add("pointed");
    tip.textContent = pointed.text;
    tip.hidden = false;
    place();
  };
  document.addEventListener("pointerover", (event) => { const mark = markAt(event.target); if (mark && mark.closest("figure.plot")) point(mark); else unpoint(); });
  document.addEventListener("scroll", place, { passive: true, capture: true });

  // A drawing takes the focus; its marks are gone through by keys.
  const makeFocusable = (root) => root.querySelectorAll("figure.plot svg:not([tabindex])").forEach((svg) => svg.setAttribute("tabindex", "0"));
  document.addEventListener("keydown", (event) => {
    const svg = event.target;
    if (!(svg instanceof SVGSVGElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return unpoint();
    const next = {
      ArrowRight: (now) => now + 1, ArrowDown: (now) => now + 1, ArrowLeft: (now) => now - 1, ArrowUp: (now) => now - 1, Home: () => 0, End: () => Infinity,
    }[event.key];
    if (!next) return;
    const marks = [...svg.querySelectorAll("title")].map((title) => title.parentNode).filter((mark) => mark !== svg && isShown(mark));
    if (marks.length === 0) return;
    event.preventDefault();
    point(marks[Math.max(0, Math.min(marks.length - 1, next(marks.indexOf(pointed?.mark))))]);
  });
  document.addEventListener("focusout", unpoint);

  // Attention along a run: the slider moves through its norms in all samples at once.
  const slide = (part) => {
    const norms = JSON.parse(part.dataset.norms), input = part.querySelector("input"), output = part.querySelector("output");
    const moment = Number(input.value);
    part.classList.add("sliding");
    output.textContent = `‖p‖ = ${Number(norms[moment].toPrecision(4))}`;
    input.setAttribute("aria-valuetext", output.textContent);
    part.querySelectorAll("svg").forEach((svg) => {
      svg.querySelectorAll("circle.now").forEach((dot) => dot.classList.remove("now"));
      const dots = svg.querySelectorAll(`circle[data-moment="${moment}"]`);
      dots.forEach((dot) => dot.classList.add("now"));
      if (dots.length) svg.querySelector(".cursor").setAttribute("transform", `translate(${dots[0].getAttribute("cx")} 0)`);
    });
  };
  document.addEventListener("input", (event) => { const part = event.target.closest?.(".attention"); if (part) slide(part); });

  // Cards bring their figures when they are opened.
  const prepare = (root) => {
    makeFocusable(root);
    root.querySelectorAll(".attention").forEach(slide);
  };
  prepare(document);
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => { if (node.querySelectorAll) prepare(node); })))
    .observe(document.body, { childList: true, subtree: true });
})();
