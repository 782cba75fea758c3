// The composer: a message appears at once, an unsent one is kept and can be sent again. Enter is in `enter.js`.

import { giveBack, takeAttached } from "./attach.js";

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
  bring(pending, message.documents ?? []);
  document.getElementById("welcome")?.remove();
  list.append(pending);
  window.htmx?.process(pending);
  return pending;
}

/* The files that come along: [{id, name}]. */
function bring(pending, documents) {
  for (const { id, name } of documents) {
    pending.append(Object.assign(document.createElement("input"), { type: "hidden", name: "documents", value: id }));
    const line = Object.assign(document.createElement("li"), { className: "attachment", textContent: name });
    line.dataset.document = id;
    pending.querySelector("[data-files]").append(line);
  }
}

const broughtBy = (pending) => [...pending.querySelectorAll("[data-document]")].map((line) => ({ id: line.dataset.document, name: line.textContent }));

function fail(pending) {
  pending.classList.add("failed");
}

/* One travels at a time: of two that travel at once, the second may arrive first. */

const line = [];
let travelling = null;

function sendNext() {
  if (travelling) return;
  const next = line.shift();
  travelling = next?.pending ?? null;
  if (!next) return;
  if (next.files.isEmpty) travelling.requestSubmit();
  else sendWith(next);
}

/* A message goes when its files are there; where one was refused it waits for the person. */
async function sendWith({ pending, message, files }) {
  const settled = await files.settled();
  const documents = settled.filter((entry) => entry.id).map(({ id, name }) => ({ id, name }));
  bring(pending, documents);
  keep(unsentKey, (read(unsentKey) ?? []).map((each) => (each.id === message.id ? { ...each, documents } : each)));
  if (documents.length === settled.length) pending.requestSubmit();
  else {
    const faults = settled.filter((entry) => entry.isFailed).map((entry) => entry.line.innerText);
    document.dispatchEvent(new CustomEvent("note", { detail: { text: faults.join(" ") } }));
    fail(pending);
    arrived(pending);
  }
}

function arrived(pending) {
  if (pending !== travelling) return;
  travelling = null;
  sendNext();
}

function send(text, files) {
  const message = { id: newId(), text };
  keep(unsentKey, [...(read(unsentKey) ?? []), message]);
  line.push({ pending: place(message), message, files });
  sendNext();
  document.dispatchEvent(new CustomEvent("sending"));
}

function takeBack(pending) {
  area.value = [pending.elements.content.value, area.value].filter(Boolean).join("\n");
  giveBack(broughtBy(pending));
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

function submit(event) {
  event.preventDefault();
  const hasFiles = form.hasAttribute("data-has-files");
  if (!area.value.trim() && !hasFiles) return;
  const files = takeAttached();
  const text = area.value.trim() ? area.value : files.names.join(", ");
  if (!text.trim()) return;
  area.value = "";
  keep(draftKey, null);
  fit();
  send(text, files);
}

if (form && pattern && list) {
  form.addEventListener("submit", submit);
  form.addEventListener("attached", ({ detail }) => {
    form.toggleAttribute("data-has-files", detail > 0);
    area.required = detail === 0; // files alone say enough
  });
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
  const isFocusFree = document.activeElement === document.body; // who writes elsewhere already goes on there
  if (isFocusFree && matchMedia("(hover: hover)").matches && !location.hash) area.focus({ preventScroll: true });
}
