/** Print button, which stays hidden without scripts. */
const button = /** @type {HTMLButtonElement} */ (document.querySelector('[data-print]'));
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
