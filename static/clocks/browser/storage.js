/** Return the browser's storage, or null where there is none, as in a private window. */
export function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
