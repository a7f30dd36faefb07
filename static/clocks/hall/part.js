/** Server-rendered part of a page, refetched after a change. */

export class Part {
  /**
   * `read(text)` is called with each new version; `spreadMs` spreads the requests of a hall's screens and phones;
   * `refused(status)` is called with an error status.
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
    this.asked = 0; // number of the last request; answers to earlier ones are ignored
  }

  /** Schedule a fetch, unless one is due: after 0.3 s and a random part of `spreadMs`. */
  soon() {
    this.due ??= setTimeout(() => this.fetch(), 300 + Math.random() * this.spreadMs);
  }

  /** Fetch now; a network failure is not retried. */
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
