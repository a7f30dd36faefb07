/** One player's side of the drawer: name, points, clock, phone, presses and network credit. */
import { elapsed, formatDelay, formatTime } from '../words/times.js';
import { indexOf } from '../match/clocks.js';
import { make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { gettext, ngettext } from '../words/i18n.js';
/** @import { timesAt } from '../match/clocks.js' */
/** @import { SeatState } from '../match/boards.js' */
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { Board } from './console.d.ts' */

export class Side {
  name = make('span.side-name');
  points = make('span.side-points');
  time = make('span.side-time');
  delay = make('span.side-delay');
  phoneSays = make('span');
  phone = make('span.side-phone', {}, icon('phone'), this.phoneSays);
  hits = make('span.side-hits');
  lag = make('span.side-lag');
  head = make('span.side-head', {}, icon('turn', 'cell-turn'), this.name, this.points);
  foot = make('span.side-foot', {}, this.phone, this.hits, this.lag);
  node = make('div.card.drawer-side', {}, this.head, this.time, this.delay, this.foot);
  presence = /** @type {SeatState} */ ({ held: false, gone: false, seenAt: null });

  /** @param {Seat} seat */
  constructor(seat) {
    this.seat = seat;
    this.index = indexOf(seat);
  }

  /** Update the parts that a snapshot can change.
   * @param {Board} board @param {SeatState} presence */
  show(board, presence) {
    const { index, seat } = this;
    this.presence = presence;
    write(this.name, board.names[index]);
    write(this.points, String(board.score[index]));
    mark(this.node, 'data-turn', board.turn === seat && board.status === 'running');
    mark(this.node, 'data-flag', board.flagged === seat);
    write(this.lag, board.lag_used_ms?.[index] ? creditSays(board, index) : '');
    write(this.hits, ngettext('%(n)s press', '%(n)s presses', board.hits[index], { n: board.hits[index] }));
  }

  /** Update the parts that change with time.
   * @param {Board} board @param {ReturnType<typeof timesAt>} clocks @param {number} now */
  tick(board, clocks, now) {
    const running = board.status === 'running' && board.turn === this.seat;
    const wait = running && board.wait_until !== null ? board.wait_until - now : 0;
    write(this.time, formatTime(clocks.reserve_ms[this.index]));
    write(
      this.delay,
      wait > 0
        ? gettext('do not roll: %(time)s', { time: formatDelay(wait) })
        : board.turn_delay_ms
        ? gettext('delay %(time)s', { time: formatDelay(clocks.delay_ms[this.index]) })
        : gettext('no delay'),
    );
    const { held, gone } = this.presence;
    mark(this.phone, 'hidden', board.status === 'over'); // its absence no longer matters
    mark(this.phone, 'data-phone', gone ? 'gone' : held ? 'here' : 'none');
    write(this.phoneSays, presenceSays(this.presence, now));
  }
}

/** @param {SeatState} presence @param {number} now */
function presenceSays({ held, gone, seenAt }, now) {
  if (!held) return gettext('no phone');
  if (!gone) return gettext('connected');
  return seenAt === null ? gettext('phone offline') : gettext('phone offline %(age)s', { age: elapsed(now - seenAt) });
}

/** Time credited for the network in this game, and the number of presses credited.
 * @param {Board} board @param {number} index */
function creditSays(board, index) {
  const presses = board.game_presses[index];
  return ngettext(
    'credited for the network: %(n)s of %(presses)s press, %(time)s s',
    'credited for the network: %(n)s of %(presses)s presses, %(time)s s',
    presses,
    { n: board.lag_presses[index], presses, time: Math.round(board.lag_used_ms[index] / 100) / 10 },
  );
}
