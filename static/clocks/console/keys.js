/** Keyboard shortcuts of the director's page. */

/**
 * @typedef {object} KeyPage
 * @property {import('./hall-dialogs.js').HallDialogs} hall
 * @property {Set<string>} may
 * @property {import('./filter.js').Filter} filter
 * @property {import('./lane.js').Lane} lane
 * @property {import('./drawer.js').Drawer} drawer
 * @property {import('./grid.js').Grid} grid
 */

/** Run the shortcut of a key, if it has one where the focus is.
 * @param {KeyboardEvent} event @param {KeyPage} page */
export function onKey(event, page) {
  if (event.altKey || event.ctrlKey || event.metaKey || page.hall.busy) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.closest('input, select, textarea');
  if (event.key === '/' && !typing) {
    event.preventDefault();
    page.filter.focus();
  } else if (event.key === 's' && !typing && page.may.has('hall')) {
    event.preventDefault();
    page.hall.open('stop-all');
  } else if (event.key === 'n' && !typing) {
    page.lane.enter();
  } else if (event.key === 'Escape' && page.drawer.match !== null) {
    page.drawer.close();
  } else if (event.key === 'Escape' && page.lane.list.contains(target)) {
    page.grid.enter();
  } else if (
    event.key === 'ArrowDown' && target === document.body && (page.lane.enter() || page.grid.enter())
  ) {
    event.preventDefault();
  }
}
