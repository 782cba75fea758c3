// Enter sends what stands in the composer, or in the field of a message that is edited. Alone among the scripts this one is no module: it is there before
// the page is seen, else a quick Enter would only start a line. What it sends waits until the modules have run.

{
  const modulesHaveRun = new Promise((resolve) => { addEventListener("DOMContentLoaded", resolve, { once: true }); });
  let composedAt = -Infinity;

  const sends = (event) => event.target.matches?.("#composer, [data-sends]") && event.key === "Enter" && !event.shiftKey
    && !event.isComposing && event.keyCode !== 229
    && event.timeStamp - composedAt >= 100; // Safari ends composing just before this Enter

  document.addEventListener("compositionend", (event) => { composedAt = event.timeStamp; });
  document.addEventListener("keydown", async (event) => {
    if (!sends(event)) return;
    event.preventDefault();
    const { form } = event.target;
    await modulesHaveRun;
    if (form.checkValidity()) form.requestSubmit();
  });
}
