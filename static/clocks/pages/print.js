/** The button that prints a page: without scripts there is none. */
const button = /** @type {HTMLButtonElement} */ (document.querySelector('[data-print]'));
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
