/**
 * All that is modal is a native dialog: the browser keeps the focus within, and what lies behind can be neither pressed nor
 * reached.
 */

/** Open `dialog` over `host`. A tap beside what it holds or Escape closes it, unless it `stays`; `closed()` tells when. */
export function openOver(host, dialog, { stays = false, closed = () => {} } = {}) {
  dialog.addEventListener('click', (event) => event.target === dialog && !stays && dialog.close());
  dialog.addEventListener('cancel', (event) => stays && event.preventDefault());
  dialog.addEventListener('close', () => (stays && dialog.isConnected ? dialog.showModal() : closed()));
  host.append(dialog);
  dialog.showModal();
}
