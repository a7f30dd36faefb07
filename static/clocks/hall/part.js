/** A part of a page that the server writes, fetched again when something has changed. */

export class Part {
  /**
   * `read(text)` is called with each new version; `spreadMs` spreads the requests of a hall's screens and phones;
   * `refused(status)` is called if there is no such page.
   * @param {{ address: () => string | URL, spreadMs: number, read: (text: string) => void,
   *   refused?: (status: number) => void }} options
   */
  constructor({ address, spreadMs, read, refused = () => {} }) {
    this.address = address;
    this.spreadMs = spreadMs;
    this.read = read;
    this.refused = refused;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.due = undefined;
    this.stamp = '';
    this.asked = 0; // answers to earlier requests are ignored
  }

  /** Fetch within a few seconds. */
  soon() {
    this.due ??= setTimeout(() => this.fetch(), 300 + Math.random() * this.spreadMs);
  }

  /** Fetch now; a failure waits for the next fetch. */
  async fetch() {
    clearTimeout(this.due);
    this.due = undefined;
    this.asked += 1;
    const mine = this.asked;
    /** @type {Record<string, string>} */
    const headers = this.stamp ? { 'If-None-Match': this.stamp } : {};
    try {
      const answer = await fetch(this.address(), { headers });
      const text = await answer.text();
      if (mine !== this.asked) return;
      if (answer.ok) {
        this.stamp = answer.headers.get('ETag') ?? '';
        this.read(text);
      } else if (answer.status >= 400) this.refused(answer.status);
    } catch (error) {
      // The network failed, or the page is being left.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    }
  }
}
