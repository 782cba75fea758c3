// The frame of every page: drawers, menus, dialogs, copying, short notes. Holds no words: they stand in #words.

const words = document.getElementById("words")?.dataset ?? {};
const narrow = (element) => matchMedia(element.id === "nav" ? "(max-width: 900px)" : "(max-width: 1180px)").matches;

/* Notes */

function note(text, link) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (link) toast.append(Object.assign(document.createElement("a"), { className: "button", href: link.href, textContent: link.text }));
  document.getElementById("toasts")?.append(toast);
}

function keepShort(toast) {
  let timer;
  const stays = toast.querySelector("form, a") ? 20_000 : 6000; // who can still act on it gets time to
  const arm = () => { timer = setTimeout(() => toast.remove(), stays); };
  toast.addEventListener("pointerenter", () => clearTimeout(timer));
  toast.addEventListener("focusin", () => clearTimeout(timer));
  toast.addEventListener("pointerleave", arm);
  toast.addEventListener("focusout", arm);
  arm();
}

// Of notes about one thing, such as the branch that a chat is on, the latest is left.
function takePlace(toast) {
  const { about } = toast.dataset;
  const others = about ? toasts.querySelectorAll(`.toast[data-about="${about}"]`) : [];
  for (const other of others) {
    if (other.compareDocumentPosition(toast) === Node.DOCUMENT_POSITION_FOLLOWING) other.remove();
  }
}

const toasts = document.getElementById("toasts");
if (toasts) {
  toasts.querySelectorAll(".toast").forEach(keepShort);
  new MutationObserver((records) => {
    for (const node of records.flatMap((record) => [...record.addedNodes])) {
      if (!node.classList?.contains("toast")) continue;
      takePlace(node);
      keepShort(node);
    }
    while (toasts.children.length > 3) toasts.firstElementChild.remove();
  }).observe(toasts, { childList: true });
}

document.addEventListener("note", (event) => note(event.detail.text, event.detail.link));

let toldSignedOut = false;

document.addEventListener("htmx:response:error", (event) => {
  const { ctx } = event.detail;
  const status = ctx.response.status;
  if (status === 401) {
    if (!toldSignedOut) note(words.signedOut, { href: words.signInUrl, text: words.signIn });
    toldSignedOut = true;
  } else if (ctx.sourceElement.matches("[data-stream], [data-quiet]")) return;
  else if (status === 404 || status === 403) note(words.gone);
  else if (status >= 500) note([words.broken, ctx.response.headers.get("X-Request-ID")].filter(Boolean).join(" "));
  else if (![409, 422].includes(status)) note(words.refused);
});

document.addEventListener("htmx:error", (event) => {
  const source = event.detail.ctx?.sourceElement;
  if (source && !source.matches("[data-stream], [data-quiet]")) note(words.offline);
});

/* What was replaced while its answer was on its way is not there to be changed any more: a card that takes in what
   an agent wrote, and that somebody has begun to edit. */

document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  tasks?.splice(0, tasks.length, ...tasks.filter(({ target }) => !(target instanceof Element) || target.isConnected));
});

/* Drawers: the list of chats and the panel, where they do not fit */

let opener = null;

function toggle(element, open) {
  if (!element) return;
  if (narrow(element)) {
    const opening = open ?? !element.hasAttribute("data-drawer");
    document.querySelectorAll("[data-drawer]").forEach((other) => other.removeAttribute("data-drawer"));
    element.toggleAttribute("data-drawer", opening);
    if (opening) {
      opener = document.activeElement;
      element.focus({ preventScroll: true });
    } else opener?.focus({ preventScroll: true });
  } else if (element.id === "panel") {
    const closing = !(open ?? element.hasAttribute("data-closed"));
    element.toggleAttribute("data-closed", closing);
    localStorage.setItem("memsite.panel", closing ? "closed" : "open");
  }
  showState();
}

function showState() {
  for (const button of document.querySelectorAll("[data-toggle]")) {
    const target = document.getElementById(button.dataset.toggle);
    const open = target && (narrow(target) ? target.hasAttribute("data-drawer") : !target.hasAttribute("data-closed"));
    button.setAttribute("aria-expanded", String(Boolean(open)));
  }
}

// Where tabs do not fit, the open one is in sight.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const tabs = tab.parentElement;
  tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
}

const panel = document.getElementById("panel");
if (panel && localStorage.getItem("memsite.panel") === "closed") panel.setAttribute("data-closed", "");
showState();
addEventListener("resize", showState);

/* Clicks that concern the frame */

