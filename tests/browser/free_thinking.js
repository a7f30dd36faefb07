/** Random commands under the page's rules; same as `tests/engine/test_free_thinking.py` for the engine. */
import { perform } from '/static/clocks/engine/decide.js';
import { flagAt } from '/static/clocks/engine/match.js';
import { indexOf, otherSeat, SEATS, usedAt } from '/static/clocks/match/clocks.js';
import { settled } from '/static/clocks/engine/clock.js';

const COMMANDS = 40;
const STEPS = [0, 0, 45, 45, 700, 5_000, 11_900, 15_000, 40_000];
const REASONS = ['other', 'other', 'dice', 'contest', 'dice-picked-up', 'dice-picked-up', 'break', 'score', 'director'];

/** Seeded generator of numbers from 0 to 1 (mulberry32). */
function randomly(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Reserve of `seat` if its turn ended at `at`. */
const left = ({ clock }, seat, at) =>
  settled({ ...clock, used_ms: usedAt(clock, at), since: null }, at).reserve_ms[indexOf(seat)];

/** True if an accepted command may renew the delay of `seat`; its account then starts anew. */
function renews(before, after, command, by, seat) {
  if (by === 'director' || !before.clock.turn || !after.clock.turn) return true;
  const { proposal } = before;
  // Agreed, or an answer to the other player's offer, which starts a clock (Michigan 3.6).
  if (proposal && proposal.by !== by && (command.do === 'agree' || proposal.terms.what === 'offer')) return true;
  if (before.clock.precredit && !after.clock.precredit) return true;
  const other = otherSeat(seat);
  if (after.hits[indexOf(other)] > before.hits[indexOf(other)]) return true;
  return by === other && before.clock.turn === other && after.clock.turn === seat && after.clock.used_ms === 0;
}

function asked(chance, match) {
  const any = (list) => list[Math.floor(chance() * list.length)];
  const seat = any(SEATS);
  const by = chance() < 0.04 ? 'director' : seat;
  if (match.status === 'setup') return [{ do: 'confirm' }, 'director'];
  if (match.status === 'ready') return [chance() < 0.1 ? { do: 'stop', reason: 'break' } : { do: 'hit' }, seat];
  if (match.proposal && chance() < 0.8) return [{ do: any(['agree', 'decline', 'decline', 'withdraw']) }, by];
  if (match.status === 'stopped') {
    const drawn = chance();
    if (drawn < 0.1) return [{ do: 'stop', reason: any(REASONS) }, seat];
    if (drawn < 0.8 && match.owed_hit) return [{ do: 'hit' }, by];
    const whose = chance() < 0.8 ? { turn_of: any(SEATS) } : {};
    if (drawn < 0.8) return [{ do: 'resume', ...whose, fresh_delay: chance() < 0.2 }, by];
  } else if (chance() < 0.9) {
    const what = any(['hit', 'hit', 'hit', 'stop', 'stop', 'stop', 'double', 'take', 'pass']);
    return what === 'stop' ? [{ do: what, reason: any(REASONS) }, by] : [{ do: what }, match.clock.turn];
  }
  const other = otherSeat(seat);
  const terms = any([
    { what: 'undo' },
    { what: 'resume', turn_of: other, fresh_delay: chance() < 0.5 },
    { what: 'dice-penalty', against: other },
    { what: 'offer', winner: other, outcome: 'single' },
    { what: 'cube', value: 2, owner: seat },
    { what: 'time', seat, by_ms: 5_000 },
    { what: 'score', score: [0, 1] },
    { what: 'reopen' },
  ]);
  return [{ do: 'propose', ...terms }, by];
}

function play(chance, book, first) {
  let match = first;
  let at = 0;
  const accounts = SEATS.map((seat) => ({ seat, ran: 0, reserve: left(match, seat, at) }));
  const told = [];
  for (let number = 0; number < COMMANDS && match.status !== 'over'; number += 1) {
    const last = at;
    at += STEPS[Math.floor(chance() * STEPS.length)];
    if (match.status === 'running') {
      accounts[indexOf(match.clock.turn)].ran += Math.min(at, flagAt(match, book) ?? at) - last;
    }
    const before = perform(match, book, { do: 'look' }, 'server', at).match;
    const [command, by] = asked(chance, before);
    told.push([at, by, command]);
    const done = perform(before, book, command, by, at);
    match = done.match;
    const free = match.clock.control.delay_ms;
    for (const account of accounts) {
      const has = left(match, account.seat, at);
      if (!done.refusal && renews(before, match, command, by, account.seat)) Object.assign(account, { ran: 0, reserve: has });
      const least = Math.max(0, account.reserve - account.ran);
      const most = Math.max(0, account.reserve - Math.max(0, account.ran - free));
      if (has < least || has > most) return `${account.seat}: ${JSON.stringify(told)}`;
    }
  }
  return null;
}

/** Play `count` sequences, under each setting in turn; return the first violation, or null. */
export function search({ settings, count, seed }) {
  const chance = randomly(seed);
  for (let number = 0; number < count; number += 1) {
    const { book, match } = settings[number % settings.length];
    const found = play(chance, book, match);
    if (found) return found;
  }
  return null;
}
