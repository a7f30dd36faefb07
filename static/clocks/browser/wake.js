/** Call `wake` whenever the page or the network comes back, as long as `signal` lets it. */
export function onWake(wake, signal) {
  document.addEventListener('visibilitychange', () => document.hidden || wake(), { signal });
  addEventListener('pageshow', (event) => event.persisted && wake(), { signal });
  addEventListener('online', wake, { signal });
}
