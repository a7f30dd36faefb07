/** A form with a setting: shows only what the chosen rule set knows, in its book's words. Without it every field is there. */
const form = document.querySelector('[data-setting]');
const facts = JSON.parse(form.dataset.facts);
const rules = form.elements.namedItem('rules');

function settle() {
  const { options, doubles, on_request: onRequest } = facts[rules.value || form.dataset.rules];
  for (const field of form.querySelectorAll('[data-option-field]')) {
    const known = options.includes(field.dataset.optionField);
    field.hidden = !known;
    // What is not shown is not sent either.
    for (const input of field.querySelectorAll('input, select')) input.disabled = !known;
  }
  const words = form.querySelector('[data-policy="on-request"]');
  if (words) words.textContent = onRequest;
  const pairs = form.querySelector('[data-format="doubles"]');
  if (pairs) pairs.closest('label').hidden = !doubles && !form.querySelector('input[value="doubles"]').checked;
}

rules.addEventListener('change', settle);
settle();
