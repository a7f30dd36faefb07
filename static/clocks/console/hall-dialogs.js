/**
 * Dialogs for the whole hall: stop all, resume all, messages. They hold plain forms; without this script their
 * buttons lead to a page with the same forms.
 */

import { find, mark, write } from '../browser/dom.js';
import { must } from '../match/clocks.js';
import { gettext, ngettext } from '../words/i18n.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

export class HallDialogs {
  constructor(/** @type {HTMLElement} */ root) {
    /** @type {NodeListOf<HTMLDialogElement>} */
    const dialogs = root.querySelectorAll('dialog[data-dialog]');
    this.dialogs = new Map(Array.from(dialogs, (node) => [node.dataset.dialog, node]));
    this.resume = find('[data-opens="resume-all"]', root);
    this.running = find('[data-running]', root);
    this.stopped = find('[data-stopped]', root);
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-opens]'))) {
      node.addEventListener('click', (event) => {
        event.preventDefault();
        this.open(node.dataset.opens ?? '');
      });
    }
    for (const node of this.dialogs.values()) {
      find('[data-close]', node).addEventListener('click', () => node.close());
    }
  }

  /** True while a dialog is open, when keys belong to it. */
  get busy() {
    return [...this.dialogs.values()].some((node) => node.open);
  }

  /** Open a dialog; `values` fill in its fields.
   * @param {string} name @param {Record<string, string>} values */
  open(name, values = {}) {
    const node = must(this.dialogs.get(name));
    for (const [field, value] of Object.entries(values)) {
      /** @type {HTMLInputElement} */ (find(`[name="${field}"]`, node)).value = value;
    }
    if (!node.open) node.showModal();
    find('[data-first]', node)?.focus();
  }

  /** Write the number of running clocks, and offer to resume those stopped with the hall.
   * @param {Snapshot[]} boards */
  draw(boards) {
    if (this.dialogs.size === 0) return;
    const running = boards.filter((board) => board.status === 'running').length;
    const stopped = boards.filter((board) => board.status === 'stopped' && board.hall_stop);
    write(this.running, ngettext('%(n)s clock is running.', '%(n)s clocks are running.', running, { n: running }));
    mark(this.resume, 'hidden', stopped.length === 0);
    write(this.resume, gettext('Resume all · %(n)s', { n: stopped.length }));
    const reasons = [...new Set(stopped.map((board) => board.hall_stop?.note))].join(', ');
    const n = stopped.length;
    write(
      this.stopped,
      ngettext('%(n)s clock is stopped: %(reasons)s.', '%(n)s clocks are stopped: %(reasons)s.', n, { n, reasons }),
    );
  }
}
