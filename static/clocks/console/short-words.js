/**
 * Says in a few words what a board of the console shows: its state, what is proposed, what a flag would mean.
 *
 * What phones say in whole sentences is in phrases.js; a line of the console has less room.
 */
import { elapsed, formatChange, formatDelay, formatTime } from '../words/times.js';
import { indexOf, must, otherSeat, SEATS } from '../match/clocks.js';
import { timeOfDay } from './time-of-day.js';
import { actorOf, isContested, nameOf, points, roundName, scoreAfter, scoreOf, swapLine } from '../words/phrases.js';
import { _, gettext, interpolate, ngettext } from '../words/i18n.js';
/** @import { Pair, Reason, Seat, ShownExpiry } from '../match/protocol.d.ts' */
/** @import { Connection } from '../wire/link.js' */
/** @import { Board, Terms } from './console.d.ts' */

/** @type {Partial<Record<Reason, string>>} */
const STOPS = {
  director: _('director'),
  break: _('break'),
  dice: _('fallen dice'),
  contest: _('contested action'),
  'dice-picked-up': _('dice picked up'),
  'dice-contested': _('picked-up dice contested'),
  concession: _('concession'),
  score: _('score or cube'),
  other: _('other reason'),
  outage: _('the server was away'),
  undo: _('press taken back'),
  reopen: _('end taken back'),
};

/** Say what the page has of its connection; '' while all is well. `age` is how long it has heard nothing.
 * @param {Connection} state @param {number} age */
export function connectionSays(state, age) {
  /** @type {Partial<Record<Connection, string>>} */
  const says = {
    open: '',
    connecting: _('Connecting…'),
    reconnecting: _(
      'Offline for %(age)s. The boards are out of date, and you cannot rule until the connection is back.',
      { age: elapsed(age) },
    ),
    'signed-out': _('You are signed out. Sign in again to see the tables.'),
    revoked: _('You may no longer watch this tournament.'),
    gone: _('There is no such tournament.'),
  };
  return says[state] ?? '';
}

/** Return the short name of a reason to stop, or ''.
 * @param {Reason | undefined} reason */
export const reasonSays = (reason) => (reason && STOPS[reason]) ?? '';

/** Say what is played on these boards: the round, the length and the rules, each where it is the same for all.
 * @param {Board[]} boards */
export function aboutSays(boards) {
  const said = [
    boards.map(roundName),
    boards.map(({ length }) => _('to %(length)s', { length })),
    boards.map((board) => _(board.rules_name ?? board.rules)),
  ].map((words) => [...new Set(words)].filter(Boolean));
  const [rounds, ...same] = said;
  return [rounds.join(', '), ...same.map((words) => (words.length === 1 ? words[0] : ''))].filter(Boolean).join(' · ');
}

/** Say who calls the director and why.
 * @param {Board} board */
export function callSays(board) {
  const by = board.called_by === 'left' || board.called_by === 'right' ? actorOf(board, board.called_by) : '';
  const values = { by, note: board.call_note };
  if (by) {
    return board.call_note
      ? _('%(by)s called the director: %(note)s', values)
      : _('%(by)s called the director.', values);
  }
  return board.call_note ? _('The director has been called: %(note)s', values) : _('The director has been called.');
}

/** Say whose time is up, and which offence that is where the rules count them.
 * @param {Board} board */
export function flagSays(board) {
  const seat = must(board.flagged);
  const values = { name: nameOf(board, seat), number: board.offences[indexOf(seat)] + 1 };
  if (expiryOf(board)?.consequence.kind !== 'penalty') return _('%(name)s’s time is up.', values);
  return values.number === 1
    ? _('%(name)s’s time is up: first offence.', values)
    : _('%(name)s’s time is up: offence %(number)s.', values);
}

/** Say what a flag leads to once it is agreed, in one line.
 * @param {Board} board */
export function consequenceSays(board) {
  const flag = expiryOf(board);
  if (!flag) return '';
  const { consequence } = flag;
  const winner = nameOf(board, otherSeat(flag.seat));
  const parts = [];
  if (consequence.kind === 'lose-match') parts.push(_('%(winner)s wins the match', { winner }));
  if (consequence.kind === 'penalty') {
    parts.push(_('%(points)s to %(winner)s', { points: points(consequence.points), winner }));
  }
  if (consequence.kind === 'grace') parts.push(_('one grace, no points'));
  if (consequence.kind === 'next-control') {
    parts.push(
      _('the second control begins with a delay of %(delay)s', { delay: formatDelay(board.features.second_delay_ms) }),
    );
  }
  if (consequence.kind === 'overtime') parts.push(_('overtime and a warning'));
  if (consequence.kind !== 'lose-match' && consequence.reserve_ms) {
    parts.push(_('clocks %(times)s', { times: reservesSay(board, consequence.reserve_ms) }));
  }
  if (consequence.cube_frozen && !flagEndsMatch(board)) parts.push(_('cube frozen'));
  return parts.join(', ');
}

/** Say two reserves with the players' names.
 * @param {Board} board @param {Pair} reserves */
export function reservesSay(board, reserves) {
  return SEATS.map((seat, index) => `${board.names[index]} ${formatTime(reserves[index])}`).join(', ');
}

/** Return the flag that is proposed on a board, or null.
 * @param {Board} board @returns {ShownExpiry | null} */
