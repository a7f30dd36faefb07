/**
 * Begin and continue a practice match with the engine (static/clocks/engine). The players' own amounts override those
 * from the server (clocks/rulebook/practice.py). Pure. Loaded after the clock, which shows a kept match without it.
 */
import { newTally, summaryAfter, tallied } from '../alone/tally.js';
import { afterFlag, perform } from '../engine/decide.js';
import { crawfordOf } from '../engine/evolve.js';
import { otherSeat } from '../match/clocks.js';
import { timing } from './timing.js';
/** @import { Book, DoFrame, Match, Seat, Why } from '../match/protocol.d.ts' */
/** @import { OwnAmounts, Practice, PracticeBook, Setting } from './practice.d.ts' */

/** Apply the players' own choices to the book.
 * @param {PracticeBook} book @param {OwnAmounts} own @returns {Book} */
function chosen(book, { kind, flag, overtime_ms, second_control }) {
  const { name, features, lost_time_stays_lost, cites } = book;
  const policy = flag || (overtime_ms ? 'overtime' : book.flag.policy);
  const second = { ...book.flag.second, ...(second_control ? { kind: second_control } : {}) };
  return {
    name,
    features: {
      ...features,
      dice_penalty: features.dice_penalty && kind !== 'none',
      second_delay_ms: policy === 'next-control' ? second.delay_ms : 0,
    },
    lost_time_stays_lost,
    flag: { ...book.flag, policy, second, overtime_ms: overtime_ms || null },
    cites,
  };
}

/** Create a match ready to begin under `book`; `first` is the state of a match with a confirmed setup.
 * @param {Match} first @param {PracticeBook} book @param {Setting} setting @returns {Practice} */
export function begin(first, book, setting) {
  const { format, length, score, names, own = {} } = setting;
  const { reserve_ms: each, kind, delay_ms } = timing(book, setting);
  const crawford = crawfordOf(score, length);
  /** @type {Match} */
  const state = {
    ...first,
    setup: { ...first.setup, rules: book.key, format, length, score, crawford, names },
    clock: { ...first.clock, control: { kind, delay_ms }, reserve_ms: [each, each] },
    score,
    crawford,
  };
  return { state, book: chosen(book, own), setting, v: 1, tally: newTally(state) };
}

/**
 * Carry out a command of `seat`. Returns the match, and the refusal's code or null.
 * @param {Practice} practice @param {DoFrame} frame @param {Seat} seat
 * @returns {{ practice: Practice, refusal: Why | null }}
 */
export function asked(practice, frame, seat) {
  const { state, book } = practice;
  const at = Math.max(frame.at ?? 0, state.at);
  let done = perform(state, book, frame, seat, at);
  // Both players read the consequence of the flag on this phone, so either may agree for both.
  const expires = frame.do === 'agree' && done.match.status === 'flagged';
  if (expires && !done.refusal) done = perform(done.match, book, { do: 'agree' }, otherSeat(seat), at);
  return { practice: done.refusal ? practice : next(practice, done.match), refusal: done.refusal };
}

/** Let the flag fall if it is due at `now`. Returns the same match if it is not.
 * @param {Practice} practice @param {number} now */
export function fallen(practice, now) {
  const state = afterFlag(practice.state, practice.book, now);
  return state === practice.state ? practice : next(practice, state);
}

/** @param {Practice} practice @param {Match} state @returns {Practice} */
const next = (practice, state) => ({
  ...practice,
  state,
  v: practice.v + 1,
  tally: practice.tally && tallied(practice.tally, practice.state, state),
});

/** Summary of the match, or null if it was begun by an older version, which kept no tally.
 * @param {Practice} practice */
export const summaryOf = ({ tally, state }) => tally ? summaryAfter(tally, state) : null;
