/**
 * Decision that a board needs from the director: a sentence, a preview, and its buttons.
 */

import { must, SEATS } from '../match/clocks.js';
import { cannotBeDeclined, owedLines, savedLines, settledLines, spent } from '../words/terms.js';
import { changesOf, decidesEnd, DIRECTOR_HAS_TO, resumeChanges } from './changes.js';
import { button, choice, make, mark, noteField, write } from '../browser/dom.js';
import { hasFaults } from './faults.js';
import { changeList } from './forms.js';
import { gettext, pgettext } from '../words/i18n.js';
import { callSays, flagSays, reasonSays } from './short-words.js';
import { consequenceSays, expiryOf, proposalSays, reservesSay } from '../words/terms-short.js';
import { actorOf, clockIsRunning, nameOf, resumesWith, stopLine, withCite } from '../words/phrases.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { AskBoard, Board, Current, DuePart } from './console.d.ts' */

/** @typedef {(board: Board, ask: AskBoard, may: Set<string>) => DuePart} Part */

const DIRECTORS_REASONS = /** @type {const} */ (['director', 'break', 'dice', 'contest', 'score', 'other']);

/** Key of the decision due, which is redrawn when its key changes.
 * @param {Board} board */
export function dueKey(board) {
  const { status, turn, game, proposal, called, call_note: note, confirmed, stop, winner, score, owed_hit: owed } =
    board;
  return JSON.stringify([
    status,
    status === 'running' ? null : turn, // a press must not take away the chosen reason, or a button under a finger
    game,
    proposal,
    called,
    note,
    confirmed,
    stop,
    winner,
    score,
    owed,
    spent(board),
  ]);
}

/**
 * Build the decision due. `current()` returns the current `{board, now}`; `ask(command)` sends a command; `may` holds
 * the user's permissions. Returns `{node, update}`; `update()` refreshes the preview.
 * @param {Board} board @param {() => Current} current @param {AskBoard} ask @param {Set<string>} may
 */
export function due(board, current, ask, may) {
  /** @type {Part} */
  const describe = { setup, ready, running, stopped, flagged, over }[board.status];
  const { words, form = [], lines = () => [], refresh = () => {} } = describe(board, ask, may);
  const changes = changeList();
  const update = () => {
    const { board: present, now } = current();
    refresh(present);
    changes.update(lines(present, now));
  };
  update();
  const waits = board.called || (board.call_note && board.status === 'stopped');
  const call = waits && !board.proposal ? say(callSays(board)) : null;
  const node = make(
    'section.card.due',
    { 'data-status': board.status },
    call,
    words,
    changes.node,
    may.has('rule') ? form : null,
  );
  node.addEventListener('input', update);
  return { node, update };
}

const say = (/** @type {string} */ text) => make('p.due-words', {}, text);

/** @type {Part} */
function setup(board, ask) {
  const waiting = SEATS.filter((seat, index) => !board.confirmed[index]).map((seat) => nameOf(board, seat));
  return {
    words: [
      board.stop ? say(stopLine(board)) : null,
      board.stop
        ? say(withCite(board.cite, gettext('Recorded: %(times)s.', { times: reservesSay(board, board.reserve_ms) })))
        : null,
      say(gettext('Not confirmed yet by %(names)s.', { names: waiting.join(', ') })),
    ],
    form: make(
      'div.row',
      {},
      button(gettext('Confirm for both'), () => ask({ do: 'confirm' }), 'primary'),
      coming(board, ask),
    ),
  };
}

/** Button that answers the call, if there is one.
 * @param {Board} board @param {AskBoard} ask */
function coming(board, ask) {
  return board.called ? button(gettext('I’m coming'), () => ask({ do: 'answer' }), 'primary') : null;
}

/** @type {Part} */
function ready(board, ask) {
  return {
    words: say(gettext('The clocks are stopped before game %(n)s. Whoever rolled lower presses.', { n: board.game })),
    form: make(
      'div.row',
      {},
      button(gettext('Begin a break'), () => ask({ do: 'stop', reason: 'break' }), 'button'),
      coming(board, ask),
    ),
  };
}

/** @type {Part} */
function running(board, ask) {
  const reason = make(
    'select',
    { 'aria-label': gettext('Why') },
    DIRECTORS_REASONS.map((value) => make('option', { value }, reasonSays(value))),
  );
  const words = say('');
  return {
    words,
    refresh: (present) => present.turn && write(words, `${clockIsRunning(present, present.turn)}.`),
    form: make(
      'div.row',
      {},
      button(
        gettext('Stop both clocks'),
        () => ask({ do: 'stop', reason: DIRECTORS_REASONS[reason.selectedIndex] }),
        'primary',
      ),
      reason,
    ),
  };
}

/** @type {Part} */
function over(board) {
  return {
    words: say(
      board.winner
        ? gettext('%(name)s won the match.', { name: nameOf(board, board.winner) })
        : gettext('The match is over.'),
    ),
  };
}

