// Lists of things that are ticked: all of a page at once, and how many are ticked.

const boxes = (form) => [...form.querySelectorAll("[name=ids]")];

function show(form) {
  const all = boxes(form);
  const ticked = all.filter((box) => box.checked).length;
  const every = form.querySelector("[data-tick-all]");
  if (!every) return;
  every.checked = ticked > 0 && ticked === all.length;
  every.indeterminate = ticked > 0 && ticked < all.length;
  every.closest("label").hidden = all.length === 0;
  const button = form.querySelector("button:not([name])");
  button.disabled = ticked === 0;
  form.toggleAttribute("data-ticked", ticked > 0);
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("[data-many]");
  if (!form) return;
  if (target.matches("[data-tick-all]")) for (const box of boxes(form)) box.checked = target.checked;
  show(form);
});

const showAll = () => document.querySelectorAll("[data-many]").forEach(show);
document.addEventListener("htmx:after:swap", showAll);
addEventListener("pageshow", showAll);
showAll();
