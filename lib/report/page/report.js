"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll("details.card")];
  const texts = cards.map((card) => {
    const title = card.closest("section.case").querySelector("h3").textContent;
    return (title + " " + card.querySelector("summary").textContent).toLowerCase();
  });

  const theme = byId("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("attest-theme", root.dataset.theme); } catch (blocked) { /* it lasts for this visit */ }
    nameTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  nameTheme();

  const search = byId("search"), verdict = byId("verdict"), grade = byId("grade"), failed = byId("failed");
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    cards.forEach((card, k) => {
      const fits = words.every((word) => texts[k].includes(word)) && (!verdict.value || card.dataset.verdict === verdict.value) &&
        (!grade.value || card.dataset.grade === grade.value) && (!failed.checked || card.classList.contains("not-passed"));
      card.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    document.querySelectorAll("section.case").forEach((section) => { section.hidden = !section.querySelector("details.card:not([hidden])"); });
    byId("shown").textContent = shown === cards.length ? `${shown} claims` : `${shown} of ${cards.length} claims`;
    byId("nothing").hidden = shown > 0 || cards.length === 0;
  };
  document.querySelector("form.filter").addEventListener("submit", (event) => event.preventDefault());
  for (const control of [search, verdict, grade, failed]) control.addEventListener("input", filter);
  const setOpen = (open) => cards.forEach((card) => { if (!card.hidden) card.open = open; });
  byId("open-all").addEventListener("click", () => setOpen(true));
  byId("close-all").addEventListener("click", () => setOpen(false));
  filter();

  // What a card holds is made when it is opened: plots stand in templates, and what would make the page slow to open is packed.
  let unpacked = null;
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(byId("packed").textContent), (letter) => letter.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    return text.split("\x1e");
  };
  const fill = async (card) => {
    const body = card.querySelector(".body[data-packed]");
    if (body) {
      const place = Number(body.dataset.packed);
      delete body.dataset.packed;
      unpacked ??= unpack();
      body.innerHTML = (await unpacked)[place];
    }
    card.querySelectorAll("template").forEach((one) => one.replaceWith(one.content));
    card.dataset.filled = "";
  };
  const opened = "details.card, details.data";
  document.addEventListener("toggle", (event) => { if (event.target.matches(opened) && event.target.open) fill(event.target); }, true);
  document.querySelectorAll(opened).forEach((one) => { if (one.open) fill(one); });

  // A link to a card opens it, also when the filter hides it.
  const follow = () => {
    const target = location.hash.length > 1 ? byId(location.hash.slice(1)) : null;
    if (!target) return;
    if (target.matches("details.card")) {
      target.hidden = false;
      target.closest("section.case").hidden = false;
      target.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();

  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
})();
