/**
 * The director's rulings: labels, fields and warnings. Their form is in ruling-form.js.
 */

import { entered, field, number, presets, readTime, requiredChoice, seats } from './forms.js';
import { indexOf, must, SEATS, timesAt } from '../match/clocks.js';
import { formatTime } from '../words/times.js';
import { flagsWhileWaiting } from './changes.js';
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { nameOf, scoreOf } from '../words/phrases.js';
/** @import { Crawford, Pair, Seat } from '../match/protocol.d.ts' */
/** @import { Board, Rulings } from './console.d.ts' */

/** Reason to block rulings on a match that is over; else ''.
 * @param {Board} board */
export const blockedByEnd = (board) =>
  board.status === 'over' ? gettext('The match is over. Take back its end, or correct its score.') : '';

const blockedByProposal = (
  /** @type {Board} */ board,
) => (board.proposal ? gettext('Answer the open proposal first.') : '');

/** Reason to block most rulings; '' if none. The server decides; this only saves a rejected request.
 * @param {Board} board */
const blocked = (board) =>
  blockedByEnd(board) || blockedByProposal(board) ||
  (board.status === 'setup' ? gettext('The settings are not confirmed yet.') : '');

/** Seats as options of a choice.
 * @param {Board} board @param {Seat[]} some @returns {[string, string][]} */
const named = (board, some = SEATS) => some.map((seat) => [seat, nameOf(board, seat)]);

/** @param {FormData} data @param {string} name */
const seatIn = (data, name) => /** @type {Seat | ''} */ (entered(data, name));

const forfeiter = (/** @type {Board} */ board) => SEATS.find((seat, index) => board.forfeit[index]);

/**
 * Each ruling: `label` of its button, `title`, `blocked(board)` (why it cannot be made now, or ''), `fields(board)`,
 * `terms(data, board, now)` (null while incomplete). Some have `warn(board, terms, now)` (a warning, or ''),
 * `page(board)` (path of the match's page that replaces the form, or '') and `offered(board)` (false hides the button;
 * without it, a blocked button is only disabled, so that all keep their places).
 *
 * @type {Rulings}
 */
