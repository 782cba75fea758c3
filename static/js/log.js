// The log of a chat: follows what is said while the reader is at the bottom, and never otherwise.

const log = document.getElementById("log");
const list = document.getElementById("messages");
const latest = document.getElementById("latest");
const NEAR = 48;

let following = true;
let lastTop = 0;

const atBottom = () => log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
const toBottom = () => { log.scrollTop = log.scrollHeight; };

function follow() {
  if (following) toBottom();
  if (latest) latest.hidden = following;
}

if (log && list) {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target) {
    following = false;
    log.scrollTop += target.getBoundingClientRect().top - log.getBoundingClientRect().top - 16;
  }
  follow();
  log.addEventListener("scroll", () => {
    // What grows never scrolls up: only the reader does, and that ends the following.
    if (atBottom()) following = true;
    else if (log.scrollTop < lastTop) following = false;
    lastTop = log.scrollTop;
    if (latest) latest.hidden = following;
  }, { passive: true });
  new ResizeObserver(follow).observe(list);
  new ResizeObserver(follow).observe(log);
  latest?.addEventListener("click", () => { following = true; follow(); });
  document.addEventListener("sending", () => { following = true; follow(); });
  document.addEventListener("reading", () => { following = false; follow(); });

  // Earlier messages come in above: what is being read stays where it is.
  let before = null;
  log.addEventListener("htmx:before:swap", (event) => {
    if (event.target.closest?.("#earlier")) before = { height: log.scrollHeight, top: log.scrollTop };
    // What was left out comes in below: who asks for it reads on there, and is not led to the end.
    if (event.target.closest?.("#gap")) following = false;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!before) return;
    following = false;
    log.scrollTop = before.top + log.scrollHeight - before.height;
    before = null;
  });
}
