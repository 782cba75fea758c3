// One file on its way to the server, with how far it is; and what drops onto a page. Holds no words of its own.

const words = document.getElementById("upload-words")?.dataset ?? {};

export const tokenOf = (form) => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? form.elements.csrfmiddlewaretoken?.value ?? "";

/* Send a file with the form's other fields. `done` is {outcome} or {fault}; `abort()` ends it. */
export function sendFile(file, form, address, onProgress) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve) => {
    const body = new FormData();
    for (const field of form.querySelectorAll("select[name], input[type=hidden][name]")) body.append(field.name, field.value);
    body.set("csrfmiddlewaretoken", tokenOf(form));
    body.append("files", file, file.name);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total ? loaded / total : 0));
    request.addEventListener("load", () => resolve(answerOf(request)));
    request.addEventListener("error", () => resolve({ fault: words.broken }));
    request.addEventListener("abort", () => resolve({ fault: words.cancelled, isCancelled: true }));
    request.open("POST", address);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", tokenOf(form));
    request.send(body);
  });
  return { done, abort: () => request.abort() };
}

function answerOf(request) {
  let outcome = null;
  try { outcome = JSON.parse(request.responseText); } catch { /* a page of an error: it is told by its status */ }
  if (request.status === 201 && outcome) return { outcome };
  return { fault: outcome?.fault || (request.status >= 500 ? words.broken : words.refused) };
}

/* A line about a file: its name, how far it is, a button. */
export function lineOf(file, list) {
  const line = document.createElement("li");
  const name = Object.assign(document.createElement("span"), { className: "grow ellipsis", textContent: file.name, title: file.name });
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
  bar.setAttribute("aria-label", `${words.sending}: ${file.name}`);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button quiet slim" });
  line.append(name, bar, button);
  list.append(line);
  label(button, words.cancel, file.name);
  return { line, name, bar, button };
}

export function label(button, text, name) {
  button.textContent = text;
  button.setAttribute("aria-label", `${text}: ${name}`);
}

/* Files that are dropped onto an element, or pasted into it. */
export function onFiles(element, take) {
  let inside = 0;
  const isOver = (over) => element.toggleAttribute("data-over", over);
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  element.addEventListener("dragenter", (event) => { if (hasFiles(event)) isOver(Boolean(++inside)); });
  element.addEventListener("dragleave", () => { inside = Math.max(inside - 1, 0); isOver(inside > 0); });
  element.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  element.addEventListener("drop", (event) => {
    inside = 0;
    isOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  element.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length && !event.clipboardData.types.includes("text/plain")) {
      event.preventDefault();
      take(files);
    }
  });
}

export { words };
