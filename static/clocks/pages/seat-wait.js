/**
 * Poll for the answer to a seat request, and show it on this page.
 */
const LOOK_MS = 2000;
const shown = /** @type {HTMLElement} */ (document.querySelector('[data-asking]'));

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => null);
  if (answer?.status === 404) location.reload(); // the table or its tournament was removed, and the page says so
  if (!answer || !answer.ok) return;
  if (answer.redirected) {
    location.replace(answer.url);
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = /** @type {HTMLElement | null} */ (page.querySelector('[data-asking]'));
  if (!fresh || fresh.dataset.asking === shown.dataset.asking) return;
  shown.dataset.asking = fresh.dataset.asking;
  shown.replaceChildren(...fresh.childNodes);
}

/** Withdraw the request when the page is left. */
function withdraw() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-withdraw]'));
  if (form) navigator.sendBeacon(form.action, new FormData(form));
}

setInterval(look, LOOK_MS);
addEventListener('pagehide', withdraw);
document.addEventListener('visibilitychange', look);
