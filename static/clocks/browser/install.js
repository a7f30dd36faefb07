/**
 * Let this phone keep what it needs to show our own page without network. Plain http does not offer this, and nothing
 * else depends on it.
 */
if (navigator.serviceWorker) {
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {}));
}
