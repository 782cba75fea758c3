// Files that come along with a message: they are uploaded while one writes, and go with what is sent next.

import { label, lineOf, onFiles, sendFile, tokenOf, words } from "./sending.js";

const form = document.getElementById("write");
const list = form?.querySelector("[data-attached]");
const field = form?.querySelector("input[type=file]");
let entries = []; // {name, id, isFailed, done}

function changed() {
  form.dispatchEvent(new CustomEvent("attached", { detail: entries.length }));
}

function drop(entry) {
  entries = entries.filter((each) => each !== entry);
  entry.line.remove();
  changed();
}

function begin(file) {
  const shown = lineOf(file, list);
  const entry = { name: file.name, line: shown.line, isFailed: false, id: null };
  const travelling = sendFile(file, form, form.dataset.filesTo, (share) => { shown.bar.value = share; });
  shown.button.onclick = () => { travelling.abort(); drop(entry); };
  entry.done = travelling.done.then(({ outcome, fault }) => {
    shown.bar.remove();
    if (fault) {
      entry.isFailed = true;
      shown.name.textContent = fault;
      shown.name.classList.replace("ellipsis", "error-text");
      label(shown.button, words.dismiss, file.name);
    } else arrive(entry, shown, outcome);
    return entry;
  });
  entries.push(entry);
  changed();
}

function arrive(entry, shown, outcome) {
  entry.id = outcome.id;
  entry.name = outcome.name;
  const link = Object.assign(document.createElement("a"), { href: outcome.address, textContent: outcome.name });
  shown.name.replaceChildren(link, outcome.known ? ` ${outcome.known}` : "");
  label(shown.button, words.remove, outcome.name);
  shown.button.onclick = () => {
    drop(entry);
    if (!outcome.known) putAway(outcome); // what was there before stays
  };
  if (shown.line.isConnected && !outcome.known) follow(shown, outcome);
}

/* A file that was taken out again is deleted, undoably: the next page says so. */
function putAway(outcome) {
  fetch(outcome.remove, { method: "POST", redirect: "manual", headers: { "X-CSRFToken": tokenOf(form) } });
}

/* How far it is read, as the server tells it, in the place of the name. */
function follow(shown, outcome) {
  window.htmx?.ajax("GET", outcome.state, { source: shown.name, target: shown.name, swap: "innerHTML" });
}

/* What is attached at this moment, no longer in the composer: {names, settled()}. */
export function takeAttached() {
  const taken = entries.filter((entry) => !entry.isFailed);
  entries = [];
  list?.replaceChildren();
  if (form) changed();
  return {
    names: taken.map((entry) => entry.name),
    settled: async () => Promise.all(taken.map((entry) => entry.done ?? entry)),
    isEmpty: taken.length === 0,
    isThere: taken.every((entry) => entry.id),
    entries: taken,
  };
}

/* Files of a message that is changed once more. */
export function giveBack(documents) {
  for (const { id, name } of documents) {
    const shown = lineOf({ name }, list);
    const entry = { name, id, line: shown.line, isFailed: false };
    shown.bar.remove();
    label(shown.button, words.remove, name);
    shown.button.onclick = () => drop(entry);
    entries.push(entry);
  }
  changed();
}

if (form && field) {
  const take = (files) => files.forEach(begin);
  field.addEventListener("change", () => {
    take([...field.files]);
    field.value = "";
  });
  onFiles(document.querySelector("main"), take);
}
