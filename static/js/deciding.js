// What waits for a decision, proposals and tool calls: after one the focus goes to what waits next; a field that opens takes it, Escape gives it back.

const DECIDED = ":is([data-proposal], [data-approval])";

let acted = null;

const proposalOf = (element) => element?.closest?.(DECIDED);

function next(id) {
  const here = document.getElementById(id);
  const open = [...document.querySelectorAll(`${DECIDED}[data-open]`)];
  return open.find((each) => here?.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0] ?? here;
}

document.addEventListener("htmx:before:request", ({ detail }) => { acted = proposalOf(detail.ctx.sourceElement)?.id ?? null; });
document.addEventListener("htmx:after:swap", () => {
  const here = acted && document.getElementById(acted);
  if (!here) return;
  acted = null;
  if (here.contains(document.activeElement)) return; // its form has the focus
  if (here.matches("[data-open]")) here.focus({ preventScroll: true });
  else next(here.id)?.focus();
});

document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("[data-reject][open]")) event.target.querySelector("input[name=note]").focus();
}, { capture: true });

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  const proposal = proposalOf(event.target);
  if (!proposal || event.target === proposal) return;
  const rejecting = event.target.closest("[data-reject]");
  const cancel = proposal.querySelector("[data-cancel]");
  if (rejecting) rejecting.open = false;
  if (cancel) cancel.click(); // what comes in its place takes the focus
  else proposal.focus({ preventScroll: true });
});
