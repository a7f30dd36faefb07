/**
 * What acts on the whole hall: the dialogs of stop all, resume all and messages. They hold plain forms; without this
 * script their buttons lead to the page that has the same forms.
 */

import { mark, write } from '../browser/dom.js';
import { _, ngettext } from '../words/i18n.js';

export class HallDialogs {
  constructor(root) {
    this.dialogs = new Map(
      [...root.querySelectorAll('dialog[data-dialog]')].map((node) => [node.dataset.dialog, node]),
    );
    this.resume = root.querySelector('[data-opens="resume-all"]');
    this.running = root.querySelector('[data-running]');
    this.stopped = root.querySelector('[data-stopped]');
    for (const node of root.querySelectorAll('[data-opens]')) {
      node.addEventListener('click', (event) => {
        event.preventDefault();
        this.open(node.dataset.opens);
      });
    }
    for (const node of this.dialogs.values()) {
      node.querySelector('[data-close]').addEventListener('click', () => node.close());
    }
  }

  /** Tell whether one of the dialogs is open: the keys are for it then. */
  get busy() {
    return [...this.dialogs.values()].some((node) => node.open);
  }

  /** Open a dialog; `values` fill in its fields. */
  open(name, values = {}) {
    const node = this.dialogs.get(name);
    for (const [field, value] of Object.entries(values)) node.querySelector(`[name="${field}"]`).value = value;
    if (!node.open) node.showModal();
    node.querySelector('[data-first]')?.focus();
  }

  /** Say how many clocks run, and offer to resume what was stopped with the hall. */
  draw(boards) {
    if (this.dialogs.size === 0) return;
    const running = boards.filter((board) => board.status === 'running').length;
    const stopped = boards.filter((board) => board.status === 'stopped' && board.hall_stop);
    write(this.running, ngettext('%(n)s clock is running.', '%(n)s clocks are running.', running, { n: running }));
    mark(this.resume, 'hidden', stopped.length === 0);
    write(this.resume, _('Resume all · %(n)s', { n: stopped.length }));
    const reasons = [...new Set(stopped.map((board) => board.hall_stop.note))].join(', ');
    const n = stopped.length;
    write(
      this.stopped,
      ngettext('%(n)s clock is stopped: %(reasons)s.', '%(n)s clocks are stopped: %(reasons)s.', n, { n, reasons }),
    );
  }
}
