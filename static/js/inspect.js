// What the model saw, beside the chat where the panel stands there; else the link leads to its page.

const panel = document.getElementById("panel");
const place = document.getElementById("inspected");
let opener = null;

const isDesk = () => matchMedia("(min-width: 1181px)").matches; // below, the panel is a drawer over the chat

function openPanel() {
  if (panel.hasAttribute("data-closed")) document.querySelector(".main > header [data-toggle=panel]").click();
}

async function inspect(link) {
  if (!place.contains(link)) opener = link;
  openPanel();
  await window.htmx.ajax("GET", link.href, { target: "#inspected", swap: "innerHTML" });
  panel.scrollTop = 0;
  place.querySelector("h2")?.focus({ preventScroll: true });
}

function close() {
  place.replaceChildren();
  (opener?.isConnected ? opener : document.getElementById("log")).focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-inspected-close]")) return close();
  const link = event.target.closest?.("[data-inspect]");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || !place || !isDesk()) return;
  event.preventDefault();
  inspect(link);
});

// Not out of a field or a menu: there Esc is for these.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || !place?.childElementCount) return;
  if (!event.target.closest?.("form, input, textarea, select, dialog, details.menu")) close();
});