/** @type {Part} */
function flagged(board, ask, may) {
  return {
    words: [
      say(flagSays(board)),
      say(prescribed(board)),
      ...(expiryOf(board)?.consequence.kind === 'lose-match' ? savedLines(board).map(say) : []),
    ],
    lines: (present, now) => (present.proposal ? changesOf(present, present.proposal, now) : []),
    form: agreeOrDecline(board, ask, may, {
      agree: decidesEnd(board, must(board.proposal)) ? gettext('Apply: the match ends') : gettext('Apply'),
      decline: gettext('Decline'),
    }),
  };
}

/** @param {Board} board */
function prescribed(board) {
  const values = { cite: board.cite, consequence: consequenceSays(board) };
  return board.cite
    ? gettext('%(cite)s prescribes: %(consequence)s.', values)
    : gettext('The rules prescribe: %(consequence)s.', values);
}

/** Form to agree or decline; the note is required to decline.
 * @param {Board} board @param {AskBoard} ask @param {Set<string>} may
 * @param {{ agree: string, decline: string }} words */
function agreeOrDecline(board, ask, may, words) {
  const terms = must(board.proposal);
  const { number: proposal } = terms;
  const denied = !may.has('end') && decidesEnd(board, terms);
  const note = noteField(gettext('Note for the record (required to decline)'), { longest: 400, kind: 'field' });
  const decline = () => {
    note.input.required = true;
    if (!hasFaults(note.element)) ask({ do: 'decline', proposal, note: note.read() });
  };
  const agree = () => ask({ do: 'agree', proposal, note: note.read() });
  mark(note.input, 'data-note', true);
  return [
    note.element,
    make(
      'div.row',
      {},
      denied ? null : button(words.agree, agree, 'primary'),
      button(words.decline, decline, 'button'),
    ),
    denied ? make('p.why-not', {}, DIRECTOR_HAS_TO) : null,
  ];
}

/** @type {Part} */
function stopped(board, ask, may) {
  if (board.proposal) return proposed(board, ask, may);
  const lines = board.owed_hit ? owedLines(board) : [stopLine(board), ...settledLines(board)];
  const words = lines.map(say);
  const answer = board.called ? make('div.row', {}, coming(board, ask)) : null;
  if (!board.turn) return { words, form: answer };
  const resuming = resume(board, ask);
  return { words, form: [answer, resuming.form], lines: resuming.lines };
}

/** @param {Board} board @param {AskBoard} ask */
function resume(board, ask) {
  const next = resumesWith(board);
  const fresh = make('input', { type: 'checkbox', name: 'fresh' });
  let seat = next;
  const chosen = () => ({ turn_of: seat, fresh_delay: fresh.checked });
  const act = () => {
    const { fresh_delay: anew, ...command } = chosen();
    ask({ do: 'resume', ...command, ...(anew && { fresh_delay: true }) });
  };
  /** @type {[Seat, string][]} */
  const players = SEATS.map((one) => {
    const name = nameOf(board, one);
    return [one, one === board.turn ? gettext('%(name)s (was on turn)', { name }) : name];
  });
  const form = make(
    'div.resume',
    {},
    choice(gettext('Whose clock resumes'), players, next, { name: 'turn_of', changed: (one) => (seat = one) }),
    board.turn_delay_ms ? make('label.check', {}, fresh, make('span', {}, gettext('with a full delay'))) : null,
    make('div.row', {}, button(gettext('Resume'), act, board.called ? 'button' : 'primary')),
  );
  return {
    form,
    lines: (/** @type {Board} */ present, /** @type {number} */ now) => resumeChanges(present, chosen(), now),
  };
}

/** @type {Part} */
function proposed(board, ask, may) {
  const proposal = must(board.proposal);
  const said = { by: actorOf(board, proposal.by), what: proposalSays(board) };
  const what = proposal.disputed
    ? gettext('They disagree: %(what)s', said)
    : gettext('%(by)s proposes: %(what)s.', said);
  const words = [say(what), ...rulingLine(board).map(say)];
  if (proposal.disputed) {
    words.push(say(gettext('%(by)s proposed it, and the other player has declined. The director must rule.', said)));
    if (board.call_note) words.push(say(callSays(board)));
  } else if (board.called) words.push(say(callSays(board)));
  return {
    words,
    lines: (present, now) => (present.proposal ? changesOf(present, present.proposal, now) : []),
    form: agreeOrDecline(board, ask, may, {
      agree: proposal.disputed ? gettext('Uphold') : gettext('Agree'),
      decline: proposal.disputed ? pgettext('proposal', 'Dismiss') : gettext('Decline'),
    }),
  };
}

/** Advice on how to rule on an offer, as a list of at most one line.
 * @param {Board} match */
function rulingLine(match) {
  const { features, cite } = match;
  const proposal = must(match.proposal);
  if (proposal.what !== 'offer') return [];
  const name = actorOf(match, proposal.by);
  const says = (/** @type {string} */ text) => [withCite(cite, text)];
  if (cannotBeDeclined(match, proposal)) {
    return says(gettext('A concession of the greatest possible number of points cannot be declined.'));
  }
  if (features.declined_offer !== 'dispute') {
    return features.saves === 'gin' ? says(gettext('A gin outcome may not be rejected.')) : [];
  }
  return says(
    gettext('Agree if no better outcome is possible. Otherwise decline, and %(name)s’s clock is restarted.', { name }),
  );
}
