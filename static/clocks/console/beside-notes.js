/** Notes below the lane: tables in use both here and in another event, and events that the lane leaves out. */
import { fill, make, mark } from '../browser/dom.js';
import { gettext, ngettext } from '../words/i18n.js';
/** @import { Child } from '../browser/dom.js' */
/** @import { NamedEvent, SharedTables } from './console.d.ts' */

const MOST_NAMED = 8; // tables per note

/** @param {SharedTables} shared */
function sharedSays({ event, tables }) {
  const named = tables.length > MOST_NAMED ? [...tables.slice(0, MOST_NAMED), '…'] : tables;
  return ngettext(
    'Table %(tables)s is in play here and in %(event)s.',
    'Tables %(tables)s are in play here and in %(event)s.',
    tables.length,
    { tables: named.join(', '), event },
  );
}

export class BesideNotes {
  /** `settings` is the address of the tournament's settings, '' if the user may not change them.
   * @param {HTMLElement} shared @param {HTMLElement} more @param {string} settings */
  constructor(shared, more, settings) {
    this.parts = { shared, more };
    this.settings = settings;
    this.said = { shared: '', more: '' };
  }

  /** @param {SharedTables[]} found */
  showShared(found) {
    const words = found.map(sharedSays);
    const link = this.settings && make(
      'a',
      { href: `${this.settings}#id_table_prefix` },
      gettext('Letters before the numbers of new tables'),
    );
    const both = gettext('Players may go to the wrong one.');
    this.#show('shared', words.join(' '), [words.map((each) => `${each} `), both, link ? [' ', link] : null]);
  }

  /** @param {NamedEvent[]} events */
  showMore(events) {
    const words = ngettext(
      '%(number)s more event in play is not shown here:',
      '%(number)s more events in play are not shown here:',
      events.length,
      { number: events.length },
    );
    const links = events.map(({ name, director }, at) => [at ? ', ' : ' ', make('a', { href: director }, name)]);
    this.#show('more', events.map(({ director }) => director).join(' '), [words, ...links]);
  }

  /** Show a note unless it is empty; write it only if it has changed.
   * @param {'shared' | 'more'} name @param {string} said @param {Child[]} children */
  #show(name, said, children) {
    if (said === this.said[name]) return;
    this.said[name] = said;
    fill(this.parts[name], ...children);
    mark(this.parts[name], 'hidden', said === '');
  }
}
