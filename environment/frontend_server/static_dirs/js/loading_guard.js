/**
 * Says so when a script of the page cannot be loaded, and loads the page again. A classic script before all others: it
 * must work when they do not. Its text comes translated from the template.
 */
{
  const text = document.currentScript.dataset.text;
  const FIRST_DELAY = 2000; // milliseconds
  const MAX_DELAY = 30_000;
  let waiting = false;

  const reload = async () => {
    const tried = Number(sessionStorage.getItem("reloads")) || 0;
    await new Promise((done) => setTimeout(done, Math.min(MAX_DELAY, FIRST_DELAY * 2 ** tried)));
    try {
      await fetch(location.href, { method: "HEAD" });
    } catch {
      return reload();
    }
    sessionStorage.setItem("reloads", String(tried + 1));
    location.reload();
  };

  addEventListener(
    "error",
    ({ target }) => {
      if (waiting || !(target instanceof HTMLScriptElement) || target.dataset.retried) return;
      waiting = true;
      const notice = document.createElement("p");
      notice.className = "notice shown";
      notice.setAttribute("role", "alert");
      notice.textContent = text;
      document.querySelector("main").append(notice);
      reload();
    },
    true,
  );
}
