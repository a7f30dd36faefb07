/** Let this phone keep what it needs to show our own page without network. Plain http has no such thing: nothing is lost. */
if (navigator.serviceWorker) {
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {}));
}
