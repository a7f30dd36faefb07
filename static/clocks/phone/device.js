/** This phone's preferences, its sound and vibration, and its wake lock. The sheet of settings is in about.js. */
import { Awake } from '../browser/awake.js';
import { mark } from '../browser/dom.js';
import { loaded } from '../browser/events.js';
import { Feedback } from '../browser/feedback.js';
import { onDevice, Prefs } from '../browser/storage.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

export class Device {
  /** `clock` is the <match-clock> whose players are at this phone.
   * @param {MatchClock} clock */
  constructor(clock) {
    this.clock = clock;
    this.prefs = new Prefs(onDevice);
    this.feedback = new Feedback(this.prefs);
    this.awake = new Awake((held) => held || this.#warnOfSleep());
    this.warned = false;
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

  /** Show the advice on sleep once, before a clock runs. The phone's settings repeat it. */
  async #warnOfSleep() {
    const { clock } = this;
    if (this.warned || !clock.match || clock.match.status === 'running' || !clock.seats.length) return;
    this.warned = true;
    (await loaded('phone/about.js', () => import('./about.js'))).adviseOnSleep(clock);
  }

  /** Name of the preference for the pressing hand of a player at this phone.
   * @param {Seat} seat */
  handOf(seat) {
    return this.clock.shared ? { left: 'leftHandedLeft', right: 'leftHandedRight' }[seat] : 'leftHanded';
  }

  /** Turn the halves towards the players, and place the buttons for their pressing hands. */
  face() {
    const { clock, prefs } = this;
    clock.setAttribute('data-facing', prefs.get('facing') ? 'facing' : 'same');
    const left = clock.seats.filter((seat) => prefs.get(this.handOf(seat)));
    mark(clock, 'data-left-handed', left.join(' ') || false);
  }
}
