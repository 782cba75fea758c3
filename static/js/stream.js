// The event streams of running turns: they reconnect by themselves (hx-sse); this watches them, ends them for good
// when they are refused, and asks for news that another tab or another person's turn made.

const words = document.getElementById("words")?.dataset ?? {};
const log = document.getElementById("log");
const list = document.getElementById("messages");
const SILENT_FOR = 40_000; // the server pings every 15 s
const NEWS_EVERY = 20_000;
const REFUSED = [401, 403, 404];

const streams = new Map(); // connector -> {connection, heard, failures}
const isStream = (element) => element?.matches?.("[data-stream]");
const stateOf = (element) => {
  if (!streams.has(element)) streams.set(element, { heard: Date.now(), failures: 0 });
  return streams.get(element);
};

function showBusy() {
  log?.setAttribute("aria-busy", String(Boolean(list?.querySelector(".turn[data-live]"))));
}

function say(element, text) {
  const line = element.closest(".turn")?.querySelector("[data-line-state]");
  if (line) line.textContent = text ?? "";
}

function end(element) {
  const turn = element.closest(".turn");
  streams.delete(element);
  element.remove();
  turn?.removeAttribute("data-live");
  showBusy();
  document.body.dispatchEvent(new CustomEvent("turn-done", { bubbles: true }));
  tellOthers();
}

function refuse(element, status) {
  say(element, status === 401 ? words.signedOut : words.gone);
  const { connection } = stateOf(element);
  streams.delete(element);
  connection?.reader?.cancel();
  element.remove();
}

function openLater(element) {
  const state = stateOf(element);
  state.failures += 1;
  say(element, words.reconnecting);
  const wait = Math.min(30_000, 1000 * 2 ** (state.failures - 1)) * (0.7 + 0.6 * Math.random());
  setTimeout(() => { if (element.isConnected) element.dispatchEvent(new CustomEvent("reopen")); }, wait);
}

document.addEventListener("htmx:before:sse:connection", (event) => {
  if (isStream(event.target)) Object.assign(stateOf(event.target), { connection: event.detail.connection, heard: Date.now() });
});
document.addEventListener("htmx:after:sse:connection", (event) => {
  if (!isStream(event.target)) return;
  Object.assign(stateOf(event.target), { heard: Date.now(), failures: 0 });
  say(event.target, "");
});
document.addEventListener("htmx:before:sse:message", (event) => {
  if (isStream(event.target)) stateOf(event.target).heard = Date.now();
});
document.addEventListener("htmx:sse:error", (event) => {
  if (!isStream(event.target)) return;
  if (REFUSED.includes(event.detail.status)) refuse(event.target, event.detail.status);
  else say(event.target, words.reconnecting);
});
document.addEventListener("htmx:response:error", (event) => {
  const element = event.detail.ctx.sourceElement;
  if (!isStream(element)) return;
  const status = event.detail.ctx.response.status;
  if (REFUSED.includes(status)) refuse(element, status);
  else openLater(element);
});
document.addEventListener("htmx:error", (event) => {
  const element = event.detail.ctx?.sourceElement;
  if (isStream(element) && element.isConnected) openLater(element);
});
// Closing a stream that is still being read rejects a promise inside hx-sse; that is no fault.
addEventListener("unhandledrejection", (event) => { if (event.reason?.name === "AbortError") event.preventDefault(); });
// Only the newest change of a block can be taken back: older ones stop offering it as soon as a newer one comes.
document.addEventListener("memory", ({ detail }) => {
  const { block, version } = detail?.data ? JSON.parse(detail.data) : detail ?? {};
  for (const chip of list?.querySelectorAll(`.chip[data-block="${CSS.escape(block ?? "")}"]`) ?? []) {
    if (Number(chip.dataset.version) < version) chip.querySelector("[data-undo]")?.remove();
  }
});
document.addEventListener("done", (event) => { if (isStream(event.target)) end(event.target); });

setInterval(() => {
  for (const [element, state] of streams) {
    if (!element.isConnected) streams.delete(element);
    else if (document.hidden) state.heard = Date.now();
    else if (Date.now() - state.heard > SILENT_FOR) {
      state.heard = Date.now();
      say(element, words.reconnecting);
      state.connection?.reader?.cancel(); // hx-sse then opens it again, after the last event that came
    }
  }
}, 5000);

/* A waiting turn looks again when another one ends here. Where nothing is streamed, that end came before it did. */

let waking = 0;

function wake() {
  const waiting = list?.querySelector(".turn[data-waiting]");
  if (!waiting || waking || list.querySelector("[data-stream]")) return;
  waking = setTimeout(() => {
    waking = 0;
    if (waiting.isConnected) waiting.dispatchEvent(new CustomEvent("wake"));
  }, 1000);
}

/* News of this chat from elsewhere */

const channel = "BroadcastChannel" in window && list ? new BroadcastChannel(`memsite.${list.dataset.chat}`) : null;
let asking = false;

const tellOthers = () => channel?.postMessage("changed");

async function askForNews() {
  const isBusy = document.querySelector(".message.pending:not(.failed), [data-editing]");
  if (!list?.dataset.news || document.hidden || asking || isBusy) return;
  asking = true;
  try {
    const turns = list.querySelectorAll(".turn[data-turn]");
    const after = turns[turns.length - 1]?.dataset.turn ?? "";
    const branch = document.getElementById("branch")?.dataset.branch ?? "";
    await window.htmx?.ajax("GET", `${list.dataset.news}?after=${after}&branch=${branch}`, { source: list, target: list, swap: "beforeend" });
  } finally {
    asking = false;
  }
}

function dropDoubles() {
  const seen = new Set();
  for (const element of list.querySelectorAll(":scope > [id]")) {
    if (seen.has(element.id)) element.remove();
    seen.add(element.id);
  }
}

if (list) {
  channel?.addEventListener("message", askForNews);
  document.addEventListener("visibilitychange", () => {
    askForNews();
    if (!document.hidden) document.body.dispatchEvent(new CustomEvent("memory", { bubbles: true }));
  });
  addEventListener("focus", askForNews);
  setInterval(askForNews, NEWS_EVERY);
  document.addEventListener("htmx:after:swap", () => { dropDoubles(); showBusy(); wake(); });
  document.addEventListener("sent", tellOthers);
  // Another way was taken here.
  document.addEventListener("branched", tellOthers);
  showBusy();
  wake();
}
