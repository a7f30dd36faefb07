/**
 * End of a match in each half: who won, the games, and how the time was used. The server's summary is cached.
 */
import { make, mark } from '../browser/dom.js';
import { indexOf, must, otherSeat, SEATS } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { formatTime, thought } from '../words/times.js';
import { paragraph } from './sheet.js';
/** @import { Seat, Snapshot, WonBy } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { MatchSummary, Scored } from '../match/summary.d.ts' */

/** @type {Map<number, Promise<MatchSummary | null>>} */
const asked = new Map();

/** Summary of a finished match, from this phone or else the server, or null.
 * @param {MatchClock} clock @returns {Promise<MatchSummary | null>} */
export async function summaryOf({ source, match: shown }) {
  const own = source.summary();
  const { code, match, practice } = /** @type {ShownMatch} */ (must(shown));
  if (own || practice) return own;
  const known = asked.get(match);
  if (known) return known;
  const coming = fetch(`/t/${code}/summary/${match}/`).then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  asked.set(match, coming);
  coming.then((summary) => summary || asked.delete(match)); // after a failure, the next call asks again
  return coming;
}

/** Drop the cached summary of a match whose end was taken back.
 * @param {Snapshot} match */
export const forget = ({ match }) => asked.delete(match);

let styled = /** @type {Promise<unknown> | null} */ (null);

/** Load the style sheet of endings once, unless the page includes it. After a failure, the next call tries again.
 * @param {MatchClock} clock */
export function style(clock) {
  if (!clock.dataset.ending) return null;
  styled ??= new Promise((done) => {
    const failed = () => {
      sheet.remove();
      styled = null;
      done(null);
    };
    const sheet = make('link', { rel: 'stylesheet', href: clock.dataset.ending, onload: done, onerror: failed });
    document.head.append(sheet);
  });
  return styled;
}

/** Show the end in this phone's halves once its style and summary have loaded or failed, if the match is still over.
 * @param {MatchClock} clock */
export async function showEnding(clock) {
  const match = must(clock.match);
  const [summary] = await Promise.all([summaryOf(clock), style(clock)]);
  if (clock.match?.match !== match.match || clock.match.status !== 'over' || clock.match.proposal) return;
  for (const seat of clock.seats) {
    const { element, panel } = clock.half(seat);
    mark(element, 'data-won', match.winner === seat);
    const told = panel.querySelector('.told');
    if (summary) {
      told?.replaceWith(make('div.ending', { tabindex: '0' }, ...partsOf(match, seat, summary, clock.shared)));
    }
  }
  mark(clock, 'data-ended', Boolean(summary));
  mark(clock, 'data-figures', summary ? null : 'missing');
}

/** Remove the marks of an ending; the halves are redrawn anyway.
 * @param {MatchClock} clock */
export function hideEnding(clock) {
  for (const name of ['data-ended', 'data-figures']) mark(clock, name, null);
  for (const seat of clock.seats) mark(clock.half(seat).element, 'data-won', null);
}

/** Parts of an ending. On a shared phone, the winner's half has the result and games, the loser's the times.
 * @param {Snapshot} match @param {Seat} seat @param {MatchSummary} summary @param {boolean} shared */
function partsOf(match, seat, summary, shared) {
  const won = match.winner === seat;
  const times = shared && won ? [] : [timesOf(match, summary)];
  if (shared && !won) return times;
  const last = decider(match, summary.games);
  const games = last ? summary.games.slice(0, -1) : summary.games;
  const by = byWhat(match);
  const facts = last ? [by ? '' : howWon(last), cubeOf(last)] : [];
  const head = won
    ? [make('p.final-score', {}, phrases.scoreOf(winnersFirst(match))), ...inOneLine([by, ...facts])]
    : [paragraph(phrases.resultLine(match)), ...inOneLine(facts)];
  return [make('div.final', {}, ...head), ...(games.length ? [gamesOf(match, games)] : []), ...times];
}

/** Last game, if it decided the match, or null. The head shows it, so the list of games leaves it out.
 * @param {Snapshot} match @param {Scored[]} games */
