/**
 * Mode and text of one player's half; panels.js has the panels. Pure functions.
 */
import { indexOf, otherSeat } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { gettext } from '../words/i18n.js';
import { elapsed } from '../words/times.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { HalfWords, Local, Mode } from './phone.d.ts' */

const { nameOf } = phrases;

/** Modes in which the half is a button; in others it holds a question or a panel. */
export const PRESSABLE = ['turn', 'hold', 'checking', 'wait', 'owed', 'sent', 'sending', 'accepted'];

/**
 * Mode of `seat`'s half.
 *
 * `local` is what only this phone knows: `waiting` ('sent', 'sending' or 'accepted', the progress of the seat's press,
 * or null), `zero` (the reserve shown is 0, but the server has not reported a flag) and `held` (the wait before a
 * penalised roll).
 * @param {ShownMatch} match @param {Seat} seat @param {Local} local @returns {Mode}
 */
export function modeOf(match, seat, local) {
  const { status } = match;
  if (status === 'flagged') return match.flagged === seat ? 'flag' : 'flag-other';
  if (status === 'setup' || status === 'over') return status;
  if (local.waiting) return local.waiting;
  if (status === 'ready') return match.proposal ? 'stopped' : 'ready';
  if (status === 'stopped') return match.owed_hit === seat && !match.proposal ? 'owed' : 'stopped';
  if (match.turn !== seat) return 'wait';
  if (local.zero) return 'checking';
  if (match.cube.offered_by) return 'asked';
  return local.held ? 'hold' : 'turn';
}

/**
 * Text of a half in `mode` at `now`: {title, hint, aside, news}. `news`: every screen shows the hint, however small.
 * `watched`: this page only watches; `connected`: the server can be reached; `lostMs`: milliseconds since the server
 * was last heard from, 0 unless the connection counts as lost.
 * @param {ShownMatch} match @param {Seat} seat @param {Mode} mode
 * @param {{ watched: boolean, connected: boolean, lostMs: number, now: number, startLine: string }} page
 * @returns {HalfWords}
 */
export function wordsOf(match, seat, mode, { watched, connected, lostMs, now, startLine }) {
  if (lostMs && match.status !== 'over') {
    return {
      title: gettext('No connection'),
      hint: mode === 'sending' ? keptLine(lostMs) : lostLine(lostMs),
      news: true,
    };
  }
  const words = wordsFor(match, seat, mode, connected);
  if (startLine && (mode === 'setup' || mode === 'ready')) Object.assign(words, { hint: startLine, news: true });
  if (mode === 'stopped') words.title = phrases.contestedFor(match, now) || words.title;
  if (!watched) return words;
  if (match.reserve_ms === null) words.hint = gettext('Times are not shown to spectators.');
  else if ([...PRESSABLE, 'ready', 'asked'].includes(mode)) words.hint = '';
  return { title: mode === 'over' ? '' : cardLine(match, seat, mode), hint: words.hint };
}

/** Text of a pad while the connection is lost.
 * @param {number} lostMs */
export const lostLine = (lostMs) => gettext('For %(time)s. What you see here may be wrong.', { time: elapsed(lostMs) });

/** Text about a press that waits for the connection.
 * @param {number} lostMs */
const keptLine = (lostMs) =>
  gettext(
    'For %(time)s. Your press is kept and will be sent; until then your clock runs. What you see here may be wrong.',
    { time: elapsed(lostMs) },
  );

/** Warning on the other player's card while the connection is lost; '' once the match is over.
 * @param {ShownMatch} match */
export const lostCard = (match) => (match.status === 'over' ? '' : gettext('Not up to date'));

