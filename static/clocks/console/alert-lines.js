/**
 * Text and buttons for each kind of alert in the lane: what has happened, its consequence, and what the director can do
 * right there.
 */
import { formatTime } from '../words/times.js';
import { gettext, ngettext, pgettext } from '../words/i18n.js';
import { decidesEnd } from './changes.js';
import { endSays } from './pace.js';
import { aloneSays, callSays, flagSays, reasonSays } from './short-words.js';
import { consequenceSays, proposalSays } from '../words/terms-short.js';
import { actorOf, isContested, nameOf, resumesWith, scoreOf, stopLine } from '../words/phrases.js';
import { roundName } from '../words/rounds.js';
import { must, SEATS } from '../match/clocks.js';
/** @import { LatePress, Seat } from '../match/protocol.d.ts' */
/** @import { Alert, AlertGroup, AlertKind, AlertPage, Board } from './console.d.ts' */
/** @import { Describe, LaneButton, LaneLine, Says } from './console.d.ts' */

/** Format milliseconds as seconds with at most two decimals: `3`, `0.25`.
 * @param {number} ms */
const inSeconds = (ms) => String(Math.round(ms / 10) / 100);

/**
 * Make `describe(alert)`, which returns the contents of an alert's line.
 *
 * `page.may` holds the user's permissions, `page.me` is the user's name. If there are several rounds in `page.played`,
 * each line names its round.
 * @param {AlertPage} page @returns {Describe}
 */
export function describer(page) {
  return (alert) => {
    if (alert.group) return groupLine(alert, page);
    const { board } = alert;
    const says = /** @type {Says} */ (ALERTS[alert.kind]);
    const { what, detail = '', buttons = [] } = says(board, alert, page);
    const open = { label: gettext('Open'), act: () => page.open(board.match) };
    const round = page.played.size > 1 ? roundName(board) : '';
    return {
      open: open.act,
      head: gettext('Table %(table)s', { table: board.table }),
      players: `${board.names.join(' – ')}  `,
      score: scoreOf(board.score),
      what,
      detail: [round, detail].filter(Boolean).join(' · '),
      coming: !alert.taken
        ? ''
        : alert.taken.by === page.me
        ? gettext('You are coming')
        : gettext('%(name)s is coming', { name: alert.taken.by }),
      buttons: !page.mayRule
        ? [open]
        : ['late', 'seat', 'lent', 'entered'].includes(alert.kind)
        ? buttons
        : [...buttons, ...coming(alert, page), open],
    };
  };
}

/** “I’m coming” button, also to replace another director; none for a call, which has its own, or if the user is coming.
 * @param {Alert} alert @param {AlertPage} page @returns {LaneButton[]} */
function coming(alert, page) {
  if (alert.kind === 'call' || alert.taken?.by === page.me) return [];
  return [{
    label: alert.taken ? gettext('I’m coming instead') : gettext('I’m coming'),
    act: () => page.coming(alert),
  }];
}

/**
 * Buttons to agree to a proposal and to decline it. Declining needs a reason, so it opens the drawer at the note. If
 * agreeing would decide the match, users without permission to end it get only the second; the drawer says why.
 * @param {Board} board @param {AlertPage} page @param {Partial<LaneButton> & { label: string }} agree
 */
function agreeOrDecline(board, page, agree, declines = gettext('Decline')) {
  const terms = must(board.proposal);
  const { number: proposal } = terms;
  const yes = { main: true, proposal, act: () => page.ask(board.match, { do: 'agree', proposal }), ...agree };
  const no = { label: declines, proposal, act: () => page.open(board.match, 'note') };
  return page.may.has('end') || !decidesEnd(board, terms) ? [yes, no] : [no];
}

/** @param {Board} board @param {LatePress} press */
function heldUp(board, press) {
  const values = {
    name: nameOf(board, press.seat),
    late: inSeconds(press.late_ms),
    credit: inSeconds(press.credit_ms),
  };
  return gettext('%(name)s’s phone was delayed by %(late)s s · credited %(credit)s s', values);
}

