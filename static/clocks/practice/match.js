/**
 * A match on the practice clock: {state, book, setting, v}. Its state and its rules are the engine's
 * (static/clocks/engine); every amount comes from the server (clocks/rulebook/practice.py). Pure.
 */
import { crawfordOf } from '../engine/evolve.js';
import { lookAt } from '../engine/match.js';
import { timing } from './timing.js';
/** @import { Book, Match } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { OwnAmounts, Practice, PracticeBook, Setting } from './practice.d.ts' */

/** What a snapshot says besides the match: who sits where, and that nobody else is there. */
const AROUND = /** @satisfies {Partial<ShownMatch>} */ ({
  t: 'match',
  match: 1,
  practice: true,
  table: '',
  code: '',
  tournament: '',
  round: '',
  round_number: null,
  made_at: 0,
  between: true,
  lag_credit_ms: 0,
  late: null,
  lent_at: [null, null],
  seats: [{ held: true, seen_at: null }, { held: true, seen_at: null }],
});

/** Return a book with what the players chose for themselves.
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

/** Return a match that is ready to begin under `book`; `first` is the state of one whose setting is confirmed.
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
  return { state, book: chosen(book, own), setting, v: 1 };
}

/** Return the match as of `now`, as a snapshot shows it.
 * @param {Practice} practice @param {number} now @returns {ShownMatch} */
export function snapshotOf({ state, book, v }, now) {
  const { name, features } = book;
  return { ...AROUND, v, now, ...lookAt(state, book, now), rules_name: name, features };
}
