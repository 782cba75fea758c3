// Branches of a chat: a message is edited in its place, and what was looked at stays where it is when the chat
// goes another way.

const log = document.getElementById("log");
const list = document.getElementById("messages");
let lookedAt = null; // how far below the top of the log the article stood whose branch is changed

const articleOf = (element) => element.closest(".message, .turn");
const topOf = (element) => element.getBoundingClientRect().top - log.getBoundingClientRect().top;

function close(form) {
  const article = articleOf(form);
  form.remove();
  article?.focus({ preventScroll: true });
}

function toField() {
  const field = list.querySelector("[data-editing] textarea:not([data-seen])");
  if (!field) return;
  field.dataset.seen = "";
  field.focus({ preventScroll: true });
  field.setSelectionRange(field.value.length, field.value.length);
}

// Where one switched, one reads on; after an edit or another answer one is at the end, where it comes.
function goOn() {
  const mark = list.querySelector("#branch:not([data-seen])");
  if (!mark) return;
  mark.dataset.seen = "";
  if (lookedAt === null) return; // it came as news: the reader is not led anywhere
  const { here } = mark.dataset;
  const article = here && (document.getElementById(`m-${here}`) ?? list.querySelector(`[data-head="${CSS.escape(here)}"]`));
  document.dispatchEvent(new CustomEvent(article ? "reading" : "sending"));
  if (article) log.scrollTop += topOf(article) - lookedAt;
  (article ?? [...list.querySelectorAll(".message")].at(-1))?.focus({ preventScroll: true });
  lookedAt = null;
  document.dispatchEvent(new CustomEvent("branched"));
}

if (log && list) {
  list.querySelector("#branch")?.setAttribute("data-seen", "");
  list.addEventListener("submit", ({ target }) => {
    if (target.matches("[data-switch], [data-again], [data-retry], [data-editing]")) lookedAt = topOf(articleOf(target));
  }, { capture: true });
  list.addEventListener("click", (event) => {
    const cancel = event.target.closest?.("[data-cancel-edit]");
    if (!cancel) return;
    event.preventDefault();
    close(cancel.closest("form"));
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !event.target.matches("[data-editing] textarea")) return;
    event.stopPropagation();
    close(event.target.form);
  });
  document.addEventListener("htmx:after:swap", () => { goOn(); toField(); });
  document.addEventListener("htmx:finally:request", ({ detail }) => {
    if (list.contains(detail.ctx.sourceElement)) lookedAt = null; // refused: nothing was put in the place of anything
  });
  document.addEventListener("left-undone", ({ detail }) => setTimeout(() => {
    for (const element of list.querySelectorAll(`[data-left="${CSS.escape(detail.head ?? "")}"]`)) element.remove();
  }));
}
