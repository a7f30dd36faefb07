/**
 * Boards of a tournament: the last snapshot of each table, and when each phone was last heard from. Pure: no DOM, no
 * clock.
 */

import { silentMs } from './clocks.js';
/** @import { Snapshot } from './protocol.d.ts' */
/** @import { Presence } from './clocks.js' */

/** Collator for names of tables and rounds, in numeric order: 1, 2, 10, A1. */
export const asNames = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** @typedef {{ held: boolean, seenAt: number | null, gone: boolean }} SeatState */

/** @template {Snapshot} [Board=Snapshot] */
export class Boards {
  constructor() {
    this.byMatch = /** @type {Map<number, Board>} */ (new Map());
    this.byTable = /** @type {Map<string, number>} */ (new Map()); // the match at each table now
    this.presence = /** @type {Map<number, Presence>} */ (new Map());
  }

  /**
   * Store a snapshot. False if it is stale: a version already known, or a match that is no longer at its table.
   * @param {Board} snapshot
   */
  put(snapshot) {
    const current = this.byTable.get(snapshot.table);
    const known = this.byMatch.get(snapshot.match);
    if (known && known.v >= snapshot.v) return false;
    const moved = known !== undefined && known.table !== snapshot.table; // to another table
    if (current !== undefined && current > snapshot.match && !moved) return false;
    if (moved && this.byTable.get(known.table) === snapshot.match) this.byTable.delete(known.table);
    if (current !== undefined && current !== snapshot.match) this.byMatch.delete(current);
    this.byTable.set(snapshot.table, snapshot.match);
    this.byMatch.set(snapshot.match, snapshot);
    return true;
  }

  /** Replace all boards with the full list, which every new connection starts with.
   * @param {Board[]} snapshots */
  replace(snapshots) {
    const listed = new Set(snapshots.map((snapshot) => snapshot.match));
    this.forget([...this.byMatch.keys()].filter((id) => !listed.has(id)));
    for (const snapshot of snapshots) this.put(snapshot);
  }

  /** Forget matches that are no longer at a table.
   * @param {number[]} matches */
  forget(matches) {
    for (const id of matches) {
      const table = this.byMatch.get(id)?.table;
      this.byMatch.delete(id);
      if (table !== undefined && this.byTable.get(table) === id) this.byTable.delete(table);
    }
  }

  /** Handle a `seen` frame: `{match id: [left seen_at, right seen_at]}` as of `now`.
   * @param {Record<string, (number | null)[]>} seats @param {number} now */
  see(seats, now) {
    for (const [id, seenAt] of Object.entries(seats)) this.presence.set(Number(id), { seenAt, now });
  }

  /**
   * Presence of each seat, left first. A phone is gone if, at the server's last report, it had not been heard from for
   * 10 s (11 s while no clock runs), or never; time that passes here without a report proves nothing.
   * @param {Snapshot} board
   */
  seats(board) {
    const heard = this.presence.get(board.match);
    return board.seats.map((seat, index) => {
      const fresher = heard && heard.now > board.now;
      const seenAt = fresher ? heard.seenAt[index] : (seat.seen_at ?? null);
      const asOf = fresher ? heard.now : board.now;
      return {
        held: seat.held,
        seenAt,
        gone: seat.held && (seenAt === null || asOf - seenAt >= silentMs(board.status)),
      };
    });
  }

  /** When a shared phone that is now offline with a running clock was last heard from, or null.
   * @param {Snapshot} board */
  aloneSince(board) {
    const [{ gone, seenAt }] = this.seats(board);
    return board.between && board.status === 'running' && gone ? seenAt : null;
  }

  /** @param {number} match */
  get(match) {
    return this.byMatch.get(match);
  }

  /** Current board of a table, or undefined.
   * @param {string} table */
  at(table) {
    const match = this.byTable.get(table);
    return match === undefined ? undefined : this.byMatch.get(match);
  }

  get size() {
    return this.byMatch.size;
  }

  /** List all boards in table order: 1, 2, 10, A1. */
  inOrder() {
    return [...this.byMatch.values()].sort((a, b) => asNames.compare(a.table, b.table) || a.match - b.match);
  }
}