export const RULINGS = {
  time: {
    label: gettext('Time'),
    title: gettext('Adjust a time'),
    blocked,
    fields(board) {
      const amount = make('input', {
        name: 'amount',
        inputmode: 'text',
        autocomplete: 'off',
        placeholder: '1:30',
        required: true,
        title: gettext('Write a time as minutes:seconds, such as 1:30.'),
        pattern: '\\s*(\\d{1,2}:(?=\\d\\d:))?\\d{1,3}:[0-5]\\d\\s*',
      });
      /** @type {[string, string][]} */
      const quick = ['0:12', '1:00', '2:00', '5:00'].map((value) => [value, value]);
      /** @type {[string, string][]} */
      const whose = [...named(board), ['both', gettext('Both players')]];
      return [
        requiredChoice(gettext('Whose time'), 'seat', whose, board.turn),
        requiredChoice(
          gettext('What to do'),
          'sign',
          [['1', gettext('Give')], ['-1', gettext('Take away')], ['set', gettext('Set to')]],
          '1',
        ),
        field(gettext('How much (minutes:seconds)'), amount),
        presets(amount, quick),
      ];
    },
    /** Terms for each player whose time changes, computed from the current clock. */
    terms(data, board, now) {
      const amount = readTime(entered(data, 'amount'));
      const whose = /** @type {Seat | 'both' | ''} */ (entered(data, 'seat'));
      if (!amount || !whose) return null;
      const shown = timesAt(board, now).reserve_ms;
      const by = (/** @type {Seat} */ seat) =>
        data.get('sign') === 'set'
          ? Math.round(amount - shown[indexOf(seat)]) // `shown` has fractions of a millisecond while the clock runs
          : amount * Number(data.get('sign'));
      const changing = (whose === 'both' ? SEATS : [whose])
        .map((seat) => ({ what: /** @type {const} */ ('time'), seat, by_ms: by(seat) }))
        .filter((each) => each.by_ms !== 0);
      return changing.length > 0 ? changing : null;
    },
    warn(board, terms, now) {
      const left = timesAt(board, now).reserve_ms[indexOf(terms.seat)];
      if (left + terms.by_ms > 0) return '';
      return gettext('%(name)s has only %(left)s left: you cannot take away that much.', {
        name: nameOf(board, terms.seat),
        left: formatTime(left),
      });
    },
  },
  score: {
    label: gettext('Score'),
    title: gettext('Correct the score'),
    /** A separate page shows the effects of the result on later rounds. */
    page: (board) => (board.status === 'over' && board.round ? 'result/' : ''),
    blocked: (board) => (board.status === 'over' ? '' : blocked(board)),
    fields: (board) => [
      make(
        'div.two',
        {},
        SEATS.map((seat, index) =>
          field(board.names[index], number(`score-${seat}`, board.score[index], 0, board.length))
        ),
      ),
      field(
        gettext('Crawford game'),
        make(
          'select',
          { name: 'crawford' },
          [['', gettext('as the score says')], ['none', gettext('not yet')], ['now', gettext('this game')], [
            'done',
            gettext('already played'),
          ]]
            .map(([value, label]) => make('option', { value }, label)),
        ),
      ),
    ],
    terms(data) {
      const score = SEATS.map((seat) => entered(data, `score-${seat}`));
      if (!score.every((points) => /^\d+$/.test(points))) return null;
      const crawford = /** @type {Crawford | ''} */ (entered(data, 'crawford'));
      return {
        what: 'score',
        score: /** @type {Pair} */ (score.map(Number)),
        ...(crawford && { crawford }),
      };
    },
  },
  cube: {
    label: gettext('Cube'),
    title: gettext('Correct the cube'),
    blocked,
    fields: (board) => [
      field(
        gettext('Value'),
        make(
          'select',
          { name: 'value' },
          [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((value) =>
            make('option', { value, selected: value === board.cube.value }, String(value))
          ),
        ),
      ),
      requiredChoice(
        gettext('Whose'),
        'owner',
        [['left', board.names[0]], ['', gettext('in the middle')], ['right', board.names[1]]],
        board.cube.owner ?? '',
      ),
    ],
    terms(data) {
      const value = Number(data.get('value'));
      return { what: 'cube', value, owner: value === 1 ? null : seatIn(data, 'owner') || null };
    },
  },
  game: {
    label: gettext('Game result'),
    title: gettext('End this game'),
    blocked: (board) => blocked(board) || (board.status === 'ready' ? gettext('No game is being played.') : ''),
    fields(board) {
      const points = number('points', board.cube.value, 1, 3 * board.cube.value);
      const kinds = [gettext('single'), gettext('gammon'), gettext('backgammon')];
      return [
        seats(board, gettext('Who won the game'), 'winner', null),
        field(gettext('Points'), points),
        presets(
          points,
          kinds.map((kind, index) => {
            const worth = String((index + 1) * board.cube.value);
            return [`${kind} ${worth}`, worth];
          }),
        ),
      ];
    },
    terms(data) {
      const points = Number(data.get('points'));
      const winner = seatIn(data, 'winner');
      return winner && points > 0 ? { what: 'game', winner, points } : null;
    },
  },
  undo: {
    label: gettext('Undo press'),
    title: gettext('Take back the last press'),
    blocked: (board) => blocked(board) || (board.undo ? '' : gettext('There is no press to take back.')),
    fields: (
      board,
    ) => [
      make(
        'p',
        {},
        gettext('%(name)s made the last press. Nobody is charged for the time since then.', {
          name: nameOf(board, must(board.undo)),
        }),
      ),
    ],
    terms: () => ({ what: 'undo' }),
  },
  'dice-penalty': {
    label: gettext('Dice penalty'),
    title: gettext('Dice taken too soon'),
    blocked: (board) =>
      blocked(board) ||
      (board.features.dice_penalty ? '' : gettext('These rules set no penalty for dice taken too soon.')),
    fields: (board) => [seats(board, gettext('Who took the dice too soon'), 'against', null)],
    terms(data) {
      const against = seatIn(data, 'against');
      return against ? { what: 'dice-penalty', against } : null;
    },
    warn(board, terms, now) {
      if (!flagsWhileWaiting(board, terms.against, now)) return '';
      const left = formatTime(timesAt(board, now).reserve_ms[indexOf(terms.against)]);
      return gettext(
        '%(name)s has %(left)s left. Under this rule the reserve runs during the wait, so the flag falls before the roll.',
        { name: nameOf(board, terms.against), left },
      );
    },
  },
  'drop-forfeit': {
    label: gettext('Drop forfeit'),
    title: gettext('Drop a forfeited delay'),
    blocked,
    offered: (board) => forfeiter(board) !== undefined,
    fields: (
      board,
    ) => [
      requiredChoice(
        gettext('Whose forfeit'),
        'seat',
        named(board, SEATS.filter((seat, index) => board.forfeit[index])),
        forfeiter(board) ?? null,
      ),
    ],
    terms(data) {
      const seat = seatIn(data, 'seat');
      return seat ? { what: 'drop-forfeit', seat } : null;
    },
  },
  reopen: {
    label: gettext('Take back the end'),
    title: gettext('Take back the end'),
    page: (board) => (board.status === 'over' && board.round ? 'reopen/' : ''),
    blocked: (board) => (board.status === 'over' ? '' : blockedByProposal(board)),
    offered: (board) => Boolean(board.reopens),
    fields: () => [
      make(
        'p',
        {},
        gettext(
          'Clocks, cube, score and turn go back to what they were before the end. Start the clocks when both players are ready.',
        ),
      ),
    ],
    terms: () => ({ what: 'reopen' }),
  },
  end: {
    label: gettext('End match'),
    title: gettext('End the match'),
    blocked: (board) => blockedByEnd(board) || blockedByProposal(board),
    fields: (board) => [seats(board, gettext('Who wins the match'), 'winner', null)],
    terms(data) {
      const winner = seatIn(data, 'winner');
      return winner ? { what: 'end', winner } : null;
    },
    warn: (board) =>
      gettext('The match ends at %(score)s and nothing more can be played.', { score: scoreOf(board.score) }),
  },
};
