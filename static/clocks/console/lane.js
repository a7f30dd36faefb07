/**
 * Draws the lane of boards that need the director: one line per alert, sorted by urgency, then oldest first.
 *
 * While the pointer or the focus is inside, nothing moves: settled lines fade in place and new lines go to the end. A
 * button must not move away from under a finger.
 *
 * By keyboard: up and down from line to line, left and right along a line; some buttons have a shortcut.
 * If a pressed button disappears, the focus moves to a line or leaves the lane, but never to another button: a second
 * press must not settle something else.
 */

import { fill, find, make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { askTwice, ignoreTapsBriefly } from '../browser/events.js';
import { byLevelAndAge, LEVELS } from './alerts.js';
import { gettext } from '../words/i18n.js';
import { must } from '../match/clocks.js';
import { elapsed } from '../words/times.js';
/** @import { Alert, AlertGroup, Describe, LaneButton } from './console.d.ts' */

const SHAPES = /** @type {const} */ ({ flag: 'flag', 1: 'call', 2: 'call', 3: 'info' });
const CONFIRM_MS = 6000;
const LEVEL_WORDS = { 1: gettext('Urgent'), 2: gettext('Soon'), 3: gettext('Good to know') };

export class Lane {
  /**
   * `describe(alert)` returns the contents of a line; `leave()` takes the focus when it moves below the last line.
   * @param {HTMLElement} node @param {Describe} describe @param {() => void} leave
   */
  constructor(node, describe, leave) {
    this.list = find('[data-lane]', node);
    this.count = find('[data-count]', node);
    this.quiet = find('[data-quiet]', node);
    this.loading = /** @type {HTMLElement | null} */ (find('[data-loading]', node));
    this.describe = describe;
    this.leave = leave;
    this.lines = /** @type {Map<string, Line>} */ (new Map());
    this.alerts = /** @type {(Alert | AlertGroup)[] | null} */ (null);
    this.pointer = false;
    this.list.addEventListener('keydown', (event) => this.move(event));
    this.list.addEventListener('pointerenter', () => (this.pointer = true));
    this.list.addEventListener('pointerleave', (event) => {
      this.pointer = false;
      if (event.pointerType !== 'mouse') return; // a finger leaves after every tap; the next `show` sorts the lines
      this.tidy();
    });
    this.list.addEventListener('focusout', () => requestAnimationFrame(() => this.tidy()));
    addEventListener('pointerdown', ({ target }) => this.release(target));
  }

  /** Drop the lane's focus when something outside it is tapped: Safari does not.
   * @param {EventTarget | null} tapped */
  release(tapped) {
    const { activeElement } = document;
    const held = activeElement instanceof HTMLElement && this.list.contains(activeElement);
    if (held && !this.list.contains(/** @type {Node} */ (tapped))) activeElement.blur();
  }

  get frozen() {
    return this.pointer || this.list.contains(document.activeElement);
  }

  /** Show these alerts, already grouped, and return their number.
   * @param {(Alert | AlertGroup)[]} alerts */
  show(alerts) {
    this.alerts = alerts;
    const wanted = new Set(alerts.map((alert) => alert.key));
    for (const [key, line] of this.lines) {
      if (wanted.has(key)) continue;
      if (this.frozen) this.finish(line);
      else this.remove(key);
    }
    for (const alert of alerts) {
      const line = this.lines.get(alert.key);
      if (line) line.draw(alert);
      else this.add(alert);
    }
    if (!this.frozen) this.sort();
    const number = alerts.reduce((sum, alert) => sum + (alert.group ? alert.group.length : 1), 0);
    write(this.count, number ? String(number) : '');
    mark(this.quiet, 'hidden', alerts.length > 0 || this.loading !== null);
    mark(this.list, 'hidden', this.lines.size === 0);
    return number;
  }

  /** Remove the loading note: all boards are known, so an empty lane means that nothing needs the director. */
  loaded() {
    this.loading?.remove();
    this.loading = null;
  }

  add(/** @type {Alert | AlertGroup} */ alert) {
    const line = new Line(alert, this.describe);
    this.lines.set(alert.key, line);
    this.list.append(line.node);
  }

  /** Fade a settled line; move its focus to the next unsettled line, else the previous one, else out of the lane.
   * @param {Line} line */
  finish(line) {
    const held = line.node.contains(document.activeElement);
    line.done();
    if (!held) return;
    const next = nextOpen(line.node, 'nextElementSibling') ?? nextOpen(line.node, 'previousElementSibling');
    if (next) next.focus();
    else this.leave();
  }

  /** Focus the first unsettled line, or the last (`end`); false when there is none. */
  enter(end = false) {
    /** @type {NodeListOf<HTMLElement>} */
    const waiting = this.list.querySelectorAll('.line:not([data-done])');
    const lines = [...waiting];
    const line = end ? lines.at(-1) : lines[0];
    if (line) firstOf(line).focus();
    return line !== undefined;
  }

  move(/** @type {KeyboardEvent} */ event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const line = /** @type {HTMLElement | null} */ (target.closest('.line'));
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = line.querySelectorAll('button:enabled');
    const stops = [line, ...buttons];
    const at = stops.indexOf(target);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = nextOpen(line, event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling');
      if (to) firstOf(to).focus();
      else if (event.key === 'ArrowDown') this.leave();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      stops[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      this.lineAt(line).open();
    } else {
      const { acts, finished } = this.lineAt(line);
      const meant = finished ? undefined : acts.find(({ key }) => key === event.key);
      if (!meant) return;
      meant.act();
    }
    event.preventDefault();
  }

  /** @param {HTMLElement} node */
  lineAt(node) {
    return must(this.lines.get(node.dataset.key ?? ''));
  }

  remove(/** @type {string} */ key) {
    this.lines.get(key)?.node.remove();
    this.lines.delete(key);
  }

  sort() {
    [...this.lines.values()].sort((a, b) => byLevelAndAge(a.alert, b.alert)).forEach(({ node }, index) => {
      if (this.list.children[index] !== node) this.list.insertBefore(node, this.list.children[index] ?? null);
    });
  }

  /** Update and sort the lines, unless the pointer or the focus is inside. */
  tidy() {
    if (!this.frozen && this.alerts) this.show(this.alerts);
  }

  /** Update the ages.
   * @param {number} now */
  tick(now) {
    for (const line of this.lines.values()) line.tick(now);
  }
}

/** Focus target of a line: its first enabled button, or the line.
 * @param {HTMLElement} line */
const firstOf = (line) => find('button:enabled', line) ?? line;

/** Return the nearest line on one side of `line` that is not settled, or undefined.
 * @param {HTMLElement} line @param {'nextElementSibling' | 'previousElementSibling'} side */
function nextOpen(line, side) {
  for (let node = line[side]; node instanceof HTMLElement; node = node[side]) {
    if (!('done' in node.dataset)) return node;
  }
  return undefined;
}

class Line {
  /** @param {Alert | AlertGroup} alert @param {Describe} describe */
  constructor(alert, describe) {
    this.alert = alert;
    this.acts = /** @type {LaneButton[]} */ ([]);
    this.open = () => {};
    this.describe = describe;
    this.what = make('span.line-what');
    this.coming = make('span.line-coming');
    this.age = make('span.line-age');
    this.buttons = make('span.line-buttons');
    this.table = make('b.line-table');
    this.event = make('span.line-event');
    this.names = make('span');
    this.score = make('span.line-score');
    this.players = make('span.line-players', {}, this.event, this.names, this.score);
    this.node = make(
      'li.line',
      {
        'data-level': LEVELS[alert.level],
        'data-kind': alert.kind,
        'data-match': alert.board?.match,
        'data-key': alert.key,
        tabindex: -1,
      },
      make(
        'span.mark',
        {},
        icon(SHAPES[alert.kind === 'flag' ? 'flag' : alert.level]),
        make('span.unseen', {}, LEVEL_WORDS[alert.level]),
      ),
      this.table,
      this.players,
      this.what,
      this.age,
      this.buttons,
    );
    this.said = '';
    this.offered = '';
    this.finished = false;
    this.draw(alert);
  }

  draw(/** @type {Alert | AlertGroup} */ alert) {
    this.alert = alert;
    const { head, event = '', players, score = '', what, detail, coming = '', buttons, open } = this.describe(alert);
    this.open = open;
    write(this.table, head);
    write(this.event, event);
    write(this.names, players);
    write(this.score, score);
    const said = `${what}\n${detail}`;
    if (said !== this.said) fill(this.what, make('b', {}, what), detail ? ` · ${detail}` : '', this.coming);
    write(this.coming, coming);
    mark(this.node, 'data-kind', alert.kind);
    mark(this.node, 'data-level', LEVELS[alert.level]);
    mark(this.node, 'data-taken', coming !== '');
    this.said = said;
    const offered = JSON.stringify(buttons.map(({ label, proposal }) => [label, proposal]));
    this.acts = buttons;
    const held = this.buttons.contains(document.activeElement);
    if (offered !== this.offered || this.finished) {
      const nodes = buttons.map((button, index) => this.button(button, index));
      fill(this.buttons, nodes);
      const instead = this.offered !== ''; // of others, which a second tap may be meant for
      ignoreTapsBriefly(nodes.filter((_node, index) => instead || buttons[index].proposal !== undefined));
    }
    if (held && !this.buttons.contains(document.activeElement)) this.node.focus();
    this.offered = offered;
    this.finished = false;
    mark(this.node, 'data-done', false);
  }

  /** Make a button; with `confirm` it needs a second tap.
   * @param {LaneButton} button @param {number} index */
  button({ label, main, confirm, key }, index) {
    const node = make(main ? 'button.primary' : 'button.plain', { 'aria-keyshortcuts': key }, label);
    const act = () => this.acts[index]?.act?.();
    // Safari does not focus a tapped button: the lane would move, and the button would keep asking.
    node.addEventListener('click', () => node.focus());
    if (confirm) askTwice(node, confirm, act, CONFIRM_MS);
    else node.addEventListener('click', act);
    return node;
  }

  /** Fade: the line is settled, but the pointer or the focus is in the lane. */
  done() {
    if (this.finished) return;
    this.finished = true;
    mark(this.node, 'data-done', true);
    fill(this.buttons, make('span.line-settled', {}, gettext('settled')));
  }

  tick(/** @type {number} */ now) {
    if (!this.finished) write(this.age, gettext('%(age)s ago', { age: elapsed(now - this.alert.since) }));
  }
}
