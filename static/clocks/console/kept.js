/**
 * State of the backups and of the server's disk: a quiet line, and a warning if the disk is nearly full or backups are
 * overdue.
 */
import { fill, make, mark, write } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { ago } from '../words/ago.js';
/** @import { KeptFrame } from '../match/protocol.d.ts' */

const GIGABYTE = 1_000_000_000;

/** Format bytes as gigabytes in the reader's language: 71 GB, 0,8 Go.
 * @param {number} bytes */
export function room(bytes, language = document.documentElement.lang) {
  const digits = bytes < 10 * GIGABYTE ? 1 : 0;
  const unit = { style: 'unit', unit: 'gigabyte', maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, /** @type {Intl.NumberFormatOptions} */ (unit)).format(bytes / GIGABYTE);
}

/** Return the sentences of the quiet line. `kept` is the last `kept` frame, `now` in server milliseconds.
 * @param {KeptFrame} kept @param {number} now */
function keptSays(kept, now) {
  const copied = kept.at === null
    ? gettext('No backup has been taken on this server yet.')
    : gettext('Last backup: %(when)s.', { when: ago(now - kept.at) });
  return [copied, gettext('Free on the disk: %(room)s.', { room: room(kept.free) })];
}

/** Warning that tells the director what to do, or ''.
 * @param {KeptFrame} kept @param {number} now */
function keptWarns(kept, now) {
  if (kept.little) {
    return gettext(
      'The server’s disk is nearly full: %(room)s left. Delete files that nobody needs, or move the files in “backups” to another disk. When it is full, no press can be stored.',
      { room: room(kept.free) },
    );
  }
  if (kept.at !== null && kept.overdue_at !== null && now > kept.overdue_at) {
    return gettext(
      'Backups are overdue. The last one was taken %(when)s. Look at “backup” on the server. Is the USB stick plugged in?',
      {
        when: ago(now - kept.at),
      },
    );
  }
  return '';
}

/** Quiet line and warning, whose ages are updated between frames. */
export class Kept {
  /** `warning` is read out when its text changes; `address` is that of the backups page.
   * @param {HTMLElement} line @param {HTMLElement} warning @param {string} [address] */
  constructor(line, warning, address = '') {
    this.line = line;
    this.warning = warning;
    this.address = address; // '' if the user may not see the backups
    this.said = '';
    this.frame = /** @type {KeptFrame | null} */ (null);
  }

  /** Handle a `kept` frame.
   * @param {KeptFrame} frame @param {number} now */
  receive(frame, now) {
    this.frame = frame;
    this.show(now);
  }

  show(/** @type {number} */ now) {
    if (!this.frame) return;
    write(this.line, keptSays(this.frame, now).join(' '));
    mark(this.line, 'hidden', false);
    const warns = keptWarns(this.frame, now);
    if (warns !== this.said) {
      fill(
        this.warning,
        warns,
        warns && this.address ? [' ', make('a', { href: this.address }, gettext('Backups'))] : null,
      );
    }
    this.said = warns;
    mark(this.warning, 'hidden', warns === '');
  }
}
