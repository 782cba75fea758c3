// Documents are uploaded one after another, each with its progress. Without script the form sends them together.

import { label, lineOf, onFiles, sendFile, words } from "./sending.js";

function begin(form) {
  const list = form.querySelector("[data-uploads]");
  const field = form.querySelector("input[type=file]");
  const waiting = [];
  let isBusy = false;

  async function next() {
    if (isBusy || !waiting.length) return;
    isBusy = true;
    const entry = waiting.shift();
    const travelling = sendFile(entry.file, form, form.action, (share) => { entry.shown.bar.value = share; });
    entry.shown.button.onclick = travelling.abort;
    show(entry, await travelling.done);
    isBusy = false;
    next();
  }

  function show({ file, shown }, { outcome, fault, isCancelled }) {
    shown.bar.remove();
    if (fault) {
      shown.name.textContent = isCancelled ? `${file.name}: ${fault}` : fault;
      shown.name.classList.add(isCancelled ? "muted" : "error-text");
      stay(file, shown);
      return;
    }
    if (outcome.known) {
      const link = Object.assign(document.createElement("a"), { href: outcome.address, textContent: outcome.name });
      shown.name.replaceChildren(link, `: ${outcome.known}`);
      stay(file, shown);
    } else shown.line.remove();
    if (form.matches("[data-leads]") && !outcome.known) location.assign(`${location.pathname.replace(/[^/]+\/$/, "")}${outcome.id}/`);
    else document.body.dispatchEvent(new CustomEvent("uploaded", { bubbles: true }));
  }

  /* What the line says is to be read; it goes when it was. */
  function stay(file, shown) {
    shown.name.classList.remove("ellipsis");
    label(shown.button, words.dismiss, file.name);
    shown.button.onclick = () => shown.line.remove();
  }

  function take(files) {
    for (const file of field.multiple ? files : files.slice(0, 1)) {
      const entry = { file, shown: lineOf(file, list) };
      entry.shown.button.onclick = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        entry.shown.line.remove();
      };
      waiting.push(entry);
    }
    field.value = "";
    next();
  }

  field.addEventListener("change", () => take([...field.files]));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.files.length) take([...field.files]);
  });
  onFiles(form.matches("[data-leads]") ? form : document.querySelector("main"), take);
  form.querySelectorAll(".only-script").forEach((element) => { element.hidden = false; });
  form.setAttribute("data-ready", "");
}

document.querySelectorAll("form[data-upload]").forEach(begin);
