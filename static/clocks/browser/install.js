/**
 * Register the service worker, which shows cached pages if there is no network. If it cannot fill its cache, try again
 * every minute. Browsers offer no service workers on plain http, and nothing else depends on one.
 */
const AGAIN_MS = 60_000;

async function install() {
  try {
    const { installing } = await navigator.serviceWorker.register('/sw.js');
    installing?.addEventListener('statechange', () => installing.state === 'redundant' && later());
  } catch {
    later();
  }
}

const later = () => setTimeout(install, AGAIN_MS);

if (navigator.serviceWorker) {
  if (document.readyState === 'complete') install();
  else addEventListener('load', install);
}
