/** Wording of the director's console; phones use phrases.js. */
import { elapsed } from '../words/times.js';
import { indexOf, must, SEATS } from '../match/clocks.js';
import { timeOfDay } from './time-of-day.js';
import { actorOf, isContested, nameOf, swapLine } from '../words/phrases.js';
import { roundName } from '../words/rounds.js';
import { expiryOf } from '../words/terms-short.js';
import { gettext, ngettext } from '../words/i18n.js';
/** @import { Reason } from '../match/protocol.d.ts' */
/** @import { Connection } from '../wire/link.js' */
/** @import { Board } from './console.d.ts' */

/** @type {Partial<Record<Reason, string>>} */
const STOPS = {
  director: gettext('director'),
  break: gettext('break'),
  dice: gettext('fallen dice'),
  contest: gettext('contested action'),
  'dice-picked-up': gettext('dice picked up'),
  'dice-contested': gettext('picked-up dice contested'),
  concession: gettext('concession'),
  score: gettext('score or cube'),
  other: gettext('other reason'),
  outage: gettext('the server was away'),
  undo: gettext('press taken back'),
  reopen: gettext('end taken back'),
};

/** State of the connection; '' while connected. `age` is the time since the last frame.
 * @param {Connection} state @param {number} age */
export function connectionSays(state, age) {
  /** @type {Partial<Record<Connection, string>>} */
  const says = {
    open: '',
    connecting: gettext('Connecting…'),
    reconnecting: gettext(
      'Offline for %(age)s. The boards are out of date, and you cannot rule until the connection is back.',
      { age: elapsed(age) },
    ),
    'signed-out': gettext('You are signed out. Sign in again to see the tables.'),
    revoked: gettext('You may no longer watch this tournament.'),
    gone: gettext('There is no such tournament.'),
  };
  return says[state] ?? '';
}

/** Return the short name of a reason to stop, or ''.
 * @param {Reason | undefined} reason */
export const reasonSays = (reason) => (reason && STOPS[reason]) ?? '';

/** Round, length and rules of these boards; length and rules only if all share them.
 * @param {Board[]} boards */
export function aboutSays(boards) {
  const said = [
    boards.map(roundName),
    boards.map(({ length }) => gettext('to %(length)s', { length })),
    boards.map((board) => gettext(board.rules_name ?? board.rules)),
  ].map((words) => [...new Set(words)].filter(Boolean));
  const [rounds, ...same] = said;
  return [rounds.join(', '), ...same.map((words) => (words.length === 1 ? words[0] : ''))].filter(Boolean).join(' · ');
}

/** Name the caller of the director and the reason.
 * @param {Board} board */
export function callSays(board) {
  const by = board.called_by === 'left' || board.called_by === 'right' ? actorOf(board, board.called_by) : '';
  const values = { by, note: board.call_note };
  if (by) {
    return board.call_note
      ? gettext('%(by)s called the director: %(note)s', values)
      : gettext('%(by)s called the director.', values);
  }
  return board.call_note
    ? gettext('The director has been called: %(note)s', values)
    : gettext('The director has been called.');
}

/** Name the player whose time is up and, before a penalty, the number of the offence.
 * @param {Board} board */
export function flagSays(board) {
  const seat = must(board.flagged);
  const values = { name: nameOf(board, seat), number: board.offences[indexOf(seat)] + 1 };
  if (expiryOf(board)?.consequence.kind !== 'penalty') return gettext('%(name)s’s time is up.', values);
  return values.number === 1
    ? gettext('%(name)s’s time is up: first offence.', values)
    : gettext('%(name)s’s time is up: offence %(number)s.', values);
}

/** The open double, or else the cube's value, owner and freeze; '' for a cube as at the start of a game.
 * @param {Board} board */
export function cubeSays(board) {
  const cube = board.cube;
  if (cube.offered_by) {
    return gettext('%(name)s doubles to %(value)s', { name: nameOf(board, cube.offered_by), value: cube.value * 2 });
  }
  const parts = [];
  if (cube.value > 1 || cube.owner) {
    parts.push(
      cube.owner
        ? gettext('cube %(value)s %(name)s', { value: cube.value, name: nameOf(board, cube.owner) })
        : gettext('cube %(value)s', { value: cube.value }),
    );
  }
  if (cube.frozen) parts.push(gettext('cube frozen'));
  return parts.join(' · ');
}

/** State of a board whose shared phone has been offline since `since`.
 * @param {number} since */
export const aloneSays = (since) => gettext('On the phone since %(time)s', { time: timeOfDay(since) });

/** State of a board in a few words, for the grid and the drawer. `now` in server milliseconds.
 * @param {Board} board @param {number} now */
export function stateSays(board, now) {
  const time = board.stop ? elapsed(now - board.stop.at) : '';
  switch (board.status) {
    case 'setup': {
      if (board.stop) return gettext('break %(time)s', { time });
      const n = board.confirmed.filter(Boolean).length;
      return n === 0
        ? gettext('settings not confirmed')
        : gettext('%(name)s has confirmed', { name: board.names[board.confirmed[0] ? 0 : 1] });
    }
    case 'ready':
      return gettext('before game %(n)s', { n: board.game });
    case 'flagged':
      return gettext('time is up');
    case 'over':
      return board.winner ? gettext('%(name)s won', { name: nameOf(board, board.winner) }) : gettext('over');
    case 'stopped':
      if (board.called && !isContested(board)) return gettext('director called %(time)s', { time });
      if (board.proposal) return gettext('proposal %(time)s', { time });
      if (board.hall_stop) return gettext('stopped %(time)s · %(why)s', { time, why: gettext(board.hall_stop.note) });
      return reasonSays(board.stop?.reason)
        ? gettext('stopped %(time)s · %(why)s', { time, why: reasonSays(board.stop?.reason) })
        : gettext('stopped %(time)s', { time });
    default:
      return '';
  }
}

/** Unusual facts that need no action, such as the Crawford game, offences and forfeits.
 * @param {Board} board */
export function notesSay(board) {
  const notes = [];
  if (board.by_players && board.status !== 'setup') notes.push(gettext('entered by the players'));
  if (swapLine(board)) notes.push(swapLine(board));
  if (board.crawford && board.status !== 'over') notes.push(gettext('Crawford'));
  if (cubeSays(board)) notes.push(cubeSays(board));
  if (board.control > 1) notes.push(gettext('second control'));
  if (board.limits === false) notes.push(gettext('no time limit'));
  SEATS.forEach((seat, index) => {
    const n = board.offences[index];
    if (n) {
      const values = { name: board.names[index], n };
      notes.push(ngettext('%(name)s: %(n)s offence', '%(name)s: %(n)s offences', n, values));
    }
    if (board.forfeit[index]) notes.push(gettext('%(name)s forfeits a delay', { name: board.names[index] }));
  });
  return notes;
}
