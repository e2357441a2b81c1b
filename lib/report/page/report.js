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
