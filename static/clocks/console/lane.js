/**
 * Draws the lane of boards that need the director: one line each, the most serious first, then the oldest.
 *
 * While the pointer or the focus is inside, nothing moves: what is settled stays as a faded line, what is new comes at
 * the end. A button must not move away from under a finger.
 *
 * By keyboard: up and down from line to line, left and right along a line; some buttons have a key of their own.
 * Where the button that was pressed goes away, the focus comes to rest on a line, never on another button: a second
 * press must not settle something else.
 */

import { fill, make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { askTwice, rest } from '../browser/events.js';
import { byLevelAndAge, LEVELS } from './alerts.js';
import { _ } from '../words/i18n.js';
import { elapsed } from '../words/times.js';

const SHAPES = { flag: 'flag', 1: 'call', 2: 'call', 3: 'info' };
const CONFIRM_MS = 6000;
const LEVEL_WORDS = { 1: _('Urgent'), 2: _('Soon'), 3: _('Good to know') };

export class Lane {
  /**
   * `describe(alert)` gives `{head, players, score, what, detail, open, buttons: [{label, act, main, confirm, key,
   * proposal}]}`; `leave()` takes the focus when it moves below the last line.
   */
  constructor(node, describe, leave) {
    this.list = node.querySelector('[data-lane]');
    this.count = node.querySelector('[data-count]');
    this.quiet = node.querySelector('[data-quiet]');
    this.loading = node.querySelector('[data-loading]');
    this.describe = describe;
    this.leave = leave;
    this.lines = new Map();
    this.pointer = false;
    this.list.addEventListener('keydown', (event) => this.move(event));
    this.list.addEventListener('pointerenter', () => (this.pointer = true));
    this.list.addEventListener('pointerleave', (event) => {
      this.pointer = false;
      if (event.pointerType !== 'mouse') return; // a finger leaves at every tap; the next drawing puts things in place
      this.tidy();
    });
    this.list.addEventListener('focusout', () => requestAnimationFrame(() => this.tidy()));
  }

  get frozen() {
    return this.pointer || this.list.contains(document.activeElement);
  }

  /** Show these alerts (already gathered). */
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

  /** Every board is known: where nothing needs anybody, that may be said. */
  loaded() {
    this.loading?.remove();
    this.loading = null;
  }

  add(alert) {
    const line = new Line(alert, this.describe);
    this.lines.set(alert.key, line);
    this.list.append(line.node);
  }

  /** Fade a settled line; the focus moves on to the next one that waits. */
  finish(line) {
    const held = line.node.contains(document.activeElement);
    line.done();
    if (!held) return;
    const next = nextOpen(line.node, 'nextElementSibling') ?? nextOpen(line.node, 'previousElementSibling');
    if (next) next.focus();
    else this.leave();
  }

  /** Focus the first line, or the last (`end`); false when there is none. */
  enter(end = false) {
    const lines = [...this.list.querySelectorAll('.line:not([data-done])')];
    const line = end ? lines.at(-1) : lines[0];
    if (line) firstOf(line).focus();
    return line !== undefined;
  }

  move(event) {
    const line = event.target.closest('.line');
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
    const stops = [line, ...line.querySelectorAll('button:enabled')];
    const at = stops.indexOf(event.target);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = nextOpen(line, event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling');
      if (to) firstOf(to).focus();
      else if (event.key === 'ArrowDown') this.leave();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      stops[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      this.lines.get(line.dataset.key).open();
    } else {
      const { acts, finished } = this.lines.get(line.dataset.key);
      const meant = finished ? undefined : acts.find(({ key }) => key === event.key);
      if (!meant) return;
      meant.act();
    }
    event.preventDefault();
  }

  remove(key) {
    this.lines.get(key).node.remove();
    this.lines.delete(key);
  }

  sort() {
    [...this.lines.values()].sort((a, b) => byLevelAndAge(a.alert, b.alert)).forEach(({ node }, index) => {
      if (this.list.children[index] !== node) this.list.insertBefore(node, this.list.children[index] ?? null);
    });
  }

  /** Put everything in its place as soon as nobody is pointing at it. */
  tidy() {
    if (!this.frozen && this.alerts) this.show(this.alerts);
  }

  /** Update the ages. */
  tick(now) {
    for (const line of this.lines.values()) line.tick(now);
  }
}

/** Return what of a line gets the focus: its first button that takes a press, or the line. */
const firstOf = (line) => line.querySelector('button:enabled') ?? line;

/** Return the nearest line on one side of `line` that is not settled, or undefined. */
function nextOpen(line, side) {
  for (let node = line[side]; node; node = node[side]) if (!('done' in node.dataset)) return node;
  return undefined;
}

class Line {
  constructor(alert, describe) {
    this.describe = describe;
    this.what = make('span.line-what');
    this.coming = make('span.line-coming');
    this.age = make('span.line-age');
    this.buttons = make('span.line-buttons');
    this.table = make('b.line-table');
    this.names = make('span');
    this.score = make('span.line-score');
    this.players = make('span.line-players', {}, this.names, this.score);
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
        icon(SHAPES[alert.kind] ?? SHAPES[alert.level]),
        make('span.unseen', {}, LEVEL_WORDS[alert.level]),
      ),
      this.table,
      this.players,
      this.what,
      this.age,
      this.buttons,
    );
    this.draw(alert);
  }

  draw(alert) {
    this.alert = alert;
    const { head, players, score = '', what, detail, coming = '', buttons, open } = this.describe(alert);
    this.open = open;
    write(this.table, head);
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
      rest(nodes.filter((_node, index) => buttons[index].proposal !== undefined));
    }
    if (held && !this.buttons.contains(document.activeElement)) this.node.focus();
    this.offered = offered;
    this.finished = false;
    mark(this.node, 'data-done', false);
  }

  /** Make a button; one that ends a match asks once more in its own place before it acts. */
  button({ label, main, confirm, key }, index) {
    const node = make(main ? 'button.primary' : 'button.plain', { 'aria-keyshortcuts': key }, label);
    const act = () => this.acts[index]?.act?.();
    // Safari does not focus a tapped button: the lane would move, and the button keep asking.
    node.addEventListener('click', () => node.focus());
    if (confirm) askTwice(node, confirm, act, CONFIRM_MS);
    else node.addEventListener('click', act);
    return node;
  }

  /** Fade: it is settled, but somebody is pointing at the lane. */
  done() {
    if (this.finished) return;
    this.finished = true;
    mark(this.node, 'data-done', true);
    fill(this.buttons, make('span.line-settled', {}, _('settled')));
  }

  tick(now) {
    if (!this.finished) write(this.age, _('%(age)s ago', { age: elapsed(now - this.alert.since) }));
  }
}