export const expiryOf = ({ proposal }) => (proposal?.what === 'expiry' ? proposal : null);

/** Tell whether agreeing to this board's flag ends its match.
 * @param {Board} board */
export function flagEndsMatch(board) {
  const flag = expiryOf(board);
  if (!flag) return false;
  const { consequence } = flag;
  if (consequence.kind === 'lose-match') return true;
  const winner = indexOf(otherSeat(flag.seat));
  return consequence.kind === 'penalty' && scoreAfter(board, SEATS[winner], consequence.points)[winner] >= board.length;
}

/** Say what is proposed, in one line without its maker.
 * @param {Board} board */
export function proposalSays(board) {
  const p = must(board.proposal);
  const name = (/** @type {Seat} */ seat) => nameOf(board, seat);
  switch (p.what) {
    case 'game':
      return _('%(winner)s won the game, %(points)s', { winner: name(p.winner), points: points(p.points) });
    case 'offer': {
      const text = p.winner === p.by
        ? _('claim, %(outcome)s for %(winner)s')
        : _('concession, %(outcome)s for %(winner)s');
      return interpolate(text, { outcome: gettext(p.outcome), winner: name(p.winner) });
    }
    case 'dice-penalty':
      return _('%(name)s took the dice too soon and waits out the next delay', { name: name(p.against) });
    case 'undo':
      return _('take back the last press');
    case 'score':
      return _('score %(score)s', { score: scoreOf(p.score) });
    case 'cube':
      return p.owner
        ? _('cube %(value)s, %(name)s’s', { value: p.value, name: name(p.owner) })
        : _('cube %(value)s, in the middle', { value: p.value });
    case 'time':
      return _('%(name)s’s time %(delta)s', { name: name(p.seat), delta: formatChange(must(p.by_ms)) });
    case 'resume':
      return p.fresh_delay
        ? _('resume with %(name)s’s turn and a full delay', { name: name(p.turn_of) })
        : _('resume with %(name)s’s turn', { name: name(p.turn_of) });
    case 'expiry':
      return consequenceSays(board);
    default:
      return p.what;
  }
}

/** Say who has the cube: "cube 2, Ann's". Nothing for a cube nobody has turned.
 * @param {Board} board */
export function cubeSays(board) {
  const cube = board.cube;
  if (cube.offered_by) {
    return _('%(name)s doubles to %(value)s', { name: nameOf(board, cube.offered_by), value: cube.value * 2 });
  }
  const parts = [];
  if (cube.value > 1 || cube.owner) {
    parts.push(
      cube.owner
        ? _('cube %(value)s %(name)s', { value: cube.value, name: nameOf(board, cube.owner) })
        : _('cube %(value)s', { value: cube.value }),
    );
  }
  if (cube.frozen) parts.push(_('cube frozen'));
  return parts.join(' · ');
}

/** Say since when the one phone between two players has worked without the server, which knows nothing newer.
 * @param {number} since */
export const aloneSays = (since) => _('On the phone since %(time)s', { time: timeOfDay(since) });

/** Say a board's state in a few words, for its foot in the grid and its drawer. `now` in server milliseconds.
 * @param {Board} board @param {number} now */
export function stateSays(board, now) {
  const time = board.stop ? elapsed(now - board.stop.at) : '';
  switch (board.status) {
    case 'setup': {
      if (board.stop) return _('break %(time)s', { time });
      const n = board.confirmed.filter(Boolean).length;
      return n === 0
        ? _('settings not confirmed')
        : _('%(name)s has confirmed', { name: board.names[board.confirmed[0] ? 0 : 1] });
    }
    case 'ready':
      return _('before game %(n)s', { n: board.game });
    case 'flagged':
      return _('time is up');
    case 'over':
      return board.winner ? _('%(name)s won', { name: nameOf(board, board.winner) }) : _('over');
    case 'stopped':
      if (board.called && !isContested(board)) return _('director called %(time)s', { time });
      if (board.proposal) return _('proposal %(time)s', { time });
      if (board.hall_stop) return _('stopped %(time)s · %(why)s', { time, why: _(board.hall_stop.note) });
      return reasonSays(board.stop?.reason)
        ? _('stopped %(time)s · %(why)s', { time, why: reasonSays(board.stop?.reason) })
        : _('stopped %(time)s', { time });
    default:
      return '';
  }
}

/** List what is unusual about a board and yet in order: Crawford game, control, offences, forfeits.
 * @param {Board} board */
export function notesSay(board) {
  const notes = [];
  if (board.by_players && board.status !== 'setup') notes.push(_('entered by the players'));
  if (swapLine(board)) notes.push(swapLine(board));
  if (board.crawford && board.status !== 'over') notes.push(_('Crawford'));
  if (cubeSays(board)) notes.push(cubeSays(board));
  if (board.control > 1) notes.push(_('second control'));
  if (board.limits === false) notes.push(_('no time limit'));
  SEATS.forEach((seat, index) => {
    const n = board.offences[index];
    if (n) {
      const values = { name: board.names[index], n };
      notes.push(ngettext('%(name)s: %(n)s offence', '%(name)s: %(n)s offences', n, values));
    }
    if (board.forfeit[index]) notes.push(_('%(name)s forfeits a delay', { name: board.names[index] }));
  });
  return notes;
}