function decider(match, games) {
  const last = games.at(-1);
  const reached = Math.max(...match.score) >= match.length;
  return last && reached && String(last.score) === String(match.score) ? last : null;
}

/** @param {string[]} parts */
function inOneLine(parts) {
  const said = parts.filter(Boolean);
  return said.length ? [paragraph(said.join(' · '))] : [];
}

/** @param {Snapshot} match @returns {[number, number]} */
const winnersFirst = ({ winner, score: [left, right] }) => winner === 'left' ? [left, right] : [right, left];

/** How the match was won, in a few words; '' if that goes without saying.
 * @param {Snapshot} match */
export function byWhat(match) {
  const other = phrases.briefName(match, otherSeat(must(match.winner)));
  /** @type {Partial<Record<WonBy, string>>} */
  const words = {
    gammon: gettext('By a gammon'),
    backgammon: gettext('By a backgammon'),
    pass: gettext('%(name)s passed the last double', { name: other }),
    time: gettext('On time'),
    ended: gettext('The match was ended'),
  };
  return (match.won_by && words[match.won_by]) ?? '';
}

/** @param {Snapshot} match @param {Scored[]} games */
function gamesOf(match, games) {
  return make(
    'ol.bare.games-played',
    {},
    ...games.map((game) =>
      make(
        'li',
        {},
        make('b', {}, phrases.scoreOf(game.score)),
        make('span', {}, ...gameLine(match, game)),
      )
    ),
  );
}

/** Winner and result of a game; no line break between `Cube` and its value.
 * @param {Snapshot} match @param {Scored} game */
function gameLine(match, game) {
  const won = `${phrases.briefName(match, game.winner)} · ${howWon(game)}`;
  const cube = cubeOf(game);
  return cube ? [`${won} · `, make('span.together', {}, cube)] : [won];
}

/** @param {Scored} game */
function howWon({ how, points }) {
  if (how === 'pass') return gettext('Double passed');
  if (how === 'time') return gettext('On time');
  return how === '' ? phrases.points(points) : phrases.outcomeName(how);
}

/** @param {Scored} game */
const cubeOf = ({ cube }) => (cube > 1 ? gettext('Cube %(value)s', { value: cube }) : '');

/** How both used their time, as rows of a table: a label, then the figure of each seat.
 * @param {MatchSummary} summary @returns {[string, ...string[]][]} */
export function timeRows({ times }) {
  /** @param {string} words @param {(time: MatchSummary['times'][Seat]) => string} figure
   * @returns {[string, ...string[]]} */
  const row = (words, figure) => [words, ...SEATS.map((seat) => figure(times[seat]))];
  return [
    row(gettext('Turns'), ({ turns }) => String(turns)),
    row(gettext('Seconds per turn'), ({ average_ms: ms }) => (ms / 1000).toFixed(1)),
    row(gettext('Longest think'), ({ longest_ms: ms }) => thought(ms)),
    row(gettext('Time left'), ({ left_ms: ms }) => formatTime(ms)),
    row(gettext('Time given'), ({ given_ms: ms }) => formatTime(ms)),
  ];
}

/** @param {Snapshot} match @param {MatchSummary} summary */
function timesOf(match, summary) {
  const names = SEATS.map((seat) => make('th', { scope: 'col' }, phrases.briefName(match, seat)));
  return make(
    'table.times-used',
    {},
    make('thead', {}, make('tr', {}, make('td'), ...names)),
    make(
      'tbody',
      {},
      ...timeRows(summary).map(([words, ...figures]) =>
        make('tr', {}, make('th', { scope: 'row' }, words), ...figures.map((figure) => make('td', {}, figure)))
      ),
    ),
  );
}

/** Both players as `{seat, at, name}`, the winner first; `at` is the index of the seat.
 * @param {Snapshot} match */
export const winnerFirst = (match) => {
  const winner = must(match.winner);
  return [winner, otherSeat(winner)].map((seat) => ({ seat, at: indexOf(seat), name: phrases.nameOf(match, seat) }));
};
