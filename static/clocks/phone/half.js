/**
 * One player's half of the page: the pad, the digits, the delay, and the panel where something is to be settled.
 *
 * `show` draws what changes with the state, `tick` what changes with the time. The small half is the other player's
 * card.
 */
import { formatDelay, formatTime, spokenTime } from '../words/times.js';
import { find, make, mark, write } from '../browser/dom.js';
import { askTwice, onPress, rest } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
import { spelt } from '../words/phrases.js';
import { PRESSABLE } from './modes.js';
import { Sheet } from './sheet.js';

const NOTICE_MS = 4000;
const SAME_CLAIM_MS = 1500; // a tap so soon after the first turn has begun was meant to begin it too
const LONG_NAME = 18; // characters: two partners in doubles have their names on two lines
const LONG_WORD = 9; // characters of a name that fit beside the time
const SPOKEN_STEP_MS = 10_000; // how often the spoken time is refreshed until the last minute
const WITHOUT_DELAY = ['setup', 'flag', 'flag-other', 'over'];
const ICONS = { stopped: '❚❚', flag: '⚑', 'flag-other': '⚑', sending: '⇡', sent: '⇡', checking: '…', hold: '⚠\uFE0E' };

const longestWord = (name) => Math.max(1, ...spelt(name).split(/\s/).map((word) => word.length));

export class Half {
  /** `on` holds `press(seat, at)` and `ask(seat, ask, at)`. */
  constructor(seat, { small = false, acts = true, on }) {
    this.seat = seat;
    this.small = small;
    this.on = on;
    this.panelText = null;
    this.icon = make('span.icon', { 'aria-hidden': 'true' });
    this.title = make('span.words');
    this.time = make('span');
    this.tenths = make('span.tenths');
    this.digits = make('p.digits', { 'aria-hidden': 'true' }, this.time, this.tenths);
    this.score = make('p.score');
    this.timer = make('p.unseen', { role: 'timer', 'aria-live': 'off' });
    this.who = make('p.who');
    this.facts = make('p.facts');
    this.delayTime = make('span.time');
    this.level = make('i');
    this.delayName = make('span');
    this.delay = make('div.delay', {}, this.delayName, this.delayTime, make('div.gauge', {}, this.level));
    this.panel = make('div.panel');
    this.buttons = make('div.buttons');
    this.notice = make('p.notice', { hidden: true });
    this.hint = make('p.hint');
    this.aside = make('p.aside');
    this.copy = make('p.copy', { 'aria-hidden': 'true' });
    const title = make('p.title', {}, this.icon, this.title);
    this.pad = acts && !small ? make('button.pad') : null;
    if (this.pad) onPress(this.pad, (at) => on.press(seat, at));
    this.face = make('div.face', {}, title, this.score, this.digits, this.timer, this.who, this.facts, this.delay);
    this.face.append(this.panel, this.notice, this.hint, this.aside, this.copy);
    const kind = small ? 'section.half.small' : 'section.half';
    this.element = make(kind, { 'data-seat': seat }, ...(this.pad ? [this.pad] : []), this.face);
    this.sheet = small ? null : new Sheet(this.element, () => this.#uncover());
  }

  /** Draw what `PhoneState.viewOf` returns: everything but the figures. */
  show({ mode, name, title, hint, news = false, aside, facts, score, panel, delayed, gauge, busy, lost = false }) {
    if (this.toldIn && this.toldIn !== mode) this.#untell();
    const opened = this.mode === 'ready' && mode === 'turn';
    this.mode = mode;
    this.name = spelt(name);
    this.words = title;
    mark(this.element, 'data-mode', mode);
    mark(this.element, 'data-busy', busy ? '' : null);
    mark(this.element, 'data-lost', lost ? '' : null);
    mark(this.element, 'aria-label', this.name);
    write(this.icon, ICONS[mode] || '');
    write(this.title, title);
    write(this.hint, hint);
    mark(this.hint, 'data-news', news ? '' : null);
    write(this.aside, aside);
    write(this.who, name);
    mark(this.who, 'data-long', this.name.length > LONG_NAME ? '' : null);
    mark(this.who, 'data-wide', longestWord(name) > LONG_WORD ? '' : null);
    this.who.style.setProperty('--letters', String(longestWord(name)));
    write(this.facts, facts.join(' · '));
    mark(this.facts, 'data-wide', facts.some((fact) => longestWord(fact) > LONG_WORD) ? '' : null);
    this.#count(score);
    // Translators: a penalty; the seconds until the player may roll stand below it.
    write(this.delayName, mode === 'hold' ? gettext('Roll in') : gettext('Delay'));
    this.delay.hidden = !delayed || WITHOUT_DELAY.includes(mode);
    this.#draw(panel, busy);
    this.#uncover();
    if (opened && this.pad && !this.pad.hidden) rest([this.pad], undefined, SAME_CLAIM_MS);
    this.#drain(gauge);
    this.spokenAt = null;
  }

  /** Let the half be a button where its mode is one and no sheet is in it; after a panel it takes no press at first. */
  #uncover() {
    if (!this.pad) return;
    const covered = !PRESSABLE.includes(this.mode) || (this.sheet.open && !this.sheet.folded);
    const uncovered = this.pad.hidden && !covered && this.shown;
    this.shown = true;
    this.pad.hidden = covered;
    if (uncovered) rest([this.pad]);
  }

