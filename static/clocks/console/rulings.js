/**
 * The director's rulings: for each a small form, what it would change, and a reason. A ruling takes effect at once.
 */

import { changeList, choice, field, number, presets, readTime, seats } from './forms.js';
import { clocksAt, indexOf, SEATS } from '../match/clocks.js';
import { formatTime } from '../words/times.js';
import { changesOf, decidesEnd, directorHasTo, flagsWhileWaiting } from './changes.js';
import { make, mark, write } from '../browser/dom.js';
import { _ } from '../words/i18n.js';
import { nameOf, scoreOf } from '../words/phrases.js';

/** Say why a ruling cannot be made now; '' when it can. The server decides; this spares a refusal. */
export function blocked(board, what) {
  if (what === 'reopen' && board.status === 'over') return '';
  if (board.status === 'over') {
    return what === 'score' ? '' : _('The match is over. Take back its end, or correct its score.');
  }
  if (board.proposal) return _('Answer the open proposal first.');
  if (what === 'reopen') return '';
  if (board.status === 'setup') return what === 'end' ? '' : _('The settings are not confirmed yet.');
  if (what === 'game' && board.status === 'ready') return _('No game is being played.');
  if (what === 'undo' && !board.undo) return _('There is no press to take back.');
  if (what === 'dice-penalty' && !board.features.dice_penalty) {
    return _('These rules set no penalty for dice taken too soon.');
  }
  return '';
}

const forfeiter = (board) => SEATS.find((seat, index) => board.forfeit[index]);

/** Tell whether a ruling is shown at all: most are, so that each stays in its place. */
export function offered(board, what) {
  if (what === 'reopen') return Boolean(board.reopens);
  return what !== 'drop-forfeit' || forfeiter(board) !== undefined;
}

