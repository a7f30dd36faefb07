/**
 * What a flag means, in the rule book's terms: before anybody agrees, and once it is settled. Pure.
 */
import { formatDelay, formatTime } from './times.js';
import { indexOf, otherSeat } from '../match/clocks.js';
import { gettext, interpolate } from './i18n.js';
import * as phrases from './phrases.js';

const { nameOf } = phrases;

/** Return what the flag will mean once it is agreed, one line each; the first names the paragraph. */
export function consequenceLines(match, { seat, consequence }) {
  const { kind } = consequence;
  const winner = otherSeat(seat);
  const names = { name: nameOf(match, seat), opponent: nameOf(match, winner) };
  if (kind === 'lose-match') {
    return cited(match, [
      interpolate(gettext('%(name)s has used up the reserve and loses the match.'), names),
      ...savedLines(match),
    ]);
  }
  const lines = [];
  if (kind === 'penalty') {
    const score = phrases.scoreAfter(match, winner, consequence.points);
    const values = { ...names, points: phrases.points(consequence.points), score: phrases.scoreOf(score) };
    lines.push(interpolate(gettext('%(points)s to %(opponent)s, now %(score)s.'), values));
    if (score[indexOf(winner)] >= match.length) {
      return cited(match, [...lines, interpolate(gettext('%(opponent)s wins the match.'), names)]);
    }
  }
  if (kind === 'grace') {
    lines.push(
      interpolate(
        gettext('This game decides the match, so there are no points this once. %(name)s gets one grace.'),
        names,
      ),
    );
  }
  if (kind === 'next-control') {
    const delay = formatDelay(match.features.second_delay_ms);
    lines.push(
      gettext('No penalty. The second control starts.'),
      interpolate(gettext('Each turn has a delay of %(delay)s.'), { delay }),
    );
  }
  if (kind === 'overtime') lines.push(interpolate(gettext('%(name)s gets a warning and, once, overtime.'), names));
  if (consequence.reserve_ms) lines.push(resetLine(match, consequence.reserve_ms));
  if (consequence.cube_frozen) lines.push(frozenLine(match));
  return cited(match, lines);
}

/** @returns {string[]} */
const cited = ({ cite }, /** @type {string[]} */ [first, ...rest]) => [phrases.withCite(cite, first), ...rest];

/** Return what can save a player whose flag loses the match. */
export function savedLines(match) {
  const alone = phrases.hasNoDirector(match);
  const text = {
    gin: alone
      ? gettext('If the position is certain to win the match (gin), the flag does not count.')
      : gettext('If the position is certain to win the match (gin), the director rules instead.'),
    claim: alone
      ? gettext('If the match could already be claimed, the flag does not count.')
      : gettext('If the match could already be claimed, the director rules instead.'),
  }[match.features.saves];
  return text ? [text] : [];
}

/** Return how the reserves change, with what they will be. */
function resetLine(match, reserves) {
  const [before, after] = [match.reserve_ms.map((ms) => Math.max(0, ms)), reserves];
  const gains = after.map((ms, index) => ms - before[index]);
  const [left, right] = match.names;
  const values = { left, right, a: formatTime(after[0]), b: formatTime(after[1]) };
  if (gains[0] === gains[1]) {
    return interpolate(gettext('Both clocks get %(time)s more: %(left)s %(a)s, %(right)s %(b)s.'), {
      ...values,
      time: formatTime(gains[0]),
    });
  }
  if (after[0] === after[1] && gains[0] && gains[1]) {
    return interpolate(gettext('Both clocks are set to %(time)s.'), { time: values.a });
  }
  if (gains.includes(0)) {
    const changed = gains[0] ? 0 : 1;
    const one = {
      name: match.names[changed],
      time: formatTime(after[changed]),
      other: match.names[1 - changed],
      kept: formatTime(after[1 - changed]),
    };
    return interpolate(gettext('%(name)s’s clock is set to %(time)s. %(other)s keeps %(kept)s.'), one);
  }
  return interpolate(gettext('Clocks: %(left)s %(a)s, %(right)s %(b)s.'), values);
}

const frozenLine = (match) =>
  match.features.freezes_next && !match.cube.frozen
    ? gettext('The cube is frozen for this game and the next.')
    : gettext('The cube is frozen for this game.');

/** Tell whether the seat on turn has nothing left: its clock cannot start until that is settled. */
export function spent(match) {
  const { status, turn, limits, reserve_ms: reserves } = match;
  return status === 'stopped' && Boolean(turn) && limits && reserves !== null && reserves[indexOf(turn)] === 0 &&
    !delayLeft(match);
}

const delayLeft = (match) => match.kind === 'simple' && match.delay_ms[indexOf(match.turn)] > 0;

/** Return what applies now that a flag has been settled, one line each. */
export function settledLines(match) {
  const { stop, turn } = match;
  if (spent(match)) {
    const words = phrases.hasNoDirector(match)
      ? gettext('%(name)s has no time left. You can agree on more time, the score or the result.')
      : gettext('%(name)s has no time left. The director sets time, score or result.');
    return [interpolate(words, { name: nameOf(match, turn) })];
  }
  if (!stop || stop.reason !== 'flag' || match.control === 1) return [];
  return [secondControlLine(match)];
}

/** Say that the second control runs, with its delay. */
export const secondControlLine = (match) =>
  interpolate(gettext('Second control: each turn has a delay of %(delay)s.'), {
    delay: formatDelay(match.turn_delay_ms),
  });