  /** Show the score with the names below it: `[[3, 'Ann'], [2, 'Bob']]`. */
  #count(score) {
    const text = JSON.stringify(score);
    if (text === this.scoreText) return;
    this.scoreText = text;
    const [left, right] = score.map(([points, name]) => {
      const below = make('small', {}, name);
      below.style.setProperty('--letters', String(longestWord(name)));
      return make('span.side', {}, make('b', {}, String(points)), below);
    });
    this.score.replaceChildren(left, make('i', { 'aria-hidden': 'true' }, '–'), right);
  }

  #draw(panel, busy) {
    const text = JSON.stringify(panel);
    if (text !== this.panelText) {
      this.panelText = text;
      this.#offer(panel?.buttons ?? []);
      this.panel.replaceChildren(...(panel ? [...this.#parts(panel), this.buttons] : []));
      mark(this.element, 'data-panel', panel ? '' : null);
      mark(this.element, 'data-invites', panel?.invite ? '' : null);
    }
    this.busy = busy;
    this.#enable();
  }

  /** Make these buttons, if they are not those that are there: new ones take no tap at first. */
  #offer(buttons) {
    const text = JSON.stringify(buttons);
    if (text === this.buttonsText) return;
    this.buttonsText = text;
    this.buttons.replaceChildren(...buttons.map((button) => this.#button(button)));
    rest(this.#panelButtons(), () => this.#enable());
  }

  #panelButtons() {
    return [...this.buttons.querySelectorAll('button')];
  }

  #enable() {
    for (const button of this.#panelButtons()) button.disabled = this.busy || 'rests' in button.dataset;
  }

  #parts({ invite = '', rows = [], lines = [], foot = [], card = false }) {
    const parts = [];
    if (invite) parts.push(this.#invitation(invite));
    if (rows.length) {
      parts.push(
        make(
          'dl.rows',
          {},
          ...rows.flatMap(([name, ...value]) => [make('dt', {}, name), make('dd', {}, ...together(value))]),
        ),
      );
    }
    if (lines.length) parts.push(make(card ? 'div.lines.terms' : 'div.lines', {}, ...lines.map(sentence)));
    if (foot.length) parts.push(make('div.lines.foot', {}, ...foot.map(sentence)));
    return parts.length ? [make('div.told', { tabindex: '0' }, ...parts)] : [];
  }

  /** Return the way in for the other player's phone: the QR, the address and the code of the table. */
  #invitation(code) {
    const host = find('match-clock').dataset.host || location.host;
    const alt = gettext('QR code that leads to this table');
    return make(
      'div.invitation',
      {},
      make('img', { src: `/t/${code}/qr.svg`, alt, width: 232, height: 232 }),
      make('p.way', {}, make('span', {}, host), ' ', make('b', {}, `${code.slice(0, 3)} ${code.slice(3)}`)),
    );
  }

  #button({ label, kind, press, again, ask }) {
    const button = make(kind ? `button.${kind}` : 'button', {}, label);
    const act = (at) => this.on.ask(this.seat, ask, at);
    if (press) onPress(button, act);
    else if (again) askTwice(button, again, act);
    else button.addEventListener('click', (event) => act(event.timeStamp));
    return button;
  }

  /** Draw what `PhoneState.figuresOf` returns: times in milliseconds. */
  tick({ reserve, delay, low, other }) {
    const text = formatTime(reserve);
    const [time, tenth] = text.split('.');
    write(this.time, time);
    write(this.tenths, tenth ? `.${tenth}` : '');
    mark(this.digits, 'data-long', time.length);
    mark(this.element, 'data-low', low ? '' : null);
    write(this.delayTime, formatDelay(delay));
    write(this.copy, other === null ? '' : formatTime(other));
    this.#say(reserve);
  }

  #say(reserve) {
    const step = reserve > 60_000 ? SPOKEN_STEP_MS : 1000;
    if (this.spokenAt !== null && Math.abs(this.spokenAt - reserve) < step) return;
    this.spokenAt = reserve;
    const time = spokenTime(reserve);
    write(this.timer, gettext('%(name)s: %(time)s', { name: this.name, time }));
    const values = { name: this.name, state: this.words, time };
    if (this.pad) mark(this.pad, 'aria-label', gettext('%(name)s, %(state)s, %(time)s', values));
  }

  /** Let the delay's bar run out by itself in `left` of `full` milliseconds, or stand still. */
  #drain({ left, full, running }) {
    if (this.draining) this.draining.cancel();
    this.draining = null;
    const fraction = full ? Math.min(1, left / full) : 0;
    this.level.style.transform = `scaleX(${running ? 0 : fraction})`;
    if (!running || !left || !this.level.animate) return;
    this.draining = this.level.animate([{ transform: `scaleX(${fraction})` }, { transform: 'scaleX(0)' }], left);
  }

  /** Say something to this player for a few seconds; `mode` names the only mode in which it is true. */
  tell(text, mode = null, ms = NOTICE_MS) {
    clearTimeout(this.noticeTimer);
    this.toldIn = mode;
    this.notice.hidden = false;
    write(this.notice, text);
    mark(this.element, 'data-told', '');
    this.noticeTimer = setTimeout(() => this.#untell(), ms);
  }

  #untell() {
    clearTimeout(this.noticeTimer);
    this.toldIn = null;
    this.notice.hidden = true;
    mark(this.element, 'data-told', null);
  }
}

/** Return parts of which each stays in one line: `14:00 · 3 presses`. */
const together = (parts) =>
  parts.length > 1 ? parts.flatMap((part, at) => [at ? ' · ' : null, make('span.together', {}, part)]) : parts;

/** Return a line in which neither a score nor a figure with the word before it is broken. */
function sentence(line) {
  const parts = line.split(/([^\s\u200B]*\d+–\d+[^\s\u200B]*|[^\s\u200B]+ \d+:\d[^\s\u200B]*)/);
  return make('p', {}, ...parts.map((part, index) => (index % 2 ? make('span.together', {}, part) : part)));
}
