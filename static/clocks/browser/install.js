/**
 * Register the service worker, which shows cached pages if there is no network. Browsers offer none on plain http, and
 * nothing else depends on it.
 */
if (navigator.serviceWorker) {
  const install = () => navigator.serviceWorker.register('/sw.js').catch(() => {});
  if (document.readyState === 'complete') install();
  else addEventListener('load', install);
}
