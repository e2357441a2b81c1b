// Before anything is drawn: the theme chosen last time, and that scripts run.
document.documentElement.classList.add("js");
try {
  const chosen = localStorage.getItem("attest-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (blocked) { /* storage is not allowed: the system's theme stays */ }
