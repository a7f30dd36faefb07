/**
 * Alarm of the director's page. An alert makes no sound while a director is on the way to it.
 *
 * “I’m coming” does not settle the alert: the server tells all directors' pages, and keeps it only in memory.
 */
import { mark, write } from '../browser/dom.js';
import { SOON, URGENT } from './alerts.js';
import { gettext } from '../words/i18n.js';
import { Feedback } from '../browser/feedback.js';
import { onDevice, Prefs } from '../browser/storage.js';
/** @import { Taken } from '../match/protocol.d.ts' */
/** @import { Alert } from './console.d.ts' */
/** @import { Store } from '../browser/storage.js' */

const AGAIN_MS = 15_000; // between sounds for an urgent alert that nobody has taken

/**
 * Load the director's preference for sound, which is stored apart from a player's on the same device.
 *
 * An earlier version shared the player's preferences and switched their vibration off. On first use, copy the sound
 * from there and switch vibration on again; a player who did not want it has to switch it off once more.
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
  /** `button` switches the sound on and off; the choice is stored on this device.
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

  /** Show whether the alarm can sound: browsers allow sound only after a tap or a key press. */
  show() {
    const sound = this.prefs.get('sound');
    const ready = this.feedback.context?.state === 'running';
    mark(this.button, 'aria-pressed', String(sound));
    write(this.button, !sound ? gettext('Sound off') : ready ? gettext('Sound on') : gettext('Tap for sound'));
  }

  /** Handle a `taken` frame.
   * @param {Record<string, Taken>} byAlert */
  taken(byAlert) {
    for (const [alert, { by, at }] of Object.entries(byAlert)) this.by.set(alert, { by, at });
  }

  /** Director on the way to an alert: `{by, at}` or undefined.
   * @param {string} alert */
  takenBy(alert) {
    return this.by.get(alert);
  }

  /** Sound for new urgent or soon alerts, and again for urgent ones, unless a director is on the way. Call once a
   * second; `at`: monotonic time in ms.
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
