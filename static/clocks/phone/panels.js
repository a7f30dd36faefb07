/**
 * Panels of a half, in which players answer or agree on something. Pure functions.
 */
import { formatDelay, formatTime } from '../words/times.js';
import { indexOf, must, otherSeat } from '../match/clocks.js';
import { declinedLine, settledLines, spent } from '../words/terms.js';
import { answerLines, answersTo, mayWaive, owedLines, proposalLines } from '../words/terms.js';
import { gettext, ngettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
/** @import { Command, Seat } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { Mode } from './phone.d.ts' */

/**
 * Panel of a half.
 *
 * @typedef {object} PanelButton
 * @property {string} label
 * @property {Command} ask
 * @property {string} [kind]
 * @property {string} [again] label after the first tap, which asks for a second
 * @property {boolean} [press] acts when the finger lands, not when it is lifted
 *
 * @typedef {object} Panel
 * @property {string[]} lines
 * @property {string} [invite] code of the table, for the other player's phone
 * @property {string[][]} [rows]
 * @property {string[]} [foot]
 * @property {boolean} [card]
 * @property {PanelButton[]} buttons
 */

const { nameOf } = phrases;

/**
 * Panel of `seat`'s half in `mode`, or null if that mode has none; without `acts` it has no buttons and no foot.
 * @param {ShownMatch} match @param {Seat} seat @param {Mode} mode @param {boolean} acts @returns {Panel | null}
 */
export function panelOf(match, seat, mode, acts) {
  const panel = panelFor(match, seat, mode, acts);
  if (panel && !acts) return { ...panel, buttons: [], foot: [] };
  const buttons = panel ? panel.buttons.filter(({ ask }) => phrases.mayAsk(match, seat, ask.do)) : [];
  return panel && buttons.length < panel.buttons.length ? onLoan(match, seat, { ...panel, buttons }) : panel;
}

/** Panel of a seat on loan: why it lacks buttons, and a button that calls the director, unless called already.
 * @param {ShownMatch} match @param {Seat} seat @param {Panel} panel @returns {Panel} */
function onLoan(match, seat, panel) {
  /** @type {PanelButton} */
  const call = { label: gettext('Call the director'), ask: { do: 'call' } };
  const calls = match.status === 'over' || match.called || phrases.hasNoDirector(match) ? [] : [call];
  return { ...panel, foot: [phrases.loanLine(match, seat)], buttons: [...panel.buttons, ...calls] };
}

/**
 * Panel of the other player's card if their phone is `silent` and the next press is theirs: a button that presses for
 * them, after a second tap. Null otherwise. It can do nothing else: nobody decides for an absent player.
 * @param {ShownMatch} match @param {Seat} seat @param {Mode} mode @param {boolean} silent @returns {Panel | null}
 */
export function pressForPanel(match, seat, mode, silent) {
  if (!silent || !['turn', 'hold', 'ready', 'owed'].includes(mode)) return null;
  const values = { name: nameOf(match, seat) };
  return {
    lines: [phrases.phoneIsSilent(match, seat)],
    buttons: [
      {
        label: gettext('Press for %(name)s', values),
        again: gettext('Yes, press for %(name)s', values),
        ask: { do: 'hit', turn_number: match.turn_number },
      },
    ],
  };
}

/** Panel with all its buttons. Without `acts`, its text addresses nobody as “you”.
 * @param {ShownMatch} match @param {Seat} seat @param {Mode} mode @param {boolean} acts @returns {Panel | null} */
function panelFor(match, seat, mode, acts) {
  if (mode === 'setup') return match.stop ? breakPanel(match, seat, acts) : settingPanel(match, seat, acts);
  if (mode === 'asked') return cubePanel(match, acts);
  if (mode === 'flag' || mode === 'flag-other') return proposalPanel(match, seat, acts);
  if (mode !== 'over' && mode !== 'stopped') return null;
  if (match.proposal) return proposalPanel(match, seat, acts);
  return mode === 'over' ? resultPanel(match, seat, acts) : stoppedPanel(match, seat, acts);
}

/** Rows with each player's reserve; none if the rules hide them from spectators.
 * @param {ShownMatch} match */
const reserveRows = ({ names, reserve_ms }) => (reserve_ms ?? []).map((ms, index) => [names[index], formatTime(ms)]);

/** @param {ShownMatch} match @param {Seat} seat @param {boolean} acts @returns {Panel} */
function settingPanel(match, seat, acts) {
  const format = match.format === 'doubles' ? gettext('doubles') : gettext('singles');
  const values = { time: formatDelay(match.turn_delay_ms) };
  const delay = {
    none: gettext('none'),
    simple: gettext('%(time)s, then the reserve runs', values),
    bronstein: gettext('%(time)s, paid back at the press', values),
  }[match.kind];
  const score = phrases.scoreOf(match.score);
  const rows = [
    [gettext('Rules'), gettext(match.rules_name)],
    [gettext('Match'), gettext('to %(length)s · %(format)s', { length: match.length, format })],
    [gettext('Score'), match.score.some(Boolean) ? `${match.names[0]} ${score} ${match.names[1]}` : score],
    ...settingReserve(match),
    [gettext('Delay'), delay],
  ];
  const mine = match.confirmed[indexOf(seat)];
  const other = otherSeat(seat);
  const name = nameOf(match, other);
  const line = match.confirmed[indexOf(other)]
    ? gettext('%(name)s has confirmed.', { name })
    : match.seats[indexOf(other)].held
    ? gettext('%(name)s has not confirmed yet.', { name })
    : gettext('Waiting for %(name)s to join.', { name });
  /** @type {PanelButton[]} */
  const buttons = mine ? [] : [{ label: gettext('I confirm'), kind: 'primary', ask: { do: 'confirm' } }];
  const said = mine && acts ? [gettext('You have confirmed.'), line] : [line];
  if (match.seats[indexOf(other)].held || match.confirmed[indexOf(other)]) return { rows, lines: said, buttons };
  // Until the other player joins, the invitation is shown, and the settings take one line.
  const delayed = match.kind === 'none'
    ? gettext('no delay')
    : gettext('delay %(delay)s', { delay: formatDelay(match.turn_delay_ms) });
  const setting = [rows[0], rows[1], ...settingReserve(match)].map(([, value]) => value);
  return { invite: match.code, lines: [...said, [...setting, delayed].join(' · ')], buttons };
}

/** @param {ShownMatch} match */
function settingReserve(match) {
  if (match.reserve_ms === null) return [];
  const [left, right] = match.reserve_ms.map(formatTime);
  return [[
    gettext('Reserve'),
    left === right ? gettext('%(time)s each', { time: left }) : `${left} – ${right}`,
  ]];
}

/** Panel of a break between games: the recorded times, and who is back and has confirmed them.
 * @param {ShownMatch} match @param {Seat} seat @param {boolean} acts @returns {Panel} */
function breakPanel(match, seat, acts) {
  const mine = match.confirmed[indexOf(seat)];
  const other = otherSeat(seat);
  const name = nameOf(match, other);
  const back = match.confirmed[indexOf(other)]
    ? gettext('%(name)s is back and has confirmed.', { name })
    : gettext('%(name)s is not back yet.', { name });
  /** @type {PanelButton[]} */
  const buttons = mine
    ? []
    : [{ label: gettext('I’m back, and the times are right'), kind: 'primary', ask: { do: 'confirm' } }];
  const first = mine && acts
    ? gettext('You have confirmed the times.')
    : phrases.withCite(match.cite, gettext('Both times are recorded.'));
  return { rows: reserveRows(match), lines: [first, back], buttons };
}

/** @param {ShownMatch} match @param {boolean} acts @returns {Panel} */
function cubePanel(match, acts) {
  const doubler = must(match.cube.offered_by);
  const turn_number = match.turn_number;
  return {
    lines: acts ? [gettext('Your clock is running. Taking also presses it.')] : [],
    buttons: [
      { label: gettext('Take'), kind: 'primary', press: true, ask: { do: 'take', turn_number } },
      {
        label: gettext('Pass'),
        again: gettext('Pass: %(name)s scores %(points)s', {
          name: nameOf(match, doubler),
          points: phrases.points(match.cube.value),
        }),
        ask: { do: 'pass', turn_number },
      },
    ],
  };
}

/** @param {ShownMatch} match @param {Seat} seat @param {boolean} acts @returns {Panel} */
function stoppedPanel(match, seat, acts) {
  const { stop, turn } = match;
  const tells = stop && match.declined && match.declined.at >= stop.at;
  const declined = tells ? declinedLine(match, acts ? seat : null) : '';
  const lines = [declined, phrases.stopLine(match), ...settledLines(match)].filter(Boolean);
  if (match.owed_hit) return { lines: owedLines(match), buttons: [] };
  if (spent(match)) return { lines, buttons: [] };
  if (stop && stop.by === 'director') {
    return { lines: [...lines, gettext('Only the director can restart the clocks.')], buttons: [] };
  }
  if (!turn) return { lines, buttons: [{ label: gettext('Continue'), kind: 'primary', ask: { do: 'resume' } }] };
  /** @param {Seat} turn_of @returns {PanelButton} */
  const resume = (turn_of, more = {}) => ({
    label: gettext('Start %(name)s’s clock', { name: phrases.briefName(match, turn_of) }),
    ask: { do: 'resume', turn_of, ...more },
  });
  if (phrases.movesStopped(match) && turn !== seat) {
    return {
      lines: [
        ...lines,
        gettext('%(name)s moves now, with the clocks stopped.', { name: nameOf(match, turn) }),
      ],
      buttons: [{ label: gettext('I contest that'), ask: { do: 'stop', reason: 'contest' } }],
    };
  }
  if (phrases.isContested(match)) {
    const go = phrases.hasNoDirector(match)
      ? gettext('Agree on whose clock resumes.')
      : gettext('Agree on whose clock resumes, or wait for the director.');
    return { lines: [...lines, go], buttons: [resume(turn), resume(otherSeat(turn))] };
  }
  const first = phrases.resumesWith(match);
  const second = otherSeat(first);
  const again = gettext('%(name)s’s turn: tap again', { name: phrases.briefName(match, second) });
  /** @type {PanelButton[]} */
  const buttons = [{ ...resume(first), kind: 'primary' }];
  if (!match.cube.offered_by) buttons.push({ ...resume(second), again });
  if (match.features.fresh_delay) {
    buttons.push({ ...resume(turn, { fresh_delay: true }), label: gettext('Ask for a full delay') });
  }
  return { lines: [...lines, gettext('It is %(name)s’s turn.', { name: nameOf(match, turn) })], buttons };
}

/** @param {ShownMatch} match @param {Seat} seat @param {boolean} acts @returns {Panel} */
function proposalPanel(match, seat, acts) {
  const { proposal } = match;
  if (!proposal) return { lines: [phrases.stopLine(match)], buttons: [] };
  /** @template {'agree' | 'decline'} What @param {What} what */
  const answer = (what) => ({ do: what, proposal: proposal.number });
  const lines = proposalLines(match, proposal, acts ? seat : null);
  const labels = answersTo(match, seat);
  const other = nameOf(match, otherSeat(seat));
  const agreed = proposal.agreed.includes(seat);
  const foot = answerLines(match, seat);
  const waits = phrases.hasNoDirector(match)
    ? gettext('You agreed. Waiting for %(name)s.', { name: other })
    : gettext('You agreed. Waiting for %(name)s or the director.', { name: other });
  if (agreed) foot.push(waits);
  else if (proposal.agreed.length) foot.push(gettext('%(name)s has agreed.', { name: other }));
  if (proposal.disputed && match.declined) {
    const values = { name: phrases.actorOf(match, match.declined.by) };
    foot.push(gettext('%(name)s declined. Waiting for the director to decide.', values));
  }
  if (proposal.by === seat) {
    if (!proposal.disputed) foot.push(gettext('Waiting for %(name)s to answer.', { name: other }));
    return { lines, foot, card: true, buttons: [{ label: gettext('Withdraw'), ask: answer('decline') }] };
  }
  /** @type {PanelButton[]} */
  const buttons = agreed
    ? [{ label: gettext('Withdraw'), ask: { do: 'withdraw' } }]
    : [{ label: labels.agree, kind: 'primary', ask: answer('agree') }];
  if (!proposal.disputed && labels.decline) {
    const again = mayWaive(match, seat) ? gettext('Tap again: %(name)s plays on', { name: other }) : '';
    buttons.push({ label: labels.decline, ask: answer('decline'), ...(again ? { again } : {}) });
  }
  return { lines, foot, card: true, buttons };
}

/** Panel of a finished match. Spectators see the result in the winner's half, and each time in its player's.
 * @param {ShownMatch} match @param {Seat} seat @param {boolean} acts @returns {Panel} */
function resultPanel(match, seat, acts) {
  const presses = (/** @type {number} */ count) => ngettext('%(count)s press', '%(count)s presses', count, { count });
  const rows = reserveRows(match).map(([name, time], index) => [name, time, presses(match.hits[index])]);
  if (acts) return { lines: [phrases.resultLine(match)], rows, buttons: [] };
  const own = rows.slice(indexOf(seat)).slice(0, 1).map(([, ...time]) => [gettext('Time left'), ...time]);
  return {
    lines: [(match.winner === seat ? phrases.resultLine : phrases.nameOf)(match, seat)],
    rows: own,
    buttons: [],
  };
}
