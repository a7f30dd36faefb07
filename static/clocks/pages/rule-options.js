/**
 * Setup form: shows only the fields of the chosen rule set, with its own label for pairing on request. Without this
 * script, all fields show.
 */
const form = /** @type {HTMLFormElement} */ (document.querySelector('[data-setting]'));
const facts = JSON.parse(form.dataset.facts ?? '');
const rules = /** @type {HTMLSelectElement} */ (form.elements.namedItem('rules'));

function fit() {
  const { options, doubles, on_request: onRequest } = facts[rules.value || form.dataset.rules || ''];
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[data-option]'))) {
    const known = options.includes(input.dataset.option);
    /** @type {HTMLElement} */ (input.closest('.field')).hidden = !known;
    input.disabled = !known; // hidden fields are not sent
  }
  const words = form.querySelector('input[name="policy"][value="on-request"] + span');
  if (words) words.textContent = onRequest;
  const pairs = /** @type {HTMLInputElement | null} */ (form.querySelector('input[name="format"][value="doubles"]'));
  if (pairs) /** @type {HTMLElement} */ (pairs.closest('label')).hidden = !doubles && !pairs.checked;
}

rules.addEventListener('change', fit);
fit();
