/**
 * Form of a ruling: its fields, a preview of its changes, and a reason. It takes effect as soon as it is sent.
 */

import { changeList, field } from './forms.js';
import { changesOf, decidesEnd, DIRECTOR_HAS_TO } from './changes.js';
import { hasFaults } from './faults.js';
import { make, mark, write } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
/** @import { AskBoard, Board, Current, Ruling } from './console.d.ts' */

export class RulingForm {
  /**
   * `ruling` is one of RULINGS or TABLE_ACTS; `ask(command)` sends a command; `done()` closes the form;
   * `current()` returns the board as it is now; `may` holds the user's permissions.
   * @param {Ruling} ruling @param {Board} board
   * @param {{ ask: AskBoard, done: () => void, current: () => Current, may: Set<string> }} page
   */
  constructor(ruling, board, { ask, done, current, may }) {
    this.ruling = ruling;
    this.may = may;
    this.current = current;
    this.asking = false;
    this.changes = changeList();
    this.warning = make('p.faults.warns', { role: 'alert', hidden: true });
    this.submit = make('button.primary', { type: 'submit' }, this.ruling.title);
    const reason = make('input', { name: 'note', maxlength: 400, autocomplete: 'off', required: true });
    this.node = make(
      'form.card.ruling',
      { novalidate: true },
      make('h3', { tabindex: -1 }, this.ruling.title),
      this.ruling.fields(board),
      field(gettext('Reason for the record'), reason),
      this.changes.node,
      this.warning,
      make(
        'div.row',
        {},
        this.submit,
        make('button.plain', { onclick: done }, gettext('Cancel')),
      ),
    );
    this.node.addEventListener('input', () => this.update());
    this.node.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (hasFaults(this.node)) return;
      const all = this.terms();
      if (all.length === 0) return;
      if (all.length > 1 && !this.warning.hidden) return; // or one player's time would change, and the other's not
      this.asking = this.submit.disabled = true;
      let accepted = true;
      for (const terms of all) {
        const note = reason.value.trim();
        accepted = accepted && await ask('do' in terms ? { ...terms, note } : { do: 'propose', ...terms, note });
      }
      this.asking = this.submit.disabled = false;
      if (accepted) done();
    });
    this.update();
  }

  /** Commands to send, in order (usually one); empty while incomplete. */
  terms() {
    const { board, now } = this.current();
    return [this.ruling.terms(new FormData(this.node), board, now) ?? []].flat();
  }

  /** Update the preview, in which a running reserve keeps running. */
  update() {
    const { board, now } = this.current();
    const all = this.terms();
    const { changes = /** @type {Required<Ruling>['changes']} */ (changesOf), warn = () => '' } = this.ruling;
    this.changes.update(all.flatMap((terms) => changes(board, terms, now)));
    const denied = !this.may.has('end') && all.some((terms) => !('do' in terms) && decidesEnd(board, terms));
    const warns = all.map((terms) => warn(board, terms, now)).find((words) => words) ?? '';
    const warning = denied ? DIRECTOR_HAS_TO : warns;
    this.submit.disabled = denied || this.asking;
    write(this.warning, warning);
    mark(this.warning, 'hidden', !warning);
  }
}