async function copy(text) {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function textOf(element) {
  const buttons = [...element.querySelectorAll("button")]; // those of code blocks are no part of the text
  buttons.forEach((button) => { button.hidden = true; });
  const text = element.innerText;
  buttons.forEach((button) => { button.hidden = false; });
  return text;
}

function textToCopy(button) {
  if (button.dataset.copy) return [...document.querySelectorAll(button.dataset.copy)].map(textOf).join("\n\n");
  return button.closest(".code")?.querySelector("pre")?.innerText.replace(/\n$/, "") ?? "";
}

function showCopied(button) {
  const label = [...button.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (!label || label.data === words.copied) return;
  const before = label.data;
  label.data = words.copied;
  setTimeout(() => { label.data = before; }, 1600);
  const told = Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: words.copied });
  toasts?.append(told);
  setTimeout(() => told.remove(), 1600);
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target) || at(".menu .items :is(a, button)")) menu.open = false;
  }
  const copier = at("[data-copy]");
  if (copier) copy(textToCopy(copier)).then(() => showCopied(copier), () => note(words.notCopied));
  const toggler = at("[data-toggle]");
  if (toggler) toggle(document.getElementById(toggler.dataset.toggle));
  const shower = at("[data-show]");
  if (shower) document.getElementById(shower.dataset.show)?.showModal();
  if (at("[data-close]")) at("dialog")?.close();
  if (at(".toast [data-dismiss]")) at(".toast").remove();
  if (event.target.matches?.(".veil")) document.querySelectorAll("[data-drawer]").forEach((drawer) => toggle(drawer, false));
  if (event.target.matches?.("dialog")) event.target.close();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else document.querySelectorAll("[data-drawer]").forEach((drawer) => toggle(drawer, false));
});

/* A form that counts what is typed against a limit: characters here, as the server counts them; tokens, and the
   parts of typed blocks, are counted by the server */

const grouped = (number) => Math.trunc(number).toLocaleString("en-US");

function count(form) {
  const counter = form.querySelector("[data-count]");
  const { value, limit: most, unit } = form.elements;
  const word = counter.querySelector("[data-unit]");
  word.textContent = word.dataset[unit?.value] ?? word.textContent;
  if (counter.matches("[data-by-server]") || unit?.value === "tokens") return "measure";
  const used = [...value.value.replaceAll("\r\n", "\n")].length;
  const limit = Number(most.value) || 0;
  counter.querySelector("[data-used]").textContent = grouped(used);
  counter.querySelector("[data-limit]").textContent = grouped(limit);
  const meter = counter.querySelector("meter");
  const line = counter.querySelector(".count-line");
  const near = used * 100 >= limit * Number(line.dataset.nearFrom) ? "near" : "";
  const room = limit < 1 ? "" : used > limit ? "over" : near;
  line.dataset.room = meter.dataset.room = room;
  counter.querySelector("[data-near]").hidden = room !== "near";
  counter.querySelector("[data-over]").hidden = room !== "over";
  counter.querySelector("[data-over-by]").textContent = grouped(used - limit);
  meter.max = meter.high = Math.max(limit, 1);
  meter.value = Math.min(used, meter.max);
  return "";
}

/* What was refused is not what stands there now; the counter says whether it is still too long. */
function dropRefusals(form) {
  for (const refusal of form.querySelectorAll("[data-refusal], .field:has([data-counted]) .errors")) refusal.remove();
  for (const field of form.querySelectorAll("[data-counted][aria-invalid]")) field.removeAttribute("aria-invalid");
}

document.addEventListener("input", ({ target }) => {
  const counter = target.form?.querySelector("[data-count]");
  if (!counter || !target.matches("[data-counted], [name=limit], [name=unit]")) return;
  const asked = count(target.form);
  dropRefusals(target.form);
  counter.toggleAttribute("data-stale", Boolean(asked));
  if (asked) counter.dispatchEvent(new CustomEvent(asked));
});
document.addEventListener("htmx:after:swap", ({ target }) => target.closest?.("[data-count]")?.removeAttribute("data-stale"));
document.addEventListener("htmx:after:swap", () => {
  for (const counter of document.querySelectorAll("[data-count]")) count(counter.closest("form"));
});

/* Signing in, in another tab too, changes the token that forms carry: each takes the one of this moment along */

document.addEventListener("submit", (event) => {
  const field = event.target.querySelector("[name=csrfmiddlewaretoken]");
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  if (field && token) field.value = token[1];
}, { capture: true });

/* A form that hands out a secret or makes an account goes once, however often somebody presses */

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-once], :has([name=once])")) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});

/* What this browser knows and the server asks for */

for (const field of document.querySelectorAll("[data-time-zone]")) {
  if (!field.value || field.value === "UTC") field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
// Who signs out leaves nothing behind here. Who was signed out finds what was not sent again.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-sign-out]")) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith("memsite.chat.")) localStorage.removeItem(key);
});

/* The scripts of a page come one by one. htmx would look at the page before its extensions and our listeners are
   there, and streams would be missed: it waits for the last of them. Then `data-ready` says that all is answered. */

let areAllHere = false;
let isHtmxWaiting = false;

document.addEventListener("htmx:before:process", (event) => {
  if (areAllHere) return;
  event.preventDefault();
  isHtmxWaiting ||= event.target === document.body;
});
addEventListener("DOMContentLoaded", () => {
  areAllHere = true;
  if (isHtmxWaiting) window.htmx.process(document.body);
  setTimeout(() => { // after the one in which htmx looks at the page by itself
    tellWhatCameBefore();
    document.documentElement.dataset.ready = "";
  });
});

/* What was written or chosen before there was anybody to hear of it */
function tellWhatCameBefore() {
  for (const field of document.querySelectorAll("input, textarea")) {
    if (field.files?.length) field.dispatchEvent(new Event("change", { bubbles: true }));
    else if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