/** @type {{ [Kind in AlertKind]: Says<Kind> }} */
const ALERTS = {
  flag: (board, alert, page) => ({
    what: flagSays(board),
    detail: consequenceSays(board),
    buttons: agreeOrDecline(board, page, {
      label: gettext('Apply'),
      // Ending the match takes a second press, with this label.
      confirm: decidesEnd(board, must(board.proposal)) ? gettext('End the match') : null,
    }),
  }),
  call: (board, alert, page) => ({
    what: board.called_by === 'left' || board.called_by === 'right'
      ? gettext('Director called by %(name)s', { name: nameOf(board, board.called_by) })
      : gettext('Director called'),
    detail: board.call_note || (isContested(board) ? stopLine(board) : ''),
    buttons: [{
      label: gettext('I’m coming'),
      main: true,
      act: () => Promise.all([page.coming(alert), page.ask(board.match, { do: 'answer' })]),
    }],
  }),
  awaited: (board, alert, page) => ({
    what: gettext('Players are waiting'),
    detail: isContested(board) ? stopLine(board) : callSays(board),
    buttons: board.turn && !isContested(board)
      ? [{
        label: gettext('Resume'),
        key: 'r',
        act: () => page.ask(board.match, { do: 'resume', turn_of: resumesWith(board) }),
      }]
      : [],
  }),
  declined: (board, alert, page) => ({
    what: gettext('They disagree: %(what)s', { what: proposalSays(board) }),
    detail: board.call_note,
    // Translators: the director decides for or against what one player proposed and the other declined.
    buttons: agreeOrDecline(board, page, { label: gettext('Uphold') }, pgettext('proposal', 'Dismiss')),
  }),
  proposal: (board, alert, page) => ({
    what: gettext('%(by)s proposes', { by: actorOf(board, must(board.proposal).by) }),
    detail: proposalSays(board),
    buttons: agreeOrDecline(board, page, { label: gettext('Agree') }),
  }),
  late: (board, alert, page) => ({
    what: gettext('Late press'),
    detail: heldUp(board, alert.press),
    buttons: [
      {
        label: gettext('Give back %(time)s s', { time: inSeconds(alert.press.charged_ms) }),
        act: () => giveBack(board, alert, page),
      },
      { label: pgettext('alert', 'Dismiss'), act: () => page.dismiss(alert) },
    ],
  }),
  entered(board, alert, page) {
    const strangers = SEATS.filter((seat) => board.by_players?.includes(seat));
    const strike = {
      label: gettext('Strike out'),
      act: () => page.strikeOut(board),
      confirm: gettext('Strike out the match'),
    };
    const ways = [{ label: pgettext('alert', 'Dismiss'), act: () => page.dismiss(alert) }, {
      label: gettext('Open'),
      act: () => page.open(board.match),
    }];
    return {
      what: gettext('Entered by the players'),
      detail: strangers.length === 0
        ? ''
        : gettext('not in the list of players: %(names)s', { names: namesAt(board, strangers) }),
      buttons: page.may.has('delete') ? [strike, ...ways] : ways,
    };
  },
  lent(board, { seat }, page) {
    // Translators: the phone that has the seat.
    const allow = { label: gettext('Let it play'), act: () => page.ask(board.match, { do: 'grant-seat', seat }) };
    const back = { label: gettext('Give it back'), act: () => page.ask(board.match, { do: 'release-seat', seat }) };
    return {
      what: gettext('Seat changed hands'),
      detail: gettext('another phone has %(name)s’s seat on loan', { name: nameOf(board, seat) }),
      buttons: page.may.has('seat') ? [allow, back] : [],
    };
  },
  seat(board, { ask }, page) {
    const names = ask.seats.map((seat) => nameOf(board, seat)).join(', ');
    const give = { label: gettext('Hand it over'), act: () => page.settleSeat(board, ask, true) };
    const keep = { label: gettext('Keep it'), act: () => page.settleSeat(board, ask, false) };
    return {
      what: gettext('Seat request'),
      detail: gettext('another phone wants %(names)s’s seat', { names }),
      buttons: page.may.has('seat') ? [give, keep] : [],
    };
  },
  alone: (_board, alert) => ({
    what: aloneSays(alert.since),
    detail: gettext('It has no network, and its clock goes on. No flag falls until it is back.'),
  }),
  'both-gone': () => ({ what: gettext('Both phones offline') }),
  'one-gone': (board, alert) => ({ what: gettext('%(name)s’s phone is offline', { name: nameOf(board, alert.seat) }) }),
  stop: (board) => ({ what: gettext('Long stop'), detail: reasonSays(board.stop?.reason) }),
  low: (board, alert) => ({
    what: gettext('Low reserve'),
    detail: gettext('%(name)s has %(time)s', { name: nameOf(board, alert.seat), time: formatTime(alert.left) }),
  }),
  'holds-up': (board, { end }) => ({ what: gettext('Holds up the round'), detail: endSays(end) }),
  'not-started': (board, alert, page) => ({
    what: gettext('Not started'),
    detail: page.missing(board) || (board.status === 'setup' ? gettext('the settings are not confirmed') : ''),
    buttons: board.status === 'setup'
      ? [{ label: gettext('Confirm for both'), act: () => page.ask(board.match, { do: 'confirm' }) }]
      : [],
  }),
};

/** Names of the players in these seats.
 * @param {Board} board @param {Seat[]} seats */
const namesAt = (board, seats) => seats.map((seat) => nameOf(board, seat)).join(', ');

/** @param {Board} board @param {Alert<'late'>} alert @param {AlertPage} page */
async function giveBack(board, alert, page) {
  const { press } = alert;
  const note = `late press: held up ${inSeconds(press.late_ms)} s by the network`; // records are in English
  const { seat, charged_ms: by_ms } = press;
  if (await page.ask(board.match, { do: 'propose', what: 'time', seat, by_ms, note })) page.dismiss(alert);
}

/** @type {Partial<Record<AlertKind, string>>} */
const GATHERED = {
  alone: gettext('On the phone, without a network'),
  'one-gone': gettext('One phone offline'),
  proposal: gettext('Open proposals'),
  stop: gettext('Long stop'),
  low: gettext('Low reserve'),
  awaited: gettext('Players are waiting'),
  'not-started': gettext('Not started'),
  'holds-up': gettext('Holds up the round'),
  entered: gettext('Entered by the players'),
};

/** @param {AlertGroup} group @param {AlertPage} page @returns {LaneLine} */
function groupLine({ kind, group }, page) {
  const shown = group.slice(0, 12).map(({ board }) => board.table);
  const rest = group.length - shown.length;
  const tables = shown.join(', ');
  return {
    head: ngettext('%(n)s table', '%(n)s tables', group.length, { n: group.length }),
    players: '',
    what: GATHERED[kind] ?? '',
    detail: rest > 0
      ? ngettext('%(tables)s and %(n)s more', '%(tables)s and %(n)s more', rest, { tables, n: rest })
      : tables,
    open: () => page.showKind(kind),
    buttons: [{ label: gettext('Show'), act: () => page.showKind(kind) }],
  };
}
