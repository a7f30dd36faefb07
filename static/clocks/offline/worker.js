// @ts-nocheck: a worker's globals are not a page's
/*
 * The worker of the whole site. The network comes first; where there is none, a page of our own is shown instead of the
 * browser's. It keeps that page and the files it needs, and nothing else: no page that acts is ever kept.
 *
 * It never calls skipWaiting: a page stays with the worker that it began with, and so does a match that runs.
 */
const { version, offline, pages, files } = self.kept; // the line before this file, as it is served
const KEPT = `clock-${version}`;
const PATIENCE_MS = 8000; // a network that is there but does not answer

const kept = (path) => caches.open(KEPT).then((cache) => cache.match(path));

self.addEventListener('install', (event) => {
  const asked = [...pages, ...files].map((path) =>
    new Request(path, { cache: pages.includes(path) ? 'reload' : 'default' })
  );
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(asked)));
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('clock-') && name !== KEPT);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

/**
 * Answer with the page that was asked for, or with one of ours when nothing comes. What nobody is waiting for any more
 * is given up: it would delay the next request for the same page long after the network is back.
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

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(show(request, pathname));
  else if (files.includes(pathname)) event.respondWith(kept(pathname).then((file) => file || fetch(request)));
});
