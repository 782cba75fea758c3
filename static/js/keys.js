// Single keys. Off in fields and while composing; a page has this file only where the person has not switched
// them off in the profile.

const typing = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog[open]");
const press = (selector) => {
  const found = [...document.querySelectorAll(selector)].at(-1);
  if (!found) return;
  if (found.matches("form")) found.requestSubmit();
  else found.click();
};

function focusFilter() {
  const filter = document.getElementById("filter");
  if (!filter) return;
  if (getComputedStyle(filter).visibility === "hidden") document.querySelector("[data-toggle=nav]")?.click();
  filter.focus();
}

function step(by) {
  const log = document.getElementById("log");
  if (!log) return;
  const all = [...log.querySelectorAll(".message, .turn")];
  const now = all.indexOf(document.activeElement?.closest?.(".message, .turn"));
  const next = all[now < 0 ? (by < 0 ? all.length - 1 : 0) : now + by];
  if (!next) return;
  next.focus({ preventScroll: true });
  log.scrollTop += next.getBoundingClientRect().top - log.getBoundingClientRect().top - 16;
}

const keys = {
  "/": focusFilter,
  "c": () => press("[data-new-chat]"),
  "j": () => step(1),
  "k": () => step(-1),
  ".": () => press("body:has(.turn[data-live]) #stop"),
  "m": () => press(".main > header [data-toggle=panel]"),
  "u": () => press(".chip form[data-undo]"),
  "?": () => document.getElementById("keys")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.id === "composer" && !event.isComposing) {
    document.getElementById("log")?.focus({ preventScroll: true }); // from here single keys work
    return;
  }
  if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target) || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
