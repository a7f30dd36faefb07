/**
 * One player's half of the page: the pad, the digits, the delay, and the panel.
 *
 * `show` draws the state, `tick` the figures. The small half is the other player's card.
 */
import { formatDelay, formatTime, spokenTime } from '../words/times.js';
import { find, make, mark, write } from '../browser/dom.js';
import { askTwice, ignoreTapsBriefly, onPress } from '../browser/events.js';
import { SEATS } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { spelt } from '../words/phrases.js';
import { PRESSABLE } from './modes.js';
import { paragraph, Sheet } from './sheet.js';
/** @import { Command, Seat } from '../match/protocol.d.ts' */
/** @import { Panel, PanelButton } from './panels.js' */
/** @import { Mode } from './phone.d.ts' */
/** @import { Figures, View } from './state.js' */

/**
 * @typedef {object} HalfCalls
 * @property {(seat: Seat, at: number) => void} press
 * @property {(seat: Seat, first: Seat, at: number) => void} choose who moves first
 * @property {(seat: Seat, ask: Command, at: number) => void} ask
 */

const NOTICE_MS = 4000;
const LANDING_MS = 160;
const SAME_CLAIM_MS = 1500; // a tap this soon after a game began was meant to begin it
const LONG_NAME = 18; // most characters of a name that takes one line; partners in doubles take two
const LONG_WORD = 9; // most characters of a word that fits beside the time
const SPOKEN_STEP_MS = 10_000; // how often the spoken time is refreshed until the last minute
/** @type {Mode[]} */
const WITHOUT_DELAY = ['setup', 'flag', 'flag-other', 'over'];
/** @type {Partial<Record<Mode, string>>} */
const ICONS = { stopped: '❚❚', flag: '⚑', 'flag-other': '⚑', sending: '⇡', sent: '⇡', checking: '…', hold: '⚠\uFE0E' };

const longestWord = (/** @type {string} */ name) => Math.max(1, ...spelt(name).split(/\s/).map((word) => word.length));

export class Half {
  /** `small`: the card of a player at another phone; without `on`, the half takes no taps.
   * @param {Seat} seat @param {{ small?: boolean, on?: HalfCalls | null }} [parts] */
  constructor(seat, { small = false, on = null } = {}) {
    this.seat = seat;
    this.small = small;
    this.on = on;
    this.mode = /** @type {Mode | null} */ (null);
    this.name = '';
    this.words = ''; // the title as it is shown
    this.busy = false;
    this.shown = false; // true after the first `show`
    this.spends = /** @type {boolean | null} */ (null);
    this.panelText = this.buttonsText = this.scoreText = /** @type {string | null} */ (null);
    this.spokenAt = /** @type {number | null} */ (null);
    this.draining = /** @type {Animation | null} */ (null);
    this.toldIn = /** @type {Mode | null} */ (null);
    this.noticeTimer = 0;
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
    this.buttons = make('div.row.buttons');
    this.notice = make('p.notice', { hidden: true });
    this.hint = make('p.hint');
    this.aside = make('p.aside');
    this.copy = make('p.copy', { 'aria-hidden': 'true' });
    const title = make('p.title', {}, this.icon, this.title);
    this.pad = on && !small ? make('button.pad') : null;
    if (this.pad) {
      onPress(this.pad, (at) => {
        on?.press(seat, at);
        this.#land();
      });
    }
    this.figures = [title, this.digits, this.timer, this.who, this.delay, this.notice];
    this.face = make(
      'div.face',
      {},
      this.figures,
      this.score,
      this.facts,
      this.panel,
      this.hint,
      this.aside,
      this.copy,
    );
    this.brief = make('div.face.brief');
    const kind = small ? 'section.half.small' : 'section.half';
    this.element = make(kind, { 'data-seat': seat }, ...(this.pad ? [this.pad] : []), this.face);
    this.sheet = small ? null : new Sheet(this.element, () => this.#uncover());
  }

  /** Draw a view from `PhoneState.viewOf`.
   * @param {View} view */
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
    this.#count(score, mode === 'ready' && Boolean(this.pad));
    // Translators: a penalty; the seconds until the player may roll stand below it.
    write(this.delayName, mode === 'hold' ? gettext('Roll in') : gettext('Delay'));
    this.delay.hidden = !delayed || WITHOUT_DELAY.includes(mode);
    this.#draw(panel, busy);
    this.#uncover();
    if (opened && this.pad && !this.pad.hidden) ignoreTapsBriefly([this.pad], undefined, SAME_CLAIM_MS);
    this.#drain(gauge);
    this.spokenAt = null;
  }

