/*
 * Service worker of the whole site. Pages: network first; without it, a cached page replaces the browser's error.
 * Files: cache first. Only the listed pages and files are cached, never a page with actions.
 *
 * It never calls skipWaiting: a page, and so its match, keeps the worker that it started with.
 */
/** @typedef {{ version: string, offline: string, pages: string[], files: string[] }} Kept */
const worker = /** @type {ServiceWorkerGlobalScope & { kept: Kept }} */ (/** @type {unknown} */ (self));
const { version, offline, pages, files } = worker.kept; // set by a line that the server prepends to this file
const KEPT = `clock-${version}`;
const PATIENCE_MS = 8000; // timeout for a page from the network

const kept = (/** @type {string} */ path) => caches.open(KEPT).then((cache) => cache.match(path));

worker.addEventListener('install', (event) => {
  const asked = [...pages, ...files].map((path) =>
    new Request(path, { cache: pages.includes(path) ? 'reload' : 'default' })
  );
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(asked)));
});

worker.addEventListener('activate', (event) => {
  const old = (/** @type {string[]} */ names) => names.filter((name) => name.startsWith('clock-') && name !== KEPT);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

/**
 * Answer with the page from the network, or a cached one after an error or a timeout. A timed-out request is aborted,
 * or it would delay the next one for the same page long after the network is back.
 * @param {Request} request @param {string} path
 */
function show(request, path) {
  const ours = () => kept(pages.includes(path) ? path : offline);
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), PATIENCE_MS);
  return fetch(request, { signal: gone.signal })
    .then((answer) => {
      clearTimeout(timer);
      return answer;
    }, ours)
    .then((answer) => answer || fetch(request));
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(show(request, pathname));
  else if (files.includes(pathname)) event.respondWith(kept(pathname).then((file) => file || fetch(request)));
});
