/**
 * Live lines for the lane from the director's other events in progress.
 *
 * Their buttons send rulings from here; *Open* leads to the board on the page of its event.
 */
import { WatchedEvent } from './watched-event.js';
/** @import { Alert, Board, EventAddress, EventPage, SharedTables } from './console.d.ts' */

/** Names of the tables with an unfinished match, keyed by lower case.
 * @param {Board[]} boards */
const playedAt = (boards) =>
  new Map(boards.filter(({ status }) => status !== 'over').map(({ table }) => [table.toLowerCase(), table]));

export class Beside {
  /** @param {Pick<EventPage, 'me' | 'alarm' | 'say' | 'second'>} page */
  constructor(page) {
    this.page = page;
    this.events = /** @type {Map<string, WatchedEvent>} */ (new Map()); // by the address of their page
  }

  get size() {
    return this.events.size;
  }

  /** Names of the tables in use in both this page's event and another, by that event.
   * @param {Board[]} boards @returns {SharedTables[]} */
  shared(boards) {
    if (this.size === 0) return [];
    const here = playedAt(boards);
    return [...this.events.values()].map(({ name, boards: theirs }) => {
      const there = playedAt([...theirs.byMatch.values()]);
      return {
        event: name,
        tables: [...here.keys()].filter((key) => there.has(key)).map((key) => here.get(key) ?? ''),
      };
    }).filter(({ tables }) => tables.length > 0);
  }

  /** Watch these events, and no longer any others.
   * @param {EventAddress[]} told */
  tell(told) {
    const named = new Set(told.map(({ director }) => director));
    for (const [director, event] of this.events) {
      if (named.has(director)) continue;
      event.stop();
      this.events.delete(director);
    }
    for (const address of told) {
      if (!this.events.has(address.director)) this.events.set(address.director, this.#watch(address));
    }
  }

  /** @param {EventAddress} address */
  #watch(address) {
    const { director, may } = address;
    const { me, alarm } = this.page;
    const event = new WatchedEvent({ ...address, may: may.filter((action) => action !== 'delete') }, {
      me,
      alarm,
      say: (words) => this.page.say(words),
      second: () => this.page.second(),
      open: (match) => location.assign(`${director}#match-${match}`),
      showKind: () => location.assign(director),
      strikeOut: () => {}, // the form for this is on the page of that event
      expect: () => {},
      beside: () => {},
    });
    event.link.listen({ frame: (frame) => event.receive(frame) });
    event.link.start();
    return event;
  }

  /** Check the connections at once, as the network has returned or the page is visible again. */
  wake() {
    for (const event of this.events.values()) event.link.wake();
  }

  /** Current alerts of these events, and their lines for the lane. */
  waiting() {
    const found = [...this.events.values()].map((event) => {
      const alerts = /** @type {Alert[]} */ ([...event.alerts(event.link.now()).values()].flat());
      return { alerts, lines: event.lines(alerts) };
    });
    return { alerts: found.flatMap(({ alerts }) => alerts), lines: found.flatMap(({ lines }) => lines) };
  }
}
