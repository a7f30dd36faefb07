/**
 * Let this phone keep what it needs to show our own page without network. Plain http does not offer this, and nothing
 * else depends on it.
 */
if (navigator.serviceWorker) {
  const install = () => navigator.serviceWorker.register('/sw.js').catch(() => {});
  if (document.readyState === 'complete') install();
  else addEventListener('load', install);
}
