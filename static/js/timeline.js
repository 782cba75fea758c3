// The slider of the window over time: cursor and number follow at once, the step's parts come a moment later.

let waiting = 0;
let isAsking = false;

const slider = () => document.getElementById("moment");
const stepAt = (place) => slider().dataset.steps.split(" ")[place - slider().min];

function follow() {
  const { min, max, value } = slider();
  const cursor = document.querySelector("#timeline .cursor");
  const x = ((value - min) * cursor.ownerSVGElement.viewBox.baseVal.width) / Math.max(max - min, 1);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
  document.querySelector("[data-place]").textContent = value;
}

// One at a time, so that a late answer never stands in the place of a later one.
async function show() {
  if (isAsking) return;
  isAsking = true;
  const place = slider().value;
  const address = `${slider().dataset.address}?step=${stepAt(place)}`;
  history.replaceState(null, "", address);
  try {
    await window.htmx.ajax("GET", address, { target: "#at-moment", swap: "outerHTML" });
  } finally {
    isAsking = false;
  }
  if (slider().value !== place) show();
}

function moved() {
  follow();
  clearTimeout(waiting);
  waiting = setTimeout(show, 120);
}

document.addEventListener("input", ({ target }) => {
  if (target === slider()) moved();
});

// The step before and the next one, where the slider reaches them; else the link leads there.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#at-moment :is([rel=prev], [rel=next])");
  const place = link && Number(slider().value) + (link.rel === "next" ? 1 : -1);
  if (!link || place < Number(slider().min) || place > Number(slider().max)) return;
  event.preventDefault();
  slider().value = place;
  slider().focus({ preventScroll: true }); // the link goes with what it stands in
  moved();
});
