// Single keys. Off in fields and while composing; a page has this file only where the person has not switched
// them off in the profile.

const typing = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog[open]");
const press = (selector, from = document) => {
  const found = [...from.querySelectorAll(selector)].at(-1);
  if (!found) return;
  if (found.matches("form")) found.requestSubmit();
  else found.click();
};

// The field of a page that searches; on every other page the one of the frame.
function focusFilter() {
  const filter = document.querySelector("main [data-search]") ?? document.getElementById("filter");
  if (!filter) return;
  if (getComputedStyle(filter).visibility === "hidden") document.querySelector("[data-toggle=nav]")?.click();
  filter.focus();
}

const DECIDED = ":is([data-proposal], [data-approval])[data-open]";

/* Stepping through the messages of a chat, or the proposals of the inbox */

const steps = () => [...document.querySelectorAll("#log :is(.message, .turn, [data-approval][data-open]), [data-steps] [data-step]")];
const here = () => document.activeElement?.closest?.("#log :is(.message, .turn), [data-step]");

function show(element) {
  const view = element.closest("#log, .page");
  element.focus({ preventScroll: true });
  view.scrollTop += element.getBoundingClientRect().top - view.getBoundingClientRect().top - 16;
}

function step(by) {
  const all = steps();
  const now = all.indexOf(here());
  const next = all[now < 0 ? (by < 0 ? all.length - 1 : 0) : now + by];
  if (next) show(next);
}

// What is decided on is what has the focus: a key pressed anywhere else first goes there.
function decide(selector) {
  const all = [...document.querySelectorAll(DECIDED)];
  const found = here();
  if (all.includes(found)) press(selector, found);
  else if (all.length) show(all[0]);
}

// First what has the focus, then what was done last and stands in a note, then the latest change of a chat.
function undo() {
  const proposal = here()?.matches("[data-proposal]") ? here() : null;
  if (proposal?.querySelector("[data-undo]")) press("[data-undo]", proposal);
  else if (document.querySelector(".toast [data-undo]")) press(".toast [data-undo]");
  else if (!proposal) press("[data-undo]");
}

// In the article that has the focus, or in the one beside it that belongs to it; else the last one of the chat.
function inLog(selector, beside) {
  const article = here()?.closest("#log") ? here() : null;
  const places = article ? [article, article[beside]] : [document.getElementById("log")];
  const place = places.find((each) => each?.querySelector(selector));
  if (place) press(selector, place);
}

const keys = {
  "/": focusFilter,
  "c": () => press("[data-new-chat]"),
  "j": () => step(1),
  "k": () => step(-1),
  ".": () => press("body:has(.turn[data-live]) #stop"),
  "i": () => (document.activeElement?.closest?.("#inspected") ? press("[data-inspected-close]") : inLog("[data-inspect]", "nextElementSibling")),
  "m": () => press(".main > header [data-toggle=panel]"),
  "u": undo,
  "a": () => decide("[data-approve] button:enabled"),
  "e": () => (document.getElementById("log") && !document.querySelector(DECIDED) ? inLog("[data-edit-message]", "previousElementSibling") : decide("[data-edit]")),
  "r": () => inLog("[data-retry], [data-again]", "nextElementSibling"),
  "[": () => inLog("[data-switch=before]", "nextElementSibling"),
  "]": () => inLog("[data-switch=after]", "nextElementSibling"),
  "x": () => {
    decide("[data-reject] > summary");
    here()?.querySelector("[data-reject][open] input[name=note]")?.focus();
  },
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
