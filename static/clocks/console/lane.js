/**
 * Draws the lane of boards that need the director: one line each, the gravest first, then the oldest.
 *
 * While the pointer or the focus is inside, nothing changes place: what is settled stays as a faded line, what is new
 * comes at the end. A button must not move away from under a finger.
 *
 * By keyboard: up and down from line to line, left and right along a line. Where the button that was pressed goes away,
 * the focus comes to rest on a line, never on another button: a second press must not settle something else.
 */

import { fill, make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { byLevelAndAge } from './alerts.js';
import { _ } from '../words/i18n.js';
import { elapsed } from '../words/times.js';
import { scoreOf } from '../words/phrases.js';

const LEVELS = { 1: 'urgent', 2: 'soon', 3: 'know' };
const SHAPES = { flag: 'flag', 1: 'call', 2: 'call', 3: 'info' };
const LEVEL_WORDS = () => ({ 1: _('Urgent'), 2: _('Soon'), 3: _('Good to know') });

export class Lane {
  /**
   * `describe(need)` gives `{what, detail, open, buttons: [{label, act, main, confirm}]}`; `leave()` takes the focus when it
   * moves on below the last line.
   */
  constructor(node, describe, leave) {
    this.list = node.querySelector('[data-lane]');
    this.count = node.querySelector('[data-count]');
    this.quiet = node.querySelector('[data-quiet]');
    this.describe = describe;
    this.leave = leave;
    this.lines = new Map();
    this.pointer = false;
    this.list.addEventListener('keydown', (event) => this.move(event));
    this.list.addEventListener('pointerenter', () => (this.pointer = true));
    this.list.addEventListener('pointerleave', (event) => {
      this.pointer = false;
      if (event.pointerType !== 'mouse') return; // a finger leaves at every tap; the next drawing puts things in place
      this.settle();
    });
    this.list.addEventListener('focusout', () => requestAnimationFrame(() => this.settle()));
  }

  get frozen() {
    return this.pointer || this.list.contains(document.activeElement);
  }

  /** Show these alerts (already gathered). */
  show(needs) {
    this.needs = needs;
    const wanted = new Set(needs.map((need) => need.key));
    for (const [key, line] of this.lines) {
      if (wanted.has(key)) continue;
      if (this.frozen) this.finish(line);
      else this.remove(key);
    }
    for (const need of needs) {
      const line = this.lines.get(need.key);
      if (line) line.draw(need);
      else this.add(need);
    }
    if (!this.frozen) this.sort();
    const number = needs.reduce((sum, need) => sum + (need.group ? need.group.length : 1), 0);
    write(this.count, number ? String(number) : '');
    mark(this.quiet, 'hidden', needs.length > 0);
    mark(this.list, 'hidden', this.lines.size === 0);
    return number;
  }

  add(need) {
    const line = new Line(need, this.describe);
    this.lines.set(need.key, line);
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
    (line?.querySelector('button') ?? line)?.focus();
    return line !== undefined;
  }

  move(event) {
    const line = event.target.closest('.line');
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
    const stops = [line, ...line.querySelectorAll('button')];
    const at = stops.indexOf(event.target);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = nextOpen(line, event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling');
      if (to) (to.querySelector('button') ?? to).focus();
      else if (event.key === 'ArrowDown') this.leave();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      stops[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      this.lines.get(line.dataset.key).open();
    } else {
      return;
    }
    event.preventDefault();
  }

  remove(key) {
    this.lines.get(key).node.remove();
    this.lines.delete(key);
  }

  sort() {
    [...this.lines.values()].sort((a, b) => byLevelAndAge(a.need, b.need)).forEach(({ node }, index) => {
      if (this.list.children[index] !== node) this.list.insertBefore(node, this.list.children[index] ?? null);
    });
  }

  /** Put everything in its place as soon as nobody is pointing at it. */
  settle() {
    if (!this.frozen && this.needs) this.show(this.needs);
  }

  /** Count the ages on. */
  tick(now) {
    for (const line of this.lines.values()) line.tick(now);
  }
}

/** Return the nearest line on one side of `line` that is not settled, or undefined. */
function nextOpen(line, side) {
  for (let node = line[side]; node; node = node[side]) if (!('done' in node.dataset)) return node;
  return undefined;
}

class Line {
  constructor(need, describe) {
    this.describe = describe;
    this.what = make('span.line-what');
    this.coming = make('span.line-coming');
    this.age = make('span.line-age');
    this.buttons = make('span.line-buttons');
    this.table = make('b.line-table');
    this.players = make('span.line-players');
    this.node = make(
      'li.line',
      {
        'data-level': LEVELS[need.level],
        'data-kind': need.kind,
        'data-match': need.board?.match,
        'data-key': need.key,
        tabindex: -1,
      },
      make(
        'span.mark',
        {},
        icon(SHAPES[need.kind] ?? SHAPES[need.level]),
        make('span.unseen', {}, LEVEL_WORDS()[need.level]),
      ),
      this.table,
      this.players,
      this.what,
      this.age,
      this.buttons,
    );
    this.draw(need);
  }

  draw(need) {
    this.need = need;
    const { head, players, what, detail, coming = '', buttons, open } = this.describe(need);
    this.open = open;
    write(this.table, head ?? _('Table %(table)s', { table: need.board?.table }));
    write(this.players, players ?? `${need.board.names.join(' – ')}  ${scoreOf(need.board.score)}`);
    const said = `${what}\n${detail}`;
    if (said !== this.said) fill(this.what, make('b', {}, what), detail ? ` · ${detail}` : '', this.coming);
    write(this.coming, coming);
    mark(this.node, 'data-kind', need.kind);
    mark(this.node, 'data-level', LEVELS[need.level]);
    mark(this.node, 'data-taken', coming !== '');
    this.said = said;
    const labels = buttons.map((button) => button.label).join('\n');
    this.acts = buttons;
    const held = this.buttons.contains(document.activeElement);
    if (labels !== this.labels || this.finished) {
      fill(
        this.buttons,
        buttons.map((button, index) => this.button(button, index)),
      );
    }
    if (held && !this.buttons.contains(document.activeElement)) this.node.focus();
    this.labels = labels;
    this.finished = false;
    mark(this.node, 'data-done', false);
  }

  /** Make a button; one that ends a match asks once more in its own place before it acts. */
  button({ label, main, confirm }, index) {
    const node = make(main ? 'button.primary' : 'button.plain', {}, label);
    let armed = null;
    const disarm = () => {
      armed = clearTimeout(armed);
      write(node, label);
      node.classList.remove('armed');
    };
    node.addEventListener('blur', () => armed && disarm());
    node.addEventListener('click', () => {
      const act = this.acts[index]?.act;
      if (!confirm || armed) {
        if (armed) disarm();
        act?.();
        return;
      }
      armed = setTimeout(disarm, 6_000);
      write(node, confirm);
      node.classList.add('armed');
    });
    return node;
  }

  /** Fade: it is settled, but somebody points at the lane. */
  done() {
    if (this.finished) return;
    this.finished = true;
    mark(this.node, 'data-done', true);
    fill(this.buttons, make('span.line-settled', {}, _('settled')));
  }

  tick(now) {
    if (!this.finished) write(this.age, _('%(age)s ago', { age: elapsed(now - this.need.since) }));
  }
}
