/**
 * Drawer of one board: both clocks, the decision due, the rulings, links to its table.
 */

import { must, SEATS, timesAt } from '../match/clocks.js';
import { due, dueKey } from './due.js';
import { fill, find, make, mark, write } from '../browser/dom.js';
import { ignoreTapsBriefly } from '../browser/events.js';
import { RulingForm } from './ruling-form.js';
import { RULINGS } from './rulings.js';
import { gettext } from '../words/i18n.js';
import { aloneSays, cubeSays, notesSay, stateSays } from './short-words.js';
import { Side } from './drawer-side.js';
import { TABLE_ACTS } from './table-acts.js';
import { scoreOf } from '../words/phrases.js';
/** @import { Command } from '../match/protocol.d.ts' */
/** @import { Board, Current, DrawerPage, Reach, Ruling } from './console.d.ts' */

/** @type {Record<string, Ruling>} */
const ACTS = { ...RULINGS, ...TABLE_ACTS };

/** Permissions that some actions need; all others need `rule`.
 * @type {Record<string, string>} */
const TAKES = { end: 'end', reopen: 'end', 'release-seat': 'seat', move: 'table', 'replace-code': 'table' };

export class Drawer {
  /**
   * `page.send(match, command)` resolves to '' or an error message. `page.may` holds the user's permissions,
   * `page.address` is the site's address as shown to people, `page.director` the path of the tournament.
   * `page.message(table)` opens a message to the table's phones; `page.onClose(match)` restores the focus.
   * @param {HTMLElement} node @param {DrawerPage} page
   */
  constructor(node, page) {
    this.node = node;
    this.page = page;
    this.match = /** @type {number | null} */ (null);
    this.form = /** @type {RulingForm | null} */ (null);
    this.key = /** @type {string | null} */ (null); // dueKey of the shown decision
    this.nodes = nodesOf();
    this.found = make('div.drawer-links');
    this.code = '';
    node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      if (this.form) this.closeForm();
      else this.close();
    });
  }

  /** Show a board and focus its title or, with `reach` 'note', the note of the decision due.
   * @param {number} match @param {Reach} reach */
  open(match, reach = 'title') {
    const board = this.page.board(match);
    if (!board) return;
    this.match = match;
    this.form = null;
    this.key = null;
    this.build(board);
    this.draw(board);
    mark(this.node, 'hidden', false);
    document.body.classList.add('with-drawer');
    const target = reach === 'note' ? find('[data-note]', this.node) : null;
    (target ?? this.nodes.title).focus();
  }

  close() {
    if (this.match === null) return;
    const { match } = this;
    this.match = null;
    this.form = null;
    mark(this.node, 'hidden', true);
    document.body.classList.remove('with-drawer');
    this.page.onClose(match);
  }

  build(/** @type {Board} */ board) {
    const { title, state, where, sides, facts, answer, due: asked, rulings } = this.nodes = nodesOf();
    this.found = this.links(board);
    this.code = board.code;
    fill(
      this.node,
      make(
        'div.drawer-head',
        {},
        make('div', {}, make('div.drawer-title', {}, title, state), where),
        make('button.button.close', { onclick: () => this.close() }, gettext('Close')),
      ),
      make('div.sides', {}, sides.map((one) => one.node)),
      facts,
      answer,
      asked,
      this.page.mayRule ? rulings : null,
      this.found,
    );
    if (this.page.mayRule) this.showRulings(board);
  }

  links(/** @type {Board} */ board) {
    const table = `/t/${board.code}/`;
    return make(
      'div.drawer-links',
      {},
      make(
        'div',
        {},
        make('p', {}, gettext('Code'), ' ', make('b.drawer-code', {}, board.code)),
        make('p.drawer-address', {}, `${this.page.address}${table}`),
        make(
          'nav',
          { 'aria-label': gettext('This table') },
          make('a', { href: `${this.page.director}match/${board.match}/` }, gettext('Record')),
          make('a', { href: `${table}watch/` }, gettext('Watch')),
          make('a', { href: table }, gettext('Table')),
        ),
      ),
      make(
        'a',
        { href: `${table}qr.svg` },
        make('img', {
          src: `${table}qr.svg`,
          alt: gettext('QR code of table %(table)s', { table: board.table }),
          width: 116,
          height: 116,
        }),
      ),
    );
  }

  /** Update the parts that a snapshot can change.
   * @param {Board} board */
  draw(board) {
    if (board.match !== this.match) return;
    write(this.nodes.title, gettext('Table %(table)s', { table: board.table }));
    if (board.code !== this.code) {
      const links = this.links(board);
      this.found.replaceWith(links);
      [this.found, this.code] = [links, board.code];
    }
    write(
      this.nodes.where,
      [
        gettext(board.rules_name ?? board.rules),
        gettext('to %(length)s', { length: board.length }),
        board.format === 'doubles' ? gettext('doubles') : gettext('singles'),
      ].join(' · '),
    );
    const presence = this.page.seats(board);
    this.nodes.sides.forEach((side, index) => side.show(board, presence[index]));
    const cube = cubeSays(board) ? [] : [gettext('cube in the middle')];
    write(
      this.nodes.facts,
      [
        scoreOf(board.score),
        gettext('game %(n)s', { n: board.game }),
        ...cube,
        ...notesSay(board),
        this.page.end(board),
      ]
        .filter(Boolean).join(' · '),
    );
    const key = dueKey(board);
    if (key !== this.key) this.drawDue(board, key);
    if (this.form) this.form.update();
    else if (this.page.mayRule) this.markBlocked(board);
    this.tick(board, this.page.now());
  }

  /** @param {Board} board @param {string} key */
  drawDue(board, key) {
    const open = this.key !== null;
    this.key = key;
    const held = this.nodes.due.contains(document.activeElement);
    this.part = due(board, () => this.current(), (command) => this.ask(command), this.page.may);
    fill(this.nodes.due, this.part.node);
    if (open && board.proposal) ignoreTapsBriefly([...this.nodes.due.querySelectorAll('button')]);
    if (held) this.nodes.title.focus();
  }

  /** Update the parts that change with time.
   * @param {Board} board @param {number} now */
  tick(board, now) {
    if (board.match !== this.match) return;
    const alone = this.page.aloneSince(board);
    const clocks = timesAt(board, alone ?? now);
    for (const side of this.nodes.sides) side.tick(board, clocks, now);
    write(this.nodes.state, alone === null ? stateSays(board, now) || gettext('running') : aloneSays(alone));
    if (this.part) this.part.update();
    if (this.form) this.form.update();
  }

  /** Current snapshot of the open board, and the time.
   * @returns {Current} */
  current() {
    return { board: must(this.page.board(must(this.match))), now: this.page.now() };
  }

  async ask(/** @type {Command} */ command) {
    const { match } = this;
    const words = await this.page.send(must(match), command);
    if (this.match !== match) return words === '';
    write(this.nodes.answer, words);
    mark(this.nodes.answer, 'hidden', words === '');
    return words === '';
  }

  showRulings(/** @type {Board} */ board) {
    const may = (/** @type {[string, Ruling]} */ [what]) => this.page.may.has(TAKES[what] ?? 'rule');
    const buttons = (/** @type {Record<string, Ruling>} */ some) =>
      make(
        'div.row',
        {},
        Object.entries(some).filter(may).map(([what, { label }]) =>
          make('button.plain', { 'data-what': what, onclick: () => this.openForm(what) }, label)
        ),
      );
    const table = buttons(TABLE_ACTS);
    if (this.page.may.has('hall')) {
      table.append(
        make('button.plain', { onclick: () => this.page.message(board.table) }, gettext('Message')),
      );
    }
    fill(
      this.nodes.rulings,
      make('h3', {}, gettext('Rule')),
      buttons(RULINGS),
      make('h3', {}, gettext('Table and phones')),
      table,
      this.nodes.why,
    );
    this.markBlocked(board);
  }

  /** Disable the rulings that cannot be made now and explain why below; hide those that are not offered.
   * @param {Board} board */
  markBlocked(board) {
    const reasons = new Set();
    for (
      const node of /** @type {NodeListOf<HTMLButtonElement>} */ (this.nodes.rulings.querySelectorAll('[data-what]'))
    ) {
      const act = ACTS[node.dataset.what ?? ''];
      const why = act.blocked(board);
      mark(node, 'hidden', act.offered?.(board) === false);
      node.disabled = why !== '';
      if (why) reasons.add(why);
    }
    write(this.nodes.why, [...reasons].join(' '));
  }

  openForm(/** @type {string} */ what) {
    const { board } = this.current();
    const page = ACTS[what].page?.(board);
    if (page && this.page.may.has('end')) {
      location.assign(`${this.page.director}match/${board.match}/${page}`);
      return;
    }
    this.form = new RulingForm(ACTS[what], board, {
      ask: (command) => this.ask(command),
      done: () => this.closeForm(what),
      current: () => this.current(),
      may: this.page.may,
    });
    fill(this.nodes.rulings, this.form.node);
    find('h3', this.form.node).focus();
    this.form.node.scrollIntoView({ block: 'nearest' });
  }

  closeForm(what = '') {
    this.form = null;
    const board = this.match === null ? undefined : this.page.board(this.match);
    if (!board) return;
    this.showRulings(board);
    const button = this.nodes.rulings.querySelector(`[data-what="${what}"]:not(:disabled)`);
    (button instanceof HTMLElement ? button : this.nodes.title).focus();
  }
}

/** Create the empty nodes of the drawer. */
const nodesOf = () => ({
  title: make('h2', { id: 'drawer-title', tabindex: -1 }),
  state: make('p.drawer-state'),
  where: make('p.drawer-rules'),
  sides: SEATS.map((seat) => new Side(seat)),
  facts: make('p.drawer-facts'),
  due: make('div'),
  answer: make('p.faults', { role: 'alert', hidden: true }),
  rulings: make('div.rulings'),
  why: make('p.why-not'),
});
