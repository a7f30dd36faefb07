/**
 * Result form: choosing the other winner swaps the points, choosing nobody clears them. If neither player has reached
 * the match length, the points stay: a flag or a ruling ended that match.
 */
const form = /** @type {HTMLFormElement} */ (document.querySelector('[data-result]'));
const [left, right] = ['score_left', 'score_right'].map((
  name,
) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)));

form.addEventListener('change', (event) => {
  const { name, value } = /** @type {HTMLInputElement} */ (event.target);
  if (name !== 'winner') return;
  if (value === 'nobody') left.value = right.value = '';
  if (![left, right].some((points) => Number(points.value) === Number(form.dataset.result))) return;
  const leads = Number(left.value) > Number(right.value) ? 'left' : 'right';
  if (left.value !== right.value && leads !== value) [left.value, right.value] = [right.value, left.value];
});
