/** The button that prints a page: without scripts it is not there. */
const button = /** @type {HTMLButtonElement} */ (document.querySelector('[data-print]'));
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
