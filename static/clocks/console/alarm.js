/**
 * Alarm of the director's page. An alert that a director has taken is silent.
 *
 * Taking an alert settles nothing. All directors' pages hear of it; the server keeps it only in memory.
 */
import { mark, write } from '../browser/dom.js';
import { SOON, URGENT } from './alerts.js';
import { gettext } from '../words/i18n.js';
import { Feedback } from '../browser/feedback.js';
import { onDevice, Prefs } from '../browser/storage.js';
/** @import { Taken } from '../match/protocol.d.ts' */
/** @import { Alert } from './console.d.ts' */
/** @import { Store } from '../browser/storage.js' */

const AGAIN_MS = 15_000; // while somebody waits urgently and nobody is on the way

/**
 * Return whether the director wants sound: a preference beside those of a player at the same device, without vibration.
 *
 * An earlier version kept it among the player's and took the vibration away there. Where nothing is kept yet, the sound
 * stays as it was left, and vibration that is off is switched on again: a player who did not want it has to switch it
 * off once more.
 * @param {Store} store
 */
function preferences(store) {
  const prefs = new Prefs(store, 'clock:director-prefs', { sound: true });
  if (prefs.kept) return prefs;
  const player = new Prefs(store);
  prefs.set('sound', player.get('sound') === true);
  if (!player.get('vibration')) player.set('vibration', true);
  return prefs;
}

export class Alarm {
  /** `button` switches the sound on and off; how it was left is kept on this device.
   * @param {HTMLElement} button */
  constructor(button, store = onDevice) {
    this.button = button;
    this.prefs = preferences(store);
    this.feedback = new Feedback(this.prefs);
    this.by = /** @type {Map<string, Taken>} */ (new Map()); // by the alert's key
    this.heard = new Set();
    this.soundedAt = -Infinity;
    button.addEventListener('click', () => {
      this.prefs.set('sound', !this.prefs.get('sound'));
      if (this.prefs.get('sound')) setTimeout(() => this.feedback.give('alert'), 50);
      this.show();
    });
    for (const name of ['pointerup', 'keydown']) addEventListener(name, () => setTimeout(() => this.show(), 200));
    this.show();
  }

  /** Show whether the alarm can sound: browsers allow sound only after a touch. */
  show() {
    const sound = this.prefs.get('sound');
    const ready = this.feedback.context?.state === 'running';
    mark(this.button, 'aria-pressed', String(sound));
    write(this.button, !sound ? gettext('Sound off') : ready ? gettext('Sound on') : gettext('Tap for sound'));
  }

  /** Take a `taken` frame.
   * @param {Record<string, Taken>} byAlert */
  taken(byAlert) {
    for (const [alert, { by, at }] of Object.entries(byAlert)) this.by.set(alert, { by, at });
  }

  /** Director on the way to an alert: `{by, at}` or undefined.
   * @param {string} alert */
  takenBy(alert) {
    return this.by.get(alert);
  }

  /** Sound for what is new, and again for what is urgent. Call once a second; `at` by any steady clock.
   * @param {Alert[]} alerts @param {number} at */
  listen(alerts, at) {
    const waiting = alerts.filter(({ level, key }) => level <= SOON && !this.by.has(key));
    const isNew = waiting.some(({ key }) => !this.heard.has(key));
    const again = waiting.some(({ level }) => level === URGENT) && at - this.soundedAt >= AGAIN_MS;
    this.heard = new Set(waiting.map(({ key }) => key));
    if (!isNew && !again) return;
    this.soundedAt = at;
    this.feedback.give('alert');
  }
}
