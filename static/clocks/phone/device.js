/** Preferences of this phone: sound, vibration, screen on, how the players sit. Their sheet is in about.js. */
import { Awake } from '../browser/awake.js';
import { button, find, make, mark } from '../browser/dom.js';
import { Feedback } from '../browser/feedback.js';
import { onDevice, Prefs } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

/** Advice on keeping the screen on, in the words of the phone's settings.
 * @param {string} userAgent @param {number} touches */
export function adviceOnSleep(userAgent, touches) {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touches > 1)) {
    return gettext(
      'The screen may turn off. In Settings, under Display & Brightness, set Auto-Lock to Never while you play.',
    );
  }
  if (/Android/.test(userAgent)) {
    return gettext(
      'The screen may turn off. In Settings, under Display, choose the longest screen timeout while you play.',
    );
  }
  return gettext('The screen may turn off. Set it to stay on while you play.');
}

/** Name of the preference for the hand of a player at this phone.
 * @param {MatchClock} clock @param {Seat} seat */
export const leftHanded = (clock, seat) =>
  clock.shared ? { left: 'leftHandedLeft', right: 'leftHandedRight' }[seat] : 'leftHanded';

export class Device {
  /** `clock` is the <match-clock> whose players are at this phone.
   * @param {MatchClock} clock */
  constructor(clock) {
    this.clock = clock;
    this.prefs = new Prefs(onDevice);
    this.feedback = new Feedback(this.prefs);
    this.awake = new Awake((held) => held || this.#warnOfSleep());
    this.warned = false;
    this.sleeps = adviceOnSleep(navigator.userAgent, navigator.maxTouchPoints);
    this.#listen();
    this.face();
  }

  #listen() {
    const { clock, feedback } = this;
    const signal = (/** @type {'press' | 'refused'} */ name) => () => clock.seats.length && feedback.give(name);
    clock.listen({
      pressed: signal('press'),
      refused: signal('refused'),
      low: (seat) => clock.seats.includes(seat) && feedback.give('low'),
      reserve: (seat) => clock.seats.includes(seat) && feedback.give('reserve'),
      changed,
    });
    /** @param {Snapshot} match @param {Snapshot | null} before */
    function changed(match, before) {
      if (!before || !clock.seats.length) return;
      if (match.status === 'flagged' && before.status !== 'flagged') feedback.give('flag');
      else if (
        match.status === 'running' && match.turn !== before.turn && clock.seats.length === 1 &&
        clock.seats[0] === match.turn
      ) {
        feedback.give('turn');
      }
    }
  }

  /**
   * Give the advice once, at the first touch before a clock runs, beside the clocks. The menu has it too.
   */
  #warnOfSleep() {
    const { clock } = this;
    if (this.warned || !clock.match || clock.match.status === 'running' || !clock.seats.length) return;
    this.warned = true;
    const away = () => {
      advice.remove();
      mark(clock, 'data-advised', null);
    };
    const words = make('p', { role: 'status' }, this.sleeps);
    const advice = make('div.message', {}, make('b', {}, gettext('Screen')), words, button(gettext('OK'), away));
    (find('.strip', clock) ?? clock).prepend(advice);
    mark(clock, 'data-advised', '');
    clock.listen({ changed: (match) => match.status === 'running' && away() });
  }

  /** Turn the halves as the players sit, and put the buttons at the hands that they press with. */
  face() {
    const { clock, prefs } = this;
    clock.setAttribute('data-facing', prefs.get('facing') ? 'facing' : 'same');
    const left = clock.seats.filter((seat) => prefs.get(leftHanded(clock, seat)));
    mark(clock, 'data-left-handed', left.join(' ') || false);
  }
}