/** @param {ShownMatch} match @param {Seat} seat @param {Mode} mode @param {boolean} connected @returns {HalfWords} */
function wordsFor(match, seat, mode, connected) {
  const other = { name: nameOf(match, otherSeat(seat)) };
  const swap = phrases.swapLine(match);
  switch (mode) {
    case 'setup':
      return {
        title: setupTitle(match, seat),
        hint: phrases.calledLine(match),
      };
    case 'ready':
      return {
        title: gettext('Who moves first?'),
        hint: phrases.calledLine(match) || gettext('Tap whoever rolled higher.'),
        aside: match.game > 1 ? '' : gettext('Before each game either player may ask for the dice to be mixed.'),
      };
    case 'turn':
      return {
        title: gettext('Your turn'),
        hint: swap || gettext('Tap anywhere here to end your turn'),
        news: Boolean(swap),
      };
    case 'hold':
      return {
        title: gettext('Do not roll yet'),
        hint: gettext('Roll once the delay is at zero.'),
      };
    case 'accepted':
      return { title: gettext('Done'), hint: '' };
    case 'asked':
      return {
        title: gettext('%(name)s doubles to %(value)s', { ...other, value: match.cube.value * 2 }),
        hint: '',
      };
    case 'wait':
      return {
        title: gettext('Wait'),
        hint: match.cube.offered_by
          ? gettext('%(name)s takes or passes', other)
          : swap || phrases.clockIsRunning(match, otherSeat(seat)),
        news: Boolean(swap),
      };
    case 'checking':
      return { title: gettext('Checking'), hint: gettext('Asking the server about the time') };
    case 'sent':
      return { title: gettext('Pressed'), hint: gettext('Waiting for the server') };
    case 'sending':
      return {
        title: gettext('Sending'),
        hint: connected
          ? gettext('Still waiting for the server')
          : gettext('No connection. Your press is kept and will be sent. Until it arrives your clock runs.'),
      };
    case 'owed':
      return { title: gettext('Press your clock'), hint: gettext('The offer was rejected. Tap here to continue.') };
    case 'flag':
      return { title: gettext('Time is up'), hint: flagHint(match) };
    case 'flag-other':
      return {
        title: gettext('%(name)s’s time is up', { name: phrases.briefName(match, otherSeat(seat)) }),
        hint: flagHint(match),
      };
    case 'over':
      return { title: match.winner === seat ? gettext('You win') : gettext('Well played'), hint: '' };
    default:
      return { title: stoppedTitle(match, seat), hint: phrases.calledLine(match) };
  }
}

/** @param {ShownMatch} match @param {Seat} seat */
function setupTitle(match, seat) {
  if (match.stop) return gettext('Break');
  return match.confirmed[indexOf(seat)] ? gettext('Wait') : gettext('Confirm the settings');
}

const flagHint = (/** @type {ShownMatch} */ match) =>
  phrases.calledLine(match) || (phrases.hasNoDirector(match) ? '' : gettext('The director is on the way'));

/** @param {ShownMatch} match @param {Seat} seat */
function stoppedTitle(match, seat) {
  const { proposal } = match;
  if (!proposal) return gettext('Stopped');
  if (proposal.disputed) return gettext('For the director');
  if (proposal.by === seat) return gettext('Proposed');
  return gettext('Agree?');
}

/** State of a player in one line, for their card and for spectators; `silent`: their phone is offline.
 * @param {ShownMatch} match @param {Seat} seat @param {Mode} mode @param {boolean} [silent] */
export function cardLine(match, seat, mode, silent = false) {
  const name = nameOf(match, seat);
  if (silent && ['wait', 'asked', 'stopped'].includes(mode)) return gettext('Offline');
  switch (mode) {
    case 'turn':
    case 'asked':
      return gettext('Clock is running');
    case 'hold':
      return gettext('May not roll yet');
    case 'checking':
      return gettext('Checking the time');
    case 'ready':
      return gettext('Ready');
    case 'setup':
      // Translators: the player, from a break.
      if (match.stop) return match.confirmed[indexOf(seat)] ? gettext('Is back') : gettext('Is not back yet');
      return match.confirmed[indexOf(seat)] ? gettext('Has confirmed') : gettext('Has not confirmed yet');
    case 'flag':
      return gettext('Time is up');
    case 'over':
      return match.winner === seat ? gettext('Wins the match') : '';
    case 'wait':
      return gettext('Waiting');
    case 'owed':
      return gettext('%(name)s presses next', { name });
    case 'sent':
    case 'sending':
    case 'accepted':
      return gettext('Pressed here');
    default:
      return gettext('Stopped');
  }
}
