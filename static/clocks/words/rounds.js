/**
 * Rounds of a tournament's boards, and which of them are being played. Pure.
 */
import { asNames } from '../match/boards.js';
import { gettext } from './i18n.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

/** Name of a match's round: `Round 3` if it is numbered; '' outside any round.
 * @param {Snapshot} match */
export const roundName = (
  { round, round_number: number },
) => (number ? gettext('Round %(number)s', { number }) : round);

/** Rounds of these boards as [round, name] pairs, sorted by name; round '' for matches outside any round.
 * @param {Snapshot[]} boards */
export function roundsOf(boards) {
  const rounds = new Map(boards.map((board) => [board.round, roundName(board)]));
  return [...rounds].sort(([, a], [, b]) => asNames.compare(a, b));
}

/** Rounds being played: those with a match that is not over; if all are over, that of the newest match.
 * @param {Snapshot[]} boards */
export function roundsPlayed(boards) {
  const open = boards.filter(({ status }) => status !== 'over');
  if (open.length) return new Set(open.map(({ round }) => round));
  const last = boards.reduce((late, board) => (late && late.made_at >= board.made_at ? late : board), boards[0]);
  return new Set(last ? [last.round] : []);
}