  /** Enable the pad when the mode allows it and no sheet covers it; when it reappears, it ignores taps at first. */
  #uncover() {
    const below = Boolean(this.sheet?.open && !this.sheet.folded);
    this.#abridge(below);
    if (!this.pad) return;
    const covered = !this.mode || !PRESSABLE.includes(this.mode) || below;
    const uncovered = this.pad.hidden && !covered && this.shown;
    this.shown = true;
    this.pad.hidden = covered;
    if (uncovered) ignoreTapsBriefly([this.pad]);
  }

  /** Move the figures to a brief face above an open sheet, or back. Nothing else moves when the sheet closes.
   * @param {boolean} below true while an unfolded sheet is open */
  #abridge(below) {
    if (below === this.element.contains(this.brief)) return;
    (below ? this.brief : this.face).prepend(...this.figures);
    if (below) this.element.prepend(this.brief);
    else this.brief.remove();
  }

  /** Show the score with the names below it: `[[3, 'Ann'], [2, 'Bob']]`. `asks`: each side is a button that
   * answers who moves first.
   * @param {[number, string][]} score @param {boolean} asks */
  #count(score, asks) {
    const text = JSON.stringify([score, asks]);
    if (text === this.scoreText) return;
    this.scoreText = text;
    const sides = score.map(([points, name], index) => {
      const below = make('small', {}, name);
      below.style.setProperty('--letters', String(longestWord(name)));
      const parts = [make('b', {}, String(points)), below];
      return asks ? this.#answer(SEATS[index], name, parts) : make('span.side', {}, ...parts);
    });
    this.score.replaceChildren(sides[0], make('i', { 'aria-hidden': 'true' }, '–'), sides[1]);
    if (asks && this.shown) ignoreTapsBriefly([...this.score.querySelectorAll('button')]);
  }

  /** Make one side of the score the button for “this player moves first”.
   * @param {Seat} first @param {string} name @param {HTMLElement[]} parts */
  #answer(first, name, parts) {
    const label = gettext('%(name)s moves first', { name: spelt(name) });
    const answer = make('button.side', { 'aria-label': label, 'data-first': first }, ...parts);
    onPress(answer, (at) => {
      this.on?.choose(this.seat, first, at);
      this.#land();
    });
    return answer;
  }

  /** @param {Panel | null} panel @param {boolean} busy */
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

  /** Replace the buttons, unless they are the same; new ones ignore taps at first.
   * @param {PanelButton[]} buttons */
  #offer(buttons) {
    const text = JSON.stringify(buttons);
    if (text === this.buttonsText) return;
    this.buttonsText = text;
    this.buttons.replaceChildren(...buttons.map((button) => this.#button(button)));
    ignoreTapsBriefly(this.#panelButtons(), () => this.#enable());
  }

  #panelButtons() {
    return [...this.buttons.querySelectorAll('button')];
  }

  #enable() {
    for (const button of this.#panelButtons()) button.disabled = this.busy || 'rests' in button.dataset;
  }

  /** @param {Panel} panel */
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
    if (lines.length) parts.push(make(card ? 'div.lines.terms' : 'div.lines', {}, ...lines.map(paragraph)));
    if (foot.length) parts.push(make('div.lines.foot', {}, ...foot.map(paragraph)));
    return parts.length ? [make('div.told', { tabindex: '0' }, ...parts)] : [];
  }

  /** Invitation for the other player's phone: QR code, address and table code.
   * @param {string} code */
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

  /** @param {PanelButton} parts */
  #button({ label, kind, press, again, ask }) {
    const button = make(/** @type {'button'} */ (kind ? `button.${kind}` : 'button'), {}, label);
    const act = (/** @type {number} */ at) => this.on?.ask(this.seat, ask, at);
    if (press) onPress(button, act);
    else if (again) askTwice(button, again, act);
    else button.addEventListener('click', (event) => act(event.timeStamp));
    return button;
  }

  /** Flash the half at once, to confirm a press. */
  #land() {
    const shrinks = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { scale: '0.98' };
    this.element.animate?.([{ opacity: 0.6, ...shrinks }, {}], LANDING_MS);
  }

  /** Draw the times from `PhoneState.figuresOf`, in milliseconds. True if the delay has just been used up.
   * @param {Figures} figures */
  tick({ reserve, delay, low, other, spends }) {
    const text = formatTime(reserve);
    const [time, tenth] = text.split('.');
    write(this.time, time);
    write(this.tenths, tenth ? `.${tenth}` : '');
    mark(this.digits, 'data-long', time.length);
    mark(this.element, 'data-low', low ? '' : null);
    write(this.delayTime, formatDelay(delay ?? 0));
    write(this.copy, other === null ? '' : formatTime(other));
    this.#say(reserve);
    const turned = spends && this.spends === false;
    this.spends = spends;
    mark(this.element, 'data-spends', spends);
    return turned;
  }

  /** @param {number | null} reserve */
  #say(reserve) {
    const step = reserve !== null && reserve > 60_000 ? SPOKEN_STEP_MS : 1000;
    if (reserve !== null && this.spokenAt !== null && Math.abs(this.spokenAt - reserve) < step) return;
    this.spokenAt = reserve;
    const time = spokenTime(reserve);
    write(this.timer, gettext('%(name)s: %(time)s', { name: this.name, time }));
    const values = { name: this.name, state: this.words, time };
    if (this.pad) mark(this.pad, 'aria-label', gettext('%(name)s, %(state)s, %(time)s', values));
  }

  /** Animate the delay's bar from `left` of `full` milliseconds to empty or, if not `running`, hold it.
   * @param {View['gauge']} gauge */
  #drain({ left, full, running }) {
    if (this.draining) this.draining.cancel();
    this.draining = null;
    const fraction = full ? Math.min(1, (left ?? 0) / full) : 0;
    this.level.style.transform = `scaleX(${running ? 0 : fraction})`;
    if (!running || !left || !this.level.animate) return;
    this.draining = this.level.animate([{ transform: `scaleX(${fraction})` }, { transform: 'scaleX(0)' }], left);
  }

  /** Show a notice to this player for `ms`; if `mode` is given, only until the half leaves it.
   * @param {string} text @param {Mode | null} [mode] @param {number} [ms] */
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

/** Separate parts by ` · `, with no line break within a part: `14:00 · 3 presses`.
 * @param {string[]} parts */
const together = (parts) =>
  parts.length > 1 ? parts.flatMap((part, at) => [at ? ' · ' : null, make('span.together', {}, part)]) : parts;