/** Each ruling: `label` of its button, `title`, `fields(board)`, `terms(data)` (null while incomplete), `warn`. */
export const RULINGS = () => ({
  time: {
    label: _('Time'),
    title: _('Adjust a time'),
    fields(board) {
      const amount = make('input', {
        name: 'amount',
        inputmode: 'text',
        autocomplete: 'off',
        placeholder: '1:30',
        required: true,
        title: _('Minutes and seconds, such as 1:30'),
        pattern: '\\s*(\\d{1,2}:(?=\\d\\d:))?\\d{1,3}:[0-5]\\d\\s*',
      });
      const quick = ['0:12', '1:00', '2:00', '5:00'].map((value) => [value, value]);
      const whose = [...SEATS.map((seat) => [seat, nameOf(board, seat)]), ['both', _('Both players')]];
      return [
        choice(_('Whose time'), 'seat', whose, board.turn),
        choice(
          _('What to do'),
          'sign',
          [['1', _('Give')], ['-1', _('Take away')], ['set', _('Set to')]],
          '1',
        ),
        field(_('How much (minutes:seconds)'), amount),
        presets(amount, quick),
      ];
    },
    /** A term for each player whose time changes: what it is set to is reckoned from what the clock shows now. */
    terms(data, board, now) {
      const amount = readTime(data.get('amount') ?? '');
      const whose = data.get('seat');
      if (!amount || !whose) return null;
      const shown = clocksAt(board, now).reserve_ms;
      const by = (seat) =>
        data.get('sign') === 'set' ? amount - shown[indexOf(seat)] : amount * Number(data.get('sign'));
      const terms = (whose === 'both' ? SEATS : [whose]).map((seat) => ({ what: 'time', seat, by_ms: by(seat) }));
      const changing = terms.filter((each) => each.by_ms !== 0);
      return changing.length > 0 ? changing : null;
    },
    warn(board, terms, now) {
      const left = clocksAt(board, now).reserve_ms[indexOf(terms.seat)];
      if (left + terms.by_ms > 0) return '';
      return _('%(name)s has only %(left)s left: you cannot take away that much.', {
        name: nameOf(board, terms.seat),
        left: formatTime(left),
      });
    },
  },
  score: {
    label: _('Score'),
    title: _('Correct the score'),
    fields: (board) => [
      make(
        'div.pair',
        {},
        SEATS.map((seat, index) =>
          field(board.names[index], number(`score-${seat}`, board.score[index], 0, board.length))
        ),
      ),
      field(
        _('Crawford game'),
        make(
          'select',
          { name: 'crawford' },
          [['', _('as the score says')], ['none', _('not yet')], ['now', _('this game')], ['done', _('already played')]]
            .map(([value, label]) => make('option', { value }, label)),
        ),
      ),
    ],
    terms(data) {
      const score = SEATS.map((seat) => data.get(`score-${seat}`));
      if (!score.every((points) => /^\d+$/.test(points))) return null;
      const terms = { what: 'score', score: score.map(Number) };
      if (data.get('crawford')) terms.crawford = data.get('crawford');
      return terms;
    },
  },
  cube: {
    label: _('Cube'),
    title: _('Correct the cube'),
    fields: (board) => [
      field(
        _('Value'),
        make(
          'select',
          { name: 'value' },
          [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((value) =>
            make('option', { value, selected: value === board.cube.value }, String(value))
          ),
        ),
      ),
      choice(
        _('Whose'),
        'owner',
        [['left', board.names[0]], ['', _('in the middle')], ['right', board.names[1]]],
        board.cube.owner ?? '',
      ),
    ],
    terms(data) {
      const value = Number(data.get('value'));
      return { what: 'cube', value, owner: value === 1 ? null : data.get('owner') || null };
    },
  },
  game: {
    label: _('Game result'),
    title: _('End this game'),
    fields(board) {
      const points = number('points', board.cube.value, 1, 3 * board.cube.value);
      const kinds = [_('single'), _('gammon'), _('backgammon')];
      return [
        seats(board, _('Who won the game'), 'winner', null),
        field(_('Points'), points),
        presets(
          points,
          kinds.map((kind, index) => [`${kind} ${(index + 1) * board.cube.value}`, (index + 1) * board.cube.value]),
        ),
      ];
    },
    terms(data) {
      const points = Number(data.get('points'));
      return data.get('winner') && points > 0 ? { what: 'game', winner: data.get('winner'), points } : null;
    },
  },
  undo: {
    label: _('Undo press'),
    title: _('Take back the last press'),
    fields: (
      board,
    ) => [
      make(
        'p',
        {},
        _('%(name)s made the last press. Nobody is charged for the time since then.', {
          name: nameOf(board, board.undo),
        }),
      ),
    ],
    terms: () => ({ what: 'undo' }),
  },
  'dice-penalty': {
    label: _('Dice penalty'),
    title: _('Dice taken too soon'),
    fields: (board) => [seats(board, _('Who took the dice too soon'), 'against', null)],
    terms: (data) => (data.get('against') ? { what: 'dice-penalty', against: data.get('against') } : null),
    warn(board, terms, now) {
      if (!flagsWhileWaiting(board, terms.against, now)) return '';
      const left = formatTime(clocksAt(board, now).reserve_ms[indexOf(terms.against)]);
      return _(
        '%(name)s has %(left)s left. Under this rule the reserve runs during the wait, so the flag falls before the roll.',
        { name: nameOf(board, terms.against), left },
      );
    },
  },
  'drop-forfeit': {
    label: _('Drop forfeit'),
    title: _('Drop a forfeited delay'),
    fields: (
      board,
    ) => [
      choice(
        _('Whose forfeit'),
        'seat',
        SEATS.filter((seat, index) => board.forfeit[index]).map((seat) => [seat, nameOf(board, seat)]),
        forfeiter(board),
      ),
    ],
    terms: (data) => (data.get('seat') ? { what: 'drop-forfeit', seat: data.get('seat') } : null),
  },
  reopen: {
    label: _('Take back the end'),
    title: _('Take back the end'),
    fields: () => [
      make(
        'p',
        {},
        _('Clocks, cube, score and turn go back to what they were before the end. Start the clocks when both players are ready.'),
      ),
    ],
    terms: () => ({ what: 'reopen' }),
  },
  end: {
    label: _('End match'),
    title: _('End the match'),
    fields: (board) => [seats(board, _('Who wins the match'), 'winner', null)],
    terms: (data) => (data.get('winner') ? { what: 'end', winner: data.get('winner') } : null),
    warn: (board) => _('The match ends at %(score)s and nothing more can be played.', { score: scoreOf(board.score) }),
  },
});

export class RulingForm {
  /**
   * `ruling` is one of RULINGS or TABLE_ACTS; `ask(command)` sends; `done()` is called when the form is to go;
   * `current()` gives the board as it is now; `may` is the set of what the user may do.
   */
  constructor(ruling, board, { ask, done, current, may }) {
    this.ruling = ruling;
    this.may = may;
    this.current = current;
    this.asking = false;
    this.changes = changeList();
    this.warning = make('p.warning', { role: 'alert', hidden: true });
    this.submit = make('button.primary', { type: 'submit' }, this.ruling.title);
    const reason = make('input', { name: 'note', maxlength: 400, autocomplete: 'off', required: true });
    this.node = make(
      'form.ruling',
      {},
      make('h3', { tabindex: -1 }, this.ruling.title),
      this.ruling.fields(board),
      field(_('Reason for the record'), reason),
      this.changes.node,
      this.warning,
      make(
        'div.actions',
        {},
        this.submit,
        make('button.plain', { onclick: done }, _('Cancel')),
      ),
    );
    this.node.addEventListener('input', () => this.update());
    this.node.addEventListener('submit', async (event) => {
      event.preventDefault();
      const all = this.terms();
      if (all.length === 0) return;
      this.asking = this.submit.disabled = true;
      let accepted = true;
      for (const terms of all) {
        const command = terms.do ? terms : { do: 'propose', ...terms };
        accepted = accepted && await ask({ ...command, note: reason.value.trim() });
      }
      this.asking = this.submit.disabled = false;
      if (accepted) done();
    });
    this.update();
  }

  /** Return what would be asked, one after the other: most rulings ask one thing. Empty while the form is incomplete. */
  terms() {
    const { board, now } = this.current();
    return [this.ruling.terms(new FormData(this.node), board, now) ?? []].flat();
  }

  /** Show before and after as they are now; a running reserve runs in it too. */
  update() {
    const { board, now } = this.current();
    const all = this.terms();
    const { changes = changesOf, warn = () => '' } = this.ruling;
    this.changes.update(all.flatMap((terms) => changes(board, terms, now)));
    const denied = !this.may.has('end') && all.some((terms) => decidesEnd(board, terms));
    const warns = all.map((terms) => warn(board, terms, now)).find((words) => words) ?? '';
    const warning = denied ? directorHasTo() : warns;
    this.submit.disabled = denied || this.asking;
    write(this.warning, warning);
    mark(this.warning, 'hidden', !warning);
  }
}
