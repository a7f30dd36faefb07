/** What this phone keeps between pages; a private window may have nowhere to keep it. */

/** Return the browser's storage, or null where there is none. */
export function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
