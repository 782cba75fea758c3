// The composer: Enter sends, a message appears at once, an unsent one is kept and can be sent again.

const form = document.getElementById("write");
const area = form?.querySelector("textarea");
const list = document.getElementById("messages");
const pattern = document.getElementById("pending");

const draftKey = `memsite.chat.draft.${form?.dataset.key}`;
const unsentKey = `memsite.chat.unsent.${form?.dataset.key}`;

const read = (key) => { try { return JSON.parse(localStorage.getItem(key)) ?? null; } catch { return null; } };
function keep(key, value) {
  try {
    if (value === null || value.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* storage is full or closed: the page still works, it only forgets on reload */ }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const fits = CSS.supports("field-sizing", "content");
function fit() {
  if (fits) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
}

/* Messages on their way */

function forget(id) {
  keep(unsentKey, (read(unsentKey) ?? []).filter((message) => message.id !== id));
}

function place(message) {
  const pending = pattern.content.firstElementChild.cloneNode(true);
  pending.elements.content.value = message.text;
  pending.elements.client_id.value = message.id;
  pending.querySelector("[data-content]").textContent = message.text;
  document.getElementById("welcome")?.remove();
  list.append(pending);
  window.htmx?.process(pending);
  return pending;
}

function fail(pending) {
  pending.classList.add("failed");
}

/* One travels at a time: of two that travel at once, the second may arrive first. */

const line = [];
let travelling = null;

function sendNext() {
  if (travelling) return;
  travelling = line.shift() ?? null;
  travelling?.requestSubmit();
}

function arrived(pending) {
  if (pending !== travelling) return;
  travelling = null;
  sendNext();
}

function send(text) {
  const message = { id: newId(), text };
  keep(unsentKey, [...(read(unsentKey) ?? []), message]);
  line.push(place(message));
  sendNext();
  document.dispatchEvent(new CustomEvent("sending"));
}

function takeBack(pending) {
  area.value = [pending.elements.content.value, area.value].filter(Boolean).join("\n");
  forget(pending.elements.client_id.value);
  pending.remove();
  keep(draftKey, area.value);
  fit();
  area.focus();
}

function watchSending() {
  document.addEventListener("htmx:before:request", (event) => {
    if (event.target.matches?.("form.pending")) event.target.classList.remove("failed");
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    const pending = ctx.sourceElement;
    if (!pending.matches?.("form.pending")) return;
    if (ctx.response?.status < 300) {
      forget(pending.elements.client_id.value);
      document.dispatchEvent(new CustomEvent("sent"));
    } else fail(pending);
    arrived(pending);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-take-back]");
    if (button) takeBack(button.closest("form"));
  });
}

function bringBackUnsent() {
  for (const message of read(unsentKey) ?? []) {
    if (list.querySelector(`[data-client="${CSS.escape(message.id)}"]`)) forget(message.id);
    else fail(place(message));
  }
}

/* Writing */

let composedAt = -Infinity;

function submit(event) {
  event?.preventDefault();
  const text = area.value;
  if (!text.trim()) return;
  area.value = "";
  keep(draftKey, null);
  fit();
  send(text);
}

function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  if (event.timeStamp - composedAt < 100) return; // Safari ends composing just before this Enter
  event.preventDefault();
  submit();
}

if (form && pattern && list) {
  form.addEventListener("submit", submit);
  area.addEventListener("keydown", sendOnEnter);
  area.addEventListener("compositionend", (event) => { composedAt = event.timeStamp; });
  area.addEventListener("input", () => { keep(draftKey, area.value || null); fit(); });
  document.addEventListener("click", (event) => {
    const prompt = event.target.closest?.("[data-prompt]");
    if (!prompt) return;
    area.value = prompt.textContent.trim();
    keep(draftKey, area.value);
    fit();
    area.focus();
  });
  if (matchMedia("(hover: none)").matches) area.placeholder = area.dataset.short;
  watchSending();
  if (!area.value) area.value = read(draftKey) ?? "";
  fit();
  if (window.htmx) bringBackUnsent();
  else document.addEventListener("DOMContentLoaded", bringBackUnsent);
  if (matchMedia("(hover: hover)").matches && !location.hash) area.focus({ preventScroll: true });
}
