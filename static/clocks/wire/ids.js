/** The names of commands. */

/**
 * Return an id that nobody else makes: a UUID that begins with the time (RFC 9562, version 7), because ids of the same
 * moment then stand together in the journal's index. `crypto.randomUUID` is missing where a page is not served securely.
 */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
